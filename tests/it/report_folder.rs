//! The folder of `--report`: files, tables and JSON agree, and nothing is half-written.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use tribunal::features::choice::variants;
use tribunal::features::{Choice, Extractor};
use tribunal::files::Input;
use tribunal::files::table::Rows;
use tribunal::judgments::grouping;
use tribunal::judgments::{Pair, Verdict};
use tribunal::learners::LogisticRegression;
use tribunal::learners::logistic::{Columns, LogisticSettings, Split, WarmStart};
use tribunal::learning::{Labelled, Learner, Predictor};
use tribunal::wordnet::WordNet;
use tribunal::workflows::ReportFolder;

use crate::common::{Bench, Run};

const TRAIN: &str = "train dev.pairs -a dev.answers --folds 3 --ablation";

fn done(run: Run) -> Run {
    assert_eq!(run.status, 0, "{}", run.stderr);
    run
}

fn all_files(bench: &Bench, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(bench.path(folder)).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn json(bench: &Bench, folder: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("{folder}/report.json"))).unwrap()
}

/// A column of one of the tables.
fn column(bench: &Bench, table: &str, name: &str) -> Vec<String> {
    let rows = Rows::open(&Input::File(bench.path(&format!("report/{table}"))), None).unwrap();
    let column = rows.header().require(name).unwrap();
    rows.map(|row| row.unwrap().optional(&column).unwrap().unwrap_or_default().into_owned()).collect()
}

fn numbers(bench: &Bench, table: &str, name: &str) -> Vec<f64> {
    column(bench, table, name).iter().map(|number| number.parse().unwrap()).collect()
}

fn array<'v>(value: &'v Value, name: &str) -> &'v Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("{name} of {value}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn a_folder_has_every_file_and_what_is_printed_stays_as_it_is() {
    let bench = Bench::of(10);
    let plain = done(bench.run(TRAIN));
    let run = done(bench.run(&format!("{TRAIN} --report report")));
    assert_eq!(run.stdout, plain.stdout);
    let told = run.stderr.lines().filter(|line| line.starts_with("report/"));
    assert_eq!(told.count(), 1, "{}", run.stderr);
    // There are too few pairs for breakdowns and for coverage.
    let files = ReportFolder::new(&bench.path("report")).unwrap().files();
    let names = files.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    let mut names: Vec<String> =
        names.filter(|name| !name.starts_with("breakdown-") && name != "coverage.svg").collect();
    names.sort_unstable();
    assert_eq!(all_files(&bench, "report").into_keys().collect::<Vec<_>>(), names);
    assert_eq!(
        done(bench.run(&format!("{TRAIN} --report report --json"))).stdout,
        done(bench.run(&format!("{TRAIN} --json"))).stdout
    );
}

