//! In: training rows, and rows held out from them. Out: the strength of regularisation, and the rule for ties. Next:
//! validation.
//!
//! There are few strengths to choose from, and one tie factor: beyond [`MOST_PAIRS`] pairs, a subset is enough to
//! choose on. It consists of whole groups, drawn with the seed. The model is then trained on all pairs, against which a
//! prior weighs less: see [`Learner::path`].

use super::folds::Folds;
use super::learner::{Judge, Labelled, Learner};
use super::settings::CheckedValidation;
use super::split::Split;
use super::ties::TieRule;
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};

/// The most pairs on which a choice is made.
pub const MOST_PAIRS: usize = 40_000;

/// The hyperparameters chosen on held-out rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice<J> {
    /// The strength of regularisation, see [`Learner::strengths`].
    pub strength: f64,
    /// See [`TieRule`].
    pub tie_factor: f64,
    /// A judge trained on similar rows with that strength, to start from.
    pub start: Option<J>,
}

impl<J: Clone> Choice<J> {
    /// The strength with the least total log loss, the strongest of equals; the tie factor follows from the rule, given
    /// the probabilities under that strength. `path` holds one judge per strength.
    pub fn by_evidence(evidence: &[&Evidence], strengths: &[f64], path: &[J], ties: TieRule) -> Self {
        let loss = |step: usize| evidence.iter().map(|evidence| evidence.losses[step]).sum::<f64>();
        let losses: Vec<f64> = (0..strengths.len()).map(loss).collect();
        let best = (0..losses.len()).fold(0, |best, step| if losses[step] < losses[best] { step } else { best });
        let labels: Vec<Verdict> = evidence.iter().flat_map(|evidence| evidence.labels.iter().copied()).collect();
        let given: Vec<Probabilities> =
            evidence.iter().flat_map(|evidence| evidence.steps[best].iter().copied()).collect();
        Self { strength: strengths[best], tie_factor: ties.factor(&labels, &given), start: path.get(best).cloned() }
    }
}

/// The results of each strength on some held-out rows.
#[derive(Debug)]
pub struct Evidence {
    labels: Vec<Verdict>,
    /// Probabilities: (strengths, rows).
    steps: Vec<Vec<Probabilities>>,
    /// The total weighted log loss of each strength.
    losses: Vec<f64>,
}

impl Evidence {
    /// Judges some rows with the judge of each strength.
    pub fn judged_by<T: ?Sized, J: Judge<T>>(path: &[J], data: Labelled<'_, T>, rows: &[usize]) -> Self {
        let judge = |judge: &J| rows.iter().map(|&row| judge.probabilities(data.table, row)).collect();
        let steps: Vec<Vec<Probabilities>> = path.iter().map(judge).collect();
        let loss = |given: &Vec<Probabilities>| {
            let of_rows = rows.iter().zip(given);
            of_rows.map(|(&row, given)| data.weight(row) * given.log_loss(data.labels[row])).sum()
        };
        Self {
            losses: steps.iter().map(loss).collect(),
            labels: rows.iter().map(|&row| data.labels[row]).collect(),
            steps,
        }
    }
}

/// The only choice, without looking at any row, if there is nothing to choose.
pub fn without_evidence<L: Learner>(learner: &L, ties: TieRule) -> Option<Choice<L::Judge>> {
    match (learner.strengths(), ties) {
        ([strength], TieRule::Likeliest) => Some(Choice { strength: *strength, tie_factor: 1.0, start: None }),
        _ => None,
    }
}

/// Chooses on inner folds of the rows, each held out in turn while a judge is trained for every strength.
///
/// # Errors
/// Nothing can be learned.
pub fn by_inner_folds<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    rows: &[usize],
    settings: &CheckedValidation,
) -> Result<Choice<L::Judge>> {
    if let Some(choice) = without_evidence(learner, settings.ties()) {
        return Ok(choice);
    }
    let groups = data.groups.subset(rows);
    let count = settings.inner_folds().min(groups.count);
    if count < 2 {
        return Ok(Choice { strength: learner.strengths()[0], tie_factor: 1.0, start: None });
    }
    let folds = Folds { of_row: groups.folds(count, settings.seed()), count };
    let split = Split::new(rows.to_vec(), folds).at_most(MOST_PAIRS, data.groups, settings.seed());
    let part = |fold: usize| -> Result<(Vec<L::Judge>, Evidence)> {
        let (held_out, training) = (split.rows(fold), split.without(&[fold]));
        let name = || format!("an inner part of {} pairs, without its fold {} of {count}", split.len(), fold + 1);
        data.check_decided(&training, name)?;
        let path = learner.path(data, &training, split.times())?;
        let evidence = Evidence::judged_by(&path, data, &held_out);
        Ok((path, evidence))
    };
    let parts = (0..count).map(part).collect::<Result<Vec<_>>>()?;
    let evidence: Vec<&Evidence> = parts.iter().map(|(_, evidence)| evidence).collect();
    Ok(Choice::by_evidence(&evidence, learner.strengths(), &parts[0].0, settings.ties()))
}
