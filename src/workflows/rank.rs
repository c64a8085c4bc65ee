//! `rank`: which system is better, by human labels, a judge, a model, or labels and a model together.

use std::str::FromStr;

use indexmap::IndexSet;

use super::context::{Context, MAX_PAIRS};
use super::draws::probabilities_of_labels;
use super::judge::{NamedModel, OnLeak, PairPredictor, PredictionLoop, predict_all};
use super::reading::PairFiles;
use super::score::{ParallelTexts, SystemOutput};
use super::train::cross_fit;
use super::training::{Source, TrainSettings};
use super::warnings::{self, Leak};
use crate::error::{Error, Result, pluralized, quoted};
use crate::evaluation::Groups;
use crate::evaluation::{BoardSettings, Leaderboard, Outcome, STYLES};
use crate::features::Choice;
use crate::formats::Signals;
use crate::judgments::grouping;
use crate::judgments::{ExternalJudge, Judgment, LabelSource, Pair, Probabilities, Verdict};
use crate::learning::Validation;
use crate::metrics::{MetricSet, style};
use crate::report::ranking::{Ranking, RankingData};

/// The most folds of cross-fitting.
const MAX_FOLDS: usize = 10;

/// The fewest labelled groups from which a model can be cross-fitted.
const MIN_GROUPS: usize = 20;

/// Whose verdicts systems are ranked by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// Human labels.
    Human,
    /// The predictions of a model.
    Model,
    /// The verdicts of a judge, by its name.
    Judge(String),
    /// Human labels of a random part of the pairs, with the predictions of a model for all of them.
    Both,
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Ok(match text.trim().to_lowercase().as_str() {
            "human" => Self::Human,
            "model" => Self::Model,
            "both" => Self::Both,
            "" => return Err("write human, model, both, or the name of a judge".to_owned()),
            _ => Self::Judge(text.trim().to_owned()),
        })
    }
}

/// Settings of [`rank`].
#[derive(Debug, Clone, PartialEq)]
pub struct RankSettings {
    /// Whose verdicts count; by default human labels if there are any, else a model.
    pub by: Option<By>,
    /// Whether strengths are those of systems whose texts have the same length, lists and mark-up.
    pub style_control: bool,
    /// The features that a cross-fitted model learns from, without external ones, and the language of the texts.
    pub features: Choice,
    /// The signals beside the pairs that it learns from.
    pub signals: Signals,
    /// What errors call the pairs.
    pub source_name: String,
    /// The seed for cross-fitting.
    pub seed: u64,
}

impl RankSettings {
    /// Whether pairs need no texts: those whose labels or verdicts are all that counts.
    pub fn may_lack_texts(&self) -> bool {
        !matches!(self.by, Some(By::Model | By::Both)) && !self.style_control
    }

    /// Whose verdicts count, for pairs that have labels or have none.
    fn by_or_default(&self, has_labels: bool) -> By {
        self.by.clone().unwrap_or(if has_labels { By::Human } else { By::Model })
    }
}

/// Ranks the systems of pairs in files. A model is asked only where its predictions count.
///
/// # Errors
/// As for [`rank`]; a file cannot be read; the model does not know a signal; something given has no effect on the ranking.
pub fn rank_files(
    context: Context<'_>,
    files: &PairFiles,
    model: Option<&NamedModel>,
    settings: &RankSettings,
) -> Result<Ranking> {
    let asked = model.filter(|_| !matches!(settings.by, Some(By::Human | By::Judge(_))));
    if let Some(model) = asked {
        model.check_signals(&files.signals)?;
    }
    let needs_labels = !matches!(settings.by, Some(By::Model | By::Judge(_)));
    let mut needed = files.clone();
    needed.reading.may_lack_texts = settings.may_lack_texts();
    if let Some(By::Judge(name)) = &settings.by {
        needed.signals = needed.signals.with_judge(name);
    }
    let pairs = needed.pool(context, asked.cloned().as_slice(), needs_labels)?;
    let has_labels = pairs.iter().any(|pair| pair.systems.is_some() && pair.label.is_some());
    let by = settings.by_or_default(has_labels);
    let have_systems = pairs.iter().any(|pair| pair.systems.is_some());
    if settings.by.is_none() && by == By::Model && model.is_none() && have_systems {
        context.note("no pair has a label (column label, or `answers`): the built-in model ranks");
    }
    check_used(&by, files, model)?;
    rank(context, &pairs, model, &RankSettings { by: Some(by), ..settings.clone() })
}

