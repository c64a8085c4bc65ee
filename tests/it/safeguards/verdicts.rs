//! Safeguards of verdicts, of the people who gave them, and of warnings.

use crate::common::Bench;

/// A bench with a model, `own.json`, that was trained on its pairs.
fn with_own_model() -> Bench {
    let bench = Bench::of(20);
    bench.run("train dev.pairs -a dev.answers --folds 2 -m own.json -q").done();
    bench
}

const RANKINGS: &str = "s1 ||| 2 ||| the cat sat ||| a cat sat\ns1 ||| 1 ||| the cat sat ||| cats sat\n\
    s1 ||| 0 ||| the cat sat ||| dog\ns2 ||| 0 ||| a dog ran ||| cat\ns2 ||| 1 ||| a dog ran ||| the dog ran\n";

/// The lines in reverse order, below the header of a table.
fn reversed(text: &str, has_header: bool) -> String {
    let (header, rows) = text.split_at(if has_header { text.find('\n').unwrap() + 1 } else { 0 });
    header.to_owned() + &rows.lines().rev().map(|line| format!("{line}\n")).collect::<String>()
}

/// Safeguard 31.
#[test]
fn verdicts_on_other_pairs_are_refused() {
    let bench = Bench::of(1);
    bench.write("x.csv", "hyp1,hyp2,ref,label,id\na cat,dogs,the cat,1,one\nthe dog,cats,a dog,1,two\n");
    bench.write("shuffled.csv", "hyp1,hyp2,ref,label,id\nthe dog,cats,a dog,1,two\na cat,dogs,the cat,1,one\n");
    for (name, has_header) in [("v.jsonl", false), ("v.csv", true), ("v.tsv", true)] {
        bench.run(&format!("predict x.csv -o {name}")).done();
        let rows = reversed(&bench.read(name), has_header);
        bench.write(&format!("reversed-{name}"), &rows);
        // Without the number of the pair, its id tells.
        let without_numbers = rows.replace("\"pair\":", "\"other\":").replacen("pair", "other", 1);
        bench.write(&format!("ids-{name}"), without_numbers.replace("\"line\":", "\"l\":"));
        for command in ["check X -p", "evaluate X -p", "compare -a X", "train --folds 2 -a X"] {
            let run = |verdicts: &str, pairs: &str| format!("{} {pairs}", command.replace('X', verdicts));
            if !command.starts_with("train") {
                bench.run(&run(name, "x.csv")).done();
            }
            let line = 1 + usize::from(has_header);
            let place = |kind: &str| format!("{kind}{name}:{line}: expected the verdict on pair 1");
            bench.refuses(
                &run(&format!("reversed-{name}"), "x.csv"),
                &[&place("reversed-"), "found the one on pair 2;"],
            );
            bench.refuses(&run(&format!("ids-{name}"), "x.csv"), &[&place("ids-"), ", 'one', found the one on 'two';"]);
            bench.refuses(&run(name, "shuffled.csv"), &[&place(""), ", 'two', found the one on 'one';"]);
        }
    }
}

/// Safeguard 31.
#[test]
fn verdicts_on_pairs_of_one_line_are_checked() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    bench.write("x.csv", "mt,ref,score\na cat sat,the cat sat,3\ncats sat,the cat sat,2\ndog,the cat sat,1\n");
    let mut mqm = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n".to_owned();
    for (system, severity) in [("refA", "No-error"), ("A", "Major"), ("B", "Minor"), ("C", "Neutral")] {
        mqm += &format!("{system}\td\t1\tr\tthe cat {system}\tStyle\t{severity}\n");
    }
    bench.write("x.tsv", mqm);
    for (pairs, count) in [("x.rankings", 4), ("x.csv --format table", 3), ("x.tsv --format mqm", 3)] {
        bench.run(&format!("predict {pairs} --json -o eval.out")).done();
        let said = bench.output(&format!("check eval.out --pairs {pairs}"));
        assert!(said.starts_with(&format!("eval.out: {count} verdicts; ")), "{said}");
        bench.run(&format!("evaluate eval.out --pairs {pairs}")).done();
        bench.write("turned.out", reversed(&bench.read("eval.out"), false));
        bench
            .refuses("check turned.out", &[&format!("expected the verdict on pair 1, found the one on pair {count};")]);
    }
}

