//! White space as Python's `str.split()` and `str.strip()` define it.
//!
//! Unicode's `White_Space`, as in Rust, plus four separators: U+001C to U+001F.

use super::bytes;

/// True for the characters at which Python's `str.split()` splits.
pub fn is_whitespace(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// Python's `text.split()`.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    // White space is a control character, the space, or starts with one of these bytes: U+0085, U+00A0; U+1680; U+2000
    // to U+205F; U+3000.
    let may_begin = |byte: u8| (byte <= b' ') | (byte == 0xc2) | (byte.wrapping_sub(0xe1) < 3);
    let mut places = bytes::places(text, may_begin);
    let mut start = 0;
    std::iter::from_fn(move || {
        for place in places.by_ref() {
            let Some(character) = text[place..].chars().next().filter(|&character| is_whitespace(character)) else {
                continue;
            };
            let token = &text[start..place];
            start = place + character.len_utf8();
            if !token.is_empty() {
                return Some(token);
            }
        }
        let last = &text[start..];
        start = text.len();
        (!last.is_empty()).then_some(last)
    })
}

/// Python's `text.rstrip()`.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn bytes_are_cut_as_characters_are(text in "[ab \\t\\x1c\\x00é\u{85}\u{a0}£\u{1680}\u{2003}“我\u{3000}]{0,90}") {
            let cut: Vec<&str> = text.split(is_whitespace).filter(|token| !token.is_empty()).collect();
            prop_assert_eq!(split(&text).collect::<Vec<_>>(), cut);
        }
    }
}
