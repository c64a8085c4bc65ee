//! Which systems of a study are references: those that the user names, or else the best of the human translations.

use indexmap::{IndexMap, IndexSet};

use crate::error::{Error, Result, joined};
use crate::options::{OptionSpec, Options, Value, any_text};

pub(super) const REFERENCE: OptionSpec = OptionSpec {
    name: "reference",
    value: Value::Many { placeholder: "SYSTEM", default: None, check: any_text },
    help: "The systems that are references, separated by commas [default: of those called ref, refB, Human-A or the \
        like, the one with the best mean score]",
};

/// The references among systems with these mean scores.
///
/// # Errors
/// None of the systems is one.
pub(super) fn references(
    options: &Options,
    scores: &IndexMap<&str, f64>,
    source_name: &str,
) -> Result<IndexSet<String>> {
    let mut references: IndexSet<String> = options.texts(&REFERENCE).into_iter().map(str::to_owned).collect();
    if references.is_empty() {
        references.extend(best_human(scores).map(str::to_owned));
    }
    if scores.keys().any(|name| references.contains(*name)) {
        return Ok(references);
    }
    Err(no_reference(scores.keys().copied(), &references, source_name))
}

/// The human translation with the highest mean score, recognised by its name; the first of equals.
fn best_human<'s>(scores: &IndexMap<&'s str, f64>) -> Option<&'s str> {
    let human = scores.iter().filter(|(name, _)| is_human(name));
    human.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(name, _)| *name)
}

/// `the reference is refB -0.26 (mean score); other human translations, which are hypotheses: ref -3.46; systems: -2.51
/// to -1.02`.
pub(super) fn note(scores: &IndexMap<&str, f64>, references: &IndexSet<String>, leaves_out_humans: bool) -> String {
    let of = |chosen: &dyn Fn(&str) -> bool| -> Vec<(&str, f64)> {
        scores.iter().filter(|(name, _)| chosen(name)).map(|(name, score)| (*name, *score)).collect()
    };
    let list = |chosen: &[(&str, f64)]| {
        chosen.iter().map(|(name, score)| format!("{name} {score:.2}")).collect::<Vec<_>>().join(", ")
    };
    let chosen = of(&|name| references.contains(name));
    let mut note = format!("the reference is {} (mean score)", list(&chosen));
    let others = of(&|name| is_human(name) && !references.contains(name));
    if !others.is_empty() {
        let role = if leaves_out_humans { "skipped" } else { "hypotheses" };
        note += &format!("; other human translations, which are {role}: {}", list(&others));
    }
    let systems = of(&|name| !is_human(name) && !references.contains(name));
    let low = systems.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
    let high = systems.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    if low <= high {
        note += &format!("; systems: {low:.2} to {high:.2}");
    }
    note
}

/// A warning if people judged the references worse than every system.
pub(super) fn warning(scores: &IndexMap<&str, f64>, references: &IndexSet<String>) -> Option<String> {
    let (chosen, others): (Vec<_>, Vec<_>) = scores.iter().partition(|(name, _)| references.contains(**name));
    let low = others.iter().filter(|(name, _)| !is_human(name)).map(|(_, score)| **score).fold(f64::INFINITY, f64::min);
    let is_worst = chosen.iter().all(|(_, score)| **score < low);
    is_worst.then(|| "people judged the reference worse than every system; little can be learned from it".to_owned())
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

/// The error for a study without a translation of a reference.
fn no_reference<'s>(systems: impl Iterator<Item = &'s str>, references: &IndexSet<String>, source_name: &str) -> Error {
    let mut systems: Vec<&str> = systems.collect();
    systems.sort_unstable();
    let names = references.iter().map(String::as_str).collect::<Vec<_>>();
    let expected = if names.is_empty() {
        "a reference, called ref, refB, Human-A or the like".to_owned()
    } else {
        format!("translations of the reference '{}'", names.join("', '"))
    };
    let found = format!("only the systems {}", joined(systems));
    Error::invalid(source_name, expected, found, "name the system that is the reference with `reference`")
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
