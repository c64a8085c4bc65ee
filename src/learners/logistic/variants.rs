//! In: a table, and subsets of its columns. Out: approximate probabilities learned with each subset. Next: studies.
//!
//! Rows are scaled once and their Gram matrices computed once, whatever the number of subsets: each uses a part of
//! both.

use super::LogisticRegression;
use super::columns::Columns;
use super::design::{Design, Scales};
use super::judge::LinearJudge;
use super::solver::Trainer;
use crate::error::Result;
use crate::features::Table;
use crate::judgments::Probabilities;
use crate::learning::Labelled;

/// The tolerance, as a multiple of that for comparing penalties: from a nearby start one step is usually enough.
const NEAR: f64 = 3.0;

/// Rows for training, and held-out rows.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// The rows for training.
    pub training: &'a [usize],
    /// The rows to judge.
    pub held_out: &'a [usize],
}

impl LogisticRegression {
    /// For each choice of columns, the probabilities of the held-out rows. The judge is trained on the training rows,
    /// nearly as well as with [`approach`](crate::learning::Learner::approach). Training starts from `known`, learned
    /// from the same rows with the columns `of_known`; weights of other columns start from 0.
    ///
    /// # Errors
    /// Nothing can be learned from the rows.
    pub fn approach_each(
        &self,
        data: Labelled<'_, Table>,
        rows: Parts<'_>,
        strength: f64,
        (known, of_known): (&LinearJudge, &Columns),
        choices: &[Columns],
    ) -> Result<Vec<Vec<Probabilities>>> {
        let training = data.counting(rows.training);
        let scales = Scales::measure(data, &training);
        let design = self.design(data, &training, &scales);
        let held_out = Design::new(data, rows.held_out, &scales);
        let trainer = Trainer::new(&design)?;
        let size = (design.hypothesis_columns, design.rows.ncols() - design.hypothesis_columns);
        let start = known.weights.spread(of_known, size);
        let judged = |columns: &Columns| {
            let (chosen, asked) = (design.narrowed(columns), held_out.narrowed(columns));
            let trainer = trainer.narrowed(&chosen, columns);
            let found = trainer.approach(strength, NEAR * self.rough(), Some(&start.narrowed(columns)));
            let given = |pair| {
                let (x, t) = asked.split(pair);
                found.weights.probabilities(x, t)
            };
            (0..asked.len()).map(given).collect()
        };
        Ok(choices.iter().map(judged).collect())
    }
}
