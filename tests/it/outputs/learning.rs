//! What `train`, `features` and `predict` make of outputs.

use serde_json::{Value, json};

use super::{draw, marked, report, row_of, rows};
use crate::common::Bench;

#[test]
fn features_and_predictions_have_a_row_for_each_row_of_the_file() {
    let bench = Bench::of(1);
    bench.write(
        "o.csv",
        "prompt,system,output,ref,label,annotator,gpt,cost\n\
         q,s,the cat sat,the cat sat,pass,ann,pass,0.5\nq,s,the cat sat,the cat sat,fail,bob,fail,\n\
         q,t,\"a dog, barking\",the cat sat,fail,ann,,2\n",
    );
    let table = bench.output("features o.csv --judge gpt --own cost- -q");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0][..6], ["line", "id", "system", "group", "label", "bleu"]);
    let column = |name: &str| lines[0].iter().position(|known| *known == name).unwrap();
    let cells = |name: &str| lines[1..].iter().map(|line| line[column(name)]).collect::<Vec<_>>();
    assert_eq!((cells("line"), cells("label")), (vec!["2", "3", "4"], vec!["1", "0", "0"]));
    assert_eq!((cells("gpt"), cells("cost")), (vec!["1", "0", ""], vec!["0.5", "", "2"]));
    // They are those of `features` on pairs, without those that compare two hypotheses.
    bench.write("p.csv", "hyp1,hyp2,ref\nthe cat sat,\"a dog, barking\",the cat sat\n");
    let pairs = bench.output("features p.csv -q");
    let [names, values] = [0, 1].map(|line| pairs.lines().nth(line).unwrap().split(',').collect::<Vec<_>>());
    let of_pairs = |side: &str, name: &str| {
        values[names.iter().position(|known| *known == format!("{side}.{name}")).unwrap()].parse::<f64>().unwrap()
    };
    for name in &lines[0][5..lines[0].len() - 2] {
        let number = |line: usize| lines[line][column(name)].parse::<f64>().unwrap();
        assert_eq!([number(1), number(3)], ["h1", "h2"].map(|side| of_pairs(side, name)), "{name}");
    }
    assert_eq!(
        bench.output("features o.csv --judge gpt --only-own -q").lines().next(),
        Some("line,id,system,group,label,gpt")
    );
    bench.refuses("features o.csv --unbuffered", &["--unbuffered: expected pairs, found outputs, one a row"]);
    assert_eq!(bench.output("predict o.csv -m builtin -q").lines().count(), 4);
}

