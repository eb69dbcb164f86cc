//! A pixel buffer with an anti-aliased filler; independent of units and windows.

mod blend;
mod edge;
pub mod export;
mod halves;
mod mark;
mod pixel_rect;
mod polygon;
mod rect;
mod round;
mod row;
mod shade;
mod sheet;
mod stamp;
mod stroke;
mod trail;
mod vector;

pub(crate) use mark::Mark;
pub use pixel_rect::PixelRect;
pub(crate) use sheet::{Pattern, Sheet};
pub use steerbox_scene::Color;

use std::ops::Range;

use glam::Vec2;
use row::CoverageRow;

/// A coordinate beyond this is treated as a bug of the caller, and the shape is not drawn.
const MAX_COORDINATE: f32 = 1.0e7;

/// An opaque picture in memory and the brush that draws on it.
///
/// Pixels are `0x00RRGGBB`, row after row from the top left, the format of windows. Coordinates are
/// in pixels, y down; the center of the first pixel is (0.5, 0.5). Shapes are clipped to the clip
/// rectangle; one with a coordinate that is not finite or beyond ten million is not drawn at all.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
    /// The range of rows that are drawn.
    rows: Range<usize>,
    clip: PixelRect,
    row: CoverageRow,
    corners: Vec<Vec2>,
    edges: Vec<edge::Edge>,
    path: Vec<(Vec2, f32)>,
    sheets: Vec<Sheet>,
    /// The canvas of the lower half, if two threads draw.
    lower: Option<Box<Canvas>>,
    /// The color of the background, in place of a gradient.
    ground: Option<Color>,
    /// The shapes, if they are recorded in place of pixels.
    marks: Option<Vec<Mark>>,
}

impl Canvas {
    /// A black canvas of `width` by `height` pixels.
    pub fn new(width: usize, height: usize) -> Self {
        let mut canvas = Self::default();
        canvas.resize(width, height);
        canvas
    }

    /// Changes the size in pixels and resets the clip; the content is lost if the size differs.
    pub fn resize(&mut self, width: usize, height: usize) {
        if (width, height) != (self.width, self.height) {
            (self.width, self.height) = (width, height);
            self.pixels.clear();
            self.pixels.resize(width * height, 0);
            self.row.resize(width);
        }
        self.hold(0..height);
    }

    /// Copies a part of another canvas of the same size, from its top left to its bottom right in pixels.
    pub fn take_part(&mut self, other: &Self, (min, max): (Vec2, Vec2)) {
        let (from, to) = (min.x.max(0.0) as usize, (max.x.max(0.0) as usize).min(self.width));
        let rows = min.y.max(0.0) as usize..(max.y.max(0.0) as usize).min(self.height);
        if from < to && (self.width, self.height) == (other.width, other.height) {
            for row in rows {
                let part = row * self.width + from..row * self.width + to;
                self.pixels[part.clone()].copy_from_slice(&other.pixels[part]);
            }
        }
    }

    /// Restricts drawing to these rows, independent of the clip.
    fn hold(&mut self, rows: Range<usize>) {
        self.rows = rows;
        self.reset_clip();
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, `0x00RRGGBB`, row after row.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// All pixels, to be written directly; the clip does not apply.
    pub fn pixels_mut(&mut self) -> &mut [u32] {
        &mut self.pixels
    }

    /// The pixel at column `x` and row `y`, if there is one.
    pub fn pixel(&self, x: usize, y: usize) -> Option<u32> {
        (x < self.width).then(|| self.pixels.get(y * self.width + x).copied())?
    }

    /// The clip rectangle.
    pub fn clip(&self) -> PixelRect {
        self.clip
    }

    /// True if a shape within `reach` pixels of a point may be visible.
    pub(crate) fn is_near(&self, point: Vec2, reach: f32) -> bool {
        let PixelRect { x0, y0, x1, y1 } = self.clip;
        let (low, high) = (Vec2::new(x0 as f32, y0 as f32), Vec2::new(x1 as f32, y1 as f32));
        point.cmpge(low - reach).all() && point.cmple(high + reach).all()
    }

    /// Sets the clip, limited to the canvas.
    pub fn set_clip(&mut self, clip: PixelRect) {
        self.clip = clip.intersection(self.bounds());
        self.mark_clip();
    }

    /// Fills the background with one color from now on, or with the gradient that is drawn.
    pub(crate) fn set_ground(&mut self, ground: Option<Color>) {
        self.ground = ground;
    }

    /// Resets the clip to the whole canvas.
    pub fn reset_clip(&mut self) {
        self.clip = self.bounds();
        self.mark_clip();
    }

    /// Fills the whole canvas with `color`, whose alpha is ignored; the clip does not apply.
    pub fn clear(&mut self, color: Color) {
        let PixelRect { y0, y1, .. } = self.bounds();
        self.pixels[y0 * self.width..y1 * self.width].fill(color.packed());
    }

    fn bounds(&self) -> PixelRect {
        PixelRect { x0: 0, y0: self.rows.start, x1: self.width, y1: self.rows.end }
    }

    /// The whole pixels of the clip that intersect the box from `min` to `max`; `None` if it must not be drawn.
    fn touched(&self, min: Vec2, max: Vec2) -> Option<PixelRect> {
        // Comparisons with NaN are false: only valid boxes pass.
        let sound = min.min_element() >= -MAX_COORDINATE && max.max_element() <= MAX_COORDINATE;
        let ordered = min.x <= max.x && min.y <= max.y;
        if !(sound && ordered) {
            return None;
        }
        let box_ = PixelRect {
            x0: min.x.floor() as usize,
            y0: min.y.floor() as usize,
            x1: max.x.ceil() as usize,
            y1: max.y.ceil() as usize,
        };
        Some(box_.intersection(self.clip)).filter(|rect| !rect.is_empty())
    }
}

#[cfg(test)]
mod tests;
