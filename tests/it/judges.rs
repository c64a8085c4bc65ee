//! Files as people have them: preference data, arenas, several annotators and automatic judges, without references.

use serde_json::{Value, json};

use crate::common::Bench;

/// The rows of a table about `count` prompts, each with its true label: 1, -1, 1, -1, ...
fn rows(count: usize, row: impl Fn(usize, i32) -> String) -> String {
    (0..count).map(|at| row(at, if at.is_multiple_of(2) { 1 } else { -1 })).collect()
}

/// A pseudo-random number below `of`, the same every time.
fn draw(at: usize, seed: usize, of: usize) -> usize {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (seed as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 33) as usize % of
}

fn accuracy(report: &Value, name: &str) -> f64 {
    let systems = report["systems"].as_array().unwrap();
    systems.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}"))["accuracy"].as_f64().unwrap()
}

/// Pairs with three careful annotators, of whom `eve` answers at random, a judge in both orders that always prefers what
/// is shown first, and one that is right nine times in ten.
fn judged(bench: &Bench) {
    let row = |at: usize, label: i32| {
        let careful = |seed: usize| if draw(at, seed, 10) == 0 { -label } else { label };
        let random = [1, 0, -1][draw(at, 5, 3)];
        let good = if draw(at, 6, 10) == 0 { -label } else { label };
        format!(
            "Question {at}?,one {at} {at},two {at},{},{},{},{random},1,-1,{good}\n",
            careful(1),
            careful(2),
            careful(3)
        )
    };
    let header = "prompt,response_a,response_b,ann,bob,dan,eve,biased.12,biased.21,good\n";
    bench.write("judged.csv", header.to_owned() + &rows(240, row));
}

const OPTIONS: &str = "--annotators ann,bob,dan,eve --judge biased,good";

#[test]
fn preference_data_arenas_and_other_files_are_known_by_their_columns() {
    let bench = Bench::of(1);
    let message = |role: &str, content: &str| json!({"role": role, "content": content});
    let list = |answer: &str| json!([message("user", "Why?"), message("assistant", answer)]);
    let lines = |rows: &[Value]| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    bench.write("chosen.jsonl", lines(&[json!({"prompt": "q", "chosen": "good", "rejected": "bad one"})]));
    let asked = |prompt: &str| json!({"prompt": prompt, "chosen": "good", "rejected": "bad one"});
    bench.write("two.jsonl", lines(&[asked("q"), asked("r")]));
    bench.write("messages.jsonl", lines(&[json!({"chosen": list("good"), "rejected": list("bad one")})]));
    bench.write(
        "arena.jsonl",
        lines(&[json!({"model_a": "x", "model_b": "y", "winner": "model_b",
        "conversation_a": list("good"), "conversation_b": list("bad one")})]),
    );
    bench.write(
        "numbered.jsonl",
        lines(&[json!({"question": "104", "winner": "model_a",
        "conversation_a": list("good"), "conversation_b": list("bad one")})]),
    );
    let numbered = bench.output("import table numbered.jsonl -o - -q");
    assert!(numbered.contains("Why?") && !numbered.contains("104"), "{numbered}");
    bench.write("three.csv", "response_a,response_b,winner_model_a,winner_model_b,winner_tie\ngood,bad one,0,0,1\n");
    bench.write(
        "alpaca.json",
        json!([{"instruction": "q", "input": "i", "output_1": "good", "output_2": "bad one",
        "generator_1": "x", "generator_2": "y", "preference": 1.75}])
        .to_string(),
    );
    let imported = |file: &str| -> Value {
        bench.output(&format!("import table {file} -o out.jsonl -q"));
        serde_json::from_str(bench.read("out.jsonl").lines().next().unwrap()).unwrap()
    };
    for file in ["chosen.jsonl", "messages.jsonl"] {
        let pair = imported(file);
        // Which comes first is drawn from the texts.
        let preferred = if pair["label"] == 1 { &pair["hyp1"] } else { &pair["hyp2"] };
        assert_eq!(preferred, "good", "{pair}");
    }
    assert_eq!(imported("messages.jsonl")["prompt"], "Why?");
    let summary = bench.output("import table two.jsonl -o out.jsonl");
    assert!(summary.contains("2 pairs of 2 segments"), "{summary}");
    // Without a model there is no answer in brief.
    assert!(bench.output("compare two.jsonl --brief -q").contains("length"));
    let arena = imported("arena.jsonl");
    assert_eq!((&arena["hyp1"], &arena["label"], &arena["system2"]), (&json!("good"), &json!(-1), &json!("y")));
    assert_eq!(imported("three.csv")["label"], 0);
    let alpaca = imported("alpaca.json");
    let kept = (&alpaca["prompt"], &alpaca["preference"], &alpaca["system1"]);
    assert_eq!(kept, (&json!("q\n\ni"), &json!(1.75), &json!("x")));
    bench.write("own.csv", "question_text,left,right,who\nq,a,b,1\n");
    let column = "--column prompt=question_text,hyp1=left,hyp2=right,label=who";
    assert!(bench.output(&format!("features own.csv {column}")).lines().nth(1).unwrap().starts_with("2,,,1,"));
    bench.refuses(&format!("features own.csv {column}x"), &["expected a column 'whox'"]);
    let silent = json!([message("user", "Why?")]);
    bench.write("silent.jsonl", lines(&[json!({"chosen": silent, "rejected": list("a")})]));
    bench.refuses("features silent.jsonl", &["silent.jsonl:1: expected a message with the role assistant in 'chosen'"]);
}

