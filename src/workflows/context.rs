//! What every workflow is given: the lexical resources, where progress and notes go, and the pairs of a file in bounded
//! batches, so that memory does not grow with their number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::comet::Comet;
use crate::encoder::Encoder;
use crate::error::Result;
use crate::judgments::Pair;
use crate::text::Lexicons;
use crate::text::Models;
use crate::wordnet::WordNet;

/// The lexical resources of all workflows: a WordNet, and a cache of words looked up in it. Cheap to clone and usable
/// from several threads: clones share both.
///
/// ```
/// use tribunal::workflows::Engine;
///
/// let engine = Engine::new();
/// assert_eq!(engine.wordnet().version(), "3.0");
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    lexicons: Lexicons,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// An engine with the built-in WordNet.
    pub fn new() -> Self {
        Self { lexicons: Lexicons::new(WordNet::embedded()) }
    }

    /// The same with models that read texts, whose metrics become features.
    pub fn with_models(self, models: Models) -> Self {
        Self { lexicons: self.lexicons.with_models(models) }
    }

    /// The models that read texts.
    pub fn models(&self) -> &Models {
        self.lexicons.models()
    }

    /// The encoder, if there is one.
    pub fn encoder(&self) -> Option<&Encoder> {
        self.models().encoder.as_ref()
    }

    /// What the user should know of texts that models have read since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        let Models { encoder, comet } = self.models();
        encoder.iter().chain(comet.iter().map(Comet::encoder)).flat_map(Encoder::take_warnings).collect()
    }

    /// The WordNet.
    pub fn wordnet(&self) -> &WordNet {
        self.lexicons.wordnet()
    }

    /// The shared lexicons, for metric sets and extractors.
    pub fn lexicons(&self) -> &Lexicons {
        &self.lexicons
    }
}

/// An event that a caller may want to show. The library itself prints nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Part of the work is done.
    Progress {
        /// The current step, such as "computing features".
        step: &'static str,
        /// How much of the step is done.
        done: usize,
        /// The total, if it is known, which it is not of a file that is still being read; the step is over when `done`
        /// reaches it.
        of: Option<usize>,
    },
    /// A message for the user, who may not want any.
    Note(String),
    /// A reason not to trust a result, which every user must be told.
    Warning(String),
}

/// Receives events, from any thread.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

/// The first argument of every workflow: an engine, and a listener for progress and notes.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    engine: &'a Engine,
    listener: Listener<'a>,
}

impl<'a> Context<'a> {
    /// A context in which events are ignored.
    pub fn new(engine: &'a Engine) -> Self {
        Self { engine, listener: &|_| () }
    }

    /// The same with a listener.
    pub fn with_listener(self, listener: Listener<'a>) -> Self {
        Self { listener, ..self }
    }

    /// The engine.
    pub fn engine(self) -> &'a Engine {
        self.engine
    }

    /// Notifies the listener of an event.
    pub(super) fn emit(self, event: Event) {
        (self.listener)(event);
    }

    /// Emits a note for the user.
    pub(super) fn note(self, text: impl Into<String>) {
        self.emit(Event::Note(text.into()));
    }

    /// Emits a warning.
    pub(super) fn warn(self, text: impl Into<String>) {
        self.emit(Event::Warning(text.into()));
    }

    /// Reports the progress of a step, beginning with 0.
    pub(super) fn progress(self, step: &'static str, of: usize) -> impl Fn(usize) + Sync + 'a {
        let report = move |done| self.emit(Event::Progress { step, done, of: Some(of) });
        report(0);
        report
    }

    /// Counts the finished parts of a step, from any thread, and reports about a hundred times in all.
    pub(super) fn counter(self, step: &'static str, of: usize) -> impl Fn() + Sync + 'a {
        let (report, count) = (self.progress(step, of), AtomicUsize::new(0));
        move || {
            let done = count.fetch_add(1, Ordering::Relaxed) + 1;
            if is_due(done, of) {
                report(done);
            }
        }
    }

    /// Reports the number of distinct segments scored, about a hundred times in all.
    pub(super) fn feature_progress(self) -> impl Fn(usize, usize) + Sync + 'a {
        move |done, of| {
            if is_due(done, of) {
                self.emit(Event::Progress { step: "computing features", done, of: Some(of) });
            }
        }
    }
}

