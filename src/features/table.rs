//! Feature tables.

use ndarray::{Array2, ArrayView1, Axis};

use super::{Feature, Schema};
use crate::metrics::Monotonicity;

/// The features of pairs. In real data a segment (a hypothesis with its references) occurs in many pairs, so its values
/// are stored once.
#[derive(Debug, Clone)]
pub struct Table {
    /// The two segments of each pair, as rows of `hypothesis` and of `scores`.
    pub(super) segments: Vec<[usize; 2]>,
    /// f(h, r): (segments, features of a hypothesis).
    pub(super) hypothesis: Array2<f64>,
    /// The scores of the reported metrics, higher is better: (segments, metrics).
    pub(super) scores: Array2<f64>,
    /// The own metrics' values of the first hypothesis, then of the second, higher is better: (pairs, 2 * own metrics).
    pub(super) own: Array2<f64>,
    /// The mean verdict of each judge, from 1 (for the first hypothesis) to -1; NaN where it is missing: (pairs, judges).
    pub(super) verdicts: Array2<f64>,
    /// t(h1, h2), invariant under swapping the hypotheses: (pairs, features of a pair).
    pub symmetric: Array2<f64>,
    /// Which way a higher value of each hypothesis feature, without own metrics, can change the preference.
    pub monotonicity: Vec<Monotonicity>,
    /// The mean number of sentences per reference of each pair, at least 1.
    pub reference_sentences: Vec<f64>,
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

    /// The number of own metrics.
    pub fn own_columns(&self) -> usize {
        self.own.ncols() / 2
    }

    /// The own metrics' values of the two hypotheses of a pair, higher is better.
    pub fn own(&self, pair: usize) -> [ArrayView1<'_, f64>; 2] {
        let (first, second) = self.own.row(pair).split_at(Axis(0), self.own_columns());
        [first, second]
    }

    /// The number of own metrics and judges.
    pub fn external_columns(&self) -> usize {
        self.own_columns() + self.judges()
    }

    /// The number of judges.
    pub fn judges(&self) -> usize {
        self.verdicts.ncols()
    }

