//! Files beside a file of pairs, read in step with it: a line for each row, with its label, the values of one of the
//! user's own metrics, the verdict of a judge or a prediction. They are about the hypotheses in the file's order.

use std::sync::Arc;

use super::answers::{self, LabelNames, VerdictReader, check_count};
use super::external::{ExternalSource, two_numbers};
use super::format::PredictionFile;
use super::judges::{JudgeSource, Oddities, VerdictLines};
use crate::error::Result;
use crate::files::Input;
use crate::files::input::{Lines, empty};
use crate::judgments::{ExternalScore, JudgeVerdicts, Pair, Scale, Verdict};

/// The files beside a file of pairs.
pub(crate) struct FilesBeside {
    files: Vec<FileBeside>,
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
    /// Labels.
    Answers(VerdictReader),
    /// Values of the metric with this name.
    Values(Arc<str>, Lines),
    /// Verdicts of a judge.
    Verdicts(VerdictLines),
    /// Predictions under this name.
    Predictions(Arc<str>, VerdictReader),
}

impl FilesBeside {
    /// Opens the files that the sources name, the judges' and the predictions, and that of the answers.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn open(
        sources: &[ExternalSource],
        judges: &[JudgeSource],
        predictions: &[PredictionFile],
        answers: Option<(&Input, LabelNames)>,
    ) -> Result<Self> {
        let mut files = Vec::new();
        for ExternalSource { metric, file } in sources {
            let Some(input) = file else { continue };
            let content = Content::Values(Arc::from(metric.name.as_str()), input.lines()?);
            files.push(FileBeside { input: input.clone(), content, read: 0 });
        }
        for JudgeSource { name, file, scale } in judges {
            let Some(input) = file else { continue };
            let content = Content::Verdicts(VerdictLines::open(input, name, scale)?);
            files.push(FileBeside { input: input.clone(), content, read: 0 });
        }
        for PredictionFile { name, file } in predictions {
            let content = Content::Predictions(Arc::from(name.as_str()), VerdictReader::of_predictions(file)?);
            files.push(FileBeside { input: file.clone(), content, read: 0 });
        }
        if let Some((input, names)) = answers {
            let content = Content::Answers(VerdictReader::open(input, names)?);
            files.push(FileBeside { input: input.clone(), content, read: 0 });
        }
        Ok(Self { files, overruled: 0 })
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
                Content::Answers(verdicts) | Content::Predictions(_, verdicts) => verdicts.count_rest()?,
                Content::Values(_, lines) => lines.map(|line| line.map(|_| 1)).sum::<Result<usize>>()?,
                Content::Verdicts(lines) => lines.count_rest()?,
            };
            check_count(&file.input, pairs, file.read + more, count)
        })
    }
}

/// A prediction, which may be undecided, as the verdict of a judge.
fn predicted(name: &Arc<str>, verdict: Option<Verdict>) -> JudgeVerdicts {
    let value = verdict.map(|verdict| f64::from(verdict.sign()));
    JudgeVerdicts { name: name.clone(), orders: [value, None], scale: Scale::Words, has_words: false }
}
