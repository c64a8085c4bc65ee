//! Files beside a file of pairs, read in step with it: a line for each pair, with its label or the values of one of the
//! user's own metrics.

use std::sync::Arc;

use super::answers::{self, LabelNames, check_count};
use super::external::{ExternalSource, two_numbers};
use crate::error::Result;
use crate::files::Input;
use crate::files::input::{Lines, empty};
use crate::judgments::{ExternalScore, Pair};

/// The files beside a file of pairs.
pub(crate) struct FilesBeside {
    files: Vec<FileBeside>,
    /// The number of pairs so far whose own label was another than that of the answers, which count.
    pub(crate) overruled: usize,
}

struct FileBeside {
    input: Input,
    lines: Lines,
    content: Content,
    /// Lines read so far.
    read: usize,
}

enum Content {
    /// Labels; for objects, with the line of the last pair.
    Answers(LabelNames, u64),
    /// Values of the metric with this name.
    Values(Arc<str>),
}

impl FilesBeside {
    /// Opens the files that the sources name, and that of the answers.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn open(sources: &[ExternalSource], answers: Option<(&Input, LabelNames)>) -> Result<Self> {
        let values = sources.iter().filter_map(|source| {
            let name = Arc::from(source.metric.name.as_str());
            Some((source.file.as_ref()?, Content::Values(name)))
        });
        let answers = answers.map(|(input, names)| (input, Content::Answers(names, 0)));
        let open = |(input, content): (&Input, Content)| {
            Ok(FileBeside { input: input.clone(), lines: input.lines()?, content, read: 0 })
        };
        Ok(Self { files: values.chain(answers).map(open).collect::<Result<_>>()?, overruled: 0 })
    }

    /// Adds what the next lines say to a pair; false if a file has no more lines.
    ///
    /// # Errors
    /// A file is empty, or its line cannot be read.
    pub(crate) fn add_to(&mut self, pair: &mut Pair) -> Result<bool> {
        for file in &mut self.files {
            let Some(line) = file.lines.next().transpose()? else {
                let expected = match file.content {
                    Content::Answers(..) => answers::EXPECTED,
                    Content::Values(_) => "two numbers a line, separated by a tab",
                };
                return if file.read == 0 { Err(empty(&file.input, expected)) } else { Ok(false) };
            };
            file.read += 1;
            match &mut file.content {
                Content::Answers(names, last) => {
                    let label = answers::verdict(&line, &file.input, names, last)?;
                    let own = pair.label.replace(label);
                    self.overruled += usize::from(own.is_some_and(|own| own != label));
                }
                Content::Values(name) => {
                    let values = two_numbers(&line, &file.input)?;
                    pair.own.push(ExternalScore { name: name.clone(), values });
                }
            }
        }
        Ok(true)
    }

    /// Reads the files to their ends, and checks that they have a line for each of `count` pairs.
    ///
    /// # Errors
    /// A file has fewer or more lines.
    pub(crate) fn check_ends(&mut self, pairs: &Input, count: usize) -> Result<()> {
        self.files.iter_mut().try_for_each(|file| {
            let more = file.lines.by_ref().map(|line| line.map(|_| 1)).sum::<Result<usize>>()?;
            check_count(&file.input, pairs, file.read + more, count)
        })
    }
}
