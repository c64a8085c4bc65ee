//! Stage 2. In: a segment of text. Out: its tokens, one call each. Next: views and counts.
//!
//! One file a tokeniser; a new one is a file, a variant and an arm.

mod words;

/// A way of cutting text into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// Tribunal's own words, the same for raw and for tokenised text; punctuation is dropped.
    Words,
    /// Characters, white space left out.
    Characters,
    /// As the text is, cut at white space.
    Whitespace,
}

impl Tokenizer {
    /// Calls `emit` for every token of `text`, in order, in the case of the text.
    pub fn tokenize(self, text: &str, emit: &mut dyn FnMut(&str)) {
        match self {
            Self::Words => words::tokenize(text, emit),
            Self::Characters => {
                let mut buffer = [0; 4];
                for character in text.chars().filter(|character| !character.is_whitespace()) {
                    emit(character.encode_utf8(&mut buffer));
                }
            }
            Self::Whitespace => text.split_whitespace().for_each(emit),
        }
    }

    /// The tokens as a list, where speed does not matter.
    pub fn tokens(self, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        self.tokenize(text, &mut |token| tokens.push(token.to_owned()));
        tokens
    }
}
