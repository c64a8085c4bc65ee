//! The messages and lists of the command line.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::Bench;

/// The flags listed in the help of a command.
fn flags(bench: &Bench, command: &str) -> BTreeSet<String> {
    let help = bench.output(&format!("{command} --help"));
    let flag = |line: &str| {
        let at = line.trim_start().strip_prefix("-")?;
        let long = if at.starts_with('-') { at } else { at.split_once("--").map(|(_, name)| name)? };
        Some(long.trim_start_matches('-').split([' ', '=']).next().unwrap().to_owned())
    };
    help.lines().filter_map(flag).collect()
}

/// Safeguard 24.
#[test]
fn metrics_have_names_in_any_case() {
    let bench = Bench::of(1);
    bench.write("x", "the cat sat\n");
    let table = bench.output("score x -r x --metrics BLEU,RougeL");
    assert!(table.starts_with("system\tbleu\trougeL\n"), "{table}");
    bench.refuses(
        "score x -r x --metrics cherf",
        &["'cherf'; did you mean 'chrf'? 'tribunal score --list-metrics' lists all names"],
    );
}

/// Safeguard 24.
#[test]
fn a_system_behind_the_references_gets_a_hint() {
    let bench = Bench::of(1);
    let run = bench.run("score -r ref sys");
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("tribunal score SYSTEM -r REFERENCE"), "{}", run.stderr);
    assert!(!bench.run("score").stderr.contains("SYSTEM -r"));
}

/// Safeguard 24.
#[test]
fn help_lists_only_what_does_something() {
    let bench = Bench::of(1);
    for (command, some, none) in [
        ("train", "seed language format threads", "wordnet"),
        ("predict", "language format json", "brief"),
        ("check", "format json", "language brief"),
        ("evaluate", "seed format brief", "language"),
        ("score", "seed language", "format brief"),
        ("import rankings", "json quiet", "language format"),
        ("import table", "json format", "language"),
        ("licences", "json quiet", "seed threads language format"),
    ] {
        let listed = flags(&bench, command);
        some.split(' ').for_each(|flag| assert!(listed.contains(flag), "{command} --{flag}: {listed:?}"));
        let unlisted = none.split_whitespace().filter(|flag| listed.contains(*flag)).collect::<Vec<_>>();
        assert!(unlisted.is_empty(), "{command}: {unlisted:?}");
    }
}

#[cfg(target_os = "linux")]
/// Safeguard 24.
#[test]
fn a_terminal_is_answered_line_by_line() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    use std::sync::mpsc;
    use std::time::Duration;

    let mut keyboard = std::fs::File::from(openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap());
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    let terminal = ptsname(&keyboard, Vec::new()).unwrap();
    let terminal = std::fs::OpenOptions::new().read(true).write(true).open(terminal.to_str().unwrap()).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    let mut program = program.args(["predict", "-"]).stdin(terminal).stdout(Stdio::piped()).spawn().unwrap();
    let answers = BufReader::new(program.stdout.take().unwrap());
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || answers.lines().try_for_each(|line| sender.send(line.unwrap())));
    for (line, verdict) in [("He did not go. ||| Go not he ! ||| He did not go.\n", "1"), ("a ||| a ||| b\n", "0")] {
        keyboard.write_all(line.as_bytes()).unwrap();
        // Far more time than needed: only a program that waits for the end of its input takes that long.
        let answer = receiver.recv_timeout(Duration::from_secs(300));
        if answer.is_err() {
            program.kill().unwrap();
        }
        assert_eq!(answer.as_deref(), Ok(verdict));
    }
    keyboard.write_all(b"\x04").unwrap();
    assert!(program.wait().unwrap().success());
}

