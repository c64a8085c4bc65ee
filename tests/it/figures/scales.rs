//! Scales: fractional human labels, the numbers of judges, and whose labels a file has.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::common::Bench;

/// A table of pairs of the systems `x` and `y` about different prompts, with further columns.
fn table(bench: &Bench, name: &str, columns: &str, count: usize, row: impl Fn(usize) -> String) {
    let mut text = format!("prompt,hyp1,hyp2,system1,system2,{columns}\n");
    for at in 0..count {
        writeln!(text, "question {at},answer {at},reply no {at},x,y,{}", row(at)).unwrap();
    }
    bench.write(name, text);
}

/// One of these, by turns.
fn turn<'t>(of: &[&'t str], at: usize) -> &'t str {
    of[at % of.len()]
}

fn win_rate(ranking: &Value, name: &str) -> f64 {
    let systems = ranking["systems"].as_array().unwrap();
    systems.iter().find(|row| row["name"] == name).unwrap()["win_rate"]["value"].as_f64().unwrap()
}

/// Labels as `import` writes them.
fn labels(bench: &Bench, file: &str, options: &str) -> Vec<f64> {
    bench.output(&format!("import table {file} -o out.jsonl -q {options}"));
    let label = |line: &str| {
        let row = serde_json::from_str::<Value>(line).unwrap();
        row.get("preference").unwrap_or(&row["label"]).as_f64().unwrap()
    };
    bench.read("out.jsonl").lines().map(label).collect()
}

