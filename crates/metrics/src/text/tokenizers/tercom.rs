//! The tokeniser of Tercom, the program that comes with TER (Snover et al. 2006), as in sacreBLEU 2.6.0.
//!
//! By default it lower-cases and splits at white space. [`Tercom::normalized`] decodes entities and separates
//! punctuation; [`Tercom::no_punctuation`] drops punctuation, which joins the words on both sides of a mark unless they
//! were separated before; [`Tercom::asian_support`] extends both to Chinese and Japanese characters. Tercom also has a
//! rule for runs of kana, which cannot match normalised text: kana stay together.

use crate::text::python_whitespace::split;

/// What the tokeniser does to a text before it splits it at white space. The default is sacreBLEU's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tercom {
    /// Decode entities, join lines, separate punctuation.
    pub normalized: bool,
    /// Drop punctuation.
    pub no_punctuation: bool,
    /// With `normalized`, separate ideographs and their punctuation; with `no_punctuation`, drop the latter.
    pub asian_support: bool,
    /// Keep the case.
    pub case_sensitive: bool,
}

impl Tercom {
    /// Calls `emit` for every token of `text`, in order.
    pub fn tokenize(self, text: &str, emit: &mut dyn FnMut(&str)) {
        if !self.normalized && !self.no_punctuation && self.case_sensitive {
            split(text).for_each(emit);
        } else {
            split(&self.clean(text)).for_each(emit);
        }
    }

    /// [`Self::tokenize`] for a reference. sacreBLEU's TER tokenises references twice, which makes a difference after
    /// normalisation: the first pass splits `'s` from the full stop, the second splits `'s` from its word.
    pub fn tokenize_reference(self, text: &str, emit: &mut dyn FnMut(&str)) {
        if !self.normalized {
            return self.tokenize(text, emit);
        }
        let mut once = String::with_capacity(text.len());
        self.tokenize(text, &mut |token| once.extend([token, " "]));
        self.tokenize(&once, emit);
    }

    /// All steps except the split.
    fn clean(self, text: &str) -> String {
        // Lower-case first, and the whole text: a final sigma depends on what follows, and "&QUOT;" is decoded.
        let mut text = if self.case_sensitive { text.to_owned() } else { text.to_lowercase() };
        if self.normalized {
            text = self.normalize(&text);
        }
        if self.no_punctuation {
            text.retain(|character| !self.drops(character));
        }
        text
    }

    fn normalize(self, text: &str) -> String {
        let text = text.replace("\n-", "").replace('\n', " ");
        let text = ENTITIES.iter().fold(text, |text, (entity, character)| text.replace(entity, character));
        let text = isolate(&text, is_western_mark).replace("'s ", " 's ");
        let text = PAIRS.iter().fold(text, |text, rule| rule.apply(&text));
        if self.asian_support { isolate(&text, |it| is_asian_mark(it) || is_ideograph(it)) } else { text }
    }

    fn drops(self, character: char) -> bool {
        matches!(character, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
            || self.asian_support && is_asian_mark(character)
    }
}

/// Decoded one after another, in this order: `&amp;lt;` becomes `<`.
const ENTITIES: [(&str, &str); 4] = [("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];

/// Puts blanks around each wanted character, and around the text.
fn isolate(text: &str, wanted: impl Fn(char) -> bool) -> String {
    let mut apart = String::with_capacity(text.len() + text.len() / 4 + 2);
    apart.push(' ');
    for character in text.chars() {
        if wanted(character) {
            apart.extend([' ', character, ' ']);
        } else {
            apart.push(character);
        }
    }
    apart.push(' ');
    apart
}

/// A rule about two neighbouring characters. As with a regular expression, matches do not overlap: `..5` gives `..`,
/// then `5`.
struct PairRule {
    matches: fn(char, char) -> bool,
    /// A blank is put between the two characters, and another one before (if true) or after them.
    blank_first: bool,
}

/// Points and commas are separated unless digits are around them; a dash is separated from a digit before it.
const PAIRS: [PairRule; 3] = [
    PairRule { matches: |a, b| !a.is_ascii_digit() && is_point(b), blank_first: false },
    PairRule { matches: |a, b| is_point(a) && !b.is_ascii_digit(), blank_first: true },
    PairRule { matches: |a, b| a.is_ascii_digit() && b == '-', blank_first: false },
];

impl PairRule {
    fn apply(&self, text: &str) -> String {
        let mut apart = String::with_capacity(text.len() + text.len() / 4);
        let mut characters = text.chars().peekable();
        while let Some(first) = characters.next() {
            match characters.next_if(|&second| (self.matches)(first, second)) {
                Some(second) if self.blank_first => apart.extend([' ', first, ' ', second]),
                Some(second) => apart.extend([first, ' ', second, ' ']),
                None => apart.push(first),
            }
        }
        apart
    }
}

fn is_point(character: char) -> bool {
    matches!(character, '.' | ',')
}

/// ASCII punctuation except the apostrophe and the characters that [`PAIRS`] handles.
fn is_western_mark(character: char) -> bool {
    character.is_ascii_punctuation() && !matches!(character, '\'' | ',' | '-' | '.')
}

fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character), 0x2e80..=0x2eff | 0x31c0..=0x31ef | 0x3200..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0xfe30..=0xfe4f)
}

