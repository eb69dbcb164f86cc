//! A scene that runs and reloads, for the window and `steerbox run`. It depends on neither window nor terminal.

mod allocator;
mod compare;
mod divergence;
mod edit;
mod explained;
mod fork;
mod history;
mod input;
mod lookahead;
mod named_values;
mod observer;
mod pending_edits;
mod playback;
mod poses;
mod preview;
mod preview_runner;
mod replay;
mod rewind;
mod running_scene;
mod settings;
mod state;
mod stepper;
mod task;
#[cfg(test)]
mod tests;
mod variant;

pub use divergence::{Difference, Divergence, DivergingRule, RunPair};
pub use explained::{Explained, Inspected};
pub use history::Keep;
pub use input::{Input, Replacement};
pub use lookahead::Trajectory;
pub use named_values::{NamedValues, read_values, written_values};
pub use observer::Observer;
pub use pending_edits::PendingEdit;
pub use poses::Poses;
pub use preview_runner::{MAX_PREVIEWED, Preview};
pub use replay::{Replay, ReplayOrder};
pub use running_scene::{EventSink, Options, Session, Swapped};
pub use settings::{check_settings, parse_setting, written_setting};
pub use state::{STEP_BUDGET, State};
pub use stepper::{Outcome, Stepper};
pub use variant::Variant;
