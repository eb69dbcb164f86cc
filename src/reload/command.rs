//! Commands to the loader.

use super::tuned::{Handle, KnobName};
use super::world_sample::RunningWorld;
use crate::scene::{ParamValue, SceneEdit};

/// A command to the loader.
#[derive(Clone, Debug)]
pub enum Command {
    /// Check the files.
    Look,
    /// Tune a value.
    Tune(Handle, KnobName, ParamValue),
    /// Enable or disable a behavior as a key of the scene does, without tuning it.
    Switch(Handle, bool),
    /// Reset a value to that of the file.
    Untune(Handle, KnobName),
    /// A sample of the running world, as [requested](super::Loader::wants_sample).
    Sample(Box<RunningWorld>),
    /// Edit an obstacle or a path.
    Edit(SceneEdit),
    /// Write tuned values into the scene file.
    Save,
    /// End the thread.
    Quit,
}

impl Command {
    /// Returns true if the command changes the inputs of a generation.
    pub(super) fn changes_project(&self) -> bool {
        !matches!(self, Self::Look | Self::Sample(_))
    }
}
