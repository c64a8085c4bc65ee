//! The columns of the feature table: their names, what their values depend on, and the families that they form.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, pluralized, quoted};
use crate::judgments::{ExternalJudge, ExternalMetric, Pair};
use crate::metrics::{Member, Monotonicity, REGISTRY, find, is_part, of_value};

/// Prefix of the names of distances between two scores; the metric's name follows.
pub(super) const DISTANCE: &str = "pair.distance.";

/// A column of the feature table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// `metric` for a metric's score, `metric.part` for its parts.
    pub name: String,
    /// What the value depends on: the metric's [signature](crate::metrics::Signature).
    pub signature: String,
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.name, self.signature)
    }
}

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
    /// The user's judges. The mean verdict of each is a feature of a hypothesis, after own metrics, and how undecided it
    /// is a feature of a pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<ExternalJudge>,
}

impl Schema {
    /// A schema of own metrics and judges alone.
    pub fn of_external(own: Vec<ExternalMetric>, judges: Vec<ExternalJudge>) -> Self {
        Self { hypothesis: Vec::new(), pair: Vec::new(), own, judges }
    }

    /// Whether own metrics and judges are the only features.
    pub fn is_only_own(&self) -> bool {
        self.hypothesis.is_empty() && self.pair.is_empty() && !self.has_no_external()
    }

    /// Whether there are neither own metrics nor judges.
    pub fn has_no_external(&self) -> bool {
        self.own.is_empty() && self.judges.is_empty()
    }

    /// Whether a feature compares a hypothesis with references.
    pub fn needs_references(&self) -> bool {
        let compares = |feature: &Feature| of_value(&feature.name).is_none_or(|(entry, _)| !entry.is_reference_free);
        self.hypothesis.iter().any(compares) || self.pair.iter().any(|feature| feature.name.starts_with(DISTANCE))
    }

    /// Whether a feature is computed by an encoder.
    pub fn needs_encoder(&self) -> bool {
        REGISTRY.iter().any(|entry| entry.needs_encoder && self.needs(entry.name))
    }

    /// The names of all features of a hypothesis computed from texts, then those of own metrics.
    pub fn hypothesis_names(&self) -> Vec<String> {
        let own = self.own.iter().map(own_name);
        self.hypothesis.iter().map(|feature| feature.name.clone()).chain(own).collect()
    }

    /// Checks that pairs have everything that the features are computed from.
    ///
    /// # Errors
    /// A pair lacks values of an own metric, or a reference; `place` says where the pairs come from.
    pub fn check<'p>(&self, pairs: impl Iterator<Item = &'p Pair>, place: &str) -> Result<()> {
        let needs_references = self.needs_references();
        let (mut count, mut without) = (0, Vec::new());
        for pair in pairs {
            count += 1;
            if needs_references && pair.references.is_empty() {
                without.push(pair.line);
            }
            let at = || format!("{place}:{}", pair.line);
            if let Some(metric) = self.own.iter().find(|metric| pair.own_score(&metric.name).is_none()) {
                let name = &metric.name;
                let expected = format!("values of the own metric {}", quoted(name));
                let advice =
                    format!("name them with `own` {name} (columns {name}.1 and {name}.2) or `own` {name}=FILE");
                return Err(Error::invalid(at(), expected, "none", advice));
            }
            if let Some(judge) = self.judges.iter().find(|judge| pair.verdicts_of(&judge.name).is_none()) {
                let name = &judge.name;
                let expected = format!("verdicts of the judge {}", quoted(name));
                let columns = if judge.both_orders {
                    format!("columns {name}.12 and {name}.21")
                } else {
                    format!("column {name}")
                };
                let advice = format!("name them with `judge` {name} ({columns}) or `judge` {name}=FILE");
                return Err(Error::invalid(at(), expected, "none", advice));
            }
        }
        let Some(first) = without.first() else { return Ok(()) };
        let (found, advice) = if without.len() == count {
            let advice = "give one, in tables in the column 'ref', or use a model that was trained without references";
            ("none".to_owned(), advice)
        } else {
            let found = format!("none in {} of {}", without.len(), pluralized(count, "pair"));
            (found, "add the references, or remove these pairs")
        };
        Err(Error::invalid(
            format!("{place}:{first}"),
            "a reference for every pair, which the features need",
            found,
            advice,
        ))
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

/// A judge's name among features and in reports: the user's name for it, unless it is that of a metric.
pub fn judge_name(judge: &ExternalJudge, own: &[ExternalMetric]) -> String {
    let is_taken = find(&judge.name).is_some()
        || of_value(&judge.name).is_some()
        || own.iter().any(|metric| metric.name == judge.name);
    if is_taken { judge.qualified_name() } else { judge.name.clone() }
}

/// The features that a metric's values give.
pub(super) fn of_metric(member: &Member) -> impl Iterator<Item = Feature> {
    member.values().map(|(name, signature)| Feature { name, signature: signature.to_string() })
}

/// The family of a feature: the name of its metric, or `pair`.
pub(super) fn family(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// The families of a schema's hypothesis features: all features of one metric, one own metric, or one judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Families {
    /// Their names, in alphabetical order.
    names: Vec<String>,
    /// For each feature, then each own metric and each judge, the position of its family in `names`.
    of_feature: Vec<usize>,
}

impl Families {
    /// The families of a schema.
    pub fn of(schema: &Schema) -> Self {
        let of_texts = schema.hypothesis.iter().map(|feature| family(&feature.name).to_owned());
        let of_all: Vec<String> = of_texts
            .chain(schema.own.iter().map(own_name))
            .chain(schema.judges.iter().map(|judge| judge_name(judge, &schema.own)))
            .collect();
        let mut names = of_all.clone();
        names.sort_unstable();
        names.dedup();
        let of_feature = of_all.iter().filter_map(|name| names.binary_search(name).ok()).collect();
        Self { names, of_feature }
    }

    /// The names, in alphabetical order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// For each feature, own metrics last, the position of its family among the names.
    pub fn of_feature(&self) -> &[usize] {
        &self.of_feature
    }

    /// The sum of the values in each family; `values` holds one per feature.
    pub fn sums(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.names.len()];
        self.of_feature.iter().zip(values).for_each(|(&family, value)| sums[family] += value);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_one_metric_are_a_family() {
        let feature = |name: &str| Feature { name: name.into(), signature: String::new() };
        let schema = Schema {
            hypothesis: ["ter", "bleu", "bleu.p1"].map(feature).to_vec(),
            pair: vec![feature("pair.same")],
            own: ["comet", "bleu"].map(ExternalMetric::new).to_vec(),
            judges: vec![ExternalJudge {
                name: "comet".into(),
                both_orders: true,
                scale: crate::judgments::Scale::Words,
            }],
        };
        let families = Families::of(&schema);
        assert_eq!(families.names(), ["bleu", "comet", "judge.comet", "own.bleu", "ter"]);
        assert_eq!(families.of_feature(), [4, 0, 0, 1, 3, 2]);
        assert_eq!(families.sums(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]), [6.0, 8.0, 32.0, 16.0, 1.0]);
    }
}
