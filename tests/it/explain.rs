//! Explanations add up to what `predict` says, and show the texts unchanged.

use std::sync::LazyLock;

use proptest::prelude::*;
use tribunal::features::Schema;
use tribunal::formats::Signals;
use tribunal::judgments::{ExternalMetric, ExternalScore, Judgment, Language, Pair, Probabilities, Verdict};
use tribunal::model::builtin;
use tribunal::report::Explanation;
use tribunal::report::Terminal;
use tribunal::report::explanation::{AlignedTexts, Piece, PieceKind, text};
use tribunal::workflows::{self, Context, Engine, Explainer, PairPredictor, Source, TrainSettings};

use unicode_width::UnicodeWidthStr;

use crate::common::without_colours;
use crate::properties::{any_text, settings};

/// The tolerance for rounding in sums.
const ROUNDING: f64 = 1e-9;

static ENGLISH: LazyLock<Explainer> = LazyLock::new(|| explainer(&Language::default()));

fn explainer(language: &Language) -> Explainer {
    let model = builtin::model_for(language, None).unwrap();
    Explainer::for_model(&Engine::new(), &model, language, builtin::NAME).unwrap()
}

fn explain(pairs: &[Pair]) -> Vec<Explanation> {
    let model = builtin::model().unwrap();
    ENGLISH.explain(&model.linear, model.tie_factor, &pairs.iter().collect::<Vec<_>>())
}

fn pair(line: &str) -> Pair {
    Pair::parse(line, "x", 1).unwrap()
}

fn swapped(pair: &Pair) -> Pair {
    let mut pair = pair.clone();
    pair.hypotheses.swap(0, 1);
    pair.own.iter_mut().for_each(|own| own.values.swap(0, 1));
    pair
}

/// A thousand pairs of the sample: first unchanged, then with a second reference, or with two more sentences in each
/// text, so that features are damped.
fn thousand() -> Vec<Pair> {
    let lines = include_str!("../../data/sample/sample.pairs").lines().cycle().take(1000).enumerate();
    let numbered = |(at, line): (usize, &str)| {
        let mut pair = Pair::parse(line, "sample", at + 1).unwrap();
        match at {
            0..771 => {}
            771..900 => pair.references.push(pair.hypotheses[0].to_lowercase()),
            _ => pair.references[0] += " It rained. Nobody came. So it ended.",
        }
        pair
    };
    lines.map(numbered).collect()
}

/// Checks that contributions add up to the preference, that it gives the logits, and that these give the probabilities.
fn check_sums(explanation: &Explanation) {
    let Explanation { logits, preference, decided, tie, scores, families, .. } = explanation;
    let sum: f64 = families.iter().map(|family| family.contribution).sum();
    assert!((sum - (logits[0] - logits[2]) / 2.0).abs() < ROUNDING, "{sum} {logits:?}");
    assert!((sum - preference).abs() < ROUNDING, "{sum} {preference}");
    for family in families {
        let of_features: f64 = family.features.iter().map(|feature| feature.contribution).sum();
        assert!((of_features - family.contribution).abs() < ROUNDING, "{family:?}");
    }
    for (logit, expected) in logits.iter().zip([decided + preference, *tie, decided - preference]) {
        assert!((logit - expected).abs() < ROUNDING, "{logits:?}");
    }
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials = logits.map(|logit| (logit - highest).exp());
    for (given, exponential) in explanation.probabilities.0.iter().zip(exponentials) {
        assert!((given - exponential / exponentials.iter().sum::<f64>()).abs() < ROUNDING, "{explanation:?}");
    }
    assert!((scores[0] - scores[1] + explanation.clipping - preference).abs() < ROUNDING, "{explanation:?}");
    let is_clipped = families.iter().flat_map(|family| &family.features).any(|feature| feature.is_clipped);
    assert!(is_clipped || explanation.clipping.abs() < ROUNDING, "{explanation:?}");
    assert!(families.is_sorted_by(|a, b| a.contribution.abs() >= b.contribution.abs()), "{families:?}");
}

