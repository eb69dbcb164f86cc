//! What a behavior is given: frozen state, the unit it decides for, and what it may set.

use std::sync::Arc;

use glam::Vec3;

use super::batch::{BatchDecisions, BatchObstacles};
use super::facts::{GroupConstants, LOOK};
use super::frozen::{Arrays, Frozen};
use super::name_ids::{NameCache, NameIds};
use super::recording::{Recorded, Recording, Shape, Watch, WatchValue};
use super::work::{CallWork, GATHERING, LOOKS_OF_A_LOOP, SEARCHING, SORTING, ThreadWork, WorkSource};
use crate::perception::{
    List, MeansCache, Neighbor, NeighborMeans, NeighborMeansX8, NeighborQueries, Source,
};
use crate::world::{MOST_SIGNALS, NearObstacle, SearchCost, World, random};

/// A bit for a source; views from index 59 on share one.
fn bit(source: Source) -> u64 {
    match source {
        // Each was paid for when it was made.
        Source::Selection(_) => 0,
        source => 1 << source.index().min(63),
    }
}

/// Obstacles near the unit.
#[derive(Debug, Default)]
pub(super) struct NearObstacles {
    /// The reach that they are within, if they are known.
    reach: Option<f32>,
    list: Vec<NearObstacle>,
    /// What it took to find them.
    cost: SearchCost,
    /// The bits of the reach that the present call paid for.
    paid: Option<u32>,
}

impl NearObstacles {
    /// Those of another unit are asked for next.
    pub(super) fn forget(&mut self) {
        (self.reach, self.paid) = (None, None);
    }
}

/// The state of one worker thread while it decides for one unit after the other.
#[derive(Debug)]
pub struct UnitContext {
    /// Of `frozen`, always.
    arrays: Arrays,
    pub(super) frozen: Arc<Frozen>,
    pub(super) unit: usize,
    slot: usize,
    pub(super) behavior: u64,
    draws: u32,
    marks: u64,
    /// The unit's signals in the next step.
    signals: [f32; MOST_SIGNALS],
    pub(super) queries: NeighborQueries,
    names: NameCache,
    pub(super) near: NearObstacles,
    pub(super) recording: Recording,
    /// The obstacles near the units of a batch.
    pub(super) batch_obstacles: Vec<BatchObstacles>,
    pub(super) found_obstacles: Vec<(usize, NearObstacle)>,
    call: CallWork,
    /// The sources whose units this call gathered, and those that it sorted, as bits.
    gathered: u64,
    sorted: u64,
    pub(super) work_of_thread: ThreadWork,
    /// What each behavior decided for the present batch.
    pub(super) decided_of_thread: Vec<BatchDecisions>,
}

