//! The group of a measure.

use glam::Vec3;
use rhai::INT;

use super::function::Table;
use super::host::Host;
use super::lists::no_index;
use super::values::{Group, Members, Unit};
use crate::sim::metrics;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("group.count", "the number of units, at least 1", |host: &Host<'_>, group: Members| count(host, group) as INT);
    table.add("group[i]", "the i-th unit, from 0; an index past the end is an error", at);
    table.add("group.name", "its name, a string", |group: Members| Group(group.index));
    table.add("group.mean_position", "the center: mean of the positions, across a periodic edge the shorter way", |group: Members| group.center);
    table.add("group.mean_velocity", "mean of the velocities", mean_velocity);
}

impl Members {
    /// Returns a group with at least one unit.
    pub(in crate::script) fn new(world: &crate::world::World, index: usize) -> Self {
        Self { index, center: metrics::center(world, &world.groups[index]) }
    }

    /// Returns its unit at an index, at the position that is nearest to the center across a periodic edge.
    pub(super) fn unit(self, host: &Host<'_>, at: usize) -> Option<Unit> {
        let (world, units) = (host.world(), host.world().groups.get(self.index)?.units.clone());
        let index = units.start.checked_add(at).filter(|index| units.contains(index))?;
        let position = world.units.position[index];
        let apparent = || self.center + world.arena.shortest(position - self.center);
        let position = world.arena.period().map_or(position, |_| apparent());
        Some(Unit { index, position })
    }
}

fn count(host: &Host<'_>, group: Members) -> usize {
    host.world().groups.get(group.index).map_or(0, |group| group.units.len())
}

fn at(host: &Host<'_>, group: Members, i: INT) -> Result<Unit, String> {
    let found = usize::try_from(i).ok().and_then(|at| group.unit(host, at));
    found.ok_or_else(|| no_index(i, count(host, group)))
}

fn mean_velocity(host: &mut Host<'_>, group: Members) -> Vec3 {
    let count = count(host, group);
    host.context.charge(count as u64);
    let units = host.world().groups.get(group.index).map_or(0..0, |group| group.units.clone());
    host.units().velocity[units].iter().sum::<Vec3>() / count.max(1) as f32
}
