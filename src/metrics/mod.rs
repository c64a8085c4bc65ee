//! Stage 3. In: a prepared hypothesis and its prepared references. Out: one or several values a metric. Next:
//! [`crate::features`].
//!
//! One file a metric. A metric computes [`Statistics`] of a segment first and scores from them, so that a corpus score is
//! the score of summed statistics and resampling costs nothing. [`REGISTRY`] names every metric in one line; a
//! [`Panel`] is a choice of them that share one preparation of text.
//!
//! # Which BLEU, which METEOR, which ROUGE is this?
//!
//! A name stands for one definition and one program, and the value is that program's:
//!
//! | name | what it is | equal to |
//! | --- | --- | --- |
//! | `bleu` | BLEU in percent, tokeniser 13a, cased, smoothing exp; segments with the effective order | sacreBLEU 2.6.0 |
//! | `chrf`, `chrf++` | chrF2 in percent; `chrf++` with words of the orders 1 and 2 | sacreBLEU 2.6.0 |
//! | `ter` | translation edit rate in percent, lower is better | sacreBLEU 2.6.0 |
//! | `rouge1` ... `rouge4`, `rougeL`, `rougeLsum` | F1, no stemming | rouge-score 0.1.2 |
//! | `rougeW`, `rougeS`, `rougeS4`, `rougeSU4` | F1, weight 1.2, no stemming, matches and totals summed over references | ROUGE-1.5.5 (Perl), to the five decimals that it prints |
//! | `meteor` | METEOR 1.5: exact, stem, synonym; task rank; `-l en -norm` | `meteor-1.5.jar` |
//! | `meteor-all` | the same with paraphrases, of which the [short ones](meteor::ParaphraseTable::embedded) are part of the program | the jar with all modules, nearly |
//! | `meteor2005` | METEOR of 2005: alpha 0.9, beta 3, gamma 0.5, fewest crossings, on [`Words`](crate::text::Tokenizer::Words) | the paper |
//! | `meteor2005.nltk` | the same on words between blanks | NLTK 3.10.4, where its greedy alignment has the fewest crossings |
//! | `nist` | NIST of 5-grams on words between blanks | NLTK 3.10.4 |
//! | `gleu`, `ribes` | on words between blanks | NLTK 3.10.4 |
//! | `bleu.nltk0` ... `bleu.nltk7` | sentence BLEU with one of NLTK's smoothing methods, on words between blanks | NLTK 3.10.4 |
//! | `synset`, `length` | Tribunal's own | |
//! | `sum.meteor`, `sum.synset`, `sum.bleu` | the baseline's plain metrics, see [`sum`] | |
//!
//! So the METEOR of papers since 2014 is `meteor`; the numbers near 1 for good sentences that tutorials with NLTK show are
//! `meteor2005.nltk`. The BLEU to report is `bleu` of a corpus, with its signature; `bleu.nltk*` are for comparing with older
//! code. ROUGE of today's summarisation papers is rouge-score's; `rougeW` and `rougeSU4` are of the DUC and TAC campaigns.
//! Options of `tribunal score` change settings, and the signature says so. CharacTER is not here: chrF
//! sees the same agreement of characters without the cost of a search for shifts.
//!
//! # How metrics are made
//!
//! ```
//! use tribunal::metrics::Panel;
//! use tribunal::text::Lexicon;
//! use tribunal::wordnet::WordNet;
//!
//! let panel = Panel::of(&["bleu", "meteor2005"])?;
//! let mut lexicon = Lexicon::new(WordNet::embedded());
//! let hypothesis = panel.prepare("on the mat sat the cat", &mut lexicon);
//! let reference = panel.prepare("the cat sat on the mat", &mut lexicon);
//! let scores = panel.scores(&hypothesis, &[&reference]);
//! assert!((scores[1] - 0.5).abs() < 1e-12);
//! # Ok::<(), tribunal::Error>(())
//! ```

pub mod bleu;
pub mod bleu_nltk;
pub mod chrf;
pub mod corpus;
pub mod gleu;
pub mod length;
pub mod links;
pub mod meteor;
pub mod meteor2005;
pub mod nist;
pub mod panel;
pub mod ribes;
pub mod rouge;
pub mod rouge155;
pub mod signature;
pub mod sum;
pub mod surface;
pub mod synset;
pub mod ter;
pub mod words;

