//! Words and punctuation marks that are the same whether a text is raw or already tokenised.
//!
//! Entities are decoded and compatibility characters unified (NFKC). A word is a run of letters, digits and combining
//! marks; a number keeps its inner points and commas; an ideograph is a word of its own; the endings `n't 's 're 've
//! 'll 'd 'm` are words, with or without a space before them. All other characters separate.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::replaced;
use crate::text::bytes;

/// Entities that tokenisers and web pages write, and their characters.
pub(in crate::text) const ENTITIES: [(&str, &str); 9] = [
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&#39;", "'"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&#91;", "["),
    ("&#93;", "]"),
    ("&#124;", "|"),
    // Last, so that nothing is decoded twice.
    ("&amp;", "&"),
];

/// Endings that can follow an apostrophe; `t` is handled separately.
const ENDINGS: [&str; 6] = ["s", "re", "ve", "ll", "d", "m"];

/// Calls `emit` for every word of `text`.
pub fn words(text: &str, emit: &mut dyn FnMut(&str)) {
    let text = unify(text);
    let mut rest = text.as_ref();
    let mut word: &str = "";
    while let Some(first) = rest.chars().next() {
        if is_apostrophe(first)
            && let Some(length) = ending(&rest[first.len_utf8()..])
            && !word.is_empty()
        {
            let (suffix, after) = rest[first.len_utf8()..].split_at(length);
            emit_contraction(word, suffix, emit);
            word = "";
            rest = after;
            continue;
        }
        let length = word_length(rest);
        if length > 0 {
            emit_unless_empty(word, emit);
            (word, rest) = rest.split_at(length);
            continue;
        }
        rest = &rest[first.len_utf8()..];
        // Tokenised text has one space before the apostrophe of an ending; any other separator ends the word.
        if first != ' ' || !rest.starts_with(is_apostrophe) {
            emit_unless_empty(word, emit);
            word = "";
        }
    }
    emit_unless_empty(word, emit);
}

/// Calls `emit` for every mark of `text`: a character that is neither letter, digit, control character nor white space.
/// Entities are decoded, quotation marks of all kinds are mapped to one, and so are dashes; apostrophes, hyphens and
/// `@`, which tokenisers put anywhere, are left out.
pub fn marks(text: &str, emit: &mut dyn FnMut(&str)) {
    let mut buffer = [0; 4];
    let text = unify(text);
    for at in bytes::places(&text, |byte| !bytes::is_alphanumeric(byte)) {
        // `get` returns `None` inside a character.
        let Some(mark) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        match mark {
            ' ' => {}
            '"' | '“' | '”' | '„' | '«' | '»' => emit("\""),
            '\'' | '’' | '‘' | '`' | '-' | '@' => {}
            '–' | '—' => emit("–"),
            _ if mark.is_alphanumeric() || mark.is_whitespace() || mark.is_control() => {}
            _ => emit(mark.encode_utf8(&mut buffer)),
        }
    }
}

/// Decodes entities and unifies compatibility characters.
fn unify(text: &str) -> Cow<'_, str> {
    let text = if text.contains('&') { replaced(text, &ENTITIES) } else { Cow::Borrowed(text) };
    let is_unified = text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes;
    if is_unified { text } else { Cow::Owned(text.nfkc().collect()) }
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | 'ʼ' | '`')
}

/// The length in bytes of the ending at the start of `text`, the text after an apostrophe.
fn ending(text: &str) -> Option<usize> {
    let length = text.find(|character: char| !character.is_alphanumeric()).unwrap_or(text.len());
    let candidate = &text[..length];
    let known = candidate.eq_ignore_ascii_case("t") || ENDINGS.iter().any(|end| candidate.eq_ignore_ascii_case(end));
    known.then_some(length)
}

/// `does` + `n't` from `doesn't`, `doesn 't` and `does n't`; otherwise the word, then the apostrophe with its ending.
fn emit_contraction(word: &str, suffix: &str, emit: &mut dyn FnMut(&str)) {
    if suffix.eq_ignore_ascii_case("t") {
        if let Some(stem) = word.strip_suffix(['n', 'N']) {
            emit_unless_empty(stem, emit);
            emit("n't");
        } else {
            emit(word);
            emit(suffix);
        }
    } else {
        emit(word);
        emit(&format!("'{suffix}"));
    }
}

fn emit_unless_empty(word: &str, emit: &mut dyn FnMut(&str)) {
    if !word.is_empty() {
        emit(word);
    }
}

/// The length in bytes of the word at the start of `text`; 0 if there is none.
fn word_length(text: &str) -> usize {
    // Fast path for most words: ASCII letters and digits, followed by an ASCII character that cannot continue a number.
    let bytes = text.as_bytes();
    let length = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_in_number = |byte: u8| matches!(byte, b'.' | b',') && length > 0 && bytes[length - 1].is_ascii_digit();
    if bytes.get(length).is_none_or(|&next| next.is_ascii() && !is_in_number(next)) {
        return length;
    }
    let mut previous = '\0';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if is_ideograph(character) {
            return if at == 0 { character.len_utf8() } else { at };
        }
        let inside_number = matches!(character, '.' | ',')
            && previous.is_numeric()
            && characters.peek().is_some_and(|(_, next)| next.is_numeric());
        if !(character.is_alphanumeric() || at > 0 && is_combining_mark(character) || inside_number) {
            return at;
        }
        previous = character;
    }
    text.len()
}

/// Characters of scripts without spaces in which one character is roughly a word.
fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character), 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        super::words(text, &mut |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn raw_and_tokenised_text_give_the_same_words() {
        for (raw, tokenised) in [
            ("He doesn't like soup, but she's fond of it.", "He does n't like soup , but she 's fond of it ."),
            ("They won't go (yet).", "They won 't go ( yet ) ."),
            ("\"Stop!\" she said.", "&quot; Stop ! &quot; she said ."),
            ("Prices rose 3.5% to $1,250 in the north-east.", "Prices rose 3.5 % to $ 1,250 in the north @-@ east ."),
            ("The companies' plan", "The companies ' plan"),
            ("I’m sure it’s Müller’s", "I &apos;m sure it &apos;s Müller &apos;s"),
        ] {
            assert_eq!(words(raw), words(tokenised));
        }
    }

    #[test]
    fn numbers_stay_whole_and_punctuation_goes() {
        assert_eq!(words("From 1,250.50 to 3."), ["From", "1,250.50", "to", "3"]);
        assert_eq!(words("..., -- !"), [""; 0]);
    }

    #[test]
    fn contractions_have_two_words() {
        assert_eq!(words("can't won't it's"), ["ca", "n't", "wo", "n't", "it", "'s"]);
        assert_eq!(words("'s 'tis the '90s"), ["s", "tis", "the", "90s"]);
    }

    #[test]
    fn marks_belong_to_their_word_and_ideographs_stand_alone() {
        assert_eq!(words("cafe\u{301} 我们 ok"), ["café", "我", "们", "ok"]);
    }

    #[test]
    fn raw_and_tokenised_text_have_the_same_marks() {
        let marks = |text: &str| crate::text::Tokenizer::Marks.tokens(text);
        assert_eq!(marks("“Stop!” - he said (twice)."), ["\"", "!", "\"", "(", ")", "."]);
        assert_eq!(marks("&quot; Stop ! &quot; @-@ he said ( twice ) ."), ["\"", "!", "\"", "(", ")", "."]);
    }
}
