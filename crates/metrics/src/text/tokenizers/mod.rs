//! The tokenisers. A new one takes a function, a variant and an arm in each match.

mod sacrebleu;
mod tercom;
pub(super) mod words;

pub use tercom::Tercom;

use std::borrow::Cow;
use std::ops::Range;

use super::spans::{self, Finder};
use super::{bytes, python_whitespace};

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
            Self::Characters => characters(text, emit),
            Self::Whitespace => python_whitespace::split(text).for_each(emit),
            Self::V13a => sacrebleu::tokenize_13a(text, emit),
            Self::Intl => sacrebleu::tokenize_intl(text, emit),
            Self::Chinese => sacrebleu::tokenize_zh(text, emit),
            Self::Rouge => alphanumeric_runs(&text.to_lowercase(), emit),
            Self::Rouge155 => alphanumeric_runs(text, emit),
            Self::EdgePunctuation => chrf_words(text, emit),
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

/// The text after replacements, each made everywhere before the next.
fn replaced<'t>(text: &'t str, replacements: &[(&str, &str)]) -> Cow<'t, str> {
    replacements.iter().fold(Cow::Borrowed(text), |text, (pattern, replacement)| {
        if text.contains(pattern) { Cow::Owned(text.replace(pattern, replacement)) } else { text }
    })
}

/// Calls `emit` for every character (Unicode scalar value) of `text` that is not white space, as in sacreBLEU's `char`.
fn characters(text: &str, emit: &mut dyn FnMut(&str)) {
    let mut buffer = [0; 4];
    for character in text.chars().filter(|&character| !python_whitespace::is_whitespace(character)) {
        emit(character.encode_utf8(&mut buffer));
    }
}

/// Calls `emit` for every word of chrF+ and chrF++: split at white space, with one ASCII punctuation mark separated from
/// each word.
///
/// That is the mark at the end if there is one, otherwise the one at the beginning; never both, and no further ones.
/// Popović 2017, "chrF++: words helping character n-grams", as implemented in chrF++.py and sacreBLEU.
fn chrf_words(text: &str, emit: &mut dyn FnMut(&str)) {
    for word in python_whitespace::split(text) {
        let is_mark = |byte: Option<&u8>| word.len() > 1 && byte.is_some_and(u8::is_ascii_punctuation);
        // A punctuation mark is one byte, so these splits are at character boundaries.
        let (first, second) = if is_mark(word.as_bytes().last()) {
            word.split_at(word.len() - 1)
        } else if is_mark(word.as_bytes().first()) {
            word.split_at(1)
        } else {
            (word, "")
        };
        emit(first);
        if !second.is_empty() {
            emit(second);
        }
    }
}

/// Calls `emit` for every run of A-Z, a-z and 0-9; all else, including hyphens and accented letters, separates. These
/// are the tokens of ROUGE-1.5.5, and those of rouge-score in the lower-cased text.
fn alphanumeric_runs(text: &str, emit: &mut dyn FnMut(&str)) {
    // ASCII bytes are never part of other characters, so a run of them is a valid slice.
    let separators = bytes::places(text, |byte| !bytes::is_alphanumeric(byte));
    let mut start = 0;
    for end in separators.chain([text.len()]) {
        if start < end {
            emit(&text[start..end]);
        }
        start = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Tokenizer;

    #[test]
    fn marks_and_joiners_are_characters() {
        let tokens = Tokenizer::Characters.tokens("e\u{301} \u{1c}👩\u{200d}🚀\u{3000}我");
        assert_eq!(tokens, ["e", "\u{301}", "👩", "\u{200d}", "🚀", "我"]);
    }

    #[test]
    fn one_mark_is_separated_from_each_word() {
        let tokens = Tokenizer::EdgePunctuation.tokens("(Well), \"yes\" — é, 'no it's ! ... né» \u{1c}");
        assert_eq!(tokens, ["(Well)", ",", "\"yes", "\"", "—", "é", ",", "'", "no", "it's", "!", "..", ".", "né»"]);
    }

    #[test]
    fn all_but_ascii_letters_and_digits_separate() {
        let text = "Müller's 3.5% \u{212a}elvin co-operate $5 -";
        assert_eq!(Tokenizer::Rouge155.tokens(text), ["M", "ller", "s", "3", "5", "elvin", "co", "operate", "5"]);
        // The lower case of the Kelvin sign is an ASCII letter.
        assert_eq!(Tokenizer::Rouge.tokens(text), ["m", "ller", "s", "3", "5", "kelvin", "co", "operate", "5"]);
    }
}
