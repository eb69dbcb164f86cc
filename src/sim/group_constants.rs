//! Facts of groups.

use std::mem::offset_of;

use crate::perception::{Grid, PerSource, Source};
use crate::world::World;

/// What behaviors read of the body and the group of a unit, computed once a step. Compiled code reads it
/// in place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupConstants {
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
    /// What its units are, as bits.
    pub kinds: u64,
    /// 1 if it has a view.
    pub has_view: u64,
    /// Its path by its index, or −1.
    pub path: i64,
    /// Its flow field by its index, or −1.
    pub field: i64,
    /// Work of one look at a list; for views, that of the widest one of the scene. Means over lists take about that.
    pub looks: PerSource<u32>,
}

/// Work of a look at a list that is empty, of touching units, or of a selection.
pub(super) const LOOK: u32 = 16;
/// Units that are looked at for one unit of work: several at a time, and mostly for several units.
const AT_ONCE: u32 = 4;

impl GroupConstants {
    /// The offset of the work of one look at a source.
    pub fn look(source: Source) -> usize {
        offset_of!(Self, looks) + size_of::<u32>() * PerSource::<u32>::slot(source)
    }

    /// The facts of every group.
    pub(super) fn of(world: &World, grid: &Grid) -> Vec<Self> {
        let index = |index: Option<usize>| index.map_or(-1, |index| index as i64);
        let facts = world.groups.iter().enumerate().map(|(at, group)| Self {
            length: group.body.length(),
            width: group.body.width(),
            radius: group.body.radius(),
            mass: group.body.mass(),
            max_speed: group.body.max_speed(),
            desired_speed: group.body.desired_speed(),
            steering_force: group.body.steering_force(),
            thrust: group.body.thrust(),
            first: group.units.start as u64,
            kinds: group.kinds,
            has_view: u64::from(group.view.is_some()),
            path: index(group.path),
            field: index(group.flow),
            looks: looks(world, grid, at),
        });
        facts.collect()
    }
}

/// The work of one look at each source of lists, for a group.
fn looks(world: &World, grid: &Grid, group: usize) -> PerSource<u32> {
    let reach = |view: &usize| world.views[*view].view.radius();
    let widest = (0..world.views.len()).max_by(|a, b| reach(a).total_cmp(&reach(b)));
    let units = &world.groups[group].units;
    PerSource(Source::EACH.map(|source| {
        let searched = match source {
            Source::View(_) => widest.map(Source::View),
            // A unit touches few others.
            Source::Touching | Source::Selection(_) => None,
            source => Some(source),
        };
        LOOK + searched.map_or(0, |source| grid.candidates(group, source, units)) / AT_ONCE
    }))
}
