//! `tribunal score` as its users run it.

use crate::common::{Bench, Run};
use serde_json::Value;
use tribunal::metrics::{REGISTRY, options};

const REFERENCES: &str =
    "The committee approved the budget on Monday.\nA cat was sitting on the mat.\nShe sold her car.\n";

/// Two systems, a reference of every segment and a second one of some.
fn bench() -> Bench {
    let bench = Bench::of(1);
    bench.write("one", "The committee approved the budget on Monday.\nThe cat sat on the mat.\nShe sold the car.\n");
    bench.write("two", "On Monday committee has approved budget.\nOn the mat sat cat.\nShe has sell her car.\n");
    bench.write("ref", REFERENCES);
    bench.write("more", "\nThe cat sat on a mat.\n\n");
    bench
}

fn output(bench: &Bench, arguments: &str) -> String {
    let Run { status, stdout, stderr } = bench.run(arguments);
    assert_eq!((status, stderr.as_str()), (0, ""), "{arguments}");
    stdout
}

fn refused(bench: &Bench, arguments: &str, parts: &[&str]) {
    let before = bench.content();
    let Run { status, stdout, stderr } = bench.run(arguments);
    assert_eq!((status, stdout.as_str(), stderr.lines().count()), (1, "", 1), "{arguments}: {stderr}");
    assert_eq!(bench.content(), before, "{arguments} left traces");
    assert!(parts.iter().all(|part| stderr.contains(part)), "{arguments}: {stderr}");
}

#[test]
fn several_systems_have_a_row_each() {
    let bench = bench();
    let table = output(&bench, "score one two -r ref --metrics bleu,meteor");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["system", "bleu", "meteor"]);
    assert_eq!((rows[1][0], rows[2][0], rows.len()), ("one", "two", 3));
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    assert!((1..3).all(|column| number(1, column) > number(2, column)));
}

#[test]
fn segments_have_a_row_each() {
    let bench = bench();
    let table = output(&bench, "score one -r ref --metrics rougeL,chrf --segments");
    assert_eq!(table.lines().count(), 1 + bench.read("one").lines().count());
    assert!(table.starts_with("rougeL\tchrf\n1\t100\n"), "{table}");
    let json = output(&bench, "score one -r ref --metrics rougeL --segments --json");
    let second: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&second["system"], &second["segment"]), (&"one".into(), &2.into()));
}

#[test]
fn safeguard_08_an_empty_line_is_no_second_reference() {
    let bench = bench();
    let of = |references: &str| output(&bench, &format!("score one -r {references} --metrics chrf,ter --segments"));
    let (alone, both) = (of("ref"), of("ref more"));
    let differs: Vec<bool> = alone.lines().zip(both.lines()).map(|(one, other)| one != other).collect();
    assert_eq!(differs, [false, false, true, false]);
    let signature = |references: &str| output(&bench, &format!("score one -r {references} --metrics chrf --json"));
    assert!(signature("ref more").contains("chrF2|nrefs:var|"));
    assert!(signature("ref ref").contains("chrF2|nrefs:2|"));
}

#[test]
fn a_paired_test_says_what_it_is() {
    let bench = bench();
    for (option, method) in [("--paired-bs", "paired bootstrap"), ("--paired-ar", "paired approximate randomisation")] {
        let json = output(&bench, &format!("score one two -r ref --metrics bleu {option} --rounds 99 --json"));
        let found: Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&found["test"]["method"], &found["test"]["against"]), (&method.into(), &"one".into()));
        assert!(found["systems"][0]["scores"][0]["p_value"].is_null());
        assert!(found["systems"][1]["scores"][0]["p_value"].as_f64().unwrap() < 0.5);
        assert_eq!(
            json,
            output(&bench, &format!("score one two -r ref --metrics bleu {option} --rounds 99 --json --threads 1"))
        );
    }
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let bench = bench();
    refused(&bench, "score one -r ref --paired-bs", &["two or more systems", "found one"]);
    refused(&bench, "score one -r ref --rounds 9", &["--rounds", "--confidence, --paired-bs or --paired-ar"]);
    refused(&bench, "score one -r ref --smooth-value 2", &["--smooth-value", "--smooth exp"]);
    refused(&bench, "score - -r -", &["standard input once"]);
    bench.write("long", format!("{REFERENCES}And a fourth.\n"));
    refused(&bench, "score one -r more ref long", &["long:4: expected 3 segments, as in one, found 4"]);
    refused(&bench, "score one -r ref --metrics blue", &["'blue'", "known are bleu, "]);
}

