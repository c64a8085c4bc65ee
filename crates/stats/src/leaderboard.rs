//! A ranking of systems from comparisons of two at a time: win rates, strengths, ranks and clusters, with intervals.
//!
//! One test of every two systems decides which ranks, clusters and sentences there are: [`TwoSystems::is_clear`].

mod rows;

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::Estimate;
use super::bradley_terry::{STYLES, Strengths, components};
use super::distributions::{Z, Z_OF_POWER, student_quantile, student_t};
use super::prediction_powered::{Budget, Parts, PoweredMean, ROUNDING};
use super::ranking::{LEVEL, order, ranks};
use rows::Rows;

/// So many more labels are asked after.
pub const MORE_LABELS: usize = 50;

/// Log-strengths that differ by less are equal.
const TIE: f64 = 1e-7;

/// Settings of [`Leaderboard::new`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BoardSettings {
    /// Whether strengths are those of systems whose texts have the same style.
    pub has_style: bool,
    /// The number of pairs that there are, labelled or not: more can be labelled only of these.
    pub pool_pairs: usize,
}

/// Two systems on one pair of texts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The systems, by number; two different ones.
    pub systems: [usize; 2],
    /// The group of the pair.
    pub group: usize,
    /// What a person said: 1 if the first one won, 0 if the second did, 1/2 for a tie; `None` if it is not labelled.
    pub label: Option<f64>,
    /// What a model or a judge predicts, from 0 to 1.
    pub predicted: Option<f64>,
    /// See [`Observation::drawn`](super::Observation::drawn); only of labelled pairs.
    pub drawn: Option<f64>,
    /// See [`Contest::style`](super::Contest::style).
    pub style: [f64; STYLES],
}

/// Systems by their strengths.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leaderboard {
    /// The number of pairs with a label or a prediction.
    pub pairs: usize,
    /// The number of these with a human label.
    pub labels: usize,
    /// The number of groups of pairs.
    pub groups: usize,
    /// The number of groups in which a pair is labelled.
    pub labelled_groups: usize,
    /// See [`BoardSettings::pool_pairs`].
    pub pool_pairs: usize,
    /// Whether every two systems are compared by their strengths instead of their win rates, see
    /// [`TwoSystems::is_clear`].
    pub is_by_strength: bool,
    /// The systems, the strongest first; component by component, if there are several.
    pub systems: Vec<RankedSystem>,
    /// Every two systems of a component, in the order of [`Self::systems`].
    pub differences: Vec<TwoSystems>,
    /// The logarithmic odds for a difference of one unit of style: of ln(1 + characters), of the share of lines that are
    /// items of lists, and of ln(1 + marks). Absent unless style is taken into account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<[Estimate; STYLES]>,
    /// How many ties were added to every two systems that met, as a system always wins or loses; 0 for none.
    pub added_ties: f64,
    /// Whether the odds of style have a weak prior, as style alone tells who wins, see [`Strengths::fit`].
    pub has_prior: bool,
    /// What more groups would show.
    pub power: Vec<PowerPoint>,
    /// What more labels would make of the interval of the first system's win rate, in [0, 1]; absent without labels, or where
    /// all pairs have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// What predictions are worth; absent unless both labels and predictions are used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
}

/// A system in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankedSystem {
    /// Its name.
    pub name: String,
    /// Its component, from 1: systems of different components never met, directly or through others.
    pub component: usize,
    /// Its cluster within the component, from 1: each system is clearly better than all systems of later clusters.
    pub cluster: usize,
    /// Its rank within the component, from 1; equal strengths share it.
    pub rank: usize,
    /// The ranks that it may have: 1 + the number of systems that are clearly better, to the number of those that are not
    /// clearly worse.
    pub ranks: [usize; 2],
    /// The number of its pairs.
    pub pairs: usize,
    /// The number of its pairs with a human label.
    pub labels: usize,
    /// The mean over the other systems that it met of the share of pairs that it wins, ties counting half, in [0, 1].
    pub win_rate: Estimate,
    /// The win rate if all texts had the same style, see [`Strengths::win_rate`](super::Strengths::win_rate); absent unless style
    /// is taken into account. Its interval is Student's, in log-odds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controlled_win_rate: Option<Estimate>,
    /// Its Bradley-Terry strength, with a geometric mean of 1 over the component; interval by as many
    /// standard errors of its logarithm as that of the win rate, or else by Student's t.
    pub strength: Estimate,
    /// Whether its win rate is the same in all groups, and these are too few to tell whether it is above one half.
    #[serde(skip)]
    pub is_degenerate: bool,
}

