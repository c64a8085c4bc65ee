//! Labels of several annotators: a column for each, or a row for each judgment; and the majority label of a pair.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::answers::LabelNames;
use super::import::{ImportSummary, Importer};
use super::winner::{Label, Winner, winner};
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::table::{Column, Header, Row};
use crate::judgments::{Pair, Scale, Verdict, Vote, majority};
use crate::options::{OptionSpec, Options, Value, any_text};

/// The columns of labels, one per annotator.
pub const ANNOTATORS: OptionSpec = OptionSpec {
    name: "annotators",
    value: Value::Many { placeholder: "COLUMN", default: None, check: any_text },
    help: "Columns with the labels of one annotator each; the label of a pair is that of the majority",
};

/// Whether all judgments of a pair are merged into one.
pub const MERGE: OptionSpec =
    OptionSpec::switch("merge", "Merge the rows of each pair: one label, that of the majority");

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
    help: "Pairs without a majority label: tie or drop",
};

/// Whether pairs weigh as much as their majority is large.
pub const MAJORITY_WEIGHTS: OptionSpec =
    OptionSpec::switch("majority-weights", "Weight each pair by the majority's share of its labels");

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
    pub(crate) fn from_options(options: &Options) -> Self {
        Self {
            drop_undecided: options.text(&NO_MAJORITY) == Some("drop"),
            weights: options.is_given(&MAJORITY_WEIGHTS),
        }
    }

    /// Gives a pair the majority label of its judgments, how often each label was given; `None` if it is to be dropped.
    fn decide(self, mut pair: Pair, counts: [usize; 3]) -> Option<Pair> {
        let all: usize = counts.iter().sum();
        let label = match majority(counts) {
            None if self.drop_undecided && all > 0 => return None,
            None => (all > 0).then_some(Verdict::Tie),
            label => label,
        };
        pair.label = label;
        if self.weights
            && let Some(label) = label
        {
            pair.weight = Some(counts[label.index()].max(1) as f64 / all as f64);
        }
        Some(pair)
    }
}

/// The columns of annotators in a table of pairs.
pub(crate) struct VoteColumns {
    columns: Vec<(Arc<str>, Column)>,
    pub(crate) rule: MajorityRule,
}

impl VoteColumns {
    /// Finds the columns.
    ///
    /// # Errors
    /// A column is missing or named twice.
    pub(crate) fn find(header: &Header, options: &Options) -> Result<Self> {
        let names = options.texts(&ANNOTATORS);
        if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            let found = format!("{} twice", quoted(names[twice]));
            return Err(Error::invalid("`annotators`", "every column once", found, "name each annotator once"));
        }
        let columns = names.iter().map(|name| Ok((Arc::from(*name), header.require(name)?)));
        let (columns, rule) = (columns.collect::<Result<Vec<_>>>()?, MajorityRule::from_options(options));
        if columns.is_empty() && !options.is_given(&MERGE) && (rule.drop_undecided || rule.weights) {
            let unused = if rule.weights { MAJORITY_WEIGHTS } else { NO_MAJORITY };
            let advice = "name the columns with `annotators`, or add `merge`; otherwise it has no effect";
            return Err(Error::invalid(unused.argument(), "several labels of a pair", "one", advice));
        }
        Ok(Self { columns, rule })
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(_, column)| column.name())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The label of each annotator, and the mean of their preferences if these have fractions. A cell may hold an object
    /// of annotators and their labels, too.
    ///
    /// # Errors
    /// A cell holds no label.
    pub(crate) fn of(&self, row: &Row<'_>, names: &LabelNames, scale: Scale) -> Result<(Vec<Vote>, Option<f64>)> {
        let mut votes = Vec::with_capacity(self.columns.len());
        let mut preferences = Vec::new();
        let mut vote = |annotator: Arc<str>, label: Option<Label>| {
            preferences.extend(label.and_then(|label| label.preference));
            votes.push(Vote { annotator, label: label.map(|label| label.verdict) });
        };
        for (annotator, column) in &self.columns {
            if let Some(Json::Object(named)) = row.json(column) {
                for (annotator, label) in named {
                    let text = label.as_str().map_or_else(|| label.to_string(), str::to_owned);
                    let read = || read_label(&text, names, (scale, true), &row.place());
                    let label = (!label.is_null()).then(read).transpose()?;
                    vote(Arc::from(annotator.as_str()), label);
                }
                continue;
            }
            let text = row.optional(column)?;
            let place = || format!("{}, column {}", row.place(), quoted(column.name()));
            let label = text.map(|text| read_label(&text, names, (scale, true), &place())).transpose()?;
            vote(Arc::clone(annotator), label);
        }
        let mean = preferences.iter().sum::<f64>() / preferences.len() as f64;
        Ok((votes, (!preferences.is_empty()).then_some(mean)))
    }

    /// The columns.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().map(|(_, column)| column)
    }

    /// The pair with the majority label of its votes; `None` if it is to be dropped.
    pub(crate) fn decide(&self, pair: Pair) -> Option<Pair> {
        let counts = count(&pair.votes);
        self.rule.decide(pair, counts)
    }
}