#[test]
fn a_model_learns_from_outputs_and_predicts_their_labels() {
    let bench = Bench::of(1);
    marked(&bench);
    let found = report(&bench, "train marked.csv --judge gpt --own points -m m.json --report folder");
    assert_eq!((&found["systems"][0]["name"], &found["rows"]), (&json!("ensemble"), &json!(360)));
    // Each signal tells a part, so that both together tell more; and expected pass rates are pass rates.
    let outputs = &found["outputs"];
    let figure = |name: &str, figure: &str| row_of(outputs, name)[figure]["value"].as_f64().unwrap();
    let area = |name| figure(name, "roc_area");
    assert!(area("ensemble") > area("points").max(area("gpt")), "{outputs}");
    assert!(outputs["gain"]["low"].as_f64().unwrap() > 0.0 && outputs["gain"]["over"] == "gpt", "{outputs}");
    let [model, rival] = [0, 1].map(|at| outputs["reliability"][at]["squared_error"].as_f64().unwrap());
    assert!(model < rival && outputs["reliability"][1]["name"] == "gpt", "{outputs}");
    let bins = outputs["reliability"][0]["bins"].as_array().unwrap();
    let counts: u64 = bins.iter().map(|bin| bin["outputs"].as_u64().unwrap()).sum();
    assert_eq!((counts, &outputs["subject"]), (360, &json!("ensemble")));
    let page = bench.read("folder/report.html");
    assert!(page.contains("Expected labels") && page.contains("expected pass rate") && page.contains("Beats gpt ("));
    assert!(page.find("<h2>Expected labels").unwrap() < page.find("<h2>What to do next").unwrap());
    assert!(bench.read("folder/expected.csv").starts_with("system,"));
    let text = bench.output("train marked.csv --judge gpt --own points -q");
    for part in
        ["ensemble: accuracy", "Beats gpt (", "points of balanced accuracy", "Calibration of ensemble: expected"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Without labels, in any form, and where a value is missing.
    let unlabelled = |(at, line): (usize, &str)| {
        let mut cells: Vec<&str> = line.split(',').collect();
        if at > 0 {
            cells[3] = ["?", ""][at % 2];
        }
        if at == 7 {
            cells[4] = "";
        }
        cells.join(",") + "\n"
    };
    let unlabelled: String = bench.read("marked.csv").lines().enumerate().map(unlabelled).collect();
    bench.write("new.csv", unlabelled);
    let lines = bench.output("predict new.csv -m m.json -q");
    let rows: Vec<Vec<&str>> = lines.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!((lines.lines().next(), rows.len()), (Some("line\tid\tsystem\tscore\tverdict\texpected"), 360));
    for row in &rows {
        let [score, expected] = [row[3], row[5]].map(|cell| cell.parse::<f64>().unwrap());
        assert!((0.0..=100.0).contains(&score) && (0.0..1.0).contains(&expected), "{row:?}");
        assert_eq!(row[4], if expected > 0.5 { "pass" } else { "fail" });
    }
    let said = bench.run("predict new.csv -m m.json -o new.jsonl").done().stderr;
    assert!(said.contains("new.csv: 1 of 360 outputs without a value of gpt"), "{said}");
    let first: Value = serde_json::from_str(bench.read("new.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!((first["line"].to_string(), first["expected"].to_string()), (rows[0][0].into(), rows[0][5].into()));
    // The least certain are left to people.
    let agreed = bench.run("predict marked.csv -m m.json --min-agreement 0.97 -o sure.csv").done();
    let sure = bench.read("sure.csv");
    let undecided = sure.lines().skip(1).filter(|line| line.split(',').nth(4) == Some("")).count();
    assert!(agreed.stderr.contains(&format!("{undecided} of 360 outputs undecided")), "{}", agreed.stderr);
    assert!((20..300).contains(&undecided), "{undecided}");
    // A judge that the model learned from may be named again, and is there once.
    assert_eq!(bench.output("predict new.csv -m m.json --judge gpt --own points -q"), lines);
    bench.refuses("predict new.csv -m m.json --judge claude", &["expected points, gpt, found 'claude'"]);
    bench.refuses("rank marked.csv --by gpt -m m.json", &["--model: expected a ranking by the model, or by both"]);
    let again = report(&bench, "compare marked.csv --judge gpt -m m.json");
    assert_eq!(again["rows"].as_array().unwrap().iter().filter(|row| row["name"] == "gpt").count(), 1, "{again}");
    // It stands for a judge in rankings, too.
    let ranked = report(&bench, "rank marked.csv --by both -m m.json");
    assert_eq!((&ranked["judge"], &ranked["by"]), (&json!("m"), &json!("human labels and m")));
    let by_model = report(&bench, "rank new.csv --by model -m m.json");
    let rates: Vec<f64> =
        by_model["systems"].as_array().unwrap().iter().map(|row| row["estimate"]["value"].as_f64().unwrap()).collect();
    assert!(rates.windows(2).all(|two| two[0] > two[1]) && (0.4..0.7).contains(&rates[1]), "{rates:?}");
    // A ready model is a row, and says that it has seen these prompts.
    let compared = bench.run("compare marked.csv -m m.json").done();
    assert!(
        compared.stdout.starts_with("m: accuracy") && compared.stderr.contains("prompts of 360 of these 360 outputs")
    );
    bench.write("lacking.csv", "prompt,output,gpt\nq,a,pass\n");
    bench.refuses("predict lacking.csv -m m.json", &["expected a column 'points'"]);
}

#[test]
fn a_model_learns_nothing_from_labels_without_a_reason() {
    // Labels are drawn, and so are the values beside them: out of fold, what was learned must not tell them.
    let bench = Bench::of(1);
    let row = |at: usize| {
        let [label, judge] = [1, 2].map(|seed| ["pass", "fail"][draw(at, seed, 2)]);
        let points: Vec<String> = (3..15).map(|seed| draw(at, seed, 1000).to_string()).collect();
        format!("q{},s{},text {},{label},{judge},{}\n", at / 3, at % 3, draw(at, 90, 5000), points.join(","))
    };
    let names: Vec<String> = (3..15).map(|seed| format!("n{seed}")).collect();
    let header = format!("prompt,system,output,label,gpt,{}\n", names.join(","));
    bench.write("noise.csv", header + &rows(450, row));
    let found = report(&bench, &format!("train noise.csv --judge gpt --own {}", names.join(",")));
    let ensemble = row_of(&found["outputs"], "ensemble");
    for figure in [&ensemble["binary"]["balanced_accuracy"], &ensemble["roc_area"], &ensemble["within"]] {
        let [value, low, high] = ["value", "low", "high"].map(|end| figure[end].as_f64().unwrap());
        assert!(value < 0.56 && low < 0.52 && high > 0.46, "{ensemble}");
    }
}

#[test]
fn a_model_expects_labels_that_are_numbers() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let label = 1 + draw(at, 1, 5);
        let [kind, other] = [2, 3].map(|seed| label as f64 + draw(at, seed, 30) as f64 / 10.0);
        format!("q{},text {at},{label},{kind},{other}\n", at / 3)
    };
    bench.write("numbers.csv", "prompt,output,score,kind,other\n".to_owned() + &rows(300, row));
    let found = report(&bench, "train numbers.csv --judge kind,other -m n.json");
    let numeric = &row_of(&found["outputs"], "ensemble")["numeric"];
    let best = row_of(&found["outputs"], "kind")["numeric"]["spearman"]["value"].as_f64().unwrap();
    assert!(numeric["spearman"]["value"].as_f64().unwrap() > best, "{found}");
    let bias = &numeric["bias"];
    assert!(bias["low"].as_f64().unwrap() < 0.0 && bias["high"].as_f64().unwrap() > 0.0, "{bias}");
    let lines = bench.output("predict numbers.csv -m n.json -q");
    let expected = lines.lines().skip(1).map(|line| line.split('\t').nth(5).unwrap().parse::<f64>().unwrap());
    let expected: Vec<f64> = expected.collect();
    let mean = expected.iter().sum::<f64>() / 300.0;
    assert!(expected.iter().all(|label| (1.0..=5.0).contains(label)) && (mean - 3.0).abs() < 0.3, "{mean}");
    bench.refuses("predict numbers.csv -m n.json --min-agreement 0.9", &["a model of labels that pass or fail"]);
}

#[test]
fn criteria_are_learned_each_and_their_weighted_mean_is_the_model() {
    let bench = Bench::of(1);
    let labels = |at: usize| {
        let fluency = (at > 2).then(|| 1 + draw(at, 2, 5));
        (usize::from(draw(at, 1, 5) < 3), fluency)
    };
    let row = |at: usize| {
        let (relevance, fluency) = labels(at);
        let (word, judge) =
            (["fail", "pass"][relevance], ["fail", "pass"][relevance ^ usize::from(draw(at, 3, 8) == 0)]);
        let fluency = fluency.map(|fluency| fluency.to_string()).unwrap_or_default();
        let points = fluency.parse().unwrap_or(3) + draw(at, 4, 3);
        format!("q{},text {at},{judge},{points},{word},{fluency}\n", at / 3)
    };
    bench.write("criteria.csv", "prompt,output,gpt,points,relevance,fluency\n".to_owned() + &rows(240, row));
    let command = "train criteria.csv --judge gpt --own points --criteria relevance=2,fluency -m c.json";
    let found = report(&bench, command);
    // Each has its own kind of labels and outputs, and a report as if it were the only one.
    let [relevance, fluency] = ["relevance", "fluency"].map(|name| &found["criteria"][name]);
    assert_eq!((&relevance["marks"], &relevance["outputs"]), (&json!("pass or fail"), &json!(240)));
    assert_eq!((&fluency["marks"], &fluency["outputs"]), (&json!("numbers"), &json!(237)));
    let alone = report(&bench, "train criteria.csv --judge gpt --own points --column label=fluency");
    assert_eq!(alone["outputs"]["rows"], fluency["rows"]);
    // Of the outputs with both labels, from 0 to 1 and from 1 to 5.
    let expected = (3..240).map(|at| (2.0 * labels(at).0 as f64 + (labels(at).1.unwrap() as f64 - 1.0) / 4.0) / 3.0);
    let mean = found["outputs"]["mean_label"].as_f64().unwrap();
    assert!((mean - expected.sum::<f64>() / 237.0).abs() < 1e-9 && found["outputs"]["outputs"] == 237, "{mean}");
    let text = bench.output(&format!("{command} --brief -q"));
    let headings = text.lines().filter(|line| ["relevance", "fluency", "weighted mean"].contains(line));
    assert!(headings.eq(["relevance", "fluency", "weighted mean"]), "{text}");
    let lines = bench.output("predict criteria.csv -m c.json -q");
    let labels = lines.lines().skip(1).map(|line| line.split('\t').nth(5).unwrap().parse::<f64>().unwrap());
    assert!(labels.clone().count() == 240 && labels.into_iter().all(|label| (0.0..=1.0).contains(&label)));
    let other = "--criteria: expected the names of different columns, two or more, and no labels by --column";
    for (arguments, told) in [
        ("criteria.csv --criteria relevance", other),
        ("criteria.csv --criteria relevance,relevance=2", other),
        ("criteria.csv --criteria relevance,fluency --column label=gpt", "found relevance, fluency, and such labels"),
        ("criteria.csv --criteria relevance,fluency --annotators gpt", "found relevance, fluency, and such labels"),
        ("criteria.csv --criteria relevance,style", "expected a column 'style'"),
        ("dev.pairs -a dev.answers --criteria a,b", "--criteria: expected outputs, one a row, found pairs"),
    ] {
        bench.refuses(&format!("train {arguments}"), &[told]);
    }
    let wrong = bench.run("train criteria.csv --criteria relevance=0,fluency");
    assert!(wrong.status == 2 && wrong.stderr.contains("NAME=WEIGHT with a weight above 0"), "{}", wrong.stderr);
}
