//! What several annotators said of the same pairs.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::identity::{Order, PairIdentity};
use super::{Pair, Verdict};
use crate::evaluation::{Agreement, AnnotatedItem, Annotations, Groups};

/// The labels of annotators with names, and how many labels are left out, of annotators who had labelled the same pair
/// before: their first label counts. Labels are votes on each pair, or one row for each judgment, whichever hypothesis
/// comes first. `None` unless a pair has labels of two annotators.
pub fn annotations(pairs: &[&Pair], labels: &[Verdict], groups: &Groups) -> Option<(Annotations, usize)> {
    let mut names: IndexSet<&str> = IndexSet::new();
    let mut items: IndexMap<(u128, usize, Option<usize>), AnnotatedItem> = IndexMap::new();
    let mut repeated = 0;
    for (row, (pair, &label)) in pairs.iter().zip(labels).enumerate() {
        let votes = named_votes(pair, label);
        if votes.is_empty() {
            continue;
        }
        let (identity, group) = (PairIdentity::new(pair), groups.of_row[row]);
        // A row with the votes of all is one item, even if another row has the same texts.
        let alone = (!pair.votes.is_empty()).then_some(row);
        let item = items.entry((identity.key(), group, alone)).or_insert_with(|| AnnotatedItem {
            row,
            group,
            labels: Vec::new(),
        });
        let is_swapped = identity.order_in(PairIdentity::new(pairs[item.row])) == Some(Order::Exchanged);
        for (name, label) in votes {
            let annotator = names.insert_full(name).0;
            if item.labels.iter().any(|&(known, _)| known == annotator) {
                repeated += 1;
            } else {
                item.labels.push((annotator, if is_swapped { label.swapped() } else { label }));
            }
        }
    }
    let names = names.into_iter().map(str::to_owned).collect();
    Some((Annotations::new(names, items.into_values().collect())?, repeated))
}

/// The votes on a pair of annotators with names: a label that several annotators share is no vote of one of them.
fn named_votes(pair: &Pair, label: Verdict) -> Vec<(&str, Verdict)> {
    match pair.annotators.as_slice() {
        _ if !pair.votes.is_empty() => {
            pair.votes.iter().filter_map(|vote| Some((&*vote.annotator, vote.label?))).collect()
        }
        [alone] => vec![(alone, label)],
        _ => Vec::new(),
    }
}

/// How often judgments of the same hypotheses and references by different annotators agree, whichever hypothesis comes
/// first. Only judgments with the name of one annotator count: without names it is unknown whether two persons judged, and
/// a label that several persons share is nobody's own. Judgments of different segments (column `group`) do not belong
/// together, even if their texts are equal, and nobody chooses between two equal hypotheses. `None` where nothing was
/// judged twice.
pub fn agreement<'a>(judged: impl Iterator<Item = (&'a Pair, Verdict)>) -> Option<Agreement> {
    let items: Vec<Vec<[usize; 3]>> =
        answers(judged).into_values().map(|annotators| annotators.into_values().collect()).collect();
    Agreement::new(items.iter().map(Vec::as_slice))
}

