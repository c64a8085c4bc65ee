//! Texts of any content on a page: control characters become visible, and nothing is read as markup.

use std::fmt;

use askama::filters::{Escaper, Html};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// What all templates escape their values with, see `askama.toml`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visible;

impl Escaper for Visible {
    fn write_escaped_str<W: fmt::Write>(&self, to: W, text: &str) -> fmt::Result {
        Html.write_escaped_str(to, &visible(text))
    }
}

/// Replaces control characters by Unicode's symbols for them, such as ␀ for NUL. Marks that change the direction of
/// writing stay, as pages isolate each text from its surroundings.
pub(super) fn visible(text: &str) -> String {
    text.chars().map(symbol).collect()
}

fn symbol(character: char) -> char {
    let code = u32::from(character);
    match character {
        '\t' | '\n' => ' ',
        '\u{7f}' => '\u{2421}',
        _ if code < 0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        _ if character.general_category() == GeneralCategory::Control => char::REPLACEMENT_CHARACTER,
        // Noncharacters are not allowed in HTML.
        _ if code & 0xfffe == 0xfffe => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// Escapes JSON for a `script` element, so that nothing in it ends the element or begins a comment.
pub(super) fn json_in_page(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_seen() {
        assert_eq!(visible("a\0b\u{1b}[31m\r\n\u{7f}\u{85}\u{ffff}"), "a␀b␛[31m␍ ␡\u{fffd}\u{fffd}");
        let kept = "שלום עולם \u{202e}abc 👩‍👩‍👧 <script>&amp;";
        assert_eq!(visible(kept), kept);
    }

    #[test]
    fn json_ends_no_element() {
        let inside = json_in_page("[\"</script><!-- & -->\"]");
        assert!(!inside.contains(['<', '>', '&']), "{inside}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&inside).unwrap(), ["</script><!-- & -->"]);
    }
}
