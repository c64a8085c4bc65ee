//! Reads the lines of a dict folder's files, field by field; errors give file, line, expected and found.

use std::io::ErrorKind;
use std::path::Path;

use crate::error::{Error, Result, quoted};
use crate::files::limits::read_file;

const ADVICE: &str = "give an unchanged WordNet dict folder, such as /usr/share/wordnet of \
                      Debian's package wordnet-base";

/// The largest file that is read, in bytes; the largest one of WordNet 3.0 has 15 MB.
const MAX_FILE_BYTES: usize = 128 << 20;

/// Calls `parse` with every line, except empty lines and those of the licence, which begin with a space.
pub(super) fn for_each_line(file: &Path, mut parse: impl FnMut(&mut Line) -> Result<()>) -> Result<()> {
    let contents = read(file)?;
    let lines = contents.split(|&byte| byte == b'\n');
    for (number, rest) in (1..).zip(lines) {
        if rest.first().is_some_and(|first| !first.is_ascii_whitespace()) {
            parse(&mut Line { file, number, rest })?;
        }
    }
    Ok(())
}

/// The version that the licence states (`WordNet 3.0 Copyright 2006 ...`), or `unknown`.
pub(super) fn wordnet_version(file: &Path) -> Result<String> {
    let contents = read(file)?;
    let licence = contents.split(|&byte| byte == b'\n').take_while(|line| line.starts_with(b" "));
    let version = licence.map(String::from_utf8_lossy).find_map(|line| {
        let (before, _) = line.split_once(" Copyright ")?;
        let (_, version) = before.rsplit_once("WordNet ")?;
        let usable = version.len() <= 16 && version.bytes().all(|byte| byte.is_ascii_graphic());
        usable.then(|| version.to_owned())
    });
    Ok(version.unwrap_or_else(|| "unknown".to_owned()))
}

fn read(file: &Path) -> Result<Vec<u8>> {
    read_file(file, MAX_FILE_BYTES, "read this file of WordNet").map_err(|error| match error {
        Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
            let expected = "a file of a WordNet dict folder";
            Error::invalid(file.display().to_string(), expected, "no such file", ADVICE)
        }
        _ => error,
    })
}

/// An error at a line of a file, for use after the line has been read.
pub(super) fn invalid_at(file: &Path, number: usize, expected: impl Into<String>, found: &str) -> Error {
    Error::invalid(format!("{}:{number}", file.display()), expected, found, ADVICE)
}

/// A line, with `rest` still to be read.
pub(super) struct Line<'a> {
    pub number: usize,
    file: &'a Path,
    rest: &'a [u8],
}

impl<'a> Line<'a> {
    /// The next field; `expected` says what it should be.
    pub(super) fn field(&mut self, expected: &str) -> Result<&'a str> {
        let rest = self.rest.trim_ascii_start();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (field, rest) = rest.split_at(end);
        self.rest = rest;
        match str::from_utf8(field) {
            Ok("") => Err(self.invalid(expected, "the end of the line")),
            Ok(field) => Ok(field),
            Err(_) => Err(self.invalid(expected, "bytes that are not UTF-8")),
        }
    }

    pub(super) fn number(&mut self, expected: &str, radix: u32) -> Result<u32> {
        let field = self.field(expected)?;
        u32::from_str_radix(field, radix).map_err(|_| self.invalid_field(expected, field))
    }

    /// Skips `fields` fields; `expected` says what each should be.
    pub(super) fn skip(&mut self, fields: u32, expected: &str) -> Result<()> {
        (0..fields).try_for_each(|_| self.field(expected).map(drop))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.trim_ascii().is_empty()
    }

    pub(super) fn invalid_field(&self, expected: &str, field: &str) -> Error {
        self.invalid(expected, &quoted(field))
    }

    pub(super) fn invalid(&self, expected: &str, found: &str) -> Error {
        invalid_at(self.file, self.number, expected, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rest: &[u8]) -> Line<'_> {
        Line { number: 7, file: Path::new("data.noun"), rest }
    }

    #[test]
    fn errors_name_file_line_wanted_and_found() {
        let message = line(b"x1").number("an offset", 10).expect_err("no number").to_string();
        for part in ["data.noun:7", "an offset", "'x1'", "dict folder"] {
            assert!(message.contains(part), "{message}");
        }
        let long = [b'a'; 10_000];
        let message = line(&long).number("an offset", 10).expect_err("no number").to_string();
        assert!(message.len() < 300, "{message}");
        assert!(line(b" \t\r").field("a word").is_err());
    }
}
