//! What ends the program before its work is done. In: signals. Out: no unfinished file is left.

/// Removes unfinished files that have a name when the program is ended by SIGTERM, or by SIGHUP or SIGINT unless these
/// are ignored, as `nohup` and a shell's `&` have it. The signal then ends the program as it always does.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let ignored = ignored();
    let watched = [SIGTERM, SIGHUP, SIGINT].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Where signals cannot be watched, they end the program all the same.
    let Ok(mut signals) = Signals::new(watched) else { return };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            tribunal::files::remove_unfinished();
            let _ = emulate_default_handler(signal);
        }
    });
}

/// The signals that the program was told to ignore, a bit each from the lowest; only Linux shows them. Where they cannot
/// be seen, SIGHUP and SIGINT are left alone.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(!(1 << (signal_hook::consts::SIGTERM - 1)))
}

#[cfg(not(unix))]
pub fn watch() {}
