//! Weights fitted by another program; here the library's own, in the other program's form.

use std::path::Path;

use ndarray::{Array2, Axis};
use tribunal::files::Input;
use tribunal::formats;
use tribunal::judgments::{Judgment, Pair, Verdict};
use tribunal::learners::logistic::{LossSums, Regression, RegressionFit, RegressionRows, Weights};
use tribunal::learning::Validation;
use tribunal::model::Model;
use tribunal::workflows::{self, AllPairs, Context, Engine, PairJudge, Refit, Source, TrainSettings};

struct Sample {
    engine: Engine,
    judgments: Vec<Judgment>,
    model: Model,
}

impl Sample {
    fn new(has_ties: bool) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let [pairs, answers] =
            ["pairs", "answers"].map(|end| Input::File(root.join(format!("data/sample/sample.{end}"))));
        let mut judgments = formats::read(&pairs, None, Some(&answers)).unwrap();
        judgments.retain(|judgment| has_ties || judgment.label != Verdict::Tie);
        let engine = Engine::new();
        let settings = TrainSettings { validation: Validation::default().folds(2), ..TrainSettings::default() };
        let source = Source { name: "sample".into(), judgments: judgments.clone(), weight: 1.0 };
        let model = workflows::train(Context::new(&engine), &[source], &settings).unwrap().model;
        Self { engine, judgments, model }
    }

    fn refit(&self) -> Refit {
        Refit::new(&self.engine, self.model.clone(), "sample.json").unwrap()
    }

    fn all(&self) -> AllPairs {
        let count = |verdict| self.judgments.iter().filter(|judgment| judgment.label == verdict).count();
        AllPairs {
            name: "everything".into(),
            labels: Verdict::ALL.map(count),
            groups: self.model.training.groups,
            references: Some(vec!["00000002".into(), "00000001".into(), "00000002".into()]),
        }
    }

    /// The columns of the design that vary, which are those of the regression.
    fn varying(&self, refit: &Refit, regression: &Regression) -> Vec<usize> {
        let design = refit.design(&self.judgments).unwrap();
        let all = 0..design.rows.ncols();
        let of_x = if regression.classes() == 3 { design.rows.ncols() } else { design.hypothesis_columns };
        all.filter(|&column| column < of_x && design.rows.column(column).iter().any(|&value| value != 0.0)).collect()
    }

    /// The model's own weights as the coefficients of the regression.
    fn told(&self, refit: &Refit, regression: &Regression) -> RegressionFit {
        let Weights { hypothesis: w, decided: u, tie: v, decided_intercept, tie_intercept } = &self.model.judge.weights;
        let coefficient = |class: usize, column: usize| match column.checked_sub(w.len()) {
            None => [w[column], 0.0, -w[column]][class],
            Some(of_t) => [u[of_t], v[of_t], u[of_t]][class],
        };
        let varying = self.varying(refit, regression);
        assert_eq!(varying.len(), regression.columns());
        let (rows, times) = if regression.classes() == 3 { (3, 1.0) } else { (1, 2.0) };
        let value = |(class, at): (usize, usize)| times * coefficient(class, varying[at]);
        RegressionFit {
            coefficients: Array2::from_shape_fn((rows, varying.len()), value),
            intercepts: if rows == 3 { vec![*decided_intercept, *tie_intercept, *decided_intercept] } else { vec![] },
        }
    }

    /// The sums over three parts of the pairs.
    fn sums(&self, refit: &Refit, at: &Weights) -> LossSums {
        let part = |judgments: &[Judgment]| LossSums::new(at, &refit.design(judgments).unwrap());
        let (one, rest) = self.judgments.split_at(100);
        let (two, three) = rest.split_at(301);
        part(one).and(&part(two)).and(&part(three))
    }
}

/// The probabilities of the classes of a row.
fn probabilities(fit: &RegressionFit, rows: &RegressionRows, row: usize) -> Vec<f64> {
    let logits = fit.coefficients.dot(&rows.rows.index_axis(Axis(0), row)).to_vec();
    if let [logit] = logits[..] {
        let second = 1.0 / (1.0 + logit.exp());
        return vec![1.0 - second, 0.0, second];
    }
    let parts: Vec<f64> = logits.iter().zip(&fit.intercepts).map(|(logit, at)| (logit + at).exp()).collect();
    parts.iter().map(|part| part / parts.iter().sum::<f64>()).collect()
}

