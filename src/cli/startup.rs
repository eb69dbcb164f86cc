//! State of the process before the start of Rust's runtime.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::common_args::MAX_THREADS;
use super::usage::{UsageError, require};

static OUTPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

// The runtime replaces closed standard streams by `/dev/null`, so that writes to them succeed. They can then not be
// distinguished from a `/dev/null` passed on purpose.
#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn note_closed_output() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        OUTPUT_IS_CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
    }
}

/// The environment variable with the number of threads of a run without `--threads`.
const THREADS: &str = "RAYON_NUM_THREADS";

/// Checks the number of threads in the environment as that of `--threads`.
///
/// # Errors
/// If it exceeds the maximum.
pub(super) fn check_threads() -> Result<(), UsageError> {
    let wanted = std::env::var(THREADS).ok().and_then(|text| text.parse::<u64>().ok());
    require(wanted.is_none_or(|wanted| wanted <= u64::from(MAX_THREADS)), || {
        format!("{THREADS}: at most {MAX_THREADS} threads are possible, as for --threads")
    })
}

/// Returns standard output.
///
/// # Errors
/// If the program was started without it.
pub(super) fn standard_output() -> io::Result<io::Stdout> {
    let is_closed = OUTPUT_IS_CLOSED.load(Ordering::Relaxed);
    if is_closed { Err(io::Error::other("it is closed")) } else { Ok(io::stdout()) }
}
