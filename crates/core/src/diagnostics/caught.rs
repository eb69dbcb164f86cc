//! Catches panics, so that a bug does not end the program.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// True in the program, false in tests.
static SURVIVES: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// True while a test expects a panic.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Calls `work`; returns `None` if it panics.
///
/// In builds with debug assertions, a panic aborts the process unless [`survive_panics`] was called, so that no test
/// passes despite a caught panic.
#[allow(clippy::inline_always, reason = "a few nanoseconds on the way of every call of compiled code")]
#[inline(always)]
pub fn caught<R>(work: impl FnOnce() -> R) -> Option<R> {
    #[allow(clippy::disallowed_methods, reason = "the one place that catches panics")]
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    if done.is_none() {
        abort_in_tests();
    }
    done
}

/// Continues after caught panics in builds with debug assertions, too.
pub fn survive_panics() {
    SURVIVES.store(true, Ordering::Relaxed);
}

/// Calls `work`; panics of this thread may be caught meanwhile. For tests.
pub fn expecting_panics<R>(work: impl FnOnce() -> R) -> R {
    EXPECTED.set(true);
    let done = work();
    EXPECTED.set(false);
    done
}

#[cold]
fn abort_in_tests() {
    if cfg!(debug_assertions) && !SURVIVES.load(Ordering::Relaxed) && !EXPECTED.get() {
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_returned_unless_the_work_panics() {
        assert_eq!(caught(|| 7), Some(7));
        let panicking = || -> u8 { panic!("this test expects it") };
        assert_eq!(expecting_panics(|| caught(panicking)), None);
    }

    #[test]
    #[ignore = "its process is what the next test starts"]
    fn it_panics() {
        let _ = caught(|| panic!("another test expects it"));
    }

    #[test]
    fn a_caught_panic_aborts_the_process_of_a_test() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--ignored", "--exact", "diagnostics::caught::tests::it_panics"]);
        let output = again.output().unwrap();
        assert_eq!(output.status.success(), !cfg!(debug_assertions), "{output:?}");
    }
}
