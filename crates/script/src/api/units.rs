//! Properties and functions of all units.

use std::mem::offset_of;

use glam::Vec3;
use steerbox_core::sim::{Arrays, BodyNumbers};
use steerbox_core::world::Body;
use steerbox_core::world::lengths::length;

use super::attributes::Tag;
use super::function::Table;
use super::host::Host;
use super::intrinsic::{SpecialOp, UnitOp};
use super::values::{Group, Text, Unit};

/// Work of a search for a name among kinds or marks.
const NAME: i64 = 100;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("unit.position", "center of mass. For other units, the apparent position: across the edge of a seamless world if that is nearer", |unit: Unit| unit.position).tag(Tag::Planar).intrinsic(UnitOp::Position);
    table.add("unit.velocity", "a vector", |host: &Host<'_>, unit: Unit| host.units().velocity[unit.index]).tag(Tag::Planar).intrinsic(UnitOp::Vector(offset_of!(Arrays, velocity)));
    table.add("unit.speed", "the length of the velocity", |host: &Host<'_>, unit: Unit| length(host.units().velocity[unit.index])).intrinsic(UnitOp::Speed);
    table.add("unit.heading", "the direction that it faces, a unit vector", |host: &Host<'_>, unit: Unit| host.units().heading[unit.index]).intrinsic(UnitOp::Vector(offset_of!(Arrays, heading)));
    table.add("unit.starboard", "its axis to the right, a unit vector", |host: &Host<'_>, unit: Unit| host.units().starboard(unit.index)).intrinsic(UnitOp::Starboard);
    table.add("unit.up", "its axis upward, a unit vector", |host: &Host<'_>, unit: Unit| host.units().up[unit.index]).intrinsic(UnitOp::Vector(offset_of!(Arrays, up)));
    table.add("unit.angular_velocity", "a vector about the world's axes, radians per second; z is counter-clockwise", |host: &Host<'_>, unit: Unit| host.units().angular_velocity[unit.index]).intrinsic(UnitOp::Vector(offset_of!(Arrays, angular_velocity)));
    table.add("unit.length", "length of the body", |host: &Host<'_>, unit: Unit| body(host, unit).length()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, length)));
    table.add("unit.width", "width of the body", |host: &Host<'_>, unit: Unit| body(host, unit).width()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, width)));
    table.add("unit.radius", "half the length of the body", |host: &Host<'_>, unit: Unit| body(host, unit).radius()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, radius)));
    table.add("unit.mass", "mass; 1 for a mover", |host: &Host<'_>, unit: Unit| body(host, unit).mass()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, mass)));
    table.add("unit.max_speed", "the speed limit of a mover; for a rigid body, the speed at which drag equals thrust", |host: &Host<'_>, unit: Unit| body(host, unit).max_speed()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, max_speed)));
    table.add("unit.desired_speed", "the desired speed of a mover; for a rigid body, its `max_speed`", |host: &Host<'_>, unit: Unit| body(host, unit).desired_speed()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, desired_speed)));
    table.add("unit.steering_force", "the effect of a turn of 1: a force, or for a mover the largest velocity change", |host: &Host<'_>, unit: Unit| body(host, unit).steering_force()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, steering_force)));
    table.add("unit.thrust", "engine force; 0 for a mover", |host: &Host<'_>, unit: Unit| body(host, unit).thrust()).intrinsic(UnitOp::BodyNumber(offset_of!(BodyNumbers, thrust)));
    table.add("unit.id", "index of the unit in the world", |unit: Unit| unit.index as rhai::INT).intrinsic(SpecialOp::Id);
    table.add("unit.index", "index of the unit in its group, from 0", |host: &Host<'_>, unit: Unit| (unit.index - host.group(unit.index).units.start) as rhai::INT).intrinsic(SpecialOp::IndexInGroup);
    table.add("unit.group", "name of the group, a string", |host: &Host<'_>, unit: Unit| Group(host.units().group[unit.index] as usize)).intrinsic(SpecialOp::Group);

    table.add("unit.is(kind)", "true if the unit is of a kind; false for every unit if no scene names the kind", is).work(NAME).intrinsic(UnitOp::IsOfKind);
    table.add("unit.has_mark(name)", "true if a behavior marked the unit in the last step", has_mark).work(NAME).tag(Tag::NamesMark).intrinsic(UnitOp::HasMark);
    table.add("unit.signal(name)", "the number that its behaviors set last, before this step; 0 if none did", signal).work(NAME).tag(Tag::NamesSignal).intrinsic(SpecialOp::Signal);
    table.add("unit.distance_to(other)", "distance to the center of a unit, or to a point", |unit: Unit, other: Unit| length(unit.position - other.position)).work(5).tag(Tag::ListForUnit).intrinsic(UnitOp::Distance);
    table.add("unit.distance_to(point)", "distance to a point", |unit: Unit, point: Vec3| length(unit.position - point)).work(5).tag(Tag::BodyForPoint).intrinsic(UnitOp::Distance);
    table.add("unit.to_local(v)", "a world vector in the unit's axes: x to starboard, y forward, z up", to_local).tag(Tag::BodyForPoint).intrinsic(UnitOp::ToLocal);
    table.add("unit.to_world(v)", "a vector in the unit's axes as a world vector", to_world).tag(Tag::BodyForPoint).intrinsic(UnitOp::ToWorld);
    table.add("unit.side(point)", "side of a point: −1 to port, +1 to starboard, 0 dead ahead or astern", side).tag(Tag::BodyForPoint).intrinsic(UnitOp::Side);
    table.add("a == b", "True for the same unit.", |a: Unit, b: Unit| a.index == b.index);
    table.add("a != b", "True for different units.", |a: Unit, b: Unit| a.index != b.index);
}

fn body<'a>(host: &'a Host<'_>, unit: Unit) -> &'a Body {
    host.world().body_of(unit.index)
}

fn is(host: &Host<'_>, unit: Unit, kind: Text) -> bool {
    let bit = host.world().kinds.bit(host.text(kind));
    host.group(unit.index).kinds & bit.unwrap_or(0) != 0
}

fn has_mark(host: &Host<'_>, unit: Unit, name: Text) -> bool {
    let bit = host.world().marks.bit(host.text(name));
    host.units().marks[unit.index] & bit.unwrap_or(0) != 0
}

fn signal(host: &Host<'_>, unit: Unit, name: Text) -> f32 {
    let slot = host.world().signals.index(host.text(name));
    slot.map_or(0.0, |slot| host.context.signal(unit.index, slot))
}

fn to_local(host: &Host<'_>, unit: Unit, v: Vec3) -> Vec3 {
    let (units, at) = (host.units(), unit.index);
    Vec3::new(v.dot(units.starboard(at)), v.dot(units.heading[at]), v.dot(units.up[at]))
}

fn to_world(host: &Host<'_>, unit: Unit, v: Vec3) -> Vec3 {
    let (units, at) = (host.units(), unit.index);
    units.starboard(at) * v.x + units.heading[at] * v.y + units.up[at] * v.z
}

fn side(host: &Host<'_>, unit: Unit, point: Vec3) -> f32 {
    let across = (point - unit.position).dot(host.units().starboard(unit.index));
    super::numbers::sign(across)
}
