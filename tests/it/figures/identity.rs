//! What identifies a text, a pair and a label.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::common::Bench;

fn lines(rows: impl IntoIterator<Item = Value>) -> String {
    rows.into_iter().fold(String::new(), |mut text, row| {
        let _ = writeln!(text, "{row}");
        text
    })
}

/// The share of wins of a system, without the last digits.
fn win_rate(ranking: &Value, system: &str) -> f64 {
    let systems = ranking["systems"].as_array().unwrap();
    let rate = systems.iter().find(|row| row["name"] == system).unwrap()["win_rate"]["value"].as_f64().unwrap();
    (rate * 1e9).round() / 1e9
}

fn accuracy(report: &Value, name: &str) -> f64 {
    let systems = report["systems"].as_array().unwrap();
    systems.iter().find(|row| row["name"] == name).unwrap()["accuracy"].as_f64().unwrap()
}

/// What the page of `annotate` exports when the first hypothesis is always the better one.
fn exported(page: &str) -> String {
    let (_, rest) = page.split_once("id=\"annotate-data\">").unwrap();
    let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let texts = |values: &Value| -> Vec<String> {
        values.as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()).collect()
    };
    let cell = |text: &String| match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let mut table = texts(&data["columns"]).join(",") + ",label\n";
    for pair in data["rows"].as_array().unwrap() {
        let cells: Vec<String> = texts(&pair["cells"]).iter().map(cell).collect();
        table += &format!("{},1\n", cells.join(","));
    }
    table
}

#[test]
fn figure_01_labels_of_a_pool_are_not_reversed() {
    for end in ["", "\n", " ", "\r", "\r\n", "\u{a0}", "\u{3000}", "\u{feff}"] {
        let bench = Bench::of(1);
        let pair = |at: usize| {
            json!({"prompt": format!("q{at}{end}"), "system1": "good", "system2": "bad",
                "hyp1": format!("{end}good text\r\n\u{feff}of two lines {at}{end}"), "hyp2": format!("bad {at}{end}")})
        };
        bench.write("pool.jsonl", lines((0..30).map(pair)));
        bench.output("annotate pool.jsonl -o page.html -q");
        bench.write("labels.csv", exported(&bench.read("page.html")));
        let plain = |at: usize| format!("q{at},\"good text\nof two lines {at}\",bad {at},good,bad,1\n");
        let plain: String = (0..30).map(plain).collect();
        bench.write("plain.csv", format!("prompt,hyp1,hyp2,system1,system2,label\n{plain}"));
        for labels in ["labels.csv", "plain.csv"] {
            let ranking = bench.json(&format!("rank pool.jsonl -a {labels} --by human -q"));
            assert_eq!(win_rate(&ranking, "good"), 1.0, "{end:?} {labels}");
        }
    }
}

#[test]
fn figure_01_a_label_of_another_pair_is_an_error() {
    let bench = Bench::of(1);
    bench.write("pool.csv", "hyp1,hyp2,system1,system2\na,b,x,y\na,c,x,y\n");
    let there = |text: &str| format!("other texts, with the first hypothesis '{text}'");
    for (row, told) in [("b,c,x,y,1", there("b")), ("a,b,y,x,1", there("a")), ("a,a,x,y,1", there("a"))] {
        bench.write("labels.csv", format!("hyp1,hyp2,system1,system2,label\n{row}\n"));
        bench.refuses(
            "rank pool.csv -a labels.csv --by human -q",
            &["labels.csv:2: expected the texts of one of", &told],
        );
    }
}

