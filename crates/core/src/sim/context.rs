//! The context of a behavior: frozen state, the deciding unit, and its outputs.

use std::sync::Arc;

use glam::Vec3;

use super::batch::{BatchDecisions, BatchObstacles};
use super::claims::Claims;
use super::frozen::{Arrays, Frozen};
use super::group_constants::{GroupConstants, MIN_SCAN_COST};
use super::group_means::GroupMeans;
use super::name_ids::{NameCache, NameIds};
use super::near_obstacles::NearObstacles;
use super::recording::{Recorded, Recording, Shape, Watch, WatchValue};
use super::work::{CallWork, GATHERING, LOOP_SCANS, SEARCHING, SORTING, ThreadWork, WorkSource};
use crate::perception::{
    List, MeansCache, Neighbor, NeighborMeans, NeighborMeansX8, NeighborQueries, Source,
};
use crate::world::{Extrema, MAX_GRIDS, MAX_SIGNALS, NearObstacle, ScalarGrid, World, random};

/// Returns the bit of a source; views from index 59 on share one.
fn bit(source: Source) -> u64 {
    match source {
        // Its cost was charged when it was made.
        Source::Selection(_) => 0,
        source => 1 << source.index().min(63),
    }
}

/// The state of a worker thread while it decides for units.
#[derive(Debug)]
pub struct UnitContext {
    /// Always those of `frozen`.
    arrays: Arrays,
    pub(super) frozen: Arc<Frozen>,
    pub(super) unit: usize,
    /// False until a unit is set.
    pub(super) has_unit: bool,
    pub(super) slot: usize,
    pub(super) behavior: u64,
    draws: u32,
    marks: u64,
    /// The unit's signals of the next step.
    signals: [f32; MAX_SIGNALS],
    /// The unit's deposits on environment grids so far.
    deposits: [f32; MAX_GRIDS],
    /// The claims of the step, while units decide in order.
    pub(super) claims: Claims,
    pub(super) queries: NeighborQueries,
    names: NameCache,
    pub(super) near: NearObstacles,
    pub(super) recording: Recording,
    /// Obstacles near the units of a batch.
    pub(super) batch_obstacles: Vec<BatchObstacles>,
    pub(super) found_obstacles: Vec<(usize, NearObstacle)>,
    /// The indices of the obstacles that a unit perceives.
    pub(super) perceived: Vec<u32>,
    call: CallWork,
    /// Sources gathered and sorted by the current call, as masks.
    gathered: u64,
    sorted: u64,
    pub(super) work_of_thread: ThreadWork,
    /// The decisions of each behavior for the current batch.
    pub(super) decided_of_thread: Vec<BatchDecisions>,
}

impl UnitContext {
    /// Creates a context over a state, without a unit.
    pub fn new(frozen: Arc<Frozen>) -> Self {
        Self {
            arrays: Arrays::new(&frozen),
            frozen,
            unit: 0,
            has_unit: false,
            slot: 0,
            behavior: 0,
            draws: 0,
            marks: 0,
            signals: [0.0; MAX_SIGNALS],
            deposits: [0.0; MAX_GRIDS],
            claims: Claims::default(),
            queries: NeighborQueries::default(),
            names: NameCache::default(),
            near: NearObstacles::default(),
            batch_obstacles: Vec::new(),
            perceived: Vec::new(),
            found_obstacles: Vec::new(),
            recording: Recording::default(),
            call: CallWork::default(),
            gathered: 0,
            sorted: 0,
            work_of_thread: ThreadWork::default(),
            decided_of_thread: Vec::new(),
        }
    }

    pub(super) fn attach(&mut self, frozen: &Arc<Frozen>, recorded: Recorded) {
        self.frozen = Arc::clone(frozen);
        self.arrays = Arrays::new(frozen);
        self.queries.invalidate();
        self.names.clear();
        self.claims.clear();
        self.recording.recorded = recorded;
    }

