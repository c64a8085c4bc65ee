//! Safeguards of formats of judgments and their labels.

use serde_json::Value;

use crate::common::{Bench, gzip};

/// Safeguard 6.
#[test]
fn language_names_of_bcp_47() {
    let bench = Bench::of(3);
    let judged = |language: &str| bench.output(&format!("predict dev.pairs --json --language {language}"));
    let (english, other) = (judged("en"), judged("de"));
    assert_ne!(english, other);
    for name in ["eng", "EN", "en-US", "en_GB", "En-latn-gb"] {
        assert_eq!(judged(name), english, "{name}");
    }
    for name in ["de-DE", "deu", "ger", "zh-Hans-CN", "yue", "xx"] {
        assert_eq!(judged(name), other, "{name}");
    }
}

/// Safeguard 6.
#[test]
fn models_record_the_code() {
    let bench = Bench::of(3);
    for (name, code) in [("de-AT", "de"), ("ger", "de"), ("ENG", "en"), ("zh-Hans-CN", "zh")] {
        bench.output(&format!("train dev.pairs --answers dev.answers --folds 2 -q --language {name} -m m.json"));
        let model: Value = serde_json::from_str(&bench.read("m.json")).unwrap();
        assert_eq!(model["training"]["language"], code, "{name}");
    }
}

/// Safeguard 10.
#[test]
fn segments_are_counted_as_they_are_written() {
    let bench = Bench::of(1);
    // Nothing is left of s1; s3 has the reference of s2 in another spelling.
    let rows = "s1 ||| 0 ||| It rained. ||| rain\ns1 ||| 1 ||| It rained. ||| rain\n\
        s2 ||| 0 ||| A dog ran. ||| dog\ns2 ||| 1 ||| A dog ran. ||| a dog\n\
        s3 ||| 0 ||| a dog ran . ||| dogs\ns3 ||| 2 ||| a dog ran . ||| the dog\n";
    bench.write("x.rankings", rows);
    let said = bench.output("import rankings x.rankings -o x.csv");
    assert!(said.contains("; 3 pairs of 3 segments;"), "{said}");
    let said = bench.output("import rankings x.rankings --drop-same-text -o x.csv");
    assert!(said.contains("6 rows read, 6 used; 2 pairs of 2 segments; human labels: "), "{said}");
    assert!(said.contains("dropped 1 pair: both hypotheses are identical"), "{said}");
    assert!(
        said.contains("note: 1 segment with the same references as others: training keeps them in one fold"),
        "{said}"
    );
    let found = bench.json("compare x.csv");
    assert_eq!((&found["rows"], &found["groups"]), (&Value::from(2), &Value::from(1)));
}

/// The better hypothesis of each pair that a command makes of a ranking.
fn better(bench: &Bench, command: &str) -> Vec<String> {
    let table = bench.output(command);
    let pair = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let side = if row["label"] == 1 { "hyp1" } else { "hyp2" };
        row[side].as_str().unwrap().to_owned()
    };
    table.lines().map(pair).collect()
}

/// Safeguard 10.
#[test]
fn the_highest_rank_is_the_best() {
    let bench = Bench::of(1);
    bench.write("x.rankings", "s1 ||| 2 ||| the cat ||| a cat\ns1 ||| 1 ||| the cat ||| cats\n");
    assert_eq!(better(&bench, "import rankings x.rankings --to jsonl -q"), ["a cat"]);
    assert_eq!(better(&bench, "import rankings x.rankings --lowest-is-best --to jsonl -q"), ["cats"]);
    bench.write("x.csv", "mt,ref,score\na cat,the cat,0.9\ncats,the cat,0.1\n");
    assert_eq!(better(&bench, "import table x.csv --to jsonl -q"), ["a cat"]);
    assert_eq!(better(&bench, "import table x.csv --lowest-is-best --to jsonl -q"), ["cats"]);
    // Commands that read the ranking directly give the same labels.
    let labels = |options: &str| bench.json(&format!("compare {options} -q"))["labels"].clone();
    let (highest, lowest) = (labels("x.rankings"), labels("x.rankings --lowest-is-best"));
    assert_eq!([&highest[0], &highest[2]], [&lowest[2], &lowest[0]]);
    assert_ne!(highest, lowest);
    let column = |options: &str| bench.json(&format!("features x.rankings {options}"))["label"].as_i64().unwrap();
    assert_eq!(column(""), -column("--lowest-is-best"));
    let told = "--lowest-is-best: expected judgments in one of the formats rankings, table, found dev.pairs (pairs);";
    bench.refuses("compare dev.pairs --answers dev.answers --lowest-is-best", &[told]);
    assert!(!bench.run("import rankings --help").stdout.contains("highest-is-best"));
}

