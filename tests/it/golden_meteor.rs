//! METEOR 1.5 against METEOR's own program: every pair of tests/golden/sentences.json with every setting of
//! tests/golden/meteor15.json, which `python tests/golden/make_golden.py meteor15` writes.
//!
//! The settings with METEOR's paraphrase table run where `tests/golden/install.sh` has put it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tribunal::metrics::Metric;
use tribunal::metrics::meteor::{Meteor, MeteorSettings, Module, Parameters, ParaphraseTable, Task};
use tribunal::text::{Lexicon, Normalization, Plan, Sentence};
use tribunal::wordnet::WordNet;

const WORDS: [Module; 3] = [Module::Exact, Module::Stem, Module::Synonym];

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Our settings for a name in meteor15.json; its `settings` has the program's own.
fn settings(name: &str) -> MeteorSettings {
    let (task, raw) = name.strip_suffix(".raw").map_or((name, false), |task| (task, true));
    let mut settings = MeteorSettings::of_task(Task::of_name(task).unwrap_or_default(), &WORDS);
    match task {
        "lower" => settings.normalization = Normalization::Lower,
        "nopunct" => settings.normalization = Normalization::WordsOnly,
        "exact" => settings = MeteorSettings::of_task(Task::Rank, &WORDS[..1]),
        "exact_stem" => settings = MeteorSettings::of_task(Task::Rank, &WORDS[..2]),
        "weights_1_1_1" => settings.weights = vec![1.0; 3],
        "2005" => {
            settings.parameters = Parameters { alpha: 0.9, beta: 3.0, gamma: 0.5, delta: 0.5 };
            settings.weights = vec![1.0; 3];
        }
        "beam5" => settings.beam = 5,
        "characters" => settings.characters = true,
        "other" => {
            settings = MeteorSettings::of_task(Task::LanguageIndependent, &WORDS[..1]);
            settings.normalization = Normalization::Lower;
        }
        "all" => settings = MeteorSettings::of_task(Task::Rank, &Module::ALL),
        _ => assert!(task == "default" || Task::of_name(task).is_some(), "no settings for {name}"),
    }
    if raw {
        settings.normalization = Normalization::None;
    }
    settings
}

/// As make_golden.py hands texts to the program, which reads lines and trims what stands between bars.
fn one_line(text: &str) -> String {
    let line = text.split(['\r', '\n']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    line.replace("|||", "").trim_matches(|character| character <= ' ').to_owned()
}

fn check(name: &str, settings: MeteorSettings, pairs: &Value, golden: &Value) {
    let mut plan = Plan::default();
    let meteor = Meteor::new(settings.check().unwrap(), &mut plan);
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let mut prepare = |text: &Value| Sentence::prepare(&one_line(text.as_str().unwrap()), &plan, &mut lexicon);
    let mut sums = [vec![0.0; 24], vec![0.0; 24]];
    for (pair, expected) in pairs.as_array().unwrap().iter().zip(golden["segments"].as_array().unwrap()) {
        let hypothesis = prepare(&pair["hyp"]);
        let references: Vec<Sentence> = pair["refs"].as_array().unwrap().iter().map(&mut prepare).collect();
        let found = meteor.statistics(&hypothesis, &references.iter().collect::<Vec<_>>());
        let what = format!("{name}, pair {}: {}", pair["id"], pair["kind"]);
        let shown: Vec<String> = found[..23].iter().map(|number| format!("{number:?}")).collect();
        assert_eq!(shown.join(" "), expected[name]["statistics"], "{what}");
        assert_close(meteor.segment(&found)[0], &expected[name]["score"], &what);
        let corpora = if pair["kind"] == "mt" { &mut sums[..] } else { &mut sums[..1] };
        for sum in corpora {
            sum.iter_mut().zip(&found).for_each(|(sum, number)| *sum += number);
        }
    }
    for (sum, corpus) in sums.iter().zip(["all", "mt"]) {
        assert_close(meteor.corpus(sum)[0], &golden["systems"][name][corpus], &format!("{name}, system of {corpus}"));
    }
}

fn assert_close(found: f64, expected: &Value, what: &str) {
    // The program's 0 for texts without words is NaN in precision and recall, but never in the score.
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-9, "{what}: {found} instead of {expected}");
}

#[test]
fn segments_and_systems() {
    let (pairs, golden) = (read("sentences.json"), read("meteor15.json"));
    for name in golden["values"]["settings"].as_object().unwrap().keys().filter(|name| !name.starts_with("all")) {
        check(name, settings(name), &pairs, &golden["values"]);
    }
}

#[test]
fn segments_and_systems_with_paraphrases() {
    let peers = std::env::var_os("PEERS_DIR").map(PathBuf::from);
    let peers = peers.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers"));
    let Ok(table) = ParaphraseTable::read(&peers.join("meteor15/data/paraphrase-en.gz")) else { return };
    let (table, pairs, golden) = (Arc::new(table), read("sentences.json"), read("meteor15.json"));
    for name in ["all", "all.raw"] {
        let settings = MeteorSettings { paraphrases: Some(Arc::clone(&table)), ..settings(name) };
        check(name, settings, &pairs, &golden["values"]);
    }
}
