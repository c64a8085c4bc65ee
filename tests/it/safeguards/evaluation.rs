//! Safeguards of evaluation: what figures mean, and for which data they mean anything.

use serde_json::Value;

use crate::common::Bench;

/// A table of own metric values for the pairs of the bench: the label with noise, as whole numbers, times `scale`, plus
/// `offset`.
fn own_values(bench: &Bench, scale: f64, offset: f64) -> String {
    let answers = bench.read("dev.answers");
    let values = answers.lines().zip(0_i64..).map(|(label, row)| {
        let [first, second] = [label.parse::<i64>().unwrap() * 9 + (row * 37) % 13, 6 + row % 2];
        [first, second].map(|value| value as f64 * scale + offset)
    });
    values.map(|[first, second]| format!("{first}\t{second}\n")).collect()
}

/// Safeguard 35.
#[test]
fn own_values_on_another_scale_are_told() {
    let bench = Bench::of(30);
    bench.write("own.tsv", own_values(&bench, 1.0, 0.0));
    bench.write("other.tsv", own_values(&bench, 100.0, 0.0));
    for (name, metric) in [("higher", "judge"), ("lower", "judge-")] {
        bench.run(&format!("train dev.pairs -a dev.answers --own {metric}=own.tsv --only-own -m {name}.json")).done();
        let told = |own: &str, command: &str| {
            bench.run(&format!("{command} -m {name}.json --own {metric}={own}")).done().stderr
        };
        for command in ["predict dev.pairs", "compare dev.pairs -a dev.answers"] {
            assert!(!told("own.tsv", command).contains("outside the range"), "{command}");
            let warning = told("other.tsv", command);
            assert!(warning.contains("values of the own metric 'judge' are outside the range that"), "{warning}");
            assert!(warning.contains("found -900 to 2100, -9 to 21 in training"), "{warning}");
        }
        let explain = "explain dev.pairs --line 1";
        assert!(!told("own.tsv", explain).contains("outside the range"));
        assert!(told("other.tsv", explain).contains("outside the range that"));
    }
    for (file, own) in [("one", "own.tsv"), ("other", "other.tsv")] {
        let column: String =
            bench.read(own).lines().map(|line| format!("{}\n", line.split('\t').next().unwrap())).collect();
        bench.write(file, column);
    }
    bench.write("sys", bench.column(0));
    bench.write("ref", bench.column(2));
    for segments in ["", "--segments"] {
        let told = |own: &str| {
            bench.run(&format!("score sys -r ref -m higher.json --own judge={own} {segments}")).done().stderr
        };
        assert!(
            !told("one").contains("outside the range") && told("other").contains("outside the range"),
            "{segments}"
        );
    }
}

/// Powers of two change no digit of whole numbers, so every verdict must be the same.
/// Safeguard 35.
#[test]
fn a_huge_offset_or_a_tiny_scale_loses_nothing() {
    let bench = Bench::of(30);
    let verdicts = |scale: f64, offset: f64| {
        bench.write("own.tsv", own_values(&bench, scale, offset));
        bench.run("train dev.pairs -a dev.answers --own judge=own.tsv --only-own -m m.json").done();
        bench.output("predict dev.pairs -m m.json --own judge=own.tsv")
    };
    let plain = verdicts(1.0, 0.0);
    assert!(plain.contains("-1\n") && plain.contains("\n1\n"), "{plain}");
    for (scale, offset) in [(1.0, 2_f64.powi(42)), (2_f64.powi(-700), 0.0), (2_f64.powi(200), 0.0)] {
        assert_eq!(verdicts(scale, offset), plain, "{scale:e} {offset:e}");
    }
}

/// Two systems of four segments; people tie where the metric differs by rounding alone.
const ROUNDING: &str = "system,segment,score,m\nA,1,2,0.30000000000000004\nB,1,2,0.3\nA,2,1,0.5\nB,2,3,0.75\n\
    A,3,2,0.2\nB,3,1,0.1\n";

/// Safeguard 42.
#[test]
fn rounding_is_no_threshold() {
    let bench = Bench::of(1);
    bench.write("t.csv", ROUNDING);
    let item = bench.json("correlate t.csv --people score -q")["metrics"][0]["segments"]["item"].clone();
    assert_eq!((&item["acc23_optimised"], &item["acc23_threshold"]), (&Value::from(1.0), &Value::from(0.0)));
    assert!(!bench.output("correlate t.csv --people score -q").contains("e-17"));
}

const RATED: &str = "system,segment,mt,ref,annotator,score\nA,1,the cat sat,the cat sat,ann,80\nB,1,cats sit,the cat sat,ann,60\n\
    A,1,the cat sat,the cat sat,bob,20\nB,1,cats sit,the cat sat,bob,30\nA,2,it rains,it rained,ann,50\n\
    B,2,rain,it rained,ann,10\n";

