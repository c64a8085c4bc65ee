//! The program as users see it: whole runs of the binary on a few judgments of the sample.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Value, json};
use tribunal::metrics::REGISTRY;

use crate::common::{Bench, fields, without_lines};

/// The output of one training on ten references: the report as JSON and the model file.
pub static TRAINED: LazyLock<(String, String)> = LazyLock::new(|| {
    let bench = Bench::of(10);
    let run = bench.run("train dev.pairs --answers dev.answers --folds 3 -m dev.json --json").done();
    (run.stdout, bench.read("dev.json"))
});

fn row<'r>(report: &'r Value, name: &str) -> &'r Value {
    report["systems"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()
}

fn names(report: &Value) -> Vec<&str> {
    report["systems"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

/// The part of a row that is equal for two systems with the same verdicts.
fn figures(row: &Value) -> Value {
    let mut row = row.clone();
    // Verdicts alone have no probabilities, and their report has other systems.
    ["name", "calibration", "same_as", "against", "decided_without_ties"]
        .iter()
        .for_each(|field| drop(row.as_object_mut().unwrap().remove(*field)));
    row
}

/// The rows that every full report ends with: the baseline, the majority, the reported metrics, and the best metric.
fn untrained() -> Vec<&'static str> {
    let metrics = REGISTRY
        .iter()
        .filter(|entry| entry.is_reported && entry.needs == tribunal::metrics::Needs::Nothing)
        .map(|entry| entry.name);
    ["sum", "majority"].into_iter().chain(metrics).chain(["best-metric"]).collect()
}

/// The rows of `train` after the ensemble; comparators that learn follow the majority.
fn comparators() -> Vec<&'static str> {
    let mut names = untrained();
    names.splice(2..2, ["naive-bayes", "word-regression"]);
    names
}

fn share(count: usize, all: usize) -> f64 {
    count as f64 / all as f64
}

fn swapped(pairs: &str) -> String {
    fields(pairs).iter().map(|row| format!("{} ||| {} ||| {}\n", row[1], row[0], row[2..].join(" ||| "))).collect()
}

#[test]
fn train_reports_every_system_as_json() {
    let report: Value = serde_json::from_str(&TRAINED.0).unwrap();
    assert_eq!((&report["rows"], &report["groups"], &report["folds"]), (&json!(30), &json!(10), &json!(3)));
    assert_eq!(names(&report), [vec!["ensemble"], comparators()].concat());
    for row in report["systems"].as_array().unwrap() {
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("no number '{key}' in {row}"));
        assert!(0.0 <= number("low") && number("low") <= number("accuracy"), "{row}");
        assert!(number("accuracy") <= number("high") && number("high") <= 1.0, "{row}");
        assert!((-1.0..=1.0).contains(&number("kendall_tau")), "{row}");
    }
    let answers = Bench::of(10).read("dev.answers");
    let most = ["1", "0", "-1"].map(|label| answers.lines().filter(|&line| line == label).count()).into_iter().max();
    assert_eq!(row(&report, "majority")["accuracy"], json!(share(most.unwrap(), 30)));
}

