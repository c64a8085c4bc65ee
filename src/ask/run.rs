//! The run: requests are sent, answers go into the journal, and the verdicts come out of it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use serde_json::Value;

use super::answer::Answer;
use super::client::{Client, Failure};
use super::journal::Journal;
use super::prompt::{Texts, has_control_tokens};
use super::{AskSettings, Request, Requests, Rows, Soft};
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

/// How often progress is told in words.
const REPORT: Duration = Duration::from_secs(30);

/// Fields that a server may refuse, and what else its refusal may name.
const REFUSABLE: [(&str, &str); 6] = [
    ("top_logprobs", "top_logprobs"),
    ("logprobs", "logprobs"),
    ("response_format", "json_schema"),
    ("max_tokens", "max_completion_tokens"),
    ("temperature", "temperature"),
    ("seed", "seed"),
];

/// Asks about each row, and gives the verdicts.
///
/// # Errors
/// A row or the template is wrong; the server lets nobody in, or fails time and again: what it has answered is in the journal.
pub fn ask<'r>(rows: Rows<'r>, settings: &'r AskSettings, listener: Listener<'_>) -> Result<Verdicts> {
    settings.question.check()?;
    let (mut count, mut forged) = (0, 0);
    for texts in rows()? {
        let texts = texts?;
        count += settings.orders().len();
        forged += usize::from(has_control_tokens(&texts));
    }
    if forged > 0 {
        let rows = pluralized(forged, "row");
        listener(Told::Note(format!("{rows} with control tokens of chat models, which are shown broken up")));
    }
    let mut journal = settings.journal()?;
    if settings.again {
        journal.answers.retain(|_, answer| answer.verdict.is_some());
    }
    if let Some(server) = &settings.server {
        let client = Client::new(server)?;
        let mut run = Run {
            settings,
            journal,
            listener,
            count,
            done: 0,
            tokens: [0; 2],
            in_a_row: 0,
            failed: 0,
            last_failure: String::new(),
            reported: Instant::now(),
        };
        let mut requests = Requests::new(rows, settings)?;
        let asked = run.alone(&client, &mut requests).and_then(|()| run.together(&client, &mut requests));
        run.account(requests.answered);
        asked?;
        journal = run.journal;
    }
    Ok(Verdicts { settings: settings.clone(), journal, missing: IndexMap::new(), count: 0 })
}

/// A run: what it has used so far, and what failed.
struct Run<'a> {
    settings: &'a AskSettings,
    journal: Journal,
    listener: Listener<'a>,
    /// The most requests that there are.
    count: usize,
    done: usize,
    tokens: [u64; 2],
    /// Failures one after the other; before anything is settled, answers without a verdict.
    in_a_row: usize,
    failed: usize,
    last_failure: String,
    reported: Instant,
}

/// A request's hash, and its answer.
type Given = (u128, std::result::Result<Value, Failure>);

