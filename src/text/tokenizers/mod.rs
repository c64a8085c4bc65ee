//! The tokenisers. A new one takes a function, a variant and an arm in each match.

mod sacrebleu;
mod simple;
mod tercom;
pub(super) mod words;

pub use tercom::Tercom;

use std::ops::Range;

use super::python_whitespace;
use super::spans::{self, Finder};

/// A way of splitting text into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Tribunal's own words, the same for raw and for tokenised text; punctuation is dropped.
    Words,
    /// Punctuation marks, the same for raw and for tokenised text.
    Marks,
    /// Characters without white space: sacreBLEU's `char`.
    Characters,
    /// Split at white space only, as Python does: sacreBLEU's `none`, and NLTK's usual input.
    Whitespace,
    /// sacreBLEU's `13a`, from NIST's mteval-v13a.
    V13a,
    /// sacreBLEU's `intl`, from NIST's mteval-v14.
    Intl,
    /// sacreBLEU's `zh`: single Chinese characters, the rest as in 13a.
    Chinese,
    /// rouge-score's tokens: runs of a-z and 0-9 in the lower-cased text.
    Rouge,
    /// ROUGE-1.5.5's tokens: runs of A-Z, a-z and 0-9.
    Rouge155,
    /// chrF++'s words: split at white space, with one punctuation mark at an edge separated.
    EdgePunctuation,
    /// TER's own tokeniser for hypotheses. It handles case itself, so compare its tokens as written.
    Tercom(Tercom),
    /// TER's own tokeniser for references.
    TercomReference(Tercom),
}

impl Tokenizer {
    /// Calls `emit` for every token of `text`, in order. The case is that of the text, except where the tokeniser
    /// lower-cases.
    pub fn tokenize(self, text: &str, emit: &mut dyn FnMut(&str)) {
        match self {
            Self::Words => words::words(text, emit),
            Self::Marks => words::marks(text, emit),
            Self::Characters => simple::characters(text, emit),
            Self::Whitespace => python_whitespace::split(text).for_each(emit),
            Self::V13a => sacrebleu::tokenize_13a(text, emit),
            Self::Intl => sacrebleu::tokenize_intl(text, emit),
            Self::Chinese => sacrebleu::tokenize_zh(text, emit),
            Self::Rouge => simple::alphanumeric_runs(&text.to_lowercase(), emit),
            Self::Rouge155 => simple::alphanumeric_runs(text, emit),
            Self::EdgePunctuation => simple::chrf_words(text, emit),
            Self::Tercom(settings) => settings.tokenize(text, emit),
            Self::TercomReference(settings) => settings.tokenize_reference(text, emit),
        }
    }

    /// The name in signatures: sacreBLEU's, where it has one.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Marks => "marks",
            Self::Characters => "char",
            Self::Whitespace => "none",
            Self::V13a => "13a",
            Self::Intl => "intl",
            Self::Chinese => "zh",
            Self::Rouge => "rouge",
            Self::Rouge155 => "rouge-1.5.5",
            Self::EdgePunctuation => "edge",
            Self::Tercom(_) | Self::TercomReference(_) => "tercom",
        }
    }

    /// The tokens as a list, for use where speed does not matter.
    pub fn tokens(self, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        self.tokenize(text, &mut |token| tokens.push(token.to_owned()));
        tokens
    }

    /// Whether the tokeniser decodes entities such as `&quot;`.
    fn decodes_entities(self) -> bool {
        match self {
            Self::Words | Self::Marks | Self::V13a | Self::Chinese | Self::Tercom(_) | Self::TercomReference(_) => true,
            Self::Characters | Self::Whitespace | Self::Intl | Self::Rouge | Self::Rouge155 | Self::EdgePunctuation => {
                false
            }
        }
    }

    /// The bytes of each token in the text, in order; empty for a token that cannot be found in the text.
    pub fn spans(self, text: &str) -> Vec<Range<usize>> {
        let mut finder = Finder::new(text);
        let mut spans = Vec::new();
        let step = if self.decodes_entities() { spans::decoding_step } else { spans::step };
        self.tokenize(text, &mut |token| spans.push(finder.find(token, step)));
        spans
    }
}
