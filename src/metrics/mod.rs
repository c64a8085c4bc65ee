//! Stage 3. In: a prepared hypothesis and its prepared references. Out: one or several values a metric. Next:
//! [`crate::features`].
//!
//! From below: [`Metric`] says what every metric is, [`Build`] how one is made from options, and then there is one file
//! a metric. Each knows only those two. [`REGISTRY`] stands above them and names every metric in one line, which says
//! all that help, docs, reports, features, property tests and fuzz targets need to know of it ([`Entry`]); a [`Panel`]
//! is a choice of metrics that share one preparation of text, and a [`Corpus`] what a panel says of a system's output.
//!
//! A metric computes [`Statistics`] of a segment first and scores from them, so that a corpus score is the score of
//! summed statistics and resampling costs nothing.
//!
//! # Which BLEU, which METEOR, which ROUGE is this?
//!
//! A name stands for one definition and one program, and the value is that program's: the table is at [`REGISTRY`], and
//! `tribunal score --list-metrics` prints it. ROUGE-1.5.5 is met to the five decimals that it prints, summing matches
//! and totals over references; METEOR with paraphrases has the [short ones](meteor::ParaphraseTable::embedded) as a
//! part of the program.
//!
//! So the METEOR of papers since 2014 is `meteor`; the numbers near 1 for good sentences that tutorials with NLTK show
//! are `meteor2005.nltk`. The BLEU to report is `bleu` of a corpus, with its signature; `bleu.nltk*` are for comparing
//! with older code. ROUGE of today's summarisation papers is rouge-score's; `rougeW` and `rougeSU4` are of the DUC and
//! TAC campaigns. Options of `tribunal score` change settings, and the signature says so. CharacTER is not here: chrF
//! sees the same agreement of characters without the cost of a search for shifts.
//!
//! # How metrics are made
//!
//! ```
//! use tribunal::metrics::Panel;
//!
//! let panel = Panel::of(&["bleu", "meteor2005"])?;
//! let mut lexicon = panel.lexicon();
//! let hypothesis = panel.prepare("on the mat sat the cat", &mut lexicon);
//! let reference = panel.prepare("the cat sat on the mat", &mut lexicon);
//! let scores = panel.scores(&hypothesis, &[&reference]);
//! assert!((scores[1] - 0.5).abs() < 1e-12);
//! # Ok::<(), tribunal::Error>(())
//! ```

mod build;
mod entry;
mod metric;
mod registry;
mod signature;

pub mod bleu;
pub mod bleu_nltk;
pub mod chrf;
pub mod gleu;
pub mod length;
pub mod links;
pub mod meteor;
pub mod meteor2005;
pub mod nist;
pub mod ribes;
pub mod rouge;
pub mod rouge155;
pub mod sum;
pub mod surface;
pub mod synset;
pub mod ter;
#[cfg(feature = "toy")]
pub mod toy;
pub mod words;

pub mod corpus;
pub(crate) mod panel;

pub use build::{Build, Built};
pub use corpus::{Corpus, Scope};
pub use entry::{AsFeatures, Entry, Parts, is_part};
pub use metric::{Direction, Metric, Monotonicity, Statistics, f1, ratio};
pub use panel::{Member, Panel};
pub use registry::{REGISTRY, check_options, find, known, of_value, options};
pub use signature::{Setting, Signature};
