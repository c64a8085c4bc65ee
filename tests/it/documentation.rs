//! The program's own documentation: help with examples, completions, manual pages.

use std::collections::BTreeSet;
use std::fs;

use crate::cli::{TRAINED, fields};
use crate::common::{Bench, Run};

/// The commands whose examples can be run on a few pairs.
const COMMANDS: [&str; 7] = ["train", "predict", "check", "evaluate", "compare", "explain", "features"];

fn done(run: Run) -> String {
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.stdout
}

/// The commands listed in a help text.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let name = |line: &str| line.split_whitespace().next().filter(|_| !line.starts_with("   ")).map(str::to_owned);
    lines.filter_map(name).filter(|name| name != "help").collect()
}

/// All commands and subcommands: the empty one, `train`, `import mqm`, ...
fn commands(bench: &Bench, command: &str) -> Vec<String> {
    let help = done(bench.run(&format!("{command} --help")));
    let inside = listed(&help).into_iter().flat_map(|name| commands(bench, format!("{command} {name}").trim()));
    std::iter::once(command.to_owned()).chain(inside).collect()
}

/// The long options listed in a help text.
fn options(help: &str) -> BTreeSet<String> {
    let names =
        help.lines().filter(|line| line.trim_start().starts_with('-')).filter_map(|line| line.split("--").nth(1));
    names.map(|name| name.split([' ', '=', ',', '[']).next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_help_has_an_example() {
    let bench = Bench::of(1);
    let commands = commands(&bench, "");
    assert!(commands.len() > 15 && commands.iter().any(|command| command == "import mqm"), "{commands:?}");
    for command in commands {
        let help = done(bench.run(&format!("{command} --help")));
        let (_, after) = help.split_once("\nExample").unwrap_or_else(|| panic!("{command} has no example: {help}"));
        let mut examples = after.lines().skip(1).take_while(|line| line.starts_with("  "));
        let of_command = format!("tribunal {command}").trim_end().to_owned();
        assert!(examples.any(|line| line.contains(&of_command)), "{command}: {help}");
        assert_eq!(done(bench.run(&format!("help {command}"))), help, "{command}");
    }
}

#[test]
fn every_help_has_an_example_that_works() {
    let bench = Bench::of(4);
    bench.write("test.pairs", bench.read("dev.pairs"));
    bench.write("test.answers", bench.read("dev.answers"));
    bench.write("dev.json", &TRAINED.1);
    bench.write("other.json", &TRAINED.1);
    bench.write("other.out", bench.read("dev.answers"));
    bench.write("more.csv", "hyp1,hyp2,ref,label\na b,b,a b c,1\n");
    let row = |pair: &Vec<&str>| {
        format!(
            "{},1,0.5,0.25,2,3\n",
            pair.iter().map(|text| format!("\"{}\"", text.replace('"', ""))).collect::<Vec<_>>().join(",")
        )
    };
    let pairs = bench.read("dev.pairs");
    let header = "hyp1,hyp2,ref,label,comet.1,comet.2,judge.1,judge.2\n";
    bench.write("dev.csv", header.to_owned() + &fields(&pairs).iter().map(row).collect::<String>());
    ["test.comet", "test.judge"].iter().for_each(|name| bench.write(name, "1\t2\n".repeat(pairs.lines().count())));
    for command in COMMANDS {
        let help = done(bench.run(&format!("{command} --help")));
        assert_eq!(done(bench.run(&format!("help {command}"))), help);
        let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  tribunal ")).collect();
        assert!(help.contains("Example") && !examples.is_empty(), "{help}");
        for example in examples {
            assert_eq!(example.split(' ').next(), Some(command));
            // The default number of folds exceeds the references of this test.
            let folds = if command == "train" { "--folds 2" } else { "" };
            done(bench.run(&format!("{example} {folds}")));
        }
    }
    let overview = done(bench.run("--help"));
    assert!(COMMANDS.iter().all(|command| overview.contains(&format!("\n  {command} "))), "{overview}");
    assert_eq!(done(bench.run("--version")), format!("tribunal {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_command_has_a_page_with_its_options() {
    let bench = Bench::of(1);
    let said = done(bench.run("man pages"));
    let commands = commands(&bench, "");
    assert_eq!(said, format!("pages: {} pages\n", commands.len()));
    for command in &commands {
        let name = format!("tribunal {command}").trim_end().replace(' ', "-");
        let page = bench.read(&format!("pages/{name}.1")).replace("\\-", "-").replace("\\fR", "").replace("\\fB", "");
        let help = done(bench.run(&format!("{command} --help")));
        let options = options(&help).into_iter().filter(|option| command.is_empty() || option != "version");
        for option in options {
            assert!(page.contains(&format!("--{option}")), "{name} lacks --{option}: {page}");
        }
        for hidden in ["every-segment", "--no-such"] {
            assert!(!page.contains(hidden), "{name}: {page}");
        }
        assert!(page.contains(".SH EXAMPLES") && page.contains(&format!(".TH {name} 1")), "{page}");
    }
    // Options that a command does not use are not in its page.
    assert!(!bench.read("pages/tribunal-check.1").contains("seed"));
    assert!(!bench.read("pages/tribunal-import-rankings.1").contains("wordnet"));
    let json: serde_json::Value = serde_json::from_str(&done(bench.run("man pages --json"))).unwrap();
    assert_eq!(json["pages"].as_array().unwrap().len(), commands.len());
}

#[test]
fn pages_are_replaced_all_or_none() {
    let bench = Bench::of(1);
    done(bench.run("man pages"));
    let page = bench.read("pages/tribunal-train.1");
    bench.write("pages/tribunal-train.1", "old");
    bench.write("pages/other.1", "other");
    done(bench.run("man pages"));
    assert_eq!((bench.read("pages/tribunal-train.1"), bench.read("pages/other.1")), (page, "other".to_owned()));
    bench.write("pages/tribunal-check.1", "old");
    fs::remove_file(bench.path("pages/tribunal-train.1")).unwrap();
    fs::create_dir(bench.path("pages/tribunal-train.1")).unwrap();
    let run = bench.run("man pages");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("tribunal-train.1: expected the name of a file, found a folder"), "{}", run.stderr);
    assert_eq!(bench.read("pages/tribunal-check.1"), "old");
    for (folder, found) in [("dev.pairs", "dev.pairs: expected a folder, found a file"), ("no/man1", "no such folder")]
    {
        let run = bench.run(&format!("man {folder}"));
        assert_eq!(run.status, 1);
        assert!(run.stderr.contains(found), "{}", run.stderr);
    }
}

#[test]
fn every_shell_gets_completions_of_what_help_shows() {
    let bench = Bench::of(1);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = done(bench.run(&format!("completions {shell}")));
        for shown in ["train", "import", "mqm", "completions", "max-decompressed", "paired-bs"] {
            assert!(script.contains(shown), "{shell} lacks {shown}");
        }
        assert!(!script.contains("every-segment"), "{shell}");
    }
    let fish = done(bench.run("completions fish"));
    let of_check: Vec<&str> = fish.lines().filter(|line| line.contains("using_subcommand check\"")).collect();
    assert!(of_check.iter().any(|line| line.contains("-l format")), "{of_check:#?}");
    assert!(!of_check.iter().any(|line| line.contains("-l seed") || line.contains("-l quiet")), "{of_check:#?}");
    let run = bench.run("completions tcsh");
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
}

/// The completions that bash offers for the last word.
#[cfg(target_os = "linux")]
fn completed(script: &str, words: &[&str]) -> BTreeSet<String> {
    let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
    let call = format!(
        "COMP_WORDS=({}); COMP_CWORD={}; _tribunal tribunal '{last}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1
    );
    let output = std::process::Command::new("bash").arg("-c").arg(format!("{script}\n{call}")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_commands_options_and_values() {
    let script = done(Bench::of(1).run("completions bash"));
    let set = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(completed(&script, &["tribunal", "co"]), set(&["compare", "correlate", "completions"]));
    assert_eq!(completed(&script, &["tribunal", "import", "m"]), set(&["mqm"]));
    assert_eq!(completed(&script, &["tribunal", "predict", "--un"]), set(&["--unbuffered"]));
    assert_eq!(completed(&script, &["tribunal", "completions", "z"]), set(&["zsh"]));
    let of_check = set(&["--pairs", "--json", "--format", "--max-decompressed", "--help"]);
    assert_eq!(completed(&script, &["tribunal", "check", "--"]), of_check);
}
