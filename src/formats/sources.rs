//! Texts that judgments refer to by name: folders of systems' outputs and of references. Direct assessments, `.rank`
//! files and WMT's relative rankings look them up here.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::scores::{Hypothesis, Segment};
use super::sgml::Texts;
use super::summary::ImportSummary;
use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::judgments::language::{code_of, code_of_name};
use crate::options::{OptionSpec, Options, Value, any_text};

/// The folder of the systems' outputs.
pub(crate) const SYSTEMS: OptionSpec = OptionSpec {
    name: "systems",
    value: Value::One { placeholder: "DIR", default: None, check: any_text },
    help: "The folder of the systems' outputs: one file per system, one segment per line or SGML [default: the folder \
        of FILE]",
};

/// The reference file, or the folder of references.
pub(crate) const REFERENCES: OptionSpec = OptionSpec {
    name: "references",
    value: Value::One { placeholder: "FILE|DIR", default: None, check: any_text },
    help: "The reference, or a folder of references with `ref` and the languages in their names [default: the folder \
        of FILE]",
};

/// What the systems translate.
pub(crate) const SOURCE: OptionSpec = OptionSpec {
    name: "source",
    value: Value::One { placeholder: "FILE", default: None, check: any_text },
    help: "What the systems translate, one segment per line or SGML, for COMET",
};

/// The languages to select.
pub(crate) const LANGUAGES: OptionSpec = OptionSpec {
    name: "languages",
    value: Value::One { placeholder: "SOURCE-TARGET", default: None, check: check_languages },
    help: "Only these languages, as the file names them, such as cs-en",
};

fn check_languages(text: &str) -> std::result::Result<(), String> {
    split_languages(text).map(|_| ()).ok_or_else(|| "expected two languages, such as cs-en".to_owned())
}

fn split_languages(text: &str) -> Option<[String; 2]> {
    text.split_once('-').map(|(source, target)| [source.to_owned(), target.to_owned()])
}

/// The languages that the options ask for.
pub(crate) fn languages(options: &Options) -> Option<[String; 2]> {
    options.text(&LANGUAGES).and_then(split_languages)
}

/// The texts of systems and references, read on demand.
pub(crate) struct Sources {
    systems: Folder,
    references: References,
    source: Option<Texts>,
    /// Whether a note tells what numbers mean where ids restart.
    has_note: bool,
}

enum References {
    One(Texts),
    /// One file per language pair has `ref` in its name.
    Several(Folder),
}

/// A system that people judged, and what they said of its output.
pub(crate) struct JudgedSystem<'n> {
    pub(crate) name: &'n str,
    /// The languages that it translates from and to.
    pub(crate) languages: [&'n str; 2],
    pub(crate) score: Option<f64>,
}