/// The label that a text stands for: one of the user's names, or else a word or a number on the column's scale. A column
/// that is not of `winners` has no words, and no number but 1, 0 and -1 unless it has fractions.
///
/// # Errors
/// It is none, or a number that does not fit the scale.
pub(crate) fn read_label(
    text: &str,
    names: &LabelNames,
    (scale, is_of_winners): (Scale, bool),
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

/// The scales of labels.
pub(crate) const SCALES: &str = "use one scale in the whole column: labels 1, 0 and -1; preferences from 0 (the second is \
    better) to 1 (the first is); or preferences from 1 (the first) to 2 (the second)";

fn count(votes: &[Vote]) -> [usize; 3] {
    let mut counts = [0; 3];
    votes.iter().filter_map(|vote| vote.label).for_each(|label| counts[label.index()] += 1);
    counts
}

/// All judgments of one pair.
struct Judgments {
    /// The first of them.
    pair: Pair,
    counts: [usize; 3],
    annotators: Vec<String>,
    /// The preferences of those that have fractions.
    preferences: Vec<f64>,
}

/// What rows of the same pair have in common; the hypotheses are in lexicographic order.
type Question = (Option<String>, Option<String>, Vec<String>, [String; 2]);

/// Pairs of which each occurs once, with the majority label of its judgments. All are held in memory, since the
/// judgments of a pair may be anywhere in the file.
pub(crate) fn merged(mut pairs: Importer, rule: MajorityRule) -> Importer {
    let mut decided: Option<std::vec::IntoIter<Pair>> = None;
    Importer::new(pairs.shape, move |summary| {
        if decided.is_none() {
            let all = all_judgments(&mut pairs)?;
            *summary = std::mem::take(&mut pairs.summary);
            let pairs: Vec<Pair> = all.into_iter().filter_map(|judgments| judgments.decide(rule, summary)).collect();
            decided = Some(pairs.into_iter());
        }
        Ok(decided.as_mut().and_then(Iterator::next))
    })
}

fn all_judgments(pairs: &mut Importer) -> Result<Vec<Judgments>> {
    let mut all: IndexMap<Question, Judgments> = IndexMap::new();
    let mut repeated = 0;
    for pair in pairs.by_ref() {
        let pair = pair?;
        let mut texts = pair.hypotheses.clone();
        texts.sort_unstable();
        let question = (pair.group.clone(), pair.prompt.clone(), pair.references.clone(), texts);
        let judgments = all.entry(question).or_insert_with(|| Judgments {
            pair: Pair { annotators: Vec::new(), label: None, ..pair.clone() },
            counts: [0; 3],
            annotators: Vec::new(),
            preferences: Vec::new(),
        });
        repeated += usize::from(judgments.add(pair));
    }
    if repeated > 0 {
        let judgments = pluralized(repeated, "judgment");
        pairs.summary.notes.push(format!("{judgments} of a pair that the same annotator had judged before"));
    }
    Ok(all.into_values().collect())
}

impl Judgments {
    /// Adds a judgment; true if its annotator had judged the pair before. Each counts for the majority, but an annotator
    /// has only one vote.
    fn add(&mut self, pair: Pair) -> bool {
        let pair = if pair.hypotheses == self.pair.hypotheses { pair } else { pair.swapped() };
        let Some(label) = pair.label else { return false };
        self.counts[label.index()] += 1;
        self.preferences.extend(pair.preference);
        let mut is_repeated = false;
        if let [annotator] = pair.annotators.as_slice() {
            is_repeated = self.pair.votes.iter().any(|vote| *vote.annotator == **annotator);
            if !is_repeated {
                self.pair.votes.push(Vote { annotator: Arc::from(annotator.as_str()), label: Some(label) });
            }
        }
        self.annotators.extend(pair.annotators);
        is_repeated
    }

    fn decide(mut self, rule: MajorityRule, summary: &mut ImportSummary) -> Option<Pair> {
        self.annotators.sort_unstable();
        self.annotators.dedup();
        let mean = self.preferences.iter().sum::<f64>() / self.preferences.len() as f64;
        let preference = (!self.preferences.is_empty()).then_some(mean);
        let pair = rule.decide(Pair { annotators: self.annotators, preference, ..self.pair }, self.counts);
        if pair.is_none() {
            summary.drop_pair("no majority label");
        }
        pair
    }
}
