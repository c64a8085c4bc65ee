//! The rules by which NIST's mteval script separates punctuation, in one pass over the text.
//!
//! The script applies regular expressions one after the other; each of them sees the blanks that the ones before put
//! in, and none sees a character twice. What they come to: a symbol always stands alone; a point (full stop, comma)
//! stands alone unless it is between digits; of points in a row every second one counts as a digit for its neighbour.
//! Three tokenisers of sacreBLEU do this with different [classes](Class) of characters.

use crate::text::bytes;

/// What the rules tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// White space: cut, and dropped.
    Space,
    /// Always a token of its own.
    Symbol,
    /// A token of its own, unless it is part of a number.
    Point,
    /// Holds points together.
    Digit,
    /// A token of its own where it follows a digit.
    Dash,
    /// Part of a word.
    Other,
}

/// Cuts text into tokens. `edge` is what stands before and after the text: nothing, or white space.
pub fn separate(text: &str, edge: Option<Class>, classify: impl Fn(char) -> Class, emit: &mut dyn FnMut(&str)) {
    let is_no_digit = |neighbour: Option<Class>| neighbour.is_some_and(|class| class != Class::Digit);
    let mut start = 0;
    let mut previous = edge;
    // The rule "a character that is no digit, then a point" has used the previous character up.
    let mut used = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let class = classify(character);
        let follows_no_digit = class == Class::Point && !used && is_no_digit(previous);
        let alone = match class {
            Class::Space | Class::Symbol => true,
            Class::Point => {
                let next = characters.peek().map_or(edge, |&(_, next)| Some(classify(next)));
                follows_no_digit || is_no_digit(next)
            }
            Class::Dash => previous == Some(Class::Digit),
            Class::Digit | Class::Other => false,
        };
        if alone {
            if start < at {
                emit(&text[start..at]);
            }
            let end = at + character.len_utf8();
            if class != Class::Space {
                emit(&text[at..end]);
            }
            start = end;
        }
        (previous, used) = (Some(class), follows_no_digit);
    }
    if start < text.len() {
        emit(&text[start..]);
    }
}

/// [`separate`] by a table for text with white space at its edges; of characters beyond ASCII only white space
/// separates.
///
/// The table has classes for the bytes of UTF-8, of which letters and digits of ASCII are [`Class::Other`] and
/// [`Class::Digit`], and the space is [`Class::Space`]. Beyond ASCII it has [`Class::Space`] for those that white space begins with, and [`Class::Other`]
/// for all others.
pub fn separate_bytes(
    text: &str,
    classes: &[Class; 256],
    is_whitespace: impl Fn(char) -> bool,
    emit: &mut dyn FnMut(&str),
) {
    let class_at = |at: usize| text.as_bytes().get(at).map_or(Class::Space, |&byte| classes[usize::from(byte)]);
    // Where the token begins, and where nothing has been looked at yet.
    let (mut start, mut next, mut previous, mut used) = (0, 0, Class::Space, false);
    // Letters and digits are looked at only where their neighbour asks.
    for at in bytes::places(text, |byte| !bytes::is_alphanumeric(byte)) {
        if text.as_bytes()[at] == b' ' {
            // Most of what separates; the rules below come to the same.
            if start < at {
                emit(&text[start..at]);
            }
            (start, next, previous, used) = (at + 1, at + 1, Class::Space, false);
            continue;
        }
        if at > next {
            (previous, used) = (class_at(at - 1), false);
        } else if at < next {
            // A byte of a character that was looked at.
            continue;
        }
        let length =
            if text.as_bytes()[at].is_ascii() { 1 } else { text[at..].chars().next().map_or(1, char::len_utf8) };
        let class = if length == 1 || text[at..].starts_with(&is_whitespace) { class_at(at) } else { Class::Other };
        let follows_no_digit = class == Class::Point && !used && previous != Class::Digit;
        let alone = match class {
            Class::Point => follows_no_digit || class_at(at + 1) != Class::Digit,
            Class::Dash => previous == Class::Digit,
            Class::Space | Class::Symbol => true,
            Class::Digit | Class::Other => false,
        };
        if alone {
            if start < at {
                emit(&text[start..at]);
            }
            if class != Class::Space {
                emit(&text[at..at + length]);
            }
            start = at + length;
        }
        next = at + length;
        (previous, used) = (class, follows_no_digit);
    }
    if start < text.len() {
        emit(&text[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str, edge: Option<Class>) -> Vec<String> {
        let classify = |character| match character {
            ' ' => Class::Space,
            '!' => Class::Symbol,
            '.' => Class::Point,
            '0'..='9' => Class::Digit,
            '-' => Class::Dash,
            _ => Class::Other,
        };
        let mut tokens = Vec::new();
        separate(text, edge, classify, &mut |token| tokens.push(token.to_owned()));
        tokens
    }

    #[test]
    fn points_stay_between_digits_only() {
        assert_eq!(
            tokens("a 3.5 b.5 5.b c.", Some(Class::Space)),
            ["a", "3.5", "b", ".", "5", "5", ".", "b", "c", "."]
        );
    }

    #[test]
    fn of_points_in_a_row_every_second_is_looked_at_from_the_left() {
        assert_eq!(tokens("a..5", Some(Class::Space)), ["a", ".", ".5"]);
        assert_eq!(tokens("a...5", Some(Class::Space)), ["a", ".", ".", ".", "5"]);
        assert_eq!(tokens("5..5", Some(Class::Space)), ["5", ".", ".", "5"]);
    }

    #[test]
    fn points_and_dashes_at_a_bare_edge_stay_where_they_are() {
        assert_eq!(tokens(".5 5.", Some(Class::Space)), [".", "5", "5", "."]);
        assert_eq!(tokens(".5 5.", None), [".5", "5."]);
        assert_eq!(tokens("-a-", None), ["-a-"]);
    }

    #[test]
    fn dashes_are_cut_after_digits_and_symbols_anywhere() {
        assert_eq!(tokens("a-b 5-b a-5 !a!!", Some(Class::Space)), ["a-b", "5", "-", "b", "a-5", "!", "a", "!", "!"]);
    }
}
