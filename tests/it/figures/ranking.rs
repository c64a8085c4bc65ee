//! Rankings, their labels and their intervals.

use std::fmt::Write;

use proptest::prelude::*;
use tribunal::evaluation::{BoardSettings, Draw, Leaderboard, Outcome, STYLES, TwoSystems, combined_probabilities};
use tribunal::formats::Signals;
use tribunal::judgments::{JudgeVerdicts, Language, Pair, Scale, Verdict};
use tribunal::report::html;
use tribunal::report::ranking::{Ranking, RankingData};
use tribunal::workflows::{Context, Engine, NextSettings, next};

use crate::common::Bench;

/// A number from 0 to 999 that looks random.
fn noise(at: usize, seed: usize) -> usize {
    let mixed = (at + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(seed.wrapping_mul(0xD1B5_4A32_D192_ED03));
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) % 1000
}

/// Pairs of three systems with labels, and two judges that know more about some than about others.
fn pairs(count: usize) -> Vec<Pair> {
    let pair = |at: usize| {
        let two = [[0, 1], [1, 2], [2, 0]][at % 3];
        let strength = [0.62, 0.56, 0.3][at % 3];
        // Of half of the pairs nothing is known.
        let is_easy = noise(at, 5) < 500;
        let first =
            if is_easy { if noise(at, 6) < (1000.0 * strength) as usize { 0.93 } else { 0.07 } } else { strength };
        let label = match noise(at, 7) {
            tie if tie < 80 => Verdict::Tie,
            other if ((other - 80) as f64) < 920.0 * first => Verdict::First,
            _ => Verdict::Second,
        };
        let verdict = |name: &str, seed: usize| JudgeVerdicts {
            name: name.into(),
            orders: [Some(2.0 * (first + (noise(at, seed) as f64 - 500.0) / 4000.0).clamp(0.01, 0.99) - 1.0), None],
            scale: Scale::Probability,
            has_words: false,
        };
        Pair {
            prompt: Some(format!("question {at}")),
            systems: Some(two.map(|system| format!("s{system}"))),
            label: Some(label),
            verdicts: vec![verdict("one", 8), verdict("other", 9)],
            line: at + 1,
            ..Pair::new([format!("answer {at}"), format!("reply {at}")], Vec::new())
        }
    };
    (0..count).map(pair).collect()
}

/// A table of these pairs, with the labels that `is_labelled` wants.
fn table(pairs: &[Pair], is_labelled: impl Fn(usize) -> bool) -> String {
    let mut text = "prompt,hyp1,hyp2,system1,system2,label,one\n".to_owned();
    for (at, pair) in pairs.iter().enumerate() {
        let [first, second] = &pair.hypotheses;
        let [one, other] = pair.systems.as_ref().unwrap();
        let label = pair.label.filter(|_| is_labelled(at)).map_or_else(String::new, |label| label.to_string());
        let judge = pair.verdicts[0].orders[0].unwrap();
        let _ = writeln!(text, "question {at},{first},{second},{one},{other},{label},{judge}");
    }
    text
}

/// The rows of a table without commas in its cells.
fn rows(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut lines = text.lines();
    let header: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    lines.map(|line| header.iter().cloned().zip(line.split(',').map(str::to_owned)).collect()).collect()
}

/// What `next` drew, with the labels that were hidden.
fn labelled(drawn: &str, pairs: &[Pair]) -> String {
    let mut text = "prompt,hyp1,hyp2,system1,system2,label,drawn,wave\n".to_owned();
    for row in rows(drawn) {
        let at: usize = row["hyp1"].trim_start_matches("answer ").parse().unwrap();
        let label = pairs[at].label.unwrap();
        let cells = ["prompt", "hyp1", "hyp2", "system1", "system2"].map(|name| row[name].as_str()).join(",");
        let _ = writeln!(text, "{cells},{label},{},{}", row["drawn"], row["wave"]);
    }
    text
}

fn mean_width(ranking: &serde_json::Value) -> f64 {
    let rates = ranking["systems"].as_array().unwrap().iter().map(|system| &system["win_rate"]);
    rates.map(|rate| rate["high"].as_f64().unwrap() - rate["low"].as_f64().unwrap()).sum()
}

