//! `rank`: which system is better, by labels, judges and models.

use std::fmt::Write;

use serde_json::Value;

use crate::common::{Bench, Run, without_colours};

/// Pairs of four systems, of which one with a larger number is better; every fifth pair is labelled, if not all are.
/// The judge `good` is right nine times in ten.
pub fn arena(bench: &Bench, has_all_labels: bool) {
    let mut text = "prompt,hyp1,hyp2,system1,system2,label,good\n".to_owned();
    for at in 0..400_usize {
        let one = at % 4;
        let other = (one + 1 + at / 4 % 3) % 4;
        let random = |seed: usize| (at + 1).wrapping_mul(seed).wrapping_mul(2_654_435_761) % 1000;
        let first_wins = random(7) < if one > other { 700 } else { 300 };
        let label = if first_wins { 1 } else { -1 };
        let good = if random(13) < 100 { -label } else { label };
        let label = if has_all_labels || at % 5 == 2 { label.to_string() } else { String::new() };
        let _ = writeln!(text, "q{at},answer {at} of {one},reply {at} of {other},s{one},s{other},{label},{good}");
    }
    bench.write("arena.csv", text);
}

fn ranked(bench: &Bench, options: &str) -> Value {
    bench.json(&format!("rank {options} -q"))
}

fn names(ranking: &Value) -> Vec<&str> {
    ranking["systems"].as_array().unwrap().iter().map(|system| system["name"].as_str().unwrap()).collect()
}

fn width(ranking: &Value) -> f64 {
    let systems = ranking["systems"].as_array().unwrap();
    systems.iter().map(|row| row["win_rate"]["high"].as_f64().unwrap() - row["win_rate"]["low"].as_f64().unwrap()).sum()
}

