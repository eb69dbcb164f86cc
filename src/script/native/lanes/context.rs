//! What code for eight units works on, and what it calls in the host.

use std::ptr;

use crate::diagnostics::caught;
use crate::perception::{Axes, BatchNearest, BatchNeighbor, List, NeighborMeansX8, Source};
use crate::script::api::values::Slots;
use crate::script::api::{self, Host};
use crate::script::handles::Obstacles;
use crate::script::types::Kind;
use crate::sim::{Arrays, BATCH as LANES, BatchDecisions, NameIds};

/// A number for each unit.
pub(super) type Numbers = [f32; LANES];

/// One call for the units of a batch: the frozen state as plain arrays, and where results go. Compiled code reads
/// and writes it by the offsets of its fields.
#[repr(C, align(32))]
pub(in super::super) struct LaneContext<'a> {
    /// All bits set for the units that decide.
    pub(in super::super) used: [u32; LANES],
    /// Whether code was left early: no unit is decided then.
    pub(in super::super) gave_up: u32,
    /// Where results go, and what the units remember.
    pub(in super::super) decisions: *mut BatchDecisions,
    pub(in super::super) arrays: *const Arrays,
    pub(in super::super) position: *const [Numbers; 3],
    pub(in super::super) velocity: *const [Numbers; 3],
    pub(in super::super) axes: *const Axes,
    /// The first unit, which tells the group.
    pub(in super::super) me: usize,
    pub(in super::super) names: *const NameIds,
    /// What functions of the host return beside their result.
    pub(in super::super) count: i64,
    // Only the host uses what follows.
    pub(in super::super) host: Host<'a>,
    /// The unit of each lane, and how many random numbers it drew.
    pub(in super::super) units: [u32; LANES],
    pub(in super::super) draws: [u32; LANES],
}

/// Arguments and results of [`each`]: up to eight numbers for each unit.
pub(super) type Exchange = [Numbers; 8];

fn list(source: i32, within: f32) -> List {
    List { source: Source::of_index(source as u32 as usize), within }
}

/// The means of a list for all units of the batch, with or without those of velocities; null where they are to be
/// decided one by one.
pub(super) extern "C" fn means(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
    velocities: u8,
) -> *const NeighborMeansX8 {
    let means = caught(|| {
        let means = context.host.context.means_of_batch(list(source, within), velocities != 0);
        means.map_or(ptr::null(), ptr::from_ref)
    });
    means.unwrap_or(ptr::null())
}

/// The units of a list for all units of the batch, in the order of the grid; null where they are to be decided one
/// by one. Their number is left.
pub(super) extern "C" fn units(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
) -> *const BatchNeighbor {
    let found = caught(|| {
        let units = context.host.context.units_of_batch(list(source, within))?;
        Some((units.as_ptr(), units.len()))
    });
    let (start, count) = found.flatten().unwrap_or((ptr::null(), 0));
    context.count = count as i64;
    start
}

/// The nearest unit of a list for each unit of the batch; 1 where they are to be decided one by one.
pub(super) extern "C" fn nearest(
    context: &mut LaneContext<'_>,
    source: i32,
    within: f32,
    nearest: &mut BatchNearest,
) -> u8 {
    let found = caught(|| context.host.context.nearest_of_batch(list(source, within))).flatten();
    let failed = found.is_none();
    *nearest = found.unwrap_or_default();
    u8::from(failed)
}

/// The next random number of each unit whose bits are set.
pub(super) extern "C" fn random(context: &mut LaneContext<'_>, drawing: &[u32; LANES], drawn: &mut Numbers) {
    for lane in 0..LANES {
        if drawing[lane] != 0 {
            let (unit, draw) = (context.units[lane], context.draws[lane]);
            drawn[lane] = context.host.context.random_of(unit as usize, draw);
            context.draws[lane] += 1;
        }
    }
}

/// A search for obstacles near each unit.
#[repr(C, align(32))]
pub(super) struct ObstacleSearch {
    pub(super) reach: Numbers,
    /// All bits set for the units that search.
    pub(super) asking: [u32; LANES],
    /// All bits set for those that find any.
    pub(super) found: [u32; LANES],
    /// The work of each.
    pub(super) work: [u32; LANES],
}

/// Searches for the obstacles near each unit that asks; 1 where all are to be decided one by one.
pub(super) extern "C" fn obstacles(context: &mut LaneContext<'_>, search: &mut ObstacleSearch) -> u8 {
    let searched = caught(|| {
        if context.host.context.is_among_obstacles() {
            return false;
        }
        (search.found, search.work) = ([0; LANES], [0; LANES]);
        let (before, mut asked, mut near) = (context.host.context.unit(), 0, 0);
        for lane in (0..LANES).filter(|lane| search.asking[*lane] != 0) {
            context.host.context.look_as(context.units[lane] as usize);
            let work = context.host.context.work();
            let is_near = api::obstacles::count(&mut context.host, Obstacles(search.reach[lane])) > 0;
            let work = context.host.context.work() - work;
            search.work[lane] = u32::try_from(work).unwrap_or(u32::MAX);
            search.found[lane] = u32::from(is_near).wrapping_neg();
            (asked, near) = (asked + 1, near + usize::from(is_near));
        }
        context.host.context.look_as(before);
        context.host.context.note_obstacles(near, asked);
        true
    });
    u8::from(searched != Some(true))
}

/// A function of one number for each unit.
pub(super) extern "C" fn of_numbers(function: extern "C" fn(f32) -> f32, numbers: &mut Numbers) {
    for number in numbers {
        *number = function(*number);
    }
}

/// A function of two numbers for each unit.
pub(super) extern "C" fn of_pairs(
    function: extern "C" fn(f32, f32) -> f32,
    numbers: &mut Numbers,
    others: &Numbers,
) {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number = function(*number, *other);
    }
}

/// Calls a row of the API for each unit: a function of numbers and vectors that gives one of either, cannot fail
/// and charges for nothing.
pub(super) extern "C" fn each(context: &mut LaneContext<'_>, place: usize, exchange: &mut Exchange) -> u8 {
    let called = caught(|| {
        let row = &api::functions()[place];
        let before = context.host.context.unit();
        for lane in (0..LANES).filter(|lane| context.used[*lane] != 0) {
            context.host.context.look_as(context.units[lane] as usize);
            let mut slots = Slots::default();
            for (slot, of) in slots.iter_mut().zip(&*exchange) {
                *slot = u64::from(of[lane].to_bits());
            }
            // A row that cannot fail does not.
            let _ = row.run(&mut context.host, &mut slots);
            for (slot, of) in slots.iter().zip(exchange.iter_mut()).take(words_of(row.gives.kind)) {
                of[lane] = f32::from_bits(*slot as u32);
            }
        }
        context.host.context.look_as(before);
    });
    u8::from(called.is_none())
}

/// How many numbers a value takes.
pub(super) fn words_of(kind: Kind) -> usize {
    match kind {
        Kind::Number => 1,
        Kind::Vector => 3,
        Kind::Turn => 2,
        _ => 0,
    }
}
