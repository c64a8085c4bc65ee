//! Outputs that are complete or absent, compressed if their names say so.
//!
//! A file is written under a temporary name beside its destination, and renamed when it is complete. Where a signal
//! ends the program, the temporary file remains.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::compression::{Compression, Compressor};
use crate::error::{Error, Fault, Result, quoted};

/// Prefix of the names of files that are not complete.
const TEMPORARY_PREFIX: &str = ".tribunal-";

/// A destination: standard output, or a file that appears under its name only when it is complete.
pub struct Output {
    place: PathBuf,
    sink: Compressor<Sink>,
}

enum Sink {
    /// Standard output, a terminal or a pipe: it cannot be replaced, so it is written to directly.
    Stream(File),
    /// A temporary file beside its destination.
    Temporary(NamedTempFile),
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Output({})", self.place.display())
    }
}

impl Output {
    /// Begins to write to a file, or to standard output for `-` or `None`; the output is compressed if the name ends in
    /// `.gz` or `.zst`. An existing file stays as it is until [`Self::finish`]; an output that is never finished leaves
    /// no trace.
    ///
    /// # Errors
    /// The folder does not exist, or may not be written to.
    pub fn create(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Self::stdout();
        };
        match open_file(path) {
            Some(number) if number == "1" => return Self::stdout(),
            Some(_) => return Self::compressed(path.to_owned(), None, Sink::open_file(path)?),
            None => {}
        }
        let target = followed(path)?;
        let sink = match fs::metadata(&target) {
            Ok(found) if found.is_dir() => return Err(is_folder(path)),
            // No file can have that name; without this check, renaming would fail after all the work is done.
            Err(_) if path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) => {
                return Err(is_folder(path));
            }
            Ok(found) if !found.is_file() => Sink::Stream(
                OpenOptions::new().write(true).open(&target).map_err(|error| Error::io(path, error, "write"))?,
            ),
            existing => Sink::pending(&target, existing.ok())?,
        };
        // The compression follows from the name as given, not from that of a link's target.
        Self::compressed(target, Compression::split_name(&path.to_string_lossy()).1, sink)
    }

    /// Begins to write to standard output, even if what is written goes nowhere.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn stdout() -> Result<Self> {
        let place = PathBuf::from("standard output");
        // The standard library takes for written what a file that is open for reading only refuses.
        let file = own_stdout().map_err(|error| Error::io(&place, error, "write"))?;
        Self::compressed(place, None, Sink::Stream(file))
    }

    fn compressed(place: PathBuf, compression: Option<Compression>, sink: Sink) -> Result<Self> {
        match Compressor::new(compression, sink) {
            Ok(sink) => Ok(Self { place, sink }),
            Err(error) => Err(Error::io(&place, error, "write")),
        }
    }

    /// Makes the output appear under its name.
    ///
    /// # Errors
    /// The disk is full, or the file may not be replaced; an existing file is then unchanged.
    pub fn finish(self) -> Result<()> {
        let place = self.place;
        let flushed = self.sink.finish().and_then(|mut sink| sink.flush().map(|()| sink));
        let sink = flushed.map_err(|error| Error::io(&place, error, "write"))?;
        let Sink::Temporary(file) = sink else { return Ok(()) };
        file.as_file().sync_all().map_err(|error| Error::io(&place, error, "write"))?;
        file.persist(&place).map(drop).map_err(|error| Error::io(&place, error.error, "replace the file"))
    }

    /// The destination, for messages.
    pub(crate) fn place(&self) -> String {
        self.place.display().to_string()
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// The disk is full, or the reading end of a pipe has been closed.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sink.write_all(bytes).map_err(|error| Error::io(&self.place, error, "write"))
    }

    /// Flushes what was written so far.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn flush(&mut self) -> Result<()> {
        self.sink.flush().map_err(|error| Error::io(&self.place, error, "write"))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Sink {
    /// What is open already, such as a pipe of the shell. A file is appended to: it may hold what others have written.
    fn open_file(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().append(true).open(path);
        file.map(Self::Stream).map_err(|error| Error::io(path, error, "write"))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stream(file) => file,
            Self::Temporary(file) => file,
        }
    }

    /// A temporary file beside `path`, with the permissions of the `existing` file, if there is one.
    fn pending(path: &Path, existing: Option<fs::Metadata>) -> Result<Self> {
        let folder = folder_of(path);
        if !folder.is_dir() {
            return Err(Error::invalid(
                path.display().to_string(),
                format!("a folder {}", quoted(&folder.to_string_lossy())),
                format!("no folder {}", quoted(&folder.to_string_lossy())),
                format!("create it first: mkdir -p '{}'", folder.display()),
            )
            .because(Fault::MissingFile));
        }
        let cannot = |error| Error::io(path, error, "write into its folder");
        let file = temporary(folder).map_err(cannot)?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions()).map_err(cannot)?;
        }
        Ok(Self::Temporary(file))
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        // Like any program's file: the umask removes permissions that the user does not want to grant.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(unix)]
fn own_stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn own_stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// Extensions that promise a format: those of what commands write and read, and common ones of other programs.
const FORMATS: [&str; 25] = [
    "bz2", "csv", "da", "docx", "htm", "html", "ipynb", "json", "jsonl", "md", "ndjson", "pairs", "parquet", "pdf",
    "rank", "rankings", "svg", "tex", "tsv", "xls", "xlsx", "xml", "xz", "yaml", "zip",
];

