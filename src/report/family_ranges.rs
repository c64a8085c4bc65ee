//! In: the shares of feature families in a model, and in the models of the folds. Out: shares with their range. Next: a
//! page.

use super::details::{FamilyRange, Studies, StudyKind};
use crate::learners::logistic::FamilyShare;

impl FamilyRange {
    /// The families of a model, each with its smallest and largest share in this model and those of the folds.
    pub(crate) fn all(shares: &[FamilyShare], of_folds: &[Vec<FamilyShare>]) -> Vec<Self> {
        let range = |FamilyShare { name, features, share }: &FamilyShare| {
            let in_folds = || of_folds.iter().flatten().filter(|other| other.name == *name).map(|other| other.share);
            Self {
                name: name.clone(),
                features: *features,
                share: *share,
                low: in_folds().fold(*share, f64::min),
                high: in_folds().fold(*share, f64::max),
            }
        };
        shares.iter().map(range).collect()
    }
}

impl Studies {
    /// Records how both studies were made, and describes it in words.
    pub(crate) fn new(ablation: StudyKind, learning_curve: StudyKind) -> Self {
        let quick = match (ablation, learning_curve) {
            (StudyKind::Quick, StudyKind::Quick) => Some(("Ablation and learning curve are", "--ablation and --curve")),
            (StudyKind::Quick, StudyKind::Full) => Some(("The ablation is", "--ablation")),
            (StudyKind::Full, StudyKind::Quick) => Some(("The learning curve is", "--curve")),
            (StudyKind::Full, StudyKind::Full) => None,
        };
        let about = match quick {
            Some((which, flags)) => format!(
                "{which} quick: penalty and tie factor are those that cross-validation chose for all features and all \
                 references; they are tuned again with {flags}."
            ),
            None => "Penalty and tie factor are tuned separately for each row and each point.".to_owned(),
        };
        Self { ablation, learning_curve, about }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_over_the_folds_and_the_model() {
        let share = |name: &str, share: f64| FamilyShare { name: name.to_owned(), features: 2, share };
        let folds = [vec![share("bleu", 0.3), share("ter", 0.1)], vec![share("ter", 0.2), share("bleu", 0.5)]];
        let found = FamilyRange::all(&[share("bleu", 0.4), share("ter", 0.3)], &folds);
        let range = |name: &str, share, low, high| FamilyRange { name: name.to_owned(), features: 2, share, low, high };
        assert_eq!(found, [range("bleu", 0.4, 0.3, 0.5), range("ter", 0.3, 0.1, 0.3)]);
    }
}
