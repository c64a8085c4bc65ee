//! Pairs with their labels; and labels of some pairs or outputs, in a table with their texts, such as the page of `annotate`
//! exports, or with their ids alone.

use std::collections::HashMap;

use rustc_hash::FxHashSet;

use super::answers::{LABELS, VERDICT};
use super::format::Reading;
use super::merging::Merging;
use super::outputs::read_outputs;
use super::reader::PairReader;
use super::roles::{COLUMN, ColumnRole};
use super::summary::ImportSummary;
use super::votes::{self, ANNOTATORS, Ballot, NO_MAJORITY};
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::Input;
use crate::files::table::{Header, Rows, TableKind};
use crate::judgments::identity::{Order, PairIdentity, output_key};
use crate::judgments::output::{Output, Outputs};
use crate::judgments::{Judgment, Pair, Verdict, majority};
use crate::options::Options;

/// Judgments, and what the user should know of how they were read.
#[derive(Debug, Clone)]
pub struct JudgmentsRead {
    /// The pairs with their labels.
    pub judgments: Vec<Judgment>,
    /// The summary of the import if the pairs are made from other judgments.
    pub summary: Option<ImportSummary>,
    /// The number of pairs whose own label was another than that of the answers, which count.
    pub overruled: usize,
    /// The number of pairs without a label, which are left out.
    pub unlabelled: usize,
    /// See [`PairReader::note`].
    pub note: Option<String>,
    /// How the judgments are to be merged, where that was left to the caller.
    pub merging: Option<Merging>,
}

/// Reads the pairs that have labels: from `answers`, a line for each pair or a table of some pairs, or from the column
/// `label` of a table.
///
/// # Errors
/// See [`PairReader::open_with`] and [`add_labels`]; no pair has a label.
pub fn read(pairs: &Input, reading: impl Into<Reading>, answers: Option<&Input>) -> Result<JudgmentsRead> {
    let reading = Reading { needs_labels: answers.is_none(), ..reading.into() };
    let (table, lines) = match answers.filter(|answers| are_labelled_pairs(answers, &reading)) {
        Some(table) => (Some(table), None),
        None => (None, answers),
    };
    let mut reader = PairReader::open_with(pairs, reading.clone(), lines)?;
    let mut all: Vec<Pair> = reader.by_ref().collect::<Result<_>>()?;
    let (mut note, merging, mut overruled) = (reader.note(), reader.merging(), reader.overruled());
    let mut more = undecided(&all, merging.is_none());
    if let Some(table) = table {
        let added = add_labels(&mut all, table, &reading)?;
        overruled = added.overruled;
        more = added.note(table);
    }
    note = note.into_iter().chain(more).reduce(|one, other| format!("{one}\n{other}"));
    let (count, first) = (all.len(), all.first().map(|pair| pair.line));
    all.retain(|pair| pair.label.is_some());
    if let (true, Some(line)) = (all.is_empty(), first) {
        let advice = "name the file of answers with `answers`, the column of labels with `column` label=NAME, or those of annotators \
            with `annotators`";
        let expected = "a human judgment of at least one pair";
        return Err(Error::invalid(format!("{pairs}:{line}"), expected, "none", advice));
    }
    let (summary, unlabelled) = (reader.summary(&all), count - all.len());
    let judgments = all.into_iter().filter_map(|pair| Some(Judgment { label: pair.label?, pair })).collect();
    Ok(JudgmentsRead { judgments, summary, overruled, unlabelled, note, merging })
}

/// A note on pairs whose annotators have no majority, which are ties unless they are dropped.
fn undecided(pairs: &[Pair], are_merged: bool) -> Option<String> {
    let has_none = |pair: &&Pair| pair.votes.len() > 1 && majority(votes::count(&pair.votes)).is_none();
    let undecided = pairs.iter().filter(|pair| pair.label.is_some()).filter(has_none).count();
    (are_merged && undecided > 0).then(|| {
        let (pairs, option) = (pluralized(undecided, "pair"), NO_MAJORITY.argument());
        format!("{pairs} without a majority of the annotators count as ties; {option} drop leaves them out")
    })
}