#[test]
fn labels_and_judges_rank_systems() {
    let bench = Bench::of(1);
    arena(&bench, true);
    for by in ["", "--by human", "--by good", "--style-control"] {
        let ranking = ranked(&bench, &format!("arena.csv {by}"));
        assert_eq!(names(&ranking), ["s3", "s2", "s1", "s0"], "{by}");
        assert_eq!((&ranking["pairs"], &ranking["unit"]), (&400.into(), &"prompt".into()));
        let rates: f64 =
            ranking["systems"].as_array().unwrap().iter().map(|row| row["win_rate"]["value"].as_f64().unwrap()).sum();
        assert!((rates - 2.0).abs() < 1e-9, "{rates}");
        assert_eq!(ranking["style"].is_array(), by == "--style-control");
        assert_eq!(ranking["systems"][0]["controlled_win_rate"].is_object(), by == "--style-control");
    }
    let text = bench.output("rank arena.csv -q");
    for part in ["4 systems by human labels: 400 pairs, 400 prompts", "strength", "s3", "with 80% power"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    bench.write("outputs.csv", "prompt,system,output,label\np,a,x,pass\np,b,y,fail\nq,a,z,fail\nq,b,w,pass\n");
    for file in ["arena.csv", "outputs.csv"] {
        let [whole, brief] = ["", " --brief"].map(|option| bench.output(&format!("rank {file} -q{option}")));
        let is_told_first = whole.lines().next() == brief.lines().next();
        assert!(is_told_first && whole.contains("system  ") && !brief.contains("system  "), "{whole}\n{brief}");
    }
    let text = bench.on_terminal("rank arena.csv --style-control", 80);
    assert!(without_colours(&text).lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// A system that wins by its length alone is no better than the others at equal length.
#[test]
fn win_rates_at_equal_style_do_not_reward_length() {
    let bench = Bench::of(1);
    let mut text = "prompt,hyp1,hyp2,system1,system2,label\n".to_owned();
    for at in 0..300_usize {
        let random = |seed: usize| (at + 1).wrapping_mul(seed).wrapping_mul(2_654_435_761) / 7 % 1000;
        let words = [3 + random(11) % 6, 5 + random(17) % 8];
        let longer_wins = random(7) < 750;
        let label = if (words[0] > words[1]) == longer_wins { 1 } else { -1 };
        let [one, other] = words.map(|count| "word ".repeat(count));
        let _ = writeln!(text, "q{at},{},{},short,long,{label}", one.trim(), other.trim());
    }
    bench.write("x.csv", text);
    let ranking = ranked(&bench, "x.csv --style-control");
    let row = ranking["systems"].as_array().unwrap().iter().position(|row| row["name"] == "long").unwrap();
    let (long, length) = (&ranking["systems"][row], ranking["lengths"][row].as_f64().unwrap());
    let controlled = &long["controlled_win_rate"];
    assert!(long["win_rate"]["low"].as_f64().unwrap() > 0.5, "{long}");
    assert!(controlled["low"].as_f64().unwrap() < 0.5 && controlled["high"].as_f64().unwrap() > 0.5, "{long}");
    assert!(length > ranking["lengths"][1 - row].as_f64().unwrap(), "{ranking}");
    let told = bench.output("rank x.csv --style-control -q");
    assert!(told.contains("at equal style, ") && told.contains("% as the texts are"), "{told}");
    let csv = bench.output("rank x.csv --style-control -q --table csv:systems");
    assert!(csv.lines().next().unwrap().contains(",controlled_win_rate,"), "{csv}");
}

#[test]
fn labels_and_a_model_together_narrow_the_intervals() {
    let bench = Bench::of(1);
    arena(&bench, false);
    let human = ranked(&bench, "arena.csv --by human");
    let both = ranked(&bench, "arena.csv --by both --judge good");
    assert_eq!((&human["pairs"], &both["pairs"], &both["labels"]), (&80.into(), &400.into(), &80.into()));
    assert!(width(&both) < 0.85 * width(&human), "{} {}", width(&both), width(&human));
    let worth = &both["worth"];
    assert!(worth["labels"].as_f64().unwrap() > 100.0 && worth["correlation"].as_f64().unwrap() > 0.5, "{worth}");
    let text = bench.output("rank arena.csv --by both --judge good -q");
    assert!(text.contains("80 labels say as much as") && text.contains("must be a simple random sample"), "{text}");
    // A model from elsewhere.
    elsewhere(&bench);
    bench.output("train elsewhere.csv --judge good -m good.json -q");
    let other = ranked(&bench, "arena.csv --by both -m good.json");
    assert!(width(&other) < 0.9 * width(&human), "{} {}", width(&other), width(&human));
    assert_eq!(names(&ranked(&bench, "arena.csv --by model -m good.json"))[0], "s3");
    let text = bench.output("rank arena.csv --by model -m good.json -q");
    assert!(text.contains("do not include the errors of these verdicts"), "{text}");
    // One that saw the labels.
    let text = bench.read("arena.csv");
    let labelled: Vec<&str> = text.lines().filter(|row| !row.contains(",,")).collect();
    bench.write("seen.csv", labelled.join("\n") + "\n");
    bench.output("train seen.csv --judge good -m seen.json -q");
    let seen = ranked(&bench, "arena.csv --by both -m seen.json");
    assert!(
        seen["warnings"][0].as_str().unwrap().contains("so that the intervals do not hold"),
        "{}",
        seen["warnings"]
    );
}

/// Other pairs with the same judge.
fn elsewhere(bench: &Bench) {
    let mut text = "prompt,hyp1,hyp2,label,good\n".to_owned();
    for at in 0..200 {
        let label = if at % 2 == 0 { 1 } else { -1 };
        let good = if at % 9 == 0 { -label } else { label };
        let _ = writeln!(text, "other {at},one {at} text,two {at} text,{label},{good}");
    }
    bench.write("elsewhere.csv", text);
}

/// What `annotate` exports has the usual names, whatever names and annotators the table of the pairs has.
#[test]
fn labels_come_back_to_pairs_with_other_names() {
    let bench = Bench::of(1);
    let row =
        |at: usize| format!("q{at},text {at} a,text {at} b,v1,v2,{}", if at < 10 { ["A", "B"][at % 2] } else { "" });
    let rows = |label: &dyn Fn(usize) -> &'static str| {
        (0..30).map(|at| format!("{}{}\n", row(at), label(at))).collect::<String>()
    };
    bench.write("pairs.csv", "prompt,left,right,a,b,human\n".to_owned() + &rows(&|_| ""));
    let header = "prompt,hyp1,hyp2,system1,system2,human,label\n";
    bench.write("ann.csv", header.to_owned() + &rows(&|at| if at < 20 { [",1", ",-1"][at % 2] } else { "," }));
    let names = "--column hyp1=left,hyp2=right,system1=a,system2=b";
    for labels in ["--column label=human", "--annotators human"] {
        let ranking = bench.json(&format!("rank pairs.csv {names} {labels} -a ann.csv"));
        assert_eq!(ranking["labels"], 20, "{labels}");
    }
}

#[test]
fn labels_may_be_in_another_table() {
    let bench = Bench::of(1);
    arena(&bench, false);
    let text = bench.read("arena.csv");
    let (header, rows) = text.split_once('\n').unwrap();
    let labelled: String = rows.lines().filter(|row| !row.contains(",,")).map(|row| format!("{row}\n")).collect();
    let unlabelled: String = rows
        .lines()
        .map(|row| {
            let mut fields: Vec<&str> = row.split(',').collect();
            fields[5] = "";
            fields.join(",") + "\n"
        })
        .collect();
    bench.write("labels.csv", format!("{header}\n{labelled}"));
    bench.write("pool.csv", format!("{header}\n{unlabelled}"));
    let together = ranked(&bench, "pool.csv -a labels.csv --by both --judge good");
    assert_eq!((&together["pairs"], &together["labels"]), (&400.into(), &80.into()));
    assert_eq!(together, ranked(&bench, "arena.csv --by both --judge good"));
    let answers: String = (0..400).map(|at| ["1\n", "-1\n"][at % 2]).collect();
    bench.write("all.answers", answers);
    assert_eq!(ranked(&bench, "pool.csv -a all.answers")["labels"], 400);
    bench.write("other.csv", format!("{header}\nq,x,y,s0,s1,1,1\n"));
    assert!(bench.refused("rank pool.csv -a other.csv -q").contains("the texts of one of the pairs"));
}

#[test]
fn outputs_of_systems_are_ranked_by_a_model() {
    let bench = Bench::of(1);
    let reference = |at: usize| format!("the minister did not resign on day {at} of the month\n");
    bench.write("ref.txt", (0..30).map(reference).collect::<String>());
    bench.write("good.txt", (0..30).map(reference).collect::<String>());
    bench.write("fair.txt", (0..30).map(|at| format!("minister did not resign day {at} month\n")).collect::<String>());
    bench.write("bad.txt", (0..30).map(|at| format!("the of {at} no cat\n")).collect::<String>());
    let ranking = ranked(&bench, "bad.txt good.txt fair.txt -r ref.txt");
    assert_eq!(names(&ranking), ["good.txt", "fair.txt", "bad.txt"]);
    assert_eq!((&ranking["groups"], &ranking["pairs"]), (&30.into(), &90.into()));
    // One of its segments is bad, too: else nothing varies, and no number of segments would show more.
    let mixed = |at: usize| if at == 0 { "the of no cat\n".to_owned() } else { reference(at) };
    bench.write("good.txt", (0..30).map(mixed).collect::<String>());
    bench.write(
        "bad.txt",
        (0..30)
            .map(|at| format!("{}day {at} no cat\n", if at == 0 { "the minister did not resign on " } else { "" }))
            .collect::<String>(),
    );
    bench.output("rank good.txt bad.txt -r ref.txt --html rank.html -q");
    let page = bench.read("rank.html");
    for part in ["figure-win-rates", "figure-wins", "figure-power", "good.txt", "Every two systems"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_is_odd_is_told() {
    let bench = Bench::of(1);
    let table = |rows: &str| format!("hyp1,hyp2,system1,system2,label\n{rows}");
    let rows = |one: &str, other: &str, label: &str, count: usize| -> String {
        (0..count).map(|at| format!("{one} text {at},{other} text {at},{one},{other},{label}\n")).collect()
    };
    // Islands, a system against itself, a system that always wins.
    bench.write("components.csv", table(&(rows("a", "b", "1", 9) + &rows("c", "d", "0", 9) + &rows("e", "e", "1", 2))));
    let Run { stdout: out, stderr: err, .. } = bench.run("rank components.csv");
    assert!(err.contains("2 pairs of a system with itself skipped"), "{err}");
    assert!(
        out.contains("each connected component is ranked by itself") && out.contains("no maximum-likelihood estimate"),
        "{out}"
    );
    assert!(!out.contains("inf") && !out.contains("NaN"), "{out}");
    assert!(!out.contains("1.0000 to 1.0000"), "no number of wins is certain: {out}");
    for (name, rows, part) in [
        ("none.csv", "hyp1,hyp2,label\na,b,1\n".to_owned(), "expected pairs of two systems"),
        ("itself.csv", table(&rows("e", "e", "1", 3)), "only pairs of a system with itself"),
        ("unlabelled.csv", table(&rows("a", "b", "", 3)), "expected labelled pairs"),
        ("drawn.csv", "hyp1,hyp2,system1,system2,label,drawn\na,b,x,y,1,2\n".to_owned(), "a probability above 0"),
    ] {
        bench.write(name, rows);
        let message = bench.refused(&format!("rank {name} --by human -q"));
        assert!(message.contains(part), "{name}: {message}");
    }
    assert!(bench.refused("rank unlabelled.csv --by gpt -q").contains("gpt"), "an unknown judge");
    assert!(bench.refused("rank unlabelled.csv --by model -q").contains("reference"), "the built-in model");
    bench.write("few.csv", table(&rows("a", "b", "1", 9)));
    assert!(bench.refused("rank few.csv --by both -q").contains("at least 20"), "too few to learn from");
    assert!(bench.refused("rank few.csv -r few.csv -q").contains("table"), "a table of pairs is no output");
}

#[test]
fn labels_of_selected_pairs_are_warned_of() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        let is_labelled = at < 60;
        let judge = if is_labelled { 0.5 + 0.02 * (at % 3) as f64 } else { 0.95 };
        format!("q{at},one {at},two {at},x,y,{},{judge}\n", if is_labelled { ["1", "-1"][at % 2] } else { "" })
    };
    let rows: String = (0..300).map(row).collect();
    bench.write("selected.csv", format!("prompt,hyp1,hyp2,system1,system2,label,j\n{rows}"));
    bench.write("model.csv", {
        let row = |at: usize| format!("m{at},one {at},two {at},{},{}\n", ["1", "-1"][at % 2], [0.9, 0.1][at % 2]);
        format!("prompt,hyp1,hyp2,label,j\n{}", (0..100).map(row).collect::<String>())
    });
    bench.output("train model.csv --judge j -m j.json -q --only-own");
    let err = bench.run("rank selected.csv --by both -m j.json -q").stderr;
    assert!(err.contains("not a random sample"), "{err}");
}

#[test]
fn next_draws_what_is_uncertain_with_known_probabilities() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        // The judge is sure of every other pair.
        let judge = if at.is_multiple_of(2) { "0.99".to_owned() } else { format!("0.{}", 45 + at % 10) };
        format!("q{at},one {at},two {at},{},{},{judge}\n", ["x", "y"][at % 2], "z")
    };
    bench.write("pool.csv", format!("prompt,hyp1,hyp2,system1,system2,j\n{}", (0..400).map(row).collect::<String>()));
    let row = |at: usize| format!("m{at},one {at},two {at},{},0.{}\n", ["1", "-1"][at % 2], [9, 1][at % 2]);
    bench.write("model.csv", format!("prompt,hyp1,hyp2,label,j\n{}", (0..200).map(row).collect::<String>()));
    bench.output("train model.csv --judge j -m j.json -q --only-own");
    bench.output("next pool.csv -n 50 -m j.json -o next.csv -q");
    let drawn = bench.read("next.csv");
    let header: Vec<&str> = drawn.lines().next().unwrap().split(',').collect();
    assert_eq!(header[header.len() - 6..], ["prompt", "system1", "system2", "drawn", "wave", "j"]);
    assert_eq!(drawn.lines().count(), 51);
    let unsure = drawn.lines().skip(1).filter(|row| row.contains(",y,z,")).count();
    assert!((32..=49).contains(&unsure), "{unsure}");
    bench.output("next pool.csv -n 50 -m j.json -o again.csv -q");
    assert_eq!(bench.read("again.csv"), drawn);
    // At random, all have the same probability.
    bench.output("next pool.csv -n 50 --random 1 -o random.csv -q");
    assert!(bench.read("random.csv").lines().skip(1).all(|row| row.ends_with(",0.125,1")));
    // Labelled, it is what rank weighs.
    let labelled: String = drawn
        .lines()
        .enumerate()
        .map(|(at, row)| {
            let mut fields: Vec<&str> = row.split(',').collect();
            let label = ["1", "-1", "1"][at % 3];
            if at > 0 {
                fields[3] = label;
            }
            fields.join(",") + "\n"
        })
        .collect();
    bench.write("labels.csv", labelled);
    let text = bench.output("rank pool.csv -a labels.csv --by both -m j.json -q");
    assert!(text.contains("weighted by the probabilities with which they were drawn"), "{text}");
    bench.refuses("next pool.csv -n 5 --random 0 -o x.csv -q", &["a share above 0"]);
    bench.refuses("next pool.csv -n 5 -o x.txt -q", &["a table"]);
    let rest = bench.run("next pool.csv -a labels.csv -n 1000 -o rest.csv").done();
    assert!(rest.stderr.contains("All 350 pairs without a label are drawn"), "{}", rest.stderr);
}

