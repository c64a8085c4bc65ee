//! Conflicts between a command's inputs and outputs, found before anything is opened.

use std::fs;
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::input::Input;
use super::output::{folder_of, followed};
use crate::error::{Error, Result};

/// Checks that no output is also an input, and that no two outputs are the same file. Links are followed, so that
/// different names of one file are recognised. `None` and `-` stand for standard output. An input may be a folder, any
/// file of which may be read.
///
/// # Errors
/// An output is also an input or another output: its content would be lost.
pub fn check_outputs<'i>(inputs: impl IntoIterator<Item = &'i Input>, outputs: &[Option<&Path>]) -> Result<()> {
    let outputs: Vec<(String, Location)> =
        outputs.iter().map(|output| (name(*output), Location::of_output(*output))).collect();
    for (at, (name, place)) in outputs.iter().enumerate() {
        if outputs[..at].iter().any(|(_, other)| other.is_same(place)) {
            return Err(Error::invalid(
                &**name,
                "two different outputs",
                "the same for both",
                "name another file for one",
            ));
        }
    }
    for input in inputs {
        let place = Location::of_input(input);
        if let Some((name, _)) = outputs.iter().find(|(_, output)| output.would_overwrite(&place)) {
            let found = format!("the input {input}");
            let advice = "write to another file: this one would be lost";
            return Err(Error::invalid(&**name, "an output that is not also an input", found, advice));
        }
    }
    Ok(())
}

fn name(output: Option<&Path>) -> String {
    output.filter(|path| !is_dash(path)).map_or("standard output".to_owned(), |path| path.display().to_string())
}

fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// What a file name refers to.
enum Location {
    /// A file on a disk, identified by its handle, whatever its name.
    File(Handle, PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A file that does not exist yet.
    Missing(PathBuf),
    /// Standard input or output that is not a file, and so conflicts with nothing but itself.
    Stream,
    /// A device, which holds nothing that could be lost.
    Device,
}

impl Location {
    fn of_output(output: Option<&Path>) -> Self {
        match output.filter(|path| !is_dash(path)) {
            Some(path) => Self::of_path(path),
            None => Self::of_stream(Handle::stdout()),
        }
    }

    fn of_input(input: &Input) -> Self {
        match input {
            Input::Stdin => Self::of_stream(Handle::stdin()),
            Input::File(path) => Self::of_path(path),
        }
    }

    /// Standard input and output may be redirected to files: `tribunal predict - < FILE -o FILE`.
    fn of_stream(handle: std::io::Result<Handle>) -> Self {
        let is_file = |handle: &Handle| handle.as_file().metadata().is_ok_and(|found| found.is_file());
        handle.ok().filter(is_file).map_or(Self::Stream, |handle| Self::File(handle, PathBuf::new()))
    }

    fn of_path(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Self::Folder(resolved(path)),
            // A file that may not be read cannot be an input.
            Ok(found) if found.is_file() => {
                Handle::from_path(path).map_or(Self::Device, |handle| Self::File(handle, resolved(path)))
            }
            Ok(_) => Self::Device,
            Err(_) => Self::Missing(resolved(path)),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(one, _), Self::File(other, _)) => one == other,
            (Self::Missing(one), Self::Missing(other)) => one == other,
            (Self::Stream, Self::Stream) => true,
            _ => false,
        }
    }

    /// Whether writing to this output would overwrite an input. A stream that is not a file cannot be overwritten.
    fn would_overwrite(&self, input: &Self) -> bool {
        match (input, self) {
            (Self::Folder(folder), Self::File(_, path)) => path.starts_with(folder),
            (Self::Stream, _) => false,
            _ => self.is_same(input),
        }
    }
}

/// The path without links, `.` and `..`, also for a file that does not exist yet.
fn resolved(path: &Path) -> PathBuf {
    let target = followed(path).unwrap_or_else(|_| path.to_owned());
    fs::canonicalize(&target).unwrap_or_else(|_| {
        let folder = folder_of(&target);
        let name = target.file_name().unwrap_or_default();
        fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_inputs_holds_no_output_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "x").unwrap();
        let input = Input::File(folder.path().into());
        let check = |name: &str| check_outputs([&input], &[Some(&folder.path().join(name))]);
        assert!(check("a").is_err() && check("new").is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("new", &link).unwrap();
        let new = folder.path().join("new");
        assert!(check_outputs([], &[Some(&link), Some(&new)]).is_err());
        let null = Path::new("/dev/null");
        assert!(check_outputs([&Input::File(null.into())], &[Some(null), Some(null)]).is_ok());
    }
}
