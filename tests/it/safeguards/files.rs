//! Safeguards of files: limits, damage, names.

use std::ffi::OsStr;
use std::io::Write;

use crate::common::{Bench, Run, gzip, zstd};

const MODEL: &str = include_str!("../../../models/wmt.json");

/// Runs the program on arguments that need not be valid text.
fn run(bench: &Bench, arguments: &[&OsStr]) -> Run {
    let mut program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_tribunal"));
    program.current_dir(bench.path("")).args(arguments).output().unwrap().into()
}

/// Safeguard 13.
#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    let bench = Bench::of(4);
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let marked = |text: &str| format!("\u{feff}{text}");
    let open = |text: &str| text.trim_end().to_owned();
    let all = |text: &str| marked(&crlf(&open(text)));
    let writings: [&dyn Fn(&str) -> String; 4] = [&crlf, &marked, &open, &all];
    let (pairs, answers) = (bench.read("dev.pairs"), bench.read("dev.answers"));
    let verdicts = bench.output("predict dev.pairs --json");
    let evaluated = bench.output("evaluate dev.answers -a dev.answers -p dev.pairs --json");
    let row = "{\"hyp1\":\"a cat\",\"hyp2\":\"cats\",\"ref\":\"a cat\",\"label\":1}\n";
    let tables = [
        ("x.csv", "hyp1,hyp2,ref,label\na cat,cats,a cat,1\n"),
        ("x.tsv", "hyp1\thyp2\tref\tlabel\na cat\tcats\ta cat\t1\n"),
        ("x.jsonl", row),
    ];
    for writing in writings {
        bench.write("m.json", writing(MODEL));
        bench.write("odd.pairs", writing(&pairs));
        bench.write("odd.answers", writing(&answers));
        assert_eq!(bench.output("predict odd.pairs -m m.json --json"), verdicts);
        assert_eq!(bench.output("evaluate dev.answers -a odd.answers -p odd.pairs --json"), evaluated);
        assert!(bench.output("check odd.answers --pairs odd.pairs").starts_with("odd.answers: 12 verdicts;"));
        for (name, text) in tables {
            bench.write(name, writing(text));
            let imported = bench.output(&format!("import table {name}"));
            assert_eq!(imported.lines().nth(1), Some("a cat,cats,a cat,1,,,,"), "{name}");
        }
    }
}

/// Safeguard 13.
#[test]
fn models_are_hashed_by_content() {
    let bench = Bench::of(2);
    let expected = bench.output("predict dev.pairs --json");
    let value: serde_json::Value = serde_json::from_str(MODEL).unwrap();
    // Sorted by name, with and without indentation, and with numbers as Python and jq 1.6 write them.
    let small = |text: &str| text.replace(": 1e-7", ": 1e-07").replace(": 1.0,", ": 1,");
    let texts = [value.to_string(), serde_json::to_string_pretty(&value).unwrap(), small(MODEL)];
    for text in texts {
        bench.write("m.json", text);
        assert_eq!(bench.output("predict dev.pairs --json -m m.json"), expected);
    }
    let (before, last) = MODEL.split_once("\"tie_intercept\": ").unwrap();
    let number = last.split('\n').next().unwrap();
    let other = number.strip_prefix('-').map_or_else(|| format!("-{number}"), str::to_owned);
    let other = format!("{before}\"tie_intercept\": {}", last.replacen(number, &other, 1));
    let other: serde_json::Value = serde_json::from_str(&other).unwrap();
    assert_ne!(other, value);
    bench.write("m.json", other.to_string());
    bench.refuses("predict dev.pairs -m m.json", &["m.json: expected the checksum xxh3:"]);
}

