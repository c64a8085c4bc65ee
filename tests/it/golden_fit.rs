//! The fit of the sample reaches the loss that scikit-learn reaches on the same rows.

use std::path::Path;

use serde::Deserialize;
use tribunal::features::{Choice, Extractor};
use tribunal::files::Input;
use tribunal::formats;
use tribunal::judgments::Verdict;
use tribunal::judgments::grouping;
use tribunal::learners::LogisticRegression;
use tribunal::learners::logistic::{LinearModel, LogisticSettings};
use tribunal::learning::{Labelled, Learner, Predictor};
use tribunal::wordnet::WordNet;

/// The output of `benches/peers/fit.py --golden`.
#[derive(Deserialize)]
struct Golden {
    rows: usize,
    columns: usize,
    penalty: f64,
    loss: f64,
    command: String,
}

#[test]
fn the_loss_is_that_of_scikit_learn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden: Golden = serde_json::from_str(include_str!("../golden/fit.json")).unwrap();
    let [pairs, answers] = ["pairs", "answers"].map(|end| Input::File(root.join(format!("data/sample/sample.{end}"))));
    let judgments = formats::read(&pairs, None, Some(&answers)).unwrap().judgments;
    let wordnet = WordNet::embedded();
    let schema = Choice::default().select(Extractor::all(wordnet).unwrap().schema()).unwrap();
    let extractor = Extractor::for_schema(wordnet, &schema, "features").unwrap();
    let table = extractor.extract(judgments.iter().map(|judgment| &judgment.pair), &|_, _| ());
    let labels: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
    let columns = schema.columns.len();
    assert_eq!((2 * labels.len(), columns), (golden.rows, golden.columns), "run {}", golden.command);

    let groups = grouping::groups(judgments.iter().map(|judgment| &judgment.pair));
    let data = Labelled { table: &table, labels: &labels, groups: &groups, weights: &[] };
    let learner = LogisticRegression::new(LogisticSettings { monotone: false, ..LogisticSettings::default() }).unwrap();
    let rows: Vec<usize> = (0..labels.len()).collect();
    let judge = learner.fit(data, &rows, golden.penalty, None).unwrap();
    let log_loss = |&row: &usize| judge.probabilities(&table, row).log_loss(labels[row]);
    let mean = rows.iter().map(log_loss).sum::<f64>() / rows.len() as f64;
    let found = mean + 0.5 * golden.penalty * squared_norm(&judge);
    assert!((found - golden.loss).abs() < 1e-6, "{found} is not {}", golden.loss);
}

/// |W|^2 over the weights of the three classes; w and u occur in two of them.
fn squared_norm(judge: &LinearModel) -> f64 {
    let squares = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
    let weights = &judge.weights;
    2.0 * squares(&weights.hypothesis) + 2.0 * squares(&weights.decided) + squares(&weights.tie)
}
