//! A scene that runs and reloads: what the window and `steerbox run` have in common. Knows neither
//! window nor terminal.

mod ahead;
mod compare;
mod course;
mod divergence;
mod edit;
mod explained;
mod fork;
mod hand_edits;
mod history;
mod input;
mod named_values;
mod observer;
mod past;
mod poses;
mod preview;
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

pub use ahead::Course;
pub use course::{MOST as MOST_PREVIEWED, Preview};
pub use divergence::{Difference, Divergence, DivergingRule, RunPair};
pub use explained::{Explained, Inspected};
pub use history::Keep;
pub use input::{Input, Replacement};
pub use named_values::{NamedValues, read_values, written_values};
pub use observer::Observer;
pub use poses::Poses;
pub use replay::{Replay, ReplayOrder};
pub use running_scene::{EventSink, Options, Session, Swapped};
pub use settings::{check_settings, parse_setting, written_setting};
pub use state::{STEP_BUDGET, State};
pub use stepper::{Outcome, Stepper};
pub use variant::Variant;
