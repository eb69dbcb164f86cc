//! Exact area coverage of one pixel row: edges are accumulated, then a sweep blends the pixels.

use std::ops::Range;

use super::blend::{over, over_span};

/// Coverage changes of one row. All zero between two rows.
///
/// An edge adds to each pixel the change of the covered area; the running sum from
/// the left is the coverage. This is the signed-area accumulation of font rasterizers.
#[derive(Clone, Debug, Default)]
pub(super) struct CoverageRow {
    changes: Vec<f32>,
}

impl CoverageRow {
    /// Resizes the buffer to a row of `width` pixels.
    pub(super) fn resize(&mut self, width: usize) {
        // An edge on the right border changes the two cells behind it.
        self.changes.clear();
        self.changes.resize(width + 2, 0.0);
    }

    /// Adds the piece of an edge within this row, from `x0` to `x1` (both within the row) over
    /// `height` (signed, at most 1); returns the cells that changed.
    #[inline]
    pub(super) fn add(&mut self, x0: f32, x1: f32, height: f32) -> Range<usize> {
        let (left, right) = if x0 < x1 { (x0, x1) } else { (x1, x0) };
        let first = whole(left);
        let last = whole(right);
        let end = (last + usize::from(last as f32 != right)).max(first + 1);
        let Some(cells) = self.changes.get_mut(first..=end) else {
            return first..first;
        };
        if let [here, next] = cells {
            let uncovered = 0.5 * (left + right) - first as f32;
            *here += height * (1.0 - uncovered);
            *next += height * uncovered;
        } else {
            spread(cells, left - first as f32, right - first as f32, height);
        }
        first..end + 1
    }

    /// Blends `source` with `alpha` (0 to 256) over `pixels`, a row, by the coverage accumulated in the
    /// `cells` of falling and of rising edges; coverage between the two is constant.
    pub(super) fn sweep(
        &mut self,
        pixels: &mut [u32],
        cells: [Range<usize>; 2],
        (source, alpha): (u32, f32),
    ) {
        let [a, b] = cells;
        let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
        if second.start <= first.end {
            self.sweep_cells(pixels, first.start..first.end.max(second.end), 0.0, (source, alpha));
            return;
        }
        let inside = self.sweep_cells(pixels, first.clone(), 0.0, (source, alpha));
        if let Some(span) = pixels.get_mut(first.end..second.start) {
            over_span(span, source, to_alpha(inside, alpha));
        }
        self.sweep_cells(pixels, second, inside, (source, alpha));
    }

    /// Blends and zeroes `cells`, starting from coverage `sum`; returns the coverage behind them.
    #[inline]
    fn sweep_cells(
        &mut self,
        pixels: &mut [u32],
        cells: Range<usize>,
        mut sum: f32,
        (source, alpha): (u32, f32),
    ) -> f32 {
        let end = cells.end.min(pixels.len()).max(cells.start);
        let hidden = end..cells.end.max(end);
        let changes = self.changes.get_mut(cells.start..end).unwrap_or_default();
        let pixels = pixels.get_mut(cells.start..end).unwrap_or_default();
        for (change, pixel) in changes.iter_mut().zip(pixels) {
            sum += std::mem::take(change);
            *pixel = over(*pixel, source, to_alpha(sum, alpha));
        }
        for change in self.changes.get_mut(hidden).unwrap_or_default() {
            sum += std::mem::take(change);
        }
        sum
    }
}

/// Adds an edge from `left` to `right`, which crosses at least one pixel border, to `cells`.
fn spread(cells: &mut [f32], left: f32, right: f32, height: f32) {
    let last = cells.len() - 1;
    let slope = (right - left).recip();
    let in_first = 0.5 * slope * (1.0 - left) * (1.0 - left);
    let from_last = right - (last as f32 - 1.0);
    let behind = 0.5 * slope * from_last * from_last;
    cells[0] += height * in_first;
    if last == 2 {
        cells[1] += height * (1.0 - in_first - behind);
    } else {
        let through_second = slope * (1.5 - left);
        cells[1] += height * (through_second - in_first);
        for cell in &mut cells[2..last - 1] {
            *cell += height * slope;
        }
        let through_all = through_second + (last as f32 - 3.0) * slope;
        cells[last - 1] += height * (1.0 - through_all - behind);
    }
    cells[last] += height * behind;
}

/// Converts signed coverage and an `alpha` from 0 to 256 to the weight for `over`.
#[inline]
fn to_alpha(coverage: f32, alpha: f32) -> u32 {
    whole((coverage.abs() * alpha).min(alpha) + 0.5) as u32
}

/// The integer part of a nonnegative number: conversion to `i32` is a single instruction.
#[inline]
pub(super) fn whole(number: f32) -> usize {
    number as i32 as usize
}