#[test]
fn figure_02_systems_identify_a_pair() {
    let bench = Bench::of(1);
    let mut table = "prompt,hyp1,hyp2,system1,system2,label,annotator\n".to_owned();
    for at in 0..30 {
        for annotator in ["ann", "bob"] {
            // Short answers are often equal; of x and y, and of z and y.
            let _ = writeln!(table, "q{at},yes,no,x,y,1,{annotator}\nq{at},yes,no,z,y,-1,{annotator}");
        }
    }
    bench.write("short.csv", table);
    let ranking = bench.json("rank short.csv --merge -q");
    assert_eq!((&ranking["pairs"], ranking["systems"].as_array().unwrap().len()), (&json!(60), 3));
    assert_eq!([win_rate(&ranking, "x"), win_rate(&ranking, "z")], [1.0, 0.0]);
    // Equal texts are turned by their systems.
    bench.write("equal.csv", "hyp1,hyp2,system1,system2,label\nyes,yes,x,y,1\nyes,yes,y,x,-1\n");
    assert_eq!(win_rate(&bench.json("rank equal.csv --merge -q"), "x"), 1.0);
}

#[test]
fn figure_02_rows_of_all_files_are_merged() {
    let bench = Bench::of(1);
    for (annotator, wrong) in [("ann", 40), ("bob", 4), ("cat", 4)] {
        let mut table = "hyp1,hyp2,ref,system1,system2,label,annotator\n".to_owned();
        for at in 0..40 {
            let row = format!("good {at},bad {at},r{at},x,y,1");
            let turned = format!("bad {at},good {at},r{at},y,x,-1");
            // Of three annotators, two agree on every pair.
            let is_wrong = wrong < 40 && at % 10 == if annotator == "bob" { 0 } else { 5 };
            let row = if at % 2 == 0 { row } else { turned };
            let (texts, label) = row.rsplit_once(',').unwrap();
            let label = if is_wrong { if label == "1" { "-1" } else { "1" } } else { label };
            let _ = writeln!(table, "{texts},{label},{annotator}");
        }
        bench.write(&format!("{annotator}.csv"), table);
    }
    let ranking = bench.json("rank ann.csv bob.csv cat.csv --merge -q");
    assert_eq!((&ranking["pairs"], win_rate(&ranking, "x")), (&json!(40), 1.0));
    let said = bench.run("rank ann.csv bob.csv cat.csv --merge").done().stderr;
    assert!(said.contains("120 rows merged to 40 pairs"), "{said}");
    assert_eq!(bench.json("train ann.csv bob.csv cat.csv --merge --folds 5 -q")["rows"], 40);
    let imported = bench.output("import table ann.csv bob.csv cat.csv --merge --to csv -q");
    assert_eq!((imported.lines().count(), imported.matches("ann;bob;cat").count()), (41, 40), "{imported}");
}

#[test]
fn figure_02_each_annotator_has_one_vote() {
    let bench = Bench::of(1);
    let row = |label: i32, annotator: &str| format!("a,b,r,{label},{annotator}\n");
    let rows = [row(1, "ann"), row(1, "ann"), row(1, "ann"), row(-1, "bob"), row(-1, "cat")].concat();
    bench.write("votes.csv", format!("hyp1,hyp2,ref,label,annotator\n{rows}"));
    assert!(bench.output("import table votes.csv --merge -q").contains("a,b,r,-1,,,ann;bob;cat"));
    let said = bench.output("import table votes.csv --merge -o x.csv");
    assert!(said.contains("2 judgments of a pair that the same annotator had judged before"), "{said}");
    bench.write("pool.csv", "hyp1,hyp2,ref,system1,system2\na,b,r,x,y\n");
    let with_systems = rows.replace(",r,", ",r,x,y,");
    bench.write("labels.csv", format!("hyp1,hyp2,ref,system1,system2,label,annotator\n{with_systems}"));
    assert_eq!(win_rate(&bench.json("rank pool.csv -a labels.csv --by human -q"), "y"), 1.0);
}

