//! A fast normaliser for ordinary ASCII text, all words of which are slices of the text.
//!
//! It does the steps of [`super::normalize`] in one pass. Text for which the steps interact, such as `a,b,c` and `''`,
//! is left to the general normaliser.

use std::ops::Range;

use smallvec::SmallVec;

use super::{FullStop, full_stop};

/// The class of a character, by its byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Space,
    /// A mark that is always separated.
    Alone,
    Dot,
    Comma,
    Apostrophe,
    Hyphen,
    /// Not handled by this normaliser.
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = b' ';
    while byte < 0x7f {
        classes[byte as usize] = match byte {
            b' ' => Class::Space,
            b'.' => Class::Dot,
            b',' => Class::Comma,
            b'\'' => Class::Apostrophe,
            b'-' => Class::Hyphen,
            b'`' => Class::Other,
            _ if byte.is_ascii_alphabetic() => Class::Letter,
            _ if byte.is_ascii_digit() => Class::Digit,
            _ => Class::Alone,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

impl Class {
    fn is_alphanumeric(self) -> bool {
        matches!(self, Self::Letter | Self::Digit)
    }
}

/// Words, as byte ranges of the text.
type Words = SmallVec<[Range<u32>; 64]>;

/// Calls `emit` for every word of `text` and returns true; returns false, without calls, for text that it does not
/// handle.
pub(super) fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) -> bool {
    let Some(words) = words(text) else { return false };
    let lower = text.to_ascii_lowercase();
    for (place, word) in words.iter().enumerate() {
        let word = word.start as usize..word.end as usize;
        let base = word.start..word.end - 1;
        if !text[word.clone()].ends_with('.') || text[base.clone()].bytes().all(|byte| byte == b'.') {
            emit(&lower[word]);
            continue;
        }
        let next = words.get(place + 1).map(|next| text.as_bytes()[next.start as usize]);
        match full_stop(&text[base.clone()], next) {
            FullStop::Stays => emit(&lower[word]),
            FullStop::Alone => {
                emit(&lower[base]);
                emit(".");
            }
            FullStop::WithoutDots => emit(&lower[word].replace('.', "")),
        }
    }
    true
}

/// The words before step 6, if each is a slice of the text.
fn words(text: &str) -> Option<Words> {
    let bytes = text.as_bytes();
    u32::try_from(bytes.len()).ok()?;
    let class_at = |at: usize| bytes.get(at).map_or(Class::Space, |&byte| class(byte));
    let mut words = Words::new();
    // The start of the current word, if there is one.
    let mut start = 0;
    let mut last = [None; 2];
    let mut at = 0;
    let mut finish = |start: usize, at: usize| {
        if start < at {
            words.push(start as u32..at as u32);
        }
    };
    loop {
        at += bytes[at..].iter().take_while(|&&byte| class(byte).is_alphanumeric()).count();
        let Some(&mark) = bytes.get(at) else { break };
        let here = class(mark);
        // The general normaliser puts spaces around the line.
        let before = if at == 0 { Class::Space } else { class(bytes[at - 1]) };
        let after = class_at(at + 1);
        let mut is_alone = false;
        match here {
            Class::Space => {
                finish(start, at);
                start = at + 1;
            }
            Class::Alone => is_alone = true,
            Class::Dot if after == Class::Dot => {
                let dots = bytes[at..].iter().take_while(|&&byte| byte == b'.').count();
                finish(start, at);
                finish(at, at + dots);
                at += dots;
                start = at;
                continue;
            }
            Class::Letter | Class::Digit | Class::Dot => {}
            Class::Comma => {
                let is_number = before == Class::Digit && after == Class::Digit;
                let is_after_word = !matches!(before, Class::Space | Class::Comma);
                let is_at_end = matches!(after, Class::Space | Class::Alone);
                if !(is_number || is_after_word && is_at_end) {
                    return None;
                }
                is_alone = !is_number;
            }
            Class::Apostrophe => {
                if is_near(&mut last[0], at) {
                    return None;
                }
                let begins_word = match (before, after) {
                    (Class::Letter, Class::Letter) => true,
                    (Class::Digit, Class::Letter) => bytes[at + 1] == b's',
                    _ => {
                        is_alone = true;
                        false
                    }
                };
                if begins_word {
                    finish(start, at);
                    start = at;
                }
            }
            Class::Hyphen => {
                if is_near(&mut last[1], at) || before == Class::Dot {
                    return None;
                }
                if before.is_alphanumeric() && after.is_alphanumeric() {
                    finish(start, at);
                    start = at + 1;
                }
            }
            Class::Other => return None,
        }
        if is_alone {
            finish(start, at);
            finish(at, at + 1);
            start = at + 1;
        }
        at += 1;
    }
    finish(start, at);
    Some(words)
}

/// Whether a mark is so close to the previous one that the matches of their step would overlap.
fn is_near(last: &mut Option<usize>, at: usize) -> bool {
    let is_near = last.is_some_and(|last| at - last < 3);
    *last = Some(at);
    is_near
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The words by the general steps, and by this normaliser.
    fn both(text: &str) -> (String, Option<String>) {
        let mut words = Vec::new();
        super::super::steps(text, &mut |word| words.push(word.to_owned()));
        let mut here = Vec::new();
        let is_done = tokenize(text, &mut |word| here.push(word.to_owned()));
        (words.join(" "), is_done.then(|| here.join(" ")))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_words_are_those_of_the_steps(text in "([a-cS.,'\\- 1\"%]|s|Dr\\.|No\\. |[A-Z]\\.|[b-d]{3}){0,14}") {
            let (steps, here) = both(&text);
            prop_assert!(here.is_none_or(|here| here == steps), "{text}: {steps}");
        }

        #[test]
        fn whatever_it_is_the_words_are_the_same(text in "\\PC{0,12}|[ -~]{0,40}") {
            let (steps, here) = both(&text);
            prop_assert!(here.is_none_or(|here| here == steps), "{text}: {steps}");
        }
    }

    #[test]
    fn ordinary_text_is_done_here() {
        for text in [
            "He didn't say, \"No.\"",
            "Well... that's 1,250 north-east of the U.S. border, e.g. in St. John's.",
            "dogs' 80's (x) - y",
            "",
        ] {
            let (steps, here) = both(text);
            assert_eq!(here, Some(steps));
        }
        assert_eq!(both("a,b").1, None);
        assert_eq!(both("caf\u{e9}").1, None);
    }

    /// All short texts over characters of all classes.
    #[test]
    fn short_texts_of_all_classes() {
        let characters = ['a', 's', 'B', '1', ' ', '.', ',', '\'', '-', '!'];
        for length in 0..=6_u32 {
            for mut number in 0..10_usize.pow(length) {
                let mut text = String::new();
                for _ in 0..length {
                    text.push(characters[number % 10]);
                    number /= 10;
                }
                let (steps, here) = both(&text);
                assert!(here.is_none_or(|here| here == steps), "{text}: {steps}");
            }
        }
    }
}