/// Safeguard 42.
#[test]
fn ratings_of_several_people() {
    let bench = Bench::of(1);
    bench.write("apart.csv", RATED);
    bench.write("mean.csv", RATED.replace("annotator", "domain"));
    let run = bench.run("correlate apart.csv --people score --metrics chrf --json").done();
    let apart: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&apart["segments"], &apart["missing"]), (&Value::from(3), &Value::from(0)), "{apart}");
    assert!(run.stderr.contains("2 raters: only scores of the same rater are compared"), "{}", run.stderr);
    // Ann prefers A twice, Bob prefers B.
    assert_eq!(apart["metrics"][0]["segments"]["item"]["kendall_b"].as_f64().unwrap(), 1.0 / 3.0);

    let run = bench.run("correlate mean.csv --people score --metrics chrf --json").done();
    let mean: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&mean["segments"], &mean["missing"]), (&Value::from(2), &Value::from(0)), "{mean}");
    assert!(
        run.stderr.contains("2 of 4 human scores are means of several ratings; use --column annotator=NAME"),
        "{}",
        run.stderr
    );
    assert_eq!(mean["metrics"][0]["segments"]["item"]["kendall_b"], 1.0);
    assert_eq!(
        bench.json("correlate mean.csv --people score --metrics chrf --column annotator=domain -q")["metrics"],
        apart["metrics"]
    );
    bench.write("fewer.csv", RATED.replace("B,1,cats sit,the cat sat,bob,30\n", ""));
    let fewer = bench.json("correlate fewer.csv --people score --metrics chrf -q");
    assert_eq!((&fewer["segments"], &fewer["missing"]), (&Value::from(3), &Value::from(1)), "{fewer}");
    bench.refuses("correlate mean.csv --people score --column annotator=rater", &["mean.csv:1: expected", "'rater'"]);
}

/// As `import table` names them, and `ensemble` as in other reports.
/// Safeguard 42.
#[test]
fn columns_are_named_as_in_import_table() {
    let bench = Bench::of(1);
    bench.write("t.csv", RATED);
    let renamed = RATED.replacen("mt,ref,annotator,score", "out,gold,who,human", 1);
    bench.write("renamed.csv", renamed);
    let found = bench.json("correlate t.csv --people score -q --rounds 0")["metrics"].clone();
    let names = "--column mt=out,ref=gold,annotator=who --people human";
    assert_eq!(bench.json(&format!("correlate renamed.csv {names} -q --rounds 0"))["metrics"], found);
    assert!(found.as_array().unwrap().iter().any(|metric| metric["name"] == "ensemble"), "{found}");
}

const GERMAN: &str = "Der Mann hat das alte Haus am Fluss verkauft, weil er in die Stadt ziehen will.";
const CHINESE: &str = "河上的旧桥昨天因维修而关闭，所以公交车改走另一条路进城。";
const JAPANESE: &str = "川にかかる古い橋は、昨日から修理のために閉鎖されています。";
const KOREAN: &str = "강 위의 오래된 다리는 어제부터 수리 때문에 폐쇄되었습니다.";

