//! In: verdicts of a system and of people. Out: their confusion matrix. Next: report.

use serde::Serialize;

use crate::judgments::Verdict;
use crate::metrics::ratio;

/// The confusion matrix: how often a system gave each verdict where people gave each verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// `counts[people][system]`, both in the order of [`Verdict::ALL`].
    pub counts: [[usize; 3]; 3],
}

impl Confusion {
    /// Counts the pairs; both slices have one verdict per pair.
    pub fn of(people: &[Verdict], system: &[Verdict]) -> Self {
        let mut counts = [[0; 3]; 3];
        for (truth, said) in people.iter().zip(system) {
            counts[truth.index()][said.index()] += 1;
        }
        Self { counts }
    }

    /// The number of pairs.
    pub fn total(&self) -> usize {
        self.counts.iter().flatten().sum()
    }

    /// The share of pairs on which both give the same verdict, in [0, 1]; 0 for no pairs.
    pub fn accuracy(&self) -> f64 {
        let agreed: usize = (0..3).map(|verdict| self.counts[verdict][verdict]).sum();
        ratio(agreed as f64, self.total() as f64)
    }

    /// The shares of pairs that people and the system call ties, in [0, 1]; 0 for no pairs.
    pub fn tie_shares(&self) -> [f64; 2] {
        let tie = Verdict::Tie.index();
        let of_people: usize = self.counts[tie].iter().sum();
        let of_system: usize = self.counts.iter().map(|row| row[tie]).sum();
        [of_people, of_system].map(|ties| ratio(ties as f64, self.total() as f64))
    }

    /// Kendall's tau as WMT computes it since 2014: (concordant - discordant) / decided, where decided pairs are those
    /// where people prefer one hypothesis; ties of the system count in the denominator only. In [-1, 1]; 0 for no
    /// decided pairs. Macháček and Bojar 2014, section 3.2.
    pub fn kendall_tau(&self) -> f64 {
        let (first, second) = (Verdict::First.index(), Verdict::Second.index());
        let concordant = self.counts[first][first] + self.counts[second][second];
        let discordant = self.counts[first][second] + self.counts[second][first];
        let decided: usize = self.counts[first].iter().chain(&self.counts[second]).sum();
        ratio(concordant as f64 - discordant as f64, decided as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn accuracy_and_tau_by_hand() {
        // Of five decided pairs three agree, one disagrees and one is called a tie; the one tie is missed.
        let people = [First, First, Second, Second, First, Tie];
        let system = [First, First, Second, First, Tie, First];
        let confusion = Confusion::of(&people, &system);
        assert_eq!(confusion.accuracy(), 0.5);
        assert!((confusion.kendall_tau() - 0.4).abs() < 1e-15);
        assert_eq!(confusion.tie_shares(), [1.0 / 6.0; 2]);
        assert_eq!(confusion.counts[Second.index()], [1, 0, 1]);
    }

    #[test]
    fn nothing_is_zero() {
        assert_eq!(Confusion::of(&[], &[]).accuracy(), 0.0);
        assert_eq!(Confusion::of(&[Tie], &[Tie]).kendall_tau(), 0.0);
    }
}
