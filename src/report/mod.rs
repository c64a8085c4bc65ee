//! Reports: how systems agree with people on the same pairs, why a model gave a verdict, and what scores metrics give.
//! Each is plain data. Those of accuracies and rankings are lists of [`Section`]s, which renderers loop over: [`text`],
//! [`html`], [`data`] (CSV and JSON), [`latex`] and [`paper`] (these and Markdown).

mod accuracy;
pub mod agreement;
pub mod agreements;
pub(crate) mod answer;
mod chart;
pub mod data;
pub mod details;
pub mod explanation;
mod figures;
pub mod html;
pub(crate) mod judged_pairs;
pub mod latex;
pub mod output_ranking;
pub mod outputs;
mod pair_rows;
pub mod paper;
pub mod people;
pub mod ranking;
pub mod requirement;
pub mod scores;
mod section;
pub mod sections;
pub(crate) mod studies;
pub(crate) mod systems;
pub mod table;
mod template;
pub mod terminal;
pub mod text;

pub use accuracy::{Against, Report, ReportParts, ReportSettings, Subject, TestRow};
pub use answer::{Answer, GainPower, Pool, Versus};
pub use chart::{Chart, View};
pub use details::Details;
pub use explanation::Explanation;
pub use section::Section;
pub use studies::{AblationRow, Breakdown, CurveRow, FILE, MacroAverage, Part, PartRow};
pub use systems::{Chosen, Matrix, Role, Row, System};
pub use terminal::Terminal;

/// The name of a trained ensemble, and of the built-in model, in reports.
pub const ENSEMBLE: &str = "ensemble";

/// The name of the summed-metric baseline in reports.
pub const BASELINE: &str = "sum";

/// The name of the majority-label baseline in reports.
pub const MAJORITY: &str = "majority";

/// The name of one annotator against the majority of the others in reports.
pub const HUMAN: &str = "human";

/// The name of the best single metric in reports.
pub const BEST_METRIC: &str = "best-metric";
