//! Files that hold pairs as such: lines `hyp1 ||| hyp2 ||| ref`, with further references after further separators, and
//! tables with the columns `hyp1`, `hyp2`, `ref` and, optionally, `ref2`, ..., `label`, `id`, `group`, `judges`,
//! `weight`. Other columns are ignored.

use super::answers::{LABELS, LabelNames};
use super::external::ExternalColumns;
use super::foreign;
use super::format::{Format, Reading, Role};
use super::import::Importer;
use super::roles::{ColumnRole, Columns, References};
use crate::error::{Error, Result, joined, quoted};
use crate::files::Input;
use crate::files::table::{Header, Row, Rows, TableKind};
use crate::judgments::{Pair, Verdict};

/// One pair per line.
pub(crate) const LINES: Format = Format {
    name: "pairs",
    about: "Pairs, one per line: hyp1 ||| hyp2 ||| ref",
    details: "Further references follow after further separators.",
    sample: "a cat sat ||| cats sat ||| the cat sat\na dog ||| dogs ||| a dog ran ||| the dog ran\n",
    example: "",
    endings: &["pairs"],
    table: None,
    role: Role::Pairs,
    options: &[],
    open: open_lines,
    scores: None,
};

/// Comma-separated values.
pub(crate) const CSV: Format = table(
    TableKind::Csv,
    "Pairs in comma-separated columns: hyp1, hyp2, ref; if known ref2, ..., label, id, group, judges, weight",
    "hyp1,hyp2,ref,ref2,label\na cat sat,cats sat,the cat sat,,1\n\"a, dog\",dogs,a dog ran,the dog ran,-1\n",
);

/// Tab-separated values.
pub(crate) const TSV: Format = table(
    TableKind::Tsv,
    "The same, separated by tabs, without quotes",
    "hyp1\thyp2\tref\tref2\tlabel\na cat sat\tcats sat\tthe cat sat\t\t1\na dog\tdogs\ta dog ran\tthe dog ran\t-1\n",
);

/// JSON Lines: one object per line.
pub(crate) const JSON_LINES: Format = table(
    TableKind::JsonLines,
    "The same, one JSON object per line; ref may be a list",
    "{\"hyp1\":\"a cat sat\",\"hyp2\":\"cats sat\",\"ref\":\"the cat sat\",\"label\":1}\n\
        {\"hyp1\":\"a dog\",\"hyp2\":\"dogs\",\"ref\":[\"a dog ran\",\"the dog ran\"],\"label\":-1}\n",
);

/// Parquet.
#[cfg(feature = "parquet")]
pub(crate) const PARQUET: Format = table(TableKind::Parquet, "The same in Parquet", "");

const fn table(kind: TableKind, about: &'static str, sample: &'static str) -> Format {
    Format {
        name: kind.name(),
        about,
        details: "",
        sample,
        example: "",
        endings: kind.endings(),
        table: Some(kind),
        role: Role::Pairs,
        options: &[&LABELS],
        open: open_table,
        scores: None,
    }
}

fn open_lines(input: &Input, reading: &Reading) -> Result<Importer> {
    let (source_name, mut lines) = (input.to_string(), input.lines()?);
    let needs_reference = !reading.without_references;
    Ok(Importer::new(1, move |_| {
        let Some(line) = lines.next().transpose()? else { return Ok(None) };
        let pair = Pair::parse_fields(&line.text, &source_name, line.number, needs_reference);
        if pair.is_err() && line.number == 1 && line.text.trim_start().starts_with(['[', '{']) {
            let rest = lines.by_ref().map_while(std::result::Result::ok).take(MAX_JSON_LINES).map(|line| line.text);
            return foreign::json_error(&source_name, &line.text, rest).map_or_else(|| pair.map(Some), Err);
        }
        pair.map(Some)
    }))
}

fn open_table(input: &Input, reading: &Reading) -> Result<Importer> {
    let mut rows = Rows::open(input, reading.format.and_then(|format| format.table))?;
    let columns = PairColumns::find(rows.header(), [ColumnRole::Hyp1, ColumnRole::Hyp2], reading)?;
    let needs_labels = reading.needs_labels;
    Ok(Importer::new(columns.references.count(), move |_| {
        let Some(row) = rows.next().transpose()? else { return Ok(None) };
        columns.labelled_pair(&row, needs_labels).map(Some)
    }))
}

/// The most lines of a JSON file that are read to tell what it is.
const MAX_JSON_LINES: usize = 1000;

/// The columns of a table of pairs.
pub(crate) struct PairColumns {
    hypotheses: [ColumnRole; 2],
    columns: Columns,
    pub(crate) references: References,
    labels: LabelNames,
    external: ExternalColumns,
}

/// The columns that a table of pairs may have.
const OPTIONAL: [ColumnRole; 5] =
    [ColumnRole::Label, ColumnRole::Id, ColumnRole::Group, ColumnRole::Judges, ColumnRole::Weight];

