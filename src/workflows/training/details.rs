//! What a page shows of a training besides the accuracy report.

use rayon::prelude::*;

use super::{CrossValidated, Data};
use crate::error::Result;
use crate::learners::logistic::{FamilyShare, LinearJudge};
use crate::report::details::{Details, FamilyRange};
use crate::report::{ENSEMBLE, Explanation, System};
use crate::workflows::details::{DetailSettings, Explained, Judgments};
use crate::workflows::explain::Explainer;

impl Data<'_> {
    /// The details of a training. Every pair is explained by the judge of its fold, which also gave its verdict.
    /// `shares` are those of the model that learned from all pairs.
    pub(super) fn details(
        &self,
        systems: &[System],
        cross_validated: &CrossValidated<'_>,
        shares: &[FamilyShare],
        settings: &DetailSettings,
    ) -> Result<Details> {
        let files = self.sources.iter().map(|source| (source.name.clone(), source.judgments.len())).collect();
        let (pairs, labels, groups, seed) =
            (&self.pairs, &self.labels, &self.groups, cross_validated.settings.validation.seed);
        let judged = Judgments { pairs, labels, groups, systems, files, seed };
        let Explained { most_wrong, most_right } = self.explained(&judged, cross_validated)?;
        let of_fold = |judge: &LinearJudge| judge.family_shares(&self.table, &self.schema);
        let of_folds: Vec<Vec<FamilyShare>> = cross_validated.ensemble.judges.par_iter().map(of_fold).collect();
        Ok(Details {
            families: FamilyRange::all(shares, &of_folds),
            provenance: settings.provenance(seed, self.extractor.reported())?,
            most_wrong,
            most_right,
            ..judged.details()
        })
    }

    fn explained(&self, judged: &Judgments<'_>, cross_validated: &CrossValidated<'_>) -> Result<Explained> {
        let language = cross_validated.settings.features.language();
        let explainer = Explainer::new(&self.engine, &self.schema, language, ENSEMBLE)?;
        let explain = |row: usize| -> Explanation {
            let fold = cross_validated.folds.of_row[row];
            let (judge, tuned) = (&cross_validated.ensemble.judges[fold], &cross_validated.ensemble.tuned[fold]);
            explainer.explain(judge, tuned.tie_factor, &self.pairs[row..=row]).swap_remove(0)
        };
        Ok(judged.explained(explain))
    }
}
