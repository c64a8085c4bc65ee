//! The run: requests are sent, answers go into the journal, and the verdicts come out of it.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use serde_json::Value;

use super::answer::Answer;
use super::client::{Client, Failure};
use super::journal::Journal;
use super::prompt::Texts;
use super::{AskSettings, Request, Rows, Soft};
use crate::error::{Error, Result, pluralized, quoted};

/// What a listener is told.
#[derive(Debug)]
pub enum Told {
    /// So many requests of so many are done.
    Done(usize, usize),
    /// A note.
    Note(String),
}

/// Receives progress and notes.
pub type Listener<'a> = &'a dyn Fn(Told);

/// More missing verdicts than one in so many are no result.
const MISSING_PART: usize = 10;

/// So many failures, or first answers without a verdict, one after the other end the run.
const MAX_FAILURES: usize = 20;

/// Likely tokens that are asked for where a server refuses more.
const FEW_LIKELY: u32 = 5;

/// How often progress is told in words.
const REPORT: Duration = Duration::from_secs(30);

/// Fields that a server may refuse, by what its refusal names.
const REFUSABLE: [(&str, &str); 7] = [
    ("top_logprobs", "top_logprobs"),
    ("logprobs", "logprobs"),
    ("response_format", "response_format"),
    ("json_schema", "response_format"),
    ("max_tokens", "max_tokens"),
    ("temperature", "temperature"),
    ("seed", "seed"),
];

/// Asks about each row, and gives the verdicts.
///
/// # Errors
/// A row or the template is wrong; the server lets nobody in, or fails time and again: what it has answered is in the journal.
pub fn ask<'r>(rows: Rows<'r>, settings: &'r AskSettings, listener: Listener<'_>) -> Result<Verdicts> {
    let (mut count, mut forged) = (0, 0);
    for texts in rows()? {
        let texts = texts?;
        count += settings.question.choices.orders().len();
        forged += usize::from(texts.have_marks());
    }
    if forged > 0 {
        let rows = pluralized(forged, "row");
        listener(Told::Note(format!(
            "{rows} with control tokens of chat models or marks of the prompt, which are quoted and broken up"
        )));
    }
    let requests = settings.all_requests(rows)?;
    let mut journal = settings.journal()?;
    if settings.again {
        journal.answers.retain(|_, answer| answer.verdict.is_some());
    }
    if let Some(server) = &settings.server {
        let client = Client::new(server)?;
        let (used, reported) = (Used::default(), Instant::now());
        let mut run = Run { settings, journal, listener, count, used, in_a_row: 0, again: None, reported };
        let asked = run.ask(&client, server.concurrency, requests);
        run.account();
        asked?;
        journal = run.journal;
    }
    Ok(Verdicts { settings: settings.clone(), journal, missing: IndexMap::new(), count: 0 })
}

/// A run.
struct Run<'a> {
    settings: &'a AskSettings,
    journal: Journal,
    listener: Listener<'a>,
    /// The most requests that there are.
    count: usize,
    used: Used,
    /// Failures one after the other; before anything is settled, answers without a verdict.
    in_a_row: usize,
    /// What the server has refused, to be sent with other fields.
    again: Option<Request>,
    reported: Instant,
}

/// What a run has used so far.
#[derive(Default)]
struct Used {
    done: usize,
    /// Requests that the journal had answered.
    answered: usize,
    tokens: [u64; 2],
    failed: usize,
    last_failure: String,
}

/// A request, and its answer.
type Given = (Request, std::result::Result<Value, Failure>);

