//! The state of code for eight units, and the host functions that it calls.

use std::ptr;

use steerbox_core::diagnostics::caught;
use steerbox_core::perception::{
    Axes, BatchNearest, BatchNeighbor, BatchOrdered, List, NeighborMeansX8, Source,
};
use steerbox_core::sim::work::CALL;
use steerbox_core::sim::{Arrays, BATCH as LANES, BatchDecisions, BatchObstacles, NameIds};
use steerbox_core::world::Extrema;

use crate::api::{self, Host, LaneCall};

/// A number per unit.
pub(super) type Numbers = [f32; LANES];

/// A call for the units of a batch: the frozen state as plain arrays, and pointers to the results. Compiled code
/// accesses it by the offsets of its fields.
#[repr(C, align(32))]
pub(in super::super) struct LaneContext<'a> {
    /// All bits set in lanes with a unit.
    pub(in super::super) used: [u32; LANES],
    /// True if drawings or watched values are recorded.
    pub(in super::super) is_shown: bool,
    /// Nonzero if code was aborted: no unit is decided then.
    pub(in super::super) aborted: u32,
    /// Results, and the memory of the units.
    pub(in super::super) decisions: *mut BatchDecisions,
    pub(in super::super) arrays: *const Arrays,
    pub(in super::super) position: *const [Numbers; 3],
    pub(in super::super) velocity: *const [Numbers; 3],
    pub(in super::super) axes: *const Axes,
    /// The first unit, which determines the group.
    pub(in super::super) me: usize,
    pub(in super::super) names: *const NameIds,
    /// A second result of host functions.
    pub(in super::super) count: i64,
    // Only the host uses the fields below.
    pub(in super::super) host: Host<'a>,
    /// The unit of each lane, and its number of random draws.
    pub(in super::super) units: [u32; LANES],
    pub(in super::super) draws: [u32; LANES],
}

fn list(source: i32, within: f32) -> List {
    List { source: Source::from_index(source as u32 as usize), within }
}

/// Returns 1 if `work` panics or returns `None`, else 0.
fn fails(work: impl FnOnce() -> Option<()>) -> u8 {
    u8::from(caught(work).flatten().is_none())
}

/// Returns the means of a list for all units of the batch, those of velocities only if requested; null if the units
/// must be decided one by one.
pub(super) extern "C" fn means(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
    velocities: u8,
) -> *const NeighborMeansX8 {
    let means = caught(|| {
        let means = context.host.context.batch_queries().means(list(source, within), velocities != 0);
        means.map_or(ptr::null(), ptr::from_ref)
    });
    means.unwrap_or(ptr::null())
}

/// As [`means`], for reaches that differ by unit.
pub(super) extern "C" fn means_within(
    context: &mut LaneContext<'_>,
    source: i32,
    reaches: &Numbers,
    velocities: u8,
) -> *const NeighborMeansX8 {
    let means = caught(|| {
        let list = (list(source, 0.0).source, reaches);
        let means = context.host.context.batch_queries().means_within(list, velocities != 0);
        means.map_or(ptr::null(), ptr::from_ref)
    });
    means.unwrap_or(ptr::null())
}

/// Returns the greatest number.
pub(super) extern "C" fn greatest(numbers: &Numbers) -> f32 {
    numbers.iter().copied().fold(-1.0, f32::greater)
}

/// Returns the units of a list for all units of the batch in slot order of the grid, and stores their number in the
/// context; null if the units must be decided one by one.
pub(super) extern "C" fn units(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
) -> *mut BatchNeighbor {
    let found = caught(|| {
        let units = context.host.context.batch_queries().neighbors(list(source, within))?;
        Some((units.as_mut_ptr(), units.len()))
    });
    let (start, count) = found.flatten().unwrap_or((ptr::null_mut(), 0));
    context.count = count as i64;
    start
}

/// A search for the units of a list, nearest first.
#[repr(C, align(32))]
pub(super) struct UnitSearch {
    /// All bits set in lanes that search.
    pub(super) active: [u32; LANES],
    /// The cost of the iterations up to the nearest kept unit; only [`ordered_remaining`] sets it.
    pub(super) work: [u32; LANES],
    /// The first of the found rows.
    pub(super) first: *const BatchOrdered,
    pub(super) count: usize,
}

/// Finds the units of a list for each searching lane, nearest first; returns 1 if units must be decided one by one.
pub(super) extern "C" fn ordered(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
    search: &mut UnitSearch,
) -> u8 {
    fails(|| {
        let rows = context.host.context.batch_queries().ordered(list(source, within), &search.active)?;
        (search.first, search.count) = (rows.as_ptr(), rows.len());
        Some(())
    })
}

