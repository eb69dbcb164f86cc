//! Lists of units.

use std::mem::offset_of;

use rhai::INT;

use super::attributes::{Effect, ListRole, Tag};
use super::function::Table;
use super::host::Host;
use super::intrinsic::Intrinsic;
use super::values::{Text, Unit, Units};
use crate::perception::{List, MAX_SELECTIONS, NeighborMeans, NeighborMeansX8};
use crate::world::World;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("list.len", "how many", count).list(ListRole::Scans).intrinsic(Intrinsic::Count);
    table.add("list.len()", "how many", count).list(ListRole::Scans).intrinsic(Intrinsic::Count);
    table.add("list.is_empty", "whether there are none", |host: &mut Host<'_>, list: Units| count(host, list) == 0).list(ListRole::Scans).intrinsic(Intrinsic::IsEmpty);
    table.add("list.is_empty()", "whether there are none", |host: &mut Host<'_>, list: Units| count(host, list) == 0).list(ListRole::Scans).intrinsic(Intrinsic::IsEmpty);
    table.add("list[i]", "the i-th nearest, from 0; past the end is an error", at).charges_once();
    table.add("list[i]", "the same, as a number that a unit remembers", |host: &mut Host<'_>, list: Units, i: f32| at(host, list, i as INT)).charges_once();
    table.add("list.nearest", "the nearest, or `()`", |host: &mut Host<'_>, list: Units| host.context.nearest(list.0).map(Unit::from)).charges_once().intrinsic(Intrinsic::Nearest);
    table.add("list.farthest", "the farthest, or `()`", |host: &mut Host<'_>, list: Units| host.context.farthest(list.0).map(Unit::from)).charges_once();
    table.add("list.mean_position", "mean of their apparent positions; **of an empty list the unit's own position**", |host: &mut Host<'_>, list: Units| means(host, list).position).list(ListRole::Scans).intrinsic(Intrinsic::Mean(offset_of!(NeighborMeansX8, position)));
    table.add("list.mean_velocity", "mean of their velocities; **of an empty list the unit's own velocity**", |host: &mut Host<'_>, list: Units| means(host, list).velocity).list(ListRole::Scans).intrinsic(Intrinsic::Mean(offset_of!(NeighborMeansX8, velocity)));
    table.add("list.mean_heading", "the direction of the mean of their headings, a unit vector; zero where they cancel out or there are none", |host: &mut Host<'_>, list: Units| host.context.mean_heading(list.0)).charges_once();
    table.add("list.within(r)", "those no farther than `r`; the distance itself counts", within).list(ListRole::Part).intrinsic(Intrinsic::Within);
    table.add("list.first(n)", "the `n` nearest: topological neighbors", first).effect(Effect::Select);
    table.add("list.marked(name)", "those that a behavior marked in the last step", marked).work(100).effect(Effect::Select).tag(Tag::NamesMark);
    table.add("list.of_kind(kind)", "those of a kind", of_kind).work(100).effect(Effect::Select);
}

fn means(host: &mut Host<'_>, list: Units) -> NeighborMeans {
    host.context.charge_scan(list.0.source);
    host.context.means(list.0)
}

fn count(host: &mut Host<'_>, list: Units) -> INT {
    INT::from(means(host, list).count)
}

fn at(host: &mut Host<'_>, list: Units, i: INT) -> Result<Unit, String> {
    let index = usize::try_from(i).ok();
    let found = index.and_then(|index| host.context.nth(list.0, index));
    found.map(Unit::from).ok_or_else(|| no_index(i, host.context.count(list.0)))
}

/// Formats the error of an index past the end of a list.
pub(super) fn no_index(i: INT, count: usize) -> String {
    format!("there is no [{i}] in a list of {count}")
}

fn first(host: &mut Host<'_>, list: Units, n: INT) -> Result<Units, String> {
    select(host, list, usize::try_from(n).unwrap_or(0), |_, _| true)
}

fn marked(host: &mut Host<'_>, list: Units, name: Text) -> Result<Units, String> {
    let bit = host.world().marks.bit(host.text(name)).unwrap_or(0);
    select(host, list, usize::MAX, move |world, unit| world.units.marks[unit] & bit != 0)
}

fn of_kind(host: &mut Host<'_>, list: Units, kind: Text) -> Result<Units, String> {
    let bit = host.world().kinds.bit(host.text(kind)).unwrap_or(0);
    select(host, list, usize::MAX, move |world, unit| world.group_of(unit).kinds & bit != 0)
}

fn select(
    host: &mut Host<'_>,
    list: Units,
    most: usize,
    kept: impl Fn(&World, usize) -> bool,
) -> Result<Units, String> {
    let selected = host.context.select(list.0, most, kept);
    selected.map(Units).ok_or_else(|| {
        format!("more than {MAX_SELECTIONS} lists were selected from others for this unit in this step")
    })
}

/// Returns the units within `r`; none if `r` is negative or NaN.
fn within(list: Units, r: f32) -> Units {
    let reach = list.0.within;
    let nearer = if r < reach { r } else { reach };
    let within = if r >= 0.0 { nearer } else { f32::NAN };
    Units(List { within, ..list.0 })
}
