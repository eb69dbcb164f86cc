//! The lists of one unit, computed when they are first asked for.

use glam::Vec3;

use super::batch_nearest::NearestUnits;
use super::batch_neighbors::BatchLists;
use super::batch_ordered::OrderedLists;
use super::batch_selection::Selection;
use super::filters::QueryFilter;
use super::grid::Grid;
use super::list::{List, Neighbor, Source};
use super::mean_kernel::MeanKernel;
use super::means::{MeansCache, NeighborMeans, NeighborMeansX8};
use super::neighbor_list::NeighborList;
use super::periodic::ImageShift;
use super::query_batch::QueryBatch;
use super::source_lists::{Gathered, SourceLists};
use crate::world::World;

/// Most lists that are remembered from unit to unit.
const RECENT: usize = 8;
/// Most selections for one unit in one step.
pub const MOST_SELECTIONS: usize = 256;

/// The lists of one unit, kept until the next unit is set, and the means for all units of its batch, kept
/// until the next batch starts.
#[derive(Clone, Debug, Default)]
pub struct NeighborQueries {
    unit: usize,
    pub(super) batch: QueryBatch,
    /// The unit's lane in the batch.
    lane: usize,
    /// Counts the batches: what was gathered for another is out of date.
    pub(super) turn: u64,
    /// By the index of their source.
    lists: Vec<SourceLists>,
    /// What was selected of other lists for the unit; the first `selected` count.
    selections: Vec<NeighborList>,
    selected: usize,
    means: MeansCache,
    /// Lists of all units of the batch.
    pub(super) of_batch: BatchLists,
    pub(super) ordered_of_batch: OrderedLists,
    pub(super) selection: Selection,
    pub(super) nearest: NearestUnits,
    /// Lists whose means were asked for, and whether their velocities were.
    recent: Vec<(List, bool)>,
    /// Slots to look at.
    pub(super) runs: Vec<[u32; 2]>,
}

/// The part of a view's radius up to which units count as near.
const NEAR: f32 = 0.7;

impl NeighborQueries {
    /// Sets the unit, in no batch, and drops the lists of the last.
    #[inline]
    pub fn set_unit(&mut self, unit: usize) {
        self.batch.count = 0;
        self.start_turn();
        self.set_unit_in_batch(unit, 0);
    }

    /// Starts a batch with `rows[0]` and up to seven following rows; returns its size. Rows are units
    /// of one group and their slots in the order of the grid, at least one.
    #[inline]
    pub fn start_batch(&mut self, rows: &[[u32; 2]], grid: &Grid) -> usize {
        self.start_turn();
        self.batch.set(rows, grid);
        self.batch.count
    }

    #[inline(always)]
    fn start_turn(&mut self) {
        self.turn += 1;
        self.means.clear();
        self.of_batch.clear();
        self.ordered_of_batch.clear();
    }

    /// Sets the unit, which is number `lane` of the batch. What was gathered for it is kept, but for what was selected.
    #[inline]
    pub fn set_unit_in_batch(&mut self, unit: usize, lane: usize) {
        self.selected = 0;
        self.unit = unit;
        self.lane = lane;
    }

    /// Drops everything that depends on the world, as the next units live in another.
    pub fn invalidate(&mut self) {
        self.set_unit(0);
        self.recent.clear();
        self.lists.iter_mut().for_each(SourceLists::invalidate);
    }

    /// The means over a list. They are the same whatever else was asked before.
    #[inline]
    pub fn means(&mut self, list: List, world: &World, grid: &Grid) -> NeighborMeans {
        let (means_x8, lane) = self.means_x8(list, true, world, grid);
        means_x8.of(lane)
    }

    /// As [`NeighborQueries::means`]: those of the whole batch, and the unit's lane. The means of velocities may be
    /// anything if they are not asked for.
    #[inline]
    pub fn means_x8(
        &mut self,
        list: List,
        velocities: bool,
        world: &World,
        grid: &Grid,
    ) -> (&NeighborMeansX8, usize) {
        let cached = self.find_means(list, velocities);
        let at = cached.unwrap_or_else(|| self.compute_means((list, velocities), world, grid));
        (self.means.at(at), self.lane)
    }

    #[inline(always)]
    fn find_means(&self, list: List, velocities: bool) -> Option<usize> {
        let places = if velocities { None } else { self.means.find(list.key_of_means(false), self.lane) };
        places.or_else(|| self.means.find(list.key(), self.lane))
    }

    /// The means computed so far, and the unit's lane in them.
    pub fn means_cache(&self) -> (&MeansCache, usize) {
        (&self.means, self.lane)
    }