/// For every judgment, whether all annotators agree who judged the same hypotheses and references; `None` where it was one
/// annotator, or unknown who it was.
pub fn unanimous(pairs: &[&Pair], labels: &[Verdict]) -> Vec<Option<bool>> {
    let answers = answers(pairs.iter().copied().zip(labels.iter().copied()));
    let of_pair = |pair: &&Pair| {
        let annotators = answers
            .get(&question(pair, Verdict::Tie).0)
            .filter(|_| pair.annotators.len() == 1 || !pair.votes.is_empty())?;
        let is_given = |label: usize| annotators.values().any(|counts| counts[label] > 0);
        (annotators.len() > 1).then(|| (0..3).filter(|&label| is_given(label)).count() == 1)
    };
    pairs.iter().map(of_pair).collect()
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

/// How often each annotator gave each verdict on each question.
fn answers<'a>(
    judged: impl Iterator<Item = (&'a Pair, Verdict)>,
) -> FxHashMap<Question<'a>, FxHashMap<&'a str, [usize; 3]>> {
    let mut answers: FxHashMap<Question<'_>, FxHashMap<&str, [usize; 3]>> = FxHashMap::default();
    for (pair, label) in judged {
        if pair.hypotheses[0] == pair.hypotheses[1] {
            continue;
        }
        for (annotator, label) in named_votes(pair, label) {
            let (question, label) = question(pair, label);
            answers.entry(question).or_default().entry(annotator).or_default()[label.index()] += 1;
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::grouping;
    use Verdict::{First, Second, Tie};

    #[test]
    fn rows_of_one_annotator_each_are_items_too() {
        let pair =
            |line: &str, name: &str| Pair { annotators: vec![name.into()], ..Pair::parse(line, "x", 1).unwrap() };
        let pairs = [pair("a ||| b ||| r", "ann"), pair("b ||| a ||| r", "bob"), pair("c ||| d ||| r", "ann")];
        let groups = grouping::groups(pairs.iter());
        let of = |labels: [Verdict; 3]| annotations(&pairs.each_ref(), &labels, &groups).unwrap().0;
        let equal = of([First, Second, Tie]);
        assert_eq!((equal.pairs(), equal.agreement().unwrap().value), (1, 1.0));
        assert_eq!(equal.human().unwrap().value, 1.0);
        assert_eq!(of([First, First, Tie]).agreement().unwrap().value, 0.0);
    }

    /// Pairs with the names of their judges, separated by semicolons.
    fn pairs(lines: &[(&str, &str, Verdict)]) -> (Vec<Pair>, Vec<Verdict>) {
        let judges = |names: &str| names.split_terminator(';').map(str::to_owned).collect();
        let pair = |line: &str, names| Pair { annotators: judges(names), ..Pair::parse(line, "x", 1).unwrap() };
        lines.iter().map(|&(line, names, label)| (pair(line, names), label)).unzip()
    }

    fn agreement_of(lines: &[(&str, &str, Verdict)]) -> Option<Agreement> {
        let (pairs, labels) = pairs(lines);
        agreement(pairs.iter().zip(labels))
    }

    #[test]
    fn every_two_people_agree_or_do_not() {
        let same = [("a ||| b ||| r", "ann", First), ("b ||| a ||| r", "bob", Second), ("c ||| d ||| r", "ann", Tie)];
        assert_eq!(agreement_of(&same), Some(Agreement { pairs: 1, judgments: 2, share: 1.0 }));
        let three = [("ann", First), ("bob", First), ("eve", Tie)].map(|(name, label)| ("a ||| b ||| r", name, label));
        assert_eq!(agreement_of(&three).map(|found| found.share), Some(1.0 / 3.0));
        // Ann agrees with herself; each of her two judgments disagrees with Bob's.
        let repeated =
            [("ann", First), ("ann", First), ("bob", Tie)].map(|(name, label)| ("a ||| b ||| r", name, label));
        assert_eq!(agreement_of(&repeated), Some(Agreement { pairs: 1, judgments: 3, share: 0.0 }));
        assert_eq!(agreement_of(&[("a ||| b ||| r", "ann", First), ("a ||| b ||| s", "bob", First)]), None);
    }

    #[test]
    fn equal_texts_of_different_segments_are_different_questions() {
        let (mut both, labels) = pairs(&[("a ||| b ||| r", "ann", First), ("a ||| b ||| r", "bob", First)]);
        assert!(agreement(both.iter().zip(labels.clone())).is_some());
        both[0].group = Some("1".to_owned());
        assert_eq!(agreement(both.iter().zip(labels)), None);
        assert_eq!(agreement_of(&["ann", "bob"].map(|name| ("a ||| a ||| r", name, Tie))), None);
    }

    #[test]
    fn only_different_people_with_names_agree() {
        for names in [["", ""], ["ann", "ann"], ["ann;bob", "eve"], ["", "ann"]] {
            let lines = names.map(|names| ("a ||| b ||| r", names, First));
            let (pairs, labels) = pairs(&lines);
            assert_eq!(agreement_of(&lines), None, "{names:?}");
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