/// Finds the units of a list that the prefilter kept for each lane, nearest first, or only the nearest of them;
/// returns 1 if units must be decided one by one.
pub(super) extern "C" fn ordered_remaining(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
    nearest: u8,
    search: &mut UnitSearch,
) -> u8 {
    fails(|| {
        let (rows, work) =
            context.host.context.batch_queries().selected(list(source, within), nearest != 0)?;
        (search.first, search.count, search.work) = (rows.as_ptr(), rows.len(), work);
        Some(())
    })
}

/// Finds the nearest unit of a list for each lane; returns 1 if units must be decided one by one.
pub(super) extern "C" fn nearest(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
    nearest: &mut BatchNearest,
) -> u8 {
    *nearest = BatchNearest::default();
    fails(|| {
        *nearest = context.host.context.batch_queries().nearest(list(source, within))?;
        Some(())
    })
}

/// A search for the unit at an index of a list, nearest first.
#[repr(C, align(32))]
pub(super) struct IndexSearch {
    /// All bits set in lanes that search.
    pub(super) active: [u32; LANES],
    pub(super) index: [u32; LANES],
    pub(super) found: BatchNearest,
}

/// Finds the unit at an index of a list for each searching lane; returns 1 if units must be decided one by one.
pub(super) extern "C" fn nth(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
    search: &mut IndexSearch,
) -> u8 {
    fails(|| {
        let IndexSearch { active, index, found } = search;
        *found = context.host.context.batch_queries().nth(list(source, within), active, index)?;
        Some(())
    })
}

/// Draws the next random number of each lane in the mask.
pub(super) extern "C" fn random(context: &mut LaneContext<'_>, drawing: &[u32; LANES], drawn: &mut Numbers) {
    *drawn = context.host.context.random_of_batch(&context.units, context.draws);
    for (draws, drawing) in context.draws.iter_mut().zip(drawing) {
        *draws += drawing & 1;
    }
}

/// A search for obstacles near each unit.
#[repr(C, align(32))]
pub(super) struct ObstacleSearch {
    pub(super) reach: Numbers,
    /// All bits set in lanes that search.
    pub(super) active: [u32; LANES],
    /// The work of each lane.
    pub(super) work: [u32; LANES],
    /// The first of the found rows.
    pub(super) first: *const BatchObstacles,
    pub(super) count: usize,
}

/// Finds the obstacles near the unit of each searching lane; returns 1 if units must be decided one by one.
pub(super) extern "C" fn obstacles(context: &mut LaneContext<'_>, search: &mut ObstacleSearch) -> u8 {
    fails(|| {
        let (rows, searches) = context.host.context.obstacles_of_batch(&search.reach, &search.active);
        (search.first, search.count) = (rows.as_ptr(), rows.len());
        let works = searches.map(|(cost, found)| api::obstacles::near_search_work(cost, found));
        search.work = works.map(|work| work as u32);
        works.into_iter().all(|work| work <= CALL).then_some(())
    })
}

/// Returns the number of obstacles.
pub(super) extern "C" fn obstacle_count(context: &mut LaneContext<'_>) -> usize {
    context.host.context.world().obstacles.len()
}

/// Tests units for a kind or a mark by its bit, and replaces their indices with a mask.
pub(super) extern "C" fn test_bits(
    context: &mut LaneContext<'_>,
    bit: u64,
    is_kind: u8,
    units: &mut [u32; LANES],
) -> u8 {
    fails(|| {
        let world = context.host.context.world();
        for unit in units {
            // Lanes that are not active have any index.
            let at = (*unit as usize).min(world.units.len().saturating_sub(1));
            let bits = if is_kind != 0 { world.group_of(at).kinds } else { world.units.marks[at] };
            *unit = u32::from(bits & bit != 0).wrapping_neg();
        }
        Some(())
    })
}

/// Applies a function of one number in each lane.
pub(super) extern "C" fn map_unary(function: extern "C" fn(f32) -> f32, numbers: &mut Numbers) {
    for number in numbers {
        *number = function(*number);
    }
}

/// Applies a function of two numbers in each lane.
pub(super) extern "C" fn map_binary(
    function: extern "C" fn(f32, f32) -> f32,
    numbers: &mut Numbers,
    others: &Numbers,
) {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number = function(*number, *other);
    }
}

/// Calls a row of the API in each active lane; returns 1 if units must be decided one by one.
pub(super) extern "C" fn call_row(
    context: &mut LaneContext<'_>,
    place: usize,
    exchange: &mut LaneCall,
) -> u8 {
    let LaneContext { host, units, .. } = context;
    fails(|| {
        api::functions()[place].run_each(host, units, exchange);
        (host.context.work() <= CALL).then_some(())
    })
}
