//! `tribunal` without a command: what can be done.

use anyhow::Result;

use super::notes::print;

/// Ten lines, each of which fits into 80 columns.
const OVERVIEW: &str = "\
Tribunal says which of two translations or summaries people would prefer.

  tribunal demo                             try everything on a small sample
  tribunal predict PAIRS                    which hypothesis do people prefer?
  tribunal explain PAIRS --line N           and why?
  tribunal score SYSTEM... -r REFERENCE     BLEU, chrF, METEOR, ... of systems
  tribunal train PAIRS -a ANSWERS -m MODEL  learn from your own judgments
  tribunal compare PAIRS -a ANSWERS         which metric agrees with people?

'tribunal --help' lists all commands, 'tribunal COMMAND --help' has examples.
";

/// Prints it.
pub fn show() -> Result<()> {
    print(OVERVIEW)
}
