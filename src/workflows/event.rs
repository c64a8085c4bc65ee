//! In: what happens in a workflow. Out: events for its caller while it runs. Next: the caller.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An event that a caller may want to show. The library itself prints nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Part of the work is done.
    Progress {
        /// The current step, such as "computing features".
        step: &'static str,
        /// How much of the step is done.
        done: usize,
        /// The total; the step is over when `done` reaches it.
        of: usize,
    },
    /// A message for the user.
    Note(String),
}

/// Receives events, from any thread.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

/// Forwards events, and remembers the notes among them.
pub(super) struct RecordingListener<'a> {
    listener: Listener<'a>,
    notes: Mutex<Vec<String>>,
}

impl<'a> RecordingListener<'a> {
    pub fn new(listener: Listener<'a>) -> Self {
        Self { listener, notes: Mutex::default() }
    }

    pub fn hear(&self, event: Event) {
        if let (Event::Note(note), Ok(mut notes)) = (&event, self.notes.lock()) {
            notes.push(note.clone());
        }
        (self.listener)(event);
    }

    /// The notes so far, in order.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().map(|notes| notes.clone()).unwrap_or_default()
    }
}

/// A listener that ignores all events.
pub fn silent(_: Event) {}

/// Counts the finished parts of a step, from any thread, and reports about a hundred times in all.
pub(super) fn counter<'a>(listener: Listener<'a>, step: &'static str, of: usize) -> impl Fn() + Sync + 'a {
    let (tell, count) = (progress(listener, step, of), AtomicUsize::new(0));
    move || {
        let done = count.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of((of / 100).max(1)) || done == of {
            tell(done);
        }
    }
}

/// Reports the progress of a step, beginning with 0.
pub(super) fn progress<'a>(listener: Listener<'a>, step: &'static str, of: usize) -> impl Fn(usize) + Sync + 'a {
    let tell = move |done| listener(Event::Progress { step, done, of });
    tell(0);
    tell
}