#[test]
fn train_gives_comparators_what_they_can_reach() {
    let report: Value = serde_json::from_str(&TRAINED.0).unwrap();
    for row in report["systems"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let learns = ["ensemble", "naive-bayes", "word-regression"].contains(&name);
        assert_eq!(row["calibration"].is_object(), learns, "{name}");
        let ties = &row["with_ties"];
        assert_eq!(ties.is_object(), !learns && !["majority", "best-metric"].contains(&name), "{name}");
        if ties.is_object() {
            assert!((0.0..=1.0).contains(&ties["accuracy"].as_f64().unwrap()), "{name}: {ties}");
            assert!(ties["threshold"].as_f64().unwrap() >= 0.0, "{name}: {ties}");
        }
    }
    // compare also makes folds for tie thresholds.
    let bench = Bench::of(10);
    let compared = bench.json("compare dev.pairs --answers dev.answers");
    let has_ties = |row: &Value| row["with_ties"].is_object();
    assert_eq!(
        compared["systems"].as_array().unwrap().iter().filter(|row| has_ties(row)).count(),
        untrained().len() - 2
    );
    let text = bench.output("train dev.pairs --answers dev.answers --folds 3");
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("  system")).take(25).collect();
    let column = table[0].find("with ties").unwrap();
    let cell = |name: &str| {
        let line = table.iter().find(|line| line.split_whitespace().any(|word| word == name)).unwrap();
        line.get(column..column + "with ties".len()).unwrap_or_default().trim().to_owned()
    };
    let of_sum = row(&report, "sum")["with_ties"]["accuracy"].as_f64().unwrap();
    assert_eq!(cell("sum"), format!("{of_sum:.4}"), "{table:#?}");
    assert!(["ensemble", "majority", "naive-bayes"].iter().all(|name| cell(name).is_empty()), "{table:#?}");
    assert!(table.iter().all(|line| line.trim_end() == *line), "{table:#?}");
}

#[test]
fn train_writes_a_model_that_says_where_it_comes_from() {
    let (_, model) = &*TRAINED;
    assert!(model.starts_with("{\"format\": \"tribunal-model\", \"version\": 2,"), "{}", &model[..80]);
    let model: Value = serde_json::from_str(model).unwrap();
    let training = &model["training"];
    assert_eq!((&training["pairs"], &training["groups"]), (&json!(30), &json!(10)));
    assert_eq!((&training["data"], &training["validation"]["seed"]), (&json!("dev.pairs"), &json!(1)));
    let columns = model["columns"].as_array().unwrap();
    assert!(columns.len() > 50);
    assert!(columns.iter().all(|column| column["name"].is_string() && column["signature"].is_string()));
}

#[test]
fn training_gives_the_same_bytes_with_any_number_of_threads() {
    let bench = Bench::of(10);
    let train = |threads: usize| {
        let arguments = "train dev.pairs --answers dev.answers --folds 3 -m dev.json --quiet";
        let run = bench.run(&format!("{arguments} --threads {threads}")).done();
        assert_eq!(run.stderr, "");
        (run.stdout, bench.read("dev.json"))
    };
    let (report, model) = train(1);
    assert_eq!((&report, &model), (&train(2).0, &bench.read("dev.json")));
    assert_eq!(model, TRAINED.1);
    let told: Vec<&str> = report.lines().filter_map(|line| line.get(2..)?.split_whitespace().next()).collect();
    assert!(report.lines().next().is_some_and(|line| line.ends_with("30 pairs, 10 references")), "{report}");
    assert!([vec!["ensemble"], untrained()].concat().iter().all(|name| told.contains(name)), "{report}");
}

#[test]
fn train_without_a_model_file_says_that_nothing_is_kept() {
    let bench = Bench::of(4);
    let before = bench.content();
    let train = "train dev.pairs --answers dev.answers --folds 2";
    assert!(bench.run(train).done().stderr.contains("Model not saved; use -m FILE."));
    assert_eq!(bench.run(&format!("{train} --quiet")).done().stderr, "");
    assert_eq!(bench.content(), before);
}

#[test]
fn predict_gives_one_verdict_a_pair_with_either_model() {
    let bench = Bench::of(20);
    bench.write("dev.json", &TRAINED.1);
    bench.write("shipped.json", include_str!("../../models/wmt.json"));
    let built_in = bench.output("predict dev.pairs");
    let own = bench.output("predict dev.pairs -m dev.json");
    for verdicts in [&built_in, &own] {
        assert_eq!(verdicts.lines().count(), 60);
        assert!(verdicts.lines().all(|line| ["1", "0", "-1"].contains(&line)), "{verdicts}");
    }
    assert_ne!(built_in, own);
    assert_eq!(bench.output("predict dev.pairs -m shipped.json"), built_in);
}

