//! A choice of metrics that share one preparation of text.

use super::{Direction, Entry, Metric, REGISTRY, Role, known};
use crate::error::Result;
use crate::text::{Lexicon, Plan, Sentence};

/// Metrics to be computed together.
#[derive(Debug, Default)]
pub struct Panel {
    plan: Plan,
    members: Vec<Member>,
}

/// A metric of a panel.
#[derive(Debug)]
pub struct Member {
    /// What its columns are called: its name in the registry, if it has one.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Which score is better.
    pub direction: Direction,
    /// The metric itself.
    pub metric: Box<dyn Metric>,
}

impl Member {
    fn registered(entry: &Entry, metric: Box<dyn Metric>) -> Self {
        Self { name: entry.name.to_owned(), role: entry.role, direction: entry.direction, metric }
    }
}

impl Panel {
    /// The registered metrics of these names, in this order.
    ///
    /// # Errors
    /// A name that is not registered.
    pub fn of(names: &[&str]) -> Result<Self> {
        let mut panel = Self::default();
        for name in names {
            let entry = known(name, &[])?;
            panel.add_registered(entry, |plan| Ok((entry.build)(plan)))?;
        }
        Ok(panel)
    }

    /// Adds a registered metric with whatever settings `build` gives it.
    ///
    /// # Errors
    /// What `build` reports.
    pub fn add_registered(
        &mut self,
        entry: &Entry,
        build: impl FnOnce(&mut Plan) -> Result<Box<dyn Metric>>,
    ) -> Result<()> {
        let metric = build(&mut self.plan)?;
        self.members.push(Member::registered(entry, metric));
        Ok(())
    }

    /// Adds a metric that is not registered, such as one that was learned: higher is better, and it is no feature.
    ///
    /// # Errors
    /// What `build` reports.
    pub fn add(&mut self, name: &str, build: impl FnOnce(&mut Plan) -> Result<Box<dyn Metric>>) -> Result<()> {
        let metric = build(&mut self.plan)?;
        let (role, direction) = (Role::OnRequest, Direction::HigherIsBetter);
        self.members.push(Member { name: name.to_owned(), role, direction, metric });
        Ok(())
    }

    /// The registered metrics that `wanted` says yes to, in the order of the registry; sentences are prepared for what
    /// `plan` asks for already, too.
    pub fn filter(mut plan: Plan, wanted: impl Fn(&Entry) -> bool) -> Self {
        let entries = REGISTRY.iter().filter(|entry| wanted(entry));
        let members = entries.map(|entry| Member::registered(entry, (entry.build)(&mut plan))).collect();
        Self { plan, members }
    }

    /// The metrics, in order.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Prepares a text for all metrics of the panel.
    pub fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> Sentence {
        Sentence::prepare(text, &self.plan, lexicon)
    }

    /// All values of all metrics for one segment, in order.
    pub fn values(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.members.iter().map(|member| member.metric.values().len()).sum());
        for Member { metric, .. } in &self.members {
            values.extend(metric.segment(&metric.statistics(hypothesis, references)));
        }
        values
    }

    /// The score of each metric for one segment, in order.
    pub fn scores(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let of_member = |member: &Member| member.metric.segment(&member.metric.statistics(hypothesis, references))[0];
        self.members.iter().map(of_member).collect()
    }
}
