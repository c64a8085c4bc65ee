//! What stands beside a pair: values of own metrics, verdicts of judges and labels of annotators, in columns of its row or
//! in files read in step with it; answers, and predictions. Files are about the hypotheses in the file's order.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value as Json;

use super::answers::{self, LabelNames, VerdictReader, check_count};
use super::format::{PredictionFile, Reading};
use super::joined::JoinedTable;
use super::oddities::Oddities;
use super::signals::{ROWS_FOR_SCALE, ScaleInUse, Signal, SignalSource};
use super::votes::{LabelForm, MajorityRule, read_label};
use super::winner::{Label, Numbers, Winner};
use crate::error::{Error, Result, joined, quoted};
use crate::files::Input;
use crate::files::input::{Line, Lines, empty};
use crate::files::table::{Column, Header, Row};
use crate::judgments::{ExternalScore, JudgeVerdicts, Pair, Scale, Verdict, Vote};

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
fn texts_of<'r>(columns: &'r [Option<Column>; 2], row: &'r Row<'_>) -> Result<Vec<(usize, Cow<'r, str>, &'r Column)>> {
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
struct NamedVerdicts<'s> {
    scale: &'s ScaleInUse,
    verdicts: JudgeVerdicts,
}

impl<'s> NamedVerdicts<'s> {
    fn new(name: &Arc<str>, scale: &'s ScaleInUse) -> Self {
        let (name, orders) = (Arc::clone(name), [None; 2]);
        Self { scale, verdicts: JudgeVerdicts { name, orders, scale: scale.scale(), has_words: false } }
    }

    fn read(&mut self, order: usize, text: &str, words: &mut Oddities, place: &dyn Fn() -> String) -> Result<()> {
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
        format!("rename the columns, or give its values in a file, one line per pair: `own` {metric}=FILE")
    };
    header.missing(&expected, found, &advice)
}

fn missing_verdicts(header: &Header, judge: &str, is_both: bool) -> Error {
    let expected =
        format!("the column {judge}, or the columns {judge}.12 and {judge}.21, of the judge {}", quoted(judge));
    let found = if is_both { "all of them".to_owned() } else { format!("the columns {}", joined(header.columns())) };
    let advice = "NAME.12 holds the verdicts with hypothesis 1 shown first, NAME.21 those with hypothesis 2 shown first; both \
        name the hypothesis that won; for verdicts in a file use `judge` NAME=FILE";
    header.missing(&expected, found, advice)
}

fn check_size(value: f64, location: impl Fn() -> String) -> Result<f64> {
    if value.abs() <= MAX_VALUE {
        return Ok(value);
    }
    Err(Error::invalid(location(), format!("a number up to {MAX_VALUE:e}"), format!("{value:e}"), ""))
}

/// The values of the two hypotheses of a pair.
fn two_numbers(line: &Line, input: &Input) -> Result<[f64; 2]> {
    let numbers: Vec<Option<f64>> = line.text.split('\t').map(number).collect();
    let [Some(first), Some(second)] = numbers[..] else {
        return Err(Error::invalid(
            format!("{input}:{}", line.number),
            "two numbers separated by a tab, one for each hypothesis",
            quoted(&line.text),
            "write one line per pair, without a header, with both numbers",
        ));
    };
    let location = || format!("{input}:{}", line.number);
    Ok([check_size(first, location)?, check_size(second, location)?])
}

