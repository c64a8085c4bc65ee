//! `tribunal correlate`, and the tables that `import --scores` makes for it, run with the real binary.

use serde_json::Value;

use crate::common::Bench;
use crate::golden_meta::{close, golden, numbers};

/// Four systems of six segments: `good` agrees with people, `bad` does not, and lower is better for `cost`.
fn table() -> String {
    let mut text = "system,segment,score,good,bad,cost,constant,doc\n".to_owned();
    for system in 0..4 {
        for segment in 0..6 {
            let score = (system * 7 + segment * 5) % 9;
            let bad = (system * 5 + segment * segment * 3 + 2) % 7;
            text += &format!("s{system},{segment},{score},{}.5,{bad},{},3,{segment}\n", score, -score);
        }
    }
    text
}

#[test]
fn golden_cases_come_out_of_the_command() {
    let golden = golden("meta.json");
    for case in golden["cases"].as_array().unwrap() {
        let systems = case["systems"].as_u64().unwrap() as usize;
        let (people, metric) = (numbers(&case["people"]), numbers(&case["metric"]));
        let segments = people.len() / systems;
        let mut text = "system\tsegment\thuman\tm\n".to_owned();
        for (cell, (people, metric)) in people.iter().zip(&metric).enumerate() {
            let people = people.map_or(String::new(), |score| score.to_string());
            text += &format!("sys{}\t{}\t{people}\t{}\n", cell / segments, cell % segments, metric.unwrap());
        }
        let bench = Bench::of(1);
        bench.write("t.tsv", text);
        let report = bench.json("correlate t.tsv --people human --metrics m --quiet");
        assert_eq!(report["missing"], people.iter().filter(|score| score.is_none()).count());
        let found = &report["metrics"][0];
        for averaging in ["none", "sys", "item"] {
            for (name, value) in case["segments"][averaging].as_object().unwrap() {
                close(found["segments"][averaging][name].as_f64(), value, &format!("{averaging} {name}"));
            }
        }
        close(found["segments"]["kendall_like_1"].as_f64(), &case["segments"]["kendall_like_1"], "kendall_like_1");
        assert_eq!(found["system_level"].is_null(), case["system_level"].is_null());
        for (name, value) in case["system_level"].as_object().into_iter().flatten() {
            close(found["system_level"][name].as_f64(), value, name);
        }
    }
}

/// tests/golden/make_meta.py computes these with SciPy.
#[test]
fn random_tables_are_scipys() {
    let golden = golden("meta_scipy.json");
    assert_eq!(golden["cases"].as_array().unwrap().len(), 5);
    for case in golden["cases"].as_array().unwrap() {
        let bench = Bench::of(1);
        bench.write("t.csv", case["table"].as_str().unwrap());
        let report = bench.json("correlate t.csv --people score --metrics m --quiet --rounds 0");
        let found = &report["metrics"][0];
        for (name, value) in case["values"].as_object().unwrap() {
            let (part, key) = name.split_once(' ').unwrap();
            let part = match part {
                "system_level" => &found[part],
                "" => &found["segments"],
                _ => &found["segments"][part],
            };
            close(part[key].as_f64(), value, name);
        }
    }
}

