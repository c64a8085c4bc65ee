//! `correlate`: how well metrics agree with people. In: a table of scores, and which metrics. Out: a report. Next:
//! callers.
//!
//! ```
//! use tribunal::files::Input;
//! use tribunal::workflows::{CorrelateSettings, Engine, correlate, silent};
//!
//! let folder = tempfile::tempdir().map_err(|error| tribunal::Error::io("a folder".as_ref(), error, "make"))?;
//! let path = folder.path().join("scores.csv");
//! std::fs::write(&path, "system,segment,score,m\nA,1,-5,0.2\nA,2,0,0.9\nB,1,-1,0.5\nB,2,-2,0.4\n").ok();
//! let report = correlate(&Engine::new(), &CorrelateSettings::new(Input::File(path), "score"), &silent)?;
//! assert_eq!(report.metrics[0].segments.item.get("kendall_b"), Some(1.0));
//! # Ok::<(), tribunal::Error>(())
//! ```

use rayon::prelude::*;

use super::engine::Engine;
use super::event::{Event, Listener, progress};
use super::language;
use super::score::MetricChoice;
use crate::error::{Error, Result, listed, shown};
use crate::evaluation::meta::{
    HumanRanking, HumanScores, SegmentAgreement, SystemAgreement, TestSettings, TestStatistic, clusters,
    metric_differences, segment_agreement,
};
use crate::files::Input;
use crate::files::table::TableKind;
use crate::formats::score_table::{HYPOTHESIS, REFERENCE, ScoreColumns, ScoreTable, ScoredTexts};
use crate::judgments::Language;
use crate::metrics::{Corpus, Direction, Entry, Parts, REGISTRY, Scope};
use crate::options::Options;
use crate::report::agreement::{
    AgreementReport, Difference, MetricAgreement, SegmentValues, soft_pairwise_accuracy_key, system_values,
};

/// Permutations of soft pairwise accuracy, as in mt-metrics-eval.
const PERMUTATIONS: usize = 1000;

/// Cells whose texts are scored at once.
const BATCH: usize = 2048;

/// What is correlated, and how.
#[derive(Debug, Clone)]
pub struct CorrelateSettings {
    /// The table, a row for each segment of each system.
    pub table: Input,
    /// How it is written, where the ending does not say it.
    pub kind: Option<TableKind>,
    /// What its columns are called, and which metrics are wanted: columns, or metrics of Tribunal's own. None: all columns of
    /// numbers and, where there are texts, the metrics that are reported.
    pub columns: ScoreColumns,
    /// Columns of which lower scores are better.
    pub lower_is_better: Vec<String>,
    /// Whether only segments are used that people judged for every system.
    pub complete: bool,
    /// Differences of people's scores that the Kendall-like statistics begin at.
    pub thresholds: Vec<f64>,
    /// How metrics are compared; the seed is that of soft pairwise accuracy, too.
    pub test: TestSettings,
    /// The language of the texts.
    pub language: Language,
}

impl CorrelateSettings {
    /// All metrics of a table, tested by acc_23 with the best tie threshold; the seed is mt-metrics-eval's.
    pub fn new(table: Input, people: &str) -> Self {
        Self {
            table,
            kind: None,
            columns: ScoreColumns { people: people.to_owned(), ..ScoreColumns::default() },
            lower_is_better: Vec::new(),
            complete: false,
            // A minor error of MQM, and what WMT asked of direct assessments.
            thresholds: vec![1.0, 25.0],
            test: TestSettings { statistic: TestStatistic::default(), rounds: 1000, seed: 4 },
            language: Language::default(),
        }
    }
}

/// A metric, higher is better.
struct Scored {
    name: String,
    scores: Vec<f64>,
    lower_is_better: bool,
}

/// Correlates metrics with people, and tests which differ.
///
/// # Errors
/// What [`ScoreTable::read`] reports; a metric that is neither a column nor Tribunal's own; no metric.
pub fn correlate(engine: &Engine, settings: &CorrelateSettings, listener: Listener<'_>) -> Result<AgreementReport> {
    let place = settings.table.to_string();
    let mut table = ScoreTable::read(&settings.table, settings.kind, &settings.columns)?;
    let judged = table.segments.len();
    if settings.complete {
        table = table.complete(&place)?;
    }
    let left_out = judged - table.segments.len();
    let people = HumanScores::new(table.systems.len(), table.people.clone())?;
    let metrics = metrics(engine, settings, table, listener)?;
    let (metrics, agreements) = compare(&people, metrics, settings, listener);
    let mut notes = notes(&people, &metrics, &agreements, settings);
    if left_out > 0 {
        notes.insert(0, format!("left out {left_out} segments that people did not judge for every system"));
    }
    Ok(report(&people, &metrics, &agreements, (settings, notes)))
}