const REVERSED: &str = "Labels or ranks look reversed: --labels 1=-1,0=0,-1=1 reverses labels; adding or omitting --";

/// Safeguard 10.
#[test]
fn reversed_labels_are_noticed() {
    let bench = Bench::of(40);
    let clear = |at: usize| format!("the cat sat {at} ||| dogs {at} ||| the cat sat down {at}\n");
    bench.write("clear.pairs", (0..40).map(clear).collect::<String>());
    bench.write("clear.answers", "1\n".repeat(40));
    bench.write("wrong.answers", "-1\n".repeat(40));
    bench.write("eval.out", "1\n".repeat(40));
    for command in ["train clear.pairs --folds 2 -a", "compare clear.pairs -a", "evaluate eval.out -p clear.pairs -a"] {
        for (answers, is_reversed) in [("clear.answers", false), ("wrong.answers", true)] {
            let run = bench.run(&format!("{command} {answers}"));
            assert_eq!((run.status, run.stderr.contains(REVERSED)), (0, is_reversed), "{command}: {}", run.stderr);
        }
        let right = bench.run(&format!("{command} wrong.answers --labels 1=-1,0=0,-1=1"));
        assert_eq!((right.status, right.stderr.contains(REVERSED)), (0, false), "{command}: {}", right.stderr);
    }
    let line =
        |id: usize| format!("{id} ||| 1 ||| the cat {id} ||| dogs {id}\n{id} ||| 0 ||| the cat {id} ||| the cat\n");
    bench.write("x.rankings", (0..40).map(line).collect::<String>());
    let warning = "warning: in 40 of 40 pairs the preferred hypothesis shares fewer words with the reference than";
    assert!(bench.output("import rankings x.rankings -o x.csv").contains(warning));
    assert!(bench.run("compare x.rankings").stderr.contains(warning));
    assert!(!bench.output("import rankings x.rankings --lowest-is-best -o x.csv").contains("warning"));
    // The sample's own labels are not reversed.
    let run = bench.run("compare dev.pairs -a dev.answers");
    assert!(run.status == 0 && !run.stderr.contains("reversed"), "{}", run.stderr);
}

const MQM: &str = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n";

fn error(system: &str, rater: &str, target: &str, severity: &str) -> String {
    format!("{system}\td\t1\t{rater}\t{target}\tStyle\t{severity}\n")
}

