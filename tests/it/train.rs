//! Further uses of `train`: several files, choices of features, tie rules, studies.

use std::sync::Mutex;

use crate::common::{Bench, Run};
use serde_json::Value;
use tribunal::judgments::{Judgment, Pair, Verdict};
use tribunal::workflows::{self, Context, Engine, Event, Source, TrainSettings};

const DEV: &str = "train dev.pairs -a dev.answers --folds 3";

/// Writes the judgments of some of the bench's lines as a table.
fn write_table(bench: &Bench, name: &str, wanted: impl Fn(usize) -> bool) {
    let (pairs, answers) = (bench.read("dev.pairs"), bench.read("dev.answers"));
    let row = |(pair, answer): (&str, &str)| {
        let fields: Vec<String> =
            pair.split(" ||| ").map(|field| format!("\"{}\"", field.replace('"', "\"\""))).collect();
        format!("{},{answer}\n", fields.join(","))
    };
    let rows = pairs.lines().zip(answers.lines()).enumerate().filter(|&(at, _)| wanted(at)).map(|(_, line)| row(line));
    bench.write(name, format!("hyp1,hyp2,ref,label\n{}", rows.collect::<String>()));
}

#[test]
fn pairs_without_a_label_are_left_out_wherever_the_labels_of_the_others_are() {
    let bench = Bench::of(10);
    write_table(&bench, "some.csv", |at| at % 3 > 0);
    let table = bench.read("some.csv");
    // The same labels of exchanged hypotheses, as a page may export them, and the same in a table of all pairs.
    let exchanged = format!("hyp2,hyp1,ref,label\n{}", table.split_once('\n').unwrap().1);
    let reversed = |line: &str| -> String {
        let (texts, label) = line.rsplit_once(',').unwrap();
        label.parse::<i32>().map_or(format!("{line}\n"), |label| format!("{texts},{}\n", -label))
    };
    let exchanged: String = exchanged.lines().map(reversed).collect();
    bench.write("page.csv", &exchanged);
    write_table(&bench, "all.csv", |_| true);
    let unlabelled = |(at, line): (usize, &str)| match at {
        at if at == 0 || (at - 1) % 3 > 0 => format!("{line}\n"),
        _ => format!("{},\n", line.rsplit_once(',').unwrap().0),
    };
    bench.write("part.csv", bench.read("all.csv").lines().enumerate().map(unlabelled).collect::<String>());
    bench.output("predict dev.pairs -o eval.out -q");
    for command in ["train FILE --folds 3 -m m.json", "compare FILE", "evaluate eval.out -p FILE"] {
        let run = |file: &str| bench.run(&format!("{} --json", command.replace("FILE", file))).done();
        let [by_page, in_table] = ["dev.pairs -a page.csv", "part.csv"].map(run);
        for (run, file) in [(&by_page, "page.csv"), (&in_table, "part.csv")] {
            let note = format!("{file}: labels of 20 of 30 pairs; the others are left out");
            assert!(run.stderr.contains(&note), "{command}: {}", run.stderr);
        }
        let accuracy = |run: &Run| {
            let report: Value = serde_json::from_str(&run.stdout).unwrap();
            (report["rows"].clone(), report["systems"][0]["accuracy"].clone())
        };
        assert_eq!(accuracy(&by_page), accuracy(&in_table), "{command}");
        assert_eq!(accuracy(&by_page).0, 20);
    }
    bench.write("other.csv", "hyp1,hyp2,ref,label\na,b,c,1\n");
    bench.refuses("compare dev.pairs -a other.csv", &["other.csv:2: expected the texts of one of the pairs"]);
    let drawn = |(at, line): (usize, &str)| format!("{line},{}\n", ["drawn", "0.1", "0.5"][at.min(2)]);
    bench.write("drawn.csv", exchanged.lines().enumerate().map(drawn).collect::<String>());
    for command in ["compare dev.pairs -a drawn.csv", "evaluate eval.out -p dev.pairs -a drawn.csv"] {
        let said = bench.run(command).done().stderr;
        assert!(said.contains("these figures are of the labelled pairs as they are"), "{command}: {said}");
    }
    bench.write("lines.csv", "1\n0\n");
    let expected = "lines.csv: expected a table with the texts of labelled pairs, found labels in lines";
    bench.refuses("rank dev.pairs part.csv -a lines.csv", &[expected]);
}

