//! Signals that end the program (SIGINT, SIGTERM, SIGHUP), and outputs that block meanwhile.
//!
//! A signal sets a flag, and the command writes its results and ends. An output that nobody reads is abandoned
//! after [`GRACE`]. A call that blocks for as long ends the process.

use std::io;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// The time by which a blocked output delays the end of the program after the first signal.
const GRACE: Duration = Duration::from_millis(400);
/// Time between two checks while waiting.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// True after the first signal. Signals are sent to the process, so that their state is global.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// The exit status of the first signal.
static STATUS: AtomicU8 = AtomicU8::new(0);
/// The time of the first signal.
static SINCE: OnceLock<Instant> = OnceLock::new();
/// Begins and ends of calls that may block, which one thread at a time makes: odd within one.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// Handles signals from now on: they no longer end the program at once, but a second SIGINT does.
///
/// # Errors
/// When the system refuses a thread or a handler.
pub(super) fn listen() -> anyhow::Result<()> {
    #[cfg(unix)]
    signals::listen().context("no thread to handle signals")?;
    Ok(())
}

/// The flag that the first signal sets.
pub(super) fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// True after the first signal.
pub(super) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Acquire)
}

/// The exit status after a signal.
pub(super) fn status() -> Option<ExitCode> {
    is_requested().then(|| ExitCode::from(STATUS.load(Ordering::Acquire)))
}

/// An output that blocked until the program had to end.
#[derive(Debug, thiserror::Error)]
#[error("nothing reads it")]
pub(super) struct Unread {
    /// The exit status of the signal.
    pub(super) status: u8,
}

/// Permits another wait for an output.
///
/// # Errors
/// With [`Unread`] from [`GRACE`] after the first signal on.
pub(super) fn may_wait() -> io::Result<()> {
    match SINCE.get() {
        Some(since) if since.elapsed() >= GRACE => {
            Err(io::Error::other(Unread { status: STATUS.load(Ordering::Acquire) }))
        }
        _ => Ok(()),
    }
}

/// Makes a call that may block while nobody reads. After a signal, a call that blocks for [`GRACE`] ends the process.
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
        // Nothing reads the flag: once the signal has a handler, the write returns EFBIG.
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

    /// The time for which one call has blocked.
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