#[test]
fn a_budget_is_no_more_than_the_pool_has() {
    let bench = Bench::of(1);
    let rows = |labelled: usize, pairs: usize| {
        let label = |at: usize| if at < labelled { ["1", "-1", "1"][at % 3] } else { "" };
        let row = |at: usize| format!("q{at},a,b,one {at},two {at},{}\n", label(at));
        "prompt,system1,system2,hyp1,hyp2,label\n".to_owned() + &(0..pairs).map(row).collect::<String>()
    };
    let budget = |labelled: usize, pairs: usize| {
        bench.write("pool.csv", rows(labelled, pairs));
        bench.json("rank pool.csv -q")["budget"].clone()
    };
    let told = budget(60, 200);
    assert_eq!(told["labels"], 50);
    let half_width = told["half_width"].as_f64().unwrap();
    // That of a share of two thirds of 110 labels.
    let expected = 1.96 * (2.0 / 9.0_f64 / 110.0).sqrt();
    assert!((half_width / expected - 1.0).abs() < 0.02, "{half_width} {expected}");
    assert_eq!(budget(190, 200)["labels"], 10);
    assert!(budget(200, 200).is_null());
    bench.write("pool.csv", rows(60, 200));
    let said = bench.output("rank pool.csv -q");
    assert!(said.contains("With 50 more labels of this pool, the interval of a would be about ±8.8 points"), "{said}");
}

