//! METEOR 1.5's words, with its normaliser of English (`-norm`).
//!
//! The normaliser applies the steps below in order, each to the result of the previous one. A step replaces from left
//! to right and does not re-examine replaced text, which matters where one character is the right context of one match
//! and the left context of the next: `a,b,c` becomes `a , b,c`, and `a-b-c` becomes `a b-c`.
//!
//! 1. Everything except letters (Latin and Cyrillic), digits, white space and ``. ' ` , - ‘ ’`` is separated, and so
//!    are runs of two or more dots.
//! 2. Commas are separated, except between digits.
//! 3. `` ` ‘ ’ `` become `'`; two of them, `“` and `”` become `"`; `–` and `--` become `-`.
//! 4. A hyphen between letters or digits becomes a space: `north-east` is two words.
//! 5. An apostrophe starts a new word between letters (`it's` is `it` and `'s`), and is separated elsewhere.
//! 6. The dot at the end of a word is separated, except in abbreviations (`Dr.`) and before a word that starts with a
//!    lower-case ASCII letter; words with further dots lose all of them (`U.S.` is `us`).
//! 7. Without punctuation, everything except letters and digits becomes a space.
//!
//! Then the text is lower-cased. METEOR's internal marker is not reproduced: it writes `DOTMULTI` for runs of dots, and
//! turns a `DOTMULTI` in the text into dots.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr_iter, memchr3};

use super::data;
use crate::text::spans::{self, Finder, Step};

/// How a text is normalised before METEOR 1.5 splits it at white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Normalization {
    /// Not at all: for text that is already tokenised and uniform in case.
    None,
    /// Lower case (`-lower`).
    Lower,
    /// English words and punctuation marks, in lower case (`-norm`).
    #[default]
    Words,
    /// English words without punctuation, in lower case (`-norm -noPunct`).
    WordsOnly,
}

/// Words before a dot that is not a full stop; those marked with `#` only before digits. From METEOR 1.5, which has
/// them from Moses.
static PREFIXES: LazyLock<Vec<(&str, bool)>> = LazyLock::new(|| {
    let lines = data::PREFIXES.lines();
    let mut prefixes: Vec<(&str, bool)> =
        lines.map(|line| line.strip_suffix(" #").map_or((line, false), |word| (word, true))).collect();
    prefixes.sort_unstable();
    prefixes
});

/// Calls `emit` for every word of `text`.
pub fn tokenize(text: &str, normalization: Normalization, emit: &mut dyn FnMut(&str)) {
    match normalization {
        Normalization::None => words(text).for_each(emit),
        Normalization::Lower => words(&text.to_lowercase()).for_each(emit),
        Normalization::Words => {
            // Control characters at both ends are dropped, as by Java's trim(), and Unicode spaces everywhere.
            let is_dropped = |character| character <= ' ' || is_space(character);
            let text = normalize(text).trim_matches(is_dropped).to_lowercase();
            words(&text).filter(|word| !word.starts_with(is_space)).for_each(emit);
        }
        Normalization::WordsOnly => {
            let text = normalize(text);
            let words = text.split(|character| !is_alphanumeric(character)).filter(|word| !word.is_empty());
            words.for_each(|word| emit(&word.to_lowercase()));
        }
    }
}

/// The bytes of each word in the text, in order.
pub fn word_spans(text: &str, normalization: Normalization) -> Vec<Range<usize>> {
    let is_normalized = matches!(normalization, Normalization::Words | Normalization::WordsOnly);
    let mut finder = Finder::new(text);
    let mut tokens = Vec::new();
    tokenize(text, normalization, &mut |word| {
        if !is_normalized {
            return tokens.push(finder.find(word, spans::step));
        }
        let mut span = finder.find(word, step);
        if text[span.clone()].contains('.') && !word.contains('.') && finder.take('.') {
            span.end += 1;
        }
        tokens.push(span);
    });
    tokens
}

/// As [`spans::step`], with the marks that step 3 unifies and the dots that step 6 drops.
fn step(text: &[char], word: &[char]) -> Option<Step> {
    let is_apostrophe = |mark: char| matches!(mark, '\'' | '`' | '‘' | '’');
    let (first, wanted) = (*text.first()?, *word.first()?);
    let are_apostrophes = is_apostrophe(first) && text.get(1).copied().is_some_and(is_apostrophe);
    let are_hyphens = text.starts_with(&['-', '-']);
    match wanted {
        '"' if are_apostrophes => Some(Step { text: 2, token: 1 }),
        '"' if matches!(first, '“' | '”') => Some(Step::ONE),
        '\'' if are_apostrophes => None,
        '-' if are_hyphens => Some(Step { text: 2, token: 1 }),
        '-' if first == '–' => Some(Step::ONE),
        _ if first == '.' && wanted != '.' => Some(Step { text: 1, token: 0 }),
        // METEOR does not decode entities.
        _ => (first == wanted || wanted == '\'' && is_apostrophe(first)).then_some(Step::ONE),
    }
}