    /// Returns true if it is attached to this state.
    pub(super) fn is_over(&self, frozen: &Arc<Frozen>) -> bool {
        Arc::ptr_eq(&self.frozen, frozen)
    }

    /// Sets the deciding unit, and drops the lists and marks of the previous one.
    #[inline]
    pub fn set_unit(&mut self, unit: usize) {
        self.queries.set_unit(unit);
        self.start_unit(unit);
    }

    /// Starts a batch of units; see [`NeighborQueries::start_batch`].
    #[inline]
    pub(super) fn start_batch(&mut self, rows: &[[u32; 2]]) -> usize {
        self.queries.start_batch(rows, &self.frozen.grid)
    }

    /// [`UnitContext::set_unit`] for the unit in `lane` of the batch.
    #[inline]
    pub(super) fn set_unit_in_batch(&mut self, unit: usize, lane: usize) {
        self.queries.set_unit_in_batch(unit, lane);
        self.start_unit(unit);
    }

    #[inline]
    fn start_unit(&mut self, unit: usize) {
        (self.unit, self.has_unit) = (unit, true);
        self.near.reach = None;
        self.marks = 0;
        let before = self.frozen.world.units.signals.of(unit);
        self.signals[..before.len()].copy_from_slice(before);
        self.deposits = [0.0; MAX_GRIDS];
    }

    /// Sets the behavior to run: resets its random draws and its work.
    #[inline]
    pub fn set_behavior(&mut self, slot: usize, behavior: u64) {
        self.slot = slot;
        self.behavior = behavior;
        self.draws = 0;
        self.recording.start_call();
        self.call = CallWork::default();
        (self.gathered, self.sorted) = (0, 0);
        self.near.charged = None;
    }

    /// The deciding unit.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// Addresses of the frozen state, valid while a behavior holds the context.
    pub fn arrays(&self) -> &Arrays {
        &self.arrays
    }

    /// The frozen world.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// Returns the means of a group, or `None` without units.
    pub fn group_means(&self, group: usize) -> Option<GroupMeans> {
        self.frozen.group_means(group)
    }

    /// Returns the ids of a behavior's names in the frozen world, in order. They are cached; the slice is valid while a
    /// behavior holds the context.
    #[inline]
    pub fn name_ids(&mut self, names: &Arc<[String]>) -> &[NameIds] {
        self.names.ids(self.slot, names, &self.frozen.world)
    }

    /// See [`NeighborQueries::means`].
    #[inline]
    pub fn means(&mut self, list: List) -> NeighborMeans {
        (self.queries).means(list, &self.frozen.world, &self.frozen.grid)
    }

    /// See [`NeighborQueries::means_x8`].
    #[inline]
    pub fn means_x8(&mut self, list: List, velocities: bool) -> (&NeighborMeansX8, usize) {
        (self.queries).means_x8(list, velocities, &self.frozen.world, &self.frozen.grid)
    }

    /// The means computed so far and the unit's lane in them, for compiled code that reads them in place. Valid while a
    /// behavior holds the context.
    pub fn means_cache(&self) -> (&MeansCache, usize) {
        self.queries.means_cache()
    }

    /// Returns the number of units in a list.
    pub fn count(&mut self, list: List) -> usize {
        self.means(list).count as usize
    }

    /// See [`NeighborQueries::mean_heading`].
    pub fn mean_heading(&mut self, list: List) -> Vec3 {
        self.charge_search(list.source);
        (self.queries).mean_heading(list, &self.frozen.world, &self.frozen.grid)
    }

    /// See [`NeighborQueries::nearest`].
    pub fn nearest(&mut self, list: List) -> Option<Neighbor> {
        self.charge_search(list.source);
        (self.queries).nearest(list, &self.frozen.world, &self.frozen.grid)
    }

