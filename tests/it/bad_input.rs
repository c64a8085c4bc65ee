//! Damaged input beyond the table of `damage.rs`, in every command that reads it: exit status 1, one line with place,
//! expected, found and advice, and no output file touched.

use serde_json::{Value, json};

use crate::common::{Bench, Run};

/// The content of an output file that no run may change.
const OLD: &str = "what stood here before\n";

/// Checks that a command that may write `out` is refused, without an old file and with one. Its message begins with the
/// first part of `told`, in which `…` separates parts, has the others in this order, and ends with advice unless the
/// fault is a single value.
fn refused(bench: &Bench, command: &str, told: &str) {
    for old in [None, Some(OLD)] {
        old.iter().for_each(|old| bench.write("out", old));
        let before = bench.content();
        let run = bench.run(command);
        run.refused_with(&[]);
        let message = run.stderr;
        let mut rest = message.strip_prefix("tribunal: ").unwrap();
        for (number, part) in told.split('…').enumerate() {
            let at = rest.find(part).filter(|&at| at == 0 || number > 0);
            rest = &rest[at.unwrap_or_else(|| panic!("{command}: no '{part}' in {message}")) + part.len()..];
        }
        let is_told = message.contains(": expected ") && message.contains(", found ");
        let is_missing = message.contains(": no such file; ") || message.contains(": no folder ");
        assert!(is_told || is_missing, "{command}: {message}");
        let is_advised = rest.rsplit_once("; ").is_some_and(|(_, advice)| advice.trim().len() > 3);
        assert!(is_advised || is_obvious(&message), "{command}: {message}");
        assert_eq!(bench.content(), before, "{command} left traces");
    }
    std::fs::remove_file(bench.path("out")).unwrap();
}

/// Whether a message is about a value, which needs no advice.
fn is_obvious(message: &str) -> bool {
    ["in the column '", "expected a weight of 0 or more", "expected a number up to"]
        .iter()
        .any(|part| message.contains(part))
}

/// All commands that read a file of pairs.
const OF_PAIRS: &[&str] = &[
    "predict FILE -o out",
    "features FILE -o out",
    "train FILE --answers dev.answers -m out --folds 2",
    "compare FILE --answers dev.answers",
    "check dev.answers --pairs FILE",
    "evaluate dev.answers --answers dev.answers --pairs FILE",
];

/// All commands that read verdicts, of people or of a model, beside pairs.
const OF_VERDICTS: &[&str] = &[
    "check FILE --pairs dev.pairs",
    "evaluate FILE --answers dev.answers",
    "evaluate FILE --answers dev.answers --pairs dev.pairs",
    "train dev.pairs --answers FILE -m out --folds 2",
    "compare dev.pairs --answers FILE",
    "features dev.pairs --answers FILE -o out",
];

/// Commands that read verdicts of any number: with fewer answers the verdicts would be too many.
const OF_VERDICTS_ALONE: &[&str] = &["check FILE", "evaluate dev.answers --answers FILE"];

const PREDICT: &[&str] = &["predict FILE -o out"];
const TRAIN: &[&str] = &["train FILE -m out --folds 2"];
const MODEL: &[&str] = &["predict dev.pairs -m FILE -o out", "compare dev.pairs --answers dev.answers -m FILE"];

/// Checks that every use of a file is refused in the same words.
fn refused_everywhere(bench: &Bench, file: &str, commands: &[&str], told: &str) {
    let told = told.replace("FILE", file);
    commands.iter().for_each(|command| refused(bench, &command.replace("FILE", file), &told));
}

/// Checks the uses of files with these contents, each with the parts of its message.
fn all_refused(bench: &Bench, cases: &[(&str, &[u8], &[&str], &str)]) {
    for (file, bytes, commands, told) in cases {
        bench.write(file, bytes);
        refused_everywhere(bench, file, commands, told);
    }
}