#[test]
fn tables_and_json_say_what_is_printed() {
    let bench = Bench::of(10);
    let printed: Value =
        serde_json::from_str(&done(bench.run(&format!("{TRAIN} --report report --json"))).stdout).unwrap();
    let report = json(&bench, "report");
    let details = &report["details"];
    let rows = number(&report["rows"]);
    assert_eq!((&report["systems"], &report["answer"]), (&printed["systems"], &printed["answer"]));
    let accuracy = number(&report["systems"][0]["accuracy"]);
    let first = column(&bench, "accuracy.csv", "system").iter().position(|system| system == "ensemble").unwrap();
    assert_eq!(numbers(&bench, "accuracy.csv", "accuracy")[first], accuracy);

    let (labels, verdicts) = (column(&bench, "pairs.csv", "label"), column(&bench, "pairs.csv", "verdict"));
    assert_eq!(labels, bench.read("dev.answers").lines().collect::<Vec<_>>());
    let right = labels.iter().zip(&verdicts).filter(|(label, verdict)| label == verdict).count();
    assert!((right as f64 / rows - accuracy).abs() < 1e-12);
    let cells = ["1", "0", "-1"].map(|verdict| numbers(&bench, "confusion.csv", verdict));
    assert_eq!(cells.iter().flatten().sum::<f64>(), rows);
    let systems = array(&report["matrix"], "names").len();
    assert_eq!(column(&bench, "matrix.csv", "system").len(), systems);
    let (one, other) = (column(&bench, "matrix.csv", "1")[1].clone(), column(&bench, "matrix.csv", "2")[0].clone());
    assert!((0.0..=1.0).contains(&one.parse::<f64>().unwrap()) && other.parse::<f64>().is_ok(), "{one} {other}");

    let pairs = |bins: &Value| bins.as_array().unwrap().iter().map(|bin| number(&bin["pairs"])).sum::<f64>();
    assert_eq!(pairs(&details["reliability"]), rows);
    for breakdown in array(details, "breakdowns") {
        let share = |bin: &Value| number(&bin["pairs"]) * number(&bin["accuracies"][0]["accuracy"]) / rows;
        if breakdown["property"] != "human-human agreement" {
            assert_eq!(pairs(&breakdown["bins"]), rows);
            assert!((array(breakdown, "bins").iter().map(share).sum::<f64>() - accuracy).abs() < 1e-12);
        }
    }
    let conventions = array(&details["conventions"], "conventions");
    let at = |name: &str| conventions.iter().position(|convention| convention["name"].as_str().unwrap().contains(name));
    for (row, system) in array(&details["conventions"], "systems").iter().zip(array(&report, "systems")) {
        let value = |name: &str| &row["values"][at(name).unwrap()];
        assert_eq!((value("acc23"), value("kendall_tau")), (&system["accuracy"], &system["kendall_tau"]));
        assert_eq!(value("untied"), &system["decided_accuracy"]);
    }
    let curve = array(&report, "learning_curve");
    assert_eq!(number(&curve[3]["accuracy"]), accuracy);
    assert_eq!(array(&report, "ablation").len(), column(&bench, "ablation.csv", "features").len());
    let total: f64 = array(details, "families").iter().map(|family| number(&family["share"])).sum();
    assert!((total - 1.0).abs() < 1e-9);
}

#[test]
fn charts_of_another_report_do_not_stay() {
    let bench = Bench::of(10);
    done(bench.run(&format!("{TRAIN} --report report")));
    assert!(bench.path("report/ablation.svg").is_file());
    fs::write(bench.path("report/mine.svg"), "mine").unwrap();
    done(bench.run("compare dev.pairs -a dev.answers --report report"));
    assert!(!bench.path("report/ablation.svg").exists() && bench.path("report/accuracy.svg").is_file());
    assert_eq!(bench.read("report/mine.svg"), "mine");
}

#[test]
fn a_page_and_the_explanation_cannot_both_be_standard_output() {
    let bench = Bench::of(2);
    let run = bench.run("explain dev.pairs --line 1 --html -");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
}

/// Safeguard 49.
#[test]
fn a_page_names_data_and_question_and_ends_sections_in_advice() {
    let bench = Bench::of(10);
    done(bench.run(&format!("{TRAIN} --report report")));
    let page = bench.read("report/report.html");
    let title = "How often does ensemble agree with human labels on dev.pairs?";
    assert!(page.contains(&format!("<title>Tribunal: {title}</title>")) && page.contains(&format!("<h1>{title}</h1>")));
    let sections: Vec<&str> = page.split("<section id=").skip(1).collect();
    assert!(sections.len() >= 9, "{}", sections.len());
    for section in sections {
        let (section, _) = section.split_once("</section>").unwrap();
        let (body, advice) = section.rsplit_once("<p class=\"advice\">").unwrap_or_else(|| panic!("{section}"));
        assert!(!body.contains("class=\"advice\"") && advice.trim_end().ends_with(".</p>"), "{advice}");
    }
    // The grid of all systems is there on request.
    let (_, grid) = page.split_once("<figure id=\"figure-prominent-matrix\"").unwrap();
    let names = grid.split_once("</figure>").unwrap().0.matches("class=\"name\"").count();
    assert_eq!(names, 10);
    let (before, _) = page.split_once("<figure id=\"figure-matrix\"").unwrap();
    assert_eq!(before.matches("<details>").count(), 1 + before.matches("</details>").count());
}

