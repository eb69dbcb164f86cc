//! Filters of lists: group and kind masks, and the effective filter of each source and group.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use super::block::GRAIN;
use super::lanes::{LANES, bits, words};
use super::list::{SearchRange, Source};
use super::simd::Simd;
use crate::world::{View, World};

/// The index of no slot.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// Group and kinds of the units, in blocks of eight; empty if there is only one group.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupMasks(Vec<MasksX8>);

#[derive(Clone, Copy, Debug, Default)]
struct MasksX8 {
    group: [u32; LANES],
    /// The lower and the upper half of the kinds.
    low: [u32; LANES],
    high: [u32; LANES],
}

/// A group and a set of kinds, as two words; a unit matches by either.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterMask {
    group: u32,
    kinds: [u32; 2],
}

/// The units of a source that a group accepts.
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

    /// Returns the filter of a group for a source. The player, which some sources exclude, is handled separately.
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
            // No group has this index.
            (Source::Enemies, false) => mask(u32::MAX, own.enemies),
        }
    }

    /// Returns the group of the unit in a slot.
    #[inline(always)]
    pub(super) fn group(&self, slot: usize) -> usize {
        let masks = self.0.get(slot / LANES);
        masks.map_or(0, |masks| masks.group[slot % LANES] as usize)
    }

    /// Returns true if the unit in a slot passes.
    pub(super) fn passes(&self, mask: FilterMask, slot: usize) -> bool {
        let (masks, lane) = (&self.0[slot / LANES], slot % LANES);
        let [low, high] = mask.kinds;
        let kinds = (masks.low[lane] & low) | (masks.high[lane] & high);
        masks.group[lane] == mask.group || kinds != 0
    }

    /// Returns a lane mask of the units of a block that pass.
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

/// The filter of a source for a group, with its range.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueryFilter {
    /// Range for the search of cells.
    pub(super) reach: f32,
    /// Maximum squared distance; negative if no unit passes.
    pub(super) limit: f32,
    pub(super) filter: Filter,
    /// The slot of the player if it is excluded.
    pub(super) player: u32,
    /// The view, unless it is all-around.
    pub(super) view: Option<View>,
    /// The range in [`QueryFilters::slots`] of all units that pass, if they are few.
    listed: Option<(usize, usize)>,
}

/// Maximum number of units that are listed by slot, so that cells are not searched.
const MAX_LISTED: usize = 16;

impl QueryFilter {
    const EMPTY: Self =
        Self { reach: 0.0, limit: -1.0, filter: Filter::All, player: NO_SLOT, view: None, listed: None };

    /// The mask to test units with, unless all of them pass.
    #[inline(always)]
    pub(super) fn mask(&self) -> Option<FilterMask> {
        match self.filter {
            Filter::Mask(mask) => Some(mask),
            Filter::None | Filter::All => None,
        }
    }

    fn new(source: Source, group: usize, world: &World, masks: &GroupMasks, player: u32) -> Self {
        let own = &world.groups[group];
        let filter = masks.filter(source, group, world);
        let range = source.range();
        let view = match source {
            Source::View(view) => Some(view),
            _ => own.view.filter(|_| range == SearchRange::View),
        };
        let reach = match (range, view) {
            (SearchRange::Sense, _) => own.sense,
            (SearchRange::Contacts | SearchRange::Selected, _) => f32::INFINITY,
            (SearchRange::View, Some(view)) => world.views[view].view.radius(),
            (SearchRange::View, None) => return Self::EMPTY,
        };
        let square = reach * reach;
        let view = view.map(|view| world.views[view].view);
        Self {
            reach,
            // An exclusive range: squares strictly below it are at most the next smaller float.
            limit: match (range, filter) {
                (_, Filter::None) => -1.0,
                (SearchRange::Sense, _) => square.next_down(),
                (SearchRange::View | SearchRange::Contacts | SearchRange::Selected, _) => square,
            },
            filter,
            player: match source {
                Source::Others | Source::View(_) => player,
                Source::Neighbors | Source::Enemies | Source::Touching | Source::Selection(_) => NO_SLOT,
            },
            view: view.filter(|view| !matches!(view, View::Around { .. })),
            listed: None,
        }
    }
}

/// The filters of all groups, ordered by source, computed once per step.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryFilters {
    filters: Vec<QueryFilter>,
    sources: usize,
    /// The sorted slots of the filters with few units.
    slots: Vec<u32>,
}

impl QueryFilters {
    /// Computes all filters. `slots` holds the slot of each unit; `player` is the player's slot.
    pub(super) fn prepare(&mut self, world: &World, masks: &GroupMasks, slots: &[u32], player: u32) {
        self.sources = Source::FIXED + world.views.len();
        self.filters.clear();
        self.slots.clear();
        for group in 0..world.groups.len() {
            let filter = |index| QueryFilter::new(Source::from_index(index), group, world, masks, player);
            self.filters.extend((0..self.sources).map(filter));
            let enemies = &mut self.filters[group * self.sources + Source::Enemies.index()];
            if let Filter::Mask(_) = enemies.filter {
                enemies.listed = listed(world, world.groups[group].enemies, slots, &mut self.slots);
            }
        }
    }

    /// Returns the sorted slots of all units that pass a filter, if they are few.
    #[inline(always)]
    pub(super) fn listed(&self, filter: &QueryFilter) -> Option<&[u32]> {
        filter.listed.map(|(from, to)| &self.slots[from..to])
    }

    #[inline(always)]
    pub(super) fn get(&self, group: usize, source: Source) -> &QueryFilter {
        &self.filters[group * self.sources + source.index()]
    }
}

/// Appends to `found` the sorted slots of all units of some kinds, if they are few. Returns their range in `found`.
fn listed(world: &World, kinds: u64, slots: &[u32], found: &mut Vec<u32>) -> Option<(usize, usize)> {
    let groups = || world.groups.iter().filter(|group| group.kinds & kinds != 0);
    if groups().map(|group| group.units.len()).sum::<usize>() > MAX_LISTED {
        return None;
    }
    let from = found.len();
    found.extend(groups().flat_map(|group| &slots[group.units.clone()]));
    found[from..].sort_unstable();
    Some((from, found.len()))
}
