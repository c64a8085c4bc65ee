//! The program's own documentation: help with examples, completions, manual pages.

use crate::cli::TRAINED;
use crate::common::{Bench, fields};

/// The commands whose examples can be run on a few pairs.
const COMMANDS: [&str; 10] =
    ["train", "predict", "check", "evaluate", "compare", "explain", "features", "rank", "next", "annotate"];

/// The commands listed in a help text.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let name = |line: &str| line.split_whitespace().next().filter(|_| !line.starts_with("   ")).map(str::to_owned);
    lines.filter_map(name).filter(|name| name != "help").collect()
}

/// All commands and subcommands: the empty one, `train`, `import mqm`, ...
fn commands(bench: &Bench, command: &str) -> Vec<String> {
    let help = bench.output(&format!("{command} --help"));
    let inside = listed(&help).into_iter().flat_map(|name| commands(bench, format!("{command} {name}").trim()));
    std::iter::once(command.to_owned()).chain(inside).collect()
}

#[test]
fn every_help_has_an_example() {
    let bench = Bench::of(1);
    let commands = commands(&bench, "");
    assert!(commands.len() > 15 && commands.iter().any(|command| command == "import mqm"), "{commands:?}");
    for command in commands {
        let help = bench.output(&format!("{command} --help"));
        let (_, after) = help.rsplit_once("\nExample").unwrap_or_else(|| panic!("{command} has no example: {help}"));
        let mut examples = after.lines().skip(1).take_while(|line| line.starts_with("  "));
        let of_command = format!("tribunal {command}").trim_end().to_owned();
        assert!(examples.any(|line| line.contains(&of_command)), "{command}: {help}");
        assert_eq!(bench.output(&format!("help {command}")), help, "{command}");
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
    let row =
        |pair: &Vec<&str>| format!("\"{}\",1,0.5,0.25,2,3\n", pair.join("|").replace('"', "").replace('|', "\",\""));
    let pairs = bench.read("dev.pairs");
    let header = "hyp1,hyp2,ref,label,bleurt.1,bleurt.2,metricx.1,metricx.2\n";
    bench.write("dev.csv", header.to_owned() + &fields(&pairs).iter().map(row).collect::<String>());
    ["test.bleurt", "test.metricx"].iter().for_each(|name| bench.write(name, "1\t2\n".repeat(pairs.lines().count())));
    let judged = |at: usize| {
        let label = if at.is_multiple_of(2) { "model_a" } else { "model_b" };
        let given =
            format!("\"ann\":\"{label}\",\"bob\":\"{label}\",\"eve\":\"tie\",\"gpt\":\"{label}\",\"claude\":0.5");
        let texts = format!("\"prompt\":\"q {at}\",\"response_a\":\"one {at}\",\"response_b\":\"two {at}\"");
        let winner = if at < 40 { format!("\"{label}\"") } else { "null".to_owned() };
        let systems = format!("\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":{winner}");
        format!("{{{texts},{systems},{given}}}\n")
    };
    ["system1.txt", "system2.txt", "reference.txt"].iter().for_each(|name| bench.write(name, "a b c\nd e f\n"));
    bench.write("arena.jsonl", (0..60).map(judged).collect::<String>());
    let marked = |at: usize| {
        let label = if at < 40 { format!("{}", at.is_multiple_of(3)) } else { "null".to_owned() };
        format!(
            "{{\"prompt\":\"q {}\",\"output\":\"one {at}\",\"label\":{label},\"gpt\":{}}}\n",
            at / 2,
            at.is_multiple_of(2)
        )
    };
    bench.write("outputs.jsonl", (0..60).map(marked).collect::<String>());
    for command in COMMANDS {
        let help = bench.output(&format!("{command} --help"));
        for example in help.lines().filter_map(|line| line.strip_prefix("  tribunal ")) {
            assert_eq!(example.split(' ').next(), Some(command));
            // The default number of folds exceeds the references of this test.
            let folds = if command == "train" { "--folds 2" } else { "" };
            let run = bench.run(&format!("{example} {folds}"));
            // What is required may not hold here.
            let is_done = run.status == 0 || (example.contains("--require") && [3, 4].contains(&run.status));
            assert!(is_done, "{example}: {}", run.stderr);
        }
    }
    let overview = bench.output("--help");
    assert!(COMMANDS.iter().all(|command| overview.contains(&format!("\n  {command} "))), "{overview}");
    let version = format!("tribunal {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(bench.output("-V"), version);
    let features = bench.output("--version").replace(&version, "");
    let sign = if cfg!(feature = "parquet") { '+' } else { '-' };
    assert!(features.starts_with("features: ") && features.contains(&format!("{sign}parquet")), "{features}");
}

#[test]
fn every_command_has_a_page_with_its_examples() {
    let bench = Bench::of(1);
    let commands = commands(&bench, "");
    assert_eq!(bench.output("man pages"), format!("pages: {} pages\n", commands.len()));
    assert_eq!(bench.json("man pages")["pages"].as_array().unwrap().len(), commands.len());
    for command in &commands {
        let name = format!("tribunal {command}").trim_end().replace(' ', "-");
        assert!(bench.read(&format!("pages/{name}.1")).contains(".SH EXAMPLES"), "{name}");
    }
    bench.refuses("man dev.pairs", &["dev.pairs: expected a folder, found a file"]);
}

#[test]
fn every_shell_gets_completions() {
    let bench = Bench::of(1);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(bench.output(&format!("completions {shell}")).contains("threads"), "{shell}");
    }
}
