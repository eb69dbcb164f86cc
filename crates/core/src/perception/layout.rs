//! Geometry of the grid: a box, its cells, and the runs of cells within a range.
//!
//! Problem: a few distant units of an open world would make all cells huge. Decision: the grid covers three standard
//! deviations about the mean, and units beyond it belong to the border cells. Cells are half as long along x as across,
//! since runs along x are read sequentially.

use std::ops::Range;

use glam::{IVec3, Vec2, Vec3};

use crate::world::Extrema;

/// Ratio of the length of cells across runs to that along runs. Runs are read sequentially, so short cells along them
/// cost little and reduce the number of candidates.
const ASPECT: f32 = 2.0;

/// Factor on the requested length of cells, so that a range of exactly that length ends in the next cell.
const LENGTH_MARGIN: f32 = 1.004;

/// Cell lengths added to ranges against rounding, so that units exactly at the radius or just across the edge are found.
const SLACK: f32 = 1e-3;

/// A box divided into cells, numbered along x, then y, then z.
///
/// Positions outside the box belong to its border cells, so that outliers are found as well.
/// the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    origin: Vec3,
    per_length: Vec3,
    cells: IVec3,
    wraps: bool,
}

/// Cells along one axis, each once: `past` cells from the first one on (reached across the edge), and `count` cells
/// from `first` on.
#[derive(Clone, Copy)]
struct Span {
    past: i32,
    first: i32,
    count: i32,
    /// True if the nearest images of units in them may be across the edge.
    wraps: bool,
}

/// All cells within range of a point.
#[derive(Clone, Copy)]
pub(super) struct Spans {
    columns: Span,
    rows: Span,
    layers: Span,
}

impl Spans {
    /// Returns true if some cells are reached across the edge.
    #[inline(always)]
    pub(super) fn wrap(&self) -> bool {
        self.columns.wraps | self.rows.wraps
    }
}

impl Layout {
    /// Creates box and cells for `positions`: at most about two cells per unit, none shorter than `edge` across runs.
    pub(super) fn over(positions: &[Vec3], period: Option<Vec2>, edge: f32) -> Self {
        let (low, high) = match period {
            Some(size) => (Vec3::ZERO, size.extend(0.0)),
            None => bulk(positions),
        };
        let size = (high - low).max(Vec3::ZERO);
        let max = 2.0 * positions.len() as f32 + 16.0;
        let mut edge = edge.greater(size.max_element() * 1e-3).greater(f32::MIN_POSITIVE);
        let cut = |edge: f32| {
            (size / (Vec3::new(edge / ASPECT, edge, edge) * LENGTH_MARGIN)).floor().max(Vec3::ONE)
        };
        let mut cells = cut(edge);
        while cells.x * cells.y * cells.z > max {
            edge *= 1.25;
            cells = cut(edge);
        }
        let length = size / cells;
        Self {
            origin: low,
            per_length: Vec3::select(length.cmpgt(Vec3::ZERO), length.recip(), Vec3::ZERO),
            cells: cells.as_ivec3(),
            wraps: period.is_some(),
        }
    }

    /// The number of cells.
    pub(super) fn count(&self) -> usize {
        (self.cells.x * self.cells.y * self.cells.z) as usize
    }

    /// The length of a cell across runs.
    pub(super) fn edge(&self) -> f32 {
        self.per_length.y.recip()
    }

    /// Returns the index of the cell of a position.
    #[inline]
    pub(super) fn index(&self, position: Vec3) -> usize {
        let at = self.lengths(position);
        let along = |axis| self.inside(cell_index(at[axis]), self.cells[axis]);
        let (x, y, z) = (along(0), along(1), along(2));
        ((z * self.cells.y + y) * self.cells.x + x) as usize
    }

    /// Returns the first cell of the row after that of `cell`.
    #[inline(always)]
    pub(super) fn row_end(&self, cell: u32) -> u32 {
        let columns = self.cells.x as u32;
        (cell / columns + 1) * columns
    }

    /// Returns the cells that contain every position within `radius` of the box from `low` to `high`.
    #[inline(always)]
    pub(super) fn spans(&self, low: Vec3, high: Vec3, radius: f32) -> Spans {
        let (from, to) = (self.lengths(low), self.lengths(high));
        self.spans_about(from, to, low.abs().max(high.abs()), radius)
    }