#[test]
fn figure_02_what_rows_say_of_a_pair_is_combined() {
    let bench = Bench::of(1);
    let rows: String = (0..40)
        .map(|at| format!("a{at},b{at},r{at},1,ann,1,,0.5,3,1\nb{at},a{at},r{at},-1,bob,3,-1,0.5,2,4\n"))
        .collect();
    let header = "hyp1,hyp2,ref,label,annotator,weight,gpt,drawn,own.1,own.2\n";
    bench.write("rows.csv", format!("{header}{rows}"));
    let merged = bench.output("import table rows.csv --merge -q");
    assert!(merged.contains("a0,b0,r0,1,,,ann;bob,2"), "{merged}");
    // The second row shows the pair in the other order: its verdict and its values are turned.
    let features = bench.output("features rows.csv --merge --judge gpt --own own -q");
    let (header, row) = (features.lines().next().unwrap(), features.lines().nth(1).unwrap());
    let cell = |name: &str| row.split(',').nth(header.split(',').position(|known| known == name).unwrap()).unwrap();
    assert_eq!((cell("judge.gpt"), cell("h1.own"), cell("h2.own")), ("1", "3.5", "1.5"));
    assert_eq!(accuracy(&bench.json("compare rows.csv --merge --judge gpt -q"), "gpt"), 1.0);
    bench.write("drawn.csv", "hyp1,hyp2,label,drawn\na,b,1,0.5\nb,a,-1,0.25\n");
    bench.refuses("features drawn.csv --merge -q", &["drawn.csv:3: expected the probability 0.5", "found 0.25"]);
}

/// Pairs of a better and a worse text, with a perfect judge and a perfect metric in files.
fn preferences(bench: &Bench, count: usize) {
    let row = |at: usize| {
        let texts = [format!("q{at}"), format!("good {at}"), format!("bad {at} bad")];
        json!({"prompt": texts[0], "chosen": texts[1], "rejected": texts[2]})
    };
    bench.write("chosen.jsonl", lines((0..count).map(row)));
    bench.write("judge.txt", "A\n".repeat(count));
    bench.write("own.tsv", "1\t0\n".repeat(count));
    bench.write("labels.txt", "1\n".repeat(count));
}

#[test]
fn figure_02b_what_stands_beside_preferences_is_turned_with_them() {
    let bench = Bench::of(1);
    preferences(&bench, 60);
    let report = bench.json("compare chosen.jsonl --judge perfect=judge.txt --own exact=own.tsv -q");
    assert_eq!([accuracy(&report, "perfect"), accuracy(&report, "exact")], [1.0, 1.0]);
    // It judged each pair once, and none is missing.
    let judge = &report["judges"][0];
    assert_eq!((&judge["coverage"], &judge["missing"], &judge["accuracy_21"]), (&1.0.into(), &0.into(), &Value::Null));
    assert!(accuracy(&report, "majority") < 0.8, "the order is drawn");
    let report = bench.json("compare chosen.jsonl -a labels.txt --judge perfect=judge.txt -q");
    assert_eq!(accuracy(&report, "perfect"), 1.0);
    // The same by rows of the table.
    let features = bench.output("features chosen.jsonl --judge perfect=judge.txt --own exact=own.tsv -q");
    let header: Vec<&str> = features.lines().next().unwrap().split(',').collect();
    let at = |name: &str| header.iter().position(|known| *known == name).unwrap();
    for row in features.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let names = ["label", "judge.perfect", "h1.exact", "h2.exact"];
        assert_eq!(names.map(|name| cells[at(name)]), ["1", "1", "1", "0"]);
    }
}

#[test]
fn figure_02b_predictions_are_about_the_order_of_the_file() {
    let bench = Bench::of(1);
    preferences(&bench, 60);
    bench.output("train chosen.jsonl --judge perfect=judge.txt --only-own --folds 5 -m model.json -q");
    bench.output("predict chosen.jsonl -m model.json --judge perfect=judge.txt -o eval.out -q");
    assert_eq!(bench.read("eval.out"), "1\n".repeat(60));
    assert_eq!(accuracy(&bench.json("evaluate eval.out --pairs chosen.jsonl -q"), "eval"), 1.0);
    assert_eq!(accuracy(&bench.json("evaluate eval.out -a labels.txt -q"), "eval"), 1.0);
    let said = bench.run("predict chosen.jsonl -m model.json --judge perfect=judge.txt").done().stderr;
    assert!(said.contains("chosen is preferred to rejected, and comes first"), "{said}");
}

