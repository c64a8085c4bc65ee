//! Which metrics are computed. In: names, options, models. Out: a panel. Next: systems, segments.

use super::super::named_model::NamedModel;
use crate::error::Result;
use crate::judgments::Language;
use crate::metrics::{Entry, Panel, check_options, known};
use crate::model::{LearnedMetric, Model, builtin};
use crate::options::Options;
use crate::report::ENSEMBLE;
use crate::wordnet::WordNet;

/// The metrics that somebody wants.
#[derive(Debug, Clone, Default)]
pub struct MetricChoice {
    /// Names of registered metrics, in any case, or [`ENSEMBLE`] for the model inside the program; the order is that of
    /// the columns.
    pub metrics: Vec<String>,
    /// Models, each a metric that stands behind the others.
    pub models: Vec<NamedModel>,
    /// What the metrics are asked for.
    pub options: Options,
    /// The language of the texts: models do without the features that need English for any other.
    pub language: Language,
}

impl MetricChoice {
    /// Makes the metrics.
    ///
    /// # Errors
    /// An unknown name, an option that none of the metrics has, what making a metric reports.
    pub fn panel(&self, wordnet: &WordNet) -> Result<Panel> {
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

/// The line of the registry, or none for the ensemble.
fn registered(name: &str) -> Result<Option<&'static Entry>> {
    if name.eq_ignore_ascii_case(ENSEMBLE) { Ok(None) } else { known(name, &[ENSEMBLE]).map(Some) }
}

/// Adds a model's metric: by the model's name, or its place where another column is called so already.
fn add(panel: &mut Panel, model: &Model, wordnet: &WordNet, [name, place]: [&str; 2]) -> Result<()> {
    let is_taken = panel.members().iter().any(|member| member.name == name);
    let name = if is_taken { place } else { name };
    panel.add(name, |plan| Ok(Box::new(LearnedMetric::new(model, wordnet, place, plan)?)))
}
