//! The simulation: the phases of a step.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::claims::Claims;
use super::contribution::Contribution;
use super::costs::RuleCost;
use super::decide::{self, StepInputs};
use super::decided::{Decided, DecidedStep};
use super::event::UnitEvent;
use super::events::Events;
use super::failure::UnitFailure;
use super::frozen::Frozen;
use super::group_behaviors::{GroupBehaviors, Predecessors, assign_rows, group_of};
use super::group_measure::{Measures, NamedMeasure};
use super::handling::Handling;
use super::phases::Phases;
use super::recording::{Drawing, Recorded, Watch};
use super::report::{Report, Reports};
use super::request::Requests;
use super::routes::{self, RouteUpdates};
use super::sample::Sample;
use super::slot::{Slot, is_ordered};
use super::snapshot::Snapshot;
use super::workers::Workers;
use super::{act, cost_sampling, deposits};
use crate::dynamics::{ContactSolver, GridBuffers};
use crate::world::World;

/// A world and the behaviors that move it, step by step.
///
/// The result of a step depends on the state only: neither on the order of units nor on the number of threads. Parallel
/// work runs in the rayon pool of the caller.
pub struct Simulation {
    pub(super) frozen: Arc<Frozen>,
    pub(super) behaviors: Vec<GroupBehaviors>,
    pub(super) reports: Reports,
    pub(super) measures: Arc<Measures>,
    pub(super) buffers: Buffers,
    pub(super) decided: DecidedStep,
    /// True to record drawings of behaviors.
    pub drawing: bool,
    /// True to record values that behaviors watch.
    pub watching: bool,
    /// True to measure the cost of behaviors at intervals.
    pub costing: bool,
    /// Duration of each phase of the last step.
    pub phases: Phases,
}

/// Buffers of a step that do not affect results.
#[derive(Default)]
pub(super) struct Buffers {
    contacts: ContactSolver,
    grids: GridBuffers,
    routes: RouteUpdates,
    workers: Workers,
    events: Events,
    claims: Mutex<Claims>,
    /// The index of each unit after the births and deaths of the last step, if there were any; `None` for the dead.
    pub(super) targets: Option<Vec<Option<usize>>>,
}

impl Buffers {
    /// The claims of the last step.
    pub(super) fn claims(&mut self) -> &mut Claims {
        self.claims.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases buffers that are much larger than necessary after a change of the number of units.
    pub(super) fn fit(&mut self, before: usize, units: usize) {
        if units < before / 4 {
            (self.contacts, self.workers) = Default::default();
        }
    }
}

impl Clone for Simulation {
    /// Returns a simulation with identical future steps. The world is shared until one of the two changes it (copy on
    /// write); buffers that do not affect results are not copied.
    fn clone(&self) -> Self {
        Self {
            frozen: Arc::clone(&self.frozen),
            behaviors: self.behaviors.clone(),
            reports: self.reports.clone(),
            measures: Arc::clone(&self.measures),
            buffers: Buffers::default(),
            decided: self.decided,
            drawing: self.drawing,
            watching: self.watching,
            costing: self.costing,
            phases: self.phases,
        }
    }
}

impl AsMut<Self> for Simulation {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

impl Simulation {
    /// Creates a simulation of `world`; `slots` are the behaviors of each group. Groups past the end of `slots` have
    /// none.
    pub fn new(world: World, slots: Vec<Vec<Slot>>) -> Self {
        let origin = vec![None; world.units.len()];
        let mut simulation = Self {
            frozen: Arc::default(),
            behaviors: Vec::new(),
            reports: Reports::default(),
            measures: Arc::default(),
            buffers: Buffers::default(),
            decided: DecidedStep::Unknown,
            drawing: false,
            watching: false,
            costing: false,
            phases: Phases::default(),
        };
        simulation.adopt(world, &origin, slots);
        simulation
    }

    /// Makes one step: all units perceive and decide on the same frozen state, then all act.
    pub fn step(&mut self) {
        self.try_step(&AtomicBool::new(false));
    }