#[test]
fn figure_11_waves_of_labels_are_weighed_together() {
    let (bench, pairs) = (Bench::of(1), pairs(300));
    bench.write("pool.csv", table(&pairs, |at| noise(at, 1) < 300));
    let count = (0..300).filter(|&at| noise(at, 1) < 300).count();
    bench.output("next pool.csv -n 30 --judge one -o second.csv -q");
    let drawn = rows(&bench.read("second.csv"));
    assert_eq!(drawn.len(), count + 30, "earlier labels are written, too");
    for row in &drawn {
        let probability: f64 = row["drawn"].parse().unwrap();
        let is_first = !row["label"].is_empty();
        assert_eq!(row["wave"], if is_first { "1" } else { "2" });
        assert!(!is_first || (probability - count as f64 / 300.0).abs() < 1e-12, "{row:?}");
    }
    bench.write("labels.csv", labelled(&bench.read("second.csv"), &pairs));
    bench.output("next pool.csv -a labels.csv -n 20 --judge one -o third.csv -q");
    let waves: Vec<String> = rows(&bench.read("third.csv")).iter().map(|row| row["wave"].clone()).collect();
    let of = |wave: &str| waves.iter().filter(|found| *found == wave).count();
    assert_eq!((of("1"), of("2"), of("3")), (count, 30, 20));
    bench.write("more.csv", labelled(&bench.read("third.csv"), &pairs));
    for by in ["human", "both --judge one"] {
        let widths = ["pool.csv", "pool.csv -a labels.csv", "pool.csv -a more.csv"].map(|files| {
            let run = bench.run(&format!("rank {files} --by {by} --json -q")).done();
            assert!(!run.stdout.contains("warnings") && !run.stderr.contains("drawn"), "{}{}", run.stdout, run.stderr);
            mean_width(&serde_json::from_str(&run.stdout).unwrap())
        });
        assert!(widths[0] > widths[1] && widths[1] > widths[2], "{by}: {widths:?}");
    }
    // The pool has the first wave; only what was drawn comes from elsewhere.
    let second: String = bench
        .read("labels.csv")
        .lines()
        .filter(|row| !row.ends_with(",1"))
        .fold(String::new(), |text, row| text + row + "\n");
    bench.write("alone.csv", second);
    let of = |labels: &str| bench.json(&format!("rank pool.csv -a {labels} --by human -q"));
    assert!((mean_width(&of("alone.csv")) - mean_width(&of("labels.csv"))).abs() < 1e-9);
    // The page for labelling shows what has no label, and exports the labels of the first wave with it.
    bench.output("annotate second.csv -o page.html -q");
    let page = bench.read("page.html");
    assert!(page.contains("\"earlier\":[[\"answer "), "earlier labels are exported");
    assert_eq!(page.matches("\"is_repeat\":false").count(), 30, "and not shown");
}

#[test]
fn figure_11b_labels_that_cannot_be_weighed_are_refused() {
    let (bench, pairs) = (Bench::of(1), pairs(200));
    let mut mixed = "prompt,hyp1,hyp2,system1,system2,label,drawn,one\n".to_owned();
    for (at, row) in rows(&table(&pairs, |at| at < 120)).iter().enumerate() {
        let drawn = if at < 50 { "0.25" } else { "" };
        let cells = ["prompt", "hyp1", "hyp2", "system1", "system2", "label"].map(|name| row[name].as_str()).join(",");
        let _ = writeln!(mixed, "{cells},{drawn},{}", row["one"]);
    }
    bench.write("mixed.csv", &mixed);
    let labels: Vec<&str> = mixed.lines().take(121).collect();
    bench.write("labels.csv", labels.join("\n") + "\n");
    for command in [
        "rank mixed.csv --by human -q",
        "rank mixed.csv --by both --judge one -q",
        "next mixed.csv -n 5 -o x.csv -q",
        "train labels.csv -m x.json -q",
    ] {
        let parts = ["in the column drawn, for all labels or for none", "50 labels with it and 70 without", "next"];
        bench.refuses(command, &parts);
        assert!(!bench.path("x.csv").exists() && !bench.path("x.json").exists(), "{command}");
    }
    // Where labels do not count, it does not matter.
    bench.output("rank mixed.csv --by one -q");
}

