//! The outcomes behind a ranking, by systems and groups, and what is fitted to them.

use indexmap::{IndexMap, IndexSet};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Leaderboard, Outcome, Worth};
use crate::evaluation::bradley_terry::{Contest, STYLES, Strengths};
use crate::evaluation::prediction_powered::{Observation, PoweredMean};
use crate::evaluation::{Estimate, Interval};

/// A system is worse than another if it is not in at most this share of the rounds.
const LEVEL: f64 = 0.025;

/// The number of standard errors by which labelled pairs differ from the others if they are no random part.
const MAX_DEVIATION: f64 = 4.0;

/// What a ranking is made of.
pub(super) struct Rows<'o> {
    pub outcomes: Vec<&'o Outcome>,
    /// The groups in use, numbered from 0.
    pub groups: IndexSet<usize>,
    /// The outcomes of every two systems, the smaller number first.
    pub cells: IndexMap<[usize; 2], Vec<usize>>,
}

/// The fitted strengths of all systems and of those of resamples.
pub(super) struct Fits {
    pub log: Vec<f64>,
    style: [f64; STYLES],
    pub added_ties: f64,
    resampled: Vec<Strengths>,
}

impl Outcome {
    /// What is observed of one of its systems.
    fn observed(&self, system: usize, weight: f64) -> Observation {
        let of_system = |first: f64| if self.systems[0] == system { first } else { 1.0 - first };
        let [label, predicted] = [self.label, self.predicted].map(|outcome| outcome.map(of_system));
        Observation { group: self.group, weight, label, predicted, drawn: self.drawn }
    }
}

impl<'o> Rows<'o> {
    pub fn of(outcomes: &'o [Outcome]) -> Self {
        let outcomes: Vec<&Outcome> =
            outcomes.iter().filter(|it| it.label.is_some() || it.predicted.is_some()).collect();
        let mut cells: IndexMap<[usize; 2], Vec<usize>> = IndexMap::new();
        for (row, outcome) in outcomes.iter().enumerate() {
            cells.entry(sorted(outcome.systems)).or_default().push(row);
        }
        Self { groups: outcomes.iter().map(|outcome| outcome.group).collect(), outcomes, cells }
    }

    pub fn cell(&self, one: usize, other: usize) -> &[usize] {
        self.cells.get(&sorted([one, other])).map_or(&[], Vec::as_slice)
    }

    pub fn labelled_groups(&self) -> usize {
        let labelled = self.outcomes.iter().filter(|outcome| outcome.label.is_some());
        labelled.map(|outcome| outcome.group).collect::<FxHashSet<usize>>().len()
    }

    /// The island of each system: the smallest number of a system that it met, directly or through others.
    pub fn islands(&self, systems: usize) -> Vec<usize> {
        let mut island: Vec<usize> = (0..systems).collect();
        for [one, other] in self.cells.keys() {
            let [low, high] = sorted([island[*one], island[*other]]);
            island.iter_mut().filter(|island| **island == high).for_each(|island| *island = low);
        }
        island
    }

    /// The mean of all outcomes for their first systems.
    pub fn mean(&self) -> Option<PoweredMean> {
        let observed = |outcome: &&Outcome| outcome.observed(outcome.systems[0], 1.0);
        PoweredMean::of(&self.outcomes.iter().map(observed).collect::<Vec<_>>(), None)
    }

    /// The rows of a system, those against each other one together.
    pub fn of_system(&self, system: usize) -> impl Iterator<Item = &Vec<usize>> {
        self.cells.iter().filter(move |(two, _)| two.contains(&system)).map(|(_, rows)| rows)
    }

    /// The mean over the other systems that it met of the share of pairs that a system wins.
    pub fn win_rate(&self, system: usize) -> Option<PoweredMean> {
        let observed: Vec<Observation> = self
            .of_system(system)
            .flat_map(|rows| {
                let weight = 1.0 / rows.len() as f64;
                rows.iter().map(move |&row| self.outcomes[row].observed(system, weight))
            })
            .collect();
        PoweredMean::of(&observed, None)
    }

