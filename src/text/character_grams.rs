//! Stage 2b. In: a segment of text. Out: its character n-grams of all orders up to 6. Next: metrics.
//!
//! Every window of six characters is packed into 128 bits, 21 a character, and the windows are sorted once. The n-grams
//! of any order n are then the runs of windows that share their first n characters, so one pass over two texts counts the
//! matches of all orders. Exact (no fingerprints), 16 bytes a character.

use std::borrow::Cow;

use super::python_whitespace;

/// The longest n-grams.
pub const MAX_ORDER: usize = 6;

/// Bits of a character's code plus one; zero is what stands behind the end of the text.
const BITS: u32 = 21;
/// Bits above the first character of a window.
const UNUSED: u32 = u128::BITS - BITS * MAX_ORDER as u32;

/// Which characters of a text are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CharacterView {
    /// Whether white space counts as characters, or is left out.
    pub whitespace: bool,
    /// Whether the text is put into lower case first.
    pub lowercase: bool,
}

/// The character n-grams of a text: the windows that begin at each character, in order of their characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CharacterGrams {
    windows: Vec<u128>,
}

impl CharacterGrams {
    /// The n-grams of a text.
    pub fn of(text: &str, view: CharacterView) -> Self {
        let text = if view.lowercase { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) };
        let kept = |character: &char| view.whitespace || !python_whitespace::is_whitespace(*character);
        let characters: Vec<char> = text.chars().filter(kept).collect();
        let mut window = 0_u128;
        let mut windows = Vec::with_capacity(characters.len());
        // From the end, so that the window of a character is the following one's with the character in front.
        for character in characters.into_iter().rev() {
            let code = u128::from(u32::from(character)) + 1;
            window = (window >> BITS) | (code << (BITS * (MAX_ORDER as u32 - 1)));
            windows.push(window);
        }
        windows.sort_unstable();
        Self { windows }
    }

    /// The number of characters.
    pub fn len(&self) -> usize {
        self.windows.len()
    }

    /// True where there is no character.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// The number of n-grams, repeated ones counted as often as they occur: max(0, characters - order + 1).
    pub fn total(&self, order: usize) -> usize {
        (self.len() + 1).saturating_sub(order)
    }

    /// Clipped matches of each order from 1 to [`MAX_ORDER`]: the sum over n-grams g of min(self(g), other(g)).
    pub fn matches(&self, other: &Self) -> [u32; MAX_ORDER] {
        let mut runs = Runs::default();
        let (mut mine, mut theirs) = (self.windows.iter().peekable(), other.windows.iter().peekable());
        loop {
            let (window, side) = match (mine.peek(), theirs.peek()) {
                (Some(&&a), Some(&&b)) if a <= b => (a, 0),
                (Some(&&a), None) => (a, 0),
                (_, Some(&&b)) => (b, 1),
                (None, None) => break,
            };
            runs.push(window, side);
            if side == 0 {
                mine.next()
            } else {
                theirs.next()
            };
        }
        runs.close(0);
        std::array::from_fn(|lane| runs.matches[lane])
    }
}

/// The runs that the last window belongs to, one an order: how many windows of each side they hold so far.
///
/// All orders are treated at once and without branches, so that the compiler can use vector instructions.
#[derive(Default)]
struct Runs {
    last: u128,
    counts: [[u32; LANES]; 2],
    matches: [u32; LANES],
}

/// A multiple of what fits into a vector register; those beyond [`MAX_ORDER`] stay 0.
const LANES: usize = 8;

/// For each number of orders from 0 to [`MAX_ORDER`], all bits of the lanes of these orders.
#[rustfmt::skip]
const FIRST: [[u32; LANES]; MAX_ORDER + 1] = {
    const ALL: u32 = u32::MAX;
    [
        [  0,   0,   0,   0,   0,   0, 0, 0],
        [ALL,   0,   0,   0,   0,   0, 0, 0],
        [ALL, ALL,   0,   0,   0,   0, 0, 0],
        [ALL, ALL, ALL,   0,   0,   0, 0, 0],
        [ALL, ALL, ALL, ALL,   0,   0, 0, 0],
        [ALL, ALL, ALL, ALL, ALL,   0, 0, 0],
        [ALL, ALL, ALL, ALL, ALL, ALL, 0, 0],
    ]
};

impl Runs {
    fn push(&mut self, window: u128, side: usize) {
        self.close(common_prefix(self.last, window));
        for (count, mask) in self.counts[side].iter_mut().zip(FIRST[length(window)]) {
            *count += mask & 1;
        }
        self.last = window;
    }

    /// Ends the runs of all orders above `order`.
    fn close(&mut self, order: usize) {
        let [mine, theirs] = &mut self.counts;
        for (lane, kept) in FIRST[order].iter().enumerate() {
            self.matches[lane] += mine[lane].min(theirs[lane]) & !kept;
            mine[lane] &= kept;
            theirs[lane] &= kept;
        }
    }
}

/// How many characters two windows have in common before they differ; what stands behind the end counts as equal.
fn common_prefix(a: u128, b: u128) -> usize {
    (((a ^ b).leading_zeros() - UNUSED) / BITS) as usize
}

/// The number of characters in a window; fewer than six at the end of a text.
fn length(window: u128) -> usize {
    MAX_ORDER - (window.trailing_zeros() / BITS) as usize
}

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
        // a, b twice each; ab twice, ba once; aba, bab; abab.
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

    proptest! {
        #[test]
        fn they_are_the_counts_of_every_order(a in "[ab\u{10ffff}]{0,30}", b in "[ab\u{10ffff}]{0,30}") {
            let mut plan = Plan::default();
            let characters = plan.add(View::new(Tokenizer::Characters, Form::Cased).ngrams(MAX_ORDER));
            let mut lexicon = Lexicon::new(WordNet::embedded());
            let [one, two] = [&a, &b].map(|text| Sentence::prepare(text, &plan, &mut lexicon));
            let counts = |order| -> [&Counts; 2] { [&one, &two].map(|sentence| sentence.view(characters).counts(order)) };
            let matches = grams(&a).matches(&grams(&b));
            for order in 1..=MAX_ORDER {
                let [first, second] = counts(order);
                prop_assert_eq!(matches[order - 1], first.matches(second));
                prop_assert_eq!(grams(&a).total(order), first.total() as usize);
            }
        }
    }
}
