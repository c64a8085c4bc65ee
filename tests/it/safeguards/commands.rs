//! Safeguards of the command line: messages, refusals, and the contents of the program.

mod said;
mod shipped;

use std::fs;
#[cfg(target_os = "linux")]
use std::process::{Command, Output};

use serde_json::Value;

use crate::common::{Bench, Run};

/// The run, which must have succeeded.
fn done(run: Run) -> Run {
    assert_eq!(run.status, 0, "{}", run.stderr);
    run
}

/// Checks that a command is refused in one line with all these parts, and leaves no trace.
fn refused(bench: &Bench, arguments: &str, parts: &[&str]) {
    let before = bench.content();
    let Run { status, stdout, stderr } = bench.run(arguments);
    assert_eq!((status, stdout.as_str(), stderr.lines().count()), (1, "", 1), "{arguments}: {stderr}");
    assert!(parts.iter().all(|part| stderr.contains(part)), "{arguments}: {stderr}");
    assert_eq!(bench.content(), before, "{arguments} changed something");
}

/// Runs a shell line in which `tribunal` is the program.
#[cfg(target_os = "linux")]
fn shell(bench: &Bench, line: &str) -> Output {
    let line = line.replace("tribunal", env!("CARGO_BIN_EXE_tribunal"));
    Command::new("sh").current_dir(bench.path("")).args(["-c", &line]).output().unwrap()
}

const RANKINGS: &str = "s1 ||| 0 ||| the cat sat ||| a cat sat\ns1 ||| 1 ||| the cat sat ||| cats sat\n";

#[test]
fn safeguard_01_an_output_that_is_an_input_is_refused() {
    let bench = Bench::of(4);
    done(bench.run("train dev.pairs -a dev.answers --folds 2 -m m.json"));
    bench.write("x.rankings", RANKINGS);
    fs::hard_link(bench.path("dev.pairs"), bench.path("hard")).unwrap();
    fs::create_dir(bench.path("folder")).unwrap();
    for (arguments, input) in [
        ("train dev.pairs -a dev.answers -m dev.pairs", "dev.pairs"),
        ("train dev.pairs -a dev.answers -m ./dev.answers", "dev.answers"),
        ("train hard -a dev.answers -m dev.pairs", "hard"),
        ("predict dev.pairs -o folder/../dev.pairs", "dev.pairs"),
        ("predict dev.pairs -m m.json -o m.json", "m.json"),
        ("features dev.pairs -a dev.answers -o dev.answers", "dev.answers"),
        ("import rankings x.rankings -o x.rankings --to csv", "x.rankings"),
        ("import rankings x.rankings -o new.pairs -a x.rankings", "x.rankings"),
        ("import da dev.answers --systems dev.pairs --references hard -o dev.pairs --to csv", "dev.pairs"),
    ] {
        refused(&bench, arguments, &["expected an output that is not also an input, found the input ", input]);
    }
}

#[test]
fn safeguard_01_two_outputs_are_two_files() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    for outputs in ["-o new -a new", "-o new -a ./new", "-o - -a -", "-a -"] {
        let arguments = format!("import rankings x.rankings {outputs}");
        refused(&bench, &arguments, &["expected two different outputs, found the same for both"]);
    }
    done(bench.run("import rankings x.rankings -o new -a other"));
}