impl PairColumns {
    /// Finds the columns; `hypotheses` are the roles of the two.
    ///
    /// # Errors
    /// A hypothesis, the reference or the values of an own metric are missing; there is `ref3` but no `ref2`.
    pub(crate) fn find(header: &Header, hypotheses: [ColumnRole; 2], reading: &Reading) -> Result<Self> {
        let (options, [first, second]) = (&reading.options, hypotheses);
        let needs_reference = !reading.without_references || header.has(ColumnRole::Reference.name(options));
        let required = [first, second, ColumnRole::Reference];
        let required = if needs_reference { &required[..] } else { &required[..2] };
        // Each object has keys of its own, but one with neither hypothesis is no pair.
        if header.has_own_names()
            && !header.columns().is_empty()
            && !hypotheses.iter().any(|role| header.has(role.name(options)))
        {
            let names = required.iter().map(|role| role.name(options)).collect::<Vec<_>>().join(", ");
            let found = format!("the keys {}", joined(header.columns()));
            return Err(header.missing(&format!("objects with the keys {names}"), found, &advice(header)));
        }
        let columns = Columns::find(header, options, [required, &OPTIONAL], &advice(header))?;
        let references = if needs_reference { References::find(header, options)? } else { References::none() };
        // The labels of a frame have no other names.
        let labels = if header.is_in_memory() { LabelNames::default() } else { LabelNames::from_options(options)? };
        let external = ExternalColumns::find(header, &reading.own)?;
        Ok(Self { hypotheses, columns, references, labels, external })
    }

    /// The pair of a row, without its label.
    pub(crate) fn pair(&self, row: &Row<'_>) -> Result<Pair> {
        let [first, second] = self.hypotheses;
        Ok(Pair {
            hypotheses: [self.columns.text(row, first)?, self.columns.text(row, second)?],
            references: self.references.of(row)?,
            label: None,
            id: self.columns.optional(row, ColumnRole::Id)?,
            group: self.columns.optional(row, ColumnRole::Group)?,
            judges: self.columns.judges(row)?,
            weight: self.weight(row)?,
            own: self.external.of(row)?,
            line: row.line(),
        })
    }

    /// The label of a row; `None` if its cell is empty.
    pub(crate) fn label(&self, row: &Row<'_>) -> Result<Option<Verdict>> {
        let text = self.columns.optional(row, ColumnRole::Label)?;
        text.map(|text| self.labels.read(&text, &row.place())).transpose()
    }

    /// The pair of a row with its label. A label that cannot be read matters only to those who need labels.
    pub(crate) fn labelled_pair(&self, row: &Row<'_>, needs_labels: bool) -> Result<Pair> {
        let pair = self.pair(row)?;
        let label = if needs_labels { self.label(row)? } else { self.label(row).unwrap_or(None) };
        Ok(Pair { label, ..pair })
    }

    fn weight(&self, row: &Row<'_>) -> Result<Option<f64>> {
        let Some(text) = self.columns.optional(row, ColumnRole::Weight)? else { return Ok(None) };
        let weight = text.trim().parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
        weight.map(Some).ok_or_else(|| Error::invalid(row.place(), "a weight of 0 or more", quoted(&text), ""))
    }
}

/// What to do about columns that have other names, or are not told apart.
fn advice(header: &Header) -> String {
    let advice = match header.columns() {
        _ if header.is_in_memory() => "rename the columns, or give tuples (hyp1, hyp2, ref)",
        [one] if one.contains('\t') => "the columns seem to be separated by tabs: `format` tsv",
        [one] if one.contains(',') => "the columns seem to be separated by commas: `format` csv",
        [one] if one.contains(';') => "the columns seem to be separated by semicolons: use commas or tabs",
        columns => match foreign::advice(columns) {
            Some(advice) => return advice,
            None => "name the columns in the first line, or make pairs of other tables with 'tribunal import table'",
        },
    };
    advice.to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::PairReader;
    use super::*;
    use std::io::Write;

    fn read(text: &str, ending: &str) -> Result<Vec<Pair>> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        PairReader::open(&Input::File(file.path().into()), None)?.collect()
    }

    #[test]
    fn a_table_has_its_columns_in_any_order() {
        let pairs = read("label,ref,extra,hyp2,hyp1\n-1,\"r, s\",x,b,a\n", ".csv").unwrap();
        assert_eq!(pairs[0].hypotheses, ["a", "b"]);
        assert_eq!((&pairs[0].references[..], pairs[0].line), (&["r, s".to_owned()][..], 2));
        assert_eq!(pairs[0].label, Some(Verdict::Second));
    }

    #[test]
    fn references_follow_one_rule() {
        let object = |rest: &str| format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",{rest}}}\n");
        for (text, ending, expected) in [
            ("hyp1\thyp2\tref3\tref\tref2\na\tb\tt\tr\ts\n".to_owned(), ".tsv", &["r", "s", "t"][..]),
            ("hyp1,hyp2,ref,ref2,ref3\na,b,r,,t\n".to_owned(), ".csv", &["r", "t"]),
            ("hyp1,hyp2,ref,ref2\na,b,,s\n".to_owned(), ".csv", &["", "s"]),
            (object("\"ref\":[\"r\",\"\",\"s\"],\"ref2\":\"t\""), ".jsonl", &["r", "s", "t"]),
            (object("\"ref\":\"r\",\"ref2\":null,\"ref3\":\"t\""), ".jsonl", &["r", "t"]),
            (object("\"ref\":7,\"ref2\":\"\""), ".jsonl", &["7"]),
        ] {
            assert_eq!(read(&text, ending).unwrap()[0].references, expected, "{text}");
        }
        let later = object("\"ref\":\"r\"") + &object("\"ref2\":\"s\",\"ref\":\"r\"");
        assert_eq!(read(&later, ".jsonl").unwrap()[1].references, ["r", "s"]);
    }
}
