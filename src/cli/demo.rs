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

/// Try everything on a sample: train, predict, explain, rank, score
///
/// Writes a small synthetic sample into a folder and runs the main commands on it. Each is shown as you would type it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal demo")]
pub struct Demo {
    /// The folder for the sample and all output
    #[arg(value_name = "DIR", default_value = "demo")]
    folder: PathBuf,
}

/// What is shown before a command, and its arguments; `DIR` is the folder.
const STEPS: [(&str, &str); 5] = [
    (
        "Judge pairs with the built-in model: 1, the first hypothesis is better; -1, the second; 0, a tie.",
        "predict DIR/new.pairs",
    ),
    ("Why the first of these verdicts?", "explain DIR/new.pairs --line 1"),
    (
        "Train on 771 labelled pairs. Accuracy is cross-validated: no pair is judged by a model that saw its reference.",
        "train DIR/dev.pairs --answers DIR/dev.answers -m DIR/dev.json --report DIR/report --brief",
    ),
    (
        "Which of three systems is better? 165 labels, and a model that is cross-fitted on them for 165 pairs without.",
        "rank DIR/arena.csv --by both --html DIR/rank.html",
    ),
    (
        "Score two systems as a whole, with a paired bootstrap test.",
        "score DIR/system1.txt DIR/system2.txt -r DIR/reference.txt --metrics bleu,meteor,ensemble --paired-bs",
    ),
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
