//! `tribunal score` as its users run it.

use crate::common::{Bench, Run};
use serde_json::Value;
use tribunal::metrics::{REGISTRY, options};

const REFERENCES: &str =
    "The committee approved the budget on Monday.\nA cat was sitting on the mat.\nShe sold her car.\n";

/// Two systems, with one reference for every segment and a second one for some.
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

/// Safeguard 8.
#[test]
fn an_empty_line_is_no_second_reference() {
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
        assert!(found["systems"][1]["scores"][0]["p_value"].as_f64().unwrap() < 1.0);
        assert_eq!(
            json,
            output(&bench, &format!("score one two -r ref --metrics bleu {option} --rounds 99 --json --threads 1"))
        );
    }
}

#[test]
fn what_cannot_be_scored_is_refused() {
    let bench = bench();
    bench.write("long", format!("{REFERENCES}And a fourth.\n"));
    for (arguments, parts) in [
        ("one -r ref --paired-bs", &["two or more systems", "found one"][..]),
        ("one -r ref --rounds 9", &["--rounds", "--confidence, --clusters or a paired test"]),
        ("one -r ref --smooth-value 2", &["--smooth-value", "--smooth exp"]),
        ("- -r -", &["expected standard input at most once"]),
        ("one -r more ref long", &["long:4: expected 3 segments, as in one, found 4"]),
        ("one -r ref --metrics blue", &["'blue'", "'tribunal score --list-metrics' lists all names"]),
        (
            "one -r ref --metrics rouge-L",
            &["'rouge-L'; did you mean 'rougeL'? 'tribunal score --list-metrics' lists all names"],
        ),
        ("one -r ref --metrics ensembles", &["'ensembles'; did you mean 'ensemble'? "]),
        ("one -r ref -m ref", &["ref: expected a model file, which is a JSON object"]),
        ("one -r ref -m none.json", &["none.json: no such file"]),
        // To sacreBLEU, `-m` means metrics.
        ("one -r ref -m bleu,TER", &["found the name of a metric; write --metrics bleu,TER"]),
        ("one -r ref --metrics meteor --paraphrases ref", &["ref:1: expected the probability"]),
        // An option of a metric that is not computed.
        ("one -r ref --metrics bleu,chrf --nist-order 3", &["--nist-order", "(nist)", "found bleu, chrf"]),
        ("one -r ref --metrics ensemble --lowercase", &["--lowercase", "(bleu, chrf, chrf++)", "found none"]),
        ("one -r ref --metrics chrf --chrf-char-order 99", &["chrf.character_order"]),
        ("one two -r ref --sort chfr", &["--sort: ", "bleu, chrf, ter", "did you mean 'chrf'?"]),
        // A word after --sort is taken as its metric.
        ("one -r ref --metrics bleu --sort two", &["found 'two'", "write --sort after the systems"]),
    ] {
        bench.refuses(&format!("score {arguments}"), parts);
    }
    output(&bench, "score one -r ref --metrics nist,bleu --nist-order 3");
    let wrong_values =
        ["--bleu-order 0", "--bleu-order x", "--tokenize spm", "--smooth much", "--chrf-beta x", "--meteor-task x"];
    let wrong_values = wrong_values.map(|option| format!("one -r ref --metrics bleu,chrf,meteor {option}"));
    let wrong_options = ["", "one -r ref --segments --sort"].map(str::to_owned);
    for arguments in wrong_values.iter().chain(&wrong_options) {
        let found = bench.run(&format!("score {arguments}"));
        assert_eq!(found.status, 2, "{arguments}: {}", found.stderr);
    }
}

#[test]
fn paraphrases_match() {
    let bench = bench();
    bench.write("table", "0.5\nwas sitting\nsat\n0.4\nsold\ngave away\n");
    let with_table = output(&bench, "score one -r ref --metrics meteor --paraphrases table --json");
    let of = |json: &str| serde_json::from_str::<Value>(json).unwrap()["systems"][0]["scores"][0]["score"].as_f64();
    assert!(of(&with_table) > of(&output(&bench, "score one -r ref --metrics meteor --json")));
    assert!(with_table.contains("|paraphrases:"));
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
    // Those that are named by default: `DEFAULT_METRICS`.
    let table = output(&bench, "score one -r ref -m mine.json");
    assert_eq!(table.lines().next(), Some("system\tbleu\tchrf\tter\trougeL\tmeteor\tmine"));
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
    let run = bench.run("score all all -r references --metrics length -m mine.json --segments").done();
    let scores = numbers(&run.stdout);
    let scores: Vec<f64> = scores.into_iter().map(|row| row[1]).collect();
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    assert!((40.0..60.0).contains(&mean), "{mean}");
    let below = scores.iter().filter(|&&score| score < 25.0).count() as f64 / scores.len() as f64;
    assert!((0.1..0.4).contains(&below), "{below}");
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
}

