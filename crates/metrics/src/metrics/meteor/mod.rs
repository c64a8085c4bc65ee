//! METEOR 1.5.
//!
//! Modules propose matches of words (equal words, equal stems, synonyms, paraphrases), from which `search` chooses a
//! one-to-one alignment with many matches in few chunks. With the matched content and function words of each module i
//! in the hypothesis, c_i and f_i, and all its content and function words, C and F:
//!
//! ```text
//! P = sum_i w_i (delta c_i + (1 - delta) f_i) / (delta C + (1 - delta) F)      R the same of the reference
//! Fmean = 1 / ((1 - alpha)/P + alpha/R)      penalty = gamma frag^beta      score = Fmean (1 - penalty)
//! ```
//!
//! where frag is the number of chunks over the mean number of matched words of the two texts, and 0 if the texts match
//! completely in one chunk. In [0, 1]; 0 for empty text. With several references, the one with the highest score
//! counts. The score of a corpus is computed from the summed counts of its segments, where a completely matched segment
//! has no chunks. Denkowski and Lavie 2014, "Meteor Universal: Language Specific Translation Evaluation for Any Target
//! Language".
//!
//! Equal to METEOR's own program, `meteor-1.5.jar`, with the settings for English; the defaults are those of `-l en
//! -norm -m "exact stem synonym"`. Where the program departs from its description, this module follows the program, and
//! says so: in `search` (two slips), `matches` (equal sentences), [`Task::weights`], [`Task::Utility`], `words` (hash
//! codes for words, file offsets for synsets) and [`tokenizer`]. One departure is not reproduced: with option `-p` and
//! without `-w` the program uses the module weights of the task `adq`; here parameters and weights are separate
//! settings.
//!
//! Time and memory of a segment are bounded. With more than 262,144 possible matches (512 times "the" against 513
//! times; ordinary texts reach this at about 3,000 words each), or for texts of more than about 20,000 words that are
//! all repeated, there is no search: equal words are matched in order, then words with equal stems; synonyms and
//! paraphrases are not matched. METEOR's own program would take minutes to hours.

mod counts;
mod data;
mod matches;
pub mod paraphrases;
mod search;
mod settings;
pub mod tokenizer;
mod words;

pub use data::{HAS_DATA, LICENSE, NOTICE};
pub use paraphrases::ParaphraseTable;
pub use settings::{MeteorSettings, OPTIONS, PARAPHRASES, Parameters, Task};
pub use tokenizer::Normalization;

use super::entry::Built;
pub use super::links::Module;
use super::links::{Alignment, Link};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::Result;
use crate::options::Options;
use crate::text::{CustomViewId, Plan, Sentence};
use counts::{Counts, Score};
use matches::{Match, Proposals};
use words::{MeteorTokens, MeteorView};

/// METEOR 1.5, see the [module](self).
///
/// Values: the score, then `precision`, `recall`, `fmean`, `fragmentation`, `penalty`, `chunks` (the number of chunks
/// over the mean length of the two texts), `content` and `function` (the shares of content and function words that are
/// matched), and for each module the share of the matched words that it found. Statistics: METEOR's own in the order of
/// `-ssOut`, then the number of chunks again, but 0 for a segment that matches completely in one.
#[derive(Debug)]
pub struct Meteor {
    settings: MeteorSettings,
    values: Vec<&'static str>,
    view: CustomViewId<MeteorView>,
}

/// The alignment of a hypothesis with one of its references.
struct Aligned {
    /// The index of the reference.
    reference: usize,
    score: f64,
    /// In the order of the reference.
    matches: Vec<Match>,
    counts: Counts,
}

impl Meteor {
    /// The metric with these settings; requests METEOR's view of texts from the plan.
    ///
    /// # Errors
    /// Any error of [`MeteorSettings::check`]; a program without METEOR's data.
    pub fn new(settings: MeteorSettings, plan: &mut Plan) -> Result<Self> {
        data::check()?;
        settings.check()?;
        Ok(Self::with_plan(settings, plan))
    }

    /// Aligns equal words of text that is split at white space and uniform in case. This needs neither English nor
    /// METEOR's data, but the scores are not METEOR's.
    pub fn of_equal_words(plan: &mut Plan) -> Self {
        let settings = MeteorSettings::of_task(Task::default(), &[Module::Exact]);
        Self::with_plan(MeteorSettings { normalization: Normalization::None, ..settings }, plan)
    }

    fn with_plan(settings: MeteorSettings, plan: &mut Plan) -> Self {
        let table = || settings.paraphrases.clone().unwrap_or_else(ParaphraseTable::embedded);
        let paraphrases = settings.modules.contains(&Module::Paraphrase).then(table);
        let view = plan.add_custom(MeteorView { normalization: settings.normalization, paraphrases });
        let mut values =
            vec!["", "precision", "recall", "fmean", "fragmentation", "penalty", "chunks", "content", "function"];
        values.extend(settings.modules.iter().map(|module| module.name()));
        Self { settings, values, view }
    }

