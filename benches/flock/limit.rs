//! The same rules as a stand-alone program, as fast as we can write it: arrays of numbers sorted by cell, a branch-free
//! loop over candidates, and vectorization by the compiler.
//!
//! Cells are as high as the view radius and a quarter as wide. They are surrounded by copies of those at the opposite
//! edges, so that no offset wraps in the decide phase.

use std::ops::Range;

use glam::Vec3;
use steerbox_core::world::World;

use crate::workload::{ALIGNMENT, COHESION, MAX_CHANGE, MAX_SPEED, NEAR, RADIUS, SEPARATION, STEP};

/// Number of cells along x within a radius.
const COLUMNS: usize = 4;
/// Number of lanes.
const LANES: usize = 16;
/// Position of padding units: far from everything.
const NOWHERE: f32 = 1e9;

/// Position and velocity of units, by field.
#[derive(Default)]
struct Rows {
    x: Vec<f32>,
    y: Vec<f32>,
    vx: Vec<f32>,
    vy: Vec<f32>,
}

pub(crate) struct Limit {
    side: f32,
    /// Number of cells along x and y.
    cells: (usize, usize),
    units: Rows,
    /// The index in the world of each unit.
    ids: Vec<u32>,
    cell_of: Vec<u32>,
    /// Start of each cell in `sorted`, including the copies around the plane.
    starts: Vec<u32>,
    sorted: Rows,
    sorted_ids: Vec<u32>,
}

impl Rows {
    fn resize(&mut self, length: usize) {
        for row in [&mut self.x, &mut self.y, &mut self.vx, &mut self.vy] {
            row.clear();
            row.resize(length, NOWHERE);
        }
    }

    fn set(&mut self, at: usize, [x, y, vx, vy]: [f32; 4]) {
        (self.x[at], self.y[at]) = (x, y);
        (self.vx[at], self.vy[at]) = (vx, vy);
    }

    /// The units from `at` on, one per lane.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it inherits the target features of its caller")]
    fn lanes(&self, at: usize) -> [&[f32; LANES]; 4] {
        [&self.x, &self.y, &self.vx, &self.vy].map(|row| {
            let lanes = row[at..].first_chunk();
            lanes.unwrap_or(&[NOWHERE; LANES])
        })
    }

    fn get(&self, at: usize) -> [f32; 4] {
        [self.x[at], self.y[at], self.vx[at], self.vy[at]]
    }
}

impl Limit {
    pub(crate) fn new(world: &World) -> Self {
        let side = world.arena.size().x;
        let rows = (side / RADIUS) as usize;
        let columns = (side / RADIUS * COLUMNS as f32) as usize;
        let count = world.units.len();
        let mut units = Rows::default();
        units.resize(count);
        for unit in 0..count {
            let (p, v) = (world.units.position[unit], world.units.velocity[unit]);
            units.set(unit, [p.x, p.y, v.x, v.y]);
        }
        Self {
            side,
            cells: (columns, rows),
            units,
            ids: (0..count as u32).collect(),
            cell_of: Vec::new(),
            starts: Vec::new(),
            sorted: Rows::default(),
            sorted_ids: Vec::new(),
        }
    }

    pub(crate) fn positions(&self) -> Vec<Vec3> {
        let mut positions = vec![Vec3::ZERO; self.ids.len()];
        for (at, id) in self.ids.iter().enumerate() {
            positions[*id as usize] = Vec3::new(self.units.x[at], self.units.y[at], 0.0);
        }
        positions
    }

    /// Number of cells in a row, including the copies at both ends.
    fn stride(&self) -> usize {
        self.cells.0 + 2 * COLUMNS
    }

    /// Sorts units into cells and copies those at the edges to the other side.
    pub(crate) fn sort(&mut self) {
        self.count();
        let (columns, rows) = self.cells;
        let stride = self.stride();
        let total = self.starts[self.starts.len() - 1] as usize;
        self.sorted.resize(total + LANES);
        self.sorted_ids.clear();
        self.sorted_ids.resize(total, 0);
        let mut next = self.starts.clone();
        for (unit, cell) in self.cell_of.iter().enumerate() {
            let slot = &mut next[*cell as usize];
            self.sorted.set(*slot as usize, self.units.get(unit));
            self.sorted_ids[*slot as usize] = self.ids[unit];
            *slot += 1;
        }
        for row in 0..rows + 2 {
            let within = (1..=rows).contains(&row);
            for column in 0..stride {
                if !within || !(COLUMNS..COLUMNS + columns).contains(&column) {
                    self.copy(column, row);
                }
            }
        }
    }

