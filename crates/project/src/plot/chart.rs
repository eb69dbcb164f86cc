//! The values of a plot, before they are drawn.

use steerbox_scene::Color;

use super::axis::Axis;

/// A plot of one or several panels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The panels, from left to right and from top to bottom.
    pub panels: Vec<Panel>,
    /// The title of the legend.
    pub legend: String,
    /// The entries of the legend; none if there is one color.
    pub entries: Vec<Entry>,
    /// Remarks below the plot.
    pub notes: Vec<String>,
}

/// A name in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Its color.
    pub hue: Hue,
}

/// The color of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hue {
    /// A color of the palette, by its number.
    Palette(usize),
    /// A color of the scale, from 0 to 1.
    Scale(f32),
    /// A color of its own.
    Own(Color),
}

/// A pair of axes with values.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The shown measure, and the value of a third variable.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The values.
    pub content: Content,
    /// Known values beside them, with their 95 % intervals.
    pub reference: Vec<Point>,
}

/// The values of a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Curves.
    Lines(Vec<Line>),
    /// Points without lines.
    Points(Vec<Line>),
    /// A heat map; the scale of its colors.
    Cells(Vec<Cell>, Axis),
    /// A histogram.
    Bars(Vec<Bar>),
}

/// A curve, or the points of one color.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its color.
    pub hue: Hue,
    /// True for a line of dashes.
    pub is_dashed: bool,
    /// Its points in the order of their x.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The coordinates.
    pub at: [f64; 2],
    /// The 95 % confidence interval of the mean, if it is one.
    pub interval: Option<[f64; 2]>,
    /// The rows behind it, by their index in the table.
    pub rows: Vec<u32>,
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The values of both variables.
    pub at: [f64; 2],
    /// Its ends along x and y.
    pub ends: [[f64; 2]; 2],
    /// The mean.
    pub value: f64,
    /// The 95 % confidence interval of the mean.
    pub interval: Option<[f64; 2]>,
    /// The rows behind it, by their index in the table.
    pub rows: Vec<u32>,
}

/// A bar of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The range of values.
    pub ends: [f64; 2],
    /// The ends of the bar: numbers of values.
    pub counts: [f64; 2],
    /// Its color.
    pub hue: Hue,
    /// The rows behind it, by their index in the table.
    pub rows: Vec<u32>,
}
