//! METEOR 1.5's tuned parameters and module weights, by task.

use std::fmt;

use crate::metrics::links::Module;

/// The weight of a module's matches in the search for the alignment, which is independent of their weight in the score.
pub(super) fn search_weight(module: Module) -> f64 {
    if module == Module::Exact { 1.0 } else { 0.5 }
}

/// The parameters of the score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// The weight of recall in Fmean, from 0 to 1; precision has 1 - alpha.
    pub alpha: f64,
    /// The exponent of fragmentation, at least 0.
    pub beta: f64,
    /// The penalty at full fragmentation, from 0 to 1.
    pub gamma: f64,
    /// The weight of content words, from 0 to 1; function words have 1 - delta.
    pub delta: f64,
}

impl fmt::Display for Parameters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { alpha, beta, gamma, delta } = self;
        write!(formatter, "{alpha} {beta} {gamma} {delta}")
    }
}

/// A task that METEOR 1.5 was tuned for, in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Task {
    /// Rankings of WMT 2009 to 2012: METEOR's default.
    #[default]
    Rank,
    /// Adequacy scores of NIST Open MT 2009.
    Adequacy,
    /// HTER of GALE P2.
    Hter,
    /// No language in particular.
    LanguageIndependent,
    /// The objective for tuning a translation system.
    Tune,
    /// The utility of a translation for post-editing. METEOR's documentation says that this task counts characters
    /// instead of words, but its program does so only with `-ch`; here, too, it is a separate setting,
    /// [`characters`](super::MeteorSettings::characters).
    Utility,
    /// Languages with no resources other than a paraphrase table and a list of function words.
    Universal,
}

impl Task {
    /// All tasks.
    pub const ALL: [Self; 7] =
        [Self::Rank, Self::Adequacy, Self::Hter, Self::LanguageIndependent, Self::Tune, Self::Utility, Self::Universal];

    /// The name on METEOR's command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Adequacy => "adq",
            Self::Hter => "hter",
            Self::LanguageIndependent => "li",
            Self::Tune => "tune",
            Self::Utility => "util",
            Self::Universal => "universal",
        }
    }

    /// The task with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.name() == name)
    }

    /// The parameters of the score.
    pub fn parameters(self) -> Parameters {
        let [alpha, beta, gamma, delta] = match self {
            Self::Rank => [0.85, 0.20, 0.60, 0.75],
            Self::Adequacy => [0.75, 1.40, 0.45, 0.70],
            Self::Hter => [0.40, 1.50, 0.35, 0.55],
            Self::LanguageIndependent => [0.75, 1.40, 0.70, 0.50],
            Self::Tune => [0.50, 1.00, 0.50, 0.50],
            Self::Utility => [0.65, 0.10, 0.55, 0.65],
            Self::Universal => [0.70, 1.40, 0.30, 0.70],
        };
        Parameters { alpha, beta, gamma, delta }
    }

    /// The weights of the chosen modules, by position. METEOR assigns weights by position and not by name, so that with
    /// `-m "exact paraphrase"` paraphrases have the weight of stems.
    pub fn weights(self) -> [f64; 4] {
        match self {
            Self::Rank => [1.0, 0.6, 0.8, 0.6],
            Self::Adequacy => [1.0, 1.0, 0.6, 0.8],
            Self::Hter => [1.0, 0.2, 0.6, 0.8],
            Self::LanguageIndependent | Self::Tune => [1.0, 0.5, 0.5, 0.5],
            Self::Utility => [1.0, 0.0, 0.0, 0.8],
            Self::Universal => [1.0, 0.6, 0.0, 0.0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_found_by_name() {
        assert!(Task::ALL.into_iter().all(|task| Task::of_name(task.name()) == Some(task)));
        assert_eq!(Task::of_name("translation"), None);
    }

    #[test]
    fn parameters_are_shown_in_meteors_order() {
        assert_eq!(Task::default().parameters().to_string(), "0.85 0.2 0.6 0.75");
    }
}
