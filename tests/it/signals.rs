//! Every kind of signal is one column: the same in `train`, its model file, `features` and `explain`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::Bench;

/// A table with all kinds of signals: texts, an own metric of which lower is better, judges with words in both orders and
/// with probabilities.
fn table(bench: &Bench) {
    let mut table = "hyp1\thyp2\tref\tlabel\tmx.1\tmx.2\tgpt.12\tgpt.21\tsoft\n".to_owned();
    for (at, (pair, label)) in bench.read("dev.pairs").lines().zip(bench.read("dev.answers").lines()).enumerate() {
        let texts: Vec<&str> = pair.split(" ||| ").take(3).collect();
        let (first, second) = (5.0 + (at % 7) as f64, 3.0 + (at % 5) as f64);
        let words = [["A", "A"], ["B", "tie"], ["", "B"]][at % 3];
        let soft = 0.05 + 0.9 * ((at * 7) % 11) as f64 / 10.0;
        table += &format!("{}\t{label}\t{first}\t{second}\t{}\t{soft}\n", texts.join("\t"), words.join("\t"));
    }
    bench.write("all.tsv", table);
}

const SIGNALS: &str = "--own mx- --judge gpt,soft";

/// The values of a column of the feature table; NaN for an empty cell.
type Columns = BTreeMap<String, Vec<f64>>;

fn features(bench: &Bench) -> Columns {
    let text = bench.output(&format!("features all.tsv {SIGNALS}"));
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names: Vec<&str> = rows.next().unwrap();
    let mut columns = Columns::new();
    for row in rows {
        for (name, cell) in names.iter().zip(row) {
            columns.entry((*name).to_owned()).or_default().push(cell.parse().unwrap_or(f64::NAN));
        }
    }
    columns
}

