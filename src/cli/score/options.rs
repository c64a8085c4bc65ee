//! What can be set of single metrics: the options of all that are registered.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use tribunal::files::Input;
use tribunal::metrics;
use tribunal::metrics::meteor::PARAPHRASES;
use tribunal::options::Options;

use crate::cli::flags;

/// Options of metrics; each is the reference implementation's default where it is not given.
#[derive(Debug)]
pub struct MetricOptions(pub Options);

impl MetricOptions {
    /// The files that they name.
    pub fn tables(&self) -> Option<Input> {
        self.0.text(&PARAPHRASES).map(|table| Input::File(table.into()))
    }
}

impl Args for MetricOptions {
    fn augment_args(command: Command) -> Command {
        let flags = metrics::options().into_iter().map(|(spec, names)| flags::shared_flag(spec, &names));
        command.next_help_heading("Settings of metrics").args(flags)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for MetricOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let specs = metrics::options().into_iter().map(|(spec, _)| spec);
        let given = flags::given(matches, specs).map(Self);
        given.map_err(|error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, error))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
