//! Lists of units.

use std::ptr;

use super::super::vm::VmContext;
use super::{charged, guarded, leave};
use crate::perception::{List, Neighbor, NeighborMeansX8, Source};

/// Sources of lists as compiled code holds them; views of the scene come after them.
pub(in super::super) const NEIGHBORS: i32 = 0;
pub(in super::super) const OTHERS: i32 = 1;
pub(in super::super) const ENEMIES: i32 = 2;
pub(in super::super) const VIEWS: i32 = 3;

fn list(source: i32, within: f32) -> List {
    let source = match source {
        NEIGHBORS => Source::Neighbors,
        OTHERS => Source::Others,
        ENEMIES => Source::Enemies,
        view => Source::View((view - VIEWS) as usize),
    };
    List { source, within }
}

/// Leaves a unit for compiled code, and whether there is one.
fn leave_unit(vm: &mut VmContext<'_>, seen: Option<Neighbor>) -> u8 {
    let Some(seen) = seen else {
        return 0;
    };
    vm.count = seen.unit as i64;
    leave(vm, seen.position);
    1
}

/// Where the count of a list's means is kept; its means stand where [`NeighborMeansX8`] says, from there on.
pub(in super::super) extern "C" fn means(
    vm: &mut VmContext<'_>,
    source: i32,
    within: f32,
) -> *const u32 {
    static EMPTY: NeighborMeansX8 = NeighborMeansX8::EMPTY;
    guarded(vm, EMPTY.count.as_ptr(), |vm| {
        let (means_of_eight, lane) = vm.context.means_of_eight(list(source, within));
        ptr::from_ref(means_of_eight)
            .cast::<u32>()
            .wrapping_add(lane)
    })
}

pub(in super::super) extern "C" fn nearest(vm: &mut VmContext<'_>, source: i32, within: f32) -> u8 {
    charged(vm, 0, |vm| {
        let nearest = vm.context.nearest(list(source, within));
        leave_unit(vm, nearest)
    })
}

/// The `index`-th nearest; where there is none, the count is left.
pub(in super::super) extern "C" fn at(
    vm: &mut VmContext<'_>,
    source: i32,
    within: f32,
    index: i64,
) -> u8 {
    charged(vm, 0, |vm| {
        let list = list(source, within);
        let index = usize::try_from(index).ok();
        let seen = index.and_then(|index| vm.context.nth(list, index));
        if seen.is_none() {
            vm.count = vm.context.count(list) as i64;
        }
        leave_unit(vm, seen)
    })
}

/// The units of a list, nearest first; their number is left.
pub(in super::super) extern "C" fn ordered(
    vm: &mut VmContext<'_>,
    source: i32,
    within: f32,
) -> *const Neighbor {
    vm.count = 0;
    charged(vm, ptr::null(), |vm| {
        let seen = vm.context.ordered(list(source, within));
        let (start, count) = (seen.as_ptr(), seen.len());
        vm.count = count as i64;
        start
    })
}

pub(in super::super) extern "C" fn random(vm: &mut VmContext<'_>) -> f32 {
    guarded(vm, 0.0, |vm| vm.context.random())
}

pub(in super::super) extern "C" fn random_direction(vm: &mut VmContext<'_>) {
    guarded(vm, (), |vm| {
        let direction = crate::script::meaning::random_direction(vm.context);
        leave(vm, direction);
    });
}
