//! The character n-grams of two texts of which one is very short: none is built, sorted or looked up.
//!
//! As in [`crate::text::overlap`]: each character has a word of 64 bits that says at which places of the short text it
//! stands. Where the n-grams that end at a character of the long text end in the short one follows from where the
//! (n-1)-grams before it end, by a shift and an and, and each match takes one place.

use super::MAX_ORDER;

/// The longest short text.
pub const CAPACITY: usize = u64::BITS as usize;

/// From this order on most n-grams stand once in a text.
const OFTEN_SINGLE: usize = 3;

/// Clipped matches of each order from 1 to [`MAX_ORDER`]: the sum over n-grams g of min(long(g), short(g)). The short
/// text has at most [`CAPACITY`] characters.
pub fn matches(long: &[u8], short: &[u8]) -> [u32; MAX_ORDER] {
    let mut places_of = [0_u64; 256];
    for (place, &character) in short.iter().enumerate() {
        places_of[usize::from(character)] |= 1 << place;
    }
    // For each order the places where the n-gram that ends here ends in the short text, and those that have had a
    // match.
    let (mut ends, mut taken) = ([0_u64; MAX_ORDER], [0_u64; MAX_ORDER]);
    for &character in long {
        let here = places_of[usize::from(character)];
        for lane in (1..MAX_ORDER).rev() {
            ends[lane] = ends[lane - 1] << 1 & here;
        }
        ends[0] = here;
        let take_one = |ends: u64, taken: &mut u64| {
            let free = ends & !*taken;
            *taken |= free & free.wrapping_neg();
        };
        let (often, seldom) = taken.split_at_mut(OFTEN_SINGLE - 1);
        for (taken, &ends) in often.iter_mut().zip(&ends) {
            take_one(ends, taken);
        }
        let ends = &ends[OFTEN_SINGLE - 1..];
        if ends[0] & ends[0].wrapping_sub(1) == 0 {
            // The only place is the one that is taken, or was.
            for (taken, &ends) in seldom.iter_mut().zip(ends) {
                *taken |= ends;
            }
        } else {
            for (taken, &ends) in seldom.iter_mut().zip(ends) {
                take_one(ends, taken);
            }
        }
    }
    taken.map(u64::count_ones)
}
