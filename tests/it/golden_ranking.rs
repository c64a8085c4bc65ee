//! Bradley-Terry strengths, win rates and prediction-powered means as evalica and ppi-python compute them, on PandaLM's
//! labels and on random tables.

use serde::Deserialize;
use tribunal::evaluation::{BoardSettings, Leaderboard, Observation, Outcome, PoweredMean, RankedSystem, STYLES};

/// The most by which values may differ.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Golden {
    pandalm: PandaLm,
    rankings: Vec<Ranked>,
    powered: Vec<Powered>,
}

#[derive(Deserialize)]
struct PandaLm {
    ranking: Ranked,
    powered: Vec<Powered>,
}

#[derive(Deserialize)]
struct Ranked {
    rows: Vec<(usize, usize, i8)>,
    systems: Vec<usize>,
    strengths: Vec<f64>,
    win_rates: Vec<f64>,
}

#[derive(Deserialize)]
struct Powered {
    labels: Vec<f64>,
    labelled: Vec<f64>,
    others: Vec<f64>,
    lambda: Option<f64>,
    value: f64,
    low: f64,
    high: f64,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/ranking.json")).unwrap()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < TOLERANCE, "{what}: {found} instead of {expected}");
}

#[test]
fn strengths_and_win_rates_are_those_of_evalica() {
    let Golden { pandalm, rankings, .. } = golden();
    assert_eq!((pandalm.ranking.rows.len(), rankings.len()), (560, 50));
    for ranked in std::iter::once(pandalm.ranking).chain(rankings) {
        let outcome = |(group, &(one, other, label)): (usize, &(usize, usize, i8))| {
            let label = Some(f64::midpoint(1.0, f64::from(label)));
            Outcome { systems: [one, other], group, label, predicted: None, drawn: None, style: [0.0; STYLES] }
        };
        let outcomes: Vec<Outcome> = ranked.rows.iter().enumerate().map(outcome).collect();
        let names: Vec<String> = ranked.systems.iter().map(usize::to_string).collect();
        let board = Leaderboard::new(&names, &outcomes, &BoardSettings::default());
        let values = ranked.strengths.iter().zip(&ranked.win_rates);
        for (name, (&strength, &win_rate)) in names.iter().zip(values) {
            let found: &RankedSystem = board.systems.iter().find(|system| system.name == *name).unwrap();
            assert_near(found.strength.value, strength, "strength");
            assert_near(found.win_rate.value, win_rate, "win rate");
        }
        let mut sorted = ranked.strengths.clone();
        sorted.sort_by(|one, other| other.total_cmp(one));
        board
            .systems
            .iter()
            .zip(sorted)
            .for_each(|(system, strength)| assert_near(system.strength.value, strength, "order"));
    }
}

#[test]
fn prediction_powered_means_are_those_of_ppi_python() {
    let Golden { pandalm, powered, .. } = golden();
    assert_eq!((pandalm.powered.len(), powered.len()), (2, 50));
    for Powered { labels, labelled, others, lambda, value, low, high } in pandalm.powered.into_iter().chain(powered) {
        let labels = labels.into_iter().map(Some).zip(labelled);
        let seen = labels.chain(others.into_iter().map(|predicted| (None, predicted))).enumerate();
        let seen: Vec<Observation> = seen
            .map(|(group, (label, predicted))| Observation {
                group,
                weight: 1.0,
                label,
                predicted: Some(predicted),
                drawn: None,
            })
            .collect();
        let found = PoweredMean::new(&seen, lambda).unwrap().estimate();
        assert_near(found.value, value, "mean");
        assert_near(found.low, low, "lower end");
        assert_near(found.high, high, "upper end");
    }
}
