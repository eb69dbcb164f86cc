//! Order parameters and other statistics of groups.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use glam::{DVec3, Vec3};

use super::clusters::clusters;
use super::group_means::center;
use super::nearest::nearest_distances;
use super::recording::WatchValue;
use super::simulation::Simulation;
use super::slot::use_names;
use crate::world::lengths::{direction, length};
use crate::world::{Extrema, Group, World};

/// A named figure of a group. Conditions, plots, comparisons and the columns of `--metrics` use the rows of [`FIGURES`];
/// a new row appears in all of them.
#[derive(Debug)]
pub struct Figure {
    /// Its name in conditions, plots and columns.
    pub name: &'static str,
    /// A description for people.
    pub about: &'static str,
    /// The unit of its values; empty for numbers without one. A length unit is that of the scene.
    pub unit: &'static str,
    /// The greatest value, if there is one; the least is 0.
    pub max: Option<f32>,
    /// True if plots compute it on request only.
    pub is_costly: bool,
    /// Computes the figure of a group with at least one unit. A group without units has only its `count`.
    pub of_group: fn(&Members<'_>) -> f32,
    /// Computes the figure of a unit, if it has one.
    pub of_unit: Option<fn(&FigureSource<'_>, usize) -> f32>,
}

impl Figure {
    /// Returns true if all of its values are whole numbers.
    pub fn is_count(&self) -> bool {
        ["units", "pairs", "parts"].contains(&self.unit)
    }
}

/// Upper bound of the rounding error of a center, relative to the coordinates.
const ROUNDING: f32 = 1e-6;

/// The number of units: the only figure of a group without units.
const COUNT: &str = "count";

/// All figures, in the order of plots and columns.
pub static FIGURES: [Figure; 9] = [
    // T. Vicsek et al., "Novel type of phase transition in a system of self-driven particles", Physical Review Letters 75,
    // 1995.
    Figure {
        name: "polarization",
        about: "length of the mean direction of motion; 1: all move in one direction; 0: disorder",
        unit: "",
        max: Some(1.0),
        is_costly: false,
        of_group: |members| members.mean_vector(|unit| members.direction(unit)),
        of_unit: None,
    },
    // I. D. Couzin et al., "Collective memory and spatial sorting in animal groups", Journal of Theoretical Biology 218,
    // 2002 (m there).
    Figure {
        name: "milling",
        about: "rotation about the group's center, across a periodic edge the shorter way; 1: all circle about it; 0: no rotation",
        unit: "",
        max: Some(1.0),
        is_costly: false,
        of_group: |members| {
            let outward = |unit: usize| direction(members.offset(unit)).unwrap_or_default();
            members.mean_vector(|unit| outward(unit).cross(members.direction(unit)))
        },
        of_unit: None,
    },
    Figure {
        name: "speed",
        about: "speed; of a group: the mean",
        unit: "length/s",
        max: None,
        is_costly: false,
        of_group: |members| members.mean(|unit| length(members.world.units.velocity[unit])),
        of_unit: Some(|source, unit| length(source.world.units.velocity[unit])),
    },
    Figure {
        name: "nearest",
        about: "distance to the nearest unit of any group, 0 if there is none; of a group: the mean",
        unit: "length",
        max: None,
        is_costly: false,
        of_group: |members| {
            let distances = members.source.distances();
            members.mean(|unit| distances[unit])
        },
        of_unit: Some(|source, unit| source.distances()[unit]),
    },
    Figure {
        name: "touching",
        about: "units in contact with another; of a unit: the number of contacts",
        unit: "units",
        max: None,
        is_costly: false,
        of_group: |members| {
            let touches = |unit: &usize| !members.world.units.touching.of(*unit).is_empty();
            members.units().filter(touches).count() as f32
        },
        of_unit: Some(|source, unit| source.world.units.touching.of(unit).len() as f32),
    },
    Figure {
        name: "contacts",
        about: "pairs of units in contact, with at least one unit of the group; of a unit: the number of contacts",
        unit: "pairs",
        max: None,
        is_costly: false,
        of_group: |members| {
            let of_unit = |unit: usize| {
                let others = members.world.units.touching.of(unit).iter().map(|other| *other as usize);
                others.filter(|other| *other > unit || !members.units().contains(other)).count()
            };
            members.units().map(of_unit).sum::<usize>() as f32
        },
        of_unit: Some(|source, unit| source.world.units.touching.of(unit).len() as f32),
    },
    Figure {
        name: "clusters",
        about: "parts of the group farther from each other than the radius of its view, or than 5 body lengths without one",
        unit: "parts",
        max: None,
        is_costly: true,
        of_group: |members| clusters(members.world, members.group) as f32,
        of_unit: None,
    },
    // The radius of gyration.
    Figure {
        name: "spread",
        about: "root mean square distance of units from the group's center, across a periodic edge the shorter way",
        unit: "length",
        max: None,
        is_costly: false,
        of_group: |members| members.mean(|unit| members.offset(unit).length_squared()).sqrt(),
        of_unit: None,
    },
    Figure {
        name: COUNT,
        about: "number of units",
        unit: "units",
        max: None,
        is_costly: false,
        of_group: |members| members.group.units.len() as f32,
        of_unit: None,
    },
];

/// The units of a group with at least one, as input of figures.
pub struct Members<'a> {
    source: &'a FigureSource<'a>,
    world: &'a World,
    group: &'a Group,
    center: OnceCell<Vec3>,
}

impl Members<'_> {
    fn units(&self) -> Range<usize> {
        self.group.units.clone()
    }

