//! Values of own metrics for a system's segments. In: one file per system, one number per line. Out: values for models
//! that learned from them. Next: systems, segments.

use super::lengths::check_length;
use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::formats::external::read_numbers;
use crate::formats::{ExternalMetrics, ExternalSource};
use crate::metrics::{Corpus, MetricSet};

/// The values of own metrics for the segments of a system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExternalValues {
    /// The values of each metric.
    pub metrics: Vec<MetricValues>,
}

/// The values of one own metric for a system's segments.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricValues {
    /// The name of the metric.
    pub name: String,
    /// The file that the values come from, if any.
    pub file: Option<Input>,
    /// One value per segment.
    pub values: Vec<f64>,
}

impl ExternalValues {
    /// Reads the values of the system `at` of `systems`.
    pub(super) fn read(own: &ExternalMetrics, at: usize, systems: usize) -> Result<Self> {
        let read = |source: ExternalSource| {
            let name = source.metric.name;
            let Some(file) = source.file else {
                let advice = format!("write --own {name}=FILE, once for each system, in their order");
                return Err(Error::invalid(
                    "--own",
                    format!("a file with the values of {}", quoted(&name)),
                    "none",
                    advice,
                ));
            };
            let values = read_numbers(&file)?;
            Ok(MetricValues { name, file: Some(file), values })
        };
        let sources = own.of_file(at, systems)?;
        Ok(Self { metrics: sources.into_iter().map(read).collect::<Result<_>>()? })
    }

    /// Whether a metric has fewer than `segments` values.
    pub(super) fn is_shorter(&self, segments: usize) -> bool {
        self.metrics.iter().any(|metric| metric.values.len() < segments)
    }

    /// Checks that there is one value per segment.
    pub(super) fn check_length(&self, system: &Input, segments: usize) -> Result<()> {
        let mut files = self.metrics.iter().filter_map(|metric| Some((metric.file.as_ref()?, metric.values.len())));
        files.try_for_each(|(file, values)| check_length(file, values, system, segments))
    }

    /// Checks that all own metrics that a metric_set needs have `segments` values.
    ///
    /// # Errors
    /// A metric has no values, or another number of them. Errors refer to them by `system`.
    pub(super) fn check(&self, metric_set: &MetricSet, system: &str, segments: usize) -> Result<()> {
        for member in metric_set.members() {
            for name in member.metric.brought() {
                let found = self.of(name).map_or(0, <[f64]>::len);
                if found != segments {
                    let expected =
                        format!("{segments} values of the own metric {}, which {} needs", quoted(name), member.name);
                    let advice = format!("name a file with them for each system: --own {name}=FILE");
                    let found = if found == 0 { "none".to_owned() } else { found.to_string() };
                    return Err(Error::invalid(system, expected, found, advice));
                }
            }
        }
        Ok(())
    }

    /// Adds the values to a corpus whose first segment is the one at `start`.
    pub(super) fn brought_to(&self, corpus: Corpus, metric_set: &MetricSet, start: usize) -> Corpus {
        let value = |name: &str, segment: usize| self.of(name).and_then(|all| all.get(start + segment)).copied();
        corpus.with_brought(metric_set, &|name, segment| value(name, segment).unwrap_or_default())
    }

    fn of(&self, name: &str) -> Option<&[f64]> {
        self.metrics.iter().find(|metric| metric.name == name).map(|metric| metric.values.as_slice())
    }
}
