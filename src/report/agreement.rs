//! In: statistics of metrics' agreement with people, and tests between metrics. Out: the report, as JSON. Next:
//! [`super::agreement_text`].

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::evaluation::meta::{RowAgreement, SegmentAgreement, SystemAgreement, TestSettings};

/// The report of the `correlate` command: how metrics agree with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementReport {
    /// The column with people's scores.
    pub people: String,
    /// The number of systems.
    pub systems: usize,
    /// The number of segments of each system.
    pub segments: usize,
    /// The number of cells that people did not judge, which are left out.
    pub missing: usize,
    /// The test between metrics.
    pub test: TestReport,
    /// The metrics, sorted by the tested statistic, the best first.
    pub metrics: Vec<MetricAgreement>,
    /// Each metric against each later one.
    pub differences: Vec<Difference>,
    /// Further notes, one line each.
    pub notes: Vec<String>,
}

/// The settings of a test between metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestReport {
    /// The name of the method.
    pub method: &'static str,
    /// The name of the compared statistic.
    pub statistic: &'static str,
    /// The largest number of rounds.
    pub rounds: usize,
    /// The seed for the rounds.
    pub seed: u64,
}

impl From<TestSettings> for TestReport {
    fn from(settings: TestSettings) -> Self {
        let TestSettings { statistic, rounds, seed } = settings;
        Self { method: "PERM-BOTH", statistic: statistic.name(), rounds, seed }
    }
}

/// One metric's agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricAgreement {
    /// Its column in the table, or its name in the registry.
    pub name: String,
    /// Whether lower scores are better, so that scores were negated.
    pub lower_is_better: bool,
    /// The tested statistic.
    pub statistic: Option<f64>,
    /// The cluster, from 1, in which no metric is significantly worse than another; absent for metrics that cannot be
    /// tested.
    pub cluster: Option<usize>,
    /// Segment-level agreement.
    pub segments: SegmentValues,
    /// System-level agreement; absent for a single system, and where people did not judge every cell.
    pub system_level: Option<Values>,
}

/// Segment-level agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentValues {
    /// Over all cells at once.
    pub none: Values,
    /// Over the segments of each system, averaged.
    pub sys: Values,
    /// Over the systems of each segment, averaged.
    pub item: Values,
    /// `kendall_like_1` and so on, by threshold.
    #[serde(flatten)]
    pub kendall_like: Values,
}

/// Statistics by name, in order; null where one is undefined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values(pub Vec<(String, Option<f64>)>);

impl Values {
    fn of<const N: usize>(values: [(&str, Option<f64>); N]) -> Self {
        Self(values.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).and_then(|(_, value)| *value)
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

/// A test of two metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The metric with the higher statistic.
    pub better: String,
    /// The metric with the lower statistic.
    pub worse: String,
    /// By how much it is higher.
    pub difference: f64,
    /// The one-sided p-value of the difference, in [0, 1].
    pub p_value: f64,
    /// The number of rounds that were run.
    pub rounds: usize,
}

impl SegmentValues {
    /// Names the values; `thresholds` are those of the Kendall-like statistics.
    pub fn of(agreement: &SegmentAgreement, thresholds: &[f64]) -> Self {
        let named = |(threshold, value): (&f64, &Option<f64>)| (format!("kendall_like_{threshold}"), *value);
        Self {
            none: row(&agreement.none),
            sys: row(&agreement.system),
            item: row(&agreement.item),
            kendall_like: Values(thresholds.iter().zip(&agreement.kendall_like).map(named).collect()),
        }
    }
}

fn row(found: &RowAgreement) -> Values {
    Values::of([
        ("kendall_b", found.kendall_b),
        ("kendall_c", found.kendall_c),
        ("kendall_10", found.kendall_10),
        ("kendall_13", found.kendall_13),
        ("kendall_14", found.kendall_14),
        ("kendall_23", found.kendall_23),
        ("kendall_acc23", found.accuracy),
        ("pearson", found.pearson),
        ("spearman", found.spearman),
        ("acc23_optimised", found.optimised.map(|optimised| optimised.accuracy)),
        ("acc23_threshold", found.optimised.map(|optimised| optimised.threshold)),
    ])
}

/// The key of soft pairwise accuracy, which names the settings of its random draws.
pub fn soft_pairwise_accuracy_key(permutations: usize, seed: u64) -> String {
    format!("soft_pairwise_accuracy_{permutations}_permutations_seed_{seed}")
}

/// Names the system-level statistics; `soft` is the key of soft pairwise accuracy.
pub fn system_values(found: &SystemAgreement, soft: &str) -> Values {
    Values::of([
        ("pairwise_accuracy", found.pairwise_accuracy),
        (soft, found.soft_pairwise_accuracy),
        ("pearson", found.pearson),
        ("spearman", found.spearman),
        ("kendall_b", found.kendall_b),
    ])
}
