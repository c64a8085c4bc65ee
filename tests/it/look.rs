//! `tribunal FILE`: what a file is, and the commands that it can be asked with.

use crate::common::Bench;

const TRACES: &str = include_str!("../../data/sample/traces.csv");
const RATINGS: &str = include_str!("../../data/sample/ratings.tsv");
const ARENA: &str = include_str!("../../data/sample/arena.csv");
const RANKINGS: &str = include_str!("../../data/sample/sample.rankings");

#[test]
fn a_file_tells_what_it_is_and_its_commands_run() {
    let bench = Bench::of(30);
    bench.write("traces.csv", TRACES);
    bench.write("ratings.tsv", RATINGS);
    bench.write("an arena.csv", ARENA);
    bench.write("sample.rankings", RANKINGS);
    for (file, parts, commands) in [
        ("dev.pairs", &["90 lines of pairs", "tribunal compare dev.pairs -a LABELS"][..], 1),
        ("dev.answers", &["90 lines of labels or verdicts", "tribunal evaluate dev.answers -a LABELS"], 0),
        ("traces.csv", &["200 single outputs", "100 different prompts", "pass (53)", "judges: gpt, faithfulness"], 4),
        ("ratings.tsv", &["330 single outputs", "110 different references", "3 systems"], 3),
        ("an arena.csv", &["330 pairs", "labels in label: 165 of 330", "rank 'an arena.csv'"], 4),
        ("sample.rankings", &["Rankings of several hypotheses"], 3),
    ] {
        let quoted = format!("'{file}'");
        let told = bench.output(&quoted);
        assert_eq!(told, bench.output(&format!("look {quoted}")));
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
        let asked = told.lines().filter_map(|line| line.strip_prefix("  tribunal "));
        let complete: Vec<&str> =
            asked.filter(|command| !command.contains("LABELS") && !command.contains("PAIRS")).collect();
        assert_eq!(complete.len(), commands, "{told}");
        for command in complete {
            bench.run(&format!("{command} -q")).done();
        }
    }
    assert_eq!(bench.json("dev.pairs")["what"], "90 lines of pairs: hyp1 ||| hyp2 ||| ref");
}

#[test]
fn judges_with_a_list_for_both_orders_are_named() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let verdict = 1 + at % 2;
        format!(
            r#"{{"input":"q {at}","output_1":"a {at}","output_2":"b","label":{verdict},"judges":{{"a/b":[{verdict},1]}}}}"#
        )
    };
    bench.write("x.jsonl", (0..30).map(|at| row(at) + "\n").collect::<String>());
    let told = bench.output("x.jsonl");
    let command = "tribunal compare x.jsonl --labels 1=1,2=-1 --judge judges.a/b";
    assert!(told.contains("judges: judges.a/b\n") && told.contains(command), "{told}");
    bench.output(command.trim_start_matches("tribunal "));
}

#[test]
fn without_labels_it_leads_to_a_page_to_label_on() {
    let bench = Bench::of(1);
    let rows = |label: &str| (0..120).map(|at| format!("q {at},v1,text {at},pass,{label}\n")).collect::<String>();
    bench.write("blank.csv", format!("prompt,system,output,gpt,label\n{}", rows("")));
    let told = bench.output("blank.csv");
    assert!(told.contains("labels in label: 0 of 120\n"), "{told}");
    let commands: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("  tribunal ")).take(2).collect();
    assert_eq!(commands, ["next blank.csv --judge gpt -n 100 -o next.csv", "annotate next.csv -o labels.html"]);
    commands.iter().for_each(|command| drop(bench.run(&format!("{command} -q")).done()));
    bench.refuses("compare blank.csv --judge gpt", &["none; name the column", "'tribunal next' draws outputs"]);
}

#[test]
fn annotators_judges_and_metrics_are_told_from_each_other() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let label = if at.is_multiple_of(2) { 1 } else { 2 };
        let odd = if at == 3 { "?" } else { "1" };
        format!(
            "q{at},one,two,{label},{label},{odd},{},1,2,0.{at},0.5,{at},{}\n",
            if at > 8 { "2" } else { "1" },
            at % 2 + 1
        )
    };
    let header = "prompt,response_a,response_b,annotator1,annotator2,gpt,bot,palm.12,palm.21,own.1,own.2,id,turn\n";
    bench.write("judged.csv", header.to_owned() + &(0..20).map(row).collect::<String>());
    let told = bench.output("judged.csv");
    for part in ["20 pairs", "annotators: annotator1, annotator2\n", "judges: gpt, bot, palm\n", "metrics: own\n"] {
        assert!(told.contains(part), "{told}");
    }
    assert!(
        told.contains("compare judged.csv --annotators annotator1,annotator2 --judge gpt,bot,palm --own own"),
        "{told}"
    );
}

