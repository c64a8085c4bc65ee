//! Stage 5e. In: a feature table with labels and groups. Out: verdicts on pairs that training did not see. Next:
//! evaluation.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::design::{Design, Scales};
use super::metric::ScoreScale;
use super::penalty::{Choice, Evidence, Path};
use super::settings::CheckedSettings;
use super::training::{Fitted, Trainer};
use super::weights::{Probabilities, Weights};
use crate::error::{Error, Result};
use crate::features::Table;
use crate::judgments::Verdict;
use crate::judgments::grouping::Groups;

/// Below this number of folds too few rows are left where two folds are held back.
const RING: usize = 5;

/// Features, labels and groups of the same pairs.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// The features.
    pub table: &'a Table,
    /// What people said.
    pub labels: &'a [Verdict],
    /// What must not be split.
    pub groups: &'a Groups,
    /// How often training sees each pair; empty where that is once for all.
    pub copies: &'a [u32],
}

impl Labelled<'_> {
    /// Each of the rows as often as training sees it.
    fn copied(&self, rows: &[usize]) -> Vec<usize> {
        if self.copies.is_empty() {
            return rows.to_vec();
        }
        rows.iter().flat_map(|&row| std::iter::repeat_n(row, self.copies[row] as usize)).collect()
    }
}

/// Weights with the scales that belong to them and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The scales of the training part.
    pub scales: Scales,
    /// The weights.
    pub weights: Weights,
    /// See [`super::ties`].
    pub tie_factor: f64,
    /// Where s(h, r) lies for the hypotheses of the training part.
    pub score: ScoreScale,
    /// The penalty that was chosen, see [`super::TrainSettings::penalties`].
    pub penalty: f64,
    /// The norm of the gradient at the weights.
    pub gradient: f64,
}

/// Trains on some rows; penalty and tie factor are chosen by inner folds, split by group.
///
/// # Errors
/// Nothing can be learned, or training does not converge.
pub fn train(data: Labelled<'_>, rows: &[usize], settings: &CheckedSettings) -> Result<Trained> {
    fit(data, rows, &choose(data, rows, settings)?, settings)
}

/// Trains on some rows with what was chosen before.
///
/// # Errors
/// Nothing can be learned, or training does not converge.
pub fn fit(data: Labelled<'_>, rows: &[usize], choice: &Choice, settings: &CheckedSettings) -> Result<Trained> {
    let rows = data.copied(rows);
    let scales = Scales::of(data.table, &rows);
    let design = Design::of(data.table, data.labels, &rows, &scales);
    let trainer = Trainer::new(&design)?;
    let Fitted { weights, gradient } = trainer.fit(choice.penalty, settings, choice.start.as_ref())?;
    let score = ScoreScale::of(data.table, &rows, &scales, &weights);
    Ok(Trained { scales, weights, tie_factor: choice.tie_factor, score, penalty: choice.penalty, gradient })
}

/// Chooses by inner folds of the rows, each held back from a path of penalties in turn.
fn choose(data: Labelled<'_>, rows: &[usize], settings: &CheckedSettings) -> Result<Choice> {
    let groups = data.groups.subset(rows);
    let count = settings.inner_folds().min(groups.count);
    if count < 2 {
        return Ok(Choice { penalty: settings.penalties()[0], tie_factor: 1.0, start: None });
    }
    let fold_of = groups.folds(count, settings.seed());
    let part = |fold: usize| -> Result<(Path, Evidence)> {
        let (held_back, training): (Vec<usize>, Vec<usize>) = (0..rows.len()).partition(|&at| fold_of[at] == fold);
        let [held_back, training] =
            [held_back, training].map(|part| part.into_iter().map(|at| rows[at]).collect::<Vec<_>>());
        let path = Path::of(data, &data.copied(&training), settings)?;
        let evidence = path.judge(data, &held_back);
        Ok((path, evidence))
    };
    let parts = (0..count).map(part).collect::<Result<Vec<_>>>()?;
    let evidence: Vec<&Evidence> = parts.iter().map(|(_, evidence)| evidence).collect();
    Ok(Choice::of(&evidence, &parts[0].0, settings))
}

