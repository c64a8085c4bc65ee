//! `--ties` with trained models.

use serde_json::Value;

use crate::common::Bench;

#[test]
fn predict_says_ties_as_often_as_it_is_asked_to() {
    let bench = Bench::of(10);
    let ties = |rule: &str| bench.output(&format!("predict dev.pairs --ties {rule}")).matches("0\n").count();
    assert_eq!([ties("0"), ties("0.2"), ties("0.5"), ties("1")], [0, 6, 15, 30]);
    assert_eq!([ties("threshold=0"), ties("threshold=1")], [30, 0]);
    assert_eq!(bench.output("predict dev.pairs --ties likeliest"), bench.output("predict dev.pairs"));

    let mean = |rule: &str| {
        let lines = bench.output(&format!("predict dev.pairs --json --ties {rule}"));
        let tie = |line: &str| serde_json::from_str::<Value>(line).unwrap()["probabilities"]["0"].as_f64().unwrap();
        lines.lines().map(tie).sum::<f64>() / 30.0
    };
    assert!((mean("0.2") - 0.2).abs() < 1e-9 && mean("0") == 0.0);

    bench.refuses("predict dev.pairs --ties 0.2 --unbuffered", &["omit --unbuffered"]);
    assert_eq!(bench.output("predict dev.pairs --ties 0 --unbuffered"), bench.output("predict dev.pairs --ties 0"));
}

#[test]
fn compare_says_how_often_people_and_the_model_say_tie() {
    let bench = Bench::of(10);
    let answers = bench.read("dev.answers");
    let people = 100.0 * answers.lines().filter(|line| *line == "0").count() as f64 / 30.0;
    let text = bench.output("compare dev.pairs --answers dev.answers --ties 0.2");
    assert!(text.contains(&format!("\nTies: {people:.1}% of human labels, 20.0% of predictions; ")), "{text}");
}
