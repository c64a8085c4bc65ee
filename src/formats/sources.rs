//! Where the texts are that judgments only name.

use std::path::{Path, PathBuf};

use super::languages;
use super::texts::{Folder, Texts};
use crate::error::Result;

/// Folders of system outputs and of references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The folder of the systems' outputs.
    pub systems: PathBuf,
    /// The reference, or a folder in which one file for each pair of languages has `ref` in its name.
    pub references: PathBuf,
}

/// The texts of systems and references, read as they are asked for.
pub struct Sources {
    systems: Folder,
    references: References,
}

enum References {
    One(Texts),
    Several(Folder),
}

/// Why a judgment has no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// No file of the system.
    System(String),
    /// The file has no such segment.
    Segment,
    /// No reference.
    Reference,
}

impl Missing {
    /// What an account says of it.
    pub fn reason(&self) -> String {
        match self {
            Self::System(name) => format!("of system '{name}', which has no file among the outputs"),
            Self::Segment => "of a segment that the system's file does not have".to_owned(),
            Self::Reference => "of a segment that has no reference".to_owned(),
        }
    }
}

impl Sources {
    /// Looks into the folders.
    ///
    /// # Errors
    /// They cannot be read.
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
    /// Its file cannot be read, or several fit.
    pub fn reference(&mut self, languages: [&str; 2], segment: &str) -> Result<std::result::Result<String, Missing>> {
        let names = languages::of_pair(languages[0], languages[1]);
        let texts = match &mut self.references {
            References::One(texts) => Some(&*texts),
            References::Several(folder) => folder.texts("ref", &names)?,
        };
        Ok(texts.and_then(|texts| texts.get(segment)).map(str::to_owned).ok_or(Missing::Reference))
    }

    /// What a system made of a segment.
    ///
    /// # Errors
    /// Its file cannot be read, or several fit.
    pub fn hypothesis(
        &mut self,
        system: &str,
        languages: [&str; 2],
        segment: &str,
    ) -> Result<std::result::Result<String, Missing>> {
        let names = languages::of_pair(languages[0], languages[1]);
        let Some(texts) = self.systems.texts(system, &names)? else {
            return Ok(Err(Missing::System(system.to_owned())));
        };
        Ok(texts.get(segment).map(str::to_owned).ok_or(Missing::Segment))
    }
}

impl Places {
    /// Outputs and reference in one folder.
    pub fn beside(folder: &Path) -> Self {
        Self { systems: folder.to_owned(), references: folder.to_owned() }
    }
}
