//! Perception: a uniform grid over the units, and neighbor lists.
//!
//! Everything here reads frozen state. A list is gathered at the first request of a behavior and reused by all behaviors
//! of that unit in that step.

#![allow(
    clippy::inline_always,
    reason = "a kernel is compiled for the vectors of the function that it is inlined into"
)]

mod batch_nearest;
mod batch_neighbors;
mod batch_ordered;
mod batch_queries;
mod batch_selection;
mod block;
mod cell_query;
mod filters;
mod grid;
mod lanes;
mod layout;
mod list;
mod list_use;
mod mean_kernel;
mod means;
mod nearest_distances;
mod neighbor_list;
mod pairs;
mod periodic;
mod queries;
mod query_batch;
mod scan;
mod simd;
mod source_lists;
mod view_lanes;

pub use batch_nearest::BatchNearest;
pub use batch_neighbors::BatchNeighbor;
pub use batch_ordered::BatchOrdered;
pub use batch_queries::BatchQueries;
pub use grid::Grid;
pub use list::{List, Neighbor, PerSource, SearchRange, Source};
pub use list_use::{ListUse, Queries};
pub use means::{MeansCache, NeighborMeans, NeighborMeansX8};
pub use queries::{MAX_SELECTIONS, NeighborQueries};
pub use query_batch::{Axes, BatchUnits};
