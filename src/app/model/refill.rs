//! The replay that completes figures from the recorded past.

use std::time::Instant;

use super::history::Plotted;
use super::plots::{Computed, Key};
use crate::session::Replay;

/// The replay that fills plots and sparklines.
#[derive(Default)]
pub(in crate::app) struct Refill {
    pub(in crate::app) running: Option<(Request, Replay<Sample>)>,
    /// While the scene runs, the end of a pause that is as long as the last replay took.
    pub(in crate::app) rests: Option<Instant>,
}

/// The conditions of a replay: its samples are valid while these stay the same.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::app) struct Request {
    pub(in crate::app) rewrites: u64,
    pub(in crate::app) resets: u64,
    /// True while plots are open.
    pub(in crate::app) open: bool,
    pub(in crate::app) unit: Option<u64>,
    pub(in crate::app) plotted: Option<Plotted>,
    /// Of plots, and of sparklines.
    pub(in crate::app) computed: [Computed; 2],
}

/// A recorded state: its step and time, and the values of plots and sparklines where they are missing.
pub(in crate::app) struct Sample {
    pub(in crate::app) at: (u64, f32),
    pub(in crate::app) plots: Option<Vec<(Key, f32)>>,
    pub(in crate::app) rules: Option<Vec<(Key, f32)>>,
}

impl Refill {
    /// Returns true while a replay runs.
    #[cfg(test)]
    pub(in crate::app) fn is_busy(&self) -> bool {
        self.running.is_some()
    }
}