/// Safeguard 32.
#[test]
fn options_of_tables_have_an_effect_or_are_refused() {
    let bench = Bench::of(1);
    let labelled = "hyp1,hyp2,ref,label,weight\na cat,cats,the cat,1,2\na dog,dogs,the dog,0,2\n";
    bench.write("labelled.csv", labelled);
    bench.write("pos.csv", "pos,neg,ref\na cat,cats,the cat\na dog,dogs,the dog\n");
    bench.write("scored.csv", "mt,ref,score,weight\na cat,the cat,1,1\ncats,the cat,1,1\ndogs,the cat,0,1\n");
    let no_effect = |option: &str| format!("--{option}: expected a table with the columns ");
    for (table, options) in [
        (
            "labelled",
            &[
                "lowest-is-best",
                "margin 1",
                "score-weights",
                "column output=hyp1",
                "column score=weight",
                "column pos=hyp1",
                "column src=ref",
            ][..],
        ),
        (
            "pos",
            &[
                "lowest-is-best",
                "margin 1",
                "score-weights",
                "human-ties drop",
                "human-ties keep",
                "labels 1=1",
                "column hyp1=pos",
                "column label=pos",
            ],
        ),
        (
            "scored",
            &["labels 1=1,0=0", "column label=score", "column weight=weight", "column hyp2=mt", "column neg=mt"],
        ),
    ] {
        for option in options {
            let name = option.split(' ').next().unwrap();
            let place = if name == "column" { option } else { name };
            let parts = [no_effect(place), format!("{table}.csv with the columns ")];
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            bench.refuses(&format!("import table {table}.csv --{option} -o x.csv"), &parts);
            if ["lowest-is-best", "labels"].contains(&name) {
                for command in ["compare X", "train X --folds 2", "evaluate x.out --pairs X", "features X"] {
                    bench.write("x.out", "1\n".repeat(3));
                    let command = command.replace('X', &format!("{table}.csv --format table --{option}"));
                    bench.refuses(&command, &parts);
                }
            }
        }
    }
    let counts = |options: &str| bench.json(&format!("import table {options} -o x.csv"))[0]["labels"].clone();
    assert_eq!(counts("labelled.csv"), serde_json::json!([1, 1, 0]));
    assert_eq!(counts("labelled.csv --human-ties drop"), serde_json::json!([1, 0, 0]));
    assert_eq!(counts("scored.csv --human-ties drop").as_array().unwrap()[1], 0);
    // Named columns tell what the rows are.
    bench.write("both.csv", "hyp1,hyp2,label,mt,score,ref\na,b,1,the cat,1,c\na,b,0,a cat,2,c\n");
    assert_eq!(counts("both.csv"), serde_json::json!([1, 1, 0]));
    bench.run("import table both.csv --column mt=mt,score=score -o x.csv").done();
    assert!(
        bench.read("x.csv").contains("a cat") && bench.read("x.csv").lines().count() == 2,
        "{}",
        bench.read("x.csv")
    );
}

/// Safeguard 32.
#[test]
fn ties_are_dropped_after_the_vote() {
    let bench = Bench::of(1);
    let mut table = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n".to_owned();
    for (judge, first, second) in [("j1", 1, 1), ("j2", 1, 1), ("j3", 1, 2)] {
        table += &format!("cze,eng,1,{judge},A,B,{first},{second}\n");
    }
    table += "cze,eng,2,j1,A,B,1,2\n";
    bench.write("x.csv", table);
    for (folder, name) in [("outputs", "A"), ("outputs", "B"), ("references", "ref.eng")] {
        std::fs::create_dir_all(bench.path(folder)).unwrap();
        bench.write(&format!("{folder}/{name}"), format!("one {name}\ntwo {name}\n"));
    }
    let import = "import wmt-rr x.csv --systems outputs --references references --merge -o pairs.jsonl";
    assert_eq!(bench.json(import)[0]["labels"].as_array().unwrap()[1], 1);
    let found = bench.json(&format!("{import} --human-ties drop"));
    assert_eq!((&found[0]["pairs"], &found[0]["pairs_dropped"]["ties"]), (&1.into(), &1.into()));
    assert!(bench.read("pairs.jsonl").contains("two A"));
}