/// Draws by the disputes of both judges.
fn drawing(count: usize, random_share: f64, seed: u64) -> NextSettings {
    let signals = Signals::parse(&[], &["one", "other"].map(str::to_owned)).unwrap();
    NextSettings { count, random_share, signals, language: Language::default(), seed }
}

#[test]
fn figure_11c_next_draws_with_the_probabilities_that_it_writes() {
    const SEEDS: u64 = 1500;
    let mut pool: Vec<Pair> = pairs(80);
    pool.iter_mut().enumerate().filter(|(at, _)| at % 4 != 1).for_each(|(_, pair)| pair.label = None);
    let engine = Engine::new();
    let (mut counts, mut probabilities) = (vec![0.0; 80], vec![0.0; 80]);
    for seed in 0..SEEDS {
        let settings = drawing(12, 0.2, seed);
        for pair in next(Context::new(&engine), &pool, None, &settings).unwrap() {
            counts[pair.line - 1] += 1.0;
            probabilities[pair.line - 1] = pair.drawn.unwrap();
        }
    }
    let open: Vec<usize> = (0..80).filter(|&at| pool[at].label.is_none()).collect();
    assert!((open.iter().map(|&at| probabilities[at]).sum::<f64>() - 12.0).abs() < 1e-9);
    for at in open {
        let expected = probabilities[at];
        let error = (expected * (1.0 - expected) / SEEDS as f64).sqrt();
        assert!((counts[at] / SEEDS as f64 - expected).abs() < 4.5 * error, "{at}: {} {expected}", counts[at]);
    }
}

/// The ranking by labels, and by labels and the verdicts of the first judge, of a pool that `next` has drawn from.
fn rankings(pool: &[Pair]) -> [Leaderboard; 2] {
    let draw = |pair: &Pair| Some(Draw { wave: pair.wave?, probability: pair.drawn? });
    let drawn = combined_probabilities(&pool.iter().map(draw).collect::<Vec<_>>());
    [false, true].map(|is_both| {
        let outcome = |(at, (pair, drawn)): (usize, (&Pair, &Option<f64>))| {
            let [one, other] = [[0, 1], [1, 2], [2, 0]][at % 3];
            let label = pair.label.map(|label| f64::midpoint(1.0, f64::from(label.sign())));
            let predicted = pair.verdicts[0].orders[0].filter(|_| is_both).map(|value| f64::midpoint(1.0, value));
            Outcome { systems: [one, other], group: at, label, predicted, drawn: *drawn, style: [0.0; STYLES] }
        };
        let outcomes: Vec<Outcome> = pool.iter().zip(&drawn).enumerate().map(outcome).collect();
        Leaderboard::new(&["s0", "s1", "s2"].map(str::to_owned), &outcomes, &BoardSettings::default())
    })
}

/// One campaign of labelling: for each wave, by labels and by both, how many intervals hold, and their mean width.
fn campaign(all: &[Pair], truth: &Leaderboard, is_random: bool, seed: usize) -> Vec<[f64; 2]> {
    let engine = Engine::new();
    let hide = |(at, pair): (usize, &Pair)| {
        let is_first = is_random && noise(at, 1000 + seed) < 250;
        let label = pair.label.filter(|_| is_first);
        Pair { label, drawn: label.map(|_| 0.25), wave: label.map(|_| 1), ..pair.clone() }
    };
    let mut pool: Vec<Pair> = all.iter().enumerate().map(hide).collect();
    let mut found = Vec::new();
    for (wave, count) in [100, 20, 20, 40].into_iter().enumerate() {
        if wave > 0 || !is_random {
            let settings = drawing(count, 0.3, (10 * seed + wave) as u64);
            for pair in next(Context::new(&engine), &pool, None, &settings).unwrap() {
                let at = pair.line - 1;
                pool[at] = Pair { label: all[at].label, ..pair };
            }
        }
        for board in rankings(&pool) {
            let (mut held, mut width) = (0.0, 0.0);
            for system in &truth.systems {
                let of_system = board.systems.iter().find(|other| other.name == system.name).unwrap().win_rate;
                let is_held = of_system.low <= system.win_rate.value && system.win_rate.value <= of_system.high;
                held += f64::from(u8::from(is_held)) / 3.0;
                width += (of_system.high - of_system.low) / 3.0;
            }
            found.push([held, width]);
        }
    }
    found
}

