//! A model file is JSON and holds everything that a verdict depends on. It begins with
//! `{"format": "tribunal-model", "version": 2,` on the first line, and ends with a [checksum]. Each column of the schema
//! stands there once, with its scale and its weights. A file that cannot be read exactly is refused.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::calibration::{LARGEST_NUMBER, OutputCalibration};
use super::checksum;
use crate::encoder::{Description, Encoder};
use crate::error::{Error, Result, json_fault, quoted, truncated};
use crate::features::{Column, ColumnSource, Extractor, Schema, Table};
use crate::files::{Input, Output};
use crate::judgments::{Language, Probabilities, Verdict};
use crate::learners::logistic::scales::MIN_EXTERNAL_SCALE;
use crate::learners::logistic::{self, LinearModel, LogisticSettings, Scale, Weights};
use crate::learning::{Coverage, Predictor, ScoreScale, Trained, Validation, confidence_for};
use crate::text::Lexicons;
use crate::wordnet::WordNet;

const FORMAT: &str = "tribunal-model";
const VERSION: u32 = 2;

/// The largest model file that is read, in bytes: enough for 3 million training references.
const LARGEST: usize = 64 << 20;

/// The fields at the start of every version of the format.
#[derive(Debug, Deserialize)]
struct Header {
    format: String,
    version: u32,
    learner: Option<String>,
}

/// A trained model with its provenance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredModel", into = "StoredModel")]
pub struct Model {
    /// The version of the program that trained it.
    pub tribunal: String,
    /// The version and fingerprint of the WordNet that it was trained with.
    pub wordnet: String,
    /// The learner that made the judge, see [`crate::learning::Learner::name`].
    pub learner: String,
    /// What it was trained on, and how.
    pub training: Training,
    /// The features, in the order of the weights.
    pub schema: Schema,
    /// The trained regression.
    pub linear: LinearModel,
    /// The factor that multiplies the probability of a tie before verdicts are compared, see
    /// [`TieRule`](crate::learning::TieRule).
    pub tie_factor: f64,
    /// How the model as a metric maps s(h, r) to a scale from 0 to 100.
    pub score: ScoreScale,
    /// How often its verdicts agreed with human labels out of fold, by their confidence; empty without cross-validation.
    pub coverage: Vec<Coverage>,
    /// What labels its scores of single outputs stand for, if it learned from such labels.
    pub outputs: Option<OutputCalibration>,
}

/// A [`Model`] as its file has it.
#[derive(Serialize, Deserialize)]
struct StoredModel {
    tribunal: String,
    wordnet: String,
    learner: String,
    training: Training,
    columns: Vec<StoredColumn>,
    /// c, see [`Weights`].
    decided_intercept: f64,
    /// b.
    tie_intercept: f64,
    gradient: f64,
    tie_factor: f64,
    score: ScoreScale,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    coverage: Vec<Coverage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outputs: Option<OutputCalibration>,
}

/// A column with all that the model knows of it.
#[derive(Serialize, Deserialize)]
struct StoredColumn {
    #[serde(flatten)]
    column: Column,
    scale: Scale,
    weight: StoredWeight,
}

/// The weights of a column: w of what compares the hypotheses, u and v of what is symmetric.
#[derive(Default, Serialize, Deserialize)]
struct StoredWeight {
    #[serde(skip_serializing_if = "Option::is_none")]
    preference: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tie: Option<f64>,
}

impl From<Model> for StoredModel {
    fn from(model: Model) -> Self {
        let LinearModel { scales, weights, gradient } = model.linear;
        let (mut w, mut u, mut v) =
            (weights.hypothesis.into_iter(), weights.decided.into_iter(), weights.tie.into_iter());
        let stored = |(column, scale): (Column, Scale)| {
            let mut weight = StoredWeight::default();
            if column.compares() {
                weight.preference = w.next();
            }
            if column.is_symmetric() {
                (weight.decided, weight.tie) = (u.next(), v.next());
            }
            StoredColumn { column, scale, weight }
        };
        Self {
            columns: model.schema.columns.into_iter().zip(scales).map(stored).collect(),
            tribunal: model.tribunal,
            wordnet: model.wordnet,
            learner: model.learner,
            training: model.training,
            decided_intercept: weights.decided_intercept,
            tie_intercept: weights.tie_intercept,
            gradient,
            tie_factor: model.tie_factor,
            score: model.score,
            coverage: model.coverage,
            outputs: model.outputs,
        }
    }
}

impl TryFrom<StoredModel> for Model {
    type Error = String;