    /// [`Simulation::step`], unless `cancel` is set during the decide phase. The step is then aborted, the state is that
    /// before the step, and false is returned; only the contributions and recordings of the last step are lost.
    pub fn try_step(&mut self, cancel: &AtomicBool) -> bool {
        self.try_step_with(cancel, |_| ())
    }

    /// [`Simulation::try_step`]; calls `look` with the decisions before units act on them.
    pub fn try_step_with(&mut self, cancel: &AtomicBool, look: impl FnOnce(&Decided<'_>)) -> bool {
        let start = Instant::now();
        self.perceive();
        let perceived = Instant::now();
        if !self.decide(cancel, look) {
            return false;
        }
        let decided = Instant::now();
        if self.costing && self.frozen.world.steps.is_multiple_of(cost_sampling::SAMPLE_INTERVAL) {
            self.behaviors.iter_mut().for_each(|group| cost_sampling::measure(&self.frozen, group));
        }
        let acting = Instant::now();
        self.act();
        let events = self.buffers.events.take();
        self.handle(&events, Requests::Recorded);
        self.buffers.events.store(events);
        if self.frozen.world.former_zones.is_some() {
            Arc::make_mut(&mut self.frozen).world.former_zones = None;
        }
        self.populate();
        self.decided = DecidedStep::Last;
        self.phases =
            Phases { perceive: perceived - start, decide: decided - perceived, act: acting.elapsed() };
        true
    }

    fn perceive(&mut self) {
        let (frozen, behaviors) = (Arc::make_mut(&mut self.frozen), &mut self.behaviors);
        frozen.sort_beside(|world, order| assign_rows(behaviors, world, order));
    }

    /// Runs all behaviors into the decision buffers and returns their failures by group. If canceled, returns `None` and
    /// clears the contributions.
    fn contribute(&mut self, cancel: &AtomicBool) -> Option<Vec<Vec<UnitFailure>>> {
        self.buffers.claims().clear();
        let inputs = StepInputs {
            frozen: &self.frozen,
            workers: &self.buffers.workers,
            recorded: self.recorded(Requests::Recorded),
            claims: &self.buffers.claims,
            cancel,
        };
        let groups = self.behaviors.par_iter_mut().enumerate();
        let in_parallel = groups.map(|(group, behaviors)| {
            if is_ordered(&behaviors.slots) {
                return Some(Vec::new());
            }
            decide::decide(inputs, group, behaviors)
        });
        let mut failures: Option<Vec<_>> = in_parallel.collect();
        for (group, behaviors) in self.behaviors.iter_mut().enumerate() {
            if let Some(all) = failures.as_mut().filter(|_| is_ordered(&behaviors.slots)) {
                match decide::decide(inputs, group, behaviors) {
                    Some(of_group) => all[group] = of_group,
                    None => failures = None,
                }
            }
        }
        self.decided = DecidedStep::Next;
        if failures.is_none() {
            self.buffers.workers.release();
            self.behaviors.iter_mut().for_each(GroupBehaviors::clear_decisions);
            self.decided = DecidedStep::Unknown;
        }
        failures
    }

    fn recorded(&self, requests: Requests) -> Recorded {
        Recorded { drawings: self.drawing, watches: self.watching, requests }
    }

    /// Computes the decisions of all behaviors, with their memories and reports; returns false if canceled.
    fn decide(&mut self, cancel: &AtomicBool, look: impl FnOnce(&Decided<'_>)) -> bool {
        let Some(failures) = self.contribute(cancel) else {
            return false;
        };
        let claims = self.buffers.claims.get_mut().unwrap_or_else(PoisonError::into_inner);
        look(&Decided { frozen: &self.frozen, behaviors: &self.behaviors, claims });
        let steps = self.frozen.world.steps + 1;
        for (group, (behaviors, failures)) in self.behaviors.iter_mut().zip(failures).enumerate() {
            behaviors.store_memory();
            self.reports.end_step(group, behaviors, failures, steps);
        }
        true
    }

    fn act(&mut self) {
        let frozen = Arc::make_mut(&mut self.frozen);
        let (contacts, reports) = (&mut self.buffers.contacts, &mut self.reports);
        frozen.drop_means();
        let claims = self.buffers.claims.get_mut().unwrap_or_else(PoisonError::into_inner);
        claims.apply(&mut frozen.world.grids);
        self.buffers.events.begin(&frozen.world, &self.behaviors);
        deposits::advance_grids(&mut frozen.world, &self.behaviors, &mut self.buffers.grids);
        frozen.world.advance_obstacles();
        self.buffers.routes.advance(&mut frozen.world);
        act::act((&mut frozen.world, &frozen.grid), &self.behaviors, contacts, reports);
        frozen.world.carry_obstacles(0.0);
        frozen.world.steps += 1;
        self.buffers.events.find(&frozen.world);
    }

    /// Calls the behaviors that handle events of units, which are sorted by unit, then by kind. Behaviors then see the
    /// present state; what they set is visible from the next step on.
    pub(super) fn handle(&mut self, events: &[UnitEvent], requests: Requests) {
        let recorded = self.recorded(requests);
        let (workers, reports) = (&self.buffers.workers, &mut self.reports);
        let claims = self.buffers.claims.get_mut().unwrap_or_else(PoisonError::into_inner);
        Handling { workers, recorded, reports, claims }
            .handle((&mut self.frozen, &mut self.behaviors), events);
    }

    /// The state after the last step.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// Mutable access to the world between two steps. Invalidates decisions of the next step.
    pub(super) fn world_mut(&mut self) -> &mut World {
        self.drop_next();
        let frozen = Arc::make_mut(&mut self.frozen);
        frozen.drop_means();
        &mut frozen.world
    }

    /// Invalidates decisions of the next step because their inputs change. Those of the last step remain valid.
    pub(super) fn drop_next(&mut self) {
        if self.decided == DecidedStep::Next {
            self.decided = DecidedStep::Unknown;
        }
    }

    /// Returns the frozen state for reading elsewhere. If it is still held, the next step works on a copy.
    pub fn frozen(&self) -> Arc<Frozen> {
        Arc::clone(&self.frozen)
    }

    /// Replaces world and behaviors between two steps. `origin` maps each unit of `world` to its previous index, if any;
    /// its memory is migrated by behavior, field name and kind.
    pub fn adopt(&mut self, mut world: World, origin: &[Option<usize>], slots: Vec<Vec<Slot>>) {
        self.behaviors = self.replaced(&world, origin, slots);
        world.carry_obstacles(0.0);
        routes::settle(&mut world);
        self.set_world(world);
        self.forget_resumed();
    }

    /// Replaces the world.
    fn set_world(&mut self, world: World) {
        self.buffers.fit(self.frozen.world.units.len(), world.units.len());
        self.frozen = Arc::new(Frozen::new(world));
    }

    /// Replaces the behaviors of every group between two steps; the memory of units is migrated.
    pub fn replace_behaviors(&mut self, slots: Vec<Vec<Slot>>) {
        let origin: Vec<_> = (0..self.world().units.len()).map(Some).collect();
        let frozen = self.frozen();
        self.behaviors = self.replaced(&frozen.world, &origin, slots);
        self.forget_resumed();
    }

    /// Creates behaviors for the groups of `new`, whose units were the units `origin` of the current world.
    fn replaced(
        &mut self,
        new: &World,
        origin: &[Option<usize>],
        slots: Vec<Vec<Slot>>,
    ) -> Vec<GroupBehaviors> {
        self.decided = DecidedStep::Unknown;
        let slots = slots.into_iter().chain(std::iter::repeat_with(Vec::new));
        let (world, behaviors) = (&self.frozen.world, &*self.behaviors);
        let before = Predecessors { world, behaviors };
        let mut replaced = Vec::new();
        for (index, (group, slots)) in new.groups.iter().zip(slots).enumerate() {
            let origin = &origin[group.units.clone()];
            let (mut behaviors, mut failures) = GroupBehaviors::replace(slots, (new, group), origin, before);
            for failure in &mut failures {
                failure.unit += group.units.start;
            }
            (self.reports).add_all(index, &mut behaviors, failures, world.steps + 1);
            replaced.push(behaviors);
        }
        replaced
    }

    /// Replaces world and behaviors between two steps without a migration.
    pub(super) fn replace_all(&mut self, world: World, behaviors: Vec<GroupBehaviors>) {
        self.set_world(world);
        self.behaviors = behaviors;
        self.decided = DecidedStep::Unknown;
    }

    /// Returns a sample of the world for trial runs of new behaviors.
    pub fn sample(&self) -> Sample {
        Sample::new(&self.frozen, &self.behaviors)
    }

    /// The behaviors of a group, in the order of summation.
    pub fn slots(&self, group: usize) -> &[Slot] {
        self.behaviors.get(group).map_or(&[], |behaviors| &behaviors.slots)
    }

    /// Sets gain and enabled state of a behavior from the next step on.
    pub fn tune(&mut self, group: usize, slot: usize, gain: f32, enabled: bool) {
        self.drop_next();
        let behaviors = self.behaviors.get_mut(group);
        if let Some(slot) = behaviors.and_then(|behaviors| behaviors.slots.get_mut(slot)) {
            slot.gain = gain;
            slot.switch(enabled);
            self.forget_resumed();
        }
    }

    /// The step that [`Simulation::decisions`] belong to.
    pub fn decided(&self) -> DecidedStep {
        self.decided
    }

    /// Computes the decisions of the next step only: memories, reports and later states are unaffected. Returns false,
    /// without decisions, if canceled.
    pub fn decide_next(&mut self, cancel: &AtomicBool) -> bool {
        self.perceive();
        self.contribute(cancel).is_some()
    }

    /// The contribution of each behavior of a unit's group, before gain, in the step of [`Simulation::decided`].
    pub fn decisions(&self, unit: usize) -> impl Iterator<Item = (&Slot, Contribution)> {
        let found = group_of(&self.frozen.world, &self.behaviors, unit);
        found.into_iter().flat_map(|(behaviors, index)| {
            let contributions = behaviors.contributions(index);
            behaviors.slots.iter().zip(contributions)
        })
    }

    /// The drawings of the last step, if [`Simulation::drawing`] was true.
    pub fn drawings(&self) -> impl Iterator<Item = &Drawing> {
        self.behaviors.iter().flat_map(|behaviors| &behaviors.recording.drawings)
    }

    /// The watched values of the last step, if [`Simulation::watching`] was true.
    pub fn watches(&self) -> impl Iterator<Item = &Watch> {
        self.behaviors.iter().flat_map(|behaviors| &behaviors.recording.watches)
    }

    /// The number of the next sample of costs, counted from the start; every 32nd step has one.
    pub fn next_cost_sample(&self) -> u64 {
        self.frozen.world.steps.div_ceil(cost_sampling::SAMPLE_INTERVAL)
    }

    /// The measured cost of each active behavior, if [`Simulation::costing`] was true.
    pub fn costs(&self) -> Vec<RuleCost> {
        cost_sampling::all_costs(&self.behaviors)
    }

    /// Failures since the start, one entry per behavior and cause.
    pub fn reports(&self) -> &[Report] {
        self.reports.all()
    }

    /// Measures of groups that are computed by code, with their failures.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// Replaces the measures that are computed by code, if they differ; the new ones have no failures.
    pub fn set_measures(&mut self, measures: Vec<NamedMeasure>) {
        if self.measures.all() != measures {
            self.measures = Arc::new(Measures::new(measures));
        }
    }

    /// Returns a copy of all state that the next steps depend on.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(&self.frozen.world, &self.behaviors)
    }

    /// Restores a snapshot of this simulation. Later steps are identical if the behaviors are. The memory of behaviors
    /// that are not in the snapshot is initialized.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.set_world(snapshot.world.clone());
        self.behaviors = snapshot.restore(std::mem::take(&mut self.behaviors));
        self.decided = DecidedStep::Unknown;
    }

    /// Restores a snapshot of this simulation including its behaviors, their gains and enabled states. The contributions
    /// of its last step are unknown.
    pub fn restore_exactly(&mut self, snapshot: &Snapshot) {
        self.replace_all(snapshot.world.clone(), snapshot.behaviors());
    }
}