impl Sources {
    /// Lists the folders that the options name; by default, outputs and references are beside the judgments.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub(crate) fn open(input: &Input, options: &Options) -> Result<Self> {
        let beside = match input {
            Input::File(path) => path.parent().filter(|folder| !folder.as_os_str().is_empty()),
            Input::Stdin => None,
        };
        let path = |spec| options.text(spec).map_or_else(|| beside.unwrap_or(Path::new(".")).into(), PathBuf::from);
        let (systems, references) = (path(&SYSTEMS), path(&REFERENCES));
        let references = if references.is_dir() {
            References::Several(Folder::open(&references)?)
        } else {
            References::One(Texts::read(&Input::File(references))?)
        };
        let source = options.text(&SOURCE).map(|file| Texts::read(&Input::File(file.into()))).transpose()?;
        Ok(Self { systems: Folder::open(&systems)?, references, source, has_note: false })
    }

    /// The segment `number` as `id`, with the reference in the languages of the first system and the outputs of the
    /// systems that have one; for each of the others, its position and the reason.
    ///
    /// # Errors
    /// A file cannot be read, or several files match.
    pub(crate) fn segment(
        &mut self,
        id: String,
        number: &str,
        line: usize,
        systems: &[JudgedSystem<'_>],
        summary: &mut ImportSummary,
    ) -> Result<(Segment, Vec<(usize, String)>)> {
        let texts = match (&mut self.references, systems) {
            (References::One(texts), _) => Some(&*texts),
            (References::Several(folder), [first, ..]) => folder.texts("ref", first.languages)?,
            (References::Several(_), []) => None,
        };
        let reference = texts.and_then(|references| Some((references, references.get(number)?)));
        if !self.has_note && !number.contains(':') && reference.is_some_and(|(references, _)| references.restarts()) {
            self.has_note = true;
            let note = "segment ids restart in each document of the references, so that a number without a document \
                counts the segments of the file";
            summary.notes.push(note.to_owned());
        }
        let (mut hypotheses, mut missing) = (Vec::new(), Vec::new());
        for (at, system) in systems.iter().enumerate() {
            let text = if let Some((references, _)) = reference {
                self.systems.segment(number, references, system)?
            } else {
                Err("of a segment that has no reference".to_owned())
            };
            let (name, score, annotators) = (system.name.to_owned(), system.score, Vec::new());
            match text {
                Ok(text) => hypotheses.push(Hypothesis { name, text, score, annotators, own: Vec::new() }),
                Err(reason) => missing.push((at, reason)),
            }
        }
        let references = vec![reference.map_or_else(String::new, |(_, text)| text.to_owned())];
        let source = self.source.as_ref().and_then(|texts| texts.get(number)).map(str::to_owned);
        Ok((Segment { id, references, source, hypotheses, line }, missing))
    }
}

/// What file names call a language pair, the most specific first: `cs-en`, `csen`, `en`.
fn names_of_pair([source, target]: [&str; 2]) -> [String; 3] {
    let [source, target] = [source, target].map(|name| {
        let name = name.trim().to_lowercase();
        // WMT's name for Spanish is the code of a sign language.
        let code = if name == "esn" { Some("es".to_owned()) } else { code_of(&name).or_else(|| code_of_name(&name)) };
        code.unwrap_or(name)
    });
    [format!("{source}-{target}"), format!("{source}{target}"), target]
}

/// The files of a folder, each read on first use.
struct Folder {
    path: PathBuf,
    /// The names and paths of all files, in its subfolders too.
    files: Vec<(String, PathBuf)>,
    /// The number of subfolders that cannot be read. They are only counted, since they may have nothing to do with the
    /// texts.
    unreadable: usize,
    /// The texts that were looked up, by system and languages.
    found: HashMap<String, Option<Texts>>,
    /// The system whose texts each file has.
    systems: HashMap<PathBuf, String>,
}

