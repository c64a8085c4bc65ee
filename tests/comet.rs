//! COMET's scores beside those of unbabel-comet 2.2.7, of tiny random models (`tests/golden/comet/README.md`); what the program
//! does with them; and what bad folders get.

#![cfg(all(feature = "cli", feature = "encoder"))]

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tribunal::comet::Comet;

#[allow(dead_code, reason = "the other tests use more of it")]
#[path = "it/common/mod.rs"]
mod common;

use common::Bench;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/comet").join(name)
}

/// Scores and errors of each model.
fn golden() -> Value {
    let text = fs::read_to_string(data("scores.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["values"].take()
}

/// Source, hypothesis and reference of each row.
fn inputs() -> Vec<[String; 3]> {
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        ["src", "mt", "ref"].map(|name| row[name].as_str().unwrap().to_owned())
    };
    fs::read_to_string(data("inputs.jsonl")).unwrap().lines().map(row).collect()
}

const MODELS: [&str; 7] = [
    "regression-da22",
    "regression-da20",
    "regression-other",
    "referenceless-qe20",
    "unified-kiwi22",
    "unified-unite22",
    "xcomet-xl",
];

fn tokenizer(model: &str) -> PathBuf {
    data(if model.ends_with("-xl") { "tiny-xlm-roberta-xl" } else { "tiny-xlm-roberta" })
}

fn open(name: &str) -> Comet {
    Comet::open(&data(name), Some(&tokenizer(name))).unwrap()
}

#[test]
fn scores_are_those_of_unbabel_comet() {
    let (golden, inputs) = (golden(), inputs());
    let variants = [
        ("scores", true, true),
        ("scores_double", true, true),
        ("scores_without_reference", true, false),
        ("scores_without_source", false, true),
    ];
    for name in MODELS {
        let model = open(name);
        for (variant, has_source, has_reference) in variants {
            let Some(expected) = golden[name][variant].as_array() else { continue };
            assert_eq!(expected.len(), inputs.len());
            let mut most = 0.0_f64;
            for ([source, hypothesis, reference], expected) in inputs.iter().zip(expected) {
                let source = has_source.then_some(source.as_str());
                let reference = has_reference.then_some(reference.as_str());
                let found = model.score(source, hypothesis, reference).value;
                most = most.max((found - expected.as_f64().unwrap()).abs());
            }
            println!("{name} {variant} {most:e}");
            assert!(most <= 1e-6, "{name} {variant}: {most:e}");
        }
    }
}

#[test]
fn errors_are_those_of_xcomet() {
    let (golden, model) = (golden(), open("xcomet-xl"));
    for (variant, has_reference) in [("error_spans", true), ("error_spans_without_reference", false)] {
        let all = golden["xcomet-xl"][variant].as_array().unwrap();
        for ([source, hypothesis, reference], expected) in inputs().iter().zip(all) {
            let found = model.score(Some(source), hypothesis, has_reference.then_some(reference)).errors;
            let chars = |byte: usize| hypothesis[..byte].chars().count() as u64;
            let found: Vec<(u64, u64, &str)> =
                found.iter().map(|span| (chars(span.bytes.start), chars(span.bytes.end), span.severity)).collect();
            let expected = expected.as_array().unwrap().iter().map(|span| {
                (span["start"].as_u64().unwrap(), span["end"].as_u64().unwrap(), span["severity"].as_str().unwrap())
            });
            assert_eq!(found, expected.collect::<Vec<_>>(), "{hypothesis}");
        }
    }
}

/// Texts of two systems with sources and references; scores and judgments of them; and the folders of a model and its tokeniser
/// under the names that the book has.
fn bench(model: &str) -> Bench {
    let bench = Bench::of(1);
    let rows: Vec<[String; 3]> = inputs().into_iter().take(30).collect();
    let lines = |text: &dyn Fn(usize) -> String| {
        (0..rows.len()).map(|row| text(row).replace('\n', " ") + "\n").collect::<String>()
    };
    let other = |row: usize| &rows[rows.len() - 1 - row][1];
    bench.write("source.txt", lines(&|row| rows[row][0].clone()));
    bench.write("system1.txt", lines(&|row| rows[row][1].clone()));
    bench.write("system2.txt", lines(&|row| other(row).clone()));
    bench.write("reference.txt", lines(&|row| rows[row][2].clone()));
    let full: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].iter().all(|text| !text.is_empty())).collect();
    let scores = |&row: &usize| {
        let [source, hypothesis, reference] = &rows[row];
        let of = |system: usize, text: &str, score: usize| serde_json::json!({"system": system, "segment": row, "src": source, "mt": text, "ref": reference, "mqm": score});
        format!("{}\n{}\n", of(1, hypothesis, 5 + row % 4), of(2, other(row), row % 7))
    };
    bench.write("scores.jsonl", full.iter().map(scores).collect::<String>());
    let judgment = |&row: &usize| {
        let [source, hypothesis, reference] = &rows[row];
        let label = [1, 1, -1, 0][row % 4];
        let pair = serde_json::json!({"hyp1": hypothesis, "hyp2": other(row), "src": source, "ref": reference, "label": label});
        format!("{pair}\n")
    };
    bench.write("judgments.jsonl", full.iter().map(judgment).collect::<String>());
    copy(&data(model), &bench.path("wmt22-comet-da"));
    copy(&tokenizer(model), &bench.path("xlm-roberta-large"));
    bench
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &to) } else { assert!(fs::copy(entry.path(), to).is_ok()) }
    }
}