pub use corpus::{Corpus, Scope};
pub use panel::Panel;
pub use signature::Signature;

use crate::error::{Error, Result};
use crate::text::{Plan, Sentence};
use bleu_nltk::{Method, NltkBleu};

/// Sums that a metric's scores are computed from, such as matches and lengths. Those of a corpus are the sums of its
/// segments'.
pub type Statistics = Vec<f64>;

/// A metric with its settings.
pub trait Metric: Send + Sync + std::fmt::Debug {
    /// The names of the values, in order. The first is the metric's score and has the empty name; the others are parts
    /// that are worth knowing, such as `precision`.
    fn values(&self) -> &[&'static str];

    /// Every setting that changes a value of a segment.
    fn signature(&self) -> Signature;

    /// Every setting that changes a value of a corpus, where they differ from a segment's.
    fn corpus_signature(&self) -> Signature {
        self.signature()
    }

    /// This metric for the segments of a corpus that has these references, if it has to know them all beforehand. Its
    /// values are those of segments within the corpus. Most metrics look at each segment for itself.
    fn for_corpus(&self, _references: &mut dyn Iterator<Item = &Sentence>) -> Option<Box<dyn Metric>> {
        None
    }

    /// The statistics of one segment. `references` has at least one element; empty text is fine anywhere.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics;

    /// How the metric aligns a hypothesis with that of the references which counts; None if it aligns no words.
    fn links(&self, _hypothesis: &Sentence, _references: &[&Sentence]) -> Option<links::Alignment> {
        None
    }

    /// The values of one segment, in the order of [`Self::values`], from its statistics. All finite.
    fn segment(&self, statistics: &[f64]) -> Vec<f64>;

    /// The values of a corpus from the summed statistics of its segments.
    fn corpus(&self, sum: &[f64]) -> Vec<f64> {
        self.segment(sum)
    }
}

/// Which of two scores is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// As with BLEU.
    HigherIsBetter,
    /// As with error rates.
    LowerIsBetter,
}

impl Direction {
    /// 1 or -1: times this, higher scores are better.
    pub fn sign(self) -> f64 {
        match self {
            Self::HigherIsBetter => 1.0,
            Self::LowerIsBetter => -1.0,
        }
    }
}

/// What a metric is registered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A metric that people report, with a row of its own in reports; its values are features, too.
    Single,
    /// As [`Self::Single`], but no feature, because its values depend on how the text is tokenised.
    Reported,
    /// Computed only where somebody asks for it by name.
    OnRequest,
    /// A part of the summed-metric baseline, with a row of its own in reports.
    Baseline,
    /// A family of values that only serve as features.
    Family,
}

impl Role {
    /// Whether the metric has a row of its own in reports.
    pub fn is_reported(self) -> bool {
        !matches!(self, Self::Family | Self::OnRequest)
    }

    /// Whether the metric's values are features of the model.
    pub fn is_learned(self) -> bool {
        matches!(self, Self::Single | Self::Family)
    }
}

/// A line of the [`REGISTRY`].
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name by which users ask for it.
    pub name: &'static str,
    /// What it is for.
    pub role: Role,
    /// Which score is better.
    pub direction: Direction,
    /// Makes it with its default settings, and asks the plan for the views that it needs.
    pub build: fn(&mut Plan) -> Box<dyn Metric>,
}

impl Entry {
    /// The same for a metric of errors.
    const fn lower_is_better(self) -> Self {
        Self { direction: Direction::LowerIsBetter, ..self }
    }
}

