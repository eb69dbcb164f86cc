//! Work that may panic, and work that is charged for.

use super::super::vm::VmContext;
use crate::diagnostics::caught;

/// Does work that may panic; `otherwise` is what compiled code then goes on with, to no effect.
#[allow(clippy::inline_always, reason = "a few nanoseconds on the way of every call")]
#[inline(always)]
pub(super) fn guarded<R>(
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
pub(super) fn charged<R>(
    vm: &mut VmContext<'_>,
    otherwise: R,
    work: impl FnOnce(&mut VmContext<'_>) -> R,
) -> R {
    let before = vm.context.work();
    let result = guarded(vm, otherwise, work);
    vm.fuel -= (vm.context.work() - before) as i64;
    result
}
