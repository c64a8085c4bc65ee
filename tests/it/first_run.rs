//! What someone meets first: the program without a command, unknown commands, the demo, other locales and scripts.

use unicode_width::UnicodeWidthStr;

use crate::common::Bench;

#[test]
fn without_a_command_three_questions_name_the_commands_that_answer_them() {
    let bench = Bench::of(1);
    let overview = bench.output("");
    let lines: Vec<&str> = overview.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.ends_with('?')).count(), 3, "{overview}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{overview}");
    let named: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("  tribunal ")?.split(' ').next()).collect();
    assert_eq!(named.len(), 6);
    for command in named {
        bench.output(&format!("{command} --help"));
    }
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let bench = Bench::of(1);
    for (arguments, tip) in [
        ("predit dev.pairs", "'predict'"),
        ("import mqn x.tsv", "'mqm'"),
        ("train dev.pairs --anwsers dev.answers", "'--answers'"),
        ("predict dev.pairs --format jsnl", "'jsonl'"),
    ] {
        let run = bench.run(arguments);
        assert_ne!(run.status, 0, "{arguments}");
        assert!(run.stderr.contains(tip), "{arguments}: {}", run.stderr);
    }
    let run = bench.run("nonsense");
    assert!(run.status == 2 && run.stderr.contains("--help"), "{}", run.stderr);
}

/// The demo's commands with what each prints.
fn steps(shown: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    for line in shown.lines().take_while(|line| !line.starts_with("The sample is synthetic")) {
        match (line.strip_prefix("$ tribunal "), steps.last_mut()) {
            (Some(arguments), _) => steps.push((arguments.to_owned(), String::new())),
            (None, Some((_, output))) if !line.starts_with("# ") => *output += &format!("{line}\n"),
            _ => {}
        }
    }
    steps
}

#[test]
fn the_demo_shows_what_its_commands_print() {
    let bench = Bench::of(1);
    let shown = bench.output("demo");
    let steps = steps(&shown);
    assert_eq!(steps.len(), 5, "{shown}");
    for (arguments, output) in steps {
        assert_eq!(output.trim_end(), bench.output(&arguments).trim_end(), "{arguments}");
    }
    assert!(bench.path("demo/report/report.html").is_file() && bench.path("demo/dev.json").is_file());
    assert!(shown.contains("771 pairs, 110 references") && shown.contains("Open demo/report/report.html"));
    // It may be run again, and elsewhere, but takes no file away.
    assert_eq!(bench.output("demo"), shown);
    bench.write("demo/dev.pairs", "mine");
    let run = bench.run("demo");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let message =
        "demo/dev.pairs: expected no file, or the sample's, found another; name a new folder: tribunal demo DIR";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert_eq!(bench.read("demo/dev.pairs"), "mine");
    assert!(bench.output("demo other").contains("$ tribunal predict other/new.pairs -m other/dev.json"));
}

#[cfg(target_os = "linux")]
#[test]
fn the_demo_runs_in_a_folder_of_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let (bench, name) = (Bench::of(1), std::ffi::OsStr::from_bytes(b"caf\xe9 2"));
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_tribunal"));
    let run = program.current_dir(bench.path("")).arg("demo").arg(name).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(String::from_utf8_lossy(&run.stdout).contains("$ tribunal predict 'caf\u{fffd} 2/new.pairs' -m"));
    assert!(bench.path("").join(name).join("report/report.html").is_file());
}

#[test]
fn output_is_the_same_in_every_locale() {
    let bench = Bench::of(12);
    let locales = ["C", "de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.EUC-JP"];
    for command in
        ["train dev.pairs -a dev.answers --folds 3", "explain dev.pairs --line 1", "predict dev.pairs --json"]
    {
        let outputs = locales.map(|locale| {
            let environment = [("LC_ALL", locale), ("LANG", locale), ("LANGUAGE", locale)];
            bench.run_in(&environment, "", command).done().stdout
        });
        assert!(outputs.iter().all(|output| *output == outputs[0] && !output.is_empty()), "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn columns_align_under_names_in_wide_scripts() {
    let bench = Bench::of(1);
    for name in ["系统一.txt", "b.txt", "번역기.txt"] {
        bench.write(name, "the cat sat on the mat\nit rained\n");
    }
    bench.write("r.txt", "the cat sat on a mat\nit rained\n");
    let table = bench.on_terminal("score 系统一.txt b.txt 번역기.txt -r r.txt --metrics chrf,bleu", 100);
    // What stands before the first figure takes the same columns in each row.
    let before = |row: &str| row.split_once("79.77").map(|(before, _)| before.width());
    let places: Vec<_> = table.lines().skip(1).take(3).map(before).collect();
    assert!(places[0].is_some() && places.iter().all(|place| *place == places[0]), "{table}");
}
