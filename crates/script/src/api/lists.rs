//! Lists of units.

use std::mem::offset_of;

use rhai::INT;
use steerbox_core::perception::{List, MAX_SELECTIONS, NeighborMeans, NeighborMeansX8};
use steerbox_core::world::World;

use super::attributes::{Effect, ListRole, Tag};
use super::function::Table;
use super::host::Host;
use super::intrinsic::{ListOp, SpecialOp};
use super::values::{Text, Unit, Units};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("list.len", "the number of units", count).list(ListRole::Scans).intrinsic(ListOp::Count);
    table.add("list.len()", "the number of units", count).list(ListRole::Scans).intrinsic(ListOp::Count);
    table.add("list.is_empty", "true if empty", |host: &mut Host<'_>, list: Units| count(host, list) == 0).list(ListRole::Scans).intrinsic(ListOp::IsEmpty);
    table.add("list.is_empty()", "true if empty", |host: &mut Host<'_>, list: Units| count(host, list) == 0).list(ListRole::Scans).intrinsic(ListOp::IsEmpty);
    table.add("list[i]", "the i-th nearest unit, from 0; an index past the end is an error", at).charges_once().intrinsic(SpecialOp::Nth);
    table.add("list[i]", "the i-th nearest unit, by an index stored as a number in memory", |host: &mut Host<'_>, list: Units, i: f32| at(host, list, i as INT)).charges_once().intrinsic(SpecialOp::Nth);
    table.add("list.nearest", "the nearest unit, or `()`", |host: &mut Host<'_>, list: Units| host.context.nearest(list.0).map(Unit::from)).charges_once().intrinsic(SpecialOp::Nearest);
    table.add("list.farthest", "the farthest unit, or `()`", |host: &mut Host<'_>, list: Units| host.context.farthest(list.0).map(Unit::from)).charges_once();
    table.add("list.mean_position", "mean of the apparent positions; **for an empty list, the unit's own position**", |host: &mut Host<'_>, list: Units| means(host, list).position).list(ListRole::Scans).intrinsic(ListOp::Mean(offset_of!(NeighborMeansX8, position)));
    table.add("list.mean_velocity", "mean of the velocities; **for an empty list, the unit's own velocity**", |host: &mut Host<'_>, list: Units| means(host, list).velocity).list(ListRole::Scans).intrinsic(ListOp::Mean(offset_of!(NeighborMeansX8, velocity)));
    table.add("list.mean_heading", "direction of the mean heading, a unit vector; zero if the headings cancel out or the list is empty", |host: &mut Host<'_>, list: Units| host.context.mean_heading(list.0)).charges_once();
    table.add("list.within(r)", "the units at a distance of at most `r`", within).list(ListRole::Part).intrinsic(ListOp::Within);
    table.add("list.first(n)", "the `n` nearest units of the list; the view bounds it", first).effect(Effect::Select);
    table.add("list.marked(name)", "the units that a behavior marked in the last step", marked).work(100).effect(Effect::Select).tag(Tag::NamesMark);
    table.add("list.of_kind(kind)", "the units of a kind", of_kind).work(100).effect(Effect::Select);
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