#[test]
fn metrics_are_named_in_any_case() {
    let bench = bench();
    let table = output(&bench, "score one -r ref --metrics BLEU,rougel,Ensemble");
    assert!(table.starts_with("system\tbleu\trougeL\tensemble\n"), "{table}");
}

#[test]
fn every_option_of_a_metric_is_in_help() {
    let help = output(&bench(), "score --help");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (spec, names) in options() {
        let described = spec.help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(&format!("--{}", spec.name)) && help.contains(&described), "{described}");
        assert!([names[0], names[names.len() - 1]].iter().all(|name| help.contains(name)), "{names:?}");
    }
    assert!(help.contains("--smooth <METHOD> bleu: smoothing: exp, floor, add-k, none [default: exp]"), "{help}");
}

#[test]
fn systems_are_sorted_and_ranked_where_asked_for() {
    let bench = bench();
    bench.write("three", bench.read("one"));
    let first = |table: &str| table.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<_>>();
    let plain = output(&bench, "score two one three -r ref --metrics ter,bleu");
    assert_eq!(first(&plain), ["system", "two", "one", "three"]);
    assert!(plain.starts_with("system\tter\tbleu\n"), "{plain}");
    let sorted = output(&bench, "score two one three -r ref --metrics ter,bleu --sort");
    assert!(sorted.starts_with("system\tter\tter.rank\tbleu\tbleu.rank\none\t"), "{sorted}");
    assert_eq!(first(&sorted), ["system", "one", "three", "two"]);
    let ranks: Vec<f64> = numbers(&sorted).iter().map(|row| row[1]).collect();
    assert_eq!(ranks, [1.0, 1.0, 3.0]);
    assert_eq!(sorted, output(&bench, "score two one three -r ref --metrics ter,bleu --sort=TER"));
}

/// Ten segments that systems get all right, all wrong, or right except for one.
fn told_apart() -> Bench {
    let bench = Bench::of(1);
    let segment = |at: usize| format!("the committee number {at} approved the budget on Monday\n");
    let wrong = |at: usize| format!("that budget group {at} has a Monday\n");
    let text = |is_right: fn(usize) -> bool| {
        (0..10).map(|at| if is_right(at) { segment(at) } else { wrong(at) }).collect::<String>()
    };
    bench.write("ref", text(|_| true));
    bench.write("good", text(|at| at != 3));
    bench.write("also", text(|at| at != 5));
    bench.write("bad", text(|_| false));
    bench
}

#[test]
fn a_cluster_ends_where_a_system_is_significantly_worse() {
    let bench = told_apart();
    for (options, method) in [
        ("--clusters", "paired bootstrap"),
        ("--clusters --paired-bs", "paired bootstrap"),
        ("--clusters --paired-ar", "paired approximate randomisation"),
    ] {
        let command = format!("score bad good also -r ref --metrics chrf,ter {options} --rounds 500 --json");
        let json = output(&bench, &command);
        let found: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(found["test"]["method"], method);
        assert_eq!(found["metrics"][1]["direction"], "lower");
        let systems = found["systems"].as_array().unwrap();
        for (metric, scores) in (0..2).map(|at| (at, systems.iter().map(move |system| &system["scores"][at]))) {
            let clusters: Vec<u64> = scores.clone().map(|score| score["cluster"].as_u64().unwrap()).collect();
            assert_eq!(clusters, [2, 1, 1], "{options}, metric {metric}: {json}");
            assert_eq!(scores.clone().next().unwrap()["rank"], 3);
        }
        assert_eq!(json, output(&bench, &format!("{command} --threads 1")));
        // The order of the systems on the command line only determines the order of rows and the system that p-values
        // refer to.
        let turned: Value =
            serde_json::from_str(&output(&bench, &command.replace("bad good also", "good also bad -q"))).unwrap();
        assert_eq!(turned["systems"][2]["scores"][0]["cluster"], 2);
    }
    let table = output(&bench, "score bad good also -r ref --metrics chrf --clusters --rounds 500");
    assert!(
        table.starts_with("system\tchrf\tchrf.mean\tchrf.half_width\tchrf.p\tchrf.rank\tchrf.cluster\nbad\t"),
        "{table}"
    );
}

