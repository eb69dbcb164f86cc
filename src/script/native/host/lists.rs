//! Lists of units.

use std::ptr;

use super::super::context::Context;
use super::{charged, guarded, leave};
use crate::perception::{Crowds, List, Seen, Source};

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
fn leave_unit(context: &mut Context<'_>, seen: Option<Seen>) -> u8 {
    let Some(seen) = seen else {
        return 0;
    };
    context.count = seen.unit as i64;
    leave(context, seen.position);
    1
}

/// Where the count of a list's crowd is kept; its means stand where [`Crowds`] says, from there on.
pub(in super::super) extern "C" fn crowd(
    context: &mut Context<'_>,
    source: i32,
    within: f32,
) -> *const u32 {
    static NOBODY: Crowds = Crowds::NOBODY;
    guarded(context, NOBODY.count.as_ptr(), |context| {
        let (crowds, lane) = context.senses.crowds(list(source, within));
        ptr::from_ref(crowds).cast::<u32>().wrapping_add(lane)
    })
}

pub(in super::super) extern "C" fn nearest(
    context: &mut Context<'_>,
    source: i32,
    within: f32,
) -> u8 {
    charged(context, 0, |context| {
        let nearest = context.senses.nearest(list(source, within));
        leave_unit(context, nearest)
    })
}

/// The `index`-th nearest; where there is none, the count is left.
pub(in super::super) extern "C" fn at(
    context: &mut Context<'_>,
    source: i32,
    within: f32,
    index: i64,
) -> u8 {
    charged(context, 0, |context| {
        let list = list(source, within);
        let index = usize::try_from(index).ok();
        let seen = index.and_then(|index| context.senses.nth(list, index));
        if seen.is_none() {
            context.count = context.senses.count(list) as i64;
        }
        leave_unit(context, seen)
    })
}

/// The units of a list, nearest first; their number is left.
pub(in super::super) extern "C" fn ordered(
    context: &mut Context<'_>,
    source: i32,
    within: f32,
) -> *const Seen {
    context.count = 0;
    charged(context, ptr::null(), |context| {
        let seen = context.senses.ordered(list(source, within));
        let (start, count) = (seen.as_ptr(), seen.len());
        context.count = count as i64;
        start
    })
}

pub(in super::super) extern "C" fn random(context: &mut Context<'_>) -> f32 {
    guarded(context, 0.0, |context| context.senses.random())
}

pub(in super::super) extern "C" fn random_direction(context: &mut Context<'_>) {
    guarded(context, (), |context| {
        let direction = crate::script::meaning::random_direction(context.senses);
        leave(context, direction);
    });
}
