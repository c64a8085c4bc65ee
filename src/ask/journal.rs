//! The journal of a judge's answers: a line for each finished request, by the hash of its body, so that none is paid twice.
//! It holds no texts and no key. A line that the end of the program has cut is dropped, and its request asked again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::Answer;
use super::prompt::{Choices, Form};
use crate::error::{Error, Result, json_fault, quoted};

/// What all answers of a journal share.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Head {
    /// The version of this format.
    pub tribunal_journal: u32,
    pub model: String,
    pub choices: Choices,
    pub form: Form,
    /// Whether probabilities are asked for.
    pub soft: bool,
    /// Hashes of the texts.
    pub rubric: Option<String>,
    pub template: Option<String>,
}

/// What the first answers settle for all.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Settled {
    /// The fields that the server does not take.
    pub without: Vec<String>,
    /// Whether the probabilities of verdicts are known; `None` before the first verdict.
    pub is_soft: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Answer {
        request: String,
        #[serde(flatten)]
        answer: Answer,
    },
    Settled {
        settled: Settled,
    },
}

/// An open journal, which no other process has open.
pub(super) struct Journal {
    /// `None` if nothing is kept.
    file: Option<(File, PathBuf)>,
    /// The answers to requests by the hashes of their bodies.
    pub answers: FxHashMap<u128, Answer>,
    pub settled: Settled,
}

impl Journal {
    /// Opens a journal, or begins one.
    ///
    /// # Errors
    /// It cannot be read or written, or is in use; it is of another prompt or model, or no journal.
    pub fn open(path: Option<&Path>, head: &Head) -> Result<Self> {
        let mut journal = Self { file: None, answers: FxHashMap::default(), settled: Settled::default() };
        let Some(path) = path else { return Ok(journal) };
        let io = |error| Error::io(path, error, "open the journal");
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(error)) => return Err(io(error)),
            Err(TryLockError::WouldBlock) => {
                let expected = "a journal that no other process writes";
                return Err(Error::invalid(path.display().to_string(), expected, "one in use", "wait for it to end"));
            }
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        journal.file = Some((file, path.to_owned()));
        let mut lines = (1..).zip(text[..whole].lines());
        match lines.next() {
            Some((_, first)) => check_head(first, head, path)?,
            None => journal.append(&[to_line(head)])?,
        }
        for (number, line) in lines {
            match serde_json::from_str(line) {
                Ok(Line::Settled { settled }) => journal.settled = settled,
                Ok(Line::Answer { request, answer }) if u128::from_str_radix(&request, 16).is_ok() => {
                    journal.answers.insert(u128::from_str_radix(&request, 16).unwrap_or_default(), answer);
                }
                Ok(Line::Answer { request, .. }) => return Err(wrong(path, number, quoted(&request))),
                Err(error) => return Err(wrong(path, number, json_fault(&error))),
            }
        }
        Ok(journal)
    }

    /// Adds answers, which are on the disk when this returns.
    ///
    /// # Errors
    /// The disk is full.
    pub fn add(&mut self, answers: Vec<(u128, Answer)>) -> Result<()> {
        let line = |(key, answer): &(u128, Answer)| {
            to_line(&Line::Answer { request: format!("{key:032x}"), answer: answer.clone() })
        };
        self.append(&answers.iter().map(line).collect::<Vec<_>>())?;
        self.answers.extend(answers);
        Ok(())
    }

    /// Whether a first verdict has settled what all answers share.
    pub fn is_settled(&self) -> bool {
        self.settled.is_soft.is_some()
    }

    /// Writes what is settled.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn settle(&mut self) -> Result<()> {
        self.append(&[to_line(&Line::Settled { settled: self.settled.clone() })])
    }

    fn append(&mut self, lines: &[String]) -> Result<()> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        let written = file.write_all(lines.concat().as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|error| Error::io(path, error, "write"))
    }
}

fn to_line(value: &impl Serialize) -> String {
    // Plain numbers and texts can always be written.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

fn wrong(path: &Path, line: usize, found: String) -> Error {
    let advice = "name another journal, or remove this one, whose answers are then asked for again";
    Error::invalid(format!("{}:{line}", path.display()), "a line of a journal of `tribunal ask`", found, advice)
}

/// # Errors
/// The journal is of another prompt.
fn check_head(line: &str, head: &Head, path: &Path) -> Result<()> {
    let found: Head = serde_json::from_str(line).map_err(|error| wrong(path, 1, json_fault(&error)))?;
    let [found, expected] = [&found, head].map(|head| serde_json::to_value(head).unwrap_or_default());
    let differs = |(name, value): &(&String, &Value)| found.get(name.as_str()) != Some(value);
    let Some((name, value)) = expected.as_object().and_then(|fields| fields.iter().find(differs)) else {
        return Ok(());
    };
    let shown = |value: &Value| if value.is_null() { "none".to_owned() } else { value.to_string() };
    let other = found.get(name).map_or_else(|| "none".to_owned(), shown);
    let expected = format!("answers to this prompt, with the field {name} {}", shown(value));
    Err(Error::invalid(
        format!("{}:1", path.display()),
        expected,
        other,
        "write another output, which has a journal of its own",
    ))
}