    fn try_from(stored: StoredModel) -> std::result::Result<Self, String> {
        let (decided_intercept, tie_intercept) = (stored.decided_intercept, stored.tie_intercept);
        let mut weights = Weights { decided_intercept, tie_intercept, ..Weights::zero(0, 0) };
        let (mut schema, mut scales) = (Schema::default(), Vec::new());
        for StoredColumn { column, scale, weight } in stored.columns {
            let StoredWeight { preference, decided, tie } = weight;
            let has_parts = (scale.difference.is_some(), scale.similarity.is_some(), scale.bounds.is_some());
            let has_weights = (preference.is_some(), decided.is_some(), tie.is_some());
            let (compares, is_symmetric) = (column.compares(), column.is_symmetric());
            if has_parts != (compares, is_symmetric, column.is_external())
                || has_weights != (compares, is_symmetric, is_symmetric)
            {
                return Err(format!("a column {} without scales or weights of its kind", quoted(&column.name)));
            }
            weights.hypothesis.extend(preference);
            weights.decided.extend(decided);
            weights.tie.extend(tie);
            schema.columns.push(column);
            scales.push(scale);
        }
        Ok(Self {
            tribunal: stored.tribunal,
            wordnet: stored.wordnet,
            learner: stored.learner,
            training: stored.training,
            schema,
            linear: LinearModel { scales, weights, gradient: stored.gradient },
            tie_factor: stored.tie_factor,
            score: stored.score,
            coverage: stored.coverage,
            outputs: stored.outputs,
        })
    }
}

/// The provenance of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// The names of the files of pairs, without their folders.
    pub data: String,
    /// The weight of a pair in each file.
    pub weights: Vec<f64>,
    /// The language of the texts, see [`crate::judgments::Language`].
    pub language: String,
    /// The number of pairs.
    pub pairs: usize,
    /// If Spark fitted the weights: the number of pairs, in whole references, from which all else was derived: scales,
    /// penalty and tie factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<usize>,
    /// The number of groups of pairs that share a reference.
    pub groups: usize,
    /// The number of pairs with each label.
    pub labels: BTreeMap<String, usize>,
    /// The settings of cross-validation, including the seed.
    pub validation: Validation,
    /// The settings of the fit.
    pub fit: LogisticSettings,
    /// The penalty chosen by cross-validation on the training data.
    pub penalty: f64,
    /// Out-of-fold accuracy of ensemble and baseline.
    pub accuracy: BTreeMap<String, f64>,
    /// The encoder whose metrics are among the features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoder: Option<Description>,
    /// A 32-bit fingerprint of each training reference, in hexadecimal: users who evaluate the model on references that
    /// it was trained on are warned.
    pub references: Vec<String>,
    /// The fraction of tokenised references, among those with a comma or full stop: users who give the model text of
    /// the other kind are warned. Absent if few have one, and in files of versions that did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokenised: Option<f64>,
}

/// The name of a WordNet: its version and a fingerprint of its content.
fn wordnet_name(wordnet: &WordNet) -> String {
    format!("{} {:016x}", wordnet.version(), wordnet.fingerprint())
}

impl Model {
    /// Assembles a model.
    pub fn new(
        trained: Trained<LinearModel>,
        score: ScoreScale,
        schema: Schema,
        wordnet: &WordNet,
        training: Training,
    ) -> Self {
        Self {
            tribunal: env!("CARGO_PKG_VERSION").to_owned(),
            wordnet: wordnet_name(wordnet),
            training,
            learner: logistic::NAME.to_owned(),
            schema,
            linear: trained.model,
            tie_factor: trained.tie_factor,
            score,
            coverage: Vec::new(),
            outputs: None,
        }
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// The file is truncated, is not a model, is of another version, or its parts are inconsistent.
    pub fn read(input: &Input) -> Result<Self> {
        Self::parse(&input.read_to_string(LARGEST)?, &input.to_string())
    }

    /// Reads a model from its text; errors call it `place`.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(text: &str, place: &str) -> Result<Self> {
        let header: Header = serde_json::from_str(text).map_err(|error| broken(text, place, &error))?;
        if header.format != FORMAT {
            return Err(Error::invalid(place, FORMAT, quoted(&header.format), "name a file that train wrote"));
        }
        if header.version != VERSION {
            return Err(Error::invalid(
                place,
                format!("a model of version {VERSION}"),
                format!("version {}", header.version),
                "use the version of tribunal that made it, or train the model again",
            ));
        }
        if let Some(learner) = header.learner.filter(|learner| learner != logistic::NAME) {
            let advice = "use the version of tribunal that made it, or train the model again";
            return Err(Error::invalid(place, format!("a model of {}", logistic::NAME), quoted(&learner), advice));
        }
        let model = Self::parse_unsealed(text, place)?;
        if let Err(changed) = checksum::verify(text, place) {
            // A feature that this version does not know is a more helpful error than a changed checksum.
            model.extractor(WordNet::embedded(), place)?;
            return Err(changed);
        }
        Ok(model)
    }

