//! Files without a name, which Linux has: they are gone when the program ends, even if it is killed. Next:
//! [`super::output`].
//!
//! tempfile 3.27 makes such files, too (`tempfile_in`), but cannot give them a name afterwards, which is all that
//! matters here; what it can do, it does: the names that `persist` goes through.

use std::fs::File;
use std::io;
use std::path::Path;

/// What the names of unfinished files begin with, where they must have one.
pub(crate) const PREFIX: &str = ".tribunal-";

/// Where the system shows the files that a program has open.
#[cfg(target_os = "linux")]
const OPEN_FILES: &str = "/proc/self/fd";

/// A new file in a folder; none where the system or the disk has no files without a name.
#[cfg(target_os = "linux")]
pub(crate) fn create(folder: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags};
    // Without it the file could never get a name.
    if !Path::new(OPEN_FILES).is_dir() {
        return None;
    }
    // As any program's file: the umask takes away what the user does not want to give.
    let mode = Mode::from_raw_mode(0o666);
    rustix::fs::openat(CWD, folder, OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC, mode).ok().map(File::from)
}

/// Gives the file its name; one that has it already is replaced, in one step.
#[cfg(target_os = "linux")]
pub(crate) fn persist(file: &File, path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match link(file, path) {
        // A name can not be given twice: the file gets another one first, and is then renamed. Killed between the two,
        // the program leaves a whole file of that name.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let named = tempfile::Builder::new().prefix(PREFIX).make_in(folder, |name| link(file, name))?;
            named.persist(path).map_err(|error| error.error)
        }
        done => done,
    }
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD};
    use std::os::fd::AsRawFd;
    let open = format!("{OPEN_FILES}/{}", file.as_raw_fd());
    Ok(rustix::fs::linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn create(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn persist(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