#[test]
fn contributions_of_a_thousand_pairs_add_up_and_the_verdicts_are_those_of_predict() {
    let pairs = thousand();
    let explanations = explain(&pairs);
    let judge = PairPredictor::new(&Engine::new(), builtin::model().unwrap(), builtin::NAME).unwrap();
    let mut clipped = 0;
    for ((pair, explanation), judged) in pairs.iter().zip(&explanations).zip(judge.judge(&pairs)) {
        check_sums(explanation);
        assert_eq!((explanation.verdict, explanation.probabilities), (judged.verdict, judged.probabilities));
        assert_eq!((explanation.line, &explanation.hypotheses), (Some(pair.line), &pair.hypotheses));
        clipped += usize::from(explanation.clipping != 0.0);
    }
    assert!(clipped > 10 && explanations.len() == 1000, "{clipped}");
}

#[test]
fn swapped_hypotheses_mirror_everything() {
    let straight: Vec<Pair> = thousand().into_iter().step_by(40).collect();
    let mirrored: Vec<Pair> = straight.iter().map(swapped).collect();
    for (mut one, other) in explain(&straight).into_iter().zip(explain(&mirrored)) {
        one.hypotheses.swap(0, 1);
        one.verdict = one.verdict.swapped();
        let [first, tie, second] = one.probabilities.0;
        one.probabilities = Probabilities([second, tie, first]);
        one.logits.swap(0, 2);
        one.scores.swap(0, 1);
        (one.preference, one.clipping) = (-one.preference, -one.clipping);
        for family in &mut one.families {
            family.contribution = -family.contribution;
            for feature in &mut family.features {
                feature.values.swap(0, 1);
                feature.contribution = -feature.contribution;
            }
        }
        one.metrics.iter_mut().for_each(|metric| metric.values.swap(0, 1));
        one.alignments.as_mut().unwrap().swap(0, 1);
        assert_eq!(one, other);
    }
}

