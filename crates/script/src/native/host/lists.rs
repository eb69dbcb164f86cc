//! Lists of units.

use std::ptr;

use steerbox_core::perception::{List, Neighbor, NeighborMeansX8, Source};

use super::super::vm::VmContext;

fn list(source: i32, within: f32) -> List {
    let source = Source::from_index(source as u32 as usize);
    List { source, within }
}

/// Returns the address of a list's count for the unit's lane. The means follow it as in [`NeighborMeansX8`], those
/// of velocities only if requested.
pub(in super::super) extern "C" fn means(
    vm: &mut VmContext<'_>,
    source: i32,
    within: f32,
    velocities: u8,
) -> *const u32 {
    static EMPTY: NeighborMeansX8 = NeighborMeansX8::EMPTY;
    vm.call.catch_panic(EMPTY.count.as_ptr(), |call| {
        let (means_x8, lane) = call.host.context.means_x8(list(source, within), velocities != 0);
        ptr::from_ref(means_x8).cast::<u32>().wrapping_add(lane)
    })
}

/// Returns the units of a list, nearest first, and stores their number in the context.
pub(in super::super) extern "C" fn ordered(
    vm: &mut VmContext<'_>,
    source: i32,
    within: f32,
) -> *const Neighbor {
    let (start, count) = vm.call.charged((ptr::null(), 0), |call| {
        let units = call.host.context.ordered(list(source, within));
        (units.as_ptr(), units.len())
    });
    vm.count = count as i64;
    start
}

/// Returns the units of a list in slot order of the grid, and stores their number in the context.
pub(in super::super) extern "C" fn in_slots(
    vm: &mut VmContext<'_>,
    source: i32,
    within: f32,
) -> *const Neighbor {
    let (start, count) = vm.call.charged((ptr::null(), 0), |call| {
        let units = call.host.context.in_slots(list(source, within));
        (units.as_ptr(), units.len())
    });
    vm.count = count as i64;
    start
}

/// Returns the work of a scan of a source.
pub(in super::super) extern "C" fn look(vm: &mut VmContext<'_>, source: i32) -> i64 {
    vm.call.catch_panic(0, |call| call.host.context.scan_cost(list(source, 0.0).source) as i64)
}

pub(in super::super) extern "C" fn random(vm: &mut VmContext<'_>) -> f32 {
    vm.call.catch_panic(0.0, |call| call.host.context.random())
}
