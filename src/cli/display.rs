//! What workflows tell while they run: notes on standard error, and progress.

use tribunal::workflows::Event;

use super::notes::say;
use super::progress;

/// Shows events to the user.
pub struct Display {
    is_quiet: bool,
}

impl Display {
    /// Shows nothing if the user wants it quiet.
    pub fn new(is_quiet: bool) -> Self {
        Self { is_quiet }
    }

    /// Shows an event.
    pub fn show(&self, event: Event) {
        match event {
            _ if self.is_quiet => {}
            Event::Note(text) => say(text),
            Event::Progress { step, done, of } => progress::show(step, done, of),
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        progress::clear();
    }
}
