//! In: a table with labels, groups and weights; a learner. Out: out-of-fold verdicts. Next: evaluation.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::choice::{self, Choice, Evidence};
use super::folds::Folds;
use super::learner::{Judge, Labelled, Learner};
use super::parallel;
use super::scale::ScoreScale;
use super::settings::CheckedValidation;
use super::split::Split;
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};

/// With fewer folds, holding out two of them would leave too few rows.
const RING: usize = 5;

/// A judge, with its hyperparameters and scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained<J> {
    /// The judge.
    pub judge: J,
    /// See [`TieRule`](super::TieRule).
    pub tie_factor: f64,
    /// The scale of s(h, r), measured on the training hypotheses.
    pub scale: ScoreScale,
    /// The chosen strength of regularisation.
    pub strength: f64,
}

/// Trains on some rows; strength and tie factor are chosen on inner folds, split by group.
///
/// # Errors
/// Nothing can be learned, or training does not converge.
pub fn train<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    rows: &[usize],
    settings: &CheckedValidation,
) -> Result<Trained<L::Judge>> {
    fit(learner, data, rows, &choice::by_inner_folds(learner, data, rows, settings)?)
}

/// Trains on some rows with a given choice.
///
/// # Errors
/// Nothing can be learned, or training does not converge.
pub fn fit<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    rows: &[usize],
    choice: &Choice<L::Judge>,
) -> Result<Trained<L::Judge>> {
    let judge = learner.fit(data, rows, choice.strength, choice.start.as_ref())?;
    let scale = ScoreScale::measure(&judge, data, rows);
    Ok(Trained { judge, tie_factor: choice.tie_factor, scale, strength: choice.strength })
}

/// The result of cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfFold<J> {
    /// The probabilities for every pair, from a judge that was trained without its reference.
    pub probabilities: Vec<Probabilities>,
    /// The verdicts of the same judges.
    pub verdicts: Vec<Verdict>,
    /// The judge of each fold.
    pub judges: Vec<J>,
    /// The choice of each fold's training part.
    pub choices: Vec<Choice<J>>,
    /// The choice on all pairs.
    pub choice: Choice<J>,
}

/// The phases of cross-validation, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Choosing strengths and tie factors.
    Choosing,
    /// Judging the folds.
    Judging,
}

/// Trains on all folds but one and judges that one, for each fold in turn. No group is split. `progress` receives the
/// number of finished folds of each phase.
///
/// # Errors
/// Any error of [`train`].
pub fn cross_validate<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    settings: &CheckedValidation,
    progress: &(dyn Fn(Phase, usize) + Sync),
) -> Result<OutOfFold<L::Judge>> {
    let Choices { of_folds: choices, of_all: choice } =
        choose(learner, data, folds, settings, &|done| progress(Phase::Choosing, done))?;
    let tell = |done| progress(Phase::Judging, done);
    let count = Count::new(&tell);
    let judge = |fold: usize| {
        let rows = folds.without(&[fold]);
        data.check_decided(&rows, || format!("the part without {}", folds.names(&[fold])))?;
        let Choice { strength, tie_factor, start } = &choices[fold];
        let judge = learner.fit(data, &rows, *strength, start.as_ref())?;
        let verdict = |row| {
            let given = judge.probabilities(data.table, row);
            (given, given.verdict_with(*tie_factor))
        };
        let judged: Vec<_> = folds.rows(fold).into_iter().map(verdict).collect();
        count.one();
        Ok((judge, judged))
    };
    let (judges, judged) = parallel::fits(learner, data, data.len(), folds.count, judge)?.into_iter().unzip();
    let (probabilities, verdicts) = folds.gather(judged).into_iter().unzip();
    Ok(OutOfFold { probabilities, verdicts, judges, choices, choice })
}

/// Counts finished folds and reports them, starting with none.
struct Count<'p> {
    done: AtomicUsize,
    tell: &'p (dyn Fn(usize) + Sync),
}

impl<'p> Count<'p> {
    fn new(tell: &'p (dyn Fn(usize) + Sync)) -> Self {
        tell(0);
        Self { done: AtomicUsize::new(0), tell }
    }

    fn one(&self) {
        (self.tell)(self.done.fetch_add(1, Ordering::Relaxed) + 1);
    }
}

struct Choices<J> {
    /// The choice of each fold's training part.
    of_folds: Vec<Choice<J>>,
    /// The choice on all pairs.
    of_all: Choice<J>,
}

/// Chooses for each fold on rows outside it.
fn choose<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    settings: &CheckedValidation,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Choices<L::Judge>> {
    if let Some(choice) = choice::without_evidence(learner, settings.ties()) {
        return Ok(Choices { of_folds: vec![choice.clone(); folds.count], of_all: choice });
    }
    let count = Count::new(progress);
    if folds.count >= RING {
        return in_a_ring(learner, data, folds, settings, &count);
    }
    let of_rows = |rows: &[usize]| choice::by_inner_folds(learner, data, rows, settings);
    let of_fold = |fold: usize| {
        let rows = folds.without(&[fold]);
        data.check_decided(&rows, || format!("the part without {}", folds.names(&[fold])))?;
        of_rows(&rows).inspect(|_| count.one())
    };
    let of_folds = parallel::fits(learner, data, data.len(), folds.count, of_fold)?;
    Ok(Choices { of_folds, of_all: of_rows(&(0..data.len()).collect::<Vec<_>>())? })
}

/// Two neighbouring folds, judged by judges trained without either.
struct RingPart<J> {
    path: Vec<J>,
    judged: [Evidence; 2],
}

/// Each fold's training part must choose on its own rows. With five folds or more they share that work in a ring: every
/// two neighbouring folds are held out together while a judge is trained for each strength; the results on either fold
/// then serve the choice for the other.
fn in_a_ring<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    settings: &CheckedValidation,
    count: &Count<'_>,
) -> Result<Choices<L::Judge>> {
    let all = Split::new((0..data.len()).collect(), folds.clone());
    let split = all.at_most(choice::MOST_PAIRS, data.groups, settings.seed());
    let part = |fold: usize| {
        let both = [fold, (fold + 1) % folds.count];
        let rows = split.without(&both);
        data.check_decided(&rows, || format!("the part without {}", folds.names(&both)))?;
        let path = learner.path(data, &rows, split.times())?;
        let judged = both.map(|fold| Evidence::judged_by(&path, data, &split.rows(fold)));
        count.one();
        Ok(RingPart { path, judged })
    };
    let ring: Vec<RingPart<L::Judge>> = parallel::fits(learner, data, split.len(), folds.count, part)?;
    let choose = |evidence: &[&Evidence], path: &[L::Judge]| {
        Choice::by_evidence(evidence, learner.strengths(), path, settings.ties())
    };
    let of_fold = |fold: usize| {
        let (next, last) = (&ring[fold], &ring[(fold + folds.count - 1) % folds.count]);
        choose(&[&next.judged[1], &last.judged[0]], &next.path)
    };
    let everything: Vec<&Evidence> = ring.iter().flat_map(|part| &part.judged).collect();
    let of_folds = (0..folds.count).map(of_fold).collect();
    Ok(Choices { of_folds, of_all: choose(&everything, &ring[0].path) })
}
