//! A scene that runs and reloads, for the window and `steerbox run`. It depends on neither window nor terminal.

mod allocator;
mod compare;
mod continuity;
mod divergence;
mod drafts;
mod edit;
mod explained;
mod export;
mod failures;
mod film;
mod fork;
mod history;
mod input;
mod named_values;
mod observer;
mod options;
mod pending_edits;
mod playback;
mod poses;
mod preview;
mod preview_runner;
mod replay;
mod rewind;
mod running_scene;
mod schedule;
mod scheduled;
mod settings;
mod stash;
mod state;
mod stepper;
mod stored;
mod swapped;
mod task;
#[cfg(test)]
mod tests;
mod trajectories;
mod variant;
mod verdicts;

pub use divergence::{Difference, Divergence, DivergingRule, GridDivergence, RunPair, distances};
pub use explained::{Explained, Inspected, RecordedSteps};
pub use failures::{Failed, Failures, Incident, IncidentKind, note_failures};
pub use film::Film;
pub use history::Keep;
pub use input::{Input, Replacement};
pub use named_values::{NamedValues, read_values, written_values};
pub use observer::Observer;
pub use options::{ChangedRules, EventSink, Options, Start};
pub use pending_edits::PendingEdit;
pub use poses::Poses;
pub use preview_runner::{MAX_PREVIEWED, Preview};
pub use replay::{Replay, ReplayOrder};
pub use running_scene::{EndedRun, Session};
pub use scheduled::ReplayEnd;
pub use settings::{
    check_kind, check_setting_name, check_settings, parse_setting, parse_setting_value, split_setting,
    written_setting,
};
pub use state::{Observed, STEP_BUDGET, State};
pub use stepper::{Outcome, Stepper};
pub use stored::{
    DigestCheck, Digests, LoadedReplay, Moment, RecordedRun, ReplayDifference, ReplayFile, StoredError,
    StoredKind,
};
pub use swapped::Swapped;
pub use task::pool;
pub use trajectories::Trajectory;
pub use variant::Variant;
pub use verdicts::{Reached, Verdict, Verdicts};