#[test]
fn paraphrases_match_and_are_kept() {
    let bench = bench();
    bench.write("table", "0.5\nwas sitting\nsat\n0.4\nsold\ngave away\n");
    let score = "score one -r ref --metrics meteor --paraphrases table --paraphrase-cache kept --json";
    let first = output(&bench, score);
    assert_eq!(std::fs::read_dir(bench.path("kept")).unwrap().count(), 1);
    assert_eq!(output(&bench, score), first);
    let of = |json: &str| serde_json::from_str::<Value>(json).unwrap()["systems"][0]["scores"][0]["score"].as_f64();
    assert!(of(&first) > of(&output(&bench, "score one -r ref --metrics meteor --json")));
    assert!(first.contains("|paraphrases:"));
}

#[test]
fn a_cache_that_cannot_be_written_is_a_note() {
    let bench = bench();
    bench.write("table", "0.5\nwas sitting\nsat\n");
    let score = "score one -r ref --metrics meteor --paraphrases table --paraphrase-cache";
    let kept = output(&bench, &format!("{score} kept"));
    let found = bench.run(&format!("{score} table"));
    assert_eq!((found.status, found.stdout), (0, kept.clone()));
    assert!(found.stderr.contains("cannot keep the paraphrase table"), "{}", found.stderr);
    assert_eq!(output(&bench, &format!("{score} table --quiet")), kept);
    refused(&bench, "score one -r ref --metrics meteor --paraphrases ref", &["ref:1: expected the probability"]);
}

const MODEL: &str = include_str!("../../models/wmt.json");

/// The rows of a table without its header, as numbers; the first column holds names.
fn numbers(table: &str) -> Vec<Vec<f64>> {
    let row = |line: &str| line.split('\t').skip(1).map(|cell| cell.parse().unwrap()).collect();
    table.lines().skip(1).map(row).collect()
}

#[test]
fn a_model_has_a_column_of_its_own() {
    let bench = bench();
    bench.write("mine.json", MODEL);
    let table = output(&bench, "score one two -r ref --metrics ensemble,bleu -m mine.json");
    assert!(table.starts_with("system\tensemble\tbleu\tmine\none\t"), "{table}");
    let [one, two] = numbers(&table).try_into().unwrap();
    assert_eq!((one[0], two[0]), (one[2], two[2]));
    assert!(100.0 > one[0] && one[0] > two[0] + 5.0 && two[0] > 0.0, "{table}");

    bench.write("bleu.json", MODEL);
    let table = output(&bench, "score one two -r ref --metrics bleu -m bleu.json -m mine.json");
    assert!(table.starts_with("system\tbleu\tbleu.json\tmine\n"), "{table}");
    assert!(
        output(&bench, "score one -r ref -m mine.json").starts_with("system\tbleu\tchrf\tter\trougeL\tmeteor\tmine\n")
    );
}

#[test]
fn a_models_score_of_a_system_is_the_mean_of_its_segments() {
    let bench = bench();
    let system = numbers(&output(&bench, "score two one -r ref more --metrics ensemble"))[0][0];
    let segments = numbers(&output(&bench, "score two one -r ref more --metrics ensemble --segments"));
    let mean = segments[..3].iter().map(|row| row[0]).sum::<f64>() / 3.0;
    assert!((system - mean).abs() < 1e-9, "{system} {mean}");
    let json = output(&bench, "score two -r ref more --metrics ensemble --segments --json");
    let second: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!(second["scores"]["ensemble"].as_f64(), Some(segments[1][0]));
}

#[test]
fn a_models_score_has_intervals_tests_and_a_signature() {
    let bench = bench();
    let checksum = MODEL.rsplit("xxh3:").next().unwrap().split('"').next().unwrap();
    for (test, draws) in [("--paired-bs", "bs"), ("--paired-ar", "ar")] {
        let command = format!("score one two -r ref --metrics ensemble {test} --rounds 99 --json");
        let found: Value = serde_json::from_str(&output(&bench, &command)).unwrap();
        let signature = found["metrics"][0]["signature"].as_str().unwrap();
        let expected = format!("ensemble|nrefs:1|{draws}:99|seed:12345|model:{checksum}|wordnet:3.0");
        assert_eq!(signature, expected);
        let score = &found["systems"][1]["scores"][0];
        assert!(score["p_value"].as_f64().unwrap() < 0.5);
        assert_eq!(score["half_width"].is_null(), test == "--paired-ar");
    }
}