/// Whether to report progress, about a hundred times in all.
fn is_due(done: usize, of: usize) -> bool {
    done.is_multiple_of((of / 100).max(1)) || done == of
}

/// A listener that forwards events to that of a context, and keeps the notes and warnings among them, in order.
pub(super) fn recording<'a>(context: Context<'a>, notes: &'a Mutex<Vec<String>>) -> impl Fn(Event) + Sync + use<'a> {
    move |event| {
        let note = match &event {
            Event::Note(text) => Some(text.clone()),
            Event::Warning(text) => Some(format!("warning: {text}")),
            Event::Progress { .. } => None,
        };
        if let (Some(note), Ok(mut notes)) = (note, notes.lock()) {
            notes.push(note);
        }
        context.emit(event);
    }
}

/// The most pairs in a batch.
pub(super) const MAX_PAIRS: usize = 16_384;

/// Bytes of distinct texts after which a batch is full. Prepared for all metrics, a text takes some hundred times its
/// size, but a repeated one is prepared only once.
const MAX_BYTES: usize = 1 << 20;

/// The fixed cost of each text, as an equivalent number of bytes.
const BYTES_PER_TEXT: usize = 64;

/// A step that goes through the pairs of a file.
#[derive(Clone, Copy)]
pub(super) struct PairStep<'a> {
    pub context: Context<'a>,
    /// Its name in progress events.
    pub name: &'static str,
    /// Whether the result of each pair is written before the next one is read. Such a step reports no progress.
    pub is_unbuffered: bool,
}

impl PairStep<'_> {
    /// Processes pairs batch by batch, and writes each result, in order. The next batch is read while one is processed;
    /// a result is written once that is known to be valid. `process` gets a function that reports its progress.
    ///
    /// # Errors
    /// Those of the pairs, of `process` and of `write`.
    pub fn run<T: Send>(
        self,
        mut pairs: impl Iterator<Item = Result<Pair>> + Send,
        mut process: impl FnMut(Vec<Pair>, &(dyn Fn(usize, usize) + Sync)) -> Result<T> + Send,
        mut write: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let most = if self.is_unbuffered { 1 } else { MAX_PAIRS };
        let (mut batch, mut done) = (read_batch(&mut pairs, most)?, 0);
        while !batch.is_empty() {
            let count = batch.len();
            let progress = self.progress(done, count);
            if self.is_unbuffered {
                write(process(batch, &progress)?)?;
                batch = read_batch(&mut pairs, most)?;
            } else {
                let (result, next) = rayon::join(|| process(batch, &progress), || read_batch(&mut pairs, most));
                let result = result?;
                batch = next?;
                write(result)?;
            }
            done += count;
        }
        Ok(())
    }

    /// Reports progress within a batch, from the share of its segments that are scored.
    fn progress(self, before: usize, pairs: usize) -> impl Fn(usize, usize) + Sync {
        move |done, segments| {
            if !self.is_unbuffered && is_due(done, segments) {
                let done = before + pairs * done / segments.max(1);
                self.context.emit(Event::Progress { step: self.name, done, of: None });
            }
        }
    }
}

/// The next pairs, at most `most`; none at the end.
fn read_batch(pairs: &mut impl Iterator<Item = Result<Pair>>, most: usize) -> Result<Vec<Pair>> {
    let (mut batch, mut seen, mut bytes) = (Vec::new(), FxHashSet::default(), 0);
    while batch.len() < most && bytes < MAX_BYTES {
        let Some(pair) = pairs.next().transpose()? else { break };
        for text in pair.hypotheses.iter().chain(&pair.references) {
            bytes += if seen.insert(xxh3_64(text.as_bytes())) { text.len() + BYTES_PER_TEXT } else { 0 };
        }
        batch.push(pair);
    }
    Ok(batch)
}