/// Safeguard 17.
#[test]
#[cfg(unix)]
fn a_link_to_no_file_yet_is_followed() {
    use std::os::unix::fs::symlink;
    let bench = Bench::of(2);
    let expected = bench.output("predict dev.pairs");
    std::fs::create_dir(bench.path("runs")).unwrap();
    symlink("runs/first", bench.path("out")).unwrap();
    bench.output("predict dev.pairs -o out");
    assert!(bench.path("out").is_symlink());
    assert_eq!(bench.read("runs/first"), expected);
    symlink("none/first", bench.path("lost")).unwrap();
    bench.refuses("predict dev.pairs -o lost", &["none/first: no folder 'none'; create it first"]);
    symlink("round", bench.path("round")).unwrap();
    bench.refuses("predict dev.pairs -o round", &["round: expected a file, found a cycle of links"]);
    assert!(bench.path("lost").is_symlink() && bench.path("round").is_symlink());
}

/// A folder that nobody can read by its path, not even root, because the path is too long.
#[cfg(target_os = "linux")]
fn make_deep_folder(bench: &Bench, name: &str) {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let (mode, open) = (Mode::from_raw_mode(0o777), OFlags::DIRECTORY | OFlags::RDONLY);
    mkdirat(CWD, bench.path(name), mode).unwrap();
    let mut folder = openat(CWD, bench.path(name), open, Mode::empty()).unwrap();
    let long = "x".repeat(250);
    for _ in 0..20 {
        mkdirat(&folder, &long, mode).unwrap();
        folder = openat(&folder, &long, open, Mode::empty()).unwrap();
    }
}

/// Safeguard 17.
#[test]
#[cfg(target_os = "linux")]
fn folders_that_cannot_be_read_are_passed_by() {
    let bench = Bench::of(1);
    make_deep_folder(&bench, "old");
    for (name, text) in [
        ("A.cs-en", "a cat sat\n"),
        ("B.cs-en", "cats\n"),
        ("ref.cs-en", "a cat sat\n"),
        ("x.cs-en.da", "SYS SID RAW Z N\nA 1 90 0 1\nB 1 10 0 1\nC 1 10 0 1\n"),
        ("x.rank", "1\tcs-en\tA\tcs-en\tB\n1\tcs-en\tA\tcs-en\tC\n"),
        (
            "x.csv",
            "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n\
             cze,eng,1,j,A,B,1,2\ncze,eng,1,j,A,C,1,2\n",
        ),
    ] {
        bench.write(name, text);
    }
    for command in ["import da x.cs-en.da --languages cs-en", "import rank x.rank", "import wmt-rr x.csv"] {
        let run = bench.run(command);
        assert_eq!((run.status, run.stdout.lines().count()), (0, 2), "{command}: {}", run.stderr);
        let reason = "of system 'C', which has no file among the outputs (1 folder cannot be read)";
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
    bench.refuses("import rank x.rank --systems none", &["none: cannot read the folder"]);
}

/// Safeguard 17.
#[test]
#[cfg(target_os = "linux")]
fn names_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::of(2);
    let [pairs, answers, model, none] =
        [&b"d\xe9v.pairs"[..], b"d\xe9v.answers", b"m\xe9.json", b"n\xe9\x1b[31m\n"].map(OsStr::from_bytes);
    for (name, text) in [(pairs, bench.read("dev.pairs")), (answers, bench.read("dev.answers")), (model, MODEL.into())]
    {
        std::fs::write(bench.path("").join(name), text).unwrap();
    }
    let predicted = run(&bench, &["predict".as_ref(), pairs, "-m".as_ref(), model]);
    assert_eq!((predicted.status, predicted.stdout), (0, bench.output("predict dev.pairs")), "{}", predicted.stderr);
    let checked = run(&bench, &["check".as_ref(), answers, "--pairs".as_ref(), pairs]);
    assert_eq!(checked.status, 0, "{}", checked.stderr);
    let missing = run(&bench, &["predict".as_ref(), none]);
    let shown = "tribunal: n\u{fffd}\\u{1b}[31m\\n: no such file; check the name and the folder\n";
    assert_eq!((missing.status, missing.stderr.as_str()), (1, shown));
}

