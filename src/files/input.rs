//! Inputs: files and standard input, read as text, as lines, or as a whole.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Cursor, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::compression::{self, Compression};
use super::limits::{self, MAX_LINE, too_long};
use crate::error::{Error, Fault, Result, escaped};

/// Where text is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Standard input, written `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// Any file name that the system allows, in UTF-8 or not.
impl From<OsString> for Input {
    fn from(name: OsString) -> Self {
        if name == "-" { Self::Stdin } else { Self::File(name.into()) }
    }
}

impl FromStr for Input {
    type Err = Infallible;

    fn from_str(name: &str) -> std::result::Result<Self, Infallible> {
        Ok(OsString::from(name).into())
    }
}

impl fmt::Display for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => formatter.write_str("standard input"),
            Self::File(path) => escaped(&path.to_string_lossy()).fmt(formatter),
        }
    }
}

impl Input {
    /// Opens it for reading; gzip and zstd are decompressed, and a byte order mark at the start is skipped.
    ///
    /// # Errors
    /// The file does not exist, may not be read, or is UTF-16.
    pub fn open(&self) -> Result<Box<dyn BufRead + Send>> {
        match self {
            Self::Stdin => self.opened(Box::new(io::stdin()), None),
            Self::File(path) => self.opened(Box::new(open_file(path)?), Compression::split_name(&self.name()).1),
        }
    }

    /// The lines of a regular file, for a look at them before they are read; `None` for what can be read only once.
    pub(crate) fn look_ahead(&self) -> Result<Option<Lines>> {
        let Self::File(path) = self else { return Ok(None) };
        let file = open_file(path)?;
        if !self.system(file.metadata())?.is_file() {
            return Ok(None);
        }
        let reader = self.opened(Box::new(file), Compression::split_name(&self.name()).1)?;
        Ok(Some(self.lines_of(reader)))
    }

    /// Whether it can be read more than once.
    pub(crate) fn is_regular(&self) -> bool {
        matches!(self, Self::File(path) if path.is_file())
    }

    /// The text of a source, without a byte order mark.
    fn opened(&self, source: Box<dyn Read + Send>, named: Option<Compression>) -> Result<Box<dyn BufRead + Send>> {
        let mut reader = self.system(compression::decompressed(source, named))?;
        let marks = || MARKS.iter().chain([&PARQUET]);
        let begins_mark = |start: &[u8]| marks().any(|mark| mark.len() > start.len() && mark.starts_with(start));
        let start = self.system(compression::read_while(&mut reader, begins_mark))?;
        if start == PARQUET {
            let advice = "write the table as .csv or .jsonl, or use a program built with the cargo feature `parquet`";
            return Err(Error::invalid(self.to_string(), "text", "a Parquet file", advice));
        }
        if MARKS[1..].contains(&start.as_slice()) {
            let advice = "convert the file, for example with `iconv -f utf-16 -t utf-8`";
            return Err(Error::invalid(format!("{self}:1"), "text in UTF-8", "UTF-16", advice));
        }
        Ok(if start.is_empty() || start == MARKS[0] { reader } else { Box::new(Cursor::new(start).chain(reader)) })
    }

    /// Reads the whole input as text of at most `largest` bytes.
    ///
    /// # Errors
    /// It cannot be read, is longer than that, or is not UTF-8.
    pub fn read_to_string(&self, largest: usize) -> Result<String> {
        let mut bytes = Vec::new();
        self.system(self.open()?.take(largest as u64 + 1).read_to_end(&mut bytes))?;
        if bytes.len() > largest {
            return Err(too_long(&self.to_string(), "a file of at most", largest));
        }
        String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            not_utf8(&self.to_string(), before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1)
        })
    }

    /// Its lines, numbered from 1.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn lines(&self) -> Result<Lines> {
        Ok(self.lines_of(self.open()?))
    }

    fn lines_of(&self, reader: Box<dyn BufRead + Send>) -> Lines {
        Lines { reader, input: self.clone(), number: 0, end: b'\n', buffer: Vec::new() }
    }

    /// The file's name without its folder and ending; `-` for standard input.
    pub fn stem(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// The file's name without the ending of its compression.
    pub(crate) fn plain_name(&self) -> String {
        Compression::split_name(&self.name()).0.to_owned()
    }

    /// The file's name without its folder; `-` for standard input.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Adds the place to an error of the operating system.
    pub(crate) fn system<T>(&self, result: io::Result<T>) -> Result<T> {
        result.map_err(|error| limits::read_error(&self.to_string(), &error))
    }
}

