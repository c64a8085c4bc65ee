//! What a terminal gets.
#![cfg(target_os = "linux")]

use crate::common::{Bench, without_colours};

/// Sets the title of a terminal, turns its text red, and reverses the direction of writing.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[31m\u{202e}";
const SHOWN: &str = r"\u{1b}]0;x\u{7}\u{1b}[31m\u{202e}";

/// Safeguard 44.
#[test]
fn names_cannot_command_the_terminal() {
    let bench = Bench::of(8);
    let system = format!("s{HOSTILE}");
    bench.write(&system, bench.column(0));
    bench.write("other", bench.column(1));
    bench.write("ref", bench.column(2));
    bench.run("predict dev.pairs -o eval.out").done();
    bench.write(&format!("v{HOSTILE}.out"), bench.read("eval.out"));
    bench.run("train dev.pairs -a dev.answers --folds 2 -m m.json").done();
    bench.write(&format!("m{HOSTILE}.json"), bench.read("m.json"));
    let row = |at: usize| format!("A{HOSTILE},{at},{},{}\nB,{at},{},{}\n", at % 5, at % 3, at % 4, at % 2);
    let rows: String = (0..12).map(row).collect();
    bench.write("t.csv", format!("system,segment,people{HOSTILE},x{HOSTILE}\n{rows}"));
    let values: String = (0..24).map(|at| format!("{}\t{}\n", at % 5, at % 3)).collect();
    bench.write("own", values);
    for command in [
        format!("score '{system}' other -r ref --metrics bleu,ensemble --paired-bs --rounds 9"),
        format!("score '{system}' other -r ref --metrics bleu -m 'm{HOSTILE}.json'"),
        format!("correlate t.csv --people 'people{HOSTILE}' --metrics 'x{HOSTILE}' --rounds 9"),
        format!("check 'v{HOSTILE}.out'"),
        format!("evaluate 'v{HOSTILE}.out' eval.out -a dev.answers -p dev.pairs"),
        format!("compare dev.pairs -a dev.answers -m 'm{HOSTILE}.json' --matrix"),
        format!("compare dev.pairs -a dev.answers --own 'o{HOSTILE}=own'"),
        format!("man 'f{HOSTILE}'"),
    ] {
        let is_data = command.starts_with("score");
        for text in std::iter::once(bench.on_terminal(&command, 200)).chain((!is_data).then(|| bench.output(&command)))
        {
            let text = without_colours(&text);
            assert!(text.contains(SHOWN), "{command}: {text:?}");
            assert!(!text.contains(|symbol| "\u{1b}\u{7}\u{202e}".contains(symbol)), "{command}: {text:?}");
        }
    }
    // Formats of data have escapes of their own.
    let json = bench.json(&format!("score '{system}' other -r ref --metrics bleu"));
    assert_eq!(json["systems"][0]["name"], system);
}

/// Safeguard 44.
#[test]
fn threads_are_bounded_wherever_their_number_comes_from() {
    let bench = Bench::of(1);
    let told = bench.run_in(&[("RAYON_NUM_THREADS", "100000")], "", "check dev.answers").done().stderr;
    assert!(told.starts_with("100000 threads are too many for "), "{told}");
    for fine in ["0", "1", "many"] {
        assert_eq!(bench.run_in(&[("RAYON_NUM_THREADS", fine)], "", "check dev.answers").done().stderr, "", "{fine}");
    }
}

/// Safeguard 47.
#[test]
fn no_number_is_cut_on_a_narrow_terminal() {
    let bench = Bench::of(10);
    ["one", "two", "ref"].iter().enumerate().for_each(|(at, name)| bench.write(name, bench.column(at)));
    let row = |at: usize| format!("A,{at},{},{}\nB,{at},{},{}\n", at % 5, at % 3, at % 4, at % 2);
    bench.write("t.csv", format!("system,segment,people,x\n{}", (0..12).map(row).collect::<String>()));
    bench.write("more.csv", "hyp1,hyp2,ref,label\na b,c,a b,1\nd,e f,e f,-1\ng h,i,g h,1\n");
    for command in [
        "compare dev.pairs -a dev.answers --matrix -q",
        "train dev.pairs more.csv -a dev.answers --folds 2 --ablation --curve -q",
        "evaluate dev.answers -a dev.answers -p dev.pairs -q",
        "score one two -r ref --metrics bleu,chrf,ensemble --paired-bs --confidence --rounds 9 -q",
        "score --list-metrics",
        "correlate t.csv --people people --rounds 9 -q",
        "explain dev.pairs --line 1",
    ] {
        let text = without_colours(&bench.on_terminal(command, 40));
        // A table is no wider, and what is text ends between words.
        let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 40, "{command}: {widest:?}\n{text}");
    }
}

/// Safeguard 48.
#[test]
fn predict_ends_with_the_count_of_each_verdict() {
    let bench = Bench::of(4);
    bench.write("one.pairs", "a cat ||| a cat ||| the cat\n");
    assert_eq!(bench.notes_on_terminal("predict one.pairs -o one.out"), "0 first, 0 second, 1 tie\n");
    let told = bench.notes_on_terminal("predict dev.pairs -o eval.out");
    let count = |verdict: &str| bench.read("eval.out").lines().filter(|line| *line == verdict).count();
    assert_eq!(told, format!("{} first, {} second, {} ties\n", count("1"), count("-1"), count("0")));
    assert_eq!(bench.notes_on_terminal("predict dev.pairs -q -o eval.out"), "");
    assert_eq!(bench.run("predict dev.pairs -o eval.out").done().stderr, "");
}
