//! The words of chrF+ and chrF++: split at white space, with one ASCII punctuation mark separated from each word.
//!
//! That is the mark at the end if there is one, otherwise the one at the beginning; never both, and no further ones.
//! Popović 2017, "chrF++: words helping character n-grams", as implemented in chrF++.py and sacreBLEU.

use crate::text::python_whitespace;

/// Calls `emit` for every token of `text`.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    for word in python_whitespace::split(text) {
        // A punctuation mark is one byte, so these splits are at character boundaries.
        if word.len() > 1 && ends_with_mark(word) {
            let (rest, mark) = word.split_at(word.len() - 1);
            emit(rest);
            emit(mark);
        } else if word.len() > 1 && starts_with_mark(word) {
            let (mark, rest) = word.split_at(1);
            emit(mark);
            emit(rest);
        } else {
            emit(word);
        }
    }
}

fn ends_with_mark(word: &str) -> bool {
    word.as_bytes().last().is_some_and(u8::is_ascii_punctuation)
}

fn starts_with_mark(word: &str) -> bool {
    word.as_bytes().first().is_some_and(u8::is_ascii_punctuation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_is_separated_from_each_word() {
        let mut tokens = Vec::new();
        tokenize("(Well), \"yes\" — é, 'no it's ! ... né» \u{1c}", &mut |token| tokens.push(token.to_owned()));
        assert_eq!(tokens, ["(Well)", ",", "\"yes", "\"", "—", "é", ",", "'", "no", "it's", "!", "..", ".", "né»"]);
    }
}
