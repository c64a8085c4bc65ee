//! ROUGE against the programs that define it: tests/golden/rouge_score.json and rouge155.json, on the pairs of
//! sentences.json.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tribunal::metrics::Metric;
use tribunal::metrics::rouge::{Rouge, RougeKind};
use tribunal::metrics::rouge155::{References, Rouge155, Rouge155Kind, Rouge155Settings, SkipBigrams};
use tribunal::text::Plan;

use crate::golden::{Prepared, prepare, read};

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

fn segments<S: DeserializeOwned>(name: &str) -> Vec<S> {
    read::<Golden<S>>(name).values.segments
}

/// Precision, recall and F of one metric for every pair.
fn scores(metric: &dyn Metric, plan: &Plan) -> Vec<[f64; 3]> {
    let values = |pair: &Prepared| metric.segment(&pair.statistics(metric));
    prepare(plan).iter().map(values).map(|values| [values[1], values[2], values[0]]).collect()
}

#[test]
fn rouge_score_agrees() {
    let golden = segments::<RougeScore>("rouge_score.json");
    let kinds = [1, 2, 3, 4].map(RougeKind::N).into_iter().chain([RougeKind::L, RougeKind::LSum]);
    for (kind, stemming) in kinds.flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut plan = Plan::default();
        let rouge = Rouge::new(kind, stemming, &mut plan).expect("an order in bounds");
        for (at, found) in scores(&rouge, &plan).into_iter().enumerate() {
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

fn assert_printed(name: &str, settings: Rouge155Settings, golden: &[Rouge155Values]) {
    let mut plan = Plan::default();
    let rouge = Rouge155::new(settings.clone(), &mut plan);
    for (at, found) in scores(&rouge, &plan).into_iter().enumerate() {
        let printed = match settings.references {
            References::Average => &golden[at].average,
            // Only recorded for pairs with several references.
            References::Best => &golden[at].best,
        };
        let printed = printed.get(if settings.stemming { "stem" } else { "nostem" });
        if let Some(expected) = printed.and_then(|printed| printed[name]) {
            assert_eq!(found, expected, "pair {at}, {settings:?}");
        }
    }
}

#[test]
fn rouge_155_agrees() {
    let golden = segments::<Rouge155Values>("rouge155.json");
    assert_eq!(golden.iter().filter(|values| !values.best.is_empty()).count(), 44);
    for (name, kind) in printed_kinds() {
        for stemming in [false, true] {
            for references in [References::Average, References::Best] {
                assert_printed(name, Rouge155Settings { kind, stemming, references }, &golden);
            }
        }
    }
}
