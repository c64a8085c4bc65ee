//! `correlate`: how well metrics agree with people.
//!
//! ```
//! use tribunal::files::Input;
//! use tribunal::formats::score_table::ScoreTable;
//! use tribunal::workflows::{Context, CorrelateSettings, Engine, correlate};
//!
//! let folder = tempfile::tempdir().map_err(|error| tribunal::Error::io("a folder".as_ref(), error, "make"))?;
//! let path = folder.path().join("scores.csv");
//! std::fs::write(&path, "system,segment,score,m\nA,1,-5,0.2\nA,2,0,0.9\nB,1,-1,0.5\nB,2,-2,0.4\n").ok();
//! let settings = CorrelateSettings::new("score");
//! let tables = ScoreTable::read(&Input::File(path), None, &settings.columns)?;
//! let found = correlate(Context::new(&Engine::new()), tables, &settings)?;
//! assert_eq!(found.reports[0].metrics[0].segments.item.get("kendall_b"), Some(1.0));
//! # Ok::<(), tribunal::Error>(())
//! ```

mod metrics;

use rayon::prelude::*;

use self::metrics::{Scored, metrics};
use super::context::Context;
use crate::error::{Error, Result, pluralized};
use crate::evaluation::Estimate;
use crate::evaluation::meta::{
    HumanRanking, HumanScores, MetricReplicates, RankedSystems, Resampling, SegmentAgreement, SystemAgreement,
    TestSettings, TestStatistic, WrongScores, clusters, metric_differences, segment_agreement,
};
use crate::formats::score_table::{ScoreColumns, ScoreTable};
use crate::judgments::Language;
use crate::report::agreement::{
    AgreementReport, Difference, IntervalsReport, MetricAgreement, MetricIntervals, SegmentValues,
    soft_pairwise_accuracy_key, system_values,
};
use crate::report::agreements::AgreementReports;

/// The number of permutations for soft pairwise accuracy, as in mt-metrics-eval.
const PERMUTATIONS: usize = 1000;

/// An accuracy above the share of human ties that is hardly better than always saying tie.
const TIE_MARGIN: f64 = 0.05;

/// Settings of [`correlate`].
#[derive(Debug, Clone)]
pub struct CorrelateSettings {
    /// The names of the table's columns, and the requested metrics: columns, or Tribunal's own metrics. Without a
    /// request, all columns of numbers and, if there are texts, the reported metrics.
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
    /// All metrics of a table, tested by tau_14 of segments, with mt-metrics-eval's seed.
    pub fn new(people: &str) -> Self {
        Self {
            columns: ScoreColumns { people: people.to_owned(), ..ScoreColumns::default() },
            lower_is_better: Vec::new(),
            complete: false,
            // A minor error of MQM, and WMT's threshold for direct assessments.
            thresholds: vec![1.0, 25.0],
            test: TestSettings { statistic: TestStatistic::default(), rounds: 1000, seed: 4 },
            language: Language::default(),
        }
    }

    /// Only these metrics; `NAME-` is a column in which lower scores are better.
    #[must_use]
    pub fn with_metrics(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let metric = |name: String| match name.trim().strip_suffix('-') {
            Some(name) => {
                self.lower_is_better.push(name.to_owned());
                name.to_owned()
            }
            None => name.trim().to_owned(),
        };
        self.columns.metrics = Some(names.into_iter().map(metric).collect());
        self
    }
}

/// Correlates metrics with people, and tests which metrics differ: in each of several tables, which are of other human scores or
/// of other parts; with the means over the parts.
///
/// # Errors
/// No segment is complete where only those are wanted; a metric that is neither a column nor Tribunal's own; no metric at all.
pub fn correlate(
    context: Context<'_>,
    tables: Vec<ScoreTable>,
    settings: &CorrelateSettings,
) -> Result<AgreementReports> {
    let (mut reports, mut replicates) = (Vec::new(), Vec::new());
    for table in tables {
        // Parts are drawn independently of each other, and as they are without other human scores.
        let before = reports.iter().filter(|report: &&AgreementReport| report.people == table.people).count();
        let seed = settings.test.seed.wrapping_add(before as u64);
        let (report, metrics) = of_table(context, table, settings, seed)?;
        for Correlated { metric, replicates: found, .. } in metrics {
            let found = found.and_then(|found| found.get(settings.test.statistic).cloned());
            replicates.push((report.people.clone(), metric.name, found));
        }
        reports.push(report);
    }
    Ok(AgreementReports::new(reports, &replicates, settings.columns.by_column.clone()))
}

