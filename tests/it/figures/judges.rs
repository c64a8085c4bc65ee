//! One value and one name for what is said about a judge.

use serde_json::Value;

use crate::common::Bench;

/// A pseudo-random number below `of`, the same every time.
fn draw(at: usize, seed: usize, of: usize) -> usize {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (seed as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 33) as usize % of
}

/// 1, -1 and 0 in turn.
fn label(at: usize) -> i32 {
    [1, -1, 0][at % 3]
}

/// A verdict, or nothing.
fn written(verdict: Option<i32>) -> String {
    verdict.map_or(String::new(), |verdict| verdict.to_string())
}

/// A row with this name of a list in a report.
fn named<'r>(rows: &'r Value, key: &str, name: &str) -> &'r Value {
    rows.as_array().unwrap().iter().find(|row| row[key] == name).unwrap_or_else(|| panic!("no {name} in {rows}"))
}

/// Pairs with three careful annotators; `silent` is always right and says nothing on a fifth of the pairs, `copy` is the
/// same column, `ties` says tie there, and `wrong` says nothing where the human label is a tie and is wrong elsewhere.
fn silent(bench: &Bench) {
    let row = |at: usize| {
        let careful = |seed: usize| if draw(at, seed, 6) == 0 { label(at + 1) } else { label(at) };
        let is_silent = draw(at, 4, 5) == 0;
        let silent = written((!is_silent).then_some(label(at)));
        let ties = if is_silent { 0 } else { label(at) };
        let wrong = written((label(at) != 0).then_some(-label(at)));
        let annotators = [1, 2, 3].map(|seed| careful(seed).to_string()).join(",");
        format!("question {at},first {at},second {at},{},{annotators},{silent},{silent},{ties},{wrong}\n", label(at))
    };
    let rows: String = (0..150).map(row).collect();
    bench.write("x.csv", format!("prompt,hyp1,hyp2,label,ann,bob,dan,silent,copy,ties,wrong\n{rows}"));
}

#[test]
fn figure_17_missing_verdicts_are_skipped_and_never_right_by_chance() {
    let bench = Bench::of(1);
    silent(&bench);
    let command = "compare x.csv --judge silent,copy,ties,wrong -q";
    let report = bench.json(command);
    let (row, statistics) =
        (|name| named(&report["systems"], "name", name), |name| named(&report["judges"], "name", name));
    assert_eq!((&report["answer"]["system"], &report["answer"]["accuracy"]), (&"silent".into(), &1.0.into()));
    for (name, accuracy) in [("silent", 1.0), ("copy", 1.0), ("wrong", 0.0)] {
        assert_eq!(row(name)["accuracy"], accuracy, "{name}");
        assert_eq!(statistics(name)["accuracy"]["value"], accuracy, "{name}");
        assert_eq!(row(name)["coverage"], statistics(name)["coverage"], "{name}");
        let missing = statistics(name)["missing"].as_f64().unwrap();
        assert_eq!(row(name)["coverage"].as_f64(), Some((150.0 - missing) / 150.0), "{name}");
    }
    assert_eq!((&row("copy")["same_as"], &row("ties")["same_as"]), (&"silent".into(), &Value::Null));
    // The best judge has the accuracy of its own row.
    assert_eq!(named(&report["systems"], "role", "best-metric")["accuracy"], 1.0);
    let text = bench.output(command);
    for part in
        ["Most accurate: silent, 100.0%", ", coverage 8", "missing verdicts are skipped", "missing verdicts skipped"]
    {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(part), "no {part:?} in {text}");
    }
    bench.output(&format!("{command} --report report"));
    let table = bench.read("report/accuracy.csv");
    assert!(table.lines().next().unwrap().contains(",coverage,"), "{table}");
}

#[test]
fn figure_17b_the_alternative_test_drops_pairs_without_a_verdict() {
    let bench = Bench::of(1);
    silent(&bench);
    let report = bench.json("compare x.csv --annotators ann,bob,dan --judge silent,copy,ties -q");
    let tests = &report["annotators"]["alternative"];
    let without_name = |name: &str| {
        let mut test = named(tests, "system", name).clone();
        test["system"].take();
        test
    };
    let test = without_name("silent");
    assert_eq!((&test["winning_rate"], &test["passes"]), (&1.0.into(), &true.into()), "{test}");
    assert_eq!(test, without_name("copy"));
    let missing = named(&report["judges"], "name", "silent")["missing"].as_u64().unwrap();
    for annotator in test["annotators"].as_array().unwrap() {
        assert_eq!(annotator["pairs"], 150 - missing);
    }
}

