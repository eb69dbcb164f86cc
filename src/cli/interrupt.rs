//! Signals that end the program (SIGINT, SIGTERM, SIGHUP), and outputs that block meanwhile.
//!
//! A signal sets a flag, and the command ends in order: it writes what it has. An output that nobody reads
//! cannot hold that up: it is given up after [`GRACE`]. A call that still blocks then ends the process.

use std::io;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// How long a blocked output delays the end of the program after the first signal.
const GRACE: Duration = Duration::from_millis(400);
/// Time between two checks of what is waited for.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// The state of the process: signals have one target.
static REQUESTED: AtomicBool = AtomicBool::new(false);
static STATUS: AtomicU8 = AtomicU8::new(0);
static SINCE: OnceLock<Instant> = OnceLock::new();
/// Calls that may block, begun and ended: odd within one.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// Handles signals from now on: they no longer end the program at once, but a second SIGINT does.
///
/// # Errors
/// When the system gives no thread or no handler.
pub(super) fn listen() -> anyhow::Result<()> {
    #[cfg(unix)]
    signals::listen().context("no thread to handle signals")?;
    Ok(())
}

/// Set by the first signal.
pub(super) fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// Whether there was a signal.
pub(super) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Acquire)
}

/// The exit status after a signal.
pub(super) fn status() -> Option<ExitCode> {
    is_requested().then(|| ExitCode::from(STATUS.load(Ordering::Acquire)))
}

/// An output blocked until the program had to end.
#[derive(Debug, thiserror::Error)]
#[error("nothing reads it")]
pub(super) struct Unread {
    /// The exit status of the signal.
    pub(super) status: u8,
}

/// # Errors
/// With [`Unread`] once an output has blocked for too long after a signal.
pub(super) fn may_wait() -> io::Result<()> {
    match SINCE.get() {
        Some(since) if since.elapsed() >= GRACE => {
            Err(io::Error::other(Unread { status: STATUS.load(Ordering::Acquire) }))
        }
        _ => Ok(()),
    }
}

/// Makes a call that may block for as long as nobody reads. A signal ends the process where it does.
pub(super) fn blocking<T>(call: impl FnOnce() -> T) -> T {
    CALLS.fetch_add(1, Ordering::AcqRel);
    let result = call();
    CALLS.fetch_add(1, Ordering::AcqRel);
    result
}

/// Makes writing beyond the limit on the size of files an error: the signal for it ends a program by default.
pub(super) fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        // Nothing reads the flag: a handled signal lets the write return EFBIG.
        let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    }
}

#[cfg(unix)]
mod signals {
    use std::io;
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level;

    use crate::cli::interrupt::{CALLS, GRACE, REQUESTED, SINCE, STATUS, TICK};

    /// Exit status of a program that SIGINT ended, as shells have it.
    const INTERRUPTED: u8 = 130;
    /// Exit status of a program that SIGTERM ended, as shells have it.
    const TERMINATED: u8 = 143;
    /// A signal within this of the first is the same: `timeout` sends each one twice.
    const SAME: Duration = Duration::from_millis(50);

    pub(super) fn listen() -> io::Result<()> {
        let mut kinds = vec![SIGINT, SIGTERM];
        // `nohup` ignores it for us.
        if !is_ignored(SIGHUP) {
            kinds.push(SIGHUP);
        }
        let mut signals = Signals::new(kinds)?;
        let thread = std::thread::Builder::new().name("signals".to_owned());
        thread.spawn(move || {
            let first = signals.forever().next();
            let status = if first == Some(SIGINT) { INTERRUPTED } else { TERMINATED };
            let since = *SINCE.get_or_init(Instant::now);
            STATUS.store(status, Ordering::Release);
            REQUESTED.store(true, Ordering::Release);
            let mut blocked = Blocked::default();
            loop {
                std::thread::sleep(TICK);
                if signals.pending().any(|signal| signal == SIGINT) && since.elapsed() > SAME {
                    low_level::exit(INTERRUPTED.into());
                }
                if blocked.since(Instant::now()) >= GRACE {
                    low_level::exit(status.into());
                }
            }
        })?;
        Ok(())
    }

    /// How long one call has blocked.
    #[derive(Default)]
    struct Blocked {
        call: u64,
        since: Option<Instant>,
    }

    impl Blocked {
        fn since(&mut self, now: Instant) -> Duration {
            let call = CALLS.load(Ordering::Acquire);
            let is_within = !call.is_multiple_of(2);
            if !is_within || call != self.call {
                (self.call, self.since) = (call, None);
            }
            let since = is_within.then(|| *self.since.get_or_insert(now));
            since.map_or(Duration::ZERO, |since| now - since)
        }
    }

    /// Whether the program was started with a signal ignored, where the system tells it in a file.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}
