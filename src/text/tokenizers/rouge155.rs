//! ROUGE-1.5.5's tokens: runs of A-Z, a-z and 0-9; all else, including hyphens and accented letters, separates.

/// Calls `emit` for every token of `text`.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    let is_separator = |character: char| !character.is_ascii_alphanumeric();
    text.split(is_separator).filter(|token| !token.is_empty()).for_each(emit);
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_but_ascii_letters_and_digits_separate() {
        let tokens = super::super::Tokenizer::Rouge155.tokens("Müller's 3.5% \u{212a}elvin co-operate $5 -");
        assert_eq!(tokens, ["M", "ller", "s", "3", "5", "elvin", "co", "operate", "5"]);
    }
}
