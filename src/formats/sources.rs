//! Texts that judgments refer to by name. In: folders. Out: references and outputs of systems. Next: [`super::wmt_rr`],
//! [`super::da`], [`super::rank`].

use std::path::{Path, PathBuf};

use super::languages;
use super::texts::{Folder, Texts};
use crate::error::{Result, quoted};
use crate::files::Input;
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

/// Folders of system outputs and of references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The folder of the systems' outputs.
    pub systems: PathBuf,
    /// The reference file, or a folder in which one file per language pair has `ref` in its name.
    pub references: PathBuf,
}

/// The texts of systems and references, read on demand.
pub struct Sources {
    systems: Folder,
    references: References,
}

enum References {
    One(Texts),
    Several(Folder),
}

/// Why a judgment lacks a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The system has no file.
    System {
        /// Its name.
        name: String,
        /// The number of unreadable folders, which may hold it.
        unreadable: usize,
    },
    /// The system's file lacks the segment.
    Segment,
    /// The segment has no reference.
    Reference,
}

impl Missing {
    /// The reason, as an account words it.
    pub fn reason(&self) -> String {
        match self {
            Self::System { name, unreadable } => {
                let unread = match unreadable {
                    0 => String::new(),
                    1 => " (1 folder cannot be read)".to_owned(),
                    several => format!(" ({several} folders cannot be read)"),
                };
                format!("of system {}, which has no file among the outputs{unread}", quoted(name))
            }
            Self::Segment => "of a segment that the system's file does not have".to_owned(),
            Self::Reference => "of a segment that has no reference".to_owned(),
        }
    }
}

impl Sources {
    /// Lists the folders.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn open(places: &Places) -> Result<Self> {
        let references = if places.references.is_dir() {
            References::Several(Folder::open(&places.references)?)
        } else {
            References::One(Texts::read(&places.references)?)
        };
        Ok(Self { systems: Folder::open(&places.systems)?, references })
    }

    /// The reference of a segment.
    ///
    /// # Errors
    /// Its file cannot be read, or several files match.
    pub fn reference(&mut self, languages: [&str; 2], segment: &str) -> Result<std::result::Result<String, Missing>> {
        let names = languages::of_pair(languages[0], languages[1]);
        let texts = match &mut self.references {
            References::One(texts) => Some(&*texts),
            References::Several(folder) => folder.texts("ref", &names)?,
        };
        Ok(texts.and_then(|texts| texts.get(segment)).map(str::to_owned).ok_or(Missing::Reference))
    }

    /// A system's output for a segment.
    ///
    /// # Errors
    /// Its file cannot be read, or several files match.
    pub fn hypothesis(
        &mut self,
        system: &str,
        languages: [&str; 2],
        segment: &str,
    ) -> Result<std::result::Result<String, Missing>> {
        let names = languages::of_pair(languages[0], languages[1]);
        let Some(texts) = self.systems.texts(system, &names)? else {
            let unreadable = self.systems.unreadable();
            return Ok(Err(Missing::System { name: system.to_owned(), unreadable }));
        };
        Ok(texts.get(segment).map(str::to_owned).ok_or(Missing::Segment))
    }
}

impl Places {
    /// The places that the options name; by default, outputs and references are beside the judgments.
    pub(crate) fn from_options(input: &Input, options: &Options) -> Self {
        let beside = match input {
            Input::File(path) => path.parent().filter(|folder| !folder.as_os_str().is_empty()),
            Input::Stdin => None,
        };
        let place = |spec| options.text(spec).map_or_else(|| beside.unwrap_or(Path::new(".")).into(), PathBuf::from);
        Self { systems: place(&SYSTEMS), references: place(&REFERENCES) }
    }
}