/// Safeguard 11.
#[test]
fn the_reference_that_people_judged_best() {
    let bench = Bench::of(1);
    let rows = [
        error("ref", "r1", "a bad reference", "Major"),
        error("refB", "r1", "the good reference", "Neutral"),
        error("Human-A.0", "r1", "a middling reference", "Minor"),
        error("A", "r1", "a system", "Minor"),
        error("B", "r1", "other system", "Major"),
    ];
    bench.write("x.tsv", MQM.to_owned() + &rows.concat());
    let said = bench.output("import mqm x.tsv -o x.csv");
    let scores = "note: the reference is refB 0.00 (mean score); other human translations, which are hypotheses: \
        ref -5.00, Human-A.0 -1.00; systems: -5.00 to -1.00";
    assert!(said.contains(scores), "{said}");
    let table = bench.read("x.csv");
    assert!(table.lines().skip(1).all(|line| line.contains("the good reference")));
    bench.write("x.tsv.gz", gzip(bench.read("x.tsv")));
    assert_eq!(bench.output("import mqm x.tsv.gz -q"), table);
    let said = bench.output("import mqm x.tsv --reference ref -o x.csv");
    assert!(said.contains("note: the reference is ref -5.00 (mean score)"), "{said}");
    let worse = [error("ref", "r1", "a bad reference", "Major"), rows[3].clone(), error("B", "r1", "b", "Minor")];
    bench.write("x.tsv", MQM.to_owned() + &worse.concat());
    let said = bench.run("compare x.tsv --format mqm");
    assert!(said.stderr.contains("people judged the reference worse than every system"), "{}", said.stderr);
    bench.write("x.tsv", MQM.to_owned() + &rows[3]);
    bench.refuses("import mqm x.tsv", &["x.tsv: expected a reference, called ref, refB, Human-A or the like, found"]);
}

/// Safeguard 11.
#[test]
fn targets_that_raters_corrected() {
    let bench = Bench::of(1);
    let rows = [
        error("ref", "r1", "the reference of it", "Neutral"),
        error("A", "r1", "the system said so", "Minor"),
        error("A", "r2", "the <v>systems</v> said so", "Minor"),
        error("A", "r2", "the systems <v>said</v> so", "Minor"),
        error("B", "r1", "the first text here", "Minor"),
        error("B", "r2", "the second text here", "Major"),
    ];
    bench.write("x.tsv", MQM.to_owned() + &rows.concat());
    let said = bench.output("import mqm x.tsv -o x.csv");
    let told = "note: raters corrected 2 targets in 2 rows: the most frequent text counts as the system's";
    assert!(said.contains(told), "{said}");
    let table = bench.read("x.csv");
    assert!(table.contains("the systems said so") && table.contains("the first text here"), "{table}");
    // A different sentence is not a correction: ids that are not unique are refused.
    bench.write("x.tsv", MQM.to_owned() + &rows[..2].concat() + &error("A", "r3", "it rains today again", "Minor"));
    bench.refuses("import mqm x.tsv", &["x.tsv:4: expected the target that system 'A' has elsewhere in segment"]);
}

/// Safeguard 12.
#[test]
fn labels_as_other_programs_write_them() {
    let bench = Bench::of(1);
    let labels = ["1.0", "-1.0", "0.0", "+1"];
    let rows = labels.map(|label| format!("a{label},b,c,{label}\n")).concat();
    bench.write("x.csv", format!("hyp1,hyp2,ref,label\n{rows}"));
    bench.write("x.answers", labels.map(|label| format!("{label}\n")).concat());
    for command in ["compare x.csv", "compare x.csv -a x.answers"] {
        let found = bench.json(&format!("{command} -q"));
        assert_eq!(found["labels"].to_string(), "[2,1,1]");
    }
    assert!(bench.output("check x.answers").contains("4 verdicts; 1: 2, 0: 1, -1: 1"));
    let imported = bench.output("import table x.csv -q");
    let found: Vec<&str> = imported.lines().skip(1).map(|row| row.split(',').nth(3).unwrap()).collect();
    assert_eq!(found, ["1", "-1", "0", "1"]);
    bench.write("x.jsonl", "{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"c\",\"label\":-1.0}\n");
    assert!(bench.output("features x.jsonl").lines().nth(1).unwrap().starts_with("1,,,-1,"));
}

