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
//! says so: in `search` (two slips), `modules` (equal sentences), [`Task::weights`], [`Task::Utility`], `words` (hash
//! codes for words, file offsets for synsets) and [`tokenizer`]. One departure is not reproduced: with option `-p` and
//! without `-w` the program uses the module weights of the task `adq`; here parameters and weights are separate
//! settings.
//!
//! Time and memory of a segment are bounded. With more than 262,144 possible matches (512 times "the" against 513
//! times; ordinary texts reach this at about 3,000 words each), or for texts of more than about 20,000 words that are
//! all repeated, there is no search: equal words are matched in order, then words with equal stems; synonyms and
//! paraphrases are not matched. METEOR's own program would take minutes to hours.

mod bits;
mod counts;
mod data;
mod lists;
mod matches;
mod modules;
mod open;
mod options;
mod parameters;
pub mod paraphrases;
mod room;
mod search;
pub mod tokenizer;
mod view;
mod words;

use std::sync::Arc;

pub use counts::{Counts, Matched, Score, Sides};
pub use data::{HAS_DATA, LICENSE, NOTICE};
pub use options::{OPTIONS, PARAPHRASES};
pub use parameters::{Parameters, Task};
pub use paraphrases::{Cached, ParaphraseTable};
pub use tokenizer::Normalization;

use super::build::{Build, Built};
pub use super::links::Module;
use super::links::{Alignment, Link};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::text::{CustomViewId, Plan, Sentence};
use matches::Match;
use view::MeteorTokens;

/// The settings of [`Meteor`].
#[derive(Debug, Clone)]
pub struct MeteorSettings {
    /// The parameters of the score.
    pub parameters: Parameters,
    /// The modules that find matches, in order.
    pub modules: Vec<Module>,
    /// The weight of a match of each module, from 0 to 1.
    pub weights: Vec<f64>,
    /// How the text is normalised before it is split at white space.
    pub normalization: Normalization,
    /// The number of paths that the search for the alignment follows (`-x`).
    pub beam: usize,
    /// Whether characters are counted instead of words for precision and recall (`-ch`).
    pub characters: bool,
    /// The table of the paraphrase module; `None` for the embedded table of [short phrases](ParaphraseTable::embedded).
    pub paraphrases: Option<Arc<ParaphraseTable>>,
}

impl Default for MeteorSettings {
    fn default() -> Self {
        Self::of_task(Task::default(), &[Module::Exact, Module::Stem, Module::Synonym])
    }
}

impl MeteorSettings {
    /// The parameters and module weights of a task, with defaults for everything else.
    pub fn of_task(task: Task, modules: &[Module]) -> Self {
        Self {
            parameters: task.parameters(),
            modules: modules.to_vec(),
            weights: task.weights().into_iter().take(modules.len()).collect(),
            normalization: Normalization::Words,
            beam: 40,
            characters: false,
            paraphrases: None,
        }
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// A parameter out of range; no modules, a module given twice, or a number of weights that differs from that of
    /// modules; a beam of 0; a program without METEOR's data.
    pub fn check(self) -> Result<CheckedMeteorSettings> {
        data::check()?;
        let Parameters { alpha, beta, gamma, delta } = self.parameters;
        for (name, value, highest) in
            [("alpha", alpha, 1.0), ("beta", beta, f64::MAX), ("gamma", gamma, 1.0), ("delta", delta, 1.0)]
        {
            check_range(&format!("meteor.{name}"), value, highest)?;
        }
        self.weights.iter().try_for_each(|&weight| check_range("meteor.weights", weight, 1.0))?;
        let distinct = self.modules.iter().enumerate().all(|(at, module)| !self.modules[..at].contains(module));
        if self.modules.is_empty() || !distinct {
            return Err(wrong("modules", "one or more different modules", self.modules.len(), "name each once"));
        }
        if self.modules.len() != self.weights.len() {
            return Err(wrong("weights", "one weight per module", self.weights.len(), "use the weights of a task"));
        }
        if self.beam == 0 {
            return Err(wrong("beam", "at least one path", 0, "METEOR follows 40"));
        }
        Ok(CheckedMeteorSettings(self))
    }
}

fn check_range(name: &str, value: f64, highest: f64) -> Result<()> {
    if (0.0..=highest).contains(&value) {
        return Ok(());
    }
    let wanted =
        if highest == f64::MAX { "a number from 0".to_owned() } else { format!("a number from 0 to {highest}") };
    Err(Error::invalid(name, wanted, value.to_string(), "omit it for the task's value"))
}

fn wrong(setting: &str, wanted: &str, found: impl ToString, advice: &str) -> Error {
    Error::invalid(format!("meteor.{setting}"), wanted, found.to_string(), advice)
}

/// Checked settings.
#[derive(Debug, Clone)]
pub struct CheckedMeteorSettings(MeteorSettings);

/// METEOR 1.5, see the [module](self).
///
/// Values: the score, then `precision`, `recall`, `fmean`, `fragmentation`, `penalty`, `chunks` (the number of chunks
/// over the mean length of the two texts), `content` and `function` (the shares of content and function words that are
/// matched), and for each module the share of the matched words that it found. Statistics: METEOR's own in the order of
/// `-ssOut`, then [`Counts::breaks`].
#[derive(Debug)]
pub struct Meteor {
    settings: MeteorSettings,
    search_weights: Vec<f64>,
    values: Vec<&'static str>,
    view: CustomViewId<Normalization>,
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
    pub fn new(settings: CheckedMeteorSettings, plan: &mut Plan) -> Self {
        let CheckedMeteorSettings(settings) = settings;
        let view = plan.add_custom(settings.normalization);
        let mut values =
            vec!["", "precision", "recall", "fmean", "fragmentation", "penalty", "chunks", "content", "function"];
        values.extend(settings.modules.iter().map(|module| module.name()));
        let search_weights = settings.modules.iter().map(|&module| parameters::search_weight(module)).collect();
        Self { settings, search_weights, values, view }
    }

