//! A model file is JSON and holds everything that a verdict depends on. It begins with
//! `{"format": "tribunal-model", "version": 1,` on the first line, and ends with a [checksum]. A file that cannot be
//! read exactly is refused.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::checksum;
use crate::encoder::{Description, Encoder};
use crate::error::{Error, Result, json_fault, quoted, truncated};
use crate::features::choice::needs_english;
use crate::features::{Extractor, Feature, Schema, Table};
use crate::files::{Input, Output};
use crate::judgments::{ExternalMetric, Language, Probabilities, Verdict};
use crate::learners::logistic::scales::{ExternalScale, LEAST_EXTERNAL_SCALE};
use crate::learners::logistic::{self, LinearJudge, LogisticSettings};
use crate::learning::{Coverage, Judge, ScoreScale, Trained, Validation};
use crate::text::Lexicons;
use crate::wordnet::WordNet;

const FORMAT: &str = "tribunal-model";
const VERSION: u32 = 1;

/// The largest model file that is read, in bytes: enough for 3 million training references.
const LARGEST: usize = 64 << 20;

/// The largest weight, intercept or mean that is read; trained ones stay below 100.
const LARGEST_NUMBER: f64 = 1e100;

/// The fields at the start of every version of the format.
#[derive(Debug, Deserialize)]
struct Header {
    format: String,
    version: u32,
    learner: Option<String>,
}