/// Two systems in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoSystems {
    /// The stronger one.
    pub one: String,
    /// The other one.
    pub other: String,
    /// The number of pairs of theirs.
    pub pairs: usize,
    /// The share of these that the first one wins, ties counting half; absent if they never met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wins: Option<f64>,
    /// The difference of their win rates, see [`RankedSystem::win_rate`].
    pub difference: Estimate,
    /// That of their win rates at equal style, see [`RankedSystem::controlled_win_rate`]. Its interval is Student's, on the scale
    /// of atanh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controlled_difference: Option<Estimate>,
    /// Two-sided p-value of the test: that of the interval of the difference of win rates; a t-test of log-strengths where
    /// [`Leaderboard::is_by_strength`].
    pub p_value: f64,
    /// Whether the first one is clearly better: p is below 5%, and it has the higher win rate, if that is tested. Win rates
    /// are tested where every two systems of a component met, so that they are over the same opponents; with style, or where
    /// some never met, strengths are.
    pub is_clear: bool,
    /// How many more groups, with as many labels each, would have to be labelled to show a difference of this size with a
    /// power of 80%; 0 if these are enough, absent if the pool has fewer labels to give.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_groups: Option<usize>,
    /// The smallest difference of win rates that labels of the whole pool would show with a power of 80%; absent if all
    /// pairs are labelled, or predicted where there are no labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool_shows: Option<f64>,
}

/// What a number of groups can show.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PowerPoint {
    /// The number of labelled groups, or of groups where none is labelled.
    pub groups: usize,
    /// The difference of win rates that they show with a power of 80% at a level of 5%, for half of all two systems.
    pub difference: f64,
}

impl RankedSystem {
    /// The win rate at equal style, or else that of the texts as they are.
    pub fn rate(&self) -> Estimate {
        self.controlled_win_rate.unwrap_or(self.win_rate)
    }
}

/// What predictions are worth beside labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Worth {
    /// The number of labels without predictions that would give intervals of the same width: the number of labels, times
    /// the ratio of the variances of the win rates.
    pub labels: f64,
    /// The correlation of labels and predictions around a tie, in [-1, 1].
    pub correlation: f64,
    /// Whether the labelled pairs are no random part: predictions are more, or less, decided on them than on the others,
    /// by more than four standard errors.
    pub is_selective: bool,
}

/// What the rows of a ranking are computed from.
struct Fitted<'o> {
    names: &'o [String],
    rows: Rows<'o>,
    strengths: Strengths,
    /// The win rate of each system.
    rates: Vec<Option<PoweredMean>>,
    /// That of all outcomes.
    lambda: Option<f64>,
    /// The number of groups of which there can be more: the labelled ones, if there are any.
    growing: usize,
    /// How many times as many pairs the pool has.
    most_growth: f64,
    has_style: bool,
    is_by_strength: bool,
}

