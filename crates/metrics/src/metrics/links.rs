//! The alignment of a hypothesis with a reference, as aligning metrics report it
//! ([`Metric::links`](super::Metric::links)).

use std::ops::Range;

/// A kind of match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Module {
    /// Equal words.
    Exact,
    /// Different words with equal Snowball stems.
    Stem,
    /// Different words whose base forms share a WordNet synset.
    Synonym,
    /// Phrases of one or more words that are paraphrases in a table.
    Paraphrase,
}

impl Module {
    /// All modules, in METEOR's order.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Stem, Self::Synonym, Self::Paraphrase];

    /// The name on METEOR's command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Stem => "stem",
            Self::Synonym => "synonym",
            Self::Paraphrase => "paraphrase",
        }
    }
}

/// A match between words of the hypothesis and of the reference. One word each, except for paraphrases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Indices of the matched words of the hypothesis.
    pub hypothesis: Range<usize>,
    /// Indices of the matched words of the reference.
    pub reference: Range<usize>,
    /// The kind of match.
    pub module: Module,
}

/// An alignment of a hypothesis with a reference, with the positions of the words in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// The index of the reference that was used.
    pub reference: usize,
    /// The links, in the order of the reference. No word has more than one.
    pub links: Vec<Link>,
    /// For each word of the hypothesis, its bytes in the text.
    pub hypothesis_words: Vec<Range<usize>>,
    /// For each word of the reference, its bytes in the text.
    pub reference_words: Vec<Range<usize>>,
}

impl Alignment {
    /// The bytes of the hypothesis that a link covers, from its first word to its last.
    pub fn in_hypothesis(&self, link: &Link) -> Range<usize> {
        covered(&self.hypothesis_words, &link.hypothesis)
    }

    /// The bytes of the reference that a link covers, from its first word to its last.
    pub fn in_reference(&self, link: &Link) -> Range<usize> {
        covered(&self.reference_words, &link.reference)
    }

    /// The number of chunks: maximal runs of links that are adjacent and in the same order in both texts.
    pub fn chunks(&self) -> usize {
        let follows = |pair: &&[Link]| {
            pair[0].hypothesis.end == pair[1].hypothesis.start && pair[0].reference.end == pair[1].reference.start
        };
        self.links.len() - self.links.windows(2).filter(follows).count()
    }
}

fn covered(words: &[Range<usize>], places: &Range<usize>) -> Range<usize> {
    match &words[places.clone()] {
        [] => 0..0,
        [first, .., last] => first.start..last.end,
        [only] => only.clone(),
    }
}