impl Run<'_> {
    /// Sends requests one at a time until a verdict settles what the server takes and whether verdicts are soft.
    fn alone(&mut self, client: &Client, requests: &mut Requests<'_>) -> Result<()> {
        while let Some((mut request, messages)) = requests.next(&self.journal)? {
            let given = loop {
                match client.post(&request.text) {
                    Err(Failure::Refused(reason)) if !self.journal.is_settled() && !is_too_long(&reason) => {
                        let Some(field) = self.refused_field(&reason) else {
                            let advice = "check `url`, `model` and `form`";
                            return Err(Error::invalid("the first answer", "one to the request", reason, advice));
                        };
                        (self.listener)(Told::Note(format!("the server does not take {field} so: {reason}")));
                        self.journal.settled.without.push(field.to_owned());
                        self.journal.settle()?;
                        request = self.settings.request(&messages, &self.journal.settled);
                    }
                    other => break other,
                }
            };
            let key = request.key;
            if let Ok(body) = &given {
                self.check_model(body)?;
            }
            self.take(vec![(key, given)])?;
            if self.failed > 0 {
                return Err(self.stopped("an answer to the first request"));
            }
            match self.journal.answers.get(&key).filter(|answer| answer.verdict.is_some()) {
                Some(_) if self.journal.is_settled() => return Ok(()),
                Some(answer) => return self.settle(answer.soft.is_some()),
                None => self.in_a_row += 1,
            }
            if self.in_a_row >= MAX_FAILURES {
                let found = format!("none in {MAX_FAILURES}, such as: {}", self.reason(key));
                let advice = "try another `form`, or another model";
                return Err(Error::invalid("the answers", "a verdict in one of the first", found, advice));
            }
        }
        Ok(())
    }

    /// The field that a refusal names, of those that a request can do without.
    fn refused_field(&self, reason: &str) -> Option<&'static str> {
        let is_open = |field: &str| !self.journal.settled.without.iter().any(|known| known == field);
        let named = |(field, other): &&(&str, &str)| reason.contains(field) || reason.contains(other);
        REFUSABLE.iter().filter(named).map(|(field, _)| *field).find(|field| is_open(field))
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
        let Some(found) = body["model"].as_str().filter(|name| !name.is_empty()) else { return Ok(()) };
        let (asked, answers) = (short(&self.settings.model), short(found));
        if answers.contains(&asked) || asked.contains(&answers) {
            return Ok(());
        }
        let expected = format!("answers of {} in the field model", quoted(&self.settings.model));
        Err(Error::invalid("the first answer", expected, quoted(found), "name the model that answers with `model`"))
    }

    /// Sends all other requests, several at a time.
    fn together(&mut self, client: &Client, requests: &mut Requests<'_>) -> Result<()> {
        let most = self.settings.server.as_ref().map_or(1, |server| server.concurrency);
        let (send, receive) = channel::<Request>();
        let (give, given) = channel::<Given>();
        let receive = Mutex::new(receive);
        thread::scope(|scope| {
            for give in vec![give; most] {
                let receive = &receive;
                scope.spawn(move || {
                    let next = || receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    while let Ok(request) = next() {
                        if give.send((request.key, client.post(&request.text))).is_err() {
                            break;
                        }
                    }
                });
            }
            let fed = self.feed(requests, most, &send, &given);
            drop(send);
            if fed.is_err() {
                client.stop();
            }
            // What is under way is paid.
            let rest = given.iter().filter(|(_, given)| given.is_ok()).collect();
            fed.and(self.take(rest))
        })
    }

    /// Keeps so many requests under way until there are none left, or the budget is used up.
    fn feed(
        &mut self,
        requests: &mut Requests<'_>,
        most: usize,
        send: &Sender<Request>,
        given: &Receiver<Given>,
    ) -> Result<()> {
        let mut under_way = 0;
        loop {
            while under_way < most && !self.is_over_budget() {
                let Some((request, _)) = requests.next(&self.journal)? else { break };
                under_way += usize::from(send.send(request).is_ok());
            }
            if under_way == 0 {
                return Ok(());
            }
            let all: Vec<Given> = given.recv().into_iter().chain(given.try_iter()).collect();
            under_way -= all.len();
            self.take(all)?;
            if self.in_a_row >= MAX_FAILURES {
                return Err(self.stopped("answers"));
            }
        }
    }

    fn is_over_budget(&self) -> bool {
        self.settings.budget.is_some_and(|budget| self.tokens.iter().sum::<u64>() >= budget)
    }

    /// Writes answers into the journal, and counts what failed.
    fn take(&mut self, all: Vec<Given>) -> Result<()> {
        let (mut answers, mut fatal) = (Vec::new(), Ok(()));
        for (key, given) in all {
            self.done += 1;
            let answer = match given {
                Ok(body) => Answer::read(&body, &self.settings.question),
                Err(Failure::Refused(reason)) => {
                    let is_too_long = is_too_long(&reason);
                    Answer::missing(
                        if is_too_long { "too long for the model" } else { "refused by the server" },
                        [0; 2],
                    )
                }
                Err(Failure::Unavailable(reason)) => {
                    (self.failed, self.in_a_row, self.last_failure) = (self.failed + 1, self.in_a_row + 1, reason);
                    continue;
                }
                Err(Failure::Fatal(error)) => {
                    fatal = Err(error);
                    continue;
                }
            };
            if self.journal.is_settled() {
                self.in_a_row = 0;
            }
            (0..2).for_each(|at| self.tokens[at] += u64::from(answer.tokens[at]));
            answers.push((key, answer));
        }
        self.journal.add(answers)?;
        fatal?;
        (self.listener)(Told::Done(self.done, self.count));
        if self.reported.elapsed() >= REPORT {
            self.reported = Instant::now();
            self.account(0);
        }
        Ok(())
    }

    fn reason(&self, key: u128) -> String {
        self.journal.answers.get(&key).and_then(|answer| answer.missing.clone()).unwrap_or_default().into()
    }

    fn stopped(&self, expected: &str) -> Error {
        let advice = "check the server; the same command goes on where this one stopped";
        Error::invalid("`url`", expected, self.last_failure.clone(), advice)
    }

    /// Tells what was used so far.
    fn account(&self, answered: usize) {
        let mut parts = vec![pluralized(self.done, "request")];
        if answered > 0 {
            parts.push(format!("{answered} more in the journal"));
        }
        let [prompts, answers] = self.tokens;
        parts.push(format!("{prompts} tokens of prompts and {answers} of answers"));
        parts.extend(self.settings.price_of(self.tokens).map(|price| format!("price {price:.4}")));
        if self.failed > 0 {
            parts.push(format!("{} failed, lately: {}", self.failed, self.last_failure));
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
        let messages: Vec<Value> = self.settings.messages(texts).collect();
        let value = |(at, exchanged): (usize, &bool)| {
            let key = messages.get(at).map(|messages| self.settings.request(messages, &self.journal.settled).key);
            let answer = key.and_then(|key| self.journal.answers.get(&key));
            let share = answer.and_then(|answer| match is_soft {
                true => answer.soft.filter(|_| answer.verdict.is_some()),
                false => answer.verdict,
            });
            self.count += 1;
            let Some(share) = share else {
                let reason = match (key, answer) {
                    (None, _) => "nothing but blanks to judge",
                    (_, None) => "not answered",
                    (_, Some(answer)) => answer.missing.as_deref().unwrap_or("no probabilities"),
                };
                *self.missing.entry(reason.to_owned()).or_default() += 1;
                return None;
            };
            let share = if *exchanged { 1.0 - share } else { share };
            Some(if choices.is_of_pairs() && !is_soft { 2.0 * share - 1.0 } else { share })
        };
        self.settings.orders().iter().enumerate().map(value).collect()
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
