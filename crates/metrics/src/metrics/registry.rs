//! All metrics by name: the source of help, docs, reports, features, property tests and fuzz targets.
//!
//! To add a metric, write its file, declare its module and add a line here: nothing else refers to it by name.

use super::bleu_nltk::{Method, NltkBleu};
use super::entry::AsFeatures::{ByDefault, OnRequest};
use super::entry::Needs::{self, Encoder};
use super::entry::Parts::{All, Named};
use super::entry::{Built, Entry, is_part};
use super::meteor2005::{Meteor2005, Variant};
use super::metric::Direction::LowerIsBetter;
use super::metric::Metric;
use super::rouge::RougeKind::{L, LSum, N};
use super::{
    bertscore, bleu, chrf, comet, gleu, length, meteor, nist, ribes, rouge, rouge155, style, sum, surface, synset, ter,
    words,
};
use crate::error::{Error, Result, quoted};
use crate::options::{OptionSpec, Options, did_you_mean};

const INFINITY: f64 = f64::INFINITY;

/// Generates the list and its table in the docs. A line has the name, a summary, the program or paper that the values
/// agree with, the range of the score, the function that builds it, and then every field of [`Entry`] that differs from
/// [`Entry::new`].
macro_rules! registry {
    ($($name:literal, $summary:literal, $equals:literal, ($low:expr, $high:expr), $build:expr
        $(, $field:ident: $value:expr)*;)+) => {
        /// All metrics:
        ///
        /// | name | summary | equal to | range | properties |
        /// | --- | --- | --- | --- | --- |
        $(#[doc = concat!(
            "| `", $name, "` | ", $summary, " | ", $equals, " | ", stringify!($low), " to ", stringify!($high), " |"
            $(, " `", stringify!($field: $value), "`")*, " |"
        )])+
        pub const REGISTRY: &[Entry] = &[$(
            Entry { $($field: $value,)* ..Entry::new($name, $summary, $equals, ($low, $high), $build) },
        )+];
    };
}

