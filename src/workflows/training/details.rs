//! What a page shows of a training besides the accuracy report.

use rayon::prelude::*;

use super::{CrossValidated, Data};
use crate::error::Result;
use crate::learners::logistic::{FamilyShare, LinearJudge};
use crate::report::details::{Details, FamilyRange};
use crate::report::judged_pairs::JudgedPairs;
use crate::report::{ENSEMBLE, System};
use crate::workflows::details::DetailSettings;
use crate::workflows::explain::Explainer;

impl Data<'_> {
    /// The details of a training. Every pair is explained by the judge of its fold, which also gave its verdict.
    /// `shares` are those of the model that learned from all pairs.
    pub(super) fn details(
        &self,
        systems: &[System],
        CrossValidated { folds, settings, ensemble }: &CrossValidated<'_>,
        shares: &[FamilyShare],
        page: &DetailSettings,
    ) -> Result<Details> {
        let mut end = 0;
        let files = self.sources.iter().map(|source| {
            let start = end;
            end += source.judgments.len();
            (source.name.clone(), start..end)
        });
        let (pairs, labels, groups, seed) = (&self.pairs, &self.labels, &self.groups, settings.validation.seed);
        let judged = JudgedPairs { pairs, labels, groups, systems, files: files.collect(), seed };
        let of_fold = |judge: &LinearJudge| judge.family_shares(&self.table, &self.schema);
        let of_folds: Vec<Vec<FamilyShare>> = ensemble.judges.par_iter().map(of_fold).collect();
        let provenance = page.provenance(seed, self.extractor.reported())?;
        let explainer = Explainer::new(&self.engine, &self.schema, settings.features.language(), ENSEMBLE)?;
        Ok(judged.details(FamilyRange::all(shares, &of_folds), provenance, |row| {
            let fold = folds.of_row[row];
            let (judge, tuned) = (&ensemble.judges[fold], &ensemble.tuned[fold]);
            explainer.explain(judge, tuned.tie_factor, &self.pairs[row..=row]).swap_remove(0)
        }))
    }
}
