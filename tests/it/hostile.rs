//! Hostile input: lines of 2 MB, 250,000 fields, only spaces, only combining characters, NUL bytes, invalid numbers,
//! deeply nested JSON. Each gives a verdict or a clear message.

use crate::common::Bench;

/// The bytes of a long line, on which work of quadratic complexity would never end.
const LONG: usize = 2_000_000;

/// The number of fields of a line.
const FIELDS: usize = 250_000;

/// Checks that there is a verdict with finite probabilities.
fn judged(name: &str, text: &str) {
    let bench = Bench::of(1);
    bench.write("long.pairs", text);
    let line = bench.json("predict long.pairs");
    let sum: f64 = line["probabilities"].as_object().unwrap().values().map(|value| value.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{name}: {line}");
}

#[test]
fn a_line_of_one_word() {
    judged("one word", &format!("{} ||| b ||| a b c\n", "a".repeat(LONG)));
    judged("one word in Chinese", &format!("{} ||| 我 ||| 我们\n", "我".repeat(LONG / 6)));
}

#[test]
fn a_line_of_the_same_word() {
    let long = "the ".repeat(LONG / 8);
    judged("the same word", &format!("{long} ||| the cat ||| the cat sat\n"));
    judged("the same word on both sides", &format!("{long}a ||| the cat ||| {long}\n"));
}

#[test]
fn a_line_of_many_words() {
    let words = |step: usize| (0..LONG / 16).map(move |at| format!("w{} ", at * step % 4093)).collect::<String>();
    judged("many words", &format!("{} ||| the cat ||| {}\n", words(1), words(7)));
}

#[test]
fn a_line_of_no_words() {
    judged("spaces", &format!("{} ||| b ||| a b\n", " ".repeat(LONG)));
    judged("combining characters", &format!("{} ||| \u{301} ||| \u{301}\u{301}\n", "\u{301}".repeat(LONG / 4)));
    judged("NUL", &format!("{} ||| \0 ||| a\0b\n", "\0".repeat(LONG)));
    judged("marks", &format!("{} ||| . ||| .,\n", ".,".repeat(LONG / 4)));
}

#[test]
fn numbers_that_are_none() {
    judged("numbers", "1e999 -1e999 nan inf ||| 1e999 ||| 1e999 0x10 1_000\n");
    let bench = Bench::of(1);
    bench.write("x.rankings", "a ||| 1e999 ||| r ||| h\n");
    bench.refuses("import rankings x.rankings", &["x.rankings:1: expected a numeric rank, found '1e999'"]);
}

#[test]
fn a_line_of_many_fields() {
    judged("references", &format!("a ||| b{}\n", " ||| a b".repeat(FIELDS)));
    let bench = Bench::of(1);
    let columns: String = (0..FIELDS).map(|column| format!("c{column},")).collect();
    bench.write("wide.csv", format!("{columns}hyp1,hyp2,ref\n{}a,b,a\n", ",".repeat(FIELDS)));
    assert_eq!(bench.output("predict wide.csv"), "1\n");
    let commas = ",".repeat(FIELDS);
    bench.write("bad.csv", format!("hyp1,hyp2,ref\n{commas}\n"));
    let message = bench.refused("predict bad.csv");
    assert!(message.contains(&format!("expected 3 fields, as in the header, found {}", FIELDS + 1)), "{message}");
}

#[test]
fn nested_json() {
    let bench = Bench::of(1);
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for depth in [1_000, 3_000_000] {
        let line = format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"a\",\"label\":{}}}\n", nested(depth));
        bench.write("deep.jsonl", line);
        let message = bench.refused("predict deep.jsonl");
        assert!(message.contains("deep.jsonl:1: expected a JSON object"), "{message}");
        bench.write(
            "deep.json",
            format!("{{\"format\": \"tribunal-model\", \"version\": 2, \"columns\": {}}}", nested(depth)),
        );
        let message = bench.refused("predict dev.pairs -m deep.json");
        assert!(message.contains("deep.json:1: expected a complete model file"), "{message}");
    }
    // Fields that no column needs are not parsed.
    bench.write("deep.jsonl", format!("{{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":\"a\",\"more\":{}}}\n", nested(100)));
    assert_eq!(bench.output("predict deep.jsonl"), "1\n");
}

#[test]
fn metrics_of_very_long_texts() {
    let bench = Bench::of(1);
    let words = |step: usize| (0..120_000).map(move |at| format!("w{} ", at * step % 4093)).collect::<String>();
    bench.write("long.txt", words(1) + "\n");
    bench.write("reference.txt", words(7) + "\n");
    let names = "bleu,chrf,chrf++,ter,rouge1,rougeL,rougeLsum,rougeW,rougeS,rougeS4,rougeSU4,meteor,meteor2005,\
        meteor2005.nltk,nist,gleu,ribes,synset,length,edits,surface,words,sum.meteor,sum.synset,sum.bleu";
    for name in names.split(',') {
        let scores = bench.output(&format!("score long.txt -r reference.txt --segments --metrics {name}"));
        let score: f64 = scores.lines().nth(1).unwrap().parse().unwrap();
        assert!(score.is_finite(), "{name}: {score}");
    }
}
