//! A scene that runs and reloads: what the window and `steerbox run` have in common. Knows neither
//! window nor terminal.

mod explained;
mod parting;
mod poses;
mod running_scene;
mod settings;
mod stepper;

pub use explained::{Explained, Inspected};
pub use parting::{PartedRule, Parting};
pub use poses::Poses;
pub use running_scene::{EventSink, Options, Session, Swapped};
pub use settings::{check_settings, parse_settings};
pub use stepper::{Observer, Outcome, STEP_BUDGET, State, Stepper};
