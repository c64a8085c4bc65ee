//! The program is killed at any moment: there is the old file or the new one, whole, and nothing else.
#![cfg(target_os = "linux")]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Bench;

fn start(bench: &Bench, command: &str) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    let program = program.current_dir(bench.path("")).args(command.split(' '));
    program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// How long the whole command takes; its output is `out`.
fn whole(bench: &Bench, command: &str) -> (Duration, Vec<u8>) {
    let begun = Instant::now();
    assert!(start(bench, command).wait().unwrap().success());
    (begun.elapsed(), std::fs::read(bench.path("out")).unwrap())
}

/// Where there is an old file, Linux replaces it in two steps, a few microseconds apart: the new one, which is whole by then,
/// gets a name, and that of the old one. Removes a file that was caught between them, and says how many there were.
fn remove_unnamed(bench: &Bench, new: &[u8]) -> usize {
    let entries = std::fs::read_dir(bench.path("")).unwrap().map(|entry| entry.unwrap());
    let unnamed: Vec<_> =
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".tribunal-")).collect();
    for entry in &unnamed {
        assert_eq!(std::fs::read(entry.path()).unwrap(), new);
        std::fs::remove_file(entry.path()).unwrap();
    }
    unnamed.len()
}

/// Kills the command so many times, at moments that are spread over its run and a bit beyond.
fn killed(bench: &Bench, command: &str, times: u32) {
    let (duration, new) = whole(bench, command);
    let old = b"what stood here before\n".to_vec();
    let (mut outcomes, mut remains) = ([0, 0], 0);
    for time in 0..times {
        // Every second time there is no old file.
        let before = (time % 2 == 0).then(|| old.clone());
        std::fs::remove_file(bench.path("out")).unwrap();
        before.iter().for_each(|old| bench.write("out", old));
        let files = bench.content().len();
        let mut program = start(bench, command);
        // Multiples of the golden section fall evenly, and never on a rhythm of the program.
        let share = f64::from(time) * 0.618_033_988_749_895 % 1.0;
        std::thread::sleep(duration.mul_f64(share * 1.2));
        program.kill().unwrap();
        program.wait().unwrap();
        let after = std::fs::read(bench.path("out")).ok();
        let is_new = after.as_ref() == Some(&new);
        assert!(
            is_new || after == before,
            "{command}, killed at {share}: {} bytes",
            after.map_or(0, |text| text.len())
        );
        remains += remove_unnamed(bench, &new);
        let expected = files + usize::from(is_new && before.is_none());
        assert_eq!(bench.content().len(), expected, "{command}, killed at {share}, left something");
        outcomes[usize::from(is_new)] += 1;
        bench.write("out", &new);
    }
    assert!(remains <= 1, "{command} left a whole file under another name {remains} times");
    assert!(outcomes[0] > 0, "{command} was never killed before its end");
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

/// What a user does who has waited long enough: Ctrl-C ends at once, and leaves nothing.
#[test]
fn an_interrupted_training_ends_at_once() {
    let bench = Bench::of(60);
    let before = bench.content();
    // With studies it takes more than a second.
    let program = start(&bench, "train dev.pairs --answers dev.answers -m out --ablation --curve");
    std::thread::sleep(Duration::from_millis(100));
    let id = program.id().to_string();
    assert!(Command::new("sh").args(["-c", &format!("kill -INT {id}")]).status().unwrap().success());
    let begun = Instant::now();
    let output = program.wait_with_output().unwrap();
    assert!(!output.status.success(), "the training was over before it was interrupted");
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert_eq!(bench.content(), before);
}
