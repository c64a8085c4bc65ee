//! In: a lower-case word. Out: its stem. Next: lexicon.

mod letters;
mod porter;
mod rouge155;

use rust_stemmers::Algorithm;

use porter::Variant;

/// The longest word, in bytes, that [`Stemmer::Snowball`] stems: rust-stemmers 1.2 takes quadratic time.
const LONGEST_WORD: usize = 1 << 12;

/// A stemming algorithm, by the program it comes from. Every character other than a to z counts as a consonant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stemmer {
    /// Snowball's English stemmer ("Porter2", Porter 2001) as of the versions before 3.0: as in snowballstemmer 2.2.0
    /// and METEOR 1.5. (NLTK's port differs on 16 of WordNet's 147,306 lemmas, snowballstemmer 3.1.1 on 171.) Words of
    /// more than 4,096 bytes are left as they are.
    Snowball,
    /// Porter's algorithm as published: Porter 1980, "An algorithm for suffix stripping". NLTK 3.10.4 calls it
    /// `ORIGINAL_ALGORITHM`.
    Porter,
    /// As [`Self::Porter`], with the two rules that Porter's own programs have and the paper lacks. NLTK 3.10.4 calls
    /// it `MARTIN_EXTENSIONS`.
    PorterMartin,
    /// `PorterStemmer` of NLTK 3.10.4 in its default mode, `NLTK_EXTENSIONS`.
    PorterNltk,
    /// rouge-score 0.1.2's stemmer: [`Self::PorterNltk`], for words of more than three letters only.
    RougeScore,
    /// ROUGE-1.5.5's stemmer: for words of more than three letters, WordNet's exceptions, then its own variant of
    /// Porter's algorithm.
    Rouge155,
}

impl Stemmer {
    /// The stem of a lower-case word.
    pub fn stem(self, word: &str) -> String {
        match self {
            Self::Snowball if word.len() > LONGEST_WORD => word.to_owned(),
            Self::Snowball => rust_stemmers::Stemmer::create(Algorithm::English).stem(word).into_owned(),
            Self::Porter => porter::stem(word, Variant::Original),
            Self::PorterMartin => porter::stem(word, Variant::Martin),
            Self::PorterNltk => porter::stem(word, Variant::Nltk),
            Self::RougeScore if word.chars().nth(3).is_none() => word.to_owned(),
            Self::RougeScore => porter::stem(word, Variant::Nltk),
            Self::Rouge155 => rouge155::stem(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Stemmer; 6] = [
        Stemmer::Snowball,
        Stemmer::Porter,
        Stemmer::PorterMartin,
        Stemmer::PorterNltk,
        Stemmer::RougeScore,
        Stemmer::Rouge155,
    ];

    #[test]
    fn inflected_forms_share_a_stem() {
        for stemmer in ALL {
            assert_eq!(stemmer.stem("connections"), stemmer.stem("connected"));
        }
    }

    #[test]
    fn any_text_has_a_stem() {
        for stemmer in ALL {
            assert_eq!(stemmer.stem(""), "");
            for word in ["'s", "\0", "ééd", "😀ing", "中文s"] {
                stemmer.stem(word);
            }
            assert_eq!(stemmer.stem(&"y".repeat(1_000_001)).len(), 1_000_001);
        }
    }

    #[test]
    fn rouge_score_leaves_short_words() {
        assert_eq!(Stemmer::RougeScore.stem("was"), "was");
        assert_eq!(Stemmer::PorterNltk.stem("was"), "wa");
    }
}
