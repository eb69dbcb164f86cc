//! Being asked to end: SIGINT, SIGTERM, SIGHUP.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Whether the program was asked to end, and how.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt {
    asked: Arc<AtomicBool>,
    status: Arc<AtomicU8>,
}

impl Interrupt {
    /// Listens from now on: signals no longer end the program, but a second SIGINT does.
    ///
    /// # Errors
    /// When the system gives no thread or no handler.
    pub(super) fn listen() -> io::Result<Self> {
        let interrupt = Self::default();
        #[cfg(unix)]
        signals::listen(interrupt.clone())?;
        Ok(interrupt)
    }

    /// Set once the program was asked to end.
    pub(super) fn asked(&self) -> &AtomicBool {
        &self.asked
    }

    /// Whether the program was asked to end.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Acquire)
    }

    /// The exit status it was asked to end with.
    pub(super) fn status(&self) -> Option<ExitCode> {
        let status = || ExitCode::from(self.status.load(Ordering::Acquire));
        self.is_asked().then(status)
    }

    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no signals"))]
    fn ask(&self, status: u8) {
        self.status.store(status, Ordering::Release);
        self.asked.store(true, Ordering::Release);
    }
}

#[cfg(unix)]
mod signals {
    use std::io;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level;

    use crate::cli::interrupt::Interrupt;

    /// Exit status of a program that SIGINT ended, as shells have it.
    const INTERRUPTED: u8 = 130;
    /// Exit status of a program that SIGTERM ended, as shells have it.
    const TERMINATED: u8 = 143;
    /// A signal within this of the first is the same: `timeout` sends each one twice.
    const SAME: Duration = Duration::from_millis(50);

    pub(super) fn listen(interrupt: Interrupt) -> io::Result<()> {
        let mut kinds = vec![SIGINT, SIGTERM];
        // `nohup` ignores it for us.
        if !is_ignored(SIGHUP) {
            kinds.push(SIGHUP);
        }
        let mut signals = Signals::new(kinds)?;
        let thread = std::thread::Builder::new().name("signals".to_owned());
        thread.spawn(move || {
            let mut first: Option<Instant> = None;
            for signal in signals.forever() {
                match first {
                    None if signal == SIGINT => interrupt.ask(INTERRUPTED),
                    None => interrupt.ask(TERMINATED),
                    Some(first) if signal == SIGINT && first.elapsed() > SAME => {
                        low_level::exit(INTERRUPTED.into());
                    }
                    Some(_) => {}
                }
                first = first.or(Some(Instant::now()));
            }
        })?;
        Ok(())
    }

    /// Whether the program was started with a signal ignored, where the system tells it in a file.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}