impl Run<'_> {
    /// Sends all requests: one at a time until a verdict settles what the server takes and whether verdicts are soft, then as
    /// many as may be under way, until there are none left, or the budget is used up.
    fn ask(
        &mut self,
        client: &Client,
        concurrency: usize,
        mut requests: impl Iterator<Item = Result<Request>>,
    ) -> Result<()> {
        let (give, given) = channel::<Given>();
        thread::scope(|scope| {
            let mut under_way = 0;
            let mut ask = || loop {
                let most = if self.is_settled() { concurrency } else { 1 };
                while under_way < most && !self.is_over_budget() {
                    let Some(request) = self.next(&mut requests)? else { break };
                    let (give, text) = (give.clone(), self.sent(&request.body));
                    scope.spawn(move || drop(give.send((request, client.post(&text)))));
                    under_way += 1;
                }
                if under_way == 0 {
                    return Ok(());
                }
                let all: Vec<Given> = given.recv().into_iter().chain(given.try_iter()).collect();
                under_way -= all.len();
                self.take(all)?;
            };
            let asked = ask();
            drop(give);
            client.stop();
            // What is under way is paid.
            let rest = given.iter().filter(|(_, given)| given.is_ok()).collect();
            asked.and(self.take(rest))
        })
    }

    fn is_settled(&self) -> bool {
        self.journal.settled.is_soft.is_some()
    }

    fn is_over_budget(&self) -> bool {
        self.settings.budget.is_some_and(|budget| self.used.tokens.iter().sum::<u64>() >= budget)
    }

    /// The next request without an answer.
    fn next(&mut self, requests: &mut impl Iterator<Item = Result<Request>>) -> Result<Option<Request>> {
        while let Some(request) = self.again.take().map(Ok).or_else(|| requests.next()).transpose()? {
            if !self.journal.answers.contains_key(&request.key) {
                return Ok(Some(request));
            }
            self.used.answered += 1;
        }
        Ok(None)
    }

    /// The body of a request as the server takes it.
    fn sent(&self, body: &Value) -> String {
        let Value::Object(mut fields) = body.clone() else { return body.to_string() };
        for without in &self.journal.settled.without {
            match (without.as_str(), fields.remove(without)) {
                ("top_logprobs", Some(_)) => drop(fields.insert(without.clone(), FEW_LIKELY.into())),
                ("max_tokens", Some(most)) => drop(fields.insert("max_completion_tokens".to_owned(), most)),
                ("logprobs", _) => drop(fields.remove("top_logprobs")),
                _ => {}
            }
        }
        Value::Object(fields).to_string()
    }

    /// Writes answers into the journal, and counts what failed.
    ///
    /// # Errors
    /// There will be no answers, or no verdicts; what has come is in the journal.
    fn take(&mut self, all: Vec<Given>) -> Result<()> {
        let (mut answers, mut ended) = (Vec::new(), Ok(()));
        for given in all {
            let key = given.0.key;
            match self.answer(given) {
                Ok(answer) => answers.extend(answer.map(|answer| (key, answer))),
                Err(error) => ended = Err(error),
            }
        }
        self.journal.add(answers)?;
        (self.listener)(Told::Done(self.used.done, self.count));
        if self.reported.elapsed() >= REPORT {
            self.reported = Instant::now();
            self.account();
        }
        ended
    }

    fn answer(&mut self, (request, given): Given) -> Result<Option<Answer>> {
        let answer = match given {
            Ok(body) => {
                self.check_model(&body)?;
                Answer::read(&body, &self.settings.question)
            }
            Err(Failure::Refused(reason)) if is_too_long(&reason) => Answer::missing("too long for the model", [0; 2]),
            Err(Failure::Refused(_)) if self.is_settled() => Answer::missing("refused by the server", [0; 2]),
            Err(Failure::Refused(reason)) => return self.without_field(request, &reason).map(|()| None),
            Err(Failure::Fatal(error)) => return Err(error),
            Err(Failure::Passing { reason, .. }) => {
                (self.used.failed, self.in_a_row) = (self.used.failed + 1, self.in_a_row + 1);
                self.used.last_failure.clone_from(&reason);
                let expected = if self.is_settled() { "answers" } else { "an answer to the first request" };
                if self.in_a_row >= MAX_FAILURES || !self.is_settled() {
                    let advice = "check the server; the same command goes on where this one stopped";
                    return Err(Error::invalid("`url`", expected, reason, advice));
                }
                return Ok(None);
            }
        };
        self.used.done += 1;
        (0..2).for_each(|at| self.used.tokens[at] += u64::from(answer.tokens[at]));
        match (&answer.missing, self.is_settled()) {
            (None, false) => self.settle(answer.soft.is_some())?,
            (_, true) => self.in_a_row = 0,
            (Some(reason), false) => {
                self.in_a_row += 1;
                if self.in_a_row >= MAX_FAILURES {
                    self.journal.add(vec![(request.key, answer.clone())])?;
                    let found = format!("none in {MAX_FAILURES}, such as: {reason}");
                    let advice = "try another `form`, or another model";
                    return Err(Error::invalid("the answers", "a verdict in one of the first", found, advice));
                }
            }
        }
        Ok(Some(answer))
    }

    /// Leaves out the field that a refusal names, of those that a request can do without.
    fn without_field(&mut self, request: Request, reason: &str) -> Result<()> {
        let is_open = |field: &str| !self.journal.settled.without.iter().any(|known| known == field);
        let named = REFUSABLE.iter().find(|(name, field)| reason.contains(name) && is_open(field));
        let Some((_, field)) = named else {
            let advice = "check `url`, `model` and `form`";
            return Err(Error::invalid("the first answer", "one to the request", reason, advice));
        };
        (self.listener)(Told::Note(format!("the server does not take {field} so: {reason}")));
        self.journal.settled.without.push((*field).to_owned());
        self.again = Some(request);
        self.journal.settle()
    }

    fn settle(&mut self, has_probabilities: bool) -> Result<()> {
        let is_soft = has_probabilities && self.settings.soft != Soft::Never;
        if !is_soft && self.settings.soft == Soft::Require {
            let advice = "ask without `soft`, or a server that gives them";
            return Err(Error::invalid("the first answer", "log probabilities in the field logprobs", "none", advice));
        }
        let told = match self.settings.soft {
            _ if is_soft => "soft verdicts: the server gives the probabilities of its verdicts",
            Soft::Never => "verdicts without probabilities, as asked for",
            _ => "verdicts without probabilities, as the server gives none",
        };
        (self.listener)(Told::Note(told.to_owned()));
        self.in_a_row = 0;
        self.journal.settled.is_soft = Some(is_soft);
        self.journal.settle()
    }

    /// # Errors
    /// Another model answers.
    fn check_model(&self, body: &Value) -> Result<()> {
        let short = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
        let found = body["model"].as_str().unwrap_or_default();
        let (asked, answers) = (short(&self.settings.model), short(found));
        if answers.contains(&asked) || asked.contains(&answers) {
            return Ok(());
        }
        let expected = format!("answers of {} in the field model", quoted(&self.settings.model));
        Err(Error::invalid("the first answer", expected, quoted(found), "name the model that answers with `model`"))
    }

    /// Tells what was used so far.
    fn account(&self) {
        let Used { done, answered, tokens, failed, last_failure } = &self.used;
        let mut parts = vec![pluralized(*done, "request")];
        if *answered > 0 {
            parts.push(format!("{answered} more in the journal"));
        }
        parts.push(format!("{} tokens of prompts and {} of answers", tokens[0], tokens[1]));
        parts.extend(self.settings.price_of(*tokens).map(|price| format!("price {price:.4}")));
        if *failed > 0 {
            parts.push(format!("{failed} failed, lately: {last_failure}"));
        }
        (self.listener)(Told::Note(parts.join(", ")));
    }
}

