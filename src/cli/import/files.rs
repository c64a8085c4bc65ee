//! What an import reads, and where the pairs are written.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tribunal::files::{Input, Output};
use tribunal::formats::PairWriter;
use tribunal::formats::pairs::Format;
use tribunal::formats::sources::Places;
use tribunal::formats::{Account, Importer, Preference, Ties};

use crate::cli::options::Common;

/// What is read, and where the pairs are written.
#[derive(Debug, Args)]
pub struct Files {
    /// The judgments, `-` for standard input; .gz and .zst are decompressed
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Input>,
    /// Where the pairs are written: .csv, .tsv, .jsonl, or another name for lines of text [default: standard output, CSV]
    #[arg(long, short, value_name = "PAIRS")]
    output: Option<PathBuf>,
    /// How the pairs are written, where the ending does not say it
    #[arg(long, value_name = "KIND")]
    to: Option<TableKind>,
    /// Where the labels are written, if the pairs are lines of text
    #[arg(long, short, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Leave pairs out that are of twice the same text
    #[arg(long)]
    drop_same_text: bool,
}

/// How pairs are written in a table.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum TableKind {
    Csv,
    Tsv,
    Jsonl,
}

/// What becomes of ties.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum TiesOption {
    /// They are pairs with the label 0
    Keep,
    /// They are left out
    Drop,
}

/// Where the texts are that judgments only name.
#[derive(Debug, Args)]
pub struct PlacesOptions {
    /// The folder of the systems' outputs: a file a system, a segment a line or SGML [default: the folder of FILE]
    #[arg(long, value_name = "DIR")]
    systems: Option<PathBuf>,
    /// The reference, or a folder of references with `ref` and the languages in their names [default: the folder of FILE]
    #[arg(long, value_name = "FILE|DIR")]
    references: Option<PathBuf>,
}

/// What is said of a file.
#[derive(Serialize)]
struct Imported {
    file: String,
    #[serde(flatten)]
    account: Account,
}

impl PlacesOptions {
    /// Where to look for the texts of a file of judgments.
    pub fn of(&self, input: &Input) -> Places {
        let beside = match input {
            Input::File(path) => path.parent().filter(|folder| !folder.as_os_str().is_empty()),
            Input::Stdin => None,
        };
        let or_beside =
            |place: &Option<PathBuf>| place.clone().unwrap_or_else(|| beside.unwrap_or(Path::new(".")).into());
        Places { systems: or_beside(&self.systems), references: or_beside(&self.references) }
    }
}

impl Files {
    /// What is a tie, and what becomes of it.
    pub fn preference(&self, ties: TiesOption) -> Preference {
        let ties = match ties {
            TiesOption::Keep => Ties::Keep,
            TiesOption::Drop => Ties::Drop,
        };
        Preference { ties, ..Preference::default() }
    }

    /// Writes the pairs of all files, and says what became of each file.
    pub fn import<I: Importer>(
        &self,
        common: &Common,
        references: usize,
        open: impl Fn(&Input) -> tribunal::Result<I>,
    ) -> Result<()> {
        let mut writer = self.writer(references)?;
        let imported = self.inputs.iter().map(|input| {
            let mut importer = open(input)?;
            let dropped = self.write(&mut importer, input, &mut writer)?;
            let mut account = importer.account().clone();
            account.drop_written(dropped);
            Ok(Imported { file: input.to_string(), account })
        });
        let imported = imported.collect::<Result<Vec<_>>>()?;
        writer.finish()?;
        self.report(common, &imported)
    }

    /// Writes all pairs, and gives back the labels of those that are left out.
    fn write<I: Importer>(&self, importer: &mut I, input: &Input, writer: &mut PairWriter) -> Result<[usize; 3]> {
        let mut dropped = [0; 3];
        // The same number in two files is not the same sentence.
        let stem = (self.inputs.len() > 1).then(|| input.stem());
        for pair in importer {
            let mut pair = pair?;
            if self.drop_same_text && pair.hypotheses[0] == pair.hypotheses[1] {
                pair.label.into_iter().for_each(|label| dropped[label.index()] += 1);
                continue;
            }
            if let Some(stem) = &stem {
                [&mut pair.id, &mut pair.group].into_iter().flatten().for_each(|name| *name = format!("{stem}:{name}"));
            }
            writer.write(&pair)?;
        }
        Ok(dropped)
    }

    fn writer(&self, references: usize) -> Result<PairWriter> {
        let output = Output::create(self.output.as_deref())?;
        if let Some(answers) = &self.answers {
            return Ok(PairWriter::begin_lines(output, Output::create(Some(answers))?));
        }
        let format = match (self.to, &self.output) {
            (Some(TableKind::Tsv), _) => Format::Tsv,
            (Some(TableKind::Jsonl), _) => Format::JsonLines,
            (None, Some(path)) if path.as_os_str() != "-" => Format::of(&Input::File(path.clone())),
            _ => Format::Csv,
        };
        Ok(PairWriter::begin(output, format, references)?)
    }

    /// On standard output, unless the pairs are there.
    fn report(&self, common: &Common, imported: &[Imported]) -> Result<()> {
        let text = || imported.iter().map(|one| format!("{}: {}\n", one.file, one.account)).collect::<String>();
        if self.output.as_ref().is_none_or(|path| path.as_os_str() == "-") {
            common.note(text().trim_end());
            return Ok(());
        }
        common.print(&imported, text)
    }
}
