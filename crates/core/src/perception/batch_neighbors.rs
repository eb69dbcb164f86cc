//! Lists for all units of a batch, in slot order: compiled code iterates over them for eight units at a time.
//!
//! About half of the candidates are in the list of some unit of the batch, so a branch would be mispredicted.
//! Compaction is branch-free: every candidate is stored, and the index advances only if a lane lists it.

use super::lanes::{self, Kernel, LANES, Lanes, any, within};
use super::scan::{BatchScan, specialize};
use super::simd::Simd;

/// A unit in the list of at least one unit of a batch.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchNeighbor {
    /// Its apparent position for each unit of the batch, by component.
    pub position: [Lanes; 3],
    /// For each unit of the batch, all bits set if its list contains this unit, else 0.
    pub lanes: [u32; LANES],
    /// Squared distances.
    pub square: Lanes,
    /// Work of each unit in the compiled loop over the list, written by prefilters.
    pub work: [u32; LANES],
    /// Its velocity.
    pub velocity: [f32; 3],
    /// Its index.
    pub unit: u32,
    /// Result of the prefilter: a bit for each unit that iterates over this one.
    pub selected: u32,
}

/// Maximum number of cached lists of a batch.
const MAX_LISTS: usize = 4;

/// Maximum number of candidates for a list; limits the memory per thread.
const MAX_CANDIDATES: usize = 1 << 14;

/// Relative squared radius below which most candidates are in no list, so that an early branch pays.
const SPARSE: f32 = 1.0 / 16.0;

/// Lists of a batch by their keys, cached until the next batch starts.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchLists {
    lists: [BatchList; MAX_LISTS],
    /// Number of lists made; a new list replaces the oldest.
    made: usize,
}

#[derive(Clone, Debug, Default)]
struct BatchList {
    key: u64,
    /// The first `count` elements are valid.
    neighbors: Vec<BatchNeighbor>,
    count: usize,
    /// True if no z was ever written, so that all are 0.
    is_flat: bool,
}

impl BatchLists {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.made = 0;
    }

    /// Returns the position of a list in the cache.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        self.lists[..self.made.min(MAX_LISTS)].iter().position(|list| list.key == key)
    }

    pub(super) fn at(&mut self, position: usize) -> &mut [BatchNeighbor] {
        let list = &mut self.lists[position % MAX_LISTS];
        &mut list.neighbors[..list.count]
    }

    /// Gathers and caches a list, unless there are too many candidates. Returns its position.
    pub(super) fn gather(&mut self, key: u64, scan: BatchScan<'_>) -> Option<usize> {
        let max = scan.runs.iter().map(|[from, to]| (to - from) as usize).sum();
        if max > MAX_CANDIDATES {
            return None;
        }
        let position = self.made % MAX_LISTS;
        self.made += 1;
        let list = &mut self.lists[position];
        if list.is_flat != scan.grid.flat {
            list.neighbors.clear();
            list.is_flat = scan.grid.flat;
        }
        if list.neighbors.len() < max {
            list.neighbors.resize(max, BatchNeighbor::default());
        }
        (list.key, list.count) = (key, lanes::run(Compaction { scan, neighbors: &mut list.neighbors }));
        Some(position)
    }
}

struct Compaction<'a> {
    scan: BatchScan<'a>,
    neighbors: &'a mut [BatchNeighbor],
}

impl Kernel for Compaction<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let BatchScan { grid, filter, shift, .. } = self.scan;
        specialize!([FLAT = grid.flat, WRAPS = shift.wraps(), VIEW = filter.view.is_some()]
            self.compact::<S, FLAT, WRAPS, VIEW>(simd))
    }
}

