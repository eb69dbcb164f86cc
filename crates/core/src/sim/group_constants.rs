//! Constants of groups.

use std::mem::offset_of;

use crate::perception::{Grid, PerSource, Source};
use crate::world::{Body, World};

/// Properties of a body that behaviors read. Compiled code reads it in place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyNumbers {
    /// Length of the body.
    pub length: f32,
    /// Width of the body.
    pub width: f32,
    /// Half the length.
    pub radius: f32,
    /// Mass; 1 for a mover.
    pub mass: f32,
    /// Maximum speed.
    pub max_speed: f32,
    /// Cruising speed.
    pub desired_speed: f32,
    /// The effect of a turn of 1.
    pub steering_force: f32,
    /// Engine force.
    pub thrust: f32,
}

impl From<&Body> for BodyNumbers {
    fn from(body: &Body) -> Self {
        Self {
            length: body.length(),
            width: body.width(),
            radius: body.radius(),
            mass: body.mass(),
            max_speed: body.max_speed(),
            desired_speed: body.desired_speed(),
            steering_force: body.steering_force(),
            thrust: body.thrust(),
        }
    }
}

/// Body and group properties that behaviors read, computed once per step. Compiled code reads it in place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupConstants {
    /// The body of its units, unless bodies differ by unit; the first field, so that both have the same offsets.
    pub body: BodyNumbers,
    /// The index of its first unit.
    pub first: u64,
    /// The kinds of its units, as a mask.
    pub kinds: u64,
    /// 1 if it has a view.
    pub has_view: u64,
    /// Index of its path, or −1.
    pub path: i64,
    /// Index of its flow field, or −1.
    pub field: i64,
    /// Work of one scan of a list of each source; views have that of the widest view. Means cost about one scan.
    pub scan_costs: PerSource<u32>,
}

/// Work of a scan of an empty list, of touching units, or of a selection.
pub(super) const MIN_SCAN_COST: u32 = 16;
/// Number of units per unit of work in a scan: they are processed several at a time, mostly for several units.
const UNITS_PER_WORK: u32 = 4;

impl GroupConstants {
    /// The byte offset of the work of one scan of a source.
    pub fn scan_cost_offset(source: Source) -> usize {
        offset_of!(Self, scan_costs) + size_of::<u32>() * PerSource::<u32>::slot(source)
    }

    /// Computes the constants of every group.
    pub(super) fn new(world: &World, grid: &Grid) -> Vec<Self> {
        let index = |index: Option<usize>| index.map_or(-1, |index| index as i64);
        let constants = world.groups.iter().enumerate().map(|(at, group)| Self {
            body: (&group.body).into(),
            first: group.units.start as u64,
            kinds: group.kinds,
            has_view: u64::from(group.view.is_some()),
            path: index(group.path),
            field: index(group.flow),
            scan_costs: scan_costs(world, grid, at),
        });
        constants.collect()
    }
}

/// Returns the work of one scan of each source, for a group.
fn scan_costs(world: &World, grid: &Grid, group: usize) -> PerSource<u32> {
    let reach = |view: &usize| world.views[*view].view.radius();
    let widest = (0..world.views.len()).max_by(|a, b| reach(a).total_cmp(&reach(b)));
    let units = &world.groups[group].units;
    PerSource(Source::EACH.map(|source| {
        let searched = match source {
            Source::View(_) => widest.map(Source::View),
            // Units touch few others.
            source => source.range().is_in_grid().then_some(source),
        };
        MIN_SCAN_COST + searched.map_or(0, |source| grid.candidates(group, source, units)) / UNITS_PER_WORK
    }))
}
