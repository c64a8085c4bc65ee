//! In: a segment of text. Out: its character n-grams of all orders up to 6. Next: metrics.
//!
//! A text is stored as its characters; n-grams are counted when two texts are compared: in [`places`] if one of the two
//! is very short, otherwise in [`chains`]. For long texts the n-grams are sorted once, in [`windows`].

mod chains;
mod places;
mod windows;

use std::borrow::Cow;

use super::python_whitespace;
use windows::Windows;

/// The highest n-gram order.
pub const MAX_ORDER: usize = 6;

/// Which characters of a text count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CharacterView {
    /// Whether white space counts as characters or is left out.
    pub whitespace: bool,
    /// Whether the text is lower-cased first.
    pub lowercase: bool,
}

/// The character n-grams of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterGrams {
    characters: Characters,
    /// Only for a text of more than [`chains::CAPACITY`] characters.
    windows: Option<Windows>,
}

/// The characters that count, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Characters {
    /// All characters are below U+0100.
    Bytes(Vec<u8>),
    /// Any characters.
    Chars(Vec<char>),
}

impl CharacterGrams {
    /// The n-grams of a text.
    pub fn of(text: &str, view: CharacterView) -> Self {
        let text = if view.lowercase { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) };
        let characters = Characters::of(&text, view.whitespace);
        let windows = (characters.len() > chains::CAPACITY).then(|| characters.windows());
        Self { characters, windows }
    }

    /// The number of characters.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// True if there is no character.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of n-grams, with repetitions: max(0, characters - order + 1).
    pub fn total(&self, order: usize) -> usize {
        (self.len() + 1).saturating_sub(order)
    }

    /// Clipped matches of each order from 1 to [`MAX_ORDER`]: the sum over n-grams g of min(self(g), other(g)).
    pub fn matches(&self, other: &Self) -> [u32; MAX_ORDER] {
        let (long, short) = if self.len() < other.len() { (other, self) } else { (self, other) };
        match (&long.characters, &short.characters) {
            (Characters::Bytes(long), Characters::Bytes(short)) if short.len() <= places::CAPACITY => {
                return places::matches(long, short);
            }
            _ => {}
        }
        match (&long.windows, &short.windows) {
            (None, _) => long.characters.matches(&short.characters),
            (Some(long), Some(short)) => long.matches(short),
            (Some(long), None) => long.matches(&short.characters.windows()),
        }
    }
}

impl Characters {
    fn of(text: &str, whitespace: bool) -> Self {
        if text.is_ascii() {
            return Self::Bytes(if whitespace {
                text.as_bytes().to_vec()
            } else {
                without_whitespace(text.as_bytes())
            });
        }
        let is_seen = |&character: &char| whitespace || !python_whitespace::is_whitespace(character);
        let characters = || text.chars().filter(is_seen);
        let bytes: Result<_, _> = characters().map(u8::try_from).collect();
        bytes.map_or_else(|_| Self::Chars(characters().collect()), Self::Bytes)
    }

    fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Chars(chars) => chars.len(),
        }
    }

    fn windows(&self) -> Windows {
        match self {
            Self::Bytes(bytes) => Windows::of(bytes.iter().map(|&byte| char::from(byte))),
            Self::Chars(chars) => Windows::of(chars.iter().copied()),
        }
    }

    /// Clipped matches of two texts of at most [`chains::CAPACITY`] characters each.
    fn matches(&self, other: &Self) -> [u32; MAX_ORDER] {
        match (self, other) {
            (Self::Bytes(mine), Self::Bytes(theirs)) => chains::matches(mine, theirs),
            _ => chains::matches(&self.chars(), &other.chars()),
        }
    }

    fn chars(&self) -> Cow<'_, [char]> {
        match self {
            Self::Bytes(bytes) => bytes.iter().copied().map(char::from).collect(),
            Self::Chars(chars) => Cow::Borrowed(chars),
        }
    }
}

/// The characters of an ASCII text without white space.
fn without_whitespace(text: &[u8]) -> Vec<u8> {
    let mut kept = vec![0; text.len()];
    let mut length = 0;
    // Branch-free: the ends of words are unpredictable.
    for &byte in text {
        kept[length] = byte;
        length += usize::from(IS_SEEN[usize::from(byte)]);
    }
    kept.truncate(length);
    kept
}

