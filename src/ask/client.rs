//! The client of a server with OpenAI's chat completions: one request at a time from each thread, pauses that all share.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;
use ureq::http::Uri;

use crate::error::{Error, Result, quoted, truncated};

/// The most bytes of an answer.
const MAX_BODY: u64 = 4 << 20;

/// The first pause after a failure; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest pause, whatever a server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// How often a waiting thread looks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Where and how requests are sent.
#[derive(Clone)]
pub struct Server {
    /// The address, to which `/chat/completions` is added where it is missing.
    pub url: String,
    /// The key, if the server wants one.
    pub key: Option<String>,
    /// The most requests at a time.
    pub concurrency: usize,
    /// The time after which a request counts as failed.
    pub timeout: Duration,
    /// How often a failed request is sent again.
    pub retries: u32,
}

/// The key that a variable of the environment holds.
///
/// # Errors
/// It is not set, or holds what is no key.
pub fn key_of_environment(variable: &str) -> Result<String> {
    let key = std::env::var(variable).unwrap_or_default();
    if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(key);
    }
    let found = if key.is_empty() { "none" } else { "one with blanks or other than ASCII characters" };
    let place = format!("`key_env` {}", quoted(variable));
    Err(Error::invalid(place, "a key in the environment", found, format!("set it: export {variable}=...")))
}

/// Why a request has no answer.
pub(super) enum Failure {
    /// It will not have one, nor will others.
    Fatal(Error),
    /// The server refuses this request, with the reason that it gives.
    Refused(String),
    /// The server fails, time and again.
    Unavailable(String),
}

/// Why there is no answer yet.
struct Fault {
    reason: String,
    /// The pause that the server asks for.
    pause: Option<Duration>,
    /// Whether the server says so.
    is_of_server: bool,
}

pub(super) struct Client {
    agent: Agent,
    server: Server,
    url: String,
    /// When the next request may be sent.
    next: Mutex<Instant>,
    is_stopped: AtomicBool,
    /// Whether there was an answer: until then, what is no answer at all is not asked for again.
    has_answered: AtomicBool,
}