    /// Returns the mean. The sum is exact to single precision for any number of units.
    fn mean(&self, value: impl Fn(usize) -> f32) -> f32 {
        (self.units().map(|unit| f64::from(value(unit))).sum::<f64>() / self.units().len() as f64) as f32
    }

    /// Returns the length of the mean.
    fn mean_vector(&self, value: impl Fn(usize) -> Vec3) -> f32 {
        let sum = self.units().map(|unit| value(unit).as_dvec3()).sum::<DVec3>();
        (sum.length() / self.units().len() as f64) as f32
    }

    fn direction(&self, unit: usize) -> Vec3 {
        direction(self.world.units.velocity[unit]).unwrap_or_default()
    }

    /// Returns the offset of a unit from the group's center, across a periodic edge the shorter way; zero within the rounding
    /// error of the center, such as for a single unit.
    fn offset(&self, unit: usize) -> Vec3 {
        let center = *self.center.get_or_init(|| center(self.world, self.group));
        let arena = &self.world.arena;
        let offset = arena.shortest(self.world.units.position[unit] - center);
        let extent = arena.size().abs().max_element() + center.abs().max_element();
        if offset.abs().max_element() > ROUNDING * extent { offset } else { Vec3::ZERO }
    }
}

/// The values of [`FIGURES`] for a group, as far as it has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupFigures([Option<f32>; FIGURES.len()]);

impl GroupFigures {
    /// Returns the value of the figure with a name.
    pub fn named(&self, name: &str) -> Option<f32> {
        self.iter().find(|(figure, _)| figure.name == name).and_then(|(_, value)| value)
    }

    /// Returns every figure with its value.
    pub fn iter(self) -> impl Iterator<Item = (&'static Figure, Option<f32>)> {
        FIGURES.iter().zip(self.0)
    }
}

/// Returns the figures of every group, in order.
pub fn of_groups(world: &World) -> Vec<GroupFigures> {
    let figures = FigureSource::new(world);
    let of_group = |group| GroupFigures(std::array::from_fn(|at| figures.value(at, group)));
    (0..world.groups.len()).map(of_group).collect()
}

/// The figures of a world, computed one by one. Searches are shared.
#[derive(Debug)]
pub struct FigureSource<'a> {
    world: &'a World,
    /// The distance of each unit to the nearest other one.
    nearest: OnceCell<Vec<f32>>,
}

impl<'a> FigureSource<'a> {
    /// Returns the figures of a world.
    pub fn new(world: &'a World) -> Self {
        Self { world, nearest: OnceCell::new() }
    }

    /// Returns the figure at an index for a group; `None` if either does not exist, and except for the number of units
    /// for a group without units.
    pub fn value(&self, figure: usize, group: usize) -> Option<f32> {
        let (figure, group) = (FIGURES.get(figure)?, self.world.groups.get(group)?);
        if group.units.is_empty() && figure.name != COUNT {
            return None;
        }
        let members = Members { source: self, world: self.world, group, center: OnceCell::new() };
        let value = (figure.of_group)(&members);
        // Unit vectors are slightly longer than 1 after rounding.
        Some(figure.max.map_or(value, |max| value.lesser(max)))
    }

