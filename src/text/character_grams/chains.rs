//! Clipped character n-gram matches of two short texts, without building or sorting n-grams.
//!
//! The positions of one text are kept in chains, by a hash of the trigram that ends there. For each position a 64-bit
//! word holds its last eight characters, so that an exclusive or with the word of a position in the other text tells
//! how many characters the two have in common, counted backwards. The n-grams of all orders up to that number match,
//! unless the n-gram of the first text has been matched before. Most chains hold one position; in a longer one each
//! order takes any free position, which is right because all matching n-grams are equal: the number of matches is the
//! smaller count. Single characters and bigrams are frequent, so they are counted in tables; with many distinct
//! characters bigrams are chained, too.

use rustc_hash::FxHashMap;

use super::MAX_ORDER;

/// The longest text: positions and character numbers fit into a byte, apart from 0, which means none, and 255, which
/// stands before the start of a text.
pub const CAPACITY: usize = 254;

/// The number of values of a byte.
const BYTES: usize = 256;

/// The largest number of distinct characters for which bigrams have a table, which keeps it small: texts in alphabetic
/// scripts have about 25.
const FEW: usize = 43;

/// The side of the bigram table: one for each character and one for the characters that the text lacks.
const SIDE: usize = FEW + 1;

/// The size of the bigram table with one more row, for the start of the text; rounded up so that no index is out of
/// bounds.
const BIGRAMS: usize = (SIDE * SIDE + SIDE).next_power_of_two();

/// The number of chains, as a power of two.
const CHAIN_BITS: u32 = 10;

/// Bits per count in a word that holds one count per order.
const COUNT_BITS: usize = 8;

/// A character in the representation of a text.
pub trait Character: Copy {
    /// The map from characters to numbers.
    type Numbers: Numbers<Self>;
}

/// Numbers the distinct characters of a text from 1; characters that it lacks have 0.
pub trait Numbers<C>: Default {
    /// The number of a character, 0 if it has none.
    fn get(&self, character: C) -> u8;

    /// The slot that holds the number of a character.
    fn get_mut(&mut self, character: C) -> &mut u8;
}

/// Characters below U+0100.
impl Character for u8 {
    type Numbers = OfBytes;
}

impl Character for char {
    type Numbers = OfChars;
}

pub struct OfBytes([u8; BYTES]);

impl Default for OfBytes {
    fn default() -> Self {
        Self([0; BYTES])
    }
}

impl Numbers<u8> for OfBytes {
    #[inline]
    fn get(&self, character: u8) -> u8 {
        self.0[usize::from(character)]
    }

    #[inline]
    fn get_mut(&mut self, character: u8) -> &mut u8 {
        &mut self.0[usize::from(character)]
    }
}

#[derive(Default)]
pub struct OfChars {
    bytes: OfBytes,
    others: FxHashMap<char, u8>,
}

impl Numbers<char> for OfChars {
    #[inline]
    fn get(&self, character: char) -> u8 {
        match u8::try_from(character) {
            Ok(byte) => self.bytes.get(byte),
            Err(_) => self.others.get(&character).copied().unwrap_or(0),
        }
    }

    #[inline]
    fn get_mut(&mut self, character: char) -> &mut u8 {
        match u8::try_from(character) {
            Ok(byte) => self.bytes.get_mut(byte),
            Err(_) => self.others.entry(character).or_default(),
        }
    }
}

/// Clipped matches of each order from 1 to [`MAX_ORDER`]: the sum over n-grams g of min(one(g), other(g)). Both texts
/// have at most [`CAPACITY`] characters.
pub fn matches<C: Character>(one: &[C], other: &[C]) -> [u32; MAX_ORDER] {
    let of_few = matches_from::<C, 3>(one, other);
    of_few.or_else(|| matches_from::<C, 2>(one, other)).unwrap_or_default()
}

