//! Safeguards of evaluation: what figures mean, and for which data they mean anything.

use serde_json::Value;

use crate::common::Bench;

/// A table of own metric values for the pairs of the bench: the label with noise, as whole numbers, times `scale`, plus
/// `offset`.
fn own_values(bench: &Bench, scale: f64, offset: f64) -> String {
    let answers = bench.read("dev.answers");
    let values = answers.lines().zip(0_i64..).map(|(label, row)| {
        let [first, second] = [label.parse::<i64>().unwrap() * 9 + (row * 37) % 13, 6 + row % 2];
        [first, second].map(|value| value as f64 * scale + offset)
    });
    values.map(|[first, second]| format!("{first}\t{second}\n")).collect()
}

#[test]
fn safeguard_35_own_values_on_another_scale_are_told() {
    let bench = Bench::of(30);
    bench.write("own.tsv", own_values(&bench, 1.0, 0.0));
    bench.write("other.tsv", own_values(&bench, 100.0, 0.0));
    for (name, metric) in [("higher", "judge"), ("lower", "judge-")] {
        bench.run(&format!("train dev.pairs -a dev.answers --own {metric}=own.tsv --only-own -m {name}.json")).done();
        let told = |own: &str, command: &str| {
            bench.run(&format!("{command} -m {name}.json --own {metric}={own}")).done().stderr
        };
        for command in ["predict dev.pairs", "compare dev.pairs -a dev.answers"] {
            assert!(!told("own.tsv", command).contains("lie outside"), "{command}");
            let warning = told("other.tsv", command);
            assert!(warning.contains("values of the own metric 'judge' lie outside the range on which"), "{warning}");
            assert!(warning.contains("they are from -900 to 2100, those in training were from -9 to 21"), "{warning}");
        }
    }
    for (file, own) in [("one", "own.tsv"), ("other", "other.tsv")] {
        let column: String =
            bench.read(own).lines().map(|line| format!("{}\n", line.split('\t').next().unwrap())).collect();
        bench.write(file, column);
    }
    bench.write("sys", bench.column(0));
    bench.write("ref", bench.column(2));
    for segments in ["", "--segments"] {
        let told = |own: &str| {
            bench.run(&format!("score sys -r ref -m higher.json --own judge={own} {segments}")).done().stderr
        };
        assert!(!told("one").contains("lie outside") && told("other").contains("lie outside"), "{segments}");
    }
}

/// Powers of two change no digit of whole numbers, so every verdict must be the same.
#[test]
fn safeguard_35_a_huge_offset_or_a_tiny_scale_loses_nothing() {
    let bench = Bench::of(30);
    let verdicts = |scale: f64, offset: f64| {
        bench.write("own.tsv", own_values(&bench, scale, offset));
        bench.run("train dev.pairs -a dev.answers --own judge=own.tsv --only-own -m m.json").done();
        bench.output("predict dev.pairs -m m.json --own judge=own.tsv")
    };
    let plain = verdicts(1.0, 0.0);
    assert!(plain.contains("-1\n") && plain.contains("\n1\n"), "{plain}");
    for (scale, offset) in [(1.0, 2_f64.powi(42)), (2_f64.powi(-700), 0.0), (2_f64.powi(200), 0.0)] {
        assert_eq!(verdicts(scale, offset), plain, "{scale:e} {offset:e}");
    }
}

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
