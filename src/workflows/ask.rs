//! `ask`: the verdicts of a language model on the rows of a table.

use std::path::Path;

use super::context::{Context, Event};
use crate::ask::{self, AskSettings, Texts, Told};
use crate::error::{Error, Result, quoted};
use crate::files::table::{Cell, CellKind, Column, RowWriter, Rows, TableKind};
use crate::files::{Input, Output};
use crate::formats::{PairReader, Reading, output_texts};

/// A table of pairs or outputs in a file, which is read several times, so that memory does not grow with it.
pub struct AskedTable {
    /// The file.
    pub input: Input,
    /// How it is read.
    pub reading: Reading,
    /// Whether it has one output a row.
    pub are_outputs: bool,
    /// Only so many rows are read.
    pub limit: Option<usize>,
}

type AllTexts<'r> = Box<dyn Iterator<Item = Result<Texts>> + 'r>;

impl AskedTable {
    /// The rows as what a judge is shown of them.
    ///
    /// # Errors
    /// The file is no table of pairs or outputs. While reading: the first row that is wrong.
    pub fn texts(&self) -> Result<AllTexts<'_>> {
        let is_file = matches!(&self.input, Input::File(path) if path.is_file());
        let format = self.reading.format_of(&self.input);
        if !is_file || format.table.is_none() {
            let found = if is_file { format!("the format {}", format.name) } else { "a stream".to_owned() };
            let advice = "make one of it with `tribunal import`, such as -o pairs.jsonl";
            return Err(Error::invalid(
                self.input.to_string(),
                "a file with a table of pairs or outputs",
                found,
                advice,
            ));
        }
        let all: AllTexts<'_> = if self.are_outputs {
            Box::new(output_texts(&self.input, &self.reading)?.map(|output| output.map(Texts::from)))
        } else {
            let reading = Reading { ignores_labels: true, is_unmerged: true, ..self.reading.clone() };
            Box::new(PairReader::open(&self.input, reading)?.map(|pair| pair.map(Texts::from)))
        };
        Ok(Box::new(all.take(self.limit.unwrap_or(usize::MAX))))
    }

    fn rows(&self) -> Result<Rows> {
        Rows::open(&self.input, self.reading.format_of(&self.input).table)
    }

    /// # Errors
    /// A column of the table has the name of one that is added.
    fn check_names(&self, name: &str) -> Result<Vec<String>> {
        let names: Vec<String> = if self.are_outputs {
            vec![name.to_owned()]
        } else {
            ["12", "21"].map(|order| format!("{name}.{order}")).into()
        };
        let header = self.rows()?.header().clone();
        if name.is_empty() || name.contains([',', '=', ':']) {
            let advice = "name the judge as `judge` is to read it: `name` NAME";
            return Err(Error::invalid(
                "`name`",
                "a name without commas, colons and equals signs",
                quoted(name),
                advice,
            ));
        }
        match names.iter().find(|name| header.has(name)) {
            Some(known) => {
                let expected = format!("no column {}, which is to be added", quoted(known));
                Err(Error::invalid(header.place(), expected, "one", "give the judge another `name`"))
            }
            None => Ok(names),
        }
    }
}

/// Asks a language model about every row of a table, and writes the table with its verdicts: the columns `NAME.12` and
/// `NAME.21`, or `NAME` of outputs.
///
/// # Errors
/// As [`ask::ask`]; more than a tenth of the verdicts are missing, and no table is written.
pub fn ask(context: Context<'_>, table: &AskedTable, settings: &AskSettings, name: &str, path: &Path) -> Result<()> {
    let kind = TableKind::of_output(Some(path), TableKind::JsonLines)?;
    drop(table.texts()?);
    let names = table.check_names(name)?;
    let output = Output::create(Some(path))?;
    let mut verdicts = ask::ask(&|| table.texts(), settings, &listener(context))?;
    let rows = table.rows()?;
    let header = rows.header().clone();
    // What is within an object is written with it.
    let is_within = |name: &str| name.match_indices('.').any(|(at, _)| header.has_whole(&name[..at]));
    let kept = header.columns().iter().filter(|name| !(name.is_empty() || header.has_own_names() && is_within(name)));
    let kept: Vec<Column> = kept.filter_map(|name| header.find(name)).collect();
    let columns = kept.iter().map(|column| (column.name(), CellKind::Text));
    let added = names.iter().map(|name| (name.as_str(), CellKind::Number));
    let mut writer = RowWriter::begin(output, kind, &columns.chain(added).collect::<Vec<_>>())?;
    for (row, texts) in rows.zip(table.texts()?) {
        let (row, values) = (row?, verdicts.of(&texts?));
        let cells = kept.iter().map(|column| row.cell(column));
        let added = values.iter().map(|value| value.map_or(Cell::Empty, Cell::Number));
        writer.write(&cells.chain(added).collect::<Vec<_>>())?;
    }
    verdicts.check()?.into_iter().for_each(|missing| context.emit(Event::Warning(missing)));
    writer.finish()
}

/// The verdicts on texts in memory: of each one value, or of a pair that in each order.
///
/// # Errors
/// As [`ask()`].
pub fn ask_texts(context: Context<'_>, texts: &[Texts], settings: &AskSettings) -> Result<Vec<Vec<Option<f64>>>> {
    let rows = || -> Result<AllTexts<'_>> { Ok(Box::new(texts.iter().cloned().map(Ok))) };
    let mut verdicts = ask::ask(&rows, settings, &listener(context))?;
    let values = texts.iter().map(|texts| verdicts.of(texts)).collect();
    verdicts.check()?.into_iter().for_each(|missing| context.emit(Event::Warning(missing)));
    Ok(values)
}

fn listener(context: Context<'_>) -> impl Fn(Told) + '_ {
    move |told| match told {
        Told::Done(done, of) => context.emit(Event::Progress { step: "asking", done, of: Some(of) }),
        Told::Note(note) => context.emit(Event::Note(note)),
    }
}
