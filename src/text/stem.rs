//! Stage 2c. In: a lower-case word. Out: its stem. Next: lexicon.

use rust_stemmers::Algorithm;

/// Which program's stems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stemmer {
    /// Snowball's English stemmer ("Porter2"). Porter 2001.
    Snowball,
}

impl Stemmer {
    /// The stem of a lower-case word.
    pub fn stem(self, word: &str) -> String {
        match self {
            Self::Snowball => rust_stemmers::Stemmer::create(Algorithm::English).stem(word).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_forms_share_a_stem() {
        assert_eq!(Stemmer::Snowball.stem("connections"), Stemmer::Snowball.stem("connected"));
        assert_eq!(Stemmer::Snowball.stem(""), "");
    }
}
