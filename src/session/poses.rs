//! Where units were before the last step, so that a window can draw what lies between two steps.

use glam::Vec3;

use crate::world::World;

/// Where all units are, and how they are turned.
#[derive(Clone, Debug, Default)]
pub struct Poses {
    /// Steps that were made until then.
    steps: Option<u64>,
    /// Centers of mass.
    pub position: Vec<Vec3>,
    /// Forward axes.
    pub heading: Vec<Vec3>,
    /// Upward axes.
    pub up: Vec<Vec3>,
}

impl Poses {
    /// Takes over those of a world, into the buffers that are there.
    pub(super) fn note(&mut self, world: &World) {
        self.steps = Some(world.steps);
        self.position.clone_from(&world.units.position);
        self.heading.clone_from(&world.units.heading);
        self.up.clone_from(&world.units.up);
    }

    /// Forgets them, and keeps the buffers.
    pub(super) fn forget(&mut self) {
        self.steps = None;
    }

    /// Whether they are those of the same units a step before `world`.
    pub(super) fn are_before(&self, world: &World) -> bool {
        let next = self.steps.and_then(|steps| steps.checked_add(1));
        next == Some(world.steps) && self.position.len() == world.units.len()
    }
}
