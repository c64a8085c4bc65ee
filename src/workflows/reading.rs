//! Reads the files of pairs that a command is given, together with what stands beside them, and tells how they were read.

use super::context::Context;
use super::judge::{NamedModel, with_learned};
use super::training::Source;
use crate::error::{Error, Result, pluralized};
use crate::files::Input;
use crate::formats::{
    self, ImportSummary, JudgmentsRead, LabelsAdded, Merging, PairReader, Reading, Signals, UnmergedFile, add_labels,
    add_output_labels, are_labelled_pairs, merge_files,
};
use crate::judgments::output::Outputs;
use crate::judgments::{Judgment, Pair};

/// Files of pairs, with their labels and the signals beside them.
#[derive(Debug, Clone)]
pub struct PairFiles {
    /// The files of pairs.
    pub pairs: Vec<Input>,
    /// Human labels, for each file of pairs, in their order: a line for each pair, or a table of some pairs; for
    /// [`Self::pool`], tables are of the pairs of all files.
    pub answers: Vec<Input>,
    /// The signals beside the pairs.
    pub signals: Signals,
    /// How all files are read.
    pub reading: Reading,
}

/// The judgments of several files.
#[derive(Debug, Clone)]
pub struct Sources {
    /// The judgments of each file.
    pub sources: Vec<Source>,
    /// The summaries of those that were imported.
    pub accounts: Vec<String>,
    /// The number of pairs without a label, which are left out.
    pub unlabelled: usize,
}

impl PairFiles {
    /// The judgments of each file. Rows of all files are merged together
    /// where that is wanted; a file all of whose pairs are in earlier ones is left out.
    ///
    /// # Errors
    /// There are more answers or weights than files; a file cannot be read, or no pair has a label.
    pub fn sources(&self, context: Context<'_>, weights: &[f64]) -> Result<Sources> {
        let count = self.pairs.len();
        check_number("`answers`", self.answers.len(), count)?;
        check_number("`file_weights`", weights.len(), count)?;
        let (mut sources, mut mergings, mut accounts, mut unlabelled) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for (at, input) in self.pairs.iter().enumerate() {
            let signals = self.signals.of_file(at, count)?;
            let reading = Reading { signals, is_unmerged: count > 1, ..self.reading.clone() };
            let read = read_judgments(context, input, &reading, self.answers.get(at))?;
            unlabelled += read.unlabelled + read.summary.as_ref().map_or(0, ImportSummary::unlabelled);
            accounts.extend(read.summary.map(|summary| format!("{}: {summary:#}", input.name())));
            mergings.push(read.merging.filter(|_| count > 1));
            let weight = weights.get(at).copied().unwrap_or(1.0);
            sources.push(Source { name: input.name(), judgments: read.judgments, weight });
        }
        Ok(Sources { sources: merged_sources(context, sources, mergings)?, accounts, unlabelled })
    }

    /// The pairs of all files, of which some may have labels. Models ask for the signals that they learned from.
    ///
    /// # Errors
    /// A file cannot be read; answers in lines belong to one of several files; a label cannot be read, where labels are
    /// needed; the table of answers has a pair that the files lack.
    pub fn pool(&self, context: Context<'_>, models: &[NamedModel], needs_labels: bool) -> Result<Vec<Pair>> {
        let (signals, count) = (with_learned(models, self.signals.clone())?, self.pairs.len());
        let (tables, lines): (Vec<&Input>, Vec<&Input>) =
            self.answers.iter().partition(|answers| are_labelled_pairs(answers, &self.reading));
        if let (Some(answers), true) = (lines.first(), count > 1) {
            let (expected, advice) = (
                "a table with the texts of labelled pairs",
                "labels in lines belong to one file of pairs; name a single one",
            );
            return Err(Error::invalid(answers.to_string(), expected, "labels in lines", advice));
        }
        if let Some(labels) = signals.files_of_annotators().next().filter(|_| !tables.is_empty()) {
            let found = format!("{labels} and {}", tables[0]);
            return Err(Error::invalid("`annotators`", "labels in one place", found, "omit one of them"));
        }
        let mut files = Vec::new();
        for (at, input) in self.pairs.iter().enumerate() {
            let signals = signals.of_file(at, count)?;
            let reading = Reading { signals, needs_labels, is_unmerged: count > 1, ..self.reading.clone() };
            let mut reader = PairReader::open_with(input, reading, lines.first().copied())?;
            let pairs = read_pairs(context, &mut reader)?;
            for answers in &lines {
                warn_overruled(context, [input, answers], reader.overruled(), &pluralized(pairs.len(), "pair"));
            }
            let merging = reader.merging().filter(|_| count > 1);
            files.push(UnmergedFile { name: input.to_string(), pairs, merging });
        }
        let mut pairs: Vec<Pair> = merged(context, files)?.into_iter().flatten().collect();
        for answers in tables {
            let added = add_labels(&mut pairs, answers, &self.reading)?;
            warn_overruled(context, [&self.pairs[0], answers], added.overruled, &pluralized(pairs.len(), "pair"));
            context.note(format!("{answers}: labels of {} of {} pairs", added.labelled, pairs.len()));
            added.note(answers).iter().for_each(|note| context.note(note));
        }
        Ok(pairs)
    }
}

