//! The choices that are open to the [search](super::search).

use super::matches::{Match, Proposals};

/// The matches that are settled at once, and the candidates to choose from.
pub(super) struct Open {
    /// For each word of the reference, the settled match that starts there.
    pub fixed: Vec<Option<Match>>,
    /// For each hypothesis word, its number among those that candidates cover.
    pub numbers: Vec<u32>,
    /// The number of hypothesis words that candidates cover.
    pub choice: usize,
    /// The index of the first candidate of each reference word; one more element for the end.
    pub first: Vec<usize>,
}

impl Open {
    pub fn of(proposals: &Proposals, hypothesis: usize) -> Self {
        let words = proposals.first.len() - 1;
        let (mut here, mut there) = (vec![0_u32; hypothesis], vec![0_u32; words]);
        for found in &proposals.matches {
            here[found.in_hypothesis()].iter_mut().for_each(|count| *count += 1);
            there[found.in_reference()].iter_mut().for_each(|count| *count += 1);
        }
        let alone = |found: &Match| {
            here[found.in_hypothesis()].iter().all(|&count| count == 1)
                && there[found.in_reference()].iter().all(|&count| count == 1)
        };
        let of_word = |range: &[usize]| match &proposals.matches[range[0]..range[1]] {
            [only] if alone(only) => Some(*only),
            _ => None,
        };
        let fixed: Vec<Option<Match>> = proposals.first.windows(2).map(of_word).collect();
        let mut open = Self { fixed, numbers: here, choice: 0, first: Vec::with_capacity(words + 1) };
        open.number(proposals);
        open
    }

    fn number(&mut self, proposals: &Proposals) {
        self.numbers.fill(0);
        let mut candidates = 0;
        for (range, fixed) in proposals.first.windows(2).zip(&self.fixed) {
            self.first.push(candidates);
            if fixed.is_none() {
                let open = &proposals.matches[range[0]..range[1]];
                open.iter().for_each(|found| self.numbers[found.in_hypothesis()].fill(1));
                candidates += open.len();
            }
        }
        self.first.push(candidates);
        let mut next = 0;
        for number in &mut self.numbers {
            (*number, next) = (next, next + *number);
        }
        self.choice = next as usize;
    }

    /// The number of reference words with candidates.
    pub fn places(&self) -> usize {
        self.first.windows(2).filter(|range| range[0] < range[1]).count()
    }

    /// The largest number of candidates of a word.
    pub fn most_candidates(&self) -> usize {
        self.first.windows(2).map(|range| range[1] - range[0]).max().unwrap_or(0)
    }

    /// The candidates, in order.
    pub fn candidates<'a>(&'a self, proposals: &'a Proposals) -> impl Iterator<Item = &'a Match> {
        let words = proposals.first.windows(2).zip(&self.fixed);
        words.filter(|(_, fixed)| fixed.is_none()).flat_map(|(range, _)| &proposals.matches[range[0]..range[1]])
    }
}
