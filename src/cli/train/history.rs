//! What a model file says of its past.

use std::collections::BTreeMap;

use tribunal::judgments::Verdict;
use tribunal::model::file::reference_fingerprint;
use tribunal::model::validation::Trained;
use tribunal::model::{CheckedSettings, Training};
use tribunal::report::{BASELINE, Report};

use super::sources::Sources;

/// Puts together where a model comes from.
pub fn of(
    sources: &Sources,
    language: &str,
    report: &Report,
    settings: &CheckedSettings,
    trained: &Trained,
) -> Training {
    let references = sources.judgments.iter().flat_map(|judgment| &judgment.pair.references);
    let mut references: Vec<String> = references.map(|reference| reference_fingerprint(reference)).collect();
    references.sort();
    references.dedup();
    let named = |name: &str| report.row(name).map(|row| (name.to_owned(), row.accuracy));
    Training {
        data: sources.name(),
        weights: sources.files.iter().map(|file| file.weight).collect(),
        language: language.to_owned(),
        pairs: report.rows,
        groups: report.groups,
        labels: Verdict::ALL.iter().map(|verdict| (verdict.to_string(), report.labels[verdict.index()])).collect(),
        settings: settings.settings().clone(),
        penalty: trained.penalty,
        gradient: trained.gradient,
        accuracy: ["ensemble", BASELINE].into_iter().filter_map(named).collect::<BTreeMap<_, _>>(),
        references,
    }
}