registry! {
    "bleu", "BLEU in percent, tokeniser 13a, cased, smoothing exp", "sacreBLEU 2.6.0", (0.0, 100.0), bleu::build,
        is_reported: true, features: ByDefault, part_range: (0.0, INFINITY), options: bleu::OPTIONS,
        neutral: Named(&["bp", "ratio"]);
    "chrf", "chrF2 in percent: character n-grams", "sacreBLEU 2.6.0", (0.0, 100.0), chrf::build,
        is_reported: true, features: ByDefault, options: chrf::OPTIONS,
        recalls: Named(&["", "r1", "r2", "r3", "r4", "r5", "r6"]);
    "chrf++", "chrF2++ in percent: character and word n-grams", "sacreBLEU 2.6.0", (0.0, 100.0), chrf::build_plus_plus,
        is_reported: true, options: chrf::PLUS_PLUS_OPTIONS;
    "ter", "translation edit rate in percent", "sacreBLEU 2.6.0", (0.0, INFINITY), ter::build,
        is_reported: true, direction: LowerIsBetter, options: ter::OPTIONS;
    "rouge1", "ROUGE-1: F1 of unigrams, no stemming", "rouge-score 0.1.2", (0.0, 1.0),
        |options, plan| rouge::build(N(1), options, plan),
        is_reported: true, features: ByDefault, options: rouge::OPTIONS, recalls: Named(&["recall"]);
    "rouge2", "ROUGE-2: F1 of bigrams, no stemming", "rouge-score 0.1.2", (0.0, 1.0),
        |options, plan| rouge::build(N(2), options, plan),
        is_reported: true, features: ByDefault, options: rouge::OPTIONS, recalls: Named(&["recall"]);
    "rouge3", "ROUGE-3: F1 of trigrams, no stemming", "rouge-score 0.1.2", (0.0, 1.0),
        |options, plan| rouge::build(N(3), options, plan),
        options: rouge::OPTIONS;
    "rouge4", "ROUGE-4: F1 of 4-grams, no stemming", "rouge-score 0.1.2", (0.0, 1.0),
        |options, plan| rouge::build(N(4), options, plan),
        options: rouge::OPTIONS;
    "rougeLsum", "ROUGE-Lsum: longest common subsequences of lines", "rouge-score 0.1.2", (0.0, 1.0),
        |options, plan| rouge::build(LSum, options, plan),
        options: rouge::OPTIONS;
    "rougeL", "ROUGE-L: longest common subsequence", "rouge-score 0.1.2", (0.0, 1.0),
        |options, plan| rouge::build(L, options, plan),
        is_reported: true, features: ByDefault, options: rouge::OPTIONS, recalls: Named(&["recall"]);
    "rougeW", "ROUGE-W: weighted longest common subsequences, weight 1.2", "ROUGE-1.5.5", (0.0, 1.0),
        |options, plan| rouge155::build(rouge155::Rouge155Kind::W, options, plan),
        is_reported: true, options: rouge155::OPTIONS;
    "rougeS", "ROUGE-S: skip-bigrams with any gap", "ROUGE-1.5.5", (0.0, 1.0),
        |options, plan| rouge155::build(rouge155::S, options, plan),
        options: rouge155::OPTIONS;
    "rougeS4", "ROUGE-S4: skip-bigrams, at most 4 words between", "ROUGE-1.5.5", (0.0, 1.0),
        |options, plan| rouge155::build(rouge155::S4, options, plan),
        is_reported: true, options: rouge155::OPTIONS;
    "rougeSU4", "ROUGE-SU4: unigrams and skip-bigrams, at most 4 words between", "ROUGE-1.5.5", (0.0, 1.0),
        |options, plan| rouge155::build(rouge155::SU4, options, plan),
        is_reported: true, options: rouge155::OPTIONS;
    "meteor", "METEOR 1.5: exact, stem, synonym; task rank; -norm", "meteor-1.5.jar", (0.0, 1.0), meteor::build,
        is_reported: true, features: OnRequest, english: All, wordnet: All, needs_meteor_data: true,
        options: meteor::OPTIONS, recalls: Named(&["", "fmean", "recall"]),
        faults: Named(&["fragmentation", "penalty", "chunks"]), neutral: Named(&["exact", "stem", "synonym"]);
    "meteor-all", "METEOR 1.5 with short paraphrases", "close to meteor-1.5.jar", (0.0, 1.0), meteor::build_all,
        is_reported: true, features: ByDefault, english: All, wordnet: All, needs_meteor_data: true,
        recalls: Named(&["", "fmean", "recall"]), faults: Named(&["fragmentation", "penalty", "chunks"]),
        neutral: Named(&["exact", "stem", "synonym", "paraphrase"]);
    "meteor2005", "METEOR of 2005: alpha 0.9, beta 3, gamma 0.5, fewest crossings", "the paper", (0.0, 1.0),
        |_, plan| boxed(Meteor2005::new(Variant::Published, plan)),
        is_reported: true, features: OnRequest, english: All, wordnet: All, recalls: Named(&["", "fmean", "recall"]),
        faults: Named(&["fragmentation", "penalty"]);
    "meteor2005.nltk", "METEOR of 2005, words split at white space", "NLTK 3.10.4 where its alignment is optimal",
        (0.0, 1.0), |_, plan| boxed(Meteor2005::new(Variant::Nltk, plan)),
        english: All, wordnet: All;
    "nist", "NIST up to 5-grams, in bits, words split at white space", "NLTK 3.10.4", (0.0, INFINITY), nist::build,
        is_reported: true, options: nist::OPTIONS;
    "gleu", "GLEU (Google BLEU), words split at white space", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(gleu::Gleu::new(plan));
    "ribes", "RIBES: rank correlation of word order, words split at white space", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(ribes::Ribes::new(plan));
    "bleu.nltk0", "sentence BLEU without smoothing", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(NltkBleu::new(Method::None, plan));
    "bleu.nltk1", "sentence BLEU, smoothing method 1", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(NltkBleu::new(Method::Epsilon, plan));
    "bleu.nltk2", "sentence BLEU, smoothing method 2", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(NltkBleu::new(Method::AddOne, plan));
    "bleu.nltk3", "sentence BLEU, smoothing method 3", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(NltkBleu::new(Method::Nist, plan));
    "bleu.nltk4", "sentence BLEU, smoothing method 4", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(NltkBleu::new(Method::Length, plan));
    "bleu.nltk5", "sentence BLEU, smoothing method 5", "NLTK 3.10.4", (0.0, INFINITY),
        |_, plan| boxed(NltkBleu::new(Method::Average, plan));
    "bleu.nltk6", "sentence BLEU, smoothing method 6", "NLTK 3.10.4", (0.0, 1.0),
        |_, plan| boxed(NltkBleu::new(Method::Prior, plan));
    "bleu.nltk7", "sentence BLEU, smoothing method 7", "NLTK 3.10.4", (0.0, INFINITY),
        |_, plan| boxed(NltkBleu::new(Method::LengthAverage, plan));
    "synset", "words with an equal stem or a shared WordNet synset, F1", "", (0.0, 1.0),
        |_, plan| boxed(synset::Synset::new(plan)),
        is_reported: true, features: ByDefault, english: All, wordnet: All, recalls: Named(&["recall"]);
    "length", "length ratio in words, the shorter over the longer", "", (0.0, 1.0),
        |_, plan| boxed(length::Length::new(plan)),
        is_reported: true, features: ByDefault, faults: Named(&["excess", "shortage"]);
    "alignment", "METEOR with paraphrases, without punctuation", "", (0.0, 1.0), meteor::build_of_words,
        features: OnRequest, english: All, wordnet: All, needs_meteor_data: true,
        recalls: Named(&["", "fmean", "recall"]), faults: Named(&["fragmentation", "penalty", "chunks"]),
        neutral: Named(&["exact", "stem", "synonym", "paraphrase"]);
    "edits", "translation edit rate of lower-cased words, in percent", "", (0.0, INFINITY),
        |_, plan| boxed(ter::Ter::of_words(plan)),
        direction: LowerIsBetter, features: ByDefault, faults: All;
    "surface", "numbers, names, punctuation, negations, unknown and repeated words, case", "", (0.0, 1.0),
        |_, plan| boxed(surface::Surface::new(plan)),
        features: ByDefault, english: Named(&["unknown", "negation"]), wordnet: Named(&["unknown"]),
        recalls: Named(&["number.r", "name.r", "mark.r", "negation.r"]),
        faults: Named(&["unknown", "repeated", "case"]);
    "words", "precision and recall of word n-grams, stems, content and function words", "", (0.0, 1.0),
        |_, plan| boxed(words::Words::new(plan)),
        features: ByDefault, english: Named(&["stem", "content", "function"]),
        recalls: Named(&["r1", "r2", "r3", "r4", "stem.r1", "stem.r2", "content.r", "function.r"]);
    "style", "length of the text in characters (log), words, repetition, lists, mark-up, overlap with the prompt", "",
        (0.0, INFINITY), |_, plan| boxed(style::Style::new(plan)),
        is_reference_free: true, features: ByDefault, neutral: All;
    "bertscore", "BERTScore: F1 of tokens matched by the hidden states of an encoder, not rescaled", "bert-score 0.3.13",
        (-INFINITY, 1.0), bertscore::build,
        is_reported: true, features: ByDefault, part_range: (-1.0, 1.0), needs: Encoder,
        options: bertscore::OPTIONS, recalls: Named(&["recall"]);
    "cosine", "cosine of mean-pooled sentence embeddings of an encoder", "sentence-transformers 5.2.0", (-1.0, 1.0),
        bertscore::build_cosine,
        is_reported: true, features: OnRequest, needs: Encoder;
    "comet", "COMET: a model of human judgments that reads source, hypothesis and reference", "unbabel-comet 2.2.7",
        (-INFINITY, INFINITY), comet::build,
        is_reported: true, features: ByDefault, needs: Needs::Comet;
    "comet-qe", "COMET without a reference: a model that reads source and hypothesis", "unbabel-comet 2.2.7",
        (-INFINITY, INFINITY), comet::build_qe,
        is_reported: true, features: ByDefault, needs: Needs::CometQe, is_reference_free: true;
    "sum.meteor", "the baseline's simple METEOR", "", (-INFINITY, 10.0), sum::build_meteor,
        is_reported: true, is_baseline: true;
    "sum.synset", "the baseline's synset score", "", (0.0, INFINITY), sum::build_synset,
        is_reported: true, is_baseline: true, english: All, wordnet: All;
    "sum.bleu", "the baseline's smoothed sentence BLEU", "", (0.0, 1.0), sum::build_bleu,
        is_reported: true, is_baseline: true;
}

