//! The values of a metric or judge in a table of its own, whose rows are matched with single outputs by their id, their index,
//! or their prompt, system and text.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::answers::LabelNames;
use super::marking::Marking;
use super::roles::{ColumnRole, Columns};
use super::signals::Signal;
use crate::error::{Error, Result, joined, pluralized, quoted};
use crate::files::Input;
use crate::files::table::{Column, Row, Rows};
use crate::judgments::output::Output;
use crate::options::Options;

/// The usual name of a column with the number of an output, from 0.
const INDEX: &str = "index";

/// What tells the outputs of a table apart, if there is neither id nor index.
const TEXTS: [ColumnRole; 3] = [ColumnRole::Prompt, ColumnRole::System, ColumnRole::Output];

/// The usual names of a column with the values of the table's only judge.
const VALUES: [&str; 4] = ["verdict", "label", "score", "pass"];

/// By what rows are matched.
enum Key {
    Id(Column),
    Index(Column),
    Texts(Columns),
}

/// The values of a table.
pub(super) struct JoinedValues {
    /// What the cells showed.
    pub marking: Marking,
    /// For each output.
    pub values: Vec<Option<f64>>,
    /// How rows were matched.
    pub note: String,
}

impl JoinedValues {
    /// Reads a table beside outputs.
    ///
    /// # Errors
    /// The file is no table, or has no column by which its rows could be matched, or none of the values; two rows are of the
    /// same output; a row is of several outputs; no row is of any output.
    pub(super) fn read(file: &Input, signal: &Signal, outputs: &[Output]) -> Result<Self> {
        let rows = Rows::open(file, None)?;
        let header = rows.header().clone();
        let named = |name: &str| header.find(name).filter(|_| header.has(name));
        let key = match (named(ColumnRole::Id.usual_name()), named(INDEX)) {
            (Some(id), _) => Key::Id(id),
            (None, Some(index)) => Key::Index(index),
            (None, None) => Key::Texts(Columns::in_table(&header, &Options::default(), &TEXTS)?),
        };
        if matches!(&key, Key::Texts(columns) if columns.all().next().is_none()) {
            let found = format!("the columns {}", joined(header.columns()));
            return Err(header.missing(
                "the column id, index, prompt or output",
                found,
                "add one, so that rows can be matched",
            ));
        }
        let usual = || VALUES.iter().find_map(|name| named(name)).filter(|_| matches!(signal, Signal::Judge { .. }));
        let column = named(signal.name()).or_else(usual).map_or_else(|| header.require(signal.name()), Ok)?;
        let mut marking = Marking::new(&column, true);
        let mut known: HashMap<String, (Option<f64>, usize)> = HashMap::new();
        for row in rows {
            let row = row?;
            let value = marking.read(&row, &LabelNames::default())?;
            match known.entry(key.of_row(&row)?) {
                Entry::Vacant(place) => place.insert((value, row.line())),
                Entry::Occupied(first) => {
                    let expected = format!("one row for each {}", key.name());
                    let found = format!("one more, after line {}", first.get().1);
                    return Err(Error::invalid(row.place(), expected, found, "remove one, or add the column id"));
                }
            };
        }
        let mut owners: HashMap<String, &Output> = HashMap::new();
        let mut values = Vec::with_capacity(outputs.len());
        for (at, output) in outputs.iter().enumerate() {
            let of_output = key.of_output(output, at);
            let Some((name, (value, line))) = of_output.and_then(|name| known.get_key_value(&name)) else {
                values.push(None);
                continue;
            };
            let owner = owners.entry(name.clone()).or_insert(output);
            if (&owner.text, &owner.system, &owner.prompt) != (&output.text, &output.system, &output.prompt) {
                let expected = format!("another {} for each output", key.name());
                let found = format!("the same for those of lines {} and {}", owner.line, output.line);
                return Err(Error::invalid(format!("{file}:{line}"), expected, found, "add the column id"));
            }
            values.push(*value);
        }
        if owners.is_empty() {
            let expected = format!("rows for the outputs, matched by their {}", key.name());
            return Err(Error::invalid(file.to_string(), expected, "none", "name the file of these outputs' values"));
        }
        let left = known.len() - owners.len();
        let verb = if left == 1 { "matches" } else { "match" };
        let left = if left == 0 { String::new() } else { format!("; {} of it {verb} none", pluralized(left, "row")) };
        let (name, count) = (signal.name(), pluralized(outputs.len(), "output"));
        let matched = values.iter().filter(|value| value.is_some()).count();
        let note = format!("{name}: {matched} of {count} matched by {} with {file}{left}", key.name());
        Ok(Self { marking, values, note })
    }
}

impl Key {
    /// What it is called.
    fn name(&self) -> String {
        match self {
            Self::Id(_) => "id".to_owned(),
            Self::Index(_) => INDEX.to_owned(),
            Self::Texts(columns) => columns.all().map(Column::name).collect::<Vec<_>>().join(", "),
        }
    }

    fn of_row(&self, row: &Row<'_>) -> Result<String> {
        match self {
            Self::Id(column) => Ok(row.text(column)?.into_owned()),
            Self::Index(column) => {
                let text = row.text(column)?;
                let number = text.trim().parse::<usize>().ok().map(|number| number.to_string());
                let expected = "the number of an output, from 0, in the column index";
                number.ok_or_else(|| Error::invalid(row.place(), expected, quoted(&text), ""))
            }
            Self::Texts(columns) => {
                let texts = TEXTS.map(|role| columns.optional(row, role)).into_iter().collect::<Result<Vec<_>>>()?;
                Ok(together(texts.into_iter().map(Option::unwrap_or_default)))
            }
        }
    }

    /// `None` if the output has no id.
    fn of_output(&self, output: &Output, at: usize) -> Option<String> {
        match self {
            Self::Id(_) => output.id.clone(),
            Self::Index(_) => Some(at.to_string()),
            Self::Texts(columns) => {
                let given = [output.prompt.clone(), output.system.clone(), Some(output.text.clone())];
                let kept = TEXTS.iter().zip(given).map(|(role, text)| columns.get(*role).and(text).unwrap_or_default());
                Some(together(kept))
            }
        }
    }
}

/// Texts as one that tells them apart, without the space around each.
fn together(texts: impl Iterator<Item = String>) -> String {
    texts.map(|text| format!("{}:{}", text.trim().len(), text.trim())).collect()
}
