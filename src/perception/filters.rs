//! Which units count in a list: group and kind masks, and what each source means to each group.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use super::block::GRAIN;
use super::lanes::{LANES, bits, words};
use super::list::Source;
use super::simd::Simd;
use crate::world::{View, World};

/// A slot that is never taken.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// Group and kinds of the units, in blocks of eight; empty where all are of one group.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupMasks(Vec<MasksX8>);

#[derive(Clone, Copy, Debug, Default)]
struct MasksX8 {
    group: [u32; LANES],
    /// The lower and the upper half of the kinds.
    low: [u32; LANES],
    high: [u32; LANES],
}

/// A group that counts, and kinds of which any counts, as two words.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterMask {
    group: u32,
    kinds: [u32; 2],
}

/// Which units a group counts in a source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Filter {
    None,
    All,
    Mask(FilterMask),
}

impl GroupMasks {
    pub(super) fn gather(&mut self, world: &World, order: &[u32]) {
        self.0.clear();
        if world.groups.len() <= 1 {
            return;
        }
        let of = |units: &[u32]| {
            let mut masks = MasksX8::default();
            for (lane, unit) in units.iter().enumerate() {
                let group = world.units.group[*unit as usize];
                masks.group[lane] = group.into();
                let kinds = world.groups[group as usize].kinds;
                [masks.low[lane], masks.high[lane]] = halves(kinds);
            }
            masks
        };
        let blocks = order.par_chunks(LANES).with_min_len(GRAIN).map(of);
        blocks.collect_into_vec(&mut self.0);
    }

    /// The filter of a group for a source. It does not look at the player, whom some sources exclude.
    fn filter(&self, source: Source, group: usize, world: &World) -> Filter {
        let own = &world.groups[group];
        let alone = self.0.is_empty();
        let mask = |group, kinds| {
            let kinds = halves(kinds);
            Filter::Mask(FilterMask { group, kinds })
        };
        match (source, alone) {
            (Source::Others | Source::View(_) | Source::Touching | Source::Selection(_), _)
            | (Source::Neighbors, true) => Filter::All,
            (Source::Neighbors, false) => mask(group as u32, own.friends),
            (Source::Enemies, true) if own.kinds & own.enemies != 0 => Filter::All,
            (Source::Enemies, true) => Filter::None,
            (Source::Enemies, false) if own.enemies == 0 => Filter::None,
            // No group has this number.
            (Source::Enemies, false) => mask(u32::MAX, own.enemies),
        }
    }

    /// The group of the unit in a slot.
    #[inline(always)]
    pub(super) fn group(&self, slot: usize) -> usize {
        let masks = self.0.get(slot / LANES);
        masks.map_or(0, |masks| masks.group[slot % LANES] as usize)
    }

    /// Whether the unit in a slot passes.
    pub(super) fn passes(&self, mask: FilterMask, slot: usize) -> bool {
        let (masks, lane) = (&self.0[slot / LANES], slot % LANES);
        let [low, high] = mask.kinds;
        let kinds = (masks.low[lane] & low) | (masks.high[lane] & high);
        masks.group[lane] == mask.group || kinds != 0
    }

    /// Which of the eight units of a block pass: all bits of a lane, or none.
    #[inline(always)]
    pub(super) fn passing<S: Simd>(&self, simd: S, mask: FilterMask, block: usize) -> S::U32s {
        let masks = &self.0[block];
        let [low, high] = mask.kinds.map(|kinds| simd.splat_u32s(kinds));
        let kinds = simd.or_u32s(
            simd.and_u32s(words(simd, &masks.low), low),
            simd.and_u32s(words(simd, &masks.high), high),
        );
        let no_kind = simd.equal_u32s(kinds, simd.splat_u32s(0));
        let group = words(simd, &masks.group);
        let own = simd.equal_u32s(group, simd.splat_u32s(mask.group));
        simd.or_u32s(bits(simd, own), simd.not_u32s(bits(simd, no_kind)))
    }
}

fn halves(kinds: u64) -> [u32; 2] {
    [kinds as u32, (kinds >> 32) as u32]
}

