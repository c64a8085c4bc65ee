//! Own metrics of the user: `--own`, `--only-own`.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::common::{Bench, fields};

fn accuracy(report: &Value, name: &str) -> f64 {
    let systems = report["systems"].as_array().unwrap();
    let row = systems.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no row {name}"));
    row["accuracy"].as_f64().unwrap()
}

/// Two values for each label, by a rule of the label and noise from -1 to 1.
fn values(bench: &Bench, rule: impl Fn(f64, f64) -> [f64; 2]) -> Vec<[f64; 2]> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let answers = bench.read("dev.answers");
    answers.lines().map(|label| rule(label.parse().unwrap(), random.random_range(-1.0..1.0))).collect()
}

fn lines(values: &[[f64; 2]]) -> String {
    values.iter().map(|[first, second]| format!("{first}\t{second}\n")).collect()
}

/// A table of the pairs with labels and a metric `judge`, with or without references.
fn table(bench: &Bench, values: &[[f64; 2]], has_references: bool) -> String {
    let (pairs, answers) = (bench.read("dev.pairs"), bench.read("dev.answers"));
    let mut table = format!("hyp1\thyp2{}\tlabel\tjudge.1\tjudge.2\n", if has_references { "\tref" } else { "" });
    for ((pair, label), [first, second]) in pairs.lines().zip(answers.lines()).zip(values) {
        let fields: Vec<&str> = pair.split(" ||| ").take(if has_references { 3 } else { 2 }).collect();
        table += &format!("{}\t{label}\t{first}\t{second}\n", fields.join("\t"));
    }
    table
}

/// The label with noise, on an arbitrary scale.
fn informed(label: f64, noise: f64) -> [f64; 2] {
    [70.0 + 9.0 * label + 8.0 * noise, 70.0]
}

#[test]
fn a_metric_that_knows_something_is_found_and_weighed() {
    let bench = Bench::of(40);
    let found = values(&bench, informed);
    bench.write("judge.tsv", lines(&found));
    bench.write("dev.tsv", table(&bench, &found, true));
    let report = bench.json("train dev.pairs -a dev.answers --own judge=judge.tsv -m file.json");
    let without = bench.json("train dev.pairs -a dev.answers");
    let gain = accuracy(&report, "ensemble") - accuracy(&without, "ensemble");
    assert!(gain > 0.1, "{gain}");
    assert!(accuracy(&report, "judge") > 0.7);
    assert_eq!(accuracy(&report, "chrf"), accuracy(&without, "chrf"));
    let share =
        |name: &str| report["families"].as_array().unwrap().iter().find(|family| family["name"] == name).cloned();
    assert!(share("judge").unwrap()["share"].as_f64().unwrap() > 0.2);

    // Columns give the same report as a file.
    let of_columns = bench.json("train dev.tsv --own judge -m columns.json");
    assert_eq!(of_columns["systems"], report["systems"]);
    let model = |name: &str| serde_json::from_str::<Value>(&bench.read(name)).unwrap();
    let columns = model("file.json")["columns"].clone();
    assert_eq!(columns, model("columns.json")["columns"]);
    assert_eq!(columns.as_array().unwrap().last().unwrap()["metric"], serde_json::json!({"name": "judge"}));
    let predict = |rest: &str| bench.output(&format!("predict {rest}"));
    assert_eq!(predict("dev.tsv -m file.json"), predict("dev.pairs -m columns.json --own judge=judge.tsv"));
    let compared = bench.json("compare dev.tsv -m file.json");
    assert!(accuracy(&compared, "judge") > 0.7 && accuracy(&compared, "file") > 0.7);
    // The metric gets a row even if no model needs it.
    assert_eq!(accuracy(&bench.json("compare dev.tsv --own judge"), "judge"), accuracy(&compared, "judge"));
}

