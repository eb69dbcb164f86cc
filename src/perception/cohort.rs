//! Units that stand side by side in the grid and look around together.

use glam::Vec3;

use super::Grid;
use super::asks::Ask;
use super::lanes::{LANES, Lanes};
use super::seam::Laps;

/// Most cells along a row from the first unit of a cohort to its last. What lies within reach of one of
/// them is looked at for all, so they should not be far apart.
const SPREAD: u32 = 8;

/// Up to eight units of one group, in the order of the grid and of one row of its cells.
///
/// What one of them asks for is worked out for all, each in a lane of its own: in a means they see
/// much the same units. Lanes past the last unit repeat the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Cohort {
    pub(super) count: usize,
    pub(super) group: usize,
    pub(super) slots: [u32; LANES],
    /// Components of positions and velocities.
    pub(super) position: [Lanes; 3],
    pub(super) velocity: [Lanes; 3],
}

impl Cohort {
    /// The first of `rows`, which are a group's units and their slots in the order of the grid, and as
    /// many of the next as look around with it. `rows` has at least one.
    #[inline]
    pub(super) fn form(&mut self, rows: &[[u32; 2]], grid: &Grid) {
        let first = rows[0][1] as usize;
        let cells = grid.row_from(grid.cell(first), SPREAD);
        let near = |row: &&[u32; 2]| grid.cell(row[1] as usize) < cells;
        self.count = 1 + rows[1..].iter().take(LANES - 1).take_while(near).count();
        self.group = grid.kin.group(first);
        for lane in 0..LANES {
            let [_, slot] = rows[if lane < self.count { lane } else { 0 }];
            self.slots[lane] = slot;
            let (position, velocity) = grid.motion(slot as usize);
            for axis in 0..3 {
                self.position[axis][lane] = position[axis];
                self.velocity[axis][lane] = velocity[axis];
            }
        }
    }

    /// Leaves runs of slots in `runs`, in their order, that hold everyone but the player within `reach`
    /// of any of them, and tells how offsets are taken.
    pub(super) fn look(
        &self,
        reach: f32,
        ask: &Ask,
        grid: &Grid,
        runs: &mut Vec<[u32; 2]>,
    ) -> Laps {
        let (low, high) = self.corners();
        let spans = grid.layout.spans(low, high, reach);
        runs.clear();
        grid.each_run(&spans, |from, to| {
            if (from..to).contains(&ask.player) {
                runs.extend([[from, ask.player], [ask.player + 1, to]]);
            } else {
                runs.push([from, to]);
            }
        });
        grid.seam.laps(spans.wrap())
    }

    /// Two corners of a box that holds all of them.
    #[inline(always)]
    fn corners(&self) -> (Vec3, Vec3) {
        let least = |lanes: &Lanes| lanes.iter().copied().fold(f32::INFINITY, f32::min);
        let most = |lanes: &Lanes| lanes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let [x, y, z] = &self.position;
        (
            Vec3::new(least(x), least(y), least(z)),
            Vec3::new(most(x), most(y), most(z)),
        )
    }

    #[inline(always)]
    pub(super) fn velocity(&self, lane: usize) -> Vec3 {
        let [x, y, z] = &self.velocity;
        Vec3::new(x[lane], y[lane], z[lane])
    }
}
