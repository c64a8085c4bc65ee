//! Command lines that are wrong, files that are not there, and readers that go away.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use crate::common::Bench;

fn spawn(bench: &Bench, arguments: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.current_dir(bench.path("")).args(arguments.split_whitespace());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn ends_quietly(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let bench = Bench::of(20);
    // More output than a pipe holds, so that the program is still writing when its reader leaves.
    let mut child = spawn(&bench, "features dev.pairs");
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    assert!(line.starts_with("line,id,"));
    drop(reader);
    ends_quietly(child);
    for arguments in ["predict -", "predict - --json", "features -", "check dev.answers --pairs -"] {
        let mut child = spawn(&bench, arguments);
        drop(child.stdout.take());
        let pairs = bench.read("dev.pairs");
        child.stdin.take().unwrap().write_all(pairs.as_bytes()).unwrap();
        ends_quietly(child);
    }
}

#[test]
fn a_wrong_command_line_has_status_2() {
    let bench = Bench::of(1);
    let before = bench.content();
    for arguments in [
        "judge dev.pairs",
        "predict",
        "predict dev.pairs dev.pairs",
        "predict dev.pairs --nonsense",
        "predict dev.pairs --format xml",
        "correlate dev.pairs --people score --format rankings",
        "predict dev.pairs --threads 0",
        "predict dev.pairs --seed -1",
        "predict dev.pairs -m",
        "evaluate dev.answers",
        "train dev.pairs -a dev.answers -m out.json --folds many",
        "train dev.pairs -a dev.answers -m out.json --folds 1",
    ] {
        let run = bench.run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains("error: ") || run.stderr.contains("Usage: "), "{}", run.stderr);
    }
    assert_eq!(bench.content(), before);
}

#[test]
fn a_wordnet_that_is_not_there_is_named() {
    let bench = Bench::of(1);
    for command in ["predict dev.pairs", "features dev.pairs", "compare dev.pairs -a dev.answers"] {
        let parts = ["no-such-dict", "expected a file of a WordNet dict folder", "found no such file"];
        bench.refuses(&format!("{command} --wordnet no-such-dict"), &parts);
    }
}

#[test]
fn a_number_that_is_none_is_answered_with_its_range() {
    let bench = Bench::of(6);
    for (arguments, expected) in [
        ("explain dev.pairs --line 0", "'--line <N>': expected a whole number, 1 or more"),
        ("train dev.pairs -a dev.answers --folds 1", "'--folds <N>': expected a whole number, 2 or more"),
        ("predict dev.pairs --threads abc", "'--threads <N>': expected a whole number, 1 or more"),
        ("score dev.pairs -r dev.pairs --rounds 0", "'--rounds <N>': expected a whole number from 1 to 1000000"),
        ("train dev.pairs -a dev.answers --weights x", "'--weights <LIST>': expected a number"),
    ] {
        let run = bench.run(arguments);
        assert!(run.status == 2 && run.stderr.contains(expected), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn values_may_begin_with_a_hyphen() {
    let bench = Bench::of(6);
    let verdicts = |labels: &str| bench.run(&format!("compare dev.pairs -a dev.answers --json {labels}")).stdout;
    assert_eq!(verdicts("--labels -1=1,0=0,1=-1"), verdicts("--labels 1=-1,0=0,-1=1"));
    let run = bench.run("train dev.pairs -a dev.answers --weights -1");
    assert!(run.status == 1 && run.stderr.contains("--weights: expected positive numbers"), "{}", run.stderr);
}