/// Safeguard 32.
#[test]
fn penalties_have_an_effect_or_are_refused() {
    let bench = Bench::of(1);
    let mut mqm = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n".to_owned();
    for (system, severity) in [("refA", "No-error"), ("A", "Major"), ("B", "Minor")] {
        mqm += &format!("{system}\td\t1\tr\tthe cat {system}\tStyle\t{severity}\n");
    }
    bench.write("x.tsv", &mqm);
    bench.write("y.tsv", mqm.replace("Minor", "Critical"));
    bench.run("import mqm x.tsv --penalty Style:Minor=0.5,:Major=7 -o x.csv").done();
    // What one of several files has is enough.
    bench.run("import mqm x.tsv y.tsv --penalty :Critical=10 -o x.csv").done();
    for scores in ["", "--scores"] {
        for (penalties, parts) in [
            (":Critical=10", ["--penalty: expected a value that matches some row", "':Critical=10'"]),
            ("Stile=1", ["--penalty: expected a value that matches some row", "'Stile=1'"]),
            (":Minor=1,Style:Minor=2", ["--penalty: expected a value that matches some row", "'Style:Minor=2'"]),
            (":Minor=1,:minor=2", ["--penalty: expected one penalty per kind of error", ":Minor=1 and :minor=2"]),
        ] {
            bench.refuses(&format!("import mqm x.tsv --penalty {penalties} -o y.csv {scores}"), &parts);
        }
    }
}

/// Safeguard 38.
#[test]
fn people_agree_only_where_different_people_judged() {
    let bench = Bench::of(1);
    let table = |judges: &dyn Fn(usize) -> String, pairs: usize| {
        let row = |at: usize| {
            format!(
                "a cat {0},cats {0},the cat {0},1,{1}\ncats {0},a cat {0},the cat {0},-1,{2}\n",
                at,
                judges(2 * at),
                judges(2 * at + 1)
            )
        };
        "hyp1,hyp2,ref,label,annotator\n".to_owned() + &(0..pairs).map(row).collect::<String>()
    };
    let agreement = |judges: &dyn Fn(usize) -> String, pairs: usize| {
        bench.write("x.csv", table(judges, pairs));
        let report = bench.json("compare x.csv -q");
        let text = bench.output("compare x.csv -q");
        let share = report["agreement"]["share"].as_f64();
        assert_eq!(text.to_lowercase().contains("human-human"), share.is_some(), "{text}");
        share
    };
    let names = |at: usize| ["ann", "bob"][at % 2].to_owned();
    assert_eq!(agreement(&names, 20), Some(1.0));
    assert_eq!(agreement(&names, 19), None);
    assert_eq!(agreement(&|_| String::new(), 20), None);
    assert_eq!(agreement(&|_| "ann".to_owned(), 20), None);
    assert_eq!(agreement(&|at| ["ann;bob", "eve"][at % 2].to_owned(), 20), None);
    // Two systems that wrote the same, in segments with the same reference: nobody judged a pair of texts twice.
    let study = |text: &dyn Fn(usize, &str) -> String| {
        let row = |(number, rater): (usize, &str)| {
            ["refA", "A", "B"].map(|system| {
                let target = if system == "refA" { format!("right {}", number / 2) } else { text(number / 2, system) };
                format!("{system}\td\t{number}\t{rater}\t{target}\tStyle\tMinor\n")
            })
        };
        let rows: Vec<String> = (0..60).zip(["r1", "r2"].into_iter().cycle()).flat_map(row).collect();
        bench.write("x.tsv", format!("system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n{}", rows.concat()));
        bench.json("compare x.tsv --format mqm -q")["agreement"]["share"].as_f64()
    };
    assert_eq!(study(&|number, _| format!("wrong {number}")), None);
    assert_eq!(study(&|number, system| format!("wrong {number} {system}")), None);
    for wrong in ["ann;ann", "ann;", ";"] {
        bench.write("x.csv", table(&|_| wrong.to_owned(), 1));
        let told = format!("x.csv:2: expected distinct names of annotators, found '{wrong}'; name each annotator once");
        bench.refuses("compare x.csv", &[&told]);
    }
}

