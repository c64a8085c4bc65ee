//! What stands in for an encoder in a program that was built without the cargo feature `encoder`.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use super::{Description, Encoded};
use crate::error::{Error, Result};

/// An encoder, which cannot be opened in a program without the cargo feature `encoder`.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder(Infallible);

impl Encoder {
    /// Fails.
    ///
    /// # Errors
    /// The program has no encoders.
    pub fn open(_folder: &Path) -> Result<Self> {
        let advice = "take a released wheel or archive, or build with --features encoder";
        Err(Error::invalid("`encoder`", "a program with the cargo feature encoder", "one without", advice))
    }

    /// The same encoder, which keeps hidden states in a folder.
    pub fn with_cache(self, _folder: &Path) -> Self {
        match self.0 {}
    }

    /// What reports say of it.
    pub fn description(&self) -> &Description {
        match self.0 {}
    }

    /// What the user should know of the texts since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        match self.0 {}
    }

    /// The most bytes of texts that are kept together.
    pub fn bytes_at_once(&self) -> usize {
        match self.0 {}
    }

    /// Encodes texts in batches.
    pub fn encode_all(&self, _texts: &[&str], _layer: usize) {
        match self.0 {}
    }

    /// Encodes a text.
    pub fn encode(&self, _text: &str, _layer: usize) -> Arc<Encoded> {
        match self.0 {}
    }
}