#[test]
fn figure_04_columns_are_those_of_all_objects() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let mut row = json!({"response_a": format!("good {at}"), "response_b": format!("bad {at}")});
        if at > 0 {
            let others = json!({"winner": "model_a", "prompt": format!("q{}", at / 2), "model_a": "x", "model_b": "y"});
            row.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
        }
        row
    };
    bench.write("late.jsonl", lines((0..41).map(row)));
    bench.write("late.json", Value::from((0..41).map(row).collect::<Vec<_>>()).to_string());
    for file in ["late.jsonl", "late.json"] {
        let ranking = bench.json(&format!("rank {file} -q"));
        assert_eq!((&ranking["pairs"], win_rate(&ranking, "x")), (&json!(40), 1.0), "{file}");
        assert_eq!(&ranking["groups"], 21, "{file}");
    }
}

#[test]
fn figure_04_an_input_that_is_read_once_says_where_a_role_first_occurs() {
    let bench = Bench::of(1);
    let plain = json!({"hyp1": "good", "hyp2": "bad", "ref": "good one"});
    for (key, value) in [("winner", json!("A")), ("prompt", json!("q")), ("model_a", json!("x"))] {
        let mut late = plain.clone();
        late.as_object_mut().unwrap().insert(key.to_owned(), value);
        let run = bench.run_on(&lines([plain.clone(), plain.clone(), late]), "features - --format jsonl -q");
        assert_eq!(run.status, 1, "{}", run.stdout);
        let told =
            format!("standard input:3: expected only keys of the first object for what a pair has, found '{key}'");
        assert!(run.stderr.contains(&told), "{}", run.stderr);
    }
    // What is read of every row may come late, and other keys are nobody's.
    let late = json!({"hyp1": "good", "hyp2": "bad", "ref": "good one", "label": 1, "id": "a", "comment": "?"});
    let run = bench.run_on(&lines([plain, late]), "features - --format jsonl -q").done();
    assert!(run.stdout.lines().nth(2).unwrap().starts_with("2,a,,1,"), "{}", run.stdout);
}

#[test]
fn figure_06_only_scores_of_one_annotator_are_compared() {
    let bench = Bench::of(1);
    let rows = "q,one,r,80,ann,x\nq,two,r,30,bob,y\nq,three,r,20,bob,z\nq,two,r,90,ann,y\n";
    bench.write("scores.csv", format!("src,mt,ref,score,annotator,id\n{rows}"));
    let pairs = |options: &str| -> Vec<String> {
        let table = bench.output(&format!("import table scores.csv --to jsonl -q {options}"));
        let pair = |line: &str| {
            let pair: Value = serde_json::from_str(line).unwrap();
            let (better, worse) = if pair["label"] == 1 { ("hyp1", "hyp2") } else { ("hyp2", "hyp1") };
            let text = |key: &str| pair[key].as_str().unwrap().to_owned();
            format!("{} > {} by {}", text(better), text(worse), text("annotator"))
        };
        let mut pairs: Vec<String> = table.lines().map(pair).collect();
        pairs.sort();
        pairs
    };
    assert_eq!(pairs(""), ["two > one by ann", "two > three by bob"]);
    let means = ["one > three by ann;bob", "one > two by ann;bob", "two > three by ann;bob"];
    assert_eq!(pairs("--mean-scores"), means);
    let said = bench.output("import table scores.csv -o x.csv");
    assert!(said.contains("note: only scores of the same annotator are compared"), "{said}");
}

