//! What all templates of pages and charts share: rendering, and escaping that shows control characters.

use std::fmt;

use askama::Template;
use askama::filters::{Escaper, Html};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::error::{Error, Result};

/// Renders a template.
pub(super) fn rendered(template: &impl Template) -> Result<String> {
    template.render().map_err(|error| not_rendered(&error))
}

/// The error of a page, which is a bug.
pub(super) fn not_rendered(error: &dyn std::error::Error) -> Error {
    Error::invalid("page", "numbers and texts", error.to_string(), "report this as a bug")
}

/// What all templates escape their values with, see `askama.toml`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visible;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_rendered_is_an_error() {
        #[derive(Template)]
        #[template(source = "{{ value }}", ext = "txt")]
        struct Failing {
            value: Broken,
        }
        struct Broken;
        impl std::fmt::Display for Broken {
            fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                Err(std::fmt::Error)
            }
        }
        let message = rendered(&Failing { value: Broken }).unwrap_err().to_string();
        assert!(
            message.starts_with("page: expected numbers and texts, found ") && message.contains("bug"),
            "{message}"
        );
    }

    #[test]
    fn what_hides_is_seen() {
        assert_eq!(visible("a\0b\u{1b}[31m\r\n\u{7f}\u{85}\u{ffff}"), "a␀b␛[31m␍ ␡\u{fffd}\u{fffd}");
        let kept = "שלום עולם \u{202e}abc 👩‍👩‍👧 <script>&amp;";
        assert_eq!(visible(kept), kept);
    }
}
