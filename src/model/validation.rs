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
    let penalty = choose_penalty(data, rows, settings)?;
    let scales = Scales::of(data.table, rows);
    let design = Design::of(data.table, data.labels, rows, &scales);
    let Fitted { weights, gradient } = Trainer::new(&design)?.fit(penalty, settings, None)?;
    Ok(Trained { scales, weights, penalty, gradient })
}

fn choose_penalty(data: Labelled<'_>, rows: &[usize], settings: &CheckedSettings) -> Result<f64> {
    let groups = data.groups.subset(rows);
    let folds = settings.inner_folds().min(groups.count);
    if settings.penalties().len() == 1 || folds < 2 {
        return Ok(settings.penalties()[0]);
    }
    let fold_of = groups.folds(folds, settings.seed());
    let mut losses = vec![0.0; settings.penalties().len()];
    for fold in 0..folds {
        let part = |held_back: bool| -> Vec<usize> {
            let chosen = rows.iter().zip(&fold_of).filter(|&(_, &of)| (of == fold) == held_back);
            chosen.map(|(&row, _)| row).collect()
        };
        let (training, held_back) = (part(false), part(true));
        let path = losses_along_path(data, &training, &held_back, settings)?;
        losses.iter_mut().zip(path).for_each(|(sum, loss)| *sum += loss);
    }
    let best = (0..losses.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b])).unwrap_or(0);
    Ok(settings.penalties()[best])
}

/// The log loss on held-back rows for each penalty, from strong to weak; each fit starts where the one before it ended.
fn losses_along_path(
    data: Labelled<'_>,
    training: &[usize],
    held_back: &[usize],
    settings: &CheckedSettings,
) -> Result<Vec<f64>> {
    let scales = Scales::of(data.table, training);
    let design = Design::of(data.table, data.labels, training, &scales);
    let trainer = Trainer::new(&design)?;
    let mut last: Option<Weights> = None;
    let mut losses = Vec::with_capacity(settings.penalties().len());
    for &penalty in settings.penalties() {
        let fitted = trainer.fit(penalty, settings, last.as_ref())?;
        let loss = |&row: &usize| -fitted.weights.judge(&scales, data.table, row).of(data.labels[row]).ln();
        losses.push(held_back.iter().map(loss).sum());
        last = Some(fitted.weights);
    }
    Ok(losses)
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
