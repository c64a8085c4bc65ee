//! Safeguards of metrics: their cost, and their data.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::common::Bench;

/// An unbounded METEOR search would choose among four million matches here, taking seconds and hundreds of megabytes.
/// Safeguard 21.
#[test]
fn repeated_words_cost_meteor_little() {
    let bench = Bench::of(1);
    let pair = ["car ".repeat(2_000), "the ".repeat(1_900), "car auto ".repeat(1_000)].join("||| ");
    let pairs: String = (0..64).map(|number| format!("{number} {pair}\n")).collect();
    bench.write("repeated.pairs", pairs);
    let found = bench.run("predict repeated.pairs");
    assert_eq!((found.status, found.stdout.lines().count()), (0, 64), "{}", found.stderr);
    assert!(found.stdout.lines().all(|verdict| verdict == "1"), "{}", found.stdout);
}

/// Beyond the bound, equal words are matched in order, which is also what a search among all 720,000 matches finds.
/// Safeguard 21.
#[test]
fn beyond_the_bound_equal_words_count() {
    let bench = Bench::of(1);
    bench.write("hyp", "the ".repeat(600));
    bench.write("ref", "the ".repeat(1_200));
    let found = bench.run("score hyp -r ref --metrics meteor --segments");
    assert_eq!((found.status, found.stdout.as_str()), (0, "meteor\n0.4503108907156087\n"), "{}", found.stderr);
}

/// Beyond the bound, no word is matched with a synonym: 1,000 of 1,900 and of 2,000 words are equal.
/// Safeguard 21.
#[test]
fn beyond_the_bound_synonyms_do_not_count() {
    let bench = Bench::of(1);
    bench.write("hyp", "car ".repeat(1_900));
    bench.write("ref", "car auto ".repeat(1_000));
    let found = bench.run("score hyp -r ref --metrics meteor --segments");
    assert_eq!((found.status, found.stdout.as_str()), (0, "meteor\n0.20151133501259447\n"), "{}", found.stderr);
}

/// With n words in another order, both texts share the skip-bigrams of each half; counting them naively takes n^2
/// steps.
/// Safeguard 23.
#[test]
fn skip_bigrams_of_many_words() {
    let bench = Bench::of(1);
    let count = 400_000_u64;
    let text = |from: u64| (0..count).map(|at| format!("w{} ", (at + from) % count)).collect::<String>();
    bench.write("hyp", text(0));
    bench.write("ref", text(count / 2));
    let found = bench.run("score hyp -r ref --metrics rougeS --segments");
    assert_eq!(found.status, 0, "{}", found.stderr);
    let half = count / 2;
    let share = (half * (half - 1)) as f64 / (count * (count - 1) / 2) as f64;
    let value: f64 = found.stdout.lines().nth(1).unwrap().parse().unwrap();
    assert!((value - share).abs() < 1e-5, "{value} instead of {share}");
}

/// The bootstrap over many single labels has the binomial interval.
/// Safeguard 23.
#[test]
fn many_labels_have_a_narrow_interval() {
    const LABELS: u64 = 100_000;
    let bench = Bench::of(1);
    let labels = |step: u64| (0..LABELS).map(|at| format!("{}\n", (at * at / step) as i64 % 3 - 1)).collect::<String>();
    bench.write("eval.out", labels(7));
    bench.write("people", labels(5));
    let found = bench.run("evaluate eval.out --answers people --json");
    assert_eq!(found.status, 0, "{}", found.stderr);
    let report: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let [accuracy, low, high] = ["accuracy", "low", "high"].map(|key| report["systems"][0][key].as_f64().unwrap());
    let half = 1.96 * (accuracy * (1.0 - accuracy) / LABELS as f64).sqrt();
    for end in [accuracy - low, high - accuracy] {
        assert!((end / half - 1.0).abs() < 0.15, "{end} is not about {half}");
    }
}

/// With pairs, only the baseline's metrics are computed, not all features.
/// Safeguard 23.
#[test]
fn evaluate_computes_what_it_prints() {
    let bench = Bench::of(3);
    let found = bench.run("evaluate dev.answers --answers dev.answers --pairs dev.pairs --json");
    assert_eq!(found.status, 0, "{}", found.stderr);
    let report: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let beside = bench.run("compare dev.pairs --answers dev.answers --json");
    let compared: serde_json::Value = serde_json::from_str(&beside.stdout).unwrap();
    let sum = |report: &serde_json::Value| {
        let systems = report["systems"].as_array().unwrap();
        let row = systems.iter().find(|row| row["name"] == "sum").unwrap();
        [&row["accuracy"], &row["low"], &row["high"]].map(|number| number.as_f64().unwrap())
    };
    assert_eq!(sum(&report), sum(&compared));
}

