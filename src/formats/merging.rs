//! Rows of the same pair, made one: `merge`.
//!
//! A pair is known by its texts, in either order, by the systems that wrote them and by its group. The rows of all
//! files of a call are merged, and all are held in memory, since they may be anywhere. Each annotator has one vote.
//! Weights, values of own metrics and verdicts of judges are averaged over the rows that have them; probabilities of
//! being drawn agree.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use super::summary::ImportSummary;
use super::votes::{Ballot, MajorityRule};
use crate::error::{Error, Result, pluralized};
use crate::judgments::identity::{Order, PairIdentity};
use crate::judgments::{ExternalScore, JudgeVerdicts, Pair, Verdict};

/// How the rows of a file are merged.
#[derive(Debug, Clone, Copy)]
pub struct Merging {
    /// How the label of a pair follows from the votes.
    pub(crate) rule: MajorityRule,
    /// Whether pairs that are ties are then dropped.
    pub(crate) drops_ties: bool,
}

/// The pairs of a file that are not merged yet.
#[derive(Debug, Clone)]
pub struct UnmergedFile {
    /// What errors call the file.
    pub name: String,
    /// A pair for each row.
    pub pairs: Vec<Pair>,
    /// How they are merged; `None` if they are not.
    pub merging: Option<Merging>,
}

/// The merged pairs of several files.
#[derive(Debug, Clone)]
pub struct MergedFiles {
    /// The pairs of each file, without those that an earlier file has, too.
    pub files: Vec<Vec<Pair>>,
    /// What was merged and dropped.
    pub notes: Vec<String>,
}

/// Merges the rows of all files.
///
/// # Errors
/// Rows of one pair contradict each other.
pub fn merge_files(files: Vec<UnmergedFile>) -> Result<MergedFiles> {
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let Some(merging) = files.iter().find_map(|file| file.merging) else {
        return Ok(MergedFiles { files: files.into_iter().map(|file| file.pairs).collect(), notes: Vec::new() });
    };
    let mut merger = Merger::default();
    let (mut kept, mut rows) = (vec![Vec::new(); files.len()], 0);
    for (at, file) in files.into_iter().enumerate() {
        match file.merging {
            None => kept[at] = file.pairs,
            Some(_) => file.pairs.into_iter().for_each(|pair| {
                rows += 1;
                merger.add(at, pair);
            }),
        }
    }
    let mut summaries = vec![ImportSummary::default(); kept.len()];
    let merged = merger.finish(&names, merging, &mut summaries)?;
    let pairs: usize = merged.iter().map(Vec::len).sum();
    kept.iter_mut().zip(merged).for_each(|(kept, merged)| kept.extend(merged));
    let mut notes = vec![format!("{} merged to {}", pluralized(rows, "row"), pluralized(pairs, "pair"))];
    for (name, summary) in names.iter().zip(summaries) {
        let dropped = summary.dropped().map(|dropped| format!("{name}: dropped {dropped}"));
        notes.extend(dropped.chain(summary.notes.iter().map(|note| format!("{name}: {note}"))));
    }
    Ok(MergedFiles { files: kept, notes })
}

/// Collects the rows of each pair.
#[derive(Default)]
pub(crate) struct Merger {
    rows: IndexMap<(u128, Option<String>), Vec<FileRow>>,
}

/// A row, with the number of its file.
struct FileRow {
    file: usize,
    pair: Pair,
}

impl Merger {
    /// Adds a row of a file; its hypotheses get the order of the first row of its pair.
    pub(crate) fn add(&mut self, file: usize, pair: Pair) {
        let identity = PairIdentity::new(&pair);
        let rows = self.rows.entry((identity.key(), pair.group.clone())).or_default();
        let first = rows.first().map(|first| PairIdentity::new(&first.pair));
        let is_exchanged = first.and_then(|first| identity.order_in(first)) == Some(Order::Exchanged);
        rows.push(FileRow { file, pair: if is_exchanged { pair.swapped() } else { pair } });
    }