/// Whether human labels are a table with the texts or ids of their pairs, and not a line for each pair.
pub fn are_labelled_pairs(answers: &Input, reading: &Reading) -> bool {
    let Input::File(path) = answers else { return false };
    // A pipe can be read only once.
    let kind = TableKind::from_name(answers).filter(|_| path.is_file());
    let says_which = |rows: Rows| {
        let options = options_of_labels(rows.header(), &reading.options);
        let has = |role: &ColumnRole| role.in_header(rows.header(), &options).is_some();
        // What `predict` writes has ids, too, but is a line for each pair.
        let has_ids = rows.header().has(ColumnRole::Id.usual_name()) && !rows.header().has(VERDICT);
        PAIR_TEXTS.iter().any(has) || has_ids
    };
    kind.is_some_and(|kind| Rows::open(answers, Some(kind)).is_ok_and(says_which))
}

/// The columns with the texts of pairs.
const PAIR_TEXTS: [ColumnRole; 3] = [ColumnRole::Hyp1, ColumnRole::Hyp2, ColumnRole::Preferred];

/// Whether a table of labels has ids and none of these texts.
fn has_ids_alone(header: &Header, texts: &[ColumnRole], options: &Options) -> bool {
    let has_text = texts.iter().any(|role| role.in_header(header, options).is_some());
    header.has(ColumnRole::Id.usual_name()) && !has_text
}

/// How many pairs or outputs got labels of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LabelsAdded {
    /// All that have one now.
    pub labelled: usize,
    /// Those of them that had another one.
    pub overruled: usize,
    /// Those of them with several labels of which none is that of a majority.
    pub contradicted: usize,
}

impl LabelsAdded {
    /// What the user should know of pairs whose labels contradict each other.
    pub fn note(&self, labelled: &Input) -> Option<String> {
        let pairs = pluralized(self.contradicted, "pair");
        (self.contradicted > 0).then(|| {
            format!("{labelled}: {pairs} with labels that contradict each other, without a majority, are ties")
        })
    }
}

/// The options by which a table of labels is read: those of the pairs, or where it lacks a column that they name, the usual
/// names, which the tables that Tribunal writes have.
fn options_of_labels(header: &Header, options: &Options) -> Options {
    let mut named = options.texts(&COLUMN).into_iter().filter_map(|text| text.split_once('=')).map(|(_, name)| name);
    let annotators = options.texts(&ANNOTATORS);
    let is_missing = |name: &str| !name.contains('=') && !header.has(name);
    let lacks_any = named.any(is_missing) || annotators.into_iter().any(is_missing);
    if lacks_any { options.only(&[&LABELS]) } else { options.clone() }
}

/// Gives pairs the labels that a table has for the same texts, whichever hypothesis comes first, or without texts for the same
/// ids, and what its columns `drawn` and `wave` hold; where it has several labels of a pair, that of the majority of its
/// annotators, or else a tie. The table is read as the pairs were, but has no signals.
///
/// # Errors
/// The table cannot be read, or has texts or ids that are none of the pairs'.
pub fn add_labels(pairs: &mut [Pair], labelled: &Input, reading: &Reading) -> Result<LabelsAdded> {
    let rows = Rows::open(labelled, None)?;
    let options = options_of_labels(rows.header(), &reading.options);
    let has_ids = has_ids_alone(rows.header(), &PAIR_TEXTS, &options);
    let reading = Reading { needs_labels: true, has_ids_for_texts: has_ids, options, ..Reading::default() };
    let given: Vec<Pair> = PairReader::open(labelled, reading)?.collect::<Result<_>>()?;
    let has_labels = given.iter().any(|pair| pair.label.is_some());
    check_any_label(labelled, has_labels)?;
    let kept = Kept {
        ids: has_ids,
        references: !has_ids && given.iter().any(|pair| !pair.references.is_empty()),
        prompt: !has_ids && given.iter().any(|pair| pair.prompt.is_some()),
        systems: !has_ids && given.iter().any(|pair| pair.systems.is_some()),
    };
    let whole: Vec<u128> = pairs.iter().map(|pair| PairIdentity::new(pair).key()).collect();
    let identities: Vec<PairIdentity> = pairs.iter().map(|pair| PairIdentity::new(&kept.of_pair(pair))).collect();
    let keys = identities.iter().map(|identity| identity.key());
    let rows = RowsByKey::new(keys, &whole, ["pairs", if has_ids { "id" } else { "first hypothesis" }]);
    let mut ballots: HashMap<usize, Ballot> = HashMap::new();
    for pair in given.into_iter().filter(|pair| pair.label.is_some()) {
        let identity = PairIdentity::new(&kept.of_pair(&pair));
        for &row in rows.of(identity.key(), labelled, pair.line, &pair.hypotheses[0])? {
            let is_exchanged = identity.order_in(identities[row]) == Some(Order::Exchanged);
            let turned = if is_exchanged { pair.clone().swapped() } else { pair.clone() };
            ballots.entry(row).or_default().add(&turned);
            pairs[row].drawn = pair.drawn.or(pairs[row].drawn);
            pairs[row].wave = pair.wave.or(pairs[row].wave);
        }
    }
    let mut added = LabelsAdded { labelled: ballots.len(), ..LabelsAdded::default() };
    for (row, ballot) in ballots {
        let winner = majority(ballot.counts());
        added.contradicted += usize::from(winner.is_none());
        let label = Some(winner.unwrap_or(Verdict::Tie));
        added.overruled += usize::from(pairs[row].label.is_some_and(|earlier| Some(earlier) != label));
        (pairs[row].label, pairs[row].preference, pairs[row].labelled_by) = (label, ballot.preference(), None);
    }
    Ok(added)
}

