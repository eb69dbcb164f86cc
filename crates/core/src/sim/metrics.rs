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
        let (mean, count) = ((sum.size / sum.count as f64) as f32, sum.count);
        let vector = (sum.vectors == count).then(|| (sum.vector / count as f64).as_vec3());
        WatchedMean { group, slot, rule, name: name.to_owned(), mean, vector, count }
    };
    sums.into_iter().map(mean).collect()
}

/// The sum of the values of one name, in double precision: the mean of equal values is that value.
#[derive(Default)]
struct Sum {
    size: f64,
    vector: DVec3,
    vectors: usize,
    count: usize,
}

impl Sum {
    fn add(&mut self, value: WatchValue) {
        self.size += f64::from(value.size());
        self.count += 1;
        if let WatchValue::Vector(vector) = value {
            self.vector += vector.as_dvec3();
            self.vectors += 1;
        }
    }
}

#[cfg(test)]
mod tests;
