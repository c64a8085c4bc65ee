//! Output on a terminal: colours if supported, lines that fit, and the same text as in a pipe.

use crate::common::{Bench, without_colours};

#[cfg(target_os = "linux")]
#[test]
fn tables_are_as_wide_as_the_terminal_and_plain_in_a_pipe() {
    let bench = Bench::of(10);
    let compare = "compare dev.pairs -a dev.answers --matrix -q";
    let piped = bench.output(compare);
    for columns in [50, 80, 120] {
        let text = bench.on_terminal(compare, columns);
        assert!(text.contains("\u{1b}[1mensemble: accuracy "), "{text:?}");
        let text = without_colours(&text);
        let (answer, rest) = text.split_once("\n\n").unwrap();
        assert!(answer.lines().all(|line| line.chars().count() <= columns), "{text}");
        assert!(rest.lines().all(|line| line.chars().count() <= columns), "{columns}: {text}");
        for essential in ["accuracy", "against", "> ensemble"] {
            assert!(rest.contains(essential), "{columns}: {text}");
        }
        let header = rest.lines().next().unwrap();
        assert_eq!(header.contains("95% CI"), columns >= 80, "{columns}: {text}");
        assert_eq!(header.contains("decided"), columns == 120, "{columns}: {text}");
    }
    assert!(piped.contains("\n> ensemble ") && piped.contains(" decided ") && !piped.contains('…'), "{piped}");
    assert!(!piped.contains('\u{1b}'), "{piped}");
}

#[test]
fn colours_are_asked_for_and_declined_by_the_environment() {
    let bench = Bench::of(10);
    bench.output("predict dev.pairs -o eval.out");
    let force = ("CLICOLOR_FORCE", "1");
    for command in [
        "train dev.pairs -a dev.answers --folds 3 -q",
        "compare dev.pairs -a dev.answers -q",
        "evaluate eval.out -a dev.answers --pairs dev.pairs -q",
    ] {
        let plain = bench.output(command);
        assert!(!plain.contains('\u{1b}'), "{command}: {plain:?}");
        let painted = bench.run_in(&[force], "", command).done().stdout;
        assert!(painted.contains("\u{1b}[1m") && painted.contains("\u{1b}[32m"), "{command}: {painted:?}");
        assert_eq!(without_colours(&painted), plain, "{command}");
        assert_eq!(bench.run_in(&[force, ("NO_COLOR", "1")], "", command).done().stdout, plain, "{command}");
    }
    let json = bench.run_in(&[force], "", "compare dev.pairs -a dev.answers -q --json").done().stdout;
    assert!(!json.contains('\u{1b}'));
}

#[test]
fn the_confusion_matrix_is_green_where_the_model_is_right() {
    let bench = Bench::of(10);
    let verdicts = bench.read("dev.answers");
    bench.write("right.out", &verdicts);
    let turned = |line: &str| match line {
        "1" => "-1\n",
        "-1" => "1\n",
        _ => "0\n",
    };
    bench.write("turned.out", verdicts.lines().map(turned).collect::<String>());
    let row = |file: &str| {
        let text =
            bench.run_in(&[("CLICOLOR_FORCE", "1")], "", &format!("evaluate {file} -a dev.answers -q")).done().stdout;
        text.lines().find(|line| line.starts_with("     1 ")).unwrap().to_owned()
    };
    let [bold, dim, green, red] = ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[32m", "\u{1b}[31m"];
    assert!(row("right.out").contains(&format!("{bold}{green}")), "{:?}", row("right.out"));
    assert!(row("right.out").contains(&format!("{dim}{red}0")), "{:?}", row("right.out"));
    assert!(row("turned.out").contains(&format!("{dim}{green}0")), "{:?}", row("turned.out"));
    assert!(row("turned.out").contains(&format!("{bold}{red}")), "{:?}", row("turned.out"));
}

#[test]
fn errors_and_warnings_have_colours_of_their_own_choice() {
    let bench = Bench::of(4);
    let run = |environment: &[(&str, &str)]| bench.run_in(environment, "", "check dev.pairs").stderr;
    assert!(run(&[]).starts_with("tribunal: dev.pairs:1: "), "{}", run(&[]));
    let painted = run(&[("CLICOLOR_FORCE", "1")]);
    assert!(painted.starts_with("\u{1b}[1m\u{1b}[31mtribunal:\u{1b}[0m dev.pairs:1: "), "{painted:?}");
    assert_eq!(run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), run(&[]));
    // clap follows the same rules.
    let help = |environment: &[(&str, &str)]| bench.run_in(environment, "", "train --help").done().stdout;
    assert!(!help(&[]).contains('\u{1b}') && help(&[("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
    assert_eq!(help(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), help(&[]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_warning_is_shown_once_on_a_terminal() {
    let bench = Bench::of(4);
    bench.run("train dev.pairs -a dev.answers --folds 2 -m own.json -q").done();
    for more in ["", "--brief", "-q"] {
        let compare = format!("compare dev.pairs -a dev.answers -m own.json {more}");
        let count = |text: &str| without_colours(text).to_lowercase().matches("warning: 'own' was trained on").count();
        let screen = bench.both_on_terminal(&compare);
        assert_eq!(count(&screen), 1, "{screen}");
        // What goes to different places is complete in each.
        let run = bench.run(&compare).done();
        assert_eq!([&run.stdout, &run.stderr].map(|text| count(text)), [1, 1]);
        assert_eq!(count(&bench.on_terminal(&compare, 80)), 1);
    }
    let json = bench.both_on_terminal("compare dev.pairs -a dev.answers -m own.json --json");
    assert!(json.contains("\"warnings\":[\"'own' was trained on"), "{json}");
}

#[cfg(target_os = "linux")]
#[test]
fn tables_of_scores_and_of_agreement_fit_the_terminal() {
    let bench = Bench::of(10);
    let texts = [0, 1, 2].map(|at| bench.column(at));
    ["one", "two", "ref"].iter().zip(&texts).for_each(|(name, text)| bench.write(name, text));
    let row = |(at, (one, two)): (usize, (&str, &str))| {
        let quoted = |text: &str| text.replace('"', "\"\"");
        let ends = [one.len() % 7, two.len() % 5];
        format!("A,{at},\"{}\",{}\nB,{at},\"{}\",{}\n", quoted(one), ends[0], quoted(two), ends[1])
    };
    let scores: String = texts[0].lines().zip(texts[1].lines()).enumerate().map(row).collect();
    let table: String = scores.lines().map(|line| format!("{line},{}\n", line.len())).collect();
    bench.write("scores.csv", format!("system,segment,hyp,people,letters\n{table}"));
    for (command, essential) in [
        ("score one two -r ref --paired-bs --rounds 100 -q", "ter"),
        ("correlate scores.csv --people people --metrics letters --rounds 100 -q", "tau_14"),
    ] {
        for columns in [40, 80, 130] {
            let text = bench.on_terminal(command, columns);
            let plain = without_colours(&text);
            // Signatures are copied as a whole.
            let mut others = plain.lines().filter(|line| !line.contains('|'));
            assert!(others.all(|line| line.chars().count() <= columns), "{columns}: {plain}");
            assert!(plain.contains(essential), "{columns}: {plain}");
        }
    }
}
