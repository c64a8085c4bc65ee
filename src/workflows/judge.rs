//! In: pairs, and a model. Out: verdicts with their probabilities.

use super::engine::Engine;
use super::event::{Event, Listener};
use crate::error::Result;
use crate::features::Extractor;
use crate::judgments::{Pair, Probabilities, Verdict};
use crate::model::{Model, Ties};
use crate::wordnet::WordNet;

/// What a model says of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Which hypothesis people would prefer.
    pub verdict: Verdict,
    /// How probable each verdict is.
    pub probabilities: Probabilities,
}

impl Judged {
    /// The same pairs judged anew, with other ties.
    pub fn with_ties(judged: &[Self], ties: Ties) -> Vec<Self> {
        let given: Vec<Probabilities> = judged.iter().map(|judged| judged.probabilities).collect();
        ties.judge(&given).into_iter().map(|(verdict, probabilities)| Self { verdict, probabilities }).collect()
    }
}

/// A model that is ready to judge pairs, from several threads if need be.
///
/// ```
/// use tribunal::judgments::{Pair, Verdict};
/// use tribunal::model::builtin;
/// use tribunal::workflows::{Engine, PairJudge};
///
/// let judge = PairJudge::new(&Engine::new(), builtin::model()?, builtin::NAME)?;
/// let line = "The minister has not resigned . ||| Minister the not of resigned ! ||| The minister did not resign.";
/// let pair = Pair::parse(line, "example", 1)?;
/// assert_eq!(judge.judge(&[pair])[0].verdict, Verdict::First);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Debug)]
pub struct PairJudge {
    model: Model,
    extractor: Extractor,
    wordnet: WordNet,
    place: String,
}

impl PairJudge {
    /// Prepares a model; `place` is what errors call it.
    ///
    /// # Errors
    /// This version computes a feature otherwise, or the engine has another WordNet than the model was trained with.
    pub fn new(engine: &Engine, model: Model, place: &str) -> Result<Self> {
        let extractor = model.extractor(engine.lexicons(), place)?;
        Ok(Self { model, extractor, wordnet: engine.wordnet().clone(), place: place.to_owned() })
    }

    /// The same, but every segment is scored as often as it occurs: to measure how fast that is.
    pub fn every_segment(self) -> Self {
        Self { extractor: self.extractor.every_segment(), ..self }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What errors and warnings call the model.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// What words are looked up in.
    pub(super) fn wordnet(&self) -> &WordNet {
        &self.wordnet
    }

    /// Judges pairs, in their order.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Judged> {
        self.judge_telling(pairs, &|_, _| ())
    }

    /// As [`Self::judge`]; `progress` hears how many of how many distinct segments are scored.
    pub fn judge_telling(&self, pairs: &[Pair], progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Judged> {
        let probabilities = self.model.judge(&self.extractor.extract(pairs.iter(), progress));
        let judged = |(verdict, probabilities)| Judged { verdict, probabilities };
        self.model.verdicts(&probabilities).into_iter().zip(probabilities).map(judged).collect()
    }
}

/// Tells how many of the distinct segments are scored; a hundred times, which is enough for the eye.
pub(super) fn features<'a>(listener: Listener<'a>) -> impl Fn(usize, usize) + Sync + 'a {
    move |done, of| {
        if done % (of / 100).max(1) == 0 || done == of {
            listener(Event::Progress { step: "computing features", done, of });
        }
    }
}
