//! sacreBLEU's tokenisers: `13a`, the usual tokens for reported BLEU scores, `intl` and `zh`.
//!
//! All three separate punctuation by the rules of NIST's mteval script, with different [classes](Class) of characters.
//! The script applies regular expressions one after another; each sees the blanks that earlier ones inserted, and the
//! matches of one never overlap. Their joint effect: a symbol always stands alone; a point (full stop, comma) stands
//! alone unless it is between digits; in a run of points every second one counts as a digit for its neighbour.

use std::borrow::Cow;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::replaced;
use crate::text::{bytes, python_whitespace};

/// Calls `emit` for every token of mteval-v13a, sacreBLEU's `13a`.
///
/// `<skipped>` and hyphens at the end of a line are dropped; four entities are decoded one after another (so `&amp;lt;`
/// becomes `<`, but `&amp;quot;` becomes `&quot;`); then ASCII punctuation is separated. All else belongs to words.
/// White space at the end of the text is dropped first, as in BLEU.
pub fn tokenize_13a(text: &str, emit: &mut dyn FnMut(&str)) {
    separate(&replace(python_whitespace::trim_end(text)), Some(Class::Space), western, emit);
}

/// Calls `emit` for every token of mteval-v14, sacreBLEU's `intl`: punctuation and symbols of all of Unicode are
/// separated. White space at the end of the text is dropped first, as in BLEU.
///
/// P, S and N are Unicode's general categories in version 18.0, as in Python's regex 2026.11.15. A full stop after a
/// number at the end of the text stays with the number: a slip of mteval-v14 that sacreBLEU and Tribunal keep.
pub fn tokenize_intl(text: &str, emit: &mut dyn FnMut(&str)) {
    separate(python_whitespace::trim_end(text), None, international, emit);
}

/// Calls `emit` for every token of sacreBLEU's `zh`: every Chinese character is a token; the rest is tokenised as by
/// 13a, without its entities.
pub fn tokenize_zh(text: &str, emit: &mut dyn FnMut(&str)) {
    separate(text.trim_matches(python_whitespace::is_whitespace), None, chinese, emit);
}

