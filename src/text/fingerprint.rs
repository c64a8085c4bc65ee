//! Stage 2a. In: a token. Out: a 64-bit fingerprint. Next: counts.
//!
//! Metrics ask of tokens and n-grams only whether they are equal. A fingerprint answers that without a table shared
//! between threads, and is the same in every run. Two of a million distinct n-grams collide with a probability of
//! about 3e-8 (n^2 / 2^65), so equality of fingerprints stands for equality of text.

use xxhash_rust::xxh3::xxh3_64;

/// A token or n-gram, as 64 bits that are equal where the texts are.
pub type Fingerprint = u64;

/// The fingerprint of a token.
pub fn of_token(token: &str) -> Fingerprint {
    xxh3_64(token.as_bytes())
}

/// The fingerprint of a token in lower case; `id` is its fingerprint as it is.
pub fn of_lower(token: &str, id: Fingerprint) -> Fingerprint {
    let is_lower = token.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { id } else { of_token(&token.to_lowercase()) }
}

/// The fingerprint of the n-gram that `token` makes of the (n-1)-gram before it. Start with [`EMPTY`].
#[inline]
pub fn extend(ngram: Fingerprint, token: Fingerprint) -> Fingerprint {
    // Multiply and fold, as in the finaliser of MurmurHash3: every step is a bijection of either argument.
    let mixed = (ngram.rotate_left(23) ^ token).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 32)
}

/// The fingerprint of the n-gram of no tokens.
pub const EMPTY: Fingerprint = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn order_and_length_of_an_ngram_matter() {
        let (a, b) = (of_token("a"), of_token("b"));
        let grams = [
            extend(EMPTY, a),
            extend(EMPTY, b),
            extend(extend(EMPTY, a), b),
            extend(extend(EMPTY, b), a),
            extend(extend(EMPTY, a), a),
        ];
        assert_eq!(grams.iter().collect::<HashSet<_>>().len(), grams.len());
    }

    #[test]
    fn short_character_ngrams_do_not_collide() {
        let letters: Vec<Fingerprint> = ('a'..='z').map(u64::from).collect();
        let mut seen = HashSet::new();
        for &x in &letters {
            let one = extend(EMPTY, x);
            assert!(seen.insert(one));
            for &y in &letters {
                let two = extend(one, y);
                assert!(seen.insert(two));
                assert!(letters.iter().all(|&z| seen.insert(extend(two, z))));
            }
        }
    }
}
