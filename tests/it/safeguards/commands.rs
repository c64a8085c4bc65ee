//! Safeguards of the command line: messages, refusals, and the contents of the program.

mod options;
mod said;
mod shipped;
mod terminal;

use std::fs;

use serde_json::Value;

use crate::common::Bench;

const RANKINGS: &str = "s1 ||| 0 ||| the cat sat ||| a cat sat\ns1 ||| 1 ||| the cat sat ||| cats sat\n";

/// Safeguard 1.
#[test]
fn an_output_that_is_an_input_is_refused() {
    let bench = Bench::of(4);
    bench.run("train dev.pairs -a dev.answers --folds 2 -m m.json").done();
    bench.write("x.rankings", RANKINGS);
    bench.write("ranks", RANKINGS);
    fs::hard_link(bench.path("dev.pairs"), bench.path("hard")).unwrap();
    fs::create_dir(bench.path("folder")).unwrap();
    bench.write("answers.tsv", bench.read("dev.answers"));
    for (arguments, input) in [
        ("train hard -a dev.answers -m hard", "hard"),
        ("train dev.pairs -a dev.answers -m ./dev.answers", "dev.answers"),
        ("train dev.pairs -a dev.answers -m hard", "dev.pairs"),
        ("predict hard -o folder/../hard", "hard"),
        ("predict dev.pairs -m m.json -o m.json", "m.json"),
        ("features dev.pairs -a answers.tsv -o answers.tsv", "answers.tsv"),
        ("import rankings ranks -o ranks --to csv", "ranks"),
        ("import rankings ranks -o new.pairs -a ranks", "ranks"),
        ("import da dev.answers --systems dev.pairs --references hard -o dev.pairs --to csv", "dev.pairs"),
    ] {
        bench.refuses(arguments, &["expected an output that is not also an input, found the input ", input]);
    }
}

/// Safeguard 1.
#[test]
fn two_outputs_are_two_files() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    for outputs in ["-o new -a new", "-o new -a ./new", "-o - -a -", "-a -"] {
        let arguments = format!("import rankings x.rankings {outputs}");
        bench.refuses(&arguments, &["expected two different outputs, found the same for both"]);
    }
    bench.run("import rankings x.rankings -o new -a other").done();
}

#[cfg(target_os = "linux")]
/// Safeguard 1.
#[test]
fn links_and_redirections_lead_to_the_same_file() {
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
        let output = bench.shell(line);
        assert_eq!(output.status, 1, "{line}: {}", output.stderr);
        assert_eq!(bench.content(), before, "{line}");
    }
    bench.shell("tribunal predict dev.pairs > /dev/null").done();
}

/// Safeguard 1.
#[test]
fn a_model_is_replaced_with_a_note() {
    let bench = Bench::of(4);
    let train = "train dev.pairs -a dev.answers --folds 2 -m m.json";
    let first = bench.run(train).done().stderr;
    assert!(first.contains("m.json: saved (12 pairs, 4 references, "), "{first}");
    assert!(first.contains(&format!("{} bytes", bench.read("m.json").len())) && !first.contains("replaced"), "{first}");
    let second = bench.run(train).done().stderr;
    assert!(second.contains("; replaced the old file"), "{second}");
    assert_eq!(bench.run(&format!("{train} -q")).done().stderr, "");
}

/// Safeguard 7.
#[test]
fn a_table_is_no_text_to_score() {
    let bench = Bench::of(1);
    bench.write("sys.csv", "hyp,ref\na cat,the cat\n");
    bench.write("sys.jsonl", "{\"hyp\": \"a cat\"}\n");
    bench.write("text", "the cat\n");
    for (system, reference) in [("sys.csv", "text"), ("text", "sys.jsonl"), ("text", "sys.tsv.gz")] {
        let table = if system == "text" { reference } else { system };
        for segments in ["", "--segments"] {
            let arguments = format!("score {system} -r {reference} {segments}");
            bench.refuses(
                &arguments,
                &[table, "expected text, one segment per line, found the file extension of a table"],
            );
        }
    }
    bench.refuses("score text -r text --metrics chrf --tokenize zh", &["--tokenize", "(bleu)", "found chrf"]);
}

const GERMAN: &str = "Der Mann hat das alte Haus am Fluss verkauft, weil er in die Stadt ziehen will.";
const CHINESE: &str = "河上的旧桥昨天因维修而关闭，所以公交车改走另一条路进城。";
const WARNING: &str = "warning: most words of the references are neither English nor names";

/// Safeguard 9.
#[test]
fn other_languages_are_noticed() {
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
            let told = bench.run(command).done().stderr;
            assert_eq!(told.matches(WARNING).count(), 1, "{command}: {told}");
            assert!(told.contains("--language"), "{told}");
            assert!(bench.run(&format!("{command} -q")).done().stderr.contains(WARNING), "{command}");
        }
        for command in [
            "predict x.csv --language de",
            "train many.csv --folds 2 --language zh",
            "score sys -r ref --metrics bleu,chrf",
        ] {
            let told = bench.run(command).done().stderr;
            assert!(!told.contains(WARNING), "{command}: {told}");
        }
    }
    let english = Bench::of(4);
    assert_eq!(english.run("predict dev.pairs").done().stderr, "");
    assert_eq!(english.run("score dev.pairs -r dev.pairs").done().stderr, "");
}

