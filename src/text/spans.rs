//! In: a text and the tokens that it was cut into. Out: the bytes of each token in the text. Next: explanations.
//!
//! Tokenisers hand on tokens and not where they stand, which costs nothing where nobody asks. Who asks gets it from the
//! tokens: they stand in the text in order, each in one piece, but for case, compatibility characters and entities.

use std::ops::Range;

use unicode_normalization::char::decompose_compatible;

/// What tokenisers make of what stands in a text.
const ENTITIES: [(&str, char); 9] = [
    ("&quot;", '"'),
    ("&apos;", '\''),
    ("&#39;", '\''),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&#91;", '['),
    ("&#93;", ']'),
    ("&#124;", '|'),
    ("&amp;", '&'),
];

/// What tokenisers leave out within a token: 13a joins lines at a hyphen.
const DROPPED: [&str; 2] = ["-\n", "<skipped>"];

/// How much of a text became how much of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Bytes of the text.
    pub bytes: usize,
    /// Characters of the [folded](fold) token; 0 where the token leaves something out.
    pub characters: usize,
}

/// Finds the tokens of a text one after the other.
#[derive(Debug)]
pub struct Finder<'t> {
    text: &'t str,
    /// Where the last token ended.
    end: usize,
}

impl<'t> Finder<'t> {
    /// At the start of the text.
    pub fn new(text: &'t str) -> Self {
        Self { text, end: 0 }
    }

    /// The bytes of the next token, where `step` says how the rest of the text begins the rest of the folded token;
    /// empty, and where the last token ended, if it cannot be found.
    pub fn find(&mut self, token: &str, step: impl Fn(&str, &[char]) -> Option<Step>) -> Range<usize> {
        let token: Vec<char> = token.chars().flat_map(fold).collect();
        let starts = self.text[self.end..].char_indices().map(|(at, _)| self.end + at);
        let found = starts.into_iter().find_map(|start| Some(start..self.end_of(start, &token, &step)?));
        let span = found.unwrap_or(self.end..self.end);
        self.end = span.end;
        span
    }

    /// Whether the text goes on with this; if so, it is part of the last token.
    pub fn take(&mut self, mark: char) -> bool {
        let follows = self.text[self.end..].starts_with(mark);
        self.end += if follows { mark.len_utf8() } else { 0 };
        follows
    }

    /// Where a token that begins at `start` ends.
    fn end_of(&self, start: usize, token: &[char], step: &impl Fn(&str, &[char]) -> Option<Step>) -> Option<usize> {
        let (mut at, mut done) = (start, 0);
        while done < token.len() {
            let Step { bytes, characters } = step(&self.text[at..], &token[done..])?;
            if done + characters == 0 || bytes == 0 {
                return None;
            }
            (at, done) = (at + bytes, done + characters);
        }
        (at > start).then_some(at)
    }
}

/// A character in lower case, its compatibility characters taken apart; both sigmas are one.
pub fn fold(character: char) -> impl Iterator<Item = char> {
    let mut folded = Vec::with_capacity(2);
    for lower in character.to_lowercase() {
        decompose_compatible(lower, |part| folded.push(if part == 'ς' { 'σ' } else { part }));
    }
    // Capital letters within ligatures and symbols.
    folded.into_iter().flat_map(char::to_lowercase)
}

/// How the start of a text begins a token: with the same character, an entity, or something that the token leaves out.
pub fn step(text: &str, token: &[char]) -> Option<Step> {
    let (first, wanted) = (text.chars().next()?, token.first()?);
    if let Some((entity, _)) = ENTITIES.iter().find(|(entity, mark)| mark == wanted && text.starts_with(entity)) {
        return Some(Step { bytes: entity.len(), characters: 1 });
    }
    let mut characters = 0;
    if fold(first).all(|part| {
        token.get(characters) == Some(&part) && {
            characters += 1;
            true
        }
    }) && characters > 0
    {
        return Some(Step { bytes: first.len_utf8(), characters });
    }
    if *wanted == '\'' && matches!(first, '’' | '‘' | 'ʼ' | '`') {
        return Some(Step { bytes: first.len_utf8(), characters: 1 });
    }
    let dropped = DROPPED.iter().find(|dropped| text.starts_with(*dropped))?;
    Some(Step { bytes: dropped.len(), characters: 0 })
}

#[cfg(test)]
mod tests {
    use super::super::Tokenizer;

    fn words(tokenizer: Tokenizer, text: &str) -> Vec<&str> {
        tokenizer.spans(text).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn spans_cut_out_what_became_the_token() {
        let text = "Doesn’t the ﬁne CAFE\u{301} say &quot;1,000.5&quot; — or 東京?";
        assert_eq!(
            words(Tokenizer::Words, text),
            ["Does", "n’t", "the", "ﬁne", "CAFE\u{301}", "say", "1,000.5", "or", "東", "京"]
        );
        assert_eq!(
            words(Tokenizer::V13a, "&quot;Non-\nsense&amp;&quot;"),
            ["&quot;", "Non-\nsense", "&amp;", "&quot;"]
        );
        assert_eq!(words(Tokenizer::Rouge, "Müller's 3.5%"), ["M", "ller", "s", "3", "5"]);
        assert_eq!(words(Tokenizer::Characters, "a b"), ["a", "b"]);
        assert!(words(Tokenizer::Words, "").is_empty());
    }
}
