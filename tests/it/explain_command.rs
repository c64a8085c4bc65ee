//! `tribunal explain` and `predict --explain`: which pair is explained, and what is printed.

use serde_json::{Value, json};
use tribunal::files::Output;

use crate::common::{Bench, Run, without_colours};
use crate::explain::own_model;

fn json(run: &Run) -> Value {
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn explain_says_what_predict_says_of_every_line() {
    let bench = Bench::of(4);
    let verdicts = bench.run("predict dev.pairs --json").stdout;
    let answers = bench.read("dev.answers");
    for (at, (verdict, people)) in verdicts.lines().zip(answers.lines()).enumerate().step_by(3) {
        let verdict: Value = serde_json::from_str(verdict).unwrap();
        let found = json(&bench.run(&format!("explain dev.pairs --line {} --answers dev.answers --json", at + 1)));
        assert_eq!((&found["line"], &found["verdict"]), (&verdict["line"], &verdict["verdict"]));
        assert_eq!(found["people"].to_string(), people);
        for (at, label) in ["1", "0", "-1"].into_iter().enumerate() {
            assert_eq!(found["probabilities"][at], verdict["probabilities"][label]);
        }
    }
}

#[test]
fn texts_on_the_command_line_are_a_pair_too() {
    let bench = Bench::of(1);
    bench.write("one.pairs", "He goes. ||| -- no ||| He is going. ||| He leaves.\n");
    let mut of_file = json(&bench.run("explain one.pairs --line 1 --json"));
    let texts = "explain --hyp1 'He goes.' --hyp2 '-- no' --ref 'He is going.' --ref 'He leaves.' --json";
    of_file.as_object_mut().unwrap().remove("line");
    assert_eq!(json(&bench.run(texts)), of_file);
    assert!(bench.run(texts.trim_end_matches(" --json")).stdout.starts_with("The model prefers hypothesis 1: p = "));
}

#[test]
fn a_file_is_read_to_its_line_and_no_further() {
    let bench = Bench::of(2);
    let good = bench.read("dev.pairs");
    bench.write("broken.pairs", format!("{good}no pair\n"));
    bench.write("broken.answers", bench.read("dev.answers") + "what?\n");
    let lines = good.lines().count();
    for line in [1, lines] {
        let arguments = format!("--line {line} --json");
        let expected = bench.run(&format!("explain dev.pairs --answers dev.answers {arguments}"));
        let found = bench.run(&format!("explain broken.pairs --answers broken.answers {arguments}"));
        assert_eq!((found.status, found.stdout), (0, expected.stdout));
    }
    let wrong = bench.run(&format!("explain broken.pairs --line {}", lines + 2));
    assert!(wrong.status == 1 && wrong.stderr.contains("broken.pairs:7: expected 3 fields"), "{}", wrong.stderr);
}

#[test]
fn pairs_that_are_not_there_are_told() {
    let bench = Bench::of(2);
    bench.write("ids.csv", "id,hyp1,hyp2,ref,label\nx,a b,b,a b c,-1\ny,a b,b,a b c,1\ny,a,b,a b c,0\n");
    let found = json(&bench.run("explain ids.csv --id x --json"));
    assert_eq!((&found["id"], &found["line"], &found["people"]), (&json!("x"), &json!(2), &json!(-1)));
    bench.write("some.answers", "1\n");
    for (arguments, message) in [
        ("dev.pairs --line 7", "dev.pairs: expected a pair in line 7, found 6 pairs, the last in line 6; name another"),
        (
            "dev.pairs --id x",
            "dev.pairs: expected pairs with ids, found 6 pairs, the last in line 6, without any; name",
        ),
        ("ids.csv --id z", "ids.csv: expected a pair with the id 'z', found none in 3 pairs, the last in line 4; name"),
        ("ids.csv --id y", "ids.csv: expected the id 'y' once, found it in line 3 and line 4; name a --line instead"),
        (
            "ids.csv --line 1",
            "ids.csv: expected a pair in line 1, found 3 pairs, the last in line 4; name another line",
        ),
        (
            "dev.pairs --line 2 -a some.answers",
            "some.answers:2: expected 6 lines, one for each pair of dev.pairs, found 1;",
        ),
        ("dev.pairs --line 2 --ties 0.5", "ties: expected likeliest, 0 or threshold=P where one pair is explained"),
        (
            "--hyp1 a --hyp2 b",
            "the given pair:1: expected a reference for every pair, which the features need, found none; give one",
        ),
        ("none.pairs --line 1", "none.pairs: no such file"),
    ] {
        let run = bench.run(&format!("explain {arguments}"));
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{arguments}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{arguments}: {}", run.stderr);
    }
    for arguments in [
        "dev.pairs",
        "--line 1",
        "dev.pairs --line 0",
        "dev.pairs --line 1 --id x",
        "dev.pairs --line 1 --hyp1 a --hyp2 b --ref c",
        "--hyp1 a --ref c",
        "--hyp1 a --hyp2 b --ref c --answers dev.answers",
        "dev.pairs --line 1 --ref c",
    ] {
        let run = bench.run(&format!("explain {arguments}"));
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn ties_are_those_of_predict() {
    let bench = Bench::of(2);
    for rule in ["0", "likeliest", "threshold=0.01", "threshold=1"] {
        let predicted = bench.run(&format!("predict dev.pairs --ties {rule} --json")).stdout;
        let predicted: Value = serde_json::from_str(predicted.lines().nth(3).unwrap()).unwrap();
        let found = json(&bench.run(&format!("explain dev.pairs --line 4 --ties {rule} --json")));
        assert_eq!((&found["verdict"], &found["ties"]), (&predicted["verdict"], &json!(rule)));
        assert_eq!(found["probabilities"][1], predicted["probabilities"]["0"]);
    }
    let text = bench.run("explain dev.pairs --line 4 --ties 0").stdout;
    assert!(text.contains("the odds of a tie times 0.000; tie rule: 0"), "{text}");
}

#[test]
fn colours_are_shown_where_they_are_asked_for() {
    let bench = Bench::of(1);
    let run = |variables: &[(&str, &str)]| bench.run_in(variables, "", "explain dev.pairs --line 1").stdout;
    let plain = run(&[]);
    let coloured = run(&[("CLICOLOR_FORCE", "1")]);
    assert!(!plain.contains('\u{1b}') && coloured.contains('\u{1b}'));
    assert_eq!(without_colours(&coloured), plain);
    assert_eq!(run(&[("NO_COLOR", "1")]), plain);
}

#[test]
fn predict_tells_its_three_strongest_reasons() {
    let bench = Bench::of(4);
    bench.write("dev.pairs", bench.read("dev.pairs") + "the same ||| the same ||| other words\n");
    bench.write("dev.answers", bench.read("dev.answers") + "0\n");
    for ties in ["", " --ties 0.2"] {
        let plain = bench.run(&format!("predict dev.pairs --json{ties}")).stdout;
        let run = bench.run(&format!("predict dev.pairs --json --explain -o eval.jsonl{ties}"));
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        for (at, (line, plain)) in bench.read("eval.jsonl").lines().zip(plain.lines()).enumerate().step_by(4) {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let reasons = line.as_object_mut().unwrap().remove("reasons").unwrap();
            assert_eq!(line, serde_json::from_str::<Value>(plain).unwrap());
            let families = json(&bench.run(&format!("explain dev.pairs --line {} --json", at + 1)))["families"].clone();
            let reason = |family: &Value| {
                let contribution = family["contribution"].as_f64().unwrap();
                let side = if contribution > 0.0 { 1 } else { -1 };
                json!({"name": family["name"], "contribution": contribution, "for": side})
            };
            let strongest: Vec<Value> = families.as_array().unwrap().iter().take(3).map(reason).collect();
            assert_eq!(reasons, if at == 12 { json!([]) } else { json!(strongest) });
        }
        assert_eq!(bench.run("check eval.jsonl --pairs dev.pairs").status, 0);
        let evaluated = json(&bench.run("evaluate eval.jsonl --answers dev.answers --pairs dev.pairs --json"));
        assert_eq!(evaluated["rows"], json!(13));
    }
    let run = bench.run("predict dev.pairs --explain");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("--explain: expected JSON output, which can hold reasons, found verdicts alone"));
}

#[test]
fn own_metrics_are_read_for_one_pair() {
    let bench = Bench::of(1);
    own_model().write(Output::create(Some(&bench.path("own.json"))).unwrap()).unwrap();
    bench.write("own.csv", "hyp1,hyp2,a.1,a.2,b.1,b.2\nx,y,1,2,3,4\nx,y,4,0.5,2,7\n");
    bench.write("own.a", "4\t0.5\n");
    bench.write("own.b", "2\t7\n");
    let mut of_table = json(&bench.run("explain own.csv --line 3 -m own.json --json"));
    of_table.as_object_mut().unwrap().remove("line");
    let texts = "explain --hyp1 x --hyp2 y -m own.json --own a=own.a,b-=own.b --json";
    assert_eq!(json(&bench.run(texts)), of_table);
    assert_eq!(of_table["metrics"][2], json!({"name": "b", "values": [2.0, 7.0], "lower_is_better": true}));
    let text = bench.run("explain own.csv --line 3 -m own.json").stdout;
    assert!(text.contains("hyp1  x\nhyp2  y\n") && text.contains("b ↓     2.0000*  7.0000"), "{text}");
    let run = bench.run("explain --hyp1 x --hyp2 y -m own.json");
    assert!(
        run.status == 1 && run.stderr.contains("expected values of the own metric 'a', found none"),
        "{}",
        run.stderr
    );
}
