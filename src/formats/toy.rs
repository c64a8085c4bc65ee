//! A format that only shows how a format is added: this file, and one line in [`super::registry`]. Its lines are
//! `better > worse = reference`. Only with the cargo feature `toy`. Next: [`super::pairing`].

use super::account::Account;
use super::format::{Format, Role};
use super::importer::{Hypothesis, Importer, Segment, Segments};
use super::pairing::Pairs;
use super::preference::Preference;
use crate::error::{Error, Result};
use crate::files::Input;
use crate::files::input::Lines;
use crate::options::{OptionSpec, Options};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "toy",
    about: "Preferences, one per line: `better > worse = reference`",
    details: "",
    sample: "a cat sat > cats sat = the cat sat\ndogs > a dog = a dog ran\n",
    example: "--worse-first",
    endings: &["toy"],
    table: None,
    role: Role::Judgments,
    options: &[&WORSE_FIRST],
    open,
    scores: None,
};

const WORSE_FIRST: OptionSpec = OptionSpec::switch("worse-first", "The worse one stands first");

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let scores = if options.is_given(&WORSE_FIRST) { [0.0, 1.0] } else { [1.0, 0.0] };
    let toys = Toys { place: input.to_string(), lines: input.lines()?, scores };
    Ok(Box::new(Pairs::of(toys, Preference::default())))
}

struct Toys {
    place: String,
    lines: Lines,
    scores: [f64; 2],
}

impl Segments for Toys {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        let Some(line) = self.lines.next().transpose()? else { return Ok(None) };
        let parts =
            line.text.split_once(" = ").and_then(|(pair, reference)| Some((pair.split_once(" > ")?, reference)));
        let Some(((first, second), reference)) = parts else {
            let place = format!("{}:{}", self.place, line.number);
            let advice = "write each preference as 'better > worse = reference'";
            return Err(Error::invalid(place, "texts separated by ' > ' and ' = '", "none", advice));
        };
        account.rows_read += 1;
        let hypothesis = |(name, text, score): (&str, &str, f64)| Hypothesis {
            name: name.into(),
            text: text.into(),
            score,
            judges: Vec::new(),
        };
        let hypotheses = [("1", first, self.scores[0]), ("2", second, self.scores[1])].map(hypothesis).to_vec();
        let references = vec![reference.to_owned()];
        Ok(Some(Segment { id: line.number.to_string(), references, hypotheses, line: line.number }))
    }
}