#[test]
fn figure_11d_intervals_hold_after_every_wave() {
    const CAMPAIGNS: usize = 200;
    let all = pairs(400);
    let everything: Vec<Pair> =
        all.iter().map(|pair| Pair { drawn: Some(1.0), wave: Some(1), ..pair.clone() }).collect();
    let [truth, _] = rankings(&everything);
    for is_random in [true, false] {
        let found: Vec<Vec<[f64; 2]>> = (0..CAMPAIGNS).map(|seed| campaign(&all, &truth, is_random, seed)).collect();
        let mean = |at: usize, part: usize| found.iter().map(|of| of[at][part]).sum::<f64>() / CAMPAIGNS as f64;
        for at in 0..8 {
            let (coverage, width) = (mean(at, 0), mean(at, 1));
            assert!(coverage >= 0.93, "{is_random} {at}: {coverage}");
            assert!(at < 2 || width < mean(at - 2, 1), "{is_random} {at}: {width} {}", mean(at - 2, 1));
        }
        assert!(mean(1, 1) < 0.9 * mean(0, 1), "predictions help");
    }
}

fn outcome(systems: [usize; 2], group: usize, label: f64) -> Outcome {
    Outcome { systems, group, label: Some(label), predicted: None, drawn: None, style: [0.0; STYLES] }
}

fn ranking(systems: usize, outcomes: &[Outcome], has_style: bool) -> Ranking {
    let names: Vec<String> = (0..systems).map(|system| format!("s{system}")).collect();
    let board = Leaderboard::new(&names, outcomes, &BoardSettings { has_style, pool_pairs: 0 });
    let data = RankingData {
        by: "human labels".into(),
        unit: "prompt",
        seed: 1,
        is_weighted: false,
        leak: None,
        lengths: Vec::new(),
    };
    Ranking::new(board, data)
}

/// That a ranking does not contradict itself.
fn check(ranking: &Ranking) -> Result<(), TestCaseError> {
    let board = &ranking.board;
    let components = board.systems.iter().map(|system| system.component).max().unwrap_or(0);
    let page = html::ranking(ranking, "x.csv").unwrap();
    for component in 1..=components {
        let members: Vec<usize> =
            (0..board.systems.len()).filter(|&place| board.systems[place].component == component).collect();
        let best = &board.systems[members[0]];
        let said = &ranking.findings()[component - 1];
        let first = members.iter().filter(|&&place| board.systems[place].cluster == 1).count();
        prop_assert!(page.contains(said.as_str()), "{said}");
        prop_assert_eq!(said.starts_with("No clear first"), first > 1, "{}", said);
        prop_assert_eq!(best.ranks == [1, 1], first == 1, "{} {:?}", said, best);
        if said.contains("is first") {
            prop_assert!(best.rate().low > 0.5 && best.ranks == [1, 1], "{said} {best:?}");
        }
        for &place in &members {
            let row = &board.systems[place];
            prop_assert!(row.ranks[0] <= row.rank && row.rank <= row.ranks[1], "{row:?}");
            for estimate in [row.win_rate, row.rate(), row.strength] {
                prop_assert!(
                    estimate.low <= estimate.value + 1e-12 && estimate.value <= estimate.high + 1e-12,
                    "{row:?}"
                );
            }
        }
        for (at, &one) in members.iter().enumerate() {
            for &other in &members[at + 1..] {
                let (two, is_in_order) = board.two(one, other).unwrap();
                prop_assert!(
                    is_in_order && two.one == board.systems[one].name && two.other == board.systems[other].name
                );
                check_two(board, two, [one, other], members.len())?;
            }
        }
    }
    Ok(())
}