#[test]
fn what_an_annotation_page_exports_is_known_again() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        format!(
            "q{at},text {at},{},{},ann,{}.5,,{}\n",
            ["pass", "fail"][at % 2],
            at % 2,
            at % 7,
            if at == 3 { "0" } else { "" }
        )
    };
    let header = "prompt,output,gpt,label,annotator,seconds,comment,label_again\n";
    bench.write("ann.csv", header.to_owned() + &(0..20).map(row).collect::<String>());
    let told = bench.output("ann.csv");
    assert!(told.contains("labels in label: 20 of 20") && told.contains("  judges: gpt\n"), "{told}");
    assert!(!told.contains("annotators:"), "{told}");
    // Verdicts in one column, and in two beside it.
    bench.write("orders.csv", "prompt,hyp1,hyp2,label,gpt,gpt.12,gpt.21\nq,a,b,1,1,1,1\nr,a,b,-1,-1,-1,1\n");
    let told = bench.output("orders.csv");
    assert!(told.contains("gpt: a column of one order and those of both") && !told.contains("--judge"), "{told}");
    bench.refuses("compare orders.csv --judge gpt", &["rename or remove the column gpt"]);
    bench.run("compare orders.csv --judge both=gpt.12+gpt.21").done();
}

#[test]
fn other_files_and_names_are_answered_too() {
    let bench = Bench::of(12);
    bench.write("mqm.tsv", "system\tseg_id\trater\ttarget\tcategory\tseverity\na\t1\tr\tx\tno-error\tno-error\n");
    assert!(bench.output("mqm.tsv").contains("these are MQM annotations: 'tribunal import mqm'"));
    bench.write("other.csv", "left,right\na,b\n");
    assert!(bench.output("other.csv").contains("tribunal compare other.csv --column hyp1=NAME"));
    bench.write("broken.csv", "a,b\n1\n");
    bench.refuses("broken.csv", &["broken.csv:2: expected"]);
    bench.write("empty.txt", "");
    assert_eq!(bench.output("empty.txt"), "an empty file\n");
    bench.write("page.html", "<!DOCTYPE html>\n<title>x</title>\n");
    assert!(bench.output("page.html").starts_with("a page: open it in a browser"));
    bench.output("train dev.pairs -a dev.answers -m model.json -q");
    let told = bench.output("model.json");
    assert!(told.starts_with("a model") && told.contains("predict PAIRS -m model.json"), "{told}");
    // A command has the name before a file of that name, and what is neither is an error of the command line.
    bench.write("demo", "");
    assert!(bench.output("demo -h").contains("Usage: tribunal demo"));
    assert_eq!(bench.run("no-such-file").status, 2);
    bench.refuses("no-such.pairs", &["no-such.pairs: no such file"]);
}

#[test]
fn words_that_are_no_labels_are_named() {
    let bench = Bench::of(1);
    let rows: String = (0..6).map(|at| format!("q{at},a,b,{}\n", if at % 2 == 0 { "lhs" } else { "rhs" })).collect();
    bench.write("pairs.csv", format!("prompt,hyp1,hyp2,human\n{rows}"));
    let told = bench.output("pairs.csv");
    // What they mean is not guessed.
    let option = "in the place of '?': --annotators human --labels 'lhs=?,rhs=?'";
    assert!(
        told.contains("human: words that are not known as labels: lhs (3), rhs (3)") && told.contains(option),
        "{told}"
    );
    bench.run("compare pairs.csv --annotators human --labels lhs=1,rhs=-1").done();
    assert_eq!(bench.run("compare pairs.csv --annotators human --labels lhs=?,rhs=?").status, 2);
    // A winner by its name may be either text.
    let rows: String = (0..6).map(|at| format!("q{at},a,b,v{},v{},v1\n", 1 + at % 2, 2 - at % 2)).collect();
    bench.write("named.csv", format!("prompt,hyp1,hyp2,system1,system2,human\n{}", rows.replacen(",v1\n", ",v2\n", 2)));
    let told = bench.output("named.csv");
    assert!(told.contains("names of systems are no labels") && !told.contains("--labels"), "{told}");
    bench.write("words.csv", "prompt,output,label\nq1,a,pass\nq2,b,skip\nq3,c,NA\nq4,d,fail\n");
    assert!(bench.output("words.csv").contains("--labels 'pass=1,skip=?,fail=-1'"));
    // Each output is alone: none is better than another.
    bench.write("outputs.csv", "prompt,output,label,gpt\nq1,a,1,1\nq2,b,0,1\n");
    let told = bench.output("outputs.csv");
    assert!(told.contains("tribunal compare outputs.csv --judge gpt") && !told.contains("tribunal train"), "{told}");
}
