//! Host functions for compiled code, with the platform's calling convention.
//!
//! None may unwind into compiled code, which has no unwind tables. Functions that access the simulation catch
//! panics; the others cannot panic.

mod lists;
mod numbers;

pub(super) use lists::*;
pub(super) use numbers::*;

use std::ptr;

use super::vm::VmContext;
use crate::api::obstacles;
use crate::api::values::Obstacles;

/// Returns the number of obstacles of a list. Stores in the context 0 if each is its own index, else 1.
pub(super) extern "C" fn obstacle_count(vm: &mut VmContext<'_>, within: f32) -> i64 {
    let context = &vm.call.host.context;
    let is_whole =
        within == f32::INFINITY && context.obstacles().visible_count() == context.world().obstacles.len();
    vm.count = i64::from(!is_whole);
    vm.call.charged(0, |call| obstacles::count(&mut call.host, Obstacles(within)))
}

/// Returns the indices of all obstacles that the unit perceives, and stores their number in the context.
pub(super) extern "C" fn all_obstacles(vm: &mut VmContext<'_>, _: f32) -> *const u32 {
    let (start, count) = vm.call.charged((ptr::null(), 0), |call| {
        let all = call.host.context.perceived_obstacles();
        (all.as_ptr(), all.len())
    });
    vm.count = count as i64;
    start
}

/// Returns the obstacle at an index below [`obstacle_count`]. Charges for the search again if the body of the loop
/// searched within another distance.
pub(super) extern "C" fn obstacle_at(vm: &mut VmContext<'_>, within: f32, index: i64) -> i64 {
    vm.call.charged(0, |call| {
        let obstacle = obstacles::nth(&mut call.host, Obstacles(within), index as usize);
        obstacle.map_or(0, |obstacle| obstacle.0 as i64)
    })
}