impl Leaderboard {
    /// Ranks systems by the outcomes that have a label or a prediction. Where there are both, predictions of all pairs
    /// help the labels of a random part, see [`PoweredMean::new`]. With style, strengths are those of systems whose texts
    /// have the same style, and there are win rates of both kinds.
    /// ```
    /// use tribunal_stats::{BoardSettings, Leaderboard, Outcome, STYLES};
    ///
    /// let names = ["a".to_owned(), "b".to_owned()];
    /// let outcome = |group: usize| Outcome {
    ///     systems: [0, 1],
    ///     group,
    ///     label: Some(if group % 4 == 0 { 0.0 } else { 1.0 }),
    ///     predicted: None,
    ///     drawn: None,
    ///     style: [0.0; STYLES],
    /// };
    /// let outcomes: Vec<Outcome> = (0..100).map(outcome).collect();
    /// let board = Leaderboard::new(&names, &outcomes, &BoardSettings { has_style: false, pool_pairs: 100 });
    /// assert_eq!(board.systems[0].name, "a");
    /// assert!((board.systems[0].win_rate.value - 0.75).abs() < 1e-12);
    /// ```
    pub fn new(names: &[String], outcomes: &[Outcome], settings: &BoardSettings) -> Self {
        let rows = Rows::new(outcomes);
        let is_seen: IndexSet<usize> = rows.cells.keys().flatten().copied().collect();
        let seen: Vec<usize> = (0..names.len()).filter(|system| is_seen.contains(system)).collect();
        let components = components(names.len(), rows.cells.keys().copied());
        let mut members: IndexMap<usize, Vec<usize>> = IndexMap::new();
        seen.iter().for_each(|&system| members.entry(components[system]).or_default().push(system));
        let strengths = rows.strengths(names.len(), settings.has_style);
        let rates: Vec<Option<PoweredMean>> = (0..names.len()).map(|system| rows.win_rate(system)).collect();
        let labelled_groups = rows.labelled_groups();
        let growing = if labelled_groups > 0 { labelled_groups } else { rows.groups.len() };
        let every_two = members.values().map(|members| members.len() * (members.len() - 1) / 2).sum::<usize>();
        let is_by_strength = settings.has_style || rows.cells.len() < every_two;
        let mut board = Self {
            pairs: rows.outcomes.len(),
            labels: rows.outcomes.iter().filter(|outcome| outcome.label.is_some()).count(),
            groups: rows.groups.len(),
            labelled_groups,
            pool_pairs: settings.pool_pairs.max(rows.outcomes.len()),
            is_by_strength,
            systems: Vec::new(),
            differences: Vec::new(),
            style: None,
            added_ties: strengths.added_ties,
            has_prior: strengths.has_prior,
            power: Vec::new(),
            budget: None,
            worth: rows.worth(&seen, &rates),
        };
        let lambda = rows.mean().map(|mean| mean.lambda);
        let counted = if board.labels > 0 { board.labels } else { board.pairs };
        let most_growth = board.pool_pairs as f64 / counted.max(1) as f64;
        let has_style = settings.has_style;
        let fitted = Fitted { names, rows, strengths, rates, lambda, growing, most_growth, has_style, is_by_strength };
        board.style = settings.has_style.then(|| fitted.style());
        let mut parts: Vec<Parts> = Vec::new();
        for (number, members) in (1..).zip(members.values()) {
            let sorted = fitted.sorted(members);
            let differences = fitted.differences(&sorted, &mut parts);
            board.systems.extend(fitted.ranked(number, &sorted, &differences));
            board.differences.extend(differences);
        }
        board.power = power(&parts, growing);
        let first = board.systems.first().and_then(|first| names.iter().position(|name| *name == first.name));
        let rate = first.and_then(|first| fitted.rates[first].as_ref());
        board.budget = rate.and_then(|rate| rate.budget(MORE_LABELS, board.labels, board.pool_pairs));
        board
    }

    /// Two systems by their places among all, and whether they stand in this order; `None` for those of two components.
    pub fn two(&self, one: usize, other: usize) -> Option<(&TwoSystems, bool)> {
        let [low, high] = [one.min(other), one.max(other)];
        let component = self.systems[low].component;
        if low == high || self.systems[high].component != component {
            return None;
        }
        let size = |component: usize| self.systems.iter().filter(|system| system.component == component).count();
        let before: usize = (1..component).map(|component| size(component) * (size(component) - 1) / 2).sum();
        let first = self.systems.iter().position(|system| system.component == component)?;
        let at = before + place_of_two(size(component), low - first, high - first);
        self.differences.get(at).map(|two| (two, one < other))
    }
}

/// The cluster of each of so many sorted systems, as in WMT's rankings by people (Koehn 2012, "Simulating Human Judgment in
/// Machine Translation Evaluation Campaigns"): one ends where all systems so far are clearly better than all others.
fn clusters(systems: usize, is_clear: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let (mut number, mut last) = (1, 0);
    let mut cluster = |place: usize| {
        number += usize::from(place > last);
        last =
            (place..systems).rev().find(|&other| other == place || !is_clear(place, other)).unwrap_or(place).max(last);
        number
    };
    (0..systems).map(&mut cluster).collect()
}