    /// Reads a model without verifying its checksum; for those inside the program, whose tests verify it.
    pub(super) fn parse_unsealed(text: &str, place: &str) -> Result<Self> {
        let model: Self = serde_json::from_str(text).map_err(|error| broken(text, place, &error))?;
        model.check(place)?;
        Ok(model)
    }

    /// Checks that every number is in range, so that no sum of products overflows and probabilities are always finite.
    ///
    /// # Errors
    /// One is not.
    pub fn check(&self, place: &str) -> Result<()> {
        let refused = |expected: &str, found: String| {
            Err(Error::invalid(place, expected, found, "the file was changed: train the model again"))
        };
        for (column, scale) in self.schema.columns.iter().zip(&self.linear.scales) {
            // Scales are divisors: one very close to 0 is as bad as a weight out of range.
            let least = 1.0 / LARGEST_NUMBER;
            let least_difference = if column.is_external() { MIN_EXTERNAL_SCALE } else { least };
            let deviation = scale.similarity.map_or(0.0, |similarity| similarity.deviation);
            for (divisor, least) in [(scale.divisor(), least_difference), (deviation, least)] {
                if divisor != 0.0 && divisor < least {
                    return refused("scales of 0 or more", format!("{divisor:?}"));
                }
            }
            if let Some(bounds) = scale.bounds.filter(|bounds| bounds.low > bounds.high) {
                let found = format!("{:?} to {:?}", bounds.low, bounds.high);
                return refused("bounds of external values in order", found);
            }
        }
        let width = self.score.width;
        if !(1.0 / LARGEST_NUMBER..LARGEST_NUMBER).contains(&width) {
            return refused("a score.width above 0", format!("{width:?}"));
        }
        let compared = self.schema.compared().count();
        if let Some(wrong) = self.outputs.as_ref().and_then(|outputs| outputs.fault(compared)) {
            return refused("a curve of labels with numbers in range", wrong);
        }
        let mut shares = self.coverage.iter().flat_map(|at| [at.agreement, at.confidence, at.coverage]);
        if let Some(wrong) = shares.find(|number| !(0.0..=1.0).contains(number)) {
            return refused("shares from 0 to 1 in coverage", wrong.to_string());
        }
        if self.tie_factor < 0.0 {
            return refused("a tie factor of 0 or more", self.tie_factor.to_string());
        }
        let Weights { hypothesis, decided, tie, decided_intercept, tie_intercept } = &self.linear.weights;
        let of_scale = |scale: &Scale| {
            let [low, high] = scale.bounds.map_or([0.0; 2], |bounds| [bounds.low, bounds.high]);
            [low, high, scale.similarity.map_or(0.0, |similarity| similarity.mean)]
        };
        let of_scales = self.linear.scales.iter().flat_map(of_scale);
        let alone = [*decided_intercept, *tie_intercept, self.tie_factor, self.score.center];
        let mut all = hypothesis.iter().chain(decided).chain(tie).copied().chain(alone).chain(of_scales);
        match all.find(|number| number.abs() > LARGEST_NUMBER) {
            Some(number) => refused(&format!("numbers up to {LARGEST_NUMBER:e}"), format!("{number:e}")),
            None => Ok(()),
        }
    }

    /// The least confidence with which verdicts on pairs agree with human labels in at least this share, see
    /// [`confidence_for`].
    ///
    /// # Errors
    /// The model does not know how often it agrees with human labels; it never agrees so often.
    pub fn confidence_for(&self, agreement: f64, place: &str) -> Result<f64> {
        confidence_for(&self.coverage, agreement, place, "pairs")
    }

    /// Writes the model file.
    ///
    /// # Errors
    /// The file cannot be written; an existing one is then unchanged.
    pub fn write(&self, mut output: Output) -> Result<()> {
        output.write(self.to_text()?.as_bytes())?;
        output.finish()
    }

    /// The text of the model file.
    ///
    /// # Errors
    /// A number cannot be written as JSON.
    pub fn to_text(&self) -> Result<String> {
        let body = serde_json::to_string_pretty(self)
            .map_err(|error| Error::invalid("model", "numbers", error.to_string(), "report this as a bug"))?;
        let body = body.strip_prefix("{\n").unwrap_or(&body);
        Ok(checksum::seal(&format!("{{\"format\": \"{FORMAT}\", \"version\": {VERSION},\n{body}\n")))
    }

    /// The hexadecimal digits of the checksum at the end of its file: they identify the model.
    ///
    /// # Errors
    /// A number cannot be written as JSON.
    pub fn checksum(&self) -> Result<String> {
        Ok(checksum::digits(&self.to_text()?).unwrap_or_default().to_owned())
    }

