//! Commands on tables with one output a row: judges against labels that pass or fail or are numbers, rates of systems, and
//! which outputs to label.

use serde_json::{Value, json};

use crate::common::Bench;

/// Rows of a table or objects, by their number.
fn rows(count: usize, row: impl Fn(usize) -> String) -> String {
    (0..count).map(row).collect()
}

/// A number from 0 to below `count` that looks random.
fn draw(at: usize, seed: usize, count: usize) -> usize {
    let mixed = (at * 7919 + seed * 104_729 + 13).wrapping_mul(2_654_435_761) % 1_000_003;
    (mixed / 7) % count
}

/// 120 prompts with an output of each of three systems, of which `good` passes most often. The judge is right five times of
/// six, and its `points` are from 1 to 5.
fn marked(bench: &Bench) {
    let row = |at: usize| {
        let (prompt, system) = (at / 3, at % 3);
        let passes = draw(at, 1, 10) < [8, 5, 3][system];
        let judge = passes ^ (draw(at, 2, 6) == 0);
        let points = 1 + usize::from(passes) * 2 + draw(at, 3, 3);
        let word = |is: bool| if is { "pass" } else { "fail" };
        let system = ["good", "fair", "poor"][system];
        format!("Question {prompt}?,{system},answer {at} of {system},{},{},{points}\n", word(passes), word(judge))
    };
    bench.write("marked.csv", "prompt,system,output,label,gpt,points\n".to_owned() + &rows(360, row));
}

fn report(bench: &Bench, arguments: &str) -> Value {
    serde_json::from_str(&bench.output(&format!("{arguments} --json -q"))).unwrap()
}

fn row_of<'r>(report: &'r Value, name: &str) -> &'r Value {
    let rows = report["rows"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {report}"))
}

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

/// Two annotators of 60 outputs, who agree on 45, with a judge that has the first one's marks on the first 40.
fn divided(bench: &Bench) {
    let word = |is: bool| if is { "pass" } else { "fail" };
    let row = |at: usize| {
        let passes = draw(at, 1, 2) == 0;
        let judge = if at < 40 { word(passes) } else { "" };
        let row = format!(
            "q{},s{},answer {at},{},{},{judge}",
            at / 2,
            at % 2,
            word(passes),
            word(passes ^ at.is_multiple_of(4))
        );
        format!("{row},{}\n", draw(at, 2, 50))
    };
    bench.write("two.csv", "prompt,system,output,ann,bob,gpt,noise\n".to_owned() + &rows(60, row));
}