#[cfg(target_os = "linux")]
#[test]
fn safeguard_01_links_and_redirections_lead_to_the_same_file() {
    let bench = Bench::of(2);
    std::os::unix::fs::symlink("dev.pairs", bench.path("link")).unwrap();
    std::os::unix::fs::symlink("none", bench.path("dangling")).unwrap();
    bench.write("x.rankings", RANKINGS);
    let before = bench.content();
    for line in [
        "tribunal predict dev.pairs -o link",
        "tribunal predict link -o dev.pairs",
        "tribunal predict - -o dev.pairs < dev.pairs",
        "tribunal predict dev.pairs >> dev.pairs",
        "tribunal features link >> dev.pairs",
        "tribunal import rankings x.rankings -o dangling -a none",
    ] {
        let output = shell(&bench, line);
        assert_eq!(output.status.code(), Some(1), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(bench.content(), before, "{line}");
    }
    assert!(shell(&bench, "tribunal predict dev.pairs > /dev/null").status.success());
}

#[test]
fn safeguard_01_a_model_is_replaced_with_a_note() {
    let bench = Bench::of(4);
    let train = "train dev.pairs -a dev.answers --folds 2 -m m.json";
    let first = done(bench.run(train)).stderr;
    assert!(first.contains("m.json: a model of 12 pairs, 4 groups of references; "), "{first}");
    assert!(first.contains(&format!("{} bytes", bench.read("m.json").len())) && !first.contains("in place"), "{first}");
    let second = done(bench.run(train)).stderr;
    assert!(second.contains("in place of the file that was there"), "{second}");
    assert_eq!(done(bench.run(&format!("{train} -q"))).stderr, "");
}

#[test]
fn safeguard_07_a_table_is_no_text_to_score() {
    let bench = Bench::of(1);
    bench.write("sys.csv", "hyp,ref\na cat,the cat\n");
    bench.write("sys.jsonl", "{\"hyp\": \"a cat\"}\n");
    bench.write("text", "the cat\n");
    for (system, reference) in [("sys.csv", "text"), ("text", "sys.jsonl"), ("text", "sys.tsv.gz")] {
        let table = if system == "text" { reference } else { system };
        for segments in ["", "--segments"] {
            let arguments = format!("score {system} -r {reference} {segments}");
            refused(&bench, &arguments, &[table, "expected text, one segment per line, found the ending of a table"]);
        }
    }
    refused(&bench, "score text -r text --metrics chrf --tokenize zh", &["--tokenize", "(bleu)", "found chrf"]);
}

const GERMAN: &str = "Der Mann hat das alte Haus am Fluss verkauft, weil er in die Stadt ziehen will.";
const CHINESE: &str = "河上的旧桥昨天因维修而关闭，所以公交车改走另一条路进城。";
const WARNING: &str = "warning: most words of the references are neither English nor names";

#[test]
fn safeguard_09_other_languages_are_noticed() {
    let bench = Bench::of(1);
    for text in [GERMAN, CHINESE] {
        let other: String = text.chars().skip(3).collect();
        bench.write("x.csv", format!("hyp1,hyp2,ref,label\n\"{text}\",\"{other}\",\"{text}\",1\n"));
        bench.write("ref", format!("{text}\n"));
        bench.write("sys", format!("{other}\n"));
        let rows: String = (0..8).map(|at| format!("\"{text}\",\"{other}\",\"{text} {at}\",1\n")).collect();
        bench.write("many.csv", format!("hyp1,hyp2,ref,label\n{rows}"));
        for command in [
            "predict x.csv",
            "features x.csv",
            "compare x.csv",
            "train many.csv --folds 2",
            "score sys -r ref --metrics meteor,bleu",
            "score sys -r ref --metrics ensemble --segments",
        ] {
            let told = done(bench.run(command)).stderr;
            assert_eq!(told.matches(WARNING).count(), 1, "{command}: {told}");
            assert!(told.contains("--language"), "{told}");
            assert_eq!(done(bench.run(&format!("{command} -q"))).stderr, "");
        }
        for command in [
            "predict x.csv --language de",
            "train many.csv --folds 2 --language zh",
            "score sys -r ref --metrics bleu,chrf",
        ] {
            let told = done(bench.run(command)).stderr;
            assert!(!told.contains(WARNING), "{command}: {told}");
        }
    }
    let english = Bench::of(4);
    assert_eq!(done(english.run("predict dev.pairs")).stderr, "");
    assert_eq!(done(english.run("score dev.pairs -r dev.pairs")).stderr, "");
}

#[test]
fn safeguard_09_features_of_other_languages_need_no_english() {
    let bench = Bench::of(1);
    bench.write("x.pairs", format!("{GERMAN} ||| {GERMAN} ||| {GERMAN}\n"));
    let header = |language: &str| {
        let run = done(bench.run(&format!("features x.pairs --language {language}")));
        run.stdout.lines().next().unwrap().to_owned()
    };
    assert!(header("en").contains(",h1.meteor-all,") && !header("de").contains("meteor"), "{}", header("de"));
    assert!(header("de").contains(",h1.bleu,"));
}

#[test]
fn safeguard_14_json_verdicts_are_read_as_the_plain_ones() {
    let bench = Bench::of(4);
    let rows: Vec<String> = bench.read("dev.pairs").lines().map(|line| line.replace(" ||| ", "\t")).collect();
    let rows: String = rows.iter().enumerate().map(|(at, row)| format!("s{at}\t{row}\n")).collect();
    bench.write("dev.tsv", format!("id\thyp1\thyp2\tref\n{rows}"));
    done(bench.run("predict dev.tsv -o plain.out"));
    done(bench.run("predict dev.tsv --json -o eval.jsonl"));
    done(bench.run("predict dev.tsv --json -o eval.out"));
    let plain = bench.read("plain.out");
    for (at, (line, verdict)) in bench.read("eval.jsonl").lines().zip(plain.lines()).enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((line["line"].as_u64(), line["id"].as_str()), (Some(at as u64 + 2), Some(&*format!("s{at}"))));
        assert_eq!(line["verdict"].to_string(), verdict);
        let sum: f64 = ["1", "0", "-1"].iter().map(|label| line["probabilities"][label].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{line}");
    }
    let of = |arguments: &str| done(bench.run(&format!("{arguments} --json -q"))).stdout;
    for file in ["eval.jsonl", "eval.out"] {
        assert_eq!(of(&format!("check {file} --pairs dev.tsv")), of("check plain.out --pairs dev.tsv"));
        let row = |file: &str| {
            let found = of(&format!("evaluate {file} -a dev.answers -p dev.tsv"));
            let mut found: Value = serde_json::from_str(&found).unwrap();
            let mut row = found["systems"][0].take();
            row.as_object_mut().unwrap().remove("name");
            row
        };
        assert_eq!(row(file), row("plain.out"));
    }
    let piped = bench.run_on(&bench.read("eval.jsonl"), "check - --pairs dev.tsv");
    assert_eq!(done(piped).stdout, done(bench.run_on(&plain, "check - --pairs dev.tsv")).stdout);
}

#[test]
fn safeguard_14_json_verdicts_in_another_order_are_refused() {
    let bench = Bench::of(2);
    done(bench.run("predict dev.pairs --json -o eval.jsonl"));
    let turned: Vec<String> = bench.read("eval.jsonl").lines().rev().map(str::to_owned).collect();
    bench.write("turned.jsonl", turned.join("\n"));
    refused(&bench, "check turned.jsonl", &["turned.jsonl:2: expected the verdict on a pair after line 6"]);
    bench.write("other.jsonl", "{\"label\": 1}\n");
    refused(&bench, "check other.jsonl", &["other.jsonl:1: expected an object with the key 'verdict'"]);
}

#[cfg(target_os = "linux")]
#[test]
fn safeguard_15_notes_that_nobody_can_hear_stop_nothing() {
    let bench = Bench::of(4);
    let answers = bench.read("dev.answers");
    let pairs = bench.read("dev.pairs");
    let weighted = pairs.lines().map(|line| line.replace(" ||| ", "\t")).zip(answers.lines());
    let weighted: String = weighted.map(|(row, label)| format!("{row}\t{label}\t0.5\n")).collect();
    bench.write("dev.tsv", format!("hyp1\thyp2\tref\tlabel\tweight\n{weighted}"));
    for command in [
        "tribunal train dev.tsv --folds 2 -m m.json",
        "tribunal train dev.tsv --folds 2",
        "tribunal evaluate dev.answers -a dev.answers",
    ] {
        let told = shell(&bench, command);
        assert!(told.status.success() && !told.stderr.is_empty(), "{command}");
        for stderr in ["2>/dev/full", "2>&-", "2>&1 >kept | true"] {
            let silent = shell(&bench, &format!("{command} {stderr}"));
            let stdout = if stderr.contains("kept") { fs::read(bench.path("kept")).unwrap() } else { silent.stdout };
            assert_eq!((silent.status.code(), stdout), (Some(0), told.stdout.clone()), "{command} {stderr}");
        }
    }
    assert!(!bench.read("m.json").is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn safeguard_15_the_status_is_that_of_the_work() {
    let bench = Bench::of(1);
    for (command, status) in [
        ("tribunal check dev.pairs 2>/dev/full", 1),
        ("tribunal check 2>/dev/full", 2),
        ("tribunal --help > /dev/full", 1),
        ("tribunal predict --help > /dev/full", 1),
        ("tribunal --version > /dev/full", 1),
        ("tribunal check dev.answers > /dev/full", 1),
        ("tribunal check dev.answers > /dev/full 2>/dev/full", 1),
        ("tribunal --help > /dev/null 2>/dev/full", 0),
    ] {
        let output = shell(&bench, command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{command}: {stderr}");
        assert!(!stderr.contains("panicked"), "{command}: {stderr}");
    }
}

#[test]
fn safeguard_16_threads_have_a_bound() {
    let bench = Bench::of(2);
    let run = done(bench.run("predict dev.pairs --threads 65535"));
    assert!(run.stderr.starts_with("65535 threads are too many for "), "{}", run.stderr);
    assert_eq!(done(bench.run("predict dev.pairs --threads 65535 -q")).stderr, "");
    assert_eq!(run.stdout, done(bench.run("predict dev.pairs --threads 1")).stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn safeguard_16_threads_that_cannot_start_have_a_cause() {
    let bench = Bench::of(2);
    // Stacks larger than the address space of a process.
    let output = shell(&bench, "RUST_MIN_STACK=1125899906842624 tribunal predict dev.pairs --threads 2");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(1), 1), "{stderr}");
    assert!(stderr.starts_with("tribunal: cannot start threads: ") && stderr.contains("os error"), "{stderr}");
}
