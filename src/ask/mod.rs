//! Asks a language model for verdicts on pairs, in both orders, or on single outputs: any server with OpenAI's chat
//! completions. Nothing is paid twice, as a [journal](self) keeps each answer, and nothing is guessed: what is no verdict is
//! missing.
//!
//! Requests go one at a time until one has a verdict, and settle what the server takes. The column is then of one scale: mean
//! values by the probabilities of the verdicts (soft verdicts) where the server gives them, or the verdicts themselves.

mod answer;
mod client;
mod journal;
mod prompt;
mod run;

use std::path::PathBuf;

use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result, quoted};
use crate::files::Input;
use answer::Answer;
use journal::Journal;

pub use client::{Server, key_of_environment};
pub use prompt::{Choices, FIELDS, Form, Question, Texts};
pub use run::{Listener, Told, Verdicts, ask};

/// Whether verdicts are weighted by their probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soft {
    /// Where the server gives them.
    Auto,
    /// Not even then.
    Never,
    /// Without them nothing is asked.
    Require,
}

impl Soft {
    /// All of them, by their names.
    pub const NAMES: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("never", Self::Never), ("require", Self::Require)];
}

/// What is asked, and how.
#[derive(Clone)]
pub struct AskSettings {
    /// The name of the model.
    pub model: String,
    /// The question.
    pub question: Question,
    /// Whether verdicts are soft.
    pub soft: Soft,
    /// The most tokens of an answer, if not those of its form.
    pub max_tokens: Option<u32>,
    /// The server; `None` to take what the journal has.
    pub server: Option<Server>,
    /// The file of the journal; without one, nothing is kept.
    pub journal: Option<PathBuf>,
    /// Whether requests are asked again whose answers had no verdict.
    pub again: bool,
    /// No further requests are sent once so many tokens were used.
    pub budget: Option<u64>,
    /// The price of a million tokens of prompts, and of answers.
    pub price: Option<[f64; 2]>,
}

/// What asking would take.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// All requests, each once.
    pub requests: usize,
    /// Those that the journal answers.
    pub answered: usize,
    /// About the tokens of the prompts and answers of the others: four characters are one.
    pub tokens: [u64; 2],
    /// Their price.
    pub price: Option<f64>,
    /// The first of them.
    pub first: Option<Value>,
}

/// The rows of a table, which are read several times.
pub type Rows<'r> = &'r dyn Fn() -> Result<Box<dyn Iterator<Item = Result<Texts>> + 'r>>;

/// A request with all fields; what a server does not take of it is left out when it is sent.
struct Request {
    /// By which the journal knows it.
    key: u64,
    body: Value,
}

fn hash(text: &str) -> u64 {
    Sha256::digest(text).iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}

impl AskSettings {
    /// What all answers of a journal share.
    fn head(&self) -> Value {
        let hash = |text: &Option<String>| text.as_deref().map(hash);
        let Question { choices, form, rubric, template } = &self.question;
        json!({
            "tribunal_journal": 1, "model": self.model, "choices": choices, "form": form, "soft": self.soft != Soft::Never,
            "rubric": hash(rubric), "template": hash(template),
        })
    }

    fn journal(&self) -> Result<Journal> {
        Journal::open(self.journal.as_deref(), &self.head())
    }

    /// The requests about a row, in each order; none where there is nothing to judge.
    fn requests(&self, texts: &Texts) -> Vec<Request> {
        let is_blank = texts.outputs.iter().all(|text| text.trim().is_empty());
        let orders = if is_blank { &[] } else { self.question.choices.orders() };
        let request = |exchanged: &bool| {
            let mut body = json!({
                "model": self.model, "messages": self.question.messages(texts, *exchanged), "temperature": 0, "seed": 1,
                "max_tokens": self.max_tokens.unwrap_or(self.question.form.max_tokens()),
            });
            if self.soft != Soft::Never {
                (body["logprobs"], body["top_logprobs"]) = (true.into(), 20.into());
            }
            if let Some(schema) = self.question.schema() {
                body["response_format"] = schema;
            }
            Request { key: hash(&body.to_string()), body }
        };
        orders.iter().map(request).collect()
    }

