//! Complete explanation of a unit's motion in one step.

use glam::Vec3;

use super::blend;
use super::context::UnitContext;
use super::contribution::Contribution;
use super::decided::Decided;
use super::failure::Failure;
use super::memory::{DrawnKind, FieldKind, MemoryLayout, vector};
use super::recording::{Watch, WatchValue};
use super::simulation::Simulation;
use super::slot::{Slot, use_names};
use super::suspension::SuspendReason;
use crate::dynamics::{self, Breakdown, Motion, Steering};
use crate::perception::{List, Source};

/// All data on one unit in one step: perception, contributions and resulting motion. Births and deaths after the step
/// change the indices of units: those here are the ones before the step; see [`Inspection::index_after`].
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The step, from 1.
    pub step: u64,
    /// The unit's index before the step.
    pub unit: usize,
    /// Its index after the step; `None` if it died.
    pub now: Option<usize>,
    /// Its key.
    pub key: u64,
    /// The index after the step of each unit, if units were born or died.
    targets: Option<Vec<Option<usize>>>,
    /// The name of its group.
    pub group: String,
    /// Its motion before the step, as seen by its behaviors.
    pub before: Motion,
    /// Its motion after the step; before [`Inspection::finish`], without contacts.
    pub after: Motion,
    /// The behaviors of its group, in the order of summation.
    pub rules: Vec<InspectedRule>,
    /// The sum of all contributions times gains, in world axes: a force, or a mover's change of velocity.
    pub resultant: Vec3,
    /// The forces after budget and limits.
    pub forces: Breakdown,
    /// The change of velocity by contacts.
    pub contact: Vec3,
    /// The units in contact with it in the step, if units have contacts.
    pub touching: Vec<usize>,
    /// Its neighbors, nearest first.
    pub neighbors: Vec<usize>,
    /// Its enemies, nearest first.
    pub enemies: Vec<usize>,
    /// The obstacles within the radius of its view, nearest first.
    pub obstacles: Vec<usize>,
    /// The marks set in the step.
    pub marks: Vec<String>,
    /// Its signals after the step.
    pub signals: Vec<(String, f32)>,
}

/// The result of one behavior for a unit in a step.
#[derive(Clone, Debug)]
pub struct InspectedRule {
    /// The name of its script; further uses in a group are `script#2` and so on.
    pub name: String,
    /// Its gain.
    pub gain: f32,
    /// True if it is enabled.
    pub enabled: bool,
    /// The reason if it is suspended.
    pub suspended: Option<SuspendReason>,
    /// Its contribution, before gain.
    pub contribution: Contribution,
    /// The contribution in world axes: a force, or a mover's change of velocity.
    pub unweighted: Vec3,
    /// The contribution times gain in world axes: a force, or a mover's change of velocity.
    pub weighted: Vec3,
    /// The result of the repeated call; `None` if the behavior did not run.
    pub call: Option<Result<Contribution, Failure>>,
    /// The values that it watched.
    pub watches: Vec<(String, WatchValue)>,
    /// The unit's memory for it after the step, by field name.
    pub memory: Vec<(String, MemoryValue)>,
    /// The unit's values of parameters that differ by unit.
    pub drawn: Vec<(String, MemoryValue)>,
}

/// A value of a unit's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MemoryValue {
    /// A number.
    Number(f32),
    /// A bool.
    Bool(bool),
    /// A vector.
    Vector(Vec3),
}

