//! Encoders, files, metrics, pages and messages.

use tribunal::metrics::meteor2005::{Meteor2005, Variant};
use tribunal::text::{Lexicon, Plan, Sentence};
use tribunal::wordnet::WordNet;

use crate::common::Bench;

#[test]
fn figure_09_an_extension_that_promises_another_form_is_refused() {
    let bench = Bench::of(2);
    bench.write("ref", bench.column(2));
    bench.write("sys", bench.column(0));
    for name in ["x.tex", "x.md", "x.xml", "x.ipynb", "x.pairs", "x.rank", "x.da", "x.rankings", "x.svg", "x.tex.gz"] {
        let is_paper = name.contains(".tex") || name.contains(".md");
        let commands = ["predict dev.pairs -o", "train dev.pairs -a dev.answers --folds 2 -m"];
        // Scores have a table for a paper.
        for command in commands.into_iter().chain((!is_paper).then_some("score sys -r ref -o")) {
            bench
                .refuses(&format!("{command} {name}"), &[&format!("{name}: expected a file name for "), "extension ."]);
        }
    }
    bench.refuses(
        "score sys -r ref -o x.xml",
        &["x.xml: expected a file name for scores, found the extension .xml; use the extension", ".json, .tex or .md"],
    );
    for name in ["x", "x.txt", "x.out", "x.v1", "x.tsv"] {
        assert!(bench.run(&format!("score sys -r ref -o {name}")).done().stdout.is_empty());
        assert!(bench.read(name).contains("\nsystem\t"), "{name}");
    }
}

/// Four systems of forty segments, as with MQM: in most segments people find no error, and 1 of 8 outputs is bad.
/// `good` sees three of four bad outputs, with noise of its own; `lazy` ties all but the first segment, where it is
/// wrong.
fn scores_full_of_ties() -> String {
    let mut text = "system,segment,score,good,lazy\n".to_owned();
    for system in 0_usize..4 {
        for segment in 0_usize..40 {
            let is_bad = (5 * system + 3 * segment) % 8 == 0;
            let noise = ((7 * system + 11 * segment) % 13) as f64 / 10.0;
            let good = if is_bad && segment % 4 != 3 { -2.0 } else { 0.0 } + noise;
            let lazy = if segment == 0 && is_bad { 1 } else { 0 };
            text += &format!("s{system},{segment},{},{good},{lazy}\n", if is_bad { -5 } else { 0 });
        }
    }
    text
}

#[test]
fn figure_15_no_metric_comes_first_by_saying_tie() {
    let bench = Bench::of(1);
    bench.write("t.csv", scores_full_of_ties());
    let by = |test: &str| bench.json(&format!("correlate t.csv --people score --quiet {test}"));
    let report = by("");
    assert_eq!(report["test"]["statistic"], "kendall_14");
    assert_eq!(report["metrics"][0]["name"], "good");
    assert_eq!(report["metrics"][1]["cluster"], 2, "{report}");
    // A tie counts as a guess, however often people tie.
    let lazy = &report["metrics"][1];
    assert!(lazy["statistic"].as_f64().unwrap() <= 0.0, "{lazy}");
    // By tie calibration, hardly anything but ties is as good as what agrees with people.
    let calibrated = by("--test acc23_optimised");
    let values = |at: usize| calibrated["metrics"][at]["statistic"].as_f64().unwrap();
    assert!(values(0) - values(1) < 0.2, "{calibrated}");
    let run = bench.run("correlate t.csv --people score");
    assert!(run.stdout.replace('\n', " ").contains("a metric's tie counts as a guess"), "{}", run.stdout);
}

#[test]
fn figure_15_without_an_order_within_segments_a_note_says_so() {
    let bench = Bench::of(1);
    bench.write("t.csv", "system,segment,score,m\nA,1,1,0.1\nA,2,2,0.4\nB,1,1,0.3\nB,2,2,0.2\n");
    let run = bench.run("correlate t.csv --people score");
    let note = "kendall_14 is undefined: in every segment, all human scores are equal; use --test pearson";
    assert!(run.status == 0 && run.stdout.replace('\n', " ").contains(note), "{}", run.stdout);
}

#[test]
fn figure_23_nested_json_is_read_or_the_message_names_the_fix() {
    let bench = Bench::of(1);
    let row = |a: &str, b: &str, winner: &str| {
        format!("{{\"prompt\":\"p\",\"outputs\":{{\"a\":\"{a}\",\"b\":\"{b}\"}},\"winner\":\"{winner}\"}}")
    };
    let rows = [row("good text", "bad", "1"), row("bad", "good text here", "2")];
    bench.write("lines.jsonl", rows.join("\n"));
    // As jq prints them.
    let spread: Vec<String> = rows.iter().map(|row| row.replace("{\"", "{\n  \"").replace(",\"", ",\n  \"")).collect();
    bench.write("spread.jsonl", spread.join("\n"));
    bench.write("list.json", format!("[{}]", rows.join(",\n")));
    let columns = "--column hyp1=outputs.a --column hyp2=outputs.b --column label=winner --labels 1=1,2=-1";
    for name in ["lines.jsonl", "spread.jsonl", "list.json"] {
        let table = bench.output(&format!("import table {name} {columns}"));
        assert_eq!(table.lines().count(), 3, "{name}: {table}");
        assert!(table.contains("good text,bad"), "{name}: {table}");
        // Without the option, the message shows what the columns are called.
        bench.refuses(&format!("next {name} -n 1"), &["'outputs.a'"]);
    }
}

