//! rouge-score's tokens: runs of a-z and 0-9 in lower case; all else, accented letters too, separates.

/// Calls `emit` for every token of `text`.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    let lower = text.to_lowercase();
    let is_token = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    // Bytes of ASCII are never parts of other characters, so that a run of them can be cut out anywhere.
    let (bytes, mut start) = (lower.as_bytes(), 0);
    while let Some(skipped) = bytes[start..].iter().position(is_token) {
        start += skipped;
        let length = bytes[start..].iter().position(|byte| !is_token(byte)).unwrap_or(bytes.len() - start);
        emit(&lower[start..start + length]);
        start += length;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_but_ascii_letters_and_digits_separate() {
        let tokens = super::super::Tokenizer::Rouge.tokens("Müller's 3.5% \u{212a}elvin");
        // The Kelvin sign in lower case is the letter k.
        assert_eq!(tokens, ["m", "ller", "s", "3", "5", "kelvin"]);
    }
}
