//! The scores of a model of COMET, with references and without.
//!
//! ```no_run
//! use tribunal_text_metrics::comet::Comet;
//!
//! let model = Comet::open("wmt22-comet-da".as_ref(), Some("xlm-roberta-large".as_ref()))?;
//! let score = model.score(Some("Der Zug hat Verspätung."), "The train is late.", Some("The train is delayed."));
//! println!("{:.4}", score.value);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use super::entry::Built;
use super::metric::{Metric, Statistics, best_of};
use super::signature::Signature;
use crate::comet::Comet;
use crate::error::Error;
use crate::options::Options;
use crate::text::{CustomViewId, EncodedView, Plan, Sentence};

/// The score of a [model](crate::comet) for a hypothesis, the source that it translates, and a reference; with several references,
/// the highest. Without a known source, an empty one counts.
#[derive(Debug)]
struct CometScore {
    model: Comet,
    name: &'static str,
    has_references: bool,
    /// The vectors of texts, of a model that encodes them one by one.
    vectors: Option<CustomViewId<EncodedView>>,
}

/// Makes COMET with references.
///
/// # Errors
/// There is no model, or it sees none.
pub fn build(_options: &Options, plan: &mut Plan) -> Built {
    made(plan, "comet", true)
}

/// Makes COMET without references.
///
/// # Errors
/// There is no model, or it needs them.
pub fn build_qe(_options: &Options, plan: &mut Plan) -> Built {
    made(plan, "comet-qe", false)
}

fn made(plan: &mut Plan, name: &'static str, has_references: bool) -> Built {
    let Some(model) = plan.models().comet.clone() else {
        return Err(Error::invalid(name, "a model of COMET", "none", "name its folder with `comet`"));
    };
    let fits = if has_references { model.sees_references() } else { !model.needs_reference() };
    if !fits {
        let (expected, other) =
            if has_references { ("that sees references", "comet-qe") } else { ("that needs no reference", "comet") };
        let found = format!("{}, a {}", model.encoder().description(), model.class().name());
        return Err(Error::invalid(name, format!("a model of COMET {expected}"), found, format!("use {other}")));
    }
    let vectors = model.class().has_vectors().then(|| plan.add_encoded(model.encoder(), 0));
    Ok(Box::new(CometScore { model, name, has_references, vectors }))
}

impl CometScore {
    fn value(&self, hypothesis: &Sentence, reference: Option<&Sentence>) -> f64 {
        let source = hypothesis.source();
        let Some(vectors) = &self.vectors else {
            return self
                .model
                .score(source.map(Sentence::text), hypothesis.text(), reference.map(Sentence::text))
                .value;
        };
        let vector = |sentence: &Sentence| sentence.custom(vectors).clone();
        let source = source.map_or_else(|| self.model.encoder().encode("", 0), vector);
        let reference = reference.map(vector);
        self.model.of_vectors(&source.mean, &vector(hypothesis).mean, reference.as_ref().map(|text| &text.mean))
    }
}

impl Metric for CometScore {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    fn signature(&self) -> Signature {
        Signature::new(self.name)
            .with("e", "checkpoint", self.model.encoder().description().short_digest())
            .with("c", "class", self.model.class().name())
            .with("m", "mix", self.model.mix())
            .with("v", "version", 1)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        match self.has_references {
            true => best_of(references, |reference| [self.value(hypothesis, Some(reference))]),
            false => vec![self.value(hypothesis, None), 1.0],
        }
    }
}
