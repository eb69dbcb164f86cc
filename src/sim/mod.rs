//! The simulation: one step as one readable page. Knows no file, no window, no script language.

mod act;
mod arrays;
mod behavior;
mod blend;
mod context;
mod decide;
mod facts;
mod group_behaviors;
mod hash;
mod memory;
pub mod metrics;
mod report;
mod rows;
mod sample;
mod snapshot;
mod suspension;
pub mod work;
mod workers;

pub use arrays::Arrays;
pub use behavior::{Behavior, Contribution, Failure};
pub use context::{Drawing, Frozen, Shape, UnitContext};
pub use facts::GroupFacts;
pub use group_behaviors::{Slot, slot_key};
pub use memory::{Field, FieldKind, MemoryLayout};
pub(crate) use memory::{number_words, vector, vector_words};
pub use report::{Report, Reports};
pub use sample::{Sample, sampled};
pub use snapshot::Snapshot;
pub use suspension::{PATIENCE, Rest, SuspensionState};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::dynamics::ContactSolver;
use crate::world::{Controls, Group, NamedFlow, Obstacle, World};
use glam::Vec3;
use group_behaviors::GroupBehaviors;
use workers::Workers;

/// A world and the behaviors that move it, step by step.
///
/// The result of a step depends on the state alone: neither on the order of units nor on the number
/// of threads. Parallel work runs in the rayon pool of the caller.
pub struct Simulation {
    frozen: Arc<Frozen>,
    behaviors: Vec<GroupBehaviors>,
    reports: Reports,
    contacts: ContactSolver,
    workers: Workers,
    /// Whether behaviors' drawings are recorded.
    pub drawing: bool,
    /// How long each phase of the last step took.
    pub phases: Phases,
}

impl Clone for Simulation {
    /// A simulation whose steps come out as those of this one. The world is shared until one of the two
    /// changes it; buffers that no result depends on are not copied.
    fn clone(&self) -> Self {
        Self {
            frozen: Arc::clone(&self.frozen),
            behaviors: self.behaviors.clone(),
            reports: self.reports.clone(),
            contacts: ContactSolver::default(),
            workers: Workers::default(),
            drawing: self.drawing,
            phases: self.phases,
        }
    }
}

/// Wall-clock time of the phases of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Sorting units into the grid, and lining them up.
    pub perceive: Duration,
    /// Gathering lists and running behaviors.
    pub decide: Duration,
    /// Summing contributions, integrating, contacts, edges.
    pub act: Duration,
}

impl Phases {
    /// The whole step.
    pub fn total(&self) -> Duration {
        self.perceive + self.decide + self.act
    }
}

impl Simulation {
    /// A simulation of `world` whose groups, in order, run the behaviors of `slots`; groups past the
    /// end of `slots` run none.
    pub fn new(world: World, slots: Vec<Vec<Slot>>) -> Self {
        let origin = vec![None; world.units.len()];
        let mut simulation = Self {
            frozen: Arc::default(),
            behaviors: Vec::new(),
            reports: Reports::default(),
            contacts: ContactSolver::default(),
            workers: Workers::default(),
            drawing: false,
            phases: Phases::default(),
        };
        simulation.adopt(world, &origin, slots);
        simulation
    }

    /// Makes one step: all perceive and decide on the same frozen state, then all act.
    pub fn step(&mut self) {
        self.try_step(&AtomicBool::new(false));
    }

    /// As [`Simulation::step`], unless `cancel` is set while behaviors decide. The step is then given up
    /// soon, the state is what it was before, and the answer is false; only what behaviors contributed
    /// and drew last is forgotten.
    pub fn try_step(&mut self, cancel: &AtomicBool) -> bool {
        let start = Instant::now();
        self.perceive();
        let perceived = Instant::now();
        if !self.decide(cancel) {
            self.behaviors
                .iter_mut()
                .for_each(GroupBehaviors::forget_decisions);
            return false;
        }
        let decided = Instant::now();
        self.act();
        self.phases = Phases {
            perceive: perceived - start,
            decide: decided - perceived,
            act: decided.elapsed(),
        };
        true
    }

