//! Rows are written as pairs are read, and memory does not grow with their number.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{Bench, without_lines};

/// Sends lines one by one; the program must answer each before it gets the next.
fn converse(arguments: &[&str], questions: &[&str]) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    let mut program = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let answers = questions.iter().map(|question| {
        input.write_all(question.as_bytes()).unwrap();
        lines.next().unwrap().unwrap()
    });
    let answers = answers.collect();
    drop(input);
    assert!(program.wait().unwrap().success());
    answers
}

#[test]
fn each_verdict_comes_when_its_pair_is_read() {
    let answers = converse(
        &["predict", "-", "--unbuffered"],
        &["the cat sat ||| cat on ||| the cat sat\n", "on ||| the cat sat ||| the cat sat\n", "a ||| a ||| a\n"],
    );
    assert_eq!(answers[..2], ["1", "-1"]);
    let json = "{\"hyp1\":\"the cat sat\",\"hyp2\":\"on\",\"ref\":\"the cat sat\"}\n";
    let answers = converse(&["predict", "-", "--unbuffered", "--format", "jsonl", "--json"], &[json, json]);
    assert!(answers[0].starts_with("{\"pair\":1,\"line\":1,\"verdict\":1,"), "{answers:?}");
    assert_eq!(without_lines(&answers[0]), without_lines(&answers[1]));
}

/// The peak memory of a command on `rows` pairs, all texts of which differ.
#[cfg(target_os = "linux")]
fn peak_of(bench: &Bench, rows: usize, command: &str) -> u64 {
    let pair = |row: usize| format!("the cat w{row} sat here ||| a cat v{row} sat ||| the cat u{row} sat down\n");
    bench.write("many.pairs", (0..rows).map(pair).collect::<String>());
    bench.write("many.txt", (0..rows).map(|row| format!("the cat w{row} sat\n")).collect::<String>());
    let ranking = |row: usize| format!("{} ||| {} ||| the cat ||| a cat w{row}\n", row / 4, row % 4);
    bench.write("many.rankings", (0..rows).map(ranking).collect::<String>());
    let mut program = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    let program = program.current_dir(bench.path("")).args(command.split(' ')).stdout(Stdio::piped());
    let mut program = program.spawn().unwrap();
    let mut output = program.stdout.take().unwrap();
    let reader = std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()).unwrap());
    let status = format!("/proc/{}/status", program.id());
    let mut peak = 0;
    // The peak can only be read while the program runs.
    while program.try_wait().unwrap().is_none() {
        if let Some(kilobytes) = std::fs::read_to_string(&status).ok().and_then(|text| high_water(&text)) {
            peak = peak.max(kilobytes);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(reader.join().unwrap() > 0 && program.wait().unwrap().success(), "{command}");
    assert!(peak > 0, "{command} was too quick to be measured");
    peak
}

#[cfg(target_os = "linux")]
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_rows() {
    let bench = Bench::of(1);
    for command in ["predict many.pairs", "features many.pairs", "import rankings many.rankings"] {
        // Freed memory is reused only after some batches.
        let (few, many) = (peak_of(&bench, 24_000, command), peak_of(&bench, 72_000, command));
        assert!(many < few + few / 2 + 8_000, "{command}: {few} kB with few rows, {many} kB with many");
        assert!(many < 300_000, "{command}: {many} kB");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_segments() {
    let bench = Bench::of(1);
    let peak = |rows: usize| {
        bench.write("long.txt", (0..rows).map(|row| format!("{row:<200} the cat sat\n")).collect::<String>());
        peak_of(&bench, 10, "score long.txt long.txt -r long.txt long.txt --metrics length --segments")
    };
    let (few, many) = (peak(90_000), peak(270_000));
    assert!(many < few + few / 4 && few < 300_000, "{few} kB with few segments, {many} kB with many");
}

#[test]
fn segments_of_a_pipe_have_the_scores_of_a_file() {
    let bench = Bench::of(1);
    let rows = 5_000;
    let all: String = (0..rows).map(|row| format!("the cat w{} sat on {row}\n", row % 7)).collect();
    bench.write("all.txt", &all);
    bench.write("ref.txt", (0..rows).map(|row| format!("a cat w{} sat\n", row % 5)).collect::<String>());
    let more = |row: usize| if row.is_multiple_of(3) { "\n" } else { "the cat sat\n" };
    bench.write("more.txt", (0..rows).map(more).collect::<String>());
    let score = "-r ref.txt more.txt --metrics chrf,bleu --segments -o";
    bench.run(&format!("score all.txt {score} file.tsv")).done();
    bench.run_on(&all, &format!("score - {score} pipe.tsv")).done();
    assert_eq!(bench.read("file.tsv"), bench.read("pipe.tsv"));
    assert!(bench.read("file.tsv").contains("nrefs:var"), "{}", bench.read("file.tsv").lines().next().unwrap());
    let last = bench.read("file.tsv").lines().last().unwrap().to_owned();
    bench.write("last.txt", all.lines().last().unwrap());
    bench.write("last.ref", "a cat w4 sat");
    bench.write("last.more", "the cat sat");
    let alone = bench.output("score last.txt -r last.ref last.more --metrics chrf,bleu --segments");
    assert_eq!(alone.lines().last(), Some(last.as_str()));
}

#[test]
fn batches_change_nothing() {
    let bench = Bench::of(1);
    let pair = |row: usize| format!("the cat w{} sat ||| a cat {row} ||| the cat w{} sat\n", row % 7, row % 5);
    let all: String = (0..5000).map(pair).collect();
    bench.write("all.pairs", &all);
    let whole = bench.run("predict all.pairs --json").stdout;
    let (first, rest) = all.split_at(all.match_indices('\n').nth(2999).unwrap().0 + 1);
    let parts = [first, rest].map(|part| bench.run_on(part, "predict - --json").stdout);
    assert_eq!(without_lines(&parts.concat()), without_lines(&whole));
    let features = bench.run("features all.pairs --threads 1").stdout;
    assert_eq!(features, bench.run("features all.pairs --threads 2").stdout);
    assert_eq!(features.lines().count(), 5001);
}