    /// The mean of the headings in a list, of unit length; zero where they cancel out or there are none.
    pub fn mean_heading(&mut self, list: List, world: &World, grid: &Grid) -> Vec3 {
        let gathered = self.gathered(list, world, grid);
        let others = gathered.within(list.limit(), &world.units);
        let sum = others.fold(Vec3::ZERO, |sum, (_, unit)| sum + world.units.heading[unit]);
        sum.normalize_or_zero()
    }

    /// The nearest unit of `list`; of equally near ones the one of least index.
    pub fn nearest(&mut self, list: List, world: &World, grid: &Grid) -> Option<Neighbor> {
        let gathered = self.gathered(list, world, grid);
        let nearest = gathered.nearest(&world.units.position)?;
        (nearest.distance_squared <= list.limit()).then_some(nearest)
    }

    /// The farthest unit of `list`; of equally far ones the one of greatest index.
    pub fn farthest(&mut self, list: List, world: &World, grid: &Grid) -> Option<Neighbor> {
        let gathered = self.gathered(list, world, grid);
        gathered.farthest(list.limit(), &world.units.position)
    }

    /// The `index`-th nearest unit of `list`; equally near ones in the order of their index.
    #[inline]
    pub fn nth(&mut self, list: List, index: usize, world: &World, grid: &Grid) -> Option<Neighbor> {
        let gathered = self.gathered(list, world, grid);
        let neighbor = gathered.ordered(&world.units.position).get(index)?;
        (neighbor.distance_squared <= list.limit()).then_some(*neighbor)
    }

    /// The units of `list`, nearest first; equally near ones in the order of their index. The slice stays where
    /// it is until the next unit is set.
    #[inline]
    pub fn ordered(&mut self, list: List, world: &World, grid: &Grid) -> &[Neighbor] {
        let gathered = self.gathered(list, world, grid);
        let neighbors = gathered.ordered(&world.units.position);
        if list.within == f32::INFINITY {
            return neighbors;
        }
        let limit = list.limit();
        &neighbors[..neighbors.partition_point(|it| it.distance_squared <= limit)]
    }

    /// The units of `list` in the order of the grid's slots, whatever else was asked before; of a selection, as
    /// they were selected. The slice lasts until another list of the same source is asked for in this way.
    pub fn in_slots(&mut self, list: List, world: &World, grid: &Grid) -> &[Neighbor] {
        let gathered = self.gathered(list, world, grid);
        gathered.in_slots(list.limit(), &world.units.position)
    }

    /// The `most` nearest units of a list that are `kept`, as a list that lasts until the next unit is set;
    /// `None` if there are too many of them already.
    pub fn select(
        &mut self,
        list: List,
        most: usize,
        (world, grid): (&World, &Grid),
        kept: impl Fn(usize) -> bool,
    ) -> Option<List> {
        let at = self.selected;
        if at == MOST_SELECTIONS {
            return None;
        }
        if self.selections.len() == at {
            self.selections.push(NeighborList::default());
        }
        let mut selection = std::mem::take(&mut self.selections[at]);
        let from = self.gathered(list, world, grid);
        selection.select(from, (list.limit(), most), &world.units.position, kept);
        self.selections[at] = selection;
        self.selected = at + 1;
        Some(List::all(Source::Selection(at as u16)))
    }

    /// Units of the list's source, those of the list among them.
    #[inline(always)]
    fn gathered(&mut self, list: List, world: &World, grid: &Grid) -> &mut NeighborList {
        if let Source::Selection(at) = list.source {
            return &mut self.selections[at as usize];
        }
        let is_near = self.find(list).unwrap_or_else(|| self.gather(list, world, grid));
        let lists = &mut self.lists[list.source.index()];
        let gathered = if is_near { &mut lists.near } else { &mut lists.all };
        &mut gathered.lanes[self.lane].list
    }

    /// As [`NeighborQueries::gathered`], where that is done.
    fn known(&self, list: List) -> &NeighborList {
        if let Source::Selection(at) = list.source {
            return &self.selections[at as usize];
        }
        let lists = &self.lists[list.source.index()];
        let gathered = if self.find(list) == Some(true) { &lists.near } else { &lists.all };
        &gathered.lanes[self.lane].list
    }

    /// Whether a list is found in the near units of its source; `None` if it is to be gathered yet.
    #[inline(always)]
    fn find(&self, list: List) -> Option<bool> {
        self.lists.get(list.source.index())?.find(list.within, self.lane, self.turn)
    }

