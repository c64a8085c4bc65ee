//! METEOR's settings: parameters and weights by task, and the user's options.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::{Module, Normalization, ParaphraseTable};
use crate::error::{Error, Result};
use crate::metrics::entry::value;
use crate::options::{OptionSpec, Options, any_text};

/// The settings of [`Meteor`](super::Meteor).
#[derive(Debug, Clone)]
pub struct MeteorSettings {
    /// The parameters of the score.
    pub parameters: Parameters,
    /// The modules that find matches, in order.
    pub modules: Vec<Module>,
    /// The weight of a match of each module, from 0 to 1.
    pub weights: Vec<f64>,
    /// How the text is normalised before it is split at white space.
    pub normalization: Normalization,
    /// The number of paths that the search for the alignment follows (`-x`).
    pub beam: usize,
    /// Whether characters are counted instead of words for precision and recall (`-ch`).
    pub characters: bool,
    /// The table of the paraphrase module; `None` for the embedded table of [short phrases](ParaphraseTable::embedded).
    pub paraphrases: Option<Arc<ParaphraseTable>>,
}

impl Default for MeteorSettings {
    fn default() -> Self {
        Self::of_task(Task::default(), &[Module::Exact, Module::Stem, Module::Synonym])
    }
}

impl MeteorSettings {
    /// The parameters and module weights of a task, with defaults for everything else.
    pub fn of_task(task: Task, modules: &[Module]) -> Self {
        Self {
            parameters: task.parameters(),
            modules: modules.to_vec(),
            weights: task.weights().into_iter().take(modules.len()).collect(),
            normalization: Normalization::Words,
            beam: 40,
            characters: false,
            paraphrases: None,
        }
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// A parameter out of range; no modules, a module given twice, or a number of weights that differs from that of
    /// modules; a beam of 0.
    pub fn check(&self) -> Result<()> {
        let Parameters { alpha, beta, gamma, delta } = self.parameters;
        let parameters =
            [("alpha", alpha, 1.0), ("beta", beta, f64::MAX), ("gamma", gamma, 1.0), ("delta", delta, 1.0)];
        for (name, value, highest) in parameters.into_iter().chain(self.weights.iter().map(|&w| ("weights", w, 1.0))) {
            if !(0.0..=highest).contains(&value) {
                let to = if highest == f64::MAX { String::new() } else { format!(" to {highest}") };
                return Err(wrong(name, &format!("a number from 0{to}"), value, "omit it for the task's value"));
            }
        }
        let distinct = self.modules.iter().enumerate().all(|(at, module)| !self.modules[..at].contains(module));
        if self.modules.is_empty() || !distinct {
            return Err(wrong("modules", "one or more different modules", self.modules.len(), "name each once"));
        }
        if self.modules.len() != self.weights.len() {
            return Err(wrong("weights", "one weight per module", self.weights.len(), "use the weights of a task"));
        }
        if self.beam == 0 {
            return Err(wrong("beam", "at least one path", 0, "METEOR follows 40"));
        }
        Ok(())
    }
}

fn wrong(setting: &str, wanted: &str, found: impl ToString, advice: &str) -> Error {
    Error::invalid(format!("meteor.{setting}"), wanted, found.to_string(), advice)
}

/// The parameters of the score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// The weight of recall in Fmean, from 0 to 1; precision has 1 - alpha.
    pub alpha: f64,
    /// The exponent of fragmentation, at least 0.
    pub beta: f64,
    /// The penalty at full fragmentation, from 0 to 1.
    pub gamma: f64,
    /// The weight of content words, from 0 to 1; function words have 1 - delta.
    pub delta: f64,
}

impl fmt::Display for Parameters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { alpha, beta, gamma, delta } = self;
        write!(formatter, "{alpha} {beta} {gamma} {delta}")
    }
}

/// A task that METEOR 1.5 was tuned for, in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Task {
    /// Rankings of WMT 2009 to 2012: METEOR's default.
    #[default]
    Rank,
    /// Adequacy scores of NIST Open MT 2009.
    Adequacy,
    /// HTER of GALE P2.
    Hter,
    /// No language in particular.
    LanguageIndependent,
    /// The objective for tuning a translation system.
    Tune,
    /// The utility of a translation for post-editing. METEOR's documentation says that this task counts characters
    /// instead of words, but its program does so only with `-ch`; here, too, it is a separate setting,
    /// [`characters`](MeteorSettings::characters).
    Utility,
    /// Languages with no resources other than a paraphrase table and a list of function words.
    Universal,
}