/// Chinese and Japanese punctuation, and the full-width forms of `.,?:;!"()`.
fn is_asian_mark(character: char) -> bool {
    matches!(u32::from(character), 0x3001..=0x3002 | 0x3008..=0x3011 | 0x3014..=0x301f | 0x30fb | 0xff61..=0xff65)
        || matches!(character, '．' | '，' | '？' | '：' | '；' | '！' | '＂' | '（' | '）')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(settings: Tercom, text: &str) -> String {
        let mut tokens = Vec::new();
        settings.tokenize(text, &mut |token| tokens.push(token.to_owned()));
        tokens.join(" ")
    }

    const NORMALIZED: Tercom =
        Tercom { normalized: true, no_punctuation: false, asian_support: false, case_sensitive: false };

    #[test]
    fn by_default_text_is_lower_cased_and_cut_at_white_space() {
        assert_eq!(tokens(Tercom::default(), " He said:\t\"No.\"\u{a0}ΟΔΟΣ a\x1cb"), "he said: \"no.\" οδος a b");
        assert_eq!(tokens(Tercom { case_sensitive: true, ..Tercom::default() }, "Ab C"), "Ab C");
    }

    #[test]
    fn normalisation_sets_punctuation_apart() {
        assert_eq!(
            tokens(NORMALIZED, "&QUOT;It's 3.5 of John's, &amp;lt; (x)&quot;"),
            "\" it 's 3.5 of john's , < ( x ) \""
        );
        assert_eq!(tokens(NORMALIZED, "a.b 5. ,a ..5 1--2 a-b 1-2"), "a . b 5 . , a . .5 1 - -2 a-b 1 - 2");
        assert_eq!(tokens(NORMALIZED, "hyphen\n-ated line\nbreak"), "hyphenated line break");
    }

    #[test]
    fn without_punctuation_words_can_grow_together() {
        let settings = Tercom { no_punctuation: true, ..Tercom::default() };
        assert_eq!(tokens(settings, "Yes, (he) did.But [no]!"), "yes he didbut [no]");
        assert_eq!(tokens(Tercom { no_punctuation: true, ..NORMALIZED }, "did.But"), "did but");
    }

    #[test]
    fn asian_support_widens_the_other_two() {
        let asian = Tercom { asian_support: true, ..Tercom::default() };
        assert_eq!(tokens(asian, "我们abc。"), "我们abc。");
        assert_eq!(tokens(Tercom { asian_support: true, ..NORMALIZED }, "我们abc。かな"), "我 们 abc 。 かな");
        assert_eq!(tokens(Tercom { no_punctuation: true, ..asian }, "我们，abc。"), "我们abc");
    }

    #[test]
    fn references_are_tokenised_twice() {
        let mut reference = Vec::new();
        NORMALIZED.tokenize_reference("It is Anna's.", &mut |token| reference.push(token.to_owned()));
        assert_eq!(reference.join(" "), "it is anna 's .");
        assert_eq!(tokens(NORMALIZED, "It is Anna's."), "it is anna's .");
    }
}
