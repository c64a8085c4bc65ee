//! Workflows beside the interpreter, which Ctrl-C interrupts at once.
//!
//! A workflow runs on its own thread, without the interpreter's lock, while the calling thread checks for signals.
//! Interrupted work is abandoned, and stops at its next progress event.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{process, thread};

use pyo3::exceptions::{PyRuntimeError, PyUserWarning};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tribunal::text::Models;
use tribunal::workflows::{Context, Engine, Event};

use crate::faults::raised;

/// How often the calling thread checks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// The stack size of the working thread in bytes, as large as that of a main thread.
const STACK: usize = 8 << 20;

/// The folder in which encoders keep hidden states.
static ENCODER_CACHE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Sets the folder in which encoders that are named from now on keep hidden states; `None` for none.
pub fn set_encoder_cache(folder: Option<PathBuf>) {
    *ENCODER_CACHE.lock().unwrap_or_else(PoisonError::into_inner) = folder;
}

/// The folders of the models that read texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Folders {
    /// That of an encoder.
    pub encoder: Option<PathBuf>,
    /// That of a model of COMET.
    pub comet: Option<CometFolder>,
}

/// The folder of a model of COMET, with that of its tokeniser if it is another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, FromPyObject, IntoPyObject)]
pub enum CometFolder {
    Alone(PathBuf),
    WithTokenizer(PathBuf, PathBuf),
}

/// The engine that all calls share, or that of the models in these folders, which are opened once.
pub fn engine(folders: &Folders) -> PyResult<Engine> {
    type WithCache = (Folders, Option<PathBuf>);
    static ENGINES: Mutex<BTreeMap<WithCache, Engine>> = Mutex::new(BTreeMap::new());
    let mut known = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    let cache = ENCODER_CACHE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let key = (folders.clone(), cache.filter(|_| *folders != Folders::default()));
    if let Some(engine) = known.get(&key) {
        return Ok(engine.clone());
    }
    let plain = known.entry(WithCache::default()).or_default().clone();
    let (comet, tokenizer) = match &folders.comet {
        None => (None, None),
        Some(CometFolder::Alone(folder)) => (Some(folder), None),
        Some(CometFolder::WithTokenizer(folder, tokenizer)) => (Some(folder), Some(tokenizer)),
    };
    let [comet, tokenizer] = [comet, tokenizer].map(|folder| folder.map(PathBuf::as_path));
    let models =
        Models::open(folders.encoder.as_deref(), comet, tokenizer, key.1.as_deref(), &|_| ()).map_err(raised)?;
    let engine = plain.with_models(models);
    known.insert(key, engine.clone());
    Ok(engine)
}

/// The thread pool of a process. A forked child has none of its parent's threads and needs its own pool.
struct Threads {
    process: u32,
    wanted: usize,
    pool: Arc<ThreadPool>,
}

static THREADS: Mutex<Option<Threads>> = Mutex::new(None);

/// The requested number of threads; 0 for one per core.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of threads for all later work; 0 for one per core.
pub fn set_threads(count: usize) {
    WANTED.store(count, Ordering::Relaxed);
}

fn threads() -> PyResult<Arc<ThreadPool>> {
    let (process, wanted) = (process::id(), WANTED.load(Ordering::Relaxed));
    let mut held = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(threads) = held.as_ref().filter(|held| held.process == process && held.wanted == wanted) {
        return Ok(Arc::clone(&threads.pool));
    }
    let failed = |error| PyRuntimeError::new_err(format!("cannot start threads: {error}; ask for fewer"));
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(wanted).build().map_err(failed)?);
    let before = held.replace(Threads { process, wanted, pool: Arc::clone(&pool) });
    // Dropping the parent's pool would signal threads that do not exist in this process.
    if let Some(before) = before.filter(|before| before.process != process) {
        std::mem::forget(before);
    }
    Ok(pool)
}

/// The payload of the unwinding that stops abandoned work.
struct Abandoned;

/// The result of a working thread, or its panic.
type Done<T> = Result<tribunal::Result<T>, Box<dyn Any + Send>>;

/// Runs work with an engine, without the interpreter's lock. Warnings of the library become Python warnings, other
/// notes go to the logger `tribunal`.
///
/// # Errors
/// Those of the work, and those that Python's signal handlers raise.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    engine: &Engine,
    work: impl FnOnce(Context<'_>) -> tribunal::Result<T> + Send + 'static,
) -> PyResult<T> {
    let pool = threads()?;
    let (is_abandoned, notes) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let (send, mut receive) = mpsc::sync_channel::<Done<T>>(1);
    let (abandoned, heard, used) = (Arc::clone(&is_abandoned), Arc::clone(&notes), engine.clone());
    let start = move || {
        let listener = |event: Event| {
            if abandoned.load(Ordering::Relaxed) {
                // Unlike a panic, this prints nothing.
                resume_unwind(Box::new(Abandoned));
            }
            if !matches!(event, Event::Progress { .. }) {
                heard.lock().unwrap_or_else(PoisonError::into_inner).push(event);
            }
        };
        let done =
            catch_unwind(AssertUnwindSafe(|| pool.install(|| work(Context::new(&used).with_listener(&listener)))));
        // An interrupted caller no longer receives.
        let _ = send.send(done);
    };
    let started = thread::Builder::new().name("tribunal".to_owned()).stack_size(STACK).spawn(start);
    started.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
    let done = loop {
        let receive = &mut receive;
        match py.detach(move || receive.recv_timeout(LOOK)) {
            Ok(done) => break done,
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| {
                is_abandoned.store(true, Ordering::Relaxed);
            })?,
            Err(RecvTimeoutError::Disconnected) => break Err(Box::new("the working thread has gone")),
        }
    };
    let result = done.map_err(|panic| broken(panic.as_ref()))?.map_err(raised)?;
    let notes = std::mem::take(&mut *notes.lock().unwrap_or_else(PoisonError::into_inner));
    let of_encoder = engine.take_warnings().into_iter().map(Event::Warning);
    notes.into_iter().chain(of_encoder).try_for_each(|note| tell(py, note))?;
    Ok(result)
}

/// The exception for a panic, which must not end the interpreter.
fn broken(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown");
    PyRuntimeError::new_err(format!("a fault of tribunal itself: {text}; report it"))
}

fn tell(py: Python<'_>, event: Event) -> PyResult<()> {
    match event {
        Event::Warning(text) => {
            let text = std::ffi::CString::new(text.replace('\0', " "))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
        }
        Event::Note(note) => {
            let logger = py.import("logging")?.call_method1("getLogger", ("tribunal",))?;
            logger.call_method1("info", ("%s", note)).map(drop)
        }
        Event::Progress { .. } => Ok(()),
    }
}
