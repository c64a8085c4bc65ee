//! Fingerprints of training references, which tell whether a model has seen a reference.

use crate::text::fingerprint;

/// The most references that a model file can list: their fingerprints take 54 MB of the 64 MB that may be read.
pub const MOST_REFERENCES: usize = 3_000_000;

/// The references that a model was trained on, as 32-bit fingerprints. With 10,000 of them, about two in a million
/// other references are recognised by mistake.
#[derive(Debug, Clone, Default)]
pub struct KnownReferences(Vec<u32>);

impl KnownReferences {
    /// References with these fingerprints, of eight hexadecimal digits each.
    pub fn new(fingerprints: &[String]) -> Self {
        let numbers = fingerprints.iter().filter_map(|digits| u32::from_str_radix(digits, 16).ok());
        let mut known: Vec<u32> = numbers.collect();
        // In model files they are already sorted.
        known.sort_unstable();
        Self(known)
    }

    /// Whether there are no known references.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the model was trained on a reference of the same words.
    pub fn has(&self, reference: &str) -> bool {
        self.0.binary_search(&number(reference)).is_ok()
    }
}

/// The fingerprint of a reference, the same for raw and tokenised versions.
pub fn reference_fingerprint(reference: &str) -> String {
    format!("{:08x}", number(reference))
}

fn number(reference: &str) -> u32 {
    let key = crate::judgments::grouping::key(reference);
    (fingerprint::of_token(&key) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_known_by_their_words() {
        let known = KnownReferences::new(&["The cat sat.", "A dog."].map(reference_fingerprint));
        assert!(known.has("The cat sat .") && known.has("A dog.") && !known.has("A cat."));
        assert!(KnownReferences::new(&[]).is_empty());
    }
}
