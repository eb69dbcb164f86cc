//! All units of a source that one unit sees: as they stand in the grid, and nearest first.

use glam::Vec3;
use pulp::Simd;

use super::asks::Ask;
use super::eye::{Case, Cased, Eye, near};
use super::kin::Who;
use super::lanes::{self, LANES, Pass};
use super::question::{Gaze, Question};
use super::seam::Laps;
use super::{Grid, Neighbor};
use crate::world::Units;

/// Most units that are sorted by counting how many come before each.
const FEW: usize = 64;

/// The units of a source. A key is a unit behind its squared distance: keys sort as lists do, as the
/// bits of numbers that are not negative sort as they do.
#[derive(Clone, Debug, Default)]
pub(super) struct NeighborList {
    keys: Vec<u64>,
    spare: Vec<u64>,
    post: Post,
    seen: Vec<Neighbor>,
    sorted: bool,
}

impl NeighborList {
    /// Gathers nobody.
    pub(super) fn clear(&mut self) {
        self.sorted = false;
        self.keys.clear();
    }

    /// Gathers who answers the question of unit `unit`, in the order of the grid.
    pub(super) fn gather(
        &mut self,
        (ask, question): (&Ask, &Question),
        (unit, units): (usize, &Units),
        grid: &Grid,
    ) {
        self.clear();
        self.post = Post {
            position: question.center,
            laps: question.laps,
        };
        let keys = &mut self.keys;
        match question.laps {
            Laps::Many(_) => search(keys, grid, ask, question),
            _ => lanes::run(Scan {
                keys,
                grid,
                ask,
                question,
            }),
        }
        if let Some(view) = ask.view {
            let (gaze, post) = (Gaze::of(view, unit, units), self.post);
            keys.retain(|key| gaze.admits(post.offset(unit_of(*key), &units.position)));
        }
    }

    /// Offsets to those within `limit`, a squared distance, and their velocities, in the order of the
    /// grid.
    pub(super) fn within(&self, limit: f32, units: &Units) -> impl Iterator<Item = (Vec3, Vec3)> {
        let near = (self.keys.iter()).filter(move |key| square_of(**key) <= limit);
        near.map(|key| {
            let unit = unit_of(*key);
            (
                self.post.offset(unit, &units.position),
                units.velocity[unit],
            )
        })
    }

    /// The nearest of all.
    pub(super) fn nearest(&self, positions: &[Vec3]) -> Option<Neighbor> {
        let key = self.keys.iter().min()?;
        Some(self.post.seen(*key, positions))
    }

    /// All of them, nearest first.
    #[inline(always)]
    pub(super) fn ordered(&mut self, positions: &[Vec3]) -> &[Neighbor] {
        if !self.sorted {
            self.sort(positions);
        }
        &self.seen
    }

    #[inline(never)]
    fn sort(&mut self, positions: &[Vec3]) {
        self.sorted = true;
        let (count, post) = (self.keys.len(), self.post);
        if count > FEW {
            self.spare.clone_from(&self.keys);
            self.spare.sort_unstable();
            self.seen.clear();
            let seen = self.spare.iter().map(|key| post.seen(*key, positions));
            self.seen.extend(seen);
            return;
        }
        let (keys, mut ranks) = (&self.keys, [0; FEW]);
        lanes::run(Rank {
            keys,
            ranks: &mut ranks,
        });
        self.seen.resize(count, Neighbor::default());
        for (key, rank) in self.keys.iter().zip(ranks) {
            self.seen[rank as usize] = post.seen(*key, positions);
        }
    }
}

/// Where the unit that looks stands, and how offsets from it are taken.
#[derive(Clone, Copy, Debug, Default)]
struct Post {
    position: Vec3,
    laps: Laps,
}

impl Post {
    #[inline(always)]
    fn offset(self, unit: usize, positions: &[Vec3]) -> Vec3 {
        self.laps.shortest(positions[unit] - self.position)
    }

