//! Time in the window: timeline, comparison of runs, preview, conditional pause, recorded figures.

pub(crate) mod compare;
mod filming;
pub(crate) mod pause_when;
pub(crate) mod playback;
pub(crate) mod preview;
pub(crate) mod real_time;
pub(crate) mod refill;
mod saving;
pub(crate) mod timeline;
