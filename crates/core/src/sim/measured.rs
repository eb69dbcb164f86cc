//! The values of measures in a state.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use glam::Vec3;

use super::group_measure::{Component, MeasureValue};
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
    /// By measure and group.
    computed: RefCell<BTreeMap<(String, usize), Option<MeasureValue>>>,
}

impl<'a> Measured<'a> {
    /// Starts the evaluation in the current state.
    pub fn new(simulation: &'a Simulation) -> Self {
        let figures = FigureSource::new(simulation.world());
        Self { simulation, figures, watched: OnceCell::new(), computed: RefCell::default() }
    }

    /// Returns the value of a measure: of watched values and signals the mean over the units, of a vector its length.
    /// Returns `None` if the group does not exist, if no unit of it watched the value in the last step, for a list
    /// without a component, for figures other than the number of units if the group is empty, and for a measure computed by
    /// code that fails or returns nothing, or whose group is empty.
    pub fn value(&self, measure: &Measure) -> Option<f64> {
        let world = self.simulation.world();
        match &measure.quantity {
            Quantity::Step => Some(world.steps as f64),
            Quantity::Time => Some(world.decimal_time()),
            Quantity::Errors => Some(self.errors(None)),
            Quantity::Grid { name, is_mean } => {
                let grid = world.grids.iter().find(|grid| grid.name == *name)?;
                Some(if *is_mean { grid.mean() } else { grid.total() })
            }
            Quantity::OfGroup(name, quantity) => self.of_group(self.group(name)?, quantity),
        }
    }

    /// As [`Measured::value`], with vectors and lists as a whole if code computes them.
    pub fn whole(&self, measure: &Measure) -> Option<MeasureValue> {
        match &measure.quantity {
            Quantity::OfGroup(group, GroupQuantity::Computed { name, component: None }) => {
                self.computed(self.group(group)?, name)
            }
            _ => self.value(measure).map(|value| MeasureValue::Number(value as f32)),
        }
    }

    /// Returns the components that a measure has in this state, in a plane without z.
    pub fn components(&self, measure: &Measure) -> Vec<Measure> {
        let is_plane = self.simulation.world().arena.is_plane();
        let all = match &measure.quantity {
            Quantity::OfGroup(_, GroupQuantity::Computed { .. }) => self.whole(measure),
            _ => Some(MeasureValue::Vector(Vec3::ZERO)),
        };
        let all = all.map_or_else(Vec::new, |value| value.components(is_plane));
        let parts = all.into_iter().filter_map(|component| measure.part(component));
        parts.filter(|part| self.value(part).is_some()).collect()
    }

    /// Checks that a measure is a number in this state, as far as it has a value.
    ///
    /// # Errors
    /// If it is a list, or has no such component.
    pub fn check_component(&self, measure: &Measure) -> Result<(), String> {
        let Quantity::OfGroup(group, GroupQuantity::Computed { name, component }) = &measure.quantity else {
            return Ok(());
        };
        let value = self.group(group).and_then(|group| self.computed(group, name));
        match (value, component) {
            (Some(value), Some(component)) if value.component(*component).is_none() => {
                Err(format!("`{name}` is {}", value.describe()))
            }
            _ => Ok(()),
        }
    }

