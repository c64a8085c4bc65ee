//! Stage 2. White space as Python's `str.split()` and `str.strip()` know it. Next: tokenizers.
//!
//! Unicode's `White_Space`, which is Rust's, and four separators more: U+001C to U+001F.

/// True for the characters at which Python's `str.split()` cuts.
pub fn is_whitespace(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// Python's `text.split()`.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_whitespace).filter(|token| !token.is_empty())
}

/// Python's `text.rstrip()`.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_separators_are_white_space() {
        let tokens: Vec<&str> = split("\u{1f}a\u{1c}b \u{a0}\u{85}c\u{3000}d\u{200b}e\u{1e}").collect();
        assert_eq!(tokens, ["a", "b", "c", "d\u{200b}e"]);
        assert_eq!(trim_end(" a\u{1d}\n\u{2029}"), " a");
        assert_eq!(split(" \u{1c}").count(), 0);
    }

    #[test]
    fn there_are_29_characters_of_white_space() {
        // sum(chr(c).isspace() for c in range(0x110000)) of Python 3.11.7.
        assert_eq!(('\0'..=char::MAX).filter(|&character| is_whitespace(character)).count(), 29);
    }
}