fn check_two(board: &Leaderboard, two: &TwoSystems, places: [usize; 2], members: usize) -> Result<(), TestCaseError> {
    let [one, other] = places.map(|place| &board.systems[place]);
    if two.is_clear {
        prop_assert!(two.p_value < 0.05 && one.ranks[0] < other.ranks[1] && one.rank < other.rank, "{two:?}");
        prop_assert!(two.more_groups.is_none_or(|more| more == 0) || two.p_value > 1e-3, "{two:?}");
    } else {
        prop_assert_eq!(one.cluster, other.cluster, "{:?}", two);
    }
    if !board.is_by_strength {
        prop_assert_eq!(two.is_clear, two.p_value < 0.05 && two.difference.value > 0.0 && one.rank < other.rank);
        prop_assert_eq!(two.difference.low > 1e-9 || two.difference.high < -1e-9, two.p_value < 0.05, "{:?}", two);
    }
    if members == 2 && !board.is_by_strength {
        prop_assert_eq!(two.is_clear, one.win_rate.low > 0.5 + 1e-9, "{:?} {:?}", two, one);
        prop_assert_eq!(two.is_clear, other.win_rate.high < 0.5 - 1e-9, "{:?} {:?}", two, other);
        prop_assert_eq!(two.is_clear, one.strength.low > 1.0 + 1e-9, "{:?} {:?}", two, one);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn figure_13_sentence_interval_cluster_and_page_agree(
        systems in 2..5_usize,
        groups in 1..30_usize,
        has_style in proptest::bool::weighted(0.2),
        skill in 0..4_u32,
        rows in proptest::collection::vec((0..20_usize, 1..20_usize, 0..30_usize, 0..10_u32), 1..120),
    ) {
        let row = |&(one, step, group, luck): &(usize, usize, usize, u32)| {
            let one = one % systems;
            let other = (one + 1 + step % (systems - 1)) % systems;
            let label = match luck {
                0 => 0.5,
                luck if luck <= 4 + skill => f64::from(u8::from(one < other)),
                _ => f64::from(u8::from(one > other)),
            };
            let style = if has_style { [f64::from(luck) - 4.0, 0.0, 0.0] } else { [0.0; STYLES] };
            Outcome { style, ..outcome([one, other], group % groups, label) }
        };
        check(&ranking(systems, &rows.iter().map(row).collect::<Vec<_>>(), has_style))?;
    }
}

#[test]
fn figure_13b_the_two_sentences_that_contradicted_themselves() {
    // Every number of wins of 100, near the level of the test.
    for wins in 55..66 {
        let outcomes: Vec<Outcome> = (0..100).map(|at| outcome([0, 1], at, f64::from(u8::from(at < wins)))).collect();
        let found = ranking(2, &outcomes, false);
        let is_above = found.board.systems[0].win_rate.low > 0.5;
        assert_eq!(found.findings()[0].starts_with("s0 is first"), is_above, "{:?}", found.findings());
        check(&found).unwrap();
    }
}

#[test]
fn figure_14_equal_systems_are_tied() {
    // Each prompt has one win of each; and sums of thirds and sevenths, which are not exact.
    for groups in [1, 7, 30, 1000] {
        let outcomes: Vec<Outcome> = (0..groups)
            .flat_map(|group| [outcome([0, 1], group, 1.0), outcome([0, 1], group, 0.0), outcome([2, 0], group, 0.5)])
            .chain((0..groups).map(|group| outcome([1, 2], group, 0.5)))
            .collect();
        let found = ranking(3, &outcomes, false);
        for system in &found.board.systems {
            assert_eq!((system.cluster, system.rank, system.ranks), (1, 1, [1, 3]), "{groups}: {system:?}");
        }
        assert!(
            found.board.differences.iter().all(|two| !two.is_clear && two.p_value > 0.99),
            "{:?}",
            found.board.differences
        );
        check(&found).unwrap();
    }
}

#[test]
fn figure_14b_style_that_explains_everything_is_not_nothing() {
    let bench = Bench::of(1);
    for (name, count) in [("many.csv", 120), ("few.csv", 5)] {
        let mut text = "prompt,hyp1,hyp2,system1,system2,label\n".to_owned();
        for at in 0..count {
            let long = "a text that goes on and on ".repeat(2 + at % 5);
            let (first, second, label) =
                if at % 2 == 0 { (long.as_str(), "short", 1) } else { ("short", long.as_str(), -1) };
            let _ = writeln!(text, "q{at},{first} {at},{second} {at},s{},s{},{label}", at % 3, (at + 1) % 3);
        }
        bench.write(name, text);
        let found = bench.json(&format!("rank {name} --style-control -q"));
        let length = found["style"][0]["value"].as_f64().unwrap();
        assert!(length > 0.5 && found["has_prior"] == true, "{name}: {found}");
        assert!(found["style"][0]["low"].as_f64().unwrap() < length, "{found}");
        let text = bench.output(&format!("rank {name} --style-control -q")).replace('\n', " ");
        assert!(text.contains("have no maximum") && text.contains("Gelman"), "{text}");
    }
}

#[test]
fn figure_14c_many_systems_are_ranked() {
    // With a fit for each of 1,000 resamples this took minutes.
    let outcomes: Vec<Outcome> = (0..10_000)
        .map(|at| {
            let two = [noise(at, 1) % 500, noise(at, 2) % 500];
            let [one, other] = if two[0] == two[1] { [two[0], (two[0] + 1) % 500] } else { two };
            outcome([one, other], at, f64::from(u8::from(noise(at, 3) < if one < other { 700 } else { 300 })))
        })
        .collect();
    let names: Vec<String> = (0..500).map(|system| format!("s{system}")).collect();
    let board = Leaderboard::new(&names, &outcomes, &BoardSettings::default());
    assert_eq!((board.systems.len(), board.differences.len(), board.is_by_strength), (500, 124_750, true));
    assert!(board.differences.iter().any(|two| two.is_clear) && board.differences.iter().any(|two| !two.is_clear));
}

#[test]
fn figure_16_advice_is_never_more_than_the_pool_has() {
    let (bench, pairs) = (Bench::of(1), pairs(300));
    for (labels, options) in [(30, ""), (30, "--by both --judge one"), (300, ""), (150, ""), (0, "--by one")] {
        bench.write("pool.csv", table(&pairs, |at| at < labels));
        let found = bench.json(&format!("rank pool.csv {options} -q"));
        let left = if labels == 0 { 0 } else { 300 - labels };
        for two in found["differences"].as_array().unwrap() {
            assert!(two["more_groups"].as_u64().is_none_or(|more| more <= left as u64), "{two}");
            assert_eq!(two["pool_shows"].is_number(), left > 0, "{two}");
        }
        let text = bench.output(&format!("rank pool.csv {options} -q"));
        let said = text.replace("\n", " ");
        assert!(!said.contains("thousand times"), "{text}");
        if said.contains("To separate") {
            let part = match labels {
                0 => "as all pairs of these are judged",
                300 => "as all pairs of these are labelled",
                _ => "the other",
            };
            assert!(said.contains(part) || said.contains(&format!("of the {left} more pairs")), "{part}: {text}");
        }
    }
}

#[test]
fn figure_23a_a_system_is_first_only_where_it_wins_more_than_half() {
    let bench = Bench::of(1);
    for (count, is_first) in [(5, false), (6, true)] {
        let rows: String = (0..count).map(|at| format!("q{at},a{at},b{at},x,y,1\n")).collect();
        bench.write("all.csv", format!("prompt,hyp1,hyp2,system1,system2,label\n{rows}"));
        let text = bench.output("rank all.csv -q");
        assert_eq!(text.contains("x is first"), is_first, "{text}");
        let found = bench.json("rank all.csv -q");
        assert_eq!(found["systems"][0]["win_rate"]["low"].as_f64().unwrap() > 0.5, is_first, "{found}");
        assert_eq!(found["systems"][1]["cluster"], if is_first { 2 } else { 1 });
    }
}

#[test]
fn figure_25_a_higher_win_rate_below_has_a_word() {
    // The last one meets only the weakest, and wins more often than the second, which meets the best.
    let meet = |one: usize, other: usize, wins: usize, count: usize, from: usize| {
        (0..count).map(move |at| outcome([one, other], from + at, f64::from(u8::from(at < wins))))
    };
    let outcomes: Vec<Outcome> = meet(0, 1, 70, 100, 0)
        .chain(meet(1, 2, 70, 100, 100))
        .chain(meet(2, 3, 55, 100, 200))
        .chain(meet(3, 4, 90, 100, 300))
        .collect();
    let found = ranking(5, &outcomes, false);
    let rate = |name: &str| found.board.systems.iter().find(|row| row.name == name).unwrap();
    assert!(rate("s3").win_rate.value > rate("s1").win_rate.value && rate("s3").cluster > rate("s1").cluster);
    let word = found.notes.iter().find(|note| note.contains("with a higher win rate")).unwrap();
    assert!(word.contains("s3 stands below s1"), "{word}");
    check(&found).unwrap();
}
