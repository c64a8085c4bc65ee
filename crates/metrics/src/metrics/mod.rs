//! Metrics: values of a prepared hypothesis against its prepared references.
//!
//! From the bottom up: [`Metric`] is the interface of all metrics, its [`Entry`] builds one from options, and each metric
//! has its own file, which knows only those two. [`REGISTRY`] lists every metric in one line with all that help, docs,
//! reports, features, property tests and fuzz targets need to know about it ([`Entry`]). A [`MetricSet`] is a selection of
//! metrics that share one preparation of the text, and a [`Corpus`] holds their statistics of a system's output.
//!
//! A metric first computes the [`Statistics`] of a segment and then its scores from them. The score of a corpus is
//! therefore the score of the summed statistics, and resampling is cheap.
//!
//! # Which BLEU, which METEOR, which ROUGE is this?
//!
//! Each name stands for one definition. If there is a reference implementation, both give the same value, with one
//! exception, `meteor-all`: it uses the [short paraphrases](meteor::ParaphraseTable::embedded) that are compiled into
//! the program. The table is at [`REGISTRY`]. ROUGE-1.5.5 is reproduced
//! to the five decimals that it prints, with matches and totals summed over references.
//!
//! The METEOR of papers since 2014 is `meteor`; the values near 1 for good sentences in NLTK tutorials are those of
//! `meteor2005.nltk`. The BLEU to report is `bleu` of a corpus, with its signature; `bleu.nltk*` are for comparison
//! with older code. Present-day summarisation papers use rouge-score's ROUGE; `rougeW` and `rougeSU4` are those of the
//! DUC and TAC campaigns. [Options](crate::options) change settings, and the signature shows them. CharacTER is not
//! included: its search for shifts is costly, and chrF also compares characters.
//!
//! # How metrics are built
//!
//! ```
//! use tribunal_text_metrics::metrics::MetricSet;
//!
//! let metric_set = MetricSet::named(&["bleu", "meteor2005"])?;
//! let mut lexicon = metric_set.lexicon();
//! let hypothesis = metric_set.prepare("on the mat sat the cat", &mut lexicon);
//! let reference = metric_set.prepare("the cat sat on the mat", &mut lexicon);
//! let scores = metric_set.scores(&hypothesis, &[&reference]);
//! assert!((scores[1] - 0.5).abs() < 1e-12);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

mod entry;
mod metric;
mod part;
mod registry;
mod signature;
#[cfg(test)]
mod tests;

pub mod bertscore;
pub mod bleu;
pub mod bleu_nltk;
pub mod chrf;
mod comet;
pub mod gleu;
pub mod grounding;
pub mod length;
pub mod links;
pub mod meteor;
pub mod meteor2005;
pub mod nist;
pub mod ribes;
pub mod rouge;
pub mod rouge155;
pub mod style;
pub mod sum;
pub mod surface;
pub mod synset;
pub mod ter;
pub mod words;

pub mod corpus;
pub(crate) mod metric_set;

pub use corpus::{Corpus, Scope};
pub use entry::{AsFeatures, Built, Entry, Needs, Parts, is_part};
pub use metric::{Direction, Learned, Metric, Monotonicity, Statistics, f1, ratio};
pub use metric_set::{Member, MetricSet};
pub use registry::{REGISTRY, check_options, find, known, of_value, options};
pub use signature::{Setting, Signature};
