//! Stage 4a. In: the metrics of a panel. Out: the names and signatures of the features that they give. Next: extractor.

use serde::{Deserialize, Serialize};

use super::feature::{DISTANCE, Feature};
use super::pair::Likeness;
use crate::metrics::{Member, Monotonicity, Panel, is_part, of_value};

/// The columns of the feature table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Features of one hypothesis, f(h, r).
    pub hypothesis: Vec<Feature>,
    /// Features of a pair that do not change when its hypotheses change places, t(h1, h2).
    pub pair: Vec<Feature>,
}

impl Schema {
    /// The features that the learned metrics of a panel give.
    pub fn of(panel: &Panel) -> Self {
        let learned = panel.members().iter().filter(|member| member.gives_features());
        let hypothesis = learned.flat_map(of_metric).collect();
        Self { hypothesis, pair: Likeness::features(panel) }
    }

    /// Whether one of the features is computed from that metric.
    pub fn needs(&self, metric: &str) -> bool {
        let distance = |name: &str| name.strip_prefix(DISTANCE) == Some(metric);
        self.has_parts_of(metric) || self.pair.iter().any(|feature| distance(&feature.name))
    }

    /// What a higher value of each feature of a hypothesis says of it.
    pub fn monotonicity(&self) -> Vec<Monotonicity> {
        let of_feature = |feature: &Feature| {
            of_value(&feature.name).map_or_else(Monotonicity::default, |(entry, part)| entry.monotonicity(part))
        };
        self.hypothesis.iter().map(of_feature).collect()
    }

    /// Whether one of the features of a hypothesis is a value of that metric.
    pub fn has_parts_of(&self, metric: &str) -> bool {
        self.hypothesis.iter().any(|feature| is_part(&feature.name, metric))
    }
}

/// The features that the values of one metric are.
pub(super) fn of_metric(member: &Member) -> impl Iterator<Item = Feature> {
    member.values().map(|(name, signature)| Feature { name, signature: signature.to_string() })
}
