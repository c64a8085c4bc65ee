//! What all workflows share: a WordNet, and what was looked up in it.

use std::path::Path;

use crate::error::Result;
use crate::text::Lexicons;
use crate::wordnet::WordNet;

/// What words are looked up in. Cheap to clone, and callable from several threads: clones share a WordNet, and remember
/// the same words.
///
/// ```
/// use tribunal::workflows::Engine;
///
/// let engine = Engine::new();
/// assert_eq!(engine.wordnet().version(), "3.0");
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    lexicons: Lexicons,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// With the WordNet inside the program.
    pub fn new() -> Self {
        Self { lexicons: Lexicons::new(WordNet::embedded()) }
    }

    /// With the WordNet of a `dict` folder.
    ///
    /// # Errors
    /// The folder is none of WordNet.
    pub fn with_wordnet(folder: &Path) -> Result<Self> {
        Ok(Self { lexicons: Lexicons::new(&WordNet::from_dict(folder)?) })
    }

    /// The WordNet.
    pub fn wordnet(&self) -> &WordNet {
        self.lexicons.wordnet()
    }

    /// What was looked up, for panels and extractors.
    pub fn lexicons(&self) -> &Lexicons {
        &self.lexicons
    }
}