    /// The share of the pairs of a cell that a system wins; not without a label, where others have labels.
    pub fn head_to_head(&self, system: usize, cell: &[usize], lambda: Option<f64>) -> Option<f64> {
        let observed: Vec<Observation> = cell.iter().map(|&row| self.outcomes[row].observed(system, 1.0)).collect();
        let needs_labels = self.outcomes.iter().any(|outcome| outcome.label.is_some());
        let has_labels = observed.iter().any(|seen| seen.label.is_some());
        let mean = if needs_labels && !has_labels { None } else { PoweredMean::of(&observed, lambda) };
        mean.map(|mean| mean.value.clamp(0.0, 1.0))
    }

    /// What each outcome counts in a fit of strengths: those with labels stand for all, and predictions of all pairs
    /// are corrected by the errors on those.
    fn contests(&self, lambda: f64, has_style: bool) -> Vec<Contest> {
        let has_predictions = self.outcomes.iter().any(|outcome| outcome.predicted.is_some());
        let is_labelled = |outcome: &Outcome| outcome.label.is_some();
        let weight = |outcome: &Outcome| 1.0 / outcome.drawn.unwrap_or(1.0).max(f64::MIN_POSITIVE);
        let sum: f64 = self.outcomes.iter().filter(|it| is_labelled(it)).map(|it| weight(it)).sum();
        let is_mixed = has_predictions && sum > 0.0;
        // Without predictions only labelled pairs count, and as many as they are.
        let all = if is_mixed {
            self.outcomes.len() as f64
        } else {
            self.outcomes.iter().filter(|it| is_labelled(it)).count() as f64
        };
        let contest = |outcome: &&Outcome| {
            let predicted = outcome.predicted.unwrap_or(0.5);
            let share = weight(outcome) * all / sum;
            let (count, wins) = match outcome.label {
                Some(label) if is_mixed => (1.0, lambda * predicted + share * (label - lambda * predicted)),
                Some(label) => (share, share * label),
                None if is_mixed => (1.0, lambda * predicted),
                None => (1.0, predicted),
            };
            let style = if has_style { outcome.style } else { [0.0; STYLES] };
            Contest { systems: outcome.systems, count, wins, style }
        };
        self.outcomes.iter().map(contest).collect()
    }

    /// Strengths from all outcomes, and from resamples of the groups.
    pub fn fits(
        &self,
        systems: usize,
        islands: &[usize],
        lambda: f64,
        has_style: bool,
        seed: u64,
        progress: &(dyn Fn() + Sync),
    ) -> Fits {
        let contests = self.contests(lambda, has_style);
        // The contests of each group; without style, one for every two systems.
        let mut of_group: Vec<IndexMap<(usize, usize), Contest>> = vec![IndexMap::new(); self.groups.len()];
        for (row, (outcome, contest)) in self.outcomes.iter().zip(&contests).enumerate() {
            let Some(group) = self.groups.get_index_of(&outcome.group) else { continue };
            let (cell, _, _) = self.cells.get_full(&sorted(outcome.systems)).unwrap_or_else(|| unreachable!());
            let turned = turned(contest);
            let key = (cell, if has_style { row } else { 0 });
            let sum = of_group[group].entry(key).or_insert(Contest { count: 0.0, wins: 0.0, ..turned });
            (sum.count, sum.wins) = (sum.count + turned.count, sum.wins + turned.wins);
        }
        let fit = |times: &[f64], start: Option<&Strengths>| {
            let mut sums: IndexMap<(usize, usize), Contest> = IndexMap::new();
            for (contests, &times) in of_group.iter().zip(times).filter(|(_, times)| **times > 0.0) {
                for (key, contest) in contests {
                    let sum = sums.entry(*key).or_insert(Contest { count: 0.0, wins: 0.0, ..*contest });
                    (sum.count, sum.wins) = (sum.count + times * contest.count, sum.wins + times * contest.wins);
                }
            }
            let mut fitted = Strengths::fit(systems, &sums.into_values().collect::<Vec<_>>(), start);
            centre(&mut fitted.log, islands);
            fitted
        };
        let whole = fit(&vec![1.0; of_group.len()], None);
        let round = |round: usize| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(round as u64);
            let mut times = vec![0.0; of_group.len()];
            (0..times.len()).for_each(|_| times[random.random_range(0..of_group.len())] += 1.0);
            let fitted = fit(&times, Some(&whole));
            progress();
            fitted
        };
        let resampled = (0..Leaderboard::ROUNDS).into_par_iter().map(round).collect();
        Fits { log: whole.log, style: whole.style, added_ties: whole.added_ties, resampled }
    }

    /// What predictions are worth, if there are labels, too.
    pub fn worth(&self, seen: &[usize], rates: &[Option<PoweredMean>]) -> Option<Worth> {
        let both = self.outcomes.iter().filter_map(|it| Some((it.label? - 0.5, it.predicted? - 0.5)));
        let both: Vec<(f64, f64)> = both.collect();
        let others: Vec<f64> =
            self.outcomes.iter().filter(|it| it.label.is_none()).filter_map(|it| it.predicted).collect();
        if both.is_empty() || others.is_empty() {
            return None;
        }
        let alone: Vec<Outcome> = self
            .outcomes
            .iter()
            .filter(|it| it.label.is_some())
            .map(|it| Outcome { predicted: None, ..**it })
            .collect();
        let alone = Rows::of(&alone);
        let variances =
            |rate: &dyn Fn(usize) -> Option<f64>| seen.iter().filter_map(|&system| rate(system)).sum::<f64>();
        let of_labels = variances(&|system| alone.win_rate(system).map(|rate| rate.variance()));
        let of_both = variances(&|system| rates[system].as_ref().map(PoweredMean::variance));
        let product = |value: fn(&(f64, f64)) -> f64| both.iter().map(value).sum::<f64>();
        let norms = product(|(label, _)| label * label) * product(|(_, predicted)| predicted * predicted);
        let decided = |predicted: f64| predicted.powi(2);
        let [labelled, others] = [
            both.iter().map(|(_, predicted)| decided(*predicted)).collect::<Vec<f64>>(),
            others.iter().map(|predicted| decided(predicted - 0.5)).collect(),
        ]
        .map(|values| mean_and_error(&values));
        let deviation = (labelled.0 - others.0).abs();
        let is_weighted = self.outcomes.iter().any(|outcome| outcome.drawn.is_some());
        Some(Worth {
            labels: both.len() as f64 * if of_both > 0.0 { of_labels / of_both } else { 1.0 },
            correlation: if norms > 0.0 { product(|(label, it)| label * it) / norms.sqrt() } else { 0.0 },
            is_selective: !is_weighted && deviation > MAX_DEVIATION * labelled.1.hypot(others.1),
        })
    }
}