/// Which units a group counts in a source, and how far away.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueryFilter {
    /// How far to look for cells.
    pub(super) reach: f32,
    /// Greatest squared distance that counts; negative if no unit does.
    pub(super) limit: f32,
    pub(super) filter: Filter,
    /// The slot of the player, where it is excluded.
    pub(super) player: u32,
    /// The view, where it does not look all around.
    pub(super) view: Option<View>,
    /// Where the slots of all units that pass begin and end in [`QueryFilters::slots`], if there are few.
    few: Option<(usize, usize)>,
}

/// Most units that are looked at one by one wherever they are.
const FEW: usize = 16;

impl QueryFilter {
    const EMPTY: Self =
        Self { reach: 0.0, limit: -1.0, filter: Filter::All, player: NO_SLOT, view: None, few: None };

    /// The mask to hold units to, unless all of them pass.
    #[inline(always)]
    pub(super) fn mask(&self) -> Option<FilterMask> {
        match self.filter {
            Filter::Mask(mask) => Some(mask),
            Filter::None | Filter::All => None,
        }
    }

    fn of(source: Source, group: usize, world: &World, masks: &GroupMasks, player: u32) -> Self {
        let own = &world.groups[group];
        let filter = masks.filter(source, group, world);
        let view = match source {
            Source::Enemies | Source::Touching | Source::Selection(_) => None,
            Source::View(view) => Some(view),
            Source::Neighbors | Source::Others => own.view,
        };
        let reach = match (source, view) {
            (Source::Enemies, _) => own.sense,
            (Source::Touching | Source::Selection(_), _) => f32::INFINITY,
            (_, Some(view)) => world.views[view].view.radius(),
            (_, None) => return Self::EMPTY,
        };
        let square = reach * reach;
        let view = view.map(|view| world.views[view].view);
        Self {
            reach,
            // What is strictly nearer than the sense is no farther than the next lesser square.
            limit: match (source, filter) {
                (_, Filter::None) => -1.0,
                (Source::Enemies, _) => square.next_down(),
                _ => square,
            },
            filter,
            player: match source {
                Source::Others | Source::View(_) => player,
                Source::Neighbors | Source::Enemies | Source::Touching | Source::Selection(_) => NO_SLOT,
            },
            view: view.filter(|view| !matches!(view, View::Around { .. })),
            few: None,
        }
    }
}

/// The filters of all groups, source by source, computed once a step.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryFilters {
    filters: Vec<QueryFilter>,
    sources: usize,
    /// The slots of units of which there are few, in their order, filter by filter.
    slots: Vec<u32>,
}

impl QueryFilters {
    /// Computes them for a world whose units stand in these slots, and the player in slot `player`.
    pub(super) fn prepare(&mut self, world: &World, masks: &GroupMasks, slots: &[u32], player: u32) {
        self.sources = Source::FIXED + world.views.len();
        self.filters.clear();
        self.slots.clear();
        for group in 0..world.groups.len() {
            let of = |index| QueryFilter::of(Source::of_index(index), group, world, masks, player);
            self.filters.extend((0..self.sources).map(of));
            let enemies = &mut self.filters[group * self.sources + Source::Enemies.index()];
            if let Filter::Mask(_) = enemies.filter {
                enemies.few = few(world, world.groups[group].enemies, slots, &mut self.slots);
            }
        }
    }

    /// The slots of all units that pass a filter, in their order, if there are few.
    #[inline(always)]
    pub(super) fn few(&self, filter: &QueryFilter) -> Option<&[u32]> {
        filter.few.map(|(from, to)| &self.slots[from..to])
    }

    #[inline(always)]
    pub(super) fn of(&self, group: usize, source: Source) -> &QueryFilter {
        &self.filters[group * self.sources + source.index()]
    }
}

/// Adds to `found` the slots of all units of some kinds, in their order, if there are few. Returns where they
/// begin and end.
fn few(world: &World, kinds: u64, slots: &[u32], found: &mut Vec<u32>) -> Option<(usize, usize)> {
    let groups = || world.groups.iter().filter(|group| group.kinds & kinds != 0);
    if groups().map(|group| group.units.len()).sum::<usize>() > FEW {
        return None;
    }
    let from = found.len();
    found.extend(groups().flat_map(|group| &slots[group.units.clone()]));
    found[from..].sort_unstable();
    Some((from, found.len()))
}