/// Labels as `rank` and `train` take them: classes.
fn classes(bench: &Bench, file: &str) -> Vec<f64> {
    bench.output(&format!("import table {file} -o out.pairs --answers out.answers -q --column ref=system1"));
    bench.read("out.answers").lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn figure_03_a_fraction_is_a_preference_and_not_the_first() {
    let bench = Bench::of(1);
    // From 0 to 1: 0 is the second.
    table(&bench, "share.csv", "winner", 40, |at| turn(&["1", "0", "0.1", "0.5"], at).to_owned());
    assert_eq!(classes(&bench, "share.csv")[..4], [1.0, -1.0, -1.0, 0.0]);
    let ranking = bench.json("rank share.csv -q");
    assert!((win_rate(&ranking, "x") - 0.4).abs() < 1e-12, "{ranking}");
    let told = bench.run("rank share.csv").done().stderr;
    assert!(told.contains("10 of 40 labels are preferences with fractions"), "{told}");
    assert!(told.contains("each label is a number from 0 (the second is better) to 1 (the first is)"), "{told}");
    // AlpacaEval, from 1 to 2: 2 is the second.
    table(&bench, "alpaca.csv", "preference", 40, |at| turn(&["1", "2", "1.97", "1.03"], at).to_owned());
    assert_eq!(classes(&bench, "alpaca.csv")[..4], [1.0, -1.0, -1.0, 1.0]);
    assert!((win_rate(&bench.json("rank alpaca.csv -q"), "x") - 0.5).abs() < 1e-12);
    // The first rows do not tell: the whole column does.
    table(&bench, "late.csv", "label", 3000, |at| if at < 2999 { turn(&["1", "0"], at) } else { "0.25" }.to_owned());
    assert_eq!(classes(&bench, "late.csv")[..2], [1.0, -1.0]);
    // A table in the other order has the other shares.
    let turned = bench.read("share.csv").replace("hyp1,hyp2,system1,system2", "hyp2,hyp1,system2,system1");
    bench.write("turned.csv", turned);
    assert!((win_rate(&bench.json("rank turned.csv -q"), "x") - 0.6).abs() < 1e-12);
}

#[test]
fn figure_03_imported_pairs_keep_their_fractions() {
    let bench = Bench::of(1);
    table(&bench, "share.csv", "winner", 40, |at| turn(&["1", "0", "0.1", "0.5"], at).to_owned());
    assert_eq!(labels(&bench, "share.csv", "")[..4], [1.0, 2.0, 1.9, 1.5]);
    assert!((win_rate(&bench.json("rank out.jsonl -q"), "x") - 0.4).abs() < 1e-12);
    // A file without fractions, beside one with fractions, has the scale of the other.
    table(&bench, "class.csv", "winner", 40, |at| turn(&["1", "-1", "0"], at).to_owned());
    for files in ["class.csv share.csv", "share.csv class.csv"] {
        let written = labels(&bench, files, "");
        let sum = 40.0 * 1.6 + 14.0 + 13.0 * 2.0 + 13.0 * 1.5;
        assert!((written.iter().sum::<f64>() - sum).abs() < 1e-9, "{files}");
    }
    // Alone it has classes.
    assert_eq!(labels(&bench, "class.csv", "")[..3], [1.0, -1.0, 0.0]);
    if cfg!(feature = "parquet") {
        bench.output("import table share.csv -o kept.parquet -q");
        assert!((win_rate(&bench.json("rank kept.parquet -q"), "x") - 0.4).abs() < 1e-12);
    }
}

#[test]
fn figure_03_preferences_of_annotators_are_averaged() {
    let bench = Bench::of(1);
    table(&bench, "votes.csv", "ann,bob", 40, |at| format!("{},{}", turn(&["0.2", "0"], at), turn(&["0.6", "1"], at)));
    let ranking = bench.json("rank votes.csv --annotators ann,bob -q");
    assert!((win_rate(&ranking, "x") - 0.45).abs() < 1e-12, "{ranking}");
    let rows = "q,a,b,x,y,0.2,ann\nq,b,a,y,x,0.4,bob\nr,c,d,x,y,1,ann\n";
    bench.write("rows.csv", format!("prompt,hyp1,hyp2,system1,system2,winner,annotator\n{rows}"));
    let ranking = bench.json("rank rows.csv --merge -q");
    assert!((win_rate(&ranking, "x") - 0.7).abs() < 1e-12, "{ranking}");
}

#[test]
fn figure_03_what_fits_no_scale_is_refused() {
    let bench = Bench::of(1);
    for (wrong, values) in [
        ("3.7", &["1", "0.2", "3.7"][..]),
        ("-0.4", &["1", "0.2", "-0.4"]),
        ("-1", &["0.2", "0.3", "-1"]),
        ("1.03", &["0.2", "0.3", "1.03"]),
        ("0.3", &["-1", "1", "0.3"]),
    ] {
        for column in ["winner", "label", "preference"] {
            table(&bench, "x.csv", column, 3, |at| values[at].to_owned());
            for command in ["rank x.csv", "compare x.csv", "import table x.csv"] {
                let told = bench.refused(&format!("{command} -q"));
                let parts = ["x.csv:4", &format!("'{wrong}'"), "from 0 (the second is better)", "1, 0 and -1"];
                assert!(parts.iter().all(|part| told.contains(part)), "{command} {values:?}: {told}");
            }
        }
    }
    // Labels keep their meaning.
    table(&bench, "x.csv", "label", 3, |at| turn(&["1", "0", "-1"], at).to_owned());
    assert_eq!(labels(&bench, "x.csv", ""), [1.0, 0.0, -1.0]);
    table(&bench, "x.csv", "winner", 3, |at| turn(&["2", "tie", "model_a"], at).to_owned());
    assert_eq!(labels(&bench, "x.csv", ""), [-1.0, 0.0, 1.0]);
}

/// Verdicts of a judge on the pair with this number, right nine times in ten.
fn verdict(at: usize) -> f64 {
    let label = if at.is_multiple_of(2) { 1.0 } else { -1.0 };
    let size = [0.9, 0.5, 0.1, 0.7, 0.3][at % 5];
    if at % 10 == 9 { -label * size } else { label * size }
}

/// The same verdicts as probabilities, signed numbers and words.
fn judged(bench: &Bench, name: &str, count: usize) {
    table(bench, name, "label,p,s,w", count, |at| {
        let value = verdict(at);
        let word = if value > 0.0 { "A" } else { "model_b" };
        format!("{},{},{value},{word}", if at.is_multiple_of(2) { 1 } else { -1 }, f64::midpoint(1.0, value))
    });
}

fn features(bench: &Bench, file: &str, judge: &str) -> Vec<f64> {
    let table = bench.output(&format!("features {file} --only-own --judge {judge} -q"));
    table.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn figure_05_features_are_what_train_learns_from() {
    let bench = Bench::of(1);
    judged(&bench, "x.csv", 60);
    let columns: Vec<String> =
        bench.read("x.csv").lines().skip(1).map(|row| row.split(',').nth(6).unwrap().to_owned() + "\n").collect();
    bench.write("p.txt", columns.concat());
    let expected: Vec<f64> = (0..60).map(verdict).collect();
    for judge in ["p", "p:probability", "p=p.txt", "p:probability=p.txt", "s", "s:signed"] {
        let found = features(&bench, "x.csv", judge);
        assert!(found.iter().zip(&expected).all(|(one, other)| (one - other).abs() < 1e-12), "{judge}: {found:?}");
    }
    assert_eq!(features(&bench, "x.csv", "w"), expected.iter().map(|value| value.signum()).collect::<Vec<_>>());
    // A model learns the same from all forms of the same numbers.
    let learned = |judge: &str| {
        bench.output(&format!("train x.csv --only-own --folds 2 --judge {judge} -m {judge}.json -q"));
        let text = bench.read(&format!("{judge}.json"));
        let model: Value = serde_json::from_str(&text).unwrap();
        (model["columns"][0]["scale"]["difference"].clone(), model["columns"][0]["judge"]["scale"].clone())
    };
    let [(p, of_p), (s, of_s), (_, of_w)] = ["p", "s", "w"].map(learned);
    assert_eq!([of_p, of_s, of_w], [json!("probability"), json!("signed"), json!("words")]);
    let scale = |scale: &Value| scale.as_f64().unwrap();
    let squares: f64 = expected.iter().map(|value| value * value).sum();
    assert!((scale(&p) - (squares / 60.0).sqrt()).abs() < 1e-12 && (scale(&p) - scale(&s)).abs() < 1e-12, "{p} {s}");
}

#[test]
fn figure_05_one_row_does_not_turn_the_scale_of_a_column() {
    let bench = Bench::of(1);
    let probability = |at: usize| turn(&["0.2", "0.9", "0.6", "0.1"], at);
    for (wrong, declared) in [("-1", "j:signed"), ("1.02", "j:one-to-two"), ("3", "correct the value")] {
        table(&bench, "x.csv", "label,j", 300, |at| {
            format!("{},{}", turn(&["1", "-1"], at), if at == 200 { wrong } else { probability(at) })
        });
        let beside: Vec<String> =
            bench.read("x.csv").lines().skip(1).map(|row| row.rsplit(',').next().unwrap().to_owned() + "\n").collect();
        bench.write("j.txt", beside.concat());
        for (command, place) in [
            ("train x.csv --folds 2 --judge j", "x.csv:202, column 'j'"),
            ("compare x.csv --judge j", "x.csv:202, column 'j'"),
            ("rank x.csv --by j", "x.csv:202, column 'j'"),
            ("features x.csv --only-own --judge j", "x.csv:202, column 'j'"),
            ("compare x.csv --judge j=j.txt", "j.txt:201"),
        ] {
            let told = bench.refused(&format!("{command} -q"));
            let parts = [place, &format!("'{wrong}'"), "scale probability of the first 300 rows", declared];
            assert!(parts.iter().all(|part| told.contains(part)), "{command}: {told}");
        }
    }
    // A tie in a word is one half, and changes nothing else.
    let of_ties = |tie: &str| {
        table(&bench, "x.csv", "label,j", 300, |at| {
            format!("{},{}", turn(&["1", "-1"], at), if at == 200 { tie } else { probability(at) })
        });
        win_rate(&bench.json("rank x.csv --by j -q"), "x")
    };
    assert!((of_ties("tie") - of_ties("0.5")).abs() < 1e-12);
    assert!((of_ties("model_b") - of_ties("0")).abs() < 1e-12);
    // Later rows are checked, too.
    table(&bench, "x.csv", "label,j", 1200, |at| {
        format!("{},{}", turn(&["1", "-1"], at), if at < 1100 { turn(&["1", "0"], at) } else { "0.4" })
    });
    let told = bench.refused("compare x.csv --judge j -q");
    assert!(told.contains("x.csv:1102") && told.contains("scale words of the first 1000 rows"), "{told}");
    assert!(told.contains("j:probability"), "{told}");
    bench.output("compare x.csv --judge j:probability -q");
}

#[test]
fn figure_05_a_model_applies_its_scale_and_refuses_others() {
    let bench = Bench::of(1);
    judged(&bench, "x.csv", 60);
    let rename = |from: &str, file: &str| {
        let text = bench.read("x.csv").replace(&format!(",{from},"), ",j,").replace(&format!(",{from}\n"), ",j\n");
        bench.write(file, text);
    };
    rename("p", "p.csv");
    rename("w", "w.csv");
    for (from, to) in [("p", "w"), ("w", "p")] {
        bench.output(&format!("train {from}.csv --only-own --folds 2 --judge j -m {from}.json -q"));
        bench.output(&format!("train {to}.csv --only-own --folds 2 --judge j -m {to}.json -q"));
    }
    // Words mean what they mean, whatever the model learned.
    let predict = |model: &str, file: &str, options: &str| {
        bench.output(&format!("predict {file} -m {model} --ties 0 -q {options}")).lines().map(str::to_owned).collect()
    };
    let words: Vec<String> = predict("p.json", "w.csv", "");
    let own: Vec<String> = predict("w.json", "w.csv", "");
    assert_eq!(words, own);
    table(&bench, "tie.csv", "j", 2, |at| turn(&["tie", "0.5"], at).to_owned());
    let both = bench.output("predict tie.csv -m p.json --json -q");
    let given = |line: &str| serde_json::from_str::<Value>(line).unwrap()["probabilities"].clone();
    let given: Vec<Value> = both.lines().map(given).collect();
    assert_eq!(given[0], given[1]);
    // One learned on words does not read probabilities as numbers from -1 to 1, unless they are declared.
    let told = bench.run("predict p.csv -m w.json -q");
    assert_eq!(told.status, 1);
    let parts = ["p.csv:2, column 'j'", "scale words that the model learned", "j:probability"];
    assert!(parts.iter().all(|part| told.stderr.contains(part)), "{}", told.stderr);
    assert_eq!(bench.output("predict p.csv -m w.json --judge j:probability -q").lines().count(), 60);
    // Probabilities fit the scale of a model that learned numbers from -1 to 1: a note says how to declare them.
    rename("s", "s.csv");
    bench.output("train s.csv --only-own --folds 2 --judge j -m s.json -q");
    let told = bench.run("predict p.csv -m s.json").done().stderr;
    assert!(told.contains("none of 60 verdicts is negative") && told.contains("--judge j:probability"), "{told}");
    assert!(!bench.run("predict s.csv -m s.json").done().stderr.contains("negative"));
}

#[test]
fn figure_05_the_scale_is_stated() {
    let bench = Bench::of(1);
    judged(&bench, "x.csv", 60);
    let told = bench.run("compare x.csv --judge p,s,w").done().stderr;
    for (judge, scale) in [("p", "scale probability, a number from 0"), ("s", "scale signed, a number from -1")] {
        assert!(told.contains(&format!("Judge {judge}: {scale}")), "{told}");
    }
    let report = bench.json("compare x.csv --judge p,s,w -q");
    let scales: Vec<&Value> = report["judges"].as_array().unwrap().iter().map(|judge| &judge["scale"]).collect();
    assert_eq!(scales, ["probability", "signed", "words"]);
    bench.refuses("compare x.csv --judge p:signed,p:words", &["--judge: expected one scale for the judge 'p'"]);
    bench.refuses("features x.csv --judge p --unbuffered", &["--judge p:probability"]);
    // Files of one judge have one scale: the first shows it.
    table(&bench, "sure.csv", "label,p", 60, |at| format!("{},{}", turn(&["1", "-1"], at), turn(&["1", "0"], at)));
    bench.output("train x.csv sure.csv --judge p --only-own --folds 2 -m m.json -q");
    let model: Value = serde_json::from_str(&bench.read("m.json")).unwrap();
    let scale = model["columns"][0]["scale"]["difference"].as_f64().unwrap();
    let squares: f64 = (0..60).map(|at| verdict(at).powi(2)).sum();
    assert!((scale - ((squares + 60.0) / 120.0).sqrt()).abs() < 1e-12, "{scale}");
}

#[test]
fn figure_23_messages_name_the_fix() {
    let bench = Bench::of(1);
    let rows: Vec<Value> = (0..4)
        .map(|at| json!({"input": format!("q {at}"), "output_1": "good", "output_2": "bad one", "label": 1 + at % 2}))
        .collect();
    bench.write("llmbar.json", Value::Array(rows).to_string());
    bench.refuses("compare llmbar.json -q", &["llmbar.json:2", "found '2'", "--labels 1=1,2=-1"]);
    assert_eq!(labels(&bench, "llmbar.json", "--labels 1=1,2=-1"), [1.0, -1.0, 1.0, -1.0]);
    let signs = "--labels 2=1,1=1,0=0,-1=-1,-2=-1";
    table(&bench, "strong.csv", "label", 20, |at| turn(&["-2", "-1", "0", "1", "2"], at).to_owned());
    bench.refuses("compare strong.csv -q", &["strong.csv:2", "found '-2'", signs]);
    assert!(bench.output("strong.csv").contains(&format!("tribunal compare strong.csv {signs}\n")));
    assert_eq!(labels(&bench, "strong.csv", signs)[..5], [-1.0, -1.0, 0.0, 1.0, 1.0]);
    table(&bench, "x.csv", "label,js-2.1,js-2.2", 20, |at| turn(&["1,0.1,0.3", "-1,0.4,0.2"], at).to_owned());
    bench.output("train x.csv --own js-2- --only-own --folds 2 -m m.json -q");
    for (own, told) in [("js-2", "better; write --own js-2-"), ("js-2--", "found 'js-2--'; write --own js-2-")] {
        bench.refuses(&format!("predict x.csv -m m.json --own {own} -q"), &[told]);
    }
    bench.output("predict x.csv -m m.json --own js-2- -q");
}

#[test]
fn figure_23_three_columns_of_winners_say_yes_in_any_form() {
    let bench = Bench::of(1);
    let columns = "winner_model_a,winner_tie,winner_model_b";
    for (yes, no) in [("1", "0"), ("TRUE", "FALSE"), ("True", "False"), ("1.00", "0.00"), ("true", "")] {
        table(&bench, "x.csv", columns, 3, |at| {
            (0..3).map(|of| if of == at { yes } else { no }).collect::<Vec<_>>().join(",")
        });
        assert_eq!(labels(&bench, "x.csv", ""), [1.0, 0.0, -1.0], "{yes}");
    }
    table(&bench, "x.csv", columns, 1, |_| "yes,0,0".to_owned());
    bench.refuses("import table x.csv -q", &["x.csv:2, column 'winner_model_a'", "1 or 0, or true or false", "'yes'"]);
}

/// A file as AlpacaEval writes it, with the names in `annotator` by turns.
fn alpaca_eval(bench: &Bench, name: &str, annotators: &[&str]) {
    let row = |at: usize| {
        json!({
            "instruction": format!("question {at}"), "output_1": format!("answer number {at}"),
            "output_2": format!("reply no {at}"), "generator_1": "base", "generator_2": "new",
            "annotator": turn(annotators, at), "preference": turn(&["1.03", "1.9", "2", "1"], at).parse::<f64>().unwrap(),
        })
    };
    bench.write(name, Value::Array((0..40).map(row).collect()).to_string());
}

#[test]
fn figure_10_labels_of_a_model_are_not_called_human() {
    let bench = Bench::of(1);
    alpaca_eval(&bench, "x.json", &["weighted_gpt"]);
    let all = |command: &str| {
        let run = bench.run(command).done();
        run.stdout + &run.stderr
    };
    let [train, rank, compare, import] = [
        "train x.json --folds 2 -m m.json --report report",
        "rank x.json --html rank.html",
        "compare x.json -m m.json --ties likeliest",
        "import table x.json -o out.csv",
    ]
    .map(all);
    let explained = all("explain x.json -m m.json --line 2");
    let [page, ranking] = ["report/report.html", "rank.html"].map(|name| bench.read(name));
    for said in [&train, &rank, &compare, &import, &explained, &page, &ranking] {
        assert!(said.contains("erdicts of weighted_gpt") || said.contains("erdict of weighted_gpt"), "{said}");
        let human: Vec<&str> = said.lines().filter(|line| line.to_lowercase().contains("human label")).collect();
        assert!(human.is_empty(), "{human:?}");
    }
    assert_eq!(bench.json("compare x.json -m m.json -q")["labels_of"], "weighted_gpt");
    // Several names are people, and so is one whom the user calls an annotator.
    alpaca_eval(&bench, "people.json", &["ann", "bob"]);
    for command in ["compare people.json", "compare x.json --column annotator=annotator"] {
        let said = all(command);
        assert!(said.contains("human labels") && !said.contains("verdicts of"), "{said}");
    }
}
