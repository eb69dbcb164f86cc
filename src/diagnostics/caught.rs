//! Panics that are caught, so that a bug of ours or of a library does not take the program along.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does work that must not panic; nothing if it did.
///
/// In builds with debug assertions, which those of tests are, the process then ends at once: a bug stays a
/// bug, however well it is caught, and no test can pass over it.
#[allow(clippy::inline_always, reason = "a few nanoseconds on the way of every call of compiled code")]
#[inline(always)]
pub fn caught<R>(work: impl FnOnce() -> R) -> Option<R> {
    #[allow(clippy::disallowed_methods, reason = "the one place, for everybody")]
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    if done.is_none() {
        told();
    }
    done
}

/// Ends the process, unless a test expects the panic.
#[cold]
fn told() {
    #[cfg(test)]
    if wanted::is_wanted() {
        return;
    }
    #[cfg(debug_assertions)]
    std::process::abort();
}

/// Panics that a test expects.
#[cfg(test)]
pub(super) mod wanted {
    use std::cell::Cell;

    thread_local! {
        static WANTED: Cell<bool> = const { Cell::new(false) };
    }

    /// Does work during which panics of this thread may be caught.
    pub(crate) fn panics_are_wanted<R>(work: impl FnOnce() -> R) -> R {
        WANTED.set(true);
        let done = work();
        WANTED.set(false);
        done
    }

    pub(super) fn is_wanted() -> bool {
        WANTED.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_handed_on_and_what_panics_is_not() {
        assert_eq!(caught(|| 7), Some(7));
        let panicking = || -> u8 { panic!("this test wants it") };
        assert_eq!(wanted::panics_are_wanted(|| caught(panicking)), None);
    }

    #[test]
    #[ignore = "its process is what the next test starts"]
    fn it_panics() {
        let _ = caught(|| panic!("another test wants it"));
    }

    #[test]
    fn a_panic_that_is_caught_ends_the_process_of_a_test() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--ignored", "--exact", "diagnostics::caught::tests::it_panics"]);
        let output = again.output().unwrap();
        assert_eq!(output.status.success(), !cfg!(debug_assertions), "{output:?}");
    }
}