const FOLDERS: &str = "--comet wmt22-comet-da --comet-tokenizer xlm-roberta-large";

#[test]
fn commands_compute_it_from_the_source() {
    let bench = bench("regression-da22");
    let segments = bench.output(&format!(
        "score system1.txt -r reference.txt --src source.txt --metrics comet --segments {FOLDERS} -q"
    ));
    let expected: Vec<f64> =
        golden()["regression-da22"]["scores"].as_array().unwrap().iter().map(|score| score.as_f64().unwrap()).collect();
    for (row, (found, expected)) in segments.lines().skip(1).zip(&expected).enumerate() {
        let found: f64 = found.parse().unwrap();
        assert!((found - expected).abs() <= 1e-6, "{row}: {found}");
    }
    let score = "score system1.txt system2.txt -r reference.txt --src source.txt --metrics comet,chrf --paired-bs";
    let cached = bench.run(&format!("{score} {FOLDERS} --encoder-cache cache -o scores.csv")).done();
    let scores = bench.read("scores.csv");
    assert!(scores.contains("comet|nrefs:1") && scores.contains("class:regression_metric|mix:sparsemax"), "{scores}");
    assert!(cached.stderr.contains("more than 510 tokens"), "{}", cached.stderr);
    bench.run(&format!("{score} {FOLDERS} --encoder-cache cache -o again.csv")).done();
    assert_eq!(bench.read("again.csv"), scores);
    bench.refuses(
        &format!("score system1.txt -r reference.txt --metrics comet {FOLDERS}"),
        &["--src: expected the source of each translation, which comet reads"],
    );
    bench.refuses(
        &format!("score system1.txt -r reference.txt --src source.txt {FOLDERS}"),
        &["--comet: expected comet or comet-qe among the metrics, found bleu, chrf", "add one of them to --metrics"],
    );
    // Beside people: the mean is that of the scores above.
    let correlated = bench.json(&format!("correlate scores.jsonl --people mqm --metrics comet,chrf {FOLDERS} -q"));
    assert!(correlated.to_string().contains("comet"), "{correlated}");
}