    /// The mean verdicts of the judges on a pair; NaN where one is missing.
    pub fn verdicts(&self, pair: usize) -> ArrayView1<'_, f64> {
        self.verdicts.row(pair)
    }

    /// The number of hypothesis features computed from texts.
    pub fn hypothesis_columns(&self) -> usize {
        self.hypothesis.ncols()
    }

    /// The hypothesis features of a pair that are computed from texts, f(h1, r) and f(h2, r).
    pub fn row(&self, pair: usize) -> [ArrayView1<'_, f64>; 2] {
        self.segments[pair].map(|segment| self.hypothesis.row(segment))
    }

    /// The scores of the reported metrics for the two hypotheses of a pair, higher is better.
    pub fn scores(&self, pair: usize) -> [ArrayView1<'_, f64>; 2] {
        self.segments[pair].map(|segment| self.scores.row(segment))
    }

    /// The pairs of these rows.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        Self {
            segments: rows.iter().map(|&row| self.segments[row]).collect(),
            own: self.own.select(Axis(0), rows),
            verdicts: self.verdicts.select(Axis(0), rows),
            symmetric: self.symmetric.select(Axis(0), rows),
            reference_sentences: rows.iter().map(|&row| self.reference_sentences[row]).collect(),
            ..self.clone()
        }
    }

    /// The columns that `wanted` names; `own` is the schema of this table.
    pub fn select_columns(&self, own: &Schema, wanted: &Schema) -> Self {
        let columns = |own: &[Feature], wanted: &[Feature]| -> Vec<usize> {
            wanted.iter().filter_map(|feature| own.iter().position(|candidate| candidate == feature)).collect()
        };
        let hypothesis = columns(&own.hypothesis, &wanted.hypothesis);
        let metrics = wanted.own.iter().filter_map(|metric| own.own.iter().position(|candidate| candidate == metric));
        let first: Vec<usize> = metrics.collect();
        let both: Vec<usize> = first.iter().copied().chain(first.iter().map(|at| at + own.own.len())).collect();
        let judges = wanted.judges.iter().filter_map(|judge| own.judges.iter().position(|other| other == judge));
        Self {
            segments: self.segments.clone(),
            hypothesis: self.hypothesis.select(Axis(1), &hypothesis),
            scores: self.scores.clone(),
            own: self.own.select(Axis(1), &both),
            verdicts: self.verdicts.select(Axis(1), &judges.collect::<Vec<_>>()),
            symmetric: self.symmetric.select(Axis(1), &columns(&own.pair, &wanted.pair)),
            monotonicity: hypothesis.iter().map(|&column| self.monotonicity[column]).collect(),
            reference_sentences: self.reference_sentences.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{arr1, arr2};

    use super::*;
    use crate::judgments::{ExternalJudge, ExternalMetric};

    /// Two pairs that share a segment.
    fn table() -> Table {
        Table {
            segments: vec![[0, 1], [2, 0]],
            hypothesis: arr2(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
            scores: arr2(&[[0.1], [0.2], [0.3]]),
            own: arr2(&[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]),
            verdicts: arr2(&[[1.0], [f64::NAN]]),
            symmetric: arr2(&[[7.0, 8.0], [9.0, 10.0]]),
            monotonicity: vec![Monotonicity::Recall, Monotonicity::Free],
            reference_sentences: vec![11.0, 12.0],
        }
    }

    fn schema(hypothesis: &[&str], pair: &[&str]) -> Schema {
        let features = |names: &[&str]| -> Vec<Feature> {
            names.iter().map(|&name| Feature { name: name.into(), signature: String::new() }).collect()
        };
        Schema {
            hypothesis: features(hypothesis),
            pair: features(pair),
            own: ["e", "f"].map(ExternalMetric::new).to_vec(),
            judges: vec![ExternalJudge { name: "g".into(), both_orders: false, scale: crate::judgments::Scale::Words }],
        }
    }

    #[test]
    fn a_pair_has_the_values_of_its_segments() {
        let table = table();
        assert_eq!((table.len(), table.is_empty(), table.hypothesis_columns()), (2, false, 2));
        assert_eq!(table.row(0), [arr1(&[1.0, 2.0]), arr1(&[3.0, 4.0])]);
        assert_eq!(table.row(1), [arr1(&[5.0, 6.0]), arr1(&[1.0, 2.0])]);
        assert_eq!(table.scores(1), [arr1(&[0.3]), arr1(&[0.1])]);
        assert_eq!(table.own(1), [arr1(&[5.0, 6.0]), arr1(&[7.0, 8.0])]);
    }

    #[test]
    fn selected_rows_keep_their_values() {
        let (table, selected) = (table(), table().select_rows(&[1]));
        assert_eq!((selected.len(), selected.row(0), selected.own(0)), (1, table.row(1), table.own(1)));
        assert_eq!((selected.symmetric, selected.reference_sentences), (arr2(&[[9.0, 10.0]]), vec![12.0]));
    }

    #[test]
    fn selected_columns_are_in_the_wanted_order() {
        let own = schema(&["a", "b"], &["c", "d"]);
        let mut wanted = schema(&["b"], &["d", "c"]);
        wanted.own.remove(0);
        let selected = table().select_columns(&own, &wanted);
        assert_eq!((selected.own(1), selected.own_columns()), ([arr1(&[6.0]).view(), arr1(&[8.0]).view()], 1));
        assert_eq!(selected.row(1), [arr1(&[6.0]), arr1(&[2.0])]);
        assert_eq!(selected.symmetric, arr2(&[[8.0, 7.0], [10.0, 9.0]]));
        assert_eq!((selected.len(), selected.reference_sentences.clone()), (2, vec![11.0, 12.0]));
        assert_eq!(selected.scores(0), table().scores(0));
        assert_eq!(table().select_columns(&own, &own).hypothesis, table().hypothesis);
    }
}
