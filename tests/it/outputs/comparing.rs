//! How `compare` and `rank` judge judges, systems and grounding by labels of outputs.

use serde_json::{Value, json};

use super::{draw, marked, report, row_of, rows};
use crate::common::Bench;

#[test]
fn the_scale_of_a_judge_changes_no_estimate_and_is_told() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let label = 1 + draw(at, 1, 5);
        let judge = if draw(at, 2, 3) == 0 { 1 + draw(at, 3, 5) } else { label };
        let label = if at.is_multiple_of(3) { label.to_string() } else { String::new() };
        format!("Question {},{},answer {at},{label},{judge},{}\n", at / 2, ["a", "b"][at % 2], 20 * judge + 40)
    };
    bench.write("o.csv", "prompt,system,output,score,judge,percent\n".to_owned() + &rows(240, row));
    let found = |judge: &str| report(&bench, &format!("rank o.csv --by both --judge {judge}"));
    let (same, other) = (found("judge"), found("percent"));
    let estimates = |found: &Value| {
        let rows = found["systems"].as_array().unwrap().iter().chain([&found["all"]]);
        let of_row = |row: &Value| {
            [&row["estimate"], &row["labels_alone"]]
                .map(|one| ["value", "low", "high"].map(|key| one[key].as_f64().unwrap()))
        };
        rows.map(of_row).collect::<Vec<_>>().concat().concat()
    };
    for (one, two) in estimates(&same).into_iter().zip(estimates(&other)) {
        assert!((one - two).abs() < 1e-9 && (1.0..=5.0).contains(&one), "{one} {two}");
    }
    let told = |arguments: &str| bench.run(arguments).done().stderr;
    let note = "percent: values from 60 to 140 are on another scale than the labels, from 1 to 5: ";
    assert!(told("rank o.csv --by both --judge percent").contains(&(note.to_owned() + "they are mapped linearly")));
    assert!(told("compare o.csv --judge percent").contains(&(note.to_owned() + "no bias and no weighted kappa")));
    assert!(!told("rank o.csv --by both --judge judge").contains("scale"));
    // Two outputs of a system for a prompt are no repetition of a label, which is told.
    bench.write(
        "twice.csv",
        "prompt,system,output,annotator,label\nq,a,one,ann,pass\nq,a,two,ann,fail\nq,a,two,ann,pass\n",
    );
    let notes = told("rank twice.csv");
    for note in [
        "1 row with prompt, system, output and annotator of",
        "1 row with prompt, system and annotator of an earlier one and",
    ] {
        assert!(notes.contains(note), "{notes}");
    }
}

#[test]
fn reversed_labels_of_outputs_are_warned_of() {
    let bench = Bench::of(1);
    marked(&bench);
    let told = |file: &str| bench.run(&format!("compare {file} --judge gpt --own points")).done().stderr;
    assert!(!told("marked.csv").contains("against the labels"));
    let turn = |line: &str| {
        let mut fields: Vec<&str> = line.split(',').collect();
        let at = fields.len() - 3;
        fields[at] = match fields[at] {
            "pass" => "fail",
            "fail" => "pass",
            other => other,
        };
        fields.join(",") + "\n"
    };
    bench.write("turned.csv", bench.read("marked.csv").lines().map(turn).collect::<String>());
    let told = told("turned.csv");
    for judge in ["gpt", "points"] {
        let warning = format!("warning: {judge} orders the outputs against the labels (ROC area 0.");
        assert!(told.contains(&warning) && told.contains(&format!("write --own {judge}-")), "{told}");
    }
}

