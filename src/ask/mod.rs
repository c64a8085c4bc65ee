//! Asks a language model for verdicts on pairs, in both orders, or on single outputs: any server with OpenAI's chat
//! completions. Nothing is paid twice, as a [journal](self) keeps each answer, and nothing is guessed: what is no verdict is
//! missing.
//!
//! The first requests go alone until one has a verdict, and settle what the server takes. The column is then of one scale:
//! mean values by the probabilities of the verdicts (soft verdicts) where the server gives them, or the verdicts themselves.

mod answer;
mod client;
mod journal;
mod prompt;
mod run;

use std::collections::VecDeque;
use std::path::PathBuf;

use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result, quoted};
use crate::files::Input;
use answer::Answer;
use journal::{Head, Journal, Settled};

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
    /// The first request.
    pub first: Option<Value>,
}

/// The rows of a table, which are read several times.
pub type Rows<'r> = &'r dyn Fn() -> Result<Box<dyn Iterator<Item = Result<Texts>> + 'r>>;

/// Likely tokens that are asked for, and where a server refuses so many.
const LIKELY: [u32; 2] = [20, 5];

impl AskSettings {
    fn head(&self) -> Head {
        let hash = |text: &Option<String>| text.as_ref().map(|text| format!("{:032x}", key_of(text)));
        Head {
            tribunal_journal: 1,
            model: self.model.clone(),
            choices: self.question.choices,
            form: self.question.form,
            soft: self.soft != Soft::Never,
            rubric: hash(&self.question.rubric),
            template: hash(&self.question.template),
        }
    }

    fn orders(&self) -> &'static [bool] {
        if self.question.choices.is_of_pairs() { &[false, true] } else { &[false] }
    }

    /// The messages of a row's requests; none where there is nothing to judge.
    fn messages(&self, texts: &Texts) -> impl Iterator<Item = Value> {
        let is_blank = texts.outputs.iter().all(|text| text.trim().is_empty());
        let orders = if is_blank { &[] } else { self.orders() };
        orders.iter().map(move |exchanged| self.question.messages(texts, *exchanged))
    }

    /// The body of a request, and the hash by which the journal knows it.
    fn request(&self, messages: &Value, settled: &Settled) -> Request {
        let without = |field: &str| settled.without.iter().any(|name| name == field);
        let mut body = json!({"model": self.model, "messages": messages});
        let max_tokens = self.max_tokens.unwrap_or(self.question.form.max_tokens());
        body[if without("max_tokens") { "max_completion_tokens" } else { "max_tokens" }] = max_tokens.into();
        for (field, value) in [("temperature", 0), ("seed", 1)].into_iter().filter(|(field, _)| !without(field)) {
            body[field] = value.into();
        }
        if self.soft != Soft::Never && !without("logprobs") {
            body["logprobs"] = true.into();
            body["top_logprobs"] = LIKELY[usize::from(without("top_logprobs"))].into();
        }
        if let Some(schema) = self.question.schema().filter(|_| !without("response_format")) {
            body["response_format"] = schema;
        }
        let text = body.to_string();
        Request { key: key_of(&text), body, text }
    }

    fn journal(&self) -> Result<Journal> {
        Journal::open(self.journal.as_deref(), &self.head())
    }

    fn price_of(&self, tokens: [u64; 2]) -> Option<f64> {
        self.price.map(|price| (0..2).map(|at| price[at] * tokens[at] as f64 / 1e6).sum())
    }
}

struct Request {
    key: u128,
    body: Value,
    text: String,
}

fn key_of(text: &str) -> u128 {
    Sha256::digest(text).iter().take(16).fold(0, |key, byte| key << 8 | u128::from(*byte))
}

/// The requests of all rows, each once.
struct Requests<'r> {
    settings: &'r AskSettings,
    rows: Box<dyn Iterator<Item = Result<Texts>> + 'r>,
    /// The messages of a row's further requests.
    ready: VecDeque<Value>,
    seen: FxHashSet<u128>,
    /// How many the journal has answered.
    answered: usize,
}

impl<'r> Requests<'r> {
    fn new(rows: Rows<'r>, settings: &'r AskSettings) -> Result<Self> {
        Ok(Self { settings, rows: rows()?, ready: VecDeque::new(), seen: FxHashSet::default(), answered: 0 })
    }

    /// The next request without an answer, with its messages.
    fn next(&mut self, journal: &Journal) -> Result<Option<(Request, Value)>> {
        loop {
            while let Some(messages) = self.ready.pop_front() {
                let request = self.settings.request(&messages, &journal.settled);
                let is_new = self.seen.insert(request.key);
                let is_answered = journal.answers.contains_key(&request.key);
                self.answered += usize::from(is_new && is_answered);
                if is_new && !is_answered {
                    return Ok(Some((request, messages)));
                }
            }
            let Some(texts) = self.rows.next().transpose()? else { return Ok(None) };
            self.ready.extend(self.settings.messages(&texts));
        }
    }
}

/// What asking would take.
///
/// # Errors
/// A row or the template is wrong; the journal is of another prompt.
pub fn plan<'r>(rows: Rows<'r>, settings: &'r AskSettings) -> Result<Plan> {
    let mut plan = Plan::default();
    let answered = for_each_open(rows, settings, |request| {
        let characters = request.body["messages"].as_array().into_iter().flatten();
        let characters = characters.filter_map(|message| message["content"].as_str()).map(|text| text.chars().count());
        plan.tokens[0] += characters.sum::<usize>().div_ceil(4) as u64;
        plan.tokens[1] += settings.question.form.usual_tokens();
        plan.requests += 1;
        plan.first.get_or_insert(request.body);
        Ok(())
    })?;
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
    let line = |Request { key, body, .. }: Request| {
        let id = format!("{key:032x}");
        write(json!({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": body}))
    };
    for_each_open(rows, settings, line).map(drop)
}

/// Gives each request without an answer, and returns how many have one.
fn for_each_open<'r>(
    rows: Rows<'r>,
    settings: &'r AskSettings,
    mut give: impl FnMut(Request) -> Result<()>,
) -> Result<usize> {
    settings.question.check()?;
    let path = settings.journal.as_deref().filter(|path| path.exists());
    let journal = Journal::open(path, &settings.head())?;
    let mut requests = Requests::new(rows, settings)?;
    while let Some((request, _)) = requests.next(&journal)? {
        give(request)?;
    }
    Ok(requests.answered)
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
        let key = result["custom_id"].as_str().and_then(|id| u128::from_str_radix(id, 16).ok());
        let key = key.ok_or_else(|| {
            let (place, expected) =
                (format!("{input}:{}", line.number), "a result of a batch of `write`, with its custom_id");
            Error::invalid(place, expected, quoted(&line.text), "name the file with the results of the batch")
        })?;
        let answer = match result["response"]["status_code"].as_u64() {
            Some(200) => Answer::read(&result["response"]["body"], &settings.question),
            _ => Answer::missing("no answer in the batch", [0, 0]),
        };
        found.push((key, answer));
    }
    let mut journal = settings.journal()?;
    if let Some((_, first)) = found.iter().find(|(_, answer)| answer.verdict.is_some())
        && !journal.is_settled()
    {
        journal.settled.is_soft = Some(settings.soft != Soft::Never && first.soft.is_some());
        journal.settle()?;
    }
    journal.add(found)
}