    fn perceive(&mut self) {
        let (frozen, behaviors) = (Arc::make_mut(&mut self.frozen), &mut self.behaviors);
        frozen.sort_beside(|world, order| group_behaviors::line_up(behaviors, world, order));
    }

    /// Lets everybody decide; whether they did, and were not cancelled.
    fn decide(&mut self, cancel: &AtomicBool) -> bool {
        let (frozen, workers, drawing) = (&self.frozen, &self.workers, self.drawing);
        let parts: Option<Vec<_>> = (self.behaviors.par_iter_mut().enumerate())
            .map(|(group, group_behaviors)| {
                decide::decide(frozen, workers, group, group_behaviors, (drawing, cancel))
            })
            .collect();
        let Some(parts) = parts else {
            workers.rest();
            return false;
        };
        let steps = self.frozen.world.steps + 1;
        for (group, (group_behaviors, decided)) in self.behaviors.iter_mut().zip(parts).enumerate()
        {
            group_behaviors.remember();
            self.reports.collect(group, group_behaviors, decided, steps);
        }
        true
    }

    fn act(&mut self) {
        let frozen = Arc::make_mut(&mut self.frozen);
        let (contacts, reports) = (&mut self.contacts, &mut self.reports);
        act::act(&mut frozen.world, &self.behaviors, contacts, reports);
        frozen.world.steps += 1;
    }

    /// The state after the last step.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// The frozen state itself, to be read elsewhere while the simulation goes on: the next step
    /// then works on a copy.
    pub fn frozen(&self) -> Arc<Frozen> {
        Arc::clone(&self.frozen)
    }

    /// Replaces world and behaviors between two steps. `origin` tells for each unit of `world` the
    /// unit it was before, whose memory it keeps field by field (by name and kind) for every
    /// behavior it still runs.
    pub fn adopt(&mut self, world: World, origin: &[Option<usize>], slots: Vec<Vec<Slot>>) {
        self.behaviors = self.behaviors_of(&world.groups, origin, slots);
        self.frozen = Arc::new(Frozen::new(world));
    }

    /// Replaces the behaviors of every group between two steps; units keep their memory.
    pub fn replace_behaviors(&mut self, slots: Vec<Vec<Slot>>) {
        let origin: Vec<_> = (0..self.world().units.len()).map(Some).collect();
        let groups = self.frozen.world.groups.clone();
        self.behaviors = self.behaviors_of(&groups, &origin, slots);
    }

    /// Crews for `groups`, whose units were the units `origin` of the present world.
    fn behaviors_of(
        &mut self,
        groups: &[Group],
        origin: &[Option<usize>],
        slots: Vec<Vec<Slot>>,
    ) -> Vec<GroupBehaviors> {
        let slots = slots.into_iter().chain(std::iter::repeat_with(Vec::new));
        let (world, before) = (&self.frozen.world, &self.behaviors);
        let mut behaviors = Vec::new();
        for (index, (group, slots)) in groups.iter().zip(slots).enumerate() {
            let origin = &origin[group.units.clone()];
            let (mut group_behaviors, failures) =
                GroupBehaviors::take_over(slots, origin, world, before);
            let failures = failures.into_iter().map(|(unit, place, failure)| {
                let unit = group.units.start + unit;
                (unit, place, failure)
            });
            let steps = world.steps + 1;
            (self.reports).note(index, &mut group_behaviors, failures.collect(), steps);
            behaviors.push(group_behaviors);
        }
        behaviors
    }

    /// The world as it stands, and what some units remember, for new behaviors to be tried on.
    pub fn sample(&self) -> Sample {
        Sample::of(&self.frozen, &self.behaviors)
    }

    /// The behaviors of a group, in the order in which they are summed.
    pub fn slots(&self, group: usize) -> &[Slot] {
        self.behaviors
            .get(group)
            .map_or(&[], |group_behaviors| &group_behaviors.slots)
    }