impl Compaction<'_> {
    /// Branch-free compaction: every candidate is stored, and the index advances only if a lane lists it. About half of
    /// them are listed, so a branch would be mispredicted. Short lists branch before the view test.
    #[inline(always)]
    fn compact<S: Simd, const FLAT: bool, const WRAPS: bool, const VIEW: bool>(self, simd: S) -> usize {
        let (scan, neighbors) = (self.scan, self.neighbors);
        let observers = scan.observers::<S, FLAT, WRAPS>(simd, scan.view());
        let (is_sparse, mut count) = (scan.limit < scan.filter.limit * SPARSE, 0);
        let limit = simd.splat_f32s(scan.limit);
        scan.each(
            simd,
            &observers.centers,
            scan.filter.mask(),
            #[inline(always)]
            |slot, (block, lane), offset, square| {
                let mut lists = simd.and_u32s(observers.others(simd, slot), within(simd, square, limit));
                if is_sparse && !any(simd, lists) {
                    return;
                }
                if VIEW {
                    let admitted = observers.view.admits::<FLAT>(simd, offset, square, lists);
                    lists = simd.and_u32s(lists, admitted);
                }
                let neighbor = &mut neighbors[count];
                for (axis, offset) in offset.into_iter().enumerate().take(if FLAT { 2 } else { 3 }) {
                    let position = simd.add_f32s(observers.centers.at[axis], offset);
                    neighbor.position[axis] = pulp::cast(position);
                }
                neighbor.lanes = pulp::cast(lists);
                neighbor.square = pulp::cast(square);
                neighbor.velocity = block.velocity(lane).to_array();
                neighbor.unit = block.units[lane];
                count += usize::from(any(simd, lists));
            },
        );
        count
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::MAX_CANDIDATES;
    use crate::perception::{Grid, List, NeighborQueries, Source};
    use crate::world::{Edges, Extrema, NamedView, View, World, testing};

    fn world(flat: bool, seamless: bool) -> World {
        let mut world = testing::world(&[300, 80], 2.0, |_, draw| {
            let z = if flat { 0.0 } else { draw(4) };
            let position = Vec3::new(draw(0) * 10.0, draw(1) * 10.0, z);
            (position, Vec3::new(draw(2), draw(3), z))
        });
        world.arena = testing::plane(10.0, 10.0, Edges::Wrap);
        world.arena.seamless = seamless;
        for (group, kinds) in world.groups.iter_mut().zip([1, 2]) {
            (group.kinds, group.enemies, group.sense) = (kinds, 3 - kinds, 1.7);
        }
        for (unit, heading) in world.units.heading.iter_mut().enumerate() {
            *heading = Vec3::new((unit % 7) as f32 - 3.0, (unit % 5) as f32 - 1.5, 0.0).normalize();
        }
        let cone = View::Cone { radius: 1.6, cosine: -0.3 };
        world.views.push(NamedView { name: "cone".to_owned(), view: cone });
        world
    }

    #[test]
    fn lanes_equal_the_lists_of_their_units_bit_for_bit() {
        // In sequence: no state of one world affects the next.
        let mut queries = NeighborQueries::default();
        for (flat, seamless) in [(true, true), (false, false)] {
            let world = world(flat, seamless);
            let mut grid = Grid::default();
            grid.rebuild(&world);
            let (mut single, mut seen) = (NeighborQueries::default(), 0);
            let mut rows = grid.rows();
            rows.retain(|[unit, _]| world.units.group[*unit as usize] == 0);
            let mut from = 0;
            while from < rows.len() {
                let count = queries.start_batch(&rows[from..], &grid);
                for (source, within) in [
                    (Source::Neighbors, f32::INFINITY),
                    (Source::Neighbors, 0.3),
                    (Source::Others, 0.8),
                    (Source::Others, 0.8),
                    (Source::Others, 1.2),
                    (Source::Neighbors, 0.0),
                    (Source::Enemies, f32::INFINITY),
                    (Source::View(world.views.len() - 1), 1.5),
                    (Source::Others, f32::NAN),
                ] {
                    let list = List { source, within };
                    let found = queries.of_batch(&world, &grid).neighbors(list).unwrap().to_vec();
                    let nearest = queries.of_batch(&world, &grid).nearest(list).unwrap();
                    for lane in 0..count {
                        let unit = rows[from + lane][0] as usize;
                        single.set_unit(unit);
                        let mut expected = single.ordered(list, &world, &grid).to_vec();
                        let first = expected.first().map(|it| {
                            let velocity = world.units.velocity[it.unit];
                            (it.unit, it.position.to_array(), velocity.to_array())
                        });
                        let found_first = (nearest.found[lane] != 0).then(|| {
                            let of = |parts: [[f32; 8]; 3]| parts.map(|of| of[lane]);
                            (nearest.unit[lane] as usize, of(nearest.position), of(nearest.velocity))
                        });
                        assert_eq!(found_first, first, "{list:?}, unit {unit}");
                        expected.sort_by_key(|it| grid.slot(it.unit));
                        let mine = found.iter().filter(|it| it.lanes[lane] != 0);
                        let mine: Vec<_> = mine
                            .map(|it| (it.unit as usize, it.position.map(|of| of[lane].to_bits())))
                            .collect();
                        let expected: Vec<_> = (expected.iter())
                            .map(|it| (it.unit, it.position.to_array().map(f32::to_bits)))
                            .collect();
                        assert_eq!(mine, expected, "{list:?}, unit {unit}");
                        seen += mine.len();
                    }
                    let mut reaches = [-1.0; 8];
                    for (lane, reach) in reaches.iter_mut().enumerate().take(count) {
                        *reach = within.lesser(0.4 * lane as f32 - 0.4);
                    }
                    let means =
                        *queries.of_batch(&world, &grid).means_within((source, &reaches), true).unwrap();
                    for lane in (0..count).filter(|_| !within.is_nan()) {
                        single.set_unit(rows[from + lane][0] as usize);
                        let expected = single.means(List { source, within: reaches[lane] }, &world, &grid);
                        assert_eq!(format!("{:?}", means.of(lane)), format!("{expected:?}"), "{reaches:?}");
                    }
                    assert!(found.iter().all(|it| it.lanes[count..].iter().all(|lane| *lane == 0)));
                    for it in &found {
                        assert_eq!(it.velocity, world.units.velocity[it.unit as usize].to_array());
                    }
                }
                from += count;
            }
            assert!(seen > 1000, "{seen}");
        }
    }

    #[test]
    fn too_many_candidates_are_left_to_each_unit_for_every_request() {
        let world = testing::world(&[MAX_CANDIDATES + 1], 2.0, |_, draw| {
            (Vec3::new(draw(0), draw(1), 0.0), Vec3::ZERO)
        });
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let mut queries = NeighborQueries::default();
        queries.start_batch(&grid.rows(), &grid);
        for _ in 0..2 {
            assert!(queries.of_batch(&world, &grid).neighbors(List::all(Source::Others)).is_none());
        }
    }
}
