//! The client of a server with OpenAI's chat completions: one request at a time from each thread, pauses that all share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;
use ureq::http::Uri;

use crate::error::{Error, quoted};

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
pub fn key_of_environment(variable: &str) -> Result<String, Error> {
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
    /// It may have one later.
    Passing {
        reason: String,
        /// The pause that the server asks for.
        pause: Option<Duration>,
        /// Whether a server of chat completions says so.
        is_of_server: bool,
    },
}

impl Failure {
    fn broken(reason: String) -> Self {
        Self::Passing { reason, pause: None, is_of_server: false }
    }
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
    pub fn new(server: &Server) -> Result<Self, Error> {
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
    pub fn post(&self, body: &str) -> Result<Value, Failure> {
        let mut pause = PAUSE;
        for retries in (0..=self.server.retries).rev() {
            self.wait();
            if self.is_stopped.load(Ordering::Relaxed) {
                break;
            }
            let failure = match self.send(body) {
                Ok(answer) => {
                    self.has_answered.store(true, Ordering::Relaxed);
                    return Ok(answer);
                }
                Err(failure) => failure,
            };
            let Failure::Passing { pause: asked_for, is_of_server, .. } = &failure else { return Err(failure) };
            let is_no_server = !is_of_server && !self.has_answered.load(Ordering::Relaxed);
            if retries == 0 || is_no_server {
                return Err(failure);
            }
            let until = Instant::now() + asked_for.unwrap_or(pause).min(LONGEST_PAUSE);
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            *next = until.max(*next);
            pause *= 2;
        }
        Err(Failure::broken("it was not asked".to_owned()))
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

    fn send(&self, body: &str) -> Result<Value, Failure> {
        let told = |error: ureq::Error| Failure::broken(self.without_key(&error.to_string()));
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.server.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut response = request.send(body).map_err(told)?;
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let pause = header("retry-after").and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
        let location = header("location").unwrap_or_default();
        let bytes = response.body_mut().with_config().limit(MAX_BODY).read_to_vec().map_err(told)?;
        let text = String::from_utf8(bytes).map_err(|_| Failure::broken("an answer that is no UTF-8".to_owned()))?;
        let json: Value = serde_json::from_str(&text).unwrap_or_default();
        let message = json["error"]["message"].as_str().or(json["error"].as_str()).unwrap_or(&text);
        let reason = format!("status {status}, {}", quoted(&self.without_key(message)));
        let fatal = |expected: &str, found: String, advice: &str| {
            Failure::Fatal(Error::invalid(format!("`url` {}", self.url), expected, found, advice))
        };
        Err(match status {
            200..=299 if json["choices"][0].is_object() => return Ok(json),
            200..=299 if json.is_null() => Failure::broken(format!("an answer that is no JSON: {}", quoted(&text))),
            200..=299 => Failure::broken(format!("an answer without the field choices: {}", quoted(&text))),
            300..=399 => {
                let found = format!("a redirect to {} (status {status})", quoted(&location));
                fatal("an answer", found, "redirects are not followed: name the address of the server itself")
            }
            400 | 413 | 422 => Failure::Refused(reason),
            403 if text.contains("logprobs") => Failure::Refused(reason),
            401 | 403 => fatal("a server that lets us in", reason, "name the variable of its key with `key_env`"),
            404 => {
                let advice = "check `url`, which often ends in /v1, and `model`";
                fatal("chat completions there, and the model", reason, advice)
            }
            408 | 429 | 500..=599 => Failure::Passing { reason, pause, is_of_server: true },
            _ => fatal("an answer", reason, "check `url`"),
        })
    }

    fn without_key(&self, text: &str) -> String {
        self.server.key.as_ref().map_or_else(|| text.to_owned(), |key| text.replace(key, "[key]"))
    }
}
