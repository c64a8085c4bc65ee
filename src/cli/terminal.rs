//! Which terminal the program writes to, if any.

use std::env;
use std::io::{IsTerminal, stderr, stdout};

use terminal_size::{Width, terminal_size_of};
use tribunal::report::Terminal;
use tribunal::report::terminal::Paint;

/// How wide a table may be: on a terminal the variable `COLUMNS`, or what the terminal says; anywhere else, or where
/// neither says, as wide as it is.
fn terminal_width() -> Option<usize> {
    let said = |columns: String| columns.parse().ok().filter(|&columns| columns > 0);
    let asked = || terminal_size_of(stdout()).map(|(Width(columns), _)| usize::from(columns));
    stdout().is_terminal().then(|| env::var("COLUMNS").ok().and_then(said).or_else(asked)).flatten()
}

/// What text on standard output is written for.
pub fn terminal() -> Terminal {
    Terminal { width: terminal_width(), paint: paint() }
}

/// Whether standard output takes colours: a terminal does, unless `NO_COLOR` is set; what is no terminal does where
/// `CLICOLOR_FORCE` asks for it.
pub fn paint() -> Paint {
    chosen(anstream::AutoStream::choice(&stdout()))
}

/// The same of standard error.
pub fn paint_of_notes() -> Paint {
    chosen(anstream::AutoStream::choice(&stderr()))
}

fn chosen(choice: anstream::ColorChoice) -> Paint {
    if choice == anstream::ColorChoice::Never { Paint::Plain } else { Paint::Colour }
}