#[test]
fn a_judge_is_compared_with_labels_that_pass_or_fail() {
    let bench = Bench::of(1);
    marked(&bench);
    let found = report(&bench, "compare marked.csv --judge gpt --own points --report folder");
    let judge = &row_of(&found, "gpt")["binary"];
    let table = bench.read("marked.csv");
    let cells: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let share = |is: &dyn Fn(&[&str]) -> bool, of: &dyn Fn(&[&str]) -> bool| {
        let all = || cells.iter().filter(|row| of(row));
        all().filter(|row| is(row)).count() as f64 / all().count() as f64
    };
    let agree = |row: &[&str]| row[3] == row[4];
    let close = |value: &Value, expected: f64| assert!((value.as_f64().unwrap() - expected).abs() < 1e-12, "{value}");
    close(&judge["accuracy"]["value"], share(&agree, &|_| true));
    close(&judge["true_positive_rate"]["value"], share(&agree, &|row| row[3] == "pass"));
    close(&judge["true_negative_rate"]["value"], share(&agree, &|row| row[3] == "fail"));
    // Of verdicts, the area is the balanced accuracy: one value, with one interval.
    assert_eq!(row_of(&found, "gpt")["roc_area"], judge["balanced_accuracy"]);
    // Points have a threshold, which is chosen on other folds, and an area that needs none.
    let points = row_of(&found, "points");
    assert!(points["threshold"].as_f64().unwrap() > 1.0 && points["roc_area"]["value"].as_f64().unwrap() > 0.7);
    assert_eq!((&found["outputs"], &found["groups"], &found["subject"]), (&json!(360), &json!(120), &json!("gpt")));
    let text = bench.output("compare marked.csv --judge gpt --own points -q");
    for part in [
        "balanced accuracy",
        "of the outputs that people pass",
        "Cohen's kappa",
        "Of two outputs of a prompt with different labels",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let brief = bench.output("compare marked.csv --judge gpt --brief -q");
    assert!(text.contains(&brief[..60]) && !brief.contains("coverage"), "{brief}");
    assert!(bench.read("folder/report.html").contains("How well does gpt agree with human labels on marked.csv?"));
    assert!(bench.read("folder/agreement.csv").starts_with("system,balanced_accuracy,"));
}

#[test]
fn labels_may_be_numbers_of_several_annotators() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let label = 1 + draw(at, 1, 4);
        let other = label + usize::from(draw(at, 2, 3) == 0);
        let of = |annotator: &str, label: usize| {
            let kind = label as f64 + 0.5;
            format!(
                "{{\"prompt\":\"p{}\",\"output\":\"o{at}\",\"ref\":\"o {at}\",\"annotator\":\"{annotator}\",\"score\":{label},\"kind\":{kind}}}\n",
                at / 2
            )
        };
        of("ann", label) + &of("bob", other)
    };
    bench.write("scores.jsonl", rows(80, row));
    let found = report(&bench, "compare scores.jsonl --judge kind");
    let numeric = &row_of(&found, "kind")["numeric"];
    assert!(numeric["spearman"]["value"].as_f64().unwrap() > 0.9, "{numeric}");
    assert!(
        numeric["bias"]["low"].as_f64().unwrap() > 0.0 && numeric["weighted_kappa"]["value"].is_number(),
        "{numeric}"
    );
    // With references there are metrics, and with two annotators one is compared with the other.
    assert!(row_of(&found, "chrf")["within"]["value"].is_number());
    assert_eq!(found["rows"][0]["name"], "human");
    let text = bench.output("compare scores.jsonl --judge kind -q");
    assert!(text.contains("too kind (95% CI") && text.contains("human: each annotator against the others"), "{text}");
}

#[test]
fn systems_are_ranked_by_marks_a_judge_or_both() {
    let bench = Bench::of(1);
    marked(&bench);
    let by_labels = report(&bench, "rank marked.csv");
    let systems: Vec<&str> =
        by_labels["systems"].as_array().unwrap().iter().map(|row| row["system"].as_str().unwrap()).collect();
    assert_eq!(systems, ["good", "fair", "poor"]);
    assert!(by_labels["differences"][0]["is_clear"].as_bool().unwrap());
    // A part of the labels, and the judge on all.
    let part: String = bench
        .read("marked.csv")
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let mut cells: Vec<&str> = line.split(',').collect();
            if at > 90 {
                cells[3] = "";
            }
            cells.join(",") + "\n"
        })
        .collect();
    bench.write("part.csv", part);
    let both = report(&bench, "rank part.csv --by both --judge gpt --html rank.html");
    let all = &both["all"];
    let width = |estimate: &Value| estimate["high"].as_f64().unwrap() - estimate["low"].as_f64().unwrap();
    assert!(width(&all["estimate"]) < width(&all["labels_alone"]), "{all}");
    assert!(both["by_rates"]["value"].is_number() && all["labels"] == 90);
    let text = bench.output("rank part.csv --by both --judge gpt -q");
    assert!(
        text.contains("gpt says ") && text.contains("people would say ") && text.contains("Rogan and Gladen"),
        "{text}"
    );
    assert!(bench.read("rank.html").contains("Which system is better on part.csv, by human labels and gpt?"));
    // The raw judge moves the rate by the mean of its errors, and a judge that does not count not at all.
    let rate = |lambda: &str| {
        report(&bench, &format!("rank part.csv --by both --judge gpt --lambda {lambda}"))["all"]["estimate"]["value"]
            .as_f64()
            .unwrap()
    };
    let tuned = all["estimate"]["value"].as_f64().unwrap();
    let [none, raw] = ["0", "1"].map(rate);
    assert!(none == all["labels_alone"]["value"] && (tuned - none) * (tuned - raw) < 0.0, "{none} {tuned} {raw}");
    let by_judge = bench.output("rank part.csv --by gpt -q");
    assert!(by_judge.contains("By gpt, the pass rate of 360 outputs is"), "{by_judge}");
}

