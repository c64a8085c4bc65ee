//! Calls of other crates that may panic on a damaged file.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is caught by [`guarded`].
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a call that leaves nothing behind if it panics; `None` if it does, and nothing is printed.
pub fn guarded<T>(call: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                before(info);
            }
        }));
    });
    let was_guarded = IS_GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(call)).ok();
    IS_GUARDED.set(was_guarded);
    done
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_is_none() {
        assert_eq!(guarded(|| guarded(|| [1, 2].iter().sum::<i32>())), Some(Some(3)));
        assert_eq!(guarded(|| -> i32 { panic!("damaged") }), None);
    }
}