#[test]
fn pairs_and_verdicts() {
    let bench = Bench::of(2);
    let fields = "bad.pairs:2: expected 3 fields separated by ' ||| ', found 2";
    all_refused(
        &bench,
        &[
            ("bad.pairs", b"a ||| b ||| c\na ||| b\nd ||| e ||| f\n", OF_PAIRS, fields),
            ("bad.pairs", b"a ||| b ||| c\nd ||| e ||| f\n\n", PREDICT, "bad.pairs:3: …, found an empty line"),
            ("bad.pairs", b"a ||| b ||| c\r\na|||b|||c\r\n", PREDICT, "bad.pairs:2: expected 3 fields…, found 1"),
            ("bad.pairs", b"\n", PREDICT, "bad.pairs:1: expected 3 fields"),
            ("bad.answers", b"1\n0\n-1\n1\n0\nx\n", OF_VERDICTS, "FILE:6: expected a label 1, 0 or -1, found 'x'"),
            ("bad.answers", b"1\n0\n-1\n1\n0\nx\n", OF_VERDICTS_ALONE, "FILE:6: expected a label"),
            ("short", b"1\n0\n-1\n", OF_VERDICTS, "short:4: expected 6 lines, one for each…, found 3"),
            ("long", b"1\n0\n-1\n1\n0\n1\n0\n0\n", OF_VERDICTS, "long:7: expected 6 lines, one for each…, found 8"),
        ],
    );
    let swapped = "dev.answers:7: expected 8 lines, one for each pair of long, found 6";
    refused(&bench, "evaluate dev.answers --answers long", swapped);
    for label in ["1.5", "-2", "10", "1 0", "--1", "-0", "true", "١", "NaN"] {
        bench.write("bad.answers", format!("1\n{label}\n0\n"));
        let told = format!("bad.answers:2: expected a label 1, 0 or -1, found '{label}'");
        refused(&bench, "check bad.answers", &told);
    }
}

#[test]
fn labels_of_tables() {
    let bench = Bench::of(2);
    let csv = "hyp1,hyp2,ref,label\na,b,c,1\n\"a\nlong\",b,c,0\na,b,c,5\n";
    let tsv = "label\thyp1\thyp2\tref\r\n1\ta\tb\tc\r\nyes\ta\tb\tc\r\n";
    all_refused(
        &bench,
        &[
            ("bad.csv", csv.as_bytes(), TRAIN, "bad.csv:5: expected a label 1, 0 or -1, found '5'"),
            ("bad.tsv", tsv.as_bytes(), TRAIN, "bad.tsv:3: expected a label 1, 0 or -1, found 'yes'"),
        ],
    );
    let line = |label: &str| format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"label\":{label}}}\n");
    for wrong in ["2", "1.5", "\"x\"", "true"] {
        bench.write("bad.jsonl", line("1") + &line(wrong));
        let told = format!("bad.jsonl:2: expected a label 1, 0 or -1, found '{}'", wrong.trim_matches('"'));
        refused_everywhere(&bench, "bad.jsonl", TRAIN, &told);
    }
}

#[test]
fn text_that_is_not_utf8() {
    let told = |line: usize| format!("FILE:{line}: expected text in UTF-8, found …not UTF-8");
    let (one, two, three) = (told(1), told(2), told(3));
    all_refused(
        &Bench::of(2),
        &[
            ("bad.pairs", b"a ||| b ||| c\nna\xefve ||| b ||| c\n", OF_PAIRS, &two),
            ("bad.answers", b"1\n0\n\xff\n", OF_VERDICTS, &three),
            ("bad.answers", b"1\n0\n\xff\n", OF_VERDICTS_ALONE, &three),
            ("bad.csv", b"hyp1,hyp2,ref,\xff\na,b,c,d\n", PREDICT, &one),
            ("bad.jsonl", b"{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\xff\"}\n", PREDICT, &one),
            ("bad.json", b"{\"format\": \"tribunal-model\",\n\"version\": 1, \"data\": \"\xff\"}", MODEL, &two),
        ],
    );
}

#[test]
fn empty_files() {
    let bench = Bench::of(2);
    let (pairs, verdicts) =
        ("FILE: expected at least one pair, found none", "FILE: expected one verdict per line, found an empty file");
    let header = "FILE: expected a header with the names of the columns, found an empty file";
    for nothing in [&b""[..], b"\xef\xbb\xbf"] {
        all_refused(
            &bench,
            &[
                ("empty", nothing, OF_PAIRS, pairs),
                ("empty.jsonl", nothing, OF_PAIRS, pairs),
                ("empty.csv", nothing, PREDICT, header),
                ("empty.tsv", nothing, PREDICT, header),
                ("empty", nothing, OF_VERDICTS, verdicts),
                ("empty", nothing, OF_VERDICTS_ALONE, verdicts),
                ("empty", nothing, MODEL, "empty:1: expected a complete model file, found its end"),
            ],
        );
    }
    all_refused(&bench, &[("empty.csv", b"hyp1,hyp2,ref\n", OF_PAIRS, pairs)]);
    refused(&bench, "predict - -o out", &pairs.replace("FILE", "standard input"));
    refused(&bench, "check -", &verdicts.replace("FILE", "standard input"));
}

