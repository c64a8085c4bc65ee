//! The `.rank` files of METEOR 1.5's trainer. Five tab-separated fields: segment, languages and system of the preferred
//! hypothesis, languages and system of the other. The outputs are `LANGUAGES.SYSTEM.sgm`, the reference
//! `LANGUAGES.ref.sgm`. Next: [`super::pairing`].

use super::account::Account;
use super::format::{Format, Role};
use super::importer::{Hypothesis, Importer, Segment, Segments};
use super::merged::{MERGE, Merged};
use super::pairing::Pairs;
use super::preference::Preference;
use super::sources::{self, Places, Sources};
use crate::error::{Error, Result};
use crate::files::input::{Input, Line, Lines};
use crate::options::Options;

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "rank",
    about: "METEOR's .rank files: segment, languages and better system, languages and other system, with tabs",
    details: "The outputs are LANGUAGES.SYSTEM.sgm, the reference is LANGUAGES.ref.sgm. Each line is a pair, also \
        where people contradict each other; --merge makes one of all judgments of a pair.",
    sample: "1\tcs-en\tA\tcs-en\tB\n2\tcs-en\tB\tcs-en\tA\n",
    example: "--systems outputs --references references",
    endings: &["rank"],
    table: None,
    role: Role::Judgments,
    options: &[&sources::SYSTEMS, &sources::REFERENCES, &MERGE],
    open,
    scores: None,
};

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let preferences = Preferences::open(input, &Places::from_options(input, options))?;
    let pairs = Pairs::of(preferences, Preference::default());
    Ok(if options.is_given(&MERGE) { Box::new(Merged::of(pairs)) } else { Box::new(pairs) })
}

/// Reads one judgment at a time.
pub struct Preferences {
    place: String,
    lines: Lines,
    sources: Sources,
}

/// One line of the file.
struct Preferred {
    segment: String,
    /// Languages and system, the better one first.
    systems: [[String; 2]; 2],
}

impl Preferences {
    /// Opens a `.rank` file.
    ///
    /// # Errors
    /// The file or the folders cannot be read. While reading: a line without exactly five fields.
    pub fn open(input: &Input, places: &Places) -> Result<Self> {
        Ok(Self { place: input.to_string(), lines: input.lines()?, sources: Sources::open(places)? })
    }

    fn segment(&mut self, line: &Line) -> Result<std::result::Result<Segment, String>> {
        let Preferred { segment, systems } = parse(line, &self.place)?;
        let languages = systems[0][0].split_once('-').unwrap_or(("", systems[0][0].as_str()));
        let reference = match self.sources.reference([languages.0, languages.1], &segment)? {
            Ok(text) => text,
            Err(missing) => return Ok(Err(missing.reason())),
        };
        let mut hypotheses = Vec::new();
        for (system, score) in systems.iter().zip([1.0, 0.0]) {
            let [languages, name] = system;
            let (source, target) = languages.split_once('-').unwrap_or(("", languages));
            match self.sources.hypothesis(name, [source, target], &segment)? {
                Ok(text) => hypotheses.push(Hypothesis { name: name.clone(), text, score, judges: Vec::new() }),
                Err(missing) => return Ok(Err(missing.reason())),
            }
        }
        let id = format!("{}:{segment}", systems[0][0]);
        Ok(Ok(Segment { id, references: vec![reference], hypotheses, line: line.number }))
    }
}

fn parse(line: &Line, place: &str) -> Result<Preferred> {
    let fields: Vec<String> = line.text.split('\t').map(|field| field.trim().to_owned()).collect();
    let count = fields.len();
    let Ok([segment, languages, better, other_languages, other]) = <[String; 5]>::try_from(fields) else {
        return Err(Error::invalid(
            format!("{place}:{}", line.number),
            "5 fields with tabs between them",
            count.to_string(),
            "write each judgment as segment, languages, better system, languages, other system",
        ));
    };
    Ok(Preferred { segment, systems: [[languages, better], [other_languages, other]] })
}

impl Segments for Preferences {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        while let Some(line) = self.lines.next().transpose()? {
            account.rows_read += 1;
            match self.segment(&line)? {
                Ok(segment) => return Ok(Some(segment)),
                Err(reason) => account.drop_rows(1, &reason),
            }
        }
        Ok(None)
    }
}
