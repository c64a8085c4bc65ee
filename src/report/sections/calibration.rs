//! How far probabilities can be trusted, and on which pairs.

use super::{Column, LabelSource, Printed, Report, Section, Table, Value, chart, interval, percent, pluralized};
use crate::report::chart::{CalibrationAxes, Chart};
use crate::report::details::{Breakdown, BreakdownBin, ReliabilityBin};

/// The most levels of agreement in a sentence.
const MAX_LEVELS: usize = 3;

/// Verdicts are called trustworthy if at least this share of them agrees with human labels.
const TRUSTWORTHY: f64 = 0.9;

/// The least number of pairs behind a threshold of confidence.
const MIN_TRUSTED: usize = 30;

/// What the curve of the calibration of verdicts shows.
const OF_PAIRS: CalibrationAxes = CalibrationAxes { confidence: "confidence", accuracy: "accuracy", unit: "pair" };

/// The properties of pairs, each with the name of its chart.
const PROPERTIES: [(&str, &str); 4] = [
    ("certainty", "breakdown-certainty"),
    ("length", "breakdown-length"),
    ("agreement", "breakdown-agreement"),
    ("file", "breakdown-file"),
];

/// Accuracy by confidence, and the share of pairs that can be decided with a given agreement.
pub(super) fn calibration(report: &Report) -> Section<'_> {
    let bins = report.details.as_ref().map(|details| details.reliability.as_slice()).unwrap_or_default();
    let levels = report.details.as_ref().map(|_| report.coverage.as_slice()).unwrap_or_default();
    let reliability = Table::builder("Confidence and accuracy", bins)
        .with(Column::text("confidence").range(), |bin| Value::interval(bin.from, bin.to))
        .with(Column::number("pairs"), |bin| Value::count(bin.pairs))
        .with(Column::number("mean"), |bin| Value::fraction(bin.confidence))
        .with(Column::number("accuracy"), |bin| Value::fraction(bin.accuracy))
        .with(interval(0), |bin| Value::interval(bin.low, bin.high))
        .table;
    let coverage = Table::builder("Agreement and coverage: pairs with the most probable verdicts", levels)
        .with(Column::number("agreement"), |at| Value::fraction(at.agreement))
        .with(Column::number("pairs decided"), |at| Value::Number(percent(at.coverage), at.coverage))
        .with(Column::number("from probability"), |at| Value::fraction(at.confidence))
        .table;
    let note = "On the dashed line, accuracy equals confidence; points below it: the model is overconfident.";
    Section {
        answer: [errors(report), selective(report)].into_iter().flatten().collect(),
        tables: vec![
            reliability.keyed("reliability").printed(Printed::No),
            coverage.keyed("coverage").printed(Printed::No),
        ],
        charts: vec![chart::calibration("calibration", bins, &OF_PAIRS).noted(note), chart::coverage(levels)],
        advice: advice(bins, &report.labels_of),
        ..Section::new("calibration", "Calibration")
    }
}

/// The errors of the first system's probabilities.
fn errors(report: &Report) -> Option<String> {
    let calibration = report.systems.first()?.calibration?;
    Some(format!(
        "Calibration: expected calibration error {:.4}, Brier score {:.4}, log loss {:.4}",
        calibration.expected_calibration_error, calibration.brier, calibration.log_loss
    ))
}

/// How many of the first system's verdicts reach which agreement with people: at most three levels.
fn selective(report: &Report) -> Option<String> {
    let (all, levels) = report.coverage.split_first()?;
    let parts = levels.iter().step_by(levels.len().div_ceil(MAX_LEVELS).max(1)).map(|at| {
        let (agreement, confidence) = (100.0 * at.agreement, at.confidence);
        format!("{agreement:.0}% on {} of them (probability {confidence:.2} or more)", percent(at.coverage))
    });
    let parts: Vec<String> = parts.collect();
    let all = percent(all.agreement);
    (!parts.is_empty())
        .then(|| format!("Selective accuracy: {all} on all pairs; on the most confident, {}", parts.join(", ")))
}

/// From which confidence on the verdicts can be trusted.
fn advice(bins: &[ReliabilityBin], labels_of: &LabelSource) -> Option<String> {
    let above = (0..bins.len()).filter_map(|from| {
        let bins = &bins[from..];
        let pairs: usize = bins.iter().map(|bin| bin.pairs).sum();
        let right: f64 = bins.iter().map(|bin| bin.accuracy * bin.pairs as f64).sum();
        (pairs >= MIN_TRUSTED).then(|| (bins[0].from, pairs, right / pairs as f64))
    });
    let above: Vec<(f64, usize, f64)> = above.collect();
    let trusted = above.iter().find(|(_, _, accuracy)| *accuracy >= TRUSTWORTHY);
    let (from, pairs, accuracy) = trusted.or_else(|| above.iter().max_by(|one, other| one.2.total_cmp(&other.2)))?;
    let (accuracy, pairs, label) = (percent(*accuracy), pluralized(*pairs, "pair"), labels_of.label());
    Some(match trusted {
        Some(_) => {
            format!(
                "Trust verdicts with a confidence above {from:.2}: {accuracy} of them agree with the {label} ({pairs})."
            )
        }
        None => format!(
            "Check important verdicts by hand: even above a confidence of {from:.2}, only {accuracy} agree with the \
             {label} ({pairs})."
        ),
    })
}