#[test]
fn tables_that_are_none() {
    let bench = Bench::of(2);
    let columns = "FILE:1: expected a header with the columns hyp1, hyp2, found no column ";
    let [first, second] = ["'hyp1'", "'hyp2'"].map(|column| format!("{columns}{column}"));
    let fields = "FILE:3: expected 3 fields, as in the header, found ";
    all_refused(
        &bench,
        &[
            ("bad.csv", b"hyp1\thyp2\tref\na\tb\tc\n", PREDICT, &first),
            ("bad.tsv", b"hyp1\tref\na\tb\n", PREDICT, &second),
            ("bad.csv", b"hyp1,hyp2,ref\na,b,c\na,b\n", OF_PAIRS, &format!("{fields}2")),
            ("bad.csv", b"hyp1,hyp2,ref\r\na,b,c\r\na,b,c, d\r\n", PREDICT, &format!("{fields}4")),
            (
                "bad.tsv",
                b"hyp1\thyp2\tref\na b\tc\n",
                PREDICT,
                "bad.tsv:2: expected 3 fields, as in the header, found 2",
            ),
        ],
    );
    for weight in ["nan", "NaN", "inf", "x"] {
        bench.write("bad.csv", format!("hyp1,hyp2,ref,weight\na,b,c,0.5\na,b,c,{weight}\n"));
        let told = format!("bad.csv:3: expected a weight of 0 or more, found '{weight}'");
        refused_everywhere(&bench, "bad.csv", PREDICT, &told);
    }
}

#[test]
fn lines_that_are_no_json() {
    let bench = Bench::of(2);
    let told = |told: &str| format!("bad.jsonl:2: expected {told}");
    let complete = "{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\"}";
    for (line, said) in [
        (&complete[..complete.len() - 1], "a JSON object, found one that does not end on its line"),
        ("{\"hyp1\":\"a\",\"hyp2\":null,\"ref\":\"c\"}", "a text in the column 'hyp2', found nothing"),
        ("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"weight\":-1}", "a weight of 0 or more"),
        ("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"weight\":NaN}", "a JSON object"),
        ("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"weight\":1e999}", "a JSON object"),
        ("a ||| b ||| c", "a JSON object, found …expected value"),
        ("", "a JSON object, found an empty line"),
    ] {
        bench.write("bad.jsonl", format!("{complete}\n{line}\n"));
        refused_everywhere(&bench, "bad.jsonl", PREDICT, &told(said));
    }
    refused_everywhere(&bench, "bad.jsonl", OF_PAIRS, &told("a JSON object, found an empty line"));
}

/// The built-in model as a file.
const BUILT_IN: &str = include_str!("../../models/wmt.json");

fn refused_model(bench: &Bench, text: &str, told: &str) {
    bench.write("bad.json", text);
    refused_everywhere(bench, "bad.json", MODEL, told);
}

/// Checks that the built-in model with one value changed is refused.
fn refused_change(bench: &Bench, change: impl FnOnce(&mut Value), told: &str) {
    let mut model: Value = serde_json::from_str(BUILT_IN).unwrap();
    change(&mut model);
    refused_model(bench, &model.to_string(), told);
}

#[test]
fn a_file_that_is_no_model() {
    let bench = Bench::of(1);
    let complete = BUILT_IN.trim_end();
    for tenth in 1..10 {
        let text = complete[..complete.len() * tenth / 10].trim_end();
        let lines = text.lines().count();
        refused_model(&bench, text, &format!("bad.json:{lines}: expected a complete model file, found …its end"));
    }
    for (text, told) in [
        ("[1, 2, 3]\n", "bad.json: expected a model file, which is a JSON object, found another text"),
        ("{\"format\": \"other\", \"version\": 1}\n", "bad.json: expected …tribunal-model…, found …'other'"),
        (
            "{\"format\": \"tribunal-model\"}\n",
            "bad.json:1: expected a complete model file, found …missing field `version`",
        ),
        (
            "{\"format\": \"tribunal-model\", \"version\": \"2\"}\n",
            "bad.json:1: expected a complete model file, found …string",
        ),
        (
            "{\"format\": \"tribunal-model\",\n\"version\": 2}\n",
            "bad.json:2: expected a complete model file, found …missing field",
        ),
        (
            "{\"format\": \"tribunal-model\", \"version\": 1, \"layers\": []}\n",
            "bad.json: expected a model of version 2, found version 1",
        ),
    ] {
        refused_model(&bench, text, told);
    }
}

