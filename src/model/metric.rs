//! Stage 5h. In: a trained model. Out: a metric of its own that scores one hypothesis. Next: `score`.

use std::f64::consts::PI;

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};

use super::design::Scales;
use super::file::Model;
use super::weights::Weights;
use crate::error::Result;
use crate::features::{Row, Table};
use crate::metrics::{Metric, Signature, Statistics, ratio};
use crate::text::{Plan, Sentence};
use crate::wordnet::WordNet;

/// How s(h, r) = w.f(h, r) becomes a score from 0 to 100.
///
/// ```text
/// score(s) = 100 / (1 + exp(-(s - center) / width))
/// ```
///
/// It rises with s everywhere. `center` is the mean of s over the hypotheses that the model was trained on, `width` their
/// standard deviation times sqrt(3)/pi, so that the logistic curve has the mean and the variance of s: of about so many in a
/// hundred of those hypotheses is the score higher. 50 is a translation as good as they are on average, 86 is better by one
/// standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoreScale {
    /// The s whose score is 50.
    pub center: f64,
    /// How much s has to rise above the center for a score of 73; above 0.
    pub width: f64,
}

impl ScoreScale {
    /// Measures both hypotheses of some rows of a table.
    pub fn of(table: &Table, rows: &[usize], scales: &Scales, weights: &Weights) -> Self {
        let factors = factors(scales, weights);
        let s: Vec<f64> = rows.iter().flat_map(|&row| table.row(row)).map(|row| preference(&factors, row)).collect();
        let count = s.len().max(1) as f64;
        let center = s.iter().sum::<f64>() / count;
        let deviation = (s.iter().map(|s| (s - center).powi(2)).sum::<f64>() / count).sqrt();
        // Where nothing tells hypotheses apart, all have the score 50, whatever the width.
        let width = if deviation > 0.0 { deviation * 3_f64.sqrt() / PI } else { 1.0 };
        Self { center, width }
    }

    /// The score of s, in [0, 100].
    pub fn score(self, s: f64) -> f64 {
        100.0 / (1.0 + ((self.center - s) / self.width).exp())
    }
}

/// What each feature of a hypothesis is multiplied by: w over its scale, 0 for a column that was constant.
fn factors(scales: &Scales, weights: &Weights) -> Vec<f64> {
    let factors = weights.hypothesis.iter().zip(&scales.hypothesis);
    factors.map(|(&weight, &scale)| ratio(weight, scale)).collect()
}

/// s(h, r) = sum_j w_j f_j / scale_j.
fn preference(factors: &[f64], features: ArrayView1<'_, f64>) -> f64 {
    factors.iter().zip(features).map(|(factor, feature)| factor * feature).sum()
}

/// The metric that a model has learned: [`ScoreScale::score`] of s(h, r), in [0, 100]; that of a corpus is the mean of its
/// segments.
///
/// The verdict on a pair depends on s(h1) - s(h2). Two things that the model does with such differences are left out, since
/// there is no second hypothesis here: they count more where the reference is long ([`Scales::sureness`]), and those of
/// single features are [clipped](super::design::CLIP). Scores of a pair can therefore, seldom, stand the other way round than
/// its verdict.
///
/// ```
/// use tribunal::metrics::Panel;
/// use tribunal::model::{LearnedMetric, builtin};
/// use tribunal::text::Lexicon;
/// use tribunal::wordnet::WordNet;
///
/// let (model, wordnet) = (builtin::model()?, WordNet::embedded());
/// let mut panel = Panel::of(&["bleu"])?;
/// panel.add("ensemble", |plan| Ok(Box::new(LearnedMetric::new(&model, wordnet, builtin::NAME, plan)?)))?;
///
/// let mut lexicon = Lexicon::new(wordnet);
/// let mut scores = |hypothesis: &str| {
///     let reference = panel.prepare("The minister did not resign.", &mut lexicon);
///     panel.scores(&panel.prepare(hypothesis, &mut lexicon), &[&reference])
/// };
/// assert!(scores("The minister has not resigned.")[1] > scores("Minister the not of resigned!")[1]);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Debug)]
pub struct LearnedMetric {
    features: Row,
    factors: Vec<f64>,
    scale: ScoreScale,
    /// What its model's file ends with.
    checksum: String,
    wordnet: WordNet,
}

impl LearnedMetric {
    /// The metric of a model; the plan is asked for what its features need.
    ///
    /// # Errors
    /// This version computes a feature otherwise, or another WordNet is at hand; `place` says where the model comes from.
    pub fn new(model: &Model, wordnet: &WordNet, place: &str, plan: &mut Plan) -> Result<Self> {
        model.check_wordnet(wordnet, place)?;
        Ok(Self {
            features: Row::for_schema(&model.schema, wordnet, place, plan)?,
            factors: factors(&model.scales, &model.weights),
            scale: model.score,
            checksum: model.checksum()?,
            wordnet: wordnet.clone(),
        })
    }
}

impl Metric for LearnedMetric {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    /// The checksum stands for the features with their settings, the weights and the scale.
    fn signature(&self) -> Signature {
        Signature::new("ensemble").with("m", "model", &self.checksum).with_wordnet(&self.wordnet)
    }

