//! What makes up an explanation: contributions of features, values of metrics, and words aligned with the reference.

use std::borrow::Cow;

use rayon::prelude::*;

use super::meaning;
use crate::encoder::Encoder;
use crate::error::Result;
use crate::features::{Column, ColumnSource, Extractor, Families, Schema, Table};
use crate::judgments::{LabelSource, Language, Pair};
use crate::learners::logistic::LinearModel;
use crate::metrics::meteor::{HAS_DATA, Meteor, MeteorSettings, Module, Task};
use crate::metrics::{Direction, MetricSet};
use crate::model::Model;
use crate::report::Explanation;
use crate::report::explanation::{AlignedTexts, FamilyContribution, FeatureContribution, MetricValues};
use crate::text::{Lexicons, Sentence, Tokenizer};
use crate::workflows::context::Engine;

/// Explains the verdicts of judges with the same features: that of a model, or those of the folds.
///
/// ```
/// use tribunal::judgments::{Language, Pair};
/// use tribunal::model::builtin;
/// use tribunal::workflows::{Engine, Explainer};
///
/// let model = builtin::model()?;
/// let explainer = Explainer::new(&Engine::new(), &model.schema, &Language::default(), builtin::NAME)?;
/// let line = "The minister has not resigned . ||| Minister the not of resigned ! ||| The minister did not resign.";
/// let pair = Pair::parse(line, "example", 1)?;
/// let explanation = &explainer.explain(&model.linear, model.tie_factor, &[&pair])[0];
/// let sum: f64 = explanation.families.iter().map(|family| family.contribution).sum();
/// assert!(sum > 0.0 && (sum - explanation.preference).abs() < 1e-9);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Debug)]
pub struct Explainer {
    schema: Schema,
    families: Families,
    /// Computes the features and the reported metrics.
    extractor: Extractor,
    /// The same for pairs without references; `None` if the judges need them.
    without_references: Option<Extractor>,
    aligner: Aligner,
    encoder: Option<Encoder>,
    is_english: bool,
}

impl Explainer {
    /// Prepares for judges that learned from a schema. For texts in other languages than English, only equal words are
    /// aligned, and metrics that need English are not shown. Errors refer to the judges as `source_name`.
    ///
    /// # Errors
    /// A feature has another signature in this version.
    pub fn new(engine: &Engine, schema: &Schema, language: &Language, source_name: &str) -> Result<Self> {
        let extractor =
            |with_references| Extractor::with_reported(engine.lexicons(), schema, with_references, source_name);
        let without_references = (!schema.needs_references()).then(|| extractor(false)).transpose()?;
        let is_reference_free = without_references.is_some() && !schema.is_only_external();
        Ok(Self {
            schema: schema.clone(),
            families: Families::new(schema),
            extractor: extractor(!is_reference_free)?,
            without_references,
            aligner: Aligner::new(engine.lexicons(), language.is_english())?,
            encoder: engine.encoder().filter(|_| schema.needs_encoder()).cloned(),
            is_english: language.is_english(),
        })
    }

    /// As [`Self::new`], for a model.
    ///
    /// # Errors
    /// As [`Self::new`]; the model was trained with another WordNet.
    pub fn for_model(engine: &Engine, model: &Model, language: &Language, source_name: &str) -> Result<Self> {
        model.check_lexicons(engine.lexicons(), source_name)?;
        Self::new(engine, &model.schema, language, source_name)
    }

    /// The name of a metric that compares with sources, if one is computed.
    pub fn needing_source(&self) -> Option<&str> {
        self.extractor.metric_set().needing_source()
    }

    /// Explains a judge's verdicts on pairs, in their order. The pairs must pass [`Schema::check`]; their labels are
    /// human labels. The probability of a tie is multiplied by `tie_factor` before the largest one decides.
    pub fn explain(&self, judge: &LinearModel, tie_factor: f64, pairs: &[&Pair]) -> Vec<Explanation> {
        let has_references = pairs.iter().all(|pair| !pair.references.is_empty());
        let extractor = self.without_references.as_ref().filter(|_| !has_references).unwrap_or(&self.extractor);
        let table = extractor.extract(pairs.iter().copied(), &|_, _| ());
        let explain = |(row, pair): (usize, &&Pair)| {
            let metrics = self.metrics(extractor, &table, row);
            Explanation { metrics, ..self.row(judge, tie_factor, &table, row, pair) }
        };
        pairs.par_iter().enumerate().map(explain).collect()
    }

    /// Explains the verdict on the pair in a row of a table, without the values of metrics.
    fn row(&self, judge: &LinearModel, tie_factor: f64, table: &Table, row: usize, pair: &Pair) -> Explanation {
        let logits = judge.logits(table, row);
        let probabilities = logits.probabilities();
        let scores = judge.preference().scores(table, row);
        Explanation {
            file: None,
            line: Some(pair.line),
            id: pair.id.clone(),
            hypotheses: pair.hypotheses.clone(),
            references: pair.references.clone(),
            verdict: probabilities.verdict_with(tie_factor),
            people: pair.label,
            label_of: LabelSource::new(std::iter::once(pair)),
            probabilities,
            tie_factor,
            ties: None,
            logits: logits.all(),
            preference: logits.preference,
            decided: logits.decided,
            tie: logits.tie,
            scores,
            clipping: logits.preference - (scores[0] - scores[1]),
            families: self.families(judge, table, row),
            metrics: Vec::new(),
            alignments: self.alignments(pair),
            meanings: self
                .encoder
                .iter()
                .flat_map(|encoder| meaning::matches(encoder, &pair.hypotheses, &pair.references))
                .collect(),
        }
    }