#[test]
fn a_model_whose_parts_do_not_fit() {
    let bench = Bench::of(1);
    let known: Value = serde_json::from_str(BUILT_IN).unwrap();
    let columns = known["columns"].as_array().unwrap();
    let of_pair = columns.iter().position(|column| column["source"] == "similarity").unwrap();
    for at in [3, of_pair] {
        let name = columns[at]["name"].as_str().unwrap();
        let told = format!("bad.json: expected the feature {name} (another|way:yes), found {name} (");
        refused_change(&bench, |model| model["columns"][at]["signature"] = json!("another|way:yes"), &told);
        let told = "bad.json: expected the feature astrology (…found no feature of that name in tribunal";
        refused_change(&bench, |model| model["columns"][at]["name"] = json!("astrology"), told);
    }
    for (at, part) in
        [(0, "weight/preference"), (0, "scale/difference"), (of_pair, "weight/tie"), (of_pair, "scale/similarity")]
    {
        let (holder, key) = part.split_once('/').unwrap();
        let without = |model: &mut Value| drop(model["columns"][at][holder].as_object_mut().unwrap().remove(key));
        let name = columns[at]["name"].as_str().unwrap();
        let told = format!(
            "bad.json: expected a complete model file, found a column '{name}' without scales or weights of its kind"
        );
        refused_change(&bench, without, &told);
    }
    let (first, similarity) = ("/columns/0/scale/difference", format!("/columns/{of_pair}/scale/similarity/deviation"));
    for (pointer, number, told) in [
        (similarity.as_str(), -0.25, "scales of 0 or more…, found -0.25"),
        (first, 1e-200, "scales of 0 or more…, found 1e-200"),
        ("/score/width", -0.5, "a score.width above 0…, found -0.5"),
        ("/score/width", 1e-200, "a score.width above 0…, found 1e-200"),
        ("/score/width", 1e200, "a score.width above 0…, found 1e200"),
        ("/score/center", -1e200, "numbers up to 1e100…, found -1e200"),
    ] {
        let change = |model: &mut Value| *model.pointer_mut(pointer).unwrap() = json!(number);
        refused_change(&bench, change, &format!("bad.json: expected {told}"));
    }
    let mut marked = known.clone();
    marked["columns"][of_pair]["weight"]["tie"] = json!("here");
    for (number, found) in
        [("NaN", "expected value"), ("1e999", "out of range"), ("\"1\"", "string"), ("Infinity", "expected value")]
    {
        let text = marked.to_string().replacen("\"here\"", number, 1);
        refused_model(&bench, &text, &format!("bad.json:1: expected a complete model file, found …{found}"));
    }
}

#[test]
fn inputs_and_outputs_that_cannot_be() {
    let bench = Bench::of(2);
    std::fs::create_dir(bench.path("folder")).unwrap();
    let missing = "FILE: no such file";
    for (name, told) in [
        ("none.pairs", missing),
        ("none.csv", missing),
        ("none.jsonl", missing),
        ("folder", "folder: expected a file, found a folder"),
    ] {
        refused_everywhere(&bench, name, OF_PAIRS, told);
        refused_everywhere(&bench, name, OF_VERDICTS, told);
        refused_everywhere(&bench, name, MODEL, told);
    }
    for command in ["predict dev.pairs -o", "features dev.pairs -o", "train dev.pairs -a dev.answers --folds 2 -m"] {
        for (name, told) in [
            ("none/out", "no folder 'none'"),
            ("folder/none/out", "no folder 'folder/none'"),
            ("folder", "expected the name of a file, found a folder"),
            ("folder/", "expected the name of a file, found a folder"),
            ("none/", "expected the name of a file, found a folder"),
        ] {
            refused(&bench, &format!("{command} {name}"), &format!("{name}: {told}"));
        }
    }
}

/// Checks for the operating system's own message, with the file and the failed action.
fn cannot_write(run: &Run, place: &str) {
    assert_eq!((run.status, run.stderr.lines().count()), (1, 1), "{}", run.stderr);
    let start = format!("tribunal: {place}: cannot write: ");
    assert!(run.stderr.starts_with(&start) && run.stderr.matches("os error").count() == 1, "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn a_full_disk() {
    if !std::path::Path::new("/dev/full").exists() {
        eprintln!("skipped: this system has no /dev/full");
        return;
    }
    let bench = Bench::of(2);
    let before = bench.content();
    for command in ["predict dev.pairs -o", "features dev.pairs -o", "train dev.pairs -a dev.answers --folds 2 -qm"] {
        cannot_write(&bench.run(&format!("{command} /dev/full")), "/dev/full");
    }
    for command in ["predict dev.pairs", "check dev.answers", "features dev.pairs", "compare dev.pairs -a dev.answers"]
    {
        cannot_write(&bench.shell(&format!("tribunal {command} > /dev/full")), "standard output");
    }
    assert_eq!(bench.content(), before);
}

/// A limit on file sizes stands in for a disk that fills up while a file is written.
#[test]
#[cfg(unix)]
fn a_disk_that_fills_up_leaves_the_old_file() {
    let bench = Bench::of(4);
    bench.write("out", OLD);
    let before = bench.content();
    for command in ["predict dev.pairs -o out", "features dev.pairs -o out"] {
        let run = bench.shell(&format!("trap '' XFSZ; ulimit -f 0; exec tribunal {command}"));
        cannot_write(&run, &bench.path("out").canonicalize().unwrap().to_string_lossy());
        assert_eq!(bench.content(), before);
    }
}