/// 60 prompts with a list of two passages and three outputs, of which the first repeats them, the second half of them and the
/// third nothing; one label in eight is reversed.
fn grounded(bench: &Bench) {
    let nouns = ["bridge", "museum", "garden", "harbour", "library", "market", "station", "theatre"];
    let noun = |at: usize, seed: usize| nouns[(at / 3 + seed) % 8];
    let row = |at: usize| {
        let places = [noun(at, 0), noun(at, at % 3), noun(at, 2 * (at % 3))];
        let contexts = [format!("The {} closed in {}.", noun(at, 0), 1900 + at / 3), "Nobody knows why.".to_owned()];
        let year = 1900 + at / 3 + at % 3;
        let passes = at.is_multiple_of(3) ^ (draw(at, 5, 8) == 0);
        json!({"prompt": format!("Question {}?", at / 3), "system": (["a", "b", "c"][at % 3]), "contexts": contexts,
            "output": format!("The {} closed in {year}. Why did the {} close?", places[1], places[2]),
            "label": passes, "tone": draw(at, 6, 50)})
        .to_string()
            + "\n"
    };
    bench.write("rag.jsonl", rows(180, row));
}

#[test]
fn outputs_are_compared_with_their_contexts() {
    let bench = Bench::of(1);
    grounded(&bench);
    let found = report(&bench, "compare rag.jsonl --own tone");
    let area = |found: &Value, name: &str| row_of(found, name)["roc_area"]["value"].as_f64().unwrap();
    assert!(area(&found, "grounding") > 0.8 && area(&found, "tone") < 0.65, "{found}");
    for name in ["grounding-bigrams", "grounding-sentences"] {
        assert!(area(&found, name) > 0.6 && row_of(&found, name)["kind"] == row_of(&found, "characters")["kind"]);
    }
    // A model learns from them, and finds them again where no column has their names.
    let trained = report(&bench, "train rag.jsonl --own tone -m m.json");
    assert!(area(&trained["outputs"], "ensemble") > 0.8, "{trained}");
    let lines = bench.output("predict rag.jsonl -m m.json -q");
    let verdicts: Vec<&str> = lines.lines().skip(1).map(|line| line.split('\t').nth(4).unwrap()).collect();
    let right =
        verdicts.iter().enumerate().filter(|(at, verdict)| at.is_multiple_of(3) == (**verdict == "pass")).count();
    assert!(right > 160, "{right}");
    let ranked = report(&bench, "rank rag.jsonl --by grounding");
    let best = &ranked["systems"][0];
    assert_eq!(
        (&best["system"], &best["estimate"]["value"], &ranked["by"]),
        (&json!("a"), &json!(1.0), &json!("grounding"))
    );
    assert_eq!(report(&bench, "rank rag.jsonl --by both -m m.json")["judge"], "m");
    bench.refuses("rank rag.jsonl --by both", &["expected one judge", "found 0 named"]);

    // Where contexts are missing, so are values, which are not outside of any range.
    let partly = |(at, line): (usize, &str)| match at % 3 {
        0 => format!("{line}\n"),
        _ => line.replace("\"contexts\":[", "\"unused\":[") + "\n",
    };
    bench.write("partly.jsonl", bench.read("rag.jsonl").lines().enumerate().map(partly).collect::<String>());
    let partly = bench.run("predict partly.jsonl -m m.json").done().stderr;
    assert!(
        partly.contains("120 of 180 outputs without a context") && !partly.contains("outside the range"),
        "{partly}"
    );

    // One context is a text, and may have any name.
    let renamed = bench.read("rag.jsonl").replace("\"contexts\":[", "\"documents\":[");
    bench.write("named.jsonl", &renamed);
    assert_eq!(bench.output("predict named.jsonl -m m.json --column context=documents -q"), lines);
    for command in ["predict named.jsonl -m m.json", "rank named.jsonl --by grounding", "compare named.jsonl -m m.json"]
    {
        bench.refuses(command, &["named.jsonl", "contexts of the outputs, from which 'grounding", "context=NAME"]);
    }
    bench.write("text.csv", "prompt,context,output,label,grounding\np,The sea is blue.,Blue,pass,1\nq,,Red,fail,2\n");
    let some = bench.run("compare text.csv").done();
    assert!(some.stdout.contains("grounding") && !some.stdout.contains("grounding-sentences"), "{}", some.stdout);
    assert!(some.stderr.contains("1 of 2 outputs without a context"), "{}", some.stderr);
    bench.refuses(
        "compare text.csv --own grounding",
        &["expected no column 'grounding', as it is computed from contexts"],
    );
    bench.write("pairs.csv", "prompt,hyp1,hyp2,label\nq,a,b,1\n");
    bench.refuses("compare pairs.csv --column context=a", &["expected a table with a hypothesis a row"]);
}

