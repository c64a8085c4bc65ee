//! The program. Exit status 0: done; 1: the input or a check is bad; 2: the command line is wrong.
#![deny(unsafe_code)]

mod cli;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Texts are prepared into many short lists: this allocator takes a third of the time of the C library's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Whether standard output was closed when the program began. Rust's runtime opens the null device in its place before
/// `main`, where all output would be lost without an error.
static IS_STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Looks at standard output before the runtime does.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "only the attribute is unsafe: the function needs nothing that the runtime prepares")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn look() {
        let exists = |path: &str| std::fs::symlink_metadata(path).is_ok();
        IS_STDOUT_CLOSED.store(exists("/proc/self/fd") && !exists("/proc/self/fd/1"), Ordering::Relaxed);
    }
    look
};

fn main() -> ExitCode {
    if IS_STDOUT_CLOSED.load(Ordering::Relaxed) {
        cli::say(format_args!(
            "tribunal: standard output: expected a file, a pipe or a terminal, found it closed; redirect it, such as to \
             /dev/null"
        ));
        return ExitCode::from(1);
    }
    let done = match cli::parse() {
        Ok(cli) => cli::run(cli),
        Err(answer) => match answer.print() {
            // Statuses of clap are 0 and 2.
            Ok(()) => return ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2)),
            Err(_) if answer.use_stderr() => return ExitCode::from(2),
            Err(error) => Err(tribunal::Error::io("standard output".as_ref(), error, "write").into()),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::say(format_args!("tribunal: {error}"));
            ExitCode::from(1)
        }
    }
}

/// The reader of our output has gone away, as with `| head`: no fault.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<tribunal::Error>().is_some_and(tribunal::Error::is_closed_pipe)
}
