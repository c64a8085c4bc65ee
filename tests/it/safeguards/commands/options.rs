//! The options of the commands, and what is said of wrong command lines and of the wrong files.

use crate::common::Bench;

/// Safeguard 46.
#[test]
fn files_of_other_programs_are_told_what_reads_them() {
    let bench = Bench::of(1);
    bench.write("lines.txt", r#"{"hyp1": "a", "hyp2": "b", "ref": "c"}"#);
    bench.write("mqm.csv", "system,seg_id,severity\nA,1,Major\n");
    bench.write("x.parquet", b"PAR1\x15\x04\x15\xffPAR1");
    for (command, parts) in [
        ("predict lines.txt", ["a JSON object with the keys hyp1, hyp2, ref; ", "--format jsonl"]),
        ("compare mqm.csv", ["found no column 'hyp1' among system, seg_id, severity; ", "'tribunal import mqm'"]),
        ("import table mqm.csv", ["found only system, seg_id, severity; ", "'tribunal import mqm'"]),
    ] {
        bench.refuses(command, &parts);
    }
    #[cfg(not(feature = "parquet"))]
    for command in ["train x.parquet", "train x.parquet --annotators ann,bob", "import table x.parquet"] {
        bench.refuses(command, &["x.parquet: expected text, found a Parquet file; write the table as .csv"]);
    }
}

/// Safeguard 46.
#[test]
fn wrong_options_are_told_what_is_right() {
    let bench = Bench::of(1);
    bench.write("x", "a cat\n");
    for (arguments, told) in [
        ("score x -r x --rounds -5", "'--rounds <N>': expected a whole number from 1 to 1000000"),
        ("train dev.pairs --folds -5", "'--folds <N>': expected a whole number, 2 or more"),
        ("predict dev.pairs -a dev.answers", "'tribunal compare PAIRS -a ANSWERS'"),
        ("predict dev.pairs --answers dev.answers", "'tribunal evaluate EVAL -a ANSWERS'"),
        ("score x -r x --own comet=x", "--model <FILE>"),
        ("predict dev.pairs -5", "unexpected argument '-5'"),
    ] {
        let run = bench.run(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(told) && !run.stderr.contains("-- -"), "{arguments}: {}", run.stderr);
    }
    bench.refuses(
        "score x -r x --metrics bleurt",
        &["'bleurt'; ", "--own NAME=FILE", "'tribunal score --list-metrics'"],
    );
}

/// Safeguard 46.
#[test]
fn reports_without_references_speak_of_none() {
    let bench = Bench::of(1);
    let row = |at: usize| format!("a{at},b{at},{},{},{}\n", at % 7, at % 5, [1, -1, 1, 0][at % 4]);
    let rows: String = (0..40).map(row).collect();
    bench.write("own.csv", format!("hyp1,hyp2,x.1,x.2,label\n{rows}"));
    let run = bench.run("train own.csv --own x --only-own --folds 4 --curve -m m.json").done();
    let compared = bench.run("compare own.csv -m m.json").done();
    for text in [&run.stdout, &compared.stdout] {
        assert!(!text.contains("reference"), "{text}");
    }
    assert!(run.stdout.contains(", 40 pairs, 40 groups\n"), "{}", run.stdout);
}

/// Safeguard 47.
#[test]
fn help_fits_two_screens() {
    let bench = Bench::of(1);
    let commands = [
        "train",
        "score",
        "predict",
        "compare",
        "explain",
        "correlate",
        "import",
        "import table",
        "rank",
        "next",
        "annotate",
        "encoder",
        "features",
        "evaluate",
        "check",
        "demo",
        "import mqm",
        "import rankings",
        "import da",
    ];
    for command in commands {
        for columns in ["80", "100"] {
            let help =
                |flag: &str| bench.run_in(&[("COLUMNS", columns)], "", &format!("{command} {flag}")).done().stdout;
            let [short, long] = ["-h", "--help"].map(help);
            for (text, most) in [(&short, 60), (&long, 100)] {
                let lines = text.lines().count();
                let told = format!(
                    "{command}: expected at most {most} lines at {columns} columns, found {lines}; shorten a help"
                );
                assert!(lines <= most, "{told}\n{text}");
                assert!(text.contains("\n  tribunal "), "{command}: {text}");
            }
            assert!(short.contains("--help") && short.len() < long.len(), "{command}: {short}");
        }
    }
    // Commands do something, in the imperative, and options that all share come last, in one order.
    let overview = bench.output("--help");
    let listed = overview.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let first_words = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let first_words: Vec<&str> = first_words.filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert!(first_words.len() > 15 && first_words.iter().all(|word| !word.ends_with('s')), "{first_words:?}");
    for command in ["compare", "rank", "train"] {
        let help = bench.output(&format!("{command} --help"));
        let places: Vec<Option<usize>> =
            ["--language", "--encoder", "--json", "--quiet", "--threads", "--seed"].map(|flag| help.find(flag)).into();
        assert!(places.is_sorted() && places[0].is_some(), "{command}: {places:?}");
    }
    // The formats are listed once.
    let help = bench.output("import --help").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("(lines hyp1 ||| hyp2 ||| ref)"), "{help}");
    assert!(!bench.output("train --help").contains("rankings"));
    assert_eq!(bench.output("help train"), bench.output("train --help"));
}

/// Safeguard 46.
#[test]
fn ties_directions_and_weights_have_one_form_each() {
    let bench = Bench::of(4);
    bench.write("t.csv", "system,segment,score,cost\na,1,3,1\nb,1,2,2\na,2,3,1\nb,2,1,3\n");
    let names = |options: &str| {
        let report = bench.json(&format!("correlate t.csv --people score --rounds 0 --quiet {options}"));
        report["metrics"][0]["segments"]["none"].clone()
    };
    assert!(names("--metrics cost-")["pearson"].as_f64().unwrap() > 0.9);
    bench.write("x.rankings", "1 ||| 1 ||| r ||| a\n1 ||| 1 ||| r ||| b\n1 ||| 3 ||| r ||| c\n");
    let pairs = |options: &str| bench.run(&format!("import rankings x.rankings -o - {options}")).stdout;
    assert_ne!(pairs("--human-ties drop --score-weights"), pairs(""));
}