#[test]
fn predict_then_check_and_evaluate_agree_with_compare() {
    let bench = Bench::of(10);
    bench.write("dev.json", &TRAINED.1);
    for (model, name) in [("", "ensemble"), ("-m dev.json", "dev")] {
        assert_eq!(bench.output(&format!("predict dev.pairs -o eval.out {model}")), "");
        let (verdicts, answers) = (bench.read("eval.out"), bench.read("dev.answers"));
        let check = bench.json("check eval.out --pairs dev.pairs");
        assert_eq!((&check["valid"], &check["rows"]), (&json!(true), &json!(30)));

        let compared = bench.json(&format!("compare dev.pairs --answers dev.answers {model}"));
        assert_eq!(names(&compared), [vec![name], untrained()].concat());
        let evaluated = bench.json("evaluate eval.out --answers dev.answers --pairs dev.pairs");
        assert_eq!(names(&evaluated), ["eval", "sum", "majority"]);
        assert_eq!(figures(row(&evaluated, "eval")), figures(row(&compared, name)));
        assert_eq!(figures(row(&evaluated, "sum")), figures(row(&compared, "sum")));

        let right = verdicts.lines().zip(answers.lines()).filter(|(verdict, answer)| verdict == answer).count();
        assert_eq!(row(&compared, name)["accuracy"], json!(share(right, 30)));
        let alone = bench.json("evaluate eval.out --answers dev.answers");
        assert_eq!(row(&alone, "eval")["accuracy"], json!(share(right, 30)));
    }
}

#[test]
fn compare_takes_several_models_and_warns_of_those_that_know_the_references() {
    let bench = Bench::of(4);
    let model = &TRAINED.1;
    bench.write("one.json", model);
    bench.write("two.json", model);
    let run = bench.run("compare dev.pairs --answers dev.answers -m one.json -m two.json --json").done();
    let compared: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(names(&compared)[..3], ["one", "two", "sum"]);
    assert!(run.stderr.contains("warning: 'one'") && run.stderr.contains("warning: 'two'"), "{}", run.stderr);
    assert_eq!(bench.run("compare dev.pairs --answers dev.answers").done().stderr, "");
}

#[test]
fn a_file_may_be_called_like_the_baseline() {
    let bench = Bench::of(4);
    bench.output("predict dev.pairs -o eval.out");
    bench.write("sum.out", bench.read("eval.out"));
    let plain = bench.json("evaluate eval.out --answers dev.answers --pairs dev.pairs");
    let confusing = bench.json("evaluate sum.out --answers dev.answers --pairs dev.pairs");
    assert_eq!(names(&confusing), ["sum", "sum", "majority"]);
    for at in 0..3 {
        assert_eq!(figures(&confusing["systems"][at]), figures(&plain["systems"][at]));
    }
}

#[test]
fn features_has_a_row_a_pair() {
    let bench = Bench::of(20);
    let table = bench.output("features dev.pairs --answers dev.answers");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().unwrap().clone();
    assert_eq!(header.iter().take(4).collect::<Vec<_>>(), ["line", "id", "group", "label"]);
    let of_side = |side: &str| header.iter().filter_map(|name| name.strip_prefix(side)).collect::<Vec<_>>();
    assert!(of_side("h1.").contains(&"meteor2005.precision"));
    assert_eq!(of_side("h1."), of_side("h2."));
    assert_eq!(header.iter().collect::<BTreeSet<_>>().len(), header.len());

    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 60);
    for (at, (row, answer)) in rows.iter().zip(bench.read("dev.answers").lines()).enumerate() {
        assert_eq!((&row[0], &row[3]), ((at + 1).to_string().as_str(), answer));
        assert!(row.iter().skip(4).all(|value| value.parse::<f64>().unwrap().is_finite()));
    }
    assert_eq!(bench.output("features dev.pairs --answers dev.answers -o dev.csv"), "");
    assert_eq!(bench.read("dev.csv"), table);
    assert_eq!(bench.output("features dev.pairs --answers dev.answers --threads 1"), table);
}

