//! Unfinished files with a name, for systems without nameless files. In: their names. Out: they are removed when the
//! program is ended. Next: [`super::output`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{NamedTempFile, TempPath};

/// The names of all unfinished files of this process.
static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all unfinished files; for a program that a signal ends before it can remove them itself.
pub fn remove_unfinished() {
    let Ok(mut names) = NAMES.lock() else { return };
    names.drain(..).for_each(|name| drop(fs::remove_file(name)));
}

/// A file that is removed on drop unless it gets its final name.
pub(super) struct Unfinished {
    pub(super) file: fs::File,
    /// Taken on drop.
    name: Option<TempPath>,
}

impl Unfinished {
    pub(super) fn new(file: NamedTempFile) -> Self {
        let (file, name) = file.into_parts();
        if let Ok(mut names) = NAMES.lock() {
            names.push(name.to_path_buf());
        }
        Self { file, name: Some(name) }
    }

    /// Gives the file its final name.
    pub(super) fn persist(mut self, path: &Path) -> io::Result<()> {
        let name = self.unlist();
        name.map_or(Ok(()), |name| name.persist(path).map_err(|error| error.error))
    }

    fn unlist(&mut self) -> Option<TempPath> {
        let name = self.name.take()?;
        if let Ok(mut names) = NAMES.lock() {
            names.retain(|listed| **listed != *name);
        }
        Some(name)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        drop(self.unlist());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_unfinished_files_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let begin = || Unfinished::new(NamedTempFile::new_in(folder.path()).unwrap());
        let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        begin().persist(&folder.path().join("finished")).unwrap();
        let unfinished = begin();
        assert_eq!(names().len(), 2);
        remove_unfinished();
        assert_eq!(names(), ["finished"]);
        drop(unfinished);
        drop(begin());
        assert_eq!(names(), ["finished"]);
    }
}