#[test]
fn models_learn_from_it() {
    let bench = bench("regression-da22");
    let trained = bench.json(&format!("train judgments.jsonl -m my.json --folds 3 {FOLDERS} -q"));
    let rows = trained["systems"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["name"] == "comet" && row["accuracy"].is_number()), "{trained}");
    assert!(bench.read("my.json").contains("\"comet\""));
    let judged = bench.output(&format!("predict judgments.jsonl -m my.json {FOLDERS} -q"));
    assert_eq!(judged.lines().count(), bench.read("judgments.jsonl").lines().count());
    let compared = bench.json(&format!("compare judgments.jsonl -m my.json {FOLDERS} -q"));
    assert!(compared["systems"].as_array().unwrap().iter().any(|row| row["name"] == "comet"), "{compared}");
    let features = bench.output(&format!("features judgments.jsonl {FOLDERS} -q"));
    assert!(features.lines().next().unwrap().contains("h1.comet"), "{features}");
    let explained = bench.output(&format!("explain judgments.jsonl -m my.json --line 1 {FOLDERS} -q"));
    assert!(explained.contains("comet"), "{explained}");
    bench.refuses("predict judgments.jsonl -m my.json", &["my.json: expected", "COMET", "--comet"]);
    bench.write("named.jsonl", bench.read("judgments.jsonl").replace("\"src\":", "\"german\":"));
    assert_eq!(bench.output(&format!("predict named.jsonl -m my.json --column src=german {FOLDERS} -q")), judged);
    let built_in = bench.run(&format!("predict judgments.jsonl {FOLDERS}")).done().stderr;
    assert!(built_in.contains("--comet has no effect on the ensemble: the model was trained without it"), "{built_in}");
    let bare = bench.read("judgments.jsonl").replace("\"ref\":", "\"other\":");
    bench.write("bare.jsonl", bare);
    let told = bench.run(&format!("train bare.jsonl -m bare.json --folds 3 {FOLDERS}")).done().stderr;
    assert!(told.contains("--comet has no effect on the ensemble: it compares with references"), "{told}");
    let ranked = format!("rank -r reference.txt --src source.txt system1.txt system2.txt {FOLDERS}");
    let ranked = bench.run(&ranked).done().stderr;
    assert!(ranked.contains("--comet has no effect on the ensemble: the model was trained without it"), "{ranked}");
    copy(&data("regression-da20"), &bench.path("wmt20-comet-da"));
    bench.refuses(
        "predict judgments.jsonl -m my.json --comet wmt20-comet-da --comet-tokenizer xlm-roberta-large",
        &["my.json: expected the feature comet (comet|checkpoint:", "name with --comet the folder of the COMET model"],
    );
    // A source that a row lacks is no empty one.
    let bare = bench.read("judgments.jsonl").replacen("\"src\":", "\"other\":", 1);
    bench.write("bare.jsonl", bare);
    for command in ["compare bare.jsonl", "explain bare.jsonl --line 1", "train bare.jsonl --without comet"] {
        let told = "bare.jsonl:1: expected the source of each translation, which comet reads, found none; give it in";
        bench.refuses(&format!("{command} {FOLDERS}"), &[told]);
    }
    let scores = bench.read("scores.jsonl").replacen("\"src\":", "\"other\":", 1);
    bench.write("bare.jsonl", scores);
    bench.refuses(
        &format!("correlate bare.jsonl --people mqm --metrics comet {FOLDERS}"),
        &["bare.jsonl:1: expected the source"],
    );
    bench.run("correlate bare.jsonl --people mqm --metrics chrf").done();
    let cached = bench.run("train judgments.jsonl --encoder-cache cache -q");
    assert!(cached.status == 2 && cached.stderr.contains("<--encoder <DIR>|--comet <DIR>>"), "{}", cached.stderr);
}