/// Safeguard 50.
#[test]
fn pairs_have_each_text_once_and_the_scores_of_metrics() {
    let bench = Bench::of(10);
    done(bench.run(&format!("{TRAIN} --report report")));
    let texts = column(&bench, "texts.csv", "text");
    assert_eq!(texts.iter().collect::<std::collections::BTreeSet<_>>().len(), texts.len());
    let text = |name: &str| -> Vec<String> {
        column(&bench, "pairs.csv", name).iter().map(|number| texts[number.parse::<usize>().unwrap()].clone()).collect()
    };
    let [one, other, reference] = ["hyp1_text", "hyp2_text", "ref_text"].map(text);
    let pairs: Vec<String> =
        (0..one.len()).map(|at| format!("{} ||| {} ||| {}\n", one[at], other[at], reference[at])).collect();
    assert_eq!(pairs.concat(), bench.read("dev.pairs"));
    bench.write("one", one.join("\n"));
    bench.write("references", reference.join("\n"));
    let scores = done(bench.run("score one -r references --metrics chrf,meteor --segments --json")).stdout;
    for metric in ["chrf", "meteor", "sum"] {
        assert_eq!(numbers(&bench, "pairs.csv", &format!("{metric}.1")).len(), pairs.len());
    }
    let first = numbers(&bench, "pairs.csv", "chrf.1")[0];
    assert!(first > 0.0 && scores.contains(&first.to_string()[..8]), "{first} in {scores}");
}

#[test]
fn the_same_command_writes_the_same_bytes() {
    let bench = Bench::of(10);
    done(bench.run(&format!("{TRAIN} --threads 1 --report one")));
    done(bench.run(&format!("{TRAIN} --threads 3 --quiet --report two")));
    let (one, two) = (all_files(&bench, "one"), all_files(&bench, "two"));
    one.iter().for_each(|(name, bytes)| assert!(two[name] == *bytes, "{name}"));
    let provenance = &json(&bench, "one")["details"]["provenance"];
    assert_eq!(provenance["command"], format!("tribunal {TRAIN} --report report"));
    let text = provenance.to_string();
    assert!(!text.contains(&*bench.path("").to_string_lossy()), "{text}");
    assert_eq!(provenance["data"][0]["bytes"], bench.read("dev.pairs").len());
    assert_eq!(provenance["data"][1]["name"], "dev.answers");
    assert!(!array(provenance, "signatures").is_empty() && array(provenance, "models").len() == 1);
}

#[test]
fn examples_are_explained_as_they_were_judged() {
    let bench = Bench::of(10);
    done(bench.run(&format!("{TRAIN} --report report")));
    let report = json(&bench, "report");
    let pairs = array(&report["details"]["pairs"], "rows");
    for (list, is_right) in [("most_wrong", false), ("most_right", true)] {
        let examples = array(&report["details"], list);
        assert!(!examples.is_empty());
        for example in examples {
            let row = pairs.iter().find(|row| row["line"] == example["line"]).unwrap();
            assert_eq!((&row["people"], &row["verdict"]), (&example["people"], &example["verdict"]));
            assert_eq!(example["people"] == example["verdict"], is_right);
            for (rounded, exact) in array(row, "probabilities").iter().zip(array(example, "probabilities")) {
                assert!((number(rounded) - number(exact)).abs() < 0.5001e-4);
            }
            let sum: f64 = array(example, "families").iter().map(|family| number(&family["contribution"])).sum();
            assert!((sum - number(&example["preference"])).abs() < 1e-9);
        }
        let references: Vec<&Value> = examples.iter().map(|example| &example["references"]).collect();
        assert!(references.iter().enumerate().all(|(at, reference)| !references[..at].contains(reference)));
    }
}

