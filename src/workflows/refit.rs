//! In: a model that learned from a sample, and weights that another program fitted on all pairs. Out: a model. Next:
//! the caller.
//!
//! Training holds all pairs in the memory of one machine. If there are too many, a sample of whole references
//! ([`draw`](crate::judgments::grouping::draw)) is enough to choose the penalty and the tie rule, to measure scales and
//! to report accuracy. A distributed program then fits the weights on all pairs: it gets the scaled rows of each
//! partition ([`Refit::design`]), and its weights become an ordinary model ([`Refit::model`]).

use ndarray::Array2;

use super::context::Engine;
use super::judge::PairJudge;
use crate::error::{Error, Result};
use crate::features::Table;
use crate::judgments::grouping::Groups;
use crate::judgments::{Judgment, Verdict};
use crate::learners::logistic::bounds::{self, Bound};
use crate::learners::logistic::design::Design;
use crate::learners::logistic::{CheckedLogistic, LinearJudge, LossSums, Regression, Weights};
use crate::learning::{Labelled, ScoreScale};
use crate::model::references::MOST_REFERENCES;
use crate::model::{Model, Training};

/// A model whose weights another program refits.
///
/// ```
/// use tribunal::model::builtin;
/// use tribunal::workflows::{Engine, Refit};
///
/// let refit = Refit::new(&Engine::new(), builtin::model()?, builtin::NAME)?;
/// let regression = refit.regression(true);
/// assert_eq!((regression.classes(), regression.penalty()), (3, 0.003));
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Debug)]
pub struct Refit {
    judge: PairJudge,
    bounds: Vec<Bound>,
    settings: CheckedLogistic,
}

/// A description of all pairs, for the model file.
#[derive(Debug, Clone, PartialEq)]
pub struct AllPairs {
    /// The name of the data in reports.
    pub name: String,
    /// The numbers of labels 1, 0 and -1.
    pub labels: [usize; 3],
    /// The number of distinct references.
    pub groups: usize,
    /// The [fingerprints](crate::model::reference_fingerprint) of their references; `None` if they are more than a
    /// model file holds, in which case the model keeps those of the sample.
    pub references: Option<Vec<String>>,
}

impl Refit {
    /// Prepares a model that learned from the sample; errors refer to it as `place`.
    ///
    /// # Errors
    /// As for [`PairJudge::new`]; the settings of its fit are out of bounds.
    pub fn new(engine: &Engine, model: Model, place: &str) -> Result<Self> {
        let bounds = bounds::of_columns(&model.schema.monotonicity(), model.schema.own.len());
        let settings = model.training.fit.clone().check()?;
        let bounds = if settings.is_monotone() { bounds } else { vec![Bound::Free; bounds.len()] };
        Ok(Self { judge: PairJudge::new(engine, model, place)?, bounds, settings })
    }

    /// The model that learned from the sample.
    pub fn sampled(&self) -> &Model {
        self.judge.model()
    }

    /// The scaled features of some pairs, with their weights.
    ///
    /// # Errors
    /// A pair has no reference, or no value of an own metric of the model.
    pub fn design(&self, judgments: &[Judgment]) -> Result<Design> {
        self.with_table(judgments, |data| {
            let rows: Vec<usize> = (0..data.len()).collect();
            let design = Design::new(data, &rows, &self.sampled().judge.scales);
            // Weights are not normalised, as partitions do not know each other.
            let weights = rows.iter().map(|&row| data.weight(row)).collect();
            Design { bounds: self.bounds.clone(), weights, ..design }
        })
    }