/// Refuses what has no effect on such a ranking.
fn check_used(by: &By, files: &PairFiles, model: Option<&NamedModel>) -> Result<()> {
    // The built-in model knows neither.
    let has_features = *by == By::Both || (*by == By::Model && model.is_some());
    let asks_others = files.signals.judges().any(|judge| *by != By::Judge(judge.to_owned()));
    let unused = [
        ("`own`", !files.signals.metrics().is_empty() && !has_features),
        ("`judge`", asks_others && !has_features),
        ("`model`", model.is_some() && matches!(by, By::Human | By::Judge(_))),
        ("`answers`", !files.answers.is_empty() && matches!(by, By::Model | By::Judge(_))),
    ];
    let Some((option, _)) = unused.into_iter().find(|(_, is_unused)| *is_unused) else { return Ok(()) };
    let by = match by {
        By::Human => "human labels",
        By::Judge(_) => "a judge",
        By::Model => "a model without it",
        By::Both => "both",
    };
    let advice = "rank by more with `by` both, or omit the option";
    Err(Error::invalid(option, "a ranking that depends on it", format!("one by {by}"), advice))
}

/// Ranks the systems of pairs. Without a model, [`By::Model`] asks the built-in one, and [`By::Both`] cross-fits one on the
/// labels: every labelled pair is predicted by a model that did not see its label.
///
/// # Errors
/// No pair has two systems, or none a label where labels are needed; it cannot be told with which probability some labels
/// were drawn; there are too few labels to learn from; a pair lacks
/// what the model needs.
pub fn rank(
    context: Context<'_>,
    pairs: &[Pair],
    model: Option<&NamedModel>,
    settings: &RankSettings,
) -> Result<Ranking> {
    let known = RankedPairs::new(pairs, &settings.source_name)?;
    let labels: Vec<Option<Verdict>> = known.pairs.iter().map(|pair| pair.label).collect();
    let has_labels = labels.iter().any(Option::is_some);
    let by = settings.by_or_default(has_labels);
    if by == By::Model && pairs.iter().all(|pair| pair.hypotheses.iter().all(String::is_empty)) {
        let advice = "name the column of the labels, `column` label=NAME";
        let expected = "labels, or texts that a model can judge";
        return Err(Error::invalid(&*settings.source_name, expected, "neither", advice));
    }
    known.notes(context);
    let built_in = (by == By::Model && model.is_none())
        .then(|| NamedModel::read(None, context.engine(), settings.features.language()))
        .transpose()?;
    let model = model.or(built_in.as_ref());
    if matches!(by, By::Human | By::Both) && !has_labels {
        let advice = "add the labels, or use `by` model or the name of a judge";
        return Err(Error::invalid(&*settings.source_name, "labelled pairs", "no label", advice));
    }
    let is_labelled = matches!(by, By::Human | By::Both);
    if is_labelled && (by == By::Human || model.is_some()) {
        // Cross-fitting looks at the labels itself.
        warnings::warn_labels(context, "", known.pairs.iter().filter_map(|pair| Some((*pair, pair.label?))));
    }
    let drawn = if is_labelled { known.drawn(settings)? } else { vec![None; labels.len()] };
    let predicted = match (&by, model) {
        (By::Human, _) => vec![None; labels.len()],
        (By::Judge(name), _) => known.judged_by(context, name, settings)?,
        (_, Some(named)) => known.predicted_by(context, named, &by, settings)?,
        (_, None) => known.cross_fitted(context, &drawn, settings)?,
    };
    if let By::Judge(name) = &by {
        let missing = predicted.iter().filter(|predicted| predicted.is_none()).count();
        if missing > 0 {
            context.note(format!("{} without a verdict of {} skipped.", pluralized(missing, "pair"), quoted(name)));
        }
    }
    let outcomes: Vec<Outcome> = (0..labels.len())
        .map(|row| Outcome {
            systems: known.systems[row],
            group: known.groups.of_row[row],
            label: known.pairs[row].share_of_first().filter(|_| is_labelled),
            predicted: predicted[row],
            drawn: drawn[row],
            style: if settings.style_control { known.style(row) } else { [0.0; STYLES] },
        })
        .collect();
    let labels_of = LabelSource::new(known.pairs.iter().copied());
    let by_whom = match &by {
        By::Human => labels_of.labels(),
        By::Judge(name) => format!("the judge {name}"),
        By::Model => format!("the model {}", model.map_or("", |named| &named.name)),
        By::Both => match model {
            Some(named) => format!("{} and the model {}", labels_of.labels(), named.name),
            None => format!("{} and a model that is cross-fitted on them", labels_of.labels()),
        },
    };
    let leak = model.filter(|_| by == By::Both).and_then(|named| known.leak(named));
    let data = RankingData {
        by: by_whom,
        unit: known.unit(),
        seed: settings.seed,
        is_weighted: drawn.iter().any(Option::is_some),
        leak,
        lengths: if settings.style_control { known.lengths() } else { Vec::new() },
    };
    Ok(ranking(context, &known.names, &outcomes, settings, data))
}

