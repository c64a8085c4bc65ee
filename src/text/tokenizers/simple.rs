//! Tokenisers of a few lines: characters, chrF's words, and runs of ASCII letters and digits.

use crate::text::{bytes, python_whitespace};

/// Calls `emit` for every character (Unicode scalar value) of `text` that is not white space, as in sacreBLEU's `char`.
pub fn characters(text: &str, emit: &mut dyn FnMut(&str)) {
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
pub fn chrf_words(text: &str, emit: &mut dyn FnMut(&str)) {
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
pub fn alphanumeric_runs(text: &str, emit: &mut dyn FnMut(&str)) {
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
    use crate::text::Tokenizer;

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
