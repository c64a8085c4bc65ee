//! In: how metrics agree with people, and which of them differ. Out: the report, as JSON. Next:
//! [`super::agreement_text`].

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::evaluation::meta::{RowAgreement, SegmentAgreement, SystemAgreement, TestSettings};

/// How metrics agree with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgreementReport {
    /// The column with people's scores.
    pub people: String,
    /// The number of systems.
    pub systems: usize,
    /// The number of segments of each system.
    pub segments: usize,
    /// Cells that people did not judge, which are left out.
    pub missing: usize,
    /// How metrics were tested.
    pub test: TestReport,
    /// The metrics, sorted by the tested statistic, the best first.
    pub metrics: Vec<MetricAgreement>,
    /// Each metric against each later one.
    pub differences: Vec<Difference>,
    /// What else is to be known, a line each.
    pub notes: Vec<String>,
}

/// A test between metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestReport {
    /// What is exchanged.
    pub method: &'static str,
    /// What metrics are compared by.
    pub statistic: &'static str,
    /// Rounds, at most.
    pub rounds: usize,
    /// What they are drawn with.
    pub seed: u64,
}

impl From<TestSettings> for TestReport {
    fn from(settings: TestSettings) -> Self {
        let TestSettings { statistic, rounds, seed } = settings;
        Self { method: "PERM-BOTH", statistic: statistic.name(), rounds, seed }
    }
}

/// A metric's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricAgreement {
    /// Its column, or its name in the registry.
    pub name: String,
    /// Whether lower scores are better, so that scores were negated.
    pub lower_is_better: bool,
    /// The tested statistic.
    pub statistic: Option<f64>,
    /// Metrics of one cluster are not told apart; absent for those that cannot be tested.
    pub cluster: Option<usize>,
    /// Agreement on segments.
    pub segments: SegmentValues,
    /// Agreement on systems; absent for one system, and where people did not judge every cell.
    pub system_level: Option<Values>,
}

/// Agreement on segments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SegmentValues {
    /// Over all cells.
    pub none: Values,
    /// By system.
    pub sys: Values,
    /// By segment.
    pub item: Values,
    /// `kendall_like_1` and so on.
    #[serde(flatten)]
    pub kendall_like: Values,
}

/// Statistics by name, in order; null where one is not defined.
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

/// Two metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The one with the higher statistic.
    pub better: String,
    /// The other one.
    pub worse: String,
    /// How much higher it is.
    pub difference: f64,
    /// How likely a difference as large is by chance.
    pub p_value: f64,
    /// Rounds that were made.
    pub rounds: usize,
}

impl SegmentValues {
    /// With the thresholds of the Kendall-like statistics.
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

/// The key of soft pairwise accuracy, which depends on draws.
pub fn soft_pairwise_accuracy_key(permutations: usize, seed: u64) -> String {
    format!("soft_pairwise_accuracy_{permutations}_permutations_seed_{seed}")
}

/// The statistics of systems; `soft` is the key of the drawn one.
pub fn system_values(found: &SystemAgreement, soft: &str) -> Values {
    Values::of([
        ("pairwise_accuracy", found.pairwise_accuracy),
        (soft, found.soft_pairwise_accuracy),
        ("pearson", found.pearson),
        ("spearman", found.spearman),
        ("kendall_b", found.kendall_b),
    ])
}