#[test]
fn compare_writes_a_folder_of_the_first_model() {
    let bench = Bench::of(10);
    let decided: Vec<String> =
        bench.read("dev.answers").lines().map(|label| if label == "0" { "1" } else { label }.to_owned()).collect();
    bench.write("decided.answers", decided.join("\n") + "\n");
    done(bench.run(&format!("{TRAIN} -m dev.json")));
    let compare = "compare dev.pairs -a decided.answers -m dev.json -m builtin";
    let run = done(bench.run(&format!("{compare} --report report")));
    assert_eq!(run.stdout, done(bench.run(compare)).stdout);
    let report = json(&bench, "report");
    let provenance = &report["details"]["provenance"];
    let models: Vec<&Value> = array(provenance, "models").iter().map(|model| &model["name"]).collect();
    assert_eq!(models, ["dev", "builtin"]);
    let notes = provenance["notes"].to_string();
    assert!(notes.contains("which inflates its accuracy") && notes.contains("No label is a tie"), "{notes}");
    // As people say no ties, the models say none, and explanations state that rule.
    for example in ["most_wrong", "most_right"].iter().flat_map(|list| array(&report["details"], list)) {
        assert!(example["verdict"] != 0 && example["ties"] == "0" && example["probabilities"][1] == 0.0, "{example}");
    }
    assert_eq!(column(&bench, "families.csv", "family"), Vec::<String>::new());
}

#[test]
fn files_of_other_names_are_left_and_errors_leave_nothing() {
    let bench = Bench::of(10);
    fs::create_dir(bench.path("report")).unwrap();
    bench.write("report/notes.txt", "mine");
    bench.write("report/pairs.csv", "old");
    bench.write("file", "mine");
    let fails = |arguments: &str, expected: &str| {
        let before = (bench.content(), all_files(&bench, "report"));
        let run = bench.run(arguments);
        assert_eq!(run.status, 1, "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments}: {}", run.stderr);
        assert_eq!((bench.content(), all_files(&bench, "report")), before, "{arguments}");
    };
    fails(&format!("{TRAIN} --report file"), "file: expected a folder, found a file");
    fails(&format!("{TRAIN} --report none/report"), "no folder 'none'; create it first");
    fails(&format!("{TRAIN} --report -"), "-: expected a folder");
    // The checks come before anything is read, and no folder is created for a command that fails.
    fails("train none.pairs -a dev.answers --report new", "none.pairs: no such file");
    fails("train dev.pairs -a dev.answers --folds 99 --report new", "at least 99 different references");
    fails("train dev.pairs -a dev.answers --folds 99 --report report", "at least 99 different references");
    fails("train report/pairs.csv --report report", "an output that is not also an input");
    fails(&format!("{TRAIN} --report report -m report/report.json"), "two different outputs");
    done(bench.run(&format!("{TRAIN} --report report/")));
    assert_eq!(bench.read("report/notes.txt"), "mine");
    let header = "file,line,id,hyp1_text,hyp2_text,ref_text,label,verdict,p1,p0,p-1,sum.1,sum.2,";
    assert!(bench.read("report/pairs.csv").starts_with(header));
}

