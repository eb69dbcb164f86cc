//! Order parameters and other statistics of groups.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::nearest::{NearestSearch, nearest_of};
use super::simulation::Simulation;
use super::slot::use_names;
use crate::world::{Group, World};

/// Minimum number of searches per parallel task.
const MIN_SEARCHES: usize = 256;

/// A named figure of a group. Conditions, plots, comparisons and the columns of `--metrics` use the rows of [`FIGURES`];
/// a new row appears in all of them.
#[derive(Debug)]
pub struct Figure {
    /// Its name in conditions, plots and columns.
    pub name: &'static str,
    /// A description for people.
    pub about: &'static str,
    /// The greatest value, if there is one; the least is 0.
    pub max: Option<f32>,
    /// Computes the figure of a group with at least one unit.
    pub of_group: fn(&Members<'_>) -> f32,
    /// Computes the figure of a unit, if it has one.
    pub of_unit: Option<fn(&World, usize) -> f32>,
}

/// All figures, in the order of plots and columns.
pub static FIGURES: [Figure; 6] = [
    // T. Vicsek et al., "Novel type of phase transition in a system of self-driven particles", Physical Review Letters 75,
    // 1995.
    Figure {
        name: "polarization",
        about: "length of the mean direction of motion; 1: all move in one direction; 0: disorder",
        max: Some(1.0),
        of_group: |members| members.mean_vector(|unit| members.direction(unit)),
        of_unit: None,
    },
    // I. D. Couzin et al., "Collective memory and spatial sorting in animal groups", Journal of Theoretical Biology 218,
    // 2002 (m there).
    Figure {
        name: "milling",
        about: "rotation about the group's center; 1: all circle about it; 0: no rotation",
        max: Some(1.0),
        of_group: |members| {
            let center = members.center();
            let outward = |unit: usize| (members.world.units.position[unit] - center).normalize_or_zero();
            members.mean_vector(|unit| outward(unit).cross(members.direction(unit)))
        },
        of_unit: None,
    },
    Figure {
        name: "speed",
        about: "speed; of a group: the mean",
        max: None,
        of_group: |members| members.mean(|unit| length(members.world.units.velocity[unit])),
        of_unit: Some(|world, unit| length(world.units.velocity[unit])),
    },
    Figure {
        name: "nearest",
        about: "distance to the nearest unit of any group, 0 if there is none; of a group: the mean",
        max: None,
        of_group: |members| members.mean_nearest(),
        of_unit: Some(nearest_of),
    },
    Figure {
        name: "touching",
        about: "units in contact with another; of a unit: the number of contacts",
        max: None,
        of_group: |members| {
            let touches = |unit: &usize| !members.world.units.touching.of(*unit).is_empty();
            members.units().filter(touches).count() as f32
        },
        of_unit: Some(|world, unit| world.units.touching.of(unit).len() as f32),
    },
    Figure {
        name: "count",
        about: "number of units",
        max: None,
        of_group: |members| members.group.units.len() as f32,
        of_unit: None,
    },
];

/// The units of a group with at least one, as input of figures.
pub struct Members<'a> {
    world: &'a World,
    nearest: &'a NearestSearch,
    group: &'a Group,
}

impl Members<'_> {
    fn units(&self) -> Range<usize> {
        self.group.units.clone()
    }

    fn mean(&self, value: impl Fn(usize) -> f32) -> f32 {
        self.units().map(value).sum::<f32>() / self.units().len() as f32
    }

    /// Returns the length of the mean.
    fn mean_vector(&self, value: impl Fn(usize) -> Vec3) -> f32 {
        self.units().map(value).sum::<Vec3>().length() / self.units().len() as f32
    }

    /// Returns the mean distance to the nearest unit. Searches run in parallel; the sum has the order of units.
    fn mean_nearest(&self) -> f32 {
        let search = |unit| self.nearest.distance(self.world, unit);
        let distances: Vec<f32> =
            self.units().into_par_iter().with_min_len(MIN_SEARCHES).map(search).collect();
        distances.iter().sum::<f32>() / self.units().len() as f32
    }

    fn direction(&self, unit: usize) -> Vec3 {
        self.world.units.velocity[unit].normalize_or_zero()
    }

    fn center(&self) -> Vec3 {
        self.world.units.position[self.units()].iter().sum::<Vec3>() / self.units().len() as f32
    }
}

/// The values of [`FIGURES`] for a group, 0 for one without units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupFigures([f32; FIGURES.len()]);

impl GroupFigures {
    /// Returns the value of the figure with a name.
    pub fn named(&self, name: &str) -> Option<f32> {
        self.iter().find(|(figure, _)| figure.name == name).map(|(_, value)| value)
    }

    /// Returns every figure with its value.
    pub fn iter(self) -> impl Iterator<Item = (&'static Figure, f32)> {
        FIGURES.iter().zip(self.0)
    }
}

/// Returns the figures of every group, in order.
pub fn of_groups(world: &World) -> Vec<GroupFigures> {
    let nearest = NearestSearch::new(world);
    let figures = |group: &Group| {
        if group.units.is_empty() {
            return GroupFigures::default();
        }
        let members = Members { world, nearest: &nearest, group };
        GroupFigures(FIGURES.each_ref().map(|figure| (figure.of_group)(&members)))
    };
    world.groups.iter().map(figures).collect()
}

/// Returns the length of a vector, also if its square exceeds the range of `f32`.
fn length(vector: Vec3) -> f32 {
    let length = vector.length();
    if length.is_finite() { length } else { vector.as_dvec3().length() as f32 }
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
}

/// Returns the means of values watched in the last step while [`Simulation::watching`] was true, sorted by group,
/// behavior and name.
pub fn watched(simulation: &Simulation) -> Vec<WatchedMean> {
    let groups = &simulation.world().units.group;
    let mut sums: BTreeMap<(usize, usize, &str), (f32, f32)> = BTreeMap::new();
    for watch in simulation.watches() {
        let Some(group) = groups.get(watch.unit) else { continue };
        let (sum, count) = sums.entry((usize::from(*group), watch.slot, &*watch.name)).or_default();
        *sum += watch.value.size();
        *count += 1.0;
    }
    let mean = |((group, slot, name), (sum, count)): ((usize, usize, &str), (f32, f32))| {
        let mut rules = use_names(simulation.slots(group));
        let rule = if slot < rules.len() { rules.swap_remove(slot) } else { String::new() };
        WatchedMean { group, slot, rule, name: name.to_owned(), mean: sum / count }
    };
    sums.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_speed_of_units_whose_squared_speed_overflows_is_finite() {
        let mut world = World::default().with_group(Group::default(), [Vec3::ZERO, Vec3::X]);
        world.units.velocity.fill(Vec3::X * 1e30);
        assert_eq!(of_groups(&world)[0].named("speed"), Some(1e30));
    }
}