    /// The design of rows that were computed earlier by [`Self::design`].
    ///
    /// # Errors
    /// The numbers of rows, labels and weights differ; the number of columns is wrong; a number is not finite.
    pub fn design_from_rows(&self, rows: Array2<f64>, labels: Vec<Verdict>, weights: Vec<f64>) -> Result<Design> {
        let Weights { hypothesis, tie, .. } = &self.sampled().judge.weights;
        let expected = hypothesis.len() + tie.len();
        if rows.ncols() != expected {
            let advice = "give the rows as they were computed for this model";
            return Err(Error::invalid("scaled rows", format!("{expected} columns"), rows.ncols().to_string(), advice));
        }
        Design::from_rows(rows, self.bounds.clone(), labels, weights)
    }

    /// The regression to fit; `has_ties` says whether any of all labels is a tie.
    pub fn regression(&self, has_ties: bool) -> Regression {
        let model = self.sampled();
        Regression::new(&model.judge.scales, self.bounds.clone(), model.training.penalty, has_ties)
    }

    /// The model with weights fitted on all pairs; `sums` are the loss sums over all pairs at these weights.
    ///
    /// Penalty, scales, tie factor and reported accuracy are those of the sample; the scale of scores is measured on
    /// the sample with the new weights.
    ///
    /// # Errors
    /// The weights are further from the optimum than the tolerance of the fit allows; there are fewer pairs than in the
    /// sample, or more references than a model file holds; [`Self::design`] would reject the sample.
    pub fn model(&self, weights: Weights, sums: &LossSums, all: AllPairs, sample: &[Judgment]) -> Result<Model> {
        let pairs: usize = all.labels.iter().sum();
        check_counts(&all, pairs, sample.len())?;
        let regression = self.regression(all.labels[Verdict::Tie.index()] > 0);
        let gradient = regression.check(&weights, sums, &self.settings)?;
        let sampled = self.sampled();
        let judge = LinearJudge { scales: sampled.judge.scales.clone(), weights, gradient };
        let rows: Vec<usize> = (0..sample.len()).collect();
        let score = self.with_table(sample, |data| ScoreScale::measure(&judge, data, &rows))?;
        let known = all.references.unwrap_or_else(|| sampled.training.references.clone());
        let labels = Verdict::ALL.iter().map(|verdict| (verdict.to_string(), all.labels[verdict.index()]));
        let training = Training {
            data: all.name,
            pairs,
            sample: Some(sample.len()),
            groups: all.groups,
            labels: labels.collect(),
            references: sorted(known),
            ..sampled.training.clone()
        };
        let model = Model { training, judge, score, ..sampled.clone() };
        model.check("the refitted model")?;
        Ok(model)
    }

    /// Checks pairs, and computes their features for `of`.
    fn with_table<T>(&self, judgments: &[Judgment], of: impl FnOnce(Labelled<'_, Table>) -> T) -> Result<T> {
        let pairs = || judgments.iter().map(|judgment| &judgment.pair);
        self.sampled().schema.check(pairs(), "pairs")?;
        let table = self.judge.extractor.extract(pairs(), &|_, _| ());
        let labels: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
        let weights: Vec<f64> = pairs().map(|pair| pair.weight.unwrap_or(1.0)).collect();
        let groups = Groups::of(pairs());
        Ok(of(Labelled { table: &table, labels: &labels, groups: &groups, weights: &weights }))
    }
}

fn check_counts(all: &AllPairs, pairs: usize, sample: usize) -> Result<()> {
    let refused = |expected: String, found: usize| {
        Err(Error::invalid("all pairs", expected, found.to_string(), "count all pairs, those of the sample too"))
    };
    if pairs < sample {
        return refused(format!("{sample} pairs of the sample or more"), pairs);
    }
    match all.references.as_ref().map(Vec::len) {
        Some(count) if count > MOST_REFERENCES => {
            let advice = "omit them: the model then knows those of the sample";
            let expected = format!("at most {MOST_REFERENCES} references");
            Err(Error::invalid("all pairs", expected, count.to_string(), advice))
        }
        _ => Ok(()),
    }
}

fn sorted(mut references: Vec<String>) -> Vec<String> {
    references.sort();
    references.dedup();
    references
}
