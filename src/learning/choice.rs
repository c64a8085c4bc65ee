//! In: training rows, and rows that were held out from them. Out: the strength of regularisation, and when to say tie.
//! Next: validation.

use super::learner::{Judge, Labelled, Learner};
use super::settings::CheckedValidation;
use super::ties::TieRule;
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};

/// What was chosen on rows that training did not see.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice<J> {
    /// The strength of regularisation, see [`Learner::strengths`].
    pub strength: f64,
    /// See [`TieRule`].
    pub tie_factor: f64,
    /// What was learned from similar rows with that strength.
    pub start: Option<J>,
}

impl<J: Clone> Choice<J> {
    /// The strength with the least log loss over all evidence, of equal ones the strongest; the tie factor that the
    /// rule gives for the probabilities under that strength. `path` has a judge for each strength.
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

/// What each strength makes of some rows that were held out.
#[derive(Debug)]
pub struct Evidence {
    labels: Vec<Verdict>,
    /// One list a strength, with one entry a row.
    steps: Vec<Vec<Probabilities>>,
    /// The weighted log loss of each strength.
    losses: Vec<f64>,
}

impl Evidence {
    /// Judges some rows by the judge of each strength.
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

/// What there is to choose without looking at any row, if nothing has to be.
pub fn without_evidence<L: Learner>(learner: &L, ties: TieRule) -> Option<Choice<L::Judge>> {
    match (learner.strengths(), ties) {
        ([strength], TieRule::Likeliest) => Some(Choice { strength: *strength, tie_factor: 1.0, start: None }),
        _ => None,
    }
}

/// Chooses by inner folds of the rows, each held out from a path of strengths in turn.
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
    let fold_of = groups.folds(count, settings.seed());
    let part = |fold: usize| -> Result<(Vec<L::Judge>, Evidence)> {
        let (held_out, training): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(|&at| fold_of[at] == fold);
        let [held_out, training] =
            [held_out, training].map(|part| part.into_iter().map(|at| rows[at]).collect::<Vec<_>>());
        let name = || format!("an inner part of {} pairs, without its fold {} of {count}", rows.len(), fold + 1);
        data.check_decided(&training, name)?;
        let path = learner.path(data, &training)?;
        let evidence = Evidence::judged_by(&path, data, &held_out);
        Ok((path, evidence))
    };
    let parts = (0..count).map(part).collect::<Result<Vec<_>>>()?;
    let evidence: Vec<&Evidence> = parts.iter().map(|(_, evidence)| evidence).collect();
    Ok(Choice::by_evidence(&evidence, learner.strengths(), &parts[0].0, settings.ties()))
}
