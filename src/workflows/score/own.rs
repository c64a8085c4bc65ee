//! What the user's own metrics say of a system's segments. In: a file a system, a number a line. Out: values for models
//! that learned with them. Next: systems, segments.

use super::lengths::check_length;
use crate::error::{Error, Result, shown};
use crate::files::Input;
use crate::formats::own::read_numbers;
use crate::formats::{OwnMetrics, OwnSource};
use crate::metrics::{Corpus, Panel};

/// The values of own metrics for the segments of a system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnValues {
    /// Those of each metric.
    pub metrics: Vec<MetricValues>,
}

/// What one own metric says of a system's segments.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricValues {
    /// The name of the metric.
    pub name: String,
    /// Where the values come from, if that is a file.
    pub file: Option<Input>,
    /// A value a segment.
    pub values: Vec<f64>,
}

impl OwnValues {
    /// The values for one of so many systems.
    pub(super) fn read(own: &OwnMetrics, at: usize, systems: usize) -> Result<Self> {
        let read = |source: OwnSource| {
            let name = source.metric.name;
            let Some(file) = source.file else {
                let advice = format!("write --own {name}=FILE, once for each system, in their order");
                return Err(Error::invalid(
                    "--own",
                    format!("a file with the values of {}", shown(&name)),
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

    /// Whether a metric has fewer values.
    pub(super) fn is_shorter(&self, segments: usize) -> bool {
        self.metrics.iter().any(|metric| metric.values.len() < segments)
    }

    /// Checks that there is a value a segment.
    pub(super) fn check_length(&self, system: &Input, segments: usize) -> Result<()> {
        let mut files = self.metrics.iter().filter_map(|metric| Some((metric.file.as_ref()?, metric.values.len())));
        files.try_for_each(|(file, values)| check_length(file, values, system, segments))
    }

    /// Checks that all values are there that the metrics of a panel need, for so many segments.
    ///
    /// # Errors
    /// A metric has none, or another number; `system` is whose they are.
    pub(super) fn check(&self, panel: &Panel, system: &str, segments: usize) -> Result<()> {
        for member in panel.members() {
            for name in member.metric.brought() {
                let found = self.of(name).map_or(0, <[f64]>::len);
                if found != segments {
                    let expected =
                        format!("{segments} values of the own metric {}, which {} needs", shown(name), member.name);
                    let advice = format!("name a file with them for each system: --own {name}=FILE");
                    let found = if found == 0 { "none".to_owned() } else { found.to_string() };
                    return Err(Error::invalid(system, expected, found, advice));
                }
            }
        }
        Ok(())
    }

    /// A corpus with the values of its segments, the first of which is the one at `start`.
    pub(super) fn brought_to(&self, corpus: Corpus, panel: &Panel, start: usize) -> Corpus {
        let value = |name: &str, segment: usize| self.of(name).and_then(|all| all.get(start + segment)).copied();
        corpus.with_brought(panel, &|name, segment| value(name, segment).unwrap_or_default())
    }

    fn of(&self, name: &str) -> Option<&[f64]> {
        self.metrics.iter().find(|metric| metric.name == name).map(|metric| metric.values.as_slice())
    }
}
