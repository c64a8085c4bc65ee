//! In: nothing. Out: which word of the hypothesis is matched to which word of the reference. Next: `components`.

/// A one-to-one matching between the words of a hypothesis and of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alignment {
    /// For each word of the hypothesis, the word of the reference.
    pub to_reference: Vec<Option<usize>>,
    /// For each word of the reference, whether it is matched.
    pub covered: Vec<bool>,
}

impl Alignment {
    /// No word matched.
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

    /// The number of runs of matches that are adjacent and in the same order on both sides.
    pub fn chunks(&self) -> usize {
        let mut expected = None;
        let mut chunks = 0;
        for &reference in &self.to_reference {
            chunks += usize::from(reference.is_some() && reference != expected);
            expected = reference.map(|at| at + 1);
        }
        chunks
    }

    /// Words of the hypothesis that are not matched yet.
    pub fn free_hypothesis(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.to_reference.len()).filter(|&at| self.to_reference[at].is_none())
    }

    /// Words of the reference that are not matched yet.
    pub fn free_reference(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.covered.len()).filter(|&at| !self.covered[at])
    }
}
