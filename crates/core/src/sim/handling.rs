//! The calls of the behaviors that handle the events of a step.
//!
//! Handlers run after the step, in the order of units, then of kinds of events, then of other units or zones, then of
//! behaviors. All of them see the same state: marks, signals and deposits are applied after the last one.

use std::sync::Arc;

use super::behavior::Behavior;
use super::claims::Claims;
use super::context::UnitContext;
use super::event::{Handled, UnitEvent};
use super::events::handled;
use super::failure::{Failure, UnitFailure};
use super::frozen::Frozen;
use super::group_behaviors::GroupBehaviors;
use super::recording::Recorded;
use super::report::Reports;
use super::work;
use super::workers::Workers;
use crate::dynamics::deposit;
use crate::world::{Group, World};

/// The calls of handlers.
pub(super) struct Handling<'a> {
    pub(super) workers: &'a Workers,
    pub(super) recorded: Recorded,
    pub(super) reports: &'a mut Reports,
    pub(super) claims: &'a mut Claims,
}

impl Handling<'_> {
    /// Calls the behaviors that handle `events`, which are in order.
    pub(super) fn handle(
        self,
        (frozen, behaviors): (&mut Arc<Frozen>, &mut [GroupBehaviors]),
        events: &[UnitEvent],
    ) {
        if events.is_empty() {
            return;
        }
        prepare(frozen, behaviors);
        let mut effects = Effects::default();
        let steps = frozen.world.steps;
        for (index, (group, behaviors)) in frozen.world.groups.iter().zip(behaviors).enumerate() {
            let of_group = |from: usize| events.partition_point(|it| it.unit < from);
            let events = &events[of_group(group.units.start)..of_group(group.units.end)];
            if events.is_empty() || handled(&behaviors.slots) == Handled::NONE {
                continue;
            }
            let mut calls = Calls::new(group, behaviors);
            self.workers.with_context(frozen, self.recorded, |context| {
                std::mem::swap(&mut context.claims, self.claims);
                for events in events.chunk_by(|one, other| one.unit == other.unit) {
                    calls.of_unit(context, events);
                    effects.add(context);
                }
                std::mem::swap(&mut context.claims, self.claims);
                calls.behaviors.recording.append(&mut context.recording.take());
            });
            // Other groups have other queries, and the effects are written to the state.
            self.workers.release();
            let failures = calls.failures;
            behaviors.recording.sort();
            self.reports.add_of_events(index, behaviors, failures, steps);
        }
        if self.claims.has_taken() {
            self.claims.apply(&mut Arc::make_mut(frozen).world.grids);
        }
        if !effects.0.is_empty() {
            effects.apply(&mut Arc::make_mut(frozen).world);
        }
    }
}

/// Sorts the units if a handler may request neighbors, or if they were never sorted.
fn prepare(frozen: &mut Arc<Frozen>, behaviors: &[GroupBehaviors]) {
    let queries = behaviors.iter().any(|behaviors| handled(&behaviors.slots).queries);
    if queries || frozen.group_constants.len() != frozen.world.groups.len() {
        Arc::make_mut(frozen).sort();
    }
}

/// The calls of handlers of a group.
struct Calls<'a> {
    first: usize,
    units: usize,
    /// The limit on the work of a behavior, and the work of each so far.
    share: u64,
    used: Vec<u64>,
    behaviors: &'a mut GroupBehaviors,
    failures: Vec<UnitFailure>,
}

impl<'a> Calls<'a> {
    fn new(group: &Group, behaviors: &'a mut GroupBehaviors) -> Self {
        Self {
            first: group.units.start,
            units: group.units.len(),
            share: work::share(group.units.len()),
            used: vec![0; behaviors.slots.len()],
            behaviors,
            failures: Vec::new(),
        }
    }

    /// Handles the events of a unit, at least one.
    fn of_unit(&mut self, context: &mut UnitContext, events: &[UnitEvent]) {
        let unit = events[0].unit;
        context.set_unit(unit);
        let GroupBehaviors { slots, memory, .. } = &mut *self.behaviors;
        for (number, UnitEvent { event, .. }) in events.iter().enumerate() {
            for (at, slot) in slots.iter().enumerate() {
                let handles = |behavior: &&dyn Behavior| behavior.handled().has(event.kind());
                let Some(behavior) = slot.active().filter(handles).filter(|_| self.used[at] <= self.share)
                else {
                    continue;
                };
                context.set_behavior(at, draw_key(slot.key, number));
                let result = behavior.handle(*event, context, memory.get_mut(unit - self.first, at));
                let used = &mut self.used[at];
                *used = used.saturating_add(context.work());
                let too_slow = (*used > self.share).then(|| {
                    let (line, column) = behavior.place();
                    Failure { line, column, ..work::too_slow(self.units) }
                });
                if let Some(failure) = result.err().into_iter().chain(too_slow).last() {
                    self.failures.push(UnitFailure { unit, slot: at, failure });
                }
            }
        }
    }
}

/// Returns the key for random draws of the `number`-th event of a unit in a step: no event has the draws of another, or
/// those of `steer`.
fn draw_key(behavior: u64, number: usize) -> u64 {
    behavior ^ (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The effects of handlers on the state.
#[derive(Default)]
struct Effects(Vec<Effect>);

/// The effects of one unit's handlers.
struct Effect {
    unit: usize,
    marks: u64,
    signals: Vec<f32>,
    deposits: Vec<f32>,
}

impl Effects {
    /// Adds the effects of the context's unit, if there are any.
    fn add(&mut self, context: &UnitContext) {
        let unit = context.unit();
        let before = context.world().units.signals.of(unit);
        let has_signals =
            context.signals().iter().zip(before).any(|(new, old)| new.to_bits() != old.to_bits());
        let has_deposits = context.deposits().iter().any(|amount| *amount != 0.0);
        if context.marks() != 0 || has_signals || has_deposits {
            let signals = if has_signals { context.signals().to_vec() } else { Vec::new() };
            let deposits = if has_deposits { context.deposits().to_vec() } else { Vec::new() };
            self.0.push(Effect { unit, marks: context.marks(), signals, deposits });
        }
    }

    fn apply(self, world: &mut World) {
        for Effect { unit, marks, signals, deposits } in self.0 {
            let World { units, grids, .. } = &mut *world;
            units.marks[unit] |= marks;
            if !signals.is_empty() {
                units.signals.of_units_mut(unit..unit + 1).copy_from_slice(&signals);
            }
            for (grid, amount) in grids.iter_mut().zip(deposits).filter(|(_, amount)| *amount != 0.0) {
                deposit(grid, units.position[unit], amount);
            }
        }
    }
}