impl Task {
    /// All tasks.
    pub const ALL: [Self; 7] =
        [Self::Rank, Self::Adequacy, Self::Hter, Self::LanguageIndependent, Self::Tune, Self::Utility, Self::Universal];

    /// The name on METEOR's command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Adequacy => "adq",
            Self::Hter => "hter",
            Self::LanguageIndependent => "li",
            Self::Tune => "tune",
            Self::Utility => "util",
            Self::Universal => "universal",
        }
    }

    /// The task with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.name() == name)
    }

    /// The parameters of the score.
    pub fn parameters(self) -> Parameters {
        let [alpha, beta, gamma, delta] = match self {
            Self::Rank => [0.85, 0.20, 0.60, 0.75],
            Self::Adequacy => [0.75, 1.40, 0.45, 0.70],
            Self::Hter => [0.40, 1.50, 0.35, 0.55],
            Self::LanguageIndependent => [0.75, 1.40, 0.70, 0.50],
            Self::Tune => [0.50, 1.00, 0.50, 0.50],
            Self::Utility => [0.65, 0.10, 0.55, 0.65],
            Self::Universal => [0.70, 1.40, 0.30, 0.70],
        };
        Parameters { alpha, beta, gamma, delta }
    }

    /// The weights of the chosen modules, by position. METEOR assigns weights by position and not by name, so that with
    /// `-m "exact paraphrase"` paraphrases have the weight of stems.
    pub fn weights(self) -> [f64; 4] {
        match self {
            Self::Rank => [1.0, 0.6, 0.8, 0.6],
            Self::Adequacy => [1.0, 1.0, 0.6, 0.8],
            Self::Hter => [1.0, 0.2, 0.6, 0.8],
            Self::LanguageIndependent | Self::Tune => [1.0, 0.5, 0.5, 0.5],
            Self::Utility => [1.0, 0.0, 0.0, 0.8],
            Self::Universal => [1.0, 0.6, 0.0, 0.0],
        }
    }
}

/// All options of METEOR.
pub const OPTIONS: &[&OptionSpec] = &[&TASK, &WEIGHTS, &PLAIN, &PARAPHRASES];

const TASK: OptionSpec = OptionSpec {
    name: "meteor-task",
    value: value("TASK", Some("rank"), |name| task(name).map(|_| ())),
    help: "the tuning (rank, adq, hter, li, tune, util or universal)",
};

const WEIGHTS: OptionSpec = OptionSpec {
    name: "meteor-weights",
    value: value("W,W,W", None, |list| weights(list).map(|_| ())),
    help: "weights of exact, stem, synonym[, paraphrase] [default: the task's]",
};

const PLAIN: OptionSpec = OptionSpec::switch("meteor-plain", "text is tokenised and lower-cased (no -norm)");

/// The option for a paraphrase table.
pub const PARAPHRASES: OptionSpec = OptionSpec {
    name: "paraphrases",
    value: value("FILE", None, any_text),
    help: "also match METEOR's paraphrase table",
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
/// The paraphrase table cannot be read, or an option has a wrong value.
pub(super) fn from_options(options: &Options) -> Result<MeteorSettings> {
    let unknown = |advice| Error::invalid("`meteor_task`", "one of METEOR's tasks", "another", advice);
    let task = task(options.text(&TASK).unwrap_or_default()).map_err(unknown)?;
    let table = options.text(&PARAPHRASES).map(|file| ParaphraseTable::read(Path::new(file))).transpose()?;
    let modules = if table.is_some() { &Module::ALL[..] } else { &Module::ALL[..3] };
    let mut settings = MeteorSettings { paraphrases: table.map(Arc::new), ..MeteorSettings::of_task(task, modules) };
    if let Some(list) = options.text(&WEIGHTS) {
        let wrong =
            |reason| Error::invalid("`meteor_weights`", "numbers separated by commas", reason, "such as 1,0.6,0.8");
        settings.weights = weights(list).map_err(wrong)?;
    }
    if options.is_given(&PLAIN) {
        settings.normalization = Normalization::None;
    }
    Ok(settings)
}
