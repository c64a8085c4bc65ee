//! Nameless files, which Linux has: they vanish when the program ends, even if it is killed. Next: [`super::output`].
//!
//! tempfile 3.27 can create such files (`tempfile_in`) but cannot name them afterwards, which is what matters here. It
//! does supply the temporary names that `persist` tries.

use std::fs::File;
use std::io;
use std::path::Path;

/// Prefix of the names of unfinished files, where they need one.
pub(crate) const PREFIX: &str = ".tribunal-";

/// Where the system lists the files that a process has open.
#[cfg(target_os = "linux")]
const OPEN_FILES: &str = "/proc/self/fd";

/// A new file in a folder; `None` if the system or the disk has no nameless files.
#[cfg(target_os = "linux")]
pub(crate) fn create(folder: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags};
    // Without this folder the file could never get a name.
    if !Path::new(OPEN_FILES).is_dir() {
        return None;
    }
    // Like any program's file: the umask removes permissions that the user does not want to grant.
    let mode = Mode::from_raw_mode(0o666);
    rustix::fs::openat(CWD, folder, OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC, mode).ok().map(File::from)
}

/// Gives the file its name; an existing file of that name is replaced atomically.
#[cfg(target_os = "linux")]
pub(crate) fn persist(file: &File, path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match link(file, path) {
        // A link cannot replace an existing file: the file gets a temporary name first, and is then renamed. If the
        // program is killed between the two steps, a complete file with the temporary name remains.
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
