//! A model's verdicts on pairs, and what has to be known of a model before it can judge.

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::context::{Context, Engine, MAX_PAIRS};
use super::warnings::{self, ExternalRanges, Leak};
use crate::error::{Error, Result, quoted};
use crate::features::{Choice, ColumnSource, Extractor, Families, Table};
use crate::files::{Input, display_names};
use crate::formats::{Reading, Signal, Signals};
use crate::judgments::{ExternalJudge, Language, Pair, Probabilities, Verdict};
use crate::model::{Model, Ties, builtin};
use crate::report::ENSEMBLE;

/// A model with the name that reports and errors give it.
#[derive(Debug, Clone)]
pub struct NamedModel {
    /// The file's stem, or as much of its path as makes it unique; `ensemble` for the built-in model.
    pub name: String,
    /// The file, or the name of the built-in model, for error messages.
    pub source_name: String,
    /// The model.
    pub model: Model,
}

impl NamedModel {
    /// Reads a model from a file, which may be the name of a built-in one; without a file, the built-in model for the
    /// language and the engine's encoder.
    ///
    /// # Errors
    /// The file cannot be read, or is no model.
    pub fn read(file: Option<&Input>, engine: &Engine, language: &Language) -> Result<Self> {
        let (name, source_name, model) = match file {
            Some(input) => (input.stem(), input.to_string(), builtin::read(input)?.for_language(language)),
            None => (ENSEMBLE.to_owned(), builtin::NAME.to_owned(), builtin::model_for(language, engine.encoder())?),
        };
        Ok(Self { name, source_name, model })
    }

    /// Reads models from files, named by more of their paths where stems are equal.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_all(files: &[Input], engine: &Engine, language: &Language) -> Result<Vec<Self>> {
        let named = |(file, name)| Ok(Self { name, ..Self::read(Some(file), engine, language)? });
        files.iter().zip(display_names(files)).map(named).collect()
    }

    /// Checks that the model knows all signals that the user named.
    ///
    /// # Errors
    /// The model does not know one of them.
    pub fn check_signals(&self, named: &Signals) -> Result<()> {
        self.check_metrics(named)?;
        let judges: Vec<&str> = self.model.schema.judges().map(|judge| judge.name.as_str()).collect();
        check_known("judge", "judge", &judges, named.judges())
    }

    /// Checks that the model knows all signals beside single outputs that the user named: it learned from all as metrics.
    ///
    /// # Errors
    /// The model does not know one of them.
    pub fn check_signals_of_outputs(&self, named: &Signals) -> Result<()> {
        let known: Vec<&str> = self.model.schema.external_metrics().map(|metric| metric.name.as_str()).collect();
        named.iter().try_for_each(|signal| check_known(signal.option(), "signal", &known, [signal.name()].into_iter()))
    }

    /// Checks that the model knows all own metrics that the user named.
    ///
    /// # Errors
    /// The model does not know one of them.
    pub fn check_metrics(&self, named: &Signals) -> Result<()> {
        let known: Vec<&str> = self.model.schema.external_metrics().map(|metric| metric.name.as_str()).collect();
        let named = named.metrics();
        check_known("own", "own metric", &known, named.iter().map(|metric| metric.name.as_str()))
    }
}

/// Checks that all names are known to a model; `option` names a `kind` of signal.
fn check_known<'n>(option: &str, kind: &str, known: &[&str], mut names: impl Iterator<Item = &'n str>) -> Result<()> {
    let Some(unknown) = names.find(|name| !known.contains(name)) else { return Ok(()) };
    let expected = if known.is_empty() { format!("no {kind}: the model has none") } else { known.join(", ") };
    Err(Error::invalid(format!("`{option}`"), expected, quoted(unknown), "omit it, or train a model with it"))
}

/// The signals that are named, with those that models learned from.
///
/// # Errors
/// A metric has two directions; models learned different scales of a judge.
pub fn with_learned(models: &[NamedModel], named: Signals) -> Result<Signals> {
    let mut learned = models.iter().flat_map(|named| named.model.schema.external());
    learned.try_fold(named, |all, column| match &column.source {
        ColumnSource::External { metric } => all.with_learned_metric(metric),
        ColumnSource::Judge { judge } => all.with_learned_judge(judge),
        ColumnSource::Metric { .. } | ColumnSource::Similarity { .. } => Ok(all),
    })
}

/// The features of a choice, with signals as the pairs show them.
pub fn chosen_with<'p, P: Iterator<Item = &'p Pair>>(
    features: Choice,
    signals: &Signals,
    pairs: impl Fn() -> P,
) -> Choice {
    features.with_external(sources_in(signals, pairs))
}

