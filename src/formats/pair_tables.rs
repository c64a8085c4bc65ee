//! Tables of pairs, with the columns `hyp1`, `hyp2`, `ref` and, optionally, `ref2`, ..., `label`, `id`, `group`,
//! `judges`, `weight`. Other columns are ignored. Next: [`super::reader`].

use super::account::Account;
use super::format::{Format, Role};
use super::importer::Importer;
use super::labels::{LABELS, LabelNames};
use super::own::{OWN_COLUMNS, WITHOUT_REFERENCES};
use super::pair_columns::{Names, PairColumns};
use crate::error::{Error, Result};
use crate::files::Input;
use crate::files::table::{Row, Rows, TableKind};
use crate::judgments::Pair;
use crate::options::Options;

/// Comma-separated values.
pub(crate) const CSV: Format = Format {
    about: "Pairs in comma-separated columns: hyp1, hyp2, ref; if known ref2, ..., label, id, group, judges, weight",
    sample: "hyp1,hyp2,ref,ref2,label\na cat sat,cats sat,the cat sat,,1\n\"a, dog\",dogs,a dog ran,the dog ran,-1\n",
    open: |input, options| PairTable::open(input, options, TableKind::Csv),
    ..format(TableKind::Csv)
};

/// Tab-separated values.
pub(crate) const TSV: Format = Format {
    about: "The same, separated by tabs, without quotes",
    sample: "hyp1\thyp2\tref\tref2\tlabel\na cat sat\tcats sat\tthe cat sat\t\t1\n\
        a dog\tdogs\ta dog ran\tthe dog ran\t-1\n",
    open: |input, options| PairTable::open(input, options, TableKind::Tsv),
    ..format(TableKind::Tsv)
};

/// JSON Lines: one object per line.
pub(crate) const JSON_LINES: Format = Format {
    about: "The same, one JSON object per line; ref may be a list",
    sample: "{\"hyp1\":\"a cat sat\",\"hyp2\":\"cats sat\",\"ref\":\"the cat sat\",\"label\":1}\n\
        {\"hyp1\":\"a dog\",\"hyp2\":\"dogs\",\"ref\":[\"a dog ran\",\"the dog ran\"],\"label\":-1}\n",
    open: |input, options| PairTable::open(input, options, TableKind::JsonLines),
    ..format(TableKind::JsonLines)
};

/// Parquet.
#[cfg(feature = "parquet")]
pub(crate) const PARQUET: Format = Format {
    about: "The same in Parquet",
    open: |input, options| PairTable::open(input, options, TableKind::Parquet),
    ..format(TableKind::Parquet)
};

const fn format(kind: TableKind) -> Format {
    Format {
        name: kind.name(),
        about: "",
        details: "",
        sample: "",
        example: "",
        endings: kind.endings(),
        table: Some(kind),
        role: Role::Pairs,
        options: &[&LABELS, &OWN_COLUMNS, &WITHOUT_REFERENCES],
        open: |input, options| PairTable::open(input, options, TableKind::Csv),
        scores: None,
    }
}

struct PairTable {
    rows: Rows,
    columns: PairColumns,
    label_fault: Option<Error>,
}

impl PairTable {
    fn open(input: &Input, options: &Options, kind: TableKind) -> Result<Box<dyn Importer>> {
        let rows = Rows::open(input, Some(kind))?;
        let names = Names { labels: LabelNames::from_options(options)?, ..Names::default() };
        let columns = PairColumns::find(rows.header(), &names, options)?;
        Ok(Box::new(Self { rows, columns, label_fault: None }))
    }

    fn pair(&mut self, row: &Row<'_>) -> Result<Pair> {
        let pair = self.columns.pair(row)?;
        // A wrong label does not matter to callers that need only the pairs.
        let label = self.columns.label(row).unwrap_or_else(|fault| {
            self.label_fault.get_or_insert(fault);
            None
        });
        Ok(Pair { label, ..pair })
    }
}

impl Iterator for PairTable {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        Some(row.and_then(|row| self.pair(&row)))
    }
}

impl Importer for PairTable {
    fn account(&self) -> Option<&Account> {
        None
    }

    fn references(&self) -> usize {
        self.columns.references.count()
    }

    fn label_fault(&mut self) -> Option<Error> {
        self.label_fault.take()
    }
}

#[cfg(test)]
mod tests {
    use super::super::PairReader;
    use super::*;
    use crate::judgments::Verdict;
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
        assert_eq!(pairs[0].references, ["r, s"]);
        assert_eq!(pairs[0].label, Some(Verdict::Second));
        assert_eq!(pairs[0].line, 2);
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

    #[test]
    fn a_label_that_nobody_needs_may_be_anything() {
        let pairs = read("hyp1,hyp2,ref,label\na,b,c,left\na,b,c,1.0\n", ".csv").unwrap();
        assert_eq!([pairs[0].label, pairs[1].label], [None, Some(Verdict::First)]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let columns = ":1: expected a header with the columns hyp1, hyp2, ref, found no column 'ref'";
        for (text, ending, part) in [
            ("hyp1,hyp2\na,b\n", ".csv", columns),
            ("hyp1,hyp2,ref\na,b\n", ".csv", ":2: expected 3 fields, as in the header, found 2"),
            ("hyp1,hyp2,ref,weight\na,b,c,nan\n", ".csv", ":2: expected a weight of 0 or more"),
            (
                "hyp1,hyp2,ref,ref3\na,b,c,d\n",
                ".csv",
                ":1: expected the column 'ref2' before 'ref3', found no such column",
            ),
            ("{\"hyp1\":\"a\"}\n", ".jsonl", ":1: expected a text in the column 'hyp2', found no such column"),
            ("{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":[]}\n", ".jsonl", ":1: expected a reference"),
            ("{\"hyp1\":\"a\",\"hyp2\":[\"b\"],\"ref\":\"r\"}\n", ".jsonl", ":1: expected a text in the column 'hyp2'"),
            (
                "{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"r\",\"ref3\":\"s\"}\n",
                ".jsonl",
                ":1: expected the column 'ref2'",
            ),
        ] {
            let message = read(text, ending).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
