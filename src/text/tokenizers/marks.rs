//! Punctuation marks, the same for raw and for tokenised text.

use crate::text::bytes;

/// Calls `emit` for every mark of `text`: a character that is neither letter, digit, control character nor white space.
/// Entities are decoded, quotation marks of all kinds are mapped to one, and so are dashes; apostrophes, hyphens and
/// `@`, which tokenisers put anywhere, are left out.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    let mut buffer = [0; 4];
    let text = super::words::unify(text);
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

#[cfg(test)]
mod tests {
    #[test]
    fn raw_and_tokenised_text_have_the_same_marks() {
        let marks = |text: &str| super::super::Tokenizer::Marks.tokens(text);
        assert_eq!(marks("“Stop!” - he said (twice)."), ["\"", "!", "\"", "(", ")", "."]);
        assert_eq!(marks("&quot; Stop ! &quot; @-@ he said ( twice ) ."), ["\"", "!", "\"", "(", ")", "."]);
    }
}
