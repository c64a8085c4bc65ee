//! Several annotators of the same pairs: how well they agree, and who stands out.

use rustc_hash::FxHashMap;
use serde::Serialize;
use smallvec::SmallVec;

use super::Confusion;
use super::group_sums::{Estimate, GroupSums, beyond_chance, kappa, share};
use crate::{Verdict, majority};

/// Fewer common pairs say nothing about two annotators.
const MIN_COMMON: usize = 10;

/// The most annotators, and pairs of them, of which figures are computed.
const MAX_ROWS: usize = 50;

/// An annotator stands out by a difference of more than this many standard errors ...
const STANDARD_ERRORS: f64 = 3.0;

/// ... and of at least this share.
const MIN_DIFFERENCE: f64 = 0.05;

/// The labels of several annotators.
/// ```
/// use tribunal_stats::Verdict::{First, Second};
/// use tribunal_stats::{AnnotatedItem, Annotations};
///
/// let labels = [[First, First], [Second, Second], [First, Second]];
/// let items = labels.iter().enumerate().map(|(row, &[ann, bob])| AnnotatedItem {
///     row,
///     group: row,
///     labels: vec![(0, ann), (1, bob)],
/// });
/// let annotations = Annotations::new(vec!["ann".to_owned(), "bob".to_owned()], items.collect()).unwrap();
/// assert!((annotations.agreement().unwrap().value - 2.0 / 3.0).abs() < 1e-12);
/// // Krippendorff's alpha: of 6 labels 3 are for each hypothesis, so that 2 of 5 agree by chance.
/// assert!((annotations.alpha().unwrap().value - (2.0 / 3.0 - 0.4) / (1.0 - 0.4)).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotations {
    /// The annotators, in order of first occurrence.
    pub names: Vec<String>,
    /// The items that several of them labelled.
    items: Vec<AnnotatedItem>,
}

/// An item with its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedItem {
    /// Where it is among other items, such as the row of a table.
    pub row: usize,
    /// Its group: items of one group are not independent.
    pub group: usize,
    /// The position of each annotator among the names, and the label; one for each annotator.
    pub labels: Vec<(usize, Verdict)>,
}

/// The agreement of two annotators.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoAnnotators {
    /// The first annotator.
    pub one: String,
    /// The second annotator.
    pub other: String,
    /// The number of pairs that both judged.
    pub pairs: usize,
    /// The share of equal labels, in [0, 1].
    pub agreement: Estimate,
    /// Cohen's kappa, in [-1, 1]; `None` where both always give the same label.
    pub kappa: Option<Estimate>,
}

/// One annotator against the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotatorRow {
    /// The annotator.
    pub name: String,
    /// The number of pairs that the annotator and others judged.
    pub pairs: usize,
    /// The share of equal labels among all pairs of a label of theirs and one of another annotator's, in [0, 1].
    pub agreement: Estimate,
    /// The share of their labels that are ties.
    pub ties: Estimate,
    /// The share of their labels that prefer the first hypothesis.
    pub first: Estimate,
    /// How they differ from the others, by more than three standard errors and 5 points: in agreement, compared with that
    /// of the others among themselves; in ties; in preferring the first hypothesis.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stands_out: Vec<Deviation>,
}

/// A way in which an annotator differs from the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Deviation {
    /// In what.
    pub by: Aspect,
    /// The annotator's share.
    pub own: f64,
    /// That of the others.
    pub others: f64,
}

/// In what an annotator differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// Less agreement with the others than they have among themselves.
    Agreement,
    /// The share of ties.
    Ties,
    /// The share of preferences for the first hypothesis.
    First,
}

impl Annotations {
    /// The labels of the annotators with these names. `None` unless an item has labels of two of them.
    pub fn new(names: Vec<String>, mut items: Vec<AnnotatedItem>) -> Option<Self> {
        items.retain(|item| item.labels.len() > 1);
        (!items.is_empty()).then_some(Self { names, items })
    }

    /// The number of pairs that several annotators judged.
    pub fn pairs(&self) -> usize {
        self.items.len()
    }

    /// The number of labels of these pairs.
    pub fn judgments(&self) -> usize {
        self.items.iter().map(|item| item.labels.len()).sum()
    }

