//! The program. Exit status 0: done; 1: the input or a check is bad; 2: the command line is wrong.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

/// Texts are prepared into many short lists: this allocator takes a third of the time of the C library's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
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
