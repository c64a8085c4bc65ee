//! One sentence of advice for each section of a page, drawn from its figures.

use super::answer::Outcome;
use super::details::{Breakdown, BreakdownBin, Details, ReliabilityBin};
use super::ranking::Ranking;
use super::studies::{AblationRow, CurveRow};
use super::systems::Role;
use super::table::percent;
use super::{Answer, Report, people};
use crate::error::pluralized;
use crate::judgments::{LabelSource, Verdict};

/// Verdicts are called trustworthy if at least this share of them agrees with human labels.
const TRUSTWORTHY: f64 = 0.9;

/// The least number of pairs behind a threshold of confidence.
const MIN_TRUSTED: usize = 30;

/// Tie rates that differ by less than this share of the pairs are called similar.
const SIMILAR_TIES: f64 = 0.05;

/// A gain in accuracy worth labelling twice the references for.
const WORTHWHILE: f64 = 0.005;

/// Where nothing varies between groups, nothing is known of the order.
const UNKNOWN_ORDER: &str = "Add pairs before you rely on the order: win rates do not vary between these.";

/// A probability of the human label below which a pair is surprising.
const SURPRISING: f64 = 0.2;

/// Whether to use the system at all.
pub fn of_accuracy(answer: &Answer) -> Option<String> {
    let system = &answer.system;
    if let Some(majority) = answer.majority.as_ref().filter(|_| !is_useful(answer)) {
        let accuracy = percent(majority.accuracy);
        return Some(format!(
            "Do not rely on {system} yet: it is not significantly better than always predicting the most frequent label \
             ({accuracy})."
        ));
    }
    let rival = answer.rival.as_ref()?;
    let name = rival.chosen.as_ref().map_or(&rival.name, |chosen| &chosen.name);
    Some(match (Outcome::of(&rival.comparison), rival.role) {
        (Outcome::Better, _) => {
            let gain = 100.0 * rival.comparison.difference;
            format!("Use {system} instead of {name}: its accuracy is {gain:.1} points higher.")
        }
        (Outcome::Worse, _) => format!("Use {name}: it is more accurate than {system} on these pairs."),
        (Outcome::Similar, Role::BestMetric) => {
            format!("Use {name}: {system} is not significantly better than the best single metric on these pairs.")
        }
        (Outcome::Similar, _) => {
            format!("Choose between {system} and {name} by cost: these pairs show no significant difference.")
        }
    })
}

/// Whether ties are as frequent among predictions as among labels; only models have a rule for them.
pub fn of_verdicts(answer: &Answer, labels_of: &LabelSource) -> Option<String> {
    if answer.role != Role::Judge {
        return None;
    }
    let [people, system] = [answer.people_tie, answer.system_ties];
    let rates = format!("{} of predictions, {} of {}", percent(system), percent(people), labels_of.labels());
    Some(if system + SIMILAR_TIES < people {
        format!("Where ties matter, set a tie rule with more ties: {rates}.")
    } else if people + SIMILAR_TIES < system {
        format!("Set a tie rule with fewer ties: {rates}.")
    } else {
        format!("Keep the tie rule: ties are {rates}.")
    })
}

/// From which confidence on the verdicts can be trusted.
pub fn of_calibration(bins: &[ReliabilityBin], labels_of: &LabelSource) -> Option<String> {
    let above = (0..bins.len()).filter_map(|from| {
        let bins = &bins[from..];
        let pairs: usize = bins.iter().map(|bin| bin.pairs).sum();
        let right: f64 = bins.iter().map(|bin| bin.accuracy * bin.pairs as f64).sum();
        (pairs >= MIN_TRUSTED).then(|| (bins[0].from, pairs, right / pairs as f64))
    });
    let above: Vec<(f64, usize, f64)> = above.collect();
    let trusted = above.iter().find(|(_, _, accuracy)| *accuracy >= TRUSTWORTHY);
    let (from, pairs, accuracy) = trusted.or_else(|| above.iter().max_by(|one, other| one.2.total_cmp(&other.2)))?;
    let (accuracy, pairs, label) = (percent(*accuracy), pluralized(*pairs, "pair"), labels_of.label());
    Some(match trusted {
        Some(_) => {
            format!(
                "Trust verdicts with a confidence above {from:.2}: {accuracy} of them agree with the {label} ({pairs})."
            )
        }
        None => format!(
            "Check important verdicts by hand: even above a confidence of {from:.2}, only {accuracy} agree with the \
             {label} ({pairs})."
        ),
    })
}