/// Whether a server refuses a request because it is too long.
fn is_too_long(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    ["context size", "context length", "context window", "too long", "status 413"]
        .iter()
        .any(|part| reason.contains(part))
}

/// The verdicts on rows, from the answers in the journal.
pub struct Verdicts {
    settings: AskSettings,
    journal: Journal,
    /// Reasons why verdicts are missing, with their numbers.
    missing: IndexMap<String, usize>,
    count: usize,
}

impl Verdicts {
    /// Whether values are means by the probabilities of verdicts.
    pub fn is_soft(&self) -> bool {
        self.journal.settled.is_soft == Some(true)
    }

    /// The verdict on a row, or on a pair in each order. Soft: of a pair the probability that its first output is better, of an
    /// output that it passes, or its mean grade. Otherwise 1, 0 or -1 of a pair, 1 for a pass and 0 for a fail, or the grade.
    pub fn of(&mut self, texts: &Texts) -> Vec<Option<f64>> {
        let (choices, is_soft) = (self.settings.question.choices, self.is_soft());
        let requests = self.settings.requests(texts);
        let value = |(at, exchanged): (usize, &bool)| {
            let answer = requests.get(at).map(|request| self.journal.answers.get(&request.key));
            let share = answer.flatten().and_then(|answer| match is_soft {
                true => answer.soft.filter(|_| answer.verdict.is_some()),
                false => answer.verdict,
            });
            self.count += 1;
            let Some(share) = share else {
                let reason = match answer {
                    None => "nothing but blanks to judge",
                    Some(None) => "not answered",
                    Some(Some(answer)) => answer.missing.as_deref().unwrap_or("no probabilities"),
                };
                *self.missing.entry(reason.to_owned()).or_default() += 1;
                return None;
            };
            let share = if *exchanged { 1.0 - share } else { share };
            Some(if choices.is_of_pairs() && !is_soft { 2.0 * share - 1.0 } else { share })
        };
        choices.orders().iter().enumerate().map(value).collect()
    }

    /// What is missing, in words; `None` if nothing is.
    ///
    /// # Errors
    /// More than a tenth is missing.
    pub fn check(&self) -> Result<Option<String>> {
        let missing: usize = self.missing.values().sum();
        let reasons: Vec<String> = self.missing.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let told = format!("{missing} of {} verdicts missing: {}", self.count, reasons.join(", "));
        if missing * MISSING_PART > self.count {
            let advice = "the same command asks what was not answered, with `again` also what had no verdict";
            return Err(Error::invalid("the answers", "nine verdicts of ten, or more", told, advice));
        }
        Ok((missing > 0).then_some(told))
    }
}
