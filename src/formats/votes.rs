//! Labels of several annotators: a column for each, or a row for each judgment; and the majority label of a pair.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::answers::LabelNames;
use super::import::{ImportSummary, Importer};
use super::winner::winner;
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::table::{Column, Header, Row};
use crate::judgments::{Pair, Verdict, Vote, majority};
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

    /// The label of each annotator. A cell may hold an object of annotators and their labels, too.
    ///
    /// # Errors
    /// A cell holds no label.
    pub(crate) fn of(&self, row: &Row<'_>, names: &LabelNames) -> Result<Vec<Vote>> {
        let mut votes = Vec::with_capacity(self.columns.len());
        for (annotator, column) in &self.columns {
            if let Some(Json::Object(named)) = row.json(column) {
                for (annotator, label) in named {
                    let text = label.as_str().map_or_else(|| label.to_string(), str::to_owned);
                    let label = if label.is_null() { None } else { Some(read_label(&text, names, &row.place())?) };
                    votes.push(Vote { annotator: Arc::from(annotator.as_str()), label });
                }
                continue;
            }
            let text = row.optional(column)?;
            let place = || format!("{}, column {}", row.place(), quoted(column.name()));
            let label = text.map(|text| read_label(&text, names, &place())).transpose()?;
            votes.push(Vote { annotator: Arc::clone(annotator), label });
        }
        Ok(votes)
    }

    /// The pair with the majority label of its votes; `None` if it is to be dropped.
    pub(crate) fn decide(&self, pair: Pair) -> Option<Pair> {
        let counts = count(&pair.votes);
        self.rule.decide(pair, counts)
    }
}

/// The label that a text stands for: one of the user's names, or else a word or number by which programs say who won.
///
/// # Errors
/// It is none.
pub(crate) fn read_label(text: &str, names: &LabelNames, place: &str) -> Result<Verdict> {
    let known = winner(text).filter(|_| names.are_default()).map(|found| Verdict::compare(found.value, 0.0));
    known.map_or_else(|| names.read(text, place), Ok)
}

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
        let pair = rule.decide(Pair { annotators: self.annotators, ..self.pair }, self.counts);
        if pair.is_none() {
            summary.drop_pair("no majority label");
        }
        pair
    }
}
