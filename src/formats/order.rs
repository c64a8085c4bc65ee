//! The order of two hypotheses where a file says nothing of it: drawn from their texts.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::judgments::Pair;

/// Whether two hypotheses change places: pseudo-random, but always the same for the same texts, in either order.
pub(crate) fn is_swapped(segment: &str, a: &str, b: &str) -> bool {
    let seed = xxh3_64_with_seed(segment.as_bytes(), 0);
    let hash = |text: &str| xxh3_64_with_seed(text.as_bytes(), seed);
    hash(a) > hash(b)
}

/// A pair with all that stands beside it, in an order that is drawn from its texts: where the first hypothesis is
/// always the preferred one, the label is then not always 1, and is the same every time.
pub(crate) fn drawn_order(pair: Pair) -> Pair {
    let [first, second] = &pair.hypotheses;
    let seed = pair.references_or_prompt().first().map_or("", String::as_str);
    if is_swapped(seed, first, second) { pair.swapped() } else { pair }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_positions_have_better_hypotheses() {
        let swapped = (0..1000).filter(|number| is_swapped("s", &format!("better {number}"), &format!("{number}")));
        let count = swapped.count();
        assert!((400..600).contains(&count), "{count}");
        assert_ne!(is_swapped("s", "a", "b"), is_swapped("s", "b", "a"));
    }
}