/// Whose labels to look at, and how to ask judges.
pub fn of_people(report: &Report) -> Option<String> {
    let annotators = report.annotators.iter().flat_map(|found| &found.annotators);
    if let Some(row) = annotators.into_iter().find(|row| !row.stands_out.is_empty()) {
        return Some(format!("Check the labels of {} before you rely on the majority.", row.name));
    }
    let passing = report.annotators.iter().flat_map(|found| &found.alternative).find(|row| row.test.passes);
    if let Some(row) = passing {
        return Some(format!("{} may replace an annotator on pairs such as these.", row.system));
    }
    let useless: Vec<&str> =
        report.judges.iter().filter(|judge| !people::beats_chance(judge)).map(|judge| judge.name.as_str()).collect();
    if !useless.is_empty() {
        let names = useless.join(", ");
        return Some(format!(
            "Do not rely on {names} alone: agreement with human labels is not significantly above chance."
        ));
    }
    if let Some(judge) = report.judges.iter().find(|judge| !judge.saw_both_orders()) {
        return Some(format!("Let {} judge each pair in both orders of the hypotheses.", judge.name));
    }
    let biased = report.judges.iter().find(|judge| people::prefers_first(judge))?;
    let first = percent(biased.first_shown_decided?.value);
    let name = &biased.name;
    Some(format!("Keep asking {name} in both orders: {first} of its preferences are for the hypothesis shown first."))
}

/// Which system to use.
pub fn of_systems(ranking: &Ranking) -> Option<String> {
    if ranking.is_degenerate() {
        return Some(UNKNOWN_ORDER.to_owned());
    }
    let first: Vec<&str> = ranking.first_cluster().map(|system| system.name.as_str()).collect();
    match first.as_slice() {
        [] => None,
        [best] if ranking.first_cluster().all(|system| system.win_rate.low > 0.5) => Some(format!("Use {best}.")),
        [best] => Some(format!("Use {best}, or look for a system that clearly wins more than half of its pairs.")),
        several => Some(format!("Choose among {} by cost, or label more pairs.", several.join(", "))),
    }
}

/// How many systems are really told apart.
pub fn of_each_two(ranking: &Ranking) -> Option<String> {
    if ranking.is_degenerate() {
        return Some(UNKNOWN_ORDER.to_owned());
    }
    let all = ranking.board.each_two.len();
    let open = ranking.board.each_two.iter().filter(|two| !two.is_clear).count();
    Some(match open {
        _ if all == 0 => return None,
        0 => "Rely on the order: all pairs of systems differ significantly.".to_owned(),
        _ => format!(
            "Do not rely on the order of {open} of the {all} pairs of systems: they do not differ significantly."
        ),
    })
}

/// Whether more of the same would help.
pub fn of_power(ranking: &Ranking) -> Option<String> {
    if ranking.is_degenerate() {
        return Some(UNKNOWN_ORDER.to_owned());
    }
    let neighbours = ranking.open_neighbours();
    let nearest = neighbours.iter().filter_map(|two| Some((two, two.more_groups?))).min_by_key(|(_, more)| *more);
    Some(match nearest {
        Some((two, more)) => {
            let more = pluralized(more, &format!("more {}", ranking.unit));
            format!("Add about {more} of these data to separate {} and {}.", two.one, two.other)
        }
        None if neighbours.is_empty() => "Stop labelling: all neighbouring systems are separated.".to_owned(),
        None => "Add other data, or stop: labels of these data alone do not separate the other systems.".to_owned(),
    })
}

/// On which pairs the first system is least reliable.
pub fn of_breakdowns(accuracy: f64, breakdowns: &[Breakdown]) -> String {
    let bins = breakdowns.iter().flat_map(|of| of.bins.iter().map(move |bin| (of, bin)));
    // The confidence is about calibration, and not known to those who choose what to judge.
    let bins = bins.filter(|(of, _)| of.key != "certainty");
    let of_first = |bin: &BreakdownBin| bin.accuracies.first().copied();
    let hard = bins.filter(|(_, bin)| of_first(bin).is_some_and(|first| first.interval.high < accuracy));
    let share = |bin: &BreakdownBin| of_first(bin).map_or(f64::NAN, |first| first.accuracy);
    match hard.min_by(|(_, one), (_, other)| share(one).total_cmp(&share(other))) {
        Some((of, bin)) => format!(
            "Check predictions for pairs whose {} is {}: their accuracy is {}, compared with {} overall.",
            of.property,
            bin.values,
            percent(share(bin)),
            percent(accuracy)
        ),
        None => "Treat all kinds of pairs alike: accuracy is significantly lower for none of them.".to_owned(),
    }
}