    /// The merged pairs of each file, each in the first file that has it. The summary of a file counts what is dropped.
    ///
    /// # Errors
    /// Rows of one pair were drawn with different probabilities; `names` are those of the files.
    pub(crate) fn finish(
        self,
        names: &[String],
        merging: Merging,
        summaries: &mut [ImportSummary],
    ) -> Result<Vec<Vec<Pair>>> {
        let judges = judges(self.rows.values().flatten().map(|row| &row.pair));
        let mut files = vec![Vec::new(); summaries.len()];
        let mut repeated = vec![0; summaries.len()];
        for rows in self.rows.into_values() {
            let Some(file) = rows.first().map(|row| row.file) else { continue };
            let mut others: Vec<usize> = rows.iter().map(|row| row.file).filter(|other| *other != file).collect();
            others.dedup();
            others.into_iter().for_each(|other| summaries[other].drop_pair("merged with that of an earlier file"));
            let mut ballot = Ballot::default();
            rows.iter().for_each(|row| ballot.add(&row.pair));
            repeated[file] += ballot.repeated();
            if merging.rule.drops(ballot.counts()) {
                summaries[file].drop_pair("no majority label");
                continue;
            }
            let mut pair = merged(rows, &ballot, &judges, names)?;
            merging.rule.decide_by(ballot.counts(), &mut pair);
            if merging.drops_ties && pair.label == Some(Verdict::Tie) {
                summaries[file].drop_pair("ties");
            } else {
                files[file].push(pair);
            }
        }
        for (summary, repeated) in summaries.iter_mut().zip(repeated).filter(|(_, repeated)| *repeated > 0) {
            let judgments = pluralized(repeated, "judgment");
            summary.notes.push(format!(
                "{judgments} of a pair that the same annotator had judged before; each annotator has one vote"
            ));
        }
        Ok(files)
    }
}

/// The names of all judges of the rows.
fn judges<'p>(pairs: impl Iterator<Item = &'p Pair>) -> IndexSet<Arc<str>> {
    pairs.flat_map(|pair| &pair.verdicts).map(|verdicts| verdicts.name.clone()).collect()
}

/// The pair of some rows, which are in one order, without its label.
fn merged(rows: Vec<FileRow>, ballot: &Ballot, judges: &IndexSet<Arc<str>>, names: &[String]) -> Result<Pair> {
    let drawn = drawn(&rows, names)?;
    let pairs: Vec<Pair> = rows.into_iter().map(|row| row.pair).collect();
    let weight = pairs.iter().any(|pair| pair.weight.is_some());
    let weight = weight.then(|| pairs.iter().map(|pair| pair.weight.unwrap_or(1.0)).sum::<f64>() / pairs.len() as f64);
    Ok(Pair {
        votes: ballot.votes(),
        annotators: ballot.annotators(),
        preference: ballot.preference(),
        weight,
        drawn,
        own: own_scores(&pairs),
        verdicts: judges.iter().filter_map(|judge| verdicts(judge, &pairs)).collect(),
        ..pairs.into_iter().next().expect("a merged pair has a row")
    })
}

/// The probability with which a pair was drawn, which its rows agree on.
fn drawn(rows: &[FileRow], names: &[String]) -> Result<Option<f64>> {
    let advice = "a pair is drawn once: keep the rows of one draw, or omit `merge`";
    rows.iter().try_fold(None, |known, FileRow { file, pair }| {
        one_draw(known, pair.drawn, || format!("{}:{}", names[*file], pair.line), ["pair", advice])
    })
}

/// The probability with which something was drawn of which two rows tell: one of them, or both the same.
///
/// # Errors
/// They differ.
pub(super) fn one_draw(
    known: Option<f64>,
    drawn: Option<f64>,
    place: impl Fn() -> String,
    [what, advice]: [&str; 2],
) -> Result<Option<f64>> {
    match (known, drawn) {
        (Some(known), Some(drawn)) if known != drawn => {
            let expected = format!("the probability {known} in the column drawn, as in another row of the {what}");
            Err(Error::invalid(place(), expected, drawn.to_string(), advice))
        }
        _ => Ok(known.or(drawn)),
    }
}

/// The means of own metrics.
fn own_scores(pairs: &[Pair]) -> Vec<ExternalScore> {
    let mut scores: Vec<(Arc<str>, Vec<[f64; 2]>)> = Vec::new();
    for score in pairs.iter().flat_map(|pair| &pair.own) {
        match scores.iter_mut().find(|(name, _)| *name == score.name) {
            Some((_, values)) => values.push(score.values),
            None => scores.push((score.name.clone(), vec![score.values])),
        }
    }
    let score = |(name, values): (Arc<str>, Vec<[f64; 2]>)| {
        let values = [0, 1].map(|side| mean(values.iter().map(|values| values[side])).unwrap_or_default());
        ExternalScore { name, values }
    };
    scores.into_iter().map(score).collect()
}

/// The means of a judge's verdicts in each order of the hypotheses; `None` if no row has any.
fn verdicts(judge: &str, pairs: &[Pair]) -> Option<JudgeVerdicts> {
    let given: Vec<&JudgeVerdicts> = pairs.iter().filter_map(|pair| pair.verdicts_of(judge)).collect();
    Some(JudgeVerdicts {
        orders: [0, 1].map(|order| mean(given.iter().filter_map(|verdicts| verdicts.orders[order]))),
        has_words: given.iter().any(|verdicts| verdicts.has_words),
        ..(*given.first()?).clone()
    })
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    // A mean of equal values is that value, to the last bit.
    match values.split_first()? {
        (first, others) if others.iter().all(|value| value == first) => Some(*first),
        _ => Some(values.iter().sum::<f64>() / values.len() as f64),
    }
}
