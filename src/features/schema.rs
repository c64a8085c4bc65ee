//! Schemas. In: the metrics of a metric_set. Out: the names and signatures of their features. Next: extractor.

use serde::{Deserialize, Serialize};

use super::feature::{DISTANCE, Feature};
use super::pair::Likeness;
use crate::error::{Error, Result, quoted};
use crate::judgments::{ExternalMetric, Pair};
use crate::metrics::{Member, MetricSet, Monotonicity, find, is_part, of_value};

/// The columns of the feature table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// Features of one hypothesis, f(h, r).
    pub hypothesis: Vec<Feature>,
    /// Features of a pair, t(h1, h2), which are invariant under swapping its hypotheses.
    pub pair: Vec<Feature>,
    /// The user's own metrics. Each is a feature of a hypothesis, after the others, and the distance between its two
    /// values is a feature of a pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<ExternalMetric>,
}

impl Schema {
    /// A schema of own metrics alone.
    pub fn of_own(own: Vec<ExternalMetric>) -> Self {
        Self { hypothesis: Vec::new(), pair: Vec::new(), own }
    }

    /// Whether own metrics are the only features.
    pub fn is_only_own(&self) -> bool {
        self.hypothesis.is_empty() && self.pair.is_empty() && !self.own.is_empty()
    }

    /// The names of all features of a hypothesis, own metrics last.
    pub fn hypothesis_names(&self) -> Vec<String> {
        let own = self.own.iter().map(own_name);
        self.hypothesis.iter().map(|feature| feature.name.clone()).chain(own).collect()
    }

    /// Checks that pairs have everything that the features are computed from.
    ///
    /// # Errors
    /// A pair lacks values of an own metric, or a reference; `place` says where the pairs come from.
    pub fn check<'p>(&self, pairs: impl Iterator<Item = &'p Pair>, place: &str) -> Result<()> {
        for pair in pairs {
            let at = || format!("{place}:{}", pair.line);
            if let Some(metric) = self.own.iter().find(|metric| pair.own_score(&metric.name).is_none()) {
                let name = &metric.name;
                let expected = format!("values of the own metric {}", quoted(name));
                let advice =
                    format!("name them with --own {name} (columns {name}.1 and {name}.2) or --own {name}=FILE");
                return Err(Error::invalid(at(), expected, "none", advice));
            }
            if pair.references.is_empty() && !self.is_only_own() {
                let advice = "add one; only models of own metrics (train --only-own) need none";
                return Err(Error::invalid(at(), "a reference", "none", advice));
            }
        }
        Ok(())
    }

    /// The features of the metrics in a metric_set that models learn from.
    pub fn of(metric_set: &MetricSet) -> Self {
        let learned = metric_set.members().iter().filter(|member| member.gives_features());
        let hypothesis = learned.flat_map(of_metric).collect();
        Self { hypothesis, pair: Likeness::features(metric_set), own: Vec::new() }
    }

    /// Whether a feature is computed from this metric.
    pub fn needs(&self, metric: &str) -> bool {
        let distance = |name: &str| name.strip_prefix(DISTANCE) == Some(metric);
        self.has_parts_of(metric) || self.pair.iter().any(|feature| distance(&feature.name))
    }

    /// Which way a higher value of each hypothesis feature, without own metrics, can change the preference.
    pub fn monotonicity(&self) -> Vec<Monotonicity> {
        let of_feature = |feature: &Feature| {
            of_value(&feature.name).map_or_else(Monotonicity::default, |(entry, part)| entry.monotonicity(part))
        };
        self.hypothesis.iter().map(of_feature).collect()
    }

    /// Whether a hypothesis feature is a value of this metric.
    pub fn has_parts_of(&self, metric: &str) -> bool {
        self.hypothesis.iter().any(|feature| is_part(&feature.name, metric))
    }
}

/// An own metric's name among features and in reports: the user's name for it, unless Tribunal computes something of
/// that name.
pub fn own_name(metric: &ExternalMetric) -> String {
    let is_taken = find(&metric.name).is_some() || of_value(&metric.name).is_some();
    if is_taken { metric.qualified_name() } else { metric.name.clone() }
}

/// The features that a metric's values give.
pub(super) fn of_metric(member: &Member) -> impl Iterator<Item = Feature> {
    member.values().map(|(name, signature)| Feature { name, signature: signature.to_string() })
}
