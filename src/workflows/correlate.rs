//! `correlate`: how well metrics agree with people. In: a table of scores, and a choice of metrics. Out: a report.
//! Next: the caller.
//!
//! ```
//! use tribunal::files::Input;
//! use tribunal::workflows::{Context, CorrelateSettings, Engine, correlate};
//!
//! let folder = tempfile::tempdir().map_err(|error| tribunal::Error::io("a folder".as_ref(), error, "make"))?;
//! let path = folder.path().join("scores.csv");
//! std::fs::write(&path, "system,segment,score,m\nA,1,-5,0.2\nA,2,0,0.9\nB,1,-1,0.5\nB,2,-2,0.4\n").ok();
//! let report = correlate(Context::new(&Engine::new()), &CorrelateSettings::new(Input::File(path), "score"))?;
//! assert_eq!(report.metrics[0].segments.item.get("kendall_b"), Some(1.0));
//! # Ok::<(), tribunal::Error>(())
//! ```

mod metrics;
mod notes;

use rayon::prelude::*;

use self::metrics::{Scored, metrics};
use self::notes::notes;
use super::context::Context;
use crate::error::{Result, pluralized};
use crate::evaluation::meta::{
    HumanRanking, HumanScores, SegmentAgreement, SystemAgreement, TestSettings, TestStatistic, clusters,
    metric_differences, segment_agreement,
};
use crate::files::Input;
use crate::files::table::TableKind;
use crate::formats::score_table::{ScoreColumns, ScoreTable};
use crate::judgments::Language;
use crate::report::agreement::{
    AgreementReport, Difference, MetricAgreement, SegmentValues, soft_pairwise_accuracy_key, system_values,
};

/// The number of permutations for soft pairwise accuracy, as in mt-metrics-eval.
const PERMUTATIONS: usize = 1000;

/// Settings of [`correlate`].
#[derive(Debug, Clone)]
pub struct CorrelateSettings {
    /// The table, with one row for each segment of each system.
    pub table: Input,
    /// The kind of table, if the file name does not show it.
    pub kind: Option<TableKind>,
    /// The names of its columns, and the requested metrics: columns, or Tribunal's own metrics. Without a request, all
    /// columns of numbers and, if there are texts, the reported metrics.
    pub columns: ScoreColumns,
    /// The columns in which lower scores are better.
    pub lower_is_better: Vec<String>,
    /// Whether to use only segments that people judged for every system.
    pub complete: bool,
    /// The least differences of people's scores for the Kendall-like statistics.
    pub thresholds: Vec<f64>,
    /// The test between metrics; its seed is also used for soft pairwise accuracy.
    pub test: TestSettings,
    /// The language of the texts.
    pub language: Language,
}

impl CorrelateSettings {
    /// All metrics of a table, tested by acc_23 with the best tie threshold, with mt-metrics-eval's seed.
    pub fn new(table: Input, people: &str) -> Self {
        Self {
            table,
            kind: None,
            columns: ScoreColumns { people: people.to_owned(), ..ScoreColumns::default() },
            lower_is_better: Vec::new(),
            complete: false,
            // A minor error of MQM, and WMT's threshold for direct assessments.
            thresholds: vec![1.0, 25.0],
            test: TestSettings { statistic: TestStatistic::default(), rounds: 1000, seed: 4 },
            language: Language::default(),
        }
    }
}

/// Correlates metrics with people, and tests which metrics differ.
///
/// # Errors
/// Those of [`ScoreTable::read`]; a metric that is neither a column nor Tribunal's own; no metric at all.
pub fn correlate(context: Context<'_>, settings: &CorrelateSettings) -> Result<AgreementReport> {
    let place = settings.table.to_string();
    let mut table = ScoreTable::read(&settings.table, settings.kind, &settings.columns)?;
    let judged = table.segments.len();
    if settings.complete {
        table = table.complete(&place)?;
    }
    let left_out = judged - table.segments.len();
    let people = HumanScores::new(table.systems.len(), table.people.clone())?;
    let metrics = metrics(context, settings, table)?;
    let (metrics, agreements) = compare(context, &people, metrics, settings);
    let mut notes = notes(&people, &metrics, &agreements, settings);
    if left_out > 0 {
        notes.insert(
            0,
            format!("left out {} that people did not judge for every system", pluralized(left_out, "segment")),
        );
    }
    Ok(report(context, &people, &metrics, &agreements, (settings, notes)))
}

