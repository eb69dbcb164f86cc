//! Births and deaths.

use glam::Vec3;
use steerbox_core::sim::Start;

use super::attributes::{Effect, Need, Tag};
use super::function::Table;
use super::group;
use super::host::Host;
use super::values::{Me, Text};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("me.die()", "removes the unit after this step", |host: &mut Host<'_>, _: Me| host.context.die()).work(20).effect(Effect::Set).tag(Tag::NotAtBirth);
    table.add("me.spawn(group)", "a child is born after this step, at the position and with the velocity that the unit then has, in a group of the scene with `most`. Its memory is new, and its signals are those of the unit", spawn).work(5000).effect(Effect::Set).needs(Need::BirthGroup).tag(Tag::NotAtBirth);
    table.add("me.spawn(group, position, velocity)", "the same, at a position and with a velocity; the child heads along its velocity", spawn_at).work(5000).effect(Effect::Set).needs(Need::BirthGroup).tag(Tag::NotAtBirth);
}

fn spawn(host: &mut Host<'_>, _: Me, name: Text) -> Result<(), String> {
    let group = group::find(host, name)?;
    host.context.spawn(group, None)
}

fn spawn_at(host: &mut Host<'_>, _: Me, name: Text, position: Vec3, velocity: Vec3) -> Result<(), String> {
    let group = group::find(host, name)?;
    host.context.spawn(group, Some(Start { position, velocity }))
}
