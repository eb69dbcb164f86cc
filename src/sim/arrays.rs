//! Where the frozen state is, for compiled code that reads it in place.

use glam::Vec3;

use super::{Frozen, GroupFacts};

/// Addresses of the arrays of a frozen state and what is the same for all units.
///
/// The addresses are plain numbers, so that whoever holds this may go from thread to thread. They hold as
/// long as the state is frozen, which whoever holds this has to see to by holding the state too.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Arrays {
    /// Of [`crate::world::Units::position`], as for the next four.
    pub position: usize,
    /// Velocities.
    pub velocity: usize,
    /// Forward axes.
    pub heading: usize,
    /// Upward axes.
    pub up: usize,
    /// Angular velocities.
    pub angular_velocity: usize,
    /// Groups, 16 bits each.
    pub group: usize,
    /// [`GroupFacts`] by group.
    pub facts: usize,
    /// Simulated time, seconds.
    pub time: f32,
    /// Seconds a step.
    pub step: f32,
    /// The middle of the world.
    pub center: Vec3,
    /// Its extent along each axis.
    pub size: Vec3,
    /// Its radius.
    pub radius: f32,
}

impl Arrays {
    pub(super) fn of(frozen: &Frozen, facts: &[GroupFacts]) -> Self {
        let (world, units) = (&frozen.world, &frozen.world.units);
        let address = |array: &[Vec3]| array.as_ptr().addr();
        Self {
            position: address(&units.position),
            velocity: address(&units.velocity),
            heading: address(&units.heading),
            up: address(&units.up),
            angular_velocity: address(&units.angular_velocity),
            group: units.group.as_ptr().addr(),
            facts: facts.as_ptr().addr(),
            time: world.time(),
            step: world.step,
            center: world.arena.center(),
            size: world.arena.size(),
            radius: world.arena.radius(),
        }
    }
}