    /// The contributions of one row, in descending order of absolute value; equal ones are in alphabetical order.
    fn families(&self, judge: &LinearModel, table: &Table, row: usize) -> Vec<FamilyContribution> {
        let (contributions, clipped) = (judge.contributions(table, row), judge.clipped(table, row));
        let values = self.values(table, row);
        let sums = self.families.sums(&contributions);
        let named = self.families.names().iter().zip(sums);
        let mut families: Vec<FamilyContribution> = named
            .map(|(name, contribution)| FamilyContribution { name: name.clone(), contribution, features: Vec::new() })
            .collect();
        for (at, (column, values)) in values.enumerate() {
            let (contribution, is_clipped) = (contributions[at], clipped[at]);
            let feature = FeatureContribution { name: column.name.clone(), values, contribution, is_clipped };
            families[self.families.of_column()[at]].features.push(feature);
        }
        let size = |contribution: f64| contribution.abs();
        for family in &mut families {
            family.features.sort_by(|a, b| size(b.contribution).total_cmp(&size(a.contribution)));
        }
        families.sort_by(|a, b| size(b.contribution).total_cmp(&size(a.contribution)));
        families
    }

    /// The columns of x with their values for both hypotheses: external ones as the user gave them, and a judge's verdict
    /// is for one hypothesis what it is against the other, 0 where it is missing.
    fn values<'t>(&'t self, table: &'t Table, row: usize) -> impl Iterator<Item = (&'t Column, [f64; 2])> {
        self.schema.columns.iter().zip(table.values(row)).filter_map(|(column, value)| {
            let values = value.of_each()?;
            let shown = match column.source {
                ColumnSource::Judge { .. } => values.map(|half| if half.is_nan() { 0.0 } else { 2.0 * half }),
                _ => values.map(|value| column.as_given(value)),
            };
            Some((column, shown))
        })
    }

    /// The values of the metrics that an extractor reports, and of own metrics.
    fn metrics(&self, extractor: &Extractor, table: &Table, row: usize) -> Vec<MetricValues> {
        let [first, second] = table.scores(row);
        let columns = extractor.reported().zip(first.iter().zip(second));
        let shown = columns.filter(|(member, _)| self.is_english || !member.needs_english());
        let reported = shown.map(|(member, (&first, &second))| {
            let sign = member.entry.direction.sign();
            let lower_is_better = member.entry.direction == Direction::LowerIsBetter;
            MetricValues {
                name: member.entry.row_name().to_owned(),
                values: [sign * first, sign * second],
                lower_is_better,
            }
        });
        let external = self.values(table, row).filter_map(|(column, values)| match &column.source {
            ColumnSource::External { metric } => {
                Some(MetricValues { name: column.name.clone(), values, lower_is_better: metric.lower_is_better })
            }
            _ => None,
        });
        reported.chain(external).collect()
    }

    fn alignments(&self, pair: &Pair) -> Option<[AlignedTexts; 2]> {
        let [first, second] =
            pair.hypotheses.each_ref().map(|hypothesis| self.aligner.align(hypothesis, &pair.references));
        Some([first?, second?])
    }
}

/// Aligns texts as METEOR 1.5 does with all of its modules; for other languages than English, or without METEOR's data,
/// by equal words only.
#[derive(Debug)]
struct Aligner {
    metric_set: MetricSet,
    /// Whether words are METEOR's tokens for English, which include punctuation marks, and not those of
    /// [`Tokenizer::Words`] in lower case.
    is_meteor: bool,
}

impl Aligner {
    fn new(lexicons: &Lexicons, is_english: bool) -> Result<Self> {
        let is_meteor = is_english && HAS_DATA;
        let mut metric_set = MetricSet::new(lexicons);
        metric_set.add("alignment", |plan| {
            Ok(Box::new(if is_meteor {
                Meteor::new(MeteorSettings::of_task(Task::default(), &Module::ALL), plan)?
            } else {
                Meteor::of_equal_words(plan)
            }))
        })?;
        Ok(Self { metric_set, is_meteor })
    }

    /// Aligns a hypothesis with the reference that suits it best; `None` without references.
    fn align(&self, hypothesis: &str, references: &[String]) -> Option<AlignedTexts> {
        let metric = &self.metric_set.members().first()?.metric;
        let mut lexicon = self.metric_set.lexicon();
        let mut prepare = |text: &str| {
            let words = if self.is_meteor { Cow::from(text) } else { words_of(text).into() };
            self.metric_set.prepare(&words, &mut lexicon)
        };
        let hypothesis_sentence = prepare(hypothesis);
        let prepared: Vec<Sentence> = references.iter().map(|reference| prepare(reference)).collect();
        let mut found = metric.links(&hypothesis_sentence, &prepared.iter().collect::<Vec<_>>())?;
        let reference = references.get(found.reference)?;
        if !self.is_meteor {
            found.hypothesis_words = Tokenizer::Words.spans(hypothesis);
            found.reference_words = Tokenizer::Words.spans(reference);
        }
        Some(AlignedTexts::new(hypothesis, reference, &found))
    }
}

/// The words of a text in lower case, separated by spaces, so that METEOR sees one word for each span.
fn words_of(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    Tokenizer::Words.tokenize(text, &mut |word| words.push(word.to_lowercase()));
    words.join(" ")
}
