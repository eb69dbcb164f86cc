//! What compiled code asks of the host: functions with the platform's calling convention.
//!
//! None of them may unwind into compiled code, which has no tables for it. Those that reach into the
//! simulation catch what panics; the others cannot panic.

mod lists;
mod numbers;
mod routes;
mod words;

pub(super) use lists::*;
pub(super) use numbers::*;
pub(super) use routes::*;
pub(super) use words::*;

use glam::Vec3;

use super::vm::VmContext;
use crate::diagnostics::caught;

/// Does work that may panic; `otherwise` is what compiled code then goes on with, to no effect.
#[allow(
    clippy::inline_always,
    reason = "a few nanoseconds on the way of every call"
)]
#[inline(always)]
fn guarded<R>(
    vm: &mut VmContext<'_>,
    otherwise: R,
    work: impl FnOnce(&mut VmContext<'_>) -> R,
) -> R {
    caught(|| work(vm)).unwrap_or_else(|| {
        vm.has_panicked = true;
        otherwise
    })
}

/// The same for work that is charged for: what it takes is taken off what is left.
#[inline]
fn charged<R>(
    vm: &mut VmContext<'_>,
    otherwise: R,
    work: impl FnOnce(&mut VmContext<'_>) -> R,
) -> R {
    let before = vm.context.work();
    let result = guarded(vm, otherwise, work);
    vm.fuel -= (vm.context.work() - before) as i64;
    result
}

/// Leaves a vector for compiled code.
fn leave(vm: &mut VmContext<'_>, vector: Vec3) {
    vm.floats[..3].copy_from_slice(&vector.to_array());
}