#[test]
fn the_label_is_that_of_the_majority() {
    let bench = Bench::of(1);
    bench.write("x.csv", "hyp1,hyp2,ref,a,b,c\nh,i,r,1,1,2\nj,k,s,1,tie,B\nl,m,t,,-1,-1\n");
    let labels = |options: &str| -> Vec<String> {
        let table = bench.output(&format!("import table x.csv --annotators a,b,c -q {options}"));
        table.lines().skip(1).map(|row| row.split(',').nth(3).unwrap().to_owned()).collect()
    };
    assert_eq!(labels(""), ["1", "0", "-1"]);
    assert_eq!(labels("--no-majority drop"), ["1", "-1"]);
    let weighted = bench.output("import table x.csv --annotators a,b,c --majority-weights -q");
    assert!(weighted.lines().nth(1).unwrap().ends_with("0.6666666666666666"), "{weighted}");
    bench.write("rows.csv", "hyp1,hyp2,ref,label,annotator\nh,i,r,1,ann\ni,h,r,-1,bob\nh,i,r,0,eve\n");
    let merged = bench.output("import table rows.csv --merge -q");
    assert_eq!((merged.lines().count(), merged.contains("h,i,r,1,,,ann;bob;eve")), (2, true), "{merged}");
    bench.refuses("import table x.csv --annotators a,d", &["expected a column 'd'"]);
    bench.write("y.csv", "hyp1,hyp2,ref,a\nh,i,r,perhaps\n");
    bench.refuses("compare y.csv --annotators a", &["y.csv:2, column 'a': expected", "'perhaps'"]);
    let compared = bench.run("compare x.csv --annotators a,b,c").done();
    assert!(compared.stdout.contains("No alternative annotator test: it needs 30 pairs"), "{}", compared.stdout);
    let alone = bench.run("compare x.csv --annotators b").done();
    assert!(alone.stderr.contains("No pair has labels of two annotators"), "{}", alone.stderr);
    bench.write("n.jsonl", "{\"hyp1\":7,\"hyp2\":true,\"ref\":\"r\",\"label\":1}\n");
    let read = bench.run("compare n.jsonl").done().stderr;
    assert!(read.contains("2 texts are numbers, true or false in JSON, read as they are written"), "{read}");
}