    /// The score, and 1 for the segment.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let features = self.features.of(hypothesis, references);
        vec![self.scale.score(preference(&self.factors, features.as_slice().into())), 1.0]
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        vec![ratio(statistics[0], statistics[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Panel;
    use crate::model::builtin;
    use crate::text::Lexicon;

    const REFERENCE: &str = "The committee approved the new budget on Monday.";

    fn score(model: &Model, hypothesis: &str) -> f64 {
        let wordnet = WordNet::embedded();
        let mut panel = Panel::new(wordnet);
        panel.add("x", |plan| Ok(Box::new(LearnedMetric::new(model, wordnet, "x", plan)?))).unwrap();
        let mut lexicon = Lexicon::new(wordnet);
        let [hypothesis, reference] = [hypothesis, REFERENCE].map(|text| panel.prepare(text, &mut lexicon));
        panel.scores(&hypothesis, &[&reference])[0]
    }

    #[test]
    fn better_translations_score_higher() {
        let model = builtin::model().unwrap();
        let texts = [
            "",
            "Budget on Monday has new committee the approve.",
            "The committee approved a new budget on Monday.",
            REFERENCE,
        ];
        let scores = texts.map(|text| score(&model, text));
        assert!(scores.is_sorted() && scores[0] < 10.0 && scores[3] > 90.0, "{scores:?}");
        assert!(scores.windows(2).all(|pair| pair[0] < pair[1]), "{scores:?}");
    }

    #[test]
    fn nonsense_stays_within_the_scale() {
        let model = builtin::model().unwrap();
        for text in ["the ".repeat(1000), "x".repeat(3000), "1234 . ".repeat(300), format!("{REFERENCE} ").repeat(20)] {
            let score = score(&model, &text);
            assert!((0.0..50.0).contains(&score), "{score} of {}...", &text[..20]);
        }
    }

    #[test]
    fn the_order_of_the_features_changes_nothing() {
        let model = builtin::model().unwrap();
        let mut other = model.clone();
        other.schema.hypothesis.reverse();
        other.scales.hypothesis.reverse();
        other.weights.hypothesis.reverse();
        let text = "Committee has approved budget new on Monday.";
        assert!((score(&model, text) - score(&other, text)).abs() < 1e-9);
    }

    #[test]
    fn a_constant_feature_does_not_count() {
        let mut model = builtin::model().unwrap();
        model.scales.hypothesis.fill(0.0);
        let nothing = score(&model, "The budget");
        assert_eq!(nothing, score(&model, REFERENCE));
        assert_eq!(nothing, model.score.score(0.0));
    }

    #[test]
    fn the_scale_is_that_of_the_training_data() {
        let table = |rows: [[f64; 2]; 3]| {
            let side = |side: usize| ndarray::Array2::from_shape_fn((3, 1), |(row, _)| rows[row][side]);
            Table {
                first: side(0),
                second: side(1),
                symmetric: ndarray::Array2::zeros((3, 0)),
                reference_lengths: vec![1.0, 5.0, 9.0],
                scores: [ndarray::Array2::zeros((3, 0)), ndarray::Array2::zeros((3, 0))],
            }
        };
        let scales = Scales { reference_length: 5.0, hypothesis: vec![0.5], pair_means: vec![], pair: vec![] };
        let weights = Weights { hypothesis: vec![0.25], ..Weights::zero(1, 0) };
        // s = 0.5 f; of the first two rows 1, 3, 3, 5: mean 3, variance 2.
        let found = ScoreScale::of(&table([[2.0, 6.0], [6.0, 10.0], [99.0, 99.0]]), &[0, 1], &scales, &weights);
        assert!((found.center - 3.0).abs() < 1e-12);
        assert!((found.width - 6_f64.sqrt() / PI).abs() < 1e-12);
        assert_eq!(found.score(found.center), 50.0);
        assert!((found.score(found.center + 2_f64.sqrt()) - 85.98).abs() < 0.01);
        let same = ScoreScale::of(&table([[2.0; 2]; 3]), &[0, 1, 2], &scales, &weights);
        assert_eq!((same.score(1.0), same.width), (50.0, 1.0));
    }

    #[test]
    fn the_score_rises_and_stays_within_its_scale() {
        let scale = ScoreScale { center: -2.0, width: 0.5 };
        let scores: Vec<f64> = (-400..400).map(|step| scale.score(f64::from(step) * 0.05)).collect();
        assert!(scores.windows(2).all(|pair| pair[0] <= pair[1]));
        let within = scores.iter().filter(|score| (1e-6..100.0 - 1e-6).contains(*score)).collect::<Vec<_>>();
        assert!(within.len() > 300 && within.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((scale.score(-1e300), scale.score(1e300)), (0.0, 100.0));
    }

    #[test]
    fn the_signature_names_the_model_by_the_end_of_its_file() {
        let wordnet = WordNet::embedded();
        let of = |model: &Model| LearnedMetric::new(model, wordnet, "x", &mut Plan::default()).unwrap().signature();
        let mut model = builtin::model().unwrap();
        let signature = of(&model);
        let file = include_str!("../../models/wmt.json");
        assert!(file.trim_end().ends_with(&format!("xxh3:{}\"\n}}", signature.settings[0].value)), "{signature}");
        model.score.center += 0.125;
        assert_ne!(of(&model), signature);
    }
}