/// Splits as Java's StringTokenizer: vertical tabs and Unicode spaces are parts of words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

fn normalize(text: &str) -> String {
    let mut line = separate(text);
    if line.contains(',') {
        line = around(line, b',', not(is_digit), not(is_digit), " , ");
        line = around(line, b',', is_digit, not(is_digit), " , ");
        line = around(line, b',', not(is_digit), is_digit, " , ");
    }
    line = unify_marks(line);
    if line.contains('-') {
        line = around(line, b'-', |left| left == '.' || is_alphanumeric(left), is_alphanumeric, " ");
    }
    if line.contains('\'') {
        line = around(line, b'\'', not(is_letter), not(is_letter), " ' ");
        line = around(line, b'\'', not(is_alphanumeric), is_letter, " ' ");
        line = around(line, b'\'', is_letter, not(is_letter), " ' ");
        line = around(line, b'\'', is_letter, is_letter, " '");
        line = around(line, b'\'', is_digit, |right| right == 's', " '");
    }
    full_stops(&line)
}

/// Step 1. The result starts and ends with a space.
fn separate(text: &str) -> String {
    let mut line = String::with_capacity(text.len() * 5 / 4 + 2);
    line.push(' ');
    let mut rest = text;
    loop {
        // Most of a text is kept unchanged.
        let (kept, after) = rest.split_at(kept_length(rest));
        line.push_str(kept);
        let Some(character) = after.chars().next() else { break };
        rest = &after[character.len_utf8()..];
        if is_alphanumeric(character) || matches!(character, ' ' | '\t'..='\r' | '\'' | '`' | ',' | '-' | '‘' | '’')
        {
            line.push(character);
        } else if character != '.' {
            line.extend([' ', character, ' ']);
        } else if rest.starts_with('.') {
            let (dots, after) = rest.split_at(rest.bytes().take_while(|&byte| byte == b'.').count());
            line.extend([" .", dots, " "]);
            rest = after;
        } else {
            line.push('.');
        }
    }
    line.push(' ');
    line
}

/// The number of leading bytes that are ASCII letters, digits or spaces.
fn kept_length(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b' ').count()
}

/// Replaces the ASCII character `mark` by `instead` wherever the characters on both sides satisfy `left` and `right`, as
/// a regular expression of three characters does: from left to right, without overlaps.
fn around(line: String, mark: u8, left: impl Fn(char) -> bool, right: impl Fn(char) -> bool, instead: &str) -> String {
    let mut replaced = String::new();
    let mut done = 0;
    for at in memchr_iter(mark, line.as_bytes()) {
        let Some(before) = line.get(done..at).and_then(|before| before.chars().next_back()) else { continue };
        let Some(next) = line[at + 1..].chars().next() else { continue };
        if left(before) && right(next) {
            replaced.reserve(line.len() + 16 - done);
            replaced.push_str(&line[done..at]);
            replaced.push_str(instead);
            replaced.push(next);
            done = at + 1 + next.len_utf8();
        }
    }
    if done == 0 {
        return line;
    }
    replaced.push_str(&line[done..]);
    replaced
}

/// Step 3.
fn unify_marks(line: String) -> String {
    let is_apostrophe = |character: &char| matches!(character, '\'' | '`' | '‘' | '’');
    // All other marks are beyond ASCII.
    if line.is_ascii() && memchr3(b'\'', b'`', b'-', line.as_bytes()).is_none() {
        return line;
    }
    let mut unified = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '“' | '”' => unified.push_str(" \" "),
            '–' => unified.push('-'),
            '-' => {
                rest.next_if_eq(&'-');
                unified.push('-');
            }
            mark if is_apostrophe(&mark) => {
                unified.push_str(if rest.next_if(is_apostrophe).is_some() { " \" " } else { "'" });
            }
            other => unified.push(other),
        }
    }
    unified
}

/// Step 6.
fn full_stops(line: &str) -> String {
    let mut sentence = String::with_capacity(line.len() + 8);
    let mut done = 0;
    for at in memchr_iter(b'.', line.as_bytes()) {
        let after = &line[at + 1..];
        if !after.is_empty() && !after.starts_with(is_ascii_space) {
            continue;
        }
        let start = line[..at].rfind(is_ascii_space).map_or(0, |space| space + 1);
        let base = &line[start..at];
        if base.bytes().all(|byte| byte == b'.') {
            continue;
        }
        match full_stop(base, words(after).next().map(|next| next.as_bytes()[0])) {
            FullStop::Stays => continue,
            FullStop::Alone => sentence.extend([&line[done..at], " ."]),
            FullStop::WithoutDots => {
                sentence.push_str(&line[done..start]);
                sentence.extend(base.split('.'));
            }
        }
        done = at + 1;
    }
    sentence.push_str(&line[done..]);
    sentence
}