fn root_mean_square(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
    (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
}

#[test]
fn features_writes_the_columns_that_train_learns_from() {
    let bench = Bench::of(30);
    table(&bench);
    bench.output(&format!("train all.tsv {SIGNALS} --without none --folds 2 -m m.json -q"));
    let model: Value = serde_json::from_str(&bench.read("m.json")).unwrap();
    let mut written = features(&bench);
    for known in ["line", "id", "group", "label"] {
        written.remove(known).unwrap();
    }
    for column in model["columns"].as_array().unwrap() {
        let name = column["name"].as_str().unwrap();
        let mut take = |name: String| written.remove(&name).unwrap_or_else(|| panic!("no column {name}"));
        let scale = &column["scale"];
        match column["source"].as_str().unwrap() {
            "similarity" => {
                let values = take(name.to_owned());
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                assert!((scale["similarity"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{name}");
            }
            // The scale of the model is that of the values that are written.
            "judge" => {
                let scaled = root_mean_square(take(format!("judge.{name}")).into_iter());
                assert!((scale["difference"].as_f64().unwrap() - scaled).abs() < 1e-9, "{name}");
            }
            source => {
                let [first, second] = ["h1", "h2"].map(|side| take(format!("{side}.{name}")));
                let scaled = root_mean_square(first.iter().zip(&second).map(|(first, second)| first - second));
                let found = scale["difference"].as_f64().unwrap();
                assert!(
                    found == 0.0 || (found - scaled).abs() < 1e-9 * scaled.max(1.0),
                    "{source} {name}: {found} {scaled}"
                );
            }
        }
    }
    assert_eq!(written.keys().collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn explain_shows_every_signal_that_a_model_learned_from() {
    let bench = Bench::of(30);
    table(&bench);
    bench.output(&format!("train all.tsv {SIGNALS} --folds 2 -m m.json -q"));
    let model: Value = serde_json::from_str(&bench.read("m.json")).unwrap();
    let explanation = bench.json("explain all.tsv --line 3 -m m.json");
    let families = explanation["families"].as_array().unwrap();
    let shown: Vec<&str> = families
        .iter()
        .flat_map(|family| family["features"].as_array().unwrap())
        .map(|feature| feature["name"].as_str().unwrap())
        .collect();
    let compared = model["columns"].as_array().unwrap().iter().filter(|column| column["source"] != "similarity");
    for column in compared {
        assert!(shown.contains(&column["name"].as_str().unwrap()), "{}", column["name"]);
    }
    for (signal, source) in [("mx", "external"), ("gpt", "judge"), ("soft", "judge")] {
        let column = model["columns"].as_array().unwrap().iter().find(|column| column["name"] == signal).unwrap();
        assert_eq!(column["source"], source);
        assert!(families.iter().any(|family| family["name"] == signal), "{signal}");
    }
}

/// Twelve pairs with ids, nested verdicts and columns for the same verdicts as they are plainly.
fn nested(bench: &Bench) {
    let pair = |at: usize| {
        let [label, winner, both] =
            [[1, -1, 0][at % 3], (at % 2) as i32, (at % 3 % 2) as i32].map(|number| number.to_string());
        let word = |winner: &str| if winner == "0" { "model_a" } else { "model_b" };
        format!(
            "{{\"id\":\"p{at}\",\"prompt\":\"q{at}\",\"out\":[{{\"text\":\"yes {at}\"}},{{\"text\":\"no {at} x\"}}],\"label\":{label},\
             \"judges\":{{\"by/gpt\":{{\"winner\":\"{0}\",\"both\":[\"{0}\",\"{1}\"]}}}},\"gpt\":\"{0}\",\"both.12\":\"{0}\",\"both.21\":\"{1}\"}}\n",
            word(&winner),
            word(&both)
        )
    };
    bench.write("nested.jsonl", (0..12).map(pair).collect::<String>());
}

#[test]
fn values_are_found_by_keys_within_objects_and_lists_and_in_tables_of_their_own() {
    let bench = Bench::of(1);
    nested(&bench);
    let winner = |at: usize| ["model_a", "model_b"][at % 2];
    let rows = |header: &str, row: &dyn Fn(usize) -> String| {
        (0..12).rev().fold(header.to_owned(), |table, at| table + &row(at) + "\n")
    };
    bench.write("ids.csv", rows("id,gpt\n", &|at| format!("p{at},{}", winner(at))));
    bench.write("index.tsv", rows("index\tverdict\n", &|at| format!("{at}\t{}", winner(at))));
    // The texts are exchanged.
    let exchanged = |at: usize| format!("q{at},no {at} x,yes {at},{}", winner(at + 1));
    bench.write("texts.csv", rows("prompt,hyp1,hyp2,winner\n", &exchanged));
    bench.write("prompts.jsonl", rows("", &|at| format!("{{\"prompt\":\"q{at}\",\"verdict\":\"{}\"}}", winner(at))));
    let columns = "nested.jsonl --column hyp1=out.0.text,hyp2=out.1.text";
    let features = |judge: &str| bench.output(&format!("features {columns} -q --judge {judge}"));
    let expected = features("gpt");
    assert!(expected.contains("judge.gpt") && expected.lines().any(|row| row.ends_with("-1.0") || row.ends_with("-1")));
    for source in ["judges.by/gpt.winner", "ids.csv", "index.tsv", "texts.csv", "prompts.jsonl"] {
        assert_eq!(features(&format!("gpt={source}")), expected, "{source}");
    }
    assert_eq!(features("both=judges.by/gpt.both"), features("both"));
    // Of a metric every pair has values; the exchanged side is told from the texts.
    bench.write("own.csv", rows("hyp1,hyp2,mx.1,mx.2\n", &|at| format!("no {at} x,yes {at},1,{at}")));
    let values = bench.output(&format!("features {columns} --own mx=own.csv"));
    let mut lines = values.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let [first, second] = ["h1.mx", "h2.mx"].map(|name| names.iter().position(|known| *known == name).unwrap());
    for (at, row) in lines.enumerate() {
        assert_eq!([first, second].map(|column| row[column].parse::<f64>().unwrap()), [at as f64, 1.0]);
    }
}

#[test]
fn joins_say_what_was_matched() {
    let bench = Bench::of(1);
    nested(&bench);
    let command = "compare nested.jsonl --column hyp1=out.0.text,hyp2=out.1.text";
    bench.write("some.csv", "id,gpt\np3,1\np1,-1\nlost,1\n");
    let said = bench.run(&format!("{command} --judge gpt=some.csv")).stderr;
    assert!(said.contains("gpt: 2 of 12 pairs matched by id with some.csv; 1 row of it matches none"), "{said}");
    bench.write("none.csv", "id,gpt\nlost,1\n");
    bench.refuses(&format!("{command} --judge gpt=none.csv"), &["none.csv: expected rows for the pairs", "their id"]);
    bench.write("twice.csv", "id,gpt\np1,1\np1,-1\n");
    bench
        .refuses(&format!("{command} --judge gpt=twice.csv"), &["twice.csv:3: expected one row for each id", "line 2"]);
    bench.write("few.csv", "id,mx.1,mx.2\np0,1,2\n");
    bench.refuses(&format!("{command} --own mx=few.csv"), &["few.csv: expected the id of each pair", "line 2"]);
    bench.write("wide.csv", "system1,gpt\n,1\n");
    bench.refuses(&format!("{command} --judge gpt=wide.csv"), &["wide.csv:2: expected another system1 for each pair"]);
    bench.write("odd.csv", "index,gpt\nfirst,1\n");
    bench.refuses(&format!("{command} --judge gpt=odd.csv"), &["odd.csv:2: expected the number of a pair, from 0"]);
    bench.refuses(&format!("{command} --judge gpt=out.5.winner -q"), &["verdicts of the judge 'gpt', found none"]);
}
