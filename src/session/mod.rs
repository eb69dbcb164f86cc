//! A scene that runs and reloads: what the window and `steerbox run` have in common. Knows neither
//! window nor terminal.

mod explained;
mod history;
mod input;
mod parting;
mod past;
mod poses;
mod rewind;
mod running_scene;
mod settings;
mod stepper;
mod task;
#[cfg(test)]
mod tests;

pub use explained::{Explained, Inspected};
pub use history::Keep;
pub use input::{Input, Replacement};
pub use parting::{Apart, PartedRule, Parting};
pub use past::Parted;
pub use poses::Poses;
pub use running_scene::{EventSink, Options, Session, Swapped};
pub use settings::{check_settings, parse_settings, written_setting};
pub use stepper::{Observer, Outcome, STEP_BUDGET, State, Stepper};
