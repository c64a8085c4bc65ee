//! ROUGE beside the programs that define it: tests/golden/rouge_score.json, on the pairs of tests/golden/sentences.json.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tribunal::metrics::Metric;
use tribunal::metrics::rouge::{Rouge, RougeKind, RougeSettings};
use tribunal::text::{Lexicon, Plan, Sentence};
use tribunal::wordnet::WordNet;

#[derive(Deserialize)]
struct Pair {
    hyp: String,
    refs: Vec<String>,
}

#[derive(Deserialize)]
struct Golden<S> {
    values: Values<S>,
}

#[derive(Deserialize)]
struct Values<S> {
    segments: Vec<S>,
}

/// Precision, recall and F by the name of the metric.
type Scores = BTreeMap<String, [f64; 3]>;

#[derive(Deserialize)]
struct RougeScore {
    nostem: Scores,
    stem: Scores,
}

fn pairs() -> Vec<Pair> {
    serde_json::from_str(include_str!("golden/sentences.json")).expect("sentences.json has the shape of its README")
}

fn segments<S: DeserializeOwned>(json: &str) -> Vec<S> {
    serde_json::from_str::<Golden<S>>(json).expect("the values have the shape of their README").values.segments
}

/// What one metric with its settings says of every pair: precision, recall, F.
fn scores(pairs: &[Pair], metric: &dyn Metric, plan: &Plan) -> Vec<[f64; 3]> {
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let of_pair = |pair: &Pair| {
        let mut prepare = |text: &String| Sentence::prepare(text, plan, &mut lexicon);
        let (hypothesis, references) = (prepare(&pair.hyp), pair.refs.iter().map(prepare).collect::<Vec<_>>());
        let statistics = metric.statistics(&hypothesis, &references.iter().collect::<Vec<_>>());
        let values = metric.segment(&statistics);
        [values[1], values[2], values[0]]
    };
    pairs.iter().map(of_pair).collect()
}

#[test]
fn rouge_score_agrees() {
    let (pairs, golden) = (pairs(), segments::<RougeScore>(include_str!("golden/rouge_score.json")));
    assert_eq!(pairs.len(), golden.len());
    let kinds = [1, 2, 3, 4].map(RougeKind::N).into_iter().chain([RougeKind::L, RougeKind::LSum]);
    for (kind, stemming) in kinds.flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut plan = Plan::default();
        let settings = RougeSettings { stemming, ..RougeSettings::new(kind) };
        let rouge = Rouge::new(settings.check().expect("an order in bounds"), &mut plan);
        for (at, found) in scores(&pairs, &rouge, &plan).into_iter().enumerate() {
            let expected = if stemming { &golden[at].stem } else { &golden[at].nostem };
            assert_eq!(found, expected[&kind.to_string()], "pair {at}, {kind}, stemming: {stemming}");
        }
    }
}