/// The replacements, applied in this order.
const REPLACEMENTS: [(&str, &str); 6] =
    [("<skipped>", ""), ("-\n", ""), ("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];

fn replace(text: &str) -> Cow<'_, str> {
    let begins = |byte: u8| (byte == b'&') | (byte == b'<') | (byte == b'\n');
    match bytes::places(text, begins).next() {
        None => Cow::Borrowed(text),
        Some(_) => replaced(text, &REPLACEMENTS),
    }
}

/// The classes of characters that the rules distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
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

/// Splits text into tokens. `edge` is the class assumed before and after the text: none, or white space. ASCII letters
/// must be of the class [`Class::Other`], ASCII digits of [`Class::Digit`], and the blank of [`Class::Space`].
fn separate(text: &str, edge: Option<Class>, classify: impl Fn(char) -> Class, emit: &mut dyn FnMut(&str)) {
    let is_no_digit = |neighbour: Option<Class>| neighbour.is_some_and(|class| class != Class::Digit);
    // The start of the current token, and the first byte not yet examined.
    let (mut start, mut next, mut previous) = (0, 0, edge);
    // Whether the rule "a non-digit, then a point" has consumed the previous character.
    let mut used = false;
    // ASCII letters and digits are examined only if a neighbour requires it.
    for at in bytes::places(text, |byte| !bytes::is_alphanumeric(byte)) {
        if text.as_bytes()[at] == b' ' {
            // The most frequent separator; the rules below would give the same.
            if start < at {
                emit(&text[start..at]);
            }
            (start, next, previous, used) = (at + 1, at + 1, Some(Class::Space), false);
            continue;
        }
        if at > next {
            (previous, used) = (Some(classify(char::from(text.as_bytes()[at - 1]))), false);
        }
        // No character begins at a byte inside one already examined.
        let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        next = at + character.len_utf8();
        let class = classify(character);
        let follows_no_digit = class == Class::Point && !used && is_no_digit(previous);
        let alone = match class {
            Class::Space | Class::Symbol => true,
            Class::Point => {
                follows_no_digit || is_no_digit(text[next..].chars().next().map_or(edge, |next| Some(classify(next))))
            }
            Class::Dash => previous == Some(Class::Digit),
            Class::Digit | Class::Other => false,
        };
        if alone {
            if start < at {
                emit(&text[start..at]);
            }
            if class != Class::Space {
                emit(&text[at..next]);
            }
            start = next;
        }
        (previous, used) = (Some(class), follows_no_digit);
    }
    if start < text.len() {
        emit(&text[start..]);
    }
}

/// The class of a character in the rules for Western languages, which know only ASCII punctuation.
fn western(character: char) -> Class {
    match character {
        '0'..='9' => Class::Digit,
        'A'..='Z' | 'a'..='z' | '\'' => Class::Other,
        '.' | ',' => Class::Point,
        '-' => Class::Dash,
        '!'..='~' => Class::Symbol,
        _ if python_whitespace::is_whitespace(character) => Class::Space,
        _ => Class::Other,
    }
}

/// The classes for `intl`.
fn international(character: char) -> Class {
    match character {
        'A'..='Z' | 'a'..='z' => return Class::Other,
        '0'..='9' => return Class::Digit,
        _ if python_whitespace::is_whitespace(character) => return Class::Space,
        _ => {}
    }
    match character.general_category_group() {
        GeneralCategoryGroup::Punctuation => Class::Point,
        GeneralCategoryGroup::Symbol => Class::Symbol,
        GeneralCategoryGroup::Number => Class::Digit,
        _ => Class::Other,
    }
}

/// The classes for `zh`: Chinese characters are symbols.
fn chinese(character: char) -> Class {
    match western(character) {
        Class::Other if is_chinese(character) => Class::Symbol,
        class => class,
    }
}

/// sacreBLEU's list of blocks. The last two blocks are a slip of sacreBLEU: instead of the ideographs of the
/// supplementary planes (U+20000 to U+2A6D6, U+2F800 to U+2FA1D) the list names U+2001 to U+2A6D and U+2F81 to U+2FA1.
/// Tribunal keeps the slip: typographic quotes, arrows and box drawings stand alone, rare ideographs do not.
#[rustfmt::skip]
fn is_chinese(character: char) -> bool {
    matches!(
        character,
        // Ideographs with extension A, compatibility ideographs.
        '\u{3400}'..='\u{4db5}' | '\u{4e00}'..='\u{9fbb}'
        | '\u{f900}'..='\u{fa2d}' | '\u{fa30}'..='\u{fa6a}' | '\u{fa70}'..='\u{fad9}'
        // Full-width forms, radicals, punctuation, strokes.
        | '\u{ff00}'..='\u{ffef}' | '\u{2e80}'..='\u{2eff}' | '\u{3000}'..='\u{303f}' | '\u{31c0}'..='\u{31ef}'
        // Kangxi radicals, description characters, Bopomofo.
        | '\u{2f00}'..='\u{2fdf}' | '\u{2ff0}'..='\u{2fff}' | '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}'
        // Vertical forms, miscellaneous symbols, enclosed and squared letters.
        | '\u{fe10}'..='\u{fe1f}' | '\u{fe30}'..='\u{fe4f}' | '\u{2600}'..='\u{27bf}' | '\u{3200}'..='\u{33ff}'
        // The slip; its second block, U+2F81 to U+2FA1, lies within the Kangxi radicals.
        | '\u{2001}'..='\u{2a6d}'
    )
}

#[cfg(test)]
mod tests {
    use crate::text::Tokenizer;

    // sacrebleu 2.6.0: sacrebleu.metrics.BLEU(tokenize=...)._preprocess_segment(text)
    #[test]
    fn as_sacrebleu_cuts() {
        let check = |tokenizer: Tokenizer, text: &str, expected: &str| {
            assert_eq!(tokenizer.tokens(text).join(" "), expected, "{tokenizer:?}");
        };
        for (text, expected) in [
            ("Hello, world! It's 3.5% (or $1,250.50).", "Hello , world ! It's 3.5 % ( or $ 1,250.50 ) ."),
            ("&quot;a&quot; &amp;lt;b&amp;gt; &amp;quot; &apos;", "\" a \" < b > & quot ; & apos ;"),
            ("a<skipped>b co-\noperate a\nb end-\n", "ab cooperate a b end-"),
            ("..5 5..5 a,,b 3-4 3-a a-3 1990-91", ". .5 5 . . 5 a , , b 3 - 4 3 - a a-3 1990 - 91"),
            (" Zürich. «né» 5٫5 ٣.٣ ", "Zürich . «né» 5٫5 ٣ . ٣"),
            ("a\u{1c}b\u{a0}c\u{200b}d\u{0}e", "a b c\u{200b}d\u{0}e"),
            ("\n", ""),
        ] {
            check(Tokenizer::V13a, text, expected);
        }
        for (text, expected) in [
            ("«Né» — it's 3.5%, «½–¾»…", "« Né » — it ' s 3.5 % , « ½–¾ » …"),
            ("In 1998.", "In 1998."),
            ("In 1998. ", "In 1998."),
            ("\"5\" .5", "\"5 \" . 5"),
            ("well-known 3-4 a--b ٣٫٣ ₂+²", "well - known 3-4 a - - b ٣٫٣ ₂ + ²"),
            ("\u{20c1}5 \u{11de0}.\u{11de0}", "\u{20c1} 5 \u{11de0}.\u{11de0}"),
        ] {
            check(Tokenizer::Intl, text, expected);
        }
        for (text, expected) in [
            ("我喜歡ABC。", "我 喜 歡 ABC 。"),
            (" .5元，3.5% 5.", ".5 元 ， 3.5 % 5."),
            ("“a”→b–c 𠀀𠀁", "“ a ” → b – c 𠀀𠀁"),
            ("&quot;é\u{1f}è", "& quot ; é è"),
            ("--- 5-6\n", "--- 5 - 6"),
        ] {
            check(Tokenizer::Chinese, text, expected);
        }
    }

    #[test]
    fn the_categories_are_those_of_unicode_18() {
        assert_eq!(unicode_properties::UNICODE_VERSION, (18, 0, 0));
    }
}
