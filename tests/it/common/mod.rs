//! Shared by the tests of the program: a folder of judgments for each test, and runs of the binary inside it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

#[cfg(target_os = "linux")]
use std::process::{Command as Program, Stdio};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const PAIRS: &str = include_str!("../../../data/sample/sample.pairs");
const ANSWERS: &str = include_str!("../../../data/sample/sample.answers");

/// Environment variables that turn colours on or off.
const COLOURS: [&str; 3] = ["CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR"];

/// The number of pairs taken of each reference.
const PAIRS_A_REFERENCE: usize = 3;

/// A temporary folder with `dev.pairs` and `dev.answers`, removed at the end of the test.
pub struct Bench {
    folder: TempDir,
}

/// The result of a run of the program.
#[derive(Debug)]
pub struct Run {
    /// The exit status.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<std::process::Output> for Run {
    fn from(output: std::process::Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            status: output.status.code().expect("the program is not killed"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Run {
    /// Checks that the run is refused: status 1, and one line on standard error, with these parts.
    pub fn refused_with(&self, parts: &[&str]) {
        let Self { status, stdout, stderr } = self;
        assert_eq!((*status, stdout.as_str(), stderr.lines().count()), (1, "", 1), "{stderr}");
        assert!(parts.iter().all(|part| stderr.contains(part)), "{parts:?} are not in {stderr}");
    }

    /// The run, which must have succeeded.
    pub fn done(self) -> Self {
        assert_eq!(self.status, 0, "{}", self.stderr);
        self
    }
}

impl Bench {
    /// Judgments of the first few references of the sample, three of each.
    pub fn of(references: usize) -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        let mut taken: Vec<(&str, usize)> = Vec::new();
        let (mut pairs, mut answers) = (String::new(), String::new());
        for (pair, answer) in PAIRS.lines().zip(ANSWERS.lines()) {
            let reference = pair.rsplit(" ||| ").next().unwrap();
            let at = taken.iter().position(|&(known, _)| known == reference).unwrap_or(taken.len());
            if at == references {
                break;
            }
            if at == taken.len() {
                taken.push((reference, 0));
            }
            if taken[at].1 < PAIRS_A_REFERENCE {
                taken[at].1 += 1;
                pairs += &format!("{pair}\n");
                answers += &format!("{answer}\n");
            }
        }
        bench.write("dev.pairs", pairs);
        bench.write("dev.answers", answers);
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// One field of each pair, a line each: 0 and 1 are the hypotheses, 2 is the reference.
    pub fn column(&self, at: usize) -> String {
        fields(&self.read("dev.pairs")).iter().map(|row| format!("{}\n", row[at])).collect()
    }

    /// Everything in the folder, including hidden files, with its content, which is empty for folders.
    pub fn content(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap);
        let content = |entry: fs::DirEntry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap_or_default())
        };
        entries.map(content).collect()
    }

    /// Runs the program in the folder, on arguments separated by spaces, which may be quoted by `'`.
    pub fn run(&self, arguments: &str) -> Run {
        self.run_on("", arguments)
    }

    /// The standard output of a run, which must succeed.
    pub fn output(&self, arguments: &str) -> String {
        self.run(arguments).done().stdout
    }

    /// The JSON that a run prints with `--json`.
    pub fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.output(&format!("{arguments} --json"))).unwrap()
    }

    /// The message of a run that must be refused, if need be after the first rows of its output.
    pub fn refused(&self, arguments: &str) -> String {
        let Run { status, stderr, .. } = self.run(arguments);
        assert_eq!((status, stderr.lines().count()), (1, 1), "{arguments}: {stderr}");
        stderr
    }

    /// Checks that a run is refused with all these parts of a message, and leaves no trace in the folder.
    pub fn refuses(&self, arguments: &str, parts: &[&str]) {
        let before = self.content();
        self.run(arguments).refused_with(parts);
        assert_eq!(self.content(), before, "{arguments} changed something");
    }

    /// Runs a shell line in which `tribunal` is the program.
    #[cfg(unix)]
    pub fn shell(&self, line: &str) -> Run {
        let line = line.replace("tribunal", env!("CARGO_BIN_EXE_tribunal"));
        let mut shell = std::process::Command::new("sh");
        shell.current_dir(self.path("")).args(["-c", &line]).output().unwrap().into()
    }

    /// As [`Self::run`], with standard input.
    pub fn run_on(&self, input: &str, arguments: &str) -> Run {
        self.run_in(&[], input, arguments)
    }

    /// As [`Self::run_on`], with environment variables; the tester's own colour variables are removed.
    pub fn run_in(&self, environment: &[(&str, &str)], input: &str, arguments: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        for name in COLOURS {
            command.env_remove(name);
        }
        command.envs(environment.iter().copied());
        command.current_dir(self.folder.path()).args(words(arguments)).write_stdin(input);
        command.output().unwrap().into()
    }
}

