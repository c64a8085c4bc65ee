//! `explain`: why a model gives a pair its verdict.

mod explainer;
mod meaning;

use super::context::Context;
use super::judge::{NamedModel, OnLeak, PairChecks, Prediction};
use crate::error::{Error, Result, pluralized, quoted};
use crate::features::without_source;
use crate::files::Input;
use crate::formats::beside::FilesBeside;
use crate::formats::{PairReader, Reading, SignalSource};
use crate::judgments::pair::references;
use crate::judgments::{Language, Pair};
use crate::model::Ties;
use crate::report::Explanation;
pub use explainer::Explainer;

/// Settings of [`explain`].
#[derive(Debug, Clone, Default)]
pub struct ExplainSettings {
    /// The tie rule, if not that of the model.
    pub ties: Option<Ties>,
    /// The language of the texts.
    pub language: Language,
}

/// The origin of the pair to explain.
#[derive(Debug, Clone)]
pub enum ExplainedPair {
    /// A pair of a file.
    InFile {
        /// The file.
        pairs: Input,
        /// Its format.
        reading: Reading,
        /// Human judgments, one per line.
        answers: Option<Input>,
        /// Which pair it is.
        selector: PairSelector,
    },
    /// A pair given as texts.
    Texts {
        /// Both hypotheses.
        hypotheses: [String; 2],
        /// The references.
        references: Vec<String>,
        /// Files with the values of signals, in their first lines.
        signals: Vec<SignalSource>,
    },
}

/// The choice of one pair of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairSelector {
    /// The pair of a line.
    Line(usize),
    /// The pair with an id.
    Id(String),
}

/// Explains a model's verdict on one pair.
///
/// # Errors
/// The pair cannot be read or found; the model needs another version, another WordNet, or values of external metrics;
/// the tie rule needs more than one pair.
pub fn explain(
    context: Context<'_>,
    model: &NamedModel,
    source: &ExplainedPair,
    settings: &ExplainSettings,
) -> Result<Explanation> {
    let pair = source.find()?;
    let (place, has_line) = match source {
        ExplainedPair::InFile { pairs, .. } => (pairs.to_string(), true),
        ExplainedPair::Texts { .. } => ("the given pair".to_owned(), false),
    };
    let explanation = explained(context, model, &[&pair], &place, settings)?.swap_remove(0);
    Ok(Explanation { line: explanation.line.filter(|_| has_line), ..explanation })
}

/// Explains a model's verdicts on pairs in memory, which have no line, in their order. Errors refer to them as `pairs`.
///
/// # Errors
/// As for [`explain`].
pub fn explain_pairs(
    context: Context<'_>,
    model: &NamedModel,
    pairs: &[&Pair],
    settings: &ExplainSettings,
) -> Result<Vec<Explanation>> {
    let explained = explained(context, model, pairs, "pairs", settings)?;
    Ok(explained.into_iter().map(|explanation| Explanation { line: None, ..explanation }).collect())
}

fn explained(
    context: Context<'_>,
    named: &NamedModel,
    pairs: &[&Pair],
    place: &str,
    settings: &ExplainSettings,
) -> Result<Vec<Explanation>> {
    if let Some(ties) = settings.ties.filter(|ties| ties.needs_all_pairs()) {
        let expected = "likeliest, 0 or threshold=P where one pair is explained";
        return Err(Error::invalid("ties", expected, format!("{ties}, a share of all pairs"), "choose another rule"));
    }
    let NamedModel { model, source_name, .. } = named;
    let explainer = Explainer::for_model(context.engine(), model, &settings.language, source_name)?;
    let mut checks = PairChecks::new(context, model, source_name);
    checks.check(pairs.iter().copied(), place)?;
    if let Some((metric, pair)) = explainer.needing_source().zip(pairs.iter().find(|pair| pair.source.is_none())) {
        return Err(without_source(format!("{place}:{}", pair.line), metric));
    }
    checks.warn(OnLeak::Ignore);
    let with_ties = |explanation: Explanation| {
        let Some(ties) = settings.ties else { return explanation };
        let Explanation { verdict, probabilities, .. } = explanation;
        let judged = Prediction::with_ties(&[Prediction { verdict, probabilities }], ties)[0];
        with_judged(explanation, judged, ties)
    };
    Ok(explainer.explain(&model.linear, model.tie_factor, pairs).into_iter().map(with_ties).collect())
}

