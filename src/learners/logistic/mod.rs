//! Multinomial logistic regression. In: the features of pairs. Out: a [`LinearJudge`]. Next: [`crate::model`].
//!
//! Let f(h, r) in R^d be the features of one hypothesis. For a pair, x = f(h1, r) - f(h2, r) changes its sign when the
//! hypotheses are swapped, and t(h1, h2) does not. With classes 1, 0, -1 the logits are
//!
//! ```text
//! z(1) = w.x + u.t + c        z(0) = v.t + b        z(-1) = -w.x + u.t + c
//! ```
//!
//! Swapping the hypotheses thus swaps the verdict and its probabilities exactly, and s(h, r) = w.f(h, r) is a metric of
//! its own. The weights minimise the weighted mean log loss + penalty/2 |W|^2 over pairs and their mirror images;
//! intercepts are not penalised. The weights of scores, precision and recall are at least 0 and those of faults at most
//! 0, see [`bounds`]: what holds for every campaign of judgments need not be learned from each.
//!
//! [`design`] scales features to rows and damps those of long texts, and [`own`] scales the user's own metrics.
//! `descent` compares penalties and comes close to the minimum; `solver` finds it with linfa-logistic (the only module
//! that knows linfa), or with `weighted` where pairs have different weights, which linfa-logistic does not support.
//! [`weights`] is the formula above, [`judge`] applies it, [`Regression`] lets another program find the weights, and
//! [`shares`] measures the influence of families of features.

pub mod bounds;
pub mod clip;
pub mod columns;
mod descent;
pub mod design;
pub mod judge;
pub mod own;
mod regression;
pub mod settings;
pub mod shares;
mod solver;
pub mod variants;
mod weighted;
pub mod weights;

pub use design::Scales;
pub use judge::LinearJudge;
pub use regression::{LossSums, Regression, RegressionFit, RegressionRows};
pub use settings::{CheckedLogistic, LogisticSettings};
pub use shares::FamilyShare;
pub use weights::{Logits, Weights};

use crate::error::Result;
use crate::features::Table;
use crate::learning::{Labelled, Learner};
use design::Design;
use solver::Trainer;
use weights::Fitted;

/// The name of this learner in reports and model files.
pub const NAME: &str = "logistic-regression";

/// The tolerance for comparing penalties, as a multiple of that of a fit.
const ROUGH: f64 = 10.0;

/// The learner.
#[derive(Debug, Clone)]
pub struct LogisticRegression {
    settings: CheckedLogistic,
}

impl LogisticRegression {
    /// A learner with these settings.
    pub fn new(settings: CheckedLogistic) -> Self {
        Self { settings }
    }

    /// The norm of the gradient at which fits are good enough to be compared.
    fn rough(&self) -> f64 {
        ROUGH * self.settings.tolerance()
    }

    /// Measures scales on some rows, and makes a judge of the weights that `find` returns for them.
    fn judge(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        find: impl FnOnce(&Trainer<'_>) -> Result<Fitted>,
    ) -> Result<LinearJudge> {
        let rows = data.counting(rows);
        let scales = Scales::measure(data, &rows);
        let design = self.design(data, &rows, &scales);
        let found = find(&Trainer::new(&design)?)?;
        Ok(LinearJudge { scales, weights: found.weights, gradient: found.gradient })
    }

    fn design(&self, data: Labelled<'_, Table>, rows: &[usize], scales: &Scales) -> Design {
        let design = Design::new(data, rows, scales);
        if self.settings.is_monotone() { design } else { design.unbounded() }
    }
}

impl Learner for LogisticRegression {
    type Table = Table;
    type Judge = LinearJudge;

    fn name(&self) -> &'static str {
        NAME
    }

    fn strengths(&self) -> &[f64] {
        self.settings.penalties()
    }

    fn fit(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        strength: f64,
        start: Option<&LinearJudge>,
    ) -> Result<LinearJudge> {
        let start = start.map(|judge| &judge.weights);
        self.judge(data, rows, |trainer| trainer.fit(strength, &self.settings, start))
    }

    /// Warm starts from strong to weak: each fit begins where the previous one ended. The penalty is relative to the
    /// mean loss.
    fn path(&self, data: Labelled<'_, Table>, rows: &[usize], times: f64) -> Result<Vec<LinearJudge>> {
        let rows = data.counting(rows);
        let scales = Scales::measure(data, &rows);
        let design = self.design(data, &rows, &scales);
        let trainer = Trainer::new(&design)?;
        let mut path: Vec<LinearJudge> = Vec::with_capacity(self.settings.penalties().len());
        for &penalty in self.settings.penalties() {
            let before = path.last().map(|judge| &judge.weights);
            let found = trainer.approach(penalty * times, self.rough(), before);
            path.push(LinearJudge { scales: scales.clone(), weights: found.weights, gradient: found.gradient });
        }
        Ok(path)
    }

    /// The descent alone, as in the comparison of penalties: linfa-logistic would reduce the gradient tenfold further.
    fn approach(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        strength: f64,
        start: Option<&LinearJudge>,
    ) -> Result<LinearJudge> {
        let start = start.map(|judge| &judge.weights);
        self.judge(data, rows, |trainer| Ok(trainer.approach(strength, self.rough(), start)))
    }

    /// Rows are scaled once, and doubled for linfa.
    fn bytes(&self, table: &Table, rows: usize) -> usize {
        3 * size_of::<f64>() * rows * (table.hypothesis_columns() + table.symmetric.ncols() + 2 * table.own_columns())
    }
}