/// The human judgments of a file, which are not merged yet if the reading leaves that to the caller. Pairs without a label are
/// left out, and counted in a note.
///
/// # Errors
/// As for [`formats::read`].
pub fn read_judgments(
    context: Context<'_>,
    pairs: &Input,
    reading: &Reading,
    answers: Option<&Input>,
) -> Result<JudgmentsRead> {
    let read = formats::read(pairs, reading.clone(), answers)?;
    let count = read.judgments.len() + read.unlabelled;
    if let Some(answers) = answers {
        warn_overruled(context, [pairs, answers], read.overruled, &pluralized(count, "pair"));
    }
    if read.unlabelled > 0 {
        let pairs = answers.unwrap_or(pairs);
        context.note(format!("{pairs}: labels of {} of {count} pairs; the others are left out", read.judgments.len()));
    }
    tell_reading(context, pairs, read.note.as_ref(), read.summary.as_ref());
    Ok(read)
}

/// The outputs of a file, with the labels that a table, such as the page of `annotate` exports, has of some of them.
///
/// # Errors
/// As for [`formats::read_outputs`] and [`add_output_labels`].
pub fn read_labelled_outputs(
    context: Context<'_>,
    input: &Input,
    answers: Option<&Input>,
    reading: &Reading,
) -> Result<Outputs> {
    let mut outputs = formats::read_outputs(input, reading)?;
    if let Some(answers) = answers {
        let (LabelsAdded { labelled, overruled, .. }, count) =
            (add_output_labels(&mut outputs, answers)?, outputs.rows.len());
        warn_overruled(context, [input, answers], overruled, &pluralized(count, "output"));
        context.note(format!("{answers}: labels of {labelled} of {count} outputs"));
    }
    Ok(outputs)
}

/// All pairs of a file.
///
/// # Errors
/// Those of the reader.
pub fn read_pairs(context: Context<'_>, reader: &mut PairReader) -> Result<Vec<Pair>> {
    let pairs = reader.by_ref().collect::<Result<Vec<Pair>>>()?;
    tell_reading(context, reader.input(), reader.note().as_ref(), reader.summary(&pairs).as_ref());
    Ok(pairs)
}

/// How a file was read, and what was imported of it.
fn tell_reading(context: Context<'_>, pairs: &Input, note: Option<&String>, summary: Option<&ImportSummary>) {
    note.into_iter().for_each(|note| context.note(note));
    if let Some(summary) = summary {
        context.note(format!("{pairs}: {summary}"));
        summary.warnings.iter().for_each(|warning| context.warn(warning));
    }
}

/// Warns that the answers overrule labels that the pairs have.
fn warn_overruled(context: Context<'_>, [pairs, answers]: [&Input; 2], overruled: usize, of: &str) {
    if overruled > 0 {
        context.warn(format!(
            "{answers} overrules the labels of {pairs}, which differ in {overruled} of {of}; omit `answers` to use \
             these"
        ));
    }
}

/// The pairs of each file, with the rows of all files merged where that is wanted.
fn merged(context: Context<'_>, files: Vec<UnmergedFile>) -> Result<Vec<Vec<Pair>>> {
    let merged = merge_files(files)?;
    merged.notes.iter().for_each(|note| context.note(note));
    Ok(merged.files)
}

fn merged_sources(context: Context<'_>, sources: Vec<Source>, mergings: Vec<Option<Merging>>) -> Result<Vec<Source>> {
    if mergings.iter().all(Option::is_none) {
        return Ok(sources);
    }
    let (mut files, mut empty) = (Vec::new(), Vec::new());
    for (Source { name, judgments, weight }, merging) in sources.into_iter().zip(mergings) {
        let labelled = |Judgment { pair, label }: Judgment| Pair { label: Some(label), ..pair };
        files.push(UnmergedFile { name: name.clone(), pairs: judgments.into_iter().map(labelled).collect(), merging });
        empty.push(Source { name, judgments: Vec::new(), weight });
    }
    let judged = |pair: Pair| Some(Judgment { label: pair.label?, pair });
    let sources = empty.into_iter().zip(merged(context, files)?);
    let sources =
        sources.map(|(source, pairs)| Source { judgments: pairs.into_iter().filter_map(judged).collect(), ..source });
    Ok(sources.filter(|source| !source.judgments.is_empty()).collect())
}

fn check_number(argument: &str, found: usize, files: usize) -> Result<()> {
    if found <= files {
        return Ok(());
    }
    let advice = "they belong to the files of pairs in order; name files that need none last";
    Err(Error::invalid(argument, format!("at most {files}, one for each file of pairs"), found.to_string(), advice))
}
