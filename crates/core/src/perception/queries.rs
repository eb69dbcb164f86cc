//! Neighbor queries of one unit, computed lazily and cached.

use glam::Vec3;

use super::batch_nearest::NearestUnits;
use super::batch_neighbors::BatchLists;
use super::batch_ordered::OrderedLists;
use super::batch_selection::Selection;
use super::filters::QueryFilter;
use super::grid::Grid;
use super::lanes::{LANES, Lanes};
use super::list::{List, Neighbor, Source, key_of_means};
use super::mean_kernel::MeanKernel;
use super::means::{MeansCache, NeighborMeans, NeighborMeansX8, Reaches};
use super::neighbor_list::NeighborList;
use super::query_batch::QueryBatch;
use super::scan::BatchScan;
use super::source_lists::{Gathered, SourceLists};
use crate::world::{Extrema, World};

/// Maximum number of lists whose requests are recorded for prediction.
const MAX_RECENT: usize = 8;
/// Maximum number of selections of a unit in a step.
pub const MAX_SELECTIONS: usize = 256;

/// The lists of one unit, cached until the next unit is set, and the means for all units of its batch, cached until the
/// next batch starts.
#[derive(Clone, Debug, Default)]
pub struct NeighborQueries {
    unit: usize,
    pub(super) batch: QueryBatch,
    /// The unit's lane in the batch.
    lane: usize,
    /// Number of the batch; data gathered in another epoch is out of date.
    pub(super) epoch: u64,
    /// Indexed by source.
    lists: Vec<SourceLists>,
    /// Selections of the unit; the first `selected` are valid.
    selections: Vec<NeighborList>,
    selected: usize,
    means: MeansCache,
    reaches: Reaches,
    /// Lists of all units of the batch.
    pub(super) batch_neighbors: BatchLists,
    pub(super) batch_ordered: OrderedLists,
    pub(super) selection: Selection,
    pub(super) nearest: NearestUnits,
    /// Lists whose means were requested, and whether their velocities were.
    recent: Vec<(List, bool)>,
    /// Slots of the candidates.
    pub(super) runs: Vec<[u32; 2]>,
}

/// Fraction of a view's radius up to which units are near.
const NEAR_FRACTION: f32 = 0.7;

impl NeighborQueries {
    /// Sets the unit, without a batch, and drops all lists.
    #[inline]
    pub fn set_unit(&mut self, unit: usize) {
        self.batch.count = 0;
        self.start_epoch();
        self.set_unit_in_batch(unit, 0);
    }

    /// Starts a batch with a prefix of `rows`, at most eight, and returns its size. Rows are units of one group and their
    /// slots, in slot order; at least one.
    #[inline]
    pub fn start_batch(&mut self, rows: &[[u32; 2]], grid: &Grid) -> usize {
        self.start_epoch();
        self.batch.set(rows, grid);
        self.batch.count
    }

    #[inline(always)]
    fn start_epoch(&mut self) {
        self.epoch += 1;
        self.means.clear();
        self.batch_neighbors.clear();
        self.batch_ordered.clear();
    }

    /// Sets the unit, which is in `lane` of the batch. Its cached lists stay valid, except selections.
    #[inline]
    pub fn set_unit_in_batch(&mut self, unit: usize, lane: usize) {
        self.selected = 0;
        self.unit = unit;
        self.lane = lane;
    }

    /// Drops everything that depends on the world.
    pub fn invalidate(&mut self) {
        self.set_unit(0);
        self.recent.clear();
        self.lists.iter_mut().for_each(SourceLists::invalidate);
    }

    /// Returns the means of a list. They do not depend on earlier queries.
    #[inline]
    pub fn means(&mut self, list: List, world: &World, grid: &Grid) -> NeighborMeans {
        let (means_x8, lane) = self.means_x8(list, true, world, grid);
        means_x8.of(lane)
    }

    /// [`NeighborQueries::means`] of the whole batch, and the unit's lane. The means of velocities may be meaningless
    /// unless requested.
    #[inline]
    pub fn means_x8(
        &mut self,
        list: List,
        velocities: bool,
        world: &World,
        grid: &Grid,
    ) -> (&NeighborMeansX8, usize) {
        let cached = self.find_means(list.key(), velocities);
        let at = cached.unwrap_or_else(|| self.compute_means((list, velocities), world, grid));
        (self.means.at(at), self.lane)
    }

    #[inline(always)]
    fn find_means(&self, key: u64, velocities: bool) -> Option<usize> {
        let index = if velocities { None } else { self.means.find(key_of_means(key, false), self.lane) };
        index.or_else(|| self.means.find(key, self.lane))
    }

    /// See [`super::BatchQueries::means_within`].
    pub(super) fn means_within(
        &mut self,
        (source, reaches): (Source, &Lanes),
        velocities: bool,
        world: &World,
        grid: &Grid,
    ) -> Option<&NeighborMeansX8> {
        let longest = List { source, within: reaches.iter().copied().fold(-1.0, f32::greater) };
        let filter = self.filter_of_batch(longest, grid)?;
        let key = self.reaches.key(source, reaches);
        let at = self.find_means(key, velocities).unwrap_or_else(|| {
            let velocities = self.reaches.record_request(source, velocities);
            let limit = |within| filter.limit.lesser(List { source, within }.limit());
            let (limits, keys) = ([reaches.map(limit); 2], [key_of_means(key, velocities)]);
            self.cache_means(longest, (limits, [velocities; 2]), &keys, (world, grid))
        });
        Some(self.means.at(at))
    }

