//! In: files. Out: short, distinct names for them. Next: reports.

use std::path::PathBuf;

use super::Input;

/// The stems of files. Equal stems are preceded by as many of their folders as it takes to tell them apart. If no
/// folders do, the names are those that were given, and a repeated file gets a number from its second occurrence on.
///
/// ```
/// use tribunal::files::{Input, distinct_stems};
///
/// let files = ["a/dev.json", "b/dev.json", "test.json"].map(|path| Input::File(path.into()));
/// assert_eq!(distinct_stems(&files), ["a/dev", "b/dev", "test"]);
/// ```
pub fn distinct_stems(files: &[Input]) -> Vec<String> {
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
        distinct_stems(&files.iter().map(|name| name.parse().unwrap()).collect::<Vec<Input>>())
    }

    #[test]
    fn stems_are_enough_where_they_differ() {
        assert_eq!(names(&["a/dev.json", "test.json", "-"]), ["dev", "test", "-"]);
        assert_eq!(names(&[]), [""; 0]);
    }

    #[test]
    fn as_many_folders_as_it_takes() {
        assert_eq!(names(&["x/a/dev.json", "y/a/dev.json", "dev.json"]), ["x/a/dev", "y/a/dev", "dev"]);
        assert_eq!(names(&["a/dev.json", "b/dev.json", "b/test.json"]), ["a/dev", "b/dev", "test"]);
        assert_eq!(names(&["builtin", "./builtin"]), ["builtin", "./builtin"]);
    }

    #[test]
    fn endings_and_numbers_where_folders_are_the_same() {
        assert_eq!(names(&["a/dev.json", "a/dev.model"]), ["a/dev.json", "a/dev.model"]);
        assert_eq!(names(&["dev.json", "dev.json"]), ["dev.json", "dev.json (2)"]);
    }
}
