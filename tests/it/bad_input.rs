//! Damaged input, one table for each kind of damage: exit status 1, one line with place, expected and found, and no
//! output file touched.

use serde_json::{Value, json};

use crate::common::{Bench, Run};

/// The required parts of a message: the place, and pieces of what was expected and found.
struct Says<'a> {
    place: &'a str,
    expected: &'a str,
    found: &'a str,
}

const fn says<'a>(place: &'a str, expected: &'a str, found: &'a str) -> Says<'a> {
    Says { place, expected, found }
}

/// The content of an output file that no run may change.
const OLD: &str = "what stood here before\n";

/// Checks that a command that may write `out` is refused, without an old file and with one.
fn refused(bench: &Bench, command: &str, says: &Says<'_>) {
    for old in [None, Some(OLD)] {
        if let Some(old) = old {
            bench.write("out", old);
        }
        let before = bench.content();
        let run = bench.run(command);
        assert_message(&run, says, command);
        assert_eq!(bench.content(), before, "{command} left traces");
    }
    std::fs::remove_file(bench.path("out")).unwrap();
}

fn assert_message(run: &Run, says: &Says<'_>, command: &str) {
    let Run { status, stdout, stderr } = run;
    assert_eq!((*status, stdout.as_str(), stderr.lines().count()), (1, "", 1), "{command}: {stdout}{stderr}");
    let start = format!("tribunal: {}: expected ", says.place);
    let message = stderr.strip_prefix(&start).unwrap_or_else(|| panic!("{command}: '{start}' does not begin {stderr}"));
    let (expected, rest) = message.split_once(", found ").unwrap_or_else(|| panic!("{command}: {stderr}"));
    let (found, advice) = rest.rsplit_once("; ").unwrap_or_else(|| panic!("{command}: no advice in {stderr}"));
    assert!(expected.contains(says.expected), "{command}: '{}' is not expected in {stderr}", says.expected);
    assert!(rest.contains(says.found) && !found.is_empty(), "{command}: '{}' is not found in {stderr}", says.found);
    assert!(advice.trim().len() > 3, "{command}: no advice in {stderr}");
}

/// All commands that read a file of pairs.
fn uses_of_pairs(file: &str) -> Vec<String> {
    [
        "predict FILE -o out",
        "features FILE -o out",
        "train FILE --answers dev.answers -m out --folds 2",
        "compare FILE --answers dev.answers",
        "check dev.answers --pairs FILE",
        "evaluate dev.answers --answers dev.answers --pairs FILE",
    ]
    .map(|command| command.replace("FILE", file))
    .to_vec()
}

/// All commands that read a file of verdicts, of people or of a model.
fn uses_of_verdicts(file: &str) -> Vec<String> {
    [
        "check FILE",
        "check FILE --pairs dev.pairs",
        "evaluate FILE --answers dev.answers",
        "evaluate FILE --answers dev.answers --pairs dev.pairs",
        "evaluate dev.answers --answers FILE",
        "train dev.pairs --answers FILE -m out --folds 2",
        "compare dev.pairs --answers FILE",
        "features dev.pairs --answers FILE -o out",
    ]
    .map(|command| command.replace("FILE", file))
    .to_vec()
}

/// Checks that every use of the damaged file is refused in the same words.
fn refused_everywhere(bench: &Bench, commands: &[String], says: &Says<'_>) {
    commands.iter().for_each(|command| refused(bench, command, says));
}

