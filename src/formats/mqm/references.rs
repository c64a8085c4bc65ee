//! Chooses the reference among human translations. In: all annotations. Out: the names of the references, with their
//! mean human scores. Next: [`super::Mqm`].

use std::collections::HashMap;

use super::study::Study;

/// The systems of a study with their mean scores, in order of first occurrence.
pub(super) struct Scores<'s>(Vec<(&'s str, f64)>);

impl<'s> Scores<'s> {
    /// Means over the segments that each system translated.
    pub(super) fn of(study: &'s Study) -> Self {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut sums: Vec<(&str, f64, f64)> = Vec::new();
        for system in study.segments.iter().flat_map(|segment| &segment.systems) {
            let at = *places.entry(&system.name).or_insert(sums.len());
            if at == sums.len() {
                sums.push((&system.name, 0.0, 0.0));
            }
            sums[at].1 += system.score();
            sums[at].2 += 1.0;
        }
        Self(sums.into_iter().map(|(name, sum, count)| (name, sum / count)).collect())
    }

    /// The human translation with the highest mean score, recognised by its name; the first of equals.
    pub(super) fn best_human(&self) -> Option<&'s str> {
        let human = self.0.iter().filter(|(name, _)| is_human(name));
        human.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(name, _)| *name)
    }

    /// `the reference is refB (mean score -0.26); other human translations, which are hypotheses: ref -3.46; systems:
    /// -2.51 to -1.02`.
    pub(super) fn note(&self, references: &[String], leaves_out_humans: bool) -> String {
        let is_reference = |name: &str| references.iter().any(|reference| reference == name);
        let list = |chosen: &dyn Fn(&str) -> bool| {
            let chosen = self.0.iter().filter(|(name, _)| chosen(name));
            chosen.map(|(name, score)| format!("{name} {score:.2}")).collect::<Vec<_>>().join(", ")
        };
        let mut note = format!("the reference is {} (mean score)", list(&is_reference));
        let others = list(&|name| is_human(name) && !is_reference(name));
        if !others.is_empty() {
            let role = if leaves_out_humans { "left out" } else { "hypotheses" };
            note += &format!("; other human translations, which are {role}: {others}");
        }
        let systems = self.0.iter().filter(|(name, _)| !is_human(name) && !is_reference(name)).map(|(_, score)| *score);
        let (low, high) =
            systems.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| (score.min(low), score.max(high)));
        if low <= high {
            note += &format!("; systems: {low:.2} to {high:.2}");
        }
        if self.0.iter().filter(|(name, _)| is_reference(name)).all(|(_, score)| *score < low) {
            note += "; people judged the reference worse than every system, so that little can be learned from it";
        }
        note
    }
}

/// Whether a system's name marks it as human: `ref`, `refB`, `ref.1`, `Human-A.0`, ...
pub(super) fn is_human(name: &str) -> bool {
    let name = name.to_lowercase();
    let rest = ["reference", "human", "ref"].into_iter().find_map(|begin| name.strip_prefix(begin));
    let stands_alone = |rest: &str| {
        let rest = rest.strip_prefix(|letter: char| letter.is_alphanumeric()).unwrap_or(rest);
        rest.is_empty() || rest.starts_with(|mark: char| !mark.is_alphanumeric())
    };
    rest.is_some_and(stands_alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_who_translated() {
        for human in ["ref", "refA", "refb", "ref.1", "ref1", "Human-A.0", "human", "HumanB", "Reference"] {
            assert!(is_human(human), "{human}");
        }
        for system in ["refine", "A", "humanoid-MT", "NiuTrans", "xref", "reframe.2"] {
            assert!(!is_human(system), "{system}");
        }
    }
}