/// All metrics: to add one, add a line.
#[rustfmt::skip]
pub const REGISTRY: &[Entry] = &[
    entry("bleu",       Role::Single,   |plan| Box::new(bleu::Bleu::sacrebleu(plan))),
    entry("chrf",       Role::Single,   |plan| Box::new(chrf::Chrf::sacrebleu(plan))),
    entry("chrf++",     Role::Reported, |plan| Box::new(chrf::Chrf::plus_plus(plan))),
    entry("ter",        Role::Reported, |plan| Box::new(ter::Ter::sacrebleu(plan))).lower_is_better(),
    entry("rouge1",     Role::Single,   |plan| Box::new(rouge::Rouge::n(1, plan))),
    entry("rouge2",     Role::Single,   |plan| Box::new(rouge::Rouge::n(2, plan))),
    entry("rouge3",     Role::OnRequest, |plan| Box::new(rouge::Rouge::n(3, plan))),
    entry("rouge4",     Role::OnRequest, |plan| Box::new(rouge::Rouge::n(4, plan))),
    entry("rougeLsum",  Role::OnRequest, |plan| Box::new(rouge::Rouge::l_sum(plan))),
    entry("rougeL",     Role::Single,   |plan| Box::new(rouge::Rouge::l(plan))),
    entry("rougeW",     Role::Reported, |plan| Box::new(rouge155::Rouge155::w(plan))),
    entry("rougeS",     Role::OnRequest, |plan| Box::new(rouge155::Rouge155::s(None, plan))),
    entry("rougeS4",    Role::Reported, |plan| Box::new(rouge155::Rouge155::s(Some(4), plan))),
    entry("rougeSU4",   Role::Reported, |plan| Box::new(rouge155::Rouge155::su(Some(4), plan))),
    entry("meteor",     Role::Single,   |plan| Box::new(meteor::Meteor::default_in(plan))),
    entry("meteor-all", Role::Single,   |plan| Box::new(meteor::Meteor::all_modules(plan))),
    entry("meteor2005", Role::Single,   |plan| Box::new(meteor2005::Meteor2005::default_in(plan))),
    entry("meteor2005.nltk", Role::OnRequest, |plan| Box::new(meteor2005::Meteor2005::nltk(plan))),
    entry("nist",       Role::Reported, |plan| Box::new(nist::Nist::nltk(plan))),
    entry("gleu",       Role::OnRequest, |plan| Box::new(gleu::Gleu::nltk(plan))),
    entry("ribes",      Role::OnRequest, |plan| Box::new(ribes::Ribes::nltk(plan))),
    entry("bleu.nltk0", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::None, plan))),
    entry("bleu.nltk1", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::Epsilon, plan))),
    entry("bleu.nltk2", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::AddOne, plan))),
    entry("bleu.nltk3", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::Nist, plan))),
    entry("bleu.nltk4", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::Length, plan))),
    entry("bleu.nltk5", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::Average, plan))),
    entry("bleu.nltk6", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::Prior, plan))),
    entry("bleu.nltk7", Role::OnRequest, |plan| Box::new(NltkBleu::new(Method::LengthAverage, plan))),
    entry("synset",     Role::Single,   |plan| Box::new(synset::Synset::new(plan))),
    entry("length",     Role::Single,   |plan| Box::new(length::Length::new(plan))),
    entry("alignment",  Role::Family,   |plan| Box::new(meteor::Meteor::of_words(plan))),
    entry("edits",      Role::Family,   |plan| Box::new(ter::Ter::of_words(plan))).lower_is_better(),
    entry("surface",    Role::Family,   |plan| Box::new(surface::Surface::new(plan))),
    entry("words",      Role::Family,   |plan| Box::new(words::Words::new(plan))),
    entry("sum.meteor", Role::Baseline, |plan| Box::new(sum::SimpleMeteor::new(plan))),
    entry("sum.synset", Role::Baseline, |plan| Box::new(sum::SynsetScore::new(plan))),
    entry("sum.bleu",   Role::Baseline, |plan| Box::new(sum::SmoothedBleu::new(plan))),
];

const fn entry(name: &'static str, role: Role, build: fn(&mut Plan) -> Box<dyn Metric>) -> Entry {
    Entry { name, role, direction: Direction::HigherIsBetter, build }
}

/// The registered metric of that name.
pub fn find(name: &str) -> Option<&'static Entry> {
    REGISTRY.iter().find(|entry| entry.name == name)
}

/// The registered metric of that name.
///
/// # Errors
/// There is none; the message lists all names, with those of `others` that the caller knows besides.
pub fn known(name: &str, others: &[&str]) -> Result<&'static Entry> {
    find(name).ok_or_else(|| {
        let names: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).chain(others.iter().copied()).collect();
        let (found, advice) = (format!("'{name}'"), format!("known are {}", names.join(", ")));
        Error::invalid("metrics", "the name of a metric", found, advice)
    })
}

/// a / b, and 0 where b is 0: the value of precision, recall and their like for empty text.
pub fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// The harmonic mean of precision and recall, 0 where both are 0. van Rijsbergen 1979, chapter 7.
pub fn f1(precision: f64, recall: f64) -> f64 {
    ratio(2.0 * precision * recall, precision + recall)
}
