//! Texts that judgments refer to by name. In: a folder of outputs or references, with one segment per line, or SGML
//! with `<seg id="1">`. Out: the text of a segment. Next: `sources`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, quoted};
use crate::files::input::Input;

/// The largest SGML file, in bytes; it is read as a whole.
const LARGEST_MARKED: usize = 256 << 20;

/// The segments of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Texts {
    /// One segment per line, called 1, 2, ...
    Lines(Vec<String>),
    /// Segments by id.
    Marked(HashMap<String, String>),
}

impl Texts {
    /// Reads a file: SGML if its name ends in `.sgm`, `.sgml` or `.xml`, otherwise one segment per line.
    ///
    /// # Errors
    /// The file cannot be read, is not UTF-8, or is too large.
    pub fn read(path: &Path) -> Result<Self> {
        let input = Input::File(path.to_owned());
        let name = input.plain_name();
        if [".sgm", ".sgml", ".xml"].iter().any(|ending| name.ends_with(ending)) {
            return Ok(Self::Marked(marked(&input.read_to_string(LARGEST_MARKED)?)));
        }
        Ok(Self::Lines(input.lines()?.map(|line| line.map(|line| line.text)).collect::<Result<_>>()?))
    }

    /// The text of a segment, or `None` if there is none.
    pub fn get(&self, id: &str) -> Option<&str> {
        match self {
            Self::Lines(lines) => {
                let number: usize = id.parse().ok()?;
                lines.get(number.checked_sub(1)?).map(|text| text.trim())
            }
            Self::Marked(segments) => segments.get(id).map(String::as_str),
        }
    }
}

/// The segments in SGML.
fn marked(text: &str) -> HashMap<String, String> {
    let segment = |part: &str| {
        let (attributes, rest) = part.split_once('>')?;
        let (_, value) = attributes.split_once("id=")?;
        let id = value.trim_start_matches(['"', '\'']).split(['"', '\'', ' ']).next()?;
        let (content, _) = rest.split_once("</seg>")?;
        Some((id.to_owned(), unescaped(content.trim())))
    };
    text.split("<seg").skip(1).filter_map(segment).collect()
}

fn unescaped(text: &str) -> String {
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    marks.iter().fold(text.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain))
}

/// The files of a folder, each read on first use.
pub struct Folder {
    path: PathBuf,
    names: Vec<(String, PathBuf)>,
    /// The number of subfolders that cannot be read.
    unreadable: usize,
    read: HashMap<PathBuf, Texts>,
    found: HashMap<String, Option<PathBuf>>,
}

impl Folder {
    /// Lists the files in a folder and its subfolders. Subfolders that cannot be read are only counted, since they may
    /// have nothing to do with the texts.
    ///
    /// # Errors
    /// The folder itself cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let (mut names, mut unreadable) = (Vec::new(), 0);
        let mut folders = vec![path.to_owned()];
        while let Some(folder) = folders.pop() {
            let cannot = |error| Error::io(&folder, error, "read the folder");
            let entries = match fs::read_dir(&folder) {
                Err(error) if folder == path => return Err(cannot(error)),
                Err(_) => {
                    unreadable += 1;
                    continue;
                }
                Ok(entries) => entries,
            };
            for entry in entries {
                let entry = entry.map_err(cannot)?;
                let kind = entry.file_type().map_err(cannot)?;
                // A link to a folder is not followed: it could lead to a cycle.
                if kind.is_dir() {
                    folders.push(entry.path());
                } else {
                    names.push((Input::File(entry.path()).plain_name(), entry.path()));
                }
            }
        }
        names.sort();
        Ok(Self { path: path.to_owned(), names, unreadable, read: HashMap::new(), found: HashMap::new() })
    }

    /// The number of subfolders that cannot be read.
    pub fn unreadable(&self) -> usize {
        self.unreadable
    }

    /// The segments of the file whose name, without its ending, is the system's; failing that, of the file whose name
    /// contains the system's as a whole word. Among several, those that contain the first of `languages` found in any
    /// of them (such as `cs-en`). `None` if there is no such file.
    ///
    /// # Errors
    /// Several files match; the file cannot be read.
    pub fn texts(&mut self, system: &str, languages: &[String]) -> Result<Option<&Texts>> {
        let key = format!("{system} {}", languages.join(" "));
        let path = match self.found.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = self.find(system, languages)?;
                self.found.insert(key, found.clone());
                found
            }
        };
        let Some(path) = path else { return Ok(None) };
        if !self.read.contains_key(&path) {
            self.read.insert(path.clone(), Texts::read(&path)?);
        }
        Ok(self.read.get(&path))
    }

    fn find(&self, system: &str, languages: &[String]) -> Result<Option<PathBuf>> {
        let contains = |name: &str, part: &str| {
            let between = |symbol: Option<char>| symbol.is_none_or(|symbol| !symbol.is_alphanumeric());
            name.match_indices(part).any(|(at, _)| {
                between(name[..at].chars().next_back()) && between(name[at + part.len()..].chars().next())
            })
        };
        let exact: Vec<_> =
            self.names.iter().filter(|(name, _)| without_ending(name) == system || name == system).collect();
        let mut fitting: Vec<_> = if exact.is_empty() {
            self.names.iter().filter(|(name, _)| contains(name, system)).collect()
        } else {
            exact
        };
        let known = languages.iter().find(|language| fitting.iter().any(|(name, _)| contains(name, language)));
        if let Some(language) = known.filter(|_| fitting.len() > 1) {
            fitting.retain(|(name, _)| contains(name, language));
        }
        match fitting.as_slice() {
            [] => Ok(None),
            [(_, path)] => Ok(Some(path.clone())),
            [(first, _), (second, _), ..] => Err(Error::invalid(
                self.path.display().to_string(),
                format!("one file of the system {}", quoted(system)),
                format!("{}, {}", quoted(first), quoted(second)),
                "name a folder that has the files of one language pair only",
            )),
        }
    }
}

fn without_ending(name: &str) -> &str {
    [".txt", ".sgm", ".sgml", ".xml"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_found_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("newstest2014.online-A.0.cs-en", "one\ntwo\n");
        write("newstest2014.online-A.0.de-en", "eins\nzwei\n");
        write("newstest2014.online-AB.0.cs-en", "other\n");
        write("newstest2014-deen-ref.en", "of German\n");
        write("newstest2014-csen-ref.en", "of Czech\n");
        write("cs-en.uedin.sgm", "<doc><seg id=\"7\"> a &amp;lt; b </seg>\n<seg id='8'>c</seg></doc>");
        let mut files = Folder::open(folder.path()).unwrap();
        let mut text = |system: &str, languages: &str, id: &str| {
            files.texts(system, &[languages.to_owned()]).unwrap().and_then(|texts| texts.get(id)).map(str::to_owned)
        };
        assert_eq!(text("online-A", "cs-en", "2").as_deref(), Some("two"));
        assert_eq!(text("newstest2014.online-A.0.de-en", "-", "1").as_deref(), Some("eins"));
        assert_eq!(text("cs-en.uedin", "-", "7").as_deref(), Some("a &lt; b"));
        assert_eq!(text("cs-en.uedin", "-", "9"), None);
        assert_eq!(text("online-A", "cs-en", "0"), None);
        assert_eq!(text("ref", "csen", "1").as_deref(), Some("of Czech"));
        assert_eq!(text("jhu", "cs-en", "1"), None);
        assert!(files.texts("online-A", &[]).is_err());
    }
}
