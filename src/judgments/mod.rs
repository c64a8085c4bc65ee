//! Pairs of hypotheses with references and human labels, grouped by reference.
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

pub mod annotators;
pub mod grouping;
pub(crate) mod identity;
mod judge;
mod label_source;
pub(crate) mod language;
pub mod output;
pub(crate) mod pair;
pub(crate) mod places;
mod scale;
pub(crate) mod shared_words;

pub use judge::{ExternalJudge, JudgeVerdicts};
pub use label_source::LabelSource;
pub use language::Language;
pub use pair::{ExternalMetric, ExternalScore, Judgment, NO_PART, Pair, RoundedLabels, Vote};
pub use scale::Scale;
pub use shared_words::SharedWords;
pub use tribunal_stats::{Probabilities, Verdict, majority};