/// What cross-validation gives.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfFold {
    /// For every pair the probabilities from a model that saw no judgment of its reference.
    pub probabilities: Vec<Probabilities>,
    /// What that model says.
    pub verdicts: Vec<Verdict>,
    /// What each fold's training part chose.
    pub choices: Vec<Choice>,
    /// What all pairs choose together.
    pub choice: Choice,
}

/// Trains on all folds but one and judges that one, for each fold in turn. No group is split. `progress` hears how many
/// folds are done.
///
/// What a fold's training part chooses it chooses on rows of its own. With five folds or more they share that work in a
/// ring: each two neighbours are held back together from one path of penalties, which then is judged on the one to choose
/// for the other.
///
/// # Errors
/// Fewer groups than folds; what [`train`] reports.
pub fn cross_validate(
    data: Labelled<'_>,
    settings: &CheckedSettings,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<OutOfFold> {
    let folds = Folds::of(data, settings)?;
    let all: Vec<usize> = (0..data.labels.len()).collect();
    let (choices, choice) = if folds.count >= RING {
        let ring =
            (0..folds.count).into_par_iter().map(|fold| folds.ring(fold, settings)).collect::<Result<Vec<_>>>()?;
        let of_fold = |fold: usize| {
            let (next, last) = (&ring[fold], &ring[(fold + folds.count - 1) % folds.count]);
            Choice::of(&[&next.judged[1], &last.judged[0]], &next.path, settings)
        };
        let everything: Vec<&Evidence> = ring.iter().flat_map(|part| &part.judged).collect();
        ((0..folds.count).map(of_fold).collect(), Choice::of(&everything, &ring[0].path, settings))
    } else {
        let of_fold = |fold: usize| choose(data, &folds.without(&[fold]), settings);
        let choices = (0..folds.count).into_par_iter().map(of_fold).collect::<Result<Vec<_>>>()?;
        (choices, choose(data, &all, settings)?)
    };
    let done = AtomicUsize::new(0);
    let judge = |(fold, choice): (usize, &Choice)| {
        let judged = folds.judge(fold, choice, settings);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        judged
    };
    let judged: Vec<_> = choices.par_iter().enumerate().map(judge).collect::<Result<_>>()?;
    let mut probabilities = vec![Probabilities([0.0; 3]); all.len()];
    let mut verdicts = vec![Verdict::Tie; all.len()];
    for (row, given, verdict) in judged.into_iter().flatten() {
        (probabilities[row], verdicts[row]) = (given, verdict);
    }
    Ok(OutOfFold { probabilities, verdicts, choices, choice })
}

/// Pairs in folds.
pub(super) struct Folds<'a> {
    data: Labelled<'a>,
    of_row: Vec<usize>,
    pub(super) count: usize,
}

/// Two neighbouring folds, judged by models that saw neither.
struct RingPart {
    path: Path,
    judged: [Evidence; 2],
}

impl<'a> Folds<'a> {
    pub(super) fn of(data: Labelled<'a>, settings: &CheckedSettings) -> Result<Self> {
        if data.groups.count < settings.folds() {
            return Err(Error::invalid(
                "cross-validation",
                format!("at least {} different references, one for each fold", settings.folds()),
                data.groups.count.to_string(),
                "use fewer --folds, or more data",
            ));
        }
        Ok(Self { data, of_row: data.groups.folds(settings.folds(), settings.seed()), count: settings.folds() })
    }