#[test]
fn pairs_with_too_few_fields() {
    let bench = Bench::of(2);
    let three = "3 fields separated by ' ||| '";
    for (text, says) in [
        ("a ||| b\n", says("bad.pairs:1", three, "2")),
        ("a ||| b ||| c\na ||| b\nd ||| e ||| f\n", says("bad.pairs:2", three, "2")),
        ("a ||| b ||| c\nno separator\n", says("bad.pairs:2", three, "1")),
        ("a ||| b ||| c\n\nd ||| e ||| f\n", says("bad.pairs:2", three, "1")),
        ("a ||| b ||| c\nd ||| e ||| f\n\n", says("bad.pairs:3", three, "1")),
        ("a ||| b ||| c\r\na|||b|||c\r\n", says("bad.pairs:2", three, "1")),
        ("\n", says("bad.pairs:1", three, "1")),
    ] {
        bench.write("bad.pairs", text);
        refused(&bench, "predict bad.pairs -o out", &says);
    }
    bench.write("bad.pairs", "a ||| b ||| c\na ||| b\n");
    refused_everywhere(&bench, &uses_of_pairs("bad.pairs"), &says("bad.pairs:2", three, "2"));
}

#[test]
fn labels_that_are_none() {
    let bench = Bench::of(2);
    for label in ["2", "abc", "1.5", "-2", "10", "1 0", "--1", "-0", "true", "١", "NaN"] {
        bench.write("bad.answers", format!("1\n{label}\n0\n1\n-1\n1\n"));
        refused(&bench, "check bad.answers", &says("bad.answers:2", "a label 1, 0 or -1", &format!("'{label}'")));
    }
    bench.write("bad.answers", "1\n\n0\n1\n-1\n1\n");
    refused(&bench, "check bad.answers", &says("bad.answers:2", "a label 1, 0 or -1", "an empty line"));
    bench.write("bad.answers", "1\n0\n-1\n1\n0\nx\n");
    let message = says("bad.answers:6", "a label 1, 0 or -1", "'x'");
    refused_everywhere(&bench, &uses_of_verdicts("bad.answers"), &message);
}

#[test]
fn a_wrong_label_of_a_table() {
    let bench = Bench::of(2);
    let label = "a label 1, 0 or -1";
    bench.write("bad.csv", "hyp1,hyp2,ref,label\na,b,c,1\n\"a\nlong\",b,c,0\na,b,c,5\n");
    refused(&bench, "train bad.csv -m out --folds 2", &says("bad.csv:5", label, "'5'"));
    bench.write("bad.tsv", "label\thyp1\thyp2\tref\r\n1\ta\tb\tc\r\nyes\ta\tb\tc\r\n");
    refused(&bench, "train bad.tsv -m out --folds 2", &says("bad.tsv:3", label, "'yes'"));
    let line = |label: &str| format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"label\":{label}}}\n");
    for wrong in ["2", "1.5", "\"x\"", "true"] {
        bench.write("bad.jsonl", line("1") + &line(wrong));
        let found = format!("'{}'", wrong.trim_matches('"'));
        refused(&bench, "train bad.jsonl -m out --folds 2", &says("bad.jsonl:2", label, &found));
    }
    bench.write("bad.csv", "hyp1,hyp2,ref,label\na,b,c,1\na,b,c,\n");
    refused(&bench, "train bad.csv -m out --folds 2", &says("bad.csv:3", "a human judgment of the pair", "none"));
    refused(&bench, "train dev.pairs -m out --folds 2", &says("dev.pairs:1", "a human judgment of the pair", "none"));
}

#[test]
fn verdicts_of_another_number_than_the_pairs() {
    let bench = Bench::of(2);
    bench.write("short", "1\n0\n-1\n");
    bench.write("long", bench.read("dev.answers") + "1\n-1\n");
    let commands = |file: &str| {
        let mut commands = uses_of_verdicts(file);
        // Without pairs a file may have any length, and too many answers would be too few verdicts.
        commands.retain(|command| !command.starts_with(&format!("check {file}")) || command.contains("--pairs"));
        commands.retain(|command| !command.starts_with("evaluate dev.answers"));
        commands
    };
    refused_everywhere(&bench, &commands("short"), &says("short:4", "6 lines, one for each", "3"));
    refused_everywhere(&bench, &commands("long"), &says("long:7", "6 lines, one for each", "8"));
    let swapped = says("dev.answers:7", "8 lines, one for each pair of long", "6");
    refused(&bench, "evaluate dev.answers --answers long", &swapped);
}

