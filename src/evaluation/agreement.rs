//! Human-human agreement: a yardstick for accuracy.

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::judgments::{Pair, Verdict};

/// Agreement of different people on the same pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// The number of pairs that several people judged.
    pub pairs: usize,
    /// The number of their judgments.
    pub judgments: usize,
    /// The share of equal verdicts among all pairs of judgments of the same pair by different people, pooled over pairs;
    /// in [0, 1].
    pub share: f64,
}

impl Agreement {
    /// Counts how often judgments of the same hypotheses and references by different people agree, whichever hypothesis
    /// comes first. Only judgments with the name of one person count: without names it is unknown whether two persons
    /// judged, and a label that several persons share is nobody's own. Judgments of different segments (column `group`)
    /// do not belong together, even if their texts are equal, and nobody chooses between two equal hypotheses. `None`
    /// where nothing was judged twice.
    pub fn new<'a>(judged: impl Iterator<Item = (&'a Pair, Verdict)>) -> Option<Self> {
        let (mut found, mut equal, mut all) = (Self { pairs: 0, judgments: 0, share: 0.0 }, 0, 0);
        for people in answers(judged).values().filter(|people| people.len() > 1) {
            let total = sum(people);
            found.pairs += 1;
            found.judgments += total.iter().sum::<usize>();
            // Two judgments of one person say nothing about two people.
            equal += equal_pairs(&total) - people.values().map(equal_pairs).sum::<usize>();
            all += pairs(total.iter().sum()) - people.values().map(|counts| pairs(counts.iter().sum())).sum::<usize>();
        }
        (all > 0).then(|| Self { share: equal as f64 / all as f64, ..found })
    }
}

/// For every judgment, whether all people agree who judged the same hypotheses and references; `None` where it was one
/// person, or unknown who it was.
pub fn unanimous(pairs: &[&Pair], labels: &[Verdict]) -> Vec<Option<bool>> {
    let answers = answers(pairs.iter().copied().zip(labels.iter().copied()));
    let of_pair = |pair: &&Pair| {
        let people = answers
            .get(&question(pair, Verdict::Tie).0)
            .filter(|_| pair.annotators.len() == 1 || !pair.votes.is_empty())?;
        (people.len() > 1).then(|| sum(people).iter().filter(|&&count| count > 0).count() == 1)
    };
    pairs.iter().map(of_pair).collect()
}

/// How often each person gave each verdict.
type ByPerson<'a> = FxHashMap<&'a str, [usize; 3]>;

fn sum(people: &ByPerson<'_>) -> [usize; 3] {
    people.values().fold([0; 3], |sum, counts| std::array::from_fn(|at| sum[at] + counts[at]))
}

fn pairs(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}

fn equal_pairs(counts: &[usize; 3]) -> usize {
    counts.iter().map(|&count| pairs(count)).sum()
}

/// The group, both hypotheses in lexicographic order, and the references.
type Question<'a> = (Option<&'a str>, [&'a str; 2], &'a [String]);

/// The question in its canonical order, and the verdict for that order.
fn question(pair: &Pair, label: Verdict) -> (Question<'_>, Verdict) {
    let [first, second] = pair.hypotheses.each_ref().map(String::as_str);
    let (hypotheses, label) =
        if first <= second { ([first, second], label) } else { ([second, first], label.swapped()) };
    ((pair.group.as_deref(), hypotheses, &pair.references), label)
}

/// How often each person gave each verdict on each question.
fn answers<'a>(judged: impl Iterator<Item = (&'a Pair, Verdict)>) -> FxHashMap<Question<'a>, ByPerson<'a>> {
    let mut answers: FxHashMap<Question<'_>, ByPerson<'_>> = FxHashMap::default();
    for (pair, label) in judged {
        if pair.hypotheses[0] == pair.hypotheses[1] {
            continue;
        }
        let votes: Vec<(&str, Verdict)> = match pair.annotators.as_slice() {
            _ if !pair.votes.is_empty() => {
                pair.votes.iter().filter_map(|vote| Some((&*vote.annotator, vote.label?))).collect()
            }
            [person] => vec![(person, label)],
            _ => continue,
        };
        for (person, label) in votes {
            let (question, label) = question(pair, label);
            answers.entry(question).or_default().entry(person).or_default()[label.index()] += 1;
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    /// Pairs with the names of their judges, separated by semicolons.
    fn pairs(lines: &[(&str, &str, Verdict)]) -> (Vec<Pair>, Vec<Verdict>) {
        let judges = |names: &str| names.split_terminator(';').map(str::to_owned).collect();
        let pair = |line: &str, names| Pair { annotators: judges(names), ..Pair::parse(line, "x", 1).unwrap() };
        lines.iter().map(|&(line, names, label)| (pair(line, names), label)).unzip()
    }

    fn agreement(lines: &[(&str, &str, Verdict)]) -> Option<Agreement> {
        let (pairs, labels) = pairs(lines);
        Agreement::new(pairs.iter().zip(labels))
    }

    #[test]
    fn every_two_people_agree_or_do_not() {
        let same = [("a ||| b ||| r", "ann", First), ("b ||| a ||| r", "bob", Second), ("c ||| d ||| r", "ann", Tie)];
        assert_eq!(agreement(&same), Some(Agreement { pairs: 1, judgments: 2, share: 1.0 }));
        let three = [("ann", First), ("bob", First), ("eve", Tie)].map(|(name, label)| ("a ||| b ||| r", name, label));
        assert_eq!(agreement(&three).map(|found| found.share), Some(1.0 / 3.0));
        // Ann agrees with herself; each of her two judgments disagrees with Bob's.
        let repeated =
            [("ann", First), ("ann", First), ("bob", Tie)].map(|(name, label)| ("a ||| b ||| r", name, label));
        assert_eq!(agreement(&repeated), Some(Agreement { pairs: 1, judgments: 3, share: 0.0 }));
        assert_eq!(agreement(&[("a ||| b ||| r", "ann", First), ("a ||| b ||| s", "bob", First)]), None);
    }

    #[test]
    fn equal_texts_of_different_segments_are_different_questions() {
        let (mut both, labels) = pairs(&[("a ||| b ||| r", "ann", First), ("a ||| b ||| r", "bob", First)]);
        assert!(Agreement::new(both.iter().zip(labels.clone())).is_some());
        both[0].group = Some("1".to_owned());
        assert_eq!(Agreement::new(both.iter().zip(labels)), None);
        assert_eq!(agreement(&["ann", "bob"].map(|name| ("a ||| a ||| r", name, Tie))), None);
    }

    #[test]
    fn only_different_people_with_names_agree() {
        for names in [["", ""], ["ann", "ann"], ["ann;bob", "eve"], ["", "ann"]] {
            let lines = names.map(|names| ("a ||| b ||| r", names, First));
            let (pairs, labels) = pairs(&lines);
            assert_eq!(agreement(&lines), None, "{names:?}");
            assert_eq!(unanimous(&pairs.iter().collect::<Vec<_>>(), &labels), [None, None], "{names:?}");
        }
    }

    #[test]
    fn judgments_are_unanimous_where_they_were_repeated_alike() {
        let (pairs, labels) = pairs(&[
            ("a ||| b ||| r", "ann", First),
            ("c ||| d ||| r", "ann", Tie),
            ("b ||| a ||| r", "bob", Second),
            ("e ||| f ||| r", "ann", First),
            ("e ||| f ||| r", "bob", Tie),
        ]);
        let found = unanimous(&pairs.iter().collect::<Vec<_>>(), &labels);
        assert_eq!(found, [Some(true), None, Some(true), Some(false), Some(false)]);
    }
}
