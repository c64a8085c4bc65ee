//! Statistics of preferences: how well verdicts on pairs of texts, judges and metrics agree with people, and how sure that is.
//!
//! Everything works on labels, numbers and groups: [`Verdict`]s (the first is better, a tie, the second is better), scores,
//! and [`Groups`] of observations that are not independent, such as judgments of one source sentence. Intervals and tests
//! count groups, never single observations.
//!
//! ```
//! use tribunal_stats::Verdict::{First, Second, Tie};
//! use tribunal_stats::{Confusion, Correct, Groups};
//!
//! let labels = [First, Tie, Second, First];
//! let system = [First, First, Second, Second];
//! assert_eq!(Confusion::new(&labels, &system).accuracy(), 0.5);
//! let groups = Groups { of_row: vec![0, 0, 1, 2], count: 3 };
//! let interval = Correct::new(&labels, &system, &groups).interval();
//! assert!(interval.low <= 0.5 && 0.5 <= interval.high);
//! ```
//!
//! # What is here
//!
//! - Verdicts against labels: [`Confusion`], [`Correct`] with its [`PairedTests`], [`McNemar`], [`Calibration`],
//!   [`accuracy_on`] parts, ties by [`Thresholded`] scores, and the [`CONVENTIONS`] of the field for counting ties.
//! - Annotators: [`Annotations`] (agreement, Cohen's kappa, Krippendorff's alpha, who stands out), and the
//!   [`AlternativeTest`] of whether a judge may replace them.
//! - Judges: [`JudgeStatistics`] (accuracy in both orders, consistency, preference for what is shown first or is longer).
//! - Single outputs: verdicts and scores against labels that pass or fail ([`BinaryAgreement`], [`roc_area_of`]) or are numbers
//!   ([`NumericAgreement`]), and [`agreement_within`] prompts.
//! - Few labels and many verdicts: [`PoweredMean`], prediction-powered inference, and [`waves`](combined_probabilities) of
//!   labels.
//! - Systems: the [`Leaderboard`] of win rates, [`Strengths`] by Bradley and Terry, [`ranking`] in clusters.
//! - Metrics against human scores: [`meta`], as in mt-metrics-eval.
//! - Corpus scores: [`significance`], bootstrap and randomisation tests with the draws of sacreBLEU.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod agreement;
mod alternative;
mod annotators;
mod association;
pub mod bootstrap;
mod bradley_terry;
mod breakdown;
mod by_order;
mod calibration;
mod confusion;
mod conventions;
pub mod distributions;
mod folds;
mod group_sums;
mod groups;
mod intervals;
mod judges;
mod leaderboard;
pub mod meta;
pub mod numpy_random;
mod outputs;
mod paired_tests;
mod prediction_powered;
pub mod ranking;
mod sign_test;
pub mod significance;
mod tie_threshold;
mod verdict;
mod waves;

pub use agreement::Agreement;
pub use alternative::{AlternativeTest, MIN_PAIRS, RatedItem, TestedAnnotator};
pub use annotators::{AnnotatedItem, Annotations, AnnotatorRow, Aspect, Deviation, TwoAnnotators};
pub use association::strongest_association;
pub use bradley_terry::{Contest, STYLES, Strengths};
pub use breakdown::{Extremes, PartAccuracy, ValueBin, accuracy_on, quantile_bins};
pub use by_order::{VerdictsByOrder, mean};
pub use calibration::{Calibration, ConfidenceBin, ShareCalibration, confidence_bins, share_bins};
pub use confusion::{Classes, Confusion, PerVerdict};
pub use conventions::{CONVENTIONS, Convention};
pub use folds::Folds;
pub use group_sums::{Estimate, cohens_kappa};
pub use groups::Groups;
pub use intervals::Interval;
pub use judges::JudgeStatistics;
pub use leaderboard::{BoardSettings, Leaderboard, MORE_LABELS, Outcome, PowerPoint, RankedSystem, TwoSystems, Worth};
pub use outputs::{
    BinaryAgreement, ByPart, NumericAgreement, agreement_within, balanced_accuracy_difference, corrected_rate,
    quadratic_kappa, roc_area, roc_area_of, spearman_difference, with_threshold,
};
pub use paired_tests::{Comparison, Correct, McNemar, McNemarMethod, PairedTests};
pub use prediction_powered::{Budget, Observation, PoweredMean};
pub use sign_test::sign_test;
pub use tie_threshold::{BestMetric, Thresholded, WithTies};
pub use verdict::{Probabilities, Verdict, majority};
pub use waves::{Draw, combined_probabilities};

/// a / b, or 0 if b is 0.
fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}
