//! What a report says of annotators and of automatic judges: as data.

use serde::Serialize;

use super::systems::{Role, Row, System};
use super::{HUMAN, Report};
use crate::evaluation::{
    Agreement, AlternativeTest, AnnotatorRow, Classes, Confusion, Estimate, Groups, JudgeStatistics, TwoAnnotators,
    VerdictsByOrder,
};
use crate::judgments::annotators::annotations;
use crate::judgments::{ExternalJudge, Pair, Scale, Verdict};

/// The default of [`AlternativeTest::epsilon`].
pub const EPSILON: f64 = 0.2;

/// Several annotators of the same pairs, and what may replace one of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnnotatorReport {
    /// The number of pairs that several annotators judged.
    pub pairs: usize,
    /// Labels of annotators who had labelled the same pair before, which are left out.
    pub repeated: usize,
    /// The share of equal labels among all pairs of labels of the same pair.
    pub agreement: Estimate,
    /// Krippendorff's alpha for nominal labels; absent where all labels are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Estimate>,
    /// Each annotator against the others.
    pub annotators: Vec<AnnotatorRow>,
    /// Every two annotators with common pairs.
    pub pairwise: Vec<TwoAnnotators>,
    /// The alternative annotator test of each system.
    pub alternative: Vec<AlternativeRow>,
}

/// The alternative annotator test of one system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlternativeRow {
    /// The system's name.
    pub system: String,
    /// The result.
    #[serde(flatten)]
    pub test: AlternativeTest,
}

/// The statistics of a judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeRow {
    /// The judge's name.
    pub name: String,
    /// The scale of its numbers.
    pub scale: Scale,
    /// What is to be known of it.
    #[serde(flatten)]
    pub statistics: JudgeStatistics,
}

/// A judge, with the name of its row.
pub type NamedJudge = (String, ExternalJudge);

/// The pairs of a report with their human labels and groups.
#[derive(Clone, Copy)]
pub struct Labelled<'p> {
    /// The pairs.
    pub pairs: &'p [&'p Pair],
    /// Their labels.
    pub labels: &'p [Verdict],
    /// Their groups.
    pub groups: &'p Groups,
}

impl Report {
    /// Adds what is known of the annotators, a row for one of them against the majority of the others, and what is to be
    /// known of each judge.
    pub fn with_people(
        mut self,
        labelled: Labelled<'_>,
        systems: &[System],
        judges: &[NamedJudge],
        epsilon: f64,
    ) -> Self {
        let Labelled { pairs, labels, groups } = labelled;
        let longer = |pair: &&Pair| {
            let [first, second] = pair.hypotheses.each_ref().map(|text| text.chars().count() as f64);
            Verdict::compare(first, second)
        };
        let longer: Vec<Verdict> = pairs.iter().map(longer).collect();
        let row = |(name, judge): &NamedJudge| {
            let verdicts = VerdictsByOrder::from_values(&judge.values_by_order(pairs));
            let statistics = JudgeStatistics::new(&verdicts, &longer, labels, groups)?;
            Some(JudgeRow { name: name.clone(), scale: judge.scale, statistics })
        };
        self.judges = judges.iter().filter_map(row).collect();
        let Some((annotations, repeated)) = annotations(pairs, labels, groups) else { return self };
        let Some(agreement) = annotations.agreement() else { return self };
        if pairs.iter().any(|pair| !pair.votes.is_empty()) {
            // Every row has the labels of all: the same pairs, of which one figure is enough.
            let agreement =
                Agreement { pairs: annotations.pairs(), judgments: annotations.judgments(), share: agreement.value };
            self.agreement = self.agreement.map(|_| agreement);
            self.answer = self.answer.map(|answer| answer.with_agreement(Some(agreement)));
        }
        self.systems.extend(annotations.human().map(|accuracy| Row::human(accuracy, annotations.confusion())));
        // Who says one label to all would pass where most labels are that one, and replaces nobody.
        let is_constant = |name: &str| self.row(name).is_some_and(|row| row.role == Role::Majority);
        let test = |system: &System| {
            let judge = judges.iter().find(|(name, _)| *name == system.name);
            let verdict = |(pair, verdict): (&&Pair, &Verdict)| match judge {
                Some((_, judge)) => judge.verdict(pair),
                None => Some(*verdict),
            };
            let verdicts: Vec<Option<Verdict>> = pairs.iter().zip(&system.verdicts).map(verdict).collect();
            let test = AlternativeTest::new(&annotations, &verdicts, epsilon)?;
            Some(AlternativeRow { system: system.name.clone(), test })
        };
        let others = systems.iter().filter(|system| !is_constant(&system.name));
        let mut alternative: Vec<AlternativeRow> = others.filter_map(test).collect();
        alternative.sort_by(|a, b| b.test.advantage_probability.total_cmp(&a.test.advantage_probability));
        self.annotators = Some(AnnotatorReport {
            pairs: annotations.pairs(),
            repeated,
            agreement,
            alpha: annotations.alpha(),
            annotators: annotations.each(),
            pairwise: annotations.pairwise(),
            alternative,
        });
        self
    }
}

impl Row {
    /// The row of one annotator against the majority of the others.
    pub(super) fn human(accuracy: Estimate, confusion: Confusion) -> Self {
        let classes = Classes::new(&confusion);
        Self {
            name: HUMAN.to_owned(),
            role: Role::Human,
            accuracy: accuracy.value,
            coverage: None,
            low: accuracy.low,
            high: accuracy.high,
            chance: confusion.chance(),
            decided_without_ties: None,
            kendall_tau: confusion.kendall_tau(),
            classes,
            confusion,
            calibration: None,
            with_ties: None,
            chosen: None,
            same_as: None,
            against: None,
            against_baseline: None,
        }
    }
}
