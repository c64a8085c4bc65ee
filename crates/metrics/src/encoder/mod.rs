//! Encoders: models such as BERT that give each token of a text a vector, which depends on the whole text.
//!
//! An [`Encoder`] is opened from a folder in Hugging Face's layout. It needs the cargo feature `encoder`; without it,
//! [`Encoder::open`] explains where to get a program that has it. Texts are encoded in batches by
//! [`Encoder::encode_all`], and kept for a while, so that metrics can ask for one text after the other.

use std::fmt;
use std::ops::Range;

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

#[cfg(not(feature = "encoder"))]
mod absent;
#[cfg(feature = "encoder")]
pub(crate) mod config;
#[cfg(feature = "encoder")]
mod found;
#[cfg(feature = "encoder")]
pub(crate) mod guarded;
#[cfg(feature = "encoder")]
mod kept;
#[cfg(feature = "encoder")]
pub(crate) mod mix;
#[cfg(feature = "encoder")]
mod network;
#[cfg(feature = "encoder")]
mod open;
#[cfg(feature = "encoder")]
mod store;
#[cfg(feature = "encoder")]
pub(crate) mod weights;

#[cfg(not(feature = "encoder"))]
pub use absent::Encoder;
#[cfg(feature = "encoder")]
pub use found::{Found, found};
#[cfg(feature = "encoder")]
pub use open::Encoder;
#[cfg(feature = "encoder")]
pub(crate) use open::{Parts, first_line, name_of};

/// The files of an encoder, in its folder: its architecture, its tokeniser, and its weights.
pub const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// The encoder that the built-in model was trained with, and how to get it.
pub const DEFAULT: &str = "all-MiniLM-L6-v2";

/// A text as an encoder sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded {
    /// The number of each token in the encoder's vocabulary.
    pub tokens: Vec<u32>,
    /// The bytes of each token in the text; empty for the special tokens at both ends.
    pub spans: Vec<Range<usize>>,
    /// Whether each token is one of the special tokens.
    pub special: Vec<bool>,
    /// The hidden state of each token at the requested layer, scaled to unit length: (tokens, width).
    pub states: Array2<f32>,
    /// The mean over all tokens of the hidden states of the last layer: (width).
    pub mean: Array1<f32>,
}

/// The digits of a digest that identify an encoder for people.
const DIGITS: usize = 16;

/// What reports say of an encoder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The name of its folder, or of the model if it is a known one.
    pub name: String,
    /// SHA-256 of weights, tokeniser, and the settings on which the hidden states depend, in hexadecimal.
    pub digest: String,
    /// Its licence, if the folder or this program knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The architecture, such as `bert`.
    pub architecture: String,
    /// The number of layers.
    pub layers: usize,
    /// The length of a hidden state.
    pub width: usize,
    /// The most tokens of a text; longer texts are truncated.
    pub max_tokens: usize,
    /// The number of weights.
    pub parameters: usize,
}

impl Description {
    /// The first digits of the digest, by which reports and signatures name the encoder.
    pub fn short_digest(&self) -> &str {
        self.digest.get(..DIGITS).unwrap_or(&self.digest)
    }
}

impl fmt::Display for Description {
    /// Its name with the first digits of its digest.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.name, self.short_digest())
    }
}
