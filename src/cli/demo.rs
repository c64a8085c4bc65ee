//! `tribunal demo`: the sample from end to end, by the commands that a user would type.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, Parser};
use tribunal::files::write_folder;
use tribunal::workflows::sample;

use super::Cli;
use super::options::Common;
use super::terminal::print;

/// Answer three questions on a sample: which metric, which system, how good an ensemble
///
/// Writes a small synthetic sample into a folder and runs the main commands on it. Each is shown as you would type it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal demo")]
pub struct Demo {
    /// The folder for the sample and all output
    #[arg(value_name = "DIR", default_value = "demo")]
    folder: PathBuf,
}

/// What is shown before a command, and its arguments; `DIR` is the folder. The first three answer the questions that
/// people come with.
const STEPS: [(&str, &str); 5] = [
    (
        "Which metric should I trust on my data? 771 labelled pairs, metrics, and the built-in model `ensemble`.",
        "compare DIR/dev.pairs --answers DIR/dev.answers --brief",
    ),
    (
        "Which of my systems is better, and how sure is that? 165 labels, and a model cross-fitted on them for the rest.",
        "rank DIR/arena.csv --by both --html DIR/rank.html",
    ),
    (
        "How well do my labels teach an ensemble? No pair is judged by a model that saw its reference.",
        "train DIR/dev.pairs --answers DIR/dev.answers -m DIR/dev.json --report DIR/report --brief",
    ),
    (
        "Judge new pairs: 1, the first hypothesis is better; -1, the second; 0, a tie.",
        "predict DIR/new.pairs -m DIR/dev.json",
    ),
    ("Why the first of these verdicts?", "explain DIR/new.pairs --line 1 -m DIR/dev.json"),
];

const NEXT: &str = "\
The sample is synthetic: it shows how Tribunal works, not how well it judges.

What next?
  Open DIR/report/report.html in a browser: the whole report.
  Use your own data: as DIR/dev.pairs (hyp1 ||| hyp2 ||| ref) and DIR/dev.answers (1, 0 or -1), or as a table.
  Read judgments in other formats: 'tribunal import --help'. Add metrics such as COMET: 'tribunal train --help'.
";

impl Demo {
    pub fn run(self, common: &Common) -> Result<()> {
        self.write_sample()?;
        for (title, arguments) in STEPS {
            let words = arguments.split(' ').map(|word| match word.strip_prefix("DIR/") {
                Some(name) => self.folder().join(name).into_os_string(),
                None => word.into(),
            });
            let words: Vec<OsString> = std::iter::once("tribunal".into()).chain(words).collect();
            print(&format!("# {title}\n$ {}\n", shown(&words)))?;
            let mut step = Cli::try_parse_from(&words)?;
            (step.common.quiet, step.common.seed) = (true, common.seed);
            step.common.arguments.clone_from(&common.arguments);
            step.run()?;
            print("\n")?;
        }
        print(&self.in_folder(NEXT))
    }

    /// Writes the sample, unless other files would be lost.
    fn write_sample(&self) -> Result<()> {
        let files = sample::files();
        for (name, bytes) in &files {
            let path = self.folder.join(name);
            if path.exists() && fs::read(&path).ok().as_ref() != Some(bytes) {
                let path = path.display();
                bail!("{path}: expected no file, or the sample's, found another; name a new folder: tribunal demo DIR");
            }
        }
        Ok(write_folder(&self.folder, &files)?)
    }

    fn folder(&self) -> &Path {
        if self.folder == Path::new("") { Path::new(".") } else { &self.folder }
    }

    /// A text with the name of the folder in place of `DIR/`.
    fn in_folder(&self, text: &str) -> String {
        text.replace("DIR/", &self.folder().join("").to_string_lossy())
    }
}

/// A command line as a shell takes it.
fn shown(words: &[OsString]) -> String {
    let quoted =
        |word: Cow<'_, str>| if word.contains(char::is_whitespace) { format!("'{word}'") } else { word.into() };
    words.iter().map(|word| quoted(word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}