#[test]
fn pairs_without_references_have_comet_qe() {
    let bench = bench("unified-kiwi22");
    let pairs = bench.read("judgments.jsonl");
    let bare: String = pairs
        .lines()
        .map(|line| {
            let mut row: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
            row.remove("ref");
            format!("{}\n", Value::Object(row))
        })
        .collect();
    bench.write("judgments.jsonl", bare);
    let trained = bench.json(&format!("train judgments.jsonl -m my.json --folds 3 {FOLDERS} -q"));
    let rows = trained["systems"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["name"] == "comet-qe"), "{trained}");
    bench.run(&format!("predict judgments.jsonl -m my.json {FOLDERS} -q")).done();
    // Outputs, one a row.
    let outputs = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let of = |text: &str, label: bool| serde_json::json!({"prompt": row["src"], "src": row["src"], "output": row[text], "label": label});
        format!("{}\n{}\n", of("hyp1", row["label"] == 1), of("hyp2", row["label"] != 1))
    };
    bench.write("outputs.jsonl", bench.read("judgments.jsonl").lines().map(outputs).collect::<String>());
    let some = bench.read("outputs.jsonl").replacen("\"src\":\"", "\"src\":[],\"other\":\"", 1);
    bench.write("some.jsonl", some);
    bench.run("compare some.jsonl").done();
    bench.refuses(&format!("compare some.jsonl {FOLDERS}"), &["some.jsonl:1: expected the source"]);
    bench.write("named.jsonl", bench.read("outputs.jsonl").replace("\"src\":", "\"german\":"));
    let compared = bench.json(&format!("compare outputs.jsonl {FOLDERS} -q"));
    let named = bench.json(&format!("compare named.jsonl --column src=german {FOLDERS} -q"));
    assert_eq!(named["rows"], compared["rows"]);
    assert!(compared["rows"].as_array().unwrap().iter().any(|row| row["name"] == "comet-qe"), "{compared}");
    // Files of text.
    let expected = &golden()["unified-kiwi22"]["scores"];
    let score = format!("score system1.txt --src source.txt {FOLDERS}");
    for (row, found) in bench.output(&format!("{score} --metrics comet-qe --segments -q")).lines().skip(1).enumerate() {
        assert!((found.parse::<f64>().unwrap() - expected[row].as_f64().unwrap()).abs() <= 1e-6, "{row}: {found}");
    }
    let scores = bench.output(&format!("{score} --metrics comet-qe --confidence -o - -q"));
    assert!(scores.contains("comet-qe"), "{scores}");
    bench.refuses(
        &format!("{score} --metrics comet-qe,bleu"),
        &["--references: expected one or more for each segment, with which bleu compares, found none"],
    );
}

/// A copy of a model's folder that a test may damage.
fn damaged_copy(model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&data(model), folder.path());
    folder
}

#[test]
fn safetensors_have_the_same_scores() {
    let folder = damaged_copy("regression-da22");
    fs::remove_file(folder.path().join("checkpoints/model.ckpt")).unwrap();
    fs::copy(data("regression-da22/model.safetensors"), folder.path().join("model.safetensors")).unwrap();
    let [torch, safe] = [data("regression-da22"), folder.path().to_owned()]
        .map(|folder| Comet::open(&folder, Some(&tokenizer("regression-da22"))).unwrap());
    for [source, hypothesis, reference] in inputs() {
        let score = |model: &Comet| model.score(Some(&source), &hypothesis, Some(&reference)).value;
        assert_eq!(score(&torch), score(&safe));
    }
}

/// Expects an error of one line with these parts.
fn refused(folder: &Path, tokenizer: &Path, parts: &[&str]) {
    let message = Comet::open(folder, Some(tokenizer)).unwrap_err().to_string();
    assert!(!message.contains('\n') && parts.iter().all(|part| message.contains(part)), "{parts:?} not in {message}");
}

