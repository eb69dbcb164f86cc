//! The values of measures in a state.

use std::cell::OnceCell;

use super::measure::{GroupQuantity, Measure, Quantity};
use super::metrics::{self, FigureSource, WatchedMean};
use super::simulation::Simulation;

impl Measure {
    /// Returns its value in the current state; see [`Measured::value`].
    pub fn value(&self, simulation: &Simulation) -> Option<f64> {
        Measured::new(simulation).value(self)
    }
}

/// The evaluation of measures in one state. Searches and means are computed once, when a measure needs them.
pub struct Measured<'a> {
    simulation: &'a Simulation,
    figures: FigureSource<'a>,
    watched: OnceCell<Vec<WatchedMean>>,
}

impl<'a> Measured<'a> {
    /// Starts the evaluation in the current state.
    pub fn new(simulation: &'a Simulation) -> Self {
        let figures = FigureSource::new(simulation.world());
        Self { simulation, figures, watched: OnceCell::new() }
    }

    /// Returns the value of a measure: of watched values and signals the mean over the units. Returns `None` if the
    /// group does not exist, or if no unit of it watched the value in the last step. Figures of a group without units
    /// are 0.
    pub fn value(&self, measure: &Measure) -> Option<f64> {
        let world = self.simulation.world();
        match &measure.quantity {
            Quantity::Step => Some(world.steps as f64),
            Quantity::Time => Some(world.steps as f64 * f64::from(world.step)),
            Quantity::Errors => Some(self.errors(None)),
            Quantity::OfGroup(name, quantity) => {
                let group = world.groups.iter().position(|group| group.name == *name)?;
                self.of_group(group, quantity)
            }
        }
    }

    fn of_group(&self, group: usize, quantity: &GroupQuantity) -> Option<f64> {
        let world = self.simulation.world();
        match quantity {
            GroupQuantity::Figure(at) => Some(f64::from(self.figures.value(*at, group))),
            GroupQuantity::Errors => Some(self.errors(Some(group))),
            GroupQuantity::Watched { rule, name, component } => {
                self.watched(group, rule.as_deref(), name, *component)
            }
            GroupQuantity::Inside(name) => {
                let zone = world.zones.iter().find(|zone| zone.name == *name)?;
                Some(zone.members(&world.units, &world.groups[group]).count() as f64)
            }
            GroupQuantity::Signal(name) => {
                let (signal, units) = (world.signals.index(name)?, world.groups[group].units.clone());
                let (sum, count) =
                    (units.clone().map(|unit| world.units.signals.get(unit, signal)), units.len());
                (count > 0).then(|| f64::from(sum.sum::<f32>() / count as f32))
            }
        }
    }

    fn errors(&self, group: Option<usize>) -> f64 {
        let reports = self.simulation.reports().iter();
        let of_group = reports.filter(|report| group.is_none_or(|group| report.group == group));
        of_group.map(|report| report.count).sum::<u64>() as f64
    }

    fn watched(&self, group: usize, rule: Option<&str>, name: &str, component: Option<usize>) -> Option<f64> {
        let means = self.watched.get_or_init(|| metrics::watched(self.simulation));
        let is_meant = |mean: &&WatchedMean| {
            mean.group == group && mean.name == name && rule.is_none_or(|rule| rule == mean.rule)
        };
        let (mut sum, mut count) = (0.0, 0);
        for mean in means.iter().filter(is_meant) {
            let value = match component {
                Some(axis) => mean.vector?[axis],
                None => mean.mean,
            };
            sum += f64::from(value) * mean.count as f64;
            count += mean.count;
        }
        (count > 0).then(|| sum / count as f64)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::sim::MeasureNames;
    use crate::world::{Group, Solid, World, Zone};

    #[test]
    fn values_are_those_of_the_state() {
        let group = Group { name: "pair".to_owned(), ..Group::default() };
        let mut world = World::default().with_group(group, [Vec3::ZERO, Vec3::X * 4.0]);
        world.units.velocity.fill(Vec3::Y * 2.0);
        (world.step, world.steps) = (0.5, 3);
        world.name_signals(&["fear".to_owned()]);
        world.units.signals.of_units_mut(0..2).copy_from_slice(&[1.0, 2.0]);
        let area = Solid::ball(Vec3::X * 5.0, 2.0).into();
        world.zones.push(Zone { name: "pen".to_owned(), area });
        let simulation = Simulation::new(world, Vec::new());
        let names = MeasureNames::of(&simulation);
        for (name, value) in [
            ("step", 3.0),
            ("time", 1.5),
            ("errors", 0.0),
            ("polarization", 1.0),
            ("speed", 2.0),
            ("nearest", 4.0),
            ("spread", 2.0),
            ("contacts", 0.0),
            ("count", 2.0),
            ("pair.errors", 0.0),
            ("fear", 1.5),
            ("inside.pen", 1.0),
        ] {
            let measure = Measure::parse(name, &names).expect("a measure");
            assert_eq!(measure.value(&simulation), Some(value), "{name}");
        }
    }
}
