//! The columns of a table with values of own metrics, verdicts of judges and labels of annotators.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value as Json;

use super::answers::LabelNames;
use super::oddities::Oddities;
use super::signals::{ROWS_FOR_SCALE, ScaleInUse, Signal, SignalSource, both_orders};
use super::votes::{LabelForm, read_label};
use super::winner::{Label, Numbers, Winner};
use crate::error::{Error, Result, joined, quoted};
use crate::files::table::{Column, Header, Row};
use crate::judgments::{ExternalScore, JudgeVerdicts, Pair, Scale, Vote};
use crate::options::did_you_mean;

/// The largest absolute value that is accepted: sums of squared differences then stay finite.
const MAX_VALUE: f64 = 1e90;

/// The columns of signals in a table of pairs.
pub(crate) struct SignalColumns {
    metrics: Vec<(Arc<str>, [Column; 2])>,
    judges: Vec<JudgeColumn>,
    annotators: Vec<(Arc<str>, Column)>,
}

struct JudgeColumn {
    name: Arc<str>,
    /// The columns of both orders, or of the only one.
    columns: [Option<Column>; 2],
    scale: ScaleInUse,
    /// What rows show of the scale.
    numbers: Numbers,
    rows: usize,
}

impl SignalColumns {
    /// Finds the columns of the signals that have no file.
    ///
    /// # Errors
    /// A metric lacks one of its columns; a judge has none, or only that for the second order; an annotator has none.
    pub(crate) fn find(header: &Header, sources: &[SignalSource]) -> Result<Self> {
        let column = |name: &str| header.find(name).filter(|_| header.has(name));
        let mut columns = Self { metrics: Vec::new(), judges: Vec::new(), annotators: Vec::new() };
        for source in sources.iter().filter(|source| source.file.is_none()) {
            let (name, at) = (source.signal.name(), source.column());
            match &source.signal {
                Signal::Metric(_) => {
                    let of_side = |side: usize| {
                        let of_side = format!("{at}.{side}");
                        column(&of_side).ok_or_else(|| missing_values(header, name, &of_side))
                    };
                    columns.metrics.push((Arc::from(name), [of_side(1)?, of_side(2)?]));
                }
                Signal::Judge { scale, .. } => {
                    let both = ["12", "21"].map(|order| format!("{at}.{order}"));
                    let both = both.map(|order| column(&order).filter(|_| header.has_whole(&order)));
                    let named = both_orders(at).map(|(one, other)| [column(one), column(other)]);
                    let both = named.filter(|_| column(at).is_none()).unwrap_or(both);
                    let columns_of_judge = match (column(at), both) {
                        (Some(alone), [None, None]) => [Some(alone), None],
                        (None, both @ [Some(_), Some(_)]) => both,
                        (alone, _) => return Err(missing_verdicts(header, name, alone.is_some())),
                    };
                    columns.judges.push(JudgeColumn {
                        name: Arc::from(name),
                        columns: columns_of_judge,
                        scale: scale.clone(),
                        numbers: Numbers::default(),
                        rows: 0,
                    });
                }
                Signal::Annotator(_) => columns.annotators.push((Arc::from(name), header.require(at)?)),
            }
        }
        Ok(columns)
    }

    /// The names of all columns of judges.
    pub(crate) fn names_of_judges(&self) -> impl Iterator<Item = &str> {
        self.judges.iter().flat_map(|judge| &judge.columns).flatten().map(Column::name)
    }

    /// The columns of annotators.
    pub(crate) fn annotators(&self) -> impl Iterator<Item = &Column> {
        self.annotators.iter().map(|(_, column)| column)
    }

    /// Whether a row more must show the scale of a judge.
    pub(crate) fn want_row(&self) -> bool {
        self.judges.iter().any(|judge| judge.scale.is_open() && judge.rows < ROWS_FOR_SCALE)
    }

    /// Looks at a row for the scales of judges that are not known.
    pub(crate) fn look_at(&mut self, row: &Row<'_>) {
        for judge in self.judges.iter_mut().filter(|judge| judge.scale.is_open() && judge.rows < ROWS_FOR_SCALE) {
            judge.rows += 1;
            let texts = texts_of(&judge.columns, row).into_iter().flatten();
            texts.for_each(|(_, text, _)| judge.numbers.add(&text));
        }
    }

    /// Settles the scales by the rows that were looked at.
    pub(crate) fn settle(&self) {
        self.judges.iter().for_each(|judge| judge.scale.settle(&judge.numbers, judge.rows));
    }

    /// The label of each annotator, and the mean of their preferences if these have fractions. A cell may hold an object
    /// of annotators and their labels, too.
    ///
    /// # Errors
    /// A cell holds no label.
    pub(crate) fn votes(&self, row: &Row<'_>, names: &LabelNames, scale: Scale) -> Result<(Vec<Vote>, Option<f64>)> {
        let mut votes = Vec::with_capacity(self.annotators.len());
        let mut preferences = Vec::new();
        let form = LabelForm { scale, is_of_winners: true };
        let mut vote = |annotator: Arc<str>, label: Option<Label>| {
            preferences.extend(label.and_then(|label| label.preference));
            votes.push(Vote { annotator, label: label.map(|label| label.verdict) });
        };
        for (annotator, column) in &self.annotators {
            if let Some(Json::Object(named)) = row.json(column) {
                for (annotator, label) in named {
                    let text = label.as_str().map_or_else(|| label.to_string(), str::to_owned);
                    let read = || read_label(&text, names, form, &row.place());
                    let label = (!label.is_null()).then(read).transpose()?;
                    vote(Arc::from(annotator.as_str()), label);
                }
                continue;
            }
            let place = || format!("{}, column {}", row.place(), quoted(column.name()));
            let label = row.optional(column)?.map(|text| read_label(&text, names, form, &place())).transpose()?;
            vote(Arc::clone(annotator), label);
        }
        let mean = preferences.iter().sum::<f64>() / preferences.len() as f64;
        Ok((votes, (!preferences.is_empty()).then_some(mean)))
    }