#[test]
fn metrics_are_sorted_tested_and_clustered() {
    let bench = Bench::of(1);
    bench.write("t.csv", table());
    let report = bench.json("correlate t.csv --people score --metrics good,cost-,bad,constant --quiet");
    let metrics = report["metrics"].as_array().unwrap();
    let names: Vec<&str> = metrics.iter().map(|metric| metric["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["good", "cost", "bad", "constant"]);
    let clusters: Vec<&Value> = metrics.iter().map(|metric| &metric["cluster"]).collect();
    assert_eq!(clusters, [&Value::from(1), &Value::from(1), &Value::from(2), &Value::Null]);
    assert_eq!(metrics[1]["segments"]["none"]["pearson"], metrics[0]["segments"]["none"]["pearson"]);
    assert_eq!(metrics[3]["segments"]["none"]["pearson"], Value::Null);
    assert_eq!(report["differences"].as_array().unwrap().len(), 3);
    assert!(report["notes"].to_string().contains("constant is constant"), "{}", report["notes"]);
    let text = bench.output("correlate t.csv --people score --metrics good,cost-,bad,constant");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    assert!(text.contains("\n1  good ") && text.contains("\n2  bad ") && text.contains("\n-  constant "), "{text}");
    assert!(!text.contains("NaN"), "{text}");
}

#[test]
fn statistics_and_differences_have_intervals() {
    let bench = Bench::of(1);
    let cell = |at: usize, of: usize, seed: usize| ((at * seed + of) * 7919 % 101) as f64 / 10.0;
    let mut text = "system,segment,score,near,far\n".to_owned();
    for at in 0..8 * 30 {
        let (system, score) = (at / 30, cell(at, 3, 17) + (at / 30) as f64);
        text +=
            &format!("s{system},{},{score},{},{}\n", at % 30, score + cell(at, 1, 5), score + 4.0 * cell(at, 2, 11));
    }
    bench.write("t.csv", text);
    let report = bench.json("correlate t.csv --people score -q");
    assert_eq!(
        report["intervals"],
        serde_json::json!({
            "method": "BCa bootstrap", "rounds": 1000, "segments": "segments", "systems": "systems"
        })
    );
    for metric in report["metrics"].as_array().unwrap() {
        let intervals = &metric["intervals"];
        let like = intervals["kendall_like_1"]["value"].as_f64().unwrap();
        assert!((like - metric["segments"]["kendall_like_1"].as_f64().unwrap()).abs() < 1e-9, "{intervals}");
        let levels = [("none", 10), ("sys", 10), ("item", 10), ("system_level", 5)];
        for (level, count) in levels {
            let named = intervals[level].as_object().unwrap();
            // It orders all systems as people do: what depends on their order alone is the same in all resamples.
            let same = if (level, &metric["name"]) == ("system_level", &"near".into()) { 3 } else { 0 };
            assert_eq!(named.len() + same, count, "{level} {named:?}");
            assert_eq!(named.contains_key("pairwise_accuracy"), level == "system_level" && same == 0, "{named:?}");
            for (name, interval) in named {
                let [low, value, high] = ["low", "value", "high"].map(|key| interval[key].as_f64().unwrap());
                assert!(low <= value && value <= high, "{level} {name} {interval}");
                let values = if level == "system_level" { &metric[level] } else { &metric["segments"][level] };
                let known = values.as_object().unwrap().iter().find(|(known, _)| known.starts_with(name.as_str()));
                assert!((known.unwrap().1.as_f64().unwrap() - value).abs() < 1e-9, "{level} {name}");
            }
        }
    }
    let [difference] = report["differences"].as_array().unwrap().as_slice() else { panic!("{report}") };
    let [low, high] = [0, 1].map(|end| difference["interval"][end].as_f64().unwrap());
    let value = difference["difference"].as_f64().unwrap();
    assert!(0.0 < low && low < value && value < high, "{difference}");
    let said = bench.output("correlate t.csv --people score -q");
    assert!(said.contains("95% intervals (BCa bootstrap, 1000 resamples: of segments, and of systems"), "{said}");
    let without = bench.json("correlate t.csv --people score --rounds 0 -q");
    assert!(without["intervals"].is_null() && without["metrics"][0]["intervals"].is_null());
}

#[test]
fn several_human_scores_and_parts_stand_side_by_side() {
    let bench = Bench::of(1);
    let rows: String = table()
        .lines()
        .enumerate()
        .map(|(at, row)| match at {
            0 => format!("{row},topic,other\n"),
            _ => format!("{row},{},{}\n", if at % 2 == 0 { "news" } else { "sports" }, at * 5 % 7),
        })
        .collect();
    bench.write("t.csv", &rows);
    let command = "correlate t.csv --people score,other --metrics good,bad --rounds 50 -q";
    let both = bench.json(command);
    let alone = bench.json("correlate t.csv --people other --metrics good,bad --rounds 50 -q");
    let reports = both["reports"].as_array().unwrap();
    assert_eq!((&reports[0]["people"], &reports[1]), (&"score".into(), &alone));
    assert!(both["by_column"].is_null() && both["macro_averages"].as_array().unwrap().is_empty());

    let command = "correlate t.csv --people score --metrics good,bad --rounds 50 -q --by-column topic";
    let parts = bench.json(command);
    let statistic = |part: usize, name: &str| {
        let metrics = parts["reports"][part]["metrics"].as_array().unwrap();
        metrics.iter().find(|metric| metric["name"] == name).unwrap()["statistic"].as_f64().unwrap()
    };
    assert_eq!(["sports", "news"].map(Value::from), [0, 1].map(|part| parts["reports"][part]["part"].clone()));
    for average in parts["macro_averages"].as_array().unwrap() {
        let name = average["name"].as_str().unwrap();
        let mean = (statistic(0, name) + statistic(1, name)) / 2.0;
        assert!((average["value"].as_f64().unwrap() - mean).abs() < 1e-12);
    }
    let text = bench.output(command);
    assert!(text.starts_with("kendall_14 of each metric\nmetric  sports   news  macro average"), "{text}");
    for (name, begins) in [
        ("a.tex", "\\begin{table"),
        ("a.csv", "metric,sports,news,"),
        ("a.json", "{\"reports\":"),
        ("a.txt", "kendall_14"),
    ] {
        bench.output(&format!("{command} -o {name}"));
        assert!(bench.read(name).starts_with(begins), "{}", bench.read(name));
    }
    bench.output(&format!("{command} --report report"));
    assert!(bench.read("report/report.html").contains("<h1>Which metric agrees best with human scores on t.csv?"));
    assert!(bench.read("report/overview.csv").starts_with("metric,sports,news,"));
    // Each table says what it is about, in a paper and in a folder.
    let both = "correlate t.csv --people score,other --metrics good,bad --rounds 50 -q --by-column topic";
    bench.output(&format!("{both} -o b.tex --report both"));
    let latex = bench.read("b.tex");
    let labels: Vec<&str> = latex.lines().filter(|line| line.starts_with("\\label")).collect();
    assert!(labels.iter().all(|label| labels.iter().filter(|other| other == &label).count() == 1), "{labels:?}");
    assert!(labels.contains(&"\\label{tab:statistics-other--news}"), "{labels:?}");
    assert!(latex.contains("\\caption{Agreement with human scores: other, news. "), "{latex}");
    assert!(bench.read("both/statistics-score--sports.csv") != bench.read("both/statistics-other--sports.csv"));
    assert_eq!(bench.output(&format!("{both} --table csv:tests-other--news")).lines().count(), 3);
    bench.refuses(&format!("{both} --table csv:none"), &["statistics-score--sports"]);
    bench.write(
        "few.csv",
        rows.lines().take(40).map(|row| format!("{}\n", row.replace(",news,", ",,"))).collect::<String>(),
    );
    let few = bench.output("correlate few.csv --people score --metrics good,bad --rounds 50 -q --by-column topic");
    assert!(few.contains("metric  sports  (none)  macro average"), "{few}");
    bench.refuses(&format!("{command} -o t.csv"), &["t.csv"]);
    bench.refuses(
        &format!("{command} -o a.doc"),
        &["--output: expected a name that ends in .csv, .json, .md, .tex or .txt, found a.doc"],
    );
    bench.refuses("correlate t.csv --people score --by-column genre", &["t.csv:1: expected a column 'genre'"]);
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    let bench = Bench::of(1);
    bench.write("t.csv", table());
    for test in ["kendall_14", "acc23_optimised", "acc23", "pearson", "system_pearson", "system_pairwise_accuracy"] {
        let run = |more: &str| bench.output(&format!("correlate t.csv --people score --json --test {test} {more}"));
        assert_eq!(run("--threads 1"), run("--threads 2"), "{test}");
    }
    let report = bench.json("correlate t.csv --people score --seed 7 --quiet");
    let values = report["metrics"][0]["system_level"].as_object().unwrap();
    assert!(values.contains_key("soft_pairwise_accuracy_1000_permutations_seed_7"), "{values:?}");
}

#[test]
fn missing_scores_are_left_out_and_counted() {
    let bench = Bench::of(1);
    bench.write("t.csv", table().replace("s1,2,8,", "s1,2,,"));
    let run = bench.run("correlate t.csv --people score --json").done();
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&report["missing"], &report["metrics"][0]["system_level"]), (&Value::from(1), &Value::Null));
    assert!(run.stderr.contains("no human score in 1 of 24 cells"), "{}", run.stderr);
    let complete = bench.json("correlate t.csv --people score --complete --quiet");
    assert_eq!((&complete["missing"], &complete["segments"]), (&Value::from(0), &Value::from(5)));
    assert!(complete["metrics"][0]["system_level"].is_object());
}

