//! Intervals and tests between systems against sacreBLEU 2.6.0, including its random draws:
//! tests/golden/sacrebleu.json, which `python tests/golden/make_golden.py sacrebleu` writes.

use std::path::Path;

use serde_json::Value;
use tribunal::evaluation::numpy_random::NumpyRandom;
use tribunal::evaluation::significance::{Coins, Differences, Resamples};
use tribunal::metrics::{Corpus, MetricSet, Scope, Statistics, corpus};

fn golden() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/sacrebleu.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    all["values"]["significance"].clone()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn draws_are_numpys() {
    let rng = &golden()["rng"];
    let segments = numbers(&rng["bootstrap_first_row"]).len();
    let draws = NumpyRandom::new(12345).draws(1000, segments);
    for (row, name) in [(0, "bootstrap_first_row"), (999, "bootstrap_last_row")] {
        assert_eq!(draws[row].iter().map(|&at| u64::from(at)).collect::<Vec<_>>(), numbers(&rng[name]));
    }
    let coins = NumpyRandom::new(12345).coins(10_000, segments);
    for (row, name) in [(0, "randomization_first_row"), (9999, "randomization_last_row")] {
        assert_eq!(coins[row].iter().map(|&coin| u64::from(coin)).collect::<Vec<_>>(), numbers(&rng[name]));
    }
}

/// The draws whose difference is larger than the observed one, which sacreBLEU counts, and those where it is equal but
/// for rounding, which Tribunal counts besides.
fn hits(differences: &Differences) -> (usize, usize) {
    let observed = differences.observed.difference;
    let count = |is_hit: &dyn Fn(f64) -> bool| differences.by_chance.iter().filter(|&&one| is_hit(one)).count();
    (count(&|one| one > observed), count(&|one| one <= observed && observed - one < 1e-9))
}

#[test]
fn intervals_and_p_values_are_sacrebleus() {
    let golden = golden();
    let references: Vec<Vec<String>> =
        texts(&golden["references"]).into_iter().map(|text| vec![text.to_owned()]).collect();
    let mut departing = Vec::new();
    for (name, theirs) in [("bleu", "BLEU"), ("chrf", "chrF2"), ("ter", "TER")] {
        let metric_set = MetricSet::named(&[name]).unwrap();
        let metric = metric_set.members()[0].metric.as_ref();
        let score = |segments: &mut dyn Iterator<Item = &Statistics>| corpus::score(metric, segments);
        let corpora = ["A", "B", "C"]
            .map(|system| texts(&golden["systems"][system]))
            .map(|texts| texts.into_iter().map(str::to_owned).collect::<Vec<_>>())
            .map(|texts| Corpus::new(&metric_set, &texts, &references, Scope::Whole));
        let [first, rest @ ..] = corpora.each_ref().map(|corpus| corpus.statistics(0));
        let (resamples, coins) = (Resamples::draw(first.len(), 1000, 12345), Coins::draw(first.len(), 10_000, 12345));
        let (bootstrap, exchange) = (&golden["paired_bs"]["results"][theirs], &golden["paired_ar"]["results"][theirs]);
        for (at, own) in [first].into_iter().chain(rest).enumerate() {
            let resampled = resamples.resampled(score, own);
            let spread = resampled.spread();
            let close = |found: f64, expected: &Value, tolerance: f64| {
                let expected = expected.as_f64().unwrap();
                assert!((found - expected).abs() <= tolerance * expected.abs(), "{name} {at}: {found}, not {expected}");
            };
            close(corpus::score(metric, own.iter()), &bootstrap[at]["score"], 1e-9);
            // sacreBLEU resamples in single precision.
            close(spread.mean, &bootstrap[at]["mean"], 1e-5);
            close(spread.half_width, &bootstrap[at]["ci"], 1e-4);
            if at > 0 {
                let resampled = resampled.differences(&resamples.resampled(score, first));
                let exchanged = coins.differences(score, own, first);
                for (test, differences, theirs) in
                    [("bootstrap", resampled, &bootstrap[at]), ("exchange", exchanged, &exchange[at])]
                {
                    let (larger, equal) = hits(&differences);
                    let p_value = |hits: usize| (1 + hits) as f64 / (1 + differences.by_chance.len()) as f64;
                    close(p_value(larger), &theirs["p_value"], 1e-9);
                    assert_eq!(differences.p_value(), p_value(larger + equal), "{name} {at} {test}");
                    departing.extend((equal > 0).then_some((name, at, test, equal)));
                }
            }
        }
    }
    // Edits are whole numbers, so differences of TER repeat.
    assert_eq!(departing, [("ter", 2, "exchange", 217)]);
}