/// Ranks systems by a model's verdicts on every two of their outputs.
///
/// # Errors
/// Those of [`ParallelTexts::check`]; there is one system only, or one twice; the model needs another version or another
/// WordNet.
pub fn rank_outputs(
    context: Context<'_>,
    texts: ParallelTexts,
    model: &NamedModel,
    settings: &RankSettings,
) -> Result<Ranking> {
    texts.check(&MetricSet::new(context.engine().lexicons()))?;
    warnings::warn_comet(context, &model.model.schema, warnings::WITHOUT_COMET);
    let ParallelTexts { systems, references, sources } = texts;
    if systems.len() < 2 {
        return Err(Error::invalid("systems", "two or more", "one", "name the output of another system"));
    }
    let is_again = |at: &usize| systems[..*at].iter().any(|other| other.name == systems[*at].name);
    if let Some(twice) = (1..systems.len()).find(is_again) {
        let found = format!("{} twice", quoted(&systems[twice].name));
        return Err(Error::invalid("systems", "different files", found, "name each system once"));
    }
    let judge = PairPredictor::new(context.engine(), model.model.clone(), &model.source_name)?;
    let mut outcomes = Vec::new();
    let mut two_of_each = Vec::new();
    for one in 0..systems.len() {
        two_of_each.extend((one + 1..systems.len()).map(|other| [one, other]));
    }
    let mut judging = PredictionLoop::new(context, &judge);
    let report = context.progress("judging pairs", two_of_each.len() * references.len());
    for segments in (0..references.len()).collect::<Vec<_>>().chunks((MAX_PAIRS / two_of_each.len()).max(1)) {
        let met: Vec<(usize, [usize; 2])> =
            segments.iter().flat_map(|&segment| two_of_each.iter().map(move |&two| (segment, two))).collect();
        let pair = |&(segment, two): &(usize, [usize; 2])| {
            let hypotheses = two.map(|system: usize| systems[system].segments[segment].clone());
            let source = sources.get(segment).cloned();
            Pair { line: segment + 1, source, ..Pair::new(hypotheses, references[segment].clone()) }
        };
        let pairs: Vec<Pair> = met.iter().map(pair).collect();
        let judged = judging.judge(pairs.iter(), &settings.source_name, &|_, _| ())?.verdicts;
        for ((&(group, systems), judged), pair) in met.iter().zip(judged).zip(&pairs) {
            let predicted = Some(expected(judged.probabilities));
            let style = if settings.style_control { style_of(pair) } else { [0.0; STYLES] };
            outcomes.push(Outcome { systems, group, label: None, predicted, drawn: None, style });
        }
        report(outcomes.len());
    }
    judging.checks.warn(OnLeak::Warn);
    let length = |system: &SystemOutput| mean_length(system.segments.iter());
    let lengths = if settings.style_control { systems.iter().map(length).collect() } else { Vec::new() };
    let names: Vec<String> = systems.into_iter().map(|system| system.name).collect();
    let by = format!("the model {}", model.name);
    let data = RankingData { by, unit: "segment", seed: settings.seed, is_weighted: false, leak: None, lengths };
    Ok(ranking(context, &names, &outcomes, settings, data))
}