/// crates.io accepts up to 10 MB; `.ci/release` builds the actual packages.
/// Safeguard 27.
#[test]
fn the_packages_are_small_enough() {
    let licences = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
    let data = ["data/wordnet/LICENSE", "data/meteor/LICENSE", "data/meteor/paraphrases.idx"];
    for (crate_folder, needed) in [(".", &["docs/licences.md"][..]), ("crates/metrics", &data), ("crates/stats", &[])] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(crate_folder);
        let output = Command::new(env!("CARGO"))
            .args(["package", "--list", "--allow-dirty", "--offline"])
            .current_dir(&root)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let list = String::from_utf8(output.stdout).unwrap();
        let mut package = GzEncoder::new(Vec::new(), Compression::default());
        // Cargo generates the others.
        for file in list.lines().filter(|file| root.join(file).exists()) {
            package.write_all(&fs::read(root.join(file)).unwrap()).unwrap();
        }
        let size = package.finish().unwrap().len();
        assert!(size < 9_600_000, "{crate_folder}: {size} bytes");
        for needed in licences.iter().chain(needed) {
            assert!(list.lines().any(|file| file == *needed), "{needed} is not in the package of {crate_folder}");
        }
        assert!(!list.lines().any(|file| file.starts_with("tests/") || file.starts_with("fuzz/")));
    }
}

/// The program contains paraphrases: "large house" for "big house" shares a word, "a lot" for "much" does not.
/// Safeguard 27.
#[test]
fn the_program_has_paraphrases() {
    let bench = Bench::of(1);
    bench.write("hyp", "he had much work\n");
    bench.write("ref", "he had a lot of work\n");
    let found = bench.run("score hyp -r ref --metrics meteor,meteor-all --segments");
    assert_eq!(found.status, 0, "{}", found.stderr);
    let values: Vec<f64> =
        found.stdout.lines().nth(1).unwrap().split('\t').map(|value| value.parse().unwrap()).collect();
    assert!(values[1] > values[0] + 0.05, "{values:?}");
}

/// Two systems with the same scores but different texts: sacreBLEU would give p = 1/(1 + rounds).
/// Safeguard 34.
#[test]
fn a_difference_of_0_is_not_significant() {
    let bench = Bench::of(1);
    let segment = |at: usize, word: &str| format!("the {word} ran over hill {at} and then home\n");
    let text = |words: [&str; 2]| (0..40).map(|at| segment(at, words[at % 2])).collect::<String>();
    bench.write("ref", text(["cat", "cat"]));
    bench.write("one", text(["cat", "dog"]));
    bench.write("same-scores", text(["dog", "cat"]));
    bench.write("other-word", text(["cat", "fox"]));
    bench.write("few", text(["cat", "dog"]).replacen("dog", "cat", 1));
    for test in ["--paired-ar", "--paired-bs"] {
        let command =
            format!("score one same-scores other-word few -r ref --metrics bleu,ter,rougeL {test} --rounds 999");
        let run = bench.run(&format!("{command} --json")).done();
        assert_eq!(run.stderr, "few and one differ in only 1 of 40 segments: too few for a reliable p-value\n");
        let found: Value = serde_json::from_str(&run.stdout).unwrap();
        let systems = found["systems"].as_array().unwrap();
        let of_systems = [1, 2, 3].map(|at| &systems[at]["differing_segments"]);
        assert_eq!(of_systems, [40, 20, 1]);
        for score in systems[1..3].iter().flat_map(|system| system["scores"].as_array().unwrap()) {
            assert_eq!(score["p_value"], 1.0, "{test}: {found}");
        }
        for score in systems[3]["scores"].as_array().unwrap() {
            assert!(score["p_value"].as_f64() > Some(0.05), "{test}: {found}");
        }
    }
}

/// The processor time of a run in seconds.
#[cfg(unix)]
fn processor_time(bench: &Bench, command: &str) -> f64 {
    let times = bench.shell(&format!("tribunal {command} -q > out || exit; times")).done().stdout;
    // The second line has user and system time of the shell's children, such as `0m1.25s 0m0.01s`.
    let seconds = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    };
    times.lines().nth(1).unwrap().split_whitespace().map(seconds).sum()
}

/// Eight times the input costs about 8 times as much; at a quadratic cost it was 64 times.
#[cfg(unix)]
/// Safeguard 45.
#[test]
fn long_texts_and_many_references_cost_their_size() {
    let bench = Bench::of(1);
    let cost_grows = |make: &dyn Fn(usize), size: usize, command: &str| {
        let of_size = |size| {
            make(size);
            processor_time(&bench, command)
        };
        let (small, large) = (of_size(size), of_size(8 * size));
        // Below a twentieth of a second, what every run costs is a large part.
        assert!(large < 24.0 * small.max(0.05), "{command}: {small} s for {size}, {large} s for {}", 8 * size);
    };
    for (hypothesis, reference) in [("don't ", "can't "), ("car ", "auto ")] {
        let make = |size: usize| {
            bench.write("hyp", hypothesis.repeat(size));
            bench.write("ref", reference.repeat(size));
        };
        cost_grows(&make, 30_000, "score hyp -r ref --metrics synset,sum.synset,words");
    }
    let make = |size: usize| {
        let references: String = (0..size).map(|at| format!(" ||| the cat sat on mat {at}")).collect();
        bench.write("x.pairs", format!("a cat sat ||| the cat sat{references}\n"));
    };
    cost_grows(&make, 2_500, "predict x.pairs");
}