    /// Returns the figure at an index for a unit, if the figure has values of units and both exist.
    pub fn of_unit(&self, figure: usize, unit: usize) -> Option<f32> {
        let of_unit = FIGURES.get(figure)?.of_unit?;
        (unit < self.world.units.len()).then(|| of_unit(self, unit))
    }

    fn distances(&self) -> &[f32] {
        self.nearest.get_or_init(|| nearest_distances(self.world))
    }
}

/// The mean of a watched value over the units that watched it in the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedMean {
    /// The group.
    pub group: usize,
    /// The behavior's slot.
    pub slot: usize,
    /// The behavior; further uses of a script in a group are `script#2` and so on.
    pub rule: String,
    /// The name of the value.
    pub name: String,
    /// The mean; vectors contribute their length.
    pub mean: f32,
    /// The mean vector, if all values are vectors.
    pub vector: Option<Vec3>,
    /// Number of values.
    pub count: usize,
}

/// Returns the means of values watched in the last step while [`Simulation::watching`] was true, sorted by group,
/// behavior and name.
pub fn watched(simulation: &Simulation) -> Vec<WatchedMean> {
    let groups = &simulation.world().units.group;
    let mut sums: BTreeMap<(usize, usize, &str), Sum> = BTreeMap::new();
    for watch in simulation.watches() {
        let Some(group) = groups.get(watch.unit) else { continue };
        sums.entry((usize::from(*group), watch.slot, &*watch.name)).or_default().add(watch.value);
    }
    let mean = |((group, slot, name), sum): ((usize, usize, &str), Sum)| {
        let mut rules = use_names(simulation.slots(group));
        let rule = if slot < rules.len() { rules.swap_remove(slot) } else { String::new() };
        let (mean, count) = (sum.size / sum.count as f32, sum.count);
        let vector = (sum.vectors == count).then(|| sum.vector / count as f32);
        WatchedMean { group, slot, rule, name: name.to_owned(), mean, vector, count }
    };
    sums.into_iter().map(mean).collect()
}

/// The sum of the values of one name.
#[derive(Default)]
struct Sum {
    size: f32,
    vector: Vec3,
    vectors: usize,
    count: usize,
}

