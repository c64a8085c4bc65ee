//! `--require`: exit statuses that tell whether a report shows what it must.

use serde_json::Value;

use crate::common::{Bench, Run};
use crate::outputs::marked;
use crate::ranking::arena;

/// The status of a command, what it says, and what became of the requirement.
fn decided(bench: &Bench, command: &str, required: &str) -> (i32, String, Value) {
    let Run { status, stderr, stdout } = bench.run(&format!("{command} --require '{required}' --json -q"));
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    let requirement = report["requirements"][0].clone();
    assert_eq!(requirement["require"], required);
    (status, stderr, requirement)
}

/// Checks that a requirement is met, not met, and cannot be told yet, by where its bound lies.
fn decides_by_the_interval(bench: &Bench, command: &str, figure: &str) {
    let (_, _, found) = decided(bench, command, &format!("{figure} >= 0"));
    let [low, value, high] = ["low", "value", "high"].map(|key| found[key].as_f64().unwrap());
    assert!(low < value && value < high, "{command} {figure}: {found}");
    let (below, inside, above) = (low - 0.01, 0.5 * (low + value), high + 0.01);
    let cases = [(below, "met", 0), (inside, "open", 4), (above, "unmet", 3)];
    for (bound, outcome, status) in cases {
        for relation in [">", ">="] {
            let required = format!("{figure} {relation} {bound}");
            let (found, said, requirement) = decided(bench, command, &required);
            assert_eq!(
                (found, requirement["outcome"].as_str()),
                (status, Some(outcome)),
                "{command} {required}: {said}"
            );
            // What is met is no news.
            assert_eq!(said.lines().count(), usize::from(status > 0), "{said}");
        }
        let (found, ..) = decided(bench, command, &format!("{figure} < {bound}"));
        assert_eq!(found, [3, 4, 0][[0, 4, 3].iter().position(|known| *known == status).unwrap()]);
    }
}

#[test]
fn rankings_meet_what_is_required_or_not() {
    let bench = Bench::of(1);
    arena(&bench, true);
    marked(&bench);
    decides_by_the_interval(&bench, "rank arena.csv", "s3");
    decides_by_the_interval(&bench, "rank marked.csv", "good");
    decides_by_the_interval(&bench, "rank marked.csv", "all outputs");
    let status = |required: &str| decided(&bench, "rank arena.csv", required).0;
    assert_eq!(["s3 > s0", "s3 >= s0 + 1", "s0 < s3"].map(status), [0; 3]);
    assert_eq!(["s0 >= s3 - 1", "s0 > s3", "s3 <= s0 + 1", "0 > s3"].map(status), [3; 4]);
    let (status, said, found) = decided(&bench, "rank marked.csv", "good >= poor + 20");
    assert_eq!((status, found["outcome"].as_str()), (0, Some("met")), "{said} {found}");
    assert!(found["why"].as_str().unwrap().contains("the pass rate of good minus that of poor is"), "{found}");
    bench.write("level.csv", "prompt,system,output,label\np,a,x,pass\np,b,y,fail\nq,a,z,fail\nq,b,w,pass\n");
    let Run { status, stderr, .. } = bench.run("rank level.csv --require 'a > b' -q");
    assert_eq!(status, 4, "{stderr}");
    assert!(stderr.contains("a > b: cannot be told yet; the pass rate of a minus that of b is 0.0 points"), "{stderr}");
}

/// Shares are in percent, as in the tables of `rank`; 0.8 would be met by nearly everything.
#[test]
fn a_share_is_no_percentage() {
    let bench = Bench::of(1);
    let row = |at: usize| format!("x{at} x,{} y{at},a,b,{}\n", "y ".repeat(1 + at % 5), [1, -1, 1, 0][at % 4]);
    let rows: String = (0..24).map(row).collect();
    bench.write("level.csv", format!("hyp1,hyp2,system1,system2,label\n{rows}"));
    for (required, told) in [
        ("a >= 0.5", "expected a share in percent, from 1 to 100, or 0, found 0.5; write 50"),
        ("0.25 < a", "found 0.25; write 25"),
        ("a > 150", "found 150; no share is above 100"),
        ("a>b-5", "expected one of a, b, found 'b-5'; correct the name; write spaces around + and -"),
    ] {
        bench.refuses(&format!("rank level.csv --require '{required}' -q"), &[told]);
    }
    assert_eq!(bench.run("rank level.csv --require 'a >= b - 0.5' -q").status, 4);
    let controlled = bench.run("rank level.csv --style-control --require 'a > b' -q");
    assert_eq!(controlled.status, 4);
    assert!(
        controlled.stderr.contains("the win rate at equal style of a minus that of b is "),
        "{}",
        controlled.stderr
    );
}