#[test]
fn labels_of_pairs_are_matched_by_their_ids() {
    let bench = Bench::of(10);
    write_table(&bench, "all.csv", |_| true);
    let all = bench.read("all.csv");
    let (header, rows) = all.split_once('\n').unwrap();
    let with_ids = rows.lines().enumerate().map(|(at, row)| format!("p{at},{row}\n"));
    let unlabelled = |row: String| format!("{},\n", row.rsplit_once(',').unwrap().0);
    bench.write("pool.csv", format!("id,{header}\n{}", with_ids.clone().map(unlabelled).collect::<String>()));
    let some = with_ids.enumerate().map(|(at, row)| if at % 3 > 0 { row } else { unlabelled(row) });
    bench.write("some.csv", format!("id,{header}\n{}", some.collect::<String>()));
    let label = |(at, row): (usize, &str)| format!("{},p{at}\n", row.rsplit_once(',').unwrap().1);
    let labels: Vec<String> = rows.lines().enumerate().filter(|(at, _)| at % 3 > 0).map(label).collect();
    let table = |labels: &[String]| format!("label,id\n{}", labels.iter().rev().cloned().collect::<String>());
    bench.write("labels.csv", table(&labels));
    bench.output("predict pool.csv -o eval.out -q");
    for command in ["train FILE --folds 3", "compare FILE", "evaluate eval.out -p FILE"] {
        let run = |file: &str| bench.run(&format!("{} --json", command.replace("FILE", file))).done();
        let [by_id, in_table] = ["pool.csv -a labels.csv", "some.csv"].map(run);
        let report = |run: &Run| serde_json::from_str::<Value>(&run.stdout).unwrap()["systems"].clone();
        assert!(by_id.stderr.contains("labels.csv: labels of 20 of 30 pairs"), "{command}: {}", by_id.stderr);
        assert_eq!(report(&by_id), report(&in_table), "{command}");
    }
    let contradicted = [&labels[1..], &["-1,p1\n", "1,p1\n", "0,p1\n"].map(str::to_owned)].concat();
    bench.write("twice.csv", table(&contradicted));
    for command in ["compare", "next"] {
        let told = bench.run(&format!("{command} pool.csv -a twice.csv")).done().stderr;
        assert!(told.contains("1 pair with labels that contradict each other, without a majority, are ties"), "{told}");
    }
    bench.write("other.csv", "id,label\np1,1\np77,1\n");
    bench.refuses("compare pool.csv -a other.csv", &["other.csv:3: expected the id of one of the pairs, found 'p77'"]);
    bench.refuses(
        "compare all.csv -a labels.csv",
        &["labels.csv:2: expected the id of one of the pairs", "its column id"],
    );
}

#[test]
fn several_files_are_learned_from_together() {
    let bench = Bench::of(10);
    write_table(&bench, "more.csv", |at| at % 2 == 0);
    let report = bench.json("train dev.pairs -a dev.answers more.csv --folds 3 --file-weights 1,0.5 -m both.json");
    assert_eq!(report["breakdowns"][0]["by"], "file");
    let files = report["breakdowns"][0]["parts"].as_array().unwrap();
    let rows = |value: &Value| value["rows"].as_u64().unwrap();
    assert_eq!(rows(&files[0]) + rows(&files[1]), rows(&report));
    assert_eq!((&files[1]["name"], &files[1]["weight"]), (&"more.csv".into(), &0.5.into()));
    // Both files have the same references, which are never split.
    assert_eq!(report["groups"], files[0]["groups"]);
    let accuracy = |value: &Value| value["systems"][0]["accuracy"].as_f64().unwrap() * rows(value) as f64;
    assert!((accuracy(&files[0]) + accuracy(&files[1]) - accuracy(&report)).abs() < 1e-6);
    let model: Value = serde_json::from_str(&bench.read("both.json")).unwrap();
    assert_eq!(model["training"]["data"], "dev.pairs + more.csv");
    let text = bench.run("train dev.pairs -a dev.answers more.csv --folds 3").stdout;
    assert!(text.contains("\nmore.csv "), "{text}");
}