#[test]
fn scale_direction_and_order_change_no_verdict() {
    let bench = Bench::of(30);
    let found = values(&bench, informed);
    bench.write("a.tsv", lines(&found));
    bench.write("b.tsv", lines(&found.iter().map(|pair| pair.map(|value| 5.0 - 1024.0 * value)).collect::<Vec<_>>()));
    bench.output("train dev.pairs -a dev.answers --own x=a.tsv --only-own -m a.json");
    bench.output("train dev.pairs -a dev.answers --own x-=b.tsv --only-own -m b.json");
    let one = bench.output("predict dev.pairs -m a.json --own x=a.tsv");
    assert_eq!(one, bench.output("predict dev.pairs -m b.json --own x-=b.tsv"));
    assert!(one.contains('1') && one.contains("-1"));

    let turned: Vec<[f64; 2]> = found.iter().map(|&[first, second]| [second, first]).collect();
    bench.write("turned.tsv", lines(&turned));
    let pairs = bench.read("dev.pairs");
    let pairs: String =
        fields(&pairs).iter().map(|row| format!("{} ||| {} ||| {}\n", row[1], row[0], row[2])).collect();
    bench.write("turned.pairs", pairs);
    let turned = bench.output("predict turned.pairs -m a.json --own x=turned.tsv");
    let sign = |text: &str| text.lines().map(|line| line.parse::<i8>().unwrap()).collect::<Vec<_>>();
    assert_eq!(sign(&turned), sign(&one).iter().map(|verdict| -verdict).collect::<Vec<_>>());
}

#[test]
fn own_metrics_alone_need_no_reference() {
    let bench = Bench::of(30);
    let found = values(&bench, informed);
    bench.write("free.tsv", table(&bench, &found, false));
    bench.write("judge.tsv", lines(&found));
    let report = bench.json("train free.tsv --own judge --only-own -m free.json");
    assert!(accuracy(&report, "ensemble") > 0.7);
    let names: Vec<&str> =
        report["systems"].as_array().unwrap().iter().filter_map(|row| row["name"].as_str()).collect();
    assert!(!names.contains(&"chrf") && !names.contains(&"sum") && names.contains(&"length"), "{names:?}");
    assert!(names.contains(&"majority") && names.contains(&"judge"), "{names:?}");
    bench.output("train free.tsv --own judge --only-own");

    let pairs = bench.read("dev.pairs");
    let without: String = fields(&pairs).iter().map(|row| format!("{} ||| {}\n", row[0], row[1])).collect();
    bench.write("free.pairs", without);
    let verdicts = bench.output("predict free.tsv -m free.json");
    assert_eq!(verdicts, bench.output("predict free.pairs -m free.json --own judge=judge.tsv"));
    // Neither texts nor references matter.
    assert_eq!(verdicts, bench.output("predict dev.pairs -m free.json --own judge=judge.tsv"));
    assert!(accuracy(&bench.json("compare free.tsv -m free.json"), "free") > 0.7);
    let features = bench.output("features free.tsv --own judge --only-own");
    assert!(features.starts_with("line,id,group,label,h1.judge,h2.judge\n"), "{features}");
    let first = format!("{},{}", found[0][0], found[0][1]);
    assert!(features.lines().nth(1).unwrap().ends_with(&first), "{features}");

    // With the texts, too; the built-in model needs references.
    let report = bench.json("train free.tsv --own judge");
    assert!(accuracy(&report, "ensemble") > 0.7);
    assert!(report["families"].as_array().unwrap().iter().any(|family| family["name"] == "style"));
    bench.refuses(
        "predict free.tsv",
        &["free.tsv:2: expected a reference for every pair", "found none; give one, in tables in the column 'ref'"],
    );
    let compared = bench.run("compare free.tsv --own judge").done();
    assert!(compared.stderr.contains("The built-in model is not compared: it needs references"), "{}", compared.stderr);
    assert!(!compared.stdout.contains("ensemble") && compared.stdout.contains("length"), "{}", compared.stdout);
}

#[test]
fn values_that_are_lower_for_the_better_are_written_as_they_are() {
    let bench = Bench::of(2);
    bench.write("x.tsv", lines(&values(&bench, informed)));
    let of =
        |own: &str| bench.output(&format!("features dev.pairs --own {own}=x.tsv")).lines().nth(1).unwrap().to_owned();
    assert_eq!(of("x"), of("x-"));
}

