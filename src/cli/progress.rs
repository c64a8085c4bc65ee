//! Progress bars, on a terminal only and gone when done.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use tribunal::files::{self, BytesRead};

/// Steps that are over before have no bar, so that nothing flashes.
const DELAY: Duration = Duration::from_millis(500);

/// How often the remaining time is redrawn.
const TICK: Duration = Duration::from_millis(200);

/// Of things that are counted, such as folds.
const COUNTED: &str = "{msg:22!} {wide_bar} {human_pos}/{human_len}{rate}{left}";

/// Of bytes.
const BYTES: &str = "{msg:22!} {wide_bar} {bytes}/{total_bytes}{byte_rate}{left}";

/// The bar of the current step. There is one, as there is one terminal.
static CURRENT: Mutex<Option<Step>> = Mutex::new(None);

/// A step of a workflow, or a file that is read.
struct Step {
    name: String,
    bar: ProgressBar,
    /// Tells steps of one name apart.
    number: u64,
}

/// Shows the progress of a step.
pub fn show(step: &str, done: usize, of: usize) {
    move_bar(step, [done as u64, of as u64], COUNTED);
}

/// Clears the bar.
pub fn clear() {
    if let Some(step) = current().take() {
        step.bar.finish_and_clear();
    }
}

/// Shows how far large files are read.
pub fn watch_reading() {
    if stderr().is_terminal() {
        files::watch_reading(|BytesRead { name, read, of }| move_bar(&format!("reading {name}"), [read, of], BYTES));
    }
}

/// Writes to standard error without a bar in the way.
pub fn beside_bar(write: impl FnOnce()) {
    match current().as_ref() {
        Some(step) => step.bar.suspend(write),
        None => write(),
    }
}

fn current() -> MutexGuard<'static, Option<Step>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bar of the step, as far as that is done. A file that is read while another one is, such as answers beside pairs,
/// has none.
fn move_bar(name: &str, [done, of]: [u64; 2], template: &'static str) {
    if !stderr().is_terminal() {
        return;
    }
    let mut shown = current();
    let is_other = |step: &Step| step.name != name;
    if template == BYTES && shown.as_ref().is_some_and(is_other) {
        return;
    }
    if shown.as_ref().is_none_or(is_other) && done < of {
        begin(&mut shown, name, template);
    }
    let Some(step) = shown.as_ref().filter(|step| !is_other(step)) else { return };
    step.bar.set_length(of);
    // Threads report in no order; a step back would restart the estimates.
    if done > step.bar.position() {
        step.bar.set_position(done);
    }
    if done >= of {
        step.bar.finish_and_clear();
        *shown = None;
    }
}

/// Replaces the current step by a new one, whose bar is drawn after a delay if the step still runs.
fn begin(shown: &mut Option<Step>, name: &str, template: &'static str) {
    static STEPS: AtomicU64 = AtomicU64::new(0);
    let number = STEPS.fetch_add(1, Ordering::Relaxed);
    if let Some(step) = shown.take() {
        step.bar.finish_and_clear();
    }
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden()).with_message(name.to_owned());
    bar.set_style(style(template));
    *shown = Some(Step { name: name.to_owned(), bar, number });
    // Without a thread there is no bar.
    let _ = thread::Builder::new().name("progress".to_owned()).spawn(move || {
        thread::sleep(DELAY);
        if let Some(step) = current().as_ref().filter(|step| step.number == number) {
            step.bar.set_draw_target(ProgressDrawTarget::stderr());
            step.bar.enable_steady_tick(TICK);
        }
    });
}

/// The style of a bar. As long as there is no rate, it has the elapsed time instead.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", rate).with_key("byte_rate", byte_rate).with_key("left", left)
}

// What follows writes to a line in memory, which cannot fail.

fn rate(state: &ProgressState, line: &mut dyn Write) {
    let _ = match state.per_sec() {
        0.0 => Ok(()),
        rate if rate < 10.0 => write!(line, ", {rate:.1}/s"),
        rate => write!(line, ", {}/s", HumanCount(rate as u64)),
    };
}

fn byte_rate(state: &ProgressState, line: &mut dyn Write) {
    let _ = match state.per_sec() {
        0.0 => Ok(()),
        rate => write!(line, ", {}/s", HumanBytes(rate as u64)),
    };
}

fn left(state: &ProgressState, line: &mut dyn Write) {
    let _ = match state.per_sec() {
        0.0 => write!(line, ", {:#}", HumanDuration(state.elapsed())),
        _ => write!(line, ", {:#} left", HumanDuration(state.eta())),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::Arc;

    /// A terminal of 80 columns that keeps what is written.
    #[derive(Debug, Clone, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn line(template: &'static str, [done, of]: [u64; 2]) -> String {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let bar = ProgressBar::with_draw_target(Some(of), target).with_message("reading a-file-with-a-long-name");
        bar.set_style(style(template));
        bar.set_position(done);
        bar.force_draw();
        paper.0.lock().unwrap().trim_end().to_owned()
    }

    #[test]
    fn templates_are_valid_and_fit() {
        for template in [COUNTED, BYTES] {
            assert!(ProgressStyle::with_template(template).is_ok());
            for done in [0, 7, 1_000_000] {
                let line = line(template, [done, 2_000_000]);
                assert!(line.starts_with("reading a-file-with-a- ") && !line.contains('{'), "{line}");
                assert!(line.chars().count() <= 80 && line.lines().count() == 1, "{line}");
                assert_eq!(line.contains("left"), done > 0, "{line}");
                assert_eq!(line.contains("/s"), done > 0, "{line}");
            }
        }
    }
}
