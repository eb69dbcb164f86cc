//! Catches panics, so that a bug does not end the program.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls `work`; returns `None` if it panics.
///
/// In builds with debug assertions, including tests, a panic aborts the process, so that no test passes despite a caught
/// panic.
#[allow(clippy::inline_always, reason = "a few nanoseconds on the way of every call of compiled code")]
#[inline(always)]
pub fn caught<R>(work: impl FnOnce() -> R) -> Option<R> {
    #[allow(clippy::disallowed_methods, reason = "the one place that catches panics")]
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    if done.is_none() {
        end_debug_build();
    }
    done
}

/// Aborts the process, unless a test expects the panic.
#[cold]
fn end_debug_build() {
    #[cfg(test)]
    if expected::is_expected() {
        return;
    }
    #[cfg(debug_assertions)]
    std::process::abort();
}

/// Panics that a test expects.
#[cfg(test)]
pub(super) mod expected {
    use std::cell::Cell;

    thread_local! {
        static EXPECTED: Cell<bool> = const { Cell::new(false) };
    }

    /// Calls `work`; panics of this thread may be caught meanwhile.
    pub(crate) fn expecting_panics<R>(work: impl FnOnce() -> R) -> R {
        EXPECTED.set(true);
        let done = work();
        EXPECTED.set(false);
        done
    }

    pub(super) fn is_expected() -> bool {
        EXPECTED.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_returned_unless_the_work_panics() {
        assert_eq!(caught(|| 7), Some(7));
        let panicking = || -> u8 { panic!("this test expects it") };
        assert_eq!(expected::expecting_panics(|| caught(panicking)), None);
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