impl Inspection {
    /// Inspects the decisions for an existing unit. [`Inspection::finish`] adds the results of the step.
    pub fn new(decided: &Decided<'_>, unit: usize) -> Self {
        let world = decided.world();
        let (group, before) = (world.group_of(unit), Motion::from_unit(&world.units, unit));
        let force = group.body.steering_force();
        let contributions = decided.contributions(unit);
        let (slots, steerings): (Vec<_>, Vec<_>) =
            contributions.iter().map(|(slot, contribution)| ((*slot).clone(), *contribution)).unzip();
        let controls = (world.player == Some(unit)).then_some(&world.controls);
        let steering = decided.decision(unit).steering;
        let mut inspection = Self {
            step: world.steps + 1,
            unit,
            now: Some(unit),
            key: world.units.key[unit],
            targets: None,
            group: group.name.clone(),
            before,
            after: advanced(decided, unit),
            rules: rules(&contributions, |steering| dynamics::in_world(&before, steering, force)),
            resultant: dynamics::in_world(&before, &blend::sum(&slots, steerings.iter().copied()), force),
            forces: dynamics::breakdown(
                world.body_of(unit),
                &before,
                &steering,
                controls,
                &world.arena,
                world.step,
            ),
            contact: Vec3::ZERO,
            touching: Vec::new(),
            neighbors: Vec::new(),
            enemies: Vec::new(),
            obstacles: Vec::new(),
            marks: Vec::new(),
            signals: Vec::new(),
        };
        inspection.look(&mut decided.context(unit));
        inspection.call_again(decided);
        inspection
    }

    /// Stores the units and obstacles that the unit perceives.
    fn look(&mut self, context: &mut UnitContext) {
        let units = |context: &mut UnitContext, source| {
            let units = context.units(List::all(source));
            units.map(|neighbor| neighbor.unit).collect()
        };
        self.neighbors = units(context, Source::Neighbors);
        self.enemies = units(context, Source::Enemies);
        let world = context.world();
        let view = world.group_of(self.unit).view.and_then(|view| world.views.get(view));
        if let Some(reach) = view.map(|view| view.view.radius()) {
            let near = context.obstacles_within(reach).iter();
            self.obstacles = near.map(|near| near.obstacle).collect();
        }
    }

    /// Repeats each call to obtain failures, watched values, and the memory of a unit that dies after the step.
    fn call_again(&mut self, decided: &Decided<'_>) {
        let slots = decided.contributions(self.unit);
        for (at, rule) in self.rules.iter_mut().enumerate() {
            if let Some((layout, words)) = decided.memory(self.unit, slots[at].0.key) {
                rule.remember(layout, words);
            }
        }
        decided.call_again(self.unit, |at, context, memory| {
            let (rule, behavior) = (&mut self.rules[at], slots[at].0.behavior.as_ref());
            rule.call = behavior.map(|behavior| behavior.decide(context, memory).and_then(finite));
            if let (Some(Ok(_)), Some(behavior)) = (&rule.call, behavior) {
                rule.remember(behavior.memory(), memory);
            }
            let watches = context.recording.take().watches.into_iter();
            rule.watches = watches.map(|Watch { name, value, .. }| (name, value)).collect();
        });
    }

    /// Adds the results of the completed step.
    pub fn finish(&mut self, simulation: &Simulation) {
        let world = simulation.world();
        self.targets = simulation.targets().map(<[_]>::to_vec);
        self.now = self.index_after(self.unit);
        let Some(unit) = self.now else { return };
        let after = Motion::from_unit(&world.units, unit);
        self.contact = after.velocity - self.after.velocity;
        self.after = after;
        let before = |now: &u32| match &self.targets {
            None => Some(*now as usize),
            Some(targets) => targets.iter().position(|target| *target == Some(*now as usize)),
        };
        self.touching = world.units.touching.of(unit).iter().filter_map(before).collect();
        self.marks = world.marks.of(world.units.marks[unit]).map(str::to_owned).collect();
        let signals = world.signals.all().iter().zip(world.units.signals.of(unit));
        self.signals = signals.map(|(name, value)| (name.clone(), *value)).collect();
        let slots = simulation.slots(world.units.group[unit] as usize);
        for (slot, layout, words) in simulation.memory(unit) {
            if let Some(at) = slots.iter().position(|other| other.key == slot.key) {
                self.rules[at].remember(layout, words);
            }
        }
    }

