//! Units that stand side by side in the grid and are queried together.
//!
//! One pass over the candidates of all eight units computes each result in a lane of its own. Eight candidates of
//! one unit per instruction took twice as long. Sparse groups are batched across up to 15 slots of other units,
//! which costs less than another batch.

use glam::Vec3;

use super::filters::QueryFilter;
use super::grid::Grid;
use super::lanes::{LANES, Lanes};
use super::periodic::ImageShift;
use crate::world::Units;

/// Up to eight units of one group, in the order of the grid and of one row of its cells.
///
/// What one of them asks for is computed for all, each in a lane of its own: their neighbors are mostly
/// the same units. Lanes past the last unit repeat the first.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryBatch {
    /// How many units there are; 0 while none is set.
    pub(super) count: usize,
    pub(super) group: usize,
    pub(super) slots: [u32; LANES],
    /// All bits set for lanes of a unit, none for those past the last.
    used: [u32; LANES],
    /// The unit of each lane.
    units: [u32; LANES],
    /// Components of positions and velocities.
    pub(super) position: [Lanes; 3],
    pub(super) velocity: [Lanes; 3],
    /// The corners of the bounding box.
    low: Vec3,
    high: Vec3,
    /// The axes that views are about, once they are asked for.
    pub(super) axes: Axes,
    faces: bool,
    /// Whether z of all units is 0, and not −0: of positions and velocities, and of headings once they are asked for.
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

/// The units of a batch, a lane each: lanes past the last unit repeat the first.
#[derive(Clone, Copy, Debug)]
pub struct BatchUnits<'a> {
    /// All bits set for lanes of a unit, none for those past the last.
    pub used: &'a [u32; LANES],
    /// Indices.
    pub units: &'a [u32; LANES],
    /// Positions.
    pub position: &'a [Lanes; 3],
    /// Velocities.
    pub velocity: &'a [Lanes; 3],
    /// Axes, if they were asked for.
    pub axes: &'a Axes,
    /// Whether z is 0, and not −0: of positions and velocities of all units of the world, and of the headings if they
    /// were asked for.
    pub planar: bool,
}

impl QueryBatch {
    /// Takes the first of `rows`, which are a group's units and their slots in the order of the grid, and
    /// as many of the next as stand near it. `rows` has at least one.
    #[inline]
    pub(super) fn set(&mut self, rows: &[[u32; 2]], grid: &Grid) {
        let first = rows[0][1] as usize;
        self.count = grid.together(rows.iter().take(LANES).map(|row| row[1] as usize));
        self.group = grid.masks.group(first);
        (self.faces, self.planar) = (false, grid.planar);
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

    /// Takes the axes of the units, unless it has them.
    pub(super) fn face(&mut self, units: &Units) {
        if self.faces {
            return;
        }
        self.faces = true;
        for lane in 0..LANES {
            let unit = self.units[lane] as usize;
            let (heading, up) = (units.heading[unit], units.up[unit]);
            for axis in 0..3 {
                self.axes.heading[axis][lane] = heading[axis];
                self.axes.up[axis][lane] = up[axis];
            }
        }
        // As `Units::starboard`.
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

    /// Leaves in `runs` the slots, in their order, of all units but an excluded player that may be within
    /// `reach` of any unit of the batch. Returns how offsets are taken.
    pub(super) fn candidates(
        &self,
        reach: f32,
        filter: &QueryFilter,
        grid: &Grid,
        runs: &mut Vec<[u32; 2]>,
    ) -> ImageShift {
        runs.clear();
        if let Some(slots) = grid.filters.few(filter) {
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

/// The best of eight finite numbers, compared by halves: each then takes one instruction.
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
    fn a_batch_is_level_where_every_height_is_zero_and_not_negative() {
        // Of a position or velocity of any unit, and of the headings of the batch.
        for (position, velocity, heading, planar, faces) in [
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
            batch.face(&world.units);
            assert_eq!(batch.in_lanes().planar, faces, "{position} {velocity} {heading}");
        }
    }
}
