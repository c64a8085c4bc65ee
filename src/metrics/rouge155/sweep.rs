//! Skip-bigrams with at least one token that is unique in both texts, without a limit to the gap.
//!
//! Let the unique token a be at x in the hypothesis and at y in the reference, and let t be at p_1 < p_2 < ... and q_1
//! < q_2 < .... The skip-bigram (t, a) occurs at least k times in both texts if p_k < x and q_k < y; likewise (a, t)
//! with the k-th positions from the end. The clipped matches are therefore the number, over all tokens t and all k, of
//! unique tokens that lie after both k-th positions from the start, or before both k-th positions from the end: one
//! sweep over the hypothesis, with a tree over the positions of the reference.

use super::numbered::{Text, once};
use crate::text::fenwick::Fenwick;

/// Clipped matches of these skip-bigrams. O((|h| + |r|) log |r|) steps.
pub(super) fn hits(own: &Text, theirs: &Text) -> u64 {
    let is_once = |token: usize| once(own, theirs, token);
    let singles = own.tokens.iter().flatten().filter(|&&token| is_once(token)).count() as u64;
    // The number of unique tokens before each position of the reference.
    let mut before = Vec::with_capacity(theirs.tokens.len());
    let mut passed = 0_u64;
    for token in &theirs.tokens {
        before.push(passed);
        passed += u64::from(token.is_some_and(is_once));
    }
    let (mut tree, mut swept, mut hits) = (Fenwick::new(theirs.tokens.len()), 0, 0);
    let mut turn = vec![0; own.places.len()];
    for &token in own.tokens.iter().flatten() {
        let places = &theirs.places[token];
        if is_once(token) {
            hits += tree.below(places[0]);
            tree.add(places[0]);
            swept += 1;
            continue;
        }
        let from_start = turn[token];
        turn[token] += 1;
        if let Some(&place) = places.get(from_start) {
            // Inclusion-exclusion: the unique tokens after both positions.
            hits += singles + tree.below(place) - swept - before[place];
        }
        let from_end = own.places[token].len() - from_start;
        if let Some(at) = places.len().checked_sub(from_end) {
            hits += tree.below(places[at]);
        }
    }
    hits
}
