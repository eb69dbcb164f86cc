//! Changes of the world between two steps: by the user, and by files that change no unit.

use glam::Vec3;

use super::routes;
use super::simulation::Simulation;
use crate::world::{Controls, NamedFlow, Obstacle};

impl Simulation {
    /// Replaces the names of marks and signals between two steps; see [`crate::world::World::set_names`].
    pub fn set_names(&mut self, marks: &[String], signals: &[String]) {
        if self.world().marks.all() != marks || self.world().signals.all() != signals {
            self.world_mut().set_names(marks, signals);
        }
    }

    /// Replaces the flow fields between two steps, if they differ.
    pub fn set_flows(&mut self, flows: &[NamedFlow]) {
        if self.world().flows != flows {
            let world = self.world_mut();
            world.flows = flows.to_vec();
            routes::settle(world);
        }
    }

    /// Replaces an obstacle between two steps; ignores an index out of range.
    pub fn set_obstacle(&mut self, at: usize, obstacle: &Obstacle) {
        if at < self.world().obstacles.len() {
            // One that moves is that of the scene.
            self.world_mut().set_obstacle(at, obstacle);
        }
    }

    /// Sets the mouse target.
    pub fn set_target(&mut self, target: Option<Vec3>) {
        self.world_mut().target = target;
    }

    /// Sets the controls of the player.
    pub fn set_controls(&mut self, controls: Controls) {
        self.world_mut().controls = controls;
    }

    /// Changes the view of a group from the next step on; ignores an index out of range.
    pub fn set_view(&mut self, group: usize, view: Option<usize>) {
        let world = self.world_mut();
        let known = view.is_none_or(|view| view < world.views.len());
        if let Some(group) = world.groups.get_mut(group).filter(|_| known) {
            group.view = view;
        }
    }
}
