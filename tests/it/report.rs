//! Accuracy reports: the answer first, a table that fits, comparisons of any two rows, and unusual data.

use serde_json::Value;

use crate::common::Bench;

fn rows(report: &Value) -> &[Value] {
    report["systems"].as_array().unwrap()
}

fn row<'r>(report: &'r Value, name: &str) -> &'r Value {
    rows(report).iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no row {name}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// A bench with the given answers in turn.
fn bench_of(references: usize, answers: &[&str]) -> Bench {
    let bench = Bench::of(references);
    let lines = bench.read("dev.pairs").lines().count();
    bench.write("dev.answers", answers.iter().cycle().take(lines).map(|line| format!("{line}\n")).collect::<String>());
    bench
}

#[test]
fn the_answer_comes_in_four_lines_and_then_the_table() {
    let bench = Bench::of(20);
    for command in ["train dev.pairs -a dev.answers --folds 3", "compare dev.pairs -a dev.answers"] {
        let text = bench.output(command);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[..4].iter().all(|line| !line.is_empty()), "{text}");
        assert!(lines[0].starts_with("ensemble: accuracy ") && lines[0].ends_with("60 pairs, 20 references"), "{text}");
        assert!(lines[1].contains(" the best single metric (") && lines[2].contains(" always answering "), "{text}");
        assert!(lines[3].starts_with("Ties: ") && lines[4].is_empty(), "{text}");
        assert!(lines[5].starts_with("  system "), "{text}");
        let table: Vec<&str> = lines[6..].iter().copied().take_while(|line| !line.starts_with("> the ")).collect();
        let accuracy = |line: &&str| line[2..].split_whitespace().nth(1).unwrap().parse::<f64>().unwrap();
        let table = &table[..table.iter().position(|line| line.starts_with("> a model")).unwrap_or(table.len())];
        assert!(table.len() > 20 && table.iter().map(accuracy).is_sorted_by(|one, other| one >= other), "{text}");
        for marked in ["\n> ensemble ", "\n+ sum ", "\n* best-metric ", "\n* majority "] {
            assert!(text.contains(marked), "{marked}: {text}");
        }
        assert!(text.contains(" significantly ") && text.contains(" the baseline: "), "{text}");
    }
}

#[test]
fn the_answer_is_what_the_rows_say() {
    let bench = Bench::of(20);
    for command in ["train dev.pairs -a dev.answers --folds 3", "compare dev.pairs -a dev.answers"] {
        let report = bench.json(command);
        let (answer, ensemble) = (&report["answer"], row(&report, "ensemble"));
        let difference = |one: &Value, other: &Value| number(&one["accuracy"]) - number(&other["accuracy"]);
        for (versus, name) in [(&answer["rival"], "best-metric"), (&answer["majority"], "majority")] {
            assert_eq!((&versus["name"], &versus["accuracy"]), (&name.into(), &row(&report, name)["accuracy"]));
            assert!((number(&versus["difference"]) - difference(ensemble, row(&report, name))).abs() < 1e-12);
            assert!(number(&versus["low"]) <= number(&versus["high"]) && number(&versus["p_value"]) <= 1.0);
        }
        let better = |versus: &Value| number(&versus["p_value"]) < 0.05 && number(&versus["difference"]) > 0.0;
        let is_better = better(&answer["rival"]) && better(&answer["majority"]);
        assert_eq!(answer["beats_rivals"], is_better, "{answer}");
        assert_eq!(answer["decided_accuracy"], ensemble["decided_accuracy"]);
        let best = row(&report, "best-metric");
        assert!(row(&report, best["chosen"]["name"].as_str().unwrap())["role"] == "metric", "{best}");
        // By default all rows are compared with the stronger rival.
        let strength = |name: &str| number(&row(&report, name)["accuracy"]);
        let against = report["against"].as_str().unwrap();
        assert_eq!(strength(against), strength("best-metric").max(strength("majority")));
        assert!(rows(&report).iter().all(|row| row.get("against").is_none() == (row["name"] == against)));
    }
}

#[test]
fn who_always_says_tie_where_most_are_ties_is_not_beaten() {
    let bench = bench_of(10, &["0", "0", "0", "0", "1", "0", "-1"]);
    for command in ["train dev.pairs -a dev.answers --folds 3", "compare dev.pairs -a dev.answers"] {
        let text = bench.output(command);
        let line = text.lines().nth(2).unwrap();
        let expected = ["No significant difference from always answering tie (", "No better than ", "Worse than "];
        assert!(expected.iter().any(|start| line.starts_with(start)), "{text}");
    }
    assert_eq!(bench.json("compare dev.pairs -a dev.answers")["answer"]["beats_rivals"], false);
}

