//! Output of reload events to a file or standard output.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use steerbox_project::session::EventSink;

use super::lines::{Lines, OutputError};
use super::print::err;

/// The output of `--events`. The first error is stored; nothing is written after it.
#[derive(Clone)]
pub(super) struct Events(Arc<Mutex<State>>);

struct State {
    lines: Lines,
    failed: Option<OutputError>,
}

impl Events {
    pub(super) fn new(lines: Lines) -> Self {
        let failed = None;
        Self(Arc::new(Mutex::new(State { lines, failed })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one event in a single write, so that readers never see a partial one.
    fn write(&self, event: &str) {
        let State { lines, failed } = &mut *self.state();
        if failed.is_none() {
            let text = format!("{event}\n");
            let written = lines.write(|kept| {
                kept.extend_from_slice(text.as_bytes());
                Ok(())
            });
            *failed = written.and_then(|()| lines.flush()).err();
        }
    }

    /// Returns a sink for the events of a run, which ends when [`Self::check`] fails.
    pub(super) fn sink(&self) -> EventSink {
        let events = self.clone();
        Box::new(move |event| events.write(event))
    }

    /// Returns a sink for the events of a window. The window stays open if the output fails, so the error is printed at
    /// once.
    pub(super) fn warning_sink(&self) -> EventSink {
        let events = self.clone();
        let mut reported = false;
        Box::new(move |event| {
            events.write(event);
            let state = events.state();
            if let Some(error) = state.failed.as_ref().filter(|_| !reported) {
                reported = true;
                if !error.is_closed() {
                    err(format!("steerbox: {error}; no further events are written"));
                }
            }
        })
    }

    /// Returns the stored error, if any, once.
    ///
    /// # Errors
    /// If the output could not be written.
    pub(super) fn check(&self) -> Result<(), OutputError> {
        self.state().failed.take().map_or(Ok(()), Err)
    }
}
