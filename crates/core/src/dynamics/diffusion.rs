//! Evaporation and diffusion of environment grids.
//!
//! A step of dt seconds multiplies every value by exp(−evaporation · dt) and makes n diffusion passes
//!
//! > u ← u + a (m − u),  a = diffusion · dt / n
//!
//! where m is the mean of the adjacent cells: 4 in a plane, 6 in space. At the border of a grid that is not periodic, a cell
//! is its own neighbor there, so nothing flows out. n is the least number with a ≤ ½. A pass is then a convex combination
//! that damps every wavelength without a change of sign: new values lie between the least and the greatest old one.
//!
//! a (m − u) is computed from the differences of adjacent cells, which are equal and opposite for both cells, since weights
//! of u and m would round to a sum other than 1. What rounding removes from a cell is added to the next one of its column:
//! inflows that are too small for the precision of a cell would otherwise be lost, and with them a part of the total.
//! Deposits are added afterwards, so that they are visible in full in the next step.

use std::sync::Arc;

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::world::{Extrema, GridRules, ScalarGrid};

/// Maximum number of diffusion passes in a step.
const MAX_PASSES: u32 = 32;
/// Values below this magnitude become zero: operations on subnormal numbers are slow.
const NEGLIGIBLE: f32 = 1e-30;
/// Maximum rounding error that is added to a cell, as a fraction of its value.
const MAX_CARRY: f32 = 1e-5;
/// Number of cells per parallel task.
const CELLS_PER_TASK: usize = 1 << 14;

/// The maximum rate of diffusion in a simulation with steps of `step` seconds.
pub fn max_diffusion(step: f32) -> f32 {
    0.5 * MAX_PASSES as f32 / step
}

/// Buffers for the next values of grids.
#[derive(Default)]
pub struct GridBuffers {
    /// Per grid: values of an earlier step.
    next: Vec<Arc<Vec<f32>>>,
    between: Vec<f32>,
    carry: Vec<f32>,
}

impl GridBuffers {
    /// Advances grids by a step of `step` seconds.
    pub fn advance(&mut self, grids: &mut [ScalarGrid], step: f32) {
        self.next.resize_with(grids.len(), Arc::default);
        for (grid, next) in grids.iter_mut().zip(&mut self.next) {
            if grid.rules.diffusion > 0.0 || grid.rules.evaporation > 0.0 {
                fade(grid, unique(next, grid.values().len()), (&mut self.between, &mut self.carry), step);
                std::mem::swap(grid.shared(), next);
            }
        }
    }
}

/// Adds an amount to the cell that contains a point, if there is one.
pub fn deposit(grid: &mut ScalarGrid, point: Vec3, amount: f32) {
    if let Some(cell) = grid.cell_at(point) {
        let value = &mut Arc::make_mut(grid.shared())[cell];
        *value = (*value + amount).limited(-ScalarGrid::MAX, ScalarGrid::MAX);
    }
}

/// Returns the buffer as `length` values without other owners.
fn unique(buffer: &mut Arc<Vec<f32>>, length: usize) -> &mut Vec<f32> {
    if buffer.len() != length || Arc::get_mut(buffer).is_none() {
        *buffer = vec![0.0; length].into();
    }
    Arc::make_mut(buffer)
}

/// Stores the values after evaporation and diffusion in `next`.
fn fade(grid: &ScalarGrid, next: &mut Vec<f32>, (between, carry): (&mut Vec<f32>, &mut Vec<f32>), step: f32) {
    let GridRules { diffusion, evaporation, .. } = grid.rules;
    let moved = diffusion * step;
    let passes = (2.0 * moved).ceil().limited(1.0, MAX_PASSES as f32);
    let share = (moved / passes).lesser(0.5);
    let rest = libm::expf(-evaporation * step);
    pass(grid, (grid.values(), next), carry, share, rest);
    for _ in 1..passes as u32 {
        between.resize(next.len(), 0.0);
        pass(grid, (next, between), carry, share, 1.0);
        std::mem::swap(next, between);
    }
}