/// The report on one table, with its metrics; `seed` is that of resamples.
fn of_table(
    context: Context<'_>,
    mut table: ScoreTable,
    settings: &CorrelateSettings,
    seed: u64,
) -> Result<(AgreementReport, Vec<Correlated>)> {
    let judged = table.segments.len();
    if settings.complete {
        table = table.complete()?;
    }
    let skipped = judged - table.segments.len();
    let ratings = notes_on_ratings(&table);
    let people = HumanScores::new(table.systems.len(), table.cells.iter().map(|cell| cell.people).collect())
        .map_err(|WrongScores { expected, found }| Error::invalid(&table.place, expected, found, ""))?;
    let (name, part) = (table.people.clone(), table.part.clone());
    let metrics = correlated(context, &people, metrics(context, settings, table)?, settings, seed);
    let mut notes = ratings;
    if skipped > 0 {
        notes.push(format!("skipped {} without a human score for every system", pluralized(skipped, "segment")));
    }
    notes.extend(notes_on_people(&people));
    notes.extend(notes_on_metrics(&people, &metrics, settings));
    let report = report(context, &people, &metrics, settings, notes);
    Ok((AgreementReport { people: name, part, ..report }, metrics))
}

/// A metric with its agreement with people.
struct Correlated {
    metric: Scored,
    segments: SegmentAgreement,
    systems: Option<SystemAgreement>,
    /// The statistic of the test.
    statistic: Option<f64>,
    /// Whether it gives every judged cell the same score.
    is_constant: bool,
    /// The statistics in resamples, if there are rounds.
    replicates: Option<MetricReplicates>,
}

impl Correlated {
    /// The statistic, if the metric can be tested.
    fn tested(&self) -> Option<f64> {
        self.statistic.filter(|_| !self.is_constant)
    }
}

/// The agreement of all metrics, best first; those that cannot be tested are last.
fn correlated(
    context: Context<'_>,
    people: &HumanScores,
    metrics: Vec<Scored>,
    settings: &CorrelateSettings,
    seed: u64,
) -> Vec<Correlated> {
    let count = context.counter("correlating", metrics.len() + 1);
    let ranking = HumanRanking::new(people, PERMUTATIONS, settings.test.seed);
    count();
    let rounds = settings.test.rounds;
    let resampling = (rounds > 0).then(|| Resampling::draw(people, rounds, seed));
    let agreement = |metric: Scored| {
        let segments = segment_agreement(people, &metric.scores, &settings.thresholds);
        let ranked = ranking.as_ref().map(|ranking| ranking.beside(&metric.scores));
        let systems = ranked.as_ref().map(RankedSystems::agreement);
        let replicates = resampling.as_ref().map(|resampling| {
            MetricReplicates::new(resampling, people, &metric.scores, &segments, ranked.as_ref(), &settings.thresholds)
        });
        let statistic = settings.test.statistic.value(&segments, systems.as_ref());
        count();
        let is_constant = is_constant(people, &metric.scores);
        Correlated { statistic, segments, systems, is_constant, replicates, metric }
    };
    let mut all: Vec<Correlated> = metrics.into_par_iter().map(agreement).collect();
    let key = |metric: &Correlated| metric.tested().unwrap_or(f64::NEG_INFINITY);
    all.sort_by(|one, other| key(other).total_cmp(&key(one)));
    all
}

fn is_constant(people: &HumanScores, scores: &[f64]) -> bool {
    let mut judged = people.scores().iter().zip(scores).filter(|(score, _)| score.is_some()).map(|(_, score)| score);
    let first = judged.next();
    judged.all(|score| Some(score) == first)
}

fn report(
    context: Context<'_>,
    people: &HumanScores,
    metrics: &[Correlated],
    settings: &CorrelateSettings,
    notes: Vec<String>,
) -> AgreementReport {
    let tested: Vec<f64> = metrics.iter().map_while(Correlated::tested).collect();
    let scores: Vec<&[f64]> = metrics[..tested.len()].iter().map(|metric| metric.metric.scores.as_slice()).collect();
    let has_test = settings.test.rounds > 0;
    let tests = if has_test { tested.len() * tested.len().saturating_sub(1) / 2 } else { 0 };
    let compared = metric_differences(people, &scores, &settings.test, &context.counter("testing metrics", tests));
    let clusters = if has_test { clusters(tested.len(), &compared) } else { Vec::new() };
    let soft = soft_pairwise_accuracy_key(PERMUTATIONS, settings.test.seed);
    let row = |(at, correlated): (usize, &Correlated)| MetricAgreement {
        name: correlated.metric.name.clone(),
        lower_is_better: correlated.metric.lower_is_better,
        statistic: correlated.statistic,
        cluster: clusters.get(at).copied(),
        segments: SegmentValues::new(&correlated.segments, &settings.thresholds),
        system_level: correlated.systems.map(|systems| system_values(&systems, &soft)),
        intervals: correlated.replicates.as_ref().map(|found| MetricIntervals::new(found, &settings.thresholds)),
    };
    let interval = |[better, worse]: [usize; 2]| {
        let [better, worse] = [better, worse].map(|at| metrics[at].replicates.as_ref()?.get(settings.test.statistic));
        let Estimate { low, high, .. } = better?.minus(worse?).estimate()?;
        Some([low, high])
    };
    let differences = compared.iter().map(|compared| Difference {
        better: metrics[compared.better].metric.name.clone(),
        worse: metrics[compared.worse].metric.name.clone(),
        difference: tested[compared.better] - tested[compared.worse],
        interval: interval([compared.better, compared.worse]),
        p_value: compared.p_value,
        rounds: compared.rounds,
    });
    AgreementReport {
        people: String::new(),
        part: None,
        systems: people.systems(),
        segments: people.segments(),
        missing: people.missing(),
        test: settings.test.into(),
        intervals: has_test.then(|| IntervalsReport::of(settings.test.rounds)),
        metrics: metrics.iter().enumerate().map(row).collect(),
        differences: differences.collect(),
        notes,
    }
}