/// Checks that a message passes no control characters to a terminal, and is not too long.
fn assert_harmless(command: &str, text: &str) {
    let lines = text.trim_end_matches('\n');
    assert!(
        !lines.contains(|symbol: char| symbol.is_control() || "\u{202e}\u{2028}".contains(symbol)),
        "{command}: {text:?}"
    );
    assert!(text.len() < 1500, "{command}: {} bytes", text.len());
}

/// Terminal escape sequences, a change of direction, and an excessive length.
fn hostile() -> String {
    format!("\u{1b}]0;title\u{7}\u{202e}\u{9b}31m{}", "long ".repeat(1 << 18))
}

/// Safeguard 18.
#[test]
fn messages_show_no_control_characters() {
    let bench = Bench::of(2);
    let (evil, json) = (hostile(), serde_json::to_string(&(hostile() + "\n")).unwrap());
    let cells = |name: &str, text: String| (name.to_owned(), text);
    let mqm = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n";
    let line = |label: &str| format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"label\":{label}}}\n");
    for ((name, text), command) in [
        (cells("x.csv", format!("hyp1,hyp2,ref,label\na,b,c,{evil}\n")), "train x.csv"),
        (cells("x.csv", format!("hyp1,hyp2,ref,weight\na,b,c,\"{evil}\n\"\n")), "predict x.csv"),
        (cells("x.csv", format!("{evil},hyp2,ref\na,b,c\n")), "predict x.csv"),
        (cells("x.csv", format!("{evil},{evil},ref\na,b,c\n")), "predict x.csv"),
        (cells("x.csv", format!("{evil},hyp2,ref\na,b,c\n")), "import table x.csv"),
        (cells("x.csv", format!("mt,ref,score\na,b,{evil}\n")), "import table x.csv"),
        (cells("x.jsonl", line(&json)), "train x.jsonl"),
        (cells("x.jsonl", format!("{{\"hyp1\":[{json}]}}\n")), "predict x.jsonl"),
        (cells("x.jsonl", format!("{json}\n")), "predict x.jsonl"),
        (cells("x.out", format!("{evil}\n")), "check x.out"),
        (cells("x.rankings", format!("1 ||| {evil} ||| r ||| h\n")), "import rankings x.rankings"),
        (
            cells("x.rankings", format!("{evil} ||| 0 ||| r ||| h\n{evil} ||| 0 ||| s ||| h\n")),
            "import rankings x.rankings",
        ),
        (cells("x.tsv", format!("{mqm}A\td\t1\tr\tt\tStyle\t{evil}\n")), "import mqm x.tsv"),
        (cells("x.tsv", format!("{mqm}{evil}\td\t1\tr\tt\tStyle\tMajor\n")), "import mqm x.tsv"),
        (cells("x.da", format!("A 1 {} 0 1\n", evil.replace(' ', "_"))), "import da x.da --references x.da"),
        (cells("m.json", format!("{{\"format\": {json}, \"version\": 1}}\n")), "predict dev.pairs -m m.json"),
        (cells("m.json", format!("{{\"format\": \"x\", \"version\": {json}}}\n")), "predict dev.pairs -m m.json"),
        (cells("m.json", MODEL.replacen("\"chrf\"", &json, 1)), "predict dev.pairs -m m.json"),
        (
            cells("m.json", MODEL.replacen("\"wordnet\": \"", &format!("\"wordnet\": {json}, \"x\": \""), 1)),
            "predict dev.pairs -m m.json",
        ),
        (cells("m.json", MODEL.replacen("\"xxh3:", &format!("{json}, \"x\": \""), 1)), "predict dev.pairs -m m.json"),
        (cells("table", format!("{evil}\n")), "score dev.answers -r dev.answers --metrics meteor --paraphrases table"),
    ] {
        bench.write(&name, text);
        assert_harmless(command, &bench.refused(command));
    }
    bench.write("x.csv", format!("hyp1,hyp2,ref,label\na,b,c,\u{1b}[31m{}\n", "ä".repeat(100)));
    let quoted = format!("found '\\u{{1b}}[31m{}…'; write", "ä".repeat(55));
    assert!(bench.refused("train x.csv").contains(&quoted));
}