    /// The share of equal labels among all pairs of labels of the same pair, in [0, 1].
    pub fn agreement(&self) -> Option<Estimate> {
        let mut sums = GroupSums::<2>::default();
        for AnnotatedItem { group, labels, .. } in &self.items {
            for_each_two(labels, |one, other| {
                sums.add(*group, 0, f64::from(u8::from(one.1 == other.1)));
                sums.add(*group, 1, 1.0);
            });
        }
        sums.estimate(|[equal, all]| share(*equal, *all))
    }

    /// Krippendorff's alpha for nominal labels: 1 - D_o / D_e, with the observed disagreement D_o within pairs and that
    /// expected of all labels, D_e; at most 1, and 0 for chance. `None` where all labels are equal: both are then 0, and
    /// nothing shows that the annotators tell texts apart; evalica reports 1. Krippendorff 2019, "Content Analysis", 4th
    /// edition, section 12.3.
    pub fn alpha(&self) -> Option<Estimate> {
        // The coincidences of each label with itself, then all of them: a label of m in a pair counts 1/(m - 1) with each
        // of the others.
        let mut sums = GroupSums::<6>::default();
        for AnnotatedItem { group, labels, .. } in &self.items {
            let mut counts = [0.0; 3];
            labels.iter().for_each(|(_, label)| counts[label.index()] += 1.0);
            for (label, count) in counts.into_iter().enumerate() {
                sums.add(*group, label, count * (count - 1.0) / (labels.len() as f64 - 1.0));
                sums.add(*group, 3 + label, count);
            }
        }
        sums.estimate(|sums| {
            let (same, all) = sums.split_at(3);
            let total: f64 = all.iter().sum();
            let chance = all.iter().map(|count| count * (count - 1.0)).sum::<f64>() / (total * (total - 1.0));
            beyond_chance(same.iter().sum::<f64>() / total, chance, total)
        })
    }

    /// The agreement of every two annotators with at least 10 common pairs, in the order of the names; the 50 with the
    /// most common pairs.
    pub fn pairwise(&self) -> Vec<TwoAnnotators> {
        let mut counts: FxHashMap<(usize, usize), (GroupSums<9>, usize)> = FxHashMap::default();
        for AnnotatedItem { group, labels, .. } in &self.items {
            for_each_two(labels, |one, other| {
                let (one, other) = if one.0 < other.0 { (one, other) } else { (other, one) };
                let (sums, pairs) = counts.entry((one.0, other.0)).or_insert_with(|| (GroupSums::default(), 0));
                sums.add(*group, 3 * one.1.index() + other.1.index(), 1.0);
                *pairs += 1;
            });
        }
        let mut common: Vec<_> = counts.into_iter().filter(|(_, (_, pairs))| *pairs >= MIN_COMMON).collect();
        common.sort_unstable_by_key(|(two, (_, pairs))| (std::cmp::Reverse(*pairs), *two));
        common.truncate(MAX_ROWS);
        common.sort_unstable_by_key(|(two, _)| *two);
        let row = |((one, other), (sums, pairs)): ((usize, usize), (GroupSums<9>, usize))| {
            let agreement = sums.estimate(|counts| share(counts[0] + counts[4] + counts[8], counts.iter().sum()));
            let [one, other] = [one, other].map(|at| self.names[at].clone());
            Some(TwoAnnotators { one, other, pairs, agreement: agreement?, kappa: sums.estimate(kappa) })
        };
        common.into_iter().filter_map(row).collect()
    }