    pub(super) fn rows(&self, fold: usize) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| self.of_row[row] == fold).collect()
    }

    pub(super) fn without(&self, folds: &[usize]) -> Vec<usize> {
        (0..self.of_row.len()).filter(|&row| !folds.contains(&self.of_row[row])).collect()
    }

    /// A path that saw neither the fold nor its neighbour.
    fn ring(&self, fold: usize, settings: &CheckedSettings) -> Result<RingPart> {
        let both = [fold, (fold + 1) % self.count];
        let path = Path::of(self.data, &self.data.copied(&self.without(&both)), settings)?;
        Ok(RingPart { judged: both.map(|fold| path.judge(self.data, &self.rows(fold))), path })
    }

    /// Trains on all other folds and judges this one.
    fn judge(
        &self,
        fold: usize,
        choice: &Choice,
        settings: &CheckedSettings,
    ) -> Result<Vec<(usize, Probabilities, Verdict)>> {
        let trained = fit(self.data, &self.without(&[fold]), choice, settings)?;
        let judge = |row: usize| {
            let given = trained.weights.judge(&trained.scales, self.data.table, row);
            (row, given, given.verdict_with(trained.tie_factor))
        };
        Ok(self.rows(fold).into_iter().map(judge).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{TieRule, TrainSettings};
    use ndarray::Array2;

    /// Two features, of which the first says who is better and the second nothing; pairs in groups of three.
    fn table(pairs: usize) -> (Table, Vec<Verdict>, Groups) {
        let noise = |row: usize, salt: usize| ((row * 7919 + salt * 104_729) % 1000) as f64 / 1000.0;
        let side = |salt: usize| Array2::from_shape_fn((pairs, 2), |(row, column)| noise(row, salt + column));
        let table = Table {
            first: side(1),
            second: side(5),
            symmetric: Array2::from_shape_fn((pairs, 1), |(row, _)| noise(row, 9)),
            reference_lengths: (0..pairs).map(|row| 1.0 + (row % 20) as f64).collect(),
            scores: [Array2::zeros((pairs, 0)), Array2::zeros((pairs, 0))],
        };
        let label = |row: usize| match table.first[[row, 0]] - table.second[[row, 0]] + 0.6 * (noise(row, 12) - 0.5) {
            difference if difference > 0.1 => Verdict::First,
            difference if difference < -0.1 => Verdict::Second,
            _ => Verdict::Tie,
        };
        let labels = (0..pairs).map(label).collect();
        let groups = Groups { of_pair: (0..pairs).map(|row| row / 3).collect(), count: pairs.div_ceil(3) };
        (table, labels, groups)
    }

    fn judged(table: &Table, labels: &[Verdict], groups: &Groups, copies: &[u32], folds: usize) -> OutOfFold {
        let settings = TrainSettings::default().folds(folds).ties(TieRule::Accurate).check().unwrap();
        cross_validate(Labelled { table, labels, groups, copies }, &settings, &|_| ()).unwrap()
    }

    #[test]
    fn a_fold_has_no_say_in_how_it_is_judged() {
        let (table, labels, groups) = table(300);
        for folds in [3, 6] {
            let fold_of = groups.folds(folds, 1);
            let straight = judged(&table, &labels, &groups, &[], folds);
            for fold in 0..folds {
                let flip = |(label, &of): (&Verdict, &usize)| if of == fold { label.swapped() } else { *label };
                let flipped: Vec<Verdict> = labels.iter().zip(&fold_of).map(flip).collect();
                assert_ne!(labels, flipped);
                let judged = judged(&table, &flipped, &groups, &[], folds);
                for row in (0..labels.len()).filter(|&row| fold_of[row] == fold) {
                    assert_eq!(straight.probabilities[row], judged.probabilities[row], "{folds} folds, pair {row}");
                    assert_eq!(straight.verdicts[row], judged.verdicts[row]);
                }
                assert_eq!(straight.choices[fold].penalty, judged.choices[fold].penalty);
                assert_eq!(straight.choices[fold].tie_factor, judged.choices[fold].tie_factor);
            }
        }
    }

    #[test]
    fn what_can_be_learned_is_learned() {
        let (table, labels, groups) = table(600);
        let judged = judged(&table, &labels, &groups, &[], 5);
        let right = judged.verdicts.iter().zip(&labels).filter(|(said, label)| said == label).count();
        assert!(right > 420, "{right} of 600");
    }

    #[test]
    fn equal_copies_change_nothing_and_others_do() {
        let (table, labels, groups) = table(300);
        let distance = |a: &OutOfFold, b: &OutOfFold| {
            let pairs = a.probabilities.iter().zip(&b.probabilities);
            pairs.map(|(a, b)| (a.0[0] - b.0[0]).abs()).fold(0.0, f64::max)
        };
        let once = judged(&table, &labels, &groups, &[], 5);
        assert!(distance(&once, &judged(&table, &labels, &groups, &[3; 300], 5)) < 1e-3);
        let uneven: Vec<u32> = labels.iter().map(|&label| if label == Verdict::Tie { 9 } else { 1 }).collect();
        assert!(distance(&once, &judged(&table, &labels, &groups, &uneven, 5)) > 0.1);
    }
}
