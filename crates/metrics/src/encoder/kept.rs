//! Encoded texts that were used last, in bounded memory.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::Encoded;

/// A text and a layer.
pub type Key = u128;

/// The key of a text at a layer.
pub fn key(text: &str, layer: usize) -> Key {
    xxh3_128_with_seed(text.as_bytes(), layer as u64)
}

/// The most bytes of hidden states in a generation.
pub const MAX_BYTES: usize = 96 << 20;

/// Two generations of texts: when the younger is full, the older is forgotten.
#[derive(Debug, Default)]
pub struct Kept {
    young: FxHashMap<Key, Arc<Encoded>>,
    old: FxHashMap<Key, Arc<Encoded>>,
    /// The bytes of the younger generation.
    bytes: usize,
}

impl Kept {
    /// A text that is still kept; it is young again.
    pub fn get(&mut self, key: Key) -> Option<Arc<Encoded>> {
        if let Some(known) = self.young.get(&key) {
            return Some(Arc::clone(known));
        }
        let known = self.old.remove(&key)?;
        self.insert(key, Arc::clone(&known));
        Some(known)
    }

    /// Keeps a text.
    pub fn insert(&mut self, key: Key, encoded: Arc<Encoded>) {
        self.bytes += size_of::<f32>() * (encoded.states.len() + encoded.mean.len());
        self.young.insert(key, encoded);
        if self.bytes > MAX_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}