#[test]
fn text_that_is_not_utf8() {
    let bench = Bench::of(2);
    let message = |place| says(place, "text in UTF-8", "not UTF-8");
    bench.write("bad.pairs", b"a ||| b ||| c\nna\xefve ||| b ||| c\n");
    refused_everywhere(&bench, &uses_of_pairs("bad.pairs"), &message("bad.pairs:2"));
    bench.write("bad.answers", b"1\n0\n\xff\n");
    refused_everywhere(&bench, &uses_of_verdicts("bad.answers"), &message("bad.answers:3"));
    bench.write("bad.csv", b"hyp1,hyp2,ref\na,b,c\na,\xff,c\n");
    refused(&bench, "predict bad.csv -o out", &message("bad.csv:3"));
    bench.write("bad.csv", b"hyp1,hyp2,ref,\xff\na,b,c,d\n");
    refused(&bench, "predict bad.csv -o out", &message("bad.csv:1"));
    bench.write("bad.jsonl", b"{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\xff\"}\n");
    refused(&bench, "predict bad.jsonl -o out", &message("bad.jsonl:1"));
    bench.write("bad.json", b"{\"format\": \"tribunal-model\",\n\"version\": 1, \"data\": \"\xff\"}");
    refused(&bench, "predict dev.pairs -m bad.json -o out", &message("bad.json:2"));
}

#[test]
fn empty_files() {
    let bench = Bench::of(2);
    for nothing in ["", "\u{feff}"] {
        for file in ["empty", "empty.jsonl"] {
            bench.write(file, nothing);
            refused_everywhere(&bench, &uses_of_pairs(file), &says(file, "at least one pair", "none"));
        }
        for file in ["empty.csv", "empty.tsv"] {
            bench.write(file, nothing);
            refused(
                &bench,
                &format!("predict {file} -o out"),
                &says(file, "a header with the names of the columns", "an empty file"),
            );
        }
        refused_everywhere(&bench, &uses_of_verdicts("empty"), &says("empty", "one verdict per line", "an empty file"));
        refused(&bench, "predict dev.pairs -m empty -o out", &says("empty:1", "a complete model file", "its end"));
    }
    bench.write("empty.csv", "hyp1,hyp2,ref\n");
    refused_everywhere(&bench, &uses_of_pairs("empty.csv"), &says("empty.csv", "at least one pair", "none"));
    refused(&bench, "predict - -o out", &says("standard input", "at least one pair", "none"));
    refused(&bench, "check -", &says("standard input", "one verdict per line", "an empty file"));
}

#[test]
fn tables_that_are_none() {
    let bench = Bench::of(2);
    let columns = "a header with the columns hyp1, hyp2, ref";
    for (file, text, says) in [
        ("bad.csv", "hyp1,hyp2\na,b\n", says("bad.csv:1", columns, "no column 'ref' among hyp1, hyp2")),
        ("bad.csv", "a,b,c\n", says("bad.csv:1", columns, "no column 'hyp1'")),
        ("bad.csv", "hyp1\thyp2\tref\na\tb\tc\n", says("bad.csv:1", columns, "no column 'hyp1'")),
        ("bad.tsv", "hyp1\tref\na\tb\n", says("bad.tsv:1", columns, "no column 'hyp2'")),
        ("bad.csv", "hyp1,hyp2,ref\na,b,c\na,b\n", says("bad.csv:3", "3 fields, as in the header", "2")),
        ("bad.csv", "hyp1,hyp2,ref\r\na,b,c\r\na,b,c, d\r\n", says("bad.csv:3", "3 fields, as in the header", "4")),
        ("bad.tsv", "hyp1\thyp2\tref\na b\tc\n", says("bad.tsv:2", "3 fields, as in the header", "2")),
        ("bad.csv", "hyp1,hyp2,ref\n\"a,b,c\na,b,c\n", says("bad.csv:2", "a closing quote", "the end of the file")),
    ] {
        bench.write(file, text);
        refused(&bench, &format!("predict {file} -o out"), &says);
    }
    bench.write("bad.csv", "hyp1,hyp2,ref\na,b,c\na,b\n");
    refused_everywhere(&bench, &uses_of_pairs("bad.csv"), &says("bad.csv:3", "3 fields, as in the header", "2"));
}

