//! The character n-grams of a segment, of all orders up to 6, and how many of them two segments share.
//!
//! Two texts of usual length in Latin letters are compared by [`chained_matches`], which neither builds nor sorts
//! n-grams; all others by sorted windows, in time O(n log n). With windows alone, `score --metrics chrf` takes 3.0
//! times as many instructions on the sample.

use std::borrow::Cow;

use super::lexicon::Lexicon;
use super::sentence::CustomView;
use super::{overlap, python_whitespace};

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
pub struct CharacterGrams(Characters);

/// The characters that count.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Characters {
    /// At most [`MAX_CHAINED`] characters below U+0100, in order.
    Bytes(Vec<u8>),
    /// All other texts, as [`windows`].
    Windows(Vec<u128>),
}

impl CustomView for CharacterView {
    type Output = CharacterGrams;

    fn prepare(&self, text: &str, _: &mut Lexicon) -> CharacterGrams {
        let text = if self.lowercase { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) };
        let counts = |&character: &char| self.whitespace || !python_whitespace::is_whitespace(character);
        let characters = || text.chars().filter(counts);
        let bytes = match text.is_ascii() {
            true if self.whitespace => Some(text.as_bytes().to_vec()),
            true => Some(without_whitespace(text.as_bytes())),
            false => characters().map(|character| u8::try_from(character).ok()).collect(),
        };
        CharacterGrams(match bytes {
            Some(bytes) if bytes.len() <= MAX_CHAINED => Characters::Bytes(bytes),
            _ => Characters::Windows(windows(characters())),
        })
    }
}

impl CharacterGrams {
    /// The number of characters.
    pub fn len(&self) -> usize {
        match &self.0 {
            Characters::Bytes(bytes) => bytes.len(),
            Characters::Windows(windows) => windows.len(),
        }
    }

    /// True if there is no character.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of n-grams, with repetitions: max(0, characters - order + 1).
    pub fn total(&self, order: usize) -> usize {
        overlap::total(self.len(), order)
    }

    /// Clipped matches of each order from 1 to [`MAX_ORDER`]: the sum over n-grams g of min(self(g), other(g)).
    pub fn matches(&self, other: &Self) -> [u32; MAX_ORDER] {
        let (long, short) = if self.len() < other.len() { (other, self) } else { (self, other) };
        let chained = match (&long.0, &short.0) {
            (Characters::Bytes(long), Characters::Bytes(short)) => chained_matches(long, short),
            _ => None,
        };
        chained.unwrap_or_else(|| sorted_matches(&long.windows(), &short.windows()))
    }

    fn windows(&self) -> Cow<'_, [u128]> {
        match &self.0 {
            Characters::Bytes(bytes) => Cow::Owned(windows(bytes.iter().copied().map(char::from))),
            Characters::Windows(windows) => Cow::Borrowed(windows),
        }
    }
}

/// Whether each character of ASCII counts: all but white space.
const COUNTS: [bool; BYTES] = {
    let mut counts = [true; BYTES];
    let mut at = 0;
    while at < 5 {
        (counts[b'\t' as usize + at], counts[0x1c + at]) = (false, false);
        at += 1;
    }
    counts
};

/// The characters of an ASCII text without white space.
fn without_whitespace(text: &[u8]) -> Vec<u8> {
    let mut kept = vec![0; text.len()];
    let mut length = 0;
    // Branch-free: the ends of words are unpredictable. Filtered as other texts are, chrF takes 1.25 times as many
    // instructions.
    for &byte in text {
        kept[length] = byte;
        length += usize::from(COUNTS[usize::from(byte)]);
    }
    kept.truncate(length);
    kept
}

/// The longest text for [`chained_matches`]: positions and counts fit into a byte, apart from position 0, which stands
/// for none.
const MAX_CHAINED: usize = 254;

/// The largest number of distinct characters for [`chained_matches`]: texts in alphabetic scripts have about 25.
const MAX_DISTINCT: usize = 43;

/// The side of the bigram table: one for each character, and one for those that the text lacks.
const SIDE: usize = MAX_DISTINCT + 1;

/// The size of the bigram table with one more row, for the start of the text; rounded up so that no index is out of
/// bounds.
const BIGRAMS: usize = (SIDE * SIDE + SIDE).next_power_of_two();

/// The number of chains, as a power of two.
const CHAIN_BITS: u32 = 10;

/// The number of values of a byte.
const BYTES: usize = 256;