fn ranking(
    context: Context<'_>,
    names: &[String],
    outcomes: &[Outcome],
    settings: &RankSettings,
    data: RankingData,
) -> Ranking {
    let board_settings = BoardSettings { has_style: settings.style_control, pool_pairs: outcomes.len() };
    let board = Leaderboard::new(names, outcomes, &board_settings);
    let place = |name: &String| names.iter().position(|known| known == name);
    let of_system = |name: &String| data.lengths.get(place(name)?).copied();
    let lengths = board.systems.iter().filter_map(|system| of_system(&system.name)).collect();
    let data = RankingData { lengths, ..data };
    let ranking = Ranking::new(board, data);
    ranking.warnings.iter().for_each(|warning| context.warn(warning));
    ranking
}

/// Pairs of different systems.
struct RankedPairs<'p> {
    pairs: Vec<&'p Pair>,
    names: Vec<String>,
    /// The systems of each pair, by their positions among the names.
    systems: Vec<[usize; 2]>,
    groups: Groups,
    without_systems: usize,
    of_one_system: usize,
}

impl<'p> RankedPairs<'p> {
    fn new(all: &'p [Pair], place: &str) -> Result<Self> {
        let known = all.iter().filter(|pair| pair.systems.is_some()).count();
        let (mut names, mut pairs, mut systems) = (IndexSet::new(), Vec::new(), Vec::new());
        let mut of_one_system = 0;
        for pair in all {
            let Some([one, other]) = &pair.systems else { continue };
            if one == other {
                of_one_system += 1;
            } else {
                systems.push([one, other].map(|name| names.insert_full(name.clone()).0));
                pairs.push(pair);
            }
        }
        if pairs.is_empty() {
            let found = if of_one_system > 0 { "only pairs of a system with itself" } else { "none" };
            let advice = "name the columns of the systems: `column` system1=NAME,system2=NAME; or give the outputs of \
                          the systems with `references`";
            return Err(Error::invalid(
                place,
                "pairs of two systems, in the columns system1 and system2",
                found,
                advice,
            ));
        }
        Ok(Self {
            groups: grouping::groups(pairs.iter().copied()),
            names: names.into_iter().collect(),
            without_systems: all.len() - known,
            pairs,
            systems,
            of_one_system,
        })
    }

