//! Characters (Unicode scalar values) without white space, as in sacreBLEU's `char`.

use crate::text::python_whitespace;

/// Calls `emit` for every character of `text` that is not white space.
pub fn tokenize(text: &str, emit: &mut dyn FnMut(&str)) {
    let mut buffer = [0; 4];
    for character in text.chars().filter(|&character| !python_whitespace::is_whitespace(character)) {
        emit(character.encode_utf8(&mut buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_joiners_stand_alone() {
        let mut tokens = Vec::new();
        tokenize("e\u{301} \u{1c}👩\u{200d}🚀\u{3000}我", &mut |token| tokens.push(token.to_owned()));
        assert_eq!(tokens, ["e", "\u{301}", "👩", "\u{200d}", "🚀", "我"]);
    }
}
