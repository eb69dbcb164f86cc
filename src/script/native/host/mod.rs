//! What compiled code asks of the host: functions with the platform's calling convention.
//!
//! None of them may unwind into compiled code, which has no tables for it. Those that reach into the
//! simulation catch what panics; the others cannot panic.

mod guard;
mod lists;
mod numbers;

pub(super) use lists::*;
pub(super) use numbers::*;

use super::vm::VmContext;
use crate::script::api::values::{Obstacles, Slots, Text};
use crate::script::api::{Function, Host, obstacles};
use guard::{charged, guarded};

/// Calls a row of the API. Arguments are in the slots, and so is then the result; the answer is 1 if it
/// failed.
pub(super) extern "C" fn call(vm: &mut VmContext<'_>, row: &Function) -> u8 {
    let failed = charged(vm, None, |vm| {
        let (context, texts) = (&mut *vm.context, vm.texts);
        Some(row.run(&mut Host { context, texts }, &mut vm.slots))
    });
    match failed {
        Some(Ok(())) => 0,
        Some(Err(words)) => {
            vm.words = Some(words);
            1
        }
        None => {
            // Whatever goes on with it finds nothing, or the first of all.
            vm.slots = Slots::default();
            1
        }
    }
}

/// Whether two texts are the same.
pub(super) extern "C" fn same_text(vm: &mut VmContext<'_>, a: u64, b: u64) -> u8 {
    guarded(vm, 0, |vm| {
        let (context, texts) = (&mut *vm.context, vm.texts);
        let host = Host { context, texts };
        u8::from(host.text(Text::of(a)) == host.text(Text::of(b)))
    })
}

/// How many obstacles a list holds.
pub(super) extern "C" fn obstacle_count(vm: &mut VmContext<'_>, within: f32) -> i64 {
    on_host(vm, |host| obstacles::count(host, Obstacles(within)))
}

/// The obstacle at an index that is below their number.
pub(super) extern "C" fn obstacle_at(vm: &mut VmContext<'_>, within: f32, index: i64) -> i64 {
    on_host(vm, |host| {
        let obstacle = obstacles::nth(host, Obstacles(within), index as usize);
        obstacle.map_or(0, |obstacle| obstacle.0 as i64)
    })
}

fn on_host(vm: &mut VmContext<'_>, work: impl FnOnce(&mut Host<'_>) -> i64) -> i64 {
    charged(vm, 0, |vm| {
        let (context, texts) = (&mut *vm.context, vm.texts);
        work(&mut Host { context, texts })
    })
}
