//! Warnings with advice: each appears with its cause, and none on ordinary data.

use std::sync::LazyLock;

use crate::common::{Bench, Run};

/// The texts as a tokeniser writes them.
fn tokenised(texts: &str) -> String {
    [",", "."].iter().fold(texts.to_owned(), |texts, mark| {
        texts.replace(&format!("{mark} "), &format!(" {mark} ")).replace(&format!("{mark}\n"), &format!(" {mark}\n"))
    })
}

#[test]
fn a_reference_in_the_place_of_a_hypothesis_is_warned_of() {
    let bench = Bench::of(30);
    let moved = |line: &str| line.rsplit(" ||| ").collect::<Vec<_>>().join(" ||| ") + "\n";
    bench.write("moved.pairs", bench.read("dev.pairs").lines().map(moved).collect::<String>());
    let told = "hypothesis 1 is one of 30 texts, the reference one of ";
    for command in ["train moved.pairs -a dev.answers --folds 2", "compare moved.pairs -a dev.answers"] {
        let found = warnings(bench.run(command));
        assert!(found.iter().any(|line| line.contains(told)), "{command}: {found:?}");
        let found = warnings(bench.run(&command.replace("moved", "dev")));
        assert!(!found.iter().any(|line| line.contains("the reference one of")), "{command}: {found:?}");
    }
}

/// The pairs of the first twenty references, and those of others, without their answers.
static PAIRS: LazyLock<[String; 2]> = LazyLock::new(|| {
    let (first, more) = (Bench::of(20).read("dev.pairs"), Bench::of(40).read("dev.pairs"));
    let others = more.strip_prefix(&first).unwrap().to_owned();
    [first, others]
});

/// Trains a model on raw or tokenised texts.
fn trained(bench: &Bench, pairs: &str) {
    bench.write("train.pairs", pairs);
    bench.run("train train.pairs -a dev.answers --folds 2 -m own.json -q").done();
}

fn warnings(run: Run) -> Vec<String> {
    run.done().stderr.lines().filter(|line| line.contains("warning: ")).map(str::to_owned).collect()
}

#[test]
fn predictions_for_references_of_the_training_are_warned_of_once() {
    let bench = Bench::of(20);
    let [known, others] = &*PAIRS;
    trained(&bench, known);
    bench.write("others.pairs", others);
    let found = warnings(bench.run("predict dev.pairs -m own.json"));
    assert_eq!(found.len(), 1, "{found:?}");
    let expected =
        "warning: 'own.json' was trained on the references of 60 of these 60 pairs, which inflates its accuracy; ";
    assert!(found[0].starts_with(expected) && found[0].contains("use the cross-validated accuracy"), "{found:?}");
    bench.write("both.pairs", format!("{others}{}", known.lines().next().unwrap()));
    assert!(warnings(bench.run("predict both.pairs -m own.json"))[0].contains("of 1 of these 61 pairs"));
    for unwarned in ["others.pairs -m own.json", "dev.pairs"] {
        assert_eq!(warnings(bench.run(&format!("predict {unwarned}"))), Vec::<String>::new(), "{unwarned}");
    }
}

#[test]
fn scores_of_a_model_that_knows_the_references_are_warned_of() {
    let bench = Bench::of(20);
    let [known, others] = &*PAIRS;
    trained(&bench, known);
    let column = |pairs: &str, at: usize| {
        pairs.lines().map(|line| line.split(" ||| ").nth(at).unwrap().to_owned() + "\n").collect::<String>()
    };
    for (name, pairs) in [("known", known), ("others", others)] {
        bench.write(name, column(pairs, 0));
        bench.write(&format!("{name}.ref"), column(pairs, 2));
    }
    for segments in ["", "--segments"] {
        let score = |name: &str| warnings(bench.run(&format!("score {name} -r {name}.ref -m own.json {segments}")));
        assert!(
            score("known")[0]
                .starts_with("warning: 'own' was trained on judgments of 20 of these 20 references, which inflates ")
        );
        assert_eq!(score("others"), Vec::<String>::new());
    }
}

#[test]
fn tokenised_texts_are_warned_of_where_raw_ones_were_trained_on() {
    let bench = Bench::of(20);
    let [raw, other_raw] = &*PAIRS;
    bench.write("raw.pairs", other_raw);
    bench.write("tokenised.pairs", tokenised(other_raw));
    let commands = ["predict X -m own.json -o eval.out", "compare X -a dev.answers -m own.json"];
    let said = |command: &str, pairs: &str| warnings(bench.run(&command.replace('X', pairs)));
    trained(&bench, raw);
    for command in commands {
        let found = said(command, "tokenised.pairs");
        assert!(
            found[0].starts_with("warning: the references are tokenised (a comma or full stop is a separate token in ")
        );
        assert!(found[0].contains("unlike those that 'own") && found[0].contains("; detokenise them, "), "{found:?}");
        assert_eq!(said(command, "raw.pairs"), Vec::<String>::new(), "{command}");
    }
    trained(&bench, &tokenised(raw));
    for command in commands {
        let found = said(command, "raw.pairs");
        assert!(found[0].starts_with("warning: the references are raw text ("), "{found:?}");
        assert_eq!(said(command, "tokenised.pairs"), Vec::<String>::new(), "{command}");
    }
    // The built-in models were trained on raw text.
    for command in commands.map(|command| command.replace("-m own.json", "")) {
        let found = said(&command, "tokenised.pairs");
        assert!(found[0].contains("' was trained on (12%); detokenise them, "), "{found:?}");
        assert_eq!(said(&command, "raw.pairs"), Vec::<String>::new(), "{command}");
    }
}

#[test]
fn reversed_answers_are_warned_of_wherever_people_are_read() {
    let bench = Bench::of(110);
    let turned = |line: &str| line.parse::<i8>().map(|label| format!("{}\n", -label)).unwrap();
    bench.write("turned.answers", bench.read("dev.answers").lines().map(turned).collect::<String>());
    bench.run("predict dev.pairs -o eval.out").done();
    for command in [
        "train dev.pairs -a X --folds 2",
        "train dev.pairs -a X dev.pairs --answers dev.answers --folds 2",
        "compare dev.pairs -a X",
        "evaluate eval.out -a X --pairs dev.pairs",
    ] {
        let found = warnings(bench.run(&command.replace('X', "turned.answers")));
        let is_reversal = |line: &String| {
            line.contains(" pairs the preferred hypothesis shares fewer words ")
                && line.contains("Labels or ranks look reversed: ")
        };
        assert_eq!(found.iter().filter(|line| is_reversal(line)).count(), 1, "{command}: {found:?}");
        let found = warnings(bench.run(&command.replace('X', "dev.answers")));
        assert!(!found.iter().any(is_reversal), "{command}: {found:?}");
    }
}
