//! One question to the grid: who may be within reach of here?

use glam::Vec3;

use super::asks::Ask;
use super::lanes::LANES;
use super::seam::Laps;
use super::{Grid, List};
use crate::world::{Units, View};

const LANE: u32 = LANES as u32;

/// Blocks that are cut from a run at once, whether it is that long or not.
const CUT: u32 = 4;

/// Who asks: a unit, and where it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asker {
    pub(super) slot: u32,
    pub(super) cell: u32,
    pub(super) group: usize,
    pub(super) position: Vec3,
}

/// Some units of a batch of eight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub(super) batch: u32,
    /// A bit for each lane that may count.
    pub(super) mask: u32,
}

/// Where to look for a list, as seen by the unit that asks. Mostly that is where the unit before
/// looked, which stood in the same cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Question {
    pub(super) center: Vec3,
    /// How offsets are taken.
    pub(super) laps: Laps,
    /// Cell and reach that the blocks are for.
    known: Option<(u32, f32)>,
    /// The slot of the player, where it is left out.
    player: u32,
    blocks: Vec<Block>,
    count: usize,
    /// The block in which the unit that asks does not count, and its bit there.
    own: (usize, u32),
    /// The first batch of the run with the units of the cell, and its block.
    home: (u32, usize),
}

impl Question {
    /// Forgets where others looked, as the grid is another.
    pub(super) fn forget(&mut self) {
        self.known = None;
    }

    /// Works out where to look for `list`.
    #[inline]
    pub(super) fn ask(&mut self, list: List, ask: &Ask, asker: &Asker, grid: &Grid) {
        let reach = ask.reach.min(list.within);
        self.center = asker.position;
        if self.known == Some((asker.cell, reach)) && self.player == ask.player {
            let (own, bit) = self.own;
            self.blocks[own].mask |= bit;
        } else {
            self.player = ask.player;
            self.look(reach, asker, grid);
        }
        // The unit that asks does not count.
        let lane = asker.slot % LANE;
        let own = self.home.1 + (asker.slot / LANE - self.home.0) as usize;
        self.own = (own, self.blocks[own].mask & (1 << lane));
        self.blocks[own].mask &= !(1 << lane);
    }

    #[inline(never)]
    fn look(&mut self, reach: f32, asker: &Asker, grid: &Grid) {
        self.count = 0;
        let (spans, common) = grid.layout.spans_in_common(self.center, reach);
        self.known = common.then_some((asker.cell, reach));
        self.laps = grid.seam.laps(spans.wrap());
        grid.each_run(
            &spans,
            #[inline(always)]
            |from, to| {
                if (from..to).contains(&asker.slot) {
                    self.home = (from / LANE, self.count);
                }
                self.cut(from, to);
            },
        );
    }

    /// All who can be in the list, in the order of their slots.
    #[inline(always)]
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.count]
    }

    /// Cuts a run of slots into blocks, without a branch on how many there are if they are few.
    #[inline(always)]
    fn cut(&mut self, mut from: u32, to: u32) {
        loop {
            let batch = from / LANE;
            let start = batch * LANE;
            let end = to.min(start + CUT * LANE);
            let mut slots = ((1_u64 << (end - start)) - 1) & (u64::MAX << (from - start));
            let player = self.player.wrapping_sub(start);
            slots &= !(u64::from(player < 64) << (player & 63));
            let room = self.count + CUT as usize;
            if self.blocks.len() < room {
                self.blocks.resize(room, Block::default());
            }
            let masks = (slots as u32).to_le_bytes();
            for (block, (mask, at)) in self.blocks[self.count..room]
                .iter_mut()
                .zip(masks.into_iter().zip(0..))
            {
                block.batch = batch + at;
                block.mask = mask.into();
            }
            self.count += (end.div_ceil(LANE) - batch) as usize;
            if end == to {
                return;
            }
            from = end;
        }
    }
}

/// A view from a unit's axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gaze {
    view: View,
    starboard: Vec3,
    heading: Vec3,
    up: Vec3,
}

impl Gaze {
    pub(super) fn of(view: View, unit: usize, units: &Units) -> Self {
        Self {
            view,
            starboard: units.starboard(unit),
            heading: units.heading[unit],
            up: units.up[unit],
        }
    }

    pub(super) fn admits(&self, offset: Vec3) -> bool {
        self.view.admits(Vec3::new(
            offset.dot(self.starboard),
            offset.dot(self.heading),
            offset.dot(self.up),
        ))
    }
}
