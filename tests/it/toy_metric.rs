//! A new metric takes only `src/metrics/toy.rs` and one line in the registry. Everything tested here is derived from
//! that line.

use serde_json::Value;
use tribunal::metrics::{Member, MetricSet, of_value};

use crate::common::{Bench, Run};

fn output(bench: &Bench, arguments: &str) -> String {
    let Run { status, stdout, stderr } = bench.run(arguments);
    assert_eq!((status, stderr.as_str()), (0, ""), "{arguments}");
    stdout
}

#[test]
fn help_shows_it() {
    let bench = Bench::of(1);
    // Help is wrapped to the width of the terminal.
    let help = |command: &str| {
        let help = output(&bench, &format!("{command} --help"));
        help.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let score = help("score");
    assert!(score.contains("--toy-words <N> toy: how many words at the start are compared [default: 2]"), "{score}");
    let train = help("train");
    let without = train.split("--without").nth(1).unwrap().split(']').next().unwrap();
    assert!(without.contains("toy"), "{without}");
}

#[test]
fn the_list_of_metrics_has_it() {
    let bench = Bench::of(1);
    let list = output(&bench, "score --list-metrics");
    assert!(list.lines().any(|line| line.starts_with("toy ") && line.contains("0 to 1")), "{list}");
    let list: Value = serde_json::from_str(&output(&bench, "score --list-metrics --json")).unwrap();
    let toy = list.as_array().unwrap().iter().find(|line| line["name"] == "toy").unwrap();
    assert_eq!((&toy["options"][0], &toy["direction"]), (&"toy-words".into(), &"higher".into()));
}

#[test]
fn property_tests_and_fuzz_targets_walk_over_it() {
    let metric_set = MetricSet::all().unwrap();
    let names: Vec<String> = metric_set.members().iter().flat_map(Member::values).map(|(name, _)| name).collect();
    assert!(names.contains(&"toy".to_owned()));
    assert_eq!(of_value("toy").unwrap().0.range, (0.0, 1.0));
}

#[test]
fn it_is_scored_with_its_option() {
    let bench = Bench::of(1);
    bench.write("system", "The cat sat down\n");
    bench.write("reference", "the cat lay there\n");
    let score =
        |options: &str| output(&bench, &format!("score system -r reference --metrics toy --segments {options}"));
    assert_eq!([score(""), score("--toy-words 4")], ["toy\n1\n", "toy\n0.5\n"]);
    let signed = output(&bench, "score system -r reference --metrics Toy --toy-words 3 --json");
    assert!(signed.contains("toy|nrefs:1|words:3"), "{signed}");
    let refused = bench.run("score system -r reference --metrics bleu --toy-words 3");
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("--toy-words: expected a metric that has this option (toy)"), "{}", refused.stderr);
    assert_eq!(bench.run("score system -r reference --metrics toy --toy-words 0").status, 1);
    assert_eq!(bench.run("score system -r reference --metrics toy --toy-words two").status, 2);
}

#[test]
fn it_is_a_feature_on_request() {
    let bench = Bench::of(6);
    let header = output(&bench, "features dev.pairs").lines().next().unwrap().to_owned();
    assert!(header.split(',').any(|column| column == "h1.toy"), "{header}");
    let train = |without: &str| {
        let model = format!("train dev.pairs --answers dev.answers --folds 2 --quiet {without} -m toy.json");
        output(&bench, &model);
        bench.read("toy.json").contains("\"toy|words:2\"")
    };
    assert_eq!([train(""), train("--without none")], [false, true]);
}