/// The arguments of a command line, split as by a shell.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for letter in line.chars() {
        match letter {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() && !is_quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.into_iter().chain(word).collect()
}

/// Runs on a pseudo-terminal of a given width.
#[cfg(target_os = "linux")]
impl Bench {
    pub fn on_terminal(&self, arguments: &str, columns: usize) -> String {
        self.with_terminal(arguments, columns, |program, terminal| program.stdout(terminal))
    }

    /// What a run writes to standard output and standard error on the same terminal.
    pub fn both_on_terminal(&self, arguments: &str) -> String {
        self.with_terminal(arguments, 80, |program, terminal| {
            program.stdout(terminal.try_clone().unwrap()).stderr(terminal)
        })
    }

    /// What a run writes to standard error on a terminal, while standard output is none.
    pub fn notes_on_terminal(&self, arguments: &str) -> String {
        self.with_terminal(arguments, 80, |program, terminal| program.stdout(Stdio::null()).stderr(terminal))
    }

    fn with_terminal(
        &self,
        arguments: &str,
        columns: usize,
        attach: impl FnOnce(&mut Program, fs::File) -> &mut Program,
    ) -> String {
        let mut program = Program::new(env!("CARGO_BIN_EXE_tribunal"));
        for name in COLOURS {
            program.env_remove(name);
        }
        program.current_dir(self.path("")).args(words(arguments));
        let (text, is_done) = on_terminal_with(program, columns, attach);
        assert!(is_done, "{arguments}: {text}");
        text
    }
}

/// What a program writes to a terminal of so many columns, and whether its status is 0.
#[cfg(all(target_os = "linux", not(feature = "parquet")))]
pub fn on_terminal(program: Program, columns: usize) -> (String, bool) {
    on_terminal_with(program, columns, |program, terminal| program.stdout(terminal))
}

/// The same, where `attach` says which of its outputs are the terminal.
#[cfg(target_os = "linux")]
fn on_terminal_with(
    mut program: Program,
    columns: usize,
    attach: impl FnOnce(&mut Program, fs::File) -> &mut Program,
) -> (String, bool) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::Read;

    let mut screen = fs::File::from(openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap());
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let terminal = ptsname(&screen, Vec::new()).unwrap();
    let terminal = fs::OpenOptions::new().read(true).write(true).open(terminal.to_str().unwrap()).unwrap();
    program.env("COLUMNS", columns.to_string()).env("TERM", "xterm");
    attach(&mut program, terminal);
    let mut child = program.spawn().unwrap();
    drop(program);
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    // When nobody holds the terminal any longer, reading fails.
    while let Ok(read @ 1..) = screen.read(&mut buffer) {
        text.extend_from_slice(&buffer[..read]);
    }
    let is_done = child.wait().unwrap().success();
    (String::from_utf8(text).unwrap().replace("\r\n", "\n"), is_done)
}

/// Lines of `hyp1 ||| hyp2 ||| ref ...` as fields.
pub fn fields(pairs: &str) -> Vec<Vec<&str>> {
    pairs.lines().map(|line| line.split(" ||| ").collect()).collect()
}

pub fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 3).unwrap()
}

/// The text without what paints it.
pub fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let plain = parts.next().unwrap_or_default().to_owned();
    parts.fold(plain, |plain, part| plain + part.split_once('m').map_or("", |(_, text)| text))
}

/// The output of `predict --json` without the numbers of pairs and lines, which depend on the file.
pub fn without_lines(verdicts: &str) -> String {
    let without = |line: &str| {
        let mut object: Value = serde_json::from_str(line).unwrap();
        for key in ["line", "pair"] {
            assert!(object.as_object_mut().unwrap().remove(key).is_some_and(|number| number.is_u64()), "{object}");
        }
        format!("{object}\n")
    };
    verdicts.lines().map(without).collect()
}
