//! `tribunal compare` and `tribunal rank` on tables with one output a row: judges against labels that pass or fail or are numbers,
//! and rates of systems.

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
    for (command, told) in [
        (
            "compare mixed.csv",
            "pass and fail, or numbers, in the whole column 'label', found 'pass' in mixed.csv:2 and '3' in mixed.csv:3",
        ),
        ("compare one.csv", "expected labels that differ, found 2 labels that pass"),
        ("compare none.csv", "expected human labels of some outputs, found none"),
        ("compare word.csv", "word.csv:3, column 'label': expected a label: pass, fail or a number, found 'perhaps'"),
        ("compare garbage.csv --judge j", "expected pass, fail or a number, found 2 of 2 others, such as 'x'"),
        ("compare marked.csv --judge gpt --column label=gpt", "expected a signal other than the human labels"),
        ("compare marked.csv --judge claude", "expected a column 'claude'"),
        ("compare marked.csv --judge gpt=x.txt", "expected the names of columns, found the file x.txt"),
        ("compare marked.csv --matrix", "--matrix: expected pairs, found outputs, one a row"),
        ("compare marked.csv --epsilon 0.1", "--epsilon: expected pairs, found outputs, one a row"),
        ("compare marked.csv --merge", "--merge: expected pairs, found outputs, one a row"),
        ("compare marked.csv --column hyp1=a", "expected the roles of outputs"),
        ("compare marked.csv --column id=prompt", "expected the roles of outputs"),
        ("rank marked.csv --by both", "expected one judge whose values stand beside the labels, found 0 named"),
        ("rank marked.csv --by model", "human, both or the name of a judge"),
        ("rank marked.csv --style-control", "--style-control: expected pairs"),
        ("train marked.csv", "these are single outputs"),
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

/// As promptfoo, Inspect and Ragas write them.
#[test]
fn exports_of_application_tools_are_read_by_their_columns() {
    let bench = Bench::of(1);
    let lines = |rows: &[Value]| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    // promptfoo's JSON Lines: one result of a test case and provider.
    let promptfoo = |at: usize| {
        json!({"prompt": {"raw": format!("Translate {}", at / 2)}, "provider": {"id": (["a", "b"][at % 2])},
            "response": {"output": format!("text {at}")}, "success": at.is_multiple_of(3), "score": (u8::from(at.is_multiple_of(3)))})
    };
    bench.write("promptfoo.jsonl", lines(&(0..12).map(promptfoo).collect::<Vec<_>>()));
    let names = "--column prompt=prompt.raw,system=provider.id,output=response.output,label=success";
    assert_eq!(report(&bench, &format!("rank promptfoo.jsonl {names}"))["systems"].as_array().unwrap().len(), 2);
    // Inspect's table of samples: a scorer's letters, C for correct and I for incorrect.
    let inspect = |at: usize| {
        json!({"id": format!("s{at}"), "input": format!("Question {at}"), "output": format!("answer {at}"), "target": format!("answer {}", at / 2),
            "model": "m", "score_match": (["C", "I"][at % 2]), "human": (["C", "C", "I"][at % 3])})
    };
    bench.write("inspect.jsonl", lines(&(0..12).map(inspect).collect::<Vec<_>>()));
    let names = "--column ref=target,system=model,label=human --judge score_match";
    let found = report(&bench, &format!("compare inspect.jsonl {names}"));
    assert!(row_of(&found, "score_match")["binary"]["kappa"]["value"].is_number(), "{found}");
    // Ragas' data frame: contexts are lists, scores are numbers.
    let ragas = |at: usize| {
        json!({"user_input": format!("Question {at}"), "response": format!("answer {at}"), "retrieved_contexts": ["one", "two"],
            "reference": format!("the answer {at}"), "faithfulness": at as f64 / 12.0, "label": at.is_multiple_of(3)})
    };
    bench.write("ragas.jsonl", lines(&(0..12).map(ragas).collect::<Vec<_>>()));
    let found = report(&bench, "compare ragas.jsonl --column prompt=user_input,ref=reference --own faithfulness");
    assert!(
        row_of(&found, "faithfulness")["roc_area"]["value"].is_number()
            && row_of(&found, "bleu")["threshold"].is_number()
    );
}