    /// The requests about all rows, each once.
    fn all_requests<'r>(&'r self, rows: Rows<'r>) -> Result<impl Iterator<Item = Result<Request>> + 'r> {
        self.question.check()?;
        let mut seen = FxHashSet::default();
        let of_row = |texts: Result<Texts>| match texts {
            Ok(texts) => self.requests(&texts).into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        let is_new = move |request: &Result<Request>| request.as_ref().map_or(true, |request| seen.insert(request.key));
        Ok(rows()?.flat_map(of_row).filter(is_new))
    }

    fn price_of(&self, tokens: [u64; 2]) -> Option<f64> {
        self.price.map(|price| (0..2).map(|at| price[at] * tokens[at] as f64 / 1e6).sum())
    }
}

/// What asking would take.
///
/// # Errors
/// A row or the template is wrong; the journal is of another prompt.
pub fn plan<'r>(rows: Rows<'r>, settings: &'r AskSettings) -> Result<Plan> {
    let mut plan = Plan::default();
    let write = |request: Request| {
        let messages = request.body["messages"].as_array().into_iter().flatten();
        let texts = messages.filter_map(|message| message["content"].as_str());
        plan.tokens[0] += texts.map(|text| text.chars().count()).sum::<usize>().div_ceil(4) as u64;
        plan.tokens[1] += settings.question.form.usual_tokens();
        plan.requests += 1;
        plan.first.get_or_insert(request.body);
        Ok(())
    };
    let answered = each_open(rows, settings, write)?;
    Ok(Plan { requests: plan.requests + answered, answered, price: settings.price_of(plan.tokens), ..plan })
}

/// Writes the requests that the journal does not answer as lines of a batch, in OpenAI's form.
///
/// # Errors
/// As [`plan`], and those of `write`.
pub fn write_batch<'r>(
    rows: Rows<'r>,
    settings: &'r AskSettings,
    mut write: impl FnMut(Value) -> Result<()>,
) -> Result<()> {
    let line = |Request { key, body }: Request| {
        write(json!({"custom_id": key.to_string(), "method": "POST", "url": "/v1/chat/completions", "body": body}))
    };
    each_open(rows, settings, line).map(drop)
}

/// Gives each request without an answer, and returns how many have one.
fn each_open<'r>(
    rows: Rows<'r>,
    settings: &'r AskSettings,
    mut give: impl FnMut(Request) -> Result<()>,
) -> Result<usize> {
    let path = settings.journal.as_deref().filter(|path| path.exists());
    let (journal, mut answered) = (Journal::open(path, &settings.head())?, 0);
    for request in settings.all_requests(rows)? {
        let request = request?;
        match journal.answers.contains_key(&request.key) {
            true => answered += 1,
            false => give(request)?,
        }
    }
    Ok(answered)
}

/// Adds the results of a batch to the journal.
///
/// # Errors
/// The file cannot be read, or a line of it is no result of a batch; the journal is of another prompt.
pub fn read_batch(input: &Input, settings: &AskSettings) -> Result<()> {
    let mut found = Vec::new();
    for line in input.lines()? {
        let line = line?;
        let result: Value = serde_json::from_str(&line.text).unwrap_or_default();
        let Some(key) = result["custom_id"].as_str().and_then(|id| id.parse().ok()) else {
            let (place, found) = (format!("{input}:{}", line.number), quoted(&line.text));
            let expected = "a result of a batch of `write`, with its custom_id";
            return Err(Error::invalid(place, expected, found, "name the file with the results of the batch"));
        };
        found.push(match result["response"]["status_code"].as_u64() {
            Some(200) => (key, Answer::read(&result["response"]["body"], &settings.question)),
            _ => (key, Answer::missing("no answer in the batch", [0, 0])),
        });
    }
    let mut journal = settings.journal()?;
    let first = found.iter().find(|(_, answer)| answer.verdict.is_some());
    if let Some((_, first)) = first.filter(|_| journal.settled.is_soft.is_none()) {
        journal.settled.is_soft = Some(settings.soft != Soft::Never && first.soft.is_some());
        journal.settle()?;
    }
    journal.add(found)
}