    /// [`Layout::spans`] of a point. The flag is true if the spans are the same for all points in the cell of `center`.
    #[inline(always)]
    pub(super) fn spans_in_common(&self, center: Vec3, radius: f32) -> (Spans, bool) {
        let at = self.lengths(center);
        let cell = at.map(cell_index);
        let common = (0..3).all(|axis| (0..self.cells[axis]).contains(&cell[axis]));
        let (from, to) = if common {
            let from = cell.map(|cell| cell as f32);
            (from, from.map(|from| from + 1.0))
        } else {
            (at, at)
        };
        (self.spans_about(from, to, center.abs(), radius), common)
    }

    /// Returns the cells within `radius` of the box between `from` and `to`, in cell lengths; `size` is the greatest
    /// absolute coordinate there.
    #[inline(always)]
    fn spans_about(&self, from: [f32; 3], to: [f32; 3], size: Vec3, radius: f32) -> Spans {
        let span = |axis: usize| {
            let reach = (radius + (size[axis] + radius) * 1e-5) * self.per_length[axis] + SLACK;
            self.span(self.cells[axis], from[axis] - reach, to[axis] + reach)
        };
        Spans { columns: span(0), rows: span(1), layers: span(2) }
    }

    /// Calls `visit` with runs of cells, each cell once, in the order of their indices.
    #[inline(always)]
    pub(super) fn each_run(&self, spans: &Spans, mut visit: impl FnMut(Range<usize>)) {
        let columns = spans.columns;
        for layer in 0..spans.layers.past + spans.layers.count {
            let z = spans.layers.at(layer);
            for row in 0..spans.rows.past + spans.rows.count {
                let start = (z * self.cells.y + spans.rows.at(row)) * self.cells.x;
                if columns.past > 0 {
                    visit(start as usize..(start + columns.past) as usize);
                }
                let first = start + columns.first;
                visit(first as usize..(first + columns.count) as usize);
            }
        }
    }

    /// Returns the offset of a position from the first cell along each axis, in cell lengths.
    #[inline(always)]
    fn lengths(&self, position: Vec3) -> [f32; 3] {
        ((position - self.origin) * self.per_length).to_array()
    }

    #[inline(always)]
    fn inside(&self, cell: i32, count: i32) -> i32 {
        if (0..count).contains(&cell) {
            cell
        } else if self.wraps {
            cell.rem_euclid(count)
        } else {
            cell.clamp(0, count - 1)
        }
    }

    /// Returns the cells between two positions along an axis of `count` cells, in cell lengths.
    #[inline(always)]
    fn span(&self, count: i32, low: f32, high: f32) -> Span {
        if count == 1 {
            return Span { past: 0, first: 0, count, wraps: self.wraps };
        }
        let (low, high) = (cell_index(low), cell_index(high));
        if !self.wraps {
            let (first, last) = (self.inside(low, count), self.inside(high, count));
            return Span { past: 0, first, count: last - first + 1, wraps: false };
        }
        let wanted = (high - low + 1).min(count);
        let first = self.inside(low, count);
        let past = (first + wanted - count).max(0);
        Span { past, first, count: wanted - past, wraps: past > 0 || first != low || wanted == count }
    }
}

impl Span {
    /// The cell after `step` others.
    #[inline(always)]
    fn at(self, step: i32) -> i32 {
        if step < self.past { step } else { self.first + step - self.past }
    }
}

/// Rounds `x`, in cell lengths, to a cell index: the floor, except that the boundary between two cells may round either
/// way. It is monotonic, which suffices for queries, and takes two additions; SSE2 has no floor instruction. Clamped to
/// ±2²².
#[inline(always)]
fn cell_index(x: f32) -> i32 {
    const LAST: f32 = 4_194_304.0;
    // At this magnitude the last bit of a float is 1.
    const WHOLE: f32 = 12_582_912.0;
    let whole = (x.limited(-LAST, LAST - 1.0) - 0.5) + WHOLE;
    whole.to_bits() as i32 - WHOLE.to_bits() as i32
}

/// Returns a box that contains the bulk of the units: three standard deviations about the mean.
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
    let spread = (squares / count - mean * mean).max(glam::DVec3::ZERO).map(f64::sqrt) * 3.0;
    (low.max((mean - spread).as_vec3()), high.min((mean + spread).as_vec3()))
}
