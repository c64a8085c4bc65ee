//! Clipped character n-gram matches of long texts, by sorted windows.
//!
//! Every window of six characters is packed into a number, and the windows are sorted once. The n-grams of order n are
//! the runs of windows that share their first n characters, so that one pass over two texts counts the matches of all
//! orders. The counts are exact (no fingerprints). If all characters are below U+03FF (Latin, most of Greek), a
//! character takes 10 bits and a window 8 bytes, otherwise 21 bits and 16 bytes.

use super::MAX_ORDER;

/// A window of [`MAX_ORDER`] characters as a number: the first character is highest, and the lowest bits are 0 where
/// the text ends earlier. A character's code is its Unicode code point plus one.
trait Window: Copy + Default + Ord {
    /// Bits of a character's code.
    const BITS: u32;

    /// The window of the character that precedes `next`.
    fn before(next: Self, code: u32) -> Self;

    /// The length of the longest common prefix; positions beyond the end of both texts count as equal.
    fn common_prefix(self, other: Self) -> usize;

    /// The number of characters; fewer than six at the end of a text.
    fn length(self) -> usize;
}

macro_rules! window {
    ($number:ty, $bits:literal) => {
        impl Window for $number {
            const BITS: u32 = $bits;

            fn before(next: Self, code: u32) -> Self {
                let bits = <Self as Window>::BITS;
                (next >> bits) | (<$number>::from(code) << (bits * (MAX_ORDER as u32 - 1)))
            }

            fn common_prefix(self, other: Self) -> usize {
                let unused = <$number>::BITS - <Self as Window>::BITS * MAX_ORDER as u32;
                (((self ^ other).leading_zeros() - unused) / <Self as Window>::BITS) as usize
            }

            fn length(self) -> usize {
                MAX_ORDER - (self.trailing_zeros() / <Self as Window>::BITS).min(MAX_ORDER as u32) as usize
            }
        }
    };
}

window!(u64, 10);
window!(u128, 21);

/// The windows of a text, sorted by their characters; narrow if the text allows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Windows {
    /// Only characters below U+03FF.
    Narrow(Vec<u64>),
    /// Any characters.
    Wide(Vec<u128>),
}

impl Windows {
    /// The windows of a text.
    pub fn of(characters: impl DoubleEndedIterator<Item = char> + Clone) -> Self {
        let is_narrow = |character: char| (u32::from(character) + 1) >> <u64 as Window>::BITS == 0;
        if characters.clone().all(is_narrow) {
            Self::Narrow(windows(characters))
        } else {
            Self::Wide(windows(characters))
        }
    }

    /// Clipped matches of each order from 1 to [`MAX_ORDER`]: the sum over n-grams g of min(self(g), other(g)).
    pub fn matches(&self, other: &Self) -> [u32; MAX_ORDER] {
        match (self, other) {
            (Self::Narrow(mine), Self::Narrow(theirs)) => matches(mine, theirs),
            (Self::Wide(mine), Self::Wide(theirs)) => matches(mine, theirs),
            (Self::Narrow(mine), Self::Wide(theirs)) => matches(&widened(mine), theirs),
            (Self::Wide(mine), Self::Narrow(theirs)) => matches(mine, &widened(theirs)),
        }
    }
}

fn windows<W: Window>(characters: impl DoubleEndedIterator<Item = char>) -> Vec<W> {
    let mut window = W::default();
    // From the end, so that each window is the following one with a character put in front.
    let before = |character: char| {
        window = W::before(window, u32::from(character) + 1);
        window
    };
    let mut windows: Vec<W> = characters.rev().map(before).collect();
    windows.sort_unstable();
    windows
}

/// The same windows in the wide form, in the same order.
fn widened(windows: &[u64]) -> Vec<u128> {
    let widen = |&window: &u64| {
        let bits = <u64 as Window>::BITS;
        let code = |place: u32| (window >> (bits * place)) as u32 & ((1 << bits) - 1);
        (0..MAX_ORDER as u32).fold(0, |wide, place| <u128 as Window>::before(wide, code(place)))
    };
    windows.iter().map(widen).collect()
}

fn matches<W: Window>(mine: &[W], theirs: &[W]) -> [u32; MAX_ORDER] {
    let mut runs = Runs::default();
    let (mut at, mut other) = (0, 0);
    while at < mine.len() && other < theirs.len() {
        // Branch-free: which side comes first is unpredictable.
        let (a, b) = (mine[at], theirs[other]);
        let is_mine = a <= b;
        runs.push(if is_mine { a } else { b }, if is_mine { 1 } else { -1 });
        at += usize::from(is_mine);
        other += usize::from(!is_mine);
    }
    // At most one side has windows left; only those that share a prefix with the last window can match.
    let side = if at < mine.len() { 1 } else { -1 };
    for &window in mine[at..].iter().chain(&theirs[other..]) {
        if runs.last.common_prefix(window) == 0 {
            break;
        }
        runs.push(window, side);
    }
    std::array::from_fn(|lane| runs.matches[lane] as u32)
}

/// The runs that contain the last window, one per order: how many more windows of one side than of the other each holds
/// so far. A window whose run has a surplus of the other side matches one of that surplus.
///
/// All orders are treated at once and without branches, so that the compiler can use vector instructions.
#[derive(Default)]
struct Runs<W> {
    last: W,
    /// Windows of the first side minus windows of the second.
    balance: [i32; LANES],
    matches: [i32; LANES],
}

/// A multiple of the width of a vector register; the lanes beyond [`MAX_ORDER`] stay 0.
const LANES: usize = 8;

/// For each number of orders from 0 to [`MAX_ORDER`]: a mask with all bits set in the lanes of these orders.
#[rustfmt::skip]
const FIRST: [[i32; LANES]; MAX_ORDER + 1] = [
    [ 0,  0,  0,  0,  0,  0, 0, 0],
    [-1,  0,  0,  0,  0,  0, 0, 0],
    [-1, -1,  0,  0,  0,  0, 0, 0],
    [-1, -1, -1,  0,  0,  0, 0, 0],
    [-1, -1, -1, -1,  0,  0, 0, 0],
    [-1, -1, -1, -1, -1,  0, 0, 0],
    [-1, -1, -1, -1, -1, -1, 0, 0],
];

impl<W: Window> Runs<W> {
    /// `side` is 1 for the first side, -1 for the second.
    #[inline]
    fn push(&mut self, window: W, side: i32) {
        let same = &FIRST[self.last.common_prefix(window)];
        let there = &FIRST[window.length()];
        for lane in 0..LANES {
            // Runs of orders above the common prefix start afresh.
            let balance = self.balance[lane] & same[lane];
            // The sign is that of `balance * side`.
            let others = (balance ^ (side >> 1)) - (side >> 1);
            self.matches[lane] += i32::from(others < 0) & there[lane];
            self.balance[lane] = balance + (side & there[lane]);
        }
        self.last = window;
    }
}