    /// Gathers the units of a list's source: the near ones if those are enough and not gathered yet, else all.
    /// Returns whether it did the former.
    #[inline(never)]
    fn gather(&mut self, list: List, world: &World, grid: &Grid) -> bool {
        self.ensure_batch(grid);
        let observer = grid.observer(self.batch.slots[self.lane] as usize);
        let (unit, units, index) = (self.unit, &world.units, list.source.index());
        if self.lists.len() <= index {
            self.lists.resize_with(index + 1, SourceLists::default);
        }
        let SourceLists { all, near, short } = &mut self.lists[index];
        let filter = grid.filters.of(observer.group, list.source);
        // It is false for what is no number, too.
        let is_short = list.within <= filter.reach * NEAR && list.source != Source::Touching;
        if is_short {
            *short = short.max(list.within);
        }
        let is_near = is_short && near.lanes[self.lane].turn != self.turn;
        let reach = if is_near { short.min(filter.reach) } else { f32::INFINITY };
        let Gathered { query, lanes } = if is_near { near } else { all };
        let gathered = &mut lanes[self.lane];
        (gathered.turn, gathered.reach) = (self.turn, reach);
        gathered.list.clear();
        if list.source == Source::Touching {
            let (touching, shift) = (units.touching.of(unit), grid.periodic.any_shift());
            gathered.list.gather_units(touching, &observer, &units.position, shift);
        } else if filter.limit >= 0.0 {
            let list = List { within: reach, ..list };
            let limit = filter.limit.min(list.limit());
            query.prepare(list, filter, &observer, grid);
            gathered.list.gather(unit, (filter, limit), query, units, grid);
        }
        is_near
    }

    /// A unit that was set without a batch is one by itself.
    #[inline(always)]
    fn ensure_batch(&mut self, grid: &Grid) {
        if self.batch.count == 0 {
            let slot = grid.slot(self.unit) as u32;
            self.batch.set(&[[self.unit as u32, slot]], grid);
        }
    }

    /// Computes the means of a list and keeps them. Units of a group mostly ask for the same lists, so one
    /// pass also computes another list that was asked for before, and velocities only where they were.
    #[inline(never)]
    fn compute_means(&mut self, (list, velocities): (List, bool), world: &World, grid: &Grid) -> usize {
        self.ensure_batch(grid);
        let Some(filter) = self.filter_of_batch(list, grid) else {
            return self.compute_means_of_lane(list, world, grid);
        };
        let asked = (list, self.recall(list, velocities));
        let companion = self.companion(list).filter(|(other, _)| other.limit() >= 0.0);
        // Velocities are summed of the first list, or of both.
        let (lists, place) = match companion {
            Some(other) if other.1 => ([other, asked], 1),
            other => ([asked, other.unwrap_or(asked)], 0),
        };
        let count = if companion.is_some() { 2 } else { 1 };
        if filter.view.is_some() {
            self.batch.face(&world.units);
        }
        let limit = |(list, _): (List, bool)| filter.limit.min(list.limit());
        let limits = lists.map(limit);
        let (batch, reach) = (&self.batch, filter.reach.min(lists[0].0.within.max(lists[1].0.within)));
        let shift = if limits[0].max(limits[1]) < 0.0 {
            self.runs.clear();
            ImageShift::None
        } else {
            batch.candidates(reach, filter, grid, &mut self.runs)
        };
        let velocities = lists.map(|(_, velocities)| velocities);
        let kernel = MeanKernel { grid, filter, shift, batch, runs: &self.runs, limits, velocities };
        let keys = lists.map(|(list, velocities)| list.key_of_means(velocities));
        let (index, room) = self.means.insert(&keys[..count]);
        kernel.write(room);
        index + place
    }

