//! rouge-score's tokens: runs of a-z and 0-9 in lower case; all else, accented letters too, separates.

use crate::text::bytes;

/// Calls `emit` for every token of `text`.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    // Letters beyond ASCII may become some of it in lower case.
    let lower = text.to_lowercase();
    // Bytes of ASCII are never parts of other characters, so that a run of them can be cut out anywhere.
    let separators = bytes::places(&lower, |byte| !bytes::is_alphanumeric(byte));
    let mut start = 0;
    for end in separators.chain([lower.len()]) {
        if start < end {
            emit(&lower[start..end]);
        }
        start = end + 1;
    }
}