/// Safeguard 18.
#[test]
fn notes_show_no_control_characters() {
    let bench = Bench::of(2);
    bench.write("ref", "the cat\n");
    for (output, text) in [("A.cs-en", "a cat\n"), ("B.cs-en", "cats\n")] {
        bench.write(output, text);
    }
    bench.write("x.rank", format!("1\tcs-en\tA\tcs-en\tB\n1\tcs-en\t{}\tcs-en\tB\n", hostile()));
    let run = bench.run("import rank x.rank --references ref");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.lines().count() > 1 && run.stderr.contains("…', which has no file"), "{}", run.stderr);
    run.stderr.lines().for_each(|line| assert_harmless("import rank", line));
}

/// Safeguard 19.
#[test]
fn compressed_input_is_known_by_its_content() {
    let bench = Bench::of(6);
    let expected = bench.output("predict dev.pairs");
    let pairs = bench.read("dev.pairs").into_bytes();
    for (name, bytes) in [
        ("padded.pairs.gz", [gzip(&pairs), vec![0; 10_000]].concat()),
        ("capitals.PAIRS.GZ", gzip(&pairs)),
        ("other-name.pairs", gzip(&pairs)),
        ("wrong-name.pairs.gz", zstd(&pairs)),
        ("zstd.pairs", zstd(&pairs)),
    ] {
        bench.write(name, &bytes);
        assert_eq!(bench.output(&format!("predict {name}")), expected, "{name}");
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_tribunal"));
        let output = command.args(["predict", "-"]).write_stdin(bytes).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{name} on standard input");
    }
    bench.write("m", gzip(MODEL.as_bytes()));
    assert_eq!(bench.output("predict dev.pairs -m m"), expected);
}

/// Safeguard 19.
#[test]
fn what_is_not_read_is_named() {
    let bench = Bench::of(2);
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(31).unwrap();
    encoder.long_distance_matching(true).unwrap();
    encoder.write_all(&bench.read("dev.pairs").into_bytes()).unwrap();
    bench.write("x.pairs.zst", encoder.finish().unwrap());
    let message = bench.refused("predict x.pairs.zst");
    let expected = "it was compressed with a zstd window of more than 128 MiB; decompress it first";
    assert!(message.contains(expected), "{message}");
    bench.write("x.pairs.gz", [gzip("a ||| b ||| c\n"), b"more".to_vec()].concat());
    assert!(bench.refused("predict x.pairs.gz").contains("x.pairs.gz: cannot read: "));
    bench.write("m.json", format!("{MODEL}more\n"));
    bench.refuses("predict dev.pairs -m m.json", &["found trailing text after its end; remove what follows the model"]);
    bench.write("m.json", MODEL.trim_end().trim_end_matches('}').to_owned() + ", \"more\": 1}\n");
    bench.refuses("predict dev.pairs -m m.json", &["m.json: expected the checksum xxh3:"]);
}

/// Safeguard 22.
#[test]
fn lines_have_a_limit() {
    let bench = Bench::of(1);
    let long = |bytes: usize| format!("{} ||| b ||| c\n", "a".repeat(bytes));
    bench.write("x.pairs", long((8 << 20) - 16));
    assert_eq!(bench.output("predict x.pairs").lines().count(), 1);
    for (name, text, command) in [
        ("x.pairs", long(8 << 20), "predict x.pairs"),
        ("x.txt", long(8 << 20), "score x.txt -r x.txt --metrics bleu"),
        ("x.tsv", "hyp1\thyp2\tref\n".to_owned() + &long(8 << 20), "predict x.tsv"),
        ("x.jsonl", format!("{{\"a\":\"{}\"}}\n", "a".repeat(8 << 20)), "predict x.jsonl"),
        ("table", long(8 << 20), "score dev.answers -r dev.answers --metrics meteor --paraphrases table"),
    ] {
        bench.write(name, text);
        let message = bench.refused(command);
        assert!(message.contains(": expected a line of at most 8 MiB, found a longer one; "), "{message}");
    }
    // An opening quotation mark without a closing one.
    bench.write("open.csv", format!("hyp1,hyp2,ref\n\"a{}", "\na, b,".repeat(2 << 20)));
    bench.refuses("predict open.csv", &["open.csv:2: expected rows of at most 8 MiB"]);
}