#[test]
fn lines_that_are_no_json() {
    let bench = Bench::of(2);
    let (object, second) = ("a JSON object", "a text in the column 'hyp2'");
    for (line, expected, found) in [
        ("{\"hyp1\":\"a\",\"ref\":\"c\"}", second, "no such column"),
        ("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\"", object, "column 32"),
        ("{\"hyp1\":\"a\",\"hyp2\":null,\"ref\":\"c\"}", second, "nothing"),
        ("{\"hyp1\":\"a\",\"hyp2\":\"\\ud800\",\"ref\":\"c\"}", object, "hex escape"),
        ("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":[]}", "a reference", "an empty list"),
        ("a ||| b ||| c", object, "expected value"),
        ("", object, "EOF"),
    ] {
        bench.write("bad.jsonl", format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\"}}\n{line}\n"));
        refused(&bench, "predict bad.jsonl -o out", &says("bad.jsonl:2", expected, found));
    }
    refused_everywhere(&bench, &uses_of_pairs("bad.jsonl"), &says("bad.jsonl:2", object, "EOF"));
}

#[test]
fn weights_that_are_none() {
    let bench = Bench::of(2);
    for weight in ["nan", "NaN", "inf", "-1", "x", "1e999"] {
        bench.write("bad.csv", format!("hyp1,hyp2,ref,weight\na,b,c,0.5\na,b,c,{weight}\n"));
        let message = says("bad.csv:3", "a weight of 0 or more", weight);
        refused(&bench, "predict bad.csv -o out", &message);
    }
    for (weight, expected) in [("-1", "a weight of 0 or more"), ("NaN", "a JSON object"), ("1e999", "a JSON object")] {
        bench.write("bad.jsonl", format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"weight\":{weight}}}\n"));
        refused(&bench, "predict bad.jsonl -o out", &says("bad.jsonl:1", expected, ""));
    }
}

/// The built-in model as a file.
const MODEL: &str = include_str!("../../models/wmt.json");

fn refused_model(bench: &Bench, text: &str, says: &Says<'_>) {
    bench.write("bad.json", text);
    for command in ["predict dev.pairs -m bad.json -o out", "compare dev.pairs --answers dev.answers -m bad.json"] {
        refused(bench, command, says);
    }
}

/// The model with one value changed.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut model: Value = serde_json::from_str(MODEL).unwrap();
    change(&mut model);
    model.to_string()
}

#[test]
fn a_model_that_is_cut_off() {
    let bench = Bench::of(1);
    let complete = MODEL.trim_end();
    for tenth in 1..10 {
        let text = complete[..complete.len() * tenth / 10].trim_end();
        let place = format!("bad.json:{}", text.lines().count());
        refused_model(&bench, text, &says(&place, "a complete model file", "its end"));
    }
    let place = format!("bad.json:{}", complete.lines().count() - 1);
    let all_but_a_brace = complete.strip_suffix("\n}").unwrap();
    refused_model(&bench, all_but_a_brace, &says(&place, "a complete model file", "its end"));
}

#[test]
fn a_model_of_a_newer_version() {
    let bench = Bench::of(1);
    let message = says("bad.json", "a model of version 1", "version 2");
    let newer = MODEL.replacen("\"version\": 1,", "\"version\": 2,", 1);
    assert_ne!(newer, MODEL);
    refused_model(&bench, &newer, &message);
    refused_model(&bench, "{\"format\": \"tribunal-model\", \"version\": 2, \"layers\": []}\n", &message);
}