/// [`matches()`] with n-grams of order `CHAINED` (2 or 3) and above in chains. `None` if bigrams are not chained and
/// the second text has more than [`FEW`] distinct characters.
fn matches_from<C: Character, const CHAINED: usize>(one: &[C], other: &[C]) -> Option<[u32; MAX_ORDER]> {
    let lanes = const { &lanes(CHAINED) };
    let mut numbers = C::Numbers::default();
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
    for (place, &character) in (1..=u8::MAX).zip(other) {
        let number = numbers.get_mut(character);
        // Branch-free: whether a character is new is unpredictable.
        let is_new = *number == 0;
        distinct += u8::from(is_new);
        *number = if is_new { distinct } else { *number };
        let number = *number;
        counts[0][usize::from(number)] += 1;
        if CHAINED == 3 {
            bigrams[(before * SIDE + usize::from(number)) % BIGRAMS] += 1;
            before = usize::from(number);
        }
        word = followed_by(word, number);
        words[usize::from(place)] = word;
        let first = &mut firsts[chain::<CHAINED>(word)];
        nexts[usize::from(place)] = *first;
        *first = place;
    }
    if CHAINED == 3 && usize::from(distinct) > FEW {
        return None;
    }

    let (mut word, mut before, mut of_bigrams) = (0, 0, 0);
    for &character in one {
        let number = numbers.get(character);
        counts[1][usize::from(number)] += 1;
        if CHAINED == 3 {
            let left = &mut bigrams[(before * SIDE + usize::from(number)) % BIGRAMS];
            before = usize::from(number);
            let has_match = u8::from(*left > 0);
            *left -= has_match;
            of_bigrams += u32::from(has_match);
        }
        word = followed_by(word, number);
        let lanes_of = |place: u8| lanes[common(words[usize::from(place)], word)];
        let mut place = firsts[chain::<CHAINED>(word)];
        if nexts[usize::from(place)] == 0 {
            taken[usize::from(place)] |= lanes_of(place);
            continue;
        }
        let mut left = u64::MAX;
        while place > 0 {
            let taken = &mut taken[usize::from(place)];
            let here = lanes_of(place) & left & !*taken;
            *taken |= here;
            left &= !here;
            place = nexts[usize::from(place)];
        }
    }
    let chained: u64 = taken[1..].iter().sum();
    let mut matches = std::array::from_fn(|lane| (chained >> (COUNT_BITS * lane)) as u32 & u32::from(u8::MAX));
    // Number 0 is skipped: it stands for the characters that `other` lacks.
    matches[0] = counts[0].iter().zip(&counts[1]).skip(1).map(|(&mine, &theirs)| u32::from(mine.min(theirs))).sum();
    if CHAINED == 3 {
        matches[1] = of_bigrams;
    }
    Some(matches)
}

/// The word of the next position; the latest character is in the highest byte.
#[inline]
fn followed_by(word: u64, number: u8) -> u64 {
    word >> u8::BITS | u64::from(number) << (u64::BITS - u8::BITS)
}

/// The number of leading bits that two words have in common, at most 63.
#[inline]
fn common(word: u64, other: u64) -> usize {
    (word ^ other | 1).leading_zeros() as usize
}

/// The chain of a position.
#[inline]
fn chain<const CHAINED: usize>(word: u64) -> usize {
    let ngram = (word >> (u64::BITS - u8::BITS * CHAINED as u32)) as u32;
    (ngram.wrapping_mul(0x9e37_79b1) >> (u32::BITS - CHAIN_BITS)) as usize
}

/// For each number of common bits: a count of 1 in the lane of each order from `lowest` on whose n-grams are equal.
const fn lanes(lowest: usize) -> [u64; u64::BITS as usize] {
    let mut lanes = [0; u64::BITS as usize];
    let mut common = 0;
    while common < lanes.len() {
        let mut order = lowest;
        while order <= MAX_ORDER && order * u8::BITS as usize <= common {
            lanes[common] |= 1 << (COUNT_BITS * (order - 1));
            order += 1;
        }
        common += 1;
    }
    lanes
}