/// The sources of the columns of signals, as pairs show them.
pub(super) fn sources_in<'p, P: Iterator<Item = &'p Pair>>(
    signals: &Signals,
    pairs: impl Fn() -> P,
) -> Vec<ColumnSource> {
    let source = |signal: &Signal| match signal {
        Signal::Metric(metric) => Some(metric.clone().into()),
        Signal::Judge { name, .. } => Some(ExternalJudge::seen_in(name, pairs()).into()),
        Signal::Annotator(_) => None,
    };
    signals.iter().filter_map(source).collect()
}

/// How to read pairs for models: with the signals that they learned from and those that are named.
///
/// # Errors
/// As [`with_learned`]; a signal has more than one file of values.
pub fn reading_for(models: &[NamedModel], named: Signals, reading: Reading) -> Result<Reading> {
    Ok(Reading { signals: with_learned(models, named)?.of_file(0, 1)?, ..reading })
}

/// A model's verdict on a pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Prediction {
    /// The hypothesis that people are predicted to prefer, or a tie.
    #[serde(serialize_with = "by_sign")]
    pub verdict: Verdict,
    /// The probability of each verdict.
    #[serde(serialize_with = "by_verdict")]
    pub probabilities: Probabilities,
}

impl Prediction {
    /// Applies a tie rule to judged pairs.
    pub fn with_ties(judged: &[Self], ties: Ties) -> Vec<Self> {
        let given: Vec<Probabilities> = judged.iter().map(|judged| judged.probabilities).collect();
        ties.judge(&given).into_iter().map(|(verdict, probabilities)| Self { verdict, probabilities }).collect()
    }
}

fn by_sign<S: Serializer>(verdict: &Verdict, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_i8(verdict.sign())
}

pub(super) fn by_verdict<S: Serializer>(given: &Probabilities, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(["1", "0", "-1"].into_iter().zip(given.0))
}

/// The contribution of a family of features to a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reason<'j> {
    /// The name of the metric or family.
    pub name: &'j str,
    /// The sum of w_j x_j over its features.
    pub contribution: f64,
    /// The hypothesis that it favours.
    #[serde(rename = "for", serialize_with = "by_sign")]
    pub favours: Verdict,
}

/// A model prepared to judge pairs; usable from several threads.
///
/// ```
/// use tribunal::judgments::{Pair, Verdict};
/// use tribunal::model::builtin;
/// use tribunal::workflows::{Engine, PairPredictor};
///
/// let judge = PairPredictor::new(&Engine::new(), builtin::model()?, builtin::NAME)?;
/// let line = "The minister has not resigned . ||| Minister the not of resigned ! ||| The minister did not resign.";
/// let pair = Pair::parse(line, "example", 1)?;
/// assert_eq!(judge.judge(&[pair])[0].verdict, Verdict::First);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Debug)]
pub struct PairPredictor {
    model: Model,
    pub(super) extractor: Extractor,
    families: Families,
    source_name: String,
}

impl PairPredictor {
    /// Prepares a model; errors refer to it as `source_name`.
    ///
    /// # Errors
    /// The model's features have other signatures in this version, or it was trained with another WordNet than the
    /// engine's.
    pub fn new(engine: &Engine, model: Model, source_name: &str) -> Result<Self> {
        let extractor = model.extractor(engine.lexicons(), source_name)?;
        let families = Families::new(&model.schema);
        Ok(Self { model, extractor, families, source_name: source_name.to_owned() })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What errors call the model.
    pub(super) fn source_name(&self) -> &str {
        &self.source_name
    }

    /// Judges pairs, in their order; they must pass the check of the model's schema.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Prediction> {
        self.predict_table(&self.extractor.extract(pairs.iter(), &|_, _| ()))
    }

    /// Judges the pairs of a table.
    pub(super) fn predict_table(&self, table: &Table) -> Vec<Prediction> {
        let probabilities = self.model.judge(table);
        let judged = |(verdict, probabilities)| Prediction { verdict, probabilities };
        self.model.verdicts(&probabilities).into_iter().zip(probabilities).map(judged).collect()
    }

    /// At most `most` families of features for each verdict, in descending order of absolute contribution. Families that
    /// contribute 0 are left out.
    pub(super) fn reasons<'j>(&'j self, table: &Table, most: usize) -> Vec<Vec<Reason<'j>>> {
        let of_row = |row: usize| {
            let sums = self.families.sums(&self.model.linear.contributions(table, row));
            let reason = |(name, contribution): (&'j String, f64)| Reason {
                name,
                contribution,
                favours: Verdict::compare(contribution, 0.0),
            };
            let named = self.families.names().iter().zip(sums);
            let mut reasons: Vec<_> = named.filter(|&(_, sum)| sum != 0.0).map(reason).collect();
            reasons.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
            reasons.truncate(most);
            reasons
        };
        (0..table.len()).into_par_iter().with_min_len(256).map(of_row).collect()
    }
}