#[test]
fn a_dash_is_standard_input_or_output() {
    let bench = Bench::of(4);
    let (pairs, answers) = (bench.read("dev.pairs"), bench.read("dev.answers"));
    let verdicts = bench.output("predict dev.pairs");
    bench.write("eval.out", &verdicts);
    let before = bench.content();
    for (input, piped, named) in [
        (&pairs, "predict -", "predict dev.pairs"),
        (&pairs, "predict dev.pairs -o -", "predict dev.pairs"),
        (&pairs, "features - -o -", "features dev.pairs"),
        (&pairs, "compare - -a dev.answers", "compare dev.pairs -a dev.answers"),
        (&answers, "compare dev.pairs -a -", "compare dev.pairs -a dev.answers"),
        (&verdicts, "check - --pairs dev.pairs --json", "check eval.out --pairs dev.pairs --json"),
        (&pairs, "check eval.out --pairs -", "check eval.out --pairs dev.pairs"),
        (&answers, "evaluate eval.out -a -", "evaluate eval.out -a dev.answers"),
    ] {
        assert_eq!(bench.run_on(input, piped).done().stdout, bench.output(named), "{piped}");
    }
    let piped: Value =
        serde_json::from_str(&bench.run_on(&verdicts, "evaluate - -a dev.answers --json").done().stdout).unwrap();
    let named = bench.json("evaluate eval.out -a dev.answers");
    assert_eq!(figures(&piped["systems"][0]), figures(&named["systems"][0]));
    assert_eq!(bench.content(), before);
    let run = bench.run_on(&pairs, "train - --answers dev.answers --folds 2 -m - --quiet");
    assert!(run.done().stdout.starts_with("{\"format\": \"tribunal-model\""));
}

#[test]
fn verdicts_and_reports_are_the_same_bytes_every_time() {
    let bench = Bench::of(8);
    for arguments in [
        "predict dev.pairs --json",
        "features dev.pairs",
        "compare dev.pairs -a dev.answers --json",
        "check dev.answers",
    ] {
        let once = bench.output(arguments);
        for other in ["", "--threads 1", "--threads 2"] {
            assert_eq!(bench.output(&format!("{arguments} {other}")), once);
        }
    }
}

#[test]
fn the_seed_is_reported_and_changes_no_accuracy() {
    let bench = Bench::of(8);
    let of_seed = |seed: u64| bench.json(&format!("compare dev.pairs --answers dev.answers --seed {seed}"));
    let (one, two) = (of_seed(1), of_seed(2));
    assert_eq!((&one["seed"], &two["seed"]), (&json!(1), &json!(2)));
    for name in names(&one) {
        assert_eq!(row(&one, name)["accuracy"], row(&two, name)["accuracy"]);
    }
}

#[test]
fn swapped_hypotheses_swap_the_verdict_and_its_probabilities() {
    let bench = Bench::of(20);
    bench.write("dev.json", &TRAINED.1);
    let several: String = fields(&bench.read("dev.pairs"))
        .iter()
        .map(|row| format!("{} ||| {} ||| {} ||| {}\n", row[0], row[1], row[2], row[0]))
        .collect();
    let same = bench.column(0).lines().map(|text| format!("{text} ||| {text} ||| {text} or not\n")).collect();
    bench.write("same.pairs", &same);
    for pairs in [bench.read("dev.pairs"), several, same] {
        bench.write("straight.pairs", &pairs);
        bench.write("swapped.pairs", swapped(&pairs));
        for model in ["", "-m dev.json"] {
            assert_eq!(bench.output(&format!("predict same.pairs {model}")), "0\n".repeat(60));
            let lines = |file: &str| bench.output(&format!("predict {file} {model} --json"));
            for (straight, swapped) in lines("straight.pairs").lines().zip(lines("swapped.pairs").lines()) {
                let straight: Value = serde_json::from_str(straight).unwrap();
                let swapped: Value = serde_json::from_str(swapped).unwrap();
                for (one, other) in [("1", "-1"), ("0", "0"), ("-1", "1")] {
                    assert_eq!(swapped["probabilities"][one], straight["probabilities"][other]);
                }
                assert_eq!(swapped["verdict"].as_i64(), straight["verdict"].as_i64().map(|sign| -sign));
            }
        }
    }
}