/// Safeguard 24.
#[test]
fn quiet_means_no_note_at_all() {
    let bench = Bench::of(4);
    bench.run("predict dev.pairs -o eval.out -q").done();
    bench.run("train dev.pairs -a dev.answers --folds 2 -m m.json -q").done();
    bench.write(
        "x.rankings",
        "s ||| 0 ||| the cat ||| a dog\ns ||| 1 ||| the cat ||| the cat\n\
        t ||| 0 ||| a bird ||| a dog\nt ||| 1 ||| a bird ||| a bird\n",
    );
    for command in [
        "train dev.pairs -a dev.answers --folds 2",
        "train dev.pairs -a dev.answers --folds 2 -m m.json",
        "compare dev.pairs -a dev.answers",
        "compare x.rankings",
        "evaluate eval.out -a dev.answers",
        "evaluate eval.out -a dev.answers -p dev.pairs",
        "predict dev.pairs --threads 60000",
        "import rankings x.rankings",
        "score dev.pairs dev.pairs -r dev.pairs --paired-ar --rounds 9",
    ] {
        assert_eq!(bench.run(&format!("{command} --quiet")).done().stderr, "", "{command}");
        assert_eq!(bench.run(&format!("-q {command}")).done().stderr, "", "{command}");
    }
    let evaluate = "evaluate eval.out -a dev.answers";
    assert!(bench.run(evaluate).done().stderr.contains("may be too narrow"));
    assert_eq!(bench.output(&format!("{evaluate} -q")), bench.output(evaluate));
    bench.refuses("check dev.pairs --quiet", &["dev.pairs:1: expected"]);
}

/// Safeguard 25.
#[test]
fn nothing_is_said_of_pairs_that_are_not_known() {
    let bench = Bench::of(4);
    bench.run("predict dev.pairs -o eval.out").done();
    let alone = bench.run("evaluate eval.out -a dev.answers").done();
    assert!(alone.stdout.lines().next().is_some_and(|line| line.ends_with("), 12 verdicts")), "{}", alone.stdout);
    assert!(alone.stdout.contains("; verdicts from files\n"), "{}", alone.stdout);
    assert!(alone.stdout.contains("\n95% CI over single pairs (Korn and Graubard 1998)\n"), "{}", alone.stdout);
    for untrue in ["groups", "models", "references", "against", "to beat"] {
        assert!(!alone.stdout.contains(untrue), "{untrue}: {}", alone.stdout);
    }
    let json: Value = serde_json::from_str(&bench.output("evaluate eval.out -a dev.answers --json")).unwrap();
    assert_eq!((json["rows"].as_u64(), json.get("groups")), (Some(12), None));
    let beside = bench.run("evaluate eval.out -a dev.answers -p dev.pairs").done();
    assert!(beside.stdout.lines().next().is_some_and(|line| line.ends_with("), 12 pairs, 4 references")));
    let expected = "\n95% CI over references (Korn and Graubard 1998); folds of seed 1\n";
    assert!(beside.stdout.contains("; verdicts from files\n") && beside.stdout.contains(expected), "{}", beside.stdout);
    let compared = bench.output("compare dev.pairs -a dev.answers");
    assert!(compared.contains("; trained models, not cross-validated\n"), "{compared}");
}

/// Safeguard 25.
#[test]
fn identical_systems_do_not_differ() {
    let bench = Bench::of(4);
    let (hypotheses, references) = (bench.column(0), bench.column(2));
    bench.write("one", &hypotheses);
    bench.write("two", &hypotheses);
    bench.write("other", &references);
    bench.write("ref", &references);
    for test in ["--paired-ar", "--paired-bs"] {
        let command = format!("score one two other -r ref --metrics bleu,meteor {test} --rounds 99");
        let run = bench.run(&format!("{command} --json")).done();
        assert_eq!(run.stderr, "two and one are identical: every segment is the same text\n");
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(found["systems"][1]["identical_to"], "one");
        assert!(found["systems"][2].get("identical_to").is_none());
        for (system, is_one) in [(1, true), (2, false)] {
            for score in found["systems"][system]["scores"].as_array().unwrap() {
                assert_eq!(score["p_value"].as_f64() == Some(1.0), is_one, "{test}: {found}");
            }
        }
    }
}

/// Safeguard 25.
#[test]
fn models_with_the_same_verdicts_are_said_to_be_identical() {
    let bench = Bench::of(4);
    bench.run("train dev.pairs -a dev.answers --folds 2 -m a.json -q").done();
    bench.write("b.json", bench.read("a.json"));
    let compare = "compare dev.pairs -a dev.answers -m a.json -m b.json -q";
    let text = bench.output(compare);
    assert!(text.contains("\nb and a are identical: they give the same verdict on every pair\n"), "{text}");
    let json: Value = serde_json::from_str(&bench.output(&format!("{compare} --json"))).unwrap();
    assert_eq!(json["systems"][1]["same_as"], "a");
}
