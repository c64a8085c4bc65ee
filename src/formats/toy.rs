//! A format that only shows how a format is added: this file, and one line in [`super::registry`]. Its lines are
//! `better > worse = reference`. Only with the cargo feature `toy`.

use super::format::{Format, Reading, Role};
use super::import::{Importer, from_rows};
use super::scores::{Hypothesis, Preference, Segment, pairs_of_segments};
use crate::error::{Error, Result};
use crate::files::Input;
use crate::files::input::Line;
use crate::options::OptionSpec;

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

const WORSE_FIRST: OptionSpec = OptionSpec::switch("worse-first", "The worse hypothesis comes first");

fn open(input: &Input, reading: &Reading) -> Result<Importer> {
    let scores = if reading.options.is_given(&WORSE_FIRST) { [0.0, 1.0] } else { [1.0, 0.0] };
    let source_name = input.to_string();
    let segments = from_rows(input.lines()?, move |line, _| segment(line, scores, &source_name).map(Some));
    Ok(pairs_of_segments(input, Preference::default(), 1, segments))
}

fn segment(line: &Line, scores: [f64; 2], source_name: &str) -> Result<Segment> {
    let parts = line.text.split_once(" = ").and_then(|(pair, reference)| Some((pair.split_once(" > ")?, reference)));
    let Some(((first, second), reference)) = parts else {
        let location = format!("{source_name}:{}", line.number);
        let advice = "write each preference as 'better > worse = reference'";
        return Err(Error::invalid(location, "texts separated by ' > ' and ' = '", "none", advice));
    };
    let hypothesis = |(name, text, score): (&str, &str, f64)| Hypothesis {
        name: name.into(),
        text: text.into(),
        score: Some(score),
        annotators: Vec::new(),
    };
    Ok(Segment {
        id: line.number.to_string(),
        references: vec![reference.to_owned()],
        hypotheses: [("1", first, scores[0]), ("2", second, scores[1])].map(hypothesis).to_vec(),
        line: line.number,
    })
}