    /// Returns the index after the step of a unit by its index before it; `None` if it died.
    pub fn index_after(&self, unit: usize) -> Option<usize> {
        self.targets.as_ref().map_or(Some(unit), |targets| targets.get(unit).copied().flatten())
    }

    /// Returns the indices after the step of units by their indices before it, without the dead.
    pub fn indices_after(&self, units: &[usize]) -> Vec<usize> {
        units.iter().filter_map(|unit| self.index_after(*unit)).collect()
    }
}

impl InspectedRule {
    /// Stores the named values of a memory row.
    fn remember(&mut self, layout: &MemoryLayout, words: &[u32]) {
        (self.memory, self.drawn) = (memory(layout, words), drawn(layout, words));
    }

    /// Returns the reason why it contributed nothing, in a word; `None` if it contributed.
    pub fn idle(&self) -> Option<&'static str> {
        match (&self.call, self.suspended) {
            _ if !self.enabled => Some("off"),
            (_, Some(_)) => Some("suspended"),
            (Some(Err(_)), _) => Some("failed"),
            _ => (self.contribution == Contribution::None).then_some("nothing"),
        }
    }
}

/// Returns the contributions of all behaviors.
fn rules(decided: &[(&Slot, Contribution)], in_world: impl Fn(&Steering) -> Vec3) -> Vec<InspectedRule> {
    let names = use_names(decided.iter().map(|(slot, _)| *slot));
    let rule = |(name, (slot, contribution)): (String, &(&Slot, Contribution))| {
        let times = |gain| {
            let slot = Slot { gain, ..(*slot).clone() };
            in_world(&blend::sum(&[slot], std::iter::once(*contribution)))
        };
        InspectedRule {
            name,
            gain: slot.gain,
            enabled: slot.enabled,
            suspended: slot.suspended(),
            contribution: *contribution,
            unweighted: times(1.0),
            weighted: times(slot.gain),
            call: None,
            watches: Vec::new(),
            memory: Vec::new(),
            drawn: Vec::new(),
        }
    };
    names.into_iter().zip(decided).map(rule).collect()
}

/// Returns a failure for a contribution that is not finite.
fn finite(contribution: Contribution) -> Result<Contribution, Failure> {
    if contribution.is_finite() { Ok(contribution) } else { Err(Failure::not_finite()) }
}

/// Returns the motion after the step without contacts.
fn advanced(decided: &Decided<'_>, unit: usize) -> Motion {
    let (world, mut motion) = (decided.world(), Motion::from_unit(&decided.world().units, unit));
    let (steering, arena) = (decided.decision(unit).steering, &world.arena);
    let controls = (world.player == Some(unit)).then_some(&world.controls);
    dynamics::advance(world.body_of(unit), &mut motion, &steering, controls, arena, world.step);
    dynamics::confine(arena, &mut motion);
    motion
}

/// Converts the drawn parameters of a memory row to named values.
fn drawn(layout: &MemoryLayout, words: &[u32]) -> Vec<(String, MemoryValue)> {
    let value = |kind, word: u32| match kind {
        DrawnKind::Number => MemoryValue::Number(f32::from_bits(word)),
        DrawnKind::Integer => MemoryValue::Number(word.cast_signed() as f32),
        DrawnKind::Switch => MemoryValue::Bool(word != 0),
    };
    layout.drawn().iter().map(|drawn| (drawn.name.clone(), value(drawn.kind, words[drawn.offset]))).collect()
}

/// Converts a memory row to named values.
fn memory(layout: &MemoryLayout, words: &[u32]) -> Vec<(String, MemoryValue)> {
    let value = |kind, words: &[u32]| match kind {
        FieldKind::Number => MemoryValue::Number(f32::from_bits(words[0])),
        FieldKind::Bool => MemoryValue::Bool(words[0] != 0),
        FieldKind::Vector => MemoryValue::Vector(vector(words)),
    };
    let fields = layout.fields().iter();
    fields.map(|field| (field.name.clone(), value(field.kind, &words[field.offset..]))).collect()
}