#[test]
fn a_metric_that_is_turned_or_says_nothing_is_told() {
    let bench = Bench::of(60);
    bench.write("x.tsv", lines(&values(&bench, |label, noise| informed(-label, noise))));
    bench.write("flat.tsv", lines(&values(&bench, |_, _| [0.3, 0.3])));
    let run = bench.run("train dev.pairs -a dev.answers --own x=x.tsv,flat=flat.tsv").done();
    assert!(run.stderr.contains("did you mean --own x-?"), "{}", run.stderr);
    assert!(
        run.stderr.contains("The own metric 'flat' gives both hypotheses of every pair the same value"),
        "{}",
        run.stderr
    );
    let run = bench.run("train dev.pairs -a dev.answers --own x-=x.tsv");
    assert!(!run.stderr.contains("did you mean"), "{}", run.stderr);
    bench.output("train dev.pairs -a dev.answers --own flat=flat.tsv --only-own");
}

#[test]
fn a_name_of_tribunals_own_is_told_apart() {
    let bench = Bench::of(30);
    bench.write("x.tsv", lines(&values(&bench, informed)));
    let report = bench.json("train dev.pairs -a dev.answers --own ter=x.tsv,sum=x.tsv");
    assert!(accuracy(&report, "own.ter") > 0.7 && accuracy(&report, "ter") < 0.7);
    assert!(accuracy(&report, "own.sum") > 0.7 && accuracy(&report, "sum") < 0.7);
}

#[test]
fn one_strange_value_does_not_hide_the_others() {
    let bench = Bench::of(40);
    let mut found = values(&bench, informed);
    bench.write("clean.tsv", lines(&found));
    found[5] = [-1e12, 70.0];
    bench.write("strange.tsv", lines(&found));
    let of = |file: &str| {
        let report = bench.json(&format!("train dev.pairs -a dev.answers --own x={file} --only-own"));
        accuracy(&report, "ensemble")
    };
    assert!((of("clean.tsv") - of("strange.tsv")).abs() < 0.02, "{} {}", of("clean.tsv"), of("strange.tsv"));
}