/// Safeguard 22.
#[test]
fn compressed_input_has_a_limit() {
    let bench = Bench::of(1);
    let many = |line: &str| line.repeat((9 << 20) / line.len()).into_bytes();
    let table = [b"hyp1,hyp2,ref,label\n".as_slice(), &many("the cat,a cat,the cat sat,1\n")].concat();
    for (name, bytes, command) in [
        ("x.txt.zst", zstd(many("the cat sat on the mat\n")), "score x.txt.zst -r x.txt.zst"),
        ("x.pairs", gzip(many("the cat ||| a cat ||| the cat sat\n")), "train x.pairs --answers dev.answers"),
        ("x.csv.zst", zstd(&table), "train x.csv.zst"),
        ("x.jsonl.zst", zstd(many("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\"}\n")), "predict x.jsonl.zst"),
        ("m.json.gz", gzip(many(" ")), "predict dev.pairs -m m.json.gz"),
        ("table", gzip(many("0.5\na\nb\n")), "score dev.answers -r dev.answers --metrics meteor --paraphrases table"),
        ("x.out.gz", gzip(many("1\n")), "check x.out.gz"),
    ] {
        bench.write(name, &bytes);
        let message = bench.refused(command);
        let expected = "expected at most 8 MiB of decompressed data, found more, ";
        assert!(message.contains(expected), "{name}: {message}");
        assert!(message.contains(" times the compressed data; ") && message.contains("decompress it first"));
    }
    let unpacked = bench.shell("zcat x.out.gz | tribunal check -").done().stdout;
    assert!(unpacked.contains("4718592 verdicts"), "{unpacked}");
}

/// Safeguard 22.
#[test]
fn other_files_have_a_limit() {
    let bench = Bench::of(1);
    let large = |name: &str, bytes: u64| std::fs::File::create(bench.path(name)).unwrap().set_len(bytes).unwrap();
    large("table", (256 << 20) + 1);
    bench
        .run("score dev.answers -r dev.answers --metrics meteor --paraphrases table")
        .refused_with(&["table: expected a file of at most 256 MiB, found a larger one; "]);
    large("m.json", 1 << 40);
    bench.run("predict dev.pairs -m m.json").refused_with(&["m.json: expected a file of at most 64 MiB"]);
}

/// At a cost quadratic in the number of columns this would take minutes.
/// Safeguard 23.
#[test]
fn many_columns_cost_as_much_as_they_are_many() {
    let bench = Bench::of(1);
    let further = |skipped: usize| {
        let names = (2..400_002).filter(|number| *number != skipped).map(|number| format!(",ref{number}"));
        format!("hyp1,hyp2,ref{}\n", names.collect::<String>())
    };
    let row = format!("a cat,cats,a cat{}\n", ",".repeat(400_000));
    bench.write("x.csv", further(0) + &row);
    assert_eq!(bench.output("predict x.csv"), "1\n");
    bench.write("x.csv", further(200_000) + &row[..row.len() - 2] + "\n");
    bench.refuses("predict x.csv", &["expected the column 'ref200000' before 'ref200001', found no such column"]);
    bench.write("x.csv", further(0).replace(",ref399999,", ",ref7,") + &row);
    bench.refuses("predict x.csv", &["expected distinct column names, found two columns 'ref7'"]);

    let object: String = (2..200_002).map(|number| format!(",\"ref{number}\":\"\"")).collect();
    bench.write("x.jsonl", format!("{{\"hyp1\":\"a cat\",\"hyp2\":\"cats\",\"ref\":\"a cat\"{object}}}\n").repeat(2));
    assert_eq!(bench.output("predict x.jsonl"), "1\n1\n");

    let systems: String = (1..=80_000).map(|number| format!(",system{number}Id,system{number}rank")).collect();
    let blank = format!("cze,eng,1,j{}\n", ",".repeat(160_000));
    bench.write("x.csv", format!("srclang,trglang,srcIndex,judgeId{systems}\n{blank}"));
    let imported = bench.run("import wmt-rr x.csv --references dev.answers");
    assert!(imported.stderr.contains("dropped 1 row: with fewer than two ranks"), "{}", imported.stderr);
}

