//! Several files that belong together. In: their names and bytes. Out: all of them in one folder, or none. Next: the
//! user.

use std::fs;
use std::path::Path;

use super::Output;
use crate::error::{Error, Result};

/// Writes files into a folder, creating it if its parent exists. No file appears under its name before all are written
/// in full.
///
/// # Errors
/// The path names a file; the folder cannot be created or written to; a file cannot be replaced.
pub fn write_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    in_folder(folder, || write(folder, files))
}

/// Runs `write` with the folder in place, creating it if its parent exists. If `write` fails, a folder that was created
/// and is still empty is removed.
///
/// # Errors
/// The path names a file, or the folder cannot be created; any error of `write`.
pub fn in_folder(folder: &Path, write: impl FnOnce() -> Result<()>) -> Result<()> {
    let is_new = made(folder)?;
    let written = write();
    if written.is_err() && is_new {
        // This removes only an empty folder.
        let _ = fs::remove_dir(folder);
    }
    written
}

fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    let mut outputs = Vec::with_capacity(files.len());
    for (name, bytes) in files {
        let mut output = Output::create(Some(&folder.join(name)))?;
        output.write(bytes)?;
        outputs.push(output);
    }
    outputs.into_iter().try_for_each(Output::finish)
}

/// Creates the folder if there is none; returns whether it did.
fn made(folder: &Path) -> Result<bool> {
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