/// A metric without options.
fn boxed(metric: impl Metric + 'static) -> Built {
    Ok(Box::new(metric))
}

/// The registered metric with this name; an exact match is preferred to one in different case.
pub fn find(name: &str) -> Option<&'static Entry> {
    let exact = REGISTRY.iter().find(|entry| entry.name == name);
    exact.or_else(|| REGISTRY.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)))
}

/// The metric of a feature, and the name of its value: `bleu` for `bleu` and for `bleu.p1`, the latter with `p1`.
pub fn of_value(name: &str) -> Option<(&'static Entry, &str)> {
    let entry = REGISTRY.iter().filter(|entry| is_part(name, entry.name)).max_by_key(|entry| entry.name.len())?;
    Some((entry, name[entry.name.len()..].trim_start_matches('.')))
}

/// The registered metric with this name.
///
/// # Errors
/// There is none. The message suggests the nearest name, also among `others`, which the caller accepts, too.
pub fn known(name: &str, others: &[&str]) -> Result<&'static Entry> {
    find(name).ok_or_else(|| {
        let names = REGISTRY.iter().map(|entry| entry.name).chain(others.iter().copied());
        let near = match did_you_mean(name, names) {
            near if near.is_empty() => "values of other metrics can be read from files (`own` NAME=FILE); ".to_owned(),
            near => near,
        };
        let advice = format!("{near}'tribunal score --list-metrics' lists all names");
        Error::invalid("metrics", "the name of a metric", quoted(name), advice)
    })
}

