//! Safeguards of evaluation: what figures mean, and for which data they mean anything.

use serde_json::Value;

use crate::common::Bench;

/// Two systems of four segments; people tie where the metric differs by rounding alone.
const ROUNDING: &str = "system,segment,score,m\nA,1,2,0.30000000000000004\nB,1,2,0.3\nA,2,1,0.5\nB,2,3,0.75\n\
    A,3,2,0.2\nB,3,1,0.1\n";

#[test]
fn safeguard_42_rounding_is_no_threshold() {
    let bench = Bench::of(1);
    bench.write("t.csv", ROUNDING);
    let item = bench.json("correlate t.csv -q")["metrics"][0]["segments"]["item"].clone();
    assert_eq!((&item["acc23_optimised"], &item["acc23_threshold"]), (&Value::from(1.0), &Value::from(0.0)));
    assert!(!bench.output("correlate t.csv -q").contains("e-17"));
}

const RATED: &str = "system,segment,mt,ref,judges,score\nA,1,the cat sat,the cat sat,ann,80\nB,1,cats sit,the cat sat,ann,60\n\
    A,1,the cat sat,the cat sat,bob,20\nB,1,cats sit,the cat sat,bob,30\nA,2,it rains,it rained,ann,50\n\
    B,2,rain,it rained,ann,10\n";

#[test]
fn safeguard_42_ratings_of_several_people() {
    let bench = Bench::of(1);
    bench.write("apart.csv", RATED);
    bench.write("mean.csv", RATED.replace("judges", "domain"));
    let run = bench.run("correlate apart.csv --metrics chrf --json").done();
    let apart: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&apart["segments"], &apart["missing"]), (&Value::from(3), &Value::from(0)), "{apart}");
    assert!(run.stderr.contains("2 raters: each one's ratings are compared only with each other"), "{}", run.stderr);
    // Ann prefers A twice, Bob prefers B.
    assert_eq!(apart["metrics"][0]["segments"]["item"]["kendall_b"].as_f64().unwrap(), 1.0 / 3.0);

    let run = bench.run("correlate mean.csv --metrics chrf --json").done();
    let mean: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&mean["segments"], &mean["missing"]), (&Value::from(2), &Value::from(0)), "{mean}");
    assert!(
        run.stderr.contains("2 of 4 human scores are the mean of several ratings; --judges COLUMN"),
        "{}",
        run.stderr
    );
    assert_eq!(mean["metrics"][0]["segments"]["item"]["kendall_b"], 1.0);
    assert_eq!(bench.json("correlate mean.csv --metrics chrf --judges domain -q")["metrics"], apart["metrics"]);
    bench.write("fewer.csv", RATED.replace("B,1,cats sit,the cat sat,bob,30\n", ""));
    let fewer = bench.json("correlate fewer.csv --metrics chrf -q");
    assert_eq!((&fewer["segments"], &fewer["missing"]), (&Value::from(3), &Value::from(1)), "{fewer}");
    bench.refuses("correlate mean.csv --judges rater", &["mean.csv:1: expected", "'rater'"]);
}

/// As `import table` names them, and `ensemble` as in other reports.
#[test]
fn safeguard_42_columns_are_named_as_in_import_table() {
    let bench = Bench::of(1);
    bench.write("t.csv", RATED);
    let renamed = RATED.replacen("mt,ref,judges,score", "out,gold,who,human", 1);
    bench.write("renamed.csv", renamed);
    let found = bench.json("correlate t.csv -q --rounds 0")["metrics"].clone();
    let names = "--mt out --ref gold --judges who --score human";
    assert_eq!(bench.json(&format!("correlate renamed.csv {names} -q --rounds 0"))["metrics"], found);
    assert!(found.as_array().unwrap().iter().any(|metric| metric["name"] == "ensemble"), "{found}");
}
