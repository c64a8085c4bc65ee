//! The program. Exit status 0: done; 1: the input or a check is bad; 2: the command line is wrong.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

use clap::Parser;

/// Texts are prepared into many short lists: this allocator takes a third of the time of the C library's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match cli::run(cli::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tribunal: {error}");
            ExitCode::from(1)
        }
    }
}

/// The reader of our output has gone away, as with `| head`: no fault.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<tribunal::Error>().is_some_and(tribunal::Error::is_closed_pipe)
}
