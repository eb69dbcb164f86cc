//! The shapes of a drawn plot.

use glam::Vec2;
use steerbox_scene::Color;

/// The colors of a drawing.
pub struct Look<'a> {
    /// Names of panels.
    pub text: Color,
    /// Ticks and remarks.
    pub weak: Color,
    /// Lines of the grid.
    pub line: Color,
    /// Colors of series.
    pub palette: &'a [Color],
    /// The color at a share of the scale, 0 to 1.
    pub scale: &'a dyn Fn(f32) -> Color,
}

/// A shape. Coordinates are in points, y down.
#[derive(Clone, Debug, PartialEq)]
pub enum Ink {
    /// A filled polygon.
    Area(Vec<Vec2>, Color),
    /// A filled rectangle with these corners.
    Rect([Vec2; 2], Color),
    /// A filled disc.
    Disc(Vec2, f32, Color),
    /// A path of lines with a width.
    Path(Vec<Vec2>, f32, Color),
    /// A line of text.
    Text {
        /// The point of its middle line that `anchor` refers to.
        at: Vec2,
        /// The share of its width that is left of `at`.
        anchor: f32,
        /// The size of the font.
        size: f32,
        /// The text.
        text: String,
        /// Its color.
        color: Color,
    },
}

/// A drawn plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// The shapes in their order.
    pub inks: Vec<Ink>,
    /// The drawn values.
    pub spots: Vec<Spot>,
}

/// The place of a drawn value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Its corners; equal for a point.
    pub corners: [Vec2; 2],
    /// The panel.
    pub panel: usize,
    /// The line, and the point on it; or 0 and the cell or bar.
    pub item: [usize; 2],
}

impl Drawing {
    /// Returns the nearest drawn value within a distance of a place.
    pub fn spot(&self, place: Vec2, reach: f32) -> Option<&Spot> {
        let distance = |spot: &Spot| place.clamp(spot.corners[0], spot.corners[1]).distance(place);
        let near = self.spots.iter().map(|spot| (distance(spot), spot));
        near.filter(|(far, _)| *far <= reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, spot)| spot)
    }
}
