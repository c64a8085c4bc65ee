//! The toy metric and the toy format (cargo feature `toy`) take one file and one line in a registry each. Tests that walk
//! over the registries cover the rest.

use tribunal::formats::find;

use crate::common::Bench;

#[test]
fn the_format_is_in_the_help_and_is_read_with_its_option() {
    let bench = Bench::of(1);
    assert!(bench.output("import --help").contains("\n  toy "));
    assert!(bench.output("import toy --help").contains("--worse-first"));
    bench.write("x.toy", find("toy").unwrap().sample);
    assert_eq!(bench.output("predict x.toy").lines().count(), 2);
    let labels = |options: &str| {
        let table = bench.output(&format!("import toy x.toy -q {options}"));
        table.lines().skip(1).map(|row| row.split(',').nth(3).unwrap().parse().unwrap()).collect::<Vec<i32>>()
    };
    let turned: Vec<i32> = labels("--worse-first").iter().map(|label| -label).collect();
    assert_eq!(labels(""), turned);
}

#[test]
fn the_metric_is_listed_and_scored_with_its_option() {
    let bench = Bench::of(1);
    let list = bench.json("score --list-metrics");
    let toy = list.as_array().unwrap().iter().find(|line| line["name"] == "toy").unwrap();
    assert_eq!((&toy["options"][0], &toy["direction"]), (&"toy-words".into(), &"higher".into()));
    bench.write("system", "The cat sat down\n");
    bench.write("reference", "the cat lay there\n");
    let score = |options: &str| bench.output(&format!("score system -r reference --metrics Toy {options}"));
    assert_eq!([score("--segments"), score("--segments --toy-words 4")], ["toy\n1\n", "toy\n0.5\n"]);
    assert!(score("--toy-words 3 --json").contains("toy|nrefs:1|words:3"));
    let other = "score system -r reference --metrics bleu --toy-words 3";
    bench.refuses(other, &["--toy-words: expected a metric that has this option (toy)"]);
}

#[test]
fn the_metric_is_a_feature_on_request() {
    let bench = Bench::of(6);
    assert!(bench.output("features dev.pairs").lines().next().unwrap().contains(",h1.toy,"));
    let has_toy = |without: &str| {
        bench.output(&format!("train dev.pairs -a dev.answers --folds 2 -q {without} -m toy.json"));
        bench.read("toy.json").contains("\"toy|words:2\"")
    };
    assert_eq!([has_toy(""), has_toy("--without none")], [false, true]);
}
