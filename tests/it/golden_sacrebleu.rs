//! BLEU, chrF and TER against sacreBLEU 2.6.0: every pair of tests/golden/sentences.json, in every setting of
//! tests/golden/sacrebleu.json, which `python tests/golden/make_golden.py sacrebleu` writes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tribunal::metrics::bleu::{Bleu, BleuSettings, Smoothing};
use tribunal::metrics::chrf::{Chrf, ChrfSettings};
use tribunal::metrics::ter::Ter;
use tribunal::metrics::{Metric, Signature};
use tribunal::text::tokenizers::Tercom;
use tribunal::text::{Lexicon, Plan, Sentence, Tokenizer, python_whitespace};
use tribunal::wordnet::WordNet;

use crate::golden::{Prepared, assert_equal, pairs, prepare, read, sum};

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
    bleu: BTreeMap<String, Value>,
    chrf: BTreeMap<String, Value>,
    ter: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Segment {
    id: usize,
    bleu: BTreeMap<String, BleuScore>,
    bleu_statistics: BTreeMap<String, BleuStatistics>,
    chrf: BTreeMap<String, f64>,
    ter: BTreeMap<String, TerScore>,
    tokens: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct BleuScore {
    score: f64,
    precisions: Vec<f64>,
}

#[derive(Deserialize)]
struct TerScore {
    score: f64,
    num_edits: f64,
    ref_length: f64,
}

#[derive(Deserialize)]
struct BleuStatistics {
    counts: Vec<f64>,
    totals: Vec<f64>,
    bp: f64,
    sys_len: f64,
    ref_len: f64,
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
    #[serde(default)]
    precisions: Vec<f64>,
}

fn golden() -> Values {
    let golden: Golden = read("sacrebleu.json");
    assert_eq!(golden.version, "2.6.0");
    golden.values
}

fn flag(settings: &Value, name: &str) -> bool {
    settings.get(name).and_then(Value::as_bool).unwrap_or(false)
}

fn number(settings: &Value, name: &str, default: usize) -> usize {
    settings.get(name).and_then(Value::as_u64).map_or(default, |number| usize::try_from(number).unwrap())
}

/// sacreBLEU's tokenisers by their names.
const TOKENIZERS: [Tokenizer; 5] =
    [Tokenizer::V13a, Tokenizer::Intl, Tokenizer::Characters, Tokenizer::Chinese, Tokenizer::Whitespace];

fn bleu(settings: &Value, plan: &mut Plan) -> Box<dyn Metric> {
    let text = |name: &str| settings[name].as_str().unwrap();
    let value = settings.get("smooth_value").and_then(Value::as_f64);
    let smoothing = match text("smooth_method") {
        "none" => Smoothing::None,
        "floor" => Smoothing::Floor(value.unwrap()),
        "add-k" => Smoothing::AddK(value.unwrap()),
        _ => Smoothing::Exp,
    };
    let settings = BleuSettings {
        tokenizer: TOKENIZERS.into_iter().find(|tokenizer| tokenizer.name() == text("tokenize")).unwrap(),
        lowercase: flag(settings, "lowercase"),
        smoothing,
        max_order: number(settings, "max_ngram_order", 4),
        segment_effective_order: flag(settings, "effective_order"),
        corpus_effective_order: false,
    };
    Box::new(Bleu::new(settings, plan).unwrap())
}

fn chrf(settings: &Value, plan: &mut Plan) -> Box<dyn Metric> {
    let settings = ChrfSettings {
        character_order: number(settings, "char_order", 6),
        word_order: number(settings, "word_order", 0),
        beta: settings.get("beta").and_then(Value::as_f64).unwrap_or(2.0),
        lowercase: flag(settings, "lowercase"),
        whitespace: flag(settings, "whitespace"),
        eps_smoothing: flag(settings, "eps_smoothing"),
    };
    Box::new(Chrf::new(settings, plan).unwrap())
}

fn tercom(settings: &Value) -> Tercom {
    Tercom {
        normalized: flag(settings, "normalized"),
        no_punctuation: flag(settings, "no_punct"),
        asian_support: flag(settings, "asian_support"),
        case_sensitive: flag(settings, "case_sensitive"),
    }
}

fn ter(settings: &Value, plan: &mut Plan) -> Box<dyn Metric> {
    Box::new(Ter::new(tercom(settings), plan))
}

/// The sums over the pairs of a corpus, which is built as in make_golden.py.
fn corpus_sums(metric: &dyn Metric, plan: &Plan, pairs: &[Prepared], name: &str, ids: &[usize]) -> Vec<f64> {
    let widest = pairs.iter().map(|pair| pair.references.len()).max().unwrap();
    let empty = Sentence::prepare("", plan, &mut Lexicon::new(WordNet::embedded()));
    sum(ids.iter().map(|&id| {
        let mut references = pairs[id].references();
        match name {
            "two_references" => references.truncate(2),
            "unequal_none" => {}
            "unequal_empty" => references.resize(widest, &empty),
            _ => references.truncate(1),
        }
        metric.statistics(&pairs[id].hypothesis, &references)
    }))
}

/// Compares signatures, without the name and settings that sacreBLEU leaves out, and without sacreBLEU's number of
/// references.
fn assert_signature(found: &Signature, expected: &CorpusScore) {
    let mut found = found.clone();
    found.settings.retain(|setting| setting.long != "order");
    for (found, expected) in [(found.to_string(), &expected.signature), (found.short(), &expected.short)] {
        assert_eq!(found.split_once('|').unwrap().1, expected.split_once('|').unwrap().1);
    }
}

#[test]
fn bleu_of_segments() {
    let golden = golden();
    for (name, settings) in &golden.settings.bleu {
        let mut plan = Plan::default();
        let bleu = bleu(settings, &mut plan);
        let pairs = prepare(&plan);
        for segment in &golden.segments {
            let what = format!("{name}, pair {}", segment.id);
            let statistics = pairs[segment.id].statistics(bleu.as_ref());
            let values = bleu.segment(&statistics);
            assert_equal(values[0], segment.bleu[name].score, &what);
            for (&found, &expected) in values[3..].iter().zip(&segment.bleu[name].precisions) {
                assert_equal(found, expected, &what);
            }
            if let Some(expected) = name.strip_suffix(".exp").map(|tokenizer| &segment.bleu_statistics[tokenizer]) {
                let lengths = [expected.sys_len, expected.ref_len];
                assert_eq!(statistics, [&lengths, expected.counts.as_slice(), &expected.totals].concat(), "{what}");
                assert_equal(values[1], expected.bp, &what);
            }
        }
    }
}

#[test]
fn chrf_of_segments() {
    let golden = golden();
    for (name, settings) in &golden.settings.chrf {
        let mut plan = Plan::default();
        let chrf = chrf(settings, &mut plan);
        let pairs = prepare(&plan);
        for segment in &golden.segments {
            let values = chrf.segment(&pairs[segment.id].statistics(chrf.as_ref()));
            assert_equal(values[0], segment.chrf[name], &format!("{name}, pair {}", segment.id));
        }
    }
}

#[test]
fn ter_of_segments() {
    let golden = golden();
    for (name, settings) in &golden.settings.ter {
        let mut plan = Plan::default();
        let ter = ter(settings, &mut plan);
        let pairs = prepare(&plan);
        for segment in &golden.segments {
            let (what, expected) = (format!("{name}, pair {}", segment.id), &segment.ter[name]);
            let statistics = pairs[segment.id].statistics(ter.as_ref());
            assert_eq!(statistics[..2], [expected.num_edits, expected.ref_length], "{what}");
            let values = ter.segment(&statistics);
            assert_equal(values[0], expected.score, &what);
            // Only Tribunal has the parts.
            assert_equal(100.0 * values[1..].iter().sum::<f64>(), expected.score, &what);
        }
    }
}

#[test]
fn corpora_and_signatures() {
    let golden = golden();
    let Settings { bleu: bleus, chrf: chrfs, ter: ters } = &golden.settings;
    for (name, settings) in bleus.iter().chain(chrfs).chain(ters) {
        let mut plan = Plan::default();
        let build = [(bleus, bleu as fn(&Value, &mut Plan) -> _), (chrfs, chrf), (ters, ter)];
        let metric = build.into_iter().find(|(of, _)| of.contains_key(name)).unwrap().1(settings, &mut plan);
        let pairs = prepare(&plan);
        for (corpus_name, corpus) in &golden.corpora {
            let expected = &corpus.scores[name];
            let what = format!("{name}, corpus {corpus_name}");
            let values = metric.corpus(&corpus_sums(metric.as_ref(), &plan, &pairs, corpus_name, &corpus.ids));
            assert_equal(values[0], expected.score, &what);
            // sacreBLEU has precisions for BLEU only.
            for (&found, &expected) in values.iter().skip(3).zip(&expected.precisions) {
                assert_equal(found, expected, &what);
            }
            assert_signature(&metric.corpus_signature(), expected);
        }
    }
}

#[test]
fn tokens() {
    let (pairs, golden) = (pairs(), golden());
    let of_ter = golden.settings.ter.iter().map(|(name, settings)| (name.clone(), Tokenizer::Tercom(tercom(settings))));
    let of_bleu = TOKENIZERS.map(|tokenizer| (tokenizer.name().to_owned(), tokenizer));
    for (name, tokenizer) in of_ter.chain(of_bleu) {
        for segment in &golden.segments {
            // TER's tokens are recorded for some of its settings.
            let Some(expected) = segment.tokens.get(&name) else { continue };
            for (text, expected) in pairs[segment.id].texts().zip(expected) {
                let expected: Vec<&str> = python_whitespace::split(expected).collect();
                assert_eq!(tokenizer.tokens(text), expected, "{name}, pair {}", segment.id);
            }
        }
    }
}
