//! The choice of metrics. In: names, options, models. Out: a panel. Next: systems, segments.

use super::super::named_model::NamedModel;
use crate::error::{Error, Result};
use crate::judgments::Language;
use crate::metrics::{Entry, Panel, check_options, known};
use crate::model::{LearnedMetric, Model, builtin};
use crate::options::Options;
use crate::report::ENSEMBLE;
use crate::wordnet::WordNet;

/// The metrics that are computed where none is named, separated by commas.
pub const DEFAULT_METRICS: &str = "bleu,chrf,ter,rougeL,meteor";

/// The requested metrics.
#[derive(Debug, Clone, Default)]
pub struct MetricChoice {
    /// Names of registered metrics, ignoring case, or [`ENSEMBLE`] for the built-in model, in the order of the columns.
    pub metrics: Vec<String>,
    /// Models, each of which is a metric after the named ones.
    pub models: Vec<NamedModel>,
    /// The options of the metrics.
    pub options: Options,
    /// The language of the texts; the built-in model is chosen for it.
    pub language: Language,
}

impl MetricChoice {
    /// Makes the metrics.
    ///
    /// # Errors
    /// An unknown name; an option that none of the metrics has; a metric that cannot be made.
    pub fn panel(&self, wordnet: &WordNet) -> Result<Panel> {
        if self.metrics.is_empty() && self.models.is_empty() {
            return Err(Error::invalid("metrics", "the name of a metric or more", "none", "such as bleu"));
        }
        let names = self.metrics.iter().map(|name| name.trim());
        let entries: Vec<Option<&Entry>> = names.map(registered).collect::<Result<_>>()?;
        check_options(&self.options, &entries.iter().flatten().copied().collect::<Vec<_>>())?;
        let mut panel = Panel::new(wordnet);
        for entry in entries {
            match entry {
                Some(entry) => panel.add_registered(entry, &self.options)?,
                None => {
                    let model = builtin::model_for(&self.language)?;
                    add(&mut panel, &model, wordnet, [ENSEMBLE, builtin::NAME])?;
                }
            }
        }
        for NamedModel { name, place, model } in &self.models {
            add(&mut panel, model, wordnet, [name, place])?;
        }
        Ok(panel)
    }
}

/// The entry of the registry, or `None` for the ensemble.
fn registered(name: &str) -> Result<Option<&'static Entry>> {
    if name.eq_ignore_ascii_case(ENSEMBLE) { Ok(None) } else { known(name, &[ENSEMBLE]).map(Some) }
}

/// Adds a model as a metric, under its name, or under its place if another column has that name.
fn add(panel: &mut Panel, model: &Model, wordnet: &WordNet, [name, place]: [&str; 2]) -> Result<()> {
    let is_taken = panel.members().iter().any(|member| member.name == name);
    let name = if is_taken { place } else { name };
    panel.add(name, |plan| Ok(Box::new(LearnedMetric::new(model, wordnet, place, plan)?)))
}
