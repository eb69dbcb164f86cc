//! Facts of groups, in one place and one shape.

use crate::world::World;

/// What behaviors ask about the units of a group, worked out once a step. Compiled code reads it in
/// place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupFacts {
    /// Of the body.
    pub length: f32,
    /// Of the body.
    pub width: f32,
    /// Half the length.
    pub radius: f32,
    /// A mover's is 1.
    pub mass: f32,
    /// The highest speed.
    pub max_speed: f32,
    /// The speed to aim at.
    pub desired_speed: f32,
    /// What a turn of 1 stands for.
    pub steering_force: f32,
    /// Engine force.
    pub thrust: f32,
    /// The index of its first unit.
    pub first: u64,
    /// 1 if it has a view.
    pub has_view: u64,
    /// Its path by its index, or −1.
    pub path: i64,
    /// Its flow field by its index, or −1.
    pub field: i64,
}

impl GroupFacts {
    /// The facts of every group.
    pub(super) fn of(world: &World) -> Vec<Self> {
        let index = |index: Option<usize>| index.map_or(-1, |index| index as i64);
        let facts = world.groups.iter().map(|group| Self {
            length: group.body.length(),
            width: group.body.width(),
            radius: group.body.radius(),
            mass: group.body.mass(),
            max_speed: group.body.max_speed(),
            desired_speed: group.body.desired_speed(),
            steering_force: group.body.steering_force(),
            thrust: group.body.thrust(),
            first: group.units.start as u64,
            has_view: u64::from(group.view.is_some()),
            path: index(group.path),
            field: index(group.flow),
        });
        facts.collect()
    }
}
