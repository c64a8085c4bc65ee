//! How judgments are read, where a command reads them: options of their formats.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use tribunal::files::Input;
use tribunal::formats::{Format, READING, Reading};
use tribunal::options::Options;

use super::flags;

/// What the user says of the judgments.
#[derive(Debug, Default)]
pub struct ReadingOptions(Options);

impl ReadingOptions {
    /// How some files are read, beside which answers may stand.
    pub fn reading(
        &self,
        format: Option<&'static Format>,
        pairs: &[Input],
        has_answers: bool,
    ) -> tribunal::Result<Reading> {
        let reading = Reading { format, options: self.0.clone(), ..Reading::default() };
        reading.check_used(pairs, has_answers)?;
        Ok(reading)
    }
}

impl Args for ReadingOptions {
    fn augment_args(command: Command) -> Command {
        command.args(READING.iter().copied().map(flags::flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReadingOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = flags::given(matches, READING.iter().copied()).map(Self);
        given.map_err(|error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, error))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
