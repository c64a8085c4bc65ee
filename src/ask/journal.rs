//! The journal of a judge's answers: a line for each finished request, by the hash of its body, so that none is paid twice.
//! It holds no texts and no key. A line that the end of the program has cut is dropped, and its request asked again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::Answer;
use crate::error::{Error, Result, json_fault};

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
        request: u64,
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
    pub answers: FxHashMap<u64, Answer>,
    pub settled: Settled,
}

impl Journal {
    /// Opens a journal, or begins one with its head, which all of its answers share.
    ///
    /// # Errors
    /// It cannot be read or written, or is in use; it is of another prompt or model, or no journal.
    pub fn open(path: Option<&Path>, head: &Value) -> Result<Self> {
        let mut journal = Self { file: None, answers: FxHashMap::default(), settled: Settled::default() };
        let Some(path) = path else { return Ok(journal) };
        let io = |error| Error::io(path, error, "open the journal");
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::Error(error) => io(error),
            TryLockError::WouldBlock => {
                let expected = "a journal that no other process writes";
                Error::invalid(path.display().to_string(), expected, "one in use", "wait for it to end")
            }
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(io)?;
        journal.file = Some((file, path.to_owned()));
        let mut lines = (1..).zip(text[..whole].lines());
        match lines.next() {
            Some((_, first)) => check_head(first, head, path)?,
            None => journal.append(&format!("{head}\n"))?,
        }
        for (number, line) in lines {
            match serde_json::from_str(line).map_err(|error| wrong(path, number, &error))? {
                Line::Settled { settled } => journal.settled = settled,
                Line::Answer { request, answer } => drop(journal.answers.insert(request, answer)),
            }
        }
        Ok(journal)
    }

    /// Adds answers, which are on the disk when this returns.
    ///
    /// # Errors
    /// The disk is full.
    pub fn add(&mut self, answers: Vec<(u64, Answer)>) -> Result<()> {
        let line =
            |(request, answer): &(u64, Answer)| to_line(&Line::Answer { request: *request, answer: answer.clone() });
        self.append(&answers.iter().map(line).collect::<String>())?;
        self.answers.extend(answers);
        Ok(())
    }

    /// Writes what is settled.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn settle(&mut self) -> Result<()> {
        self.append(&to_line(&Line::Settled { settled: self.settled.clone() }))
    }

    fn append(&mut self, lines: &str) -> Result<()> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        let written = file.write_all(lines.as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|error| Error::io(path, error, "write"))
    }
}

fn to_line(line: &Line) -> String {
    // Plain numbers and texts can always be written.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

fn wrong(path: &Path, line: usize, error: &serde_json::Error) -> Error {
    let advice = "name another journal, or remove this one, whose answers are then asked for again";
    Error::invalid(
        format!("{}:{line}", path.display()),
        "a line of a journal of `tribunal ask`",
        json_fault(error),
        advice,
    )
}

/// # Errors
/// The journal is of another prompt.
fn check_head(line: &str, head: &Value, path: &Path) -> Result<()> {
    let found: Map<String, Value> = serde_json::from_str(line).map_err(|error| wrong(path, 1, &error))?;
    let differs = |(name, value): &(&String, &Value)| found.get(name.as_str()) != Some(value);
    let Some((name, value)) = head.as_object().and_then(|fields| fields.iter().find(differs)) else { return Ok(()) };
    let shown = |value: &Value| if value.is_null() { "none".to_owned() } else { value.to_string() };
    let expected = format!("answers to this prompt, with the field {name} {}", shown(value));
    let found = shown(found.get(name).unwrap_or(&Value::Null));
    let advice = "write another output, which has a journal of its own";
    Err(Error::invalid(format!("{}:1", path.display()), expected, found, advice))
}