/// Accuracy by properties of pairs.
pub(super) fn kinds_of_pairs(report: &Report) -> Section<'_> {
    let breakdowns = report.details.as_ref().map(|details| details.breakdowns.as_slice()).unwrap_or_default();
    let chart = |(key, name): (&str, &'static str)| match breakdowns.iter().find(|breakdown| breakdown.key == key) {
        Some(breakdown) => {
            let note = format!("By {}: {}.", breakdown.property, breakdown.meaning);
            chart::breakdown(name, breakdown).noted(note)
        }
        None => Chart::new(name, "", 0.0),
    };
    let rows = breakdowns.iter().flat_map(|breakdown| {
        let bins = breakdown.bins.iter();
        bins.flat_map(move |bin| (0..bin.accuracies.len()).map(move |system| (breakdown, bin, system)))
    });
    let table = Table::builder("Accuracy by kind of pair", rows)
        .with(Column::text("property"), |(breakdown, ..)| breakdown.property)
        .with(Column::text("values"), |(_, bin, _)| &bin.values)
        .with(Column::number("pairs"), |(_, bin, _)| Value::count(bin.pairs))
        .with(Column::text("system"), |(breakdown, _, system)| &breakdown.systems[system])
        .with(Column::number("accuracy"), |(_, bin, system)| Value::fraction(bin.accuracies[system].accuracy))
        .with(interval(0), |(_, bin, system)| {
            let of = bin.accuracies[system].interval;
            Value::interval(of.low, of.high)
        })
        .table;
    let answer = report.answer.as_ref();
    Section {
        tables: vec![table.keyed("breakdowns").printed(Printed::No)],
        charts: PROPERTIES.map(chart).into(),
        advice: answer.filter(|_| report.details.is_some()).map(|answer| hardest(answer.accuracy, breakdowns)),
        ..Section::new("where", "Accuracy by kind of pair")
    }
}

/// On which pairs the first system is least reliable.
fn hardest(accuracy: f64, breakdowns: &[Breakdown]) -> String {
    let bins = breakdowns.iter().flat_map(|of| of.bins.iter().map(move |bin| (of, bin)));
    // The confidence is about calibration, and not known to those who choose what to judge.
    let bins = bins.filter(|(of, _)| of.key != "certainty");
    let of_first = |bin: &BreakdownBin| bin.accuracies.first().copied();
    let hard = bins.filter(|(_, bin)| of_first(bin).is_some_and(|first| first.interval.high < accuracy));
    let share = |bin: &BreakdownBin| of_first(bin).map_or(f64::NAN, |first| first.accuracy);
    match hard.min_by(|(_, one), (_, other)| share(one).total_cmp(&share(other))) {
        Some((of, bin)) => format!(
            "Check predictions for pairs whose {} is {}: their accuracy is {}, compared with {} overall.",
            of.property,
            bin.values,
            percent(share(bin)),
            percent(accuracy)
        ),
        None => "Treat all kinds of pairs alike: accuracy is significantly lower for none of them.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_of_confidence_has_pairs_behind_it() {
        let bin = |(at, (pairs, accuracy)): (usize, (usize, f64))| {
            let from = 0.5 + 0.1 * at as f64;
            ReliabilityBin { from, to: from + 0.1, pairs, confidence: from, accuracy, low: 0.0, high: 1.0 }
        };
        let advice = |bins: [(usize, f64); 3]| {
            super::advice(&bins.into_iter().enumerate().map(bin).collect::<Vec<_>>(), &LabelSource::People)
        };
        let trusted = advice([(100, 0.6), (60, 0.85), (40, 1.0)]).unwrap();
        assert!(trusted.starts_with("Trust verdicts with a confidence above 0.60: 91.0% of them agree"), "{trusted}");
        // The last bin alone has too few pairs.
        let checked = advice([(100, 0.6), (60, 0.8), (10, 1.0)]).unwrap();
        assert!(checked.contains("even above a confidence of 0.60, only 82.9% agree"), "{checked}");
        assert_eq!(super::advice(&[], &LabelSource::People), None);
    }
}
