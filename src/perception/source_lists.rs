//! What is gathered of a source, by the lanes of a batch.

use super::cell_query::CellQuery;
use super::lanes::LANES;
use super::neighbor_list::NeighborList;

/// What is gathered of a source: all of it, and the units that are near. What is asked for is mostly near, and there
/// are few of those to sort.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceLists {
    pub(super) all: Gathered,
    pub(super) near: Gathered,
    /// The greatest reach that asks for near units only, of all units so far.
    pub(super) short: f32,
}

/// The units of a source within some reach of each unit of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub(super) query: CellQuery,
    pub(super) lanes: [LaneList; LANES],
}

/// The units of a source that are near one unit. They stay where they are until the next batch starts.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneList {
    pub(super) list: NeighborList,
    /// The batch it was gathered for.
    pub(super) turn: u64,
    /// How far it reaches.
    pub(super) reach: f32,
}

impl SourceLists {
    /// Whether a list within some reach of a lane is found in its near units; `None` if it is to be gathered yet.
    #[inline(always)]
    pub(super) fn find(&self, within: f32, lane: usize, turn: u64) -> Option<bool> {
        let [all, near] = [&self.all.lanes[lane], &self.near.lanes[lane]];
        let is_near = near.turn == turn && within <= near.reach;
        (is_near || all.turn == turn).then_some(is_near)
    }

    /// Drops what depends on the world.
    pub(super) fn invalidate(&mut self) {
        self.all.query.invalidate();
        self.near.query.invalidate();
        self.short = 0.0;
    }
}