#[test]
fn damaged_folders_get_one_message() {
    let model = "regression-da22";
    let tokens = tokenizer(model);
    refused(Path::new("nowhere"), &tokens, &["hparams.yaml"]);
    let folder = damaged_copy(model);
    let (settings, weights) = (folder.path().join("hparams.yaml"), folder.path().join("checkpoints/model.ckpt"));
    refused(
        &weights,
        &tokens,
        &["expected the folder of a COMET model, with hparams.yaml, found a file; name the folder"],
    );
    refused(&tokens, folder.path(), &["with hparams.yaml, found a tokeniser; name the model with `comet`"]);
    let of_xl = "config.json: expected xlm-roberta of 3 layers, as the model has, found xlm-roberta-xl of";
    refused(folder.path(), &tokenizer("xcomet-xl"), &[of_xl, "name with `comet_tokenizer`"]);
    refused(
        folder.path(),
        folder.path(),
        &["name with `comet_tokenizer` the folder that has the tokenizer.json of tiny-xlm-roberta"],
    );
    let yaml = fs::read_to_string(&settings).unwrap();
    for (from, to, part) in [
        ("class_identifier: regression_metric", "class_identifier: ranking_metric", "found 'ranking_metric'"),
        ("class_identifier: regression_metric", "class_identifier: [", "settings of a COMET model, in YAML"),
        // The estimator has six times the width as its input.
        ("class_identifier: regression_metric", "class_identifier: unified_metric", "estimator.ff.0.weight"),
    ] {
        assert!(yaml.contains(from));
        fs::write(&settings, yaml.replace(from, to)).unwrap();
        refused(folder.path(), &tokens, &[part]);
    }
    for (from, to, part) in [
        ("pool: avg", "pool: [avg]", "a model with pool among avg, max, cls, found '[\"avg\"]'"),
        ("layer: mix", "layer: true", "a layer from 0 to "),
        ("activations: Tanh", "activations: 7", "a model with activations among"),
    ] {
        assert!(yaml.contains(from));
        let of_tensors = damaged_copy(model);
        fs::remove_file(of_tensors.path().join("checkpoints/model.ckpt")).unwrap();
        fs::copy(data(model).join("model.safetensors"), of_tensors.path().join("model.safetensors")).unwrap();
        fs::write(of_tensors.path().join("hparams.yaml"), yaml.replace(from, to)).unwrap();
        refused(of_tensors.path(), &tokens, &[part]);
    }
    for bomb in [
        format!("a: &a [{}]\nb: [{}]\n", "1,".repeat(3000), "*a ,".repeat(1500)),
        format!("a: {}\n", "[".repeat(20_000)),
    ] {
        fs::write(&settings, yaml.clone() + &bomb).unwrap();
        refused(folder.path(), &tokens, &["hparams.yaml: expected the settings of a COMET model, in YAML"]);
    }
    fs::write(&settings, &yaml).unwrap();
    let other = tempfile::tempdir().unwrap();
    copy(&tokens, other.path());
    let config = fs::read_to_string(other.path().join("config.json")).unwrap();
    let text = fs::read_to_string(other.path().join("tokenizer.json")).unwrap();
    let mut bare: Value = serde_json::from_str(&text).unwrap();
    bare["post_processor"] = Value::Null;
    for (file, text, part) in [
        ("config.json", config.replace("\"num_hidden_layers\": ", "\"num_hidden_layers\": 1"), "xlm-roberta of"),
        ("config.json", config.replace("\"xlm-roberta\"", "\"bert\""), "xlm-roberta of"),
        ("tokenizer.json", bare.to_string(), "without those of both ends"),
    ] {
        let before = fs::read(other.path().join(file)).unwrap();
        fs::write(other.path().join(file), text).unwrap();
        refused(folder.path(), other.path(), &[part, "name with `comet_tokenizer`"]);
        fs::write(other.path().join(file), before).unwrap();
    }
    let bytes = fs::read(&weights).unwrap();
    for length in [0, 10, 1_000, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&weights, &bytes[..length]).unwrap();
        refused(folder.path(), &tokens, &["model.ckpt: expected the checkpoint of a COMET model"]);
    }
    // Values that are not numbers: half of the file is numbers of tensors.
    let mut other = bytes.clone();
    let end = other.len();
    for value in other[end / 4..end * 3 / 4].chunks_exact_mut(4) {
        value.copy_from_slice(&f32::NAN.to_le_bytes());
    }
    fs::write(&weights, &other).unwrap();
    assert!(Comet::open(folder.path(), Some(&tokens)).is_err());
    // One bit of a tensor is wrong: the archive has checksums.
    let mut other = bytes.clone();
    other[end / 2] ^= 1;
    fs::write(&weights, &other).unwrap();
    refused(folder.path(), &tokens, &["model.ckpt: expected the checkpoint of a COMET model"]);
    // Whatever is altered in the pickle, nothing panics, hangs, or takes much memory.
    let pickle = entries(&bytes).swap_remove(0).1;
    let mut state = 1_u64;
    for _ in 0..300 {
        let mut other = pickle.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % other.len();
            other[at] = (state >> 20) as u8;
        }
        fs::write(&weights, with_pickle(&bytes, &other)).unwrap();
        if let Err(error) = Comet::open(folder.path(), Some(&tokens)) {
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
    let text = String::from_utf8_lossy(&pickle).into_owned();
    assert!(text.contains("torch._utils\n_rebuild_tensor_v2"));
    let at = pickle.windows(12).position(|part| part == b"torch._utils").unwrap();
    let mut other = pickle.clone();
    other[at..at + 12].copy_from_slice(b"posix.system");
    fs::write(&weights, with_pickle(&bytes, &other)).unwrap();
    refused(folder.path(), &tokens, &["a pickle that imports posix.system"]);
}

