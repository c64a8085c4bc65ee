//! What a workflow tells its caller while it runs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Something that a caller may want to show. The library itself prints nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Part of the work is done.
    Progress {
        /// What is being done, such as "computing features".
        step: &'static str,
        /// How much of it.
        done: usize,
        /// Of how much; the step is over when as much is done.
        of: usize,
    },
    /// Something that the user should know.
    Note(String),
}

/// Hears what happens, from any thread.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

/// Hands on what it hears, and remembers notes.
pub(super) struct Remembering<'a> {
    listener: Listener<'a>,
    notes: Mutex<Vec<String>>,
}

impl<'a> Remembering<'a> {
    pub fn new(listener: Listener<'a>) -> Self {
        Self { listener, notes: Mutex::default() }
    }

    pub fn hear(&self, event: Event) {
        if let (Event::Note(note), Ok(mut notes)) = (&event, self.notes.lock()) {
            notes.push(note.clone());
        }
        (self.listener)(event);
    }

    /// The notes, in the order in which they came.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().map(|notes| notes.clone()).unwrap_or_default()
    }
}

/// Hears nothing.
pub fn silent(_: Event) {}

/// Counts what is done of one step, from any thread; tells a hundred times, which is enough for the eye.
pub(super) fn counter<'a>(listener: Listener<'a>, step: &'static str, of: usize) -> impl Fn() + Sync + 'a {
    let (tell, count) = (progress(listener, step, of), AtomicUsize::new(0));
    move || {
        let done = count.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of((of / 100).max(1)) || done == of {
            tell(done);
        }
    }
}

/// Tells progress of one step, first of all that it begins.
pub(super) fn progress<'a>(listener: Listener<'a>, step: &'static str, of: usize) -> impl Fn(usize) + Sync + 'a {
    let tell = move |done| listener(Event::Progress { step, done, of });
    tell(0);
    tell
}
