//! METEOR's options. In: options by name. Out: checked settings, with the user's paraphrase table. Next:
//! [`super::Meteor`].

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Cached, CheckedMeteorSettings, MeteorSettings, Module, Normalization, ParaphraseTable, Task};
use crate::error::{Error, Result};
use crate::metrics::build::{Build, value};
use crate::options::{OptionSpec, any_text};

/// All options of METEOR.
pub const OPTIONS: &[&OptionSpec] = &[&TASK, &WEIGHTS, &PLAIN, &PARAPHRASES, &CACHE];

const TASK: OptionSpec = OptionSpec {
    name: "meteor-task",
    value: value("TASK", Some("rank"), |name| task(name).map(|_| ())),
    help: "the task whose tuned parameters and weights are used (rank, adq, hter, li, tune, util or universal)",
};

const WEIGHTS: OptionSpec = OptionSpec {
    name: "meteor-weights",
    value: value("W,W,W", None, |list| weights(list).map(|_| ())),
    help: "the weights of the modules (exact, stem, synonym[, paraphrase]) [default: the task's]",
};

const PLAIN: OptionSpec = OptionSpec::switch(
    "meteor-plain",
    "take the text as it is, already tokenised and lower-cased (METEOR without -norm)",
);

/// The option for a paraphrase table.
pub const PARAPHRASES: OptionSpec = OptionSpec {
    name: "paraphrases",
    value: value("FILE", None, any_text),
    help: "also match paraphrases from METEOR's table, such as paraphrase-en.gz",
};

const CACHE: OptionSpec = OptionSpec {
    name: "paraphrase-cache",
    value: value("DIR", None, any_text),
    help: "where --paraphrases keeps the table in a form that opens fast; safe to delete [default: tribunal in \
        $XDG_CACHE_HOME or ~/.cache]",
};

fn task(name: &str) -> std::result::Result<Task, String> {
    Task::of_name(name).ok_or_else(|| format!("the tasks are {}", Task::ALL.map(Task::name).join(", ")))
}

fn weights(list: &str) -> std::result::Result<Vec<f64>, String> {
    list.split(',').map(|weight| weight.trim().parse().map_err(|error| format!("'{weight}': {error}"))).collect()
}

/// METEOR's settings from the user's options.
///
/// # Errors
/// The paraphrase table cannot be read, or a cache is given without a table; any error of [`MeteorSettings::check`].
pub(super) fn settings(build: &mut Build<'_>) -> Result<CheckedMeteorSettings> {
    let options = build.options;
    let unknown = |advice| Error::invalid("--meteor-task", "one of METEOR's tasks", "another", advice);
    let task = task(options.text(&TASK).unwrap_or_default()).map_err(unknown)?;
    let paraphrases = paraphrases(build)?;
    let modules = if paraphrases.is_some() { &Module::ALL[..] } else { &Module::ALL[..3] };
    let mut settings = MeteorSettings { paraphrases, ..MeteorSettings::of_task(task, modules) };
    if let Some(list) = options.text(&WEIGHTS) {
        let wrong =
            |reason| Error::invalid("--meteor-weights", "numbers separated by commas", reason, "such as 1,0.6,0.8");
        settings.weights = weights(list).map_err(wrong)?;
    }
    if options.is_given(&PLAIN) {
        settings.normalization = Normalization::None;
    }
    settings.check()
}

/// The user's paraphrase table, from the cache if it is there.
fn paraphrases(build: &mut Build<'_>) -> Result<Option<Arc<ParaphraseTable>>> {
    let folder = build.options.text(&CACHE).map(PathBuf::from);
    let Some(path) = build.options.text(&PARAPHRASES).map(Path::new) else {
        return match folder {
            Some(_) => Err(Error::invalid(
                "--paraphrase-cache",
                "--paraphrases FILE",
                "none",
                "name the table, or omit --paraphrase-cache",
            )),
            None => Ok(None),
        };
    };
    let Some(folder) = folder.or_else(default_folder) else {
        return Ok(Some(Arc::new(ParaphraseTable::read(path)?)));
    };
    let Cached { table, not_kept } = ParaphraseTable::cached(path, &folder)?;
    if let Some(error) = not_kept {
        build.notes.push(format!("{error}; or name another folder with --paraphrase-cache"));
    }
    Ok(Some(Arc::new(table)))
}

/// The default folder for cached data. The XDG Base Directory Specification requires relative paths to be ignored.
fn default_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(".cache"));
    let caches = folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA")).or_else(home)?;
    Some(caches.join("tribunal"))
}
