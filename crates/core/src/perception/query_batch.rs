//! Units in adjacent slots that are queried together.
//!
//! One pass over the candidates of all eight units computes each result in its own lane. Alternative: eight candidates
//! of one unit per instruction took twice as long. Batches of sparse groups span up to 15 slots of other units, which
//! costs less than another batch.

use glam::Vec3;

use super::filters::QueryFilter;
use super::grid::Grid;
use super::lanes::{LANES, Lanes};
use super::periodic::ImageShift;
use crate::world::Units;

/// Up to eight units of one group, in slot order, in one row of cells.
///
/// A query of one of them is computed for all, each in its own lane, since their candidates are mostly the same. Lanes
/// past the last unit repeat the first.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryBatch {
    /// Number of units; 0 while unset.
    pub(super) count: usize,
    pub(super) group: usize,
    pub(super) slots: [u32; LANES],
    /// All bits set for lanes of a unit, 0 for those past the last.
    used: [u32; LANES],
    /// The unit of each lane.
    units: [u32; LANES],
    /// Components of positions and velocities.
    pub(super) position: [Lanes; 3],
    pub(super) velocity: [Lanes; 3],
    /// The corners of the bounding box.
    low: Vec3,
    high: Vec3,
    /// Axes for views, if loaded.
    pub(super) axes: Axes,
    has_axes: bool,
    /// True if z is 0 and not −0 for all positions, velocities and loaded headings.
    planar: bool,
}

/// The axes of eight units, by component.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Axes {
    /// To the right.
    pub starboard: [Lanes; 3],
    /// Forward.
    pub heading: [Lanes; 3],
    /// Upward.
    pub up: [Lanes; 3],
}

/// The units of a batch, one per lane: lanes past the last unit repeat the first.
#[derive(Clone, Copy, Debug)]
pub struct BatchUnits<'a> {
    /// All bits set for lanes of a unit, 0 for those past the last.
    pub used: &'a [u32; LANES],
    /// Indices.
    pub units: &'a [u32; LANES],
    /// Positions.
    pub position: &'a [Lanes; 3],
    /// Velocities.
    pub velocity: &'a [Lanes; 3],
    /// Axes, if requested.
    pub axes: &'a Axes,
    /// True if z is 0 and not −0 for the positions and velocities of all units of the world, and the requested headings.
    pub planar: bool,
}

impl QueryBatch {
    /// Starts a batch with the first of `rows`, a group's units and their slots in slot order, and the following ones
    /// close to it. `rows` has at least one element.
    #[inline]
    pub(super) fn set(&mut self, rows: &[[u32; 2]], grid: &Grid) {
        let first = rows[0][1] as usize;
        self.count = grid.batch_len(rows.iter().take(LANES).map(|row| row[1] as usize));
        self.group = grid.masks.group(first);
        (self.has_axes, self.planar) = (false, grid.planar);
        for lane in 0..LANES {
            let is_used = lane < self.count;
            let [unit, slot] = rows[if is_used { lane } else { 0 }];
            self.used[lane] = if is_used { u32::MAX } else { 0 };
            (self.units[lane], self.slots[lane]) = (unit, slot);
            let (position, velocity) = grid.motion(slot as usize);
            for axis in 0..3 {
                self.position[axis][lane] = position[axis];
                self.velocity[axis][lane] = velocity[axis];
            }
        }
        self.low = self.position.map(|lanes| best_of(&lanes, |a, b| a < b)).into();
        self.high = self.position.map(|lanes| best_of(&lanes, |a, b| a > b)).into();
    }

