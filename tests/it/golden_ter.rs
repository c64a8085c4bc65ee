//! TER against sacreBLEU 2.6.0: every pair of tests/golden/sentences.json, in every setting of
//! tests/golden/sacrebleu.json, which `python tests/golden/make_golden.py sacrebleu` writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tribunal::metrics::Metric;
use tribunal::metrics::ter::{Ter, TerSettings};
use tribunal::text::{Lexicon, Plan, Sentence, Tokenizer, python_whitespace};
use tribunal::wordnet::WordNet;

#[derive(Deserialize)]
struct Pair {
    hyp: String,
    refs: Vec<String>,
}

#[derive(Deserialize)]
struct Golden {
    version: String,
    values: Values,
}

#[derive(Deserialize)]
struct Values {
    settings: Settings,
    segments: Vec<Segment>,
    corpora: BTreeMap<String, Corpus>,
}

#[derive(Deserialize)]
struct Settings {
    ter: BTreeMap<String, PeerSettings>,
}

/// The arguments of sacreBLEU's `TER` class.
#[derive(Deserialize, Default)]
#[serde(default)]
struct PeerSettings {
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
}

impl PeerSettings {
    fn ours(&self) -> TerSettings {
        TerSettings {
            normalized: self.normalized,
            no_punctuation: self.no_punct,
            asian_support: self.asian_support,
            case_sensitive: self.case_sensitive,
        }
    }
}

#[derive(Deserialize)]
struct Segment {
    id: usize,
    ter: BTreeMap<String, TerScore>,
    tokens: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct TerScore {
    score: f64,
    num_edits: f64,
    ref_length: f64,
}

#[derive(Deserialize)]
struct Corpus {
    ids: Vec<usize>,
    scores: BTreeMap<String, CorpusScore>,
}

#[derive(Deserialize)]
struct CorpusScore {
    score: f64,
    signature: String,
    short: String,
}

fn read<T: for<'de> Deserialize<'de>>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn golden() -> Values {
    let golden: Golden = read("sacrebleu.json");
    assert_eq!(golden.version, "2.6.0");
    golden.values
}

/// A metric with the pairs prepared for it.
struct Prepared {
    ter: Ter,
    hypotheses: Vec<Sentence>,
    references: Vec<Vec<Sentence>>,
    empty: Sentence,
}

impl Prepared {
    fn new(settings: &PeerSettings) -> Self {
        let mut plan = Plan::default();
        let ter = Ter::new(settings.ours(), &mut plan);
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let mut prepare = |text: &str| Sentence::prepare(text, &plan, &mut lexicon);
        let pairs: Vec<Pair> = read("sentences.json");
        Self {
            ter,
            hypotheses: pairs.iter().map(|pair| prepare(&pair.hyp)).collect(),
            references: pairs.iter().map(|pair| pair.refs.iter().map(|text| prepare(text)).collect()).collect(),
            empty: prepare(""),
        }
    }

    /// The references of a pair in a corpus, as built in make_golden.py.
    fn references_in(&self, corpus: &str, id: usize) -> Vec<&Sentence> {
        let widest = self.references.iter().map(Vec::len).max().unwrap();
        let mut references: Vec<&Sentence> = self.references[id].iter().collect();
        match corpus {
            "two_references" => references.truncate(2),
            "unequal_none" => {}
            "unequal_empty" => references.resize(widest, &self.empty),
            _ => references.truncate(1),
        }
        references
    }
}

fn assert_equal(found: f64, expected: f64, what: &str) {
    let close = (found - expected).abs() <= 1e-9 * expected.abs();
    assert!(close, "{what}: {found} instead of {expected}");
}

#[test]
fn segments() {
    let golden = golden();
    for (name, settings) in &golden.settings.ter {
        let prepared = Prepared::new(settings);
        for segment in &golden.segments {
            let (what, expected) = (format!("{name}, pair {}", segment.id), &segment.ter[name]);
            let references: Vec<&Sentence> = prepared.references[segment.id].iter().collect();
            let statistics = prepared.ter.statistics(&prepared.hypotheses[segment.id], &references);
            assert_eq!(statistics[..2], [expected.num_edits, expected.ref_length], "{what}");
            let values = prepared.ter.segment(&statistics);
            assert_equal(values[0], expected.score, &what);
            // Only Tribunal has the parts.
            assert_equal(100.0 * values[1..].iter().sum::<f64>(), expected.score, &what);
        }
    }
}

#[test]
fn corpora_and_signatures() {
    let golden = golden();
    for (name, settings) in &golden.settings.ter {
        let prepared = Prepared::new(settings);
        for (corpus_name, corpus) in &golden.corpora {
            let expected = &corpus.scores[name];
            let mut sum = vec![0.0; 6];
            for &id in &corpus.ids {
                let references = prepared.references_in(corpus_name, id);
                let statistics = prepared.ter.statistics(&prepared.hypotheses[id], &references);
                sum.iter_mut().zip(statistics).for_each(|(sum, statistic)| *sum += statistic);
            }
            assert_equal(prepared.ter.corpus(&sum)[0], expected.score, &format!("{name}, corpus {corpus_name}"));
            // sacreBLEU's begins with the number of references, Tribunal's with the name.
            let signature = prepared.ter.signature();
            for (found, expected) in
                [(signature.to_string(), &expected.signature), (signature.short(), &expected.short)]
            {
                assert_eq!(found.split_once('|').unwrap().1, expected.split_once('|').unwrap().1);
            }
        }
    }
}

#[test]
fn tokens() {
    let pairs: Vec<Pair> = read("sentences.json");
    let golden = golden();
    for segment in &golden.segments {
        let pair = &pairs[segment.id];
        for (name, settings) in &golden.settings.ter {
            let Some(expected) = segment.tokens.get(name) else { continue };
            let tokenizer = Tokenizer::Tercom(settings.ours());
            for (text, expected) in std::iter::once(&pair.hyp).chain(&pair.refs).zip(expected) {
                let expected: Vec<&str> = python_whitespace::split(expected).collect();
                assert_eq!(tokenizer.tokens(text), expected, "{name}, pair {}", segment.id);
            }
        }
    }
}
