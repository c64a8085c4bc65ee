//! The README and the book: every command is run, and the output shown is what it prints.

mod blocks;
mod figures;
#[cfg(target_os = "linux")]
mod session;

use std::fs;
use std::path::{Path, PathBuf};

use blocks::{Block, blocks};

/// Kinds of blocks that nobody runs here: text, and Python's sessions, which `python/tests/test_documentation.py` runs.
const NOT_RUN_HERE: [&str; 5] = ["text", "yaml", "pycon", "python", "bibtex"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The files of a folder and of those inside it, as names from the root.
fn markdown(folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        match path.is_dir() {
            true => names.extend(markdown(&name)),
            false if name.ends_with(".md") => names.push(name),
            false => {}
        }
    }
    names.sort();
    names
}

/// The documents whose commands are run.
fn documents() -> Vec<String> {
    let others = ["README.md", "CONTRIBUTING.md", "models/wmt.md", "python/README.md"].map(str::to_owned);
    others.into_iter().chain(markdown("docs")).collect()
}

#[test]
fn every_chapter_is_in_the_table_of_contents() {
    let summary = read("docs/SUMMARY.md");
    for name in markdown("docs").iter().filter(|name| *name != "docs/SUMMARY.md") {
        let link = format!("({})", name.strip_prefix("docs/").unwrap());
        assert!(summary.contains(&link), "docs/SUMMARY.md lacks {link}");
    }
}

#[test]
fn every_block_is_run_or_says_who_runs_it() {
    let mut commands = 0;
    for document in documents() {
        for block in blocks(&read(&document)) {
            let place = format!("{document}:{}", block.line);
            let is_console = block.kind == "console";
            assert!(
                is_console || block.file.is_some() || NOT_RUN_HERE.contains(&block.kind.as_str()),
                "{place}: kind {:?}",
                block.kind
            );
            assert_eq!(is_console, block.text.starts_with("$ "), "{place}: commands stand in console blocks");
            commands += block.commands().len();
            check_runner(&block, &place);
        }
    }
    assert!(commands > 60, "{commands}");
}

/// Whatever is said to run a block names its commands: the program, which tests need not name, and what follows it.
fn check_runner(block: &Block, place: &str) {
    let Some(runner) = &block.run_by else { return };
    let script = read(runner);
    let is_named = |word: &&str| *word == "tribunal" || script.contains(*word);
    for (command, _) in block.commands() {
        let words: Vec<&str> =
            command.split_whitespace().skip_while(|word| word.starts_with("python")).take(2).collect();
        let reads_documents = script.contains("README.md").then_some("README.md") == place.split(':').next();
        let is_run = words[0] == runner || reads_documents || words.iter().all(is_named);
        assert!(is_run, "{place}: {runner} lacks '{command}'");
    }
}

#[cfg(target_os = "linux")]
fn check(documents: impl Iterator<Item = String> + Send) {
    let documents: Vec<String> = documents.collect();
    assert!(!documents.is_empty());
    let faults: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = documents.iter().map(|document| scope.spawn(|| session::faults(document))).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{}\n{}", faults.join("\n"), session::ADVICE);
}

#[cfg(target_os = "linux")]
#[test]
fn commands_of_the_readme_print_what_it_shows() {
    check(documents().into_iter().filter(|name| !name.starts_with("docs/")));
}

#[cfg(target_os = "linux")]
#[test]
fn commands_of_the_tutorials_print_what_they_show() {
    check(markdown("docs/tutorials").into_iter());
}

#[cfg(target_os = "linux")]
#[test]
fn commands_of_the_other_chapters_print_what_they_show() {
    check(markdown("docs").into_iter().filter(|name| !name.starts_with("docs/tutorials/")));
}