/// Safeguard 43.
#[test]
fn verdicts_are_what_the_name_of_their_file_says() {
    let bench = Bench::of(2);
    let objects = bench.output("predict dev.pairs --json");
    bench.run("predict dev.pairs -o v.jsonl").done();
    assert_eq!(bench.read("v.jsonl"), objects);
    bench.run("predict dev.pairs -o v.csv").done();
    let csv = bench.read("v.csv");
    assert!(csv.starts_with("pair,id,verdict,p1,p0,p-1\n1,,"), "{csv}");
    let first: serde_json::Value = serde_json::from_str(objects.lines().next().unwrap()).unwrap();
    let row: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(
        (row[2].to_owned(), row[3].parse().ok()),
        (first["verdict"].to_string(), first["probabilities"]["1"].as_f64())
    );
    bench.run("predict dev.pairs -o v.tsv").done();
    assert_eq!(bench.read("v.tsv").replace('\t', ","), csv);
    for name in ["v.csv", "v.tsv", "v.jsonl"] {
        bench.run(&format!("check {name} --pairs dev.pairs")).done();
        bench.run(&format!("evaluate {name} --pairs dev.pairs -a dev.answers")).done();
    }
    for name in ["v.json", "v.JSON.gz", "v.parquet", "v.html", "v.pairs", "v.xlsx", "v.bz2", "v.csv.xz", "v.zip"] {
        if name == "v.parquet" && cfg!(feature = "parquet") {
            continue;
        }
        bench.refuses(&format!("predict dev.pairs -o {name}"), &[&format!("{name}: expected ")]);
    }
    bench.write("arena.csv", "hyp1,hyp2,ref,system1,system2,label\na,b,r,x,y,1\nb,c,s,y,x,1\n");
    for (command, names) in [
        ("features dev.pairs -o", &["v.json", "v.html", "v.txt", "v.pairs"][..]),
        ("next dev.pairs -n 2 -o", &["v.json", "v.html", "v.txt"]),
        ("annotate dev.pairs -o", &["v.json", "v.csv", "v"]),
        ("rank arena.csv --html", &["v.json", "v.csv", "v.csv.gz"]),
        ("explain dev.pairs --line 1 --html", &["v.json", "v.jsonl"]),
        ("train dev.pairs -a dev.answers --folds 2 -m", &["v.csv", "v.html"]),
        ("score dev.pairs -r dev.pairs -o", &["v.html", "v.xml"]),
        ("import table arena.csv -a v.answers -o", &["v.json", "v.html"]),
    ] {
        for name in names {
            bench.refuses(&format!("{command} {name}"), &["expected a file name for "]);
        }
    }
    bench.refuses(
        "predict dev.pairs --json -o w.csv",
        &["w.csv: expected a file name for JSON Lines", "or omit --json"],
    );
    bench.refuses("train dev.pairs -a dev.answers --folds 2 -m m.xlsx", &["m.xlsx: expected a file name for a model"]);
}

#[cfg(target_os = "linux")]
/// Safeguard 43.
#[test]
fn an_output_may_be_a_pipe() {
    let bench = Bench::of(2);
    let verdicts = bench.output("predict dev.pairs");
    let said = |line: &str| bench.shell(line).done().stdout;
    assert_eq!(said("tribunal predict dev.pairs -o /dev/stdout"), verdicts);
    assert_eq!(said("tribunal predict dev.pairs -o /dev/stdout | cat"), verdicts);
    assert_eq!(said("tribunal predict dev.pairs -o /dev/fd/3 3>&1 | cat"), verdicts);
    assert_eq!(said("bash -c 'tribunal predict dev.pairs -o >(cat) | cat'"), verdicts);
    // What is behind is not replaced.
    bench.write("log", "before\n");
    bench.shell("tribunal predict dev.pairs -o /dev/stdout >> log").done();
    assert_eq!(bench.read("log"), format!("before\n{verdicts}"));
    bench.shell("{ echo before; tribunal predict dev.pairs -o /dev/stdout; echo after; } > log").done();
    assert_eq!(bench.read("log"), format!("before\n{verdicts}after\n"));
    bench.write("x.rankings", RANKINGS);
    for command in ["next dev.pairs -n 2 -q", "features dev.pairs", "import rankings x.rankings -q"] {
        let table = bench.output(command);
        assert_eq!(said(&format!("tribunal {command} -o /dev/stdout")), table, "{command}");
        assert_eq!(said(&format!("bash -c 'tribunal {command} -o >(cat) | cat'")), table, "{command}");
    }
    assert!(said("tribunal annotate dev.pairs -q -o /dev/stdout").starts_with("<!DOCTYPE html>"));
    for command in ["predict dev.pairs", "features dev.pairs", "import rankings x.rankings", "next dev.pairs -n 2"] {
        // Programs that start others often give them the null device for reading and writing.
        assert_eq!(bench.shell(&format!("tribunal {command} 1<> /dev/null")).status, 0);
        for closed in [">&-", "1< log"] {
            let run = bench.shell(&format!("tribunal {command} {closed}"));
            assert!(run.status == 1 && run.stderr.contains("standard output"), "{command}: {}", run.stderr);
        }
        assert_eq!(bench.shell(&format!("tribunal {command} > /dev/null")).status, 0);
    }
    for command in ["compare dev.pairs -a dev.answers", "check dev.answers"] {
        let run = bench.shell(&format!("tribunal {command} >&-"));
        assert!(
            run.status == 1 && run.stderr.contains("standard output: expected a file"),
            "{command}: {}",
            run.stderr
        );
    }
}

