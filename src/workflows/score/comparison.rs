//! What is computed beside scores. In: wishes. Out: intervals and p-values of a system's score. Next: systems.

use crate::error::{Error, Result};
use crate::evaluation::significance::{Resamples, randomisation};
use crate::metrics::{Metric, Signature, Statistics, corpus};
use crate::report::scores::Score;

/// sacreBLEU's numbers of rounds, so that intervals and tests come out as there.
const BOOTSTRAP_ROUNDS: u32 = 1000;
const RANDOMISATION_ROUNDS: u32 = 10_000;

/// How systems are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemComparison {
    /// Compute 95% intervals by bootstrap over segments.
    pub confidence: bool,
    /// How each system is tested against the first.
    pub test: Option<PairedTest>,
    /// Rounds of resampling; without a number sacreBLEU's.
    pub rounds: Option<u32>,
    /// What resampling is drawn with.
    pub seed: u64,
}

impl Default for SystemComparison {
    /// Scores alone, and sacreBLEU's seed.
    fn default() -> Self {
        Self { confidence: false, test: None, rounds: None, seed: 12345 }
    }
}

/// A test between two systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedTest {
    /// Koehn 2004, section 4; comes with intervals.
    Bootstrap,
    /// Riezler and Maxwell 2005.
    Randomisation,
}

impl PairedTest {
    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bootstrap => "paired bootstrap",
            Self::Randomisation => "paired approximate randomisation",
        }
    }
}

impl SystemComparison {
    /// Checks that there is something to compare.
    ///
    /// # Errors
    /// A test of one system; rounds of nothing.
    pub fn check(&self, systems: usize) -> Result<()> {
        if self.test.is_some() && systems < 2 {
            let advice = "name the system that the others are tested against first, or ask for --confidence";
            return Err(Error::invalid("HYP", "two or more systems for a paired test", "one", advice));
        }
        if self.rounds.is_some() && self.test.is_none() && !self.confidence {
            let advice = "leave --rounds out, or say what is resampled";
            return Err(Error::invalid("--rounds", "--confidence, --paired-bs or --paired-ar", "none", advice));
        }
        Ok(())
    }

    fn has_bootstrap(&self) -> bool {
        self.confidence || self.test == Some(PairedTest::Bootstrap)
    }

    fn bootstrap_rounds(&self) -> u32 {
        self.rounds.unwrap_or(BOOTSTRAP_ROUNDS)
    }

    fn randomisation_rounds(&self) -> u32 {
        self.rounds.unwrap_or(RANDOMISATION_ROUNDS)
    }

    /// The draws of segments that intervals and the bootstrap need.
    pub(super) fn resamples(&self, segments: usize) -> Option<Resamples> {
        self.has_bootstrap().then(|| Resamples::draw(segments, self.bootstrap_rounds() as usize, self.seed))
    }

    /// The score of a system, with what else is wanted; `first` has the segments of the system that it is tested
    /// against.
    pub(super) fn score(
        &self,
        metric: &dyn Metric,
        own: &[Statistics],
        first: Option<&[Statistics]>,
        resamples: Option<&Resamples>,
    ) -> Score {
        let spread = resamples.map(|resamples| resamples.spread(metric, own));
        let p_value = first.zip(self.test).and_then(|(first, test)| match test {
            // No draw could tell them apart: sacreBLEU, which counts draws above a difference of 0, says the least p.
            _ if own == first => Some(1.0),
            PairedTest::Bootstrap => resamples.map(|resamples| resamples.p_value(metric, own, first)),
            PairedTest::Randomisation => {
                Some(randomisation(metric, own, first, self.randomisation_rounds() as usize, self.seed))
            }
        });
        Score {
            score: corpus::score(metric, own.iter()),
            mean: spread.map(|spread| spread.mean),
            half_width: spread.map(|spread| spread.half_width),
            p_value,
        }
    }

    /// A metric's signature; as in sacreBLEU's, the number of references and the draws come first.
    pub(super) fn sign(&self, mut signature: Signature, references: &str) -> Signature {
        let own = std::mem::take(&mut signature.settings);
        signature = signature.with("#", "nrefs", references);
        if self.has_bootstrap() {
            signature = signature.with("bs", "bs", self.bootstrap_rounds());
        }
        if self.test == Some(PairedTest::Randomisation) {
            signature = signature.with("ar", "ar", self.randomisation_rounds());
        }
        if self.has_bootstrap() || self.test.is_some() {
            signature = signature.with("rs", "seed", self.seed);
        }
        signature.settings.extend(own);
        signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_have_to_fit_together() {
        let test = Some(PairedTest::Bootstrap);
        assert!(SystemComparison { test, ..SystemComparison::default() }.check(2).is_ok());
        assert!(SystemComparison { test, ..SystemComparison::default() }.check(1).is_err());
        assert!(SystemComparison { rounds: Some(9), ..SystemComparison::default() }.check(1).is_err());
        assert!(SystemComparison { rounds: Some(9), confidence: true, ..SystemComparison::default() }.check(1).is_ok());
    }

    #[test]
    fn signatures_name_the_draws_first() {
        let sign =
            |comparison: SystemComparison| comparison.sign(Signature::new("m").with("a", "alpha", 1), "2").to_string();
        assert_eq!(sign(SystemComparison::default()), "m|nrefs:2|alpha:1");
        let test = Some(PairedTest::Randomisation);
        assert_eq!(
            sign(SystemComparison { test, ..SystemComparison::default() }),
            "m|nrefs:2|ar:10000|seed:12345|alpha:1"
        );
        let both = SystemComparison { test, confidence: true, rounds: Some(7), seed: 3 };
        assert_eq!(sign(both), "m|nrefs:2|bs:7|ar:7|seed:3|alpha:1");
    }
}
