//! `world`: time, extent, target, player, obstacles, paths, fields, zones and grids.

use std::mem::offset_of;

use glam::Vec3;
use steerbox_core::sim::Arrays;
use steerbox_core::world::{NamedFlow, SearchCost};

use super::attributes::{Need, Tag};
use super::function::Table;
use super::host::Host;
use super::intrinsic::{ListOp, SpecialOp};
use super::values::{Field, Members, Obstacle, Obstacles, Path, Text, Unit, World};
use super::{grids, names, work};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("world.time", "simulated seconds since the start, as a number of 32 bits", |host: &Host<'_>, _: World| host.world().time()).intrinsic(ListOp::WorldNumber(offset_of!(Arrays, time)));
    table.add("world.step", "**seconds per step**, fixed: multiply rates by it", |host: &Host<'_>, _: World| host.world().step).intrinsic(ListOp::WorldNumber(offset_of!(Arrays, step)));
    table.add("world.steps", "whole steps since the start, an integer", |host: &Host<'_>, _: World| host.world().steps as rhai::INT).intrinsic(SpecialOp::Steps);
    table.add("world.every(period)", "true once in each `period` of seconds: in the first step, and in each step that reaches or passes a multiple of it. In every step if the period is shorter than a step", |host: &Host<'_>, _: World, period: f32| host.world().is_due_every(period)).work(4);
    table.add("world.target", "the point set with a right click, or with Shift+click beside units; `()` without one", target).needs(Need::Target);
    table.add("world.player", "the player's unit, or `()`", player).needs(Need::Player);
    table.add("world.center", "center of the world", |host: &Host<'_>, _: World| host.world().arena.center()).intrinsic(ListOp::WorldVector(offset_of!(Arrays, center)));
    table.add("world.size", "extent of the world along each axis, a vector; z is 0 in a plane", |host: &Host<'_>, _: World| host.world().arena.size()).intrinsic(ListOp::WorldVector(offset_of!(Arrays, size)));
    table.add("world.radius", "radius of the ball; in a plane, half the shorter side", |host: &Host<'_>, _: World| host.world().arena.radius()).intrinsic(ListOp::WorldNumber(offset_of!(Arrays, radius)));
    table.add("world.obstacles", "all obstacles", |_: World| Obstacles(f32::INFINITY)).tag(Tag::AllObstacles).intrinsic(ListOp::AllObstacles);
    table.add("world.visible(a, b)", "true if nothing solid is between two points, nor at the first; in a seamless world on the shortest way", visible).tag(Tag::AllObstacles);
    table.add("world.path(name)", "a path of the scene; an unknown name is an error", path).needs(Need::NamedPath);
    table.add("world.field(name)", "a flow field of the scene; an unknown name is an error", field).needs(Need::NamedField);
    table.add("world.zone(name)", "a zone of the scene, with the members of an obstacle: the distance to its surface is negative inside; an unknown name is an error", zone).needs(Need::NamedZone);
    table.add("world.distance_to_goal(field, point)", "the length of the shortest path from a point to the goal of a flow field made by `Toward`; infinite without a path. Another field is an error", distance_to_goal).work(10);
    table.add("world.group(name)", "a group of the scene, the unit itself included; an unknown name is an error", group).needs(Need::NamedGroup);
    table.add("world.grid(name)", "an environment grid of the scene; an unknown name is an error", |host: &mut Host<'_>, _: World, name: Text| grids::find(host, name)).needs(Need::NamedGrid);
}

fn target(host: &Host<'_>, _: World) -> Option<Vec3> {
    host.world().target.map(|target| host.context.apparent(target))
}

fn player(host: &Host<'_>, _: World) -> Option<Unit> {
    let index = host.world().player?;
    let position = host.context.apparent(host.units().position[index]);
    Some(Unit { index, position })
}

fn visible(host: &mut Host<'_>, _: World, a: Vec3, b: Vec3) -> bool {
    let mut cost = SearchCost::default();
    let is_free = host.context.obstacles().is_free(a, b, &mut cost);
    work::search_along(host.context, cost);
    is_free
}

fn path(host: &mut Host<'_>, _: World, name: Text) -> Result<Path, String> {
    work::look_up(host.context, |world| world.paths.len());
    let names = host.world().paths.iter().map(|path| path.name.as_str());
    names::find("path", host.text(name), names).map(Path)
}

fn field(host: &mut Host<'_>, _: World, name: Text) -> Result<Field, String> {
    work::look_up(host.context, |world| world.flows.len());
    let names = host.world().flows.iter().map(|flow| flow.name.as_str());
    names::find("flow field", host.text(name), names).map(Field)
}

fn zone(host: &mut Host<'_>, _: World, name: Text) -> Result<Obstacle, String> {
    work::look_up(host.context, |world| world.zones.len());
    let (first, names) =
        (host.world().obstacles.len(), host.world().zones.iter().map(|zone| zone.name.as_str()));
    names::find("zone", host.text(name), names).map(|zone| Obstacle(first + zone))
}

fn group(host: &mut Host<'_>, _: World, name: Text) -> Result<Members, String> {
    let index = super::group::find(host, name)?;
    Ok(Members { index, origin: host.me().position })
}

fn distance_to_goal(host: &Host<'_>, _: World, field: Field, point: Vec3) -> Result<f32, String> {
    let NamedFlow { name, flow } = &host.world().flows[field.0];
    let no_goal =
        || format!("the flow field \"{name}\" has no goal: `Toward` in the scene makes one with a goal");
    flow.distance_at(point).ok_or_else(no_goal)
}