#[test]
fn a_model_as_a_metric_takes_values_a_system() {
    let bench = Bench::of(40);
    bench.write("x.tsv", lines(&values(&bench, informed)));
    bench.output("train dev.pairs -a dev.answers --own x=x.tsv -m m.json");
    let names = ["one.txt", "two.txt", "ref.txt"];
    names.iter().enumerate().for_each(|(at, name)| bench.write(name, bench.column(at)));
    let count = bench.read("dev.pairs").lines().count();
    bench.write("low", "61\n".repeat(count));
    bench.write("high", "79\n".repeat(count));
    let score = |own: &str| {
        let table = bench.output(&format!("score one.txt two.txt -r ref.txt --metrics chrf -m m.json {own}"));
        let of = |row: usize| table.lines().nth(row).unwrap().split('\t').nth(2).unwrap().parse::<f64>().unwrap();
        [of(1), of(2)]
    };
    let ([low, high], [same, other]) = (score("--own x=low,high"), score("--own x=high --own x=low"));
    assert!(low < same && other < high, "{low} {high} {same} {other}");
    let segments = bench.output("score one.txt -r ref.txt --metrics chrf -m m.json --own x=low --segments");
    let mean = segments.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().parse::<f64>().unwrap());
    assert!((mean.sum::<f64>() / count as f64 - low).abs() < 1e-9);

    bench.write("short", "61\n");
    bench.write("words", "many\n".repeat(count));
    for (own, told) in [
        ("", "values of the own metric 'x', which m needs"),
        ("--own x=low", "--own x: expected 2 files of values, found 1"),
        ("--own x=low,short", "short:2: expected 120 segments, as in two.txt, found 1"),
        ("--own x=low,words", "words:1: expected a number, found 'many'"),
        ("--own x=low,absent", "absent"),
        ("--own x", "--own: expected a file with the values of 'x', found none"),
    ] {
        for rest in ["", "--segments"] {
            let run = bench.run(&format!("score one.txt two.txt -r ref.txt --metrics chrf -m m.json {own} {rest}"));
            assert!(run.status == 1 && run.stderr.contains(told), "{own} {rest}: {}", run.stderr);
        }
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let bench = Bench::of(20);
    let found = values(&bench, informed);
    let good = table(&bench, &found, true);
    bench.write("good.tsv", &good);
    bench.write("x.tsv", lines(&found));
    bench.output("train good.tsv --own judge -m m.json");
    let line = |number: usize, from: &str, to: &str| {
        let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
        let at = lines[number - 1].rfind(from).unwrap();
        lines[number - 1].replace_range(at..at + from.len(), to);
        lines.join("\n") + "\n"
    };
    bench.write("nan.tsv", line(5, "70", "nan"));
    bench.write("hole.tsv", line(7, "70", ""));
    bench.write("word.tsv", line(4, "70", "high"));
    bench.write("none.tsv", line(1, "judge.2", "other"));
    bench.write("twice.tsv", line(1, "judge.2", "judge.1"));
    bench.write("huge.tsv", line(3, "70", "1e300"));
    bench.write("short.own", "1\t2\n");
    bench.write("long.own", lines(&found) + "1\t2\n1\t2\n");
    bench.write("three.own", "1\t2\t3\n".repeat(60));
    bench.write("empty.own", "");
    for (arguments, told) in [
        ("train nan.tsv --own judge", "nan.tsv:5: expected a number in the column 'judge.2', found 'nan'"),
        ("train hole.tsv --own judge", "hole.tsv:7: expected a number in the column 'judge.2', found ''"),
        ("train word.tsv --own judge", "word.tsv:4: expected a number in the column 'judge.2', found 'high'"),
        ("train huge.tsv --own judge", "huge.tsv:3, column 'judge.2': expected a number up to 1e90, found 1e300"),
        (
            "train none.tsv --own judge",
            "none.tsv:1: expected the columns judge.1 and judge.2 of the own metric 'judge'",
        ),
        ("train twice.tsv --own judge", "two columns 'judge.1'"),
        ("train good.tsv --own judges", "no column 'judges.1' among hyp1"),
        ("train good.tsv --own judge,judge", "--own: expected every name once, found 'judge' twice"),
        ("train dev.pairs -a dev.answers --own judge", "expected values of the own metric 'judge'"),
        ("train dev.pairs -a dev.answers --own x=short.own", "short.own:2: expected 60 lines, one for each pair"),
        ("train dev.pairs -a dev.answers --own x=long.own", "long.own:61: expected 60 lines, one for each pair"),
        ("train dev.pairs -a dev.answers --own x=three.own", "three.own:1: expected two numbers separated by a tab"),
        ("train dev.pairs -a dev.answers --own x=empty.own", "empty.own: expected two numbers per line"),
        ("train dev.pairs -a dev.answers --own x=x.tsv,x=x.tsv", "--own x: expected 1 file of values, found 2"),
        ("train dev.pairs -a - --own x=-", "-: expected standard input at most once"),
        ("predict none.tsv -m m.json", "the columns judge.1 and judge.2 of the own metric 'judge'"),
        ("predict dev.pairs -m m.json", "the own metric 'judge'"),
        ("compare dev.pairs -a dev.answers -m m.json", "the own metric 'judge'"),
        ("predict good.tsv -m m.json --own other=x.tsv", "--own: expected judge, found 'other'"),
        ("predict good.tsv --own judge", "--own: expected no own metric: the model has none, found 'judge'"),
        ("predict good.tsv -m m.json --own judge-", "--own: expected 'judge' with higher values better"),
    ] {
        let model = if arguments.starts_with("train") { " -m out.json" } else { "" };
        bench.refuses(&format!("{arguments}{model}"), &[told]);
    }
}