    /// An extractor of the model's features and no others.
    ///
    /// # Errors
    /// This version computes a feature differently, or the WordNet is a different one.
    pub fn extractor(&self, lexicons: impl Into<Lexicons>, place: &str) -> Result<Extractor> {
        let lexicons = lexicons.into();
        self.check_lexicons(&lexicons, place)?;
        Extractor::for_schema(&lexicons, &self.schema, place)
    }

    /// Checks that WordNet and encoder are those used in training: any others give different features.
    ///
    /// # Errors
    /// The model was trained with another WordNet, or with an encoder that is not there.
    pub fn check_lexicons(&self, lexicons: &Lexicons, place: &str) -> Result<()> {
        let found = wordnet_name(lexicons.wordnet());
        if self.wordnet != found {
            let advice = "train the model again";
            return Err(Error::invalid(place, format!("WordNet {}", truncated(&self.wordnet)), found, advice));
        }
        if let Some(metric) = self.schema.needs_source().filter(|_| lexicons.models().comet.is_none()) {
            let advice = "name with `comet` the folder of the one that it was trained with";
            return Err(Error::invalid(place, format!("a model of COMET, as {metric} is a feature"), "none", advice));
        }
        let Some(learned) = self.training.encoder.as_ref().filter(|_| self.schema.needs_encoder()) else {
            return Ok(());
        };
        let found = lexicons.models().encoder.as_ref().map(Encoder::description);
        if found.is_some_and(|found| found.digest == learned.digest) {
            return Ok(());
        }
        let expected = format!("the encoder {}, with which the model was trained", truncated(&learned.to_string()));
        let advice = "name its folder with `encoder`, or use another model";
        Err(Error::invalid(place, expected, found.map_or_else(|| "none".to_owned(), Description::to_string), advice))
    }

    /// The probabilities of the verdicts for every row of a table with the model's [schema](Self::schema).
    pub fn judge(&self, table: &Table) -> Vec<Probabilities> {
        (0..table.len()).into_par_iter().with_min_len(256).map(|row| self.linear.probabilities(table, row)).collect()
    }

    /// The model's verdicts, from its probabilities.
    pub fn verdicts(&self, probabilities: &[Probabilities]) -> Vec<Verdict> {
        probabilities.iter().map(|given| given.verdict_with(self.tie_factor)).collect()
    }

    /// The user's own metrics with the least and the greatest value that the model was trained on, as the user gave them.
    pub fn external_ranges(&self) -> Vec<(String, [f64; 2])> {
        let range = |(column, scale): (&Column, &Scale)| {
            let ColumnSource::External { metric } = &column.source else { return None };
            let mut range = scale.bounds?.seen.map(|bound| metric.oriented(bound));
            range.sort_by(f64::total_cmp);
            Some((metric.name.clone(), range))
        };
        self.schema.columns.iter().zip(&self.linear.scales).filter_map(range).collect()
    }

    /// The model for texts in that language: features that are uninformative for it get the weight 0.
    pub fn for_language(mut self, language: &Language) -> Self {
        if language.is_english() {
            return self;
        }
        fn silence<'c>(weights: &mut [f64], columns: impl Iterator<Item = &'c Column>) {
            let needing = weights.iter_mut().zip(columns).filter(|(_, column)| column.needs_english());
            needing.for_each(|(weight, _)| *weight = 0.0);
        }
        let Weights { hypothesis, decided, tie, .. } = &mut self.linear.weights;
        silence(hypothesis, self.schema.compared());
        silence(decided, self.schema.symmetric());
        silence(tie, self.schema.symmetric());
        self
    }
}

fn broken(text: &str, place: &str, error: &serde_json::Error) -> Error {
    const ADVICE: &str = "name a file that train wrote";
    if !text.trim_start().starts_with('{') && !error.is_eof() {
        return Error::invalid(place, "a model file, which is a JSON object", "another text", ADVICE);
    }
    let message = error.to_string();
    if error.line() == 0 {
        // Its parts do not fit.
        return Error::invalid(place, "a complete model file", message, ADVICE);
    }
    if message.starts_with("missing field `format`") {
        return Error::invalid(place, "a model file", "another JSON object", ADVICE);
    }
    // To the parser a truncated number is a syntax error, which does not mention the end of the file.
    let (found, advice) = if message.starts_with("trailing characters") {
        ("trailing text after its end".to_owned(), "remove what follows the model, or copy the file again")
    } else if error.is_eof() || !text.trim_end().ends_with('}') {
        ("its end".to_owned(), "the file was cut off: copy it again, or train the model again")
    } else {
        (json_fault(error), ADVICE)
    };
    Error::invalid(format!("{place}:{}", error.line()), "a complete model file", found, advice)
}
