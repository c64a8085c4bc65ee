//! The choice of metrics. In: names, options, models. Out: a metric_set. Next: systems, segments.

use super::super::context::Context;
use super::super::named_model::NamedModel;
use crate::error::{Error, Result};
use crate::judgments::Language;
use crate::metrics::{Entry, MetricSet, check_options, known};
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
    /// Makes the metrics, and notes what the user should know of them.
    ///
    /// # Errors
    /// An unknown name; an option that none of the metrics has; a metric that cannot be made.
    pub fn metric_set(&self, context: Context<'_>) -> Result<MetricSet> {
        if self.metrics.is_empty() && self.models.is_empty() {
            return Err(Error::invalid("metrics", "the name of a metric or more", "none", "such as bleu"));
        }
        let names = self.metrics.iter().map(|name| name.trim());
        let entries: Vec<Option<&Entry>> = names.map(registered).collect::<Result<_>>()?;
        check_options(&self.options, &entries.iter().flatten().copied().collect::<Vec<_>>())?;
        let wordnet = context.engine().wordnet();
        let mut metric_set = MetricSet::new(wordnet);
        for entry in entries {
            match entry {
                Some(entry) => metric_set.add_registered(entry, &self.options)?,
                None => {
                    let model = builtin::model_for(&self.language)?;
                    add(&mut metric_set, &model, wordnet, [ENSEMBLE, builtin::NAME])?;
                }
            }
        }
        for NamedModel { name, place, model } in &self.models {
            add(&mut metric_set, model, wordnet, [name, place])?;
        }
        metric_set.notes().iter().for_each(|note| context.note(note));
        Ok(metric_set)
    }
}

/// The entry of the registry, or `None` for the ensemble.
fn registered(name: &str) -> Result<Option<&'static Entry>> {
    if name.eq_ignore_ascii_case(ENSEMBLE) { Ok(None) } else { known(name, &[ENSEMBLE]).map(Some) }
}

/// Adds a model as a metric, under its name, or under its place if another column has that name.
fn add(metric_set: &mut MetricSet, model: &Model, wordnet: &WordNet, [name, place]: [&str; 2]) -> Result<()> {
    let is_taken = metric_set.members().iter().any(|member| member.name == name);
    let name = if is_taken { place } else { name };
    metric_set.add(name, |plan| Ok(Box::new(LearnedMetric::new(model, wordnet, place, plan)?)))
}