#[test]
fn a_model_with_other_features() {
    let bench = Bench::of(1);
    for kind in ["hypothesis", "pair"] {
        let known: Value = serde_json::from_str(MODEL).unwrap();
        let name = known["schema"][kind][3]["name"].as_str().unwrap();
        let resigned = changed(|model| model["schema"][kind][3]["signature"] = json!("another|way:yes"));
        let expected = format!("the feature {name} (another|way:yes)");
        refused_model(&bench, &resigned, &says("bad.json", &expected, &format!("{name} (")));
        let renamed = changed(|model| model["schema"][kind][3]["name"] = json!("astrology"));
        let message = says("bad.json", "the feature astrology (", "no feature of that name in tribunal");
        refused_model(&bench, &renamed, &message);
    }
}

#[test]
fn a_model_of_another_wordnet() {
    let bench = Bench::of(1);
    let other = changed(|model| model["wordnet"] = json!("3.1 0123456789abcdef"));
    refused_model(&bench, &other, &says("bad.json", "WordNet 3.1 0123456789abcdef", "3.0 "));
}

#[test]
fn a_model_whose_parts_do_not_fit() {
    let bench = Bench::of(1);
    let known: Value = serde_json::from_str(MODEL).unwrap();
    for (part, list) in [
        ("scales", "hypothesis"),
        ("scales", "pair"),
        ("scales", "pair_means"),
        ("weights", "hypothesis"),
        ("weights", "decided"),
        ("weights", "tie"),
    ] {
        let length = known["judge"][part][list].as_array().unwrap().len();
        let expected = format!("{length} numbers in judge.{part}.{list}");
        let list_of = |model: &mut Value| model["judge"][part][list].as_array_mut().unwrap().clone();
        let shorter = changed(|model| model["judge"][part][list] = json!(list_of(model)[1..]));
        refused_model(&bench, &shorter, &says("bad.json", &expected, &(length - 1).to_string()));
        let longer = changed(|model| model["judge"][part][list] = json!([list_of(model), vec![json!(0.5)]].concat()));
        refused_model(&bench, &longer, &says("bad.json", &expected, &(length + 1).to_string()));
    }
    let negative = changed(|model| model["judge"]["scales"]["pair"][0] = json!(-0.25));
    refused_model(&bench, &negative, &says("bad.json", "scales of 0 or more", "-0.25"));
    let tiny = changed(|model| model["judge"]["scales"]["hypothesis"][0] = json!(1e-200));
    refused_model(&bench, &tiny, &says("bad.json", "scales of 0 or more", "1e-200"));
    for (width, found) in [(0.0, "0.0"), (-0.5, "-0.5"), (1e-200, "1e-200"), (1e200, "1e200")] {
        let changed = changed(|model| model["score"]["width"] = json!(width));
        refused_model(&bench, &changed, &says("bad.json", "a score.width above 0", found));
    }
    let far = changed(|model| model["score"]["center"] = json!(-1e200));
    refused_model(&bench, &far, &says("bad.json", "numbers up to 1e100", "-1e200"));
}

#[test]
fn a_model_with_numbers_that_are_none() {
    let bench = Bench::of(1);
    for (number, found) in [
        ("NaN", "expected value"),
        ("null", "null"),
        ("1e999", "out of range"),
        ("-1e999", "out of range"),
        ("\"1\"", "string"),
        ("Infinity", "expected value"),
    ] {
        let marked = changed(|model| model["judge"]["weights"]["tie"][0] = json!("here"));
        let text = marked.replacen("\"here\"", number, 1);
        refused_model(&bench, &text, &says("bad.json:1", "a complete model file", found));
    }
}

