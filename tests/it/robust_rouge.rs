//! ROUGE has finite values in its range for any text.

use proptest::prelude::*;
use tribunal::metrics::rouge::{Rouge, RougeKind, RougeSettings};
use tribunal::metrics::rouge155::{References, Rouge155, Rouge155Kind, Rouge155Settings};
use tribunal::metrics::{Metric, MetricSet};
use tribunal::text::{Lexicon, Plan, Sentence};
use tribunal::wordnet::WordNet;

fn all_metrics(plan: &mut Plan) -> Vec<Box<dyn Metric>> {
    let mut metrics: Vec<Box<dyn Metric>> = Vec::new();
    for kind in [RougeKind::N(1), RougeKind::N(9), RougeKind::L, RougeKind::LSum] {
        for stemming in [false, true] {
            let settings = RougeSettings { kind, stemming };
            metrics.push(Box::new(Rouge::new(settings.check().unwrap(), plan)));
        }
    }
    let skip = |gap, unigrams| Rouge155Kind::S { gap, unigrams };
    let weighted = [1.0, 1.2, 4.0].map(|weight| Rouge155Kind::W { weight });
    for kind in
        weighted.into_iter().chain([skip(None, false), skip(None, true), skip(Some(0), true), skip(Some(4), true)])
    {
        for (stemming, references) in [(false, References::Average), (true, References::Best)] {
            let settings = Rouge155Settings { kind, stemming, references };
            metrics.push(Box::new(Rouge155::new(settings.check().unwrap(), plan)));
        }
    }
    metrics
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[abs .,5\u{1c}\u{301}İK🙂\\-\0\n\r]{0,30}"]
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
                    prop_assert!(values.iter().all(|value| (0.0..=1.0).contains(value)), "{:?} {:?}", metric, values);
                }
            }
        }
    }

    #[test]
    fn text_is_its_own_best_translation(text in "[a-z]{1,8}([ \n][a-z,.]{1,8}){1,20} [a-z]", other in text()) {
        let metric_set = MetricSet::of(&["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeS", "rougeS4", "rougeSU4"]).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let text = metric_set.prepare(&text, &mut lexicon);
        prop_assert_eq!(metric_set.scores(&text, &[&text]), [1.0; 7]);
        let other = metric_set.prepare(&other, &mut lexicon);
        prop_assert_eq!(&metric_set.scores(&text, &[&other, &text])[..4], [1.0; 4]);
    }
}

#[test]
fn long_text_is_scored() {
    let metric_set =
        MetricSet::of(&["rouge1", "rouge4", "rougeL", "rougeLsum", "rougeS", "rougeSU4", "rougeW"]).unwrap();
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let repeated = "the same words, again\n".repeat(100);
    let distinct: String = (0..1_000).map(|number| format!("{number} ")).collect();
    let texts = [repeated, distinct, "x".repeat(100_000), ".\n".repeat(20_000)];
    let texts = texts.map(|text| metric_set.prepare(&text, &mut lexicon));
    for text in &texts {
        let found = metric_set.scores(text, &[&texts[0], &texts[1]]);
        assert!(found.iter().all(|score| (0.0..=1.0).contains(score)), "{found:?}");
    }
}