#[test]
fn one_system_and_ties_alone_give_null_and_notes() {
    let bench = Bench::of(1);
    bench.write("one.csv", "system,score,m\nA,1,0.1\nA,2,0.4\nA,2,0.3\n");
    let one = bench.json("correlate one.csv --people score --quiet");
    assert_eq!(one["metrics"][0]["system_level"], Value::Null);
    assert_eq!(one["metrics"][0]["segments"]["item"]["acc23_optimised"], Value::Null);
    assert!(one["metrics"][0]["segments"]["none"]["kendall_b"].is_f64());
    assert!(one["notes"].to_string().contains("only one system"));
    bench.write("ties.csv", "system,segment,score,m\nA,1,1,0.1\nA,2,1,0.4\nB,1,1,0.3\nB,2,1,0.2\n");
    let ties = bench.json("correlate ties.csv --people score --quiet");
    let item = &ties["metrics"][0]["segments"]["item"];
    assert_eq!((&item["kendall_b"], &item["acc23_optimised"]), (&Value::Null, &Value::from(1.0)));
    assert!(ties["notes"].to_string().contains("all human scores are equal"));
}

#[test]
fn bad_tables_and_names_are_refused() {
    let bench = Bench::of(1);
    bench.write("t.csv", table());
    let refused = |arguments: &str, told: &str| bench.refuses(&format!("correlate {arguments}"), &[told]);
    refused("t.csv --people gold", "t.csv:1: expected a column 'gold', found the columns system, segment");
    refused("t.csv --people score --metrics comet", "expected the column 'comet', or the columns mt and ref");
    refused("t.csv --people score --metrics good,good", "found 'good' twice");
    refused(
        "t.csv --people score --metrics ter-",
        "--metrics: expected the name of a metric column before '-', found 'ter'",
    );
    bench.write("hole.csv", table().replace("s2,3,2,2.5,", "s2,3,2,,"));
    refused("hole.csv --people score", "hole.csv:17: expected a number in the column 'good', found ''");
    bench.write("twice.csv", table().replace("s2,3,", "s2,2,"));
    refused(
        "twice.csv --people score",
        "twice.csv:17: expected one text and one score of each metric for segment '2' of system 's2', found others in line 16",
    );
    bench.write("only.csv", "system,score\nA,1\n");
    refused("only.csv --people score", "expected a column of numbers, or the columns mt and ref");
}