/// Safeguard 39.
#[test]
fn a_model_on_its_own_training_data_is_warned_of_in_the_answer() {
    let bench = with_own_model();
    let warning = "'own' was trained on the references of 60 of these 60 pairs, which inflates its accuracy";
    let compare = "compare dev.pairs -a dev.answers -m own.json";
    for brief in ["", "-q", "--brief -q", "--report page -q"] {
        let run = bench.run(&format!("{compare} {brief}")).done();
        let second = run.stdout.lines().nth(1).unwrap();
        assert!(second.starts_with(&format!("Warning: {warning}")), "{}", run.stdout);
        assert!(run.stderr.starts_with(&format!("warning: {warning}")), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    assert!(bench.json(&format!("{compare} -q"))["warnings"][0].as_str().unwrap().starts_with(warning));
    let page = std::fs::read_to_string(bench.path("page/report.html")).unwrap();
    assert!(page.contains("Warning: &#39;own&#39; was trained on the references of 60"), "{page}");
    let other = bench.output("compare dev.pairs -a dev.answers");
    assert!(!other.contains("Warning: "), "{other}");
}

/// Safeguard 39.
#[test]
fn quiet_keeps_warnings() {
    let bench = with_own_model();
    let clear = |at: usize| format!("the cat sat {at} ||| dogs {at} ||| the cat sat down {at}\n");
    bench.write("x.pairs", (0..40).map(clear).collect::<String>());
    bench.write("x.answers", "-1\n".repeat(40));
    let line =
        |id: usize| format!("{id} ||| 0 ||| the cat {id} ||| the cat\n{id} ||| 1 ||| the cat {id} ||| dogs {id}\n");
    bench.write("x.rankings", (0..40).map(line).collect::<String>());
    let german = "der Hund bellt laut ||| die Katze schläft ||| der Hund bellt heute sehr laut\n";
    bench.write("de.pairs", german.repeat(4));
    let mut mqm = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n".to_owned();
    for (system, severity) in [("refA", "Major"), ("A", "No-error"), ("B", "Minor")] {
        mqm += &format!("{system}\td\t1\tr\tthe cat {system}\tStyle\t{severity}\n");
    }
    bench.write("x.tsv", mqm);
    for (command, warning) in [
        ("predict dev.pairs -m own.json", "was trained on the references of 60"),
        ("predict de.pairs", "neither English nor names"),
        ("features de.pairs", "neither English nor names"),
        ("compare x.pairs -a x.answers", "Labels or ranks look reversed"),
        ("train x.pairs -a x.answers --folds 2", "Labels or ranks look reversed"),
        ("import rankings x.rankings", "Labels or ranks look reversed"),
        ("import rankings x.rankings -o y.csv --json", "Labels or ranks look reversed"),
        ("import mqm x.tsv", "people judged the reference worse than every system"),
        ("compare x.tsv --format mqm", "people judged the reference worse than every system"),
    ] {
        let said = bench.run(&format!("{command} -q")).done().stderr;
        let is_warning = |line: &str| line.starts_with("warning: ");
        assert!(said.contains(warning) && said.lines().all(is_warning), "{command}: {said}");
        let all = bench.run(command).done().stderr;
        assert!(all.contains(warning), "{command}: {all}");
    }
}