/// Which features to add or to keep.
pub fn of_ablation(rows: &[AblationRow]) -> Option<String> {
    let change = |row: &AblationRow| row.against_ensemble.difference;
    let significant = |outcome: Outcome, sign: char| {
        rows.iter().filter(move |row| Outcome::of(&row.against_ensemble) == outcome && row.name.starts_with(sign))
    };
    let points = |row: &AblationRow| format!("{:.1} points", 100.0 * change(row).abs());
    let family = |row: &AblationRow| row.name.trim_start_matches(['-', '+', ' ']).to_owned();
    let by_change = |one: &&AblationRow, other: &&AblationRow| change(one).total_cmp(&change(other));
    if let Some(row) = significant(Outcome::Better, '+').max_by(by_change) {
        return Some(format!("Add {}: accuracy rises by {}.", family(row), points(row)));
    }
    if let Some(row) = significant(Outcome::Better, '-').max_by(by_change) {
        return Some(format!("Drop {}: accuracy rises by {} without it.", family(row), points(row)));
    }
    if let Some(row) = significant(Outcome::Worse, '-').min_by(by_change) {
        return Some(format!("Keep {}: accuracy falls by {} without it.", family(row), points(row)));
    }
    let advice = "Keep the features as they are: dropping or adding a family does not change accuracy significantly.";
    (!rows.is_empty()).then(|| advice.to_owned())
}

/// Whether more labels would help.
pub fn of_learning_curve(points: &[CurveRow], unit: &str) -> Option<String> {
    let [.., half, all] = points else { return None };
    let gain = all.accuracy - half.accuracy;
    let step = format!(
        "from {:.0} to {:.0} {unit}s, accuracy changed by {:+.1} points",
        half.groups,
        all.groups,
        100.0 * gain
    );
    Some(match gain >= WORTHWHILE {
        true => format!("Label more pairs: {step}."),
        false => format!("Do not expect much from more labels of this kind: {step}."),
    })
}

/// How the accuracy compares with human-human agreement.
pub fn of_agreement(answer: &Answer, labels_of: &LabelSource) -> String {
    match answer.agreement {
        Some(people) if answer.accuracy < people => format!(
            "Improve {}: human-human agreement ({}) is {:.1} points higher than its accuracy.",
            of_subject(answer),
            percent(people),
            100.0 * (people - answer.accuracy)
        ),
        Some(people) => format!(
            "Improve the labels before {}: its accuracy has reached human-human agreement ({}).",
            of_subject(answer),
            percent(people)
        ),
        None if !labels_of.is_people() => {
            format!(
                "Have people label some of the pairs: what agrees with the {} may not agree with them.",
                labels_of.labels()
            )
        }
        None => {
            "Have several annotators label the same pairs: too few have two labels to measure human-human agreement."
                .to_owned()
        }
    }
}

/// What the report is about.
fn of_subject(answer: &Answer) -> &str {
    if answer.role == Role::Judge { "the model" } else { &answer.system }
}

/// Which mistakes to read first.
pub fn of_examples(details: &Details) -> Option<String> {
    let wrong = &details.most_wrong;
    let misled = wrong.iter().filter_map(|pair| {
        let toward = f64::from(pair.verdict.sign());
        let towards = |family: &&super::explanation::FamilyContribution| family.contribution * toward > 0.0;
        let most = pair.families.iter().filter(towards);
        most.max_by(|one, other| one.contribution.abs().total_cmp(&other.contribution.abs()))
    });
    let names: Vec<&str> = misled.map(|family| family.name.as_str()).collect();
    let count = |name: &&&str| names.iter().filter(|other| other == name).count();
    let (name, count) = names.iter().max_by_key(|name| count(name)).map(|name| (name, count(&name)))?;
    Some(format!(
        "Inspect {name} first: it contributes most to {count} of the {} above.",
        pluralized(wrong.len(), "worst mistake")
    ))
}

/// How many labels to check.
pub fn of_pairs(details: &Details, labels_of: &LabelSource) -> String {
    let rows = &details.all_pairs.rows;
    let given = |people: Verdict, probabilities: [f64; 3]| probabilities[people.index()];
    let surprising = rows.iter().filter(|row| given(row.people, row.probabilities.0) < SURPRISING).count();
    match surprising {
        0 => {
            format!("No label is surprising: the model gave every {} a probability of at least 20%.", labels_of.label())
        }
        count => format!(
            "Check the labels of the {} first ({} of all): the model gave their {} less than 20%.",
            pluralized(count, "surprising pair"),
            percent(count as f64 / rows.len() as f64),
            labels_of.labels()
        ),
    }
}

/// A command to go on with, and what for.
pub struct NextStep {
    pub command: &'static str,
    pub purpose: String,
}

/// Whether the first system is more accurate than always predicting the most frequent label.
fn is_useful(answer: &Answer) -> bool {
    answer.majority.as_ref().is_none_or(|majority| Outcome::of(&majority.comparison) == Outcome::Better)
}

