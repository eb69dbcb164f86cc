//! What the loader is asked for.

use super::moves::Moved;
use super::running::Running;
use super::tuned::{Handle, KnobName};
use crate::scene::ParamValue;

/// What the loader is asked for.
#[derive(Clone, Debug)]
pub enum Command {
    /// The disk may have changed.
    Look,
    /// Tune a value.
    Tune(Handle, KnobName, ParamValue),
    /// Switch a behavior on or off as a key of the scene does, which is no tuning.
    Switch(Handle, bool),
    /// Return a value to the file's.
    Untune(Handle, KnobName),
    /// What runs, since it was [wanted](super::Loader::wants_running).
    Run(Box<Running>),
    /// Move an obstacle.
    Move(Moved),
    /// Return an obstacle to the file's place.
    Unmove(usize),
    /// Write what is tuned into the scene's file.
    Save,
    /// End.
    Quit,
}
