//! Meta-evaluation: how well metrics agree with human scores, over segments and over systems, and which metrics differ.
//!
//! Statistics equal those of google-research/mt-metrics-eval (`stats.py`, `tau_optimization.py`, `pce.py`), soft
//! pairwise accuracy included; p-values of PERM-BOTH come from other draws. What is NaN or the mean of an empty list
//! there is `None` here.
//!
//! ```
//! use tribunal_stats::meta::{HumanScores, segment_agreement};
//!
//! // Two systems, three segments; nobody judged the last segment of the second system.
//! let human = HumanScores::new(2, vec![Some(-1.0), Some(0.0), Some(0.0), Some(-5.0), Some(-1.0), None])?;
//! let agreement = segment_agreement(&human, &[60.0, 80.0, 75.0, 20.0, 70.0, 50.0], &[1.0]);
//! assert_eq!(agreement.item.accuracy, Some(1.0));
//! # Ok::<(), tribunal_stats::meta::WrongScores>(())
//! ```

mod agreement;
mod correlation;
mod permutation;
mod ranked;
mod replicates;
mod scores;
mod tie_search;

pub use agreement::{
    HumanRanking, RankedSystems, RowAgreement, SegmentAgreement, SystemAgreement, pairwise_accuracy, segment_agreement,
    system_means,
};
pub use correlation::{PairCounts, kendall_like, pearson, spearman};
pub use permutation::{MetricDifference, TestSettings, TestStatistic, clusters, metric_differences};
pub use ranked::tau_c;
pub use replicates::{Level, MetricReplicates, Resampling};
pub use scores::{Averaging, HumanScores, ScoredRow, WrongScores};
pub use tie_search::{OptimisedTies, optimise_ties};
