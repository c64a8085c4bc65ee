//! A choice of metrics that share one preparation of text.

use super::{Entry, Metric, REGISTRY, find};
use crate::error::{Error, Result};
use crate::text::{Lexicon, Plan, Sentence};

/// Metrics to be computed together.
#[derive(Debug)]
pub struct Panel {
    plan: Plan,
    members: Vec<Member>,
}

/// A metric of a panel.
#[derive(Debug)]
pub struct Member {
    /// Its line in the registry.
    pub entry: &'static Entry,
    /// The metric itself.
    pub metric: Box<dyn Metric>,
}

impl Panel {
    /// The registered metrics of these names, in this order.
    ///
    /// # Errors
    /// A name that is not registered.
    pub fn of(names: &[&str]) -> Result<Self> {
        Self::with(names, |entry, plan| Ok((entry.build)(plan)))
    }

    /// The metrics of these names, in this order, with whatever settings `build` gives them.
    ///
    /// # Errors
    /// A name that is not registered, or what `build` reports.
    pub fn with(names: &[&str], build: impl Fn(&Entry, &mut Plan) -> Result<Box<dyn Metric>>) -> Result<Self> {
        let mut plan = Plan::default();
        let mut members = Vec::with_capacity(names.len());
        for name in names {
            let entry = find(name).ok_or_else(|| unknown(name))?;
            members.push(Member { entry, metric: build(entry, &mut plan)? });
        }
        Ok(Self { plan, members })
    }

    /// The registered metrics that `wanted` says yes to, in the order of the registry; sentences are prepared for what
    /// `plan` asks for already, too.
    pub fn filter(mut plan: Plan, wanted: impl Fn(&Entry) -> bool) -> Self {
        let entries = REGISTRY.iter().filter(|entry| wanted(entry));
        let members = entries.map(|entry| Member { entry, metric: (entry.build)(&mut plan) }).collect();
        Self { plan, members }
    }

    /// The metrics, in order.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Prepares a text for all metrics of the panel.
    pub fn prepare(&self, text: &str, lexicon: &mut Lexicon<'_>) -> Sentence {
        Sentence::prepare(text, &self.plan, lexicon)
    }

    /// All values of all metrics for one segment, in order.
    pub fn values(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let of_member = |member: &Member| member.metric.segment(&member.metric.statistics(hypothesis, references));
        self.members.iter().flat_map(of_member).collect()
    }

    /// The score of each metric for one segment, in order.
    pub fn scores(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let of_member = |member: &Member| member.metric.segment(&member.metric.statistics(hypothesis, references))[0];
        self.members.iter().map(of_member).collect()
    }
}

fn unknown(name: &str) -> Error {
    let known: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
    Error::invalid("metrics", "the name of a metric", format!("'{name}'"), format!("known are {}", known.join(", ")))
}
