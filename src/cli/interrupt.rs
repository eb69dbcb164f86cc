//! Signals that end the program (SIGINT, SIGTERM, SIGHUP), and outputs that block meanwhile.
//!
//! A signal sets a flag; the command then writes its results and ends. An output without a reader is abandoned after
//! [`GRACE`]. A call that blocks that long ends the process.

use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// Maximum delay of the end of the program by a blocked output after the first signal.
const GRACE: Duration = Duration::from_millis(400);
/// Polling interval.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// True after the first signal. Signals are sent to the process, so their state is global.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// The exit status of the first signal.
static STATUS: AtomicU8 = AtomicU8::new(0);
/// The time of the first signal.
static SINCE: OnceLock<Instant> = OnceLock::new();
/// The calls of all threads that may block.
static CALLS: Calls = Calls(Mutex::new(Vec::new()));

/// Handles signals from now on: only a second SIGINT ends the program at once.
///
/// # Errors
/// If the system refuses a thread or a handler.
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

/// The error of an output that blocked until the program had to end.
#[derive(Debug, thiserror::Error)]
#[error("nothing reads it")]
pub(super) struct Unread {
    /// The exit status of the signal.
    pub(super) status: u8,
}

/// Returns an error if the program must not wait for an output any longer.
///
/// # Errors
/// [`Unread`] from [`GRACE`] after the first signal on.
pub(super) fn may_wait() -> io::Result<()> {
    match SINCE.get() {
        Some(since) if since.elapsed() >= GRACE => {
            Err(io::Error::other(Unread { status: STATUS.load(Ordering::Acquire) }))
        }
        _ => Ok(()),
    }
}

/// Makes a call that may block without a reader. After a signal, a call that blocks for [`GRACE`] ends the process.
pub(super) fn blocking<T>(call: impl FnOnce() -> T) -> T {
    CALLS.make(call)
}

/// The start times of calls that have not returned.
struct Calls(Mutex<Vec<Instant>>);

impl Calls {
    fn begun(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make<T>(&self, call: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        self.begun().push(begin);
        let result = call();
        let mut begun = self.begun();
        if let Some(at) = begun.iter().position(|other| *other == begin) {
            begun.swap_remove(at);
        }
        result
    }

    /// Returns the time for which the oldest call has blocked, counted from `since` at the earliest.
    fn blocked(&self, since: Instant, now: Instant) -> Duration {
        let oldest = self.begun().iter().min().copied();
        oldest.map_or(Duration::ZERO, |begin| now.saturating_duration_since(begin.max(since)))
    }
}

/// Turns writes beyond the file size limit into errors: by default, the signal ends the program.
pub(super) fn survive_file_size_limit() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        // The flag is unused: if the signal has a handler, the write returns EFBIG.
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

    /// Exit status after SIGINT, by shell convention.
    const INTERRUPTED: u8 = 130;
    /// Exit status after SIGTERM, by shell convention.
    const TERMINATED: u8 = 143;
    /// A signal within this time of the first is a duplicate: `timeout` sends each signal twice.
    const SAME: Duration = Duration::from_millis(50);

    pub(super) fn listen() -> io::Result<()> {
        let mut kinds = vec![SIGINT, SIGTERM];
        // Under `nohup` it is ignored and must remain so.
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
            loop {
                std::thread::sleep(TICK);
                if signals.pending().any(|signal| signal == SIGINT) && since.elapsed() > SAME {
                    low_level::exit(INTERRUPTED.into());
                }
                if CALLS.blocked(since, Instant::now()) >= GRACE {
                    low_level::exit(status.into());
                }
            }
        })?;
        Ok(())
    }

    /// Returns true if the program was started with a signal ignored, where procfs is available.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_call_counts_regardless_of_other_threads() {
        let (calls, since) = (Calls(Mutex::new(Vec::new())), Instant::now());
        let blocked = |after: Duration| calls.blocked(since, Instant::now() + after);
        calls.make(|| {
            std::thread::scope(|scope| {
                scope.spawn(|| calls.make(|| assert!(blocked(GRACE) >= GRACE, "two calls")));
            });
            assert!(blocked(GRACE) >= GRACE, "the second call has returned");
            let requested = Instant::now() + GRACE;
            assert_eq!(calls.blocked(requested, requested + TICK), TICK, "counted from the signal on");
        });
        assert_eq!(blocked(GRACE), Duration::ZERO);
    }
}