impl Client {
    /// # Errors
    /// The address is none, or the key would be readable on its way.
    pub fn new(server: &Server) -> Result<Self> {
        let wrong = |found: String| {
            let expected = "the address of a server with OpenAI's chat completions, such as http://127.0.0.1:8080/v1";
            Error::invalid("`url`", expected, found, "a key belongs into the environment: `key_env` NAME")
        };
        let uri: Uri = server.url.parse().map_err(|_| wrong(quoted(&server.url)))?;
        let (scheme, host) = (uri.scheme_str().unwrap_or_default(), uri.host().unwrap_or_default());
        if !["http", "https"].contains(&scheme) || host.is_empty() {
            return Err(wrong(quoted(&server.url)));
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(wrong("one with a user or a key".to_owned()));
        }
        let name = host.trim_start_matches('[').trim_end_matches(']');
        let is_here =
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        if server.key.is_some() && scheme == "http" && !is_here {
            let found = format!("http to {}", quoted(host));
            return Err(Error::invalid("`url`", "https, as a key is sent", found, "write https://, or omit `key_env`"));
        }
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(server.timeout))
            .max_idle_connections(server.concurrency)
            .max_idle_connections_per_host(server.concurrency)
            .user_agent(concat!("tribunal/", env!("CARGO_PKG_VERSION")));
        if is_here {
            config = config.proxy(None);
        }
        let url = server.url.trim_end_matches('/');
        let path = if url.ends_with("/chat/completions") { "" } else { "/chat/completions" };
        Ok(Self {
            agent: config.build().into(),
            server: server.clone(),
            url: format!("{url}{path}"),
            next: Mutex::new(Instant::now()),
            is_stopped: AtomicBool::new(false),
            has_answered: AtomicBool::new(false),
        })
    }

    /// Sends no further requests; those under way end.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The body of the answer to a request, which is sent again after failures that may pass.
    ///
    /// # Errors
    /// There is no answer.
    pub fn post(&self, body: &str) -> std::result::Result<Value, Failure> {
        let (mut pause, mut reason) = (PAUSE, "it was not asked".to_owned());
        for _ in 0..=self.server.retries {
            self.wait();
            if self.is_stopped.load(Ordering::Relaxed) {
                break;
            }
            match self.send(body)? {
                Ok(answer) => {
                    self.has_answered.store(true, Ordering::Relaxed);
                    return Ok(answer);
                }
                Err(Fault { reason, is_of_server: false, .. }) if !self.has_answered.load(Ordering::Relaxed) => {
                    return Err(Failure::Unavailable(reason));
                }
                Err(Fault { reason: failed, pause: asked_for, .. }) => {
                    reason = failed;
                    let until = Instant::now() + asked_for.unwrap_or(pause).min(LONGEST_PAUSE);
                    let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                    *next = until.max(*next);
                    pause *= 2;
                }
            }
        }
        Err(Failure::Unavailable(reason))
    }

    /// Waits until the next request may be sent.
    fn wait(&self) {
        while !self.is_stopped.load(Ordering::Relaxed) {
            let next = *self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let left = next.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(LOOK));
        }
    }

    /// One answer, or why there is none yet.
    fn send(&self, body: &str) -> std::result::Result<std::result::Result<Value, Fault>, Failure> {
        let broken = |reason: String| Ok(Err(Fault { reason, pause: None, is_of_server: false }));
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.server.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut response = match request.send(body) {
            Ok(response) => response,
            Err(error) => return broken(self.told(error)),
        };
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let pause = header("retry-after").and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
        let location = header("location");
        let read = response.body_mut().with_config().limit(MAX_BODY).read_to_vec();
        let read = read
            .map_err(|error| self.told(error))
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "an answer that is no UTF-8".to_owned()));
        let text = match read {
            Ok(text) => text,
            Err(reason) => return broken(reason),
        };
        let json: Option<Value> = serde_json::from_str(&text).ok();
        let reason = || {
            let error = json.as_ref().map(|json| &json["error"]);
            let message = error.and_then(|error| error["message"].as_str().or(error.as_str()));
            format!("status {status}, {}", quoted(&self.without_key(message.unwrap_or(&text))))
        };
        let fatal = |expected: &str, advice: &str| {
            Err(Failure::Fatal(Error::invalid(format!("`url` {}", self.url), expected, reason(), advice)))
        };
        match status {
            200..=299 => match json {
                Some(json) if json["choices"][0].is_object() => Ok(Ok(json)),
                Some(_) => broken(format!("an answer without the field choices: {}", quoted(&text))),
                None => broken(format!("an answer that is no JSON: {}", quoted(&text))),
            },
            300..=399 => {
                let to = location.map_or_else(String::new, |to| format!(" to {}", truncated(&to)));
                let found = format!("a redirect{to} (status {status})");
                let advice = "redirects are not followed: name the address of the server itself";
                Err(Failure::Fatal(Error::invalid(format!("`url` {}", self.url), "an answer", found, advice)))
            }
            400 | 413 | 422 => Err(Failure::Refused(reason())),
            403 if text.contains("logprobs") => Err(Failure::Refused(reason())),
            401 | 403 => fatal("a server that lets us in", "name the variable of its key with `key_env`"),
            404 => fatal("chat completions there, and the model", "check `url`, which often ends in /v1, and `model`"),
            408 | 429 | 500..=599 => Ok(Err(Fault { reason: reason(), pause, is_of_server: true })),
            _ => fatal("an answer", "check `url`"),
        }
    }

    /// A fault of the connection, without the key.
    fn told(&self, error: impl Display) -> String {
        self.without_key(&error.to_string())
    }

    fn without_key(&self, text: &str) -> String {
        self.server.key.as_ref().map_or_else(|| text.to_owned(), |key| text.replace(key, "[key]"))
    }
}
