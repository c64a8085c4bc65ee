//! In: nothing. Out: what a metric that aligns says of its alignment. Next: [`Metric::links`](super::Metric::links).

use std::ops::Range;

/// What finds matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Module {
    /// Equal words.
    Exact,
    /// Different words with equal Snowball stems.
    Stem,
    /// Different words that share a synset of WordNet over their base forms.
    Synonym,
    /// Phrases of one or several words that are paraphrases in a table.
    Paraphrase,
}

impl Module {
    /// All modules, in the order in which METEOR has them.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Stem, Self::Synonym, Self::Paraphrase];

    /// What METEOR's command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Stem => "stem",
            Self::Synonym => "synonym",
            Self::Paraphrase => "paraphrase",
        }
    }
}

/// Words of the hypothesis that stand for words of the reference. One word each, but for paraphrases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Places among the words of the hypothesis.
    pub hypothesis: Range<usize>,
    /// Places among the words of the reference.
    pub reference: Range<usize>,
    /// What found it.
    pub module: Module,
}

/// How a metric aligned a hypothesis with a reference, and where the words stand in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// Which of the references was used.
    pub reference: usize,
    /// The links, in the order of the reference. No word has two.
    pub links: Vec<Link>,
    /// For each word of the hypothesis its bytes in the text.
    pub hypothesis_words: Vec<Range<usize>>,
    /// For each word of the reference its bytes in the text.
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

    /// Runs of links that are adjacent and in the same order on both sides.
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