#[test]
fn a_trained_model_scores_its_own_training_data_around_50() {
    let bench = Bench::of(12);
    output(&bench, "train dev.pairs --answers dev.answers -m mine.json --folds 2 --quiet");
    let (mut hypotheses, mut references) = (String::new(), String::new());
    for line in bench.read("dev.pairs").lines() {
        let fields: Vec<&str> = line.split(" ||| ").collect();
        hypotheses += &format!("{}\n{}\n", fields[0], fields[1]);
        references += &format!("{0}\n{0}\n", fields[2]);
    }
    bench.write("all", hypotheses);
    bench.write("references", references);
    let scores = numbers(&output(&bench, "score all all -r references --metrics length -m mine.json --segments"));
    let scores: Vec<f64> = scores.into_iter().map(|row| row[1]).collect();
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    assert!((40.0..60.0).contains(&mean), "{mean}");
    let below = scores.iter().filter(|&&score| score < 25.0).count() as f64 / scores.len() as f64;
    assert!((0.1..0.4).contains(&below), "{below}");
}

#[test]
fn what_is_no_model_or_not_for_this_wordnet_is_refused() {
    let bench = bench();
    refused(&bench, "score one -r ref -m ref", &["ref:1: expected a complete model file"]);
    refused(&bench, "score one -r ref --metrics ensembles", &["'ensembles'", ", sum.bleu, ensemble"]);
}

#[test]
fn metrics_are_listed_without_any_text() {
    let bench = bench();
    let list = output(&bench, "score --list-metrics");
    assert_eq!(list.lines().count(), REGISTRY.len());
    for (line, entry) in list.lines().zip(REGISTRY) {
        assert!(line.starts_with(&format!("{} ", entry.name)) && line.contains(entry.summary), "{line}");
    }
    let found: Value = serde_json::from_str(&output(&bench, "score --list-metrics --json")).unwrap();
    let line = |name: &str| found.as_array().unwrap().iter().find(|line| line["name"] == name).unwrap().clone();
    let (bleu, ter) = (line("bleu"), line("ter"));
    assert_eq!((&bleu["low"], &bleu["high"], &bleu["direction"]), (&0.0.into(), &100.0.into(), &"higher".into()));
    assert_eq!(
        (&ter["high"], &ter["direction"], &ter["equals"]),
        (&Value::Null, &"lower".into(), &"sacreBLEU 2.6.0".into())
    );
    assert_eq!(bench.run("score").status, 2);
}

#[test]
fn an_option_that_changes_nothing_is_refused() {
    let bench = bench();
    refused(
        &bench,
        "score one -r ref --metrics bleu,chrf --nist-order 3",
        &["--nist-order", "(nist)", "found bleu, chrf"],
    );
    refused(
        &bench,
        "score one -r ref --metrics ensemble --lowercase",
        &["--lowercase", "(bleu, chrf, chrf++)", "found none"],
    );
    output(&bench, "score one -r ref --metrics nist,bleu --nist-order 3");
}

#[test]
fn metrics_are_named_in_any_case() {
    let bench = bench();
    let table = output(&bench, "score one -r ref --metrics BLEU,rougel,Ensemble");
    assert!(table.starts_with("system\tbleu\trougeL\tensemble\n"), "{table}");
    refused(&bench, "score one -r ref --metrics rouge-L", &["'rouge-L'; did you mean 'rougeL'? known are bleu, "]);
}

#[test]
fn every_option_of_a_metric_is_in_help() {
    let help = output(&bench(), "score --help");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (spec, names) in options() {
        let described = format!("{}: {}", names.join(", "), spec.help);
        let described = described.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(&format!("--{}", spec.name)) && help.contains(&described), "{described}");
    }
    assert!(help.contains("--smooth <METHOD> bleu: exp, floor, add-k or none [default: exp]"), "{help}");
}

#[test]
fn wrong_values_of_options_are_command_line_errors() {
    let bench = bench();
    let wrong =
        ["--bleu-order 0", "--bleu-order x", "--tokenize spm", "--smooth much", "--chrf-beta x", "--meteor-task x"];
    for option in wrong {
        let found = bench.run(&format!("score one -r ref --metrics bleu,chrf,meteor {option}"));
        assert_eq!(found.status, 2, "{option}: {}", found.stderr);
    }
    refused(&bench, "score one -r ref --metrics meteor --paraphrase-cache x", &["--paraphrases with it"]);
    refused(&bench, "score one -r ref --metrics chrf --chrf-char-order 99", &["chrf.character_order"]);
}