    /// What was left out.
    fn notes(&self, context: Context<'_>) {
        let left_out = [
            (self.without_systems, "without the names of both systems"),
            (self.of_one_system, "of a system with itself"),
        ];
        for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
            context.note(format!("{} {what} skipped.", pluralized(count, "pair")));
        }
        warnings::warn_one_group(context, &self.groups, &self.pairs, "");
    }

    /// What pairs of one group share.
    fn unit(&self) -> &'static str {
        match self.pairs.iter().all(|pair| pair.references.is_empty()) {
            false => "reference",
            true if self.pairs.iter().all(|pair| pair.prompt.is_some() && pair.group.is_none()) => "prompt",
            true => "group",
        }
    }

    /// The probabilities by which labels count, see [`probabilities_of_labels`].
    fn drawn(&self, settings: &RankSettings) -> Result<Vec<Option<f64>>> {
        probabilities_of_labels(self.pairs.iter().copied(), &settings.source_name)
    }

    /// What is wrong if a model was trained on references or prompts of labelled pairs.
    fn leak(&self, named: &NamedModel) -> Option<String> {
        let mut leak = Leak::new(&named.model);
        leak.add(self.pairs.iter().copied().filter(|pair| pair.label.is_some()));
        leak.found(&named.name)
    }

    /// The mean number of characters of each system's texts.
    fn lengths(&self) -> Vec<f64> {
        let texts = |system: usize| {
            let rows = self.pairs.iter().zip(&self.systems);
            rows.flat_map(move |(pair, systems)| {
                pair.hypotheses.iter().zip(systems).filter(move |(_, of)| **of == system).map(|(text, _)| text)
            })
        };
        (0..self.names.len()).map(|system| mean_length(texts(system))).collect()
    }

    fn style(&self, row: usize) -> [f64; STYLES] {
        style_of(self.pairs[row])
    }

    /// A judge's verdicts as shares of the first system.
    fn judged_by(&self, context: Context<'_>, name: &str, settings: &RankSettings) -> Result<Vec<Option<f64>>> {
        let judge = ExternalJudge::seen_in(name, self.pairs.iter().copied());
        let pairs = self.pairs.iter().copied();
        warnings::check_judges(context, std::slice::from_ref(&judge), pairs, &settings.source_name)?;
        Ok(self.pairs.iter().map(|pair| judge.mean(pair).map(|mean| f64::midpoint(1.0, mean))).collect())
    }

    /// A model's predictions.
    fn predicted_by(
        &self,
        context: Context<'_>,
        named: &NamedModel,
        by: &By,
        settings: &RankSettings,
    ) -> Result<Vec<Option<f64>>> {
        // With labels, what matters is whether it saw these.
        let on_leak = if *by == By::Both { OnLeak::Ignore } else { OnLeak::Warn };
        warnings::warn_comet(context, &named.model.schema, warnings::WITHOUT_COMET);
        let judged = predict_all(context, named, &self.pairs, &settings.source_name, on_leak)?;
        Ok(judged.into_iter().map(|judged| Some(expected(judged.probabilities))).collect())
    }

    /// The predictions of models that are cross-fitted on the labels.
    fn cross_fitted(
        &self,
        context: Context<'_>,
        drawn: &[Option<f64>],
        settings: &RankSettings,
    ) -> Result<Vec<Option<f64>>> {
        let rows = |is_labelled: bool| {
            (0..self.pairs.len()).filter(move |&row| self.pairs[row].label.is_some() == is_labelled).collect::<Vec<_>>()
        };
        let [labelled, others] = [true, false].map(rows);
        let judgment = |&row: &usize| {
            let pair = Pair { drawn: drawn[row], wave: None, ..self.pairs[row].clone() };
            Some(Judgment { label: pair.label?, pair })
        };
        let judgments: Vec<Judgment> = labelled.iter().filter_map(judgment).collect();
        let groups = grouping::groups(judgments.iter().map(|judgment| &judgment.pair)).count;
        if groups < MIN_GROUPS {
            return Err(Error::invalid(
                &*settings.source_name,
                format!("labels of at least {MIN_GROUPS} {}s, to learn from", self.unit()),
                groups.to_string(),
                "name a model with `model`, or label more pairs",
            ));
        }
        let training = TrainSettings {
            validation: Validation { folds: MAX_FOLDS.min(groups), seed: settings.seed, ..Validation::default() },
            features: settings.features.clone(),
            signals: settings.signals.clone(),
            ..TrainSettings::default()
        };
        let source = Source { name: settings.source_name.clone(), judgments, weight: 1.0 };
        let unlabelled: Vec<&Pair> = others.iter().map(|&row| self.pairs[row]).collect();
        let [of_labelled, of_others] = cross_fit(context, &source, &unlabelled, &training)?;
        let mut predicted = vec![None; self.pairs.len()];
        for (row, given) in labelled.iter().zip(of_labelled).chain(others.iter().zip(of_others)) {
            predicted[*row] = Some(expected(given));
        }
        Ok(predicted)
    }
}

/// The expected share of the first hypothesis.
fn expected(given: Probabilities) -> f64 {
    let [first, tie, _] = given.0;
    first + 0.5 * tie
}

/// The mean number of characters of texts.
fn mean_length<'t>(texts: impl Iterator<Item = &'t String>) -> f64 {
    let (count, sum) = texts.fold((0, 0), |(count, sum), text| (count + 1, sum + text.chars().count()));
    sum as f64 / f64::from(count.max(1))
}

fn style_of(pair: &Pair) -> [f64; STYLES] {
    let [first, second] = pair.hypotheses.each_ref().map(|text| style::look(text));
    std::array::from_fn(|at| first[at] - second[at])
}
