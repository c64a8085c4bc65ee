//! Meta-evaluation: how well metrics agree with people. In: people's and metrics' scores, one cell for each segment of
//! each system. Out: correlations over segments and over systems, and significance tests between metrics. Next:
//! [`crate::report`].
//!
//! Statistics equal those of google-research/mt-metrics-eval (`stats.py`, `tau_optimization.py`, `pce.py`), soft
//! pairwise accuracy included; p-values of PERM-BOTH come from other draws. What is NaN or the mean of an empty list
//! there is `None` here.
//!
//! ```
//! use tribunal::evaluation::meta::{HumanScores, segment_agreement};
//!
//! // Two systems, three segments; nobody judged the last segment of the second system.
//! let people = HumanScores::new(2, vec![Some(-1.0), Some(0.0), Some(0.0), Some(-5.0), Some(-1.0), None])?;
//! let agreement = segment_agreement(&people, &[60.0, 80.0, 75.0, 20.0, 70.0, 50.0], &[1.0]);
//! assert_eq!(agreement.item.accuracy, Some(1.0));
//! # Ok::<(), tribunal::Error>(())
//! ```

mod correlation;
mod counting;
mod differences;
mod judged;
mod kendall;
mod kendall_like;
mod segments;
mod soft_pairwise;
mod sum;
mod systems;
mod tie_search;

pub use correlation::{pearson, spearman};
pub use differences::{MetricDifference, TestSettings, TestStatistic, clusters, metric_differences};
pub use judged::{Averaging, HumanScores, ScoredRow};
pub use kendall::{PairCounts, tau_c};
pub use kendall_like::kendall_like;
pub use segments::{RowAgreement, SegmentAgreement, segment_agreement};
pub use soft_pairwise::{Exchanges, soft_pairwise_accuracy};
pub use systems::{HumanRanking, SystemAgreement, pairwise_accuracy, system_means};
pub use tie_search::{OptimisedTies, optimise_ties};
