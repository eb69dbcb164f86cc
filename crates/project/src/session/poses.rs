//! Poses of units before the last step, for drawing between two steps.

use glam::Vec3;
use steerbox_core::world::World;

/// Positions and orientations of all units.
#[derive(Clone, Debug, Default)]
pub struct Poses {
    /// Number of steps before the poses.
    steps: Option<u64>,
    /// Keys of the units.
    pub key: Vec<u64>,
    /// Their groups.
    pub group: Vec<u16>,
    /// Centers of mass.
    pub position: Vec<Vec3>,
    /// Forward axes.
    pub heading: Vec<Vec3>,
    /// Upward axes.
    pub up: Vec<Vec3>,
}

impl Poses {
    /// Returns the poses of a world.
    pub fn of(world: &World) -> Self {
        let mut poses = Self::default();
        poses.note(world);
        poses
    }

    /// Copies the poses of a world into the existing buffers.
    pub(super) fn note(&mut self, world: &World) {
        self.steps = Some(world.steps);
        self.key.clone_from(&world.units.key);
        self.group.clone_from(&world.units.group);
        self.position.clone_from(&world.units.position);
        self.heading.clone_from(&world.units.heading);
        self.up.clone_from(&world.units.up);
    }

    /// Invalidates the poses and retains the buffers.
    pub(super) fn forget(&mut self) {
        self.steps = None;
    }

    /// Returns true if the poses are those one step before `world`.
    pub(super) fn are_before(&self, world: &World) -> bool {
        let next = self.steps.and_then(|steps| steps.checked_add(1));
        next == Some(world.steps)
    }
}
