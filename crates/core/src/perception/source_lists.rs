//! Gathered units of a source, by lane of a batch.

use super::cell_query::CellQuery;
use super::lanes::LANES;
use super::neighbor_list::NeighborList;

/// Gathered units of a source: all of them, and the near ones. Most requests concern near units, which are few and
/// quickly sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceLists {
    pub(super) all: Gathered,
    pub(super) near: Gathered,
    /// The greatest requested range that needs near units only, over all units so far.
    pub(super) short: f32,
}

/// The units of a source within some range of each unit of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub(super) query: CellQuery,
    pub(super) lanes: [LaneList; LANES],
}

/// The units of a source near one unit. They are valid until the next batch starts.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneList {
    pub(super) list: NeighborList,
    /// The epoch in which it was gathered.
    pub(super) epoch: u64,
    /// Its range.
    pub(super) reach: f32,
}

impl SourceLists {
    /// Returns true if a list within some range is part of the near units; `None` if it must be gathered.
    #[inline(always)]
    pub(super) fn find(&self, within: f32, lane: usize, epoch: u64) -> Option<bool> {
        let [all, near] = [&self.all.lanes[lane], &self.near.lanes[lane]];
        let is_near = near.epoch == epoch && within <= near.reach;
        (is_near || all.epoch == epoch).then_some(is_near)
    }

    /// Drops everything that depends on the world.
    pub(super) fn invalidate(&mut self) {
        self.all.query.invalidate();
        self.near.query.invalidate();
        self.short = 0.0;
    }
}
