//! Families of features. In: a schema. Out: which of its features belong together. Next: shares, explanations.

use super::choice::family;
use super::{Schema, own_name};

/// The families of a schema's hypothesis features: all features of one metric, or one own metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Families {
    /// Their names, in alphabetical order.
    names: Vec<String>,
    /// For each feature, own metrics last, the position of its family in `names`.
    of_feature: Vec<usize>,
}

impl Families {
    /// The families of a schema.
    pub fn of(schema: &Schema) -> Self {
        let of_texts = schema.hypothesis.iter().map(|feature| family(&feature.name).to_owned());
        let of_all: Vec<String> = of_texts.chain(schema.own.iter().map(own_name)).collect();
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
    use crate::features::Feature;
    use crate::judgments::ExternalMetric;

    #[test]
    fn features_of_one_metric_are_a_family() {
        let feature = |name: &str| Feature { name: name.into(), signature: String::new() };
        let schema = Schema {
            hypothesis: ["ter", "bleu", "bleu.p1"].map(feature).to_vec(),
            pair: vec![feature("pair.same")],
            own: ["comet", "bleu"].map(ExternalMetric::new).to_vec(),
        };
        let families = Families::of(&schema);
        assert_eq!(families.names(), ["bleu", "comet", "own.bleu", "ter"]);
        assert_eq!(families.of_feature(), [3, 0, 0, 1, 2]);
        assert_eq!(families.sums(&[1.0, 2.0, 4.0, 8.0, 16.0]), [6.0, 8.0, 16.0, 1.0]);
    }
}