/// The pairs as a table with the columns hyp1, hyp2, ref, ref2, ...
fn csv_of(pairs: &str, delimiter: u8) -> String {
    let rows = fields(pairs);
    let further = (2..rows[0].len() - 1).map(|number| format!("ref{number}"));
    let header = ["hyp1", "hyp2", "ref"].map(str::to_owned).into_iter().chain(further);
    let quotes = if delimiter == b'\t' { csv::QuoteStyle::Never } else { csv::QuoteStyle::Necessary };
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).quote_style(quotes).from_writer(Vec::new());
    writer.write_record(header).unwrap();
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn json_lines_of(pairs: &str) -> String {
    let object = |row: &Vec<&str>| json!({"hyp1": row[0], "hyp2": row[1], "ref": row[2..]}).to_string() + "\n";
    fields(pairs).iter().map(object).collect()
}

#[test]
fn tables_get_the_verdicts_of_the_pairs_that_they_hold() {
    let bench = Bench::of(4);
    let one = bench.read("dev.pairs");
    let two: String = one.lines().map(|line| format!("{line} ||| And \"quite\", another, sentence\n")).collect();
    for pairs in [one, two] {
        bench.write("some.pairs", &pairs);
        let verdicts = without_lines(&bench.output("predict some.pairs --json"));
        let tables = [("csv", csv_of(&pairs, b',')), ("tsv", csv_of(&pairs, b'\t')), ("jsonl", json_lines_of(&pairs))];
        for (kind, table) in tables {
            bench.write(&format!("some.{kind}"), &table);
            assert_eq!(without_lines(&bench.output(&format!("predict some.{kind} --json"))), verdicts);
            let piped = bench.run_on(&table, &format!("predict - --format {kind} --json"));
            assert_eq!(without_lines(&piped.done().stdout), verdicts);
        }
    }
}

#[test]
fn a_column_of_labels_stands_for_the_answers() {
    let bench = Bench::of(4);
    let (pairs, answers) = (bench.read("dev.pairs"), bench.read("dev.answers"));
    let labels = std::iter::once("label").chain(answers.lines());
    let table: String =
        csv_of(&pairs, b'\t').lines().zip(labels).map(|(row, label)| format!("{label}\t{row}\n")).collect();
    bench.write("dev.tsv", table);
    let told = bench.output("compare dev.pairs --answers dev.answers");
    assert_eq!(bench.output("compare dev.tsv"), told);
    let features = bench.output("features dev.pairs --answers dev.answers");
    let strip = |table: &str| table.lines().map(|line| line.split_once(',').unwrap().1.to_owned()).collect::<Vec<_>>();
    assert_eq!(strip(&bench.output("features dev.tsv")), strip(&features));
}

#[test]
fn a_further_reference_can_turn_the_verdict() {
    let bench = Bench::of(1);
    let pair =
        "The weather will be fine tomorrow. ||| A child plays in a garden. ||| A child is playing in the garden.";
    bench.write("some.pairs", format!("{pair}\n{pair} ||| The weather will be fine tomorrow.\n"));
    assert_eq!(bench.output("predict some.pairs"), "-1\n1\n");
}

#[test]
fn empty_texts_are_scored() {
    let bench = Bench::of(1);
    let good = "The old bridge was closed on Monday";
    bench.write("some.pairs", format!(" ||| {good} ||| {good}\n{good} |||  ||| {good}\n ||| ||| {good}\n|||  |||\n"));
    assert_eq!(bench.output("predict some.pairs"), "-1\n1\n0\n0\n");
    bench.write("some.pairs", format!("{good} ||| Another bridge ||| \n"));
    assert_eq!(bench.output("predict some.pairs").lines().count(), 1);
    let table = bench.output("features some.pairs");
    let values: Vec<f64> =
        table.lines().nth(1).unwrap().split(',').skip(4).map(|value| value.parse().unwrap()).collect();
    assert!(values.len() > 50 && values.iter().all(|value| value.is_finite()));
}
