//! BLEU, chrF and ROUGE, in many settings, have finite values in their range for any text.

use proptest::prelude::*;
use tribunal::metrics::bleu::{Bleu, BleuSettings, Smoothing};
use tribunal::metrics::bleu_nltk::{Method, NltkBleu};
use tribunal::metrics::chrf::{Chrf, ChrfSettings};
use tribunal::metrics::rouge::{Rouge, RougeKind};
use tribunal::metrics::rouge155::{References, Rouge155, Rouge155Kind, Rouge155Settings, SkipBigrams};
use tribunal::metrics::{Metric, MetricSet};
use tribunal::options::Options;
use tribunal::text::{Lexicon, Plan, Sentence, Tokenizer};
use tribunal::wordnet::WordNet;

/// Metrics with the highest value of their score.
fn all_metrics(plan: &mut Plan) -> Vec<(Box<dyn Metric>, f64)> {
    let mut metrics: Vec<(Box<dyn Metric>, f64)> = Vec::new();
    let defaults = BleuSettings::from_options(&Options::default()).unwrap();
    for (tokenizer, smoothing) in [
        (Tokenizer::V13a, Smoothing::Exp),
        (Tokenizer::Intl, Smoothing::Floor(0.1)),
        (Tokenizer::Characters, Smoothing::AddK(1.0)),
        (Tokenizer::Chinese, Smoothing::None),
        (Tokenizer::Whitespace, Smoothing::Floor(0.0)),
    ] {
        let settings = BleuSettings { tokenizer, smoothing, lowercase: true, ..defaults.clone() };
        metrics.push((Box::new(Bleu::new(settings, plan).unwrap()), 100.0));
    }
    let defaults = ChrfSettings::from_options(&Options::default()).unwrap();
    for (whitespace, eps_smoothing, beta) in [(false, false, 2.0), (true, true, 0.0), (true, false, 1e6)] {
        let settings = ChrfSettings { whitespace, eps_smoothing, beta, word_order: 2, ..defaults.clone() };
        metrics.push((Box::new(Chrf::new(settings, plan).unwrap()), 100.0));
    }
    for method in [Method::None, Method::Length, Method::Prior, Method::LengthAverage] {
        // The precisions of method 7 can exceed 1.
        metrics.push((Box::new(NltkBleu::new(method, plan)), 100.0));
    }
    for kind in [RougeKind::N(1), RougeKind::N(9), RougeKind::L, RougeKind::LSum] {
        for stemming in [false, true] {
            metrics.push((Box::new(Rouge::new(kind, stemming, plan).unwrap()), 1.0));
        }
    }
    let skip = |gap, unigrams| Rouge155Kind::S(SkipBigrams { gap, unigrams });
    let skips = [skip(None, false), skip(None, true), skip(Some(0), true), skip(Some(4), true)];
    for kind in skips.into_iter().chain([Rouge155Kind::W]) {
        for (stemming, references) in [(false, References::Average), (true, References::Best)] {
            let settings = Rouge155Settings { kind, stemming, references };
            metrics.push((Box::new(Rouge155::new(settings, plan)), 1.0));
        }
    }
    metrics
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[abs .,5&;\u{1c}\u{301}İKΣ🙂\\-\0\n\r]{0,30}"]
}

/// Metrics that give a text the highest score against itself, and that score.
const OF_ITSELF: [(&str, f64); 10] = [
    ("bleu", 100.0),
    ("chrf", 100.0),
    ("chrf++", 100.0),
    ("rouge1", 1.0),
    ("rouge2", 1.0),
    ("rougeL", 1.0),
    ("rougeLsum", 1.0),
    ("rougeS", 1.0),
    ("rougeS4", 1.0),
    ("rougeSU4", 1.0),
];

proptest! {
    #[test]
    fn any_text_has_values_in_range(hypothesis in text(), one in text(), two in text()) {
        let mut plan = Plan::default();
        let metrics = all_metrics(&mut plan);
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [hypothesis, one, two] = [hypothesis, one, two].map(|text| Sentence::prepare(&text, &plan, &mut lexicon));
        for (metric, highest) in metrics {
            for references in [&[&one][..], &[&one, &two]] {
                let statistics = metric.statistics(&hypothesis, references);
                for values in [metric.segment(&statistics), metric.corpus(&statistics)] {
                    prop_assert_eq!(values.len(), metric.values().len());
                    prop_assert!(values.iter().all(|value| value.is_finite() && *value >= 0.0), "{:?} {:?}", metric, values);
                    prop_assert!(values[0] <= highest + 1e-9, "{:?} {:?}", metric, values);
                }
            }
        }
    }

    #[test]
    fn text_is_its_own_best_translation(text in "[a-z]{1,8}([ \n][a-z,.]{1,8}){3,20} [a-z]", other in text()) {
        let metric_set = MetricSet::named(&OF_ITSELF.map(|(name, _)| name)).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [text, other] = [text, other].map(|text| metric_set.prepare(&text, &mut lexicon));
        let (alone, best) = (metric_set.scores(&text, &[&text]), metric_set.scores(&text, &[&other, &text]));
        for (((name, highest), alone), best) in OF_ITSELF.into_iter().zip(alone).zip(best) {
            prop_assert!((alone - highest).abs() < 1e-9, "{}", name);
            // ROUGE-1.5.5 averages over references.
            prop_assert!(name.starts_with("rougeS") || (best - highest).abs() < 1e-9, "{}", name);
        }
    }
}

#[test]
fn long_text_is_scored() {
    let metric_set = MetricSet::named(&OF_ITSELF[..3].iter().map(|(name, _)| *name).collect::<Vec<_>>()).unwrap();
    let of_lines =
        MetricSet::named(&["rouge1", "rouge4", "rougeL", "rougeLsum", "rougeS", "rougeSU4", "rougeW"]).unwrap();
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let repeated = "the same words, again and again.\n".repeat(3_000);
    let distinct: String = (0..30_000).map(|number| format!("{number} ")).collect();
    let texts = [repeated, distinct, "é".repeat(100_000), "...\n".repeat(20_000)];
    let prepared = texts.each_ref().map(|text| metric_set.prepare(text, &mut lexicon));
    for text in &prepared {
        assert!(metric_set.scores(text, &[text]).iter().all(|score| (score - 100.0).abs() < 1e-9), "{}", text.text());
        assert!(metric_set.scores(text, &[&prepared[0], &prepared[1]]).iter().all(|score| score.is_finite()));
    }
    // Lines and skip-bigrams take time by the product of lengths.
    let short = texts.map(|text| of_lines.prepare(&text.chars().take(5_000).collect::<String>(), &mut lexicon));
    for text in &short {
        let found = of_lines.scores(text, &[&short[0], &short[1]]);
        assert!(found.iter().all(|score| (0.0..=1.0).contains(score)), "{found:?}");
    }
}