/// A trained model with its provenance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// The trained judge.
    pub judge: LinearJudge,
    /// The factor that multiplies the probability of a tie before verdicts are compared, see
    /// [`TieRule`](crate::learning::TieRule).
    pub tie_factor: f64,
    /// How the model as a metric maps s(h, r) to a scale from 0 to 100.
    pub score: ScoreScale,
    /// How often its verdicts agreed with people out of fold, by their confidence; empty in files of versions that did not
    /// record it, and without cross-validation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<Coverage>,
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
        trained: Trained<LinearJudge>,
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
            judge: trained.judge,
            tie_factor: trained.tie_factor,
            score,
            coverage: Vec::new(),
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

    /// Checks that the lengths of all parts agree and that every number is in range.
    ///
    /// # Errors
    /// They do not.
    pub fn check(&self, place: &str) -> Result<()> {
        let (hypothesis, pair, own) = (self.schema.hypothesis.len(), self.schema.pair.len(), self.schema.own.len());
        let (judges, external) = (self.schema.judges.len(), own + self.schema.judges.len());
        let LinearJudge { scales, weights, .. } = &self.judge;
        let parts: [(&str, &[f64], usize); 6] = [
            ("judge.scales.hypothesis", &scales.hypothesis, hypothesis),
            ("judge.scales.pair", &scales.pair, pair),
            ("judge.scales.pair_means", &scales.pair_means, pair),
            ("judge.weights.hypothesis", &weights.hypothesis, hypothesis + external),
            ("judge.weights.decided", &weights.decided, pair + external),
            ("judge.weights.tie", &weights.tie, pair + external),
        ];
        for (name, values, expected) in parts {
            if values.len() != expected {
                let (expected, found) = (format!("{expected} numbers in {name}"), values.len().to_string());
                return Err(Error::invalid(place, expected, found, "the file was changed: train the model again"));
            }
        }
        let lists = [
            ("damped", scales.damped.len(), hypothesis),
            ("own", scales.own.len(), own),
            ("judges", scales.judges.len(), judges),
        ];
        if let Some((name, found, expected)) = lists.into_iter().find(|(_, found, expected)| found != expected) {
            let expected = format!("{expected} values in judge.scales.{name}");
            return Err(Error::invalid(
                place,
                expected,
                found.to_string(),
                "the file was changed: train the model again",
            ));
        }
        let (own, distances) = (scales.own.iter().map(|own| own.difference), scales.own.iter().map(|own| own.distance));
        let of_texts = scales.hypothesis.iter().chain(&scales.pair).copied().chain(distances);
        let of_texts = of_texts.chain(scales.judges.iter().flat_map(|judge| [judge.preference, judge.indecision]));
        // Scales are divisors: one very close to 0 is as bad as a weight out of range.
        let divisors = of_texts.map(|scale| (scale, 1.0 / LARGEST_NUMBER));
        let mut divisors = divisors.chain(own.map(|scale| (scale, LEAST_EXTERNAL_SCALE)));
        if let Some((wrong, _)) = divisors.find(|&(scale, least)| scale != 0.0 && scale < least) {
            let advice = "the file was changed: train the model again";
            return Err(Error::invalid(place, "scales of 0 or more", format!("{wrong:?}"), advice));
        }
        if let Some(wrong) = scales.own.iter().find(|own| own.low > own.high) {
            let (expected, found) =
                ("bounds of an own metric in order", format!("{:?} to {:?}", wrong.low, wrong.high));
            return Err(Error::invalid(place, expected, found, "the file was changed: train the model again"));
        }
        let width = self.score.width;
        if !(1.0 / LARGEST_NUMBER..LARGEST_NUMBER).contains(&width) {
            let (expected, advice) = ("a score.width above 0", "the file was changed: train the model again");
            return Err(Error::invalid(place, expected, format!("{width:?}"), advice));
        }
        let is_share = |number: f64| (0.0..=1.0).contains(&number);
        let mut shares = self.coverage.iter().flat_map(|at| [at.agreement, at.confidence, at.coverage]);
        if let Some(wrong) = shares.find(|&number| !is_share(number)) {
            let (expected, advice) = ("shares from 0 to 1 in coverage", "the file was changed: train the model again");
            return Err(Error::invalid(place, expected, wrong.to_string(), advice));
        }
        if self.tie_factor < 0.0 {
            let advice = "the file was changed: train the model again";
            return Err(Error::invalid(place, "a tie factor of 0 or more", self.tie_factor.to_string(), advice));
        }
        self.check_size(place)
    }

    /// Checks that numbers are small enough for no sum of products to overflow, so that probabilities are always
    /// finite.
    fn check_size(&self, place: &str) -> Result<()> {
        let LinearJudge { scales, weights, .. } = &self.judge;
        let lists = [&weights.hypothesis, &weights.decided, &weights.tie, &scales.pair_means];
        let of_own = scales.own.iter().flat_map(|own| [own.low, own.high, own.distance_mean]);
        let alone = [weights.decided_intercept, weights.tie_intercept, self.tie_factor, self.score.center];
        let of_judges = scales.judges.iter().map(|judge| judge.indecision_mean);
        let mut all = lists.into_iter().flatten().copied().chain(alone).chain(of_own).chain(of_judges);
        all.find(|number| number.abs() > LARGEST_NUMBER).map_or(Ok(()), |number| {
            let (expected, advice) =
                (format!("numbers up to {LARGEST_NUMBER:e}"), "the file was changed: train the model again");
            Err(Error::invalid(place, expected, format!("{number:e}"), advice))
        })
    }

    /// The least confidence with which verdicts agree with people in at least this share, as far as is known from its
    /// training; 0 if all of them do.
    ///
    /// # Errors
    /// The model does not know how often it agrees with people; it never agrees so often.
    pub fn confidence_for(&self, agreement: f64, place: &str) -> Result<f64> {
        let argument = "`min_agreement`";
        let Some(highest) = self.coverage.last() else {
            let advice = "train the model again; the agreement is recorded with cross-validation";
            return Err(Error::invalid(place, "a model that knows its agreement with people", "none", advice));
        };
        let is_reached = |at: &Coverage| at.agreement >= agreement - 1e-12;
        match self.coverage.iter().position(is_reached) {
            // All verdicts agree so often.
            Some(0) => Ok(0.0),
            Some(at) => Ok(self.coverage[at].confidence),
            None => {
                let (highest, share) = (highest.agreement, 100.0 * highest.coverage);
                let expected =
                    format!("at most {highest}, which the model reached on {share:.1}% of the pairs out of fold");
                Err(Error::invalid(argument, expected, agreement.to_string(), "ask for less"))
            }
        }
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
        let Some(learned) = self.training.encoder.as_ref().filter(|_| self.schema.needs_encoder()) else {
            return Ok(());
        };
        let found = lexicons.encoder().map(Encoder::description);
        if found.is_some_and(|found| found.digest == learned.digest) {
            return Ok(());
        }
        let expected = format!("the encoder {}, with which the model was trained", truncated(&learned.to_string()));
        let advice = "name its folder with `encoder`, or use another model";
        Err(Error::invalid(place, expected, found.map_or_else(|| "none".to_owned(), Description::to_string), advice))
    }

    /// The probabilities of the verdicts for every row of a table with the model's [schema](Self::schema).
    pub fn judge(&self, table: &Table) -> Vec<Probabilities> {
        (0..table.len()).into_par_iter().with_min_len(256).map(|row| self.judge.probabilities(table, row)).collect()
    }

    /// The model's verdicts, from its probabilities.
    pub fn verdicts(&self, probabilities: &[Probabilities]) -> Vec<Verdict> {
        probabilities.iter().map(|given| given.verdict_with(self.tie_factor)).collect()
    }

    /// The own metrics with the least and the greatest value that the model was trained on, as the user gave them; those
    /// of which the file does not say are left out.
    pub fn external_ranges(&self) -> Vec<(String, [f64; 2])> {
        let range = |(metric, scale): (&ExternalMetric, &ExternalScale)| {
            let mut range = scale.seen?.map(|bound| metric.oriented(bound));
            range.sort_by(f64::total_cmp);
            Some((metric.name.clone(), range))
        };
        self.schema.own.iter().zip(&self.judge.scales.own).filter_map(range).collect()
    }

    /// The model for texts in that language: features that are uninformative for it get the weight 0.
    pub fn for_language(mut self, language: &Language) -> Self {
        if language.is_english() {
            return self;
        }
        let silence = |weights: &mut [f64], features: &[Feature]| {
            let needing = weights.iter_mut().zip(features).filter(|(_, feature)| needs_english(&feature.name));
            needing.for_each(|(weight, _)| *weight = 0.0);
        };
        silence(&mut self.judge.weights.hypothesis, &self.schema.hypothesis);
        silence(&mut self.judge.weights.decided, &self.schema.pair);
        silence(&mut self.judge.weights.tie, &self.schema.pair);
        self
    }
}

fn broken(text: &str, place: &str, error: &serde_json::Error) -> Error {
    const ADVICE: &str = "name a file that train wrote";
    if !text.trim_start().starts_with('{') && !error.is_eof() {
        return Error::invalid(place, "a model file, which is a JSON object", "another text", ADVICE);
    }
    let message = error.to_string();
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