/// Safeguard 12.
#[test]
fn labels_that_nobody_needs_may_be_anything() {
    let bench = Bench::of(1);
    bench.write("x.csv", "hyp1,hyp2,ref,label\na cat,dogs,a cat,left\ndogs,a cat,a cat,1\n");
    assert_eq!(bench.output("predict x.csv"), "1\n-1\n");
    let features = bench.output("features x.csv");
    let starts: Vec<bool> =
        features.lines().skip(1).zip(["2,,,,", "3,,,1,"]).map(|(row, start)| row.starts_with(start)).collect();
    assert_eq!(starts, [true, true], "{features}");
    bench.write("x.answers", "1\n-1\n");
    bench.output("evaluate x.answers --answers x.answers --pairs x.csv");
    let advice = "or name your labels: --labels left=1,right=-1,tie=0";
    bench.refuses("compare x.csv", &["x.csv:2: expected a label 1, 0 or -1, found 'left';", advice]);
}

/// Safeguard 12.
#[test]
fn names_of_labels_can_be_mapped() {
    let bench = Bench::of(4);
    let answers = bench.read("dev.answers");
    let named = answers.lines().map(|label| match label {
        "1" => "left\n",
        "-1" => "right\n",
        _ => "tie\n",
    });
    bench.write("named.answers", named.collect::<String>());
    let rows = bench.read("dev.pairs");
    let rows = rows.lines().zip(bench.read("named.answers").lines().map(str::to_owned).collect::<Vec<_>>());
    let row = |(pair, label): (&str, String)| format!("{}\t{label}\n", pair.replace(" ||| ", "\t"));
    bench.write("named.tsv", "hyp1\thyp2\tref\tlabel\n".to_owned() + &rows.map(row).collect::<String>());
    let names = "--labels left=1,right=-1,tie=0";
    bench.write("eval.out", bench.output("predict dev.pairs"));
    for command in ["train dev.pairs --folds 2", "compare dev.pairs", "evaluate eval.out", "features dev.pairs"] {
        let plain = bench.output(&format!("{command} -a dev.answers --json -q"));
        assert_eq!(bench.output(&format!("{command} -a named.answers {names} --json -q")), plain, "{command}");
    }
    let plain = bench.output("compare dev.pairs -a dev.answers --json -q");
    assert_eq!(bench.output(&format!("compare named.tsv {names} --json -q")), plain);
    bench.output(&format!("import table named.tsv {names} -o imported.csv"));
    assert_eq!(bench.output("compare imported.csv --json -q"), plain);
    bench.write("named.answers", bench.read("named.answers").replace("left", "Left"));
    bench.refuses(
        &format!("compare dev.pairs -a named.answers {names}"),
        &[": expected one of the labels left, right, tie, found 'Left'; did you mean 'left'?"],
    );
    bench.refuses("import table named.tsv --labels A=1,B=-1", &["named.tsv:2: expected one of the labels A, B, found"]);
    bench.refuses(
        "compare named.tsv --labels left=1,left=-1,right=-1,tie=0",
        &["--labels: expected one label for each name, found left=1 and left=-1;"],
    );
}

/// Safeguard 20.
#[test]
fn a_part_with_only_ties_is_named() {
    let bench = Bench::of(1);
    let pairs = (0..12).map(|at| format!("a cat {at} ||| a dog {at} ||| reference number {at}\n"));
    bench.write("x.pairs", pairs.collect::<String>());
    bench.write("x.answers", "0\n".repeat(11) + "1\n");
    for folds in [2, 3, 6] {
        let told = format!("found only ties in the part without fold 1 of {folds}; use fewer folds, or more data");
        bench.refuses(&format!("train x.pairs -a x.answers --folds {folds} -q"), &[&told]);
    }
    bench.write("x.answers", "0\n".repeat(12));
    let told = "training: expected pairs with a preferred hypothesis, found only ties;";
    bench.refuses("train x.pairs -a x.answers --folds 3 -q", &[told]);
}

