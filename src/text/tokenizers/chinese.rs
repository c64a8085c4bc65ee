//! sacreBLEU's `zh`: every Chinese character is a token; the rest is tokenised as by [13a](super::v13a), without its
//! entities.
//!
//! Chinese characters are those of a list of blocks. The last two blocks are a slip of sacreBLEU: instead of the
//! ideographs of the supplementary planes (U+20000 to U+2A6D6, U+2F800 to U+2FA1D) the list names U+2001 to U+2A6D and
//! U+2F81 to U+2FA1. Tribunal keeps the slip: typographic quotes, arrows and box drawings stand alone, rare ideographs
//! do not.

use super::mteval::{self, Class};
use super::v13a;

/// Calls `emit` for every token of `text`.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    let text = text.trim_matches(crate::text::python_whitespace::is_whitespace);
    mteval::separate(text, None, classify, emit);
}

fn classify(character: char) -> Class {
    match v13a::classify(character) {
        Class::Other if is_chinese(character) => Class::Symbol,
        class => class,
    }
}

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
    use super::*;

    fn tokens(text: &str) -> String {
        let mut tokens = Vec::new();
        tokenize(text, &mut |token| tokens.push(token.to_owned()));
        tokens.join(" ")
    }

    // sacrebleu 2.6.0: sacrebleu.metrics.BLEU(tokenize="zh")._preprocess_segment(text)
    #[test]
    fn as_sacrebleu_cuts() {
        for (text, expected) in [
            ("我喜歡ABC。", "我 喜 歡 ABC 。"),
            (" .5元，3.5% 5.", ".5 元 ， 3.5 % 5."),
            ("“a”→b–c 𠀀𠀁", "“ a ” → b – c 𠀀𠀁"),
            ("&quot;é\u{1f}è", "& quot ; é è"),
            ("--- 5-6\n", "--- 5 - 6"),
        ] {
            assert_eq!(tokens(text), expected);
        }
    }
}