    fn align(&self, hypothesis: &MeteorTokens, reference: &MeteorTokens) -> Vec<Match> {
        let MeteorSettings { modules, beam, .. } = &self.settings;
        let proposals = Proposals::new(hypothesis, reference, modules);
        let best = |proposals| search::best(&proposals, hypothesis.words.len(), modules, *beam);
        proposals.and_then(best).unwrap_or_else(|| matches::in_order(hypothesis, reference, modules))
    }

    /// The alignment with the reference of the highest score, the first of equals; `None` without references.
    fn best(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Option<Aligned> {
        let hypothesis = hypothesis.custom(&self.view);
        let all = references.iter().enumerate().map(|(number, reference)| {
            let reference = reference.custom(&self.view);
            let matches = self.align(hypothesis, reference);
            let counts = Counts::new(hypothesis, reference, &matches, self.settings.characters);
            Aligned { reference: number, score: self.score(&counts).score, matches, counts }
        });
        all.reduce(|best, other| if other.score > best.score { other } else { best })
    }

    fn link(&self, matched: &Match) -> Link {
        let module = self.settings.modules[usize::from(matched.module)];
        Link { hypothesis: matched.in_hypothesis(), reference: matched.in_reference(), module }
    }

    fn score(&self, counts: &Counts) -> Score {
        counts.score(&self.settings.parameters, &self.settings.weights)
    }
}

/// METEOR with the user's options.
pub(super) fn build(options: &Options, plan: &mut Plan) -> Built {
    Ok(Box::new(Meteor::new(settings::from_options(options)?, plan)?))
}

/// METEOR with all modules, with the embedded [table](ParaphraseTable::embedded) for the paraphrase module.
pub(super) fn build_all(_: &Options, plan: &mut Plan) -> Built {
    Ok(Box::new(Meteor::new(MeteorSettings::of_task(Task::default(), &Module::ALL), plan)?))
}

/// As [`build_all`], without punctuation: nearly the same for raw and tokenised text.
pub(super) fn build_of_words(_: &Options, plan: &mut Plan) -> Built {
    let settings = MeteorSettings::of_task(Task::default(), &Module::ALL);
    let settings = MeteorSettings { normalization: Normalization::WordsOnly, ..settings };
    Ok(Box::new(Meteor::new(settings, plan)?))
}

impl Metric for Meteor {
    fn values(&self) -> &[&'static str] {
        &self.values
    }

    fn signature(&self) -> Signature {
        let MeteorSettings { parameters, modules, weights, normalization, beam, characters, paraphrases } =
            &self.settings;
        let modules: Vec<&str> = modules.iter().map(|module| module.name()).collect();
        let weights: Vec<String> = weights.iter().map(f64::to_string).collect();
        let normalization = match normalization {
            Normalization::None => "none",
            Normalization::Lower => "lower",
            Normalization::Words => "norm",
            Normalization::WordsOnly => "norm-nopunct",
        };
        let signature = Signature::new("meteor")
            .with("m", "modules", modules.join(","))
            .with("w", "weights", weights.join(","))
            .with("p", "params", parameters.to_string().replace(' ', ","))
            .with("tok", "tok", normalization)
            .with("x", "beam", beam)
            .with("u", "unit", if *characters { "character" } else { "word" });
        let signature = match paraphrases {
            Some(table) => signature.with("pt", "paraphrases", format!("{:016x}", table.fingerprint())),
            None if self.settings.modules.contains(&Module::Paraphrase) => signature.with(
                "pt",
                "paraphrases",
                format!("built-in-{:016x}", ParaphraseTable::embedded().fingerprint()),
            ),
            None => signature,
        };
        signature.with("v", "version", "1.5")
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let best = self.best(hypothesis, references);
        best.map_or_else(|| vec![0.0; counts::LENGTH], |best| best.counts.to_statistics())
    }

    fn links(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Option<Alignment> {
        let Aligned { reference, matches, .. } = self.best(hypothesis, references)?;
        let words = |sentence: &Sentence| tokenizer::word_spans(sentence.text(), self.settings.normalization);
        Some(Alignment {
            reference,
            links: matches.iter().map(|matched| self.link(matched)).collect(),
            hypothesis_words: words(hypothesis),
            reference_words: words(references[reference]),
        })
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let counts = Counts::of_statistics(statistics);
        let Score { precision, recall, fmean, fragmentation, penalty, score } = self.score(&counts);
        let mut values = vec![score, precision, recall, fmean, fragmentation, penalty];
        let mean_length = counts.sum(|side| side.length) / 2.0;
        values.extend([ratio(counts.chunks, mean_length), counts.content_share(), counts.function_share()]);
        let matched_by = |module| counts.sum(|side| side.matched_content[module] + side.matched_function[module]);
        let by_module: Vec<f64> = (0..self.settings.modules.len()).map(matched_by).collect();
        let matched: f64 = by_module.iter().sum();
        values.extend(by_module.iter().map(|&part| ratio(part, matched)));
        values
    }
}
