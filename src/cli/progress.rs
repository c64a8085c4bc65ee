//! What workflows tell while they run: notes on standard error, and progress bars, on a terminal only and gone when
//! done.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tribunal::workflows::Event;

use super::notes::say;

/// Shows events to the user.
pub struct Display {
    is_quiet: bool,
    bar: Mutex<Option<(&'static str, ProgressBar)>>,
}

impl Display {
    /// Shows nothing if the user wants it quiet.
    pub fn new(is_quiet: bool) -> Self {
        Self { is_quiet, bar: Mutex::default() }
    }

    /// Shows an event.
    pub fn show(&self, event: Event) {
        match event {
            _ if self.is_quiet => {}
            Event::Note(text) => say(text),
            Event::Progress { step, done, of } => self.move_bar(step, done, of),
        }
    }

    fn move_bar(&self, step: &'static str, done: usize, of: usize) {
        let Ok(mut shown) = self.bar.lock() else { return };
        if shown.as_ref().is_none_or(|(known, _)| *known != step) {
            *shown = Some((step, bar(step)));
        }
        let Some((_, bar)) = shown.as_ref() else { return };
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        if done >= of {
            bar.finish_and_clear();
            *shown = None;
        }
    }
}

fn bar(step: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:22} {bar:40} {pos}/{len}, {eta} left");
    let bar = ProgressBar::new(1).with_message(step);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // The time left runs down while a long part is being done.
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