    #[inline(always)]
    fn seen(self, key: u64, positions: &[Vec3]) -> Neighbor {
        let unit = unit_of(key);
        Neighbor {
            unit,
            position: self.position + self.offset(unit, positions),
            distance_squared: square_of(key),
        }
    }
}

/// Counts how many keys come before each: no branch depends on what they are.
struct Rank<'a> {
    keys: &'a [u64],
    ranks: &'a mut [u64; FEW],
}

impl Pass for Rank<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let mut padded = [0; FEW];
        padded[..self.keys.len()].copy_from_slice(self.keys);
        let blocks = padded
            .chunks_exact(LANES)
            .zip(self.ranks.chunks_exact_mut(LANES));
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

/// Keeps the keys of those who count, without a branch for each.
struct Scan<'a> {
    keys: &'a mut Vec<u64>,
    grid: &'a Grid,
    ask: &'a Ask,
    question: &'a Question,
}

impl Pass for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let wraps = matches!(self.question.laps, Laps::One(_));
        // What few ask for is not worth code of its own.
        match (wraps, self.ask.is_choosy()) {
            (false, false) => self.scan::<S, Cased<false, false, false>>(simd),
            (false, true) => self.scan::<S, Cased<false, false, true>>(simd),
            (true, false) => self.scan::<S, Cased<false, true, false>>(simd),
            (true, true) => self.scan::<S, Cased<false, true, true>>(simd),
        }
    }
}

impl Scan<'_> {
    #[inline(always)]
    fn scan<S: Simd, C: Case>(self, simd: S) {
        let (grid, blocks) = (self.grid, self.question.blocks());
        let eye = Eye::new(simd, grid, self.ask, self.question);
        let limit = simd.splat_f32s(self.ask.limit);
        self.keys.resize(blocks.len() * LANES, 0);
        let (keys, mut count) = (&mut self.keys[..], 0);
        for block in blocks {
            let batch = &grid.batches[block.batch as usize];
            let (_, square) = eye.look::<C>(simd, batch);
            let wanted = eye.wanted::<C>(simd, *block);
            let counts = simd.and_u32s(wanted, near(simd, square, limit));
            // All bits set, the sign among them, where a unit does not count.
            let squares = simd.or_u32s(simd.transmute_u32s_f32s(square), simd.not_u32s(counts));
            let squares: [u32; LANES] = pulp::cast(squares);
            let units = &batch.units;
            let candidates: [u64; LANES] =
                std::array::from_fn(|lane| key(squares[lane], units[lane]));
            // Whoever counts stays; the others are overwritten by the next.
            let kept = &mut keys[count..count + LANES];
            let mut next = 0;
            for candidate in candidates {
                kept[next % LANES] = candidate;
                next += 1 - (candidate >> 63) as usize;
            }
            count += next;
        }
        self.keys.truncate(count);
    }
}

/// As [`Scan`], where units may be laps away.
fn search(keys: &mut Vec<u64>, grid: &Grid, ask: &Ask, question: &Question) {
    for block in question.blocks() {
        let lanes = (0..LANES).filter(|lane| block.mask >> lane & 1 == 1);
        for slot in lanes.map(|lane| block.batch as usize * LANES + lane) {
            let offset = (question.laps).shortest(grid.position(slot) - question.center);
            let square = offset.length_squared();
            let wanted = match ask.who {
                Who::Some(wanted) => grid.kin.holds(wanted, slot),
                _ => true,
            };
            if wanted && square <= ask.limit {
                keys.push(key(
                    square.to_bits(),
                    grid.batches[slot / LANES].units[slot % LANES],
                ));
            }
        }
    }
}

#[inline(always)]
fn key(square: u32, unit: u32) -> u64 {
    u64::from(square) << 32 | u64::from(unit)
}

fn unit_of(key: u64) -> usize {
    key as u32 as usize
}

fn square_of(key: u64) -> f32 {
    f32::from_bits((key >> 32) as u32)
}
