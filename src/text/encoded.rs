//! A text as an encoder sees it.

use std::sync::Arc;

use super::lexicon::Lexicon;
use super::sentence::CustomView;
use crate::encoder::{Encoded, Encoder};

/// The hidden states of a text at a layer of an encoder, and its sentence embedding.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedView {
    /// The encoder.
    pub encoder: Encoder,
    /// The layer, 0 for the embeddings of tokens.
    pub layer: usize,
}

impl CustomView for EncodedView {
    type Output = Arc<Encoded>;

    fn prepare(&self, text: &str, _lexicon: &mut Lexicon) -> Arc<Encoded> {
        self.encoder.encode(text, self.layer)
    }
}