/// Gives outputs the labels that a table with columns of the usual names has for the same texts, or without texts for the same
/// ids, and what its columns `drawn` and `wave` hold. A label of the same annotator takes the place of an earlier one.
///
/// # Errors
/// The table cannot be read, has texts that are none of the outputs', or labels of another kind than theirs.
pub fn add_output_labels(outputs: &mut Outputs, labelled: &Input) -> Result<LabelsAdded> {
    let mut reading = Reading::default();
    let (text, id) = (ColumnRole::Output, ColumnRole::Id);
    let has_ids = has_ids_alone(Rows::open(labelled, None)?.header(), &[text], &reading.options);
    if has_ids {
        reading.options.set(&COLUMN, &format!("{}={}", text.usual_name(), id.usual_name()))?;
    }
    let Outputs { rows: given, marks, .. } = read_outputs(labelled, &reading)?;
    check_any_label(labelled, given.iter().any(|output| !output.labels.is_empty()))?;
    let kept = Kept {
        ids: has_ids,
        references: !has_ids && given.iter().any(|output| !output.references.is_empty()),
        prompt: !has_ids && given.iter().any(|output| output.prompt.is_some()),
        systems: !has_ids && given.iter().any(|output| output.system.is_some()),
    };
    let whole: Vec<u128> = outputs.rows.iter().map(output_key).collect();
    let key = |output: &Output| output_key(&kept.of_output(output));
    let unit = ["outputs", if has_ids { "id" } else { "output" }];
    let rows = RowsByKey::new(outputs.rows.iter().map(key), &whole, unit);
    if marks != outputs.marks && outputs.rows.iter().any(|output| !output.labels.is_empty()) {
        let (expected, found) =
            ("labels of the kind that the outputs have", "pass and fail in one, numbers in the other");
        return Err(Error::invalid(labelled.to_string(), expected, found, "name the column of one kind of labels"));
    }
    outputs.marks = marks;
    let (mut added, mut overruled) = (FxHashSet::default(), FxHashSet::default());
    for output in given.into_iter().filter(|output| !output.labels.is_empty()) {
        for &row in rows.of(key(&output), labelled, output.line, &output.text)? {
            let known = &mut outputs.rows[row];
            for (annotator, label) in &output.labels {
                match known.labels.iter_mut().find(|(name, _)| name == annotator) {
                    Some((_, earlier)) => {
                        if std::mem::replace(earlier, *label) != *label {
                            overruled.insert(row);
                        }
                    }
                    None => known.labels.push((annotator.clone(), *label)),
                }
            }
            (known.drawn, known.wave) = (output.drawn.or(known.drawn), output.wave.or(known.wave));
            added.insert(row);
        }
    }
    Ok(LabelsAdded { labelled: added.len(), overruled: overruled.len(), contradicted: 0 })
}