/// Safeguard 20.
#[test]
fn imports_without_a_pair_are_errors() {
    let bench = Bench::of(1);
    bench.write("ref.cs-en", "the cat sat\n");
    for (kind, options, header, alone) in [
        ("rankings", "", "", "s1 ||| 0 ||| r ||| a\n"),
        ("da", " --references ref.cs-en", "SYS SID RAW Z N\n", "A 1 50 0 1\n"),
        ("rank", " --references ref.cs-en", "", "1\tcs-en\tA\tcs-en\tB\n"),
        ("mqm", "", MQM, "ref\td\t1\tr\tt\tNo-error\tNo-error\n"),
        (
            "wmt-rr",
            " --references ref.cs-en",
            "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n",
            "cze,eng,1,j1,A,B,1,-1\n",
        ),
        ("table", " --format csv", "mt,ref,score\n", "a,r,0.5\n"),
        ("table", " --format csv", "hyp1,hyp2,ref,label\n", "a,b,r,\n"),
    ] {
        let before = bench.content();
        let import = format!("import {kind} -{options}");
        bench
            .run_on(header, &format!("{import} -o x.csv"))
            .refused_with(&["standard input: expected at least one pair, found an empty file, or"]);
        let run = bench.run_on(&format!("{header}{alone}"), &format!("{import} -o x.csv"));
        run.refused_with(&["standard input: expected at least one pair, found none in 1 row (dropped 1 row: "]);
        assert_eq!(bench.content(), before, "{kind}");
    }
    bench.run_on("", "import table - --format csv").refused_with(&["standard input: expected "]);
}

/// Safeguard 20.
#[test]
fn options_that_drop_all_pairs_are_named() {
    let bench = Bench::of(1);
    bench.write("x.rankings", "s1 ||| 0 ||| r ||| a\ns1 ||| 0 ||| r ||| a\n");
    let told = "x.rankings: expected at least one pair, found none in 2 rows (dropped 1 pair: both hypotheses are \
                identical); omit the option that drops them, such as --human-ties drop, --margin or --drop-same-text";
    bench.refuses("import rankings x.rankings --drop-same-text -o x.csv", &[told]);
    bench
        .refuses("import rankings x.rankings --human-ties drop -o x.csv", &["(dropped 1 pair: ties); omit the option"]);
    assert!(!bench.path("x.csv").exists());
}

fn sgml(bench: &Bench, name: &str, text: &str) {
    bench.write(name, format!("<tstset><doc>\n<seg id=\"7\"> {text} </seg>\n</doc></tstset>\n"));
}

