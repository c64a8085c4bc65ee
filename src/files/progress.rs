//! Progress of reading large files: calls of a watcher, and estimated numbers of rows.
//!
//! The readers lie below formats that know nothing of progress, so the watcher is that of the process. It is set once, by
//! the program, and changes no result.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::Input;

/// Files of fewer bytes are read too fast to be watched.
const MIN_WATCHED: u64 = 1 << 20;

/// How much of a file has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BytesRead<'a> {
    /// The name of the file, without its folder.
    pub name: &'a str,
    /// Bytes read so far; for a compressed file, before decompression.
    pub read: u64,
    /// The size of the file in bytes; when `read` reaches it, reading is done.
    pub of: u64,
}

type Watcher = Box<dyn Fn(BytesRead<'_>) + Send + Sync>;

static WATCHER: OnceLock<Watcher> = OnceLock::new();

/// Bytes read and size of each open file.
static OPEN: Mutex<Option<HashMap<PathBuf, (u64, u64)>>> = Mutex::new(None);

/// Sets the watcher that hears how far this process has read its large files; only the first call has an effect.
pub fn watch_reading(watcher: impl Fn(BytesRead<'_>) + Send + Sync + 'static) {
    let _ = WATCHER.set(Box::new(watcher));
}

/// An estimate of the number of rows of a file that is being read: `read` divided by the fraction of the bytes read so
/// far. For a small file, or an input that is not a file, `read` itself.
pub(crate) fn expected_rows(input: &Input, read: usize) -> usize {
    let Input::File(path) = input else { return read };
    let known = open().as_ref().and_then(|open| open.get(path).copied());
    match known {
        Some((bytes, of)) if bytes > 0 && bytes < of => (read as f64 * (of as f64 / bytes as f64)) as usize,
        _ => read,
    }
}

fn open() -> MutexGuard<'static, Option<HashMap<PathBuf, (u64, u64)>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that reports how far it has been read.
struct Watched {
    file: File,
    path: PathBuf,
    name: String,
    read: u64,
    of: u64,
}

/// The file, watched if it is large.
pub(super) fn watched(file: File, path: &Path) -> Box<dyn Read + Send> {
    let size = file.metadata().ok().filter(std::fs::Metadata::is_file).map_or(0, |metadata| metadata.len());
    if size < MIN_WATCHED {
        return Box::new(file);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Box::new(Watched { file, path: path.to_owned(), name, read: 0, of: size })
}

impl Watched {
    fn tell(&self, read: u64) {
        open().get_or_insert_default().insert(self.path.clone(), (read, self.of));
        if let Some(watcher) = WATCHER.get() {
            watcher(BytesRead { name: &self.name, read, of: self.of });
        }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read += count as u64;
        self.tell(self.read.min(self.of));
        Ok(count)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.tell(self.of);
        if let Some(open) = open().as_mut() {
            open.remove(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_large_file_are_estimated_while_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.txt");
        let line = "x".repeat(99) + "\n";
        std::fs::write(&path, line.repeat(40_000)).unwrap();
        let input = Input::File(path);
        assert_eq!(expected_rows(&input, 7), 7);
        let mut lines = input.lines().unwrap();
        let read = lines.by_ref().take(10_000).count();
        let expected = expected_rows(&input, read);
        assert!((38_000..=40_000).contains(&expected), "{expected}");
        lines.for_each(drop);
        assert_eq!(expected_rows(&input, 40_000), 40_000);
        assert_eq!(expected_rows(&Input::Stdin, 7), 7);
    }
}