/// What happens to a word that ends with a dot.
enum FullStop {
    /// The word is an abbreviation and stays as it is.
    Stays,
    /// The dot becomes a word of its own.
    Alone,
    /// All dots of the word are dropped.
    WithoutDots,
}

/// Decides on the word that consists of `base` and a dot; `next` is the first byte of the next word.
fn full_stop(base: &str, next: Option<u8>) -> FullStop {
    if base.contains('.') && base.contains(is_letter) {
        return FullStop::WithoutDots;
    }
    let is_before_number = PREFIXES.binary_search_by_key(&base, |prefix| prefix.0).ok().map(|at| PREFIXES[at].1);
    let is_before = |wanted: fn(&u8) -> bool| next.as_ref().is_some_and(wanted);
    let stays = match is_before_number {
        Some(false) => true,
        Some(true) => is_before(u8::is_ascii_lowercase) || is_before(u8::is_ascii_digit),
        None => is_before(u8::is_ascii_lowercase),
    };
    if stays { FullStop::Stays } else { FullStop::Alone }
}

fn not(class: fn(char) -> bool) -> impl Fn(char) -> bool {
    move |character| !class(character)
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

fn is_alphanumeric(character: char) -> bool {
    character.is_ascii_digit() || is_letter(character)
}

/// The letters that METEOR's normaliser knows.
fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic()
        || matches!(character, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ž' | '\u{400}'..='\u{527}' | '\u{a640}'..='\u{a66e}'
            | '\u{a67e}'..='\u{a697}' | '\u{1d00}'..='\u{1d7f}')
}

/// As in [`words`].
fn is_ascii_space(character: char) -> bool {
    character.is_ascii_whitespace()
}

/// The Unicode spaces that the normaliser drops, after step 1 has separated them.
fn is_space(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(text: &str) -> String {
        let mut words = Vec::new();
        tokenize(text, Normalization::Words, &mut |word| words.push(word.to_owned()));
        words.join(" ")
    }

    #[test]
    fn steps() {
        for (text, expected) in [
            ("", ""),
            ("He said: \"No!\"", "he said : \" no ! \""),
            ("Well... no..", "well ... no .."),
            ("1,250 a,b,c 3,x", "1,250 a , b,c 3 , x"),
            ("``He'' “she”", "\" he \" \" she \""),
            ("north-east a-b-c -- – x---y", "north east a b-c - - x--y"),
            ("it's 'tis 80's dogs' rock'n'roll", "it 's ' tis 80 's dogs ' rock 'n'roll"),
            ("Dr. Who lives in the U.S.", "dr. who lives in the us"),
            ("etc. and so on. Then No. 5. No. Six.", "etc. and so on . then no. 5 . no . six ."),
            ("x\u{a0}y\u{3000}z \u{200b}", "x y z \u{200b}"),
            ("我们", "我 们"),
            ("\u{1}a\u{1}b\u{1}", "a \u{1} b"),
            ("cafe\u{301} ÀÉ ß", "cafe \u{301} àé ß"),
        ] {
            assert_eq!(normalized(text), expected, "{text}");
        }
    }

    #[test]
    fn spans_cut_out_the_words() {
        let cut = |text: &'static str, normalization| -> Vec<&str> {
            word_spans(text, normalization).into_iter().map(|span| &text[span]).collect()
        };
        for (text, expected) in [
            ("", &[][..]),
            ("He said: ``No''!", &["He", "said", ":", "``", "No", "''", "!"]),
            ("The U.S. north-east's 1,250.", &["The", "U.S.", "north", "east", "'s", "1,250", "."]),
            ("Well... a---b “x” — ‘ÉTÉ’", &["Well", "...", "a---b", "“", "x", "”", "—", "‘", "ÉTÉ", "’"]),
        ] {
            assert_eq!(cut(text, Normalization::Words), expected);
        }
        assert_eq!(cut("Mr. O’Neil's No.", Normalization::WordsOnly), ["Mr", "O", "Neil", "s", "No"]);
        assert_eq!(cut(" O'NEIL  No.", Normalization::Lower), ["O'NEIL", "No."]);
    }

    #[test]
    fn other_normalisations() {
        let all = |normalization| {
            let mut words = Vec::new();
            tokenize("Mr. O'Neil's\u{a0}No.", normalization, &mut |word| words.push(word.to_owned()));
            words
        };
        assert_eq!(all(Normalization::None), ["Mr.", "O'Neil's\u{a0}No."]);
        assert_eq!(all(Normalization::Lower), ["mr.", "o'neil's\u{a0}no."]);
        assert_eq!(all(Normalization::WordsOnly), ["mr", "o", "neil", "s", "no"]);
    }
}
