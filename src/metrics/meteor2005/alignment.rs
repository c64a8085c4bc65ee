//! In: nothing. Out: which words of the hypothesis are matched to which words of the reference. Next: `components`.

/// A one-to-one matching between the words of a hypothesis and of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alignment {
    /// For each word of the hypothesis, the matched word of the reference.
    pub to_reference: Vec<Option<usize>>,
    /// For each word of the reference, whether it is matched.
    pub covered: Vec<bool>,
}

impl Alignment {
    /// An alignment without matches.
    pub fn new(hypothesis: usize, reference: usize) -> Self {
        Self { to_reference: vec![None; hypothesis], covered: vec![false; reference] }
    }

    /// Matches two words.
    pub fn insert(&mut self, hypothesis: usize, reference: usize) {
        self.to_reference[hypothesis] = Some(reference);
        self.covered[reference] = true;
    }

    /// The matches, in the order of the hypothesis.
    pub fn pairs(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + '_ {
        self.to_reference.iter().enumerate().filter_map(|(hypothesis, reference)| Some((hypothesis, (*reference)?)))
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// The number of chunks: maximal runs of matches that are adjacent and in the same order in both texts.
    pub fn chunks(&self) -> usize {
        let mut expected = None;
        let mut chunks = 0;
        for &reference in &self.to_reference {
            chunks += usize::from(reference.is_some() && reference != expected);
            expected = reference.map(|at| at + 1);
        }
        chunks
    }

    /// The unmatched words of the hypothesis.
    pub fn free_hypothesis(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.to_reference.len()).filter(|&at| self.to_reference[at].is_none())
    }

    /// The unmatched words of the reference.
    pub fn free_reference(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.covered.len()).filter(|&at| !self.covered[at])
    }
}