    /// The means computed so far, and the unit's lane in them.
    pub fn means_cache(&self) -> (&MeansCache, usize) {
        (&self.means, self.lane)
    }

    /// Returns the mean of the headings of a list, normalized; zero if it is undefined.
    pub fn mean_heading(&mut self, list: List, world: &World, grid: &Grid) -> Vec3 {
        let gathered = self.gathered(list, world, grid);
        let others = gathered.within(list.limit(), &world.units);
        let sum = others.fold(Vec3::ZERO, |sum, (_, unit)| sum + world.units.heading[unit]);
        sum.normalize_or_zero()
    }

    /// Returns the nearest unit of `list`; in a tie, that of the least index.
    pub fn nearest(&mut self, list: List, world: &World, grid: &Grid) -> Option<Neighbor> {
        let gathered = self.gathered(list, world, grid);
        let nearest = gathered.nearest(&world.units.position)?;
        (nearest.distance_squared <= list.limit()).then_some(nearest)
    }

    /// Returns the farthest unit of `list`; in a tie, that of the greatest index.
    pub fn farthest(&mut self, list: List, world: &World, grid: &Grid) -> Option<Neighbor> {
        let gathered = self.gathered(list, world, grid);
        gathered.farthest(list.limit(), &world.units.position)
    }

    /// Returns the `index`-th nearest unit of `list`; ties are sorted by index.
    #[inline]
    pub fn nth(&mut self, list: List, index: usize, world: &World, grid: &Grid) -> Option<Neighbor> {
        let gathered = self.gathered(list, world, grid);
        let neighbor = gathered.ordered(&world.units.position).get(index)?;
        (neighbor.distance_squared <= list.limit()).then_some(*neighbor)
    }

    /// Returns the units of `list`, nearest first; ties are sorted by index. The slice is valid until the next unit is
    /// set.
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

    /// Returns the units of `list` in slot order, independent of earlier queries; a selection is in the order of
    /// selection. The slice is valid until another list of the same source is requested by this method.
    pub fn in_slots(&mut self, list: List, world: &World, grid: &Grid) -> &[Neighbor] {
        let gathered = self.gathered(list, world, grid);
        gathered.in_slots(list.limit(), &world.units.position)
    }

    /// Selects the `max` nearest units of a list that satisfy `predicate`. The resulting list is valid until the next
    /// unit is set. Returns `None` if the unit has [`MAX_SELECTIONS`] already.
    pub fn select(
        &mut self,
        list: List,
        max: usize,
        (world, grid): (&World, &Grid),
        predicate: impl Fn(usize) -> bool,
    ) -> Option<List> {
        let at = self.selected;
        if at == MAX_SELECTIONS {
            return None;
        }
        if self.selections.len() == at {
            self.selections.push(NeighborList::default());
        }
        let mut selection = std::mem::take(&mut self.selections[at]);
        let from = self.gathered(list, world, grid);
        selection.select(from, (list.limit(), max), &world.units.position, predicate);
        self.selections[at] = selection;
        self.selected = at + 1;
        Some(List::all(Source::Selection(at as u16)))
    }

    /// Returns gathered units of the list's source: a superset of the list.
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

    /// [`NeighborQueries::gathered`] for a list that is gathered already.
    fn gathered_list(&self, list: List) -> &NeighborList {
        if let Source::Selection(at) = list.source {
            return &self.selections[at as usize];
        }
        let lists = &self.lists[list.source.index()];
        let gathered = if self.find(list) == Some(true) { &lists.near } else { &lists.all };
        &gathered.lanes[self.lane].list
    }

    /// Returns true if a list is part of the near units of its source; `None` if it must be gathered.
    #[inline(always)]
    fn find(&self, list: List) -> Option<bool> {
        self.lists.get(list.source.index())?.find(list.within, self.lane, self.epoch)
    }

    /// Gathers the units of a list's source: only the near ones if they suffice and are not gathered yet. Returns true
    /// in that case.
    #[inline(never)]
    fn gather(&mut self, list: List, world: &World, grid: &Grid) -> bool {
        self.ensure_batch(grid);
        let observer = grid.observer(self.batch.slots[self.lane] as usize);
        let (unit, units, index) = (self.unit, &world.units, list.source.index());
        if self.lists.len() <= index {
            self.lists.resize_with(index + 1, SourceLists::default);
        }
        let SourceLists { all, near, short } = &mut self.lists[index];
        let filter = grid.filters.get(observer.group, list.source);
        // False for a NaN as well.
        let is_in_grid = list.source.range().is_in_grid();
        let is_short = list.within <= filter.reach * NEAR_FRACTION && is_in_grid;
        if is_short {
            *short = short.greater(list.within);
        }
        let is_near = is_short && near.lanes[self.lane].epoch != self.epoch;
        let reach = if is_near { short.lesser(filter.reach) } else { f32::INFINITY };
        let Gathered { query, lanes } = if is_near { near } else { all };
        let gathered = &mut lanes[self.lane];
        (gathered.epoch, gathered.reach) = (self.epoch, reach);
        gathered.list.clear();
        if !is_in_grid {
            let (touching, shift) = (units.touching.of(unit), grid.periodic.any_shift());
            gathered.list.gather_units(touching, &observer, &units.position, shift);
        } else if filter.limit >= 0.0 {
            let list = List { within: reach, ..list };
            let limit = filter.limit.lesser(list.limit());
            query.prepare(list, filter, &observer, grid);
            gathered.list.gather(unit, (filter, limit), query, units, grid);
        }
        is_near
    }

