//! Which metrics there are: those that are named, and one for each model.

use anyhow::Result;
use tribunal::metrics::{Panel, known};
use tribunal::model::LearnedMetric;
use tribunal::wordnet::WordNet;
use tribunal::workflows::NamedModel;
use tribunal::workflows::train::ENSEMBLE;

use super::ScoreSystems;
use crate::cli::options::Common;

/// The metrics of `--metrics` in that order, `ensemble` being the built-in model's, then the models of `--model`.
pub fn panel(command: &ScoreSystems, wordnet: &WordNet, common: &Common) -> Result<Panel> {
    let names: Vec<&str> = command.metrics.iter().map(|name| name.trim()).collect();
    let paraphrases = if names.contains(&"meteor") { command.paraphrases.table(common)? } else { None };
    let mut panel = Panel::default();
    for name in names {
        if name == ENSEMBLE {
            add(&mut panel, &NamedModel::read(None, &common.language)?, wordnet)?;
            continue;
        }
        let entry = known(name, &[ENSEMBLE])?;
        panel.add_registered(entry, |plan| command.settings.build(entry, paraphrases.as_ref(), plan))?;
    }
    for file in &command.model {
        add(&mut panel, &NamedModel::read(Some(file), &common.language)?, wordnet)?;
    }
    Ok(panel)
}

/// Adds a model's metric: by the model's name, or that of its file where another column is called so already.
fn add(panel: &mut Panel, named: &NamedModel, wordnet: &WordNet) -> tribunal::Result<()> {
    let NamedModel { name, place, model } = named;
    let is_taken = panel.members().iter().any(|member| member.name == *name);
    let name = if is_taken { place } else { name };
    panel.add(name, |plan| Ok(Box::new(LearnedMetric::new(model, wordnet, place, plan)?)))
}
