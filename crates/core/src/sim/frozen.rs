//! The frozen state that all units read during a step.

use glam::Vec3;

use super::group_constants::{BodyNumbers, GroupConstants};
use super::group_means::{GroupMeans, MeansOfGroups};
use crate::perception::Grid;
use crate::world::{Splice, Units, World};

/// The frozen state that all units read during a step, and its grid.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    /// The world after the last step.
    pub world: World,
    pub(super) grid: Grid,
    pub(super) group_constants: Vec<GroupConstants>,
    /// By unit, if bodies differ by unit.
    bodies: Vec<BodyNumbers>,
    group_means: MeansOfGroups,
}

impl Frozen {
    /// Creates a state whose units are not sorted yet.
    pub fn new(mut world: World) -> Self {
        world.fit_signals();
        world.fit_bodies();
        let bodies = world.bodies.iter().map(BodyNumbers::from).collect();
        let mut frozen = Self { world, bodies, ..Self::default() };
        frozen.drop_means();
        frozen
    }

    /// Removes and inserts units; see [`World::splice`]. The units must be sorted again before queries.
    pub(super) fn splice(&mut self, splice: &Splice, targets: &[Option<usize>], new: &mut Units) {
        self.world.splice(splice, targets, new);
        // An obstacle rests if its carrier is removed.
        self.world.carry_obstacles(0.0);
        self.bodies = self.world.bodies.iter().map(BodyNumbers::from).collect();
        self.group_constants.clear();
        self.drop_means();
    }

    /// Drops the means of groups; required before units change.
    pub(super) fn drop_means(&mut self) {
        self.group_means.clear(&self.world);
    }

    /// Returns the means of a group, or `None` without units.
    pub fn group_means(&self, group: usize) -> Option<GroupMeans> {
        self.group_means.get(&self.world, group)
    }

    /// Sorts the units into the grid; required before queries.
    pub fn sort(&mut self) {
        self.sort_beside(|_, _| ());
    }

    /// [`Frozen::sort`], in parallel with `work` on the world and the units in slot order.
    pub(super) fn sort_beside(&mut self, work: impl FnOnce(&World, &[u32]) + Send) {
        let world = &self.world;
        self.grid.rebuild_beside(world, |order| work(world, order));
        self.group_constants = GroupConstants::new(&self.world, &self.grid);
        self.drop_means();
    }
}

/// Addresses of the arrays of a frozen state, and global constants, for compiled code that reads them in place.
///
/// Addresses are integers, so that the struct is `Send`. They are valid while the state is frozen; the owner must also
/// hold the state.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Arrays {
    /// Address of [`crate::world::Units::position`]; the following addresses are analogous.
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
    /// Marks, 64 bits each.
    pub marks: usize,
    /// Signals, ordered by unit.
    pub signals: usize,
    /// Number of signals per unit.
    pub signal_count: usize,
    /// [`GroupConstants`] by group.
    pub group_constants: usize,
    /// [`BodyNumbers`] by unit, if bodies differ by unit.
    pub bodies: usize,
    /// Number of steps of the world.
    pub steps: u64,
    /// Simulated time in seconds.
    pub time: f32,
    /// Time step in seconds.
    pub step: f32,
    /// The center of the world.
    pub center: Vec3,
    /// Its extent along each axis.
    pub size: Vec3,
    /// Its radius.
    pub radius: f32,
}

impl Arrays {
    pub(super) fn new(frozen: &Frozen) -> Self {
        let (world, units) = (&frozen.world, &frozen.world.units);
        let address = |array: &[Vec3]| array.as_ptr().addr();
        Self {
            position: address(&units.position),
            velocity: address(&units.velocity),
            heading: address(&units.heading),
            up: address(&units.up),
            angular_velocity: address(&units.angular_velocity),
            group: units.group.as_ptr().addr(),
            marks: units.marks.as_ptr().addr(),
            signals: units.signals.all().as_ptr().addr(),
            signal_count: units.signals.count(),
            group_constants: frozen.group_constants.as_ptr().addr(),
            bodies: frozen.bodies.as_ptr().addr(),
            steps: world.steps,
            time: world.time(),
            step: world.step,
            center: world.arena.center(),
            size: world.arena.size(),
            radius: world.arena.radius(),
        }
    }
}