#[test]
fn accuracy_is_broken_down_by_a_column_and_by_file() {
    let bench = Bench::of(12);
    let named = |name: &str, topic: fn(usize) -> &'static str| {
        write_table(&bench, name, |_| true);
        let table = bench.read(name);
        let (header, rows) = table.split_once('\n').unwrap();
        let rows = rows.lines().enumerate().map(|(at, row)| format!("{row},{}\n", topic(at)));
        bench.write(name, format!("{header},topic\n{}", rows.collect::<String>()));
    };
    named("one.csv", |at| if at % 4 == 0 { "sports" } else { "news" });
    named("two.csv", |at| if at % 4 == 0 { "" } else { "news" });
    let accuracy = |row: &Value| row["systems"][0]["accuracy"].as_f64().unwrap();
    for command in ["compare one.csv two.csv", "train one.csv two.csv --folds 3"] {
        let report = bench.json(&format!("{command} --by-column topic"));
        let [files, topics] = [0, 1].map(|at| &report["breakdowns"][at]);
        assert_eq!((&files["by"], &topics["by"]), (&"file".into(), &"topic".into()));
        let parts = topics["parts"].as_array().unwrap();
        let names: Vec<&str> = parts.iter().map(|part| part["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["sports", "news", "(none)"]);
        let rows = |part: &Value| part["rows"].as_f64().unwrap();
        let right: f64 = parts.iter().map(|part| rows(part) * accuracy(part)).sum();
        assert!((right / rows(&report) - accuracy(&report)).abs() < 1e-9, "{command}");
        let average = &topics["macro_averages"][0];
        assert_eq!(average["name"], report["systems"][0]["name"]);
        let mean = parts.iter().map(accuracy).sum::<f64>() / 3.0;
        assert!((average["value"].as_f64().unwrap() - mean).abs() < 1e-9, "{command}");
        let text = bench.output(&format!("{command} --by-column topic"));
        assert!(text.contains("Accuracy by file\n") && text.contains("Accuracy by topic\n"), "{text}");
        assert_eq!(text.matches("\nmacro average ").count(), 2, "{text}");
    }
    let csv = bench.output("compare one.csv --by-column topic --table csv:parts");
    assert!(csv.starts_with("topic,pairs,"), "{csv}");
    bench.refuses("compare one.csv two.csv --by-column file", &["--by-column: expected a column of another name"]);
    bench.refuses("compare one.csv --by-column genre", &["one.csv:1: expected a column 'genre'"]);
    bench.refuses(
        "train dev.pairs -a dev.answers --by-column topic",
        &["--by-column: expected a table with the column 'topic', found the format pairs"],
    );
    let numbered = |rows: String| format!("hyp1,hyp2,label,id\n{rows}");
    bench.write("ids.csv", numbered((0..101).map(|at| format!("a {at},b {at},1,{at}\n")).collect()));
    bench.refuses("compare ids.csv --by-column id -q", &["--by-column: expected at most 100 values, found 101 in id"]);
}

#[test]
fn a_weight_is_worth_as_many_copies() {
    let bench = Bench::of(10);
    write_table(&bench, "even.csv", |at| at % 2 == 0);
    write_table(&bench, "odd.csv", |at| at % 2 == 1);
    bench.write("twice.csv", bench.read("even.csv") + bench.read("even.csv").split_once('\n').unwrap().1);
    let weights = |arguments: &str, name: &str| -> Vec<f64> {
        bench.json(&format!("train {arguments} --folds 2 -m {name}"));
        let model: Value = serde_json::from_str(&bench.read(name)).unwrap();
        assert_eq!(model["training"]["penalty"], 0.3, "the same choice, or the weights cannot be compared");
        model["columns"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|column| column["weight"]["preference"].as_f64())
            .collect()
    };
    let weighed = weights("even.csv odd.csv --file-weights 2,1", "weighed.json");
    let copied = weights("twice.csv odd.csv", "copied.json");
    assert!(weighed.iter().zip(&copied).all(|(a, b)| (a - b).abs() < 1e-3));
}

#[test]
fn the_column_weight_counts() {
    let bench = Bench::of(10);
    write_table(&bench, "dev.csv", |_| true);
    let table = bench.read("dev.csv");
    let (header, rows) = table.split_once('\n').unwrap();
    let weighed = |weight: fn(usize) -> &'static str| {
        let rows = rows.lines().enumerate().map(|(at, row)| format!("{row},{}\n", weight(at)));
        format!("{header},weight\n{}", rows.collect::<String>())
    };
    bench.write("weighed.csv", weighed(|at| if at % 2 == 0 { "1.5" } else { "0.5" }));
    bench.write("alike.csv", weighed(|_| "0.25"));
    bench.write("none.csv", weighed(|_| "0"));
    let model = |name: &str| -> Value {
        bench.json(&format!("train {name} --folds 2 -m m.json"));
        let model: Value = serde_json::from_str(&bench.read("m.json")).unwrap();
        model["columns"].clone()
    };
    assert_eq!(model("alike.csv"), model("dev.csv"));
    assert_ne!(model("weighed.csv"), model("dev.csv"));
    bench.refuses("train none.csv --folds 2", &["training: expected pairs with a preferred hypothesis, found no pair"]);
}