    /// The metric with its default settings.
    pub fn default_in(plan: &mut Plan) -> Self {
        Self::new(CheckedMeteorSettings(MeteorSettings::default()), plan)
    }

    /// The metric with all modules, with the embedded [table](ParaphraseTable::embedded) for the paraphrase module.
    pub fn all_modules(plan: &mut Plan) -> Self {
        Self::new(CheckedMeteorSettings(MeteorSettings::of_task(Task::default(), &Module::ALL)), plan)
    }

    /// As [`Self::all_modules`], without punctuation: nearly the same for raw and tokenised text.
    pub fn of_words(plan: &mut Plan) -> Self {
        let settings = MeteorSettings::of_task(Task::default(), &Module::ALL);
        Self::new(CheckedMeteorSettings(MeteorSettings { normalization: Normalization::WordsOnly, ..settings }), plan)
    }

    /// Aligns equal words of text that is split at white space and uniform in case. This needs neither English nor
    /// METEOR's data, but the scores are not METEOR's.
    pub fn of_equal_words(plan: &mut Plan) -> Self {
        let settings = MeteorSettings::of_task(Task::default(), &[Module::Exact]);
        Self::new(CheckedMeteorSettings(MeteorSettings { normalization: Normalization::None, ..settings }), plan)
    }

    fn align(&self, hypothesis: &MeteorTokens, reference: &MeteorTokens) -> Vec<Match> {
        let MeteorSettings { modules, paraphrases, beam, .. } = &self.settings;
        let table = || paraphrases.as_deref().unwrap_or_else(|| ParaphraseTable::embedded());
        let proposals = modules::proposals(hypothesis, reference, modules, table);
        let best = |proposals| search::best(&proposals, hypothesis.len(), &self.search_weights, *beam);
        proposals.and_then(best).unwrap_or_else(|| lists::in_order(hypothesis, reference, modules))
    }

    /// The alignment with the reference of the highest score, the first of equals; `None` without references.
    fn best(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Option<Aligned> {
        let hypothesis = hypothesis.custom(self.view);
        let all = references.iter().enumerate().map(|(number, reference)| {
            let reference = reference.custom(self.view);
            let matches = self.align(hypothesis, reference);
            let counts = Counts::of(hypothesis, reference, &matches, self.settings.characters);
            Aligned { reference: number, score: self.score(&counts).score, matches, counts }
        });
        all.reduce(|best, other| if other.score > best.score { other } else { best })
    }

    fn link(&self, found: &Match) -> Link {
        let module = self.settings.modules[usize::from(found.module)];
        Link { hypothesis: found.in_hypothesis(), reference: found.in_reference(), module }
    }

    fn score(&self, counts: &Counts) -> Score {
        counts.score(&self.settings.parameters, &self.settings.weights)
    }
}

/// METEOR with the user's options.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Meteor::new(options::settings(build)?, build.plan)))
}

/// [`Meteor::all_modules`].
pub(super) fn build_all(build: &mut Build<'_>) -> Built {
    data::check()?;
    Ok(Box::new(Meteor::all_modules(build.plan)))
}

/// [`Meteor::of_words`].
pub(super) fn build_of_words(build: &mut Build<'_>) -> Built {
    data::check()?;
    Ok(Box::new(Meteor::of_words(build.plan)))
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
            links: matches.iter().map(|found| self.link(found)).collect(),
            hypothesis_words: words(hypothesis),
            reference_words: words(references[reference]),
        })
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let counts = Counts::of_statistics(statistics);
        let Score { precision, recall, fmean, fragmentation, penalty, score } = self.score(&counts);
        let mean_length = (counts.length.hypothesis + counts.length.reference) / 2.0;
        let mut values = vec![score, precision, recall, fmean, fragmentation, penalty];
        values.extend([ratio(counts.chunks, mean_length), counts.content_share(), counts.function_share()]);
        let by_module: Vec<f64> = (0..self.settings.modules.len()).map(|module| counts.matched_by(module)).collect();
        let matched: f64 = by_module.iter().sum();
        values.extend(by_module.iter().map(|&part| ratio(part, matched)));
        values
    }
}