    /// Each annotator who judged at least 10 pairs with others, against these; the 50 with the most pairs.
    pub fn each(&self) -> Vec<AnnotatorRow> {
        let everybody: Vec<usize> = (0..self.names.len()).collect();
        let mut counted: Vec<(usize, usize)> =
            everybody.iter().map(|&who| (self.against(who, &everybody).0, who)).collect();
        counted.retain(|(pairs, _)| *pairs >= MIN_COMMON);
        counted.sort_by_key(|&(pairs, who)| (std::cmp::Reverse(pairs), who));
        counted.truncate(MAX_ROWS);
        let mut shown: Vec<usize> = counted.into_iter().map(|(_, who)| who).collect();
        shown.sort_unstable();
        let outstanding = self.outstanding(&shown);
        let row = |&who: &usize| {
            let (pairs, sums) = self.against(who, &everybody);
            let estimate = |part: usize, all: usize| sums.estimate(|sums| share(sums[part], sums[all]));
            Some(AnnotatorRow {
                name: self.names[who].clone(),
                pairs,
                agreement: estimate(0, 1)?,
                ties: estimate(2, 4)?,
                first: estimate(3, 4)?,
                stands_out: outstanding.get(&who).cloned().unwrap_or_default(),
            })
        };
        shown.iter().filter_map(row).collect()
    }

    /// The annotators who stand out, and how. The one who differs most is set aside before the others are compared:
    /// beside one who answers at random, everybody else seems to differ, too.
    fn outstanding(&self, among: &[usize]) -> FxHashMap<usize, Vec<Deviation>> {
        let (mut found, mut left) = (FxHashMap::default(), among.to_vec());
        loop {
            let deviations = |&who: &usize| (who, deviations(&self.against(who, &left).1));
            let largest = |(_, deviations): &(usize, Vec<(f64, Deviation)>)| {
                deviations.iter().map(|(errors, _)| *errors).fold(0.0, f64::max)
            };
            let most = left.iter().map(deviations).max_by(|one, other| largest(one).total_cmp(&largest(other)));
            let Some((who, deviations)) = most.filter(|(_, deviations)| !deviations.is_empty()) else { return found };
            found.insert(who, deviations.into_iter().map(|(_, deviation)| deviation).collect());
            left.retain(|&other| other != who);
        }
    }

    /// The number of pairs that an annotator and some of the others judged, and the sums over them: of the annotator and
    /// then of the others, equal labels, pairs of labels; ties, firsts, labels.
    fn against(&self, annotator: usize, others: &[usize]) -> (usize, GroupSums<10>) {
        let (mut sums, mut pairs) = (GroupSums::default(), 0);
        for AnnotatedItem { group, labels, .. } in &self.items {
            let is_counted = |who: usize| who == annotator || others.binary_search(&who).is_ok();
            let labels: SmallVec<[(usize, Verdict); 4]> =
                labels.iter().copied().filter(|&(who, _)| is_counted(who)).collect();
            if labels.len() < 2 || !labels.iter().any(|&(who, _)| who == annotator) {
                continue;
            }
            pairs += 1;
            for_each_two(&labels, |one, other| {
                let of = if one.0 == annotator || other.0 == annotator { 0 } else { 5 };
                sums.add(*group, of, f64::from(u8::from(one.1 == other.1)));
                sums.add(*group, of + 1, 1.0);
            });
            for &(who, label) in &labels {
                let of = if who == annotator { 0 } else { 5 };
                sums.add(*group, of + 2, f64::from(u8::from(label == Verdict::Tie)));
                sums.add(*group, of + 3, f64::from(u8::from(label == Verdict::First)));
                sums.add(*group, of + 4, 1.0);
            }
        }
        (pairs, sums)
    }

    /// The accuracy of one annotator against the majority of the others, in [0, 1]: the mean over pairs of the share of
    /// their annotators whose label is the majority's of the others, a tie where these have none. The ceiling of what a
    /// judge can reach.
    pub fn human(&self) -> Option<Estimate> {
        let mut sums = GroupSums::<2>::default();
        for AnnotatedItem { group, labels, .. } in &self.items {
            let mut counts = [0; 3];
            labels.iter().for_each(|(_, label)| counts[label.index()] += 1);
            let is_right = |label: Verdict| {
                let mut others = counts;
                others[label.index()] -= 1;
                majority(others).unwrap_or(Verdict::Tie) == label
            };
            let right = labels.iter().filter(|(_, label)| is_right(*label)).count();
            sums.add(*group, 0, right as f64 / labels.len() as f64);
            sums.add(*group, 1, 1.0);
        }
        sums.estimate(|[right, all]| share(*right, *all))
    }

