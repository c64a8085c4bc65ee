//! Labels of several annotators of one pair, and its majority label.

use std::sync::Arc;

use super::answers::LabelNames;
use super::winner::{Label, SCALES, Winner, winner};
use crate::error::{Error, Result, quoted};
use crate::judgments::{Pair, Scale, Verdict, Vote, majority};
use crate::options::{OptionSpec, Options, Value, any_text};
use indexmap::IndexMap;

/// The annotators whose labels stand beside the pairs.
pub const ANNOTATORS: OptionSpec = OptionSpec {
    name: "annotators",
    value: Value::Many { placeholder: "NAME", default: None, check: any_text },
    help: "Labels of annotators: columns, or files with a label per line; that of the majority counts",
};

/// Whether all judgments of a pair are merged into one.
pub const MERGE: OptionSpec =
    OptionSpec::switch("merge", "Merge the rows of each pair, in all files: one vote for each annotator, one label");

/// The same for files of single judgments, of which [`BY_SHARE`] decides.
pub(crate) const MERGE_BY_SHARE: OptionSpec = OptionSpec::switch(
    "merge",
    "Merge the judgments of each pair: the majority label, weighted by the majority's share",
);

/// Only pairs with a majority label, each weighted by its share.
pub(crate) const BY_SHARE: MajorityRule = MajorityRule { drop_undecided: true, weights: true };

/// What is made of a pair without a majority label.
pub const NO_MAJORITY: OptionSpec = OptionSpec {
    name: "no-majority",
    value: Value::One { placeholder: "RULE", default: Some("tie"), check: check_rule },
    help: "Pairs with no majority: tie or drop",
};

/// Whether pairs weigh as much as their majority is large.
pub const MAJORITY_WEIGHTS: OptionSpec =
    OptionSpec::switch("majority-weights", "Weight each pair by its majority's share");

fn check_rule(text: &str) -> std::result::Result<(), String> {
    if ["tie", "drop"].contains(&text) { Ok(()) } else { Err("the rule is tie or drop".to_owned()) }
}

/// How the label of a pair follows from several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MajorityRule {
    /// Whether pairs without a majority label are dropped; they are ties otherwise.
    pub(crate) drop_undecided: bool,
    /// Whether the weight is the majority's share.
    pub(crate) weights: bool,
}

impl MajorityRule {
    /// The rule that the options give.
    ///
    /// # Errors
    /// They give one where no pair has several labels.
    pub(crate) fn from_options(options: &Options) -> Result<Self> {
        let rule = Self {
            drop_undecided: options.text(&NO_MAJORITY) == Some("drop"),
            weights: options.is_given(&MAJORITY_WEIGHTS),
        };
        let has_votes = options.is_given(&MERGE) || options.is_given(&ANNOTATORS);
        if !has_votes && (rule.drop_undecided || rule.weights) {
            let unused = if rule.weights { MAJORITY_WEIGHTS } else { NO_MAJORITY };
            let advice = "name the annotators with `annotators`, or add `merge`; otherwise it has no effect";
            return Err(Error::invalid(unused.argument(), "several labels of a pair", "one", advice));
        }
        Ok(rule)
    }

    /// Gives a pair the majority label of its votes. Without a majority it is a tie.
    pub(crate) fn decide(self, pair: &mut Pair) {
        self.decide_by(count(&pair.votes), pair);
    }

    /// As [`Self::decide`], where each label was given so often.
    pub(crate) fn decide_by(self, counts: [usize; 3], pair: &mut Pair) {
        let all: usize = counts.iter().sum();
        pair.label = (all > 0).then(|| majority(counts).unwrap_or(Verdict::Tie));
        if self.weights
            && let Some(label) = pair.label
        {
            pair.weight = Some(counts[label.index()].max(1) as f64 / all as f64);
        }
    }

    /// Whether a pair with these votes is dropped.
    pub(crate) fn drops(self, counts: [usize; 3]) -> bool {
        self.drop_undecided && counts != [0; 3] && majority(counts).is_none()
    }
}

/// How a column says labels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelForm {
    /// The scale of its numbers.
    pub(crate) scale: Scale,
    /// Whether it names winners. Another one has no words, and no number but 1, 0 and -1 unless it has fractions.
    pub(crate) is_of_winners: bool,
}

/// The label that a text stands for: one of the user's names, or else a word or a number of the column's form.
///
/// # Errors
/// It is none, or a number that does not fit the scale.
pub(crate) fn read_label(
    text: &str,
    names: &LabelNames,
    LabelForm { scale, is_of_winners }: LabelForm,
    place: &str,
) -> Result<Label> {
    let is_read = |winner: &Winner| match winner {
        Winner::Word(_) => is_of_winners,
        Winner::Number(_) => is_of_winners || scale != Scale::Words,
    };
    let Some(winner) = winner(text).filter(|winner| names.are_default() && is_read(winner)) else {
        return names.read(text, place).map(Label::from);
    };
    Label::on(scale, winner).ok_or_else(|| {
        let expected = match scale {
            Scale::Words => "a label 1, 0 or -1, or a word such as A, B or tie, as in the other rows".to_owned(),
            _ => format!("{scale}, as in the other rows"),
        };
        Error::invalid(place, expected, quoted(text.trim()), SCALES)
    })
}

