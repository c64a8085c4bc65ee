//! Human-human agreement: a yardstick for accuracy.

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::judgments::{Pair, Verdict};

/// Agreement of people on pairs that were judged more than once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// The number of pairs with two or more judgments.
    pub pairs: usize,
    /// The number of their judgments.
    pub judgments: usize,
    /// The share of equal verdicts among all pairs of judgments of the same pair, pooled over pairs; in [0, 1].
    pub share: f64,
}

impl Agreement {
    /// Counts how often two judgments of the same hypotheses and references agree, whichever hypothesis comes first.
    /// `None` where nothing was judged twice.
    pub fn of<'a>(judged: impl Iterator<Item = (&'a Pair, Verdict)>) -> Option<Self> {
        let repeated: Vec<[usize; 3]> =
            answers(judged).into_values().filter(|counts| counts.iter().sum::<usize>() > 1).collect();
        let pairs = |count: usize| count * count.saturating_sub(1) / 2;
        let equal: usize = repeated.iter().flatten().map(|&count| pairs(count)).sum();
        let all: usize = repeated.iter().map(|counts| pairs(counts.iter().sum())).sum();
        let judgments = repeated.iter().flatten().sum();
        (all > 0).then(|| Self { pairs: repeated.len(), judgments, share: equal as f64 / all as f64 })
    }
}

/// For every judgment, whether all judgments of the same hypotheses and references agree; `None` where there is only
/// one.
pub fn unanimous(pairs: &[&Pair], labels: &[Verdict]) -> Vec<Option<bool>> {
    let answers = answers(pairs.iter().copied().zip(labels.iter().copied()));
    let of_pair = |pair: &&Pair| {
        let counts = answers.get(&question(pair, Verdict::Tie).0)?;
        (counts.iter().sum::<usize>() > 1).then(|| counts.iter().filter(|&&count| count > 0).count() == 1)
    };
    pairs.iter().map(of_pair).collect()
}

/// Both hypotheses in lexicographic order, and the references.
type Question<'a> = (&'a str, &'a str, &'a [String]);

/// The question in its canonical order, and the verdict for that order.
fn question(pair: &Pair, label: Verdict) -> (Question<'_>, Verdict) {
    let [first, second] = pair.hypotheses.each_ref().map(String::as_str);
    if first <= second {
        ((first, second, &pair.references), label)
    } else {
        ((second, first, &pair.references), label.swapped())
    }
}

/// How often each question got each verdict.
fn answers<'a>(judged: impl Iterator<Item = (&'a Pair, Verdict)>) -> FxHashMap<Question<'a>, [usize; 3]> {
    let mut answers: FxHashMap<Question<'_>, [usize; 3]> = FxHashMap::default();
    for (pair, label) in judged {
        let (question, label) = question(pair, label);
        answers.entry(question).or_default()[label.index()] += 1;
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(lines: &[(&str, Verdict)]) -> Option<Agreement> {
        let pairs: Vec<Pair> = lines.iter().map(|(line, _)| Pair::parse(line, "x", 1).unwrap()).collect();
        Agreement::of(pairs.iter().zip(lines).map(|(pair, line)| (pair, line.1)))
    }

    #[test]
    fn every_two_answers_to_one_question_agree_or_do_not() {
        let same =
            [("a ||| b ||| r", Verdict::First), ("b ||| a ||| r", Verdict::Second), ("c ||| d ||| r", Verdict::Tie)];
        assert_eq!(agreement(&same), Some(Agreement { pairs: 1, judgments: 2, share: 1.0 }));
        let three = [Verdict::First, Verdict::First, Verdict::Tie].map(|verdict| ("a ||| b ||| r", verdict));
        assert_eq!(agreement(&three).map(|found| found.share), Some(1.0 / 3.0));
        assert_eq!(agreement(&[("a ||| b ||| r", Verdict::First), ("a ||| b ||| s", Verdict::First)]), None);
    }

    #[test]
    fn judgments_are_unanimous_where_they_were_repeated_alike() {
        let lines = [
            ("a ||| b ||| r", Verdict::First),
            ("c ||| d ||| r", Verdict::Tie),
            ("b ||| a ||| r", Verdict::Second),
            ("e ||| f ||| r", Verdict::First),
            ("e ||| f ||| r", Verdict::Tie),
        ];
        let pairs: Vec<Pair> = lines.iter().map(|(line, _)| Pair::parse(line, "x", 1).unwrap()).collect();
        let found = unanimous(&pairs.iter().collect::<Vec<_>>(), &lines.map(|line| line.1));
        assert_eq!(found, [Some(true), None, Some(true), Some(false), Some(false)]);
    }
}
