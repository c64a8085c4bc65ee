//! The bytes of each token in its text.
//!
//! Tokenisers do not report positions, which would cost time in every use. The positions are recovered from the tokens:
//! they occur in the text in order, each in one piece, except for case, compatibility characters and entities.

use std::ops::Range;

use unicode_normalization::char::decompose_compatible;

use super::tokenizers::words::ENTITIES;

/// What tokenisers drop within a token: 13a joins lines at a hyphen.
const DROPPED: [&str; 2] = ["-\n", "<skipped>"];

/// How many characters of a text became how many of a token, both [folded](fold).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Characters of the text.
    pub text: usize,
    /// Characters of the token; 0 where the tokeniser drops text.
    pub token: usize,
}

impl Step {
    /// One character of each.
    pub const ONE: Self = Self { text: 1, token: 1 };
}

/// Finds the tokens of a text one after another.
#[derive(Debug)]
pub struct Finder {
    /// The folded text.
    characters: Vec<char>,
    /// For each folded character, the bytes of the original character.
    bytes: Vec<Range<usize>>,
    /// The index of the folded character after the last token found.
    next: usize,
}

impl Finder {
    /// A finder at the start of `text`.
    pub fn new(text: &str) -> Self {
        let mut finder = Self { characters: Vec::new(), bytes: Vec::new(), next: 0 };
        for (at, character) in text.char_indices() {
            finder.characters.extend(fold(character));
            finder.bytes.resize(finder.characters.len(), at..at + character.len_utf8());
        }
        finder
    }

    /// The bytes of the next token; empty if it cannot be found. `step` matches the start of the remaining folded text
    /// with the start of the remaining folded token.
    pub fn find(&mut self, token: &str, step: impl Fn(&[char], &[char]) -> Option<Step>) -> Range<usize> {
        let token: Vec<char> = token.chars().flat_map(fold).collect();
        let mut starts = self.next..self.characters.len();
        match starts.find_map(|start| Some(start..self.end_of(start, &token, &step)?)) {
            Some(found) => {
                self.next = found.end;
                self.bytes[found.start].start..self.bytes[found.end - 1].end
            }
            None => {
                let end = self.next.checked_sub(1).map_or(0, |last| self.bytes[last].end);
                end..end
            }
        }
    }

    /// Whether `character` comes next in the text; if so, it is added to the last token.
    pub fn take(&mut self, character: char) -> bool {
        let follows = self.characters.get(self.next) == Some(&character);
        self.next += usize::from(follows);
        follows
    }

    /// Where a token that begins at `start` ends.
    fn end_of(&self, start: usize, token: &[char], step: &impl Fn(&[char], &[char]) -> Option<Step>) -> Option<usize> {
        let (mut at, mut done) = (start, 0);
        while done < token.len() {
            let taken = step(&self.characters[at..], &token[done..])?;
            if done + taken.token == 0 {
                return None;
            }
            (at, done) = (at + taken.text, done + taken.token);
        }
        (at > start).then_some(at)
    }
}

/// A character in lower case, with compatibility characters decomposed and final sigma mapped to sigma.
pub fn fold(character: char) -> impl Iterator<Item = char> {
    let mut folded = Vec::with_capacity(2);
    for lower in character.to_lowercase() {
        decompose_compatible(lower, |part| folded.push(if part == 'ς' { 'σ' } else { part }));
    }
    // Decomposed ligatures and symbols can contain capital letters.
    folded.into_iter().flat_map(char::to_lowercase)
}

/// Matches the start of a text with the start of a token: equal characters, or text that the tokeniser drops.
pub fn step(text: &[char], token: &[char]) -> Option<Step> {
    let (first, wanted) = (text.first()?, token.first()?);
    if first == wanted || *wanted == '\'' && matches!(first, '’' | '‘' | 'ʼ' | '`') {
        return Some(Step::ONE);
    }
    let dropped = DROPPED.iter().find(|dropped| begins(text, dropped))?;
    Some(Step { text: dropped.len(), token: 0 })
}

/// As [`step`], for tokenisers that decode entities.
pub fn decoding_step(text: &[char], token: &[char]) -> Option<Step> {
    let is_decoded =
        |(entity, mark): &&(&str, &str)| begins(token, mark) && begins(text, entity) && !begins(token, entity);
    match ENTITIES.iter().find(is_decoded) {
        Some((entity, _)) => Some(Step { text: entity.len(), token: 1 }),
        None => step(text, token),
    }
}

fn begins(text: &[char], with: &str) -> bool {
    with.chars().enumerate().all(|(at, character)| text.get(at) == Some(&character))
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
        assert_eq!(words(Tokenizer::Words, "1½ cups"), ["1½", "½", "cups"]);
        assert!(words(Tokenizer::Words, "").is_empty());
    }
}
