//! What can be plotted, of a group or of one unit.

use super::series::{Key, Subject};
use crate::session::Explained;
use crate::sim::metrics::{self, Figures, WatchedMean};
use crate::sim::{Contribution, DecidedStep, Simulation, clusters, use_names};
use crate::world::World;

/// What can be plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Quantity {
    Polarization,
    Milling,
    Speed,
    Nearest,
    Touching,
    Count,
    Clusters,
    Force,
    Signal,
    Watched,
    /// The value of a line of a script; chosen there.
    Line,
}

impl Quantity {
    pub(in crate::app) const ALL: [Self; 10] = [
        Self::Polarization,
        Self::Milling,
        Self::Speed,
        Self::Nearest,
        Self::Touching,
        Self::Count,
        Self::Clusters,
        Self::Force,
        Self::Signal,
        Self::Watched,
    ];

    /// As the user reads it, and what it says.
    pub(in crate::app) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Polarization => ("polarization", "1: all move in one direction; 0: disorder"),
            Self::Milling => ("milling", "1: all circle about the middle of their group"),
            Self::Speed => ("speed", "of a group: the mean"),
            Self::Nearest => ("nearest", "distance to the nearest unit; of a group: the mean"),
            Self::Touching => ("touching", "units in contact with another"),
            Self::Count => ("count", "units of a group"),
            Self::Clusters => {
                ("clusters", "separate parts of a group: no unit of one sees a unit of another")
            }
            Self::Force => ("force", "contribution of each rule after its gain; of a group: the mean length"),
            Self::Signal => ("signal", "of a group: the mean"),
            Self::Line => ("line", "the value of a line of a script"),
            Self::Watched => ("watched", "values of `me.watch`; of a group: the mean"),
        }
    }

    /// Returns true for quantities of groups that are computed on request.
    pub(super) fn is_costly(self) -> bool {
        matches!(self, Self::Clusters | Self::Force | Self::Watched)
    }

    /// Its greatest value, if it has one.
    pub(in crate::app) fn most(self) -> Option<f32> {
        matches!(self, Self::Polarization | Self::Milling).then_some(1.0)
    }
}

/// Everything that is known of each group in this step. Clusters, forces and watched values only if they are `chosen`.
pub(super) fn of_groups(
    simulation: &Simulation,
    chosen: impl Fn(Quantity) -> bool,
    mut add: impl FnMut(Key, f32),
) {
    let world = simulation.world();
    for (group, figures) in metrics::of_groups(world).into_iter().enumerate() {
        let units = world.groups[group].units.clone();
        if units.is_empty() {
            continue;
        }
        let mut figure = |quantity, value| add(Key::of(quantity, Subject::Group(group)), value);
        let Figures { count, speed_mean, polarization, milling, nearest_mean } = figures;
        figure(Quantity::Polarization, polarization);
        figure(Quantity::Milling, milling);
        figure(Quantity::Speed, speed_mean);
        figure(Quantity::Nearest, nearest_mean);
        figure(Quantity::Touching, units.clone().filter(|unit| touches(world, *unit) > 0).count() as f32);
        figure(Quantity::Count, count as f32);
        if chosen(Quantity::Clusters) {
            figure(Quantity::Clusters, clusters(world, &world.groups[group]) as f32);
        }
        if chosen(Quantity::Force) && simulation.decided() == DecidedStep::Last {
            forces(simulation, group, &mut add);
        }
        for (at, name) in world.signals.all().iter().enumerate() {
            let sum: f32 = units.clone().map(|unit| world.units.signals.get(unit, at)).sum();
            add(Key::named(Quantity::Signal, Subject::Group(group), at, name), sum / count as f32);
        }
    }
    if chosen(Quantity::Watched) {
        for WatchedMean { group, slot, rule, name, mean } in metrics::watched(simulation) {
            let name = format!("{rule}: {name}");
            add(Key::named(Quantity::Watched, Subject::Group(group), slot, &name), mean);
        }
    }
}

fn touches(world: &World, unit: usize) -> usize {
    world.units.touching.of(unit).len()
}

/// The mean length of what each behavior of a group asked for.
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

/// Everything that is known of the inspected unit in this step.
pub(super) fn of_unit(world: &World, explained: &Explained, mut add: impl FnMut(Key, f32)) {
    let (facts, unit) = (&explained.facts, explained.facts.unit);
    let subject = Subject::Unit;
    if unit >= world.units.len() {
        return;
    }
    add(Key::of(Quantity::Speed, subject), world.units.velocity[unit].length());
    add(Key::of(Quantity::Nearest, subject), metrics::nearest_of(world, unit));
    add(Key::of(Quantity::Touching, subject), touches(world, unit) as f32);
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
