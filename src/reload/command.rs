//! Commands to the loader.

use super::tuned::{Handle, KnobName};
use super::world_sample::RunningWorld;
use crate::scene::{ParamValue, SceneEdit};

/// A command to the loader.
#[derive(Clone, Debug)]
pub enum Command {
    /// Files may have changed.
    Look,
    /// Tune a value.
    Tune(Handle, KnobName, ParamValue),
    /// Switch a behavior on or off as a key of the scene does, which is no tuning.
    Switch(Handle, bool),
    /// Return a value to the file's.
    Untune(Handle, KnobName),
    /// What runs, as [requested](super::Loader::wants_sample).
    Sample(Box<RunningWorld>),
    /// Change an obstacle or a path.
    Edit(SceneEdit),
    /// Write what is tuned into the scene's file.
    Save,
    /// End.
    Quit,
}

impl Command {
    /// Whether it changes what a generation is composed from.
    pub(super) fn changes_project(&self) -> bool {
        !matches!(self, Self::Look | Self::Sample(_))
    }
}