#[test]
fn texts_are_kept_as_they_are() {
    let bench = Bench::of(10);
    let odd = [
        "<script>alert(1)</script>",
        "</textarea>\u{0}&amp;",
        "\u{202e}\u{05e9}\u{05dc}\u{05d5}\u{05dd}",
        "👩‍👩‍👧 \"quoted\", too",
    ];
    let pairs: String = (bench.read("dev.pairs").lines().enumerate())
        .map(|(at, line)| format!("{} {line}\n", odd[at % odd.len()]))
        .collect();
    bench.write("dev.pairs", &pairs);
    done(bench.run(&format!("{TRAIN} --report report")));
    let first = |line: &str| line.split(" ||| ").next().unwrap().to_owned();
    let of_texts: Vec<String> = column(&bench, "texts.csv", "text");
    let told =
        column(&bench, "pairs.csv", "hyp1_text").into_iter().map(|at| of_texts[at.parse::<usize>().unwrap()].clone());
    assert_eq!(told.collect::<Vec<_>>(), pairs.lines().map(first).collect::<Vec<_>>());
    let details = &json(&bench, "report")["details"];
    let texts = array(&details["pairs"], "texts");
    assert!(
        array(&details["pairs"], "rows")
            .iter()
            .zip(pairs.lines())
            .all(|(row, line)| { texts[usize::try_from(row["texts"][0].as_u64().unwrap()).unwrap()] == first(line) })
    );
}

#[test]
fn several_files_are_told_apart() {
    let bench = Bench::of(10);
    let (pairs, answers) = (bench.read("dev.pairs"), bench.read("dev.answers"));
    let half = |text: &str, second: bool| -> String {
        text.lines().enumerate().filter(|(at, _)| (*at >= 15) == second).map(|(_, line)| format!("{line}\n")).collect()
    };
    for (name, second) in [("a", false), ("b", true)] {
        bench.write(&format!("{name}.pairs"), half(&pairs, second));
        bench.write(&format!("{name}.answers"), half(&answers, second));
    }
    done(bench.run("train a.pairs b.pairs -a a.answers -a b.answers --folds 3 --report report"));
    let found = column(&bench, "pairs.csv", "file");
    assert!(found.iter().enumerate().all(|(at, file)| file == if at < 15 { "a.pairs" } else { "b.pairs" }));
    let details = &json(&bench, "report")["details"];
    let is_of = |breakdown: &&Value| breakdown["property"] == "file";
    let breakdown = array(details, "breakdowns").iter().find(is_of).unwrap();
    assert_eq!((&breakdown["bins"][0]["values"], &breakdown["bins"][1]["pairs"]), (&"a.pairs".into(), &15.into()));
    assert!(array(details, "most_right").iter().all(|example| example["file"].is_string()));
    assert_eq!(array(&details["provenance"], "data").len(), 4);
}

#[test]
fn accounts_of_imports_are_told() {
    let bench = Bench::of(10);
    let rankings = include_str!("../../data/sample/sample.rankings");
    bench.write("x.rankings", rankings);
    let run = done(bench.run("compare x.rankings --format rankings --report report"));
    let accounts = json(&bench, "report")["details"]["provenance"]["accounts"].clone();
    let account = accounts[0].as_str().unwrap();
    assert!(account.starts_with("x.rankings: ") && account.contains(" rows read, "), "{account}");
    assert!(run.stderr.contains(account), "{}", run.stderr);
}

#[test]
fn pairs_without_references_have_a_folder() {
    let bench = Bench::of(10);
    let row = |(at, (line, label)): (usize, (&str, &str))| {
        let fields: Vec<&str> = line.split(" ||| ").collect();
        format!("{}\t{}\t{at}\t{}\t{label}\n", fields[0], fields[1], 30 - at)
    };
    let (pairs, answers) = (bench.read("dev.pairs"), bench.read("dev.answers"));
    let rows: String = pairs.lines().zip(answers.lines()).enumerate().map(row).collect();
    bench.write("dev.tsv", format!("hyp1\thyp2\tcomet.1\tcomet.2\tlabel\n{rows}"));
    done(bench.run("train dev.tsv --own comet --only-own --folds 2 --report report -m own.json"));
    let example = &json(&bench, "report")["details"]["most_right"][0];
    assert_eq!((&example["alignments"], &example["references"]), (&Value::Null, &Value::Array(vec![])));
    assert_eq!(column(&bench, "pairs.csv", "ref_text"), vec![String::new(); 30]);
    done(bench.run("compare dev.tsv -m own.json --report report"));
    // A report on a single pair.
    let one: String = bench.read("dev.tsv").lines().take(2).map(|line| format!("{line}\n")).collect();
    bench.write("one.tsv", one);
    done(bench.run("compare one.tsv -m own.json --report report"));
    assert_eq!(array(&json(&bench, "report")["details"], "reliability").len(), 1);
}

