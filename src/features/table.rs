//! Feature tables.

use ndarray::{Array2, ArrayView1, Axis};

use super::column::{Column, ColumnSource, ColumnValue};
use super::schema::Schema;
use crate::metrics::Monotonicity;

/// The values of a schema's columns for pairs. In real data a segment (a hypothesis with its references) occurs in many
/// pairs, so what is computed of it is stored once.
#[derive(Debug, Clone)]
pub struct Table {
    /// Where each column's values are.
    pub(super) cells: Vec<CellPlace>,
    /// Which way a higher value of each column can change the preference.
    pub(super) monotonicity: Vec<Monotonicity>,
    /// The two segments of each pair, as rows of `segment_values` and of `scores`.
    pub(super) segments: Vec<[usize; 2]>,
    /// What metrics give each hypothesis: (segments, columns).
    pub(super) segment_values: Array2<f64>,
    /// Similarities, one value a column, and external values, one for each hypothesis: (pairs, values).
    pub(super) pair_values: Array2<f64>,
    /// The scores of the reported metrics, higher is better: (segments, metrics).
    pub(super) scores: Array2<f64>,
    /// The mean number of sentences per reference of each pair, at least 1.
    pub reference_sentences: Vec<f64>,
}

/// Where the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellPlace {
    /// A column of `segment_values`.
    Metric(usize),
    /// A column of `pair_values`.
    Similarity(usize),
    /// This column of `pair_values` for the first hypothesis, the next one for the second.
    External(usize),
}

impl CellPlace {
    /// Where the values of a schema's columns are, and the numbers of values for each segment and for each pair.
    pub(super) fn places(schema: &Schema) -> (Vec<Self>, [usize; 2]) {
        let [mut segment, mut pair] = [0, 0];
        let mut next = |column: &Column| match column.source {
            ColumnSource::Metric { .. } => {
                segment += 1;
                Self::Metric(segment - 1)
            }
            ColumnSource::Similarity { .. } => {
                pair += 1;
                Self::Similarity(pair - 1)
            }
            ColumnSource::External { .. } | ColumnSource::Judge { .. } => {
                pair += 2;
                Self::External(pair - 2)
            }
        };
        let cells = schema.columns.iter().map(&mut next).collect();
        (cells, [segment, pair])
    }
}

impl Table {
    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The values of a pair, one for each column.
    pub fn values(&self, pair: usize) -> impl Iterator<Item = ColumnValue> {
        let [first, second] = self.segments[pair].map(|segment| self.segment_values.row(segment));
        let of_pair = self.pair_values.row(pair);
        self.cells.iter().map(move |&cells| match cells {
            CellPlace::Metric(at) => ColumnValue::Metric([first[at], second[at]]),
            CellPlace::Similarity(at) => ColumnValue::Similarity(of_pair[at]),
            CellPlace::External(at) => ColumnValue::External([of_pair[at], of_pair[at + 1]]),
        })
    }

    /// The value of a pair in one column.
    pub fn value(&self, pair: usize, column: usize) -> ColumnValue {
        let of_pair = |at: usize| self.pair_values[[pair, at]];
        match self.cells[column] {
            CellPlace::Metric(at) => {
                ColumnValue::Metric(self.segments[pair].map(|segment| self.segment_values[[segment, at]]))
            }
            CellPlace::Similarity(at) => ColumnValue::Similarity(of_pair(at)),
            CellPlace::External(at) => ColumnValue::External([of_pair(at), of_pair(at + 1)]),
        }
    }

    /// Where each column's values are.
    pub(crate) fn cells(&self) -> &[CellPlace] {
        &self.cells
    }

    /// The number of columns of x, and of t.
    pub fn model_columns(&self) -> [usize; 2] {
        let count = |is_counted: fn(&CellPlace) -> bool| self.cells.iter().filter(|cells| is_counted(cells)).count();
        [
            count(|cells| !matches!(cells, CellPlace::Similarity(_))),
            count(|cells| !matches!(cells, CellPlace::Metric(_))),
        ]
    }

    /// Which way a higher value of each column of x can change the preference.
    pub fn monotonicity(&self) -> impl Iterator<Item = Monotonicity> {
        let of_each = self.cells.iter().zip(&self.monotonicity);
        of_each.filter(|(cells, _)| !matches!(cells, CellPlace::Similarity(_))).map(|(_, monotonicity)| *monotonicity)
    }

    /// Whether a column's differences are damped for long references: those of all metrics but recall.
    pub fn is_damped(&self, column: usize) -> bool {
        matches!(self.cells[column], CellPlace::Metric(_)) && self.monotonicity[column] != Monotonicity::Recall
    }

