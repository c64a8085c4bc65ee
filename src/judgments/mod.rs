//! Stage 1. In: files of pairs and of answers. Out: [`Pair`]s, each with the verdict that people gave. Next:
//! [`crate::text`].
//!
//! ```
//! use tribunal::judgments::{Pair, Verdict};
//!
//! let pair = Pair::parse("on mat the cat ||| the cat sat ||| the cat sat down", "dev.pairs", 1)?;
//! assert_eq!(pair.hypotheses[1], "the cat sat");
//! assert_eq!(Verdict::compare(0.2, 0.7), Verdict::Second);
//! assert_eq!(Verdict::Second.to_string(), "-1");
//! # Ok::<(), tribunal::Error>(())
//! ```

pub mod grouping;
pub mod probabilities;

use std::fmt;

pub use probabilities::Probabilities;

/// Which of two hypotheses is preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The first hypothesis is better; written `1`.
    First,
    /// Neither is better; written `0`.
    Tie,
    /// The second hypothesis is better; written `-1`.
    Second,
}

impl Verdict {
    /// All verdicts, in the order in which tables show them.
    pub const ALL: [Self; 3] = [Self::First, Self::Tie, Self::Second];

    /// The verdict of a score that is higher for the better hypothesis: a tie only where both are equal.
    pub fn compare(first: f64, second: f64) -> Self {
        if first > second {
            Self::First
        } else if first < second {
            Self::Second
        } else {
            Self::Tie
        }
    }

    /// The verdict on the same hypotheses in the other order.
    pub fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Tie => Self::Tie,
            Self::Second => Self::First,
        }
    }

    /// The place of the verdict in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// 1, 0 or -1.
    pub fn sign(self) -> i8 {
        match self {
            Self::First => 1,
            Self::Tie => 0,
            Self::Second => -1,
        }
    }

    /// Reads `1`, `0` or `-1`; white space around it is fine.
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "1" => Some(Self::First),
            "0" => Some(Self::Tie),
            "-1" => Some(Self::Second),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.sign())
    }
}

/// Two hypotheses with their reference(s), and what people said of them if that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The two hypotheses, as they are written in the file.
    pub hypotheses: [String; 2],
    /// One or several references.
    pub references: Vec<String>,
    /// The human judgment.
    pub label: Option<Verdict>,
    /// The name of the pair, from the column `id`.
    pub id: Option<String>,
    /// What the pair belongs to besides its reference, from the column `group`: such pairs are never split.
    pub group: Option<String>,
    /// Who judged it, from the column `judges`.
    pub judges: Option<String>,
    /// How much the judgment counts, from the column `weight`.
    pub weight: Option<f64>,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A pair that people judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgment {
    /// The hypotheses and the reference(s).
    pub pair: Pair,
    /// What people said.
    pub label: Verdict,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_reads_what_it_writes() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::parse(&verdict.to_string()), Some(verdict));
            assert_eq!(verdict.swapped().swapped(), verdict);
            assert_eq!(Verdict::ALL[verdict.index()], verdict);
        }
        assert_eq!(Verdict::parse("2"), None);
        assert_eq!(Verdict::parse(""), None);
    }
}
