//! Pairs in memory. In: named columns, as in a data frame. Out: [`Pair`]s or judgments, by the same rules as for tables
//! in files. Next: the caller.
//!
//! ```
//! use tribunal::files::table::Cell;
//! use tribunal::formats::Frame;
//!
//! let columns = [("hyp1", "He goes."), ("hyp2", "He go."), ("ref", "He is going.")];
//! let names = columns.map(|(name, _)| name.to_owned()).to_vec();
//! let frame = Frame::new("pairs", names, 1, Box::new(|_, column| Cell::Text(columns[column].1)))?;
//! assert_eq!(frame.pairs(&Default::default())?[0].references, ["He is going."]);
//! # Ok::<(), tribunal::Error>(())
//! ```

use super::own::{OWN_COLUMNS, WITHOUT_REFERENCES};
use super::pair_columns::{Names, PairColumns};
use crate::error::{Error, Result};
use crate::files::table::{Cell, Header, Row};
use crate::judgments::{ExternalMetric, Judgment, Pair, Verdict};
use crate::options::Options;

/// A cell, by its row and column, both counted from 0.
pub type Cells<'c> = Box<dyn Fn(usize, usize) -> Cell<'c> + 'c>;

/// A table in memory, with the same columns as files of pairs: `hyp1`, `hyp2`, `ref`, and optionally `ref2`, ...,
/// `label`, `id`, `group`, `judges`, `weight`, and `NAME.1` and `NAME.2` for own metrics. Other columns are ignored.
pub struct Frame<'c> {
    header: Header,
    rows: usize,
    cell: Cells<'c>,
}

/// What to read from a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrameReading {
    /// The user's own metrics.
    pub own: Vec<ExternalMetric>,
    /// Whether pairs may lack a reference.
    pub without_references: bool,
}

impl FrameReading {
    fn options(&self) -> Result<Options> {
        let mut options = Options::default();
        self.own.iter().try_for_each(|metric| options.set(&OWN_COLUMNS, &metric.name))?;
        if self.without_references {
            options.set(&WITHOUT_REFERENCES, "")?;
        }
        Ok(options)
    }
}

impl<'c> Frame<'c> {
    /// A table of `rows` rows. Errors call it `place` and count its rows from 0.
    ///
    /// # Errors
    /// Two columns have the same name.
    pub fn new(place: &str, columns: Vec<String>, rows: usize, cell: Cells<'c>) -> Result<Self> {
        Ok(Self { header: Header::in_memory(place, columns)?, rows, cell })
    }

    /// The pairs; a label that cannot be read is left out.
    ///
    /// # Errors
    /// A column is missing; there are no rows; otherwise the first row that is wrong.
    pub fn pairs(&self, reading: &FrameReading) -> Result<Vec<Pair>> {
        self.read(reading, &mut |label| Ok(label.unwrap_or(None)))
    }

    /// The pairs with their human labels.
    ///
    /// # Errors
    /// As [`Self::pairs`]; a label is missing or cannot be read.
    pub fn judgments(&self, reading: &FrameReading) -> Result<Vec<Judgment>> {
        let pairs = self.read(reading, &mut |label| label)?;
        let judged = |pair: Pair| match pair.label {
            Some(label) => Ok(Judgment { pair, label }),
            None => Err(self.no_label(&pair)),
        };
        pairs.into_iter().map(judged).collect()
    }

    /// The pairs; `label` decides what happens if a label cannot be read.
    fn read(
        &self,
        reading: &FrameReading,
        label: &mut dyn FnMut(Result<Option<Verdict>>) -> Result<Option<Verdict>>,
    ) -> Result<Vec<Pair>> {
        let columns = PairColumns::find(&self.header, &Names::default(), &reading.options()?)?;
        if self.rows == 0 {
            return Err(Error::invalid(self.header.place(), "at least one pair", "none", "give one or more"));
        }
        let names = self.header.columns();
        let pair = |row: usize| {
            let cells = (0..names.len()).map(|column| (self.cell)(row, column)).collect();
            let row = Row::in_memory(&self.header, row, cells);
            let mut pair = columns.pair(&row)?;
            pair.label = label(columns.label(&row))?;
            if reading.without_references && pair.references.iter().all(|reference| reference.trim().is_empty()) {
                pair.references.clear();
            }
            Ok(pair)
        };
        (0..self.rows).map(pair).collect()
    }

