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
