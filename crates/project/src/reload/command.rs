//! Commands to the loader.

use std::sync::Arc;

use steerbox_core::world::ParamValue;
use steerbox_scene::SceneEdit;

use super::tuned::{Handle, KnobName};
use super::unsaved::Write;
use super::world_sample::RunningWorld;

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
    /// Run this unsaved text of a file, by its name, instead of its saved content; or the latter again.
    Buffer(String, Option<Arc<str>>),
    /// Check a text of a file, by its name, without running it; see [`Loader::checked`](super::Loader::checked).
    Check(String, Arc<str>),
    /// Write texts to their files, all or none; see [`Loader::written`](super::Loader::written).
    Write(Vec<Write>),
    /// Write tuned values into the scene file.
    Save,
    /// End the thread.
    Quit,
}

impl Command {
    /// Returns true if the command changes the inputs of a generation.
    pub(super) fn changes_project(&self) -> bool {
        !matches!(self, Self::Look | Self::Sample(_) | Self::Check(..))
    }
}