#[test]
fn files_answers_and_weights_that_do_not_fit() {
    let bench = Bench::of(4);
    write_table(&bench, "more.csv", |_| true);
    bench.refuses(
        "train dev.pairs -a dev.answers -a dev.answers -m m.json",
        &["--answers: expected at most 1, one for each file of pairs, found 2"],
    );
    bench.refuses(
        "train more.csv dev.pairs -a dev.answers --folds 2 --file-weights 1,2,3",
        &["--file-weights: expected at most 2"],
    );
    bench.refuses(
        "train dev.pairs -a dev.answers --folds 2 --file-weights 0",
        &["--file-weights: expected positive numbers, found 0"],
    );
    bench.refuses(
        "train more.csv dev.pairs --folds 2",
        &["dev.pairs:1: expected a human judgment of at least one pair, found none"],
    );
}

#[test]
fn features_are_left_out() {
    let bench = Bench::of(10);
    let names = |options: &str| -> Vec<String> {
        bench.json(&format!("{DEV} -m m.json {options}"));
        let model: Value = serde_json::from_str(&bench.read("m.json")).unwrap();
        model["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap().to_owned()).collect()
    };
    let has = |names: &[String], wanted: &str| names.iter().any(|name| name == wanted);
    assert!(has(&names("--without none"), "meteor2005") && !has(&names(""), "meteor2005"));
    let some = names("--without bleu,words.p1");
    assert!(!has(&some, "bleu.p1") && !has(&some, "words.p1") && has(&some, "words.r1") && has(&some, "rouge1"));
    let german = names("--without none --language de");
    assert!(has(&german, "chrf") && !has(&german, "meteor") && !has(&german, "surface.unknown"));
    bench.refuses(
        "train dev.pairs -a dev.answers --without bleurt",
        &["features: expected the name of a metric or of a feature, found 'bleurt'"],
    );
}

#[test]
fn ties_are_said_as_often_as_wanted() {
    let bench = Bench::of(20);
    let ties = |rule: &str| {
        let report = bench.json(&format!("{DEV} --ties {rule} -m m.json"));
        let counts = &report["systems"][0]["confusion"]["counts"];
        let said = (0..3).map(|people| counts[people][1].as_u64().unwrap()).sum::<u64>();
        (said as f64 / report["rows"].as_f64().unwrap(), bench.run("predict dev.pairs -m m.json").stdout)
    };
    let (none, _) = ties("0");
    assert_eq!(none, 0.0);
    // Except for hypotheses that no feature of the model distinguishes.
    for line in bench.run("predict dev.pairs -m m.json --json").stdout.lines() {
        let judged: Value = serde_json::from_str(line).unwrap();
        let probabilities = &judged["probabilities"];
        assert!(judged["verdict"] != 0 || probabilities["1"] == probabilities["-1"], "{line}");
    }
    let (half, verdicts) = ties("0.5");
    assert!((0.25..=0.75).contains(&half), "{half}");
    assert!(verdicts.lines().any(|line| line == "0") && verdicts.lines().any(|line| line != "0"));
}

#[test]
fn without_ties_among_the_judgments_models_say_none() {
    let bench = Bench::of(10);
    let answers = bench.read("dev.answers");
    let decided: Vec<usize> = answers.lines().enumerate().filter(|(_, line)| *line != "0").map(|(at, _)| at).collect();
    write_table(&bench, "decided.csv", |at| decided.contains(&at));
    bench.json(&format!("{DEV} --ties 0.6 -m m.json"));
    let run = bench.run("compare decided.csv -m m.json --json");
    assert!(run.stderr.contains("No label is a tie"), "{}", run.stderr);
    let counts = &serde_json::from_str::<Value>(&run.done().stdout).unwrap()["systems"][0]["confusion"]["counts"];
    assert!((0..3).all(|people| counts[people][1] == 0), "{counts}");
}

#[test]
fn studies_say_what_features_and_references_are_worth() {
    let bench = Bench::of(20);
    let report = bench.json(&format!("{DEV} --ablation --curve"));
    let names: Vec<&str> =
        report["ablation"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert!(["-surface", "-chrf", "+meteor2005", "-pair"].iter().all(|name| names.contains(name)), "{names:?}");
    let shares = report["families"].as_array().unwrap().iter().map(|family| family["share"].as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
    let curve = report["learning_curve"].as_array().unwrap();
    let groups: Vec<f64> = curve.iter().map(|point| point["groups"].as_f64().unwrap()).collect();
    assert!(groups.is_sorted() && groups[0] < groups[3] && curve[3]["share"] == 1.0, "{groups:?}");
    let text = bench.run("train dev.pairs -a dev.answers --folds 3 --ablation --curve").stdout;
    assert!(text.contains("\nfamily ") && text.contains("\n-surface ") && text.contains("\ntrained on "), "{text}");
}

#[test]
fn another_language_has_its_own_model() {
    let bench = Bench::of(4);
    let json = |options: &str| bench.run(&format!("predict dev.pairs --json {options}")).stdout;
    assert_ne!(json(""), json("--language de"));
    assert_eq!(json("--language de"), json("--language fr"));
    bench.json("train dev.pairs -a dev.answers --folds 2 -m m.json");
    assert_ne!(json("-m m.json"), json("-m m.json --language de"));
}

#[test]
fn every_step_tells_how_far_it_is_from_its_beginning_to_its_end() {
    let line = |at: usize| format!("it rained {at} times ||| rained it the times {at} ||| it has rained {at} times");
    let judgment = |at: usize| Judgment {
        pair: Pair::parse(&line(at), "example", at).unwrap(),
        label: if at.is_multiple_of(4) { Verdict::Tie } else { Verdict::First },
    };
    let source = |name: &str, from: usize| Source {
        name: name.into(),
        judgments: (from..from + 20).map(judgment).collect(),
        weight: 1.0,
    };
    let steps = Mutex::new(Vec::<(&str, Vec<usize>, Option<usize>)>::new());
    let listen = |event: Event| {
        let Event::Progress { step, done, of } = event else { return };
        let mut steps = steps.lock().unwrap();
        match steps.last_mut().filter(|(known, _, _)| *known == step) {
            Some((_, heard, _)) => heard.push(done),
            None => steps.push((step, vec![done], of)),
        }
    };
    let sources = [source("one", 0), source("two", 20)];
    workflows::train(Context::new(&Engine::new()).with_listener(&listen), &sources, &TrainSettings::default()).unwrap();
    let steps = steps.into_inner().unwrap();
    let names: Vec<&str> = steps.iter().map(|(step, _, _)| *step).collect();
    let expected = [
        "computing features",
        "choosing the penalty",
        "cross-validating",
        "learning from words",
        "computing intervals",
    ];
    assert_eq!(names, expected);
    for (step, heard, of) in steps {
        assert_eq!((heard[0], heard.iter().max().copied()), (0, of), "{step}: {heard:?}");
    }
}
