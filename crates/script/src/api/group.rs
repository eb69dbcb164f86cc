//! Groups: that of a measure, and those that `world.group` returns.

use glam::Vec3;
use rhai::INT;
use steerbox_core::world::World;

use super::function::Table;
use super::host::Host;
use super::lists::no_index;
use super::values::{Group, Members, Text, Unit};
use super::{names, work};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("group.count", "the number of units", |host: &Host<'_>, group: Members| group.count(host) as INT);
    table.add("group[i]", "the i-th unit, from 0; an index past the end is an error", at);
    table.add("group.name", "its name, a string", |group: Members| Group(group.index));
    table.add("group.mean_position", "the center: mean of the positions, across a periodic edge the shorter way; **for a group without units, the unit's own position**", mean_position);
    table.add("group.mean_velocity", "mean of the velocities; **for a group without units, the unit's own velocity**", mean_velocity);
    table.add("group.nearest(point)", "the unit nearest to a point, or `()` without units", nearest);
}

impl Members {
    /// The group of a measure, with at least one unit.
    pub(crate) fn of_measure(frozen: &steerbox_core::sim::Frozen, index: usize) -> Self {
        let origin = frozen.group_means(index).map_or(Vec3::ZERO, |means| means.position);
        Self { index, origin }
    }

    pub(super) fn count(self, host: &Host<'_>) -> usize {
        host.world().groups.get(self.index).map_or(0, |group| group.units.len())
    }

    /// Returns its unit at an index, at the position that is nearest to the origin across a periodic edge.
    pub(crate) fn unit(self, host: &Host<'_>, at: usize) -> Option<Unit> {
        let (world, units) = (host.world(), host.world().groups.get(self.index)?.units.clone());
        let index = units.start.checked_add(at).filter(|index| units.contains(index))?;
        Some(Unit { index, position: self.apparent(world, world.units.position[index]) })
    }

    fn apparent(self, world: &World, position: Vec3) -> Vec3 {
        let across = || self.origin + world.arena.shortest(position - self.origin);
        world.arena.period().map_or(position, |_| across())
    }
}

/// Returns the index of the group with a name.
pub(super) fn find(host: &mut Host<'_>, name: Text) -> Result<usize, String> {
    work::look_up(host.context, |world| world.groups.len());
    let names = host.world().groups.iter().map(|group| group.name.as_str());
    names::find("group", host.text(name), names)
}

fn at(host: &Host<'_>, group: Members, i: INT) -> Result<Unit, String> {
    let found = usize::try_from(i).ok().and_then(|at| group.unit(host, at));
    found.ok_or_else(|| no_index(i, group.count(host)))
}

fn mean_position(host: &Host<'_>, group: Members) -> Vec3 {
    let means = host.context.group_means(group.index);
    means.map_or(group.origin, |means| group.apparent(host.world(), means.position))
}

fn mean_velocity(host: &Host<'_>, group: Members) -> Vec3 {
    let own = || host.units().velocity.get(host.context.unit()).copied();
    host.context.group_means(group.index).map_or_else(|| own().unwrap_or_default(), |means| means.velocity)
}

fn nearest(host: &mut Host<'_>, group: Members, point: Vec3) -> Option<Unit> {
    host.context.charge(group.count(host) as u64);
    let (world, mut least) = (host.world(), (f32::INFINITY, None));
    for index in world.groups.get(group.index)?.units.clone() {
        let distance = world.arena.shortest(world.units.position[index] - point).length_squared();
        if distance < least.0 {
            least = (distance, Some(index));
        }
    }
    let index = least.1?;
    Some(Unit { index, position: group.apparent(world, world.units.position[index]) })
}
