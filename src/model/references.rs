//! In: what a model file says of the references that it was trained on. Out: whether a reference is one of them. Next:
//! workflows, which warn where it is.

use std::collections::HashSet;

use crate::text::fingerprint;

/// The most references that a model file can tell of: their fingerprints take 54 MB of the 64 MB that are read.
pub const MOST_REFERENCES: usize = 3_000_000;

/// The references that a model was trained on, as 32-bit fingerprints. Beside 10,000 of them, two of a million other
/// references are taken for known by chance.
#[derive(Debug, Clone, Default)]
pub struct KnownReferences(HashSet<String>);

impl KnownReferences {
    /// Those with these fingerprints.
    pub fn of(fingerprints: &[String]) -> Self {
        Self(fingerprints.iter().cloned().collect())
    }

    /// Whether nothing is known of them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the model was trained on a reference of the same words.
    pub fn has(&self, reference: &str) -> bool {
        self.0.contains(&reference_fingerprint(reference))
    }
}

/// What two writings of the same reference share.
pub fn reference_fingerprint(reference: &str) -> String {
    let key = crate::judgments::grouping::key(reference);
    format!("{:08x}", fingerprint::of_token(&key) >> 32)
}
