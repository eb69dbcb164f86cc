//! State of the process before the start of Rust's runtime.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Returns standard output.
///
/// # Errors
/// If the program was started without it.
pub(super) fn standard_output() -> io::Result<io::Stdout> {
    let is_closed = OUTPUT_IS_CLOSED.load(Ordering::Relaxed);
    if is_closed { Err(io::Error::other("it is closed")) } else { Ok(io::stdout()) }
}
