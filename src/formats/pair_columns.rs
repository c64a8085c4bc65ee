//! Pairs in a table. In: the names of its columns, then rows. Out: one [`Pair`] per row, without its label. Next:
//! [`super::pair_tables`], [`super::table`].
//!
//! The references are the column `ref`, which in JSON may hold a list, and then `ref2`, `ref3`, ... without a gap. In
//! every kind of table the first may be an empty text; empty further references are ignored.

use super::labels::LabelNames;
use super::own::{OwnColumns, WITHOUT_REFERENCES};
use crate::error::{Error, Result, joined, quoted};
use crate::files::table::{Column, Header, Row};
use crate::judgments::pair::references;
use crate::judgments::{Pair, Verdict};
use crate::options::Options;

/// The names of the columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) hypotheses: [String; 2],
    /// Either one, which numbered ones such as `ref2` may follow, or all of them.
    pub(crate) references: Vec<String>,
    pub(crate) label: String,
    pub(crate) id: String,
    pub(crate) group: String,
    pub(crate) judges: String,
    pub(crate) weight: String,
    /// The names of the labels.
    pub(crate) labels: LabelNames,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            hypotheses: ["hyp1".into(), "hyp2".into()],
            references: vec!["ref".into()],
            label: "label".into(),
            id: "id".into(),
            group: "group".into(),
            judges: "judges".into(),
            weight: "weight".into(),
            labels: LabelNames::default(),
        }
    }
}

/// The columns of a table of pairs.
pub(crate) struct PairColumns {
    hypotheses: [Column; 2],
    pub(crate) references: References,
    label: Option<Column>,
    labels: LabelNames,
    id: Option<Column>,
    group: Option<Column>,
    judges: Option<Column>,
    weight: Option<Column>,
    own: OwnColumns,
}

impl PairColumns {
    /// Finds the columns; the options name the own metrics, and say whether references may be missing.
    ///
    /// # Errors
    /// A hypothesis, the reference or the values of an own metric are missing; there is `ref3` but no `ref2`.
    pub(crate) fn find(header: &Header, names: &Names, options: &Options) -> Result<Self> {
        let required = |name: &str| header.find(name).ok_or_else(|| missing(header, names, name));
        let [first, second] = &names.hypotheses;
        let hypotheses = [required(first)?, required(second)?];
        let has_references = names.references.iter().any(|name| header.has(name));
        let references = if has_references || !options.is_given(&WITHOUT_REFERENCES) {
            names.references.first().map_or(Ok(()), |name| required(name).map(|_| ()))?;
            References::find(header, &names.references)?
        } else {
            References::none()
        };
        Ok(Self {
            hypotheses,
            references,
            own: OwnColumns::find(header, options)?,
            label: header.find(&names.label),
            labels: names.labels.clone(),
            id: header.find(&names.id),
            group: header.find(&names.group),
            judges: header.find(&names.judges),
            weight: header.find(&names.weight),
        })
    }

    /// The pair of a row, without its label.
    pub(crate) fn pair(&self, row: &Row<'_>) -> Result<Pair> {
        let text = |column: &Column| row.text(column).map(|text| text.into_owned());
        let [first, second] = &self.hypotheses;
        let name = |column: &Option<Column>| -> Result<Option<String>> {
            let text = column.as_ref().map(|column| row.optional(column)).transpose()?.flatten();
            Ok(text.map(|text| text.into_owned()))
        };
        Ok(Pair {
            hypotheses: [text(first)?, text(second)?],
            references: self.references.of(row)?,
            label: None,
            id: name(&self.id)?,
            group: name(&self.group)?,
            judges: name(&self.judges)?,
            weight: self.weight.as_ref().map(|column| weight(row, column)).transpose()?.flatten(),
            own: self.own.of(row)?,
            line: row.line(),
        })
    }

    /// The label of a row; `None` if its cell is empty.
    pub(crate) fn label(&self, row: &Row<'_>) -> Result<Option<Verdict>> {
        let Some(text) = self.label.as_ref().map(|column| row.optional(column)).transpose()?.flatten() else {
            return Ok(None);
        };
        self.labels.read(&text, &row.place()).map(Some)
    }
}

/// The columns of the references.
pub(crate) struct References {
    /// The first, and all others in the header.
    columns: Vec<Column>,
    /// The name that numbered references extend, if each row may have its own.
    family: Option<String>,
}

impl References {
    /// For a table without references.
    fn none() -> Self {
        Self { columns: Vec::new(), family: None }
    }

