//! What a workflow tells its caller while it runs.

use std::sync::Mutex;

use crate::judgments::grouping::Groups;
use crate::judgments::{Judgment, SharedWords};

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

/// Tells where labels look reversed; `file` is where they come from, if there are several.
pub(super) fn warn_of_reversal(file: &str, judgments: &[Judgment], listener: Listener<'_>) {
    if let Some(warning) = SharedWords::of(judgments).warning() {
        listener(Event::Note(if file.is_empty() { warning } else { format!("{file}: {warning}") }));
    }
}

/// Tells where there is nothing to draw.
pub(super) fn warn_of_one_group(groups: &Groups, listener: Listener<'_>) {
    if groups.count == 1 {
        let note = "All pairs share one reference: intervals and tests say nothing, and the best metric is chosen with hindsight.";
        listener(Event::Note(note.to_owned()));
    }
}

/// Tells progress of one step, first of all that it begins.
pub(super) fn progress<'a>(listener: Listener<'a>, step: &'static str, of: usize) -> impl Fn(usize) + Sync + 'a {
    let tell = move |done| listener(Event::Progress { step, done, of });
    tell(0);
    tell
}
