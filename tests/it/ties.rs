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

#[test]
fn verdicts_that_agree_too_rarely_are_left_out() {
    let bench = Bench::of(60);
    let report = bench.json("train dev.pairs --answers dev.answers -m dev.json -q");
    let model: Value = serde_json::from_str(&bench.read("dev.json")).unwrap();
    let levels = model["coverage"].as_array().unwrap();
    let number = |at: &Value, name: &str| at[name].as_f64().unwrap();
    // The first level is the accuracy of the report, for all pairs.
    let accuracy = number(&report["systems"][0], "accuracy");
    assert_eq!((number(&levels[0], "agreement"), number(&levels[0], "coverage")), (accuracy, 1.0));
    assert!(levels.windows(2).all(|two| number(&two[0], "coverage") >= number(&two[1], "coverage")));
    assert_eq!(report["coverage"][0], levels[0]);
    let level = &levels[levels.len() / 2];
    let (wanted, least) = (number(level, "agreement"), number(level, "confidence"));
    let run = bench.run(&format!("predict dev.pairs -m dev.json --json --min-agreement {wanted}")).done();
    let lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let decided = |line: &Value| {
        let given = line["probabilities"].as_object().unwrap().values().map(|given| given.as_f64().unwrap());
        given.fold(0.0, f64::max) >= least
    };
    assert!(lines.iter().all(|line| line["verdict"].is_null() || decided(line)), "{wanted} {least}");
    let undecided = lines.iter().filter(|line| line["verdict"].is_null()).count();
    assert!(undecided > 0 && undecided < lines.len(), "{undecided}");
    assert!(run.stderr.contains(&format!("{undecided} of 180 pairs undecided")), "{}", run.stderr);
    let plain = bench.output(&format!("predict dev.pairs -m dev.json --min-agreement {wanted} -q"));
    assert_eq!(plain.lines().filter(|line| *line == "undecided").count(), undecided);
    let all = bench.output("predict dev.pairs -m dev.json --min-agreement 0.1 -q");
    assert_eq!(all, bench.output("predict dev.pairs -m dev.json -q"));
    bench.refuses("predict dev.pairs -m dev.json --min-agreement 1.1 -q", &["--min-agreement", "at most"]);
    bench.write("eval.out", plain);
    assert_eq!(bench.json("check eval.out")["undecided"], undecided);
}

#[test]
fn the_power_of_a_comparison_is_told() {
    let bench = Bench::of(60);
    let power =
        |options: &str| bench.json(&format!("compare dev.pairs --answers dev.answers -q {options}"))["power"].clone();
    let number = |of: &Value, name: &str| of[name].as_f64().unwrap();
    let two = power("");
    let detectable = number(&two, "detectable");
    // Far more than these are needed.
    assert_eq!((number(&two, "gain"), &two["more_groups"]), (0.02, &Value::Null));
    let of_gain = |share: f64| power(&format!("--gain {}", 100.0 * share * detectable));
    assert_eq!(of_gain(1.1)["more_groups"], 0);
    // 0.6 of the gain takes 1 / 0.6^2 as many.
    let more = number(&of_gain(0.6), "more_groups");
    assert!((more - 60.0 * (1.0 / 0.36 - 1.0)).abs() <= 1.0, "{more}");
    let text = bench.output("compare dev.pairs --answers dev.answers -q");
    assert!(text.contains("Power: with 60 references, a gain of"), "{text}");
}
