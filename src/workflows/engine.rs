//! What all workflows share: a WordNet, with what was looked up in it.

use std::path::Path;

use crate::error::Result;
use crate::wordnet::WordNet;

/// What texts are looked up in. Cheap to clone, and callable from several threads: clones share everything.
///
/// ```
/// use tribunal::workflows::Engine;
///
/// let engine = Engine::new();
/// assert_eq!(engine.wordnet().version(), "3.0");
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    wordnet: WordNet,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// With the WordNet inside the program.
    pub fn new() -> Self {
        Self { wordnet: WordNet::embedded().clone() }
    }

    /// With the WordNet of a `dict` folder.
    ///
    /// # Errors
    /// The folder is none of WordNet.
    pub fn with_wordnet(folder: &Path) -> Result<Self> {
        Ok(Self { wordnet: WordNet::from_dict(folder)? })
    }

    /// The WordNet.
    pub fn wordnet(&self) -> &WordNet {
        &self.wordnet
    }
}