    /// Sets gain and switch of a behavior from the next step on.
    pub fn tune(&mut self, group: usize, slot: usize, gain: f32, enabled: bool) {
        if let Some(slot) = self
            .behaviors
            .get_mut(group)
            .and_then(|group_behaviors| group_behaviors.slots.get_mut(slot))
        {
            slot.gain = gain;
            slot.switch(enabled);
        }
    }

    /// What each behavior of a unit's group contributed in the last step, before gain.
    pub fn decisions(&self, unit: usize) -> impl Iterator<Item = (&Slot, Contribution)> {
        let units = &self.frozen.world.units;
        let group = units
            .group
            .get(unit)
            .map_or(usize::MAX, |group| *group as usize);
        let index = unit
            - self
                .frozen
                .world
                .groups
                .get(group)
                .map_or(0, |group| group.units.start);
        let group_behaviors = self.behaviors.get(group);
        group_behaviors
            .into_iter()
            .flat_map(move |group_behaviors| {
                group_behaviors
                    .slots
                    .iter()
                    .zip(group_behaviors.decided(index).iter().copied())
            })
    }

    /// What behaviors drew in the last step, while `drawing` was on.
    pub fn drawings(&self) -> impl Iterator<Item = &Drawing> {
        self.behaviors
            .iter()
            .flat_map(|group_behaviors| &group_behaviors.drawings)
    }

    /// Failures since the start, one entry for each behavior and cause.
    pub fn reports(&self) -> &[Report] {
        self.reports.all()
    }

    /// Forgets the failures of a behavior, because it was replaced or mended.
    pub fn forget_reports(&mut self, script: &str) {
        self.reports.forget(script);
    }

    /// Gives marks their bits; those that are known keep theirs.
    pub fn name_marks(&mut self, marks: &[String]) {
        if marks
            .iter()
            .any(|mark| self.world().marks.bit(mark).is_none())
        {
            Arc::make_mut(&mut self.frozen)
                .world
                .marks
                .intern_all(marks);
        }
    }

    /// Replaces the flow fields between two steps, if they differ.
    pub fn set_flows(&mut self, flows: &[NamedFlow]) {
        if self.world().flows != flows {
            Arc::make_mut(&mut self.frozen).world.flows = flows.to_vec();
        }
    }

    /// Puts another obstacle in the place of one, between two steps; out of range is ignored.
    pub fn set_obstacle(&mut self, at: usize, obstacle: Obstacle) {
        let world = &mut Arc::make_mut(&mut self.frozen).world;
        if let Some(standing) = world.obstacles.get_mut(at) {
            *standing = obstacle;
        }
    }

    /// Sets the point that the mouse asks for.
    pub fn set_target(&mut self, target: Option<Vec3>) {
        Arc::make_mut(&mut self.frozen).world.target = target;
    }

    /// Sets what the keyboard asks of the player.
    pub fn set_controls(&mut self, controls: Controls) {
        Arc::make_mut(&mut self.frozen).world.controls = controls;
    }

    /// Changes the view of a group from the next step on; out of range is ignored.
    pub fn set_view(&mut self, group: usize, view: Option<usize>) {
        let world = &mut Arc::make_mut(&mut self.frozen).world;
        let known = view.is_none_or(|view| view < world.views.len());
        if let Some(group) = world.groups.get_mut(group).filter(|_| known) {
            group.view = view;
        }
    }

    /// Hash of units, memories and step: equal states have equal hashes on every platform.
    pub fn hash(&self) -> u64 {
        hash::hash(&self.frozen.world, &self.behaviors)
    }

    /// A copy of everything the next steps depend on.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.frozen.world, &self.behaviors)
    }

    /// Returns to a snapshot of this simulation: the steps after it come out the same again, as long
    /// as the behaviors are the same. Memory of behaviors that the snapshot does not know starts
    /// anew.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.frozen = Arc::new(Frozen::new(snapshot.world.clone()));
        snapshot.give_back(&mut self.behaviors, &self.frozen.world);
    }
}