#[test]
fn every_row_can_be_what_the_others_are_compared_with() {
    let bench = Bench::of(10);
    let compare = "compare dev.pairs -a dev.answers";
    for name in ["ensemble", "bleu", "sum", "majority", "best-metric"] {
        let report = bench.json(&format!("{compare} --against {name}"));
        assert_eq!(report["against"], name);
        for row in rows(&report).iter().filter(|row| row["name"] != name) {
            let expected = number(&row["accuracy"]) - number(&self::row(&report, name)["accuracy"]);
            assert!((number(&row["against"]["difference"]) - expected).abs() < 1e-12, "{row}");
            if name == "sum" {
                assert_eq!(row["against"], row["against_baseline"]);
            }
        }
        assert!(bench.output(&format!("{compare} --against {name}")).contains(&format!("against {name} ")));
    }
    let run = bench.run(&format!("{compare} --against blue"));
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let message =
        "--against: expected the name of a row, found 'blue'; did you mean 'bleu'? known rows: ensemble, sum, ";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn the_matrix_compares_all_with_all() {
    let bench = Bench::of(10);
    let report = bench.json("compare dev.pairs -a dev.answers --matrix --against bleu");
    let matrix = &report["matrix"];
    let names: Vec<&str> = matrix["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, rows(&report).iter().map(|row| row["name"].as_str().unwrap()).collect::<Vec<_>>());
    let bleu = names.iter().position(|&name| name == "bleu").unwrap();
    for (at, row) in rows(&report).iter().enumerate() {
        let (differences, p_values) = (&matrix["differences"], &matrix["p_values"]);
        assert_eq!((number(&differences[at][at]), number(&p_values[at][at])), (0.0, 1.0));
        for other in 0..names.len() {
            assert_eq!(number(&differences[at][other]), -number(&differences[other][at]));
            assert_eq!(p_values[at][other], p_values[other][at]);
        }
        if at != bleu {
            assert_eq!(differences[at][bleu], row["against"]["difference"]);
            assert_eq!(p_values[at][bleu], row["against"]["p_value"]);
        }
    }
    let text = bench.output("compare dev.pairs -a dev.answers --matrix");
    assert!(text.contains("\nAll pairs of systems: "), "{text}");
}

#[test]
fn models_inside_the_program_have_names_and_models_of_one_name_have_paths() {
    let bench = Bench::of(10);
    bench.output("train dev.pairs -a dev.answers --folds 2 -m dev.json -q");
    std::fs::create_dir(bench.path("other")).unwrap();
    for copy in ["other/dev.json", "builtin"] {
        bench.write(copy, bench.read("dev.json"));
    }
    let compare =
        "compare dev.pairs -a dev.answers -q -m dev.json -m other/dev.json -m builtin -m ./builtin -m builtin-any";
    let report = bench.json(compare);
    let names: Vec<&str> = rows(&report)[..5].iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["dev", "other/dev", "builtin", "./builtin", "builtin-any"]);
    assert_eq!(row(&report, "./builtin")["same_as"], "dev");
    let alone = bench.json("compare dev.pairs -a dev.answers");
    assert_eq!(row(&alone, "ensemble")["confusion"], row(&report, "builtin")["confusion"]);
    let verdicts = |model: &str| bench.output(&format!("predict dev.pairs --json {model}"));
    assert_eq!(verdicts("-m builtin"), verdicts(""));
    assert_eq!(verdicts("-m builtin-any"), verdicts("--language de"));
}

#[test]
fn files_of_verdicts_stand_beside_each_other() {
    let bench = Bench::of(10);
    bench.output("predict dev.pairs -o a.out");
    bench.output("predict dev.pairs --ties 0.3 -o b.out");
    let (answers, a, b) = (bench.read("dev.answers"), bench.read("a.out"), bench.read("b.out"));
    let only = |one: &str, other: &str| {
        let lines = answers.lines().zip(one.lines().zip(other.lines()));
        lines.filter(|(label, (one, other))| one == label && other != label).count()
    };
    for (pairs, method) in [("", "exact"), ("-p dev.pairs", "clustered")] {
        let evaluate = format!("evaluate a.out b.out -a dev.answers {pairs}");
        let report = bench.json(&evaluate);
        assert_eq!(
            &rows(&report)[..2].iter().map(|row| row["name"].as_str().unwrap()).collect::<Vec<_>>(),
            &["a", "b"]
        );
        let test = &report["tests"][0];
        assert_eq!(
            (&test["one"], &test["other"], &test["mcnemar"]["method"]),
            (&"a".into(), &"b".into(), &method.into())
        );
        assert_eq!(test["mcnemar"]["only_one"], only(&a, &b));
        assert_eq!(test["mcnemar"]["only_other"], only(&b, &a));
        assert!((0.0..=1.0).contains(&number(&test["mcnemar"]["p_value"])));
        assert_eq!(
            (&test["difference"], &report["against"]),
            (&rows(&report)[0]["against"]["difference"], &"b".into())
        );
        let text = bench.output(&evaluate);
        assert!(text.lines().nth(1).is_some_and(|line| line.contains(" b (")), "{text}");
        for said in ["against b ", "\nMcNemar's test", "precision", "balanced accuracy"] {
            assert!(text.contains(said), "{said}: {text}");
        }
    }
    let run = bench.run("evaluate - - -a dev.answers");
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("-: expected standard input at most once, found it several times"), "{}", run.stderr);
    bench.write("a.txt", &b);
    let report = bench.json("evaluate a.out a.txt b.out -a dev.answers");
    assert_eq!(report["tests"].as_array().unwrap().len(), 3);
    assert_eq!((&rows(&report)[0]["name"], &rows(&report)[1]["name"]), (&"a.out".into(), &"a.txt".into()));
}

