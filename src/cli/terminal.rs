//! What the user is told, on standard error and on standard output, and what these take: widths and colours.

use std::env;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::LazyLock;

use anyhow::Result;
use clap::CommandFactory;
use terminal_size::{Width, terminal_size_of};
use tribunal::files::Output;
use tribunal::report::Terminal;
use tribunal::report::terminal::{Paint, RED, YELLOW};

use super::{Cli, progress};

/// Says something on standard error, without control characters. Where that cannot be written nobody would hear the
/// complaint, either: the work goes on.
pub fn say(text: impl Display) {
    let text = painted(&with_options(&tribunal::error::without_controls(&text.to_string())), paint_of_notes());
    progress::beside_bar(|| {
        let _ = writeln!(stderr().lock(), "{text}");
    });
}

/// How wide a table may be: on a terminal the variable `COLUMNS`, or what the terminal says; anywhere else, or where
/// neither says, as wide as it is.
fn terminal_width() -> Option<usize> {
    let said = |columns: String| columns.parse().ok().filter(|&columns| columns > 0);
    let asked = || terminal_size_of(stdout()).map(|(Width(columns), _)| usize::from(columns));
    stdout().is_terminal().then(|| env::var("COLUMNS").ok().and_then(said).or_else(asked)).flatten()
}

/// Whether standard output and standard error are both a terminal, so that what both say is read twice.
pub fn share_a_screen() -> bool {
    stdout().is_terminal() && stderr().is_terminal()
}

/// What text on standard output is written for.
pub fn terminal() -> Terminal {
    Terminal { width: terminal_width(), paint: paint() }
}

/// Whether standard output takes colours: a terminal does, unless `NO_COLOR` is set; what is no terminal does where
/// `CLICOLOR_FORCE` asks for it.
fn paint() -> Paint {
    chosen(anstream::AutoStream::choice(&stdout()))
}

/// The same of standard error.
fn paint_of_notes() -> Paint {
    chosen(anstream::AutoStream::choice(&stderr()))
}

fn chosen(choice: anstream::ColorChoice) -> Paint {
    if choice == anstream::ColorChoice::Never { Paint::Plain } else { Paint::Colour }
}

/// The names of all options, of every command.
static OPTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut names = Vec::new();
    collect(&Cli::command(), &mut names);
    names
});

fn collect(command: &clap::Command, names: &mut Vec<String>) {
    names.extend(command.get_arguments().filter_map(|option| option.get_long()).map(str::to_owned));
    command.get_subcommands().for_each(|inside| collect(inside, names));
}

/// A message of the library, which names settings by their arguments in backticks, such as `` `only_own` ``, with
/// the options that set them in their place: `--only-own`. Other text in backticks stays as it is.
pub fn with_options(message: &str) -> String {
    let (mut text, mut rest) = (String::new(), message);
    while let Some((before, after)) = rest.split_once('`') {
        text += before;
        let named = after.split_once('`').map(|(name, following)| (name.replace('_', "-"), following));
        rest = match named {
            Some((option, following)) if OPTIONS.contains(&option) => {
                text += &format!("--{option}");
                following
            }
            _ => {
                text.push('`');
                after
            }
        };
    }
    text + rest
}

/// Below so many columns lines of plain text end between words, so that no number is cut.
const NARROW: usize = 60;

/// Prints plain text on standard output, without control characters.
pub fn print(text: &str) -> Result<()> {
    let text = tribunal::error::without_controls(text);
    let wrapped =
        |width: usize| text.split('\n').map(|line| textwrap::fill(line, width)).collect::<Vec<_>>().join("\n");
    write(&painted(&terminal_width().filter(|&width| width < NARROW).map_or_else(|| text.clone(), wrapped), paint()))
}

/// Writes to standard output what has no control characters but those of its colours, or is data.
pub fn write(text: &str) -> Result<()> {
    let mut output = Output::stdout()?;
    output.write(text.as_bytes())?;
    Ok(output.finish()?)
}

/// What kind of message a line is: words at its beginning, or behind the name of a file.
const KINDS: [(&str, anstyle::Style); 2] = [("warning:", YELLOW.bold()), ("tribunal:", RED.bold())];

/// Lines with the kind of message in colour.
fn painted(text: &str, paint: Paint) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| painted_line(line, paint)).collect();
    lines.join("\n")
}

fn painted_line(line: &str, paint: Paint) -> String {
    for (kind, style) in KINDS {
        let begins = |at: &usize| *at == 0 || (kind == "warning:" && line[..*at].ends_with(": "));
        if let Some(at) = line.find(kind).filter(begins) {
            return format!("{}{}{}", &line[..at], paint.apply(style, kind), &line[at + kind.len()..]);
        }
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_message_is_painted_and_nothing_else() {
        let paint = |text: &str| painted(text, Paint::Colour);
        assert_eq!(paint("warning: x"), "\u{1b}[1m\u{1b}[33mwarning:\u{1b}[0m x");
        assert_eq!(paint("a note\ndev.csv: warning: x"), "a note\ndev.csv: \u{1b}[1m\u{1b}[33mwarning:\u{1b}[0m x");
        assert_eq!(paint("tribunal: x"), "\u{1b}[1m\u{1b}[31mtribunal:\u{1b}[0m x");
        for plain in ["", "a note", "found 'warning: x'", "see tribunal: x"] {
            assert_eq!(paint(plain), plain);
        }
        assert_eq!(painted("warning: x", Paint::Plain), "warning: x");
    }

    #[test]
    fn arguments_become_options_and_other_quotations_stay() {
        assert_eq!(with_options("`only_own`: use `own`=FILE"), "--only-own: use --own=FILE");
        for plain in ["", "none", "`no such`", "a ` b", "`predict --json` wrote it", "``x``"] {
            assert_eq!(with_options(plain), plain);
        }
    }
}