    /// Adds the values in a row to its pair; `words` collects what is no verdict.
    ///
    /// # Errors
    /// A value is no number, or a verdict does not fit the scale.
    pub(crate) fn add_to(&self, pair: &mut Pair, row: &Row<'_>, words: &mut Oddities) -> Result<()> {
        let place = |column: &Column| format!("{}, column {}", row.place(), quoted(column.name()));
        for (name, [first, second]) in &self.metrics {
            let value = |column: &Column| check_size(row.number(column)?, || place(column));
            pair.own.push(ExternalScore { name: name.clone(), values: [value(first)?, value(second)?] });
        }
        for judge in &self.judges {
            let mut verdicts = NamedVerdicts::new(&judge.name, &judge.scale);
            for (order, text, column) in texts_of(&judge.columns, row)? {
                verdicts.read(order, &text, words, &|| place(column))?;
            }
            pair.verdicts.push(verdicts.verdicts);
        }
        Ok(())
    }
}

/// What a row has of a judge for each order, from 0, and the column; a list of two has both orders.
///
/// # Errors
/// The value of an object is neither a text, a number nor a list of two of them.
pub(super) fn texts_of<'r>(
    columns: &'r [Option<Column>; 2],
    row: &'r Row<'_>,
) -> Result<Vec<(usize, Cow<'r, str>, &'r Column)>> {
    if let [Some(alone), None] = columns
        && let Some(Json::Array(both)) = row.json(alone)
        && both.len() == 2
        && both.iter().all(|verdict| !verdict.is_array() && !verdict.is_object())
    {
        let text = |verdict: &'r Json| match verdict {
            Json::Null => Cow::Borrowed(""),
            Json::String(text) => Cow::Borrowed(text.as_str()),
            other => Cow::Owned(other.to_string()),
        };
        return Ok(both.iter().zip(0..).map(|(verdict, order)| (order, text(verdict), alone)).collect());
    }
    let of_order = |(order, column): (usize, &'r Option<Column>)| {
        let column = column.as_ref()?;
        Some(row.optional(column).map(|text| (order, text.unwrap_or_default(), column)))
    };
    columns.iter().enumerate().filter_map(of_order).collect()
}

/// The verdicts of a judge on a pair, as they are read.
pub(super) struct NamedVerdicts<'s> {
    scale: &'s ScaleInUse,
    pub(super) verdicts: JudgeVerdicts,
}

impl<'s> NamedVerdicts<'s> {
    pub(super) fn new(name: &Arc<str>, scale: &'s ScaleInUse) -> Self {
        let (name, orders) = (Arc::clone(name), [None; 2]);
        Self { scale, verdicts: JudgeVerdicts { name, orders, scale: scale.scale(), has_words: false } }
    }

    pub(super) fn read(
        &mut self,
        order: usize,
        text: &str,
        words: &mut Oddities,
        place: &dyn Fn() -> String,
    ) -> Result<()> {
        let JudgeVerdicts { name, orders, has_words, .. } = &mut self.verdicts;
        let winner = words.read(name, text, self.scale);
        *has_words |= matches!(winner, Some(Winner::Word(_)));
        orders[order] = winner.map(|winner| self.scale.value(winner, text, name, place)).transpose()?;
        Ok(())
    }
}

fn missing_values(header: &Header, metric: &str, column: &str) -> Error {
    let expected = format!("the columns {metric}.1 and {metric}.2 of the own metric {}", quoted(metric));
    let found = format!("no column {} among {}", quoted(column), joined(header.columns()));
    let advice = if header.is_in_memory() {
        "rename the columns, or give its values with the pairs, two per pair".to_owned()
    } else {
        format!(
            "rename the columns; of a difference, name a column of zeros {metric}.2; or give the values in a file, one line \
             per pair: `own` {metric}=FILE"
        )
    };
    header.missing(&expected, found, &advice)
}

/// The name of the judge whose verdicts a column would hold.
fn of_judge(column: &str) -> &str {
    [".12", ".21"].into_iter().find_map(|order| column.strip_suffix(order)).unwrap_or(column)
}

fn missing_verdicts(header: &Header, judge: &str, is_both: bool) -> Error {
    let expected =
        format!("the column {judge}, or the columns {judge}.12 and {judge}.21, of the judge {}", quoted(judge));
    let found = if is_both { "all of them".to_owned() } else { format!("the columns {}", joined(header.columns())) };
    let advice = "NAME.12 holds the verdicts with hypothesis 1 shown first, NAME.21 those with hypothesis 2 shown first; both \
        name the hypothesis that won; for verdicts in a file use `judge` NAME=FILE";
    if is_both {
        let advice = format!("rename or remove the column {judge}, or name two: `judge` NAME={judge}.12+{judge}.21");
        return header.missing(&expected, found, &advice);
    }
    let names = header.columns().iter().map(|column| of_judge(column));
    let near = did_you_mean(judge, names);
    header.missing(&expected, found, &format!("{near}{advice}"))
}

pub(super) fn check_size(value: f64, location: impl Fn() -> String) -> Result<f64> {
    if value.abs() <= MAX_VALUE {
        return Ok(value);
    }
    Err(Error::invalid(location(), format!("a number up to {MAX_VALUE:e}"), format!("{value:e}"), ""))
}
