//! All units of a source that one unit observes, in slot order and sorted by distance.
//!
//! Short lists are sorted by rank: for each element the smaller keys are counted; a key is the squared distance and the
//! index in one word. That takes n² comparisons, eight at a time, and no branch that could be mispredicted.

use glam::Vec3;

use super::cell_query::CellQuery;
use super::filters::{FilterMask, QueryFilter};
use super::grid::{Grid, Observer};
use super::lanes::{self, Kernel, LANES, lanes_of, splat, within};
use super::list::Neighbor;
use super::periodic::ImageShift;
use super::scan::{Centers, specialize};
use super::simd::Simd;
use super::view_lanes::{ViewFrame, ViewLanes};
use crate::world::Units;

/// Maximum length of lists that are sorted by rank.
const MAX_COUNTED: usize = 64;

/// The units of a source, as sort keys: the bits of the squared distance, then the index. The bits of non-negative
/// floats are ordered like the floats.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighborList {
    keys: Vec<u64>,
    spare: Vec<u64>,
    origin: Origin,
    neighbors: Vec<Neighbor>,
    sorted: bool,
    /// The units within `limit_in_slots`, in slot order.
    in_slots: Vec<Neighbor>,
    limit_in_slots: Option<f32>,
}

impl NeighborList {
    /// Removes all units.
    pub(super) fn clear(&mut self) {
        self.sorted = false;
        self.limit_in_slots = None;
        self.keys.clear();
    }

    /// Gathers the candidates of `query` that pass, in slot order. `limit` is the maximum squared distance.
    pub(super) fn gather(
        &mut self,
        unit: usize,
        (filter, limit): (&QueryFilter, f32),
        query: &CellQuery,
        units: &Units,
        grid: &Grid,
    ) {
        self.clear();
        let (position, shift) = (query.center, query.shift);
        self.origin = Origin { position, shift };
        let (keys, mask) = (&mut self.keys, filter.mask());
        let view = filter.view.map(|view| ViewFrame::new(view, unit, units));
        lanes::run(Scan { keys, grid, limit, mask, view, query });
    }

    /// Gathers the units of `others`, in this order.
    pub(super) fn gather_units(
        &mut self,
        others: &[u32],
        observer: &Observer,
        positions: &[Vec3],
        shift: ImageShift,
    ) {
        self.clear();
        let position = observer.position;
        self.origin = Origin { position, shift };
        self.keys.extend(others.iter().map(|unit| {
            let offset = self.origin.offset(*unit as usize, positions);
            key(offset.length_squared().to_bits(), *unit)
        }));
    }

    /// Gathers up to `max` units of another list that satisfy `predicate`, nearest first, within `limit`, a squared
    /// distance.
    pub(super) fn select(
        &mut self,
        from: &mut Self,
        (limit, max): (f32, usize),
        positions: &[Vec3],
        predicate: impl Fn(usize) -> bool,
    ) {
        self.clear();
        self.origin = from.origin;
        self.sorted = true;
        let ordered = from.ordered(positions).iter();
        let near = ordered.take_while(|it| it.distance_squared <= limit);
        self.neighbors.clear();
        self.neighbors.extend(near.filter(|it| predicate(it.unit)).take(max));
        let keys = self.neighbors.iter();
        self.keys.extend(keys.map(|it| key(it.distance_squared.to_bits(), it.unit as u32)));
    }

    /// Returns offsets and indices of the units within `limit`, a squared distance, in the order of gathering.
    pub(super) fn within(&self, limit: f32, units: &Units) -> impl Iterator<Item = (Vec3, usize)> {
        let near = (self.keys.iter()).filter(move |key| square_of(**key) <= limit);
        near.map(|key| {
            let unit = unit_of(*key);
            (self.origin.offset(unit, &units.position), unit)
        })
    }

    /// Returns the nearest unit.
    pub(super) fn nearest(&self, positions: &[Vec3]) -> Option<Neighbor> {
        let key = self.keys.iter().min()?;
        Some(self.origin.neighbor(*key, positions))
    }

    /// Returns the farthest unit within `limit`, a squared distance.
    pub(super) fn farthest(&self, limit: f32, positions: &[Vec3]) -> Option<Neighbor> {
        let near = (self.keys.iter()).filter(|key| square_of(**key) <= limit);
        Some(self.origin.neighbor(*near.max()?, positions))
    }

    /// Returns all units, nearest first.
    #[inline(always)]
    pub(super) fn ordered(&mut self, positions: &[Vec3]) -> &[Neighbor] {
        if !self.sorted {
            self.sort(positions);
        }
        &self.neighbors
    }

    /// Returns the units within `limit`, a squared distance, in the order of gathering.
    pub(super) fn in_slots(&mut self, limit: f32, positions: &[Vec3]) -> &[Neighbor] {
        if self.limit_in_slots != Some(limit) {
            let (keys, origin) = (self.keys.iter(), self.origin);
            let near = keys.filter(|key| square_of(**key) <= limit);
            self.in_slots.clear();
            self.in_slots.extend(near.map(|key| origin.neighbor(*key, positions)));
            self.limit_in_slots = Some(limit);
        }
        &self.in_slots
    }