/// A text in a pickle.
fn pickled(text: &str) -> Vec<u8> {
    [b"X", &(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()
}

/// A checkpoint's pickle with tensors of a shape, itself pickled, all of which have the numbers of the first storage.
fn with_tensors(names: impl Iterator<Item = String>, shape: &[u8]) -> Vec<u8> {
    let storage =
        [b"(", &pickled("storage")[..], b"ctorch\nFloatStorage\n", &pickled("0"), &pickled("cpu"), b"K\x01tQ"].concat();
    let tensor = [b"ctorch._utils\n_rebuild_tensor_v2\n(", &storage[..], b"K\x00", shape, b"K\x01\x85\x89NtR"].concat();
    let tensors: Vec<u8> = names.flat_map(|name| [pickled(&name), tensor.clone()].concat()).collect();
    let [state, settings] = ["state_dict", "hyper_parameters"].map(pickled);
    [b"\x80\x02}(", &state[..], b"}(", &tensors, b"u", &settings, b"}u."].concat()
}

#[test]
fn shapes_of_a_pickle_take_no_more_than_the_file() {
    let folder = damaged_copy("regression-da22");
    let weights = folder.path().join("checkpoints/model.ckpt");
    let bytes = fs::read(&weights).unwrap();
    let (_, storage) = entries(&bytes).into_iter().find(|(name, _)| name.ends_with("/data/0")).unwrap();
    let numbers = (storage.len() / 4) as i32;
    let length = [b"J", &numbers.to_le_bytes()[..]].concat();
    let shape = [&length[..], b"\x85"].concat();
    let long = [b"(", &b"K\x01".repeat(1_000_000)[..], b"t"].concat();
    let longer = [b"J", &(numbers + 1).to_le_bytes()[..], b"\x85"].concat();
    let negative = [b"J", &(-1_i32).to_le_bytes()[..], b"\x85"].concat();
    let huge = [b"(", &[b"J", &i32::MAX.to_le_bytes()[..]].concat().repeat(8)[..], b"t"].concat();
    for (count, shape, part) in [
        (1000, &shape, "tensors that share their numbers"),
        (1, &long, "a shape of too many dimensions"),
        (1, &longer, "fewer numbers than t0 has"),
        (1, &negative, "the length -1 in t0"),
        (1, &huge, "fewer numbers than t0 has"),
    ] {
        let pickle = with_tensors((0..count).map(|number| format!("t{number}")), shape);
        fs::write(&weights, with_pickle(&bytes, &pickle)).unwrap();
        refused(folder.path(), &tokenizer("regression-da22"), &["the checkpoint of a COMET model, found", part]);
    }
}

/// A copy of a model as safetensors, with other numbers of a tensor.
fn with_tensor(model: &str, name: &str, shape: &[usize], values: &[f32]) -> tempfile::TempDir {
    let bytes = fs::read(data(model).join("model.safetensors")).unwrap();
    let (length, rest) = bytes.split_first_chunk().unwrap();
    let (head, numbers) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let mut head: Value = serde_json::from_slice(head).unwrap();
    let end = numbers.len();
    // safetensors refuses what leaves numbers without a tensor.
    let before = head[name].clone();
    head["unused"] = before;
    let offsets = [end, end + 4 * values.len()];
    head[name] = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": offsets});
    let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let head = head.to_string();
    let folder = damaged_copy(model);
    fs::remove_file(folder.path().join("checkpoints/model.ckpt")).unwrap();
    let all = [&(head.len() as u64).to_le_bytes()[..], head.as_bytes(), numbers, &values].concat();
    fs::write(folder.path().join("model.safetensors"), all).unwrap();
    folder
}

#[test]
fn single_numbers_are_no_matrices() {
    let model = "regression-da22";
    let bare = tempfile::tempdir().unwrap();
    fs::copy(tokenizer(model).join("tokenizer.json"), bare.path().join("tokenizer.json")).unwrap();
    for part in ["embeddings.position_embeddings", "embeddings.word_embeddings", "encoder.layer.0.intermediate.dense"] {
        let folder = with_tensor(model, &format!("encoder.model.{part}.weight"), &[], &[1.0]);
        refused(folder.path(), bare.path(), &[&format!("no matrix encoder.model.{part}.weight")]);
        refused(folder.path(), &tokenizer(model), &["expected", part]);
    }
    let folder = with_tensor(model, "layerwise_attention.gamma", &[], &[1.0]);
    refused(folder.path(), &tokenizer(model), &["layerwise_attention.gamma of the shape [], not [1]"]);
}

#[test]
fn scores_that_overflow_are_0_and_told() {
    let model = "regression-da22";
    let folder = with_tensor(model, "layerwise_attention.gamma", &[1], &[3e38]);
    let opened = Comet::open(folder.path(), Some(&tokenizer(model))).unwrap();
    let [source, hypothesis, reference] = inputs().swap_remove(0);
    assert!(opened.score(Some(&source), &hypothesis, Some(&reference)).value.is_finite());
    let warnings = opened.encoder().take_warnings();
    assert_eq!(warnings, ["the encoder gives 3 texts values that are not numbers; they count as 0"]);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_files() {
    let model = "regression-da22";
    for (name, part) in [
        ("hparams.yaml", "hparams.yaml: cannot read the settings of a COMET model"),
        ("checkpoints/model.ckpt", "expected checkpoints/model.ckpt or model.safetensors, found neither"),
        ("tokenizer.json", "tokenizer.json: expected the tokeniser of a COMET model, found no file"),
    ] {
        let folder = damaged_copy(model);
        copy(&tokenizer(model), folder.path());
        fs::remove_file(folder.path().join("model.safetensors")).unwrap();
        let path = folder.path().join(name);
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        refused(folder.path(), folder.path(), &[part]);
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        refused(folder.path(), folder.path(), &[part]);
    }
}

/// The files of an archive, the pickle first.
fn entries(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let count = archive.len();
    let entry = |at: usize| {
        let mut entry = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(entry).collect()
}

/// The archive with another pickle, and the right checksum.
fn with_pickle(archive: &[u8], pickle: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (at, (name, bytes)) in entries(archive).iter().enumerate() {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(if at == 0 { pickle } else { bytes }).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
