//! Accuracy of verdicts, with intervals and tests.
//!
//! Judgments that share a reference are not independent, so intervals and tests count references, never single pairs.
//!
//! ```
//! use tribunal::evaluation::{Confusion, Correct};
//! use tribunal::judgments::Verdict::{First, Second, Tie};
//! use tribunal::judgments::grouping::Groups;
//!
//! let labels = [First, Tie, Second, First];
//! let system = [First, First, Second, Second];
//! assert_eq!(Confusion::new(&labels, &system).accuracy(), 0.5);
//! let groups = Groups { of_pair: vec![0, 0, 1, 2], count: 3 };
//! let interval = Correct::new(&labels, &system, &groups).interval();
//! assert!(interval.low <= 0.5 && 0.5 <= interval.high);
//! ```

pub(crate) mod agreement;
pub(crate) mod alternative;
pub(crate) mod annotators;
pub(crate) mod association;
pub(crate) mod bradley_terry;
pub(crate) mod breakdown;
pub(crate) mod by_order;
pub(crate) mod calibration;
pub(crate) mod confusion;
pub(crate) mod conventions;
pub(crate) mod distributions;
pub(crate) mod group_sums;
pub(crate) mod intervals;
pub(crate) mod judges;
pub(crate) mod leaderboard;
pub mod meta;
pub mod numpy_random;
pub(crate) mod paired_tests;
pub(crate) mod prediction_powered;
pub mod ranking;
pub mod significance;
pub(crate) mod tie_threshold;
pub(crate) mod waves;

pub use agreement::{Agreement, unanimous};
pub use alternative::{AlternativeTest, MIN_PAIRS, TestedAnnotator};
pub use annotators::{Annotations, AnnotatorRow, Aspect, Deviation, TwoAnnotators};
pub use bradley_terry::{Contest, STYLES, Strengths};
pub use breakdown::{Extremes, PartAccuracy, ValueBin, accuracy_on, quantile_bins};
pub use by_order::{VerdictsByOrder, mean, values_by_order};
pub use calibration::{Calibration, ConfidenceBin, confidence_bins};
pub use confusion::{Classes, Confusion, PerVerdict};
pub use conventions::{CONVENTIONS, Convention};
pub use group_sums::{Estimate, cohens_kappa};
pub use intervals::Interval;
pub use judges::JudgeStatistics;
pub use leaderboard::{BoardSettings, Leaderboard, Outcome, PowerPoint, RankedSystem, TwoSystems, Worth};
pub use paired_tests::{Comparison, Correct, McNemar, McNemarMethod, PairedTests};
pub use prediction_powered::{Observation, PoweredMean};
pub use tie_threshold::{BestMetric, Thresholded, WithTies};
pub use waves::{Draw, combined_probabilities};