    pub(crate) fn find(header: &Header, names: &[String]) -> Result<Self> {
        let mut columns = names.iter().filter_map(|name| header.find(name)).collect::<Vec<_>>();
        if let Some(absent) = names.iter().find(|name| header.find(name).is_none()) {
            header.require(absent)?;
        }
        let family = if let [alone] = names { Some(alone.clone()) } else { None };
        if let Some(family) = &family {
            let found = further(header.columns().iter().map(String::as_str), family);
            check_gap(&found, family, || header.names_place())?;
            // Each object is searched separately: not all have the keys of the first.
            if !header.has_own_names() {
                columns.extend(found.into_iter().filter_map(|(_, at)| header.column(at)));
            }
        }
        Ok(Self { columns, family: family.filter(|_| header.has_own_names()) })
    }

    /// The largest number of references, as far as the header tells.
    pub(crate) fn count(&self) -> usize {
        self.columns.len()
    }

    /// The references of a row; at least one if the table has columns for them.
    pub(crate) fn of(&self, row: &Row<'_>) -> Result<Vec<String>> {
        let Some((first, others)) = self.columns.split_first() else { return Ok(Vec::new()) };
        let mut texts = row.texts(first)?;
        if texts.is_empty() {
            let found = format!("an empty list {}", quoted(first.name()));
            return Err(Error::invalid(row.place(), "a reference", found, "add one"));
        }
        let mut add = |column: &Column| -> Result<()> {
            texts.extend(row.optional(column)?.map(|text| text.into_owned()));
            Ok(())
        };
        others.iter().try_for_each(&mut add)?;
        if let Some(family) = &self.family {
            let found = further(row.own_names(), family);
            check_gap(&found, family, || row.place())?;
            found.iter().filter_map(|&(_, at)| row.own_column(at)).try_for_each(|column| add(&column))?;
        }
        Ok(references(texts.into_iter()))
    }
}

/// The numbers and positions of the columns `ref2`, `ref3`, ..., by number.
fn further<'n>(names: impl Iterator<Item = &'n str>, family: &str) -> Vec<(usize, usize)> {
    let number = |name: &str| {
        let digits = name.strip_prefix(family)?;
        let is_plain = digits.starts_with(|first: char| ('1'..='9').contains(&first));
        digits.parse().ok().filter(|&number| is_plain && number >= 2)
    };
    let mut found: Vec<(usize, usize)> = names.enumerate().filter_map(|(at, name)| Some((number(name)?, at))).collect();
    found.sort_unstable();
    found
}

fn check_gap(found: &[(usize, usize)], family: &str, place: impl Fn() -> String) -> Result<()> {
    let Some((expected, (number, _))) = (2..).zip(found).find(|(expected, (number, _))| expected != number) else {
        return Ok(());
    };
    Err(Error::invalid(
        place(),
        format!(
            "the column {} before {}",
            quoted(&format!("{family}{expected}")),
            quoted(&format!("{family}{number}"))
        ),
        "no such column",
        format!("number further references without a gap: {family}, {family}2, {family}3"),
    ))
}

fn weight(row: &Row<'_>, column: &Column) -> Result<Option<f64>> {
    let Some(text) = row.optional(column)? else { return Ok(None) };
    let weight = text.trim().parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
    weight.map(Some).ok_or_else(|| {
        let advice = format!("correct the column {}", quoted(column.name()));
        Error::invalid(row.place(), "a weight of 0 or more", quoted(&text), advice)
    })
}

/// What to do about columns that have other names, or are not told apart.
fn advice(header: &Header) -> &'static str {
    match header.columns() {
        _ if header.is_in_memory() => "rename the columns, or give tuples (hyp1, hyp2, ref)",
        [one] if one.contains('\t') => "the columns seem to be separated by tabs: --format tsv",
        [one] if one.contains(',') => "the columns seem to be separated by commas: --format csv",
        [one] if one.contains(';') => "the columns seem to be separated by semicolons: use commas or tabs",
        _ => "name the columns in the first line, or make pairs of other tables with 'tribunal import table'",
    }
}

fn missing(header: &Header, names: &Names, name: &str) -> Error {
    let [first, second] = &names.hypotheses;
    let reference = names.references.first().map_or("", String::as_str);
    let place = if header.is_in_memory() { "" } else { "a header with " };
    let expected = format!("{place}the columns {first}, {second}, {reference}");
    let found = format!("no column {} among {}", quoted(name), joined(header.columns()));
    header.missing(&expected, found, advice(header))
}
