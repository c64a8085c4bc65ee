//! COMET: models that were trained on human judgments of translations, and read the source, the translation and the reference with
//! an encoder for many languages.
//!
//! A [`Comet`] is opened from the folder that `comet.download_model` leaves. Of its classes,
//!
//! - `regression_metric` (wmt22-comet-da) encodes the three texts one by one, s, h and r the vectors of source, hypothesis and
//!   reference by a mix of layers: a feed-forward network of \[h; r; h r; |h - r|; h s; |h - s|\];
//! - `referenceless_regression_metric` (wmt20-comet-qe-da) does so without reference: \[h; s; h s; |h - s|\];
//! - `unified_metric` (wmt22-cometkiwi-da, UniTE) encodes hypothesis and source as one sequence, hypothesis and reference, and all
//!   three, as far as they are there, and takes the mean of the scores;
//! - `xcomet_metric` (XCOMET-XL) does so, too, and marks errors in the hypothesis.
//!
//! Rei et al. 2020, "COMET: A Neural Framework for MT Evaluation"; Wan et al. 2022, "UniTE: Unified Translation Evaluation"; Rei et
//! al. 2022, "CometKiwi"; Guerreiro et al. 2024, "xCOMET". Equal to unbabel-comet 2.2.7 to the precision of single-precision
//! arithmetic.

use std::ops::Range;

#[cfg(not(feature = "encoder"))]
mod absent;
#[cfg(feature = "encoder")]
mod checkpoint;
#[cfg(feature = "encoder")]
mod model;
#[cfg(feature = "encoder")]
mod pickle;

#[cfg(not(feature = "encoder"))]
pub use absent::Comet;
#[cfg(feature = "encoder")]
pub use model::Comet;

/// The file of a model in its folder: as COMET saves it, or as users convert it.
pub const FILES: [&str; 2] = ["checkpoints/model.ckpt", "model.safetensors"];

/// A kind of model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Three texts, each encoded alone.
    Regression,
    /// Source and hypothesis, each encoded alone.
    Referenceless,
    /// Texts encoded together.
    Unified,
    /// The same, with errors.
    Xcomet,
}

impl Class {
    /// All of them, by COMET's names.
    pub const ALL: [(&'static str, Self); 4] = [
        ("regression_metric", Self::Regression),
        ("referenceless_regression_metric", Self::Referenceless),
        ("unified_metric", Self::Unified),
        ("xcomet_metric", Self::Xcomet),
    ];

    /// COMET's name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, class)| *class == self).map_or("", |(name, _)| name)
    }

    /// Whether texts are encoded one by one, so that each is encoded once however often it occurs.
    pub fn has_vectors(self) -> bool {
        matches!(self, Self::Regression | Self::Referenceless)
    }
}

/// What a model says of a translation.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The score, about 0 to 1.
    pub value: f64,
    /// The errors that XCOMET sees, in the order of the hypothesis.
    pub errors: Vec<Span>,
}

/// An error that XCOMET sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its bytes in the hypothesis.
    pub bytes: Range<usize>,
    /// `minor`, `major` or `critical`.
    pub severity: &'static str,
}