/// Safeguard 30.
#[test]
fn a_stray_quote_swallows_no_rows() {
    let bench = Bench::of(1);
    let table = |rows: &str| format!("hyp1,hyp2,ref,label\na cat,cats,a cat,1\n{rows}");
    let stray = "Stop it he said,stop,stop,1\nno,yes,no,-1\n\"Go\" she said,go,go,1\n";
    for (rows, line, told) in [
        (format!("\"{stray}"), 5, "the quote that closes the one of line 3, found 'Go\" she said,go,go,1'; put quotes"),
        ("\"Go\" she said,go,go,1\n".into(), 3, "after a closing quote, found 'she said,go,go,1'; put quotes around"),
        ("\"say \\\"go\\\" now\",b,c,1\n".into(), 3, "; write a quote within quotes as \"\", not as \\\""),
        ("\"he said \\\"go\\\"\",b,c,1\n".into(), 3, "; write a quote within quotes as \"\", not as \\\""),
    ] {
        bench.write("x.csv", table(&rows));
        for command in ["predict x.csv", "compare x.csv", "import table x.csv", "features x.csv"] {
            bench.refuses(command, &[&format!("x.csv:{line}: expected a comma or the end of the line after "), told]);
        }
    }
    bench.write("x.csv", table("\"Go, \"\"now\"\"\" ,\"go\nnow\",5\" long,1\n"));
    let pair: serde_json::Value =
        serde_json::from_str(bench.output("import table x.csv --to jsonl -q").lines().nth(1).unwrap()).unwrap();
    assert_eq!([&pair["hyp1"], &pair["hyp2"], &pair["ref"]], ["Go, \"now\"", "go\nnow", "5\" long"]);
}

const RANKED: &str = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n\
    cze,eng,1,j,A,B,1,2\ncze,eng,2,j,A,B,2,1\n";
const ERRORS: &str = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n\
    ref\td\t1\tr\tthe cat\tNo-error\tNo-error\nA\td\t1\tr\ta cat\tStyle\tMajor\n\
    B\td\t1\tr\tcats\tNo-error\tNo-error\n";

/// Safeguard 36.
#[test]
fn a_carriage_return_ends_lines_only_alone() {
    let bench = Bench::of(1);
    bench.write("ref.cs-en", "a cat sat\nit rained\n");
    bench.write("A.cs-en", "a cat\nrain\n");
    bench.write("B.cs-en", "cats\nit rains\n");
    for (name, command, text) in [
        ("x.pairs", "predict x.pairs --json", "a cat ||| cats ||| a cat\nb ||| c ||| d\n"),
        ("x.pairs", "compare x.pairs -a x.answers --json", "a cat ||| cats ||| a cat\nb ||| c ||| d\n"),
        ("x.csv", "import table x.csv", "hyp1,hyp2,ref,label\na cat,cats,a cat,1\nb,\"c\",d,-1\n"),
        ("x.tsv", "import table x.tsv", "hyp1\thyp2\tref\tlabel\na cat\tcats\ta cat\t1\n"),
        ("x.jsonl", "predict x.jsonl", "{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"b\"}\n"),
        ("x.rankings", "import rankings x.rankings", "s ||| 1 ||| the cat ||| a cat\ns ||| 0 ||| the cat ||| cats\n"),
        ("x.da", "import da x.da --languages cs-en", "SYS SID RAW Z N\nA 1 90 0 1\nB 1 10 0 1\n"),
        ("x.rank", "import rank x.rank", "1\tcs-en\tA\tcs-en\tB\n2\tcs-en\tB\tcs-en\tA\n"),
        ("x.csv", "import wmt-rr x.csv", RANKED),
        ("x.tsv", "import mqm x.tsv", ERRORS),
        ("A.cs-en", "score A.cs-en -r ref.cs-en --metrics bleu,chrf --segments", "a cat\nrain\n"),
    ] {
        bench.write("x.answers", "1\n-1\n");
        bench.write(name, text);
        let expected = bench.output(command);
        bench.write(name, text.replace('\n', "\r"));
        bench.write("x.answers", "1\r-1");
        assert_eq!(bench.output(command), expected, "{command}");
    }
    // Beside other line ends it is a character of the text.
    for (name, text) in [
        ("x.csv", "hyp1,hyp2,ref,label\na\rcat,cats,a cat,1\n"),
        ("x.tsv", "hyp1\thyp2\tref\tlabel\r\na\rcat\tcats\ta cat\t1\r\n"),
        ("x.jsonl", "{\"hyp1\":\"a\\rcat\",\"hyp2\":\"cats\",\"ref\":\"a cat\",\"label\":1}\n"),
    ] {
        bench.write(name, text);
        let pair = bench.json(&format!("import table {name} --to jsonl -q"));
        assert_eq!([&pair["hyp1"], &pair["ref"]], ["a\rcat", "a cat"], "{name}");
    }
    bench.write("x.pairs", "a\rcat ||| cats ||| a cat\nb ||| c ||| d\n");
    assert_eq!(bench.output("predict x.pairs").lines().count(), 2);
}