/// A metric's agreement with people.
struct Agreement {
    segments: SegmentAgreement,
    systems: Option<SystemAgreement>,
    statistic: Option<f64>,
    /// Whether it gives every judged cell the same score.
    is_constant: bool,
}

/// The metrics with their agreement, best first.
fn compare(
    context: Context<'_>,
    people: &HumanScores,
    metrics: Vec<Scored>,
    settings: &CorrelateSettings,
) -> (Vec<Scored>, Vec<Agreement>) {
    let tell = context.counter("correlating", metrics.len() + 1);
    let ranking = HumanRanking::of(people, PERMUTATIONS, settings.test.seed);
    tell();
    let agreement = |metric: &Scored| {
        let segments = segment_agreement(people, &metric.scores, &settings.thresholds);
        let systems = ranking.as_ref().map(|ranking| ranking.agreement(&metric.scores));
        let statistic = settings.test.statistic.value(&segments, systems.as_ref());
        tell();
        Agreement { statistic, segments, systems, is_constant: is_constant(people, &metric.scores) }
    };
    let agreements: Vec<Agreement> = metrics.par_iter().map(agreement).collect();
    let mut both: Vec<(Scored, Agreement)> = metrics.into_iter().zip(agreements).collect();
    let key =
        |agreement: &Agreement| agreement.statistic.filter(|_| !agreement.is_constant).unwrap_or(f64::NEG_INFINITY);
    both.sort_by(|(_, one), (_, other)| key(other).total_cmp(&key(one)));
    both.into_iter().unzip()
}

fn is_constant(people: &HumanScores, scores: &[f64]) -> bool {
    let mut judged = people.scores().iter().zip(scores).filter(|(score, _)| score.is_some()).map(|(_, score)| score);
    let first = judged.next();
    judged.all(|score| Some(score) == first)
}

fn report(
    context: Context<'_>,
    people: &HumanScores,
    metrics: &[Scored],
    agreements: &[Agreement],
    (settings, notes): (&CorrelateSettings, Vec<String>),
) -> AgreementReport {
    let is_tested = |agreement: &&Agreement| agreement.statistic.is_some() && !agreement.is_constant;
    // Metrics that cannot be tested are sorted last.
    let tested = agreements.iter().take_while(is_tested).count();
    let scores: Vec<&[f64]> = metrics[..tested].iter().map(|metric| metric.scores.as_slice()).collect();
    let tests = if settings.test.rounds > 0 { tested * tested.saturating_sub(1) / 2 } else { 0 };
    let found = metric_differences(people, &scores, &settings.test, &context.counter("testing metrics", tests));
    let clusters = if settings.test.rounds > 0 { clusters(tested, &found) } else { Vec::new() };
    let soft = soft_pairwise_accuracy_key(PERMUTATIONS, settings.test.seed);
    let statistic = |at: usize| agreements[at].statistic.unwrap_or_default();
    let row = |(at, metric): (usize, &Scored)| MetricAgreement {
        name: metric.name.clone(),
        lower_is_better: metric.lower_is_better,
        statistic: agreements[at].statistic,
        cluster: clusters.get(at).copied(),
        segments: SegmentValues::of(&agreements[at].segments, &settings.thresholds),
        system_level: agreements[at].systems.map(|systems| system_values(&systems, &soft)),
    };
    let differences = found.iter().map(|found| Difference {
        better: metrics[found.better].name.clone(),
        worse: metrics[found.worse].name.clone(),
        difference: statistic(found.better) - statistic(found.worse),
        p_value: found.p_value,
        rounds: found.rounds,
    });
    AgreementReport {
        people: settings.columns.people.clone(),
        systems: people.systems(),
        segments: people.segments(),
        missing: people.missing(),
        test: settings.test.into(),
        metrics: metrics.iter().enumerate().map(row).collect(),
        differences: differences.collect(),
        notes,
    }
}