/// The options of all metrics, in the order of the registry, each with the names of its metrics.
pub fn options() -> Vec<(&'static OptionSpec, Vec<&'static str>)> {
    let mut all: Vec<(&OptionSpec, Vec<&str>)> = Vec::new();
    for entry in REGISTRY {
        for spec in entry.options {
            match all.iter_mut().find(|(known, _)| known.name == spec.name) {
                Some((_, metrics)) => metrics.push(entry.name),
                None => all.push((spec, vec![entry.name])),
            }
        }
    }
    all
}

/// Checks that each option that the user set belongs to one of these metrics.
///
/// # Errors
/// An option belongs to none of them, and would have no effect.
pub fn check_options(given: &Options, metrics: &[&Entry]) -> Result<()> {
    let is_unused = |name: &&str| !metrics.iter().any(|entry| entry.has(name));
    let Some(unused) = given.names().find(is_unused) else { return Ok(()) };
    let having: Vec<&str> = REGISTRY.iter().filter(|entry| entry.has(unused)).map(|entry| entry.name).collect();
    let found: Vec<&str> = metrics.iter().map(|entry| entry.name).collect();
    let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
    let expected = format!("a metric that has this option ({})", having.join(", "));
    let argument = format!("`{}`", unused.replace('-', "_"));
    Err(Error::invalid(argument, expected, found, "request one with `metrics`, or omit the option"))
}

#[cfg(test)]
mod tests {
    use super::super::entry::Parts;
    use super::*;
    use crate::metrics::MetricSet;

    #[test]
    fn every_line_is_complete() {
        for (at, entry) in REGISTRY.iter().enumerate() {
            let Entry { name, summary, range: (low, high), .. } = entry;
            assert!(REGISTRY[..at].iter().all(|other| !other.name.eq_ignore_ascii_case(name)), "{name} comes twice");
            assert!(!summary.is_empty() && !summary.ends_with('.') && low < high, "{name}");
        }
    }

    #[test]
    fn named_parts_are_values() {
        for member in MetricSet::all().unwrap().members() {
            let entry = member.entry;
            let named = [entry.english, entry.wordnet, entry.recalls, entry.faults, entry.neutral]
                .into_iter()
                .filter_map(|parts| match parts {
                    Parts::Named(names) => Some(names),
                    _ => None,
                });
            let values = member.metric.values();
            named.flatten().for_each(|name| assert!(values.iter().any(|value| is_part(value, name)), "{name}"));
        }
    }

    #[test]
    fn metrics_are_found_in_any_case_and_when_mistyped() {
        assert_eq!(find("ROUGEL").map(|entry| entry.name), Some("rougeL"));
        let message = known("blue", &["ensemble"]).unwrap_err().to_string();
        assert!(message.ends_with("'blue'; did you mean 'bleu'? 'tribunal score --list-metrics' lists all names"));
        let message = known("ensembel", &["ensemble"]).unwrap_err().to_string();
        assert!(message.contains("did you mean 'ensemble'?"), "{message}");
        let message = known("bleurt", &[]).unwrap_err().to_string();
        assert!(message.contains("; values of other metrics can be read from files ") && message.len() < 200);
    }

    #[test]
    fn values_belong_to_the_metric_of_the_longest_name() {
        let of = |name| of_value(name).map(|(entry, part)| (entry.name, part));
        assert_eq!(of("bleu.nltk2"), Some(("bleu.nltk2", "")));
        assert_eq!(of("bleu.p1"), Some(("bleu", "p1")));
        assert_eq!(of("words.stem.p1"), Some(("words", "stem.p1")));
        assert_eq!(of("pair.same"), None);
    }

    #[test]
    fn options_of_the_same_name_are_the_same() {
        for entry in REGISTRY {
            for spec in entry.options {
                let (first, metrics) = &options().into_iter().find(|(known, _)| known.name == spec.name).unwrap();
                assert_eq!((first.help, first.default()), (spec.help, spec.default()), "{}", spec.name);
                assert!(metrics.contains(&entry.name));
            }
        }
    }

    #[test]
    fn an_option_that_nobody_has_is_refused() {
        let (stem, _) = options().into_iter().find(|(spec, _)| spec.name == "rouge-stem").unwrap();
        let mut given = Options::default();
        given.set(stem, "").unwrap();
        let of = |name: &str| check_options(&given, &[find("chrf").unwrap(), find(name).unwrap()]);
        assert!(of("rougeW").is_ok());
        let message = of("bleu").unwrap_err().to_string();
        assert!(message.starts_with("`rouge_stem`: expected a metric that has this option (rouge1, "), "{message}");
        assert!(message.contains("found chrf, bleu;"), "{message}");
    }
}
