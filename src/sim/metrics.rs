//! Order parameters and other statistics of groups.

use std::collections::BTreeMap;

use glam::Vec3;

use super::simulation::Simulation;
use super::slot::use_names;
use crate::perception::Grid;
use crate::world::{Group, World};

/// Statistics of one group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Number of units.
    pub count: usize,
    /// Their mean speed.
    pub speed_mean: f32,
    /// Length of the mean direction of motion: 0 is disorder, 1 is one direction. T. Vicsek et al., "Novel type of phase
    /// transition in a system of self-driven particles", Physical Review Letters 75, 1995.
    pub polarization: f32,
    /// Length of the mean of direction to the unit from the group's center × direction of motion: 1 for a mill, 0 for no
    /// rotation. I. D. Couzin et al., "Collective memory and spatial sorting in animal groups", Journal of Theoretical
    /// Biology 218, 2002 (m there).
    pub milling: f32,
    /// Mean distance to the nearest unit of any group; 0 for a single unit.
    pub nearest_mean: f32,
}

/// Returns the statistics of every group, in order.
pub fn of_groups(world: &World) -> Vec<Figures> {
    let mut grid = Grid::default();
    grid.rebuild(world);
    let groups = world.groups.iter();
    groups.map(|group| figures(world, &grid, group)).collect()
}

/// Returns the distance from a unit to the nearest other one of any group; 0 for a single unit.
pub fn nearest_of(world: &World, unit: usize) -> f32 {
    let positions = &world.units.position;
    let others = positions.iter().enumerate().filter(|(other, _)| *other != unit);
    let distance = |at: &Vec3| world.arena.shortest(*at - positions[unit]).length_squared();
    let nearest = others.map(|(_, at)| distance(at)).fold(f32::INFINITY, f32::min);
    if nearest.is_finite() { nearest.sqrt() } else { 0.0 }
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

fn figures(world: &World, grid: &Grid, group: &Group) -> Figures {
    let units = group.units.clone();
    if units.is_empty() {
        return Figures::default();
    }
    let count = units.len() as f32;
    let middle = world.units.position[units.clone()].iter().sum::<Vec3>() / count;
    let (mut speed, mut direction, mut turning, mut nearest) = (0.0, Vec3::ZERO, Vec3::ZERO, 0.0);
    for unit in units {
        let velocity = world.units.velocity[unit];
        speed += velocity.length();
        direction += velocity.normalize_or_zero();
        let outward = (world.units.position[unit] - middle).normalize_or_zero();
        turning += outward.cross(velocity.normalize_or_zero());
        nearest += nearest_distance(world, grid, unit);
    }
    Figures {
        count: group.units.len(),
        speed_mean: speed / count,
        polarization: direction.length() / count,
        milling: turning.length() / count,
        nearest_mean: nearest / count,
    }
}

/// Searches with a doubling radius until a unit is found.
fn nearest_distance(world: &World, grid: &Grid, unit: usize) -> f32 {
    if world.units.len() < 2 {
        return 0.0;
    }
    let position = world.units.position[unit];
    let mut radius = world.group_of(unit).body.length() * 2.0;
    for _ in 0..64 {
        let mut nearest = f32::INFINITY;
        grid.each_within(position, radius, |other, _, distance_squared| {
            if other != unit {
                nearest = nearest.min(distance_squared);
            }
        });
        if nearest.is_finite() {
            return nearest.sqrt();
        }
        radius *= 2.0;
    }
    0.0
}