/// Notes on segments that were rated several times.
fn notes_on_ratings(table: &ScoreTable) -> Vec<String> {
    let (averaged, cells) = (table.averaged, table.cells.len());
    let mean = format!("{averaged} of {cells} human scores are means of several ratings");
    match table.raters {
        Some(raters) => {
            let kept = format!("{}: only scores of the same rater are compared", pluralized(raters, "rater"));
            std::iter::once(kept).chain((averaged > 0).then_some(mean)).collect()
        }
        None if averaged > 0 => vec![format!("{mean}; use `column` annotator=NAME to keep raters separate")],
        None => Vec::new(),
    }
}

/// Notes on what is undefined because of people's scores.
fn notes_on_people(people: &HumanScores) -> Vec<String> {
    let mut notes = Vec::new();
    let (missing, cells) = (people.missing(), people.scores().len());
    if missing > 0 {
        notes.push(format!("no human score in {missing} of {cells} cells, which are skipped"));
    }
    if people.systems() == 1 {
        notes.push("only one system: system-level and per-segment statistics are undefined".to_owned());
    } else if missing > 0 {
        let advice = "use `complete` to skip incomplete segments";
        notes.push(format!("system-level statistics need a human score in every cell; {advice}"));
    }
    let mut judged = people.scores().iter().flatten();
    let first = judged.next();
    if judged.all(|score| Some(score) == first) {
        notes.push("all human scores are equal: correlations are undefined".to_owned());
    }
    notes
}

/// Notes on what is undefined or sampled because of the metrics' scores.
fn notes_on_metrics(people: &HumanScores, metrics: &[Correlated], settings: &CorrelateSettings) -> Vec<String> {
    let constant = metrics.iter().filter(|metric| metric.is_constant).map(|metric| &metric.metric.name);
    let undefined = "is constant: its correlations are undefined and it is not tested";
    let mut notes: Vec<String> = constant.map(|name| format!("{name} {undefined}")).collect();
    let is_undefined = |at: usize| metrics.iter().all(|metric| metric.segments.kendall_like[at].is_none());
    if people.systems() > 1 && (0..settings.thresholds.len()).all(is_undefined) {
        let reason = "no two human scores of a segment differ by the threshold `kendall_like` or more";
        notes.push(format!("kendall_like is undefined: {reason}"));
    }
    if settings.test.statistic == TestStatistic::OptimisedAccuracy {
        notes.extend(note_on_ties(people, metrics));
    }
    let is_tied = metrics.iter().all(|metric| metric.segments.item.kendall_14.is_none());
    if settings.test.statistic == TestStatistic::Kendall14 && people.systems() > 1 && is_tied {
        let reason = "in every segment, all human scores are equal";
        notes.push(format!("kendall_14 is undefined: {reason}; use `test` pearson"));
    }
    let is_negative = |metric: &Correlated| metric.segments.none.pearson.is_some_and(|value| value < 0.0);
    if !metrics.is_empty() && metrics.iter().all(is_negative) {
        notes.push(
            "all metrics correlate negatively with the human scores: if lower ones are better, negate that column"
                .to_owned(),
        );
    }
    let is_sampled = |metric: &Correlated| {
        let rows = [&metric.segments.none, &metric.segments.system];
        rows.iter().any(|row| row.optimised.is_some_and(|threshold| threshold.is_sampled))
    };
    if metrics.iter().any(is_sampled) {
        notes.push(
            "acc23_threshold of none and sys was optimised on a sample of their millions of pairs; \
             acc23_optimised uses all pairs"
                .to_owned(),
        );
    }
    notes
}

/// A note where human scores tie so often that a metric which ties every pair is hardly worse than the best one.
fn note_on_ties(people: &HumanScores, metrics: &[Correlated]) -> Option<String> {
    let constant = vec![0.0; people.scores().len()];
    let ties = segment_agreement(people, &constant, &[]).item.accuracy?;
    let accuracy = |metric: &Correlated| Some(metric.segments.item.optimised?.accuracy);
    let best = metrics.iter().filter_map(accuracy).reduce(f64::max)?;
    (ties > 0.0 && best < ties + TIE_MARGIN).then(|| {
        format!(
            "human scores tie in {:.1}% of the pairs within a segment, so that a metric which ties every pair reaches \
             that acc23*; the best metric has {:.1}%. The order by acc23* rewards ties here, and p-values are too \
             small; use `test` {}",
            100.0 * ties,
            100.0 * best,
            TestStatistic::Kendall14.name()
        )
    })
}
