//! The layout of the source: a stage imports only earlier stages, and some crates are used in one place only.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What the library's crates hold, which the compiler keeps below all stages; any stage may use it.
const CRATES: [&str; 7] = ["encoder", "error", "evaluation", "metrics", "options", "text", "wordnet"];

/// The stages of the library, each with what it may import besides itself. A stage is listed after all that it imports.
const STAGES: [Stage; 10] = [
    stage("files", &[]),
    stage("judgments", &[]),
    stage("formats", &["files", "judgments"]),
    stage("ask", &["files", "judgments"]),
    stage("features", &["judgments"]),
    stage("learning", &["judgments"]),
    stage("learners", &["judgments", "features", "learning"]),
    stage("model", &["files", "judgments", "features", "learning", "learners"]),
    // Records of CSV, which is one of the forms of a report's tables.
    stage("report", &["files::table", "judgments", "features", "learning", "learners"]),
    stage(
        "workflows",
        &["files", "judgments", "formats", "ask", "features", "learning", "learners", "model", "report"],
    ),
];

/// Modules outside the stages: the root of the library, the command line and the program, which may use the whole library,
/// and the names of a crate's items.
const BESIDE: [&str; 4] = ["lib", "cli", "error", "main"];

/// Crates and macros that only some files may name.
const PLACES: [(&str, &[&str]); 12] = [
    ("isolang", &["judgments/language.rs"]),
    ("linfa", &["learners/logistic/fit.rs"]),
    ("linfa_logistic", &["learners/logistic/fit.rs"]),
    ("linfa_linalg", &["learners/logistic/newton.rs"]),
    ("use csv", &["files/table/"]),
    ("use parquet", &["files/table/"]),
    ("use zstd", &["files/compression.rs"]),
    ("use ureq", &["ask/client.rs"]),
    ("clap", &["cli/"]),
    ("anyhow", &["cli/"]),
    ("println!", &[]),
    ("eprintln!", &[]),
];

struct Stage {
    name: &'static str,
    /// Stages, or items of a stage.
    imports: &'static [&'static str],
}

const fn stage(name: &'static str, imports: &'static [&'static str]) -> Stage {
    Stage { name, imports }
}

/// A file under `src`.
struct Source {
    path: PathBuf,
    /// Without comments.
    code: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let code = without_comments(&fs::read_to_string(&path).unwrap());
                found.push(Source { path: path.strip_prefix(&root).unwrap().to_owned(), code });
            }
        }
    }
    found
}

/// Removes comments, as paths in doc comments are no imports. `//` in a string, as in a web address, is cut off as
/// well, which loses no path.
fn without_comments(code: &str) -> String {
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The modules of a file, from the stage inwards: `judgments/mod.rs` is `[judgments]`.
fn modules(file: &Path) -> Vec<String> {
    let names =
        file.with_extension("").components().map(|name| name.as_os_str().to_string_lossy().into_owned()).collect();
    let mut names: Vec<String> = names;
    names.retain(|name| name != "mod");
    names
}

/// Everything that the code names by a path from the crate's root, as `stage` or `stage::item`.
fn imports(modules: &[String], code: &str) -> BTreeSet<String> {
    let climb = "super::".repeat(modules.len());
    ["crate::", "tribunal::", climb.as_str()].iter().flat_map(|root| after_each(root, code)).flat_map(heads).collect()
}

/// The code after each place where `root` begins a path.
fn after_each<'c>(root: &str, code: &'c str) -> Vec<&'c str> {
    let is_part = |before: &str| before.ends_with(|last: char| last.is_alphanumeric() || "_:$".contains(last));
    code.match_indices(root).filter(|&(at, _)| !is_part(&code[..at])).map(|(at, _)| &code[at + root.len()..]).collect()
}

/// The first two names of a path, or of each path in braces.
fn heads(path: &str) -> Vec<String> {
    if let Some(group) = path.strip_prefix('{') {
        return group_members(group).into_iter().flat_map(heads).collect();
    }
    let (stage, rest) = first_name(path);
    let Some(rest) = rest.strip_prefix("::") else { return vec![stage.to_owned()] };
    let items = match rest.strip_prefix('{') {
        Some(group) => group_members(group),
        None => vec![rest],
    };
    items.iter().map(|item| format!("{stage}::{}", first_name(item).0)).collect()
}