impl Sum {
    fn add(&mut self, value: WatchValue) {
        self.size += value.size();
        self.count += 1;
        if let WatchValue::Vector(vector) = value {
            self.vector += vector;
            self.vectors += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Simulation;
    use crate::world::{Arena, Body, Contact, Contacts, Edges, Mover, View, random, testing};

    #[test]
    fn a_contact_counts_once_for_each_group_that_takes_part() {
        let group = |name: &str| Group { name: name.to_owned(), ..Group::default() };
        let mut world = World::default().with_group(group("a"), [Vec3::ZERO; 3]);
        world = world.with_group(group("b"), [Vec3::ZERO]);
        // Two within the first group, one between both.
        let pairs = [(0, 1), (1, 2), (2, 3)];
        world.units.touching.set(4, pairs.len(), |at| pairs[at]);
        let named = |name: &str| of_groups(&world).iter().map(|all| all.named(name)).collect::<Vec<_>>();
        assert_eq!(named("contacts"), [Some(3.0), Some(1.0)]);
        assert_eq!(named("touching"), [Some(3.0), Some(1.0)]);
    }

    /// Compares with a search over all pairs: chains of up to three discs at rest, of which some overlap by 0.1 and the others
    /// have gaps of 0.3. In worlds that wrap, some chains are on an edge.
    #[test]
    fn contacts_equal_those_of_a_search_over_all_pairs() {
        const SIZE: Vec3 = Vec3::new(120.0, 80.0, 1.0);
        let arenas =
            [(Edges::Open, false), (Edges::Bounce, false), (Edges::Wrap, false), (Edges::Wrap, true)];
        let mut found = Vec::new();
        for ((edges, seamless), seed) in arenas.into_iter().zip(1..) {
            let mut starts = [const { Vec::new() }; 2];
            for cell in 0..96 {
                let draw = |number| random::draw(seed, cell, 0, 0, number);
                let corner = Vec3::new((cell % 12) as f32, (cell / 12) as f32, 0.0) * 10.0;
                let direction = glam::Vec2::from_angle(draw(0) * 6.3).extend(0.0);
                let mut position = if edges == Edges::Wrap { corner } else { corner + 5.0 }.with_z(0.0);
                for number in 1..=(1.0 + draw(1) * 3.0) as u32 {
                    let within = position - (position / SIZE).floor() * SIZE;
                    let start = if edges == Edges::Wrap { within } else { position };
                    starts[usize::from(draw(number + 10) < 0.5)].push(start);
                    position += direction * if draw(number + 20) < 0.5 { 1.9 } else { 2.3 };
                }
            }
            let arena = Arena { seamless, ..testing::plane(SIZE.x, SIZE.y, edges) };
            let contacts = Contacts { units: Contact::Separate, ..Contacts::default() };
            let mut world = World { arena, contacts, ..World::default() };
            for positions in &starts {
                let body = Body::Mover(Mover { length: 2.0, ..Mover::default() });
                world = world.with_group(Group { body, ..Group::default() }, positions.clone());
            }
            let mut simulation = Simulation::new(world, vec![Vec::new(); 2]);
            simulation.step();
            let positions = starts.concat();
            let touch = |one: usize, other: usize| {
                let offset = positions[other] - positions[one];
                let image = if seamless { offset - (offset / SIZE).round() * SIZE } else { offset };
                one != other && image.length() < 2.0
            };
            let all = 0..positions.len();
            let others = |one: usize| all.clone().filter(move |other| touch(one, *other));
            let figures = of_groups(simulation.world());
            for (figures, group) in figures.iter().zip(&simulation.world().groups) {
                let touching = group.units.clone().filter(|unit| others(*unit).next().is_some()).count();
                let is_first = |one: usize, other: &usize| one < *other || !group.units.contains(other);
                let pairs =
                    group.units.clone().map(|one| others(one).filter(|other| is_first(one, other)).count());
                let pairs: usize = pairs.sum();
                assert_eq!(figures.named("touching"), Some(touching as f32), "{edges:?} {seamless}");
                assert_eq!(figures.named("contacts"), Some(pairs as f32), "{edges:?} {seamless}");
                found.push(pairs);
            }
        }
        assert!(found.iter().all(|pairs| *pairs > 20), "{found:?}");
    }

    #[test]
    fn a_group_without_units_has_a_count_and_no_other_figure() {
        let world = World::default().with_group(Group::default(), [Vec3::ZERO; 0]);
        for (figure, value) in of_groups(&world)[0].iter() {
            assert_eq!(value, (figure.name == "count").then_some(0.0), "{}", figure.name);
        }
    }

    #[test]
    fn fractions_never_exceed_one() {
        for turn in 0..2000 {
            let velocity = Vec3::new(libm::cosf(turn as f32), libm::sinf(turn as f32), 0.3) * 7.0;
            let mut world = World::default().with_group(Group::default(), [Vec3::ZERO; 3]);
            world.units.velocity.fill(velocity);
            let value = of_groups(&world)[0].named("polarization").expect("a value");
            assert!((1.0 - 1e-6..=1.0).contains(&value), "{velocity}: {value}");
        }
    }

    /// Compares each figure with its description, computed in double precision by loops over all units. Every second world
    /// is periodic.
    #[test]
    fn figures_are_those_of_their_descriptions() {
        for seed in 0..40 {
            let seamless = seed % 2 == 1;
            let draw = |at: u32| random::draw(seed, 0, 0, 0, at);
            let part = |at: u32| 2.0 * draw(at) - 1.0;
            let middle = |axis: u32| if seamless { 100.0 * draw(1000 + axis) } else { 50.0 };
            let start = |at: u32| {
                let place = |axis: u32| (middle(axis) + 40.0 * part(6 * at + axis)).rem_euclid(100.0);
                let position = Vec3::new(place(0), place(1), 0.0);
                (position, Vec3::new(part(6 * at + 2) + 0.4, part(6 * at + 3), 0.0) * 5.0)
            };
            let edges = if seamless { Edges::Wrap } else { Edges::Bounce };
            let arena = Arena { seamless, ..testing::plane(100.0, 100.0, edges) };
            let view = View::Around { radius: 12.0 };
            let world = World { arena, ..World::default() }.with_views([view]);
            let group = Group { view: Some(0), ..Group::default() };
            let world = world.with_group(group, (0..40).map(start)).with_group(Group::default(), [start(40)]);
            let at = |unit: usize| world.units.position[unit].as_dvec3();
            let way = |unit: usize| world.units.velocity[unit].as_dvec3();
            let mean = |of: &dyn Fn(usize) -> f64| (0..40).map(of).sum::<f64>() / 40.0;
            let mean_vector = |of: &dyn Fn(usize) -> DVec3| ((0..40).map(of).sum::<DVec3>() / 40.0).length();
            let shortest = |offset: DVec3| {
                if seamless { offset - 100.0 * (offset / 100.0).round() } else { offset }
            };
            let circular = |axis: usize| {
                let angle = |unit: usize| at(unit)[axis] * std::f64::consts::TAU / 100.0;
                let [sin, cos] = [libm::sin, libm::cos].map(|of| mean(&|unit| of(angle(unit))));
                libm::atan2(sin, cos) * 100.0 / std::f64::consts::TAU
            };
            let center = if seamless {
                DVec3::new(circular(0), circular(1), 0.0)
            } else {
                (0..40).map(at).sum::<DVec3>() / 40.0
            };
            let offset = |unit: usize| shortest(at(unit) - center);
            let distance = |a: usize, b: usize| shortest(at(a) - at(b)).length();
            let distances = |unit: usize| {
                (0..41).filter(move |other| *other != unit).map(move |other| distance(unit, other))
            };
            let mut part_of: Vec<usize> = (0..40).collect();
            for (a, b) in (0..40).flat_map(|a| (0..40).map(move |b| (a, b))) {
                if distance(a, b) <= 12.0 {
                    let (from, to) = (part_of[a], part_of[b]);
                    part_of.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
                }
            }
            let parts = part_of.iter().collect::<std::collections::BTreeSet<_>>().len();
            let figures = of_groups(&world)[0];
            for (name, expected) in [
                ("polarization", mean_vector(&|unit| way(unit).normalize())),
                ("milling", mean_vector(&|unit| offset(unit).normalize().cross(way(unit).normalize()))),
                ("speed", mean(&|unit| way(unit).length())),
                ("nearest", mean(&|unit| distances(unit).fold(f64::INFINITY, f64::lesser))),
                ("clusters", parts as f64),
                ("spread", mean(&|unit| offset(unit).length_squared()).sqrt()),
                ("count", 40.0),
            ] {
                let found = f64::from(figures.named(name).expect("a value"));
                assert!(
                    (found - expected).abs() < 1e-4 * expected.greater(1.0),
                    "{name}: {found} {expected}, seed {seed}"
                );
            }
        }
    }

    #[test]
    fn a_mill_across_a_periodic_edge_is_one() {
        let arena = Arena { seamless: true, ..testing::plane(100.0, 60.0, Edges::Wrap) };
        let circle = (0..12).map(|at| {
            let (y, x) = libm::sincosf(at as f32 * std::f32::consts::TAU / 12.0);
            let position = Vec3::new((10.0 * x).rem_euclid(100.0), 30.0 + 10.0 * y, 0.0);
            (position, Vec3::new(-y, x, 0.0))
        });
        let world = World { arena, ..World::default() }.with_group(Group::default(), circle);
        assert!(of_groups(&world)[0].named("milling").expect("a value") > 1.0 - 1e-4);
    }

    #[test]
    fn units_at_their_center_have_neither_rotation_nor_spread() {
        for case in 0..500_u16 {
            let size = 3.0 + f32::from(case) * 7.3;
            let arena = Arena { seamless: case % 3 > 0, ..testing::plane(size, 60.0, Edges::Wrap) };
            let place = Vec3::new(size * f32::from(case % 97) / 97.0, f32::from(case % 60), 0.0);
            let units = vec![(place, Vec3::X); 1 + usize::from(case % 4)];
            let world = World { arena, ..World::default() }.with_group(Group::default(), units);
            let figures = of_groups(&world)[0];
            let found = ["milling", "spread"].map(|name| figures.named(name));
            assert_eq!(found, [Some(0.0); 2], "{place} {size}");
        }
    }

    #[test]
    fn the_mean_speed_of_units_whose_squared_speed_overflows_is_finite() {
        let mut world = World::default().with_group(Group::default(), [Vec3::ZERO, Vec3::X]);
        world.units.velocity.fill(Vec3::X * 1e30);
        assert_eq!(of_groups(&world)[0].named("speed"), Some(1e30));
    }
}
