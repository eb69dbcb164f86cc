//! What a unit can see: the grid, and lists of the units in view.
//!
//! Everything here reads frozen state. A list is gathered when a behavior first asks for it and
//! serves all behaviors of that unit in that step.

mod grid;
mod sight;

pub use grid::Grid;
pub use sight::{Crowd, List, Seen, Sight, Source};
