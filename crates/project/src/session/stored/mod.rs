//! Moments and replays in files: everything that is needed to continue or to repeat a run elsewhere.
//!
//! Such files are untrusted. Their sizes are checked before memory is allocated, and their scene and scripts are checked
//! like any others.

mod digests;
mod envelope;
mod moment;
mod picture;
mod replay_file;
mod rules;
#[cfg(test)]
mod tests;

pub use digests::{DigestCheck, Digests, ReplayDifference};
pub use envelope::{StoredError, StoredKind};
pub use moment::Moment;
pub use replay_file::{LoadedReplay, RecordedRun, ReplayFile};
