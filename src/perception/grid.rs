//! A uniform grid over the units, rebuilt every step by counting sort.

use std::ops::Range;

use glam::{IVec3, Vec2, Vec3};

use crate::world::World;

/// Units sorted by cell, cells row by row, so that a run of cells along x is one range.
///
/// Positions outside the grid's box belong to its border cells: a few strays cost nothing and are
/// found all the same.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    origin: Vec3,
    per_length: Vec3,
    cells: IVec3,
    /// Where each cell starts in `units`, and one entry for the end.
    starts: Vec<u32>,
    units: Vec<u32>,
    positions: Vec<Vec3>,
    cell_of: Vec<u32>,
    /// The size over which the grid wraps, if it does; z never does.
    period: Option<Vec3>,
}

impl Grid {
    /// Sorts the units of `world` into cells fit for queries of about the shortest view.
    pub fn rebuild(&mut self, world: &World) {
        let edge = shortest_reach(world);
        self.sort(&world.units.position, world.arena.period(), edge);
    }

    /// Sorts `positions` into cells no shorter than `edge`; over `period`, if there is one, they wrap.
    pub fn sort(&mut self, positions: &[Vec3], period: Option<Vec2>, edge: f32) {
        self.lay_out(positions, period, edge);
        let cells = (self.cells.x * self.cells.y * self.cells.z) as usize;
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        self.cell_of.clear();
        for position in positions {
            let cell = self.index(self.clamped(self.cell(*position)));
            self.cell_of.push(cell as u32);
            self.starts[cell + 1] += 1;
        }
        for cell in 0..cells {
            self.starts[cell + 1] += self.starts[cell];
        }
        self.units.resize(positions.len(), 0);
        self.positions.resize(positions.len(), Vec3::ZERO);
        // Filling backwards moves each cell's end down to its start, one slot back.
        for (unit, cell) in self.cell_of.iter().enumerate().rev() {
            let slot = &mut self.starts[*cell as usize + 1];
            *slot -= 1;
            self.units[*slot as usize] = unit as u32;
            self.positions[*slot as usize] = positions[unit];
        }
        self.starts.rotate_left(1);
        self.starts[cells] = positions.len() as u32;
    }

    /// Calls `visit` with every unit within `radius` of `center` (the radius is inside), the
    /// offset to it and the squared distance. A unit stands at most once in a result, across the
    /// edge where that is nearer and views reach across it.
    pub fn each_within(&self, center: Vec3, radius: f32, mut visit: impl FnMut(usize, Vec3, f32)) {
        if self.units.is_empty() {
            return;
        }
        // Rounding must not lose a unit that stands exactly at the radius.
        let reach = Vec3::splat(radius) + (center.abs() + radius) * 1e-5;
        let limit = radius * radius;
        let (low, high) = (self.cell(center - reach), self.cell(center + reach));
        let columns = self.span(low.x, high.x, self.cells.x);
        for z in self.span(low.z, high.z, self.cells.z).into_iter().flatten() {
            for y in self.span(low.y, high.y, self.cells.y).into_iter().flatten() {
                let row = ((z * self.cells.y + y) * self.cells.x) as usize;
                for run in &columns {
                    let from = self.starts[row + run.start as usize] as usize;
                    let to = self.starts[row + run.end as usize] as usize;
                    for at in from..to {
                        let offset = self.shortest(self.positions[at] - center);
                        let distance_squared = offset.length_squared();
                        if distance_squared <= limit {
                            visit(self.units[at] as usize, offset, distance_squared);
                        }
                    }
                }
            }
        }
    }

    /// Chooses box and cells: at most about two cells a unit, none smaller than needed.
    fn lay_out(&mut self, positions: &[Vec3], period: Option<Vec2>, edge: f32) {
        self.period = period.map(|size| size.extend(f32::INFINITY));
        let (low, high) = match period {
            Some(size) => (Vec3::ZERO, size.extend(0.0)),
            None => bulk(positions),
        };
        let size = (high - low).max(Vec3::ZERO);
        let most = 2.0 * positions.len() as f32 + 16.0;
        let mut edge = edge.max(size.max_element() * 1e-3).max(f32::MIN_POSITIVE);
        let mut cells = (size / edge).floor().max(Vec3::ONE);
        while cells.x * cells.y * cells.z > most {
            edge *= 1.25;
            cells = (size / edge).floor().max(Vec3::ONE);
        }
        self.origin = low;
        self.cells = cells.as_ivec3();
        let length = size / cells;
        self.per_length = Vec3::select(length.cmpgt(Vec3::ZERO), length.recip(), Vec3::ZERO);
    }

    /// The cell of a position, also past the border; anything not finite is cell 0.
    fn cell(&self, position: Vec3) -> IVec3 {
        let cell = ((position - self.origin) * self.per_length).floor();
        cell.clamp(Vec3::splat(-1e6), Vec3::splat(1e6)).as_ivec3()
    }

    fn clamped(&self, cell: IVec3) -> IVec3 {
        match self.period {
            Some(_) => cell.rem_euclid(self.cells),
            None => cell.clamp(IVec3::ZERO, self.cells - 1),
        }
    }

    fn index(&self, cell: IVec3) -> usize {
        ((cell.z * self.cells.y + cell.y) * self.cells.x + cell.x) as usize
    }

    /// The cells from `low` to `high` along an axis of `count`, each once, as up to two runs.
    fn span(&self, low: i32, high: i32, count: i32) -> [Range<i32>; 2] {
        if self.period.is_none() {
            return [low.clamp(0, count - 1)..high.clamp(0, count - 1) + 1, 0..0];
        }
        if high - low + 1 >= count {
            return [0..count, 0..0];
        }
        let (low, high) = (low.rem_euclid(count), high.rem_euclid(count));
        if low <= high {
            [low..high + 1, 0..0]
        } else {
            [low..count, 0..high + 1]
        }
    }

    fn shortest(&self, offset: Vec3) -> Vec3 {
        match self.period {
            Some(size) => offset - (offset / size).round() * size.with_z(0.0),
            None => offset,
        }
    }
}

/// The shortest distance that any group looks over.
fn shortest_reach(world: &World) -> f32 {
    let reaches = world
        .groups
        .iter()
        .filter_map(|group| Some(world.views[group.view?].view.radius()));
    let reach = reaches.fold(f32::INFINITY, f32::min);
    if reach.is_finite() {
        reach
    } else {
        world.arena.radius()
    }
}

/// A box that holds the bulk of the units: three standard deviations about their mean.
fn bulk(positions: &[Vec3]) -> (Vec3, Vec3) {
    let count = positions.len().max(1) as f64;
    let (mut sum, mut squares) = (glam::DVec3::ZERO, glam::DVec3::ZERO);
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for position in positions {
        let exact = position.as_dvec3();
        sum += exact;
        squares += exact * exact;
        low = low.min(*position);
        high = high.max(*position);
    }
    let mean = sum / count;
    let spread = (squares / count - mean * mean)
        .max(glam::DVec3::ZERO)
        .map(f64::sqrt)
        * 3.0;
    (
        low.max((mean - spread).as_vec3()),
        high.min((mean + spread).as_vec3()),
    )
}