#[test]
fn weights_that_were_found_here_come_back_as_they_were() {
    for has_ties in [true, false] {
        let sample = Sample::new(has_ties);
        let refit = sample.refit();
        let regression = refit.regression(has_ties);
        let found = regression.weights(&sample.told(&refit, &regression)).unwrap();
        assert_eq!(found, sample.model.judge.weights);
        let sums = sample.sums(&refit, &found);
        let (before, after) = (sample.model.judge.gradient, regression.gradient(&found, &sums));
        assert!((before - after).abs() < 1e-9, "{before} and {after}");

        let model = refit.model(found, &sums, sample.all(), &sample.judgments).unwrap();
        assert_eq!(
            (model.judge.weights.clone(), model.score),
            (sample.model.judge.weights.clone(), sample.model.score)
        );
        assert_eq!(model.training.sample, Some(sample.judgments.len()));
        assert_eq!(model.training.references, ["00000001", "00000002"]);
        assert_eq!(
            (model.training.data.as_str(), &model.training.labels),
            ("everything", &sample.model.training.labels)
        );
        let pairs: Vec<Pair> = sample.judgments.iter().map(|judgment| judgment.pair.clone()).collect();
        let judge = |model: &Model| PairJudge::new(&sample.engine, model.clone(), "model").unwrap().judge(&pairs);
        assert_eq!(judge(&model), judge(&sample.model));

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        model.write(tribunal::files::Output::create(Some(&path)).unwrap()).unwrap();
        assert_eq!(Model::read(&Input::File(path)).unwrap(), model);
    }
}

#[test]
fn rows_times_coefficients_give_the_probabilities_of_the_model() {
    for has_ties in [true, false] {
        let sample = Sample::new(has_ties);
        let refit = sample.refit();
        let regression = refit.regression(has_ties);
        let fit = sample.told(&refit, &regression);
        let rows = regression.rows(&refit.design(&sample.judgments).unwrap());
        let count = sample.judgments.len();
        assert_eq!((rows.rows.nrows(), rows.classes.len(), rows.weights.len()), (2 * count, 2 * count, 2 * count));
        let pairs: Vec<Pair> = sample.judgments.iter().map(|judgment| judgment.pair.clone()).collect();
        let judged = PairJudge::new(&sample.engine, sample.model.clone(), "model").unwrap().judge(&pairs);
        let class = |label: Verdict| if has_ties { label.index() } else { usize::from(label == Verdict::First) };
        for (pair, judged) in judged.iter().enumerate() {
            let label = sample.judgments[pair].label;
            assert_eq!([rows.classes[pair], rows.classes[count + pair]], [class(label), class(label.swapped())]);
            let mut mirrored = judged.probabilities.0;
            mirrored.reverse();
            for (row, expected) in [(pair, judged.probabilities.0), (count + pair, mirrored)] {
                let found = probabilities(&fit, &rows, row);
                let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(apart < 1e-12, "{found:?} is not {expected:?}");
            }
        }
    }
}

#[test]
fn what_does_not_belong_to_the_model_is_refused() {
    let sample = Sample::new(true);
    let refit = sample.refit();
    let own = sample.model.judge.weights.clone();
    let sums = sample.sums(&refit, &own);
    let fails = |result: tribunal::Result<Model>, expected: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    };
    let zero = Weights::zero(own.hypothesis.len(), own.tie.len());
    let of_zero = sample.sums(&refit, &zero);
    fails(refit.model(zero, &of_zero, sample.all(), &sample.judgments), "training: expected a gradient below 1e-4");

    let model = |all: AllPairs, judgments: &[Judgment]| refit.model(own.clone(), &sums, all, judgments);
    let few = AllPairs { labels: [3, 3, 3], ..sample.all() };
    fails(model(few, &sample.judgments), "all pairs: expected 771 pairs of the sample or more, found 9");
    let many = AllPairs { references: Some(vec!["00000001".into(); 3_000_001]), ..sample.all() };
    fails(model(many, &sample.judgments), "all pairs: expected at most 3000000 references, found 3000001");
    let mut none = sample.judgments.clone();
    none[4].pair.references.clear();
    fails(model(sample.all(), &none), "pairs:5: expected a reference, found none");
    assert!(refit.design(&none).is_err());

    let design = refit.design(&sample.judgments[..2]).unwrap();
    let again = |rows: Array2<f64>| refit.design_from_rows(rows, design.labels.clone(), design.weights.clone());
    assert_eq!(again(design.rows.clone()).unwrap().bounds, design.bounds);
    let narrow = again(design.rows.slice(ndarray::s![.., 1..]).to_owned()).unwrap_err().to_string();
    assert!(narrow.starts_with("scaled rows: expected 93 columns, found 92"), "{narrow}");
}

#[test]
fn without_references_of_all_pairs_those_of_the_sample_are_known() {
    let sample = Sample::new(true);
    let refit = sample.refit();
    let own = sample.model.judge.weights.clone();
    let sums = sample.sums(&refit, &own);
    let all = AllPairs { references: None, labels: [500, 200, 500], ..sample.all() };
    let model = refit.model(own, &sums, all, &sample.judgments[..300]).unwrap();
    assert_eq!(model.training.references, sample.model.training.references);
    assert_eq!((model.training.pairs, model.training.sample), (1200, Some(300)));
    // The scale of scores is measured on the given pairs.
    assert_ne!(model.score, sample.model.score);
}