    /// As [`Measured::check_component`]; a list is an error.
    ///
    /// # Errors
    /// If it is not a number.
    pub fn check_number(&self, measure: &Measure) -> Result<(), String> {
        self.check_component(measure)?;
        match self.whole(measure) {
            Some(list @ MeasureValue::List(_)) => {
                let example = measure.part(Component::Element(0)).map_or(String::new(), |part| part.name);
                Err(format!("it is {}: name an element, such as `{example}`", list.describe()))
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the group, zone, signal or grid of a measure does not exist, or no code computes it.
    pub fn is_gone(&self, measure: &Measure) -> bool {
        let world = self.simulation.world();
        match &measure.quantity {
            Quantity::Step | Quantity::Time | Quantity::Errors => false,
            Quantity::Grid { name, .. } => world.grids.iter().all(|grid| grid.name != *name),
            Quantity::OfGroup(group, _) if self.group(group).is_none() => true,
            Quantity::OfGroup(_, quantity) => match quantity {
                GroupQuantity::Figure(_)
                | GroupQuantity::Errors
                | GroupQuantity::Population(_)
                | GroupQuantity::Watched { .. } => false,
                GroupQuantity::Signal(name) => world.signals.index(name).is_none(),
                GroupQuantity::Inside(name) => world.zones.iter().all(|zone| zone.name != *name),
                GroupQuantity::Computed { name, .. } => {
                    self.simulation.measures().all().iter().all(|measure| measure.name != *name)
                }
            },
        }
    }

    fn group(&self, name: &str) -> Option<usize> {
        self.simulation.world().groups.iter().position(|group| group.name == name)
    }

    fn computed(&self, group: usize, name: &str) -> Option<MeasureValue> {
        let is_empty = self.simulation.world().groups[group].units.is_empty();
        let compute = || self.simulation.measures().value(name, &self.simulation.frozen(), group);
        let mut known = self.computed.borrow_mut();
        let value = known.entry((name.to_owned(), group));
        value.or_insert_with(|| if is_empty { None } else { compute() }).clone()
    }

    fn of_group(&self, group: usize, quantity: &GroupQuantity) -> Option<f64> {
        let world = self.simulation.world();
        match quantity {
            GroupQuantity::Figure(at) => self.figures.value(*at, group).map(f64::from),
            GroupQuantity::Errors => Some(self.errors(Some(group))),
            GroupQuantity::Population(at) => {
                let counts = world.population.get(&world.groups[group].name);
                Some(counts.map_or(0.0, |counts| counts[*at] as f64))
            }
            GroupQuantity::Watched { rule, name, component } => {
                self.watched(group, rule.as_deref(), name, *component)
            }
            GroupQuantity::Inside(name) => {
                let zone = world.zones.iter().find(|zone| zone.name == *name)?;
                Some(zone.members(&world.units, &world.groups[group]).count() as f64)
            }
            GroupQuantity::Computed { name, component } => {
                let value = self.computed(group, name)?;
                component.map_or_else(|| value.size(), |component| value.component(component)).map(f64::from)
            }
            GroupQuantity::Signal(name) => {
                let (signal, units) = (world.signals.index(name)?, world.groups[group].units.clone());
                let count = units.len();
                let sum = units.map(|unit| f64::from(world.units.signals.get(unit, signal))).sum::<f64>();
                (count > 0).then(|| sum / count as f64)
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
    use super::*;
    use crate::sim::MeasureNames;
    use crate::world::{
        Distribution, Extrema, GridRules, Group, Obstacle, Polygon, ScalarGrid, Solid, World, Zone, random,
    };

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
        let rules = GridRules { cell: 0.5, diffusion: 0.0, evaporation: 0.0 };
        world
            .grids
            .push(ScalarGrid::new("trail", rules, &world.arena).filled(&Distribution::Constant(1.5), 1));
        let simulation = Simulation::new(world, Vec::new());
        let names = MeasureNames::of(&simulation);
        for (name, value) in [
            ("grid.trail.total", 6.0),
            ("grid.trail.mean", 1.5),
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
        let inside = Measure::parse("inside.pen", &names).expect("a measure");
        assert_eq!((inside.is_count(), inside.unit()), (true, "units"));
        assert_eq!(inside.about(), "number of units in the zone");
    }

    /// Compares with formulas in double precision: distances from a point and a segment, coordinates along the sides of a
    /// box, and the number of edges of a polygon to the right of a point.
    #[test]
    fn units_inside_zones_are_those_of_formulas() {
        use glam::{DVec2, Vec2};
        type Contains<'a> = &'a dyn Fn(DVec2) -> bool;
        let corners = [(60.0, 10.0), (110.0, 10.0), (110.0, 30.0), (80.0, 30.0), (80.0, 45.0), (60.0, 45.0)];
        let point = |(x, y): (f32, f32)| Vec2::new(x, y);
        let (from, to) = (DVec2::new(10.0, 40.0), DVec2::new(45.0, 60.0));
        let segment = |at: DVec2| {
            let share = (at - from).dot(to - from) / (to - from).length_squared();
            (from + (to - from) * share.limited(0.0, 1.0)).distance(at) <= 6.0
        };
        let right = |at: DVec2| {
            let edges = corners.iter().zip(corners.iter().cycle().skip(1));
            let crossed = edges.filter(|(one, other)| {
                let (one, other) = (point(**one).as_dvec2(), point(**other).as_dvec2());
                let crossing = one.x + (at.y - one.y) / (other.y - one.y) * (other.x - one.x);
                (one.y > at.y) != (other.y > at.y) && at.x < crossing
            });
            crossed.count() % 2 == 1
        };
        let turned = |at: DVec2| {
            let (sine, cosine) = libm::sincos(-f64::from(0.6_f32));
            let local = DVec2::new(cosine, sine).rotate(at - DVec2::new(85.0, 62.0)).abs();
            local.x <= 20.0 && local.y <= 8.0
        };
        let far = Vec3::new(85.0, 62.0, 0.0);
        let shapes: [(Solid, Contains<'_>); 4] = [
            (Solid::ball(Vec3::new(30.0, 20.0, 0.0), 15.0), &|at| {
                at.distance(DVec2::new(30.0, 20.0)) <= 15.0
            }),
            (
                Solid::Capsule {
                    from: from.as_vec2().extend(0.0),
                    to: to.as_vec2().extend(0.0),
                    radius: 6.0,
                },
                &segment,
            ),
            (
                Solid::Box { center: far, half: Vec3::new(20.0, 8.0, f32::INFINITY), angle: 0.6.into() },
                &turned,
            ),
            (Solid::Polygon(Polygon::new(corners.map(point).to_vec()).expect("a polygon")), &right),
        ];
        let place = |unit| {
            Vec3::new(random::draw(1, unit, 0, 0, 0) * 120.0, random::draw(1, unit, 0, 0, 1) * 80.0, 0.0)
        };
        let positions: Vec<_> = (0..3000).map(place).collect();
        let mut world = World::default().with_group(Group::default(), positions.clone());
        for (at, (solid, _)) in shapes.iter().enumerate() {
            for inside_out in [false, true] {
                let area = Obstacle { inside_out, ..solid.clone().into() };
                world.zones.push(Zone { name: format!("z{at}{inside_out}"), area });
            }
        }
        let simulation = Simulation::new(world, Vec::new());
        let names = MeasureNames::of(&simulation);
        for (at, (_, contains)) in shapes.iter().enumerate() {
            let expected = positions.iter().filter(|at| contains(at.truncate().as_dvec2())).count();
            assert!(expected > 100, "{at}: {expected}");
            for (inside_out, expected) in [(false, expected), (true, positions.len() - expected)] {
                let measure =
                    Measure::parse(&format!("inside.z{at}{inside_out}"), &names).expect("a measure");
                assert_eq!(measure.value(&simulation), Some(expected as f64), "{:?}", shapes[at].0);
            }
        }
    }
}
