//! Scores of systems. In: systems' output and references, a choice of metrics. Out: one row per system or per segment.
//! Next: the caller.
//!
//! ```
//! use tribunal::metrics::MetricSet;
//! use tribunal::workflows::{Context, Engine};
//! use tribunal::workflows::score::{ParallelTexts, SystemComparison, SystemOutput, score_texts};
//!
//! let system = |name: &str, segment: &str| SystemOutput::new(name, vec![segment.to_owned()]);
//! let texts = ParallelTexts {
//!     systems: vec![system("one", "the cat sat on the mat"), system("two", "on the mat sat")],
//!     references: vec![vec!["the cat sat on the mat".to_owned()]],
//! };
//! let engine = Engine::new();
//! let context = Context::new(&engine);
//! let scores = score_texts(context, &MetricSet::of(&["chrf", "ter"])?, &texts, &SystemComparison::default())?;
//! assert_eq!(scores.systems[0].scores[0].score, 100.0);
//! # Ok::<(), tribunal::Error>(())
//! ```

mod choice;
mod comparison;
mod draws;
mod lengths;
mod own;
mod segments;
mod systems;
mod texts;
mod writing;

pub use choice::{DEFAULT_METRICS, MetricChoice};
pub use comparison::{PairedTest, SystemComparison, SystemOrder};
pub use own::{ExternalValues, MetricValues};
pub use segments::{SegmentScores, score_segments, score_segments_of};
pub use systems::{score_files, score_texts};
pub use texts::{ParallelTexts, ScoreFiles, SystemOutput};
pub use writing::{ScoreForm, ScoreWriting, write_scores, write_segments};
