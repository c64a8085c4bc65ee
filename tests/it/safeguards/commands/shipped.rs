//! The contents of the program, and their licences.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::Bench;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Safeguard 26.
#[test]
fn every_notice_is_printed() {
    let bench = Bench::of(1);
    let printed = bench.output("licences");
    for name in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "crates/metrics/data/wordnet/LICENSE",
        "crates/metrics/data/meteor/LICENSE",
        "docs/crates.txt",
    ] {
        assert!(printed.contains(file(name).trim_end()), "{name}");
    }
    assert!(printed.contains("Copyright Carnegie Mellon University"), "METEOR's notice");
    let json: Value = serde_json::from_str(&bench.output("licences --json")).unwrap();
    let of = |name: &str| json.as_array().unwrap().iter().find(|part| part["of"] == name).unwrap()["licence"].clone();
    assert_eq!((of("WordNet 3.0"), of("METEOR 1.5's data for English")), ("WordNet".into(), "LGPL-2.1-only".into()));
}

/// Safeguard 26.
#[test]
fn the_licence_comes_with_the_data() {
    let licence = file("crates/metrics/data/meteor/LICENSE");
    assert!(licence.contains("GNU LESSER GENERAL PUBLIC LICENSE") && licence.contains("Version 2.1, February 1999"));
    assert!(licence.contains("6. As an exception to the Sections above") && licence.lines().count() > 450);
    assert!(
        file("crates/metrics/Cargo.toml").contains("license = \"(MIT OR Apache-2.0) AND LGPL-2.1-only AND WordNet\"")
    );
    for page in ["README.md", "docs/licences.md", "crates/metrics/data/meteor/README.md"] {
        assert!(file(page).contains("LGPL"), "{page}");
    }
    assert!(file("deny.toml").contains("LGPL-2.1-only"));
}
