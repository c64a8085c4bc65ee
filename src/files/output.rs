//! Output. In: what a command writes. Out: a file that is complete or absent, compressed if its name says so. Next: the
//! user.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::compression::{Compression, Compressor};
use super::unfinished::Unfinished;
use super::unnamed;
use crate::error::{Error, Fault, Result, quoted};

/// A destination: standard output, or a file that appears under its name only when it is complete.
pub struct Output {
    place: PathBuf,
    sink: Compressor<Sink>,
}

enum Sink {
    Stdout(io::Stdout),
    /// A terminal or a pipe: it cannot be replaced, so it is written to directly.
    Device(File),
    /// A nameless file on the same disk as its destination, until [`Output::finish`] gives it a name: however the
    /// program ends, nothing is left behind.
    Unnamed(File),
    /// A file beside its destination, until [`Output::finish`] renames it; for systems without nameless files.
    Temporary(Unfinished),
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
            return Self::compressed("standard output".into(), None, Sink::Stdout(io::stdout()));
        };
        let target = followed(path)?;
        let sink = match fs::metadata(&target) {
            Ok(found) if found.is_dir() => return Err(is_folder(path)),
            // No file can have that name; without this check, renaming would fail after all the work is done.
            Err(_) if path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) => {
                return Err(is_folder(path));
            }
            Ok(found) if !found.is_file() => Sink::Device(
                OpenOptions::new().write(true).open(&target).map_err(|error| Error::io(path, error, "write"))?,
            ),
            existing => Sink::beside(&target, existing.ok())?,
        };
        // The compression follows from the name as given, not from that of a link's target.
        Self::compressed(target, Compression::split_name(&path.to_string_lossy()).1, sink)
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
        let mut sink = self.sink.finish().map_err(|error| Error::io(&self.place, error, "write"))?;
        sink.flush().map_err(|error| Error::io(&self.place, error, "write"))?;
        let place = &self.place;
        let cannot = |action: &'static str| move |error| Error::io(place, error, action);
        match sink {
            Sink::Unnamed(file) => {
                file.sync_all().map_err(cannot("write"))?;
                unnamed::persist(&file, place).map_err(cannot("replace the file"))
            }
            Sink::Temporary(file) => {
                file.file.sync_all().map_err(cannot("write"))?;
                file.persist(place).map_err(cannot("replace the file"))
            }
            Sink::Stdout(_) | Sink::Device(_) => Ok(()),
        }
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
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Device(file) | Self::Unnamed(file) => file.write(bytes),
            Self::Temporary(unfinished) => unfinished.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Device(file) | Self::Unnamed(file) => file.flush(),
            Self::Temporary(unfinished) => unfinished.file.flush(),
        }
    }
}

impl Sink {
    /// An unfinished file on the same disk as `path`, with the permissions of the `existing` file, if there is one.
    fn beside(path: &Path, existing: Option<fs::Metadata>) -> Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(Error::invalid(
                path.display().to_string(),
                format!("a folder {}", quoted(&folder.to_string_lossy())),
                "none",
                format!("make it first: mkdir -p '{}'", folder.display()),
            )
            .because(Fault::MissingFile));
        }
        let cannot = |error| Error::io(path, error, "write into its folder");
        let permissions = existing.map(|found| found.permissions());
        if let Some(file) = unnamed::create(folder) {
            permissions.map_or(Ok(()), |given| file.set_permissions(given)).map_err(cannot)?;
            return Ok(Self::Unnamed(file));
        }
        named(folder, permissions).map(|file| Self::Temporary(Unfinished::new(file))).map_err(cannot)
    }
}

/// The longest chain of links that is followed; a longer one is taken for a cycle.
const LINKS: usize = 40;

/// The target of a path: links are followed, so that the target is written and not the link, even if it does not exist
/// yet.
fn followed(path: &Path) -> Result<PathBuf> {
    if let Ok(target) = fs::canonicalize(path) {
        return Ok(target);
    }
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(Error::invalid(path.display().to_string(), "a file", "a cycle of links", "name a file"))
}

fn named(folder: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(unnamed::PREFIX);
    #[cfg(unix)]
    {
        // Like any program's file: the umask removes permissions that the user does not want to grant.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(permissions.unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
    }
    #[cfg(not(unix))]
    let _ = permissions;
    builder.tempfile_in(folder)
}

fn is_folder(path: &Path) -> Error {
    Error::invalid(path.display().to_string(), "the name of a file", "a folder", "name a file in it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("eval.out");
        let mut output = Output::create(Some(&path)).unwrap();
        output.write(b"1\n").unwrap();
        assert!(!path.exists());
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"1\n");
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("eval.out");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(Some(&path)).unwrap();
        output.write(b"new").unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_with_a_name_of_its_own_is_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("eval.out");
        fs::write(&place, "old").unwrap();
        let begin = || {
            let sink = Sink::Temporary(Unfinished::new(named(folder.path(), None).unwrap()));
            Output::compressed(place.clone(), None, sink).unwrap()
        };
        let mut output = begin();
        output.write(b"never finished").unwrap();
        drop(output);
        assert_eq!(fs::read(&place).unwrap(), b"old");
        let mut output = begin();
        output.write(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_to_where_no_file_is_yet() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        symlink("sub/first", at("link")).unwrap();
        symlink("second", at("sub/first")).unwrap();
        symlink("round", at("round")).unwrap();
        assert_eq!(followed(&at("link")).unwrap(), at("sub/second"));
        assert_eq!(followed(&at("none")).unwrap(), at("none"));
        assert!(followed(&at("round")).unwrap_err().to_string().contains("found a cycle of links"));
    }

    #[test]
    fn a_folder_that_does_not_exist_is_named() {
        let message = Output::create(Some(Path::new("no/such/eval.out"))).unwrap_err().to_string();
        assert!(message.contains("expected a folder 'no/such', found none; make it first"), "{message}");
    }
}
