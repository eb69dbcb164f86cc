//! What a unit can see: the grid, and lists of the units in view.
//!
//! Everything here reads frozen state. A list is gathered when a behavior first asks for it and
//! serves all behaviors of that unit in that step.

#![allow(
    clippy::inline_always,
    reason = "a pass is compiled for the vectors of the function that it is inlined into"
)]

mod around;
mod asks;
mod batch;
mod cohort;
mod eye;
mod gathered;
mod grid;
mod kin;
mod known;
mod lanes;
mod layout;
mod list;
mod means;
mod question;
mod seam;
mod sight;

pub use grid::Grid;
pub use known::MeansCache;
pub use list::{List, Neighbor, Source};
pub use means::{NeighborMeans, NeighborMeansX8};
pub use sight::Sight;
