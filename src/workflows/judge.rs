//! In: pairs, and a model. Out: verdicts with their probabilities. Next: predict, or the caller.

use rayon::prelude::*;

use super::batches::PAIRS;
use super::context::{Context, Engine};
use super::warnings::{self, Leak};
use crate::error::Result;
use crate::features::{Extractor, Families, Table};
use crate::judgments::{Pair, Probabilities, Verdict};
use crate::model::{Model, Ties};

/// A model's verdict on a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The hypothesis that people would prefer, or a tie.
    pub verdict: Verdict,
    /// The probability of each verdict.
    pub probabilities: Probabilities,
}

impl Judged {
    /// Applies a tie rule to judged pairs.
    pub fn with_ties(judged: &[Self], ties: Ties) -> Vec<Self> {
        let given: Vec<Probabilities> = judged.iter().map(|judged| judged.probabilities).collect();
        ties.judge(&given).into_iter().map(|(verdict, probabilities)| Self { verdict, probabilities }).collect()
    }
}

/// The contribution of a family of features to a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reason<'j> {
    /// The name of the metric or family.
    pub name: &'j str,
    /// The sum of w_j x_j over its features; above 0 it favours the first hypothesis.
    pub contribution: f64,
}

/// A model prepared to judge pairs; usable from several threads.
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
    families: Families,
    place: String,
}

impl PairJudge {
    /// Prepares a model; errors refer to it as `place`.
    ///
    /// # Errors
    /// The model's features have other signatures in this version, or it was trained with another WordNet than the
    /// engine's.
    pub fn new(engine: &Engine, model: Model, place: &str) -> Result<Self> {
        let extractor = model.extractor(engine.lexicons(), place)?;
        let families = Families::of(&model.schema);
        Ok(Self { model, extractor, families, place: place.to_owned() })
    }

    /// Scores repeated segments each time they occur, for measuring speed.
    pub fn every_segment(self) -> Self {
        Self { extractor: self.extractor.every_segment(), ..self }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The extractor of its features.
    pub(super) fn extractor(&self) -> &Extractor {
        &self.extractor
    }

    /// Judges pairs, in their order; they must pass the check of the model's schema.
    pub fn judge(&self, pairs: &[Pair]) -> Vec<Judged> {
        self.judge_telling(pairs, &|_, _| ())
    }

    /// As [`Self::judge`]; `progress(done, of)` is called as distinct segments are scored.
    pub fn judge_telling(&self, pairs: &[Pair], progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Judged> {
        self.judge_table(&self.extractor.extract(pairs.iter(), progress))
    }

    /// As [`Self::judge_telling`], with at most `most` families of features for each verdict, in descending order of
    /// absolute contribution. Families that contribute 0 are left out.
    pub fn judge_with_reasons(
        &self,
        pairs: &[Pair],
        most: usize,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(Judged, Vec<Reason<'_>>)> {
        let table = self.extractor.extract(pairs.iter(), progress);
        let reasons = (0..table.len()).into_par_iter().with_min_len(256).map(|row| self.reasons(&table, row, most));
        self.judge_table(&table).into_iter().zip(reasons.collect::<Vec<_>>()).collect()
    }

    fn judge_table(&self, table: &Table) -> Vec<Judged> {
        let probabilities = self.model.judge(table);
        let judged = |(verdict, probabilities)| Judged { verdict, probabilities };
        self.model.verdicts(&probabilities).into_iter().zip(probabilities).map(judged).collect()
    }

    fn reasons(&self, table: &Table, row: usize, most: usize) -> Vec<Reason<'_>> {
        let sums = self.families.sums(&self.model.judge.contributions(table, row));
        let named = self.families.names().iter().zip(sums).filter(|&(_, contribution)| contribution != 0.0);
        let mut reasons: Vec<Reason<'_>> = named.map(|(name, contribution)| Reason { name, contribution }).collect();
        reasons.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
        reasons.truncate(most);
        reasons
    }
}

/// Judges pairs in memory, with the tie rule `ties` if not the model's own, and warns of problems with the pairs.
/// Errors refer to them as `pairs`.
///
/// # Errors
/// A pair has no reference, or no value of an own metric that the model needs.
pub fn judge_pairs(context: Context<'_>, judge: &PairJudge, pairs: &[Pair], ties: Option<Ties>) -> Result<Vec<Judged>> {
    let mut seen = Seen::new(judge);
    let tell = context.progress("judging pairs", pairs.len());
    let mut judged = Vec::with_capacity(pairs.len());
    for batch in pairs.chunks(PAIRS) {
        seen.see(context, batch, "pairs")?;
        judged.extend(judge.judge(batch));
        tell(judged.len());
    }
    seen.tell(context);
    Ok(match ties {
        Some(ties) => Judged::with_ties(&judged, ties),
        None => judged,
    })
}

/// Checks of the pairs that a model judges, batch by batch, with warnings for the user.
pub(super) struct Seen<'j> {
    judge: &'j PairJudge,
    leak: Leak,
    is_first: bool,
}

impl<'j> Seen<'j> {
    pub fn new(judge: &'j PairJudge) -> Self {
        Self { judge, leak: Leak::new(&judge.model), is_first: true }
    }

    /// Checks a batch of pairs, and warns of problems seen in the first batch. Errors refer to the pairs as `place`.
    ///
    /// # Errors
    /// A pair lacks what the model needs.
    pub fn see(&mut self, context: Context<'_>, pairs: &[Pair], place: &str) -> Result<()> {
        let PairJudge { model, place: name, .. } = self.judge;
        model.schema.check(pairs.iter(), place)?;
        if std::mem::take(&mut self.is_first) {
            let references = || pairs.iter().flat_map(|pair| &pair.references).map(String::as_str);
            warnings::of_language(context, &model.schema, references());
            warnings::of_spacing(context, name, model, references());
        }
        self.leak.add(pairs);
        Ok(())
    }

    /// Warns if the model was trained on the references of many of the pairs.
    pub fn tell(&self, context: Context<'_>) {
        self.leak.warn(context, &self.judge.place);
    }
}
