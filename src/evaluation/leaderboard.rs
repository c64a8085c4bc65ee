//! A ranking of systems from comparisons of two at a time: win rates, strengths, ranks and clusters, with intervals.

mod rows;

use indexmap::IndexSet;
use serde::Serialize;

use super::Estimate;
use super::bradley_terry::STYLES;
use super::prediction_powered::{PoweredMean, ROUNDING};
use super::ranking::{clusters_of_sorted, order};
use rows::{Fits, Rows};

/// Nobody labels this many times as many groups.
const MAX_GROWTH: f64 = 1000.0;

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
    /// See [`Observation::drawn`](super::Observation::drawn).
    pub drawn: Option<f64>,
    /// See [`Contest::style`](super::Contest::style).
    pub style: [f64; STYLES],
}

/// Systems by their strengths.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leaderboard {
    /// The number of pairs with a label or a prediction.
    pub pairs: usize,
    /// The number of these that people labelled.
    pub labels: usize,
    /// The number of groups of pairs.
    pub groups: usize,
    /// The number of groups in which a pair is labelled.
    pub labelled_groups: usize,
    /// The systems, the strongest first; island by island, if there are several.
    pub systems: Vec<RankedSystem>,
    /// Every two systems of an island, in the order of [`Self::systems`].
    pub each_two: Vec<TwoSystems>,
    /// The logarithmic odds for a difference of one unit of style: of ln(1 + characters), of the share of lines that are
    /// items of lists, and of ln(1 + marks). Absent unless style is taken into account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<[Estimate; STYLES]>,
    /// How many ties were added to every two systems that met, as a system always wins or loses; 0 for none.
    pub added_ties: f64,
    /// What more groups would show.
    pub power: Vec<PowerPoint>,
    /// What predictions are worth; absent unless both labels and predictions are used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
}

/// A system in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankedSystem {
    /// Its name.
    pub name: String,
    /// Its island, from 1: systems of different islands never met, directly or through others.
    pub island: usize,
    /// Its cluster within the island, from 1: systems of one cluster are not clearly different.
    pub cluster: usize,
    /// Its rank within the island, from 1.
    pub rank: usize,
    /// The 95% interval of its rank, by bootstrap over groups.
    pub ranks: [usize; 2],
    /// The number of its pairs.
    pub pairs: usize,
    /// The number of its pairs that people labelled.
    pub labels: usize,
    /// The mean over the other systems that it met of the share of pairs that it wins, ties counting half, in [0, 1].
    pub win_rate: Estimate,
    /// Its Bradley-Terry strength, with a geometric mean of 1 over the island; interval by bootstrap over groups.
    pub strength: Estimate,
}

impl RankedSystem {
    /// Whether nothing varies and little is known: the interval of the win rate has no width, or reaches from 0 or 1
    /// beyond one half.
    pub fn is_degenerate(&self) -> bool {
        let Estimate { value, low, high } = self.win_rate;
        high - low < ROUNDING || (value < ROUNDING && high > 0.5) || (value > 1.0 - ROUNDING && low < 0.5)
    }
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
    /// Two-sided p-value of that difference, by a z-test.
    pub p_value: f64,
    /// How many more groups would have to be labelled, or predicted where none is labelled, to show a difference of this
    /// size with a power of 80%; 0 if these are enough, absent if not even a thousand times as many are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_groups: Option<usize>,
}

/// What a number of groups can show.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PowerPoint {
    /// The number of labelled groups, or of groups where none is labelled.
    pub groups: usize,
    /// The difference of win rates that they show with a power of 80% at a level of 5%, for half of all two systems.
    pub difference: f64,
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
    fits: Fits,
    /// The win rate of each system.
    rates: Vec<Option<PoweredMean>>,
    /// That of all outcomes.
    lambda: Option<f64>,
    /// The number of groups of which there can be more: the labelled ones, if there are any.
    growing: usize,
}

impl Leaderboard {
    /// Rounds of the bootstrap.
    pub const ROUNDS: usize = 1000;

    /// Ranks systems by the outcomes that have a label or a prediction. Where there are both, predictions of all pairs
    /// help the labels of a random part, see [`PoweredMean::of`]. With style, strengths are those of systems whose texts
    /// have the same style; win rates never are. `progress` is told how many rounds of the bootstrap are done.
    pub fn of(
        names: &[String],
        outcomes: &[Outcome],
        has_style: bool,
        seed: u64,
        progress: &(dyn Fn() + Sync),
    ) -> Self {
        let rows = Rows::of(outcomes);
        let is_seen = |system: &usize| rows.cells.keys().any(|two| two.contains(system));
        let seen: Vec<usize> = (0..names.len()).filter(is_seen).collect();
        let islands = rows.islands(names.len());
        let lambda = rows.mean().map(|mean| mean.lambda);
        let fits = rows.fits(names.len(), &islands, lambda.unwrap_or(0.0), has_style, seed, progress);
        let rates: Vec<Option<PoweredMean>> = (0..names.len()).map(|system| rows.win_rate(system)).collect();
        let mut board = Self {
            pairs: rows.outcomes.len(),
            labels: rows.outcomes.iter().filter(|outcome| outcome.label.is_some()).count(),
            groups: rows.groups.len(),
            labelled_groups: rows.labelled_groups(),
            systems: Vec::new(),
            each_two: Vec::new(),
            style: has_style.then(|| fits.of_style()),
            added_ties: fits.added_ties,
            power: Vec::new(),
            worth: rows.worth(&seen, &rates),
        };
        let growing = if board.labelled_groups > 0 { board.labelled_groups } else { board.groups };
        let fitted = Fitted { names, rows, fits, rates, lambda, growing };
        let mut differences: Vec<PoweredMean> = Vec::new();
        let numbers: IndexSet<usize> = seen.iter().map(|&system| islands[system]).collect();
        for (number, island) in (1..).zip(numbers) {
            let members: Vec<usize> = seen.iter().copied().filter(|&system| islands[system] == island).collect();
            let logs: Vec<f64> = members.iter().map(|&system| fitted.fits.log[system]).collect();
            let sorted: Vec<usize> = order(&logs).into_iter().map(|at| members[at]).collect();
            board.systems.extend(fitted.ranked(number, &sorted));
            for (two, difference) in fitted.each_two(&sorted) {
                board.each_two.push(two);
                differences.push(difference);
            }
        }
        board.power = power(&differences, growing);
        board
    }