#[test]
fn figures_of_each_verdict_are_there_or_null() {
    let bench = Bench::of(4);
    bench.write("some.answers", "1\n1\n1\n-1\n");
    bench.write("some.out", "1\n1\n-1\n-1\n");
    let report = bench.json("evaluate some.out -a some.answers");
    let row = &rows(&report)[0];
    assert_eq!(row["precision"], serde_json::json!({"1": 1.0, "0": null, "-1": 0.5}));
    assert_eq!(row["recall"]["-1"], 1.0);
    assert_eq!((number(&row["f1"]["1"]), &row["f1"]["0"]), (0.8, &Value::Null));
    assert_eq!(row["decided_accuracy"], 0.75);
    assert!((number(&row["balanced_accuracy"]) - 5.0 / 6.0).abs() < 1e-12);
}

/// Checks every number that a report must have, whatever the answers are.
fn check_numbers(report: &Value) {
    for row in rows(report) {
        for key in ["accuracy", "low", "high", "kendall_tau"] {
            assert!(number(&row[key]).is_finite(), "{key}: {row}");
        }
        for comparison in ["against", "against_baseline"].iter().filter_map(|key| row.get(*key)) {
            ["difference", "low", "high", "p_value"]
                .iter()
                .for_each(|key| assert!(number(&comparison[*key]).is_finite()));
        }
        if let Some(ties) = row.get("with_ties") {
            assert!(number(&ties["accuracy"]) >= 0.0 && number(&ties["threshold"]) >= 0.0, "{row}");
        }
    }
}

#[test]
fn odd_data_gets_values_and_notes() {
    let pair = Bench::of(1);
    pair.write("dev.pairs", pair.read("dev.pairs").lines().next().unwrap().to_owned() + "\n");
    pair.write("dev.answers", "1\n");
    for (name, bench, note) in [
        ("one reference", Bench::of(1), "warning: all pairs share one reference: intervals and tests are meaningless"),
        ("a single pair", pair, "warning: all pairs share one reference: intervals and tests are meaningless"),
        ("all ties", bench_of(6, &["0"]), ""),
        ("no ties", bench_of(6, &["1", "-1", "-1"]), "No label is a tie"),
    ] {
        bench.output("predict dev.pairs -o a.out");
        bench.write("b.out", bench.read("dev.answers"));
        for command in [
            "compare dev.pairs -a dev.answers --matrix",
            "evaluate a.out b.out -a dev.answers -p dev.pairs",
            "evaluate a.out b.out -a dev.answers",
        ] {
            let run = bench.run(command);
            let is_noted = run.stderr.contains(note) || !command.starts_with("compare");
            // Unlike a note, a warning is shown in any case.
            let is_warned =
                bench.run(&format!("{command} -q")).stderr.contains("warning: all pairs share one reference");
            assert_eq!(is_warned, run.stderr.contains("warning: all pairs share one reference"), "{name}: {command}");
            assert!(is_noted, "{name}: {command}: {}", run.stderr);
            let text = run.done().stdout;
            assert!(!text.contains("NaN") && !text.contains("inf"), "{name}: {command}: {text}");
            assert!(text.lines().take_while(|line| !line.is_empty()).count() >= 3, "{text}");
            assert_eq!(text.contains("all human labels are ties"), name == "all ties", "{text}");
            let report = bench.json(command);
            check_numbers(&report);
            assert_eq!(report["answer"]["decided_accuracy"].is_null(), name == "all ties");
        }
        let report = bench.json("evaluate a.out b.out -a dev.answers -p dev.pairs");
        assert_eq!(report["tests"][0]["mcnemar"]["p_value"].is_null(), note.contains("all pairs"), "{name}");
    }
}
