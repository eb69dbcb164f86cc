//! What changed on disk becomes one checked, numbered generation, swapped in between two steps.
//!
//! The disk tells contents, the project turns them into a generation, and the loader does both on a
//! thread of its own. Knows no window.

mod alone;
mod command;
mod commit;
mod compiled;
mod contents;
pub mod disk;
mod dry_run;
mod embedded;
mod event;
mod flows;
mod generation;
mod known;
mod listing;
mod loader;
mod marks;
mod moves;
mod place;
mod plan;
mod project;
mod remarks;
mod replace;
mod running;
mod save;
mod scripts;
mod serve;
mod spelling;
#[cfg(test)]
mod tests;
mod trial;
mod try_out;
mod tuned;
mod waiting;

pub use alone::learn_file;
pub use command::Command;
pub use contents::is_script;
pub(crate) use disk::read_plain;
pub use embedded::{BuiltIn, default_scene, embedded_helpers, embedded_scenes, embedded_scripts};
pub use event::{Event, EventKind};
pub use generation::{FileState, Generation, Knob, Planned, Saved, Status};
pub use known::{KnownScene, known_scenes};
pub use listing::listing;
pub use loader::Loader;
pub use moves::Moved;
pub use place::Place;
pub use project::{LoadError, Project};
pub use running::Running;
pub use spelling::param_like;
pub use try_out::{try_alone, try_out};
pub use tuned::{Handle, KnobName};
