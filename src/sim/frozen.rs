//! The state that a whole step reads.

use glam::Vec3;

use super::facts::GroupConstants;
use crate::perception::Grid;
use crate::world::World;

/// The state that a whole step reads, and the grid over it.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    /// The world after the last step.
    pub world: World,
    pub(super) grid: Grid,
    pub(super) facts: Vec<GroupConstants>,
}

impl Frozen {
    /// A state whose units are not sorted yet.
    pub fn new(mut world: World) -> Self {
        world.fit_signals();
        Self { world, grid: Grid::default(), facts: Vec::new() }
    }

    /// Sorts the units into the grid, so that lists can be gathered.
    pub fn sort(&mut self) {
        self.sort_beside(|_, _| ());
    }

    /// As [`Frozen::sort`], in parallel with some work on the world and the order of its units in the grid.
    pub(super) fn sort_beside(&mut self, work: impl FnOnce(&World, &[u32]) + Send) {
        let world = &self.world;
        self.grid.rebuild_beside(world, |order| work(world, order));
        self.facts = GroupConstants::of(&self.world, &self.grid);
    }
}

/// Addresses of the arrays of a frozen state and what is the same for all units, for compiled code that
/// reads them in place.
///
/// The addresses are plain numbers, so that they may go from thread to thread. They are valid as long as
/// the state is frozen: their holder must hold the state, too.
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
    /// Marks, 64 bits each.
    pub marks: usize,
    /// Signals, unit by unit.
    pub signals: usize,
    /// How many signals each unit has.
    pub signal_count: usize,
    /// [`GroupConstants`] by group.
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
    pub(super) fn of(frozen: &Frozen) -> Self {
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
            facts: frozen.facts.as_ptr().addr(),
            time: world.time(),
            step: world.step,
            center: world.arena.center(),
            size: world.arena.size(),
            radius: world.arena.radius(),
        }
    }
}
