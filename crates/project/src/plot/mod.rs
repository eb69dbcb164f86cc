//! Plots of tables: curves with confidence bands, heat maps, histograms and scatter plots as shapes.
//!
//! A [`Table`] is what `steerbox sweep`, `merge` and `run --metrics` write. A [`Query`] chooses its columns, a [`Chart`] has
//! the plotted values with the rows behind each of them, and a [`Drawing`] consists of lines, areas and texts. The window
//! paints the same drawing that files contain, and its spots show what is under the pointer.
//!
//! No plotting crate is used. `kuva` 0.6 draws confidence bands in one gray and small multiples on a white ground in each
//! theme, reports no positions for a pointer, takes 34 s of processor time to build, and has a font and a rasterizer of its
//! own; `plotters` needs a second font stack for PNG. Fonts, rasterizer and SVG writer of the window draw these shapes.

mod axis;
mod chart;
mod choice;
mod column;
mod compose;
mod draw;
mod heat;
mod ink;
mod layout;
mod lines;
mod query;
mod reference;
mod split;
mod table;
#[cfg(test)]
mod tests;
mod ticks;
mod units;

pub use axis::Axis;
pub use chart::{Bar, Cell, Chart, Content, Entry, Hue, Line, Panel, Point};
pub use choice::{Choice, Kind};
pub use column::{Column, Role};
pub use compose::{chart_of, share_ends};
pub use draw::draw;
pub use ink::{Drawing, Ink, Look, Spot};
pub use layout::size_of;
pub use lines::bars;
pub use query::Query;
pub use reference::Reference;
pub use table::{Source, Table};
pub use ticks::{rounded, ticks};
pub use units::labeled;