/// Clipped matches of each order from 1 to [`MAX_ORDER`] of two texts of at most [`MAX_CHAINED`] characters; `None` if
/// the second one has more than [`MAX_DISTINCT`] distinct characters.
///
/// Single characters and bigrams are frequent: they are counted in tables. The positions of the second text are kept in
/// chains, by a hash of the trigram that ends there. For each position a 64-bit word holds its last eight characters,
/// so that an exclusive or with the word of a position in the first text tells how many characters the two have in
/// common, counted backwards. The n-grams of all orders up to that number match, unless the n-gram of the second text
/// has been matched before. Most chains hold one position; in a longer one each order takes any free position, which is
/// right because all matching n-grams are equal: the number of matches is the smaller count.
fn chained_matches(one: &[u8], other: &[u8]) -> Option<[u32; MAX_ORDER]> {
    // The distinct characters of the second text are numbered from 1; those that it lacks have 0.
    let mut numbers = [0_u8; BYTES];
    let mut distinct = 0;
    let mut bigrams = [0_u8; BIGRAMS];
    let mut counts = [[0_u8; BYTES]; 2];
    let mut firsts = [0_u8; 1 << CHAIN_BITS];
    let mut nexts = [0_u8; BYTES];
    let mut words = [0_u64; BYTES];
    let mut taken = [0_u64; BYTES];

    // Shared with no position: the word before the start of this text, and that of position 0, which stands for none.
    let mut word = u64::MAX;
    words[0] = word;
    let mut before = SIDE;
    for (position, &character) in (1..=u8::MAX).zip(other) {
        let number = &mut numbers[usize::from(character)];
        // Branch-free: whether a character is new is unpredictable.
        let is_new = *number == 0;
        distinct += u8::from(is_new);
        *number = if is_new { distinct } else { *number };
        let number = *number;
        counts[0][usize::from(number)] += 1;
        bigrams[(before * SIDE + usize::from(number)) % BIGRAMS] += 1;
        before = usize::from(number);
        word = followed_by(word, number);
        words[usize::from(position)] = word;
        let first = &mut firsts[chain(word)];
        nexts[usize::from(position)] = *first;
        *first = position;
    }
    if usize::from(distinct) > MAX_DISTINCT {
        return None;
    }

    let (mut word, mut before, mut of_bigrams) = (0, 0, 0);
    for &character in one {
        let number = numbers[usize::from(character)];
        counts[1][usize::from(number)] += 1;
        let left = &mut bigrams[(before * SIDE + usize::from(number)) % BIGRAMS];
        before = usize::from(number);
        let has_match = u8::from(*left > 0);
        *left -= has_match;
        of_bigrams += u32::from(has_match);
        word = followed_by(word, number);
        let lanes_of = |position: u8| LANES[common_bits(words[usize::from(position)], word)];
        let mut position = firsts[chain(word)];
        if nexts[usize::from(position)] == 0 {
            taken[usize::from(position)] |= lanes_of(position);
            continue;
        }
        let mut left = u64::MAX;
        while position > 0 {
            let taken = &mut taken[usize::from(position)];
            let here = lanes_of(position) & left & !*taken;
            *taken |= here;
            left &= !here;
            position = nexts[usize::from(position)];
        }
    }
    let chained: u64 = taken[1..=other.len()].iter().sum();
    let mut matches = std::array::from_fn(|lane| (chained >> (u8::BITS * lane as u32)) as u32 & u32::from(u8::MAX));
    // Number 0 is skipped: it stands for the characters that `other` lacks.
    let both = counts[0][1..SIDE].iter().zip(&counts[1][1..SIDE]);
    matches[0] = both.map(|(&mine, &theirs)| u32::from(mine.min(theirs))).sum();
    matches[1] = of_bigrams;
    Some(matches)
}

/// The word of the next position; the latest character is in the highest byte.
#[inline]
fn followed_by(word: u64, number: u8) -> u64 {
    word >> u8::BITS | u64::from(number) << (u64::BITS - u8::BITS)
}

/// The number of leading bits that two words have in common, at most 63.
#[inline]
fn common_bits(word: u64, other: u64) -> usize {
    (word ^ other | 1).leading_zeros() as usize
}

/// The chain of a position.
#[inline]
fn chain(word: u64) -> usize {
    let trigram = (word >> (u64::BITS - 3 * u8::BITS)) as u32;
    (trigram.wrapping_mul(0x9e37_79b1) >> (u32::BITS - CHAIN_BITS)) as usize
}

