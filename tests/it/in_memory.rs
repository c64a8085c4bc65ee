//! Workflows on pairs and texts in memory, as bindings call them, give the same results as commands on files.

use std::sync::Mutex;

use serde_json::Value;
use tribunal::features::Choice;
use tribunal::files::Input;
use tribunal::formats::{self, PairReader};
use tribunal::judgments::{Judgment, Language, Pair};
use tribunal::metrics::MetricSet;
use tribunal::model::{Model, builtin};
use tribunal::workflows::score::{ParallelTexts, SystemOutput, score_segments_of};
use tribunal::workflows::{
    self, Context, Engine, Event, ExplainSettings, NamedModel, PairPredictor, Source, TrainSettings,
};

use crate::common::Bench;

fn pairs(bench: &Bench) -> Vec<Pair> {
    PairReader::open(&Input::File(bench.path("dev.pairs")), None).unwrap().collect::<Result<_, _>>().unwrap()
}

fn judgments(bench: &Bench) -> Vec<Judgment> {
    let [pairs, answers] = ["dev.pairs", "dev.answers"].map(|name| Input::File(bench.path(name)));
    formats::read(&pairs, None, Some(&answers)).unwrap().judgments
}

#[test]
fn features_are_those_of_the_command() {
    let bench = Bench::of(6);
    let none: &[String] = &[];
    for (language, options) in [("en", ""), ("de", " --language de")] {
        let text = bench.run(&format!("features dev.pairs --quiet{options}")).stdout;
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().unwrap();
        let choice = Choice::without(none, language.parse().unwrap());
        let table = workflows::feature_table(Context::new(&Engine::new()), &pairs(&bench), &choice).unwrap();
        let start = header.iter().position(|&name| name == table.names[0]).unwrap();
        assert_eq!(header[start..], table.names);
        for (row, cells) in lines.enumerate() {
            let expected: Vec<f64> = cells[start..].iter().map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(table.values.row(row).to_vec(), expected, "{language}, row {row}");
        }
    }
}

#[test]
fn verdicts_and_notes_are_those_of_the_command() {
    let bench = Bench::of(12);
    bench.run("train dev.pairs --answers dev.answers --folds 3 -m own.json");
    for (options, ties) in [("", None), (" --ties 0.4", Some("0.4"))] {
        let run = bench.run(&format!("predict dev.pairs -m own.json --json{options}"));
        let model = Model::read(&Input::File(bench.path("own.json"))).unwrap();
        let engine = Engine::new();
        let judge = PairPredictor::new(&engine, model, "own.json").unwrap();
        let notes = Mutex::new(String::new());
        let listener = |event: Event| {
            if let Event::Warning(text) = event {
                *notes.lock().unwrap() += &format!("warning: {text}\n");
            }
        };
        let ties = ties.map(|ties: &str| ties.parse().unwrap());
        let judged =
            workflows::predict_pairs(Context::new(&engine).with_listener(&listener), &judge, &pairs(&bench), ties)
                .unwrap();
        assert_eq!(run.stdout.lines().count(), judged.len());
        for (line, judged) in run.stdout.lines().zip(&judged) {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["verdict"], judged.verdict.sign());
            let given = ["1", "0", "-1"].map(|name| line["probabilities"][name].as_f64().unwrap());
            assert_eq!(given, judged.probabilities.0);
        }
        assert_eq!(notes.into_inner().unwrap(), run.stderr);
        assert!(run.stderr.contains("was trained on the references"), "{}", run.stderr);
    }
}

#[test]
fn explanations_are_those_of_the_command() {
    let bench = Bench::of(3);
    let model = NamedModel { name: "m".into(), source_name: "m".into(), model: builtin::model().unwrap() };
    let pairs = pairs(&bench);
    for ties in [None, Some("threshold=0.01")] {
        let settings = ExplainSettings { ties: ties.map(|ties| ties.parse().unwrap()), language: Language::default() };
        let wanted: Vec<&Pair> = pairs.iter().take(3).collect();
        let explained = workflows::explain_pairs(Context::new(&Engine::new()), &model, &wanted, &settings).unwrap();
        for (at, explanation) in explained.iter().enumerate() {
            let ties = ties.map(|ties| format!(" --ties {ties}")).unwrap_or_default();
            let run = bench.run(&format!("explain dev.pairs --line {} --json{ties}", at + 1));
            let mut expected: Value = serde_json::from_str(&run.stdout).unwrap();
            // Pairs in memory have no line.
            expected.as_object_mut().unwrap().remove("line");
            assert_eq!(serde_json::to_value(explanation).unwrap(), expected);
        }
    }
    let share = ExplainSettings { ties: Some("0.5".parse().unwrap()), ..ExplainSettings::default() };
    assert!(workflows::explain_pairs(Context::new(&Engine::new()), &model, &[&pairs[0]], &share).is_err());
}

#[test]
fn scores_of_segments_are_those_of_the_command() {
    let bench = Bench::of(40);
    let pairs = pairs(&bench);
    let lines = |of: &dyn Fn(&Pair) -> &str| pairs.iter().map(|pair| of(pair).to_owned() + "\n").collect::<String>();
    bench.write("one", lines(&|pair| &pair.hypotheses[0]));
    bench.write("two", lines(&|pair| &pair.hypotheses[1]));
    bench.write("ref", lines(&|pair| &pair.references[0]));
    let system = |side: usize| pairs.iter().map(|pair| pair.hypotheses[side].clone()).collect::<Vec<_>>();
    let texts = ParallelTexts {
        sources: Vec::new(),
        systems: vec![SystemOutput::new("one", system(0)), SystemOutput::new("two", system(1))],
        references: pairs.iter().map(|pair| pair.references.clone()).collect(),
    };
    let names = ["chrf", "ter", "meteor"];
    let engine = Engine::new();
    let context = Context::new(&engine);
    let scores = score_segments_of(context, &MetricSet::named(&names).unwrap(), &texts).unwrap();
    let text = bench.run("score one two -r ref --segments --metrics chrf,ter,meteor").stdout;
    // The first column is the name of the system.
    let row = |line: &str| line.split('\t').skip(1).map(|cell| cell.parse().unwrap()).collect();
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(row).collect();
    let found: Vec<Vec<f64>> = scores
        .iter()
        .flat_map(|columns| (0..pairs.len()).map(|row| columns.iter().map(|column| column[row]).collect()))
        .collect();
    assert_eq!(found, rows);
    let shorter = ParallelTexts { references: texts.references[1..].to_vec(), ..texts };
    assert!(score_segments_of(context, &MetricSet::named(&names).unwrap(), &shorter).is_err());
}

/// Without a report the penalty is chosen by inner folds, and the model states no accuracy.
#[test]
fn a_model_can_be_fitted_without_a_report() {
    let bench = Bench::of(30);
    let source = [Source { name: "dev.pairs".into(), judgments: judgments(&bench), weight: 1.0 }];
    let engine = Engine::new();
    let context = Context::new(&engine);
    let fitted = workflows::fit(context, &source, &TrainSettings::default()).unwrap();
    let trained = workflows::train(context, &source, &TrainSettings::default()).unwrap().model;
    assert!(fitted.training.accuracy.is_empty() && !trained.training.accuracy.is_empty());
    assert_eq!((&fitted.schema, &fitted.linear.scales), (&trained.schema, &trained.linear.scales));
    assert_eq!((fitted.training.pairs, &fitted.training.labels), (trained.training.pairs, &trained.training.labels));
    let text = fitted.to_text().unwrap();
    assert_eq!(Model::parse(&text, "fitted").unwrap(), fitted);
}