/// Makes a pass with the given share of the neighbors, then multiplies by `rest`.
fn pass(grid: &ScalarGrid, (old, new): (&[f32], &mut [f32]), carry: &mut Vec<f32>, share: f32, rest: f32) {
    let [width, rows, layers] = grid.cells().to_array().map(|cells| cells as usize);
    let neighbors = if grid.is_plane() { 4.0 } else { 6.0 };
    let factors = [share / neighbors, rest];
    let row = |y: usize, z: usize| &old[(z * rows + y) * width..][..width];
    let beside = |at: usize, count: usize| match (grid.is_periodic(), at) {
        (true, _) => [(at + count - 1) % count, (at + 1) % count],
        (false, _) => [at.saturating_sub(1), (at + 1).min(count - 1)],
    };
    let chunk = CELLS_PER_TASK.div_ceil(width);
    let chunks = new.par_chunks_mut(chunk * width);
    carry.clear();
    carry.resize(chunks.len() * width, 0.0);
    chunks.zip(carry.par_chunks_mut(width)).enumerate().for_each(|(at, (chunk_rows, carry))| {
        for (index, new) in chunk_rows.chunks_exact_mut(width).enumerate() {
            let index = at * chunk + index;
            let (y, z) = (index % rows, index / rows);
            let ([below, above], [back, front]) = (beside(y, rows), beside(z, layers));
            let sides = [row(below, z), row(above, z)];
            let ends = [beside(0, width)[0], beside(width - 1, width)[1]];
            if grid.is_plane() {
                blend_row((new, carry), row(y, z), sides, ends, factors);
            } else {
                let sides = [sides[0], sides[1], row(y, back), row(y, front)];
                blend_row((new, carry), row(y, z), sides, ends, factors);
            }
        }
    });
}