/// The commands to go on with.
pub fn next_steps(answer: &Answer) -> Vec<NextStep> {
    let system = &answer.system;
    let step = |command, purpose: String| NextStep { command, purpose };
    if answer.role != Role::Judge {
        // No model is there to judge or to explain pairs.
        return vec![
            step("train", "Learn from the labels how to combine judges and metrics.".into()),
            step("rank", format!("Compare the systems behind the pairs by the verdicts of {system} and the labels.")),
        ];
    }
    let first = match is_useful(answer) {
        true => step("predict", format!("Judge new pairs with {system}, and leave the least certain ones to people.")),
        false => {
            step("train", "Add what the texts alone do not show: scores such as COMET's, verdicts of judges.".into())
        }
    };
    vec![
        first,
        step("explain", format!("Read why {system} is wrong, word by word.")),
        step("next", "Draw the unlabelled pairs whose labels would help most, and label them with annotate.".into()),
        step("rank", "Compare the systems behind the pairs, if these name them.".into()),
    ]
}

/// Which of these commands comes first.
pub fn of_next_steps(answer: &Answer, points: &[CurveRow]) -> String {
    if answer.role != Role::Judge {
        return "Start with train: it tells whether judges and metrics are better together than alone.".to_owned();
    }
    let grows = matches!(points, [.., half, all] if all.accuracy - half.accuracy >= WORTHWHILE);
    match (is_useful(answer), grows) {
        (true, false) => format!("Start with predict: {} is ready for new pairs.", answer.system),
        (_, true) => "Start with next: accuracy still rises with more labels.".to_owned(),
        (false, false) => "Start with train: more labels of this kind change little.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Chosen;
    use super::super::answer::Versus;
    use super::*;
    use crate::evaluation::Comparison;

    fn versus(role: Role, difference: f64, p_value: f64) -> Option<Versus> {
        let comparison = Comparison { difference, low: difference - 0.02, high: difference + 0.02, p_value };
        let chosen = (role == Role::BestMetric).then(|| Chosen { name: "chrf".to_owned(), folds: 7 });
        Some(Versus { name: "rival".to_owned(), role, chosen, accuracy: 0.5, comparison })
    }

    fn answer(rival: Option<Versus>, majority: Option<Versus>) -> Answer {
        Answer {
            system: "ensemble".to_owned(),
            role: Role::Judge,
            accuracy: 0.62,
            low: 0.6,
            high: 0.64,
            beats_rivals: false,
            rival,
            majority,
            agreement: None,
            decided_accuracy: None,
            decided_without_ties: None,
            chance: 0.4,
            people_tie: 0.2,
            system_ties: 0.1,
        }
    }

    #[test]
    fn advice_follows_the_outcome() {
        for (rival, difference, p, expected) in [
            (Role::BestMetric, 0.062, 0.01, "Use ensemble instead of chrf: its accuracy is 6.2 points higher."),
            (Role::BestMetric, 0.01, 0.3, "Use chrf: ensemble is not significantly better than the best single metric"),
            (Role::Judge, 0.01, 0.3, "Choose between ensemble and rival by cost"),
            (Role::Judge, -0.05, 0.01, "Use rival: it is more accurate than ensemble"),
        ] {
            let answer = answer(versus(rival, difference, p), versus(Role::Majority, 0.1, 0.001));
            let advice = of_accuracy(&answer).unwrap();
            assert!(advice.starts_with(expected), "{advice}");
        }
        let advice = of_accuracy(&answer(versus(Role::BestMetric, 0.1, 0.01), versus(Role::Majority, 0.01, 0.3)));
        assert!(advice.unwrap().starts_with("Do not rely on ensemble yet"));
        assert!(
            of_verdicts(&answer(None, None), &LabelSource::People)
                .unwrap()
                .contains("more ties: 10.0% of predictions, 20.0% of human labels")
        );
    }

    #[test]
    fn a_threshold_of_confidence_has_pairs_behind_it() {
        let bin = |(at, (pairs, accuracy)): (usize, (usize, f64))| {
            let from = 0.5 + 0.1 * at as f64;
            ReliabilityBin { from, to: from + 0.1, pairs, confidence: from, accuracy, low: 0.0, high: 1.0 }
        };
        let advice = |bins: [(usize, f64); 3]| {
            of_calibration(&bins.into_iter().enumerate().map(bin).collect::<Vec<_>>(), &LabelSource::People)
        };
        let trusted = advice([(100, 0.6), (60, 0.85), (40, 1.0)]).unwrap();
        assert!(trusted.starts_with("Trust verdicts with a confidence above 0.60: 91.0% of them agree"), "{trusted}");
        // The last bin alone has too few pairs.
        let checked = advice([(100, 0.6), (60, 0.8), (10, 1.0)]).unwrap();
        assert!(checked.contains("even above a confidence of 0.60, only 82.9% agree"), "{checked}");
        assert_eq!(of_calibration(&[], &LabelSource::People), None);
    }
}
