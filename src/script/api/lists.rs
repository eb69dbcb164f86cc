//! Lists of units.

use rhai::INT;

use super::function::{Host, Table};
use super::values::{Unit, Units};
use crate::perception::{List, NeighborMeans};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("list.len", "how many", count).looks();
    table.add("list.len()", "how many", count).looks();
    table.add("list.is_empty", "whether there are none", |host: &mut Host<'_>, list: Units| count(host, list) == 0).looks();
    table.add("list.is_empty()", "whether there are none", |host: &mut Host<'_>, list: Units| count(host, list) == 0).looks();
    table.add("list[i]", "the i-th nearest, from 0; past the end is an error", at);
    table.add("list[i]", "the same, as a number that a unit remembers", |host: &mut Host<'_>, list: Units, i: f32| at(host, list, i as INT));
    table.add("list.nearest", "the nearest, or `()`", |host: &mut Host<'_>, list: Units| host.context.nearest(list.0).map(Unit::from));
    table.add("list.mean_position", "mean of their apparent positions; **of an empty list the unit's own position**", |host: &mut Host<'_>, list: Units| means(host, list).position).looks();
    table.add("list.mean_velocity", "mean of their velocities; **of an empty list the unit's own velocity**", |host: &mut Host<'_>, list: Units| means(host, list).velocity).looks();
    table.add("list.within(r)", "those no farther than `r`; the distance itself counts", within);
}

fn means(host: &mut Host<'_>, list: Units) -> NeighborMeans {
    host.context.charge_look(list.0.source);
    host.context.means(list.0)
}

fn count(host: &mut Host<'_>, list: Units) -> INT {
    INT::from(means(host, list).count)
}

fn at(host: &mut Host<'_>, list: Units, i: INT) -> Result<Unit, String> {
    let index = usize::try_from(i).ok();
    let found = index.and_then(|index| host.context.nth(list.0, index));
    found
        .map(Unit::from)
        .ok_or_else(|| no_index(i, host.context.count(list.0)))
}

/// An index past the end of a list.
pub(super) fn no_index(i: INT, count: usize) -> String {
    format!("there is no [{i}] in a list of {count}")
}

/// Nothing is within a negative distance, nor within one that is not a number.
fn within(list: Units, r: f32) -> Units {
    let reach = list.0.within;
    let nearer = if r < reach { r } else { reach };
    let within = if r >= 0.0 { nearer } else { f32::NAN };
    Units(List { within, ..list.0 })
}