/// A line of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// From 1.
    pub number: usize,
    /// Without its line end.
    pub text: String,
}

/// The lines of an [`Input`], one at a time. They end in `\n` or `\r\n`; in a file without any `\n`, they end in `\r`.
/// A `\r` elsewhere is part of the text.
pub struct Lines {
    reader: Box<dyn BufRead + Send>,
    input: Input,
    number: usize,
    /// The last byte of a line.
    end: u8,
    buffer: Vec<u8>,
}

impl Iterator for Lines {
    type Item = Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.read() {
            Ok(0) => return None,
            Ok(_) => self.number += 1,
            Err(error) => return Some(Err(error)),
        }
        let place = || format!("{}:{}", self.input, self.number);
        if self.buffer.len() > MAX_LINE {
            return Some(Err(too_long(&place(), "a line of at most", MAX_LINE)));
        }
        let line = self.buffer.strip_suffix(&[self.end]).unwrap_or(&self.buffer);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(MARKS[0]) {
            let advice = "remove it; it often comes from concatenating files";
            let expected = "a byte-order mark (U+FEFF) only at the start of the file";
            return Some(Err(Error::invalid(place(), expected, "one at the start of the line", advice)));
        }
        Some(match std::str::from_utf8(line) {
            Ok(text) => Ok(Line { number: self.number, text: text.to_owned() }),
            Err(_) => Err(not_utf8(&self.input.to_string(), self.number as u64)),
        })
    }
}

impl Lines {
    /// Reads the next line, with its end, into the buffer; gives its length.
    fn read(&mut self) -> Result<usize> {
        self.buffer.clear();
        let count = self.input.system(limits::read_line(&mut self.reader, self.end, &mut self.buffer))?;
        if self.number == 0 && self.end == b'\n' && !self.buffer.ends_with(b"\n") && self.buffer.contains(&b'\r') {
            self.end = b'\r';
            let start = Cursor::new(mem::take(&mut self.buffer));
            let rest = mem::replace(&mut self.reader, Box::new(io::empty()));
            self.reader = Box::new(start.chain(rest));
            return self.read();
        }
        Ok(count)
    }
}

pub(super) fn open_file(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|error| cannot_open(path, error))?;
    // Opening a folder succeeds; reading it does not.
    if path.is_dir() { Err(cannot_open(path, io::ErrorKind::IsADirectory.into())) } else { Ok(file) }
}

fn cannot_open(path: &Path, error: io::Error) -> Error {
    let (found, advice, fault) = match error.kind() {
        io::ErrorKind::NotFound => ("no such file", "check the name and the folder", Fault::MissingFile),
        io::ErrorKind::IsADirectory => ("a folder", "name a file inside it", Fault::Value),
        _ => return Error::io(path, error, "open the file"),
    };
    Error::invalid(path.display().to_string(), "a file", found, advice).because(fault)
}

/// Byte order marks: of UTF-8, and of UTF-16 in either byte order.
const MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];

/// How a Parquet file begins: its magic number, and then a structure, which text does not have there.
const PARQUET: &[u8] = b"PAR1\x15";

/// The error for a line that is not UTF-8.
pub(super) fn not_utf8(place: &str, line: u64) -> Error {
    Error::invalid(
        format!("{place}:{line}"),
        "text in UTF-8",
        "bytes that are not UTF-8",
        "convert the file, for example with `iconv -f latin1 -t utf-8`",
    )
}

