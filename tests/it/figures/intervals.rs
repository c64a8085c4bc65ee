//! Intervals and tests that hold.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tribunal::evaluation::Comparison;
use tribunal::evaluation::Groups;
use tribunal::judgments::Verdict;
use tribunal::report::text;
use tribunal::report::{Report, ReportSettings, Subject, System, Terminal};

use crate::common::Bench;

#[path = "../../../examples/coverage.rs"]
mod coverage;

/// Simulated campaigns for each cell: 400 with the variable `TRIBUNAL_COVERAGE`, as in `.ci/release`.
fn campaigns() -> usize {
    if std::env::var_os("TRIBUNAL_COVERAGE").is_some() { 400 } else { 100 }
}

#[test]
fn figure_12_intervals_hold_on_few_groups() {
    // The coverage that is promised, minus 3.5 standard errors of so many campaigns.
    let least = 0.93 - 3.5 * (0.93 * 0.07 / campaigns() as f64).sqrt();
    let mut all = Vec::new();
    for statistic in coverage::Statistic::ALL {
        for sizes in coverage::SIZES {
            for &rate in statistic.rates() {
                for groups in coverage::GROUPS {
                    let found = coverage::coverage(statistic, sizes, rate, groups, campaigns());
                    assert!(found >= least, "{statistic:?}, {sizes:?}, {rate}, {groups} groups: {found}");
                    all.push(found);
                }
            }
        }
    }
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    assert!((0.94..0.99).contains(&mean), "{mean}");
}

/// A table of so many prompts with a label, 1, -1, 1, -1, ..., and the verdict of a judge in both orders.
fn judged(count: usize, verdicts: impl Fn(usize, i32) -> [i32; 2]) -> String {
    let row = |at: usize| {
        let label = if at.is_multiple_of(2) { 1 } else { -1 };
        let [one, other] = verdicts(at, label);
        format!("Question {at}?,one {at} {at},two {at},{label},{one},{other}\n")
    };
    "prompt,hyp1,hyp2,label,good.12,good.21\n".to_owned() + &(0..count).map(row).collect::<String>()
}

#[test]
fn figure_12_a_judge_that_is_always_right_may_yet_be_wrong() {
    let bench = Bench::of(1);
    bench.write("few.csv", judged(15, |_, label| [label; 2]));
    let report = bench.json("compare few.csv --judge good -q");
    let judge = &report["judges"][0];
    let end = |statistic: &str, end: &str| judge[statistic][end].as_f64().unwrap();
    // Clopper and Pearson: 0.025^(1/15).
    assert!((end("accuracy", "low") - 0.78198).abs() < 1e-4, "{judge}");
    assert_eq!((end("accuracy", "value"), end("accuracy", "high")), (1.0, 1.0));
    assert!(end("kappa", "low") < 0.65 && end("kappa", "high") == 1.0, "{judge}");
    assert!(end("consistency", "low") < 0.8 && end("consistency", "high") == 1.0, "{judge}");
    let text = bench.output("compare few.csv --judge good -q");
    assert!(text.starts_with("Most accurate: good, 100.0% (95% CI 78.2 to 100.0; "), "{text}");
}

/// A report on two systems that agree with labels as often as chance has it.
fn random_report(seed: u64) -> Report {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let groups = random.random_range(2..60);
    let of_pair: Vec<usize> =
        (0..groups).flat_map(|group| std::iter::repeat_n(group, random.random_range(1..4))).collect();
    let people: Vec<Verdict> = of_pair.iter().map(|_| Verdict::ALL[random.random_range(0..3)]).collect();
    let mut system = |name: &str| {
        let accuracy = random.random_range(0.2..1.0);
        let verdict = |label: &Verdict| if random.random_bool(accuracy) { *label } else { label.swapped() };
        System::of_verdicts(name, people.iter().map(verdict).collect::<Vec<_>>())
    };
    let systems = [system("a"), system("b")];
    let settings = ReportSettings { matrix: true, ..ReportSettings::new(Subject::Verdicts { has_pairs: true }, seed) };
    Report::new(&people, &Groups { of_row: of_pair, count: groups }, &systems, settings)
}