impl UnitContext {
    /// A context over a state, with no unit set.
    pub fn new(frozen: Arc<Frozen>) -> Self {
        Self {
            arrays: Arrays::of(&frozen),
            frozen,
            unit: 0,
            slot: 0,
            behavior: 0,
            draws: 0,
            marks: 0,
            signals: [0.0; MOST_SIGNALS],
            queries: NeighborQueries::default(),
            names: NameCache::default(),
            near: NearObstacles::default(),
            batch_obstacles: Vec::new(),
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
        self.arrays = Arrays::of(frozen);
        self.queries.invalidate();
        self.names.clear();
        self.recording.recorded = recorded;
    }

    /// Whether it is attached to this state.
    pub(super) fn is_over(&self, frozen: &Arc<Frozen>) -> bool {
        Arc::ptr_eq(&self.frozen, frozen)
    }

    /// Sets the unit to decide for, and drops the lists and marks of the last.
    #[inline]
    pub fn set_unit(&mut self, unit: usize) {
        self.queries.set_unit(unit);
        self.start_unit(unit);
    }

    /// Starts a batch of units that are queried together, as [`NeighborQueries::start_batch`].
    #[inline]
    pub(super) fn start_batch(&mut self, rows: &[[u32; 2]]) -> usize {
        self.queries.start_batch(rows, &self.frozen.grid)
    }

    /// As [`UnitContext::set_unit`], for number `lane` of the batch.
    #[inline]
    pub(super) fn set_unit_in_batch(&mut self, unit: usize, lane: usize) {
        self.queries.set_unit_in_batch(unit, lane);
        self.start_unit(unit);
    }

    #[inline]
    fn start_unit(&mut self, unit: usize) {
        self.unit = unit;
        self.near.reach = None;
        self.marks = 0;
        let before = self.frozen.world.units.signals.of(unit);
        self.signals[..before.len()].copy_from_slice(before);
    }

    /// Sets the behavior to run: its random draws start anew, and its work is counted from zero.
    #[inline]
    pub fn set_behavior(&mut self, slot: usize, behavior: u64) {
        self.slot = slot;
        self.behavior = behavior;
        self.draws = 0;
        self.recording.start_call();
        self.call = CallWork::default();
        (self.gathered, self.sorted) = (0, 0);
        self.near.paid = None;
    }

    /// The unit to decide for.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// Addresses of the frozen state. They are valid while a behavior has the context.
    pub fn arrays(&self) -> &Arrays {
        &self.arrays
    }

    /// The frozen world.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// What the names of the present behavior stand for in the frozen world, in their order. They are looked up
    /// once and stay in place while a behavior has the context.
    #[inline]
    pub fn name_ids(&mut self, names: &Arc<[String]>) -> &[NameIds] {
        self.names.ids(self.slot, names, &self.frozen.world)
    }

    /// How many units a list holds, and the means of their positions and velocities; of an empty list,
    /// the unit's own. The same bits whatever else was asked before.
    #[inline]
    pub fn means(&mut self, list: List) -> NeighborMeans {
        (self.queries).means(list, &self.frozen.world, &self.frozen.grid)
    }

    /// As [`UnitContext::means`], in the cache, for all units of the batch; and the unit's lane. The means of
    /// velocities may be anything if they are not asked for.
    #[inline]
    pub fn means_x8(&mut self, list: List, velocities: bool) -> (&NeighborMeansX8, usize) {
        (self.queries).means_x8(list, velocities, &self.frozen.world, &self.frozen.grid)
    }

    /// The means computed so far, for compiled code that looks there first, and the unit's lane in them.
    /// They stay in place while a behavior has the context.
    pub fn means_cache(&self) -> (&MeansCache, usize) {
        self.queries.means_cache()
    }

    /// How many units a list holds.
    pub fn count(&mut self, list: List) -> usize {
        self.means(list).count as usize
    }

    /// The mean of the headings in a list, of unit length; zero where they cancel out or there are none.
    pub fn mean_heading(&mut self, list: List) -> Vec3 {
        self.charge_search(list.source);
        (self.queries).mean_heading(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The nearest unit of a list; of equally near ones the one of least index.
    pub fn nearest(&mut self, list: List) -> Option<Neighbor> {
        self.charge_search(list.source);
        (self.queries).nearest(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The farthest unit of a list; of equally far ones the one of greatest index.
    pub fn farthest(&mut self, list: List) -> Option<Neighbor> {
        self.charge_search(list.source);
        (self.queries).farthest(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The `index`-th nearest unit of a list.
    pub fn nth(&mut self, list: List, index: usize) -> Option<Neighbor> {
        self.charge_sorting(list.source);
        self.nth_of_loop(list, index)
    }

    /// The same in a loop that was charged by [`UnitContext::ordered`]. It charges nothing.
    pub fn nth_of_loop(&mut self, list: List, index: usize) -> Option<Neighbor> {
        (self.queries).nth(list, index, &self.frozen.world, &self.frozen.grid)
    }

    /// The units of a list, nearest first; equally near ones in the order of their index. All lists
    /// of one source are the beginning of one slice, which stays where it is until the next unit is set.
    pub fn ordered(&mut self, list: List) -> &[Neighbor] {
        self.ordered_in_world(list).0
    }

    /// As [`UnitContext::ordered`], and beside it the world that tells more of them.
    pub fn ordered_in_world(&mut self, list: List) -> (&[Neighbor], &World) {
        self.charge_sorting(list.source);
        let Frozen { world, grid, .. } = &*self.frozen;
        (self.queries.ordered(list, world, grid), world)
    }

    /// The units of a list in the order of the grid's slots, whatever else was asked before.
    pub fn in_slots(&mut self, list: List) -> &[Neighbor] {
        self.charge_for(WorkSource::Lists, LOOKS_OF_A_LOOP * self.look(list.source));
        (self.queries).in_slots(list, &self.frozen.world, &self.frozen.grid)
    }

    /// The `index`-th of [`UnitContext::in_slots`]. It is not charged for.
    pub fn nth_in_slots(&mut self, list: List, index: usize) -> Option<Neighbor> {
        (self.queries).in_slots(list, &self.frozen.world, &self.frozen.grid).get(index).copied()
    }

    /// The units of a list, nearest first.
    pub fn units(&mut self, list: List) -> impl Iterator<Item = Neighbor> {
        self.ordered(list).iter().copied()
    }

    /// The `most` nearest units of a list that are `kept`, by their index in the world, as a list that lasts
    /// until the next unit is set; `None` past [`crate::perception::MOST_SELECTIONS`] for one unit.
    pub fn select(&mut self, list: List, most: usize, kept: impl Fn(&World, usize) -> bool) -> Option<List> {
        self.charge_sorting(list.source);
        self.charge_look(list.source);
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.select(list, most, (world, grid), |unit| kept(world, unit))
    }

    /// The obstacles whose surface is within `reach` of the unit, nearest first. It is not charged for.
    pub fn obstacles_within(&mut self, reach: f32) -> &[NearObstacle] {
        self.obstacles_within_in_world(reach).0
    }

    /// As [`UnitContext::obstacles_within`], and beside it the world that tells more of them.
    pub fn obstacles_within_in_world(&mut self, reach: f32) -> (&[NearObstacle], &World) {
        let world = &self.frozen.world;
        let near = &mut self.near;
        if near.reach.map(f32::to_bits) != Some(reach.to_bits()) {
            near.cost = SearchCost::default();
            let position = world.units.position[self.unit];
            world.obstacles.within(position, reach, &mut near.list, &mut near.cost);
            near.reach = Some(reach);
        }
        (&near.list, world)
    }

    /// What it takes to find the obstacles within `reach` of the unit, whether a behavior before did it already
    /// or not; `None` if the present call asked for it last.
    pub fn pay_for_obstacles_within(&mut self, reach: f32) -> Option<SearchCost> {
        self.obstacles_within(reach);
        let is_paid = self.near.paid == Some(reach.to_bits());
        self.near.paid = Some(reach.to_bits());
        (!is_paid).then_some(self.near.cost)
    }

    /// The next random number, uniform in 0 (inside) to 1 (outside): a pure function of seed, unit,
    /// step, behavior and how many draws came before.
    pub fn random(&mut self) -> f32 {
        let world = &self.frozen.world;
        let key = world.units.key[self.unit];
        let value = random::draw(world.seed, key, world.steps, self.behavior, self.draws);
        self.draws += 1;
        value
    }

    /// The work of the present call so far; see [`super::work`].
    #[inline]
    pub fn work(&self) -> u64 {
        self.call.work()
    }

    /// Charges the present call for some work.
    #[inline]
    pub fn charge(&mut self, work: u64) {
        self.call.charge(work);
    }

    /// Sets the work of the present call, if it was counted elsewhere together with all charges.
    #[inline]
    pub fn set_work(&mut self, work: u64) {
        self.call.set(work);
    }

    /// As [`UnitContext::charge`], for a kind of function.
    #[inline]
    pub fn charge_for(&mut self, source: WorkSource, work: u64) {
        self.call.charge_for(source, work);
    }

    /// Attributes work that was counted elsewhere to a kind of function.
    pub fn note_source(&mut self, source: WorkSource, work: u64) {
        self.call.note(source, work);
    }

    /// The kind of function that took most of a whole call's work, if one did.
    pub fn main_source(&self) -> Option<WorkSource> {
        self.call.main_source()
    }

    /// Charges for one look at a list.
    pub fn charge_look(&mut self, source: Source) {
        self.charge_for(WorkSource::Lists, self.look(source));
    }

    /// The work of one look at a list of this source, in units of [`super::work`].
    pub fn look(&self, source: Source) -> u64 {
        if let Source::Selection(_) = source {
            return LOOK.into();
        }
        let group = self.frozen.world.units.group.get(self.unit);
        let facts = group.and_then(|group| self.frozen.facts.get(*group as usize));
        facts.map_or(0, |facts: &GroupConstants| u64::from(facts.looks[source]))
    }

    /// The looks that gathering the units of a source takes, once a call: whether a behavior before did it
    /// already does not matter.
    fn gathering(&mut self, source: u64) -> u64 {
        let is_new = self.gathered & source == 0;
        self.gathered |= source;
        if is_new { GATHERING } else { 0 }
    }

    fn charge_search(&mut self, source: Source) {
        let looks = SEARCHING + self.gathering(bit(source));
        self.charge_for(WorkSource::Lists, looks * self.look(source));
    }

    /// Charges for sorting the units of a source, once a call.
    fn charge_sorting(&mut self, source: Source) {
        let bit = bit(source);
        if self.sorted & bit == 0 {
            self.sorted |= bit;
            let looks = SORTING + self.gathering(bit);
            self.charge_for(WorkSource::Lists, looks * self.look(source));
        }
    }

    /// Marks the unit; shown, and visible to all in the next step.
    pub fn mark(&mut self, bits: u64) {
        self.marks |= bits;
    }

    /// The marks set for this unit so far.
    pub fn marks(&self) -> u64 {
        self.marks
    }

    /// A signal of a unit, as of the last step: 0 where it was never set. The slot is that of its name in
    /// [`World::signals`].
    pub fn signal(&self, unit: usize, slot: usize) -> f32 {
        self.world().units.signals.get(unit, slot)
    }

    /// Sets a signal of the unit: others read it from the next step on, until it is set anew. Of several
    /// values the last counts. Returns whether it was set: a value that is not finite never is.
    pub fn set_signal(&mut self, slot: usize, value: f32) -> bool {
        let known = slot < self.world().units.signals.count() && value.is_finite();
        if known {
            self.signals[slot] = value;
        }
        known
    }

    /// The unit's signals in the next step, as set so far.
    pub(super) fn signals(&self) -> &[f32] {
        &self.signals[..self.world().units.signals.count()]
    }

    /// Whether drawings are looked at.
    pub fn is_recording(&self) -> bool {
        self.recording.recorded.drawings
    }

    /// Whether watched values are looked at.
    pub fn is_watching(&self) -> bool {
        self.recording.recorded.watches
    }

    /// Records a drawing if drawings are looked at.
    pub fn draw(&mut self, shape: impl FnOnce() -> Shape) {
        self.recording.draw(self.unit, self.slot, shape);
    }

    /// Records a value under a name, if values are looked at.
    pub fn watch(&mut self, name: &str, value: impl FnOnce() -> WatchValue) {
        let (unit, slot) = (self.unit, self.slot);
        self.recording.watch(|| {
            let value = value();
            let name = name.to_owned();
            Watch { unit, slot, name, value }
        });
    }
}