    /// See [`NeighborQueries::farthest`].
    pub fn farthest(&mut self, list: List) -> Option<Neighbor> {
        self.charge_search(list.source);
        (self.queries).farthest(list, &self.frozen.world, &self.frozen.grid)
    }

    /// See [`NeighborQueries::nth`].
    pub fn nth(&mut self, list: List, index: usize) -> Option<Neighbor> {
        self.charge_sorting(list.source);
        self.nth_of_loop(list, index)
    }

    /// [`UnitContext::nth`] in a loop that [`UnitContext::ordered`] was charged for; not charged.
    pub fn nth_of_loop(&mut self, list: List, index: usize) -> Option<Neighbor> {
        (self.queries).nth(list, index, &self.frozen.world, &self.frozen.grid)
    }

    /// See [`NeighborQueries::ordered`]. All lists of one source are prefixes of one slice.
    pub fn ordered(&mut self, list: List) -> &[Neighbor] {
        self.ordered_in_world(list).0
    }

    /// [`UnitContext::ordered`] together with the world.
    pub fn ordered_in_world(&mut self, list: List) -> (&[Neighbor], &World) {
        self.charge_sorting(list.source);
        let Frozen { world, grid, .. } = &*self.frozen;
        (self.queries.ordered(list, world, grid), world)
    }