#[test]
fn labels_of_annotators_are_read_from_columns_or_files() {
    let bench = Bench::of(1);
    judged(&bench);
    let cells = |column: usize| -> Vec<String> {
        let table = bench.read("judged.csv");
        table.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().to_owned()).collect()
    };
    // The first annotator leaves some pairs blank in a file, and so in the column beside it.
    let sparse: Vec<String> =
        cells(3).into_iter().enumerate().map(|(at, label)| if at % 7 == 0 { String::new() } else { label }).collect();
    bench.write("ann.txt", sparse.join("\n") + "\n");
    for (name, column) in [("bob", 4), ("dan", 5), ("eve", 6)] {
        bench.write(&format!("{name}.txt"), cells(column).join("\n") + "\n");
    }
    let rows = cells(1).into_iter().zip(cells(2)).zip(cells(0));
    bench.write(
        "judged.pairs",
        rows.map(|((one, two), ask)| format!("{one} ||| {two} ||| {ask}\n")).collect::<String>(),
    );
    let row = |((pair, ann), others): ((String, &String), [String; 3])| format!("{pair},{ann},{}\n", others.join(","));
    let pairs = cells(1).into_iter().zip(cells(2)).zip(cells(0)).map(|((one, two), ask)| format!("{one},{two},{ask}"));
    let others = cells(4).into_iter().zip(cells(5)).zip(cells(6)).map(|((bob, dan), eve)| [bob, dan, eve]);
    let table: String = pairs.zip(&sparse).zip(others).map(row).collect();
    bench.write("judged2.csv", format!("hyp1,hyp2,ref,ann,bob,dan,eve\n{table}"));
    let report = |arguments: &str| bench.output(&format!("compare {arguments} -q"));
    let files = "ann=ann.txt,bob=bob.txt,dan=dan.txt,eve=eve.txt";
    for options in ["", "--no-majority drop", "--no-majority drop --majority-weights"] {
        let of_columns = report(&format!("judged2.csv --annotators ann,bob,dan,eve {options}"));
        assert!(of_columns.contains("eve stands out"), "{of_columns}");
        assert_eq!(report(&format!("judged.pairs --annotators {files} {options}")), of_columns, "{options}");
        let mixed = report(&format!("judged2.csv --annotators ann,bob=bob.txt,dan,eve=eve.txt {options}"));
        assert!(mixed.contains("eve stands out"), "{mixed}");
    }
    // Each file of pairs has its own files of labels; `train` and `evaluate` read them, too.
    bench.write("ones.txt", "1\n".repeat(240));
    let both = format!("judged.pairs judged2.csv --annotators {files},ann=ann.txt,bob=bob.txt,dan=dan.txt,eve=eve.txt");
    bench.output(&format!("train {both} -q -m twice.json"));
    let evaluated = bench.output(&format!("evaluate ones.txt --pairs judged.pairs --annotators {files} -q"));
    assert!(evaluated.contains("ones"), "{evaluated}");
    bench.write("short.txt", "1\n");
    for (options, told) in [
        ("compare judged.pairs --annotators ann", "none, as the format pairs has no columns for them"),
        ("compare judged.pairs --annotators ann=short.txt", "expected 240 lines, one for each pair of judged.pairs"),
        ("compare judged.pairs --annotators ann=judged.csv", "judged.csv:1: expected a label 1, 0 or -1"),
        ("compare judged.pairs --annotators ann=ann.txt,ann=bob.txt", "--annotators ann: expected 1 file of labels"),
        ("compare judged2.csv --annotators ann,ann", "expected every name once, found 'ann' twice"),
        ("compare judged.pairs --annotators =ann.txt", "expected the name of an annotator"),
        ("import table judged2.csv --annotators ann=ann.txt", "--annotators: expected the names of columns"),
        ("rank judged.pairs -a judged2.csv --annotators ann=ann.txt", "expected labels in one place"),
        ("train judged.pairs --annotators ann=ann.txt -m ann.txt", "ann.txt"),
        ("compare judged.pairs --no-majority drop", "--no-majority"),
    ] {
        bench.refuses(options, &[told]);
    }
}

#[test]
fn verdicts_that_name_places_are_suspected() {
    let bench = Bench::of(1);
    // The first hypothesis wins every other pair: shown first in one order, and second in the other.
    let row = |at: usize| {
        let [label, other] = if at.is_multiple_of(2) { [1, 2] } else { [2, 1] };
        format!("q{at},one text {at},another {at},{label},{label},{other}\n")
    };
    let rows: String = (0..60).map(row).collect();
    bench.write("places.csv", format!("prompt,hyp1,hyp2,label,gpt.12,gpt.21\n{rows}"));
    let run = bench.run("compare places.csv --labels 1=1,2=-1 --judge gpt").done();
    let told = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("disagree on 100.0% of the pairs, more often than by chance; if they name the place"),
        "{told}"
    );
}

#[test]
fn judges_are_combined_and_planted_faults_are_named() {
    let bench = Bench::of(1);
    judged(&bench);
    let run = bench.run(&format!("train judged.csv {OPTIONS} --json -m m.json")).done();
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(accuracy(&report, "ensemble") > 0.75 && accuracy(&report, "human") > 0.5, "{report}");
    assert!(report["systems"].as_array().unwrap().iter().any(|row| row["name"] == "length"));
    let text = bench.run(&format!("compare judged.csv -m m.json {OPTIONS}")).done().stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("eve stands out: agrees with the others in"), "{text}");
    assert!(!text.contains("ann stands out") && !text.contains("bob stands out"), "{text}");
    assert!(text.contains("biased prefers what is shown first: 100.0%"), "{text}");
    assert!(text.contains("good: only one order is known"), "{text}");
    assert!(text.contains("Krippendorff's alpha") && text.contains("May it replace an annotator?"), "{text}");
    // The judges' verdicts may be in files.
    let cells: Vec<Vec<String>> =
        bench.read("judged.csv").lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect();
    let file = |columns: &[usize]| {
        let line = |row: &Vec<String>| columns.iter().map(|&at| row[at].as_str()).collect::<Vec<_>>().join("\t") + "\n";
        cells.iter().map(line).collect::<String>()
    };
    bench.write("biased.txt", file(&[7, 8]));
    bench.write("good.txt", file(&[9]));
    let verdicts = bench.output("predict judged.csv -m m.json");
    assert_eq!(verdicts, bench.output("predict judged.csv -m m.json --judge biased=biased.txt,good=good.txt"));
    bench.write("less.csv", bench.read("judged.csv").replace(",good\n", ",better\n"));
    bench.refuses("predict less.csv -m m.json", &["less.csv:1: expected the column good, or the columns good.12 and"]);
    let explained = bench.json("explain judged.csv --line 2 -m m.json");
    assert!(explained["families"].as_array().unwrap().iter().any(|family| family["name"] == "good"), "{explained}");
    bench.write("one.txt", "a text\n");
    bench.refuses("score one.txt -r one.txt -m m.json", &["a model that scores single hypotheses"]);
}

