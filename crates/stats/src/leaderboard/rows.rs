//! The outcomes behind a ranking, by systems and groups, and what is estimated from them.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

use super::{Outcome, Worth};
use crate::bradley_terry::{Contest, STYLES, Strengths};
use crate::prediction_powered::{Observation, PoweredMean};

/// The number of standard errors by which labelled pairs differ from the others if they are no random part.
const MAX_DEVIATION: f64 = 4.0;

/// What a ranking is made of.
pub(super) struct Rows<'o> {
    pub outcomes: Vec<&'o Outcome>,
    /// The groups in use, numbered from 0.
    pub groups: IndexSet<usize>,
    /// The outcomes of every two systems, the smaller number first.
    pub cells: IndexMap<[usize; 2], Vec<usize>>,
    has_labels: bool,
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
    pub fn new(outcomes: &'o [Outcome]) -> Self {
        let outcomes: Vec<&Outcome> =
            outcomes.iter().filter(|it| it.label.is_some() || it.predicted.is_some()).collect();
        let mut cells: IndexMap<[usize; 2], Vec<usize>> = IndexMap::new();
        for (row, outcome) in outcomes.iter().enumerate() {
            cells.entry(sorted(outcome.systems)).or_default().push(row);
        }
        let has_labels = outcomes.iter().any(|outcome| outcome.label.is_some());
        Self { groups: outcomes.iter().map(|outcome| outcome.group).collect(), outcomes, cells, has_labels }
    }

    pub fn cell(&self, one: usize, other: usize) -> &[usize] {
        self.cells.get(&sorted([one, other])).map_or(&[], Vec::as_slice)
    }

    pub fn labelled_groups(&self) -> usize {
        let labelled = self.outcomes.iter().filter(|outcome| outcome.label.is_some());
        labelled.map(|outcome| outcome.group).collect::<FxHashSet<usize>>().len()
    }

    /// The mean of all outcomes for the system with the smaller number of each two.
    pub fn mean(&self) -> Option<PoweredMean> {
        let observed = |outcome: &&Outcome| outcome.observed(sorted(outcome.systems)[0], 1.0);
        PoweredMean::new(&self.outcomes.iter().map(observed).collect::<Vec<_>>(), None)
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
        PoweredMean::new(&observed, None)
    }

    /// The share of the pairs of a cell that a system wins; not without a label, where others have labels.
    pub fn head_to_head(&self, system: usize, cell: &[usize], lambda: Option<f64>) -> Option<f64> {
        let observed: Vec<Observation> = cell.iter().map(|&row| self.outcomes[row].observed(system, 1.0)).collect();
        let has_labels = observed.iter().any(|seen| seen.label.is_some());
        let mean = if self.has_labels && !has_labels { None } else { PoweredMean::new(&observed, lambda) };
        mean.map(|mean| mean.value.clamp(0.0, 1.0))
    }

    /// What each outcome counts in a fit of strengths: those with labels stand for all, and predictions of all pairs
    /// are corrected by the errors on those. All of these are compared with a tie, so that how often systems of a few
    /// pairs were drawn matters little.
    fn contests(&self, has_style: bool) -> Vec<Contest> {
        let has_predictions = self.outcomes.iter().any(|outcome| outcome.predicted.is_some());
        let labelled = || self.outcomes.iter().filter(|outcome| outcome.label.is_some());
        let weight = |outcome: &Outcome| 1.0 / outcome.drawn.unwrap_or(1.0).max(f64::MIN_POSITIVE);
        let sum: f64 = labelled().map(|outcome| weight(outcome)).sum();
        let is_mixed = has_predictions && sum > 0.0;
        // Without predictions only labelled pairs count, and as many as they are.
        let (all, labels) = (self.outcomes.len() as f64, labelled().count() as f64);
        let share_of_all = if is_mixed { all / sum } else { labels / sum };
        // That of a mean is for the predictions of pairs without a label, unless labels have weights.
        let is_drawn = labelled().any(|outcome| outcome.drawn.is_some());
        let lambda = self.mean().map_or(0.0, |mean| mean.lambda);
        let lambda = if is_drawn || labels >= all { lambda } else { lambda * all / (all - labels) };
        let contest = |outcome: &&Outcome| {
            let predicted = lambda * (outcome.predicted.unwrap_or(0.5) - 0.5);
            let share = weight(outcome) * share_of_all;
            let (count, wins) = match outcome.label {
                Some(label) if is_mixed => (1.0, 0.5 + predicted + share * (label - 0.5 - predicted)),
                Some(label) => (share, share * label),
                None if is_mixed => (1.0, 0.5 + predicted),
                None => (1.0, outcome.predicted.unwrap_or(0.5)),
            };
            let style = if has_style { outcome.style } else { [0.0; STYLES] };
            Contest { systems: outcome.systems, count, wins, style, group: outcome.group }
        };
        self.outcomes.iter().map(contest).collect()
    }

    /// Strengths from all outcomes.
    pub fn strengths(&self, systems: usize, has_style: bool) -> Strengths {
        Strengths::fit(systems, &self.contests(has_style))
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
        let alone = Rows::new(&alone);
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

fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

/// The mean of values and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}
