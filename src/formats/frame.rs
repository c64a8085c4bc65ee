//! Pairs in memory: named columns, as in a data frame, read by the same rules as tables in files.
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

use super::format::Reading;
use super::import::{Importer, PairShape, finished};
use super::oddities::Oddities;
use super::outputs::{is_header_of_outputs, joined_rows, output_rows};
use super::pairs::PairColumns;
use super::score_table::{ScoreColumns, ScoreTable};
use super::signals::Signals;
use super::votes::{MERGE, MajorityRule};
use crate::error::{Error, Result, quoted};
use crate::files::table::{Cell, Header, Row};
use crate::judgments::output::Outputs;
use crate::judgments::{Judgment, Pair};
use crate::options::Options;

/// A cell, by its row and column, both counted from 0.
pub type Cells<'c> = Box<dyn Fn(usize, usize) -> Cell<'c> + 'c>;

/// A table in memory, with the same columns as files of pairs: `hyp1`, `hyp2`, `ref`, and optionally `ref2`, ...,
/// `label`, `id`, `group`, `annotator`, `weight`, and `NAME.1` and `NAME.2` for own metrics. Other columns are ignored.
pub struct Frame<'c> {
    header: Header,
    rows: usize,
    cell: Cells<'c>,
}

/// What to read from a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrameReading {
    /// The signals of other programs, in columns.
    pub signals: Signals,
    /// Options of tables: names of columns and of labels, annotators and their majority.
    pub options: Options,
    /// The column whose values a report is broken down by.
    pub by_column: Option<String>,
    /// See [`Reading::may_lack_texts`].
    pub may_lack_texts: bool,
}

impl FrameReading {
    /// The same for tables of any kind.
    ///
    /// # Errors
    /// A signal is in a file.
    fn in_columns(&self, header: &Header) -> Result<Reading> {
        let mut signals = self.signals.clone().with_annotators(&self.options)?.of_file(0, 1)?;
        signals.iter_mut().for_each(|source| source.settle(header));
        if let Some((signal, file)) = signals.iter().find_map(|one| Some((&one.signal, one.file.as_ref()?))) {
            let advice = format!("read the file, and give {} as columns of the pairs", quoted(signal.name()));
            let expected = "the names of columns, as the pairs are in memory";
            return Err(Error::invalid(format!("`{}`", signal.option()), expected, format!("the file {file}"), advice));
        }
        let (by_column, may_lack_texts) = (self.by_column.clone(), self.may_lack_texts);
        Ok(Reading { signals, options: self.options.clone(), by_column, may_lack_texts, ..Reading::default() })
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
        self.read(reading, false)
    }

    /// The pairs, of which some have human labels.
    ///
    /// # Errors
    /// As [`Self::pairs`]; a label cannot be read.
    pub fn partly_labelled(&self, reading: &FrameReading) -> Result<Vec<Pair>> {
        self.read(reading, true)
    }

    /// The pairs with their human labels.
    ///
    /// # Errors
    /// As [`Self::pairs`]; a label is missing or cannot be read.
    pub fn judgments(&self, reading: &FrameReading) -> Result<Vec<Judgment>> {
        let pairs = self.read(reading, true)?;
        let judged = |pair: Pair| match pair.label {
            Some(label) => Ok(Judgment { pair, label }),
            None => Err(self.no_label(&pair)),
        };
        pairs.into_iter().map(judged).collect()
    }

    /// The rows as scores of systems' segments, by part.
    ///
    /// # Errors
    /// As [`ScoreTable::read`].
    pub fn scores(&self, columns: &ScoreColumns) -> Result<Vec<ScoreTable>> {
        ScoreTable::new(&self.header, (0..self.rows).map(|row| Ok(self.row(row))), columns)
    }

    /// Whether there is one output a row, and no pair.
    pub fn are_outputs(&self, FrameReading { options, .. }: &FrameReading) -> bool {
        is_header_of_outputs(&self.header, options)
    }