    /// Loads the axes of the units, unless they are loaded.
    pub(super) fn load_axes(&mut self, units: &Units) {
        if self.has_axes {
            return;
        }
        self.has_axes = true;
        for lane in 0..LANES {
            let unit = self.units[lane] as usize;
            let (heading, up) = (units.heading[unit], units.up[unit]);
            for axis in 0..3 {
                self.axes.heading[axis][lane] = heading[axis];
                self.axes.up[axis][lane] = up[axis];
            }
        }
        // The formula of `Units::starboard`.
        let Axes { starboard, heading, up } = &mut self.axes;
        for (axis, starboard) in starboard.iter_mut().enumerate() {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            for (lane, starboard) in starboard.iter_mut().enumerate() {
                *starboard = heading[i][lane] * up[j][lane] - up[i][lane] * heading[j][lane];
            }
        }
        self.planar &= self.axes.heading[2].iter().all(|z| z.to_bits() == 0);
    }

    pub(super) fn in_lanes(&self) -> BatchUnits<'_> {
        let Self { used, units, position, velocity, axes, planar, .. } = self;
        BatchUnits { used, units, position, velocity, axes, planar: *planar }
    }

    /// Stores in `runs` the slots, in order, of all units (without an excluded player) that may be within `reach` of any
    /// unit of the batch. Returns the wrapping of offsets.
    pub(super) fn candidates(
        &self,
        reach: f32,
        filter: &QueryFilter,
        grid: &Grid,
        runs: &mut Vec<[u32; 2]>,
    ) -> ImageShift {
        runs.clear();
        if let Some(slots) = grid.filters.listed(filter) {
            runs.extend(slots.iter().map(|slot| [*slot, slot + 1]));
            return grid.periodic.shift(true);
        }
        let (low, high) = (self.low, self.high);
        let spans = grid.layout.spans(low, high, reach);
        grid.each_run(&spans, |from, to| {
            if (from..to).contains(&filter.player) {
                runs.extend([[from, filter.player], [filter.player + 1, to]]);
            } else {
                runs.push([from, to]);
            }
        });
        grid.periodic.shift(spans.wrap())
    }

    #[inline(always)]
    pub(super) fn velocity(&self, lane: usize) -> Vec3 {
        self.velocity.map(|lanes| lanes[lane]).into()
    }
}

/// Returns the best of eight finite numbers, reduced by halves; each comparison is one instruction.
#[inline(always)]
fn best_of(lanes: &Lanes, is_better: impl Fn(f32, f32) -> bool) -> f32 {
    let better = |a: f32, b: f32| if is_better(a, b) { a } else { b };
    let four: [f32; 4] = std::array::from_fn(|lane| better(lanes[lane], lanes[lane + 4]));
    better(better(four[0], four[2]), better(four[1], four[3]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing;

    #[test]
    fn a_batch_is_planar_if_every_z_is_zero_and_not_negative() {
        // Positions and velocities of all units, and headings of the batch.
        for (position, velocity, heading, planar, has_axes) in [
            (0.0, 0.0, 0.0, true, true),
            (1.0, 0.0, 0.0, false, false),
            (0.0, -1.0, 0.0, false, false),
            (-0.0, 0.0, 0.0, false, false),
            (0.0, f32::NAN, 0.0, false, false),
            (0.0, 0.0, -0.0, true, false),
            (0.0, 0.0, 0.5, true, false),
        ] {
            let mut world = testing::world(&[20], 50.0, |_, draw| {
                (Vec3::new(draw(0), draw(1), 0.0) * 9.0, Vec3::new(draw(2), draw(3), 0.0))
            });
            let units = &mut world.units;
            units.heading.fill(Vec3::X);
            (units.position[7].z, units.velocity[7].z) = (position, velocity);
            units.heading.iter_mut().for_each(|of| of.z = heading);
            let mut grid = Grid::default();
            grid.rebuild(&world);
            let mut batch = QueryBatch::default();
            batch.set(&[[grid.order()[0], 0]], &grid);
            assert_eq!(batch.in_lanes().planar, planar, "{position} {velocity} {heading}");
            batch.load_axes(&world.units);
            assert_eq!(batch.in_lanes().planar, has_axes, "{position} {velocity} {heading}");
        }
    }
}
