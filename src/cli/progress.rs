//! Progress bars, on a terminal only and gone when done.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Steps that are over before have no bar, so that nothing flashes.
const DELAY: Duration = Duration::from_millis(500);

/// How often the remaining time is redrawn.
const TICK: Duration = Duration::from_millis(200);

/// Of a step whose length is known, such as that of folds.
const KNOWN: &str = "{msg:22!} {wide_bar} {human_pos}/{human_len}{rate}{left}";

/// Of a step whose length is not, as it reads a file.
const UNKNOWN: &str = "{msg:22!} {human_pos}{rate}, {elapsed}";

/// The bar of the current step. There is one, as there is one terminal.
static CURRENT: Mutex<Option<Step>> = Mutex::new(None);

/// A step of a workflow.
struct Step {
    name: &'static str,
    bar: ProgressBar,
    begun: Instant,
}

/// Shows how far a step is, if standard error is a terminal; `of` is its length, if that is known.
pub fn show(name: &'static str, done: usize, of: Option<usize>) {
    if !stderr().is_terminal() {
        return;
    }
    let mut current = current();
    let is_over = of.is_some_and(|of| done >= of);
    if is_over || current.as_ref().is_some_and(|step| step.name != name) {
        take(&mut current);
    }
    if is_over {
        return;
    }
    let step = current.get_or_insert_with(|| Step { name, bar: hidden(name, of), begun: Instant::now() });
    // Threads report in no order; a step back would restart the estimates.
    if done as u64 > step.bar.position() {
        step.bar.set_position(done as u64);
    }
    if step.bar.is_hidden() && step.begun.elapsed() >= DELAY {
        step.bar.set_draw_target(ProgressDrawTarget::stderr());
        step.bar.enable_steady_tick(TICK);
    }
}

/// Clears the bar.
pub fn clear() {
    take(&mut current());
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

fn take(current: &mut Option<Step>) {
    if let Some(step) = current.take() {
        step.bar.finish_and_clear();
    }
}

/// A bar that is not drawn yet.
fn hidden(name: &'static str, of: Option<usize>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(of.map(|of| of as u64), ProgressDrawTarget::hidden());
    bar.with_message(name).with_style(style(if of.is_some() { KNOWN } else { UNKNOWN }))
}

/// The style of a bar. As long as there is no rate, it has the elapsed time instead.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", rate).with_key("left", left)
}

// What follows writes to a line in memory, which cannot fail.

fn rate(state: &ProgressState, line: &mut dyn Write) {
    let _ = match state.per_sec() {
        0.0 => Ok(()),
        rate if rate < 10.0 => write!(line, ", {rate:.1}/s"),
        rate => write!(line, ", {}/s", HumanCount(rate as u64)),
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
        let bar = ProgressBar::with_draw_target(Some(of), target).with_message("a step with a long name");
        bar.set_style(style(template));
        bar.set_position(done);
        bar.force_draw();
        paper.0.lock().unwrap().trim_end().to_owned()
    }

    #[test]
    fn templates_are_valid_and_fit() {
        for template in [KNOWN, UNKNOWN] {
            assert!(ProgressStyle::with_template(template).is_ok());
            for done in [0, 7, 1_000_000] {
                let line = line(template, [done, 2_000_000]);
                assert!(line.starts_with("a step with a long nam ") && !line.contains('{'), "{line}");
                assert!(line.chars().count() <= 80 && line.lines().count() == 1, "{line}");
                assert_eq!(line.contains("left"), done > 0 && template == KNOWN, "{line}");
                assert_eq!(line.contains("/s"), done > 0, "{line}");
            }
        }
    }
}