    fn no_label(&self, pair: &Pair) -> Error {
        let place = format!("{}:{}", self.header.place(), pair.line);
        let advice = "give labels, or use a table with a column 'label'";
        Error::invalid(place, "a human judgment of the pair", "none", advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Fault;

    fn frame<'c>(names: &[&str], rows: &'c [Vec<Cell<'c>>]) -> Frame<'c> {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Frame::new("pairs", names, rows.len(), Box::new(move |row, column| rows[row][column])).unwrap()
    }

    fn fault(error: &Error) -> Option<Fault> {
        match error {
            Error::Invalid { fault, .. } => Some(*fault),
            Error::Io { .. } => None,
        }
    }

    #[test]
    fn cells_are_what_files_hold() {
        let texts = ["r".to_owned(), String::new(), "s".to_owned()];
        let rows = [
            vec![Cell::Text("a"), Cell::Text("b"), Cell::Texts(&texts), Cell::Integer(-1), Cell::Number(0.5)],
            vec![Cell::Text(""), Cell::Integer(7), Cell::Text("r"), Cell::Number(1.0), Cell::Empty],
        ];
        let frame = frame(&["hyp1", "hyp2", "ref", "label", "weight"], &rows);
        let found = frame.judgments(&FrameReading::default()).unwrap();
        assert_eq!(found[0].pair.references, ["r", "s"]);
        assert_eq!([found[0].label, found[1].label], [Verdict::Second, Verdict::First]);
        assert_eq!((found[0].pair.weight, found[1].pair.weight), (Some(0.5), None));
        assert_eq!((found[1].pair.hypotheses.clone(), found[1].pair.line), ([String::new(), "7".to_owned()], 1));
    }

    #[test]
    fn own_metrics_are_read_to_the_last_bit() {
        let rows = [vec![Cell::Text("a"), Cell::Text("b"), Cell::Number(0.1 + 0.2), Cell::Integer(3)]];
        let frame = frame(&["hyp1", "hyp2", "comet.1", "comet.2"], &rows);
        let reading = FrameReading { own: vec![ExternalMetric::new("comet")], without_references: true };
        let pairs = frame.pairs(&reading).unwrap();
        assert_eq!(pairs[0].own_score("comet"), Some([0.1 + 0.2, 3.0]));
        assert!(pairs[0].references.is_empty());
        let message = frame.pairs(&FrameReading::default()).unwrap_err();
        assert_eq!(fault(&message), Some(Fault::MissingColumn));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_row() {
        let text = Cell::Text("x");
        for (names, row, part, kind) in [
            (
                &["hyp1", "hyp2"][..],
                vec![text, text],
                "pairs: expected the columns hyp1, hyp2, ref, found no",
                Fault::MissingColumn,
            ),
            (&["hyp1", "hyp2", "ref"], vec![text, Cell::Empty, text], "pairs:0: expected a text", Fault::Type),
            (&["hyp1", "hyp2", "ref", "label"], vec![text, text, text, Cell::Integer(2)], "a label 1", Fault::Value),
            (&["hyp1", "hyp2", "ref"], vec![text, text, text], "pairs:0: expected a human judgment", Fault::Value),
        ] {
            let error = frame(names, &[row]).judgments(&FrameReading::default()).unwrap_err();
            assert!(error.to_string().contains(part) && fault(&error) == Some(kind), "{error}");
        }
        let none: [Vec<Cell<'_>>; 0] = [];
        let message = frame(&["hyp1", "hyp2", "ref"], &none).pairs(&FrameReading::default()).unwrap_err().to_string();
        assert!(message.starts_with("pairs: expected at least one pair, found none"), "{message}");
        let twice = vec!["ref".to_owned(), "ref".to_owned()];
        assert!(Frame::new("pairs", twice, 0, Box::new(|_, _| Cell::Empty)).is_err());
    }
}
