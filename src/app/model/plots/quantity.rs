//! What can be plotted, of a group or of one unit.

use super::series::{Key, Subject};
use crate::session::Explained;
use crate::sim::metrics::{self, FIGURES, WatchedMean};
use crate::sim::{Contribution, DecidedStep, Simulation, clusters, use_names};
use crate::world::World;

/// A plotted quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Quantity {
    /// A figure of [`FIGURES`], by its index.
    Figure(usize),
    Clusters,
    Force,
    Signal,
    Watched,
    /// The value of a line of a script; chosen there.
    Line,
}

impl Quantity {
    /// Returns all quantities that the panel offers, in the order of plots.
    pub(in crate::app) fn all() -> impl Iterator<Item = Self> {
        let others = [Self::Clusters, Self::Force, Self::Signal, Self::Watched];
        (0..FIGURES.len()).map(Self::Figure).chain(others)
    }

    /// Returns the quantity with a name.
    pub(in crate::app) fn named(name: &str) -> Option<Self> {
        Self::all().find(|quantity| quantity.words().0 == name)
    }

    /// Returns the name and a description.
    pub(in crate::app) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Figure(at) => FIGURES.get(at).map_or(("", ""), |figure| (figure.name, figure.about)),
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

    /// Returns the greatest value, if there is one.
    pub(in crate::app) fn most(self) -> Option<f32> {
        if let Self::Figure(at) = self { FIGURES.get(at)?.max } else { None }
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
        for (at, (_, value)) in figures.iter().enumerate() {
            figure(Quantity::Figure(at), value);
        }
        if chosen(Quantity::Clusters) {
            figure(Quantity::Clusters, clusters(world, &world.groups[group]) as f32);
        }
        if chosen(Quantity::Force) && simulation.decided() == DecidedStep::Last {
            forces(simulation, group, &mut add);
        }
        for (at, name) in world.signals.all().iter().enumerate() {
            let sum: f32 = units.clone().map(|unit| world.units.signals.get(unit, at)).sum();
            add(Key::named(Quantity::Signal, Subject::Group(group), at, name), sum / units.len() as f32);
        }
    }
    if chosen(Quantity::Watched) {
        for WatchedMean { group, slot, rule, name, mean } in metrics::watched(simulation) {
            let name = format!("{rule}: {name}");
            add(Key::named(Quantity::Watched, Subject::Group(group), slot, &name), mean);
        }
    }
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
    for (at, figure) in FIGURES.iter().enumerate() {
        if let Some(of_unit) = figure.of_unit {
            add(Key::of(Quantity::Figure(at), subject), of_unit(world, unit));
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
