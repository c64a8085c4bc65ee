//! Judges, annotators and rankings.

use crate::common::Bench;

/// Pairs of two systems, with labels and the verdicts of two judges.
fn arena(bench: &Bench, name: &str, row: impl Fn(usize) -> [&'static str; 3]) {
    let line = |at: usize| {
        let [label, good, bad] = row(at);
        format!("q{at},answer {at},reply no {at},x,y,{label},{good},{bad}\n")
    };
    let rows: String = (0..60).map(line).collect();
    bench.write(name, format!("prompt,hyp1,hyp2,system1,system2,label,good,bad\n{rows}"));
}

/// 1 for two of three rows, and something else for the third.
fn mostly(at: usize, other: &'static str) -> &'static str {
    if at.is_multiple_of(3) { other } else { "1" }
}

/// Safeguard 51.
#[test]
fn a_judge_is_not_the_human_labels() {
    let bench = Bench::of(4);
    arena(&bench, "x.csv", |at| [mostly(at, "-1"), mostly(at + 1, "-1"), ""]);
    bench.write("labels.txt", (0..60).map(|at| format!("{}\n", mostly(at, "-1"))).collect::<String>());
    for command in [
        "train x.csv --judge label --folds 2",
        "compare x.csv --judge good,label",
        "compare x.csv --column label=good --judge good",
        "compare x.csv --annotators label,good --judge good",
        "compare x.csv -a labels.txt --judge good=labels.txt",
        "rank x.csv --by both --judge label",
    ] {
        bench.refuses(command, &["--judge: expected a judge other than the human labels"]);
    }
    // Where the labels come from elsewhere, the column may be that of a judge.
    bench.output("compare x.csv -a labels.txt --column label=good --judge good -q");
    bench.output("rank x.csv --by label -q");
}

/// Safeguard 51.
#[test]
fn judges_and_annotators_without_verdicts_are_told() {
    let bench = Bench::of(1);
    arena(&bench, "x.csv", |at| [mostly(at, "-1"), mostly(at + 1, "-1"), ""]);
    for command in
        ["train x.csv --judge bad --folds 2 -q", "compare x.csv --judge good,bad -q", "rank x.csv --by bad -q"]
    {
        bench.refuses(command, &["x.csv: expected verdicts of the judge 'bad', found none on 60 pairs"]);
    }
    arena(&bench, "x.csv", |at| [mostly(at, "-1"), mostly(at, "-1"), ""]);
    let run = bench.run("compare x.csv --annotators label,good,bad -q").done();
    assert_eq!(run.stderr, "warning: no pair has a label of the annotators bad; check the names of the columns\n");
}

/// Safeguard 51.
#[test]
fn the_scale_of_verdicts_is_that_of_all() {
    let bench = Bench::of(1);
    // All are nearer to 1 than to 2: the first won, however clearly.
    arena(&bench, "scale.csv", |at| ["1", ["1", "1.1", "1.2", "1.3"][at % 4], ["0.9", "0.8", "0.7", "1"][at % 4]]);
    for judge in ["good", "bad"] {
        let ranking = bench.json(&format!("rank scale.csv --by {judge} -q"));
        assert_eq!(ranking["systems"][0]["name"], "x", "{judge}: {ranking}");
    }
    let wins = |judge: &str| {
        bench.json(&format!("rank scale.csv --by {judge} -q"))["systems"][0]["win_rate"]["value"].as_f64().unwrap()
    };
    assert!(
        (wins("good") - 0.85).abs() < 1e-9 && (wins("bad") - 0.85).abs() < 1e-9,
        "{} {}",
        wins("good"),
        wins("bad")
    );
    // 1 and 0, where 0 may stand for the second.
    arena(&bench, "zeros.csv", |at| [mostly(at, "-1"), mostly(at, "0"), ["A", "tie", "A"][at % 3]]);
    for command in ["rank zeros.csv --by good", "compare zeros.csv --judge good", "train zeros.csv --judge good"] {
        let told = bench.run(&format!("{command} -q")).done().stderr;
        assert!(told.contains("warning: 20 of 60 verdicts of the judge 'good' are 0 (a tie) and none is -1"), "{told}");
    }
    assert_eq!(bench.run("rank zeros.csv --by bad -q").done().stderr, "");
}

/// Safeguard 52.
#[test]
fn every_role_has_its_own_column() {
    let bench = Bench::of(1);
    arena(&bench, "x.csv", |at| [mostly(at, "-1"), "", ""]);
    for (columns, told) in [
        ("hyp1=hyp1,hyp1=hyp2", "--column: expected one column for each role, found hyp1=hyp1 and hyp1=hyp2"),
        ("hyp1=hyp1,hyp2=hyp1", "x.csv:1: expected different columns for hyp1, hyp2, found 'hyp1' twice"),
        ("ref=hyp2", "x.csv:1: expected different columns for hypothesis and reference, found 'hyp2' for both"),
        ("pos=prompt", "--column: expected a table without other hypotheses than pos and neg"),
    ] {
        for command in ["train", "compare", "predict", "annotate -o x.html", "rank"] {
            bench.refuses(&format!("{command} x.csv --column {columns}"), &[told]);
        }
    }
    bench.refuses("import table x.csv --column hyp1=prompt,hyp1=hyp1", &["hyp1=prompt and hyp1=hyp1"]);
    // Several references keep all their columns.
    bench.write("refs.csv", "hyp1,hyp2,one,two,label\na,b,r,s,1\n");
    let pairs = bench.output("import table refs.csv --column ref=one,ref=two -q");
    assert!(pairs.starts_with("hyp1,hyp2,ref,ref2,") && pairs.contains("a,b,r,s,1"), "{pairs}");
}

/// Safeguard 52.
#[test]
fn options_about_labels_have_an_effect_or_are_refused() {
    let bench = Bench::of(1);
    arena(&bench, "x.csv", |at| [mostly(at, "-1"), mostly(at, "-1"), ""]);
    bench.write("p.jsonl", "{\"prompt\": \"q\", \"chosen\": \"good\", \"rejected\": \"bad\"}\n".repeat(3));
    bench.write("a.txt", "a cat\n");
    bench.write("b.txt", "b cat\n");
    for (command, told) in [
        ("compare x.csv --no-majority drop", "--no-majority: expected several labels of a pair"),
        ("train x.csv --majority-weights", "--majority-weights: expected several labels of a pair"),
        ("compare p.jsonl --labels good=1", "--labels: expected a table with labels"),
        ("compare p.jsonl --annotators prompt", "--annotators: expected a table with labels"),
        ("compare p.jsonl --column label=prompt", "--column: expected a table with labels"),
        ("compare x.csv --annotators label --column label=good", "--column: expected labels in one place"),
        ("compare x.csv --epsilon 0.3", "--epsilon: expected labels of several annotators"),
        ("predict x.csv --min-agreement -1", "--min-agreement: expected a share above 0"),
        ("next x.csv --own z", "--own: expected a model that knows own metrics"),
        ("rank x.csv --judge good", "--judge: expected a ranking that depends on it, found one by human labels"),
        ("rank x.csv -m builtin", "--model: expected a ranking that depends on it, found one by human labels"),
        ("rank x.csv --by good -m builtin", "--model: expected a ranking that depends on it, found one by a judge"),
        ("rank x.csv --by good -a x.csv", "--answers: expected a ranking that depends on it, found one by a judge"),
        ("rank a.txt b.txt --judge good -r a.txt", "--judge: expected pairs, found outputs of systems"),
        ("rank a.txt b.txt --merge -r a.txt", "--merge: expected judgments, found outputs of systems"),
        ("rank a.txt a.txt -r a.txt", "systems: expected different files, found 'a.txt' twice"),
    ] {
        bench.refuses(&format!("{command} -q"), &[told]);
    }
}

/// Safeguard 53.
#[test]
fn rankings_warn_as_other_commands_do() {
    let bench = Bench::of(1);
    let table = |text: &dyn Fn(usize) -> String| {
        let rows: String = (0..60).map(text).collect();
        format!("hyp1,hyp2,ref,system1,system2,label,drawn\n{rows}")
    };
    let english = |label: &'static dyn Fn(usize) -> &'static str, drawn: &'static dyn Fn(usize) -> &'static str| {
        move |at: usize| format!("the cat sat {at},a dog {at},the cat sat down {at},x,y,{},{}\n", label(at), drawn(at))
    };
    bench.write("zeros.csv", table(&english(&|at| mostly(at, "0"), &|_| "")));
    bench.write("reversed.csv", table(&english(&|at| if at % 7 == 0 { "0" } else { "-1" }, &|_| "")));
    bench.write("drawn.csv", table(&english(&|at| mostly(at, "-1"), &|at| if at % 2 == 0 { "0.5" } else { "" })));
    bench.write("same.csv", table(&english(&|_| "1", &|_| "")).lines().take(5).collect::<Vec<_>>().join("\n"));
    let foreign = |at: usize| format!("der Hund bellt {at},die Katze schläft,der Hund bellt laut {at},x,y,,\n");
    bench.write("german.csv", table(&foreign));
    for (command, warning) in [
        ("rank zeros.csv", "20 of 60 labels are 0 (a tie) and none is -1"),
        ("rank reversed.csv", "Labels or ranks look reversed"),
        ("rank same.csv", "the win rates of x, y do not vary between these references"),
        ("rank zeros.csv -a reversed.csv", "overrules the labels of zeros.csv, which differ in 57 of 60 pairs"),
        ("rank german.csv --by model", "neither English nor names"),
        ("next german.csv -n 3", "neither English nor names"),
    ] {
        let run = bench.run(&format!("{command} -q")).done();
        let is_warning = |line: &str| line.starts_with("warning: ");
        assert!(run.stderr.contains(warning) && run.stderr.lines().all(is_warning), "{command}: {}", run.stderr);
    }
    // What an import finds.
    let mut mqm = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n".to_owned();
    for (system, severity) in [("refA", "Major"), ("A", "No-error"), ("B", "Minor"), ("C", "Minor")] {
        mqm += &format!("{system}\td\t1\tr\tthe cat {system}\tStyle\t{severity}\n");
    }
    bench.write("x.tsv", mqm);
    let run = bench.run("rank x.tsv --format mqm -q").done();
    assert!(run.stderr.contains("warning: people judged the reference worse than every system"), "{}", run.stderr);
    let same = bench.output("rank same.csv -q");
    assert!(!same.contains("a power of 80%"), "{same}");
    assert!(bench.json("rank same.csv -q")["warnings"][0].as_str().unwrap().contains("do not vary"));
    bench.output("rank same.csv -q --html page.html");
    let page = bench.read("page.html");
    assert!(page.contains("Add pairs before you rely on the order") && !page.contains("Stop labelling"), "{page}");
    assert!(!page.contains("NaN"), "{page}");
}
