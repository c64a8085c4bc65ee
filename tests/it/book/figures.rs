//! Figures that stand in two documents are the same in both.

use std::collections::HashSet;

use super::read;

/// The rows of all tables of a text, as their cells; heads and rules are none.
fn rows(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| -> Vec<String> {
        line.trim_matches(['|', ' ']).split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    text.lines()
        .filter(|line| line.starts_with("| ") && line.contains(|digit: char| digit.is_ascii_digit()))
        .map(row)
        .collect()
}

/// The part of a document under a heading.
fn section(document: &str, heading: &str) -> String {
    let text = read(document);
    let (_, rest) = text.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{document} lacks {heading}"));
    let end = rest.find("\n## ").unwrap_or(rest.len());
    rest[..end].to_owned()
}

/// Each row of a section of the README is in a table of other documents, which may have more columns.
fn check_rows(heading: &str, sources: &[&str], least: usize) {
    let of_source = |source: &&str| rows(&read(source)).into_iter().map(|row| row.into_iter().collect());
    let known: Vec<HashSet<String>> = sources.iter().flat_map(of_source).collect();
    let rows = rows(&section("README.md", heading));
    assert!(rows.len() >= least, "{heading}: {rows:?}");
    for row in rows {
        let is_known = known.iter().any(|known| row.iter().all(|cell| known.contains(cell)));
        assert!(is_known, "README.md, {heading}: {row:?} is not in {sources:?}");
    }
}

/// Whoever reads fifteen lines has read a command and its answer; the blocks below show the same.
#[test]
fn the_readme_begins_with_a_command_and_its_answer_for_each_reader() {
    let readme = read("README.md");
    let count = readme.lines().count();
    assert!(count <= 200, "{count} lines of README.md, of 200");
    let top: String = readme.lines().take(15).map(|line| format!("{line}\n")).collect();
    let blocks: String = super::blocks::blocks(&readme).into_iter().map(|block| block.text).collect();
    for (name, of_block) in [("command", "$ "), ("answer", "")] {
        let row = rows(&top).into_iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("README.md lacks {name}"));
        assert_eq!(row.len(), 4);
        for cell in &row[1..] {
            let shown = format!("{of_block}{}\n", cell.trim_matches('`'));
            assert!(blocks.contains(&shown), "README.md has no block with {shown}");
        }
    }
}

#[test]
fn accuracy_is_that_of_the_card_and_the_chapter() {
    check_rows("## Accuracy", &["docs/accuracy.md", "models/wmt-minilm.md"], 7);
}

#[test]
fn speed_is_that_of_the_chapter_on_performance() {
    check_rows("## Speed", &["docs/performance.md"], 7);
}

#[test]
fn code_in_the_chapter_on_adding_is_that_of_the_source() {
    let sources = [
        "crates/metrics/src/metrics/gleu.rs",
        "crates/metrics/src/metrics/registry.rs",
        "src/report/sections/studies.rs",
    ]
    .map(read);
    let is_copied = |text: &str| sources.iter().any(|source| source.contains(text));
    for block in super::blocks::blocks(&read("docs/adding.md")).iter().filter(|block| block.kind == "text") {
        // Paragraphs of a block may stand apart in the source.
        for part in block.text.split("\n\n") {
            assert!(is_copied(part.trim_end()), "docs/adding.md:{}: no source has\n{part}", block.line);
        }
    }
}

#[test]
fn instructions_are_those_of_the_benchmark() {
    let without_commas = |text: String| text.replace(',', "");
    let chapter = without_commas(read("docs/performance.md"));
    for line in read("benches/instructions.tsv").lines() {
        let row = without_commas(format!("| {} |", line.replace('\t', " | ")));
        assert!(chapter.contains(&row), "docs/performance.md lacks {row}");
    }
}

#[test]
fn versions_are_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    assert!(read("python/Cargo.toml").contains(&format!("\nversion = \"{version}\"\n")));
    assert!(read("conda/recipe.yaml").contains(&format!("\n  version: \"{version}\"\n")));
    assert!(read("CHANGELOG.md").contains(version) && read("README.md").contains(&format!("version {version} ")));
}
