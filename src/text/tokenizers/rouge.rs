//! rouge-score's tokens: runs of a-z and 0-9 in the lower-cased text; all else, including accented letters, separates.

use crate::text::bytes;

/// Calls `emit` for every token of `text`.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    // Some letters beyond ASCII have ASCII letters in their lower case.
    let lower = text.to_lowercase();
    // ASCII bytes are never part of other characters, so a run of them is a valid slice.
    let separators = bytes::places(&lower, |byte| !bytes::is_alphanumeric(byte));
    let mut start = 0;
    for end in separators.chain([lower.len()]) {
        if start < end {
            emit(&lower[start..end]);
        }
        start = end + 1;
    }
}
