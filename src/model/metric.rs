use super::file::Model;
use super::references::KnownReferences;
use crate::error::{Error, Result, quoted};
use crate::features::HypothesisFeatures;
use crate::features::extractor::mean_sentences;
use crate::judgments::ExternalMetric;
use crate::learners::logistic::model::Preference;
use crate::learning::ScoreScale;
use crate::metrics::{Learned, Metric, Signature, Statistics, ratio};
use crate::text::{Lexicons, Plan, Sentence};
use crate::wordnet::WordNet;

/// The metric that a model has learned: [`ScoreScale::score`] of s(h, r), in [0, 100]. The score of a corpus is the
/// mean over its segments.
///
/// The verdict on a pair depends on s(h1) - s(h2), with one difference: there, differences of single features are
/// [clipped](crate::learners::logistic::scales::CLIP), which requires a second hypothesis. In rare cases the scores of a
/// pair therefore contradict its verdict.
///
/// ```
/// use tribunal::metrics::MetricSet;
/// use tribunal::model::{LearnedMetric, builtin};
/// use tribunal::text::Lexicon;
/// use tribunal::wordnet::WordNet;
///
/// let (model, wordnet) = (builtin::model()?, WordNet::embedded());
/// let mut metric_set = MetricSet::named(&["bleu"])?;
/// metric_set.add("ensemble", |plan| Ok(Box::new(LearnedMetric::new(&model, wordnet, builtin::NAME, plan)?)))?;
///
/// let mut lexicon = Lexicon::new(wordnet);
/// let mut scores = |hypothesis: &str| {
///     let reference = metric_set.prepare("The minister did not resign.", &mut lexicon);
///     metric_set.scores(&metric_set.prepare(hypothesis, &mut lexicon), &[&reference])
/// };
/// assert!(scores("The minister has not resigned.")[1] > scores("Minister the not of resigned!")[1]);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Debug)]
pub struct LearnedMetric {
    features: HypothesisFeatures,
    preference: Preference,
    scale: ScoreScale,
    /// The checksum at the end of the model's file.
    checksum: String,
    wordnet: WordNet,
    needs_english: bool,
    needs_source: bool,
    needs_references: bool,
    external: Vec<ExternalMetric>,
    external_names: Vec<String>,
    external_ranges: Vec<(String, [f64; 2])>,
    known: KnownReferences,
}

impl LearnedMetric {
    /// The metric of a model; adds what its features need to the plan.
    ///
    /// # Errors
    /// This version computes a feature differently, or WordNet or encoder are different ones; `place` says where the model
    /// comes from.
    pub fn new(model: &Model, lexicons: impl Into<Lexicons>, place: &str, plan: &mut Plan) -> Result<Self> {
        let lexicons = lexicons.into();
        model.check_lexicons(&lexicons, place)?;
        if let Some(judge) = model.schema.judges().next() {
            let found = format!("the judge {}, who judges pairs", quoted(&judge.name));
            let advice = "use a model without judges, or judge pairs with 'tribunal predict'";
            return Err(Error::invalid(place, "a model that scores single hypotheses", found, advice));
        }
        Ok(Self {
            features: HypothesisFeatures::for_schema(&model.schema, &lexicons, place, plan)?,
            preference: model.linear.preference(),
            scale: model.score,
            checksum: model.checksum()?,
            wordnet: lexicons.wordnet().clone(),
            needs_source: model.schema.needs_source().is_some(),
            needs_english: model.schema.needs_english(),
            needs_references: model.schema.needs_references(),
            external: model.schema.external_metrics().cloned().collect(),
            known: KnownReferences::new(&model.training.references),
            external_ranges: model.external_ranges(),
            external_names: model.schema.external_metrics().map(|metric| metric.name.clone()).collect(),
        })
    }
}

impl Metric for LearnedMetric {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    /// The checksum identifies the features with their settings, the weights and the scale.
    fn signature(&self) -> Signature {
        Signature::new("ensemble").with("m", "model", &self.checksum).with_wordnet(&self.wordnet)
    }

    /// The score, 1 for the segment, and s; without external values until [`Learned::with_external`] adds them.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        // Without the need for references, their place is the prompt's.
        let references = if self.needs_references { references } else { &[] };
        let features = self.features.values(hypothesis, references);
        let s = self.preference.score(features, mean_sentences(references.iter().copied()));
        vec![self.scale.score(s), 1.0, s]
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        vec![ratio(statistics[0], statistics[1])]
    }

    fn learned(&self) -> Option<&dyn Learned> {
        Some(self)
    }
}

impl Learned for LearnedMetric {
    fn needs_english(&self) -> bool {
        self.needs_english
    }

    fn needs_source(&self) -> bool {
        self.needs_source
    }

    fn learned_from(&self, reference: &str) -> bool {
        self.known.has(reference)
    }

    fn external(&self) -> &[String] {
        &self.external_names
    }

    fn external_ranges(&self) -> &[(String, [f64; 2])] {
        &self.external_ranges
    }

    fn with_external(&self, statistics: Statistics, values: &[f64]) -> Statistics {
        // Those of metrics are in `statistics` already.
        let computed = std::iter::repeat_n(f64::NAN, self.features.len());
        let external = self.external.iter().zip(values).map(|(metric, &value)| metric.oriented(value));
        let s = statistics[2] + self.preference.score(computed.chain(external), 1.0);
        vec![self.scale.score(s), 1.0, s]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::MetricSet;
    use crate::model::builtin;
    use crate::text::Lexicon;

    const REFERENCE: &str = "The committee approved the new budget on Monday.";

    fn score(model: &Model, hypothesis: &str) -> f64 {
        let wordnet = WordNet::embedded();
        let mut metric_set = MetricSet::new(wordnet);
        metric_set.add("x", |plan| Ok(Box::new(LearnedMetric::new(model, wordnet, "x", plan)?))).unwrap();
        let mut lexicon = Lexicon::new(wordnet);
        let [hypothesis, reference] = [hypothesis, REFERENCE].map(|text| metric_set.prepare(text, &mut lexicon));
        metric_set.scores(&hypothesis, &[&reference])[0]
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
        // Only the columns of metrics count here.
        let metrics = other.linear.weights.hypothesis.len();
        other.schema.columns[..metrics].reverse();
        other.linear.scales[..metrics].reverse();
        other.linear.weights.hypothesis.reverse();
        let text = "Committee has approved budget new on Monday.";
        assert!((score(&model, text) - score(&other, text)).abs() < 1e-9);
    }

    #[test]
    fn a_constant_feature_does_not_count() {
        let mut model = builtin::model().unwrap();
        model.linear.scales.iter_mut().for_each(|scale| scale.difference = scale.difference.map(|_| 0.0));
        let nothing = score(&model, "The budget");
        assert_eq!(nothing, score(&model, REFERENCE));
        assert_eq!(nothing, model.score.score(0.0));
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
