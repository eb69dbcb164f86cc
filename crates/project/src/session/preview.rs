//! Previews of changes of the rules, see [`Preview`].

use std::time::Duration;

use super::fork::with_rules;
use super::observer::Observer;
use super::preview_runner::{MAX_PREVIEWED, Preview};
use super::running_scene::Session;
use crate::reload::{Generation, Loader};

impl<O: Observer> Session<O> {
    /// Previews the units with these keys at every change of the rules from now on; at most [`MAX_PREVIEWED`].
    pub fn preview_units(&mut self, keys: impl IntoIterator<Item = u64>) {
        self.previews.units.clear();
        self.previews.units.extend(keys.into_iter().take(MAX_PREVIEWED));
        if let Some(loader) = &self.loader {
            loader.want_drafts(!self.previews.units.is_empty());
        }
    }

    /// Starts a preview of the expected result of a save, before the loader knows that the file is complete. Called
    /// every frame while no step is running.
    pub fn preview_draft(&mut self) {
        let draft = self.loader.as_ref().and_then(Loader::draft);
        if let Some(draft) = draft
            && self.past_step().is_none()
            && !self.waits()
            && !self.previews.units.is_empty()
        {
            self.preview_generation(draft);
        }
    }

    pub(super) fn preview_generation(&mut self, mut draft: Generation) {
        self.edits.apply_to(&mut draft);
        let now = with_rules(&self.simulation, &draft, &self.generation.scene, self.seed);
        self.previews.start_draft(self.simulation.clone(), now, draft);
    }

    /// Shows a preview of which a portion is finished within `patience`; returns true if one is.
    pub fn settle_preview(&mut self, patience: Duration) -> bool {
        self.previews.settle(patience)
    }

    /// Returns the preview of the last change of the rules, once it is computed.
    pub fn preview(&self) -> Option<&Preview> {
        self.previews.shown.as_ref()
    }

    /// Returns true while a preview is computed.
    pub fn is_previewing(&self) -> bool {
        self.previews.is_busy()
    }

    /// Shows no preview until the next change of the rules.
    pub fn end_preview(&mut self) {
        self.previews.end();
    }
}