/// Rows scaled once for all families give the same results as a separate table for each family.
#[test]
fn families_are_left_out_as_if_they_were_never_there() {
    let bench = Bench::of(12);
    let pairs: Vec<Pair> =
        bench.read("dev.pairs").lines().map(|line| Pair::parse(line, "dev.pairs", 1).unwrap()).collect();
    let labels: Vec<Verdict> = bench.read("dev.answers").lines().filter_map(Verdict::parse).collect();
    let extractor = Extractor::all(WordNet::embedded()).unwrap();
    let all = extractor.schema();
    let chosen = Choice::default().select(all).unwrap();
    let everything = extractor.extract(pairs.iter(), &|_, _| ());
    let groups = grouping::groups(pairs.iter());
    let data = Labelled { table: &everything, labels: &labels, groups: &groups, weights: &[] };
    let (training, held_out): (Vec<usize>, Vec<usize>) = (0..pairs.len()).partition(|row| row % 4 > 0);
    let learner = LogisticRegression::new(LogisticSettings::default()).unwrap();
    let of_chosen = everything.select_columns(all, &chosen);
    let known = learner.fit(data.with_table(&of_chosen), &training, 0.03, None).unwrap();

    let (names, schemas): (Vec<String>, Vec<_>) = variants(all, &chosen).into_iter().unzip();
    let columns: Vec<Columns> = schemas.iter().map(|schema| Columns::new(all, schema)).collect();
    let start = WarmStart { model: &known, columns: &Columns::new(all, &chosen) };
    let split = Split { training: &training, held_out: &held_out };
    let found = learner.fit_subsets(data, split, 0.03, start, &columns).unwrap();
    for ((name, schema), found) in names.iter().zip(&schemas).zip(found) {
        let table = everything.select_columns(all, schema);
        let judge = learner.fit(data.with_table(&table), &training, 0.03, None).unwrap();
        for (given, &row) in found.iter().zip(&held_out) {
            let exact = judge.probabilities(&table, row);
            let is_near = |verdict: Verdict| (given.probability(verdict) - exact.probability(verdict)).abs() < 0.02;
            assert!(Verdict::ALL.into_iter().all(is_near), "{name}: {given:?} is not near {exact:?}");
        }
    }
}

#[test]
fn many_pairs_are_in_the_folder_on_request() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let label = if at.is_multiple_of(3) { -1 } else { 1 };
        format!("one {at},two {at},{label},{},{}\n", at * 7 % 11, at * 5 % 13)
    };
    bench.write("x.csv", "hyp1,hyp2,label,m.1,m.2\n".to_owned() + &(0..5100).map(row).collect::<String>());
    let command = "train x.csv --own m --only-own --folds 2 -q --report report";
    let rows = |name: &str| bench.read(&format!("report/{name}")).lines().count() - 1;
    done(bench.run(command));
    let shown = rows("pairs.csv");
    assert!(shown <= 5000 && rows("texts.csv") == 2 * shown, "{shown}");
    let texts = column(&bench, "texts.csv", "text");
    for (number, line) in column(&bench, "pairs.csv", "hyp1_text").iter().zip(column(&bench, "pairs.csv", "line")) {
        let at = line.parse::<usize>().unwrap() - 2;
        assert_eq!(texts[number.parse::<usize>().unwrap()], format!("one {at}"));
    }
    done(bench.run(&format!("{command} --all-pairs")));
    assert_eq!((rows("pairs.csv"), rows("texts.csv")), (5100, 10200));
}
