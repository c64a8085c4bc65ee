//! Killing the program at any moment leaves either the whole old file or the whole new one, and at most a temporary file.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Bench;

/// Starts a command whose standard input stays open.
fn start(bench: &Bench, command: &str) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    let program = program.current_dir(bench.path("")).args(command.split(' '));
    program.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Sends a signal to a program.
fn signal(program: &mut Child, name: &str) {
    let kill = format!("kill -{name} {}", program.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    assert!(program.wait().unwrap().signal().is_some(), "it had ended by itself before SIG{name}");
}

/// Checks that a command leaves at most a temporary file when it is ended while it waits for more input.
fn changes_nothing(command: &str, input: &str) {
    let bench = Bench::of(6);
    // Not SIGINT, which processes that a shell starts in the background ignore.
    for (name, old) in
        [("KILL", None), ("KILL", Some("what stood here before\n")), ("TERM", None), ("TERM", Some("old"))]
    {
        old.iter().for_each(|old| bench.write("out", old));
        let before = bench.content();
        let mut program = start(&bench, command);
        // More than a pipe holds: once all is written, the program has begun to read.
        let mut pipe = program.stdin.take().unwrap();
        while_it_reads(&mut pipe, input);
        signal(&mut program, name);
        remove_temporary(&bench);
        assert_eq!(bench.content(), before, "{command}, ended by SIG{name}, left something");
        let _ = std::fs::remove_file(bench.path("out"));
    }
}

/// Writes 1 MB, so that all but the last 64 KB have been read.
fn while_it_reads(pipe: &mut impl Write, line: &str) {
    for _ in 0..(1 << 20) / line.len() {
        pipe.write_all(line.as_bytes()).unwrap();
    }
}

#[test]
fn what_ends_before_its_input_changes_nothing() {
    changes_nothing("predict - -o out", "the cat sat ||| cat on ||| the cat sat\n");
    changes_nothing("import rankings - -o out -a labels", "1 ||| 2 ||| the cat sat ||| a cat\n");
    changes_nothing("train - --answers dev.answers -m out --folds 2", "the cat sat ||| cat on ||| the cat sat\n");
}

/// The approximate duration of the whole command, and the content of its output `out`.
fn whole(bench: &Bench, command: &str) -> (Duration, Vec<u8>) {
    let begun = Instant::now();
    assert!(start(bench, command).wait().unwrap().success());
    (begun.elapsed(), std::fs::read(bench.path("out")).unwrap())
}

/// Removes the temporary files of a program that was killed.
fn remove_temporary(bench: &Bench) {
    let entries = std::fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap());
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".tribunal-")) {
        std::fs::remove_file(entry.path()).unwrap();
    }
}

/// Kills the command `times` times, at moments spread over its run and slightly beyond. The moments depend on the
/// machine; what must hold does not.
fn killed(bench: &Bench, command: &str, times: u32) {
    let (duration, new) = whole(bench, command);
    let old = b"what stood here before\n".to_vec();
    for time in 0..times {
        // In every second round there is no old file.
        let before = (time % 2 == 0).then(|| old.clone());
        std::fs::remove_file(bench.path("out")).unwrap();
        before.iter().for_each(|old| bench.write("out", old));
        let files = bench.content().len();
        let mut program = start(bench, command);
        // Multiples of the golden ratio are spread evenly, without a period.
        let share = f64::from(time) * 0.618_033_988_749_895 % 1.0;
        std::thread::sleep(duration.mul_f64(share * 1.2));
        program.kill().unwrap();
        program.wait().unwrap();
        let after = std::fs::read(bench.path("out")).ok();
        let is_new = after.as_ref() == Some(&new);
        let size = after.as_ref().map_or(0, Vec::len);
        assert!(is_new || after == before, "{command}, killed at {share}: {size} bytes");
        remove_temporary(bench);
        let expected = files + usize::from(is_new && before.is_none());
        assert_eq!(bench.content().len(), expected, "{command}, killed at {share}, left something");
        bench.write("out", &new);
    }
}

#[test]
fn a_killed_prediction_leaves_the_old_file_or_the_new_one() {
    let bench = Bench::of(40);
    bench.write("out", "");
    killed(&bench, "predict dev.pairs -o out", 60);
}

#[test]
fn a_killed_import_leaves_the_old_file_or_the_new_one() {
    let bench = Bench::of(1);
    bench.write("out", "");
    let line = |row: usize| format!("{} ||| {} ||| the cat sat ||| a cat w{row}\n", row / 50, row % 50);
    bench.write("many.rankings", (0..5000).map(line).collect::<String>());
    killed(&bench, "import rankings many.rankings -o out -a labels", 30);
}

#[test]
fn a_killed_training_leaves_the_old_model_or_the_new_one() {
    let bench = Bench::of(6);
    killed(&bench, "train dev.pairs --answers dev.answers -m out --folds 2", 20);
}