#[test]
fn one_system_makes_no_clusters() {
    let bench = bench();
    let found = bench.run("score one -r ref --metrics bleu --clusters");
    assert_eq!((found.status, found.stdout), (0, output(&bench, "score one -r ref --metrics bleu")));
    assert!(found.stderr.contains("clusters need at least two systems"), "{}", found.stderr);
    assert_eq!(bench.run("score one -r ref --metrics bleu --clusters --quiet").stderr, "");
}

#[test]
fn a_file_gets_what_a_pipe_gets_below_its_signatures() {
    let bench = bench();
    let score = "score one two -r ref --metrics bleu,ter --paired-ar --rounds 99";
    let pipe = output(&bench, score);
    assert_eq!(output(&bench, &format!("{score} -o scores.tsv")), "");
    let written = bench.read("scores.tsv");
    let (comments, rows): (Vec<&str>, Vec<&str>) = written.lines().partition(|line| line.starts_with("# "));
    assert_eq!(rows, pipe.lines().collect::<Vec<_>>());
    assert_eq!(comments.len(), 3);
    assert_eq!(comments[0], "# p: paired approximate randomisation against one");
    assert!(comments[1].starts_with("# bleu: BLEU|nrefs:1|ar:99|seed:12345|"), "{comments:?}");
    assert!(written.starts_with(comments[0]));
    output(&bench, &format!("{score} -o scores.json"));
    assert_eq!(bench.read("scores.json"), output(&bench, &format!("{score} --json")));
    assert!(bench.read("scores.json").contains("\"signature\":\"BLEU|nrefs:1|ar:99|"));
}

#[test]
fn an_output_that_is_an_input_or_of_another_kind_is_refused() {
    let bench = bench();
    bench.write("table", "0.5\nwas sitting\nsat\n");
    for name in ["one", "ref", "./two"] {
        bench.refuses(&format!("score one two -r ref -o {name}"), &["an output that is not also an input"]);
        bench.refuses(&format!("score one two -r ref --segments -o {name}"), &["an output that is not also an input"]);
    }
    bench.refuses("score one -r ref --metrics meteor --paraphrases table -o table", &["not also an input"]);
    bench.refuses("score one -r ref -o scores.parquet", &["scores.parquet: expected a file name for scores"]);
    bench.refuses("score one -r ref -o no/where.tsv", &["no"]);
    // A failure midway leaves no output.
    bench.write("long", format!("{REFERENCES}And a fourth.\n"));
    bench.refuses("score one -r long -o scores.tsv", &["long:4"]);
    bench.refuses("score one -r long --segments -o scores.tsv", &["long:4"]);
}

/// What can be read only once is kept in memory.
#[test]
#[cfg(unix)]
fn references_in_a_pipe_give_the_same_segments() {
    let bench = bench();
    for systems in ["one", "one two"] {
        let command =
            |references: &str| format!("score {systems} -r {references} --metrics rougeL,chrf,ter --segments");
        let piped = bench.shell(&format!("bash -c 'tribunal {} -q'", command("<(cat ref) <(cat more)")));
        assert_eq!(piped.done().stdout, output(&bench, &command("ref more")));
    }
}

#[test]
fn segments_are_written_into_files() {
    let bench = bench();
    assert!(output(&bench, "score one two -r ref --metrics rougeL --segments").starts_with("system\trougeL\none\t"));
    output(&bench, "score one -r ref more --metrics rougeL --segments -o segments.csv");
    let written = bench.read("segments.csv");
    let expected = "# rougeL: rougeL|nrefs:var|stem:no|tok:rouge-score|version:0.1.2\nrougeL\n1\n";
    assert!(written.starts_with(expected), "{written}");
    output(&bench, "score one -r ref --metrics rougeL --segments -o segments.jsonl");
    assert_eq!(bench.read("segments.jsonl"), output(&bench, "score one -r ref --metrics rougeL --segments --json"));
}
