//! What stands in for a model of COMET in a program that was built without the cargo feature `encoder`.

use std::convert::Infallible;
use std::path::Path;

use ndarray::Array1;

use super::{Class, Score};
use crate::encoder::Encoder;
use crate::error::{Error, Result};

/// A model, which cannot be opened in a program without the cargo feature `encoder`.
#[derive(Debug, Clone, PartialEq)]
pub struct Comet(Infallible);

impl Comet {
    /// Fails.
    ///
    /// # Errors
    /// The program has no encoders.
    pub fn open(folder: &Path, _tokenizer: Option<&Path>) -> Result<Self> {
        Err(Encoder::open(folder).err().unwrap_or_else(|| Error::invalid("`comet`", "encoders", "none", "")))
    }

    /// The encoder.
    pub fn encoder(&self) -> &Encoder {
        match self.0 {}
    }

    /// The same model, which keeps the vectors of texts in a folder.
    pub fn with_cache(self, _folder: &Path) -> Self {
        match self.0 {}
    }

    /// The kind of model.
    pub fn class(&self) -> Class {
        match self.0 {}
    }

    /// How layers are mixed.
    pub fn mix(&self) -> &str {
        match self.0 {}
    }

    /// Whether it can compare with a reference.
    pub fn sees_references(&self) -> bool {
        match self.0 {}
    }

    /// Whether it needs one.
    pub fn needs_reference(&self) -> bool {
        match self.0 {}
    }

    /// What the model says of a hypothesis.
    pub fn score(&self, _source: Option<&str>, _hypothesis: &str, _reference: Option<&str>) -> Score {
        match self.0 {}
    }

    /// The score by vectors of texts.
    pub fn of_vectors(
        &self,
        _source: &Array1<f32>,
        _hypothesis: &Array1<f32>,
        _reference: Option<&Array1<f32>>,
    ) -> f64 {
        match self.0 {}
    }
}