impl Folder {
    /// Lists the files in a folder and its subfolders.
    ///
    /// # Errors
    /// The folder itself cannot be read.
    fn open(path: &Path) -> Result<Self> {
        let (mut files, mut unreadable) = (Vec::new(), 0);
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
                // A link to a folder is not followed: it could lead to a cycle.
                if entry.file_type().map_err(cannot)?.is_dir() {
                    folders.push(entry.path());
                } else {
                    files.push((Input::File(entry.path()).plain_name(), entry.path()));
                }
            }
        }
        files.sort();
        Ok(Self { path: path.to_owned(), files, unreadable, found: HashMap::new(), systems: HashMap::new() })
    }

    /// The segments of the file whose name, without its ending, is the system's; failing that, of the file whose name
    /// contains the system's as a whole word. Among several, those that contain the first of the languages' names that
    /// is found in any of them. `None` if there is no such file.
    ///
    /// # Errors
    /// Several files match, or it is the file of another system; the file cannot be read.
    fn texts(&mut self, system: &str, languages: [&str; 2]) -> Result<Option<&Texts>> {
        let key = format!("{system} {}", languages.join(" "));
        if !self.found.contains_key(&key) {
            let path = self.find(system, &names_of_pair(languages))?.map(Path::to_owned);
            if let Some(path) = &path {
                let known = self.systems.entry(path.clone()).or_insert_with(|| system.to_owned());
                if known != system {
                    let found = format!("{} for {} and {}", path.display(), quoted(known), quoted(system));
                    let advice = "call each system by one name";
                    return Err(Error::invalid(
                        self.path.display().to_string(),
                        "a file for each system",
                        found,
                        advice,
                    ));
                }
            }
            let texts = path.map(|path| Texts::read(&Input::File(path))).transpose()?;
            self.found.insert(key.clone(), texts);
        }
        Ok(self.found.get(&key).and_then(Option::as_ref))
    }

    /// A system's output for a segment, or the reason why there is none.
    fn segment(
        &mut self,
        id: &str,
        references: &Texts,
        system: &JudgedSystem<'_>,
    ) -> Result<std::result::Result<String, String>> {
        let Some(texts) = self.texts(system.name, system.languages)? else {
            return Ok(Err(self.no_file_of(system.name)));
        };
        let text = texts.get_as_in(references, id).map(str::to_owned);
        Ok(text.ok_or_else(|| "of a segment that the system's file does not have".to_owned()))
    }

    /// Why a system without a file has no texts.
    fn no_file_of(&self, system: &str) -> String {
        let unread = match self.unreadable {
            0 => String::new(),
            1 => " (1 folder cannot be read)".to_owned(),
            several => format!(" ({several} folders cannot be read)"),
        };
        format!("of system {}, which has no file among the outputs{unread}", quoted(system))
    }

    fn find(&self, system: &str, languages: &[String]) -> Result<Option<&Path>> {
        let is_exact = |name: &str| without_ending(name) == system || name == system;
        let mut matching: Vec<_> = self.files.iter().filter(|(name, _)| is_exact(name)).collect();
        if matching.is_empty() {
            matching = self.files.iter().filter(|(name, _)| contains_word(name, system)).collect();
        }
        let known = languages.iter().find(|language| matching.iter().any(|(name, _)| contains_word(name, language)));
        if let Some(language) = known.filter(|_| matching.len() > 1) {
            matching.retain(|(name, _)| contains_word(name, language));
        }
        match matching.as_slice() {
            [] => Ok(None),
            [(_, path)] => Ok(Some(path)),
            [(first, _), (second, _), ..] => Err(Error::invalid(
                self.path.display().to_string(),
                format!("one file of the system {}", quoted(system)),
                format!("{}, {}", quoted(first), quoted(second)),
                "name a folder that has the files of one language pair only",
            )),
        }
    }
}

fn contains_word(name: &str, word: &str) -> bool {
    let is_bound = |symbol: Option<char>| symbol.is_none_or(|symbol| !symbol.is_alphanumeric());
    name.match_indices(word).any(|(start, _)| {
        is_bound(name[..start].chars().next_back()) && is_bound(name[start + word.len()..].chars().next())
    })
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
        write("cs-en.uedin.sgm", "<doc><seg id=\"7\"> a </seg></doc>");
        let mut files = Folder::open(folder.path()).unwrap();
        let mut text = |system: &str, languages: [&str; 2], id: &str| {
            files.texts(system, languages).unwrap().and_then(|texts| texts.get(id)).map(str::to_owned)
        };
        assert_eq!(text("online-A", ["cs", "en"], "2").as_deref(), Some("two"));
        assert_eq!(text("newstest2014.online-A.0.de-en", ["", ""], "1").as_deref(), Some("eins"));
        assert_eq!(text("cs-en.uedin", ["", ""], "7").as_deref(), Some("a"));
        assert_eq!(text("cs-en.uedin", ["", ""], "9"), None);
        assert_eq!(text("online-A", ["cs", "en"], "0"), None);
        assert_eq!(text("ref", ["Czech", "eng"], "1").as_deref(), Some("of Czech"));
        assert_eq!(text("jhu", ["cs", "en"], "1"), None);
        assert!(files.texts("online-A", ["", "xx"]).is_err());
    }

    #[test]
    fn files_name_languages_by_their_codes() {
        assert_eq!(names_of_pair(["Czech", "eng"]), ["cs-en", "csen", "en"]);
        assert_eq!(names_of_pair(["esn", "cz"])[0], "es-cz");
        assert_eq!(names_of_pair(["de", "Klingonish"]), ["de-klingonish", "deklingonish", "klingonish"]);
    }
}
