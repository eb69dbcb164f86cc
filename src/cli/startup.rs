//! The state of the process before Rust's runtime starts.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static OUTPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

// The runtime replaces closed standard streams by `/dev/null`, so that writing to them succeeds. From then on, they do
// not differ from the `/dev/null` that many programs pass on purpose.
#[cfg(unix)]
ctor::declarative::ctor! {
    #[ctor(unsafe)]
    fn note_closed_output() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        OUTPUT_IS_CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
    }
}

/// Standard output.
///
/// # Errors
/// When the program was started without one.
pub(super) fn standard_output() -> io::Result<io::Stdout> {
    let is_closed = OUTPUT_IS_CLOSED.load(Ordering::Relaxed);
    if is_closed { Err(io::Error::other("it is closed")) } else { Ok(io::stdout()) }
}
