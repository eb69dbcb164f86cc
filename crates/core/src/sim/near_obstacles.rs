//! Obstacles near the deciding unit.

use crate::world::{NearObstacle, SearchCost};

/// Cached obstacles near the unit.
#[derive(Debug, Default)]
pub(super) struct NearObstacles {
    /// The reach of the cached search, if valid.
    pub(super) reach: Option<f32>,
    pub(super) list: Vec<NearObstacle>,
    /// The cost of the search.
    pub(super) cost: SearchCost,
    /// The bits of the reach that the current call was charged for last.
    pub(super) charged: Option<u32>,
}

impl NearObstacles {
    /// Invalidates the cache for another unit.
    pub(super) fn forget(&mut self) {
        (self.reach, self.charged) = (None, None);
    }
}