    /// How often each label was given by one annotator, by the majority of the others.
    pub fn confusion(&self) -> Confusion {
        let mut confusion = Confusion::default();
        for AnnotatedItem { labels, .. } in &self.items {
            let mut counts = [0; 3];
            labels.iter().for_each(|(_, label)| counts[label.index()] += 1);
            for (_, label) in labels {
                let mut others = counts;
                others[label.index()] -= 1;
                let majority = majority(others).unwrap_or(Verdict::Tie);
                confusion.counts[majority.index()][label.index()] += 1;
            }
        }
        confusion
    }

    /// The labels of each pair that several annotators judged, by the first row of the pair.
    pub(super) fn by_row(&self) -> impl Iterator<Item = (usize, &[(usize, Verdict)])> {
        self.items.iter().map(|question| (question.row, question.labels.as_slice()))
    }
}

fn for_each_two<T: Copy>(all: &[T], mut act: impl FnMut(T, T)) {
    for (at, &one) in all.iter().enumerate() {
        all[at + 1..].iter().for_each(|&other| act(one, other));
    }
}

/// In what an annotator differs from the others, with the number of standard errors: by [`Annotations::against`]'s sums.
fn deviations(sums: &GroupSums<10>) -> Vec<(f64, Deviation)> {
    let deviation = |(by, part, all): (Aspect, usize, usize)| {
        let total = sums.total();
        let (own, others) = (share(total[part], total[all])?.value(), share(total[5 + part], total[5 + all])?.value());
        // By the contributions of whole groups to the difference of two ratios. Cochran 1977, "Sampling Techniques",
        // section 6.3.
        let contribution = |group: &[f64; 10]| {
            (group[part] - own * group[all]) / total[all] - (group[5 + part] - others * group[5 + all]) / total[5 + all]
        };
        let error = sums.groups().map(|group| contribution(group).powi(2)).sum::<f64>().sqrt();
        let difference = own - others;
        let is_worse = by != Aspect::Agreement || difference < 0.0;
        let errors = difference.abs() / error.max(f64::MIN_POSITIVE);
        let is_far = difference.abs() >= MIN_DIFFERENCE && errors > STANDARD_ERRORS;
        (is_worse && is_far).then_some((errors, Deviation { by, own, others }))
    };
    let aspects = [(Aspect::Agreement, 0, 1), (Aspect::Ties, 2, 4), (Aspect::First, 3, 4)];
    aspects.into_iter().filter_map(deviation).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Three annotators who give the true label with these probabilities, and any other label otherwise.
    fn planted(careful: [f64; 3], items: usize, seed: u64) -> Annotations {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let item = |row: usize| {
            let truth = Verdict::ALL[row % 3];
            let label = |(who, probability): (usize, f64)| {
                let is_careful = random.random_range(0.0..1.0) < probability;
                (who, if is_careful { truth } else { Verdict::ALL[random.random_range(0..3)] })
            };
            AnnotatedItem { row, group: row, labels: careful.into_iter().enumerate().map(label).collect() }
        };
        let names = ["ann", "bob", "eve"].map(str::to_owned).into();
        Annotations::new(names, (0..items).map(item).collect()).unwrap()
    }

    #[test]
    fn who_answers_at_random_stands_out_and_nobody_else() {
        for seed in 0..5 {
            let rows = planted([0.85, 0.0, 0.85], 200, seed).each();
            let out: Vec<&str> =
                rows.iter().filter(|row| !row.stands_out.is_empty()).map(|row| row.name.as_str()).collect();
            assert_eq!(out, ["bob"], "seed {seed}");
            assert!(rows[1].stands_out.iter().any(|deviation| deviation.by == Aspect::Agreement));
            assert!(planted([0.8; 3], 200, seed).each().iter().all(|row| row.stands_out.is_empty()), "seed {seed}");
        }
    }

    #[test]
    fn the_majority_of_the_others_decides() {
        let found = planted([1.0, 1.0, 0.0], 300, 7);
        // Ann and Bob are always right; without one of them Eve's label can leave the others without a majority.
        let human = found.human().unwrap();
        assert!(
            human.low <= human.value && human.value <= human.high && (0.3..0.8).contains(&human.value),
            "{human:?}"
        );
    }
}