fn logit(share: f64) -> f64 {
    (share / (1.0 - share)).ln()
}

/// The place of two members of a component among every two of them.
fn place_of_two(members: usize, one: usize, other: usize) -> usize {
    one * (2 * members - one - 1) / 2 + other - one - 1
}

impl Fitted<'_> {
    /// The degrees of freedom of the covariance of strengths, which the groups have.
    fn degrees(&self) -> f64 {
        self.growing.saturating_sub(1).max(1) as f64
    }

    /// The number of standard errors of half an interval of log-strengths.
    fn quantile(&self) -> f64 {
        student_quantile(LEVEL, self.degrees())
    }

    /// The weights of style.
    fn style(&self) -> [Estimate; STYLES] {
        std::array::from_fn(|style| {
            let (value, error) = (self.strengths.style[style], self.quantile() * self.strengths.error_of_style(style));
            Estimate { value, low: value - error, high: value + error }
        })
    }

    /// The log-strength of a system in units below which there is no difference.
    fn goodness(&self, system: usize) -> f64 {
        (self.strengths.log[system] / TIE).round()
    }

    /// The members of a component from the strongest to the weakest.
    fn sorted(&self, members: &[usize]) -> Vec<usize> {
        let goodness: Vec<f64> = members.iter().map(|&system| self.goodness(system)).collect();
        order(&goodness).into_iter().map(|at| members[at]).collect()
    }

    /// The systems of a component, from the strongest to the weakest.
    fn ranked(&self, component: usize, sorted: &[usize], differences: &[TwoSystems]) -> Vec<RankedSystem> {
        let is_clear = |better: usize, worse: usize| differences[place_of_two(sorted.len(), better, worse)].is_clear;
        let clusters = clusters(sorted.len(), is_clear);
        let shared = ranks(&sorted.iter().map(|&system| self.goodness(system)).collect::<Vec<_>>());
        let row = |(place, (&system, cluster)): (usize, (&usize, usize))| {
            let of_system =
                || self.rows.of_system(system).flat_map(|rows| rows.iter().map(|&row| self.rows.outcomes[row]));
            let rate = self.rates[system].as_ref()?;
            let win_rate = rate.share();
            let better = (0..place).filter(|&better| is_clear(better, place)).count();
            let worse = (place + 1..sorted.len()).filter(|&worse| is_clear(place, worse)).count();
            Some(RankedSystem {
                name: self.names[system].clone(),
                component,
                cluster,
                rank: shared[place],
                ranks: [1 + better, sorted.len() - worse],
                pairs: of_system().count(),
                labels: of_system().filter(|outcome| outcome.label.is_some()).count(),
                strength: self.strength(system, rate, win_rate),
                controlled_win_rate: self.has_style.then(|| self.controlled(system)),
                win_rate,
                is_degenerate: rate.is_constant() && rate.least_agreement() <= 0.5,
            })
        };
        sorted.iter().zip(clusters).enumerate().filter_map(row).collect()
    }

    /// The systems that a system met.
    fn opponents(&self, system: usize) -> Vec<usize> {
        (0..self.names.len()).filter(|&other| !self.rows.cell(system, other).is_empty()).collect()
    }

    /// The win rate of a system against those that it met, at equal style.
    fn controlled(&self, system: usize) -> Estimate {
        let (value, error) = self.strengths.win_rate(system, &self.opponents(system));
        let distance = self.quantile() * error / (value * (1.0 - value));
        let share = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
        Estimate { value, low: share(logit(value) - distance), high: share(logit(value) + distance) }
    }

    /// The difference of two such win rates.
    fn controlled_difference(&self, systems: [usize; 2]) -> Estimate {
        let [of_one, of_other] = systems.map(|system| self.opponents(system));
        let (value, error) = self.strengths.difference_of_win_rates(systems, [&of_one, &of_other]);
        let distance = self.quantile() * error / (1.0 - value * value).max(f64::MIN_POSITIVE);
        let [low, high] = [value.atanh() - distance, value.atanh() + distance].map(f64::tanh);
        Estimate { value, low: low.min(value), high: high.max(value) }
    }

    /// The strength of a system. Each limit of its logarithm is as many standard errors away as that of the win rate is in
    /// log-odds, of which the log-strengths of two systems are the half; that is also assumed where nothing varies, and
    /// of the limit of a win rate of 0 or 1, whose own log-odds are infinite.
    fn strength(&self, system: usize, rate: &PoweredMean, win_rate: Estimate) -> Estimate {
        let (log, error) = (self.strengths.log[system], self.strengths.error(system));
        let error_of_odds = rate.variance().sqrt() / (rate.value * (1.0 - rate.value));
        let ratio = if rate.is_constant() { 0.5 } else { error / error_of_odds };
        let distance = |limit: f64| {
            let from = logit(rate.value);
            let by_odds =
                if from.is_finite() { ratio * (logit(limit) - from).abs() } else { (log - 0.5 * logit(limit)).abs() };
            if self.is_by_strength || !by_odds.is_finite() { self.quantile() * error } else { by_odds }
        };
        let [low, high] = [log - distance(win_rate.low), log + distance(win_rate.high)].map(f64::exp);
        Estimate { value: log.exp(), low, high }
    }

    /// Every two systems of a component; adds what the variances of the differences of their win rates consist of.
    fn differences(&self, sorted: &[usize], parts: &mut Vec<Parts>) -> Vec<TwoSystems> {
        let mut differences = Vec::with_capacity(sorted.len() * sorted.len().saturating_sub(1) / 2);
        for (place, &one) in sorted.iter().enumerate() {
            for &other in &sorted[place + 1..] {
                let (Some(rate), Some(of_other)) = (&self.rates[one], &self.rates[other]) else { continue };
                let difference = rate.difference(of_other);
                differences.push(self.two([one, other], &difference));
                parts.push(difference.parts());
            }
        }
        differences
    }

    fn two(&self, [one, other]: [usize; 2], difference: &PoweredMean) -> TwoSystems {
        let (estimate, cell) = (difference.estimate_within([-1.0, 1.0]), self.rows.cell(one, other));
        let is_tie = self.goodness(one) <= self.goodness(other);
        let (p_value, growth, is_clear) = if self.is_by_strength {
            let error = self.strengths.error_of_difference([one, other]);
            let z = if error > ROUNDING { (self.strengths.log[one] - self.strengths.log[other]) / error } else { 0.0 };
            let p_value = 2.0 * student_t(-z.abs(), self.degrees());
            (p_value, ((Z + Z_OF_POWER) / z).powi(2), p_value < LEVEL)
        } else {
            (difference.p_value(), difference.growth(), estimate.low > ROUNDING)
        };
        let is_enough = growth <= self.most_growth;
        let pool_shows = (self.most_growth > 1.0).then(|| difference.parts().detectable(self.most_growth));
        TwoSystems {
            one: self.names[one].clone(),
            other: self.names[other].clone(),
            pairs: cell.len(),
            wins: self.rows.head_to_head(one, cell, self.lambda),
            difference: estimate,
            controlled_difference: self.has_style.then(|| self.controlled_difference([one, other])),
            p_value,
            is_clear: is_clear && !is_tie,
            more_groups: is_enough.then(|| ((growth - 1.0).max(0.0) * self.growing as f64).ceil() as usize),
            pool_shows,
        }
    }
}

