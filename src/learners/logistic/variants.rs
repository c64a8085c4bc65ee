//! In: a table, and choices of its columns. Out: what is learned roughly with each choice. Next: studies.
//!
//! Rows are scaled once and their Gram matrices computed once, whatever the number of choices: a choice has some of the
//! columns of both.

use super::LogisticRegression;
use super::columns::Columns;
use super::design::{Design, Scales};
use super::judge::LinearJudge;
use super::solver::Trainer;
use crate::error::Result;
use crate::features::Table;
use crate::judgments::Probabilities;
use crate::learning::Labelled;

/// Times the gradient at which penalties are compared: from weights that are near there is seldom more than a step.
const NEAR: f64 = 3.0;

/// Rows to learn from, and rows to judge.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// What is learned from.
    pub training: &'a [usize],
    /// What is judged.
    pub held_out: &'a [usize],
}

impl LogisticRegression {
    /// For each choice of columns what a judge says of the rows that are held out, that learned from the others, nearly
    /// as well as [`approach`](crate::learning::Learner::approach) does. It starts from `known`, what was learned from
    /// the same rows with the columns `of_known`; what was not among these starts from 0.
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