fn first_name(path: &str) -> (&str, &str) {
    path.split_at(path.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(path.len()))
}

/// The comma-separated members up to the closing brace of a group.
fn group_members(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut members) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                members.push(group[start..at].trim());
                start = at + 1;
                if letter == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    members.retain(|member| !member.is_empty());
    members
}

/// The imports that a file's stage is not allowed.
fn forbidden(modules: &[String], code: &str) -> Vec<String> {
    let stage = STAGES.iter().find(|stage| stage.name == modules[0]).expect("only files of stages are asked about");
    let is_allowed = |import: &String| {
        let name = import.split("::").next().unwrap_or_default();
        // A path through `super` may end in an item of the stage itself, if a module is inside a file.
        let is_stage = STAGES.iter().any(|stage| stage.name == name) || BESIDE.contains(&name);
        !is_stage
            || CRATES.contains(&name)
            || name == stage.name
            || stage.imports.contains(&name)
            || stage.imports.contains(&import.as_str())
    };
    imports(modules, code).into_iter().filter(|import| !is_allowed(import)).collect()
}

#[test]
fn stages_import_only_stages_before_them() {
    for (at, stage) in STAGES.iter().enumerate() {
        for import in stage.imports {
            let name = import.split("::").next().unwrap();
            assert!(STAGES[..at].iter().any(|before| before.name == name), "{} stands before {import}", stage.name);
        }
    }
}

#[test]
fn no_stage_knows_a_later_one() {
    let mut seen = BTreeSet::new();
    for Source { path, code } in sources() {
        let modules = modules(&path);
        if BESIDE.contains(&modules[0].as_str()) {
            continue;
        }
        let is_stage = STAGES.iter().any(|stage| stage.name == modules[0]);
        assert!(is_stage, "src/{} is of no known stage: give it a line in STAGES", path.display());
        let forbidden = forbidden(&modules, &code);
        assert!(forbidden.is_empty(), "src/{}: the stage {} may not know {forbidden:?}", path.display(), modules[0]);
        seen.insert(modules[0].clone());
    }
    assert_eq!(seen.len(), STAGES.len(), "only {seen:?} have files");
}

#[test]
fn some_crates_are_known_in_one_place() {
    for Source { path, code } in sources() {
        let file = path.to_string_lossy().replace('\\', "/");
        for (name, places) in PLACES {
            let word = |after: &str| !after.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            let is_named = after_each(name, &code).into_iter().any(word);
            let is_allowed = places.iter().any(|place| file.starts_with(place));
            assert!(!is_named || is_allowed, "src/{file} names {name}, which belongs into {places:?}");
        }
    }
}

#[test]
fn imports_are_found_however_they_are_written() {
    let found = |code: &str| imports(&["text".to_owned(), "stem".to_owned()], &without_comments(code));
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(found("use crate::model::file::Model;"), set(&["model::file"]));
    assert_eq!(
        found("use crate::{error, model::{Model, Weights}};\nuse x;"),
        set(&["error", "model::Model", "model::Weights"])
    );
    assert_eq!(found("pub(crate) use crate::{\n    report,\n};"), set(&["report"]));
    assert_eq!(found("let metric_set = crate::metrics::find(\"bleu\");"), set(&["metrics::find"]));
    assert_eq!(found("use super::super::metrics::MetricSet;"), set(&["metrics::MetricSet"]));
    assert_eq!(found("use super::Word;\n/// See [`crate::model`].\nuse subcrate::model;"), set(&[]));
}

#[test]
fn later_stages_are_refused() {
    let refused = |file: &str, code: &str| forbidden(&modules(Path::new(file)), code);
    assert_eq!(
        refused("judgments/grouping.rs", "use crate::features::{Table, Schema};"),
        ["features::Schema", "features::Table"]
    );
    assert_eq!(
        refused("report/mod.rs", "use super::model::Model;\nuse crate::files::Input;"),
        ["files::Input", "model::Model"]
    );
    assert_eq!(refused("files/mod.rs", "use crate::cli::Common;"), ["cli::Common"]);
    assert_eq!(refused("files/mod.rs", "use tribunal::cli::Common;"), ["cli::Common"]);
    assert!(refused("report/mod.rs", "use crate::{evaluation::Confusion, Error};").is_empty());
}
