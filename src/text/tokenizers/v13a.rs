//! sacreBLEU's `13a`, the tokens of mteval-v13a: the usual tokens for reported BLEU scores.
//!
//! `<skipped>` and hyphens at the end of a line are dropped; four entities are decoded one after another (so `&amp;lt;`
//! becomes `<`, but `&amp;quot;` becomes `&quot;`); then ASCII punctuation is separated. All else belongs to words.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::mteval::{self, Class};
use crate::text::{bytes, python_whitespace};

/// The replacements, applied in this order.
const REPLACEMENTS: [(&str, &str); 6] =
    [("<skipped>", ""), ("-\n", ""), ("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];

/// [`classify`] by byte; see [`mteval::separate_bytes`].
static CLASSES: LazyLock<[Class; 256]> = LazyLock::new(|| {
    std::array::from_fn(|code| match code as u8 {
        // The first bytes of U+0085, U+00A0; U+1680; U+2000 to U+205F; U+3000.
        0xc2 | 0xe1 | 0xe2 | 0xe3 => Class::Space,
        0x80.. => Class::Other,
        ascii => classify(char::from(ascii)),
    })
});

/// Calls `emit` for every token of `text`. White space at the end of the text is dropped first, as in BLEU.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    let text = replace(python_whitespace::trim_end(text));
    mteval::separate_bytes(&text, &CLASSES, python_whitespace::is_whitespace, emit);
}

fn replace(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    let occurs = |byte: u8| (byte == b'&') | (byte == b'<') | (byte == b'\n');
    if bytes::places(&text, occurs).next().is_none() {
        return text;
    }
    for (pattern, replacement) in REPLACEMENTS {
        if text.contains(pattern) {
            text = Cow::Owned(text.replace(pattern, replacement));
        }
    }
    text
}

/// The class of a character in the rules for Western languages, which know only ASCII punctuation.
pub fn classify(character: char) -> Class {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> String {
        let mut tokens = Vec::new();
        tokenize(text, &mut |token| tokens.push(token.to_owned()));
        tokens.join(" ")
    }

    // sacrebleu 2.6.0: sacrebleu.metrics.BLEU(tokenize="13a")._preprocess_segment(text)
    #[test]
    fn as_sacrebleu_cuts() {
        for (text, expected) in [
            ("Hello, world! It's 3.5% (or $1,250.50).", "Hello , world ! It's 3.5 % ( or $ 1,250.50 ) ."),
            ("&quot;a&quot; &amp;lt;b&amp;gt; &amp;quot; &apos;", "\" a \" < b > & quot ; & apos ;"),
            ("a<skipped>b co-\noperate a\nb end-\n", "ab cooperate a b end-"),
            ("..5 5..5 a,,b 3-4 3-a a-3 1990-91", ". .5 5 . . 5 a , , b 3 - 4 3 - a a-3 1990 - 91"),
            (" Zürich. «né» 5٫5 ٣.٣ ", "Zürich . «né» 5٫5 ٣ . ٣"),
            ("a\u{1c}b\u{a0}c\u{200b}d\u{0}e", "a b c\u{200b}d\u{0}e"),
            ("\n", ""),
        ] {
            assert_eq!(tokens(text), expected);
        }
    }

    proptest! {
        #[test]
        fn bytes_are_cut_as_characters_are(text in "[ab0-9.,! &;<\n\x1cé\u{85}\u{a0}£我\u{3000}\u{2003}“\u{1680}-]{0,24}") {
            let mut cut = Vec::new();
            let replaced = replace(python_whitespace::trim_end(&text));
            mteval::separate(&replaced, Some(Class::Space), classify, &mut |token| cut.push(token.to_owned()));
            prop_assert_eq!(tokens(&text), cut.join(" "));
        }
    }
}
