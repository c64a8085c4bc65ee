//! METEOR 1.5 against METEOR's own program: every pair of tests/golden/sentences.json with every setting of
//! tests/golden/meteor15.json, which `python tests/golden/make_golden.py meteor15` writes.
//!
//! The settings with METEOR's whole paraphrase table run in `tests/golden/meteor_table.sh`, as the table is not part of
//! the project.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use tribunal::metrics::Metric;
use tribunal::metrics::links::Link;
use tribunal::metrics::meteor::tokenizer::{tokenize, word_spans};
use tribunal::metrics::meteor::{Meteor, MeteorSettings, Module, Normalization, Parameters, ParaphraseTable, Task};
use tribunal::text::spans::fold;
use tribunal::text::{Plan, Tokenizer};

use crate::golden::{Pair, Prepared, pairs, prepare_changed, read, sum};

const WORDS: [Module; 3] = [Module::Exact, Module::Stem, Module::Synonym];

/// Tribunal's settings for a name in meteor15.json, whose `settings` holds METEOR's.
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

/// A text as make_golden.py passes it to METEOR, which reads lines and trims the fields between bars.
fn one_line(text: &str) -> String {
    let line = text.split(['\r', '\n']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    line.replace("|||", "").trim_matches(|character| character <= ' ').to_owned()
}

fn check(name: &str, settings: MeteorSettings, golden: &Value) {
    let mut plan = Plan::default();
    let meteor = Meteor::new(settings, &mut plan).unwrap();
    let pairs = prepare_changed(&plan, one_line);
    for (id, (pair, expected)) in pairs.iter().zip(golden["segments"].as_array().unwrap()).enumerate() {
        let found = pair.statistics(&meteor);
        let what = format!("{name}, pair {id}: {}", pair.kind);
        let shown: Vec<String> = found[..23].iter().map(|number| format!("{number:?}")).collect();
        assert_eq!(shown.join(" "), expected[name]["statistics"], "{what}");
        assert_close(meteor.segment(&found)[0], &expected[name]["score"], &what);
    }
    for corpus in ["all", "mt"] {
        let chosen = pairs.iter().filter(|pair| corpus == "all" || pair.kind == corpus);
        let found = meteor.corpus(&sum(chosen.map(|pair| pair.statistics(&meteor))))[0];
        assert_close(found, &golden["systems"][name][corpus], &format!("{name}, system of {corpus}"));
    }
}

fn assert_close(found: f64, expected: &Value, what: &str) {
    // For texts without words METEOR has NaN as precision and recall, but 0 as score.
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-9, "{what}: {found} instead of {expected}");
}

#[test]
fn segments_and_systems() {
    let golden: Value = read("meteor15.json");
    for name in golden["values"]["settings"].as_object().unwrap().keys().filter(|name| !name.starts_with("all")) {
        check(name, settings(name), &golden["values"]);
    }
}

/// `tests/golden/meteor_table.sh` runs it if METEOR's table is available, and otherwise reports that it was skipped.
#[test]
#[ignore = "needs METEOR's table of 61 MB: run tests/golden/meteor_table.sh"]
fn segments_and_systems_with_all_paraphrases() {
    let table = std::env::var_os("METEOR_TABLE").expect("METEOR_TABLE names METEOR's paraphrase-en.gz");
    let table = Arc::new(ParaphraseTable::read(Path::new(&table)).unwrap());
    let golden: Value = read("meteor15.json");
    for name in ["all", "all.raw"] {
        let settings = MeteorSettings { paraphrases: Some(Arc::clone(&table)), ..settings(name) };
        check(name, settings, &golden["values"]);
    }
}

#[test]
fn short_paraphrases_are_nearly_as_good_as_all() {
    let mut plan = Plan::default();
    let meteor = Meteor::new(MeteorSettings::of_task(Task::Rank, &Module::ALL), &mut plan).unwrap();
    let golden: Value = read("meteor15.json");
    let segments = golden["values"]["segments"].as_array().unwrap();
    let difference = |(pair, expected): (&Prepared, &Value)| {
        let found = meteor.segment(&pair.statistics(&meteor))[0];
        (found - expected["all"]["score"].as_f64().unwrap()).abs()
    };
    let differences: Vec<f64> = prepare_changed(&plan, one_line).iter().zip(segments).map(difference).collect();
    let equal = differences.iter().filter(|&&difference| difference <= 1e-9).count();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let largest = differences.iter().copied().fold(0.0, f64::max);
    assert_eq!((equal, differences.len()), (352, 362));
    assert!(mean < 4.1e-3 && largest < 0.41, "mean {mean}, largest {largest}");
}

