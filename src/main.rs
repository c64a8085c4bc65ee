//! The program: the command line of the library, with an allocator.
#![deny(unsafe_code)]

use std::env;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Texts are prepared into many short lists: this allocator takes a third of the time of the C library's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Whether standard output was closed when the program began. Rust's runtime opens the null device in its place before
/// `main`, where all output would be lost with exit status 0. Nothing tells that later from a null device that another
/// program gave this one, so it takes a function that runs before the runtime.
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
    tribunal::cli::main(env::args_os().skip(1).collect(), IS_STDOUT_CLOSED.load(Ordering::Relaxed)).into()
}
