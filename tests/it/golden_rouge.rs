//! ROUGE against the programs that define it: tests/golden/rouge_score.json and rouge155.json, on the pairs of
//! sentences.json.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tribunal::metrics::Metric;
use tribunal::metrics::rouge::{Rouge, RougeKind};
use tribunal::metrics::rouge155::{References, Rouge155, Rouge155Kind, Rouge155Settings, SkipBigrams};
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

/// Values by ROUGE-1.5.5's name of the metric; `None` for ROUGE-W where a reference has no word.
type Printed = BTreeMap<String, Option<[f64; 3]>>;

#[derive(Deserialize)]
struct Rouge155Values {
    average: BTreeMap<String, Printed>,
    best: BTreeMap<String, Printed>,
}

fn pairs() -> Vec<Pair> {
    serde_json::from_str(include_str!("../golden/sentences.json")).expect("sentences.json has the shape of its README")
}

fn segments<S: DeserializeOwned>(json: &str) -> Vec<S> {
    serde_json::from_str::<Golden<S>>(json).expect("the values have the shape of their README").values.segments
}

/// Precision, recall and F of one metric for every pair.
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
    let (pairs, golden) = (pairs(), segments::<RougeScore>(include_str!("../golden/rouge_score.json")));
    assert_eq!(pairs.len(), golden.len());
    let kinds = [1, 2, 3, 4].map(RougeKind::N).into_iter().chain([RougeKind::L, RougeKind::LSum]);
    for (kind, stemming) in kinds.flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut plan = Plan::default();
        let rouge = Rouge::new(kind, stemming, &mut plan).expect("an order in bounds");
        for (at, found) in scores(&pairs, &rouge, &plan).into_iter().enumerate() {
            let expected = if stemming { &golden[at].stem } else { &golden[at].nostem };
            assert_eq!(found, expected[&kind.to_string()], "pair {at}, {kind}, stemming: {stemming}");
        }
    }
}

/// ROUGE-1.5.5's names of Tribunal's metrics.
fn printed_kinds() -> [(&'static str, Rouge155Kind); 5] {
    let skip = |gap, unigrams| Rouge155Kind::S(SkipBigrams { gap, unigrams });
    [
        ("ROUGE-W-1.2", Rouge155Kind::W),
        ("ROUGE-S*", skip(None, false)),
        ("ROUGE-SU*", skip(None, true)),
        ("ROUGE-S4", skip(Some(4), false)),
        ("ROUGE-SU4", skip(Some(4), true)),
    ]
}

fn assert_printed(name: &str, settings: Rouge155Settings, pairs: &[Pair], golden: &[Rouge155Values]) {
    let mut plan = Plan::default();
    let rouge = Rouge155::new(settings.clone(), &mut plan);
    for (at, found) in scores(pairs, &rouge, &plan).into_iter().enumerate() {
        let printed = match settings.references {
            References::Average => &golden[at].average,
            References::Best if pairs[at].refs.len() == 1 => continue,
            References::Best => &golden[at].best,
        };
        if let Some(expected) = printed[if settings.stemming { "stem" } else { "nostem" }][name] {
            assert_eq!(found, expected, "pair {at}, {settings:?}");
        }
    }
}

#[test]
fn rouge_155_agrees() {
    let (pairs, golden) = (pairs(), segments::<Rouge155Values>(include_str!("../golden/rouge155.json")));
    assert_eq!(pairs.len(), golden.len());
    for (name, kind) in printed_kinds() {
        for stemming in [false, true] {
            for references in [References::Average, References::Best] {
                assert_printed(name, Rouge155Settings { kind, stemming, references }, &pairs, &golden);
            }
        }
    }
}
