//! sacreBLEU's `intl`, the tokens of mteval-v14: punctuation and symbols of all of Unicode are separated.
//!
//! P, S and N are Unicode's general categories in version 18.0, as in Python's regex 2026.11.15. A full stop after a
//! number at the end of the text stays with the number: a slip of mteval-v14 that sacreBLEU and Tribunal keep.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::mteval::{self, Class};
use crate::text::python_whitespace;

/// Calls `emit` for every token of `text`. White space at the end of the text is dropped first, as in BLEU.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    mteval::separate(python_whitespace::trim_end(text), None, classify, emit);
}

fn classify(character: char) -> Class {
    match character {
        'A'..='Z' | 'a'..='z' => return Class::Other,
        '0'..='9' => return Class::Digit,
        _ if python_whitespace::is_whitespace(character) => return Class::Space,
        _ => {}
    }
    match character.general_category_group() {
        GeneralCategoryGroup::Punctuation => Class::Point,
        GeneralCategoryGroup::Symbol => Class::Symbol,
        GeneralCategoryGroup::Number => Class::Digit,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> String {
        let mut tokens = Vec::new();
        tokenize(text, &mut |token| tokens.push(token.to_owned()));
        tokens.join(" ")
    }

    // sacrebleu 2.6.0: sacrebleu.metrics.BLEU(tokenize="intl")._preprocess_segment(text)
    #[test]
    fn as_sacrebleu_cuts() {
        for (text, expected) in [
            ("«Né» — it's 3.5%, «½–¾»…", "« Né » — it ' s 3.5 % , « ½–¾ » …"),
            ("In 1998.", "In 1998."),
            ("In 1998. ", "In 1998."),
            ("\"5\" .5", "\"5 \" . 5"),
            ("well-known 3-4 a--b ٣٫٣ ₂+²", "well - known 3-4 a - - b ٣٫٣ ₂ + ²"),
            ("\u{20c1}5 \u{11de0}.\u{11de0}", "\u{20c1} 5 \u{11de0}.\u{11de0}"),
        ] {
            assert_eq!(tokens(text), expected);
        }
    }

    #[test]
    fn the_categories_are_those_of_unicode_18() {
        assert_eq!(unicode_properties::UNICODE_VERSION, (18, 0, 0));
    }
}