fn joined(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

fn check_pieces(explanation: &Explanation) {
    for (texts, hypothesis) in explanation.alignments.as_ref().unwrap().iter().zip(&explanation.hypotheses) {
        let AlignedTexts { reference, in_hypothesis, in_reference, .. } = texts;
        assert_eq!((&joined(in_hypothesis), &joined(in_reference)), (hypothesis, &explanation.references[*reference]));
        let is_matched = |piece: &&Piece| !matches!(piece.kind, PieceKind::Between | PieceKind::Unmatched);
        for piece in in_hypothesis.iter().chain(in_reference) {
            assert!(!piece.text.is_empty() && piece.matched.is_some() == is_matched(&piece), "{piece:?}");
            assert!(piece.matched.is_some() || !piece.is_moved, "{piece:?}");
        }
        let numbers = |pieces: &[Piece]| {
            let mut numbers: Vec<_> = pieces.iter().filter_map(|piece| Some((piece.matched?, piece.kind))).collect();
            numbers.sort_by_key(|&(number, _)| number);
            numbers
        };
        let both = [in_hypothesis, in_reference].map(|pieces| numbers(pieces));
        for side in &both {
            assert!(side.windows(2).all(|two| two[0].0 < two[1].0), "{texts:?}");
        }
    }
}

#[test]
fn pieces_put_together_are_the_texts_whatever_they_hold() {
    let others = explainer(&"de".parse().unwrap());
    let any = builtin::any().unwrap();
    proptest!(settings(60), |(first in any_text(), second in any_text(), reference in any_text())| {
        let pair = Pair::new([first, second], vec![reference.clone(), "the cat sat".into()]);
        check_pieces(&explain(std::slice::from_ref(&pair))[0]);
        for explanation in others.explain(&any.linear, any.tie_factor, &[&pair]) {
            check_sums(&explanation);
            check_pieces(&explanation);
        }
    });
}

fn kinds(pieces: &[Piece]) -> Vec<(&str, PieceKind, bool)> {
    let words = pieces.iter().filter(|piece| piece.kind != PieceKind::Between);
    words.map(|piece| (piece.text.as_str(), piece.kind, piece.is_moved)).collect()
}

#[cfg(feature = "meteor-data")]
#[test]
fn words_stand_beside_what_they_match() {
    let line = "on Monday the cars sat quietly ||| x ||| the automobile was sitting on Monday";
    let explanations = explain(&[pair(line)]);
    let texts = &explanations[0].alignments.as_ref().unwrap()[0];
    assert_eq!(
        kinds(&texts.in_hypothesis),
        [
            ("on", PieceKind::Exact, true),
            ("Monday", PieceKind::Exact, true),
            ("the", PieceKind::Exact, false),
            ("cars", PieceKind::Synonym, false),
            ("sat", PieceKind::Paraphrase, false),
            ("quietly", PieceKind::Unmatched, false),
        ]
    );
    assert_eq!(texts.chunks, 2);
    assert_eq!(kinds(&texts.in_reference)[3], ("on", PieceKind::Exact, true));
}

#[test]
fn other_languages_have_equal_words_and_no_metrics_of_english() {
    let german = "de".parse().unwrap();
    let any = builtin::any().unwrap();
    let pair = pair("Der Hund biß die Katzen. ||| den hund ||| »Der HUND« biss die Katze");
    let explanation = &explainer(&german).explain(&any.linear, any.tie_factor, &[&pair])[0];
    let texts = &explanation.alignments.as_ref().unwrap()[0];
    let unmatched = |word| (word, PieceKind::Unmatched, false);
    assert_eq!(
        kinds(&texts.in_hypothesis),
        [
            ("Der", PieceKind::Exact, false),
            ("Hund", PieceKind::Exact, false),
            unmatched("biß"),
            ("die", PieceKind::Exact, false),
            unmatched("Katzen")
        ]
    );
    let shown = |name: &str| explanation.metrics.iter().any(|metric| metric.name == name);
    assert!(["meteor", "meteor-all", "meteor2005", "synset"].iter().all(|name| !shown(name)));
    assert!(["chrf", "sum.meteor"].iter().all(|name| shown(name)));
}

#[test]
fn metrics_stand_beside_each_other_as_they_define_their_values() {
    let explanation = &explain(&[pair("the cat sat down ||| a dog ||| the cat sat down")])[0];
    let of = |name: &str| explanation.metrics.iter().find(|metric| metric.name == name).unwrap();
    let (bleu, ter) = (of("bleu"), of("ter"));
    assert!((bleu.values[0] - 100.0).abs() < ROUNDING && !bleu.lower_is_better, "{bleu:?}");
    assert!(ter.values == [0.0, 100.0] && ter.lower_is_better, "{ter:?}");
    assert_eq!(explanation.verdict, Verdict::First);
}

/// A model that learned from own metrics only: `a`, where higher is better, and `b`, where lower is better.
pub fn own_model() -> tribunal::model::Model {
    let judgment = |at: usize| {
        let good = (at % 7) as f64;
        let label = if at.is_multiple_of(2) { Verdict::First } else { Verdict::Second };
        let mut pair = Pair::new([format!("x {at}"), format!("y {at}")], vec![format!("reference {at}")]);
        pair.own = own(label, good);
        Judgment { pair, label }
    };
    let judgments = (0..60).map(judgment).collect();
    let source = Source { name: "own".into(), judgments, weight: 1.0 };
    let signals = Signals::parse(&["a".to_owned(), "b-".to_owned()], &[]).unwrap();
    let features = TrainSettings::default().features.only_external();
    let settings = TrainSettings { features, signals, ..TrainSettings::default() };
    workflows::train(Context::new(&Engine::new()), &[source], &settings).unwrap().model
}

fn own(label: Verdict, good: f64) -> Vec<ExternalScore> {
    let sign = f64::from(label.sign());
    let scores = [("a", [good * sign, 0.5]), ("b", [3.0 - sign, 3.0 + good])];
    scores.map(|(name, values)| ExternalScore { name: name.into(), values }).to_vec()
}

#[test]
fn own_metrics_are_explained_without_references() {
    let model = own_model();
    let explainer = Explainer::for_model(&Engine::new(), &model, &Language::default(), "own").unwrap();
    let mut pairs = vec![Pair::new(["x".into(), "y".into()], Vec::new()); 2];
    pairs[0].own = own(Verdict::First, 4.0);
    pairs[1].own = own(Verdict::Second, 100.0);
    assert!(Schema::check(&model.schema, pairs.iter(), "x").is_ok());
    let explanations = explainer.explain(&model.linear, model.tie_factor, &pairs.iter().collect::<Vec<_>>());
    for (explanation, pair) in explanations.iter().zip(&pairs) {
        check_sums(explanation);
        assert!(explanation.alignments.is_none());
        let names: Vec<&str> = explanation.metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["length", "a", "b"]);
        assert_eq!(explanation.metrics[2].values, pair.own[1].values);
        assert!(explanation.metrics[2].lower_is_better && explanation.families.len() == 2);
    }
    assert_eq!(explanations[0].verdict, Verdict::First);
    // A reference adds more to show, but changes no verdict.
    let mut with = pairs[0].clone();
    with.references.push("x".into());
    let explanation = &explainer.explain(&model.linear, model.tie_factor, &[&with])[0];
    assert_eq!(explanation.probabilities, explanations[0].probabilities);
    assert!(explanation.alignments.is_some() && explanation.metrics.len() > 10);
    assert_eq!(
        model.schema.external_metrics().cloned().collect::<Vec<_>>(),
        [ExternalMetric::new("a"), ExternalMetric { name: "b".into(), lower_is_better: true }]
    );
}