/// Several language pairs of one campaign, with every judgment or the majority of judges; each reference is one group.
/// Safeguard 10.
#[test]
fn references_of_several_files_are_one_group() {
    let bench = Bench::of(1);
    for languages in ["cs-en", "de-en"] {
        sgml(&bench, &format!("{languages}.ref.sgm"), "It &quot;rained&quot;.");
        ["A", "B", "C"].iter().for_each(|system| {
            sgml(&bench, &format!("{languages}.{system}.sgm"), &format!("rain {system} {languages}"));
        });
        let line = |better: &str, other: &str| format!("7\t{languages}\t{better}\t{languages}\t{other}\n");
        let lines = [line("A", "B"), line("A", "B"), line("B", "A"), line("A", "C"), line("C", "A")];
        bench.write(&format!("{languages}.rank"), lines.concat());
    }
    let said = bench.output("import rank cs-en.rank de-en.rank -o x.jsonl");
    assert!(said.contains("cs-en.rank: 5 rows read, 5 used; 5 pairs of 1 segment; "), "{said}");
    let told = "note: 1 segment with the same references as others in this or an earlier file: training keeps them in one \
                fold";
    assert!(said.ends_with(&format!("{told}\n")), "{said}");
    let found = bench.json("compare x.jsonl -q");
    assert_eq!((&found["rows"], &found["groups"]), (&Value::from(10), &Value::from(1)));
    let said = bench.output("import rank cs-en.rank de-en.rank --merge -o x.jsonl");
    assert!(said.contains("5 rows read, 5 used; 1 pair of 1 segment; "), "{said}");
    assert!(said.contains("dropped 1 pair: no majority label"), "{said}");
    let pair: Value = serde_json::from_str(bench.read("x.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!(pair["weight"].as_f64(), Some(2.0 / 3.0));
    assert_eq!(better(&bench, "import rank cs-en.rank --merge --to jsonl -q"), ["rain A cs-en"]);
}

/// Two documents with the same segment ids, in the order of their names.
fn two_documents(bench: &Bench, name: &str, order: &str, texts: [&str; 3]) {
    let [one, two, three] = texts;
    let document = |letter: char| match letter {
        'a' => format!("<doc docid=\"a\">\n<seg id=\"1\"> {one} </seg>\n<seg id=\"2\">{two}</seg>\n</doc>\n"),
        _ => format!("<doc docid=\"b\">\n<hl>\n<seg id=\"1\">{three}</seg>\n</hl></doc>\n"),
    };
    bench.write(name, format!("<tstset>\n{}</tstset>\n", order.chars().map(document).collect::<String>()));
}

/// Safeguard 28.
#[test]
fn segments_of_sgml_are_known_by_document_and_id() {
    let bench = Bench::of(1);
    two_documents(&bench, "x.cs-en.ref.sgm", "ab", ["one", "R&#38;D &#x27;two&apos;", "three &amp;lt; four"]);
    two_documents(&bench, "cs-en.A.sgm", "ab", ["A one", "A two", "A three"]);
    two_documents(&bench, "cs-en.B.sgm", "ba", ["B one", "B two", "B three"]);
    let ranked = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n";
    let expected = [("1", "one", "one"), ("2", "two", "R&D 'two'"), ("3", "three", "three &lt; four")];
    for (id, text, reference) in
        expected.into_iter().chain([("a:2", "two", "R&D 'two'"), ("b:1", "three", "three &lt; four")])
    {
        bench.write("x.da", format!("A {id} 90 0 1\nB {id} 10 0 1\n"));
        bench.write("x.rank", format!("{id}\tcs-en\tA\tcs-en\tB\n"));
        bench.write("x.csv", format!("{ranked}cze,eng,{id},j,A,B,1,2\n"));
        let note = "note: segment ids restart in each document of the references, so that a number without a document";
        for command in ["import da x.da --languages cs-en", "import rank x.rank", "import wmt-rr x.csv"] {
            if command.contains("wmt-rr") && id.contains(':') {
                continue;
            }
            let run = bench.run(&format!("{command} --to jsonl")).done();
            let pair: Value = serde_json::from_str(&run.stdout).unwrap();
            let mut hypotheses = [pair["hyp1"].as_str(), pair["hyp2"].as_str()];
            hypotheses.sort_unstable();
            let texts = ["A", "B"].map(|system| format!("{system} {text}"));
            assert_eq!(hypotheses, texts.each_ref().map(|text| Some(text.as_str())), "{command} {id}");
            assert_eq!(pair["ref"], reference, "{command} {id}");
            assert_eq!(run.stderr.contains(note), !id.contains(':'), "{}", run.stderr);
        }
    }
    bench.write("x.da", "A c:1 90 0 1\nB 4 10 0 1\n");
    bench.refuses(
        "import da x.da --languages cs-en",
        &["none in 2 rows (dropped 2 rows: of a segment that has no reference)"],
    );
    two_documents(&bench, "cs-en.B.sgm", "aba", ["B one", "B two", "B three"]);
    bench.write("x.da", "A 1 90 0 1\nB 1 10 0 1\n");
    let told = "cs-en.B.sgm:11: expected every segment once, found segment '1' of document 'a' again; name a file with";
    bench.refuses("import da x.da --languages cs-en", &[told]);
}

/// Safeguard 29.
#[test]
fn score_reads_sgml_as_import_does() {
    let bench = Bench::of(1);
    let (system, reference) =
        (["It rains a lot", "R&amp;D", "He said &#34;go&#34;"], ["It rained a lot", "R&D", "He said go"]);
    two_documents(&bench, "A.sgm", "ab", system);
    two_documents(&bench, "ref.sgm", "ab", reference);
    bench.write("A", "It rains a lot\nR&D\nHe said \"go\"\n");
    bench.write("ref", reference.join("\n"));
    for options in ["", " --segments"] {
        let score = |files: &str| bench.output(&format!("score {files} --metrics bleu,chrf,ter{options}"));
        let expected = score("A -r ref");
        for files in ["A.sgm -r ref.sgm", "A.sgm -r ref", "A -r ref.sgm"] {
            assert_eq!(score(files).replace("A.sgm", "A"), expected, "{files}{options}");
        }
        two_documents(&bench, "turned.sgm", "ba", reference);
        let told =
            "turned.sgm: expected segment '1' of document 'a' next, as in A.sgm, found segment '1' of document 'b'; ";
        bench.refuses(&format!("score A.sgm -r turned.sgm{options}"), &[told]);
        two_documents(&bench, "short.sgm", "a", reference);
        bench.refuses(
            &format!("score A.sgm -r short.sgm{options}"),
            &["short.sgm:3: expected 3 segments, as in A.sgm, found 2"],
        );
    }
}

/// Safeguard 33.
#[test]
fn zeros_that_mean_the_second_are_noticed() {
    let bench = Bench::of(2);
    let warning = |zeros: &str| {
        format!("{zeros} labels are 0 (a tie) and none is -1; if 0 means the second hypothesis, use --labels 1=1,0=-1")
    };
    bench.write("x.answers", "1\n0\n1\n0\n0\n1\n");
    bench.write("x.pairs", "a cat ||| a dog ||| a cat\na dog ||| a cat ||| a cat\n".repeat(3));
    let labels = ["1", "0", "1", "0", "0", "1"];
    bench.write(
        "x.csv",
        "hyp1,hyp2,ref,label\n".to_owned() + &labels.map(|label| format!("a {label},b,c{label},{label}\n")).concat(),
    );
    bench.write("eval.out", "1\n-1\n".repeat(3));
    for command in [
        "compare x.pairs -a x.answers",
        "train x.pairs -a x.answers --folds 2",
        "evaluate eval.out -a x.answers -p x.pairs",
        "evaluate eval.out -a x.answers",
        "compare x.csv",
        "import table x.csv -o y.csv",
        "import table x.csv",
    ] {
        let said = |command: &str| {
            let run = bench.run(command);
            if command.contains("-o") { run.stdout } else { run.stderr }
        };
        assert!(said(command).contains(&warning("3 of 6")), "{command}: {}", said(command));
        let named = said(&format!("{command} --labels 1=1,0=-1"));
        assert!(!named.contains("labels are 0"), "{command}: {named}");
    }
    for answers in ["1\n0\n1\n0\n0\n-1\n", "1\n1\n1\n1\n1\n1\n"] {
        bench.write("x.answers", answers);
        assert!(!bench.run("compare x.pairs -a x.answers").stderr.contains("labels are 0"), "{answers}");
    }
}

/// Safeguard 37.
#[test]
fn no_system_is_compared_with_itself() {
    let bench = Bench::of(1);
    for (name, text) in [("ref.cs-en", "a cat sat\n"), ("A.cs-en", "a cat\n"), ("B.cs-en", "cats\n")] {
        bench.write(name, text);
    }
    let da = "import da x.da --languages cs-en";
    bench.write("x.da", "A 1 90 0 1\nB 1 45 0 1\nA 1 20 0 1\n");
    assert_eq!(better(&bench, &format!("{da} --to jsonl -q --margin 5")), ["a cat"]);
    assert!(!bench.run(&format!("{da} --margin 25")).stdout.contains("a cat"));
    bench.write("x.da", "A 1 90 0 1\nA.cs-en 1 10 0 1\n");
    bench.refuses(
        da,
        &[": expected a file for each system, found ", "A.cs-en for 'A' and 'A.cs-en'; call each system by"],
    );
    bench.write("x.rank", "1\tcs-en\tA\tcs-en\tA\n1\tcs-en\tA\tcs-en\tB\n");
    let ranked = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n";
    bench.write("x.csv", format!("{ranked}cze,eng,1,j,A,A,B,1,2,-1\ncze,eng,1,j,A,B,,1,2,-1\n"));
    bench.write("scores.csv", "id,mt,ref,score\nA,a cat,r,1\nA,a cat,r,2\nB,cats,r,2\n");
    // Here the ids are those of segments, and two systems wrote the same.
    bench.write("segments.csv", "id,mt,ref,score\n7,a cat,r,1\n7,a cat,r,2\n7,cats,r,2\n");
    assert_eq!(bench.run("import table segments.csv").done().stdout.lines().count(), 1 + 3);
    for (command, pairs) in [("rank x.rank", 1), ("wmt-rr x.csv", 1), ("table scores.csv", 2)] {
        let run = bench.run(&format!("import {command}")).done();
        assert_eq!(run.stdout.lines().count(), 1 + pairs, "{command}: {}", run.stdout);
        assert!(
            run.stderr.contains("dropped 1 pair: both outputs come from the same system"),
            "{command}: {}",
            run.stderr
        );
    }
}

/// Safeguard 37.
#[test]
fn contradictory_and_repeated_rows_of_mqm_are_counted() {
    let bench = Bench::of(1);
    let none = |system: &str, target: &str| format!("{system}\td\t1\tr1\t{target}\tNo-error\tNo-error\n");
    let rows = [
        none("ref", "the reference"),
        none("A", "a system"),
        none("A", "a system"),
        error("A", "r1", "a system", "Minor"),
        error("A", "r2", "a system", "Minor"),
        none("B", "other system"),
    ];
    bench.write("x.tsv", MQM.to_owned() + &rows.concat());
    let told = "note: 1 row is equal to another one; each counts; 1 translation is rated by one rater both with errors and \
        without; the errors count";
    assert!(bench.output("import mqm x.tsv -o x.csv").contains(told));
    bench.write("x.tsv", MQM.to_owned() + &rows[0] + &rows[3..].concat());
    assert!(!bench.output("import mqm x.tsv -o x.csv").contains("count"));
}

/// Safeguard 37.
#[test]
fn weights_are_finite_and_many_pairs_are_announced() {
    let bench = Bench::of(1);
    bench.write("x.csv", "mt,ref,score\na,r,1e308\nb,r,-1e308\n");
    let told = "x.csv:2: expected scores with a finite difference in segment '1', found ";
    bench.refuses("import table x.csv --score-weights -o y.csv", &[told]);
    bench.write("x.rankings", "s ||| 1e308 ||| r ||| a\ns ||| -1e308 ||| r ||| b\n");
    bench.refuses("import rankings x.rankings --score-weights", &["expected scores with a finite difference"]);
    // Ties are dropped and the last segment is refused, so that no such file is written here.
    let rows = |last: &str| (0..4500).map(|at| format!("{at},r,1\n")).collect::<String>() + &format!("x,r,{last}\n");
    bench.write("x.csv", "mt,ref,score\n".to_owned() + &rows("1") + "y,s,1e308\nz,s,-1e308\n");
    let run = bench.run("import table x.csv --human-ties drop -o y.csv");
    let first = run.stderr.lines().next().unwrap_or_default();
    let told = "x.csv: forming all 10127251 pairs of hypotheses of the same segment; the largest segment has 4501";
    assert!(run.status == 1 && first.starts_with(told), "{}", run.stderr);
    bench.write("x.csv", "mt,ref,score\na,r,1\nb,r,2\n");
    assert!(!bench.output("import table x.csv -o y.csv").contains("in all"));
}