/// Checks that the name of an output with `content` has one of its `endings`, or one that promises nothing else.
///
/// # Errors
/// The name promises other content.
pub fn check_content(path: &Path, content: &str, endings: &[&str]) -> Result<()> {
    let name = path.to_string_lossy();
    let extension = Compression::split_name(&name).0.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    let is_other = |extension: &str| FORMATS.contains(&extension) && !endings.contains(&extension);
    let Some(ending) = extension.filter(|extension| is_other(extension) && !is_stream(path)) else { return Ok(()) };
    let advice = format!("use the extension {}", alternatives(endings));
    let expected = format!("a file name for {content}");
    Err(Error::invalid(path.display().to_string(), expected, format!("the extension .{ending}"), advice))
}

/// `.csv, .tsv or .json`.
fn alternatives(endings: &[&str]) -> String {
    let dotted: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    match dotted.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        all => all.concat(),
    }
}

/// Whether a path names a pipe, a device or what this process has open, such as `/dev/stdout` and the shell's `>(...)`: its
/// name tells nothing of the content.
pub fn is_stream(path: &Path) -> bool {
    open_file(path).is_some() || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The number of what this process has open, if a path names that: `/dev/stdout`, `/dev/fd/63` of the shell's `>(...)`,
/// or a link to one. Following it further would lead to the file behind it, which is not ours to replace.
fn open_file(path: &Path) -> Option<OsString> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let folder = fs::canonicalize(folder_of(&target)).unwrap_or_default();
        if folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd") {
            return target.file_name().map(OsStr::to_owned);
        }
        target = folder_of(&target).join(fs::read_link(&target).ok()?);
    }
    None
}

/// The longest chain of links that is followed; a longer one is taken for a cycle.
const MAX_LINKS: usize = 40;

/// The target of a path: links are followed, so that the target is written and not the link, even if it does not exist
/// yet.
pub(super) fn followed(path: &Path) -> Result<PathBuf> {
    if let Ok(target) = fs::canonicalize(path) {
        return Ok(target);
    }
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(Error::invalid(path.display().to_string(), "a file", "a cycle of links", "name a file"))
}

fn is_folder(path: &Path) -> Error {
    Error::invalid(path.display().to_string(), "the name of a file", "a folder", "add the name of a file")
}

