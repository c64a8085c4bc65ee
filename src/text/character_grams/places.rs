//! Clipped character n-gram matches of two texts, one of them very short, without building, sorting or looking up
//! n-grams.
//!
//! As in [`crate::text::overlap`]: a 64-bit word per character marks its positions in the short text. A shift and an
//! AND turn the end positions of an (n-1)-gram into those of the n-gram that ends at the next character of the long
//! text. Each match uses up one position.

use super::MAX_ORDER;

/// The greatest length of the short text.
pub const CAPACITY: usize = u64::BITS as usize;

/// From this order on most n-grams occur once in a text.
const OFTEN_SINGLE: usize = 3;

/// Clipped matches of each order from 1 to [`MAX_ORDER`]: the sum over n-grams g of min(long(g), short(g)). The short
/// text has at most [`CAPACITY`] characters.
pub fn matches(long: &[u8], short: &[u8]) -> [u32; MAX_ORDER] {
    let mut places_of = [0_u64; 256];
    for (place, &character) in short.iter().enumerate() {
        places_of[usize::from(character)] |= 1 << place;
    }
    // Per order: the positions in the short text where the current n-gram ends, and those already matched.
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
            // There is one position at most, so it is either matched here or was before.
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