/// Checks that standard input is named at most once.
///
/// # Errors
/// Several inputs are `-`.
pub fn check_inputs<'i>(inputs: impl IntoIterator<Item = &'i Input>) -> Result<()> {
    if inputs.into_iter().filter(|input| matches!(input, Input::Stdin)).count() < 2 {
        return Ok(());
    }
    Err(Error::invalid("-", "standard input at most once", "it several times", "give all but one as files"))
}

/// Checks that a file has `count` lines; `expected` is the phrase for the error message: how many lines, and of what. If there are
/// fewer, it advises `of_fewer`.
pub(crate) fn check_lines(input: &Input, found: usize, count: usize, expected: String, of_fewer: &str) -> Result<()> {
    if found == count {
        return Ok(());
    }
    let place = format!("{input}:{}", found.min(count) + 1);
    let advice = if found < count { of_fewer } else { TRUNCATED };
    Err(Error::invalid(place, expected, found.to_string(), advice))
}

/// What to do about files of different lengths.
pub(crate) const TRUNCATED: &str = "check that the files belong together and that neither is truncated";

/// The error for an empty file.
pub(crate) fn empty(input: &Input, expected: &str) -> Error {
    Error::invalid(input.to_string(), expected, "an empty file", "check that the right file was named")
}

/// The stems of files. Equal stems are preceded by as many of their folders as it takes to tell them apart. If no
/// folders do, the names are those that were given, and a repeated file gets a number from its second occurrence on.
///
/// ```
/// use tribunal::files::{Input, display_names};
///
/// let files = ["a/dev.json", "b/dev.json", "test.json"].map(|path| Input::File(path.into()));
/// assert_eq!(display_names(&files), ["a/dev", "b/dev", "test"]);
/// ```
pub fn display_names(files: &[Input]) -> Vec<String> {
    let mut names: Vec<String> = files.iter().map(Input::stem).collect();
    let deepest = files.iter().map(depth).max().unwrap_or(0);
    for parts in 2..=deepest {
        shared(&names).into_iter().for_each(|at| names[at] = stem_within(&files[at], parts));
    }
    shared(&names).into_iter().for_each(|at| names[at] = files[at].to_string());
    for at in 1..names.len() {
        let before = names[..at].iter().zip(files).filter(|(_, file)| **file == files[at]).count();
        if before > 0 {
            names[at] = format!("{} ({})", names[at], before + 1);
        }
    }
    names
}

/// The positions of names that occur more than once.
fn shared(names: &[String]) -> Vec<usize> {
    let is_shared = |at: &usize| names.iter().filter(|name| **name == names[*at]).count() > 1;
    (0..names.len()).filter(is_shared).collect()
}

/// The number of components of a file's path.
fn depth(file: &Input) -> usize {
    match file {
        Input::Stdin => 1,
        Input::File(path) => path.iter().count(),
    }
}

/// The last `parts` components of a file's path, without the ending.
fn stem_within(file: &Input, parts: usize) -> String {
    let Input::File(path) = file else { return file.stem() };
    let path = path.with_file_name(path.file_stem().unwrap_or_default());
    let last: PathBuf = path.iter().skip(path.iter().count().saturating_sub(parts)).collect();
    last.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&str]) -> Vec<String> {
        display_names(&files.iter().map(|name| name.parse().unwrap()).collect::<Vec<Input>>())
    }

    #[test]
    fn names_are_as_short_as_tells_files_apart() {
        for (files, shown) in [
            (&["a/dev.json", "test.json", "-"][..], &["dev", "test", "-"][..]),
            (&[], &[]),
            (&["x/a/dev.json", "y/a/dev.json", "dev.json"], &["x/a/dev", "y/a/dev", "dev"]),
            (&["a/dev.json", "b/dev.json", "b/test.json"], &["a/dev", "b/dev", "test"]),
            (&["builtin", "./builtin"], &["builtin", "./builtin"]),
            (&["a/dev.json", "a/dev.model"], &["a/dev.json", "a/dev.model"]),
            (&["dev.json", "dev.json"], &["dev.json", "dev.json (2)"]),
        ] {
            assert_eq!(names(files), shown);
        }
    }
}