impl Fits {
    /// The strength of a system with its interval.
    pub fn strength(&self, system: usize) -> Estimate {
        let Interval { low, high } =
            Interval::of(self.resampled.iter().map(|fitted| fitted.log[system].exp()).collect());
        Estimate { value: self.log[system].exp(), low, high }
    }

    pub fn of_style(&self) -> [Estimate; STYLES] {
        std::array::from_fn(|style| {
            let values = self.resampled.iter().map(|fitted| fitted.style[style]).collect();
            let Interval { low, high } = Interval::of(values);
            Estimate { value: self.style[style], low, high }
        })
    }

    /// The 95% interval of a system's rank among the members of its island.
    pub fn ranks(&self, system: usize, members: &[usize]) -> [usize; 2] {
        let rank =
            |fitted: &Strengths| 1 + members.iter().filter(|&&other| fitted.log[other] > fitted.log[system]).count();
        let Interval { low, high } = Interval::of(self.resampled.iter().map(|fitted| rank(fitted) as f64).collect());
        [low as usize, high as usize]
    }

    /// Whether a system is weaker than another in nearly all resamples.
    pub fn is_worse(&self, system: usize, better: usize) -> bool {
        let not = self.resampled.iter().filter(|fitted| fitted.log[system] >= fitted.log[better]).count();
        not as f64 <= LEVEL * self.resampled.len() as f64
    }
}

fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

/// The contest with the smaller number first.
fn turned(contest: &Contest) -> Contest {
    let [one, other] = contest.systems;
    if one < other {
        return *contest;
    }
    let style = contest.style.map(|style| -style);
    Contest { systems: [other, one], wins: contest.count - contest.wins, style, ..*contest }
}

/// Makes the mean of the log-strengths 0 within each island.
fn centre(log: &mut [f64], islands: &[usize]) {
    let mut sums = vec![(0.0, 0.0); log.len()];
    for (log, &island) in log.iter().zip(islands) {
        sums[island] = (sums[island].0 + log, sums[island].1 + 1.0);
    }
    log.iter_mut().zip(islands).for_each(|(log, &island)| *log -= sums[island].0 / sums[island].1);
}

/// The mean of values and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}