/// The metrics that are wanted: columns first, or in the order in which they were asked for.
fn metrics(
    engine: &Engine,
    settings: &CorrelateSettings,
    table: ScoreTable,
    listener: Listener<'_>,
) -> Result<Vec<Scored>> {
    let place = settings.table.to_string();
    let columns: Vec<&str> = table.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let is_column = |name: &&String| columns.contains(&name.as_str());
    if let Some(name) = settings.lower_is_better.iter().find(|name| !is_column(name)) {
        let found = format!("{}, which is none of {}", shown(name), listed(&columns));
        let advice = "name columns of metrics; of Tribunal's own metrics the direction is known";
        return Err(Error::invalid("--lower-is-better", "columns of metrics", found, advice));
    }
    let own: Vec<String> = match &settings.columns.metrics {
        Some(asked) => asked.iter().filter(|name| !is_column(name)).cloned().collect(),
        None if table.texts.is_some() => {
            let reported = REGISTRY.iter().filter(|entry| entry.is_reported && suits(entry, &settings.language));
            reported.map(|entry| entry.name.to_owned()).filter(|name| !is_column(&name)).collect()
        }
        None => Vec::new(),
    };
    let own = match (&table.texts, own.is_empty()) {
        (_, true) => Vec::new(),
        (Some(texts), _) => own_metrics(engine, settings, texts, (own, listener))?,
        (None, _) => {
            let expected =
                format!("the column {}, or the columns {HYPOTHESIS} and {REFERENCE} to compute it", shown(&own[0]));
            let advice = "check the names after --metrics";
            return Err(Error::invalid(format!("{place}:1"), expected, "neither", advice));
        }
    };
    let columns = table.metrics.into_iter().map(|metric| {
        let lower_is_better = settings.lower_is_better.contains(&metric.name);
        Scored { scores: upward(metric.scores, lower_is_better), name: metric.name, lower_is_better }
    });
    let mut all: Vec<Scored> = columns.chain(own).collect();
    if all.is_empty() {
        let expected = format!("a column of numbers, or the columns {HYPOTHESIS} and {REFERENCE}");
        return Err(Error::invalid(place, expected, "none besides people's scores", "add the scores of a metric"));
    }
    if let Some(asked) = &settings.columns.metrics {
        all.sort_by_key(|metric| asked.iter().position(|name| name.eq_ignore_ascii_case(&metric.name)));
    }
    Ok(all)
}

/// Whether a metric can be made, and says something of texts in a language.
fn suits(entry: &Entry, language: &Language) -> bool {
    entry.is_available() && (language.is_english() || entry.english == Parts::None)
}

/// Higher is better.
fn upward(scores: Vec<f64>, lower_is_better: bool) -> Vec<f64> {
    if lower_is_better { scores.into_iter().map(|score| 0.0 - score).collect() } else { scores }
}