    /// What filters a list for all units of the batch, if they can be looked at together: their candidates
    /// are then the same.
    fn filter_of_batch<'a>(&self, list: List, grid: &'a Grid) -> Option<&'a QueryFilter> {
        if !self.can_be_batched(list, grid) {
            return None;
        }
        Some(grid.filters.of(self.batch.group, list.source))
    }

    /// Whether the units of a batch can be looked at together: not where they are several periods away.
    pub(super) fn can_be_batched(&self, list: List, grid: &Grid) -> bool {
        let is_own = matches!(list.source, Source::Touching | Source::Selection(_));
        self.batch.count > 0 && !is_own && !grid.periodic.needs_many()
    }

    /// Computes the means of a list for the unit alone, from what is gathered of its source.
    fn compute_means_of_lane(&mut self, list: List, world: &World, grid: &Grid) -> usize {
        self.gathered(list, world, grid);
        let others = self.known(list).within(list.limit(), &world.units);
        let others = others.map(|(offset, unit)| (offset, world.units.velocity[unit]));
        let means = NeighborMeansX8::of_lane(self.lane, &self.batch, others);
        self.means.insert_lane(self.lane, list.key(), means)
    }

    /// Remembers that the means of a list are asked for; whether their velocities are, now or before.
    fn recall(&mut self, list: List, velocities: bool) -> bool {
        if let Some((_, known)) = self.recent.iter_mut().find(|(it, _)| it.key() == list.key()) {
            *known |= velocities;
            return *known;
        }
        if self.recent.len() < RECENT && list.limit() >= 0.0 {
            self.recent.push((list, velocities));
        }
        velocities
    }

    /// Another list of the same source that is likely to be asked for.
    fn companion(&self, list: List) -> Option<(List, bool)> {
        let of_source = |(other, _): &&(List, bool)| other.key() != list.key() && other.source == list.source;
        let mut others = self.recent.iter().filter(of_source);
        others.find(|(other, velocities)| self.find_means(*other, *velocities).is_none()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, testing};

    fn world() -> World {
        let mut world = testing::world(&[200, 10], 2.0, |_, draw| {
            (Vec3::new(draw(0), draw(1), 0.0) * 10.0, Vec3::new(draw(2), draw(3), 0.0))
        });
        world.arena = testing::plane(10.0, 10.0, Edges::Wrap);
        world.arena.seamless = true;
        for (group, kinds) in world.groups.iter_mut().zip([1, 2]) {
            (group.kinds, group.enemies, group.sense) = (kinds, 3 - kinds, 1.7);
        }
        world
    }

    #[test]
    fn near_units_are_the_first_of_all_whatever_was_asked_before() {
        let world = world();
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let (mut queries, mut found) = (NeighborQueries::default(), 0);
        for unit in 0..world.units.len() {
            queries.set_unit(unit);
            for (at, source) in [Source::Others, Source::Enemies, Source::Neighbors].into_iter().enumerate() {
                let mut whole = NeighborQueries::default();
                whole.set_unit(unit);
                let all = whole.ordered(List::all(source), &world, &grid).to_vec();
                for step in 0..5 {
                    let within = [0.6, 0.2, 1.3, 1.9, f32::NAN][(unit + at + step) % 5];
                    let list = List { source, within };
                    let limit = list.limit();
                    let near: Vec<_> =
                        all.iter().copied().filter(|it| it.distance_squared <= limit).collect();
                    let nearest = near.first().copied();
                    assert_eq!(queries.nearest(list, &world, &grid), nearest, "within {within}");
                    assert_eq!(queries.farthest(list, &world, &grid).is_some(), !near.is_empty());
                    assert_eq!(queries.ordered(list, &world, &grid), near, "within {within}");
                    found += near.len();
                }
            }
        }
        assert!(found > 1000);
    }

    #[test]
    fn slots_come_in_their_order_whatever_was_asked_before_and_in_every_batch() {
        let world = world();
        let mut grid = Grid::default();
        grid.rebuild(&world);
        let slot_of = |unit: usize| grid.order().iter().position(|it| *it as usize == unit);
        let rows: Vec<_> = (grid.order().iter().zip(0..))
            .filter(|(unit, _)| world.units.group[**unit as usize] == 0)
            .map(|(unit, slot)| [*unit, slot])
            .collect();
        let (mut queries, mut at, mut found) = (NeighborQueries::default(), 0, 0);
        while at < rows.len() {
            let count = queries.start_batch(&rows[at..], &grid);
            for lane in 0..count {
                let unit = rows[at + lane][0] as usize;
                queries.set_unit_in_batch(unit, lane);
                for step in 0..6 {
                    let within = [1.9, 0.6, f32::INFINITY, 0.2, 1.3, f32::NAN][(unit + step) % 6];
                    let list = List { source: Source::Others, within };
                    let mut alone = NeighborQueries::default();
                    alone.set_unit(unit);
                    let mut expected = alone.ordered(list, &world, &grid).to_vec();
                    expected.sort_by_key(|it| slot_of(it.unit));
                    if (unit + step).is_multiple_of(3) {
                        queries.ordered(List { within: 0.9, ..list }, &world, &grid);
                    }
                    assert_eq!(queries.in_slots(list, &world, &grid), expected, "within {within}");
                    found += usize::from(expected.len() > 5);
                }
            }
            at += count;
        }
        assert!(found > 100);
    }
}