/// The explanation with the verdict and probabilities that a tie rule gives, be it for this pair alone or among others.
pub(super) fn with_judged(explanation: Explanation, judged: Prediction, ties: Ties) -> Explanation {
    let Prediction { verdict, probabilities } = judged;
    Explanation { verdict, probabilities, ties: Some(ties.to_string()), ..explanation }
}

impl ExplainedPair {
    /// Finds the pair, with its label if known. For a line, a file is read until that line's pairs end; for an id, to
    /// its end.
    ///
    /// # Errors
    /// A file cannot be read; there is no such pair, or more than one.
    fn find(&self) -> Result<Pair> {
        match self {
            Self::InFile { pairs, reading, answers, selector } => {
                selector.find(PairReader::open_with(pairs, reading.clone(), answers.as_ref())?)
            }
            Self::Texts { hypotheses, references: texts, signals } => {
                let mut pair = Pair::new(hypotheses.clone(), references(texts.iter().cloned()));
                let reading = Reading { signals: signals.clone(), ..Reading::default() };
                FilesBeside::open(&reading, None, &mut Default::default())?
                    .add_to(&mut pair, &mut Default::default())?;
                Ok(pair)
            }
        }
    }
}

impl PairSelector {
    fn find(&self, mut pairs: PairReader) -> Result<Pair> {
        let (mut count, mut last, mut has_ids) = (0, 0, false);
        let mut found: Option<Pair> = None;
        while let Some(pair) = pairs.next() {
            // Errors after the wanted line do not matter.
            let pair = match pair {
                Err(_) if found.is_some() && matches!(self, Self::Line(_)) => break,
                pair => pair?,
            };
            let is_wanted = match self {
                Self::Line(line) => pair.line == *line,
                Self::Id(id) => pair.id.as_ref() == Some(id),
            };
            if let Some(first) = found.as_ref().filter(|_| is_wanted) {
                return Err(self.twice(&pairs, first.line, pair.line));
            }
            if found.is_some() && matches!(self, Self::Line(_)) {
                break;
            }
            has_ids |= pair.id.is_some();
            last = pair.line;
            count += 1;
            if is_wanted {
                found = Some(pair);
            }
        }
        found.ok_or_else(|| self.absent(&pairs, count, last, has_ids))
    }

    fn absent(&self, pairs: &PairReader, count: usize, last: usize, has_ids: bool) -> Error {
        let of = format!("{}, the last in line {last}", pluralized(count, "pair"));
        let (expected, found, advice) = match self {
            Self::Line(line) => (format!("a pair in line {line}"), of, "name another line"),
            Self::Id(id) if has_ids => {
                (format!("a pair with the id {}", quoted(id)), format!("none in {of}"), "name another id, or a `line`")
            }
            Self::Id(_) => ("pairs with ids".to_owned(), format!("{of}, without any"), "name a `line` instead"),
        };
        Error::invalid(pairs.input().to_string(), expected, found, advice)
    }

    fn twice(&self, pairs: &PairReader, first: usize, second: usize) -> Error {
        let place = pairs.input().to_string();
        match self {
            Self::Line(line) => {
                let advice = "make pairs of the file with 'tribunal import', and name a line of these";
                Error::invalid(place, format!("one pair in line {line}"), "several", advice)
            }
            Self::Id(id) => {
                let expected = format!("the id {} once", quoted(id));
                let advice = "name a `line` instead";
                Error::invalid(place, expected, format!("it in line {first} and line {second}"), advice)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reference_may_be_empty() {
        let texts = |references: &[&str]| ExplainedPair::Texts {
            hypotheses: ["a".into(), "b".into()],
            references: references.iter().map(|&text| text.to_owned()).collect(),
            signals: Vec::new(),
        };
        assert_eq!(texts(&["", ""]).find().unwrap().references, [""]);
        assert!(texts(&[]).find().unwrap().references.is_empty());
    }
}
