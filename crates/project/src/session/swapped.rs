//! The result of a swap of generations.

use std::sync::Arc;

use steerbox_core::sim::Simulation;
use steerbox_scene::Scene;

use super::continuity::continuity;
use super::failures::Incident;
use crate::reload::{Dropped, Event, Generation, News, Saved, news};

/// Result of a swap.
pub struct Swapped {
    /// The scene before.
    pub before: Arc<Scene>,
    /// Reload events.
    pub events: Vec<Event>,
    /// Failures, suspensions and ends of suspensions since the last step.
    pub incidents: Vec<Incident>,
    /// Changes of the world, as text; none if the generation only confirms a save of tuned values.
    pub notes: Vec<String>,
    /// Tuned values that were dropped.
    pub dropped: Vec<Dropped>,
    /// The result of writing tuned values, if that was requested.
    pub saved: Option<Saved>,
    /// Reason why only polling works, if it did not apply before.
    pub polling: Option<String>,
    /// Reason why settings do not fit the first scene that works.
    pub refused: Option<anyhow::Error>,
    /// The state before, unless nothing can be dropped.
    pub(super) earlier: Option<Simulation>,
}

impl Swapped {
    /// Returns the line about units and memories that continue, start anew and are gone in the state after the swap.
    pub fn continuity(&self, after: &Simulation) -> Option<String> {
        self.earlier.as_ref().map(|earlier| continuity(earlier, after))
    }

    /// Returns the lines for the user about a swap to `generation`, except for the result of a save.
    pub fn news(&self, generation: &Generation) -> Vec<News> {
        let mut lines = news(&self.events, generation);
        if !self.notes.is_empty() {
            lines.push(News::World(format!("scene: {}", self.notes.join(", "))));
        }
        lines.extend(self.dropped.iter().map(|dropped| News::Dropped(dropped.line.clone())));
        lines
    }
}
