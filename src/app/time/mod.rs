//! Time in the window: timeline, comparison of runs, preview, conditional pause, recorded figures.

pub(in crate::app) mod compare;
pub(in crate::app) mod pause_when;
pub(in crate::app) mod playback;
pub(in crate::app) mod preview;
pub(in crate::app) mod real_time;
pub(in crate::app) mod refill;
pub(in crate::app) mod timeline;
