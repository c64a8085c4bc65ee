//! Agreement of annotators: a yardstick for accuracy.

use serde::Serialize;

/// Agreement of different annotators on the same items.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// The number of items that several annotators labelled.
    pub pairs: usize,
    /// The number of their labels.
    pub judgments: usize,
    /// The share of equal labels among all pairs of labels of the same item by different annotators, pooled over items; in
    /// [0, 1].
    pub share: f64,
}

impl Agreement {
    /// Measures the agreement on items, each given as how often each of its annotators gave each of three labels. `None`
    /// where no item has labels of two annotators.
    ///
    /// ```
    /// use tribunal_stats::Agreement;
    ///
    /// // Two annotators agree on one item, and one of three differs on another.
    /// let items = [vec![[1, 0, 0], [1, 0, 0]], vec![[1, 0, 0], [1, 0, 0], [0, 0, 1]]];
    /// let agreement = Agreement::new(items.iter().map(Vec::as_slice)).unwrap();
    /// assert_eq!((agreement.judgments, agreement.share), (5, 2.0 / 4.0));
    /// ```
    pub fn new<'a>(items: impl Iterator<Item = &'a [[usize; 3]]>) -> Option<Self> {
        let (mut agreement, mut equal, mut all) = (Self { pairs: 0, judgments: 0, share: 0.0 }, 0, 0);
        for annotators in items.filter(|annotators| annotators.len() > 1) {
            let total: [usize; 3] = std::array::from_fn(|at| annotators.iter().map(|counts| counts[at]).sum());
            agreement.pairs += 1;
            agreement.judgments += total.iter().sum::<usize>();
            // Two labels of one annotator say nothing about two annotators.
            equal += equal_pairs(&total) - annotators.iter().map(equal_pairs).sum::<usize>();
            all +=
                pairs(total.iter().sum()) - annotators.iter().map(|counts| pairs(counts.iter().sum())).sum::<usize>();
        }
        (all > 0).then(|| Self { share: equal as f64 / all as f64, ..agreement })
    }
}

fn pairs(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}

fn equal_pairs(counts: &[usize; 3]) -> usize {
    counts.iter().map(|&count| pairs(count)).sum()
}
