//! Explanations: they add up to what `predict` says, and show the texts as they are.

use std::process::Command;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use tribunal::features::Schema;
use tribunal::files::Output;
use tribunal::formats::OwnMetrics;
use tribunal::judgments::{Judgment, Language, OwnMetric, OwnScore, Pair, Probabilities, Verdict};
use tribunal::model::builtin;
use tribunal::report::Explanation;
use tribunal::report::Terminal;
use tribunal::report::explanation::{AlignedTexts, Piece, PieceKind, text};
use tribunal::workflows::{self, Engine, Explainer, PairJudge, Source, TrainSettings, silent};

use unicode_width::UnicodeWidthStr;

use crate::common::{Bench, Run};
use crate::properties::{any_text, settings};

/// What rounding may add to sums.
const ROUNDING: f64 = 1e-9;

static ENGLISH: LazyLock<Explainer> = LazyLock::new(|| explainer(&Language::default()));

fn explainer(language: &Language) -> Explainer {
    let model = builtin::model_for(language).unwrap();
    Explainer::for_model(&Engine::new(), &model, language, builtin::NAME).unwrap()
}

fn explain(pairs: &[Pair]) -> Vec<Explanation> {
    let model = builtin::model().unwrap();
    ENGLISH.explain(&model.judge, model.tie_factor, &pairs.iter().collect::<Vec<_>>())
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

/// A thousand pairs of the sample: those of the first as they are, the others with a second reference, or two sentences
/// more in each text, so that features are damped.
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

/// Contributions add up to the preference, the preference leads to the logits, and they to the probabilities.
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
    let judge = PairJudge::new(&Engine::new(), builtin::model().unwrap(), builtin::NAME).unwrap();
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
        for explanation in others.explain(&any.judge, any.tie_factor, &[&pair]) {
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
    let explanation = &explainer(&german).explain(&any.judge, any.tie_factor, &[&pair])[0];
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

/// A model that learned from own metrics alone: `a`, of which higher is better, and `b`, of which lower is.
fn own_model() -> tribunal::model::Model {
    let judgment = |at: usize| {
        let good = (at % 7) as f64;
        let label = if at.is_multiple_of(2) { Verdict::First } else { Verdict::Second };
        let mut pair = Pair::new([format!("x {at}"), format!("y {at}")], vec![format!("reference {at}")]);
        pair.own = own(label, good);
        Judgment { pair, label }
    };
    let judgments = (0..60).map(judgment).collect();
    let source = Source { name: "own".into(), judgments, weight: 1.0 };
    let metrics = OwnMetrics::parse(&["a".to_owned(), "b-".to_owned()]).unwrap().metrics();
    let features = TrainSettings::default().features.with_own(metrics).only_own();
    let settings = TrainSettings { features, ..TrainSettings::default() };
    workflows::train(&Engine::new(), &[source], &settings, &silent).unwrap().model
}

fn own(label: Verdict, good: f64) -> Vec<OwnScore> {
    let sign = f64::from(label.sign());
    let scores = [("a", [good * sign, 0.5]), ("b", [3.0 - sign, 3.0 + good])];
    scores.map(|(name, values)| OwnScore { name: name.into(), values }).to_vec()
}

#[test]
fn own_metrics_are_explained_without_references() {
    let model = own_model();
    let explainer = Explainer::for_model(&Engine::new(), &model, &Language::default(), "own").unwrap();
    let mut pairs = vec![Pair::new(["x".into(), "y".into()], Vec::new()); 2];
    pairs[0].own = own(Verdict::First, 4.0);
    pairs[1].own = own(Verdict::Second, 100.0);
    assert!(Schema::check(&model.schema, pairs.iter(), "x").is_ok());
    let explanations = explainer.explain(&model.judge, model.tie_factor, &pairs.iter().collect::<Vec<_>>());
    for (explanation, pair) in explanations.iter().zip(&pairs) {
        check_sums(explanation);
        assert!(explanation.alignments.is_none());
        let names: Vec<&str> = explanation.metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(explanation.metrics[1].values, pair.own[1].values);
        assert!(explanation.metrics[1].lower_is_better && explanation.families.len() == 2);
    }
    assert_eq!(explanations[0].verdict, Verdict::First);
    // With a reference there is more to show, and nothing else is said.
    let mut with = pairs[0].clone();
    with.references.push("x".into());
    let explanation = &explainer.explain(&model.judge, model.tie_factor, &[&with])[0];
    assert_eq!(explanation.probabilities, explanations[0].probabilities);
    assert!(explanation.alignments.is_some() && explanation.metrics.len() > 10);
    assert_eq!(model.schema.own, [OwnMetric::new("a"), OwnMetric { name: "b".into(), lower_is_better: true }]);
}

/// A text of which nothing is hidden: one line, without what a terminal would act on.
fn is_harmless(line: &str) -> bool {
    !line.chars().any(|character| character.is_control() || "\u{202e}\u{2066}\u{200b}".contains(character))
}

/// Without the escape sequences of colours.
fn stripped(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once('m').expect("a colour").1).collect::<String>()
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
            assert_eq!(stripped(&text::render(&explanation, Terminal::colour(width))), plain);
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
        "Below the words: + not in the reference, - not in the hypothesis\n",
        &format!("{:.3}  for hyp1\n", explanation.preference),
        "p is the share of exp z; ",
        "100.0*",
        "* the better one; ↓ lower is better\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    explanation.line = None;
    for (people, line) in [
        (Verdict::First, "People prefer hypothesis 1, too\n"),
        (Verdict::Second, "People prefer hypothesis 2\n"),
        (Verdict::Tie, "People say tie\n"),
    ] {
        explanation.people = Some(people);
        assert!(said(&explanation).starts_with(&format!("{verdict}{line}")));
    }
}

fn json(run: &Run) -> Value {
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn explain_says_what_predict_says_of_every_line() {
    let bench = Bench::of(4);
    let verdicts = bench.run("predict dev.pairs --json").stdout;
    let answers = bench.read("dev.answers");
    for (at, (verdict, people)) in verdicts.lines().zip(answers.lines()).enumerate().step_by(3) {
        let verdict: Value = serde_json::from_str(verdict).unwrap();
        let found = json(&bench.run(&format!("explain dev.pairs --line {} --answers dev.answers --json", at + 1)));
        assert_eq!((&found["line"], &found["verdict"]), (&verdict["line"], &verdict["verdict"]));
        assert_eq!(found["people"].to_string(), people);
        for (at, label) in ["1", "0", "-1"].into_iter().enumerate() {
            assert_eq!(found["probabilities"][at], verdict["probabilities"][label]);
        }
    }
}

#[test]
fn texts_on_the_command_line_are_a_pair_too() {
    let bench = Bench::of(1);
    bench.write("one.pairs", "He goes. ||| -- no ||| He is going. ||| He leaves.\n");
    let mut of_file = json(&bench.run("explain one.pairs --line 1 --json"));
    let texts = "explain --hyp1 'He goes.' --hyp2 '-- no' --ref 'He is going.' --ref 'He leaves.' --json";
    of_file.as_object_mut().unwrap().remove("line");
    assert_eq!(json(&bench.run(texts)), of_file);
    assert!(bench.run(texts.trim_end_matches(" --json")).stdout.starts_with("The model prefers hypothesis 1: p = "));
}

#[test]
fn a_file_is_read_to_its_line_and_no_further() {
    let bench = Bench::of(2);
    let good = bench.read("dev.pairs");
    bench.write("broken.pairs", format!("{good}no pair\n"));
    bench.write("broken.answers", bench.read("dev.answers") + "what?\n");
    let lines = good.lines().count();
    for line in [1, lines] {
        let arguments = format!("--line {line} --json");
        let expected = bench.run(&format!("explain dev.pairs --answers dev.answers {arguments}"));
        let found = bench.run(&format!("explain broken.pairs --answers broken.answers {arguments}"));
        assert_eq!((found.status, found.stdout), (0, expected.stdout));
    }
    let wrong = bench.run(&format!("explain broken.pairs --line {}", lines + 2));
    assert!(wrong.status == 1 && wrong.stderr.contains("broken.pairs:7: expected 3 fields"), "{}", wrong.stderr);
}

#[test]
fn pairs_that_are_not_there_are_told() {
    let bench = Bench::of(2);
    bench.write("ids.csv", "id,hyp1,hyp2,ref,label\nx,a b,b,a b c,-1\ny,a b,b,a b c,1\ny,a,b,a b c,0\n");
    let found = json(&bench.run("explain ids.csv --id x --json"));
    assert_eq!((&found["id"], &found["line"], &found["people"]), (&json!("x"), &json!(2), &json!(-1)));
    bench.write("some.answers", "1\n");
    for (arguments, message) in [
        ("dev.pairs --line 7", "dev.pairs: expected a pair in line 7, found 6 pairs, the last in line 6; name another"),
        (
            "dev.pairs --id x",
            "dev.pairs: expected pairs with ids, found 6 pairs, the last in line 6, without any; name",
        ),
        ("ids.csv --id z", "ids.csv: expected a pair with the id 'z', found none in 3 pairs, the last in line 4; name"),
        ("ids.csv --id y", "ids.csv: expected the id 'y' once, found it in line 3 and line 4; name a --line instead"),
        (
            "ids.csv --line 1",
            "ids.csv: expected a pair in line 1, found 3 pairs, the last in line 4; name another line",
        ),
        ("dev.pairs --line 2 -a some.answers", "some.answers: expected a line for each pair of dev.pairs, at least 2,"),
        ("dev.pairs --line 2 --ties 0.5", "ties: expected likeliest, 0 or threshold=P where one pair is explained"),
        ("--hyp1 a --hyp2 b", "the given pair:1: expected a reference, found none; add one"),
        ("none.pairs --line 1", "none.pairs: expected a file, found none"),
    ] {
        let run = bench.run(&format!("explain {arguments}"));
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{arguments}: {}", run.stderr);
    }
    for arguments in [
        "dev.pairs",
        "--line 1",
        "dev.pairs --line 0",
        "dev.pairs --line 1 --id x",
        "dev.pairs --line 1 --hyp1 a --hyp2 b --ref c",
        "--hyp1 a --ref c",
        "--hyp1 a --hyp2 b --ref c --answers dev.answers",
        "dev.pairs --line 1 --ref c",
    ] {
        let run = bench.run(&format!("explain {arguments}"));
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn ties_are_those_of_predict() {
    let bench = Bench::of(2);
    for rule in ["0", "likeliest", "threshold=0.01", "threshold=1"] {
        let predicted = bench.run(&format!("predict dev.pairs --ties {rule} --json")).stdout;
        let predicted: Value = serde_json::from_str(predicted.lines().nth(3).unwrap()).unwrap();
        let found = json(&bench.run(&format!("explain dev.pairs --line 4 --ties {rule} --json")));
        assert_eq!((&found["verdict"], &found["ties"]), (&predicted["verdict"], &json!(rule)));
        assert_eq!(found["probabilities"][1], predicted["probabilities"]["0"]);
    }
    let text = bench.run("explain dev.pairs --line 4 --ties 0").stdout;
    assert!(text.contains("the odds of a tie times 0.000; ties as the rule 0 asks for"), "{text}");
}

#[test]
fn colours_are_shown_where_they_are_asked_for() {
    let bench = Bench::of(1);
    let run = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.current_dir(bench.path("")).args(["explain", "dev.pairs", "--line", "1"]);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let plain = run(&[]);
    let coloured = run(&[("CLICOLOR_FORCE", "1")]);
    assert!(!plain.contains('\u{1b}') && coloured.contains('\u{1b}'));
    assert_eq!(stripped(&coloured), plain);
    assert_eq!(run(&[("NO_COLOR", "1")]), plain);
}

#[test]
fn predict_tells_its_three_strongest_reasons() {
    let bench = Bench::of(4);
    bench.write("dev.pairs", bench.read("dev.pairs") + "the same ||| the same ||| other words\n");
    bench.write("dev.answers", bench.read("dev.answers") + "0\n");
    for ties in ["", " --ties 0.2"] {
        let plain = bench.run(&format!("predict dev.pairs --json{ties}")).stdout;
        let run = bench.run(&format!("predict dev.pairs --json --explain -o eval.jsonl{ties}"));
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        for (at, (line, plain)) in bench.read("eval.jsonl").lines().zip(plain.lines()).enumerate().step_by(4) {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let reasons = line.as_object_mut().unwrap().remove("reasons").unwrap();
            assert_eq!(line, serde_json::from_str::<Value>(plain).unwrap());
            let families = json(&bench.run(&format!("explain dev.pairs --line {} --json", at + 1)))["families"].clone();
            let reason = |family: &Value| {
                let contribution = family["contribution"].as_f64().unwrap();
                let side = if contribution > 0.0 { 1 } else { -1 };
                json!({"name": family["name"], "contribution": contribution, "for": side})
            };
            let strongest: Vec<Value> = families.as_array().unwrap().iter().take(3).map(reason).collect();
            assert_eq!(reasons, if at == 12 { json!([]) } else { json!(strongest) });
        }
        assert_eq!(bench.run("check eval.jsonl --pairs dev.pairs").status, 0);
        let evaluated = json(&bench.run("evaluate eval.jsonl --answers dev.answers --pairs dev.pairs --json"));
        assert_eq!(evaluated["rows"], json!(13));
    }
    let run = bench.run("predict dev.pairs --explain");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(
        run.stderr.contains("--explain: expected --json, whose objects have room for reasons, found verdicts alone")
    );
}

#[test]
fn own_metrics_are_read_for_one_pair() {
    let bench = Bench::of(1);
    own_model().write(Output::create(Some(&bench.path("own.json"))).unwrap()).unwrap();
    bench.write("own.csv", "hyp1,hyp2,a.1,a.2,b.1,b.2\nx,y,1,2,3,4\nx,y,4,0.5,2,7\n");
    bench.write("own.a", "4\t0.5\n");
    bench.write("own.b", "2\t7\n");
    let mut of_table = json(&bench.run("explain own.csv --line 3 -m own.json --json"));
    of_table.as_object_mut().unwrap().remove("line");
    let texts = "explain --hyp1 x --hyp2 y -m own.json --own a=own.a,b-=own.b --json";
    assert_eq!(json(&bench.run(texts)), of_table);
    assert_eq!(of_table["metrics"][1], json!({"name": "b", "values": [2.0, 7.0], "lower_is_better": true}));
    let text = bench.run("explain own.csv --line 3 -m own.json").stdout;
    assert!(text.contains("hyp1  x\nhyp2  y\n") && text.contains("b ↓   2.000*   7.000"), "{text}");
    let run = bench.run("explain --hyp1 x --hyp2 y -m own.json");
    assert!(
        run.status == 1 && run.stderr.contains("expected values of the own metric 'a', found none"),
        "{}",
        run.stderr
    );
}
