//! Candidates of one unit: the slots of all cells within reach.

use glam::Vec3;

use super::filters::QueryFilter;
use super::grid::{Grid, Observer};
use super::lanes::LANES;
use super::list::List;
use super::periodic::ImageShift;
use crate::world::Extrema;

const LANE: u32 = LANES as u32;

/// Number of blocks that a run is split into at a time, regardless of its length.
const CUT: u32 = 4;

/// A mask over a block of eight units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MaskedBlock {
    pub(super) block: u32,
    /// A bit for each candidate.
    pub(super) mask: u32,
}

/// The candidates for a list of one unit. Usually the previous unit was in the same cell, and its candidates are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct CellQuery {
    pub(super) center: Vec3,
    /// Wrapping of offsets.
    pub(super) shift: ImageShift,
    /// Cell and reach of the cached blocks.
    cached: Option<(u32, f32)>,
    /// The slot of the player if it is excluded.
    player: u32,
    blocks: Vec<MaskedBlock>,
    count: usize,
    /// The index of the block that contains the observer, and its bit, which was removed.
    own: (usize, u32),
    /// The first block of the run that contains the observer's cell, and its index in `blocks`.
    home: (u32, usize),
}

impl CellQuery {
    /// Drops the cached blocks after a change of the grid.
    pub(super) fn invalidate(&mut self) {
        self.cached = None;
    }

    /// Finds the candidates for `list`.
    #[inline]
    pub(super) fn prepare(&mut self, list: List, filter: &QueryFilter, observer: &Observer, grid: &Grid) {
        let reach = filter.reach.lesser(list.within);
        self.center = observer.position;
        if let Some(slots) = grid.filters.listed(filter) {
            self.take(slots, observer, grid);
            return;
        }
        if self.cached == Some((observer.cell, reach)) && self.player == filter.player {
            let (own, bit) = self.own;
            self.blocks[own].mask |= bit;
        } else {
            self.player = filter.player;
            self.visit_cells(reach, observer, grid);
        }
        // The observer itself is not a candidate.
        let lane = observer.slot % LANE;
        let own = self.home.1 + (observer.slot / LANE - self.home.0) as usize;
        self.own = (own, self.blocks[own].mask & (1 << lane));
        self.blocks[own].mask &= !(1 << lane);
    }

    /// Uses the units in `slots` as candidates, regardless of their positions.
    fn take(&mut self, slots: &[u32], observer: &Observer, grid: &Grid) {
        (self.cached, self.shift) = (None, grid.periodic.shift(true));
        self.blocks.resize(self.blocks.len().max(slots.len()), MaskedBlock::default());
        self.count = 0;
        for slot in slots.iter().filter(|slot| **slot != observer.slot) {
            self.blocks[self.count] = MaskedBlock { block: slot / LANE, mask: 1 << (slot % LANE) };
            self.count += 1;
        }
    }

    #[inline(never)]
    fn visit_cells(&mut self, reach: f32, observer: &Observer, grid: &Grid) {
        self.count = 0;
        let (spans, common) = grid.layout.spans_in_common(self.center, reach);
        self.cached = common.then_some((observer.cell, reach));
        self.shift = grid.periodic.shift(spans.wrap());
        grid.each_run(
            &spans,
            #[inline(always)]
            |from, to| {
                if (from..to).contains(&observer.slot) {
                    self.home = (from / LANE, self.count);
                }
                self.cut(from, to);
            },
        );
    }

    /// All candidates, in slot order.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[MaskedBlock] {
        &self.blocks[..self.count]
    }

    /// Splits a run of slots into blocks, without a branch on their number if they are few.
    #[inline(always)]
    fn cut(&mut self, mut from: u32, to: u32) {
        loop {
            let first = from / LANE;
            let start = first * LANE;
            let end = to.min(start + CUT * LANE);
            let mut slots = ((1_u64 << (end - start)) - 1) & (u64::MAX << (from - start));
            let player = self.player.wrapping_sub(start);
            slots &= !(u64::from(player < 64) << (player & 63));
            let room = self.count + CUT as usize;
            if self.blocks.len() < room {
                self.blocks.resize(room, MaskedBlock::default());
            }
            let masks = (slots as u32).to_le_bytes();
            let blocks = self.blocks[self.count..room].iter_mut();
            for (block, (mask, at)) in blocks.zip(masks.into_iter().zip(0..)) {
                block.block = first + at;
                block.mask = mask.into();
            }
            self.count += (end.div_ceil(LANE) - first) as usize;
            if end == to {
                return;
            }
            from = end;
        }
    }
}
