//! Panics are caught here, so that a bug of ours or of a library does not end the program.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does work that must not panic; `None` if it did.
///
/// In builds with debug assertions, as those of tests are, the process then ends at once, so that no test can
/// pass in spite of a caught panic.
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

/// Ends the process, unless a test expects the panic.
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

    /// Does work during which panics of this thread may be caught.
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
    fn a_panic_that_is_caught_ends_the_process_of_a_test() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--ignored", "--exact", "diagnostics::caught::tests::it_panics"]);
        let output = again.output().unwrap();
        assert_eq!(output.status.success(), !cfg!(debug_assertions), "{output:?}");
    }
}
