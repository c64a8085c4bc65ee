//! What stands beside a pair in files: values of own metrics, verdicts of judges and labels of annotators, read in step with
//! it or joined; answers, and predictions. Files are about the hypotheses in the file's order.

use std::collections::VecDeque;
use std::sync::Arc;

use super::answers::{self, LabelNames, VerdictReader, check_count};
use super::format::{PredictionFile, Reading};
use super::joined::JoinedTable;
use super::oddities::Oddities;
use super::signal_columns::{NamedVerdicts, check_size};
use super::signals::{ROWS_FOR_SCALE, ScaleInUse, Signal, SignalSource};
use super::votes::MajorityRule;
use super::winner::Numbers;
use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::files::input::{Line, Lines, empty};
use crate::judgments::{ExternalScore, JudgeVerdicts, Pair, Scale, Verdict, Vote};

/// The values of the two hypotheses of a pair.
fn two_numbers(line: &Line, input: &Input) -> Result<[f64; 2]> {
    let numbers: Vec<Option<f64>> = line.text.split('\t').map(number).collect();
    let [Some(first), Some(second)] = numbers[..] else {
        return Err(Error::invalid(
            format!("{input}:{}", line.number),
            "two numbers separated by a tab, one for each hypothesis",
            quoted(&line.text),
            "write one line per pair, without a header, with both numbers; of a difference, it and 0",
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