#[test]
fn own_metrics_are_computed_from_texts() {
    let bench = Bench::of(1);
    bench.write(
        "t.jsonl",
        "{\"system\": \"A\", \"segment\": \"1\", \"hyp\": \"the cat sat\", \"ref\": [\"the cat sat\", \"a cat sat\"], \"score\": 2}\n\
         {\"system\": \"B\", \"segment\": \"1\", \"hyp\": \"dogs\", \"ref\": \"the cat sat\", \"score\": 1}\n",
    );
    let report = bench.json("correlate t.jsonl --people score --metrics TER,chrf --quiet");
    let metrics = report["metrics"].as_array().unwrap();
    assert_eq!(metrics.len(), 2);
    let ter = metrics.iter().find(|metric| metric["name"] == "ter").unwrap();
    assert_eq!(
        (&ter["lower_is_better"], &ter["segments"]["item"]["kendall_b"]),
        (&Value::from(true), &Value::from(1.0))
    );
    let all = bench.json("correlate t.jsonl --people score --quiet --rounds 0");
    assert!(all["metrics"].as_array().unwrap().len() > 10 && all["differences"].as_array().unwrap().is_empty());
}

const MQM: &str = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n\
    ref\td\t1\tr1\tthe cat sat\tNo-error\tNo-error\n\
    refB\td\t1\tr1\ta cat sat\tNo-error\tMinor\n\
    A\td\t1\tr1\tthe <v>cats</v> sat\tFluency/Grammar\tMajor\n\
    A\td\t1\tr2\tthe cats sat\tNo-error\tNo-error\n\
    B\td\t1\tr1\tcat sat\tStyle\tMinor\n\
    ref\td\t2\tr1\tit rains\tNo-error\tNo-error\n\
    A\td\t2\tr1\tit rained\tNo-error\tNo-error\n\
    B\td\t2\tr1\train\tStyle\tMajor\n\
    ref\td\t3\tr1\tyes\tNo-error\tNo-error\n\
    A\td\t3\tr1\tno\tStyle\tMajor\n";