/// What so many groups show, and 2, 4, 8 and 16 times as many; nothing where no win rate varies.
fn power(differences: &[Parts], groups: usize) -> Vec<PowerPoint> {
    let point = |factor: usize| {
        let mut detectable: Vec<f64> =
            differences.iter().map(|difference| difference.detectable(factor as f64)).collect();
        detectable.sort_by(f64::total_cmp);
        let difference = *detectable.get(detectable.len() / 2)?;
        (difference > ROUNDING).then_some(PowerPoint { groups: factor * groups, difference })
    };
    [1, 2, 4, 8, 16].into_iter().filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn outcome(systems: [usize; 2], group: usize, label: f64) -> Outcome {
        Outcome { systems, group, label: Some(label), predicted: None, drawn: None, style: [0.0; STYLES] }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("s{number}")).collect()
    }

    fn board(systems: usize, outcomes: &[Outcome]) -> Leaderboard {
        Leaderboard::new(&names(systems), outcomes, &BoardSettings::default())
    }

    #[test]
    fn the_better_system_is_first_and_clearly_so() {
        // The second wins three of four.
        let outcomes: Vec<Outcome> = (0..200).map(|at| outcome([0, 1], at, f64::from(u8::from(at % 4 == 0)))).collect();
        let found = board(2, &outcomes);
        let [best, worst] = &found.systems[..] else { panic!("{found:?}") };
        assert_eq!((best.name.as_str(), best.rank, best.ranks, best.cluster), ("s1", 1, [1, 1], 1));
        assert_eq!((worst.rank, worst.ranks, worst.cluster), (2, [2, 2], 2));
        assert!((best.win_rate.value - 0.75).abs() < 1e-12 && (best.win_rate.low - 0.69).abs() < 0.01);
        assert!((best.strength.value - 3.0_f64.sqrt()).abs() < 1e-9);
        let two = &found.differences[0];
        assert_eq!((two.pairs, two.more_groups), (200, Some(0)));
        assert!(
            (two.wins.unwrap() - 0.75).abs() < 1e-12
                && (two.difference.value - 0.5).abs() < 1e-12
                && two.p_value < 1e-6,
            "{two:?}"
        );
    }

    #[test]
    fn a_cluster_ends_where_all_are_clearly_better_than_all_others() {
        // The second is clearly worse than the first, the third is not.
        assert_eq!(clusters(3, |one, other| (one, other) == (0, 1)), [1, 1, 1]);
        assert_eq!(clusters(4, |_, other| other > 1), [1, 1, 2, 3]);
        assert_eq!(clusters(3, |_, _| true), [1, 2, 3]);
        assert_eq!(clusters(0, |_, _| true), [0; 0]);
    }

    #[test]
    fn no_number_of_wins_is_certain() {
        let outcomes: Vec<Outcome> = (0..30).map(|at| outcome([0, 1], at, 1.0)).collect();
        let found = board(2, &outcomes);
        let [best, worst] = &found.systems[..] else { panic!("{found:?}") };
        assert!(best.win_rate.low < 0.9 && best.win_rate.high == 1.0, "{:?}", best.win_rate);
        assert!(worst.win_rate.low == 0.0 && worst.win_rate.high > 0.1, "{:?}", worst.win_rate);
        assert!(found.power.is_empty(), "{:?}", found.power);
    }

    #[test]
    fn equal_systems_share_a_cluster_and_need_more_groups() {
        let outcomes: Vec<Outcome> = (0..50).map(|at| outcome([0, 1], at, [1.0, 0.0, 0.5][at % 3])).collect();
        let found = board(2, &outcomes);
        assert!(found.systems.iter().all(|system| system.cluster == 1 && system.ranks == [1, 2]), "{found:?}");
        assert_eq!(found.differences[0].more_groups, None);
    }

    #[test]
    fn components_are_ranked_apart() {
        let outcomes: Vec<Outcome> = (0..80)
            .map(|at| outcome(if at % 2 == 0 { [0, 1] } else { [3, 2] }, at, f64::from(u8::from(at % 16 < 10))))
            .collect();
        let found = board(5, &outcomes);
        let components: Vec<(&str, usize, usize)> =
            found.systems.iter().map(|system| (system.name.as_str(), system.component, system.rank)).collect();
        assert_eq!(components, [("s0", 1, 1), ("s1", 1, 2), ("s3", 2, 1), ("s2", 2, 2)]);
        assert_eq!(found.differences.len(), 2);
        assert!(found.systems.iter().all(|system| system.strength.value.is_finite()));
    }

    #[test]
    fn who_always_wins_stays_finite_and_is_told() {
        let outcomes: Vec<Outcome> = (0..30).map(|at| outcome([0, 1], at, 1.0)).collect();
        let found = board(2, &outcomes);
        assert!(found.added_ties == 1.0 && (found.systems[0].win_rate.value - 1.0).abs() < 1e-12, "{found:?}");
        assert!(found.systems[0].strength.high.is_finite());
    }

    #[test]
    fn predictions_narrow_intervals_and_do_not_move_them() {
        // Good predictions of 1,000 pairs, of which 100 are labelled.
        let truth = |at: usize| f64::from(u8::from(at * 7 % 10 < 6));
        let predicted = |at: usize| if at % 10 == 3 { 1.0 - truth(at) } else { truth(at) };
        let seen = |at: usize| Outcome {
            label: (at % 10 == at / 10 % 10).then(|| truth(at)),
            predicted: Some(predicted(at)),
            ..outcome([0, 1], at, 0.0)
        };
        let outcomes: Vec<Outcome> = (0..1000).map(seen).collect();
        let alone: Vec<Outcome> = outcomes.iter().map(|it| Outcome { predicted: None, ..*it }).collect();
        let width = |found: &Leaderboard| found.systems[0].win_rate.high - found.systems[0].win_rate.low;
        let (both, alone) = (board(2, &outcomes), board(2, &alone));
        assert!(width(&both) < 0.75 * width(&alone), "{} {}", width(&both), width(&alone));
        assert!((both.systems[0].win_rate.value - 0.6).abs() < 0.05, "{both:?}");
        let worth = both.worth.unwrap();
        assert!(worth.labels > 170.0 && worth.correlation > 0.7 && !worth.is_selective, "{worth:?}");
        assert_eq!((both.labels, both.pairs, alone.worth), (100, 1000, None));
        // The strength tells the same: its odds are those of the win rate.
        let odds = both.systems[0].strength.value / both.systems[1].strength.value;
        assert!((odds / (1.0 + odds) - 0.6).abs() < 0.06, "{odds}");
    }

    #[test]
    fn selected_labels_are_noticed() {
        let seen = |at: usize| {
            let predicted = if at < 300 { 0.5 + 0.01 * (at % 5) as f64 } else { 0.9 };
            Outcome { predicted: Some(predicted), label: (at < 200).then_some(1.0), ..outcome([0, 1], at, 0.0) }
        };
        let outcomes: Vec<Outcome> = (0..600).map(seen).collect();
        assert!(board(2, &outcomes).worth.unwrap().is_selective);
    }

    /// Three systems of which one writes longer texts, which raters like: its win rate at equal length.
    #[test]
    fn win_rates_at_equal_style_hold_the_truth() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let names = ["a", "b", "c"].map(str::to_owned);
        let (log, longer, weight) = ([0.5, 0.0, -0.5], [0.0, 0.0, 1.0], 1.2);
        let share = |x: f64| 1.0 / (1.0 + (-x).exp());
        let rate =
            |one: usize, others: [usize; 2]| others.map(|other| share(log[one] - log[other])).iter().sum::<f64>() / 2.0;
        let truth = rate(2, [0, 1]);
        let difference = rate(0, [1, 2]) - truth;
        let (mut held, mut of_difference, mut raw) = (0, 0, 0.0);
        for _ in 0..1000 {
            let outcome = |at: usize| {
                let systems = [[0, 1], [0, 2], [2, 1]][at % 3];
                let noise = random.random_range(-1.0..1.0);
                let style = longer[systems[0]] - longer[systems[1]] + noise;
                let wins = random.random_bool(share(log[systems[0]] - log[systems[1]] + weight * style));
                let label = Some(f64::from(u8::from(wins)));
                Outcome { systems, group: at / 3, label, predicted: None, drawn: None, style: [style, 0.0, 0.0] }
            };
            let outcomes: Vec<Outcome> = (0..240).map(outcome).collect();
            let board = Leaderboard::new(&names, &outcomes, &BoardSettings { has_style: true, pool_pairs: 240 });
            let found = board.systems.iter().find(|system| system.name == "c").unwrap();
            let rate = found.controlled_win_rate.unwrap();
            held += usize::from(rate.low <= truth && truth <= rate.high);
            raw += found.win_rate.value / 1000.0;
            let place = |name: &str| board.systems.iter().position(|system| system.name == name).unwrap();
            let (two, is_first) = board.two(place("a"), place("c")).unwrap();
            let Estimate { low, high, .. } = two.controlled_difference.unwrap();
            let [low, high] = if is_first { [low, high] } else { [-high, -low] };
            of_difference += usize::from(low <= difference && difference <= high);
        }
        assert!((930..=990).contains(&held) && raw > truth + 0.1, "{held} of 1000; {raw} {truth}");
        assert!((930..=990).contains(&of_difference), "{of_difference} of 1000");
    }
}