#[test]
fn figure_23_check_and_evaluate_read_what_predict_leaves_undecided() {
    let bench = Bench::of(12);
    let pairs = bench.read("dev.pairs").lines().count();
    let answers: Vec<String> = bench.read("dev.answers").lines().map(str::to_owned).collect();
    let undecided = |form: &str| -> String {
        let row = |(at, answer): (usize, &String)| match (form, at % 4 == 1) {
            ("out", true) => "undecided\n".to_owned(),
            ("out", false) => format!("{answer}\n"),
            ("jsonl", is) => format!(
                "{}\n",
                json!({"pair": at + 1, "verdict": if is { Value::Null } else { answer.parse::<i64>().unwrap().into() }})
            ),
            (_, true) => format!("{},,\n", at + 1),
            (_, false) => format!("{},,{answer}\n", at + 1),
        };
        answers.iter().enumerate().map(row).collect()
    };
    for form in ["out", "jsonl", "csv"] {
        let file = format!("eval.{form}");
        let header = if form == "csv" { "pair,id,verdict\n" } else { "" };
        bench.write(&file, header.to_owned() + &undecided(form));
        let checked = bench.json(&format!("check {file} --pairs dev.pairs"));
        assert_eq!((&checked["rows"], &checked["undecided"]), (&json!(pairs), &json!(pairs.div_ceil(4))), "{form}");
        for beside in ["", "--pairs dev.pairs"] {
            let run = bench.run(&format!("evaluate {file} -a dev.answers {beside} --json")).done();
            let report: Value = serde_json::from_str(&run.stdout).unwrap();
            assert_eq!(
                (accuracy(&report, "eval"), &report["rows"]),
                (1.0, &json!(pairs - pairs.div_ceil(4))),
                "{form}"
            );
            assert!(run.stderr.contains("pairs undecided (coverage 75.0%) and skipped"), "{}", run.stderr);
        }
    }
    bench.refuses("train dev.pairs -a eval.out -q", &["eval.out:2: expected a label 1, 0 or -1, found 'undecided'"]);
}

#[test]
fn figure_23_pairs_without_a_majority_are_dropped_with_what_stands_beside_them() {
    let bench = Bench::of(1);
    let mut table = "hyp1,hyp2,ref,ann,bob\n".to_owned();
    let (mut judge, mut eval) = (String::new(), String::new());
    for at in 0..60 {
        let label = if at % 2 == 0 { 1 } else { -1 };
        let other = if at % 3 == 0 { -label } else { label };
        let _ = writeln!(table, "a{at},b{at},r{at},{label},{other}");
        let _ = writeln!(judge, "{label}");
        let _ = writeln!(eval, "{label}");
    }
    bench.write("votes.csv", table);
    bench.write("judge.txt", judge);
    bench.write("eval.out", eval);
    let options = "--annotators ann,bob --no-majority drop -q";
    let report = bench.json(&format!("compare votes.csv {options} --judge good=judge.txt"));
    assert_eq!((accuracy(&report, "good"), &report["rows"]), (1.0, &json!(40)));
    let report = bench.json(&format!("evaluate eval.out --pairs votes.csv {options}"));
    assert_eq!((accuracy(&report, "eval"), &report["rows"]), (1.0, &json!(40)));
}

#[test]
fn figure_23_messages_as_numpy_prints_them_are_refused() {
    let bench = Bench::of(1);
    let list = |answer: &str| {
        format!("[{{'content': 'Why?', 'role': 'user'}}\n {{'content': '{answer}', 'role': 'assistant'}}]")
    };
    for (chosen, rejected) in [
        (list("a"), list("b")),
        (format!("array({}, dtype=object)", list("a")), format!("array({}, dtype=object)", list("b"))),
    ] {
        bench.write("numpy.csv", format!("chosen,rejected\n\"{chosen}\",\"{rejected}\"\n"));
        bench
            .refuses("features numpy.csv -q", &["numpy.csv:2: expected a list of messages", "write the lists as JSON"]);
    }
}