#[test]
fn comparisons_meet_what_is_required_or_not() {
    let bench = Bench::of(40);
    marked(&bench);
    let pairs = "compare dev.pairs -a dev.answers";
    decides_by_the_interval(&bench, pairs, "accuracy");
    decides_by_the_interval(&bench, pairs, "chrf");
    decides_by_the_interval(&bench, "compare marked.csv --judge gpt", "accuracy");
    decides_by_the_interval(&bench, "compare marked.csv --judge gpt", "kappa");
    decides_by_the_interval(&bench, "compare marked.csv --judge gpt", "gpt.balanced_accuracy");
    let (_, said, found) = decided(&bench, "compare marked.csv --judge gpt", "accuracy >= 0");
    assert!(found["why"].as_str().unwrap().contains("; the accuracy of gpt is "), "{said} {found}");
    bench.refuses(
        "compare marked.csv --judge gpt --require 'kappa >= 60' -q",
        &["expected a coefficient, from -1 to 1, found 60; write 0.6"],
    );
    // The names of tables and of JSON are one figure; that of a row may say what it is.
    let value = |command: &str, required: &str| decided(&bench, command, required).2["value"].clone();
    let of_judge = "compare marked.csv --judge gpt";
    assert_eq!(value(of_judge, "gpt.TPR >= 1"), value(of_judge, "true_positive_rate >= 1"));
    assert_eq!(value(pairs, "bleu.accuracy >= 1"), value(pairs, "bleu >= 1"));
    let (status, said, found) = decided(&bench, pairs, "bleu >= bleu - 1");
    assert_eq!(status, 0, "{said} {found}");
    let (_, _, found) = decided(&bench, pairs, "ensemble > majority");
    let (_, _, other) = decided(&bench, pairs, "majority > ensemble");
    assert_eq!(found["low"].as_f64(), other["high"].as_f64().map(|high| 0.0 - high));
    assert!(found["low"].as_f64() < found["value"].as_f64());
}

#[test]
fn scores_meet_what_is_required_or_not() {
    let bench = Bench::of(40);
    bench.write("one.txt", bench.column(0));
    bench.write("two.txt", bench.column(1));
    bench.write("ref.txt", bench.column(2));
    let command = "score one.txt two.txt --metrics bleu,chrf -r ref.txt";
    for figure in ["one.txt", "one.txt.chrf"] {
        decides_by_the_interval(&bench, command, figure);
    }
    let decided = |required: &str| decided(&bench, command, required);
    let (status, said, found) = decided("one.txt.chrf >= two.txt.chrf - 100");
    assert_eq!(status, 0, "{said} {found}");
    assert_eq!(decided("two.txt.chrf > one.txt.chrf + 100").0, 3);
    // A test that finds no difference leaves it open, as the clusters do.
    let scores = bench.json(&format!("{command} --paired-bs"));
    let is_clear = scores["systems"][1]["scores"][0]["p_value"].as_f64().unwrap() < 0.05;
    assert_eq!([decided("one.txt > two.txt").0, decided("two.txt > one.txt").0].contains(&4), !is_clear);
    // The same text has the same score in every draw.
    bench.write("same.txt", bench.column(0));
    let same = bench.run("score one.txt same.txt --metrics bleu -r ref.txt -q --require 'one.txt >= same.txt'");
    assert_eq!(same.status, 0, "{}", same.stderr);
}

#[test]
fn what_is_no_requirement_gets_one_message() {
    let bench = Bench::of(1);
    arena(&bench, true);
    marked(&bench);
    bench.refuses("rank arena.csv --require 's9 > s1' -q", &["--require: expected one of s3, s2", "found 's9'"]);
    bench.refuses(
        "compare marked.csv --judge gpt --require 'accuracy > kappa' -q",
        &["--require: expected two systems that are compared with each other, or one and a number"],
    );
    // Points are from 1 to 5, so that a margin meant in percent would always be met.
    for required in ["good >= poor - 5", "good > poor - 4", "good > 80"] {
        let expected = if required.ends_with("80") { "a mean of values from 1 to 5" } else { "a difference of means" };
        bench.refuses(&format!("rank marked.csv --by points --own points --require '{required}' -q"), &[expected]);
    }
    assert_eq!(bench.run("rank marked.csv --by points --own points --require 'good > poor - 3' -q").status, 0);
    for wrong in ["s3", "s3 > ", "1 > 2", "s3 = s1", "s3 >> 1"] {
        let Run { status, stderr, .. } = bench.run(&format!("rank arena.csv --require '{wrong}'"));
        assert_eq!(status, 2, "{wrong}: {stderr}");
        assert!(stderr.contains("write a name, then >=, >, <= or <, then a number or a name"), "{stderr}");
    }
}