/// Judges pairs in memory, with the tie rule `ties` if not the model's own, and warns of problems with the pairs.
/// Errors refer to them as `pairs`.
///
/// # Errors
/// A pair has no reference, or no value of an external metric that the model needs.
pub fn predict_pairs(
    context: Context<'_>,
    judge: &PairPredictor,
    pairs: &[Pair],
    ties: Option<Ties>,
) -> Result<Vec<Prediction>> {
    let mut judging = PredictionLoop::new(context, judge);
    let report = context.progress("judging pairs", pairs.len());
    let mut judged = Vec::with_capacity(pairs.len());
    for batch in pairs.chunks(MAX_PAIRS) {
        judged.extend(judging.judge(batch.iter(), "pairs", &|_, _| ())?.verdicts);
        report(judged.len());
    }
    judging.checks.warn(OnLeak::Warn);
    Ok(ties.map(|ties| Prediction::with_ties(&judged, ties)).unwrap_or(judged))
}

/// What a model says of pairs that are judged at the same time.
pub(super) struct PredictedBatch {
    /// Its features of the pairs.
    pub table: Table,
    /// Its verdicts on them, in their order.
    pub verdicts: Vec<Prediction>,
}

/// What is checked of pairs before a model judges or explains them, batch by batch, with warnings of problems with them.
pub(super) struct PairChecks<'j> {
    context: Context<'j>,
    model: &'j Model,
    source_name: &'j str,
    /// How many of them the model was trained on.
    pub leak: Leak,
    ranges: ExternalRanges,
    is_first: bool,
}

impl<'j> PairChecks<'j> {
    /// Errors and warnings refer to the model as `source_name`.
    pub fn new(context: Context<'j>, model: &'j Model, source_name: &'j str) -> Self {
        let ranges = ExternalRanges::for_model(source_name, model);
        Self { context, model, source_name, leak: Leak::new(model), ranges, is_first: true }
    }

    /// Checks a batch, and warns of problems seen in the first one. Errors refer to the pairs as `place`.
    ///
    /// # Errors
    /// A pair lacks what the model needs.
    pub fn check<'p>(&mut self, pairs: impl Iterator<Item = &'p Pair> + Clone, place: &str) -> Result<()> {
        let Self { context, model, source_name, .. } = *self;
        model.schema.check(pairs.clone(), place)?;
        if std::mem::take(&mut self.is_first) {
            warnings::warn_language(context, &model.schema, pairs.clone());
            warnings::warn_spacing(context, source_name, model, pairs.clone());
        }
        self.leak.add(pairs.clone());
        self.ranges.add_pairs(pairs);
        Ok(())
    }

    /// Warns if the model was trained on other values of external metrics, or on the references of many of the pairs.
    pub fn warn(&self, on_leak: OnLeak) {
        self.ranges.warn(self.context);
        if on_leak == OnLeak::Warn {
            let _ = self.leak.warn(self.context, self.source_name);
        }
    }
}

/// What to do if the model was trained on the references or prompts of many of the pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnLeak {
    /// Warn.
    Warn,
    /// Nothing: the caller warns, or the model may know others with the same reference.
    Ignore,
}

/// The one loop that judges pairs with a model: batch by batch, each checked before it is judged.
pub(super) struct PredictionLoop<'j> {
    judge: &'j PairPredictor,
    /// The checks of all batches so far.
    pub checks: PairChecks<'j>,
}

impl<'j> PredictionLoop<'j> {
    pub fn new(context: Context<'j>, judge: &'j PairPredictor) -> Self {
        Self { judge, checks: PairChecks::new(context, &judge.model, &judge.source_name) }
    }

    /// Judges a batch. Errors refer to the pairs as `place`; `progress` receives the number of distinct segments scored
    /// so far, and the total.
    ///
    /// # Errors
    /// A pair lacks what the model needs.
    pub fn judge<'p>(
        &mut self,
        pairs: impl Iterator<Item = &'p Pair> + Clone,
        place: &str,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<PredictedBatch> {
        self.checks.check(pairs.clone(), place)?;
        let table = self.judge.extractor.extract(pairs, progress);
        let verdicts = self.judge.predict_table(&table);
        Ok(PredictedBatch { table, verdicts })
    }
}

/// Judges pairs in memory at once; errors refer to them as `place`.
///
/// # Errors
/// The model needs another version or another WordNet; a pair lacks what it needs.
pub(super) fn predict_all(
    context: Context<'_>,
    named: &NamedModel,
    pairs: &[&Pair],
    place: &str,
    on_leak: OnLeak,
) -> Result<Vec<Prediction>> {
    let judge = PairPredictor::new(context.engine(), named.model.clone(), &named.source_name)?;
    let mut judging = PredictionLoop::new(context, &judge);
    let batch = judging.judge(pairs.iter().copied(), place, &context.feature_progress())?;
    judging.checks.warn(on_leak);
    Ok(batch.verdicts)
}