#[test]
fn links_are_what_the_score_counts() {
    let mut paraphrases = 0;
    for modules in [&Module::ALL[..3], &Module::ALL] {
        let mut plan = Plan::default();
        let meteor = Meteor::new(MeteorSettings::of_task(Task::Rank, modules), &mut plan).unwrap();
        for pair in prepare_changed(&plan, one_line) {
            let statistics = pair.statistics(&meteor);
            let alignment = meteor.links(&pair.hypothesis, &pair.references()).unwrap();
            let reference = &pair.references[alignment.reference];
            let words = |side: fn(&Link) -> usize| alignment.links.iter().map(side).sum::<usize>() as f64;
            // meteor15.json names the statistics.
            assert_eq!(alignment.hypothesis_words.len() as f64, statistics[0]);
            assert_eq!(alignment.reference_words.len() as f64, statistics[1]);
            assert_eq!(alignment.chunks() as f64, statistics[20]);
            assert_eq!(words(|link| link.hypothesis.len()), statistics[21]);
            assert_eq!(words(|link| link.reference.len()), statistics[22]);
            for link in &alignment.links {
                let hypothesis = &pair.hypothesis.text()[alignment.in_hypothesis(link)];
                let reference = &reference.text()[alignment.in_reference(link)];
                // METEOR takes words with the same hash code as equal, such as 34 and an Arabic 1.
                let is_equal =
                    letters(hypothesis) == letters(reference) || hash_code(hypothesis) == hash_code(reference);
                let is_exact = link.module == Module::Exact;
                assert!(is_equal || !is_exact, "{hypothesis:?} is linked to {reference:?}");
                paraphrases += usize::from(link.module == Module::Paraphrase);
            }
        }
    }
    assert!(paraphrases > 90, "{paraphrases}");
}

#[test]
fn links_are_those_of_the_program() {
    let golden: Value = read("meteor15.json");
    let mut plan = Plan::default();
    let meteor = Meteor::new(MeteorSettings::default(), &mut plan).unwrap();
    let alignments = golden["values"]["alignments.default"].as_array().unwrap();
    for (pair, expected) in prepare_changed(&plan, one_line).iter().zip(alignments) {
        let alignment = meteor.links(&pair.hypothesis, &pair.references()[..1]).unwrap();
        let module = |module| Module::ALL.iter().position(|&other| other == module).unwrap();
        let numbers = |link: &Link| {
            let (reference, hypothesis) = (&link.reference, &link.hypothesis);
            [reference.start, reference.len(), hypothesis.start, hypothesis.len(), module(link.module)]
        };
        let found: Vec<[usize; 5]> = alignment.links.iter().map(numbers).collect();
        let expected: Vec<[usize; 5]> = serde_json::from_value(expected["matches"].clone()).unwrap();
        assert_eq!(found, expected, "{}", pair.hypothesis.text());
    }
}

/// Java's hash code of the text in lower case.
fn hash_code(text: &str) -> i32 {
    let units: Vec<u16> = text.to_lowercase().encode_utf16().collect();
    units.into_iter().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

/// Letters and digits in lower case, which no normalisation changes.
fn letters(text: &str) -> String {
    text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[test]
fn spans_cut_the_words_out_of_the_text() {
    let pairs = pairs();
    for text in pairs.iter().flat_map(Pair::texts) {
        for normalization in [Normalization::None, Normalization::Lower, Normalization::Words, Normalization::WordsOnly]
        {
            let mut words = Vec::new();
            tokenize(text, normalization, &mut |word| words.push(word.to_owned()));
            check_spans(text, &words, &word_spans(text, normalization));
        }
        for tokenizer in [Tokenizer::Words, Tokenizer::Whitespace, Tokenizer::V13a, Tokenizer::Intl, Tokenizer::Rouge] {
            check_spans(text, &tokenizer.tokens(text), &tokenizer.spans(text));
        }
    }
}

fn check_spans(text: &str, words: &[String], spans: &[Range<usize>]) {
    assert_eq!(words.len(), spans.len());
    assert!(spans.is_sorted_by(|one, other| one.start <= other.start && one.end <= other.end), "{text:?}: {spans:?}");
    for (word, span) in words.iter().zip(spans) {
        let cut = &text[span.clone()];
        let folded = |text: &str| letters(&text.chars().flat_map(fold).collect::<String>());
        // One character, such as a fraction, may become several words.
        let is_part = cut.chars().count() == 1 && folded(cut).contains(&folded(word));
        let marks = ["&quot;", "&apos;", "&#39;", "&lt;", "&gt;", "&amp;", "&#91;", "&#93;", "&#124;"];
        let decoded = marks.iter().fold(cut.to_owned(), |cut, mark| cut.replace(mark, ""));
        let is_word = !cut.is_empty() && [folded(cut), folded(&decoded)].contains(&folded(word));
        assert!(is_word || is_part, "{text:?}: {cut:?} for {word:?}");
    }
}