/// How often each label was given.
pub(crate) fn count(votes: &[Vote]) -> [usize; 3] {
    let mut counts = [0; 3];
    votes.iter().filter_map(|vote| vote.label).for_each(|label| counts[label.index()] += 1);
    counts
}

/// The labels of one pair, in which each annotator has one vote.
#[derive(Debug, Default)]
pub(crate) struct Ballot {
    /// How often the annotators, or those who gave a label together, gave each label.
    named: IndexMap<Vec<String>, [usize; 3]>,
    /// Labels of which nobody knows who gave them: a vote each.
    unnamed: [usize; 3],
    /// The share of the first hypothesis in each row, with those who gave it.
    shares: Vec<(Vec<String>, f64)>,
    /// Whether a row has a preference with a fraction.
    has_fractions: bool,
}

impl Ballot {
    /// Adds the label of a pair, or its votes.
    pub(crate) fn add(&mut self, pair: &Pair) {
        self.has_fractions |= pair.preference.is_some();
        self.shares.extend(pair.share_of_first().map(|share| (pair.annotators.clone(), share)));
        if pair.votes.is_empty() {
            pair.label.into_iter().for_each(|label| self.add_label(pair.annotators.clone(), label));
        }
        for vote in &pair.votes {
            vote.label.into_iter().for_each(|label| self.add_label(vec![vote.annotator.to_string()], label));
        }
    }

    fn add_label(&mut self, mut annotators: Vec<String>, label: Verdict) {
        annotators.sort_unstable();
        let is_known = !annotators.is_empty();
        let counts = if is_known { self.named.entry(annotators).or_default() } else { &mut self.unnamed };
        counts[label.index()] += 1;
    }

    /// The mean preference of those who voted, each of whom counts once; `None` where none has a fraction.
    pub(crate) fn preference(&self) -> Option<f64> {
        if !self.has_fractions {
            return None;
        }
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
        let mut named: IndexMap<&[String], Vec<f64>> = IndexMap::new();
        let mut means = Vec::new();
        for (names, share) in &self.shares {
            match names.is_empty() {
                true => means.push(*share),
                false => named.entry(names).or_default().push(*share),
            }
        }
        means.extend(named.values().map(|shares| mean(shares)));
        Some(mean(&means))
    }

    /// Each vote: the label that an annotator gave most often, or else a tie.
    fn named_votes(&self) -> impl Iterator<Item = (&[String], Verdict)> {
        self.named.iter().map(|(names, counts)| (names.as_slice(), majority(*counts).unwrap_or(Verdict::Tie)))
    }

    /// How many votes each label has.
    pub(crate) fn counts(&self) -> [usize; 3] {
        let mut counts = self.unnamed;
        self.named_votes().for_each(|(_, label)| counts[label.index()] += 1);
        counts
    }

    /// The votes of single annotators.
    pub(crate) fn votes(&self) -> Vec<Vote> {
        let vote = |(names, label): (&[String], Verdict)| match names {
            [alone] => Some(Vote { annotator: Arc::from(alone.as_str()), label: Some(label) }),
            _ => None,
        };
        self.named_votes().filter_map(vote).collect()
    }

    /// All annotators, in alphabetical order.
    pub(crate) fn annotators(&self) -> Vec<String> {
        let mut names: Vec<String> = self.named.keys().flatten().cloned().collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// How many labels an annotator gave beyond the first.
    pub(crate) fn repeated(&self) -> usize {
        self.named.values().map(|counts| counts.iter().sum::<usize>() - 1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_annotator_has_one_vote() {
        let mut ballot = Ballot::default();
        let labelled = |annotator: &str, label: Verdict| Pair {
            label: Some(label),
            annotators: if annotator.is_empty() { Vec::new() } else { vec![annotator.to_owned()] },
            ..Pair::new(["a".into(), "b".into()], Vec::new())
        };
        for (annotator, label) in [("ann", Verdict::First), ("bob", Verdict::Second), ("eve", Verdict::Second)] {
            (0..3).for_each(|_| ballot.add(&labelled(annotator, label)));
        }
        ballot.add(&labelled("", Verdict::First));
        ballot.add(&labelled("ann", Verdict::Second));
        assert_eq!((ballot.counts(), ballot.repeated()), ([2, 0, 2], 7));
        [0; 3].iter().for_each(|_| ballot.add(&labelled("ann", Verdict::Second)));
        assert_eq!((ballot.counts(), ballot.annotators().join(";")), ([1, 0, 3], "ann;bob;eve".to_owned()));
    }
}