/// # Errors
/// A table of labels has none.
fn check_any_label(labelled: &Input, has_labels: bool) -> Result<()> {
    let advice = "label some rows, or name the file with the labels, in the column `label`";
    let none = || Error::invalid(labelled.to_string(), "human labels of some rows", "none", advice);
    if has_labels { Ok(()) } else { Err(none()) }
}

/// What a table of labels has besides texts: by more, rows cannot be told apart.
struct Kept {
    /// Whether it has ids in the place of texts.
    ids: bool,
    references: bool,
    prompt: bool,
    systems: bool,
}

impl Kept {
    fn of_pair(&self, pair: &Pair) -> Pair {
        let references = if self.references { pair.references.clone() } else { Vec::new() };
        let texts = pair.hypotheses.each_ref();
        Pair {
            prompt: pair.prompt.clone().filter(|_| self.prompt),
            systems: pair.systems.clone().filter(|_| self.systems),
            ..Pair::new(texts.map(|text| self.text(text, pair.id.as_ref())), references)
        }
    }

    fn of_output(&self, output: &Output) -> Output {
        Output {
            text: self.text(&output.text, output.id.as_ref()),
            references: if self.references { output.references.clone() } else { Vec::new() },
            prompt: output.prompt.clone().filter(|_| self.prompt),
            system: output.system.clone().filter(|_| self.systems),
            ..Output::default()
        }
    }

    fn text(&self, text: &str, id: Option<&String>) -> String {
        id.filter(|_| self.ids).map_or(text, String::as_str).to_owned()
    }
}

/// The rows of a file by what a table of labels has of them.
struct RowsByKey<'w> {
    rows: HashMap<u128, Vec<usize>>,
    /// What each of them is as a whole, see [`output_key`].
    whole: &'w [u128],
    /// What they are, in the plural, and what the first of their texts is.
    unit: [&'static str; 2],
}

impl<'w> RowsByKey<'w> {
    fn new(keys: impl Iterator<Item = u128>, whole: &'w [u128], unit: [&'static str; 2]) -> Self {
        let mut rows: HashMap<u128, Vec<usize>> = HashMap::new();
        keys.enumerate().for_each(|(row, key)| rows.entry(key).or_default().push(row));
        Self { rows, whole, unit }
    }

    /// The rows of what a line of labels is about; `text` is the first that is compared.
    ///
    /// # Errors
    /// There is none, or there are several that differ in what the table lacks.
    fn of(&self, key: u128, labelled: &Input, line: usize, text: &str) -> Result<&[usize]> {
        let not_there = || {
            let [unit, name] = self.unit;
            let from = format!("name the file of {unit} from which these were drawn");
            let (expected, found, advice) = match name {
                "id" => {
                    (format!("the id of one of the {unit}"), quoted(text), format!("{from}, with its column {name}"))
                }
                _ => (
                    format!("the texts of one of the {unit}"),
                    format!("other texts, with the {name} {}", quoted(text)),
                    format!("{from}; references, prompt and systems count, too"),
                ),
            };
            Error::invalid(format!("{labelled}:{line}"), expected, found, advice)
        };
        let rows = self.rows.get(&key).ok_or_else(not_there)?;
        if rows.iter().any(|&row| self.whole[row] != self.whole[rows[0]]) {
            let [unit, name] = self.unit;
            let (expected, found) =
                (format!("what tells {unit} apart"), format!("the {name} {} of several", quoted(text)));
            let advice = match name {
                "id" => "give each of them an id of its own, or replace the ids of the labels by texts",
                _ => "add the columns of references, prompt or systems",
            };
            return Err(Error::invalid(format!("{labelled}:{line}"), expected, found, advice));
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_probabilities_leaves_those_of_the_pairs() {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), "hyp1,hyp2,system1,system2,label\nb,a,y,x,1\nc,c,y,x,1\n").unwrap();
        let pair = |one: &str, other: &str| Pair {
            systems: Some(["x".into(), "y".into()]),
            drawn: Some(0.25),
            ..Pair::new([one.into(), other.into()], vec![])
        };
        let mut pairs = vec![pair("a", "b"), pair("c", "c")];
        add_labels(&mut pairs, &Input::File(file.path().into()), &Reading::default()).unwrap();
        assert!(pairs.iter().all(|pair| (pair.drawn, pair.label) == (Some(0.25), Some(Verdict::Second))), "{pairs:?}");
    }
}
