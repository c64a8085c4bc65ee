//! The report of the `correlate` command on several columns of human scores, or parts of a table: each on its own, and the
//! tested statistic side by side.

use serde::{Serialize, Serializer};

use super::agreement::AgreementReport;
use super::table::{Column, Table, Value};
use super::{Section, Terminal, html};
use crate::error::{Result, truncated};
use crate::evaluation::Estimate;
use crate::evaluation::bootstrap::Replicates;
use crate::judgments::LabelSource;

/// Reports on several columns of human scores, or on parts of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgreementReports {
    /// One for each column of human scores, and each part of the table.
    pub reports: Vec<AgreementReport>,
    /// The column that divides the table into parts.
    pub by_column: Option<String>,
    /// The mean over the parts of the tested statistic.
    pub macro_averages: Vec<MetricAverage>,
}

/// The mean over parts of a metric's agreement with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricAverage {
    /// The column of human scores.
    pub people: String,
    /// The metric.
    pub name: String,
    /// The mean, each part counting alike.
    pub value: f64,
    /// The 95% interval, by the bootstrap within each part; absent without rounds.
    pub interval: Option<[f64; 2]>,
}

/// One report as itself, several as a list.
impl Serialize for AgreementReports {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Several<'r> {
            reports: &'r [AgreementReport],
            by_column: &'r Option<String>,
            macro_averages: &'r [MetricAverage],
        }
        let Self { reports, by_column, macro_averages } = self;
        match reports.as_slice() {
            [alone] => alone.serialize(serializer),
            _ => Several { reports, by_column, macro_averages }.serialize(serializer),
        }
    }
}

impl AgreementReports {
    /// `replicates`: the tested statistic of a metric in the resamples of a part, by the column of human scores.
    pub(crate) fn new(
        reports: Vec<AgreementReport>,
        replicates: &[(String, String, Option<Replicates>)],
        by_column: Option<String>,
    ) -> Self {
        let mut macro_averages: Vec<MetricAverage> = Vec::new();
        for metric in reports
            .iter()
            .filter(|report| report.part.is_some())
            .flat_map(|report| report.metrics.iter().map(|metric| (report.people.clone(), metric.name.clone())))
        {
            let (people, name) = metric;
            if macro_averages.iter().any(|known| known.people == people && known.name == name) {
                continue;
            }
            let of_parts = reports.iter().filter(|report| report.people == people);
            let values: Option<Vec<f64>> = of_parts.map(|report| report.statistic(&name)).collect();
            let Some(values) = values else { continue };
            let value = values.iter().sum::<f64>() / values.len() as f64;
            let found = replicates.iter().filter(|(of, metric, _)| (of, metric) == (&people, &name));
            let found: Option<Vec<&Replicates>> = found.map(|(.., found)| found.as_ref()).collect();
            let estimate = found.and_then(|found| Replicates::mean(&found)?.estimate());
            let interval = estimate.map(|Estimate { low, high, .. }| [low, high]);
            macro_averages.push(MetricAverage { people, name, value, interval });
        }
        Self { reports, by_column, macro_averages }
    }

    /// Each of the reports as text, below the tested statistic side by side.
    pub fn to_text(&self, terminal: Terminal) -> String {
        let overview = self.overview();
        let mut blocks: Vec<String> = overview.iter().flat_map(|overview| overview.printed_tables(terminal)).collect();
        blocks.extend(self.reports.iter().map(|report| report.to_text(terminal)));
        blocks.join("\n")
    }

    /// The tested statistic side by side, if there are several reports, and then the sections of each.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let overview = self.overview();
        let is_several = overview.is_some();
        let mut sections: Vec<Section<'_>> = overview.into_iter().collect();
        for report in &self.reports {
            let about = report.about();
            sections.extend(report.sections().map(|section| match is_several {
                true => Section { title: format!("{}: {about}", section.title), about: about.clone(), ..section },
                false => section,
            }));
        }
        sections
    }

    /// The report as a page; `data` is the name of the table.
    ///
    /// # Errors
    /// A template cannot be rendered.
    pub fn to_page(&self, data: &str) -> Result<String> {
        let answer = self.sections().iter().flat_map(|section| section.answer.clone()).take(1).collect();
        let title = format!("Which metric agrees best with human scores on {data}?");
        html::of_sections(title, answer, self.sections(), LabelSource::People)
    }

    fn overview(&self) -> Option<Section<'_>> {
        let [first, _, ..] = self.reports.as_slice() else { return None };
        let mut people: Vec<&str> = Vec::new();
        for report in &self.reports {
            if !people.contains(&report.people.as_str()) {
                people.push(&report.people);
            }
        }
        let mut table = Table::builder(format!("{} of each metric", first.test.statistic), &first.metrics)
            .with(Column::text("metric"), |metric| truncated(&metric.name));
        let value =
            |value: Option<f64>| Value::or_undefined(value, |value| Value::Number(format!("{value:.3}"), value));
        let named = |of: &str, part: &str| match people.as_slice() {
            [_] => part.to_owned(),
            _ => format!("{of}, {part}"),
        };
        for &of in &people {
            for report in self.reports.iter().filter(|report| report.people == of) {
                let name = report.part.as_ref().map_or_else(|| of.to_owned(), |part| named(of, part));
                table = table.with(Column::number(name), |metric| value(report.statistic(&metric.name)));
            }
            if self.by_column.is_none() {
                continue;
            }
            let average = |name: &str| self.macro_averages.iter().find(|one| one.people == of && one.name == name);
            table = table
                .with(Column::number(named(of, "macro average")), |metric| {
                    value(average(&metric.name).map(|average| average.value))
                })
                .with(Column::interval(), |metric| {
                    let interval = average(&metric.name).and_then(|average| average.interval);
                    interval.map_or(Value::Empty, |[low, high]| {
                        Value::Interval(format!("{low:.3} to {high:.3}"), [low, high])
                    })
                });
        }
        let title = match &self.by_column {
            Some(column) => format!("Agreement by {column}"),
            None => "Agreement by human scores".to_owned(),
        };
        let lacks = self.macro_averages.iter().any(|average| average.interval.is_none());
        let has_intervals = self.reports.iter().any(|report| report.intervals.is_some());
        let note = "no interval of a macro average where a part has too few segments for one";
        let notes = if lacks && has_intervals { vec![note.to_owned()] } else { Vec::new() };
        Some(Section { tables: vec![table.table.keyed("overview")], notes, ..Section::new("overview", title) })
    }
}