    /// Starts a batch of one if the unit was set without a batch.
    #[inline(always)]
    fn ensure_batch(&mut self, grid: &Grid) {
        if self.batch.count == 0 {
            let slot = grid.slot(self.unit) as u32;
            self.batch.set(&[[self.unit as u32, slot]], grid);
        }
    }

    /// Computes and caches the means of a list. Units of a group usually request the same lists, so a pass also computes
    /// another list requested before, and velocities only for lists that needed them.
    #[inline(never)]
    fn compute_means(&mut self, (list, velocities): (List, bool), world: &World, grid: &Grid) -> usize {
        self.ensure_batch(grid);
        let Some(filter) = self.filter_of_batch(list, grid) else {
            return self.compute_means_of_lane(list, world, grid);
        };
        let requested = (list, self.record_request(list, velocities));
        let predicted_list = self.predicted_list(list).filter(|(other, _)| other.limit() >= 0.0);
        // Velocities are summed for the first list or for both.
        let (lists, position) = match predicted_list {
            Some(other) if other.1 => ([other, requested], 1),
            other => ([requested, other.unwrap_or(requested)], 0),
        };
        let count = if predicted_list.is_some() { 2 } else { 1 };
        let limit = |(list, _): (List, bool)| [filter.limit.lesser(list.limit()); LANES];
        let longest = List { within: lists[0].0.within.greater(lists[1].0.within), ..list };
        let velocities = lists.map(|(_, velocities)| velocities);
        let keys = lists.map(|(list, velocities)| key_of_means(list.key(), velocities));
        let sums = (lists.map(limit), velocities);
        self.cache_means(longest, sums, &keys[..count], (world, grid)) + position
    }

    /// Computes and caches the means of one list, or of two, by their keys. Returns the index of the first.
    fn cache_means(
        &mut self,
        longest: List,
        (limits, velocities): ([Lanes; 2], [bool; 2]),
        keys: &[u64],
        world: (&World, &Grid),
    ) -> usize {
        let scan = BatchScan::new(longest, &mut self.batch, &mut self.runs, world);
        let (index, room) = self.means.insert(keys);
        MeanKernel { scan, limits, velocities }.write(room);
        index
    }

    /// Returns the filter of a list for the whole batch, if its units share their candidates.
    fn filter_of_batch<'a>(&self, list: List, grid: &'a Grid) -> Option<&'a QueryFilter> {
        if !self.can_be_batched(list, grid) {
            return None;
        }
        Some(grid.filters.get(self.batch.group, list.source))
    }

    /// Returns true if the batch can be queried as a whole: not if images are several periods away.
    pub(super) fn can_be_batched(&self, list: List, grid: &Grid) -> bool {
        let is_in_grid = list.source.range().is_in_grid();
        self.batch.count > 0 && is_in_grid && !grid.periodic.needs_many()
    }

    /// Computes the means of a list for the unit only, from the gathered units.
    fn compute_means_of_lane(&mut self, list: List, world: &World, grid: &Grid) -> usize {
        self.gathered(list, world, grid);
        let others = self.gathered_list(list).within(list.limit(), &world.units);
        let others = others.map(|(offset, unit)| (offset, world.units.velocity[unit]));
        let means = NeighborMeansX8::of_lane(self.lane, &self.batch, others);
        self.means.insert_lane(self.lane, list.key(), means)
    }

    /// Records a request for means; returns true if velocities are needed, now or by an earlier request.
    fn record_request(&mut self, list: List, velocities: bool) -> bool {
        if let Some((_, gathered_list)) = self.recent.iter_mut().find(|(it, _)| it.key() == list.key()) {
            *gathered_list |= velocities;
            return *gathered_list;
        }
        if self.recent.len() < MAX_RECENT && list.limit() >= 0.0 {
            self.recent.push((list, velocities));
        }
        velocities
    }

    /// Predicts another list of the same source that will be requested.
    fn predicted_list(&self, list: List) -> Option<(List, bool)> {
        let of_source = |(other, _): &&(List, bool)| other.key() != list.key() && other.source == list.source;
        let mut others = self.recent.iter().filter(of_source);
        others.find(|(other, velocities)| self.find_means(other.key(), *velocities).is_none()).copied()
    }
}

#[cfg(test)]
mod tests;
