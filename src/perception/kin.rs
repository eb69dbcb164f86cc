//! Who counts for a list, as masks that eight units are held to at once.

use pulp::Simd;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use super::Source;
use super::batch::GRAIN;
use super::lanes::{LANES, bits, words};
use crate::world::World;

/// Group and kinds of the units, in batches of eight; empty where all are of one group.
#[derive(Clone, Debug, Default)]
pub(super) struct Kin(Vec<Eight>);

#[derive(Clone, Copy, Debug, Default)]
struct Eight {
    group: [u32; LANES],
    low: [u32; LANES],
    high: [u32; LANES],
}

/// A group that counts, and kinds of which any counts, as two words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    group: u32,
    kinds: [u32; 2],
}

impl Wanted {
    /// What does not leave anybody out is never looked at.
    pub(super) const EVERYONE: Self = Self {
        group: 0,
        kinds: [0; 2],
    };
}

/// Who is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Who {
    Nobody,
    Everyone,
    Some(Wanted),
}

impl Kin {
    pub(super) fn gather(&mut self, world: &World, order: &[u32]) {
        self.0.clear();
        if world.groups.len() <= 1 {
            return;
        }
        let of = |units: &[u32]| {
            let mut eight = Eight::default();
            for (lane, unit) in units.iter().enumerate() {
                let group = world.units.group[*unit as usize];
                let [low, high] = halves(world.groups[group as usize].kinds);
                eight.group[lane] = group.into();
                eight.low[lane] = low;
                eight.high[lane] = high;
            }
            eight
        };
        let eights = order.par_chunks(LANES).with_min_len(GRAIN).map(of);
        eights.collect_into_vec(&mut self.0);
    }

    /// Whom a unit of a group asks for. The player, whom some lists leave out, is not looked at.
    pub(super) fn who(&self, source: Source, group: usize, world: &World) -> Who {
        let own = &world.groups[group];
        let alone = self.0.is_empty();
        let wanted = |group, kinds| {
            let kinds = halves(kinds);
            Who::Some(Wanted { group, kinds })
        };
        let all = |counts: bool| if counts { Who::Everyone } else { Who::Nobody };
        match (source, alone) {
            (Source::Others | Source::View(_), _) | (Source::Neighbors, true) => Who::Everyone,
            (Source::Neighbors, false) => wanted(group as u32, own.friends),
            (Source::Enemies, true) => all(own.kinds & own.enemies != 0),
            (Source::Enemies, false) if own.enemies == 0 => Who::Nobody,
            // No group has this number.
            (Source::Enemies, false) => wanted(u32::MAX, own.enemies),
        }
    }

    /// The group of the unit in a slot.
    #[inline(always)]
    pub(super) fn group(&self, slot: usize) -> usize {
        let eight = self.0.get(slot / LANES);
        eight.map_or(0, |eight| eight.group[slot % LANES] as usize)
    }

    /// Whether the unit in a slot is wanted.
    pub(super) fn holds(&self, wanted: Wanted, slot: usize) -> bool {
        let (eight, lane) = (&self.0[slot / LANES], slot % LANES);
        let [low, high] = wanted.kinds;
        let kinds = (eight.low[lane] & low) | (eight.high[lane] & high);
        eight.group[lane] == wanted.group || kinds != 0
    }

    /// Which of the eight units of a batch are wanted: all bits of a lane, or none.
    #[inline(always)]
    pub(super) fn eight<S: Simd>(&self, simd: S, wanted: Wanted, batch: usize) -> S::u32s {
        let eight = &self.0[batch];
        let [low, high] = wanted.kinds.map(|kinds| simd.splat_u32s(kinds));
        let kinds = simd.or_u32s(
            simd.and_u32s(words(simd, &eight.low), low),
            simd.and_u32s(words(simd, &eight.high), high),
        );
        let strange = simd.equal_u32s(kinds, simd.splat_u32s(0));
        let group = words(simd, &eight.group);
        let own = simd.equal_u32s(group, simd.splat_u32s(wanted.group));
        simd.or_u32s(bits(simd, own), simd.not_u32s(bits(simd, strange)))
    }
}

fn halves(kinds: u64) -> [u32; 2] {
    [kinds as u32, (kinds >> 32) as u32]
}
