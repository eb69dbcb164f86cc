//! Samples of a state: the figures of its groups and of the inspected unit.

use steerbox_core::sim::metrics::{self, FIGURES, FigureSource, WatchedMean};
use steerbox_core::sim::{Contribution, DecidedStep, MeasureNames, Measured, Simulation, use_names};
use steerbox_project::session::Explained;

use super::quantity::Quantity;
use super::series::{Key, Subject};

/// All figures of each group in this step; costly ones, forces and watched values only if they are `chosen`.
pub(super) fn of_groups(
    simulation: &Simulation,
    figures: &FigureSource<'_>,
    chosen: impl Fn(Quantity) -> bool,
    mut add: impl FnMut(Key, f32),
) {
    let world = simulation.world();
    let is_computed = |at: usize| {
        let quantity = Quantity::Figure(at);
        !quantity.is_costly() || chosen(quantity)
    };
    for (group, units) in world.groups.iter().map(|group| group.units.clone()).enumerate() {
        for at in (0..FIGURES.len()).filter(|at| is_computed(*at)) {
            if let Some(value) = figures.value(at, group) {
                add(Key::new(Quantity::Figure(at), Subject::Group(group)), value);
            }
        }
        if units.is_empty() {
            continue;
        }
        if chosen(Quantity::Force) && simulation.decided() == DecidedStep::Last {
            forces(simulation, group, &mut add);
        }
        for (at, name) in world.signals.all().iter().enumerate() {
            let sum: f32 = units.clone().map(|unit| world.units.signals.get(unit, at)).sum();
            add(Key::named(Quantity::Signal, Subject::Group(group), at, name), sum / units.len() as f32);
        }
    }
    if chosen(Quantity::Computed) {
        computed(simulation, &mut add);
    }
    if chosen(Quantity::Watched) {
        for WatchedMean { group, slot, rule, name, mean, .. } in metrics::watched(simulation) {
            let name = format!("{rule}: {name}");
            add(Key::named(Quantity::Watched, Subject::Group(group), slot, &name), mean);
        }
    }
}

/// The measures of all groups that scripts compute, and their components.
fn computed(simulation: &Simulation, mut add: impl FnMut(Key, f32)) {
    let (names, measured) = (MeasureNames::of(simulation), Measured::new(simulation));
    for (group, of_group) in names.groups.iter().enumerate() {
        let measures = names.of_group(of_group).into_iter().filter(|measure| measure.computed().is_some());
        let all = measures.flat_map(|measure| {
            let components = measured.components(&measure);
            std::iter::once(measure).chain(components)
        });
        for (at, measure) in all.enumerate() {
            if let Some(value) = measured.value(&measure) {
                let subject = Subject::Group(group);
                add(Key::named(Quantity::Computed, subject, at, measure.short_name()), value as f32);
            }
        }
    }
}

/// The mean length of the contribution of each behavior of a group.
fn forces(simulation: &Simulation, group: usize, mut add: impl FnMut(Key, f32)) {
    let world = simulation.world();
    let slots = simulation.slots(group);
    let Some(group_of) = world.groups.get(group) else { return };
    let mut sums = vec![0.0; slots.len()];
    for unit in group_of.units.clone() {
        for (sum, (slot, contribution)) in sums.iter_mut().zip(simulation.decisions(unit)) {
            *sum += slot.gain.abs()
                * match contribution {
                    Contribution::None => 0.0,
                    Contribution::Turn(turn) => turn.length() * group_of.body.steering_force(),
                    Contribution::Push(push) => push.length(),
                };
        }
    }
    for (at, (name, sum)) in use_names(slots).iter().zip(sums).enumerate() {
        let key = Key::named(Quantity::Force, Subject::Group(group), at, name);
        add(key, sum / group_of.units.len() as f32);
    }
}

/// All figures of the inspected unit in this step; `unit` is its index after it.
pub(super) fn of_unit(
    figures: &FigureSource<'_>,
    explained: &Explained,
    unit: usize,
    mut add: impl FnMut(Key, f32),
) {
    let (facts, subject) = (&explained.facts, Subject::Unit);
    for at in 0..FIGURES.len() {
        if let Some(value) = figures.of_unit(at, unit) {
            add(Key::new(Quantity::Figure(at), subject), value);
        }
    }
    for (at, (name, value)) in facts.signals.iter().enumerate() {
        add(Key::named(Quantity::Signal, subject, at, name), *value);
    }
    for (at, rule) in facts.rules.iter().enumerate() {
        add(Key::named(Quantity::Force, subject, at, &rule.name), rule.weighted.length());
        for (name, value) in &rule.watches {
            let name = format!("{}: {name}", rule.name);
            add(Key::named(Quantity::Watched, subject, at, &name), value.size());
        }
    }
}

/// The numbers of the units of a group and their values of a figure or signal in this step; `None` if the quantity has
/// no values of units.
pub(super) fn of_units(simulation: &Simulation, key: &Key) -> Option<Vec<(usize, f32)>> {
    let world = simulation.world();
    let Subject::Group(group) = key.subject else { return None };
    let units = world.groups.get(group)?.units.clone();
    match key.quantity {
        Quantity::Figure(at) => {
            FIGURES.get(at)?.of_unit?;
            let figures = FigureSource::new(world);
            Some(units.filter_map(|unit| Some((unit, figures.of_unit(at, unit)?))).collect())
        }
        Quantity::Signal => {
            let at = world.signals.all().iter().position(|name| **name == *key.name)?;
            Some(units.map(|unit| (unit, world.units.signals.get(unit, at))).collect())
        }
        Quantity::Force | Quantity::Watched | Quantity::Computed | Quantity::Line => None,
    }
}