    /// The single outputs, each once, with the labels of all its annotators.
    ///
    /// # Errors
    /// As [`read_outputs`](super::read_outputs).
    pub fn outputs(&self, reading: &FrameReading) -> Result<Outputs> {
        joined_rows(self.output_rows(reading)?, self.header.place())
    }

    /// The rows as single outputs, each of its own.
    ///
    /// # Errors
    /// As [`read_outputs`](super::read_outputs).
    pub fn output_rows(&self, reading: &FrameReading) -> Result<Outputs> {
        let reading = FrameReading { signals: reading.signals.clone().each_once(), ..reading.clone() };
        output_rows(&self.header, (0..self.rows).map(|row| Ok(self.row(row))), &reading.in_columns(&self.header)?)
    }

    fn row(&self, row: usize) -> Row<'_> {
        let cells = (0..self.header.columns().len()).map(|column| (self.cell)(row, column)).collect();
        Row::in_memory(&self.header, row, cells)
    }

    fn read(&self, reading: &FrameReading, needs_labels: bool) -> Result<Vec<Pair>> {
        let options = &reading.options;
        let reading = Reading { needs_labels, ..reading.in_columns(&self.header)? };
        let mut columns = PairColumns::find(&self.header, &reading)?;
        if self.rows == 0 {
            return Err(Error::invalid(self.header.place(), "at least one pair", "none", "give one or more"));
        }
        let mut unknown = Oddities::default();
        let rows = columns.settle((0..self.rows).map(|row| Ok(self.row(row))), needs_labels);
        let mut pair = |row: Result<Row<'_>>| columns.labelled_pair(&row?, needs_labels, &mut unknown);
        let mut pairs = rows.map(&mut pair).collect::<Result<Vec<Pair>>>()?.into_iter();
        unknown.check(self.header.place())?;
        // Only labels depend on the order; predictions are about that of the rows.
        let shape = PairShape { is_preference: columns.shape().is_preference && needs_labels, ..columns.shape() };
        let mut all = Importer::new(shape, move |_| Ok(pairs.next()));
        let rule = MajorityRule::from_options(options)?;
        all.majority = Some(rule);
        let all = all.merged_by(options.is_given(&MERGE).then_some(rule));
        finished(vec![all], &[self.header.place().to_owned()])?.into_iter().flatten().collect()
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
    use crate::formats::ANNOTATORS;
    use crate::judgments::Verdict;

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
    fn files_beside_pairs_in_memory_are_refused() {
        let rows = [vec![Cell::Text("a"), Cell::Text("b"), Cell::Integer(1)]];
        let frame = frame(&["hyp1", "hyp2", "label"], &rows);
        let refused = |signals: Signals, options: Options| {
            let message =
                frame.judgments(&FrameReading { signals, options, ..Default::default() }).unwrap_err().to_string();
            assert!(message.contains("expected the names of columns") && message.contains("m.txt"), "{message}");
        };
        refused(Signals::parse(&["m=m.txt".to_owned()], &[]).unwrap(), Options::default());
        refused(Signals::parse(&[], &["m=m.txt".to_owned()]).unwrap(), Options::default());
        let mut annotators = Options::default();
        annotators.set(&ANNOTATORS, "m=m.txt").unwrap();
        refused(Signals::default(), annotators);
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
        let reading = |name: &str| FrameReading {
            signals: Signals::parse(&[name.to_owned()], &[]).unwrap(),
            ..FrameReading::default()
        };
        let pairs = frame.pairs(&reading("comet")).unwrap();
        assert_eq!(pairs[0].own_score("comet"), Some([0.1 + 0.2, 3.0]));
        assert!(pairs[0].references.is_empty());
        assert_eq!(fault(&frame.pairs(&reading("bleurt")).unwrap_err()), Some(Fault::MissingColumn));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_row() {
        let text = Cell::Text("x");
        for (names, row, part, kind) in [
            (
                &["hyp1", "ref"][..],
                vec![text, text],
                "pairs: expected the columns hyp1, hyp2, found no",
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