#[test]
fn a_file_that_is_no_model() {
    let bench = Bench::of(1);
    let model = "a complete model file";
    for (text, says) in [
        ("{\"hello\": \"world\"}\n", says("bad.json", "a model file", "another JSON object")),
        ("[1, 2, 3]\n", says("bad.json", "a model file, which is a JSON object", "another text")),
        ("a ||| b ||| c\n", says("bad.json", "a model file, which is a JSON object", "another text")),
        ("{\"format\": \"other\", \"version\": 1}\n", says("bad.json", "tribunal-model", "'other'")),
        ("{\"format\": \"tribunal-model\"}\n", says("bad.json:1", model, "missing field `version`")),
        ("{\"format\": \"tribunal-model\", \"version\": \"1\"}\n", says("bad.json:1", model, "string")),
        ("{\"format\": \"tribunal-model\",\n\"version\": 1}\n", says("bad.json:2", model, "missing field")),
        (&format!("{MODEL}{{}}\n"), says(&format!("bad.json:{}", MODEL.lines().count() + 1), model, "trailing")),
    ] {
        refused_model(&bench, text, &says);
    }
}

#[test]
fn an_output_that_cannot_be() {
    let bench = Bench::of(2);
    std::fs::create_dir(bench.path("folder")).unwrap();
    for command in
        ["predict dev.pairs -o", "features dev.pairs -o", "train dev.pairs --answers dev.answers --folds 2 -m"]
    {
        for (name, expected, found) in [
            ("none/out", "a folder 'none'", "none"),
            ("folder/none/out", "a folder 'folder/none'", "none"),
            ("folder", "the name of a file", "a folder"),
            ("folder/", "the name of a file", "a folder"),
            ("none/", "the name of a file", "a folder"),
        ] {
            refused(&bench, &format!("{command} {name}"), &says(name, expected, found));
        }
    }
    if cfg!(not(feature = "parquet")) {
        let parquet = "features dev.pairs -o out.parquet";
        refused(&bench, parquet, &says("--output", "a .csv file", "a .parquet file"));
    }
}

#[test]
fn an_input_that_is_not_there() {
    let bench = Bench::of(2);
    std::fs::create_dir(bench.path("folder")).unwrap();
    let missing = "no such file";
    for (name, found) in
        [("none.pairs", missing), ("none.csv", missing), ("none.jsonl", missing), ("folder", "a folder")]
    {
        refused_everywhere(&bench, &uses_of_pairs(name), &says(name, "a file", found));
    }
    for (name, found) in [("none.answers", missing), ("folder", "a folder")] {
        refused_everywhere(&bench, &uses_of_verdicts(name), &says(name, "a file", found));
        refused(&bench, &format!("predict dev.pairs -o out -m {name}"), &says(name, "a file", found));
    }
}

#[test]
fn judgments_that_teach_nothing() {
    let bench = Bench::of(2);
    let train = "train dev.pairs --answers bad.answers -m out --folds";
    bench.write("bad.answers", bench.read("dev.answers"));
    let references = says("cross-validation", "at least 3 different references, one for each fold", "2");
    refused(&bench, &format!("{train} 3"), &references);
    bench.write("bad.answers", "0\n".repeat(6));
    let ties = says("training", "pairs with a preferred hypothesis", "only ties");
    refused(&bench, &format!("{train} 2"), &ties);
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
    for command in
        ["predict dev.pairs -o", "features dev.pairs -o", "train dev.pairs --answers dev.answers --folds 2 -qm"]
    {
        cannot_write(&bench.run(&format!("{command} /dev/full")), "/dev/full");
    }
    for command in ["predict dev.pairs", "check dev.answers", "features dev.pairs", "compare dev.pairs -a dev.answers"]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_tribunal"));
        program.current_dir(bench.path("")).args(command.split(' ')).stdout(full);
        let output = program.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let run = Run { status: output.status.code().unwrap(), stdout: String::new(), stderr };
        cannot_write(&run, "standard output");
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
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {} {command}", env!("CARGO_BIN_EXE_tribunal"));
        let mut shell = assert_cmd::Command::new("sh");
        let output = shell.current_dir(bench.path("")).args(["-c", &script]).output().unwrap();
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let place = bench.path("out").canonicalize().unwrap();
        cannot_write(&Run { status: output.status.code().unwrap(), stdout, stderr }, &place.to_string_lossy());
        assert_eq!(bench.content(), before);
    }
}