    #[inline(never)]
    fn sort(&mut self, positions: &[Vec3]) {
        self.sorted = true;
        let (count, origin) = (self.keys.len(), self.origin);
        if count > MAX_COUNTED {
            self.spare.clone_from(&self.keys);
            self.spare.sort_unstable();
            self.neighbors.clear();
            let neighbors = self.spare.iter().map(|key| origin.neighbor(*key, positions));
            self.neighbors.extend(neighbors);
            return;
        }
        let (keys, mut ranks) = (&self.keys[..], [0; MAX_COUNTED]);
        let rank = Rank { keys, ranks: &mut ranks };
        lanes::run(rank);
        self.neighbors.resize(count, Neighbor::default());
        for (key, rank) in self.keys.iter().zip(ranks) {
            self.neighbors[rank as usize] = origin.neighbor(*key, positions);
        }
    }
}

/// Position of the observer, and wrapping of offsets from it.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    position: Vec3,
    shift: ImageShift,
}

impl Origin {
    #[inline(always)]
    fn offset(self, unit: usize, positions: &[Vec3]) -> Vec3 {
        self.shift.minimum_image(positions[unit] - self.position)
    }

    #[inline(always)]
    fn neighbor(self, key: u64, positions: &[Vec3]) -> Neighbor {
        let unit = unit_of(key);
        Neighbor {
            unit,
            position: self.position + self.offset(unit, positions),
            distance_squared: square_of(key),
        }
    }
}

/// Counts the smaller keys of each key, without data-dependent branches.
struct Rank<'a> {
    keys: &'a [u64],
    ranks: &'a mut [u64; MAX_COUNTED],
}

impl Kernel for Rank<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let mut padded = [0; MAX_COUNTED];
        padded[..self.keys.len()].copy_from_slice(self.keys);
        let ranks = self.ranks.chunks_exact_mut(LANES);
        let blocks = padded.chunks_exact(LANES).zip(ranks);
        for (own, ranks) in blocks.take(self.keys.len().div_ceil(LANES)) {
            let mut before = [0; LANES];
            for key in self.keys {
                for lane in 0..LANES {
                    before[lane] += u64::from((*key as i64) < own[lane] as i64);
                }
            }
            ranks.copy_from_slice(&before);
        }
    }
}

/// Appends the keys of the candidates within `limit` that pass, by branch-free compaction.
struct Scan<'a> {
    keys: &'a mut Vec<u64>,
    grid: &'a Grid,
    /// Maximum squared distance.
    limit: f32,
    mask: Option<FilterMask>,
    view: Option<ViewFrame>,
    query: &'a CellQuery,
}

impl Kernel for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (mask, shift) = (self.mask, self.query.shift);
        match shift {
            ImageShift::Many(_) => self.scan::<S, true, true>(simd, mask),
            _ => specialize!([WRAPS = shift.wraps(), MASKED = mask.is_some()]
                self.scan::<S, WRAPS, false>(simd, if MASKED { mask } else { None })),
        }
    }
}

impl Scan<'_> {
    #[inline(always)]
    fn scan<S: Simd, const WRAPS: bool, const FAR: bool>(self, simd: S, mask: Option<FilterMask>) {
        let (grid, blocks) = (self.grid, self.query.blocks());
        let center = splat(simd, self.query.center.to_array());
        let centers = Centers::<S, false, WRAPS, FAR>::new(simd, center, self.query.shift);
        let limit = simd.splat_f32s(self.limit);
        #[allow(clippy::manual_map, reason = "a closure would not be compiled for the vectors")]
        let view = match &self.view {
            Some(frame) => Some(ViewLanes::new(simd, frame)),
            None => None,
        };
        self.keys.resize(blocks.len() * LANES, 0);
        let (keys, mut count) = (&mut self.keys[..], 0);
        for masked in blocks {
            let block = &grid.blocks[masked.block as usize];
            let (offset, square) = centers.offset(simd, block.positions(simd));
            let mut counts = simd.and_u32s(lanes_of(simd, masked.mask), within(simd, square, limit));
            if let Some(mask) = mask {
                let passing = grid.masks.passing(simd, mask, masked.block as usize);
                counts = simd.and_u32s(counts, passing);
            }
            if let Some(view) = &view {
                counts = simd.and_u32s(counts, view.admits::<false>(simd, offset, square, counts));
            }
            // Excluded units have all bits set, including the sign.
            let squares = simd.or_u32s(simd.transmute_u32s_f32s(square), simd.not_u32s(counts));
            let squares: [u32; LANES] = pulp::cast(squares);
            let candidates: [u64; LANES] = std::array::from_fn(|lane| key(squares[lane], block.units[lane]));
            // Compaction: excluded keys are overwritten by the next one.
            let predicate = &mut keys[count..count + LANES];
            let mut next = 0;
            for candidate in candidates {
                predicate[next % LANES] = candidate;
                next += 1 - (candidate >> 63) as usize;
            }
            count += next;
        }
        self.keys.truncate(count);
    }
}

#[inline(always)]
pub(super) fn key(square: u32, unit: u32) -> u64 {
    u64::from(square) << 32 | u64::from(unit)
}

pub(super) fn unit_of(key: u64) -> usize {
    key as u32 as usize
}

pub(super) fn square_of(key: u64) -> f32 {
    f32::from_bits((key >> 32) as u32)
}
