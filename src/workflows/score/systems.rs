//! A row a system. In: systems' segments with their references. Out: corpus scores with intervals and tests. Next:
//! callers.

use super::super::event::{Event, Listener};
use super::super::language;
use super::{ParallelTexts, ScoreFiles, SystemComparison};
use crate::error::Result;
use crate::metrics::{Corpus, Member, Panel, Scope};
use crate::report::scores::{Column, Scores, SystemScores, Test};

/// Scores the systems in files.
///
/// # Errors
/// What [`ScoreFiles::read`] and [`SystemComparison::check`] report.
pub fn score_files(
    panel: &Panel,
    files: &ScoreFiles,
    comparison: &SystemComparison,
    listener: Listener<'_>,
) -> Result<Scores> {
    comparison.check(files.systems.len())?;
    let texts = files.read()?;
    language::check_metrics(panel, texts.references.iter().flatten().map(String::as_str), listener);
    let progress = |done, of| listener(Event::Progress { step: "scoring systems", done, of });
    score_texts(panel, &texts, comparison, &progress)
}

/// Scores systems. `progress` hears how many of how many systems are scored.
///
/// # Errors
/// What [`ParallelTexts::check`] and [`SystemComparison::check`] report.
pub fn score_texts(
    panel: &Panel,
    texts: &ParallelTexts,
    comparison: &SystemComparison,
    progress: &dyn Fn(usize, usize),
) -> Result<Scores> {
    texts.check()?;
    comparison.check(texts.systems.len())?;
    let mut corpora = Vec::with_capacity(texts.systems.len());
    for system in &texts.systems {
        system.own.check(panel, &system.name, system.segments.len())?;
        let corpus = Corpus::of(panel, &system.segments, &texts.references, Scope::Whole);
        corpora.push(system.own.brought_to(corpus, panel, 0));
        progress(corpora.len(), texts.systems.len());
    }
    let resamples = comparison.resamples(texts.references.len());
    let scores = |system: usize| {
        let score = |(at, member): (usize, &Member)| {
            let first = (system > 0).then(|| corpora[0].statistics(at));
            comparison.score(member.metric.as_ref(), corpora[system].statistics(at), first, resamples.as_ref())
        };
        panel.members().iter().enumerate().map(score).collect()
    };
    let systems = texts.systems.iter().enumerate();
    let systems = systems.map(|(at, system)| {
        let first = &texts.systems[0];
        let is_same = comparison.test.is_some() && at > 0 && system.segments == first.segments;
        let identical_to = is_same.then(|| first.name.clone());
        SystemScores { name: system.name.clone(), identical_to, scores: scores(at) }
    });
    let systems = systems.collect();
    let references = texts.number_of_references();
    Ok(Scores {
        segments: texts.references.len(),
        metrics: panel.members().iter().map(|member| column(member, &references, comparison)).collect(),
        systems,
        test: comparison.test.map(|test| Test { method: test.name(), against: texts.systems[0].name.clone() }),
    })
}

/// What a column is.
fn column(member: &Member, references: &str, comparison: &SystemComparison) -> Column {
    let signature = comparison.sign(member.corpus_signature(), references);
    Column { name: member.name.clone(), signature: signature.to_string(), short_signature: signature.short() }
}

#[cfg(test)]
mod tests {
    use super::super::{PairedTest, SystemOutput};
    use super::*;

    #[test]
    fn texts_that_do_not_fit_are_refused() {
        let system =
            |segments: &[&str]| SystemOutput::new("x", segments.iter().map(|&segment| segment.into()).collect());
        let texts = |segments: &[&str], references: Vec<Vec<String>>| ParallelTexts {
            systems: vec![system(segments)],
            references,
        };
        let panel = Panel::of(&["length"]).unwrap();
        let score = |texts: &ParallelTexts| score_texts(&panel, texts, &SystemComparison::default(), &|_, _| ());
        assert!(score(&texts(&["a"], vec![vec!["a".into()]])).is_ok());
        let message = score(&texts(&["a", "b"], vec![vec!["a".into()]])).unwrap_err().to_string();
        assert!(message.starts_with("x: expected 1 segments, found 2"), "{message}");
        assert!(score(&texts(&["a"], vec![Vec::new()])).is_err());
        let paired = SystemComparison { test: Some(PairedTest::Bootstrap), ..SystemComparison::default() };
        assert!(score_texts(&panel, &texts(&["a"], vec![vec!["a".into()]]), &paired, &|_, _| ()).is_err());
    }
}