fn names(report: &Value) -> Vec<String> {
    let systems = report["systems"].as_array().unwrap();
    systems.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

/// Safeguard 40.
#[test]
fn english_metrics_are_no_rows_of_other_languages() {
    let bench = Bench::of(12);
    let english = ["synset", "sum.synset", "meteor", "meteor-all", "meteor2005"];
    for command in ["compare", "train"] {
        let rows = |language: &str| {
            let report = bench.json(&format!("{command} dev.pairs -a dev.answers --language {language} -q"));
            let chosen = report["systems"].as_array().unwrap().iter().find_map(|row| row["chosen"]["name"].as_str());
            assert!(language == "en" || !english.contains(&chosen.unwrap()), "{chosen:?}");
            names(&report)
        };
        let (all, others) = (rows("en"), rows("de"));
        assert!(english.iter().all(|name| all.contains(&(*name).to_owned())), "{all:?}");
        let expected: Vec<&String> = all.iter().filter(|name| !english.contains(&name.as_str())).collect();
        assert_eq!(others.iter().collect::<Vec<_>>(), expected);
    }
    let refused = bench.refused("compare dev.pairs -a dev.answers --language de --against synset");
    assert!(refused.contains("found 'synset'"), "{refused}");
}

/// Safeguard 40.
#[test]
fn metrics_that_see_no_words_are_told() {
    let bench = Bench::of(1);
    let told = |command: &str| {
        let errors = bench.run(command).done().stderr;
        let warning = errors.lines().find(|line| line.contains("find hardly any words")).map(str::to_owned);
        warning.map(|line| line.split(": ").nth(2).unwrap().split(';').next().unwrap().to_owned())
    };
    for (text, blind) in [(GERMAN, None), (KOREAN, Some("rougeL")), (CHINESE, Some("bleu, rougeL, nist"))] {
        bench.write("ref", format!("{text}\n"));
        bench.write("x.csv", format!("hyp1,hyp2,ref,label\n\"{text}\",x,\"{text}\",1\n"));
        for segments in ["", "--segments"] {
            let command = format!("score ref -r ref --metrics bleu,rougeL,chrf,nist,length {segments}");
            assert_eq!(told(&command).as_deref(), blind, "{text}");
        }
        let rows = told("compare x.csv --language xx").unwrap_or_default();
        assert_eq!((rows.contains("rouge2"), rows.contains("chrf")), (blind.is_some(), false), "{rows}");
    }
}

/// Safeguard 40.
#[test]
fn a_language_has_its_tokeniser() {
    let bench = Bench::of(1);
    for (text, language, tokenizer, missing) in [
        (CHINESE, "zh-Hans", "zh", None),
        (JAPANESE, "ja", "char", Some("ja-mecab")),
        (KOREAN, "ko", "char", Some("ko-mecab")),
        (GERMAN, "de", "13a", None),
    ] {
        bench.write("ref", format!("{text}\n"));
        let score = |rest: &str| {
            bench.run(&format!("score ref -r ref --metrics bleu --language {language} {rest} --json")).done()
        };
        let run = score("");
        assert!(run.stdout.contains(&format!("|tok:{tokenizer}|")), "{}", run.stdout);
        let note = missing.map(|name| {
            format!("bleu: sacreBLEU's tokeniser for this language, {name}, is not in this program; --tokenize char")
        });
        assert_eq!(note.is_some_and(|note| run.stderr.contains(&note)), missing.is_some(), "{}", run.stderr);
        assert!(score("--tokenize intl").stdout.contains("|tok:intl|"));
    }
}

/// Safeguard 41.
#[test]
fn an_answer_where_people_often_say_tie() {
    let bench = Bench::of(60);
    let answers = bench.read("dev.answers");
    let often =
        answers.lines().enumerate().map(|(row, label)| if row % 10 < 3 { format!("{label}\n") } else { "0\n".into() });
    bench.write("often.answers", often.collect::<String>());
    let compare = "compare dev.pairs -a often.answers -q";
    let report = bench.json(compare);
    let (answer, systems) = (&report["answer"], report["systems"].as_array().unwrap());
    let row = |name: &str| systems.iter().find(|row| row["name"] == name).unwrap();
    let chance = answer["chance"].as_f64().unwrap();
    assert!((0.1..0.9).contains(&chance) && chance == row("ensemble")["chance"].as_f64().unwrap(), "{answer}");
    assert!(
        (row("majority")["chance"].as_f64().unwrap() - row("majority")["accuracy"].as_f64().unwrap()).abs() < 1e-12
    );
    // The built-in model hardly says tie; the best metric does, but not always.
    assert!(answer["decided_without_ties"].as_f64() >= answer["decided_accuracy"].as_f64());
    let best = row("best-metric");
    let columns: Vec<u64> = (0..3)
        .map(|verdict| (0..3).map(|people| best["confusion"]["counts"][people][verdict].as_u64().unwrap()).sum())
        .collect();
    assert!(columns[0] + columns[2] > 30, "{columns:?}");
    assert!(best["decided_without_ties"].as_f64() > best["decided_accuracy"].as_f64(), "{best}");
    let text = bench.output(compare);
    let percent = |key: &str| format!("{:.1}%", 100.0 * answer[key].as_f64().unwrap());
    assert!(text.contains(&format!("; {} by chance)", percent("chance"))), "{text}");
    let decided = format!("accuracy {} on untied pairs, forced to choose", percent("decided_without_ties"));
    assert!(text.contains(&decided), "{text}");
}

/// Safeguard 41.
#[test]
fn no_better_is_not_said_of_few_pairs() {
    let bench = Bench::of(30);
    bench.write("same.answers", bench.read("dev.answers"));
    let text = bench.output("evaluate dev.answers same.answers -a dev.answers -q");
    // 90 verdicts that are all equal do not show that the next ones are.
    assert!(
        text.contains("\nNo significant difference from same (100.0%): +0.0 points (95% CI -4.0 to 4.0)"),
        "{text}"
    );
    assert!(text.contains("same and dev are identical"), "{text}");
    let answers = bench.read("dev.answers");
    let changed = |at: usize| {
        let labels = answers
            .lines()
            .enumerate()
            .map(|(row, label)| if row % 7 == at { "1\n".into() } else { format!("{label}\n") });
        labels.collect::<String>()
    };
    bench.write("one.out", changed(1));
    bench.write("two.out", changed(2));
    let text = bench.output("evaluate one.out two.out -a dev.answers -q");
    assert!(text.contains("\nNo significant difference from two"), "{text}");
}