#[test]
fn error_annotations_become_a_table_of_scores() {
    let bench = Bench::of(1);
    bench.write("a.tsv", MQM);
    let run = bench.run("import mqm a.tsv --reference ref --scores -o scores.csv").done();
    assert_eq!(
        bench.read("scores.csv"),
        "system,segment,hyp,ref,score\nA,d:1,the cats sat,the cat sat,-2.5\nB,d:1,cat sat,the cat sat,-1\n\
         A,d:2,it rained,it rains,0\nB,d:2,rain,it rains,-5\n"
    );
    assert!(run.stdout.contains("10 rows read; 2 systems, 2 segments\n"), "{}", run.stdout);
    assert!(
        run.stdout.contains("other human translations, which are skipped: refB")
            && run.stdout.contains("skipped 1 segment, "),
        "{}",
        run.stdout
    );
    let report = bench.json("correlate scores.csv --people score --metrics chrf --quiet");
    assert_eq!((&report["systems"], &report["segments"]), (&Value::from(2), &Value::from(2)));
    bench.refuses("import mqm a.tsv a.tsv --scores", &["expected one file, found 2 files"]);
}

#[test]
fn direct_assessments_keep_texts_that_nobody_judged() {
    let bench = Bench::of(1);
    for (file, text) in
        [("out/A.cs-en", "a one\na two\n"), ("out/B.cs-en", "b one\nb two\n"), ("ref/ref.cs-en", "r one\nr two\n")]
    {
        std::fs::create_dir_all(bench.path(file).parent().unwrap()).unwrap();
        bench.write(file, text);
    }
    bench.write("x.da", "SYS SID RAW.SCR Z.SCR N\nA 1 90 0 1\nB 1 60 0 1\nA 1 80 0 1\nB 2 70 0 1\n");
    let run = bench.run("import da x.da --systems out --references ref --languages cs-en --scores").done();
    assert_eq!(
        run.stdout,
        "system,segment,hyp,ref,score\nA,1,a one,r one,85\nB,1,b one,r one,60\nA,2,a two,r two,\nB,2,b two,r two,70\n"
    );
    assert!(run.stderr.contains("2 systems, 2 segments, 1 of 4 texts without a score"), "{}", run.stderr);
    bench.write("scores.csv", run.stdout);
    let report = bench.json("correlate scores.csv --people score --metrics length --quiet");
    assert_eq!(report["missing"], 1);
}

#[test]
fn what_the_figures_cannot_show_is_noted() {
    let bench = Bench::of(1);
    // Most pairs are ties for people, and the metric is noise.
    let mut text = "system,segment,score,noise,more\n".to_owned();
    for system in 0..4 {
        for segment in 0..30 {
            let (score, noise) = (i32::from(system == 0 && segment % 2 == 0), (system * 11 + segment * 7) % 13);
            text += &format!("s{system},{segment},{score},{noise},{}\n", -2 * noise - score);
        }
    }
    bench.write("ties.csv", text);
    let found = bench
        .output("correlate ties.csv --people score --metrics noise --test acc23_optimised --quiet")
        .replace('\n', " ");
    assert!(
        found.contains("human scores tie in 75.0% of the pairs within a segment") && found.contains("kendall_14"),
        "{found}"
    );
    let other = bench.output("correlate ties.csv --people score --metrics noise --quiet");
    assert!(!other.contains("human scores tie"), "{other}");
    let clear = bench.output("correlate ties.csv --people more --metrics noise- --quiet");
    assert!(!clear.contains("human scores tie") && !clear.contains("negatively"), "{clear}");
    let wrong = bench.output("correlate ties.csv --people more --metrics noise --quiet");
    assert!(wrong.contains("all metrics correlate negatively with the human scores"), "{wrong}");
    bench.write("mqm.tsv", "system\tseg_id\tseverity\nA\t1\tMajor\n");
    bench.refuses("correlate mqm.tsv --people score", &["'tribunal import mqm' with --scores makes a table of scores"]);
    bench.refuses(
        "train dev.answers",
        &["if this is a file of answers, name it with --answers, and the pairs before it"],
    );
}