    /// See [`NeighborQueries::in_slots`].
    pub fn in_slots(&mut self, list: List) -> &[Neighbor] {
        self.charge_for(WorkSource::Lists, LOOP_SCANS * self.scan_cost(list.source));
        (self.queries).in_slots(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The `index`-th unit of [`UnitContext::in_slots`]; not charged.
    pub fn nth_in_slots(&mut self, list: List, index: usize) -> Option<Neighbor> {
        (self.queries).in_slots(list, &self.frozen.world, &self.frozen.grid).get(index).copied()
    }

    /// The units of a list, nearest first.
    pub fn units(&mut self, list: List) -> impl Iterator<Item = Neighbor> {
        self.ordered(list).iter().copied()
    }

    /// See [`NeighborQueries::select`]; the predicate receives the world and the index of a unit.
    pub fn select(
        &mut self,
        list: List,
        max: usize,
        predicate: impl Fn(&World, usize) -> bool,
    ) -> Option<List> {
        self.charge_sorting(list.source);
        self.charge_scan(list.source);
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.select(list, max, (world, grid), |unit| predicate(world, unit))
    }

    /// Returns true if bodies differ by unit.
    #[inline]
    pub fn has_varied_bodies(&self) -> bool {
        !self.frozen.world.bodies.is_empty()
    }

    /// Returns the next random number, uniform in [0, 1): a pure function of seed, unit, step, behavior and the number
    /// of earlier draws.
    pub fn random(&mut self) -> f32 {
        let world = &self.frozen.world;
        let key = world.units.key[self.unit];
        let value = random::draw(world.seed, key, world.steps, self.behavior, self.draws);
        self.draws += 1;
        value
    }

    /// The work of the current call so far; see [`super::work`].
    #[inline]
    pub fn work(&self) -> u64 {
        self.call.work()
    }

    /// Adds work to the current call.
    #[inline]
    pub fn charge(&mut self, work: u64) {
        self.call.charge(work);
    }

    /// Sets the total work of the current call, for code that counts its own work.
    #[inline]
    pub fn set_work(&mut self, work: u64) {
        self.call.set(work);
    }

    /// [`UnitContext::charge`] with the kind of function.
    #[inline]
    pub fn charge_for(&mut self, source: WorkSource, work: u64) {
        self.call.charge_for(source, work);
    }

    /// Attributes work counted elsewhere to a kind of function.
    pub fn note_source(&mut self, source: WorkSource, work: u64) {
        self.call.note(source, work);
    }

    /// The kind of function that caused at least a third of the limit of a call, if any.
    pub fn main_source(&self) -> Option<WorkSource> {
        self.call.main_source()
    }

    /// Charges for one scan of a list.
    pub fn charge_scan(&mut self, source: Source) {
        self.charge_for(WorkSource::Lists, self.scan_cost(source));
    }

    /// The work of one scan of a list of this source, in units of [`super::work`].
    pub fn scan_cost(&self, source: Source) -> u64 {
        if let Source::Selection(_) = source {
            return MIN_SCAN_COST.into();
        }
        let group = self.frozen.world.units.group.get(self.unit);
        let constants = group.and_then(|group| self.frozen.group_constants.get(*group as usize));
        constants.map_or(0, |constants: &GroupConstants| u64::from(constants.scan_costs[source]))
    }

    /// The cost of gathering a source, in scans: once per call, even if an earlier behavior gathered it.
    fn gathering(&mut self, source: u64) -> u64 {
        let is_new = self.gathered & source == 0;
        self.gathered |= source;
        if is_new { GATHERING } else { 0 }
    }

    fn charge_search(&mut self, source: Source) {
        let scans = SEARCHING + self.gathering(bit(source));
        self.charge_for(WorkSource::Lists, scans * self.scan_cost(source));
    }

    /// Charges for sorting the units of a source, once per call.
    fn charge_sorting(&mut self, source: Source) {
        let bit = bit(source);
        if self.sorted & bit == 0 {
            self.sorted |= bit;
            let scans = SORTING + self.gathering(bit);
            self.charge_for(WorkSource::Lists, scans * self.scan_cost(source));
        }
    }

    /// Marks the unit; the marks are visible to all in the next step.
    pub fn mark(&mut self, bits: u64) {
        self.marks |= bits;
    }

    /// The marks set for this unit so far.
    pub fn marks(&self) -> u64 {
        self.marks
    }

    /// A signal of a unit in the last step; 0 if it was never set. `slot` is the index of its name in
    /// [`World::signals`].
    pub fn signal(&self, unit: usize, slot: usize) -> f32 {
        self.world().units.signals.get(unit, slot)
    }

    /// Sets a signal of the unit, visible to others from the next step until it is set again. The last value wins.
    /// Returns false, and changes nothing, if the value is not finite or the slot does not exist.
    pub fn set_signal(&mut self, slot: usize, value: f32) -> bool {
        let known = slot < self.world().units.signals.count() && value.is_finite();
        if known {
            self.signals[slot] = value;
        }
        known
    }

    /// The unit's signals of the next step, as set so far.
    pub(super) fn signals(&self) -> &[f32] {
        &self.signals[..self.world().units.signals.count()]
    }

    /// Adds to what the unit deposits on an environment grid after this step. Returns false, and changes nothing, if the
    /// amount is not finite or the grid does not exist.
    pub fn deposit(&mut self, grid: usize, amount: f32) -> bool {
        let known = grid < self.world().grids.len() && amount.is_finite();
        if known {
            let sum = &mut self.deposits[grid];
            *sum = (*sum + amount).limited(-ScalarGrid::MAX, ScalarGrid::MAX);
        }
        known
    }

    /// The unit's deposits so far, by environment grid.
    pub fn deposits(&self) -> &[f32] {
        &self.deposits[..self.world().grids.len()]
    }

    /// Returns true if drawings are recorded.
    pub fn is_recording(&self) -> bool {
        self.recording.recorded.drawings
    }

    /// Returns true if watched values are recorded.
    pub fn is_watching(&self) -> bool {
        self.recording.recorded.watches
    }

    /// Records a drawing, if enabled.
    pub fn draw(&mut self, shape: impl FnOnce() -> Shape) {
        self.recording.draw(self.unit, self.slot, shape);
    }

    /// Records a named value, if enabled.
    pub fn watch(&mut self, name: &str, value: impl FnOnce() -> WatchValue) {
        let (unit, slot) = (self.unit, self.slot);
        self.recording.watch(|| {
            let value = value();
            let name = name.to_owned();
            Watch { unit, slot, name, value }
        });
    }
}
