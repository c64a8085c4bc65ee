//! Stage 5e. In: a feature table with labels and groups. Out: verdicts on pairs that training did not see. Next:
//! evaluation.

use rayon::prelude::*;

use super::design::{Design, Scales};
use super::settings::CheckedSettings;
use super::training::{Fitted, Trainer};
use super::weights::{Probabilities, Weights};
use crate::error::{Error, Result};
use crate::features::Table;
use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;

/// Features, labels and groups of the same pairs.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// The features.
    pub table: &'a Table,
    /// What people said.
    pub labels: &'a [Verdict],
    /// What must not be split.
    pub groups: &'a Groups,
}

/// Weights with the scales that belong to them and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The scales of the training part.
    pub scales: Scales,
    /// The weights.
    pub weights: Weights,
    /// The penalty that was chosen, see [`super::TrainSettings::penalties`].
    pub penalty: f64,
    /// The norm of the gradient at the weights.
    pub gradient: f64,
}

/// Trains on some rows; the penalty is the one with the least log loss over the inner folds, split by group.
///
/// # Errors
/// Nothing can be learned, or training does not converge.
pub fn train(data: Labelled<'_>, rows: &[usize], settings: &CheckedSettings) -> Result<Trained> {
    let Choice { penalty, start, .. } = choose_penalty(data, rows, settings)?;
    let scales = Scales::of(data.table, rows);
    let design = Design::of(data.table, data.labels, rows, &scales);
    let Fitted { weights, gradient } = Trainer::new(&design)?.fit(penalty, settings, start.as_ref())?;
    Ok(Trained { scales, weights, penalty, gradient })
}

/// A penalty that is the best so far.
struct Choice {
    penalty: f64,
    /// The log loss on held-back rows.
    loss: f64,
    /// The optimum for a part of the rows: near that for all of them.
    start: Option<Weights>,
}

/// Goes from strong to weak penalties and stops where the log loss on held-back rows begins to rise.
fn choose_penalty(data: Labelled<'_>, rows: &[usize], settings: &CheckedSettings) -> Result<Choice> {
    let groups = data.groups.subset(rows);
    let count = settings.inner_folds().min(groups.count);
    let mut best = Choice { penalty: settings.penalties()[0], loss: f64::INFINITY, start: None };
    if settings.penalties().len() == 1 || count < 2 {
        return Ok(best);
    }
    let fold_of = groups.folds(count, settings.seed());
    let parts: Vec<InnerFold> = (0..count).map(|fold| InnerFold::of(data, rows, &fold_of, fold)).collect();
    let trainers = parts.iter().map(|part| Trainer::new(&part.design)).collect::<Result<Vec<_>>>()?;
    let mut starts: Vec<Option<Weights>> = vec![None; count];
    for &penalty in settings.penalties() {
        let mut loss = 0.0;
        for ((part, trainer), start) in parts.iter().zip(&trainers).zip(&mut starts) {
            let fitted = trainer.fit(penalty, &settings.coarse(), start.as_ref())?;
            loss += part.loss(data, &fitted.weights);
            *start = Some(fitted.weights);
        }
        if loss > best.loss {
            break;
        }
        best = Choice { penalty, loss, start: starts[0].clone() };
    }
    Ok(best)
}

/// A split of training rows by which penalties are compared.
struct InnerFold {
    scales: Scales,
    design: Design,
    held_back: Vec<usize>,
}

impl InnerFold {
    fn of(data: Labelled<'_>, rows: &[usize], fold_of: &[usize], fold: usize) -> Self {
        let part = |wanted: bool| {
            let chosen = rows.iter().zip(fold_of).filter(|&(_, &of)| (of == fold) == wanted);
            chosen.map(|(&row, _)| row).collect::<Vec<usize>>()
        };
        let (training, held_back) = (part(false), part(true));
        let scales = Scales::of(data.table, &training);
        let design = Design::of(data.table, data.labels, &training, &scales);
        Self { scales, design, held_back }
    }

    /// The log loss on the rows held back.
    fn loss(&self, data: Labelled<'_>, weights: &Weights) -> f64 {
        let loss = |&row: &usize| -weights.judge(&self.scales, data.table, row).of(data.labels[row]).ln();
        self.held_back.iter().map(loss).sum()
    }
}

/// What cross-validation gives.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfFold {
    /// For every pair the probabilities from a model that saw no judgment of its reference.
    pub probabilities: Vec<Probabilities>,
    /// The penalty that each fold's training part chose.
    pub penalties: Vec<f64>,
}

/// Trains on all folds but one and judges that one, for each fold in turn. No group is split. `progress` hears how many
/// folds are done.
///
/// # Errors
/// Fewer groups than folds; what [`train`] reports.
pub fn cross_validate(
    data: Labelled<'_>,
    settings: &CheckedSettings,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<OutOfFold> {
    if data.groups.count < settings.folds() {
        return Err(Error::invalid(
            "cross-validation",
            format!("at least {} different references, one for each fold", settings.folds()),
            data.groups.count.to_string(),
            "use fewer --folds, or more data",
        ));
    }
    let fold_of = data.groups.folds(settings.folds(), settings.seed());
    let done = std::sync::atomic::AtomicUsize::new(0);
    let judge_fold = |fold: usize| {
        let (held_back, training): (Vec<usize>, Vec<usize>) = (0..fold_of.len()).partition(|&row| fold_of[row] == fold);
        let trained = train(data, &training, settings)?;
        progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
        let judge = |row: usize| (row, trained.weights.judge(&trained.scales, data.table, row));
        Ok((trained.penalty, held_back.into_iter().map(judge).collect::<Vec<_>>()))
    };
    let folds: Vec<_> = (0..settings.folds()).into_par_iter().map(judge_fold).collect::<Result<_>>()?;
    let mut probabilities = vec![Probabilities([0.0; 3]); fold_of.len()];
    for (row, of_row) in folds.iter().flat_map(|(_, rows)| rows) {
        probabilities[*row] = *of_row;
    }
    Ok(OutOfFold { probabilities, penalties: folds.iter().map(|(penalty, _)| *penalty).collect() })
}
