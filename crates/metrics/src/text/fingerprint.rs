//! 64-bit fingerprints of tokens and n-grams.
//!
//! Metrics only compare tokens and n-grams for equality. Fingerprints allow that without a table shared between
//! threads, and are the same in every run. Among a million distinct n-grams two collide with a probability of about
//! 3e-8 (n^2 / 2^65), so equal fingerprints are taken as equal texts.

use xxhash_rust::xxh3::xxh3_64;

/// A token or n-gram as 64 bits; equal texts have equal fingerprints.
pub type Fingerprint = u64;

/// The fingerprint of a token.
pub fn of_token(token: &str) -> Fingerprint {
    xxh3_64(token.as_bytes())
}

/// The fingerprint of the lower-cased token; `id` is the fingerprint of the token as written.
pub fn of_lower(token: &str, id: Fingerprint) -> Fingerprint {
    let is_lower = token.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { id } else { of_token(&token.to_lowercase()) }
}

/// The fingerprint of the n-gram that consists of an (n-1)-gram and `token`. Start with [`EMPTY`].
#[inline]
pub fn extend(ngram: Fingerprint, token: Fingerprint) -> Fingerprint {
    // Multiply and fold, as in the finaliser of MurmurHash3: every step is a bijection in either argument.
    let mixed = (ngram.rotate_left(23) ^ token).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 32)
}

/// The fingerprint of the empty n-gram.
pub const EMPTY: Fingerprint = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

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