/// Whether a line hides nothing and has no character that a terminal would act on.
fn is_harmless(line: &str) -> bool {
    !line.chars().any(|character| character.is_control() || "\u{202e}\u{2066}\u{200b}".contains(character))
}

#[test]
fn text_fits_is_harmless_and_the_same_without_colours() {
    let mut pairs: Vec<Pair> = thousand().into_iter().step_by(99).collect();
    pairs.push(pair("a\u{1b}[31m \u{202e}b\0c ||| 東京は日本の首都です。人口は多い。 ||| e\u{301}\u{1f600} 東京 日本"));
    pairs.push(Pair::new([String::new(), "x".repeat(300)], vec![String::new()]));
    pairs.push(pair("the cat ||| the cat ||| the cat"));
    pairs[0].label = Some(Verdict::Tie);
    pairs[1].id = Some("an id\u{1b}".into());
    for explanation in explain(&pairs) {
        for width in [40, 59, 60, 80, 100, 133] {
            let plain = text::render(&explanation, Terminal::plain(width));
            for line in plain.lines() {
                assert!(is_harmless(line) && line.width() <= width, "{width}: {line}\n{plain}");
            }
            assert!(plain.lines().all(|line| line.trim_end() == line), "{plain}");
            assert_eq!(without_colours(&text::render(&explanation, Terminal::colour(width))), plain);
        }
    }
}

#[test]
fn text_says_what_the_json_says() {
    let mut explanation = explain(&[pair("the cat sat down ||| a dog ||| the cat sat down")]).remove(0);
    let said = |explanation: &Explanation| text::render(explanation, Terminal::plain(100));
    let text = said(&explanation);
    let [first, tie, second] = explanation.probabilities.0;
    let verdict = format!("The model prefers hypothesis 1: p = {first:.3} (tie {tie:.3}, hypothesis 2 {second:.3})\n");
    assert!(text.starts_with(&format!("Line 1\n{verdict}")), "{text}");
    for part in [
        "hyp2  a dog\n      + +++\nref   the cat sat down\n      --- --- --- ----\n",
        "Marks: + not in the reference, - not in the hypothesis\n",
        &format!("{:+.3} ", explanation.preference),
        "for hyp1  |\n",
        "p = softmax(z); ",
        "100.0*",
        "Metrics (* the better value; ↓ lower is better)\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    explanation.line = None;
    for (people, line) in [
        (Verdict::First, "Human label: hypothesis 1 (agrees)\n"),
        (Verdict::Second, "Human label: hypothesis 2 (disagrees)\n"),
        (Verdict::Tie, "Human label: tie (disagrees)\n"),
    ] {
        explanation.people = Some(people);
        assert!(said(&explanation).starts_with(&format!("{verdict}{line}")));
    }
}
