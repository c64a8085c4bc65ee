//! Progress bars: on a terminal only, gone when done.

use indicatif::{ProgressBar, ProgressStyle};

use super::options::Common;

/// A bar that counts to `length`; hidden where the user wants none or stderr is no terminal.
pub fn bar(common: &Common, what: &'static str, length: usize) -> ProgressBar {
    if common.quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg:22} {bar:40} {pos}/{len}, {eta} left");
    ProgressBar::new(length as u64)
        .with_message(what)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Reports extraction on a bar.
pub fn segments(bar: &ProgressBar) -> impl Fn(usize, usize) + Sync + '_ {
    |done, all| {
        // Each report costs a lock; a hundred of them are enough for the eye.
        if done % (all / 100).max(1) == 0 || done == all {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    }
}
