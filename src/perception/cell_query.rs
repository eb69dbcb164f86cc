//! Candidates of one unit: the slots of all cells within reach.

use glam::Vec3;

use super::filters::QueryFilter;
use super::grid::{Grid, Observer};
use super::lanes::LANES;
use super::list::List;
use super::periodic::ImageShift;

const LANE: u32 = LANES as u32;

/// Blocks that a run is cut into at once, whether it is that long or not.
const CUT: u32 = 4;

/// Some units of a block of eight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MaskedBlock {
    pub(super) block: u32,
    /// A bit for each lane that may count.
    pub(super) mask: u32,
}

/// The candidates for a list of one unit. Mostly they are those of the unit before, which stood in the
/// same cell, and are found once.
#[derive(Clone, Debug, Default)]
pub(super) struct CellQuery {
    pub(super) center: Vec3,
    /// How offsets are taken.
    pub(super) shift: ImageShift,
    /// Cell and reach that the blocks are for.
    cached: Option<(u32, f32)>,
    /// The slot of the player, where it is excluded.
    player: u32,
    blocks: Vec<MaskedBlock>,
    count: usize,
    /// The index of the block with the observer, and the bit that was removed there.
    own: (usize, u32),
    /// The first block of the run with the observer's cell, and its index in `blocks`.
    home: (u32, usize),
}

impl CellQuery {
    /// Drops what is cached, as the grid is another.
    pub(super) fn invalidate(&mut self) {
        self.cached = None;
    }

    /// Finds the candidates for `list`.
    #[inline]
    pub(super) fn prepare(&mut self, list: List, filter: &QueryFilter, observer: &Observer, grid: &Grid) {
        let reach = filter.reach.min(list.within);
        self.center = observer.position;
        if let Some(slots) = grid.filters.few(filter) {
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
        // The observer itself does not count.
        let lane = observer.slot % LANE;
        let own = self.home.1 + (observer.slot / LANE - self.home.0) as usize;
        self.own = (own, self.blocks[own].mask & (1 << lane));
        self.blocks[own].mask &= !(1 << lane);
    }

    /// Takes the units in some slots as the candidates, wherever they are.
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

    /// All candidates, in the order of their slots.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[MaskedBlock] {
        &self.blocks[..self.count]
    }

    /// Cuts a run of slots into blocks, without a branch on how many there are if they are few.
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
