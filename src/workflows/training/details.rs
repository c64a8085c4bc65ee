//! What a page shows of a training besides the accuracy report.

use rayon::prelude::*;

use super::{Data, Studied};
use crate::error::Result;
use crate::learners::logistic::{FamilyShare, LinearJudge, shares};
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
        studied: &Studied<'_>,
        shares: &[FamilyShare],
        settings: &DetailSettings,
    ) -> Result<Details> {
        let files = self.sources.iter().map(|source| (source.name.clone(), source.judgments.len())).collect();
        let (pairs, labels, groups, seed) = (&self.pairs, &self.labels, &self.groups, studied.validation.seed());
        let judged = Judgments { pairs, labels, groups, systems, files, seed };
        let Explained { most_wrong, most_right } = self.explained(&judged, studied)?;
        let of_fold = |judge: &LinearJudge| shares::families(judge, &self.table, &self.schema);
        let of_folds: Vec<Vec<FamilyShare>> = studied.ensemble.judges.par_iter().map(of_fold).collect();
        Ok(Details {
            families: FamilyRange::all(shares, &of_folds),
            provenance: settings.provenance(seed, self.extractor.reported())?,
            most_wrong,
            most_right,
            ..judged.details()
        })
    }

    fn explained(&self, judged: &Judgments<'_>, studied: &Studied<'_>) -> Result<Explained> {
        let language = studied.settings.features.language();
        let explainer = Explainer::new(&self.engine, &self.schema, language, ENSEMBLE)?;
        let explain = |row: usize| -> Explanation {
            let fold = studied.folds.of_row[row];
            let (judge, choice) = (&studied.ensemble.judges[fold], &studied.ensemble.choices[fold]);
            explainer.explain(judge, choice.tie_factor, &self.pairs[row..=row]).swap_remove(0)
        };
        Ok(judged.explained(explain))
    }
}