#[test]
#[cfg(feature = "parquet")]
fn figure_23a_a_compression_that_is_not_read_is_named() {
    let bench = Bench::of(1);
    let gzip = include_bytes!("../../golden/gzip.parquet");
    bench.write("x.parquet", gzip);
    let read = "expected Parquet without compression, or with snappy or zstd, found ";
    bench.refuses("predict x.parquet", &["x.parquet: ", read, "columns compressed with gzip; write it again"]);
    bench.write("x.parquet.gz", gzip);
    bench.refuses("predict x.parquet.gz", &["x.parquet.gz: ", read, "a compressed file; decompress it"]);
}

#[test]
fn figure_24_dropped_pairs_and_columns_are_named_in_the_fields_words() {
    let bench = Bench::of(2);
    bench.write("scores.csv", "id,mt,ref,score\nA,a cat,r,1\nA,a cat,r,2\nB,cats,r,2\n");
    let run = bench.run("import table scores.csv").done();
    assert!(run.stderr.contains("dropped 1 pair: both outputs come from the same system"), "{}", run.stderr);
    bench.write("ref", bench.column(2));
    bench.write("sys", bench.column(0));
    let table = bench.output("score sys -r ref --metrics bleu --confidence");
    assert!(table.lines().next().unwrap().contains("bleu.half_width"), "{table}");
}

#[test]
fn figure_25_charts_need_no_style_sheet() {
    let bench = Bench::of(12);
    bench.output("compare dev.pairs -a dev.answers --report r -q");
    let charts: Vec<_> = std::fs::read_dir(bench.path("r")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let charts = charts.iter().filter(|path| path.extension().is_some_and(|ending| ending == "svg"));
    let mut count = 0;
    for chart in charts {
        let svg = std::fs::read_to_string(chart).unwrap();
        assert!(!svg.contains("var(") && !svg.contains("<style"), "{}", chart.display());
        for line in svg.lines().filter(|line| line.contains("class=") && !line.starts_with("<svg ")) {
            assert!(line.contains(" fill=\"") || line.contains(" stroke=\""), "{}: {line}", chart.display());
        }
        count += 1;
    }
    assert!(count >= 2, "{count} charts");
    let page = bench.read("r/report.html");
    assert!(page.contains("<h2>Accuracy</h2>") && !page.contains("<figcaption>Accuracy</figcaption>"), "{page}");
}

/// Two texts of repeated words, a letter each, and the fewest crossings of their largest alignments, by trying all.
const REPEATED: [(&str, &str, usize); 3] = [
    ("cbdecdaeeeedadecbeab", "bacebabbeaeabdaabedeaca", 13),
    ("ddbeedcdbcdcabdadecb", "dacaeccdccbaabebaacdcad", 10),
    ("bbddbaacaabadcaadbddb", "ddaddacdcdcdcbcddcdddda", 3),
];

#[test]
fn figure_26_the_alignment_of_repeated_words_has_the_fewest_crossings() {
    let mut plan = Plan::default();
    let meteor = Meteor2005::new(Variant::Published, &mut plan);
    let words = |text: &str| {
        let words = text.chars().map(|letter| format!("{}x{}", letter, letter.to_string().repeat(3)));
        words.collect::<Vec<String>>().join(" ")
    };
    for (hypothesis, reference, fewest) in REPEATED {
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let [one, other] = [hypothesis, reference].map(|text| Sentence::prepare(&words(text), &plan, &mut lexicon));
        let pairs = meteor.matches(&one, &other);
        let crosses = |a: &(usize, usize), b: &(usize, usize)| (a.0 < b.0) != (a.1 < b.1);
        let crossings: usize =
            (0..pairs.len()).map(|at| pairs[..at].iter().filter(|other| crosses(&pairs[at], other)).count()).sum();
        assert_eq!(crossings, fewest, "{hypothesis} {reference}");
    }
}

#[test]
fn figure_26_nltks_example_has_the_value_that_the_book_gives() {
    let bench = Bench::of(1);
    bench
        .write("h", "It is a guide to action which ensures that the military always obeys the commands of the party\n");
    bench.write("r1", "It is a guide to action that ensures that the military will forever heed Party commands\n");
    bench.write(
        "r2",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party\n",
    );
    bench.write("r3", "It is the practical guide for the army always to heed the directions of the party\n");
    let scores = bench.output("score h -r r1 -r r2 -r r3 --metrics meteor,meteor2005,meteor2005.nltk --segments");
    let values: Vec<f64> = scores.lines().nth(1).unwrap().split('\t').filter_map(|cell| cell.parse().ok()).collect();
    let rounded: Vec<String> = values.iter().rev().take(3).rev().map(|value| format!("{value:.4}")).collect();
    let book = include_str!("../../../docs/metrics.md");
    let row = book.lines().find(|line| line.starts_with("| NLTK's example")).unwrap();
    assert!(rounded.iter().all(|value| row.contains(value.as_str())), "{rounded:?} in {row}");
}
