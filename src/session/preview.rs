//! What a change of the rules leads to, shown before it happens: see [`Preview`].

use std::time::Duration;

use super::fork::with_rules;
use super::observer::Observer;
use super::preview_runner::{MAX_PREVIEWED, Preview};
use super::running_scene::Session;
use crate::reload::{Generation, Loader};

impl<O: Observer> Session<O> {
    /// Previews these units with every change of the rules from now on, by their keys; at most 16.
    pub fn preview_units(&mut self, keys: impl IntoIterator<Item = u64>) {
        self.previews.units.clear();
        self.previews.units.extend(keys.into_iter().take(MAX_PREVIEWED));
        if let Some(loader) = &self.loader {
            loader.want_drafts(!self.previews.units.is_empty());
        }
    }

    /// Begins to preview what a save most likely leads to, while it is still waited for whether the file stays as it
    /// is; to be called every frame while no step is under way.
    pub fn preview_draft(&mut self) {
        let draft = self.loader.as_ref().and_then(Loader::draft);
        if let Some(draft) = draft
            && self.looked_at().is_none()
            && !self.waits()
            && !self.previews.units.is_empty()
        {
            self.preview_that(draft);
        }
    }

    pub(super) fn preview_that(&mut self, mut draft: Generation) {
        self.edits.apply_to(&mut draft);
        let now = with_rules(&self.simulation, &draft, &self.generation.scene, self.seed);
        self.previews.start_draft(self.simulation.changes(), self.simulation.clone(), now, draft);
    }

    /// Keeps the course of the units that are previewed ahead by the present rules, so that a preview takes less; to be
    /// called every frame while no step is under way.
    pub fn update_lookahead(&mut self) {
        if self.looked_at().is_none() && !self.waits() {
            let (simulation, changes) = (&self.simulation.state.simulation, self.simulation.changes());
            self.previews.update_lookahead(simulation, changes, self.simulation.step_time());
        }
    }

    /// Takes over a preview that is ready within `patience`; whether there is anything new.
    pub fn settle_preview(&mut self, patience: Duration) -> bool {
        self.previews.settle(patience)
    }

    /// What the last change of the rules leads to, once that is known.
    pub fn preview(&self) -> Option<&Preview> {
        self.previews.shown.as_ref()
    }

    /// Whether a preview is being made.
    pub fn is_previewing(&self) -> bool {
        self.previews.is_busy()
    }

    /// Shows no preview until the next change of the rules.
    pub fn end_preview(&mut self) {
        self.previews.end();
    }
}
