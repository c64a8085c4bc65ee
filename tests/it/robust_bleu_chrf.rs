//! BLEU and chrF have finite values in their range for any text.

use proptest::prelude::*;
use tribunal::metrics::bleu::{Bleu, BleuSettings, BleuTokenizer, Smoothing};
use tribunal::metrics::bleu_nltk::{Method, NltkBleu};
use tribunal::metrics::chrf::{Chrf, ChrfSettings};
use tribunal::metrics::{Metric, MetricSet};
use tribunal::text::{Lexicon, Plan, Sentence};
use tribunal::wordnet::WordNet;

fn all_metrics(plan: &mut Plan) -> Vec<Box<dyn Metric>> {
    let mut metrics: Vec<Box<dyn Metric>> = Vec::new();
    for (tokenizer, smoothing) in BleuTokenizer::ALL.into_iter().zip([
        Smoothing::Exp,
        Smoothing::Floor(0.1),
        Smoothing::AddK(1.0),
        Smoothing::None,
        Smoothing::Floor(0.0),
    ]) {
        let settings = BleuSettings { tokenizer, smoothing, lowercase: true, ..Default::default() };
        metrics.push(Box::new(Bleu::new(settings.check().unwrap(), plan)));
    }
    for (whitespace, eps_smoothing, beta) in [(false, false, 2.0), (true, true, 0.0), (true, false, 1e6)] {
        let settings = ChrfSettings { whitespace, eps_smoothing, beta, word_order: 2, ..Default::default() };
        metrics.push(Box::new(Chrf::new(settings.check().unwrap(), plan)));
    }
    for method in [Method::None, Method::Length, Method::Prior, Method::LengthAverage] {
        metrics.push(Box::new(NltkBleu::new(method, plan)));
    }
    metrics
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ab .,5&;\u{1c}\u{301}İΣ🙂\\-\0\n]{0,20}"]
}

proptest! {
    #[test]
    fn any_text_has_values_in_range(hypothesis in text(), one in text(), two in text()) {
        let mut plan = Plan::default();
        let metrics = all_metrics(&mut plan);
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [hypothesis, one, two] = [hypothesis, one, two].map(|text| Sentence::prepare(&text, &plan, &mut lexicon));
        for metric in metrics {
            for references in [&[&one][..], &[&one, &two]] {
                let statistics = metric.statistics(&hypothesis, references);
                for values in [metric.segment(&statistics), metric.corpus(&statistics)] {
                    prop_assert_eq!(values.len(), metric.values().len());
                    prop_assert!(values.iter().all(|value| value.is_finite() && *value >= 0.0), "{:?} {:?}", metric, values);
                    prop_assert!(values[0] <= 100.0 + 1e-9, "{:?} {:?}", metric, values);
                }
            }
        }
    }

    #[test]
    fn text_is_its_own_best_translation(text in "[a-z]{1,8}( [a-z,.]{1,8}){3,20}", other in text()) {
        let metric_set = MetricSet::of(&["bleu", "chrf", "chrf++"]).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [text, other] = [text, other].map(|text| metric_set.prepare(&text, &mut lexicon));
        for score in metric_set.scores(&text, &[&other, &text]) {
            prop_assert!((score - 100.0).abs() < 1e-9);
        }
    }
}

#[test]
fn long_text_is_scored() {
    let metric_set = MetricSet::of(&["bleu", "chrf", "chrf++"]).unwrap();
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let repeated = "the same words, again and again. ".repeat(3_000);
    let distinct: String = (0..30_000).map(|number| format!("{number} ")).collect();
    let unbroken = "é".repeat(100_000);
    let texts =
        [repeated, distinct, unbroken, "...".repeat(20_000)].map(|text| metric_set.prepare(&text, &mut lexicon));
    for (position, text) in texts.iter().enumerate() {
        let same = metric_set.scores(text, &[text]);
        assert!(same.iter().all(|score| (score - 100.0).abs() < 1e-9), "text {position}: {same:?}");
        assert!(metric_set.scores(text, &[&texts[0], &texts[1]]).iter().all(|score| score.is_finite()));
    }
}