/// Safeguard 36.
#[test]
fn byte_order_marks_within_files_are_named() {
    let bench = Bench::of(1);
    for (name, command, text) in [
        ("x.pairs", "predict x.pairs", "\u{feff}a ||| b ||| c\n\u{feff}a ||| b ||| c\n"),
        ("x.answers", "check x.answers", "1\n\u{feff}-1\n"),
        ("x.jsonl", "predict x.jsonl", "{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"b\"}\n\u{feff}{}\n"),
        ("x.csv", "predict x.csv", "hyp1,hyp2,ref\n\u{feff}hyp1,hyp2,ref\n"),
    ] {
        bench.write(name, text);
        let told = format!("{name}:2: expected a byte-order mark (U+FEFF) only at the start of the file, found one at");
        bench.refuses(command, &[&told]);
    }
}

/// Safeguard 36.
#[test]
fn names_keep_all_digits() {
    let bench = Bench::of(1);
    let (group, id) = ("12345678901234567890123", "-99999999999999999999");
    let row = |label: &str| {
        format!(
            "{{\"hyp1\":\"a {label}\",\"hyp2\":\"b\",\"ref\":\"b\",\"label\":{label},\"group\":{group},\"id\":{id}}}\n"
        )
    };
    bench.write("x.jsonl", row("1") + &row("-1").replace("123,", "124,"));
    let table = bench.output("import table x.jsonl -q");
    assert!(table.contains(&format!(",{id},{group},")) && table.contains("0124,"), "{table}");
    assert!(bench.output("predict x.jsonl --json").contains(&format!("\"id\":\"{id}\"")));
}

/// Safeguard 36.
#[test]
fn quoted_cells_of_tsv_are_noted() {
    let bench = Bench::of(1);
    bench.write("x.tsv", "hyp1\thyp2\tref\tlabel\n\"He said \"\"go\"\"\"\tgo\t\"\"\"Go\"\" he said\"\t1\n");
    let told = "2 texts in quotes with doubled quotes inside, such as '\"He said \"\"go\"\"\"': only CSV has quoting";
    for command in ["predict x.tsv", "compare x.tsv", "features x.tsv", "import table x.tsv"] {
        let run = bench.run(command);
        assert!(run.status == 0 && run.stderr.contains(told), "{command}: {}", run.stderr);
    }
    bench.write("x.tsv", "hyp1\thyp2\tref\tlabel\n\"Go,\" he said\t\"go\"\t\"Go now\"\t1\n");
    assert!(!bench.run("predict x.tsv").stderr.contains("quotes"));
}