fn own_metrics(
    engine: &Engine,
    settings: &CorrelateSettings,
    texts: &ScoredTexts,
    (names, listener): (Vec<String>, Listener<'_>),
) -> Result<Vec<Scored>> {
    let choice = MetricChoice {
        metrics: names,
        models: Vec::new(),
        options: Options::default(),
        language: settings.language.clone(),
    };
    let panel = choice.panel(engine.wordnet())?;
    panel.notes().iter().for_each(|note| listener(Event::Note(note.clone())));
    language::check_metrics(&panel, texts.references.iter().flatten().map(String::as_str), listener);
    let tell = progress(listener, "scoring texts", texts.hypotheses.len());
    let mut metrics: Vec<Scored> = panel
        .members()
        .iter()
        .map(|member| {
            let lower_is_better = member.direction() == Direction::LowerIsBetter;
            Scored { name: member.name.clone(), scores: Vec::new(), lower_is_better }
        })
        .collect();
    for (hypotheses, references) in texts.hypotheses.chunks(BATCH).zip(texts.references.chunks(BATCH)) {
        let corpus = Corpus::of(&panel, hypotheses, references, Scope::Segments);
        for (at, (metric, member)) in metrics.iter_mut().zip(panel.members()).enumerate() {
            let scores = corpus.statistics(at).iter().map(|statistics| member.metric.segment(statistics)[0]).collect();
            metric.scores.extend(upward(scores, metric.lower_is_better));
        }
        tell(metrics[0].scores.len());
    }
    Ok(metrics)
}

/// What was found of a metric.
struct Agreement {
    segments: SegmentAgreement,
    systems: Option<SystemAgreement>,
    statistic: Option<f64>,
    /// Whether it gives every judged cell the same score.
    is_constant: bool,
}

/// The metrics, the best first, with their agreement.
fn compare(
    people: &HumanScores,
    metrics: Vec<Scored>,
    settings: &CorrelateSettings,
    listener: Listener<'_>,
) -> (Vec<Scored>, Vec<Agreement>) {
    listener(Event::Progress { step: "correlating", done: 0, of: 1 });
    let ranking = HumanRanking::of(people, PERMUTATIONS, settings.test.seed);
    let agreement = |metric: &Scored| {
        let segments = segment_agreement(people, &metric.scores, &settings.thresholds);
        let systems = ranking.as_ref().map(|ranking| ranking.agreement(&metric.scores));
        let statistic = settings.test.statistic.value(&segments, systems.as_ref());
        Agreement { statistic, segments, systems, is_constant: is_constant(people, &metric.scores) }
    };
    let agreements: Vec<Agreement> = metrics.par_iter().map(agreement).collect();
    let mut both: Vec<(Scored, Agreement)> = metrics.into_iter().zip(agreements).collect();
    let key =
        |agreement: &Agreement| agreement.statistic.filter(|_| !agreement.is_constant).unwrap_or(f64::NEG_INFINITY);
    both.sort_by(|(_, one), (_, other)| key(other).total_cmp(&key(one)));
    listener(Event::Progress { step: "correlating", done: 1, of: 1 });
    both.into_iter().unzip()
}

fn is_constant(people: &HumanScores, scores: &[f64]) -> bool {
    let mut judged = people.scores().iter().zip(scores).filter(|(score, _)| score.is_some()).map(|(_, score)| score);
    let first = judged.next();
    judged.all(|score| Some(score) == first)
}

fn notes(
    people: &HumanScores,
    metrics: &[Scored],
    agreements: &[Agreement],
    settings: &CorrelateSettings,
) -> Vec<String> {
    let mut notes = Vec::new();
    let missing = people.missing();
    if missing > 0 {
        notes.push(format!(
            "people's scores are missing for {missing} of {} cells, which are left out",
            people.scores().len()
        ));
    }
    if people.systems() == 1 {
        notes.push("there is only one system: nothing can be said of systems, nor by segment".to_owned());
    } else if missing > 0 {
        notes.push(
            "nothing is said of systems while people's scores are missing; --complete leaves such segments out"
                .to_owned(),
        );
    }
    let mut judged = people.scores().iter().flatten();
    let first = judged.next();
    if judged.all(|score| Some(score) == first) {
        notes.push("all of people's scores are equal: correlations are undefined".to_owned());
    }
    for (metric, agreement) in metrics.iter().zip(agreements) {
        if agreement.is_constant {
            notes.push(format!("{} is constant: its correlations are undefined, and it is not tested", metric.name));
        }
    }
    for (at, threshold) in settings.thresholds.iter().enumerate() {
        if agreements.iter().all(|agreement| agreement.segments.kendall_like[at].is_none()) {
            notes.push(format!("kendall_like_{threshold} is undefined: no two systems are as far apart on a segment"));
        }
    }
    let is_sampled = |agreement: &Agreement| {
        let segments = &agreement.segments;
        [segments.none, segments.system].iter().any(|row| row.optimised.is_some_and(|found| found.is_sampled))
    };
    if agreements.iter().any(is_sampled) {
        notes.push(
            "acc23_threshold of none or sys is the best one for a sample of their millions of pairs; acc23_optimised is \
            over all of them"
                .to_owned(),
        );
    }
    notes
}

fn report(
    people: &HumanScores,
    metrics: &[Scored],
    agreements: &[Agreement],
    (settings, notes): (&CorrelateSettings, Vec<String>),
) -> AgreementReport {
    let is_tested = |agreement: &&Agreement| agreement.statistic.is_some() && !agreement.is_constant;
    // Those that cannot be tested stand last.
    let tested = agreements.iter().take_while(is_tested).count();
    let scores: Vec<&[f64]> = metrics[..tested].iter().map(|metric| metric.scores.as_slice()).collect();
    let found = metric_differences(people, &scores, &settings.test);
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
