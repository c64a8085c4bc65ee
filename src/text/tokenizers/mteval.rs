//! The rules by which NIST's mteval script separates punctuation, in one pass over the text.
//!
//! The script applies regular expressions one after another; each sees the blanks that earlier ones inserted, and the
//! matches of one never overlap. Their joint effect: a symbol always stands alone; a point (full stop, comma) stands
//! alone unless it is between digits; in a run of points every second one counts as a digit for its neighbour. Three of
//! sacreBLEU's tokenisers use these rules with different [classes](Class) of characters.

use crate::text::bytes;

/// The classes of characters that the rules distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// White space: separates, and is dropped.
    Space,
    /// Always a token of its own.
    Symbol,
    /// A token of its own, unless it is part of a number.
    Point,
    /// Keeps points between digits in one token.
    Digit,
    /// A token of its own after a digit.
    Dash,
    /// Part of a word.
    Other,
}

/// Splits text into tokens. `edge` is the class assumed before and after the text: none, or white space.
pub fn separate(text: &str, edge: Option<Class>, classify: impl Fn(char) -> Class, emit: &mut dyn FnMut(&str)) {
    let is_no_digit = |neighbour: Option<Class>| neighbour.is_some_and(|class| class != Class::Digit);
    let mut start = 0;
    let mut previous = edge;
    // Whether the rule "a non-digit, then a point" has consumed the previous character.
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

/// [`separate`] by a table of byte classes, with white space as the edge. Of the characters beyond ASCII only white
/// space separates.
///
/// In the table ASCII letters are [`Class::Other`], digits [`Class::Digit`] and the space [`Class::Space`]. Beyond
/// ASCII, bytes that can start white space are [`Class::Space`] and all others [`Class::Other`].
pub fn separate_bytes(
    text: &str,
    classes: &[Class; 256],
    is_whitespace: impl Fn(char) -> bool,
    emit: &mut dyn FnMut(&str),
) {
    let class_at = |at: usize| text.as_bytes().get(at).map_or(Class::Space, |&byte| classes[usize::from(byte)]);
    // The start of the current token, and the first byte not yet examined.
    let (mut start, mut next, mut previous, mut used) = (0, 0, Class::Space, false);
    // Letters and digits are examined only if a neighbour requires it.
    for at in bytes::places(text, |byte| !bytes::is_alphanumeric(byte)) {
        if text.as_bytes()[at] == b' ' {
            // The most frequent separator; the rules below would give the same.
            if start < at {
                emit(&text[start..at]);
            }
            (start, next, previous, used) = (at + 1, at + 1, Class::Space, false);
            continue;
        }
        if at > next {
            (previous, used) = (class_at(at - 1), false);
        } else if at < next {
            // A byte inside a character already examined.
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
