//! rouge-score's tokens: runs of a-z and 0-9 in lower case; all else, accented letters too, separates.

/// Calls `emit` for every token of `text`.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    let lower = text.to_lowercase();
    let is_token = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    lower.split(|character| !is_token(character)).filter(|token| !token.is_empty()).for_each(emit);
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_but_ascii_letters_and_digits_separate() {
        let tokens = super::super::Tokenizer::Rouge.tokens("Müller's 3.5% \u{212a}elvin");
        // The Kelvin sign in lower case is the letter k.
        assert_eq!(tokens, ["m", "ller", "s", "3", "5", "kelvin"]);
    }
}