/// The verdicts of a judge in both orders, from the number of pairs that it gets right in each and in both, and on which
/// it is consistent. What is wrong in both orders but not equal has no verdict in the first.
fn verdicts(counts: &Value, pairs: usize) -> Vec<[Option<bool>; 2]> {
    let [one, other, both, equal] =
        ["right_12", "right_21", "both_right", "equal"].map(|key| counts[key].as_u64().unwrap() as usize);
    let kinds = [
        (both, [Some(true), Some(true)]),
        (one - both, [Some(true), Some(false)]),
        (other - both, [Some(false), Some(true)]),
        (equal - both, [Some(false), Some(false)]),
        (pairs, [None, Some(false)]),
    ];
    kinds.iter().flat_map(|&(count, kind)| std::iter::repeat_n(kind, count)).take(pairs).collect()
}

#[test]
fn figure_18_the_published_accuracies_of_llmbar_come_out() {
    let golden: Value = serde_json::from_str(include_str!("../../golden/llmbar.json")).unwrap();
    let judges: Vec<&String> = golden["judges"].as_object().unwrap().keys().collect();
    let mut compared = 0;
    for (subset, pairs) in golden["pairs"].as_object().unwrap() {
        let pairs = pairs.as_u64().unwrap() as usize;
        let of = |judge: &str| &golden["judges"][judge][subset];
        let all: Vec<Vec<[Option<bool>; 2]>> = judges.iter().map(|name| verdicts(&of(name)["counts"], pairs)).collect();
        let bench = Bench::of(1);
        let columns = judges.iter().map(|name| format!(",{name}.12,{name}.21")).collect::<String>();
        let mut table = format!("prompt,hyp1,hyp2,label{columns}\n");
        for at in 0..pairs {
            let label = if at % 2 == 0 { 1 } else { -1 };
            table += &format!("question {at},first {at},second {at},{label}");
            for verdict in all.iter().flat_map(|judge| judge[at]) {
                table += &format!(",{}", written(verdict.map(|right| if right { label } else { -label })));
            }
            table += "\n";
        }
        bench.write("x.csv", table);
        let names = judges.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(",");
        let report = bench.json(&format!("compare x.csv --judge {names} -q"));
        for (name, given) in judges.iter().zip(&all) {
            let value = |key: &str| named(&report["judges"], "name", name)[key]["value"].as_f64().unwrap();
            let published = of(name)["correct_average"].as_f64().unwrap() / 100.0;
            let row = named(&report["systems"], "name", name)["accuracy"].as_f64().unwrap();
            assert_eq!(value("accuracy"), row, "{name} on {subset}");
            assert!((value("accuracy") - (value("accuracy_12") + value("accuracy_21")) / 2.0).abs() < 1e-12);
            // The paper counts a missing verdict as wrong.
            let missing = given.iter().filter(|orders| orders[0].is_none()).count();
            let given_12 = 1.0 - missing as f64 / pairs as f64;
            let accuracy = (value("accuracy_12") * given_12 + value("accuracy_21")) / 2.0;
            assert!((accuracy - published).abs() < 1e-12, "{name} on {subset}: {accuracy}, not {published}");
            if missing == 0 {
                assert!((value("accuracy") - published).abs() < 1e-12, "{name} on {subset}");
                let share = |key: &str| of(name)["counts"][key].as_f64().unwrap() / pairs as f64;
                assert!((value("consistency") - share("equal")).abs() < 1e-12, "{name} on {subset}");
                assert!((value("both_orders_right") - share("both_right")).abs() < 1e-12, "{name} on {subset}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 20);
}

/// Pairs without references: `good` is right nine times in ten in both orders, `first` always prefers what is shown first
/// and is at chance, `leaning` is right and prefers what is shown first.
fn biased(bench: &Bench) {
    let row = |at: usize| {
        let label = if at.is_multiple_of(2) { 1 } else { -1 };
        let good = if draw(at, 6, 10) == 0 { -label } else { label };
        let leaning = if draw(at, 7, 2) == 0 { [1, -1] } else { [label; 2] };
        format!("question {at},first {at},second {at} {at},{label},{good},{good},1,-1,{},{}\n", leaning[0], leaning[1])
    };
    let rows: String = (0..120).map(row).collect();
    let header = "prompt,hyp1,hyp2,label,good.12,good.21,first.12,first.21,leaning.12,leaning.21\n";
    bench.write("x.csv", header.to_owned() + &rows);
}

#[test]
fn figure_18b_the_three_figures_of_both_orders_have_their_names() {
    let bench = Bench::of(1);
    biased(&bench);
    let report = bench.json("compare x.csv --judge good,first,leaning -q");
    let value = |name: &str, key: &str| named(&report["judges"], "name", name)[key]["value"].as_f64().unwrap();
    assert_eq!(["accuracy", "consistency", "both_orders_right"].map(|key| value("first", key)), [0.5, 0.0, 0.0]);
    let expected = (1.0 + value("leaning", "consistency")) / 2.0;
    // It contradicts itself throughout, so that there is nothing to be right about.
    assert!(named(&report["judges"], "name", "first")["consistent_accuracy"].is_null());
    assert_eq!(value("leaning", "consistent_accuracy"), 1.0);
    assert!((value("leaning", "accuracy") - expected).abs() < 1e-12);
    assert_eq!(named(&report["systems"], "name", "leaning")["accuracy"], value("leaning", "accuracy"));
    bench.output("compare x.csv --judge good,first,leaning -q --report report");
    let (text, page) = (bench.output("compare x.csv --judge first -q"), bench.read("report/report.html"));
    for name in ["accuracy", "consistency", "both orders right", "coverage"] {
        assert!(text.contains(name) && page.contains(name), "no {name:?} in {text}");
    }
}

#[test]
fn figure_19_a_page_without_a_model_is_about_the_best_judge() {
    let bench = Bench::of(1);
    biased(&bench);
    bench.output("compare x.csv --judge good,first,leaning -q --report report");
    let page = bench.read("report/report.html");
    assert!(page.contains("<h1>How often does good agree with human labels"), "{page}");
    assert!(page.contains("columns: good") && !page.contains("columns: majority"), "{page}");
    // The only advice is what such a report can be followed with.
    assert!(!page.contains("tie rule") && !page.contains("tribunal predict"), "{page}");
}

#[test]
fn figure_19b_advice_is_drawn_from_the_figures_of_its_section() {
    let bench = Bench::of(1);
    biased(&bench);
    let command = "compare x.csv --judge good,first,leaning -q";
    bench.output(&format!("{command} --report report"));
    let page = bench.read("report/report.html");
    assert!(
        page.contains("Do not rely on first alone: agreement with human labels is not significantly above chance."),
        "{page}"
    );
    let text = bench.output(command).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("first: agreement with human labels is not significantly above chance: Cohen's kappa"),
        "{text}"
    );
    assert!(!text.contains("good: agreement") && !text.contains("leaning: agreement"), "{text}");
    bench.output("compare x.csv --judge good,leaning -q --report report");
    let page = bench.read("report/report.html");
    assert!(page.contains("Keep asking leaning in both orders") && !page.contains("both orders only"), "{page}");
}

#[test]
fn figure_21_words_of_a_report_are_plain_and_name_the_groups() {
    let bench = Bench::of(12);
    let text = bench.output("compare dev.pairs -a dev.answers -q");
    assert!(text.contains("% by chance), 36 pairs, 12 references\n"), "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("% on untied pairs, forced to choose"), "{text}");
    assert!(!text.contains("decided pairs (no tie option)") && !text.contains("; chance "), "{text}");
    biased(&bench);
    bench.output("train x.csv --judge good -q --folds 4 --ablation --report report -m m.json");
    let page = bench.read("report/report.html");
    assert!(page.contains("all features and all prompts") && !page.contains("all references"), "{page}");
    let leaked = bench.run("compare x.csv -m m.json").done().stderr;
    assert!(leaked.contains("was trained on the prompts of 120 of these 120 pairs"), "{leaked}");
}

#[test]
fn figure_24_power_and_selection_are_told_in_the_words_of_the_field() {
    let bench = Bench::of(1);
    biased(&bench);
    let text = bench.output("compare x.csv --judge good,first,leaning -q");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("Power: with 120 prompts, a gain of ") && text.contains("with 80% power (p < 0.05)"),
        "{text}"
    );
    assert!(text.contains("good was selected as the most accurate on these pairs"), "{text}");
    assert!(!text.contains("in hindsight") && !text.contains("of 100 cases"), "{text}");
}

#[test]
fn figure_21_a_bias_is_measured_on_the_pairs_that_were_judged() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let label = if at.is_multiple_of(2) { 1 } else { -1 };
        let verdict = if label == 1 { "1" } else { "" };
        format!("Question {at}?,one {at} {at},two {at},{label},{verdict}\n")
    };
    let rows: String = (0..40).map(row).collect();
    bench.write("half.csv", format!("prompt,hyp1,hyp2,label,half\n{rows}"));
    let text = bench.output("compare half.csv --judge half -q");
    assert!(!text.contains("half prefers hypothesis 1"), "it agrees with every label that it saw: {text}");
    assert!(text.contains("coverage 50.0%"), "{text}");
}