/// Reads one number per line.
///
/// # Errors
/// The file cannot be read; a line is not a finite number.
pub(crate) fn read_numbers(input: &Input) -> Result<Vec<f64>> {
    let value = |line: Result<Line>| {
        let line = line?;
        let location = || format!("{input}:{}", line.number);
        let advice = "write one line per segment, without a header";
        let value =
            number(&line.text).ok_or_else(|| Error::invalid(location(), "a number", quoted(&line.text), advice))?;
        check_size(value, location)
    };
    input.lines()?.map(value).collect()
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A file of a judge's verdicts, a line for each pair: one, or those of both orders separated by a tab.
struct VerdictLines {
    input: Input,
    name: Arc<str>,
    scale: ScaleInUse,
    /// Lines that were read ahead to know the scale.
    ahead: VecDeque<Result<Line>>,
    lines: Lines,
}

impl VerdictLines {
    /// Opens the file, and knows the judge's scale.
    ///
    /// # Errors
    /// The file cannot be read.
    fn open(input: &Input, name: &str, scale: &ScaleInUse) -> Result<Self> {
        let mut lines = input.lines()?;
        let mut ahead = VecDeque::new();
        if scale.is_open() {
            ahead.extend(lines.by_ref().take(ROWS_FOR_SCALE));
            let (mut numbers, mut count) = (Numbers::default(), 0);
            for line in ahead.iter().flatten() {
                line.text.split('\t').for_each(|text| numbers.add(text));
                count += 1;
            }
            scale.settle(&numbers, count);
        }
        Ok(Self { input: input.clone(), name: Arc::from(name), scale: scale.clone(), ahead, lines })
    }

    /// The verdicts of the next line; `None` at the end.
    fn next(&mut self, words: &mut Oddities) -> Result<Option<JudgeVerdicts>> {
        let Some(line) = self.ahead.pop_front().or_else(|| self.lines.next()).transpose()? else { return Ok(None) };
        let place = || format!("{}:{}", self.input, line.number);
        let fields: Vec<&str> = line.text.split('\t').collect();
        if fields.len() > 2 {
            let advice = "write one verdict per line, or two where each pair was judged in both orders";
            let found = fields.len().to_string();
            return Err(Error::invalid(place(), "one verdict, or two separated by a tab", found, advice));
        }
        let mut verdicts = NamedVerdicts::new(&self.name, &self.scale);
        for (order, text) in fields.into_iter().enumerate() {
            verdicts.read(order, text, words, &place)?;
        }
        Ok(Some(verdicts.verdicts))
    }

    /// Reads the file to its end, and counts the lines that were left.
    fn count_rest(&mut self) -> Result<usize> {
        self.ahead.drain(..).chain(self.lines.by_ref()).map(|line| line.map(|_| 1)).sum()
    }
}

/// The files beside a file of pairs.
pub(crate) struct FilesBeside {
    files: Vec<FileBeside>,
    /// How the label of a pair follows from those of annotators.
    pub(crate) rule: MajorityRule,
    /// The number of pairs so far whose own label was another than that of the answers, which count.
    pub(crate) overruled: usize,
}

struct FileBeside {
    input: Input,
    content: Content,
    /// Lines read so far.
    read: usize,
}

enum Content {
    /// The labels of pairs.
    Answers(VerdictReader),
    /// Labels of the annotator with this name.
    Labels(Arc<str>, VerdictReader),
    /// Values of the metric with this name.
    Values(Arc<str>, Lines),
    /// Verdicts of a judge.
    Verdicts(VerdictLines),
    /// Values of a metric or judge in a table, whose rows are in any order.
    Joined(JoinedTable),
    /// Predictions under this name.
    Predictions(Arc<str>, VerdictReader),
}

impl FilesBeside {
    /// Opens the files of signals, of predictions and of answers.
    ///
    /// # Errors
    /// A file cannot be read; an option has no effect.
    pub(crate) fn open(reading: &Reading, answers: Option<&Input>, words: &mut Oddities) -> Result<Self> {
        let (names, rule) =
            (LabelNames::from_options(&reading.options)?, MajorityRule::from_options(&reading.options)?);
        let mut files = Vec::new();
        for SignalSource { signal, file, .. } in &reading.signals {
            let Some(input) = file else { continue };
            let joined = match signal {
                Signal::Annotator(_) => None,
                Signal::Metric(_) | Signal::Judge { .. } => JoinedTable::open(input, signal, words)?,
            };
            let content = match (signal, joined) {
                (_, Some(table)) => Content::Joined(table),
                (Signal::Metric(metric), _) => Content::Values(Arc::from(metric.name.as_str()), input.lines()?),
                (Signal::Judge { name, scale }, _) => Content::Verdicts(VerdictLines::open(input, name, scale)?),
                (Signal::Annotator(name), _) => {
                    Content::Labels(Arc::from(name.as_str()), VerdictReader::of_annotator(input, names.clone())?)
                }
            };
            files.push(FileBeside { input: input.clone(), content, read: 0 });
        }
        for PredictionFile { name, file } in &reading.predictions {
            let content = Content::Predictions(Arc::from(name.as_str()), VerdictReader::of_predictions(file)?);
            files.push(FileBeside { input: file.clone(), content, read: 0 });
        }
        if let Some(input) = answers {
            let content = Content::Answers(VerdictReader::open(input, names)?);
            files.push(FileBeside { input: input.clone(), content, read: 0 });
        }
        Ok(Self { files, rule, overruled: 0 })
    }

    /// Adds what the next lines say to a pair; false if a file has no more lines.
    ///
    /// # Errors
    /// A file is empty; its line cannot be read, or is about another pair.
    pub(crate) fn add_to(&mut self, pair: &mut Pair, unknown: &mut Oddities) -> Result<bool> {
        for file in &mut self.files {
            let (is_read, expected) = match &mut file.content {
                Content::Answers(verdicts) => {
                    let label = verdicts.next_for(pair.id.as_deref())?.flatten();
                    let own = label.and_then(|label| pair.label.replace(label));
                    if label.is_some() {
                        (pair.preference, pair.labelled_by) = (None, None);
                    }
                    self.overruled += usize::from(own.is_some() && own != label);
                    (label.is_some(), answers::EXPECTED)
                }
                Content::Labels(name, labels) => {
                    let label = labels.next_for(pair.id.as_deref())?;
                    if let Some(label) = label {
                        add_vote(pair, Vote { annotator: Arc::clone(name), label });
                        self.rule.decide(pair);
                    }
                    (label.is_some(), "one label per line")
                }
                Content::Values(name, lines) => {
                    let values = lines.next().transpose()?.map(|line| two_numbers(&line, &file.input)).transpose()?;
                    pair.own.extend(values.map(|values| ExternalScore { name: name.clone(), values }));
                    (values.is_some(), "two numbers per line, separated by a tab")
                }
                Content::Verdicts(lines) => {
                    let verdicts = lines.next(unknown)?;
                    let is_read = verdicts.is_some();
                    pair.verdicts.extend(verdicts);
                    (is_read, "one verdict per line, or two separated by a tab")
                }
                Content::Joined(table) => {
                    table.add_to(pair, file.read, &file.input)?;
                    (true, "")
                }
                Content::Predictions(name, predictions) => {
                    let prediction = predictions.next_for(pair.id.as_deref())?;
                    pair.verdicts.extend(prediction.map(|verdict| predicted(name, verdict)));
                    (prediction.is_some(), answers::EXPECTED)
                }
            };
            if !is_read {
                return if file.read == 0 { Err(empty(&file.input, expected)) } else { Ok(false) };
            }
            file.read += 1;
        }
        Ok(true)
    }

    /// Reads the files to their ends, and checks that they have a line for each of `count` pairs.
    ///
    /// # Errors
    /// A file has fewer or more lines.
    pub(crate) fn check_ends(&mut self, pairs: &Input, count: usize) -> Result<()> {
        self.files.iter_mut().try_for_each(|file| {
            let more = match &mut file.content {
                Content::Answers(verdicts) | Content::Labels(_, verdicts) | Content::Predictions(_, verdicts) => {
                    verdicts.count_rest()?
                }
                Content::Values(_, lines) => lines.map(|line| line.map(|_| 1)).sum::<Result<usize>>()?,
                Content::Verdicts(lines) => lines.count_rest()?,
                Content::Joined(_) => 0,
            };
            check_count(&file.input, pairs, file.read + more, count)
        })
    }

    /// How the rows of tables beside the pairs were matched with these.
    ///
    /// # Errors
    /// No row was.
    pub(crate) fn account(&self) -> Result<Vec<String>> {
        let account = |file: &FileBeside| match &file.content {
            Content::Joined(table) => Some(table.account(&file.input, file.read)),
            _ => None,
        };
        self.files.iter().filter_map(account).collect()
    }
}

/// Adds an annotator's vote to a pair, and to the mean of its preferences if it has one.
fn add_vote(pair: &mut Pair, vote: Vote) {
    if let (Some(mean), Some(label)) = (pair.preference, vote.label) {
        let before = pair.votes.iter().filter(|vote| vote.label.is_some()).count() as f64;
        let share = f64::midpoint(1.0, f64::from(label.sign()));
        pair.preference = Some((mean * before + share) / (before + 1.0));
    }
    pair.votes.push(vote);
}

/// A prediction, which may be undecided, as the verdict of a judge.
fn predicted(name: &Arc<str>, verdict: Option<Verdict>) -> JudgeVerdicts {
    let value = verdict.map(|verdict| f64::from(verdict.sign()));
    JudgeVerdicts { name: name.clone(), orders: [value, None], scale: Scale::Words, has_words: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_one_order_or_both() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "A\ntie\tB\n\n1\t1\t1\n0.5\n").unwrap();
        let scale = ScaleInUse::default();
        let mut lines = VerdictLines::open(&Input::File(file.path().into()), "j", &scale).unwrap();
        assert_eq!(scale.scale(), Scale::Probability);
        let mut next = || Ok::<_, Error>(lines.next(&mut Oddities::default())?.unwrap().orders);
        assert_eq!(next().unwrap(), [Some(1.0), None]);
        assert_eq!(next().unwrap(), [Some(0.0), Some(-1.0)]);
        assert_eq!(next().unwrap(), [None, None]);
        assert!(next().unwrap_err().to_string().contains(":4: expected one verdict"));
        assert_eq!(lines.count_rest().unwrap(), 1);
    }

    #[test]
    fn a_line_has_two_numbers() {
        let read = |text: &str| two_numbers(&Line { number: 3, text: text.into() }, &"x.tsv".parse().unwrap());
        assert_eq!(read("0.5\t -1e3").unwrap(), [0.5, -1000.0]);
        for wrong in ["", "1", "1 2", "1\t", "1\t2\t3", "nan\t1", "1\tinf", "a\tb", "1e91\t0"] {
            let message = read(wrong).unwrap_err().to_string();
            assert!(message.starts_with("x.tsv:3: expected "), "{message}");
        }
    }
}