/// For each byte: whether it is an ASCII character other than white space.
const IS_SEEN: [bool; 256] = {
    let mut is_seen = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        is_seen[byte] = !matches!(byte as u8, b'\t'..=b'\r' | 0x1c..=b' ');
        byte += 1;
    }
    is_seen
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Counts, Form, Lexicon, Plan, Sentence, Tokenizer, View};
    use crate::wordnet::WordNet;
    use proptest::prelude::*;

    const PLAIN: CharacterView = CharacterView { whitespace: false, lowercase: false };

    fn grams(text: &str) -> CharacterGrams {
        CharacterGrams::of(text, PLAIN)
    }

    #[test]
    fn matches_are_clipped_by_the_smaller_count() {
        // Matches: a and b twice each; ab twice, ba once; aba, bab; abab.
        assert_eq!(grams("abab").matches(&grams("ab abc")), [4, 3, 2, 1, 0, 0]);
        assert_eq!(grams("aaaa").matches(&grams("aa")), [2, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn an_end_of_text_is_no_character() {
        assert_eq!(grams("xab").matches(&grams("yab")), [2, 1, 0, 0, 0, 0]);
        assert_eq!(grams("ab\0").matches(&grams("ab")), [2, 1, 0, 0, 0, 0]);
        assert_eq!(grams("").matches(&grams("ab")), [0; 6]);
    }

    #[test]
    fn totals_are_never_negative() {
        let text = grams("a b c");
        assert_eq!([1, 2, 3, 4, 6].map(|order| text.total(order)), [3, 2, 1, 0, 0]);
        assert_eq!(grams("").total(1), 0);
    }

    #[test]
    fn the_view_chooses_the_characters() {
        let of = |whitespace, lowercase| CharacterGrams::of("A b\u{1f}\n", CharacterView { whitespace, lowercase });
        assert_eq!([of(false, false).len(), of(true, false).len()], [2, 5]);
        assert_eq!(of(false, true), grams("ab"));
    }

    #[test]
    fn white_space_of_ascii_is_left_out() {
        for byte in 0..128_u8 {
            assert_eq!(IS_SEEN[usize::from(byte)], !python_whitespace::is_whitespace(char::from(byte)), "{byte}");
        }
    }

    #[test]
    fn texts_of_every_length_match_themselves() {
        for length in [1_u32, 2, 6, 43, 44, 63, 64, 65, 253, 254, 255, 256, 300] {
            let expected = std::array::from_fn(|lane| length.saturating_sub(lane as u32));
            for (first, letters) in
                [('!', 1), ('!', 2), ('!', 43), ('!', 44), ('!', 94), ('一', 43), ('一', 44), ('一', 300)]
            {
                let letter = |at: u32| char::from_u32(u32::from(first) + at * 31 % letters).unwrap();
                let text: String = (0..length).map(letter).collect();
                assert_eq!(grams(&text).matches(&grams(&text)), expected, "{text}");
            }
        }
    }

    /// Texts over small and large alphabets, within ASCII and beyond.
    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ab]{0,300}",
            "[a-g]{0,300}",
            "[!-~]{0,300}",
            "[a-g]{0,70}",
            "[a-e\u{e0}-\u{ff}]{0,200}",
            "[a-e\u{3fd}\u{3fe}]{0,300}",
            "[\u{4e00}-\u{4e4f}]{0,300}",
        ]
    }

    fn assert_matches(a: &str, b: &str) {
        let mut plan = Plan::default();
        let characters = plan.add(View::new(Tokenizer::Characters, Form::Cased).ngrams(MAX_ORDER));
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [one, two] = [a, b].map(|text| Sentence::prepare(text, &plan, &mut lexicon));
        let counts = |order| -> [&Counts; 2] { [&one, &two].map(|sentence| sentence.view(characters).counts(order)) };
        let matches = grams(a).matches(&grams(b));
        for order in 1..=MAX_ORDER {
            let [first, second] = counts(order);
            assert_eq!(matches[order - 1], first.matches(second), "order {order}");
            assert_eq!(grams(a).total(order), first.total() as usize);
        }
    }

    proptest! {
        #[test]
        fn they_are_the_counts_of_every_order(a in "[abc]{0,30}\u{10ffff}?[ab]{0,9}", b in "[ab\u{3fd}]{0,30}\u{3fe}?[ab]{0,9}") {
            assert_matches(&a, &b);
        }

        #[test]
        fn they_are_those_of_texts_of_all_kinds(a in text(), b in text(), common in text(), cut in 0_usize..150) {
            assert_matches(&a, &b);
            // Much in common, but in a different order.
            let cut = common.char_indices().nth(cut).map_or(0, |(at, _)| at);
            let (head, tail) = common.split_at(cut);
            assert_matches(&format!("{head}{tail}"), &format!("{tail}{}{head}", &b.chars().take(9).collect::<String>()));
        }
    }
}
