//! In: nothing, or a WordNet folder. Out: an [`Engine`], which all workflows share. Next: every workflow.

use std::path::Path;

use crate::error::Result;
use crate::text::Lexicons;
use crate::wordnet::WordNet;

/// The lexical resources of all workflows: a WordNet, and a cache of words looked up in it. Cheap to clone and usable
/// from several threads: clones share both.
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
    /// An engine with the built-in WordNet.
    pub fn new() -> Self {
        Self { lexicons: Lexicons::new(WordNet::embedded()) }
    }

    /// An engine with the WordNet of a `dict` folder.
    ///
    /// # Errors
    /// The folder holds no readable WordNet.
    pub fn with_wordnet(folder: &Path) -> Result<Self> {
        Ok(Self { lexicons: Lexicons::new(&WordNet::from_dict(folder)?) })
    }

    /// The WordNet.
    pub fn wordnet(&self) -> &WordNet {
        self.lexicons.wordnet()
    }

    /// The shared lexicons, for metric sets and extractors.
    pub fn lexicons(&self) -> &Lexicons {
        &self.lexicons
    }
}