#[test]
fn figures_say_of_which_outputs_they_are() {
    let bench = Bench::of(1);
    divided(&bench);
    let found = report(&bench, "compare two.csv --annotators ann,bob --judge gpt --own noise");
    // Each annotator is compared where they disagree, too; judges are not.
    assert_eq!(row_of(&found, "human")["binary"]["accuracy"]["value"], 0.75);
    assert_eq!((&found["outputs"], &found["divided"], &found["unlabelled"]), (&json!(45), &json!(15), &json!(0)));
    let judge = row_of(&found, "gpt");
    assert_eq!((&judge["outputs"], &judge["binary"]["accuracy"]["value"]), (&json!(30), &json!(1.0)));
    let [one, other] = [0, 1].map(|at| found["gain"]["figures"][at].as_f64().unwrap());
    assert!((one - other - found["gain"]["value"].as_f64().unwrap()).abs() < 1e-12 && one == 1.0, "{found}");
    let text =
        bench.run("compare two.csv --annotators ann,bob --judge gpt --own noise").done().stdout.replace('\n', " ");
    for part in [
        "30 of 45 labelled outputs, ",
        "% on the 30 outputs with values of both) by ",
        "15 outputs without a majority of annotators, which count in human alone",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let ranked = bench.run("rank two.csv --annotators ann,bob").done();
    assert!(ranked.stderr.contains("15 outputs with as many labels that pass as that fail"), "{}", ranked.stderr);
    assert!(ranked.stdout.contains("the pass rate of 45 of 60 outputs is"), "{}", ranked.stdout);
    bench.refuses("compare two.csv --annotators ann,bob --column prompt=question", &["expected a column 'question'"]);
    bench.refuses("compare two.csv --column output=reply", &["expected a column 'reply'"]);
    bench.write("score.csv", "output,verdict,score\na,good,1\nb,poor,0\nc,maybe,1\nd,good,0\n");
    bench
        .refuses("compare score.csv --judge score", &["expected human labels beside the signal 'score'", "label=NAME"]);
    // A tie is no label.
    let named = report(&bench, "rank score.csv --column label=verdict --labels good=1,poor=-1,maybe=0");
    assert_eq!(
        (&named["labels"], named["all"]["estimate"]["value"].as_f64().unwrap().mul_add(3.0, 0.5) as u32),
        (&json!(3), 2)
    );
}

#[test]
fn labels_of_a_page_join_those_of_the_file() {
    let bench = Bench::of(1);
    bench.write("traces.csv", include_str!("../../data/sample/traces.csv"));
    // An eighth of the prompts has ties alone: the curve begins where there is something to learn.
    let found = report(&bench, "train traces.csv --judge gpt --own faithfulness --curve -m few.json");
    let few = found["outputs"]["outputs"].as_u64().unwrap();
    assert!(!found["learning_curve"].as_array().unwrap().is_empty(), "{found}");
    let more = "prompt,system,output,label\n".to_owned()
        + &bench
            .read("traces.csv")
            .lines()
            .filter(|line| line.ends_with(",,pass") || line.ends_with(",,fail"))
            .fold(String::new(), |all, line| {
                all + line.rsplitn(5, ',').last().unwrap() + "," + line.rsplit(',').next().unwrap() + "\n"
            });
    bench.write("more.csv", &more);
    let count = few + more.lines().count() as u64 - 1;
    for command in ["compare traces.csv -a more.csv --judge gpt", "compare traces.csv -a more.csv -m few.json"] {
        let found = report(&bench, command);
        assert_eq!(found["outputs"], count);
        // What a model passes is what its verdicts pass.
        if let Some(model) = found["rows"].as_array().unwrap().iter().find(|row| row["name"] == "few") {
            let passes = (model["mean"].as_f64().unwrap() * count as f64).fract();
            assert!(passes.min(1.0 - passes) < 1e-6, "{model}");
        }
    }
    let trained = report(&bench, "train traces.csv -a more.csv --judge gpt --own faithfulness");
    assert_eq!(trained["outputs"]["outputs"], count);
    let brief = bench.output("train traces.csv -a more.csv --judge gpt --own faithfulness --brief -q");
    assert!(brief.contains("of the outputs that people pass"), "{brief}");
    bench.refuses(
        "train traces.csv -a more.csv --criteria label,label2",
        &["--answers: expected labels in the columns of the criteria"],
    );
}

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

#[test]
fn outputs_that_say_nothing_get_one_message() {
    let bench = Bench::of(1);
    marked(&bench);
    bench.write("mixed.csv", "prompt,output,label\np,a,pass\nq,b,3\n");
    bench.write("one.csv", "prompt,output,label\np,a,pass\nq,b,true\n");
    bench.write("none.csv", "prompt,output\np,a\nq,b\n");
    bench.write("word.csv", "prompt,output,label\np,a,pass\nq,b,perhaps\n");
    bench.write("twice.csv", "prompt,system,output,annotator,label\np,s,a,ann,pass\np,s,a,ann,fail\nq,s,b,ann,fail\n");
    bench.write("garbage.csv", "prompt,output,label,j\np,a,pass,x\nq,b,fail,z\n");
    bench.write("alone.csv", "prompt,output,label\np,a,pass\nq,b,fail\n");
    bench.write("alike.csv", "prompt,output,label\np,a,pass\np,b,pass\nq,b,fail\nq,c,fail\n");
    bench.write("part.csv", "prompt,output,label\np,a,pass\nq,b,\n");
    bench.write("elsewhere.csv", "prompt,output,label\np,z,pass\n");
    bench.write("numbers.csv", "prompt,output,label\np,a,3\nq,b,2\n");
    bench.write("drawn.csv", "prompt,output,label,drawn\np,a,pass,0.5\nq,b,fail,\nq,c,,\n");
    let arena = |at: usize| format!("q{at},one {at},two {at},{},{}\n", [1, -1][at % 2], [1, -1][at / 2 % 2]);
    bench.write("arena.csv", "prompt,hyp1,hyp2,label,judge\n".to_owned() + &rows(40, arena));
    bench.run("train arena.csv --judge judge -m judged.json").done();
    for (command, told) in [
        (
            "compare mixed.csv",
            "pass and fail, or numbers, in the whole column 'label', found 'pass' in mixed.csv:2 and '3' in mixed.csv:3",
        ),
        ("compare one.csv", "expected labels that differ, found 2 labels: all pass"),
        ("compare none.csv", "expected human labels of some outputs, found none"),
        ("compare word.csv", "word.csv:3, column 'label': expected a label: pass, fail or a number, found 'perhaps'"),
        ("compare garbage.csv --judge j", "expected pass, fail or a number, found 2 of 2 others, such as 'x'"),
        ("compare marked.csv --judge gpt --column label=gpt", "expected a signal other than the human labels"),
        ("compare marked.csv --judge claude", "expected a column 'claude'"),
        ("compare marked.csv --judge gpt=x.txt", "expected the names of columns, found the file x.txt"),
        ("compare marked.csv --matrix", "--matrix: expected pairs, found outputs, one a row"),
        ("compare marked.csv --epsilon 0.1", "--epsilon: expected labels of several annotators, found none"),
        ("compare marked.csv --merge", "--merge: expected pairs, found outputs, one a row"),
        ("compare marked.csv --column hyp1=a", "expected the roles of outputs"),
        ("compare marked.csv --column weight=prompt", "expected the roles of outputs"),
        ("rank marked.csv --by both", "expected one judge whose values stand beside the labels, found 0 named"),
        ("rank marked.csv --by model", "expected a model that was trained on outputs, found none"),
        ("rank marked.csv --by both -m judged.json", "expected a model that scores single outputs, found the judge"),
        (
            "rank marked.csv --by both -m builtin-any",
            "expected a model that was trained on outputs, found one of pairs",
        ),
        ("rank arena.csv --lambda 1", "--lambda: expected outputs, one a row, found pairs"),
        ("rank marked.csv --style-control", "--style-control: expected pairs"),
        ("next marked.csv", "outputs: expected outputs without a label, found none"),
        ("next none.csv --random 0", "--random: expected a share above 0"),
        ("next none.csv -m builtin-any", "expected a model that was trained on outputs, found one of pairs"),
        (
            "next none.csv -a elsewhere.csv",
            "elsewhere.csv:2: expected the texts of one of the outputs, found other texts",
        ),
        ("next part.csv -a numbers.csv", "numbers.csv: expected labels of the kind that the outputs have"),
        ("next drawn.csv", "expected the probability with which it was drawn, in the column drawn, for all labels or"),
        ("rank none.csv -a elsewhere.csv --by gpt --judge gpt", "--answers: expected a ranking by human labels"),
        (
            "annotate numbers.csv -o x.html",
            "--scale: expected a scale for labels that are numbers, found labels from 2 to 3",
        ),
        ("annotate numbers.csv -o x.html --scale 3-5", "--scale: expected a scale that has all labels of the file"),
        ("annotate marked.csv -o x.html --controls 361", "--controls: expected at most 360, the number of outputs"),
        ("annotate arena.csv -o x.html --scale 1-5", "--scale: expected outputs, one a row, found pairs"),
        ("annotate arena.csv -o x.html --judge judge", "--judge: expected outputs, one a row, found pairs"),
        ("train marked.csv --judge gpt --answers a.txt", "a.txt: no such file"),
        ("train alone.csv", "expected two outputs of a prompt with different labels of an annotator, found none"),
        ("train alike.csv", "of an annotator, found 2 pairs, all alike"),
        ("predict marked.csv --ties 0.1", "--ties: expected pairs, found outputs, one a row"),
        ("predict marked.csv --min-agreement 0.9", "expected a model of labels that pass or fail, found another one"),
        ("compare marked.csv -m judged.json", "expected a model that scores single outputs, found the judge 'judge'"),
    ] {
        bench.refuses(command, &[told]);
    }
    let twice = bench.run("compare twice.csv").done();
    assert!(
        twice.stderr.contains("1 row with prompt, system, output and annotator of an earlier one"),
        "{}",
        twice.stderr
    );
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
    bench.run("predict new.csv -m m.json -o new.jsonl").done();
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

/// Of this chapter, the commands on the examples in `data/exports`.
const CHAPTER: &str = include_str!("../../docs/outputs.md");

#[test]
fn exports_of_evaluation_tools_are_read_by_the_names_of_their_columns() {
    let bench = Bench::of(1);
    let found = |file: &str, text: &str| {
        bench.write(file, text);
        let command = format!("$ tribunal COMMAND {file} ");
        let shown = ["rank", "compare"].map(|name| command.replace("COMMAND", name));
        let line = CHAPTER.lines().find(|line| shown.iter().any(|start| line.starts_with(start))).unwrap();
        report(&bench, line.trim_start_matches("$ tribunal "))
    };
    let ranked = found("promptfoo.jsonl", include_str!("../../data/exports/promptfoo.jsonl"));
    let rates = [("openai:gpt-4o-mini", 4.0), ("anthropic:messages:claude-3-5-haiku-20241022", 3.0)];
    for (row, (system, passed)) in ranked["systems"].as_array().unwrap().iter().zip(rates) {
        let rate = row["estimate"]["value"].as_f64().unwrap();
        assert!(row["system"] == system && (rate - passed / 6.0).abs() < 1e-9, "{row}");
    }
    // A scorer's letters, C for correct and I for incorrect.
    let compared = found("inspect.csv", include_str!("../../data/exports/inspect.csv"));
    assert_eq!(row_of(&compared, "score_match")["binary"]["accuracy"]["value"], 0.5);
    assert_eq!(row_of(&compared, "score_model_graded_qa")["binary"]["accuracy"]["value"], 0.75);
    // Contexts are lists, and a score is missing.
    let compared = found("ragas.jsonl", include_str!("../../data/exports/ragas.jsonl"));
    let coverage = row_of(&compared, "faithfulness")["binary"]["coverage"].as_f64().unwrap();
    assert!((coverage - 11.0 / 12.0).abs() < 1e-9, "{coverage}");
    assert!(row_of(&compared, "bleu")["threshold"].is_number());
    let compared = found("deepeval.jsonl", include_str!("../../data/exports/deepeval.jsonl"));
    let relevancy = row_of(&compared, "Answer Relevancy");
    assert!(relevancy["roc_area"]["value"].is_number() && row_of(&compared, "bleu")["threshold"].is_number());
    assert_eq!((&compared["outputs"], &compared["groups"]), (&json!(12), &json!(6)));
}

/// The rows of a table without quotes.
fn cells(table: &str) -> Vec<Vec<String>> {
    table.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// What the page would export of a table that `next` wrote: the label of each output, by its text, from the whole table.
fn labelled(bench: &Bench, next: &str, annotator: &str) -> String {
    let truth = cells(&bench.read("marked.csv"));
    let label = |text: &String| truth.iter().find(|row| row[2] == *text).unwrap()[3].clone();
    let mut rows = cells(&bench.read(next));
    let [output, given, name] =
        ["output", "label", "annotator"].map(|name| rows[0].iter().position(|known| known == name).unwrap());
    for row in rows.iter_mut().skip(1).filter(|row| row[given].is_empty()) {
        (row[given], row[name]) = (label(&row[output]), annotator.to_owned());
    }
    rows.into_iter().map(|row| row.join(",") + "\n").collect()
}

#[test]
fn outputs_are_drawn_labelled_and_weighed_wave_by_wave() {
    let bench = Bench::of(1);
    marked(&bench);
    // A second judge disputes every fifth output, and only the first 60 have labels.
    let mut rows = cells(&bench.read("marked.csv"));
    rows[0].push("claude".to_owned());
    for (at, row) in rows.iter_mut().enumerate().skip(1) {
        let other = if at.is_multiple_of(5) == (row[4] == "pass") { "fail" } else { "pass" };
        row.push(other.to_owned());
        if at > 60 {
            row[3].clear();
        }
    }
    bench.write("pool.csv", rows.into_iter().map(|row| row.join(",") + "\n").collect::<String>());
    let said = bench.run("next pool.csv -n 60 --judge gpt,claude -o next.csv").done().stderr;
    assert!(said.contains("60 of 300 outputs without a label drawn"), "{said}");
    let rows = cells(&bench.read("next.csv"));
    assert_eq!(rows[0].join(","), "prompt,system,output,drawn,wave,gpt,claude,label,annotator");
    assert_eq!((rows.len(), &rows[1][4], &rows[61][4]), (121, &"2".to_owned(), &"1".to_owned()));
    assert_eq!(rows[61][3], (60.0_f64 / 360.0).to_string());
    let disputed = rows[1..61].iter().filter(|row| row[5] != row[6]).count();
    assert!(disputed > 25, "{disputed}");
    assert_eq!(bench.output("next pool.csv -n 60 --judge gpt,claude -q"), bench.read("next.csv"));
    bench.output("annotate next.csv -o page.html --judge gpt,claude -q");
    assert_eq!(data(&bench.read("page.html"))["columns"], json!(rows[0][..7]));
    // Its labels are read back, with the columns beside them, by all commands.
    bench.write("next-ann.csv", labelled(&bench, "next.csv", "ann"));
    let compared = bench.run("compare next-ann.csv --judge gpt,claude").done();
    assert!(
        compared.stderr.contains("next-ann.csv: labels were drawn with different probabilities"),
        "{}",
        compared.stderr
    );
    assert_eq!(report(&bench, "compare next-ann.csv --judge gpt")["outputs"], 120);
    bench.output("train next-ann.csv --judge gpt,claude -m m.json -q");
    let alone = report(&bench, "rank next-ann.csv");
    let both = report(&bench, "rank pool.csv -a next-ann.csv --by both --judge gpt");
    assert_eq!((&alone["is_weighted"], &both["is_weighted"]), (&json!(true), &json!(true)));
    assert_eq!((&both["labels"], &both["by_rates"]), (&json!(120), &Value::Null));
    // Only the size of the pool, which the labels alone estimate, makes a difference.
    let value = |estimate: &Value| estimate["value"].as_f64().unwrap();
    let [labels, alone] = [&both["all"]["labels_alone"], &alone["all"]["estimate"]].map(value);
    assert!((labels - alone).abs() < 0.001, "{labels} {alone}");
    let truth = value(&report(&bench, "rank marked.csv")["all"]["estimate"]);
    let [low, high] = ["low", "high"].map(|end| both["all"]["estimate"][end].as_f64().unwrap());
    assert!(low < truth && truth < high, "{low} {truth} {high}");
    let text = bench.output("rank pool.csv -a next-ann.csv --by both --judge gpt -q");
    assert!(text.contains("weighted by the probabilities with which they were drawn"), "{text}");
    // The next wave, by a model, is drawn from the rest.
    bench.run("next pool.csv -a next-ann.csv -n 30 -m m.json -o again.csv").done();
    let again = cells(&bench.read("again.csv"));
    let of_wave = |wave: &str| again.iter().filter(|row| row[4] == wave).count();
    assert_eq!(["1", "2", "3"].map(of_wave), [60, 60, 30]);
    assert!(again[1..31].iter().all(|row| row[4] == "3"), "{again:?}");
    bench.write("more.csv", labelled(&bench, "again.csv", "ann"));
    assert_eq!(report(&bench, "rank pool.csv -a more.csv --by both --judge gpt")["labels"], 150);
    let overruled = bench.read("next-ann.csv").replace(",1,ann", ",0,ann").replace(",pass,ann", ",fail,ann");
    bench.write("overruled.csv", overruled);
    let said = bench.run("rank more.csv -a overruled.csv").done().stderr;
    assert!(said.contains("overruled.csv overrules the labels of more.csv"), "{said}");
}

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"annotate-data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_shows_outputs_one_at_a_time() {
    let bench = Bench::of(1);
    let table = "prompt,system,output,ref,group,id,label,annotator,drawn,wave,gpt\n\
        Why?,x,because,so,g,7,,,0.5,2,pass\nWhy?,y,<b>not</b>,so,g,8,,,0.25,2,\nHow?,x,thus,,h,9,pass,ann,0.5,1,fail\n\
        How?,x,thus,,h,9,fail,bob,0.5,1,fail\n";
    bench.write("x.csv", table);
    let said = bench.run("annotate x.csv -o page.html --judge gpt --annotator eve --controls 2").done().stderr;
    assert!(said.contains("page.html: 2 outputs, 2 of them twice; earlier labels, exported with them: 2"), "{said}");
    let page = bench.read("page.html");
    assert!(page.contains("Does the output pass? x.csv") && !page.contains("Text 2") && !page.contains("<b>not"));
    assert!(page.contains("Pass <kbd>1</kbd>") && page.contains("class=\"check\" hidden"));
    let found = data(&page);
    let names = found["columns"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(names.join(","), "prompt,system,output,ref,group,id,drawn,wave,gpt");
    assert_eq!(found["rows"][0]["cells"], json!(["Why?", "x", "because", "so", "g", "7", "0.5", "2", "1"]));
    assert_eq!(found["rows"][0]["texts"], json!(["because"]));
    let items = found["items"].as_array().unwrap();
    assert!(items.len() == 4 && items.iter().all(|item| item["is_exchanged"] == false));
    assert_eq!((&found["earlier"][1][9], &found["earlier"][1][10]), (&json!("0"), &json!("bob")));
    bench.write("y.csv", "output,label\na,5\nb,1\n");
    bench.output("annotate y.csv -o page.html --scale 5");
    let page = bench.read("page.html");
    assert!(
        page.contains("How good is the output, from 1 to 5? y.csv")
            && page.contains("aria-keyshortcuts=\"5\">5</button>")
    );
    assert_eq!(data(&page)["choices"].as_array().unwrap().len(), 5);
}