    /// Counts units by cell, including edges, and computes the start of each cell.
    fn count(&mut self) {
        let (columns, rows) = self.cells;
        let stride = self.stride();
        let (wide, high) = (columns as f32 / self.side, rows as f32 / self.side);
        self.starts.clear();
        self.starts.resize(stride * (rows + 2) + 1, 0);
        self.cell_of.clear();
        for (x, y) in self.units.x.iter().zip(&self.units.y) {
            let column = ((x * wide) as usize).min(columns - 1) + COLUMNS;
            let row = ((y * high) as usize).min(rows - 1) + 1;
            let cell = row * stride + column;
            self.cell_of.push(cell as u32);
            self.starts[cell + 1] += 1;
        }
        for row in 0..rows + 2 {
            for column in 0..stride {
                let (from, _) = self.original(column, row);
                self.starts[row * stride + column + 1] = self.starts[from + 1];
            }
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
    }

    /// Returns the cell that this one is or copies, and the offset of the copy.
    fn original(&self, column: usize, row: usize) -> (usize, (f32, f32)) {
        let (columns, rows) = self.cells;
        let from_column = (column + columns - COLUMNS) % columns + COLUMNS;
        let from_row = (row + rows - 1) % rows + 1;
        let shift = |to: usize, from: usize| match to.cmp(&from) {
            std::cmp::Ordering::Less => -self.side,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => self.side,
        };
        let shift = (shift(column, from_column), shift(row, from_row));
        (from_row * self.stride() + from_column, shift)
    }

    fn copy(&mut self, column: usize, row: usize) {
        let (from, (dx, dy)) = self.original(column, row);
        let to = self.starts[row * self.stride() + column] as usize;
        for (index, at) in (self.starts[from]..self.starts[from + 1]).enumerate() {
            let [x, y, vx, vy] = self.sorted.get(at as usize);
            self.sorted.set(to + index, [x + dx, y + dy, vx, vy]);
        }
    }

    /// Makes the decisions and moves of every unit.
    #[allow(unsafe_code, reason = "wider vectors than the baseline processor has")]
    pub(crate) fn act(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the feature was detected above.
            return unsafe { self.act_512() };
        } else if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was detected above.
            return unsafe { self.act_256() };
        }
        self.act_on_any();
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,fma")]
    fn act_512(&mut self) {
        self.act_on_any();
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn act_256(&mut self) {
        self.act_on_any();
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it inherits the target features of its caller")]
    fn act_on_any(&mut self) {
        let (columns, rows) = self.cells;
        let stride = self.stride();
        let mut out = 0;
        for row in 1..=rows {
            for cell in row * stride + COLUMNS..row * stride + COLUMNS + columns {
                let start = |cell: usize| self.starts[cell] as usize;
                let run = |cell: usize| start(cell - COLUMNS)..start(cell + COLUMNS + 1);
                let runs = [run(cell - stride), run(cell), run(cell + stride)];
                for at in start(cell)..start(cell + 1) {
                    let own = self.sorted.get(at);
                    let push = push(&self.sorted, own, &runs);
                    self.units.set(out, moved(own, push, self.side));
                    self.ids[out] = self.sorted_ids[at];
                    out += 1;
                }
            }
        }
    }
}

/// Sums over near units, one per lane.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: [f32; LANES],
    x: [f32; LANES],
    y: [f32; LANES],
    vx: [f32; LANES],
    vy: [f32; LANES],
    near_x: [f32; LANES],
    near_y: [f32; LANES],
}

/// Returns the sum of the rules for a unit. The unit itself is among the candidates, without an offset, and only counts
/// as one. Units read past the end of a run are too far away to count.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it inherits the target features of its caller")]
fn push(rows: &Rows, [x, y, vx, vy]: [f32; 4], runs: &[Range<usize>; 3]) -> [f32; 2] {
    let mut sums = Sums::default();
    for run in runs {
        for from in run.clone().step_by(LANES) {
            let [xs, ys, vxs, vys] = rows.lanes(from);
            for lane in 0..LANES {
                let (dx, dy) = (xs[lane] - x, ys[lane] - y);
                let squared = dx * dx + dy * dy;
                let seen = if squared <= RADIUS * RADIUS { 1.0 } else { 0.0 };
                let near = if squared <= NEAR * NEAR { 1.0 } else { 0.0 };
                sums.count[lane] += seen;
                sums.x[lane] += seen * dx;
                sums.y[lane] += seen * dy;
                sums.vx[lane] += seen * (vxs[lane] - vx);
                sums.vy[lane] += seen * (vys[lane] - vy);
                sums.near_x[lane] += near * dx;
                sums.near_y[lane] += near * dy;
            }
        }
    }
    let others = (total(sums.count) - 1.0).max(1.0);
    let (together, alike) = (COHESION / others, ALIGNMENT / others);
    [
        total(sums.x) * together + total(sums.vx) * alike - total(sums.near_x) * SEPARATION,
        total(sums.y) * together + total(sums.vy) * alike - total(sums.near_y) * SEPARATION,
    ]
}

/// Returns the sum of all lanes by halves, which shortens the dependency chain.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it inherits the target features of its caller")]
fn total(mut lanes: [f32; LANES]) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// Returns a unit after a step: change and speed clamped, wrapped in the plane.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it inherits the target features of its caller")]
fn moved([x, y, vx, vy]: [f32; 4], push: [f32; 2], side: f32) -> [f32; 4] {
    let [px, py] = clamped(push, MAX_CHANGE);
    let [vx, vy] = clamped([vx + px, vy + py], MAX_SPEED);
    let wrapped = |p: f32| {
        if p < 0.0 {
            p + side
        } else if p >= side {
            p - side
        } else {
            p
        }
    };
    [wrapped(x + vx * STEP), wrapped(y + vy * STEP), vx, vy]
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it inherits the target features of its caller")]
fn clamped([x, y]: [f32; 2], most: f32) -> [f32; 2] {
    let squared = x * x + y * y;
    if squared > most * most {
        let factor = most / squared.sqrt();
        [x * factor, y * factor]
    } else {
        [x, y]
    }
}
