//! `--require`: an exit status that tells whether a report shows what it must.

use std::fmt;

use anyhow::Result;
use clap::Args;
use tribunal::report::requirement::{Decision, Figures, Outcome, Requirement};

use super::options::Common;
use super::terminal::say;

/// What a report must show.
#[derive(Debug, Args)]
pub struct Gate {
    /// What must hold by the 95% interval, such as 'v2 >= v1 - 5': exit status 3 if it does not, 4 if it cannot be told yet
    #[arg(long, value_name = "WHAT", value_parser = str::parse::<Requirement>, hide_short_help = true)]
    require: Vec<Requirement>,
}

impl Gate {
    /// Whether figures are compared with each other.
    pub fn compares(&self) -> bool {
        self.require.iter().any(|required| required.other.is_some())
    }

    /// Whether anything is required.
    pub fn is_given(&self) -> bool {
        !self.require.is_empty()
    }

    /// What becomes of the requirements.
    ///
    /// # Errors
    /// The report has none of these names.
    pub fn decide(&self, report: &impl Figures) -> tribunal::Result<Vec<Decision>> {
        report.decide(&self.require)
    }
}

/// Says what became of requirements, after the report.
///
/// # Errors
/// One is not met, or cannot be told yet.
pub fn close(decisions: &[Decision], common: &Common) -> Result<()> {
    for Decision { outcome, why, .. } in decisions {
        if *outcome == Outcome::Met {
            common.note(why);
        } else {
            say(why);
        }
    }
    let has = |wanted: Outcome| decisions.iter().any(|decision| decision.outcome == wanted);
    match () {
        () if has(Outcome::Unmet) => Err(Closed { status: 3 }.into()),
        () if has(Outcome::Open) => Err(Closed { status: 4 }.into()),
        () => Ok(()),
    }
}

/// That requirements are not met, or cannot be told yet; it has been said.
#[derive(Debug, Clone, Copy)]
pub struct Closed {
    /// The exit status.
    pub status: u8,
}

impl fmt::Display for Closed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a requirement is not met, or cannot be told yet")
    }
}

impl std::error::Error for Closed {}