/// The ends of the interval in a line.
fn interval(line: &str) -> [f64; 2] {
    let (_, interval) = line.split_once("(95% CI ").unwrap();
    let (low, high) = interval.split_once(')').unwrap().0.split_once(" to ").unwrap();
    [low, high].map(|end| end.parse().unwrap())
}

#[test]
fn figure_13_sentence_interval_and_p_value_are_one_decision() {
    let [mut decided, mut open] = [0, 0];
    for seed in 0..200 {
        let report = random_report(seed);
        let Comparison { low, high, p_value, .. } = report.answer.as_ref().unwrap().rival.as_ref().unwrap().comparison;
        let is_excluded = low > 0.0 || high < 0.0;
        assert_eq!(is_excluded, p_value < 0.05, "seed {seed}: {low} to {high}, p = {p_value}");
        assert!((report.matrix.as_ref().unwrap().p_values[0][1] - p_value).abs() < 1e-9);
        let answer = text::render_answer(&report, Terminal::default());
        let line = answer.lines().nth(1).unwrap();
        let [low, high] = interval(line);
        if line.starts_with("Beats") || line.starts_with("Worse than") {
            assert!(is_excluded && low >= 0.0, "seed {seed}: {line}");
            decided += 1;
        } else {
            assert!(!is_excluded && low <= 0.0 && high >= 0.0, "seed {seed}: {line}");
            open += 1;
        }
        let whole = text::render(&report, Terminal::default());
        let sentence = if is_excluded { "a is significantly " } else { "a does not differ significantly from " };
        assert!(whole.contains(sentence), "seed {seed}: {whole}");
    }
    assert!(decided > 20 && open > 20, "{decided} {open}");
}

#[test]
fn figure_16_nothing_is_extrapolated_from_a_handful_of_pairs() {
    let bench = Bench::of(1);
    let verdicts = |at: usize, label: i32| [if at.is_multiple_of(3) { -label } else { label }; 2];
    bench.write("few.csv", judged(29, verdicts));
    let report = bench.json("compare few.csv --judge good -q");
    assert_eq!(report["power"]["more_groups"], serde_json::Value::Null);
    let text = bench.output("compare few.csv --judge good -q");
    assert!(text.contains("too few to extrapolate to 2.0 points"), "{text}");
    assert!(!text.contains("add about"), "{text}");
}

#[test]
fn figure_16_advice_asks_for_no_more_than_the_pool_has() {
    let bench = Bench::of(1);
    let verdicts = |at: usize, label: i32| [if at.is_multiple_of(3) { -label } else { label }; 2];
    // As many rows again have no label yet.
    let pool: String = (0..60).map(|at| format!("Open {at}?,one {at} {at},two {at},,1,1\n")).collect();
    bench.write("pool.csv", judged(60, verdicts) + &pool);
    let imported = "compare pool.csv --format table --judge good -q";
    let report = bench.json(imported);
    assert_eq!(report["power"]["pool"]["pairs"], 60, "{}", report["power"]);
    assert_eq!(report["power"]["more_groups"], serde_json::Value::Null);
    let text = bench.output(imported);
    assert!(text.contains("labelling all 60 remaining pairs would narrow the 95% CI of the difference to"), "{text}");
    assert!(text.contains(" points need other data"), "{text}");
}

#[test]
fn figure_22_labels_that_agree_with_nothing_are_noticed() {
    let bench = Bench::of(150);
    let mut labels: Vec<String> = bench.read("dev.answers").lines().map(|line| format!("{line}\n")).collect();
    assert!(labels.len() > 200, "{}", labels.len());
    let warning = "labels and texts seem unrelated: check their alignment";
    let told = |command: &str| bench.run(command).done().stderr.replace('\n', " ");
    bench.write("verdicts", bench.read("dev.answers"));
    assert!(!told("compare dev.pairs -a dev.answers").contains(warning));
    assert!(!told("evaluate verdicts -a dev.answers --pairs dev.pairs").contains(warning));
    // A file that is sorted in another way.
    let third = labels.len() / 3;
    labels.rotate_left(third);
    bench.write("moved", labels.concat());
    for command in
        ["compare dev.pairs -a moved", "train dev.pairs -a moved", "evaluate verdicts -a moved --pairs dev.pairs"]
    {
        let said = told(command);
        assert!(said.contains(warning), "{command}: {said}");
    }
}
