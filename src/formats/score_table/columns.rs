//! The columns of a table of scores. In: names, then rows. Out: human scores and those of metrics, row by row. Next:
//! [`super::ScoreTable`].

use super::{HYPOTHESIS, REFERENCE, ScoreColumn, ScoreColumns};
use crate::error::{Error, Result, joined, quoted};
use crate::files::table::{Column, Header, Row};

/// Columns that are never metrics, even if they hold numbers; `ref2`, `ref3`, ... are not either.
const NO_METRICS: [&str; 16] = [
    "doc", "doc_id", "document", "domain", "group", "hyp", "id", "line", "mt", "rater", "ref", "seg_id", "source",
    "src", "target", "weight",
];

/// The columns, and the scores read from them.
pub(super) struct Columns {
    place: String,
    system: Column,
    segment: Option<Column>,
    people: Column,
    scores: Vec<Option<f64>>,
    metrics: Vec<Metric>,
}

/// A column that may be a metric.
struct Metric {
    column: Column,
    /// Whether the user asked for it by name.
    is_named: bool,
    scores: Vec<f64>,
    /// The error for the first cell that is not a number.
    fault: Option<Error>,
    faults: usize,
}

impl Columns {
    pub(super) fn find(header: &Header, names: &ScoreColumns) -> Result<Self> {
        let required = |name: &str, option: &str| {
            header.find(name).filter(|_| header.has(name)).ok_or_else(|| missing(header, name, option))
        };
        let system = required(names.system.as_deref().unwrap_or("system"), "--system")?;
        let segment = match &names.segment {
            Some(name) => Some(required(name, "--segment")?),
            None => header.find("segment").filter(|_| header.has("segment")),
        };
        // JSON Lines may leave out unjudged scores, even in the first line.
        let people = header.find(&names.people).ok_or_else(|| missing(header, &names.people, "--people"))?;
        let others = [Some(&system), segment.as_ref(), Some(&people)];
        let others: Vec<&str> = others.into_iter().flatten().map(Column::name).collect();
        check_twice(others.iter().copied().chain(names.metrics.iter().flatten().map(String::as_str)), header)?;
        let metrics: Vec<&str> = match &names.metrics {
            Some(asked) => asked.iter().map(String::as_str).filter(|name| header.has(name)).collect(),
            None => {
                let all = header.columns().iter().map(String::as_str);
                all.filter(|name| !others.contains(name) && may_be_metric(name)).collect()
            }
        };
        let is_named = names.metrics.is_some();
        let metric = |column| Metric { column, is_named, scores: Vec::new(), fault: None, faults: 0 };
        let metrics = metrics.into_iter().filter_map(|name| header.find(name)).map(metric).collect();
        Ok(Self { place: header.place().to_owned(), system, segment, people, scores: Vec::new(), metrics })
    }

    pub(super) fn system(&self, row: &Row<'_>) -> Result<String> {
        row.text(&self.system).map(|text| text.into_owned())
    }

    /// `None` if segments are numbered by row.
    pub(super) fn segment(&self, row: &Row<'_>) -> Result<Option<String>> {
        self.segment.as_ref().map(|column| row.text(column).map(|text| text.into_owned())).transpose()
    }

    pub(super) fn read(&mut self, row: &Row<'_>) -> Result<()> {
        let is_judged = row.optional(&self.people)?.is_some();
        self.scores.push(is_judged.then(|| row.number(&self.people)).transpose()?);
        for metric in &mut self.metrics {
            match row.number(&metric.column) {
                Ok(score) => metric.scores.push(score),
                Err(fault) if metric.is_named => return Err(fault),
                Err(fault) => {
                    metric.scores.push(0.0);
                    metric.faults += 1;
                    metric.fault.get_or_insert(fault);
                }
            }
        }
        Ok(())
    }

    /// The human scores and the metrics, row by row.
    pub(super) fn finish(self) -> Result<(Vec<Option<f64>>, Vec<ScoreColumn>)> {
        if self.scores.iter().all(Option::is_none) {
            let expected = format!("people's scores in the column {}", quoted(self.people.name()));
            let advice = "name the column with what people gave: --people COLUMN";
            return Err(Error::invalid(self.place, expected, "only empty cells", advice));
        }
        let mut metrics = Vec::new();
        for Metric { column, scores, fault, faults, .. } in self.metrics {
            match fault {
                None => metrics.push(ScoreColumn { name: column.name().to_owned(), scores }),
                // A column that is mostly numbers was meant to be a metric; one that is mostly text is not a metric.
                Some(fault) if 2 * faults < scores.len() => return Err(fault),
                Some(_) => {}
            }
        }
        Ok((self.scores, metrics))
    }
}

fn may_be_metric(name: &str) -> bool {
    let is_reference =
        name.strip_prefix(REFERENCE).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    !name.is_empty() && name != HYPOTHESIS && !is_reference && !NO_METRICS.contains(&name)
}

fn check_twice<'n>(names: impl Iterator<Item = &'n str>, header: &Header) -> Result<()> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            let advice = "name each column once among --people, --system, --segment and --metrics";
            let found = format!("{} twice", quoted(name));
            return Err(Error::invalid(header.place(), "different columns", found, advice));
        }
        seen.push(name);
    }
    Ok(())
}

fn missing(header: &Header, name: &str, option: &str) -> Error {
    let found = format!("the columns {}", joined(header.columns()));
    let advice = format!("name the column as it is called in the table: {option} COLUMN");
    header.missing(&format!("a column {}", quoted(name)), found, &advice)
}
