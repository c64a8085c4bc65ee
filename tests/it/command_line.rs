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
fn a_wrong_command_line_has_status_2_and_is_answered_with_what_is_right() {
    let bench = Bench::of(6);
    let before = bench.content();
    let ties = "a share of the pairs from 0 to 1";
    for (arguments, told) in [
        ("judge dev.pairs", "unrecognized subcommand"),
        ("predict", "Usage: "),
        ("predict dev.pairs dev.pairs", "unexpected argument 'dev.pairs'"),
        ("predict dev.pairs --nonsense", "unexpected argument '--nonsense'"),
        ("predict dev.pairs --format xml", "invalid value 'xml'"),
        ("predict dev.pairs --seed -1", "'--seed <N>': expected a whole number, 0 or more"),
        ("predict dev.pairs -m", "a value is required"),
        ("predict dev.pairs --threads 0", "'--threads <N>': expected a whole number, 1 or more"),
        ("predict dev.pairs --threads abc", "'--threads <N>': expected a whole number, 1 or more"),
        ("predict dev.pairs --language German", "write de for it"),
        ("predict dev.pairs --language qq", "a language of BCP 47 or ISO 639"),
        ("predict dev.pairs --ties 1.5", ties),
        ("predict dev.pairs --ties often", ties),
        ("predict dev.pairs --ties accurate", ties),
        ("predict dev.pairs --ties threshold=2", ties),
        ("explain dev.pairs --line 0", "'--line <N>': expected a whole number, 1 or more"),
        ("evaluate dev.answers", "--answers"),
        ("compare dev.pairs --labels left=5", "NAME=1, NAME=0 or NAME=-1"),
        ("correlate dev.pairs", "--people"),
        ("correlate dev.pairs --people score --format rankings", "invalid value 'rankings'"),
        ("correlate dev.pairs --people score --kendall-like 0", "--kendall-like"),
        ("import mqm a.tsv --scores --margin 2", "cannot be used with"),
        ("import rankings a.tsv --scores", "unexpected argument '--scores'"),
        ("train dev.pairs -a dev.answers --folds many", "'--folds <N>'"),
        ("train dev.pairs -a dev.answers --folds 1", "'--folds <N>': expected a whole number, 2 or more"),
        ("train dev.pairs -a dev.answers --file-weights x", "'--file-weights <LIST>': expected a number"),
        ("train dev.pairs -a dev.answers --ties often", "expected likeliest, accurate or a share from 0 to 1"),
        ("train dev.pairs -a dev.answers --only-own", "--own"),
        ("score dev.pairs -r dev.pairs --rounds 0", "'--rounds <N>': expected a whole number from 1 to 1000000"),
        ("completions tcsh", "invalid value 'tcsh'"),
        // Options that do nothing for a command.
        ("check dev.answers --language de", "unexpected argument '--language'"),
        ("score dev.pairs -r dev.pairs --format csv", "unexpected argument '--format'"),
        ("import rankings x.rankings --format csv", "unexpected argument '--format'"),
        ("predict dev.pairs --wordnet .", "unexpected argument '--wordnet'"),
    ] {
        let run = bench.run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{arguments}: {}", run.stderr);
    }
    assert_eq!(bench.content(), before);
    // These options mean the same for every command.
    bench.output("check dev.answers --seed 3 --threads 1 --quiet --json");
    bench.output("--quiet predict dev.pairs --seed 3");
}

#[test]
fn values_may_begin_with_a_hyphen() {
    let bench = Bench::of(6);
    let verdicts = |labels: &str| bench.run(&format!("compare dev.pairs -a dev.answers --json {labels}")).stdout;
    assert_eq!(verdicts("--labels -1=1,0=0,1=-1"), verdicts("--labels 1=-1,0=0,-1=1"));
    bench.refuses("train dev.pairs -a dev.answers --file-weights -1", &["--file-weights: expected positive numbers"]);
}
