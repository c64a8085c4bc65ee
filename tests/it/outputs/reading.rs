//! How tables of outputs are read, and what they get that say nothing.

use serde_json::json;

use super::{draw, marked, report, row_of, rows};
use crate::common::Bench;

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
        ("compare marked.csv --judge gpt=x.txt", "x.txt: no such file"),
        ("compare marked.csv --matrix", "--matrix: expected pairs, found outputs, one a row"),
        ("compare marked.csv --gain 3", "--gain: expected pairs, found outputs, one a row"),
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
            "elsewhere.csv:2: expected the texts of one of the outputs, found other texts, with the output 'z'",
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

/// Of this chapter, the commands on the examples in `data/exports`.
const CHAPTER: &str = include_str!("../../../docs/outputs.md");

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
    let ranked = found("promptfoo.jsonl", include_str!("../../../data/exports/promptfoo.jsonl"));
    let rates = [("openai:gpt-4o-mini", 4.0), ("anthropic:messages:claude-3-5-haiku-20241022", 3.0)];
    for (row, (system, passed)) in ranked["systems"].as_array().unwrap().iter().zip(rates) {
        let rate = row["estimate"]["value"].as_f64().unwrap();
        assert!(row["system"] == system && (rate - passed / 6.0).abs() < 1e-9, "{row}");
    }
    // A scorer's letters, C for correct and I for incorrect.
    let compared = found("inspect.csv", include_str!("../../../data/exports/inspect.csv"));
    assert_eq!(row_of(&compared, "score_match")["binary"]["accuracy"]["value"], 0.5);
    assert_eq!(row_of(&compared, "score_model_graded_qa")["binary"]["accuracy"]["value"], 0.75);
    // Contexts are lists, and a score is missing.
    let compared = found("ragas.jsonl", include_str!("../../../data/exports/ragas.jsonl"));
    let coverage = row_of(&compared, "faithfulness")["binary"]["coverage"].as_f64().unwrap();
    assert!((coverage - 11.0 / 12.0).abs() < 1e-9, "{coverage}");
    assert!(row_of(&compared, "bleu")["threshold"].is_number());
    let compared = found("deepeval.jsonl", include_str!("../../../data/exports/deepeval.jsonl"));
    let relevancy = row_of(&compared, "Answer Relevancy");
    assert!(relevancy["roc_area"]["value"].is_number() && row_of(&compared, "bleu")["threshold"].is_number());
    assert_eq!((&compared["outputs"], &compared["groups"]), (&json!(12), &json!(6)));
}

#[test]
fn judges_in_tables_of_their_own_are_joined_to_outputs() {
    let bench = Bench::of(1);
    divided(&bench);
    let command = "compare two.csv --annotators ann,bob";
    let expected = report(&bench, &format!("{command} --judge gpt --own noise"));
    let cells: Vec<Vec<String>> =
        bench.read("two.csv").lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let table = |header: &str, cell: fn(usize, &[String]) -> String| {
        // The rows are in another order than those of the outputs.
        let rows = cells.iter().enumerate().skip(1).rev().map(|(at, cells)| cell(at - 1, cells) + "\n");
        format!("{header}\n{}", rows.collect::<String>())
    };
    bench.write("index.csv", table("index,verdict", |at, row| format!("{at},{}", row[5])));
    bench.write(
        "texts.csv",
        table("prompt,system,output,gpt", |_, row| format!("{},{},{},{}", row[0], row[1], row[2], row[5])),
    );
    bench.write("noise.csv", table("prompt,system,noise", |_, row| format!("{},{},{}", row[0], row[1], row[6])));
    for file in ["index.csv", "texts.csv"] {
        let found = report(&bench, &format!("{command} --judge gpt={file} --own noise=noise.csv"));
        assert_eq!(row_of(&found, "gpt"), row_of(&expected, "gpt"), "{file}");
        assert_eq!(row_of(&found, "noise"), row_of(&expected, "noise"), "{file}");
    }
    let said = bench.run(&format!("{command} --judge gpt=index.csv")).done().stderr;
    assert!(said.contains("gpt: 40 of 60 outputs matched by index with index.csv"), "{said}");
    bench.write("some.csv", "id,gpt\nnobody,pass\n");
    bench.write("twice.csv", "index,gpt\n1,pass\n1,fail\n");
    bench.write("prompts.csv", "prompt,gpt\nq1,pass\n");
    bench.write("none.csv", "verdict\npass\n");
    for (file, expected) in [
        ("some.csv", "some.csv: expected rows for the outputs, matched by their id, found none"),
        ("twice.csv", "twice.csv:3: expected one row for each index, found one more, after line 2"),
        ("prompts.csv", "prompts.csv:2: expected another prompt for each output, found the same for those of lines"),
        ("none.csv", "none.csv:1: expected the column id, index, prompt or output"),
    ] {
        bench.refuses(&format!("{command} --judge gpt={file}"), &[expected]);
    }
}