#[test]
fn agreement_is_broken_down_by_a_column() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let (topic, label) = (["x", "y", ""][at % 3], if at % 5 < 3 { "pass" } else { "fail" });
        let judge = if at.is_multiple_of(7) { "fail" } else { label };
        format!("p{at},text {at},{label},{judge},{topic},{},{}\n", at % 5, at * 3 % 7)
    };
    let rows: String = (0..90).map(row).collect();
    bench.write("o.csv", format!("prompt,output,label,gpt,topic,score,points\n{rows}"));
    for (command, figure) in [
        ("compare o.csv --judge gpt", "balanced accuracy"),
        ("compare o.csv --judge points --column label=score", "Spearman"),
    ] {
        let command = format!("{command} --by-column topic");
        let found = bench.json(&format!("{command} -q"))["breakdown"].clone();
        let parts = found["parts"].as_array().unwrap();
        assert_eq!(parts.iter().map(|part| &part["name"]).collect::<Vec<_>>(), ["x", "y", "(none)"]);
        assert!(parts.iter().all(|part| part["outputs"] == 30 && part["groups"] == 30));
        let of = |part: &Value| part["systems"][0]["value"].as_f64().unwrap();
        let average = &found["macro_averages"][0];
        assert!((average["value"].as_f64().unwrap() - parts.iter().map(of).sum::<f64>() / 3.0).abs() < 1e-12);
        assert!(average["low"].as_f64() < average["value"].as_f64());
        let text = bench.output(&format!("{command} -q"));
        assert!(text.contains(&format!("{figure} by topic\n")) && text.contains("\nmacro average "), "{text}");
    }
    bench.refuses("compare o.csv --judge gpt --by-column genre", &["o.csv:1: expected a column 'genre'"]);
    // Every label counts beside a judge that does not answer all outputs.
    let silent = (0..90)
        .map(row)
        .enumerate()
        .map(|(at, row)| if at % 5 == 4 { row.replace(",fail,fail", ",fail,") } else { row });
    bench.write("s.csv", format!("prompt,output,label,gpt,topic,score,points\n{}", silent.collect::<String>()));
    let both = bench.json("rank s.csv --by both --judge gpt -q");
    assert!((both["all"]["estimate"]["value"].as_f64().unwrap() - 0.6).abs() < 1e-9 && both["labels"] == 90, "{both}");
}

#[test]
fn labels_are_matched_by_id_or_by_what_their_table_has() {
    let bench = Bench::of(1);
    bench.write("o.csv", "id,prompt,system,output\n1,p,a,x\n2,p,b,y\n3,q,a,x\n4,q,b,z\n");
    bench.write("ids.csv", "id,label\n1,pass\n2,fail\n4,fail\n");
    let found = bench.json("rank o.csv -a ids.csv -q");
    assert_eq!((found["labels"].as_u64(), found["all"]["estimate"]["value"].as_f64()), (Some(3), Some(1.0 / 3.0)));
    bench.write("texts.csv", "output,label\ny,fail\nz,pass\n");
    assert_eq!(bench.json("rank o.csv -a texts.csv -q")["labels"], 2);
    bench.write("both.csv", "output,label\nx,fail\nz,pass\n");
    bench.refuses(
        "rank o.csv -a both.csv",
        &["both.csv:2: expected what tells outputs apart, found the output 'x' of several"],
    );
    // Labels by id, where one id stands for several outputs.
    bench.write("twice.csv", "id,prompt,system,output\n1,p,a,x\n1,p,b,y\n");
    let advice = "found the id '1' of several; give each of them an id of its own";
    bench.refuses("rank twice.csv -a ids.csv", &[advice]);
    bench.write("none.csv", "id,label\n1,\n");
    bench.refuses("rank o.csv -a none.csv", &["none.csv: expected human labels of some rows, found none"]);
    bench.write("other.csv", "id,label\n7,pass\n");
    bench.refuses("rank o.csv -a other.csv", &["other.csv:2: expected the id of one of the outputs, found '7'"]);
}
