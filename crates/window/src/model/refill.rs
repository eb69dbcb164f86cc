//! The replay that completes figures from the recorded past.

use std::time::Instant;

use steerbox_project::session::Replay;

use super::history::Plotted;
use super::plots::{Computed, Key};

/// The replay that fills plots and sparklines.
#[derive(Default)]
pub(crate) struct Refill {
    pub(crate) running: Option<(Request, Replay<Sample>)>,
    /// The end of the pause after the last replay, which is as long as the replay; it applies while the scene runs.
    pub(crate) pause_end: Option<Instant>,
}

/// The conditions of a replay: its samples are valid while these stay the same.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Request {
    pub(crate) rewrites: u64,
    pub(crate) resets: u64,
    /// True while plots are open.
    pub(crate) open: bool,
    pub(crate) unit: Option<u64>,
    pub(crate) plotted: Option<Plotted>,
    /// Of plots, and of sparklines.
    pub(crate) computed: [Computed; 2],
}

/// A recorded state: its step and time, and the values of plots and sparklines where they are missing.
pub(crate) struct Sample {
    pub(crate) at: (u64, f32),
    pub(crate) plots: Option<Vec<(Key, f32)>>,
    pub(crate) rules: Option<Vec<(Key, f32)>>,
}

impl Refill {
    /// Returns true while a replay runs.
    #[cfg(test)]
    pub(crate) fn is_busy(&self) -> bool {
        self.running.is_some()
    }
}