/// For each number of common bits: a count of 1 in the byte of each order from 3 on whose n-grams are equal.
const LANES: [u64; u64::BITS as usize] = {
    let mut lanes = [0; u64::BITS as usize];
    let mut common = 0;
    while common < lanes.len() {
        let mut order = 3;
        while order <= MAX_ORDER && order * u8::BITS as usize <= common {
            lanes[common] |= 1 << (u8::BITS as usize * (order - 1));
            order += 1;
        }
        common += 1;
    }
    lanes
};

/// The bits of a character in a window: its code point plus one.
const CODE_BITS: u32 = 21;

/// The windows of six characters that begin at each character, sorted. The first character of a window is highest; the
/// lowest characters are 0 where the text ends earlier.
fn windows(characters: impl DoubleEndedIterator<Item = char>) -> Vec<u128> {
    let mut window = 0_u128;
    // From the end, so that each window is the following one with a character put in front.
    let in_front = |character: char| {
        let code = u128::from(u32::from(character) + 1);
        window = window >> CODE_BITS | code << (CODE_BITS * (MAX_ORDER as u32 - 1));
        window
    };
    let mut windows: Vec<u128> = characters.rev().map(in_front).collect();
    windows.sort_unstable();
    windows
}

/// Clipped matches of each order, from sorted windows: the n-grams of order n are the runs of windows that share their
/// first n characters. A window of one side whose run has a surplus of the other side matches one of that surplus.
fn sorted_matches(mine: &[u128], theirs: &[u128]) -> [u32; MAX_ORDER] {
    let mut matches = [0; MAX_ORDER];
    // For each order, the windows of the current run that are mine minus those that are theirs.
    let mut surplus = [0_i32; MAX_ORDER];
    let (mut mine, mut theirs) = (mine.iter().peekable(), theirs.iter().peekable());
    let mut last = 0;
    while let Some(&&first) = [mine.peek(), theirs.peek()].into_iter().flatten().min() {
        let side = if mine.next_if_eq(&&first).is_some() { 1 } else { -1 };
        if side < 0 {
            theirs.next();
        }
        let common = ((last ^ first).leading_zeros() - (u128::BITS - CODE_BITS * MAX_ORDER as u32)) / CODE_BITS;
        surplus[common as usize..].fill(0);
        let length = MAX_ORDER - (first.trailing_zeros() / CODE_BITS) as usize;
        for (surplus, matches) in surplus.iter_mut().zip(&mut matches).take(length) {
            *matches += u32::from(*surplus * side < 0);
            *surplus += side;
        }
        last = first;
    }
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Counts, Form, Lexicon, Plan, Sentence, Tokenizer, View};
    use crate::wordnet::WordNet;
    use proptest::prelude::*;

    const PLAIN: CharacterView = CharacterView { whitespace: false, lowercase: false };

    fn grams(text: &str) -> CharacterGrams {
        PLAIN.prepare(text, &mut Lexicon::new(WordNet::embedded()))
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
    fn the_view_chooses_the_characters() {
        let lexicon = &mut Lexicon::new(WordNet::embedded());
        let mut of = |whitespace, lowercase| CharacterView { whitespace, lowercase }.prepare("A b\u{1f}\n", lexicon);
        assert_eq!([of(false, false).len(), of(true, false).len()], [2, 5]);
        assert_eq!(of(false, true), grams("ab"));
    }

    #[test]
    fn white_space_of_ascii_is_left_out() {
        let text: String = (0..128_u8).map(char::from).collect();
        let expected: String = text.chars().filter(|&one| !python_whitespace::is_whitespace(one)).collect();
        assert_eq!(without_whitespace(text.as_bytes()), expected.as_bytes());
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
        let characters = plan.add(View::new(Tokenizer::Characters, Form::Cased));
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [one, two] = [a, b].map(|text| Sentence::prepare(text, &plan, &mut lexicon));
        let counts = |order| [&one, &two].map(|text| Counts::of_ngrams(&text.view(characters).ids, order));
        let matches = grams(a).matches(&grams(b));
        let sorted = sorted_matches(&grams(a).windows(), &grams(b).windows());
        for order in 1..=MAX_ORDER {
            let [first, second] = counts(order);
            assert_eq!(matches[order - 1], first.matches(&second), "order {order}");
            assert_eq!(sorted[order - 1], matches[order - 1], "order {order}");
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
