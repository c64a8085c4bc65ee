//! Everything that a command does is one function here, on owned data with plain settings: the command line parses,
//! calls and prints, and so can a binding or a service. The first argument is a [`Context`]: the lexical resources, and
//! a listener for progress and notes.
//!
//! ```
//! use tribunal::judgments::{Judgment, Pair, Verdict};
//! use tribunal::workflows::{self, Context, Engine, Source, TrainSettings};
//!
//! let judgment = |at: usize| {
//!     let line = format!("it rained {at} times ||| rained it times the {at} ||| it has rained {at} times");
//!     let mut pair = Pair::parse(&line, "example", at)?;
//!     let label = if at % 2 == 0 { Verdict::First } else { Verdict::Second };
//!     if label == Verdict::Second {
//!         pair.hypotheses.swap(0, 1);
//!     }
//!     Ok(Judgment { pair, label })
//! };
//! let judgments = (0..40).map(judgment).collect::<tribunal::Result<Vec<_>>>()?;
//! let source = Source { name: "example".into(), judgments, weight: 1.0 };
//! let trained = workflows::train(Context::new(&Engine::new()), &[source], &TrainSettings::default())?;
//! assert_eq!(trained.report.systems[0].name, "ensemble");
//! # Ok::<(), tribunal::Error>(())
//! ```

pub(crate) mod annotate;
#[cfg(feature = "ask")]
mod ask;
mod breakdowns;
pub(crate) mod compare;
pub(crate) mod context;
pub(crate) mod correlate;
pub(crate) mod details;
mod draws;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod features;
mod grounding;
pub mod import;
pub mod import_outputs;
pub(crate) mod judge;
mod labelled_outputs;
pub mod licences;
pub(crate) mod next;
mod output_comparison;
mod output_features;
mod output_predictions;
mod output_ranking;
mod output_scores;
mod output_training;
pub(crate) mod predict;
pub(crate) mod rank;
pub(crate) mod reading;
pub(crate) mod report_folder;
pub mod sample;
pub mod score;
mod studies;
pub(crate) mod systems;
pub(crate) mod train;
pub(crate) mod training;
mod warnings;

pub use annotate::{AnnotateSettings, annotate, annotate_outputs};
#[cfg(feature = "ask")]
pub use ask::{AskedTable, ask, ask_texts};
pub use compare::{CompareSettings, compare};
pub use context::{Context, Engine, Event, Listener};
pub use correlate::{CorrelateSettings, correlate};
pub use details::DetailSettings;
pub use draws::NextSettings;
pub use evaluate::{Checked, Predictions, check, decided, evaluate, evaluate_alone};
pub use explain::{ExplainSettings, ExplainedPair, Explainer, PairSelector, explain, explain_pairs};
pub use features::{FeatureSettings, FeatureTable, feature_table, write_features};
pub use judge::{NamedModel, PairPredictor, Prediction, Reason, chosen_with, predict_pairs, reading_for, with_learned};
pub use next::{next, next_of_files, next_outputs};
pub use output_comparison::{OutputSettings, compare_outputs};
pub use output_features::{output_feature_table, write_output_features};
pub use output_predictions::{OutputPrediction, predict_outputs, write_output_predictions};
pub use output_ranking::{MarkSettings, rank_marked};
pub use output_scores::reading_of_outputs;
pub use output_training::{train_criteria, train_outputs};
pub use predict::{PredictSettings, VerdictForm, predict};
pub use rank::{By, RankSettings, rank, rank_files, rank_outputs};
pub use reading::{PairFiles, Sources, read_judgments, read_labelled_outputs, read_pairs};
pub use report_folder::{ReportFolder, write_report};
pub use train::{Trained, fit, train};
pub use training::{Source, TrainSettings};
