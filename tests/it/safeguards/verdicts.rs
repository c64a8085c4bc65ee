//! Safeguards of verdicts, of the people who gave them, and of warnings.

use crate::common::Bench;

/// A bench with a model, `own.json`, that was trained on its pairs.
fn with_own_model() -> Bench {
    let bench = Bench::of(20);
    bench.run("train dev.pairs -a dev.answers --folds 2 -m own.json -q").done();
    bench
}

#[test]
fn safeguard_39_a_model_on_its_own_training_data_is_warned_of_in_the_answer() {
    let bench = with_own_model();
    let warning = "'own' was trained on the references of 60 of these 60 pairs; the accuracy is inflated";
    let compare = "compare dev.pairs -a dev.answers -m own.json";
    for brief in ["", "-q", "--brief -q", "--report page -q"] {
        let run = bench.run(&format!("{compare} {brief}")).done();
        let second = run.stdout.lines().nth(1).unwrap();
        assert!(second.starts_with(&format!("Warning: {warning}")), "{}", run.stdout);
        assert!(run.stderr.starts_with(&format!("warning: {warning}")), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    assert!(bench.json(&format!("{compare} -q"))["warnings"][0].as_str().unwrap().starts_with(warning));
    let page = std::fs::read_to_string(bench.path("page/report.html")).unwrap();
    assert!(page.contains("Warning: &#39;own&#39; was trained on the references of 60"), "{page}");
    let other = bench.output("compare dev.pairs -a dev.answers");
    assert!(!other.contains("Warning: "), "{other}");
}

#[test]
fn safeguard_39_quiet_keeps_warnings() {
    let bench = with_own_model();
    let clear = |at: usize| format!("the cat sat {at} ||| dogs {at} ||| the cat sat down {at}\n");
    bench.write("x.pairs", (0..40).map(clear).collect::<String>());
    bench.write("x.answers", "-1\n".repeat(40));
    let line =
        |id: usize| format!("{id} ||| 0 ||| the cat {id} ||| the cat\n{id} ||| 1 ||| the cat {id} ||| dogs {id}\n");
    bench.write("x.rankings", (0..40).map(line).collect::<String>());
    let german = "der Hund bellt laut ||| die Katze schläft ||| der Hund bellt heute sehr laut\n";
    bench.write("de.pairs", german.repeat(4));
    let mut mqm = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n".to_owned();
    for (system, severity) in [("refA", "Major"), ("A", "No-error"), ("B", "Minor")] {
        mqm += &format!("{system}\td\t1\tr\tthe cat {system}\tStyle\t{severity}\n");
    }
    bench.write("x.tsv", mqm);
    for (command, warning) in [
        ("predict dev.pairs -m own.json", "was trained on the references of 60"),
        ("predict de.pairs", "neither English nor names"),
        ("features de.pairs", "neither English nor names"),
        ("compare x.pairs -a x.answers", "Labels or ranks look reversed"),
        ("train x.pairs -a x.answers --folds 2", "Labels or ranks look reversed"),
        ("import rankings x.rankings", "Labels or ranks look reversed"),
        ("import rankings x.rankings -o y.csv --json", "Labels or ranks look reversed"),
        ("import mqm x.tsv", "people judged the reference worse than every system"),
        ("compare x.tsv --format mqm", "people judged the reference worse than every system"),
    ] {
        let said = bench.run(&format!("{command} -q")).done().stderr;
        let is_warning = |line: &str| line.starts_with("warning: ");
        assert!(said.contains(warning) && said.lines().all(is_warning), "{command}: {said}");
        let all = bench.run(command).done().stderr;
        assert!(all.contains(warning), "{command}: {all}");
    }
}