/// Safeguard 9.
#[test]
fn features_of_other_languages_need_no_english() {
    let bench = Bench::of(1);
    bench.write("x.pairs", format!("{GERMAN} ||| {GERMAN} ||| {GERMAN}\n"));
    let header = |language: &str| {
        let run = bench.run(&format!("features x.pairs --language {language}")).done();
        run.stdout.lines().next().unwrap().to_owned()
    };
    assert!(header("en").contains(",h1.meteor-all,") && !header("de").contains("meteor"), "{}", header("de"));
    assert!(header("de").contains(",h1.bleu,"));
}

/// Safeguard 14.
#[test]
fn json_verdicts_are_read_as_the_plain_ones() {
    let bench = Bench::of(4);
    let rows: Vec<String> = bench.read("dev.pairs").lines().map(|line| line.replace(" ||| ", "\t")).collect();
    let rows: String = rows.iter().enumerate().map(|(at, row)| format!("s{at}\t{row}\n")).collect();
    bench.write("dev.tsv", format!("id\thyp1\thyp2\tref\n{rows}"));
    bench.run("predict dev.tsv -o plain.out").done();
    bench.run("predict dev.tsv --json -o eval.jsonl").done();
    bench.run("predict dev.tsv --json -o eval.out").done();
    let plain = bench.read("plain.out");
    for (at, (line, verdict)) in bench.read("eval.jsonl").lines().zip(plain.lines()).enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((line["line"].as_u64(), line["id"].as_str()), (Some(at as u64 + 2), Some(&*format!("s{at}"))));
        assert_eq!(line["verdict"].to_string(), verdict);
        let probabilities = ["1", "0", "-1"].map(|label| line["probabilities"][label].as_f64().unwrap());
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{line}");
        let said = line["probabilities"][verdict].as_f64().unwrap();
        assert!(probabilities.iter().all(|&other| other <= said), "{line}");
    }
    let of = |arguments: &str| bench.output(&format!("{arguments} --json -q"));
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
    assert_eq!(piped.done().stdout, bench.run_on(&plain, "check - --pairs dev.tsv").done().stdout);
}

/// Safeguard 14.
#[test]
fn json_verdicts_in_another_order_are_refused() {
    let bench = Bench::of(2);
    bench.run("predict dev.pairs --json -o eval.jsonl").done();
    let turned: Vec<String> = bench.read("eval.jsonl").lines().rev().map(str::to_owned).collect();
    bench.write("turned.jsonl", turned.join("\n"));
    bench.refuses("check turned.jsonl", &["turned.jsonl:1: expected the verdict on pair 1, found the one on pair 6"]);
    bench.write("other.jsonl", "{\"label\": 1}\n");
    bench.refuses("check other.jsonl", &["other.jsonl:1: expected an object with the key 'verdict'"]);
}

#[cfg(target_os = "linux")]
/// Safeguard 15.
#[test]
fn notes_that_nobody_can_hear_stop_nothing() {
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
        let told = bench.shell(command);
        assert!(told.status == 0 && !told.stderr.is_empty(), "{command}");
        for stderr in ["2>/dev/full", "2>&-", "2>&1 >kept | true"] {
            let silent = bench.shell(&format!("{command} {stderr}"));
            let stdout = if stderr.contains("kept") { bench.read("kept") } else { silent.stdout };
            assert_eq!((silent.status, &stdout), (0, &told.stdout), "{command} {stderr}");
        }
    }
    assert!(!bench.read("m.json").is_empty());
}

#[cfg(target_os = "linux")]
/// Safeguard 15.
#[test]
fn the_status_is_that_of_the_work() {
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
        let output = bench.shell(command);
        assert_eq!(output.status, status, "{command}: {}", output.stderr);
        assert!(!output.stderr.contains("panicked"), "{command}: {}", output.stderr);
    }
}

/// Safeguard 16.
#[test]
fn threads_have_a_bound() {
    let bench = Bench::of(2);
    let run = bench.run("predict dev.pairs --threads 65535").done();
    assert!(run.stderr.starts_with("65535 threads are too many for "), "{}", run.stderr);
    assert_eq!(bench.run("predict dev.pairs --threads 65535 -q").done().stderr, "");
    assert_eq!(run.stdout, bench.output("predict dev.pairs --threads 1"));
}

#[cfg(target_os = "linux")]
/// Safeguard 16.
#[test]
fn threads_that_cannot_start_have_a_cause() {
    let bench = Bench::of(2);
    // Stacks larger than the address space of a process.
    let run = bench.shell("RUST_MIN_STACK=1125899906842624 tribunal predict dev.pairs --threads 2");
    run.refused_with(&["tribunal: cannot start threads: ", "os error"]);
}