/// Computes a row from its old values and the rows beside it, and replaces the rounding errors of the row before by its
/// own. `ends` are the cells before the first and after the last one.
fn blend_row<const SIDES: usize>(
    (new, carry): (&mut [f32], &mut [f32]),
    old: &[f32],
    sides: [&[f32]; SIDES],
    ends: [usize; 2],
    [share, rest]: [f32; 2],
) {
    let count = new.len();
    let (old, carry, sides) = (&old[..count], &mut carry[..count], sides.map(|side| &side[..count]));
    let mut value = |at: usize, left: f32, right: f32| {
        let own = old[at];
        let inflow = sides.iter().fold((left - own) + (right - own), |sum, side| sum + (side[at] - own));
        let change = share * inflow;
        // A cell that is much smaller than the one before must not change its sign.
        let is_carried = carry[at].abs() < MAX_CARRY * own.abs();
        let (added, kept) = if is_carried { (change + carry[at], 0.0) } else { (change, carry[at]) };
        let sum = own + added;
        // The exact rounding error: D. E. Knuth, "The Art of Computer Programming", volume 2, section 4.2.2.
        let rounded = sum - own;
        carry[at] = kept + ((own - (sum - rounded)) + (added - rounded));
        let value = rest * sum;
        if value.abs() < NEGLIGIBLE { 0.0 } else { value }
    };
    let last = count - 1;
    if last > 0 {
        new[last] = value(last, old[last - 1], old[ends[1]]);
    }
    new[0] = value(0, old[ends[0]], old[if last == 0 { ends[1] } else { 1 }]);
    for at in 1..last {
        new[at] = value(at, old[at - 1], old[at + 1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Arena, Edges, testing};

    fn grid(arena: &Arena, rates: [f32; 2]) -> ScalarGrid {
        let [diffusion, evaporation] = rates;
        let rules = GridRules { cell: 1.0, diffusion, evaporation };
        ScalarGrid::new("trail", rules, arena)
    }

    /// Every arena with a grid: periodic and not, one cell wide, in space.
    fn arenas() -> [Arena; 5] {
        [
            testing::plane(7.0, 5.0, Edges::Wrap),
            testing::plane(7.0, 5.0, Edges::Bounce),
            testing::plane(1.0, 3.0, Edges::Wrap),
            testing::plane(1.0, 1.0, Edges::Open),
            testing::space(2.0, Edges::Open),
        ]
    }

    #[test]
    fn diffusion_preserves_the_total_and_levels_out_at_any_rate() {
        for arena in arenas() {
            for diffusion in [0.1, 1.0, 3.0, max_diffusion(0.5)] {
                let mut grids = [grid(&arena, [diffusion, 0.0])];
                let mut buffers = GridBuffers::default();
                let corner = grids[0].center(0);
                deposit(&mut grids[0], corner, 8.0);
                for _ in 0..400 {
                    buffers.advance(&mut grids, 0.5);
                    assert!(grids[0].values().iter().all(|value| (0.0..=8.0).contains(value)));
                }
                let mean = grids[0].mean() as f32;
                assert!((grids[0].total() - 8.0).abs() < 1e-4, "{}", grids[0].total());
                let is_level = |value: &f32| (value - mean).abs() < 0.01 * mean;
                assert!(diffusion < 1.0 || grids[0].values().iter().all(is_level), "{diffusion} {arena:?}");
            }
        }
    }

    #[test]
    fn long_diffusion_preserves_the_total() {
        for (edges, diffusion) in [(Edges::Wrap, 0.5), (Edges::Bounce, 7.0)] {
            let mut grids = [grid(&testing::plane(50.0, 37.0, edges), [diffusion, 0.0])];
            let mut buffers = GridBuffers::default();
            let cell = grids[0].center(700);
            deposit(&mut grids[0], cell, 1000.0);
            (0..20_000).for_each(|_| buffers.advance(&mut grids, 1.0 / 60.0));
            let lost = grids[0].total() / 1000.0 - 1.0;
            assert!(lost.abs() < 1e-6, "{edges:?} {diffusion}: {lost}");
        }
    }

    #[test]
    fn evaporation_is_exponential_and_ends_in_zero() {
        let mut grids = [grid(&arenas()[0], [0.0, 2.0])];
        let mut buffers = GridBuffers::default();
        deposit(&mut grids[0], Vec3::X * 3.5, 8.0);
        buffers.advance(&mut grids, 0.5);
        assert_eq!(grids[0].values()[3], 8.0 * libm::expf(-1.0));
        (0..80).for_each(|_| buffers.advance(&mut grids, 0.5));
        assert_eq!(grids[0].total(), 0.0, "no subnormal numbers remain");
    }

    #[test]
    fn deposits_are_added_to_their_cell_and_clamped() {
        let mut grids = [grid(&arenas()[1], [1.0, 1.0])];
        let mut buffers = GridBuffers::default();
        for (x, amount) in [(3.5, 1.5), (3.2, 2.0), (4.1, f32::MAX), (-0.1, 9.0), (f32::NAN, 9.0)] {
            deposit(&mut grids[0], Vec3::X * x, amount);
        }
        assert_eq!(grids[0].values()[3..5], [3.5, ScalarGrid::MAX]);
        (0..9).for_each(|_| buffers.advance(&mut grids, 0.5));
        assert!(grids[0].values().iter().all(|value| value.is_finite()));
    }

    #[test]
    fn copies_of_the_state_are_unaffected_by_later_steps() {
        let mut grids = vec![grid(&arenas()[0], [1.0, 0.0]), grid(&arenas()[0], [0.0, 0.0])];
        let mut buffers = GridBuffers::default();
        let mut states = Vec::new();
        for _ in 0..4 {
            buffers.advance(&mut grids, 0.5);
            for grid in &mut grids {
                deposit(grid, Vec3::X * 3.5, 1.0);
            }
            states.push((grids.clone(), grids.iter().map(|grid| grid.values().to_vec()).collect::<Vec<_>>()));
        }
        for (state, values) in &states {
            assert!(state.iter().zip(values).all(|(grid, values)| grid.values() == values));
        }
        assert_eq!(grids[1].value(Vec3::new(3.5, 0.5, 0.0)), 4.0);
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_bit() {
        let arena = testing::plane(300.0, 200.0, Edges::Wrap);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut grids = [grid(&arena, [7.0, 0.1])];
            let mut buffers = GridBuffers::default();
            let values = (0..60_000).map(|at| ((at * 577) % 1009) as f32 * 0.1);
            assert!(grids[0].set_values(values.collect()));
            pool.install(|| (0..20).for_each(|_| buffers.advance(&mut grids, 0.5)));
            grids[0].values().to_vec()
        };
        assert_eq!(run(1), run(3));
    }
}