    /// The pair of systems with these names, and whether they stand in this order.
    pub fn two(&self, one: &str, other: &str) -> Option<(&TwoSystems, bool)> {
        let is = |two: &&TwoSystems, one: &str, other: &str| two.one == one && two.other == other;
        let found = |one, other| self.each_two.iter().find(|two| is(two, one, other));
        found(one, other).map(|two| (two, true)).or_else(|| found(other, one).map(|two| (two, false)))
    }
}

impl Fitted<'_> {
    /// The systems of an island, from the strongest to the weakest.
    fn ranked(&self, island: usize, sorted: &[usize]) -> Vec<RankedSystem> {
        let is_worse = |place: usize, better: usize| self.fits.is_worse(sorted[place], sorted[better]);
        let clusters = clusters_of_sorted(sorted.len(), is_worse);
        let row = |(place, (&system, cluster)): (usize, (&usize, usize))| {
            let of_system =
                || self.rows.of_system(system).flat_map(|rows| rows.iter().map(|&row| self.rows.outcomes[row]));
            Some(RankedSystem {
                name: self.names[system].clone(),
                island,
                cluster,
                rank: place + 1,
                ranks: self.fits.ranks(system, sorted),
                pairs: of_system().count(),
                labels: of_system().filter(|outcome| outcome.label.is_some()).count(),
                win_rate: self.rates[system].as_ref()?.share(),
                strength: self.fits.strength(system),
            })
        };
        sorted.iter().zip(clusters).enumerate().filter_map(row).collect()
    }

    /// Every two systems of an island, with the difference of their win rates.
    fn each_two(&self, sorted: &[usize]) -> Vec<(TwoSystems, PoweredMean)> {
        let pairs = sorted
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| sorted[place + 1..].iter().map(move |&other| (one, other)));
        let row = |(one, other): (usize, usize)| {
            let difference = PoweredMean::sum([(1.0, self.rates[one].as_ref()?), (-1.0, self.rates[other].as_ref()?)]);
            let more = |factor: f64| ((factor - 1.0).max(0.0) * self.growing as f64).ceil() as usize;
            let cell = self.rows.cell(one, other);
            let two = TwoSystems {
                one: self.names[one].clone(),
                other: self.names[other].clone(),
                pairs: cell.len(),
                wins: self.rows.head_to_head(one, cell, self.lambda),
                p_value: difference.p_value(),
                more_groups: Some(difference.growth(difference.value)).filter(|&factor| factor < MAX_GROWTH).map(more),
                difference: difference.estimate(),
            };
            Some((two, difference))
        };
        pairs.filter_map(row).collect()
    }
}

/// What so many groups show, and 2, 4, 8 and 16 times as many; nothing where no win rate varies.
fn power(differences: &[PoweredMean], groups: usize) -> Vec<PowerPoint> {
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
    use super::*;

    fn outcome(systems: [usize; 2], group: usize, label: f64) -> Outcome {
        Outcome { systems, group, label: Some(label), predicted: None, drawn: None, style: [0.0; STYLES] }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("s{number}")).collect()
    }

    fn board(systems: usize, outcomes: &[Outcome]) -> Leaderboard {
        Leaderboard::of(&names(systems), outcomes, false, 1, &|| ())
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
        let two = &found.each_two[0];
        assert_eq!((two.pairs, two.more_groups), (200, Some(0)));
        assert!(
            (two.wins.unwrap() - 0.75).abs() < 1e-12
                && (two.difference.value - 0.5).abs() < 1e-12
                && two.p_value < 1e-6,
            "{two:?}"
        );
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
        assert_eq!(found.each_two[0].more_groups, None);
    }

    #[test]
    fn islands_are_ranked_apart() {
        let outcomes: Vec<Outcome> = (0..80)
            .map(|at| outcome(if at % 2 == 0 { [0, 1] } else { [3, 2] }, at, f64::from(u8::from(at % 16 < 10))))
            .collect();
        let found = board(5, &outcomes);
        let islands: Vec<(&str, usize, usize)> =
            found.systems.iter().map(|system| (system.name.as_str(), system.island, system.rank)).collect();
        assert_eq!(islands, [("s0", 1, 1), ("s1", 1, 2), ("s3", 2, 1), ("s2", 2, 2)]);
        assert_eq!(found.each_two.len(), 2);
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
}