/// Writes files into a folder, creating it if its parent exists. No file appears under its name before all are written
/// in full; a folder that was created for nothing is removed.
///
/// # Errors
/// The path names a file; the folder cannot be created or written to; a file cannot be replaced.
pub fn write_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    let is_new = create_folder(folder)?;
    let pending = |(name, bytes): &(String, Vec<u8>)| {
        let mut output = Output::create(Some(&folder.join(name)))?;
        output.write(bytes)?;
        Ok(output)
    };
    let written: Result<Vec<Output>> = files.iter().map(pending).collect();
    let named = written.and_then(|outputs| outputs.into_iter().try_for_each(Output::finish));
    if named.is_err() && is_new {
        // This removes only an empty folder.
        let _ = fs::remove_dir(folder);
    }
    named
}

/// Creates the folder if there is none; returns whether it did.
fn create_folder(folder: &Path) -> Result<bool> {
    let place = || folder.display().to_string();
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(false),
        Ok(_) => Err(Error::invalid(place(), "a folder", "a file", "name a folder, or a name that is not taken")),
        Err(_) if folder.parent().is_some_and(|parent| !parent.as_os_str().is_empty() && !parent.is_dir()) => {
            let parent = folder.parent().map(|parent| parent.display().to_string()).unwrap_or_default();
            Err(Error::invalid(
                place(),
                format!("a folder in {parent}"),
                "no such folder",
                "make it, or name another one",
            ))
        }
        Err(_) => fs::create_dir(folder).map(|()| true).map_err(|error| Error::io(folder, error, "make the folder")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_when_it_is_finished_and_leaves_no_other_trace() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("eval.out");
        fs::write(&place, "old").unwrap();
        let mut output = Output::create(Some(&place)).unwrap();
        output.write(b"never finished").unwrap();
        drop(output);
        let mut output = Output::create(Some(&place)).unwrap();
        output.write(b"new").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"old");
        output.finish().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn every_extension_of_a_table_promises_something() {
        let mut extensions = crate::files::table::TableKind::ALL.iter().flat_map(|kind| kind.endings());
        assert!(extensions.all(|extension| FORMATS.contains(extension)));
    }

    #[test]
    fn names_promise_the_content_or_nothing() {
        let message = |name: &str| {
            check_content(Path::new(name), "scores", &["tsv", "csv"]).map_err(|error| error.to_string()).err()
        };
        for name in ["x", "x.tsv", "x.CSV.gz", "x.txt", "x.out", "v1.2", "."] {
            assert_eq!(message(name), None, "{name}");
        }
        assert_eq!(
            message("x.TEX.zst").unwrap(),
            "x.TEX.zst: expected a file name for scores, found the extension .tex; use the extension .tsv or .csv"
        );
    }

    fn files(names: &[&str]) -> Vec<(String, Vec<u8>)> {
        names.iter().map(|&name| (name.to_owned(), name.as_bytes().to_vec())).collect()
    }

    #[test]
    fn all_files_are_written_or_none() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("man1");
        write_folder(&folder, &files(&["a", "b"])).unwrap();
        assert_eq!(fs::read(folder.join("b")).unwrap(), b"b");
        fs::write(folder.join("a"), "old").unwrap();
        // A folder cannot be replaced by a file.
        fs::create_dir(folder.join("c")).unwrap();
        assert!(write_folder(&folder, &files(&["a", "c"])).is_err());
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"old");
        write_folder(&folder, &files(&["a"])).unwrap();
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"a");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    }

    #[test]
    fn a_folder_that_cannot_be_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let error = |name: &str| write_folder(&parent.path().join(name), &files(&["a"])).unwrap_err().to_string();
        fs::write(parent.path().join("file"), "").unwrap();
        assert!(error("file").contains("file: expected a folder, found a file; "));
        assert!(error("none/man1").contains("none/man1: expected a folder in "));
        assert!(write_folder(&parent.path().join("new"), &files(&["a/b"])).is_err());
        assert!(!parent.path().join("new").exists());
    }
}