#[test]
fn exchanged_hypotheses_exchange_verdicts() {
    let bench = Bench::of(1);
    judged(&bench);
    bench.output(&format!("train judged.csv {OPTIONS} -m m.json -q"));
    let swapped = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let turned = |cell: &str| {
            if cell == "0" { "0".to_owned() } else { cell.strip_prefix('-').map_or(format!("-{cell}"), str::to_owned) }
        };
        format!(
            "{},{},{},0,0,0,0,{},{},{}\n",
            cells[0],
            cells[2],
            cells[1],
            turned(cells[8]),
            turned(cells[7]),
            turned(cells[9])
        )
    };
    let table = bench.read("judged.csv");
    let (header, rows) = table.split_once('\n').unwrap();
    bench.write("swapped.csv", format!("{header}\n{}", rows.lines().map(swapped).collect::<String>()));
    let verdicts = |file: &str| -> Vec<i32> {
        bench.output(&format!("predict {file} -m m.json")).lines().map(|line| line.parse().unwrap()).collect()
    };
    let turned: Vec<i32> = verdicts("swapped.csv").into_iter().map(|verdict| -verdict).collect();
    assert_eq!(verdicts("judged.csv"), turned);
}

#[test]
fn what_is_no_verdict_is_missing_and_much_of_it_an_error() {
    let bench = Bench::of(1);
    let with = |garbage: usize| {
        let row = |at: usize, label: i32| {
            let verdict = if at < garbage { "garbage".to_owned() } else { label.to_string() };
            format!("q {at},a {at},b {at},{label},{verdict}\n")
        };
        "prompt,hyp1,hyp2,label,gpt\n".to_owned() + &rows(60, row)
    };
    bench.write("x.csv", with(4));
    let run = bench.run("compare x.csv --judge gpt").done();
    assert!(run.stderr.contains("judge 'gpt': 4 verdicts of 60 read as missing: 'garbage' (4)"), "{}", run.stderr);
    assert!(run.stdout.contains("gpt: 4 missing verdicts"), "{}", run.stdout);
    bench.write("x.csv", with(10));
    bench.refuses("compare x.csv --judge gpt", &["x.csv: expected verdicts of the judge 'gpt'", "'garbage' (10)"]);
    bench.refuses(
        "compare x.csv --judge claude",
        &["expected the column claude, or the columns claude.12 and claude.21"],
    );
    // A name that is misspelt.
    bench.refuses("compare x.csv --judge gtp", &["of the judge 'gtp'", "did you mean 'gpt'? NAME.12 holds"]);
    bench.refuses("compare x.csv --annotators lable", &["expected a column 'lable'", "did you mean 'label'? check"]);
    bench.write("mixed.csv", "hyp1,hyp2,ref,label\na,b,r,1\na,c,,1\n");
    for command in ["train", "compare", "features", "predict"] {
        bench.refuses(
            &format!("{command} mixed.csv"),
            &["mixed.csv:3: expected a reference for every pair", "none in 1 of 2 pairs"],
        );
    }
}

#[test]
fn without_a_model_the_most_accurate_judge_is_compared_with_the_next() {
    let bench = Bench::of(1);
    judged(&bench);
    for against in ["", " --against biased"] {
        let command = format!("compare judged.csv -q {OPTIONS}{against}");
        let report = bench.json(&command);
        assert_eq!(report["answer"]["system"], "good");
        assert_eq!(report["answer"]["rival"]["role"], "metric");
        assert!(accuracy(&report, "good") > report["answer"]["rival"]["accuracy"].as_f64().unwrap());
        assert!(report["power"]["detectable"].as_f64().is_some(), "{}", report["power"]);
        let text = bench.output(&command);
        for part in
            ["Most accurate: good, ", "\nBeats ", "good was selected as the most accurate", "Power: with 240 prompts"]
        {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
        assert!(!text.contains("trained models"), "{text}");
    }
}