#[test]
fn systems_are_ranked_without_texts() {
    let bench = Bench::of(1);
    bench.write("food.csv", "left,right,winner\nsoup,rice,left\nrice,bread,right\nbread,soup,left\nsoup,rice,tie\n");
    let report = bench.json("rank food.csv -q");
    let [systems, groups] = ["systems", "groups"].map(|key| report[key].clone());
    assert_eq!((systems.as_array().unwrap().len(), groups.as_u64()), (3, Some(4)));
    let rate = |name: &str| {
        let row = systems.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        row["win_rate"]["value"].as_f64().unwrap()
    };
    assert_eq!(["bread", "soup", "rice"].map(rate), [1.0, 0.375, 0.125]);
    bench.write("prompts.csv", "prompt,model_a,model_b,winner\np,x,y,model_a\np,x,y,model_b\nq,x,y,tie\n");
    assert_eq!(bench.json("rank prompts.csv -q")["groups"], 2);
    for command in ["rank food.csv --by model", "compare food.csv", "rank food.csv --style-control"] {
        bench.refuses(&format!("{command} -q"), &["food.csv:1: expected a header with the columns hyp1, hyp2"]);
    }
    bench.write("open.csv", "left,right\nsoup,rice\n");
    bench.refuses("rank open.csv -q", &["open.csv: expected labels, or texts that a model can judge, found neither"]);
}