    /// Where `pair_values` has the similarities.
    pub(super) fn similarity_places(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().filter_map(|cells| if let CellPlace::Similarity(at) = *cells { Some(at) } else { None })
    }

    /// Where `pair_values` has the external values of the first hypothesis; those of the second follow.
    pub(super) fn external_places(&self) -> impl Iterator<Item = usize> {
        self.cells.iter().filter_map(|cells| if let CellPlace::External(at) = *cells { Some(at) } else { None })
    }

    /// The scores of the reported metrics for the two hypotheses of a pair, higher is better.
    pub fn scores(&self, pair: usize) -> [ArrayView1<'_, f64>; 2] {
        self.segments[pair].map(|segment| self.scores.row(segment))
    }

    /// The columns that `wanted` names; `own` is the schema of this table.
    pub fn select_columns(&self, own: &Schema, wanted: &Schema) -> Self {
        let find = |column: &Column| own.columns.iter().position(|known| known == column);
        let columns: Vec<usize> = wanted.columns.iter().filter_map(find).collect();
        let (mut of_segments, mut of_pairs) = (Vec::new(), Vec::new());
        for &column in &columns {
            match self.cells[column] {
                CellPlace::Metric(at) => of_segments.push(at),
                CellPlace::Similarity(at) => of_pairs.push(at),
                CellPlace::External(at) => of_pairs.extend([at, at + 1]),
            }
        }
        Self {
            cells: CellPlace::places(wanted).0,
            monotonicity: columns.iter().map(|&column| self.monotonicity[column]).collect(),
            segments: self.segments.clone(),
            segment_values: self.segment_values.select(Axis(1), &of_segments),
            pair_values: self.pair_values.select(Axis(1), &of_pairs),
            scores: self.scores.clone(),
            reference_sentences: self.reference_sentences.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{arr1, arr2};

    use super::ColumnValue::{External, Metric, Similarity};
    use super::*;
    use crate::judgments::ExternalMetric;

    fn schema(metrics: &[&str], similarities: &[&str], external: &[&str]) -> Schema {
        let metrics = metrics.iter().map(|&name| Column::metric(name.into(), String::new()));
        let similarities = similarities.iter().map(|&name| Column::similarity(name.into(), String::new()));
        let external: Vec<ColumnSource> = external.iter().map(|&name| ExternalMetric::new(name).into()).collect();
        metrics.chain(similarities).chain(Column::external(&external)).collect()
    }

    /// Two pairs that share a segment.
    fn table() -> (Schema, Table) {
        let schema = schema(&["a", "b"], &["c", "d"], &["e", "f"]);
        let table = Table {
            cells: CellPlace::places(&schema).0,
            monotonicity: schema.columns.iter().map(Column::monotonicity).collect(),
            segments: vec![[0, 1], [2, 0]],
            segment_values: arr2(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
            pair_values: arr2(&[[7.0, 8.0, 1.0, 3.0, 2.0, 4.0], [9.0, 10.0, 5.0, 7.0, 6.0, 8.0]]),
            scores: arr2(&[[0.1], [0.2], [0.3]]),
            reference_sentences: vec![11.0, 12.0],
        };
        (schema, table)
    }

    #[test]
    fn a_pair_has_the_values_of_its_segments_and_its_own() {
        let (_, table) = table();
        let values: Vec<ColumnValue> = table.values(1).collect();
        let expected = [
            Metric([5.0, 1.0]),
            Metric([6.0, 2.0]),
            Similarity(9.0),
            Similarity(10.0),
            External([5.0, 7.0]),
            External([6.0, 8.0]),
        ];
        assert_eq!(values, expected);
        assert_eq!((0..6).map(|column| table.value(1, column)).collect::<Vec<_>>(), expected);
        assert_eq!((table.len(), table.is_empty(), table.model_columns()), (2, false, [4, 4]));
        assert_eq!(table.scores(1), [arr1(&[0.3]), arr1(&[0.1])]);
    }

    #[test]
    fn selected_columns_are_in_the_wanted_order() {
        let (own, table) = table();
        let selected = table.select_columns(&own, &schema(&["b"], &["d", "c"], &["f"]));
        let values: Vec<ColumnValue> = selected.values(1).collect();
        assert_eq!(values, [Metric([6.0, 2.0]), Similarity(10.0), Similarity(9.0), External([6.0, 8.0])]);
        assert_eq!((selected.len(), selected.reference_sentences.clone()), (2, vec![11.0, 12.0]));
        assert_eq!(selected.scores(0), table.scores(0));
    }
}
