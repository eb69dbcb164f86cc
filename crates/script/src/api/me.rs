//! Properties and functions of the deciding unit only.

use std::mem::offset_of;

use glam::{Vec2, Vec3};
use rhai::Dynamic;
use steerbox_core::perception::{List, Source};
use steerbox_core::sim::{GroupConstants, Shape, WatchValue};
use steerbox_core::world::{Body, Controls, Extrema, lengths, random};

use super::attributes::{Effect, ListRole, Need, Tag};
use super::function::{Function, Table};
use super::host::Host;
use super::intrinsic::{ListOp, SpecialOp, UnitOp};
use super::numbers::greatest;
use super::values::{Any, Field, Me, Path, Text, Unit, Units};
use super::{grids, names, work};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("me.path", "the path of the group in the scene, or `()`", |host: &Host<'_>, _: Me| host.group(host.context.unit()).path.map(Path)).needs(Need::Path).intrinsic(UnitOp::Route(offset_of!(GroupConstants, path)));
    table.add("me.field", "the flow field of the group in the scene, or `()`", |host: &Host<'_>, _: Me| host.group(host.context.unit()).flow.map(Field)).needs(Need::Field).intrinsic(UnitOp::Route(offset_of!(GroupConstants, field)));
    table.add("me.age", "simulated seconds since the unit was spawned", |host: &Host<'_>, _: Me| host.world().age(host.context.unit()));
    source(table, "me.neighbors", "units of the group or of friend kinds, in the group's view; empty without a view", Source::Neighbors).needs(Need::View).intrinsic(ListOp::Source);
    source(table, "me.others", "every unit except the player, in the group's view; empty without a view", Source::Others).needs(Need::View).intrinsic(ListOp::Source);
    source(table, "me.enemies", "units of an enemy kind, nearer than the group's `sense`, in every direction", Source::Enemies).needs(Need::Enemies).intrinsic(ListOp::Source);
    source(table, "me.touching", "units touched in the last step, if contacts are enabled for the body", Source::Touching).work(16).needs(Need::Contacts);
    table.add("me.is_steered", "true if the unit is the player and keys steer it in this step", |host: &Host<'_>, _: Me| host.world().player == Some(host.context.unit()) && host.world().controls != Controls::default());
    table.add("me.has_view", "true if the group has a view", |host: &Host<'_>, _: Me| host.group(host.context.unit()).view.is_some()).needs(Need::View).intrinsic(UnitOp::HasView);
    table.add("me.see(view)", "every unit except the player, in a view of the scene; an unknown name is an error", see).list(ListRole::Source(Source::View(0))).needs(Need::NamedView);
    table.add("me.steer_toward(velocity)", "the push that turns the unit's velocity into another: `(velocity - me.velocity).limit(me.steering_force)`", steer_toward).work(10).intrinsic(UnitOp::SteerToward);
    table.add("me.face(direction)", "turns a mover at rest: it heads in this direction after the step, without roll. A unit that moves heads along its velocity, and a rigid body turns by steering: both ignore it, as well as a direction of zero length", |host: &mut Host<'_>, _: Me, direction: Vec3| host.context.face(direction)).work(20).effect(Effect::Set).tag(Tag::NotAtBirth);
    table.add("me.arrive_at(point, radius)", "the push that brings the unit to rest at a point: the desired speed is `max_speed`, and decreases linearly within `radius` of the point (Reynolds 1999, *arrival*). It is at most the speed from which `steering_force` can still stop the unit there, for every step", |host: &Host<'_>, me: Me, point: Vec3, radius: f32| arrive_at(host, me, point, radius, Vec3::ZERO)).work(20);
    table.add("me.arrive_at(point, radius, velocity)", "the same for a point that moves with this velocity", arrive_at).work(20);
    table.add("me.random()", "a random number from 0 to 1, 1 excluded", |host: &mut Host<'_>, _: Me| host.context.random()).work(10).effect(Effect::Random).intrinsic(UnitOp::Random);
    table.add("me.random_between(a, b)", "a random number from `a` to `b`, `b` excluded", |host: &mut Host<'_>, _: Me, a: f32, b: f32| a + (b - a) * host.context.random()).work(10).effect(Effect::Random).intrinsic(UnitOp::RandomBetween);
    table.add("me.random_normal(mean, deviation)", "a random number of the normal distribution with this mean and standard deviation, within 5.42 deviations", |host: &mut Host<'_>, _: Me, mean: f32, deviation: f32| mean + deviation * random::normal(host.context.random())).work(25).effect(Effect::Random).intrinsic(UnitOp::RandomNormal);
    table.add("me.random_walk(rate)", "the increment of a random walk in this step, a normal number with the standard deviation `rate * sqrt(world.step)`: the sum over t seconds has the deviation `rate * sqrt(t)`, for every step", |host: &mut Host<'_>, _: Me, rate: f32| rate * host.world().step.sqrt() * random::normal(host.context.random())).work(25).effect(Effect::Random).tag(Tag::ScaledByStep).intrinsic(UnitOp::RandomWalk);
    table.add("me.random_direction()", "a random unit vector, in the plane or in space", random_direction).work(40).effect(Effect::Random);
    table.add("me.mark(name)", "marks the unit: changes its look, and is readable by all units in the next step. The name must be a literal text", mark).work(100).effect(Effect::Set).tag(Tag::NamesMark).intrinsic(SpecialOp::SetMark);
    table.add("me.signal(name, value)", "sets a number that all units can read from the next step on, until it is set again. The name must be a literal text; a scene has at most 16", set_signal).work(100).effect(Effect::Set).tag(Tag::NamesSignal);
    table.add("me.deposit(grid, amount)", "adds an amount to the cell of an environment grid in which the unit is, visible from the next step on; a negative one removes. Outside of the grid it has no effect; an unknown name is an error", grids::deposit).work(20).effect(Effect::Set).needs(Need::NamedGrid);
    table.add("me.take(grid, amount)", "takes an amount, at most, from the cell of an environment grid in which the unit is, and returns what it received: what units before it in unit order left in this step, never more than was there. 0 outside of the grid; an unknown name or a negative amount is an error", grids::take).work(20).effect(Effect::Set).needs(Need::NamedGrid).tag(Tag::Ordered);
    table.add("me.claim(unit)", "true for one unit in a step, the first one in unit order that claims this one: of several that would use it, only one does", |host: &mut Host<'_>, _: Me, other: Unit| host.context.claim(other.index)).work(20).effect(Effect::Set).tag(Tag::Ordered);
    table.add("me.watch(name, value)", "shows a number or vector in the window and in `--metrics`", |host: &mut Host<'_>, _: Me, name: Text, value: f32| watch(host, name, WatchValue::Number(value))).work(20).effect(Effect::Show).tag(Tag::NamesWatched);
    table.add("me.watch(name, value)", "shows a vector in the window and in `--metrics`", |host: &mut Host<'_>, _: Me, name: Text, value: Vec3| watch(host, name, WatchValue::Vector(value))).work(20).effect(Effect::Show).tag(Tag::NamesWatched);
    table.add("me.draw_line(a, b)", "draws a line in the window, if vectors are shown or the unit is selected", |host: &mut Host<'_>, _: Me, a: Vec3, b: Vec3| host.context.draw(|| Shape::Line(a, b))).work(20).effect(Effect::Show).tag(Tag::BodyForPoint);
    table.add("me.draw_circle(center, radius)", "draws a circle", |host: &mut Host<'_>, _: Me, center: Vec3, radius: f32| host.context.draw(|| Shape::Circle(center, radius))).work(20).effect(Effect::Show).tag(Tag::BodyForPoint);
    table.add("me.draw_text(point, text)", "draws a text, or a number", draw_text).work(300).effect(Effect::Show).tag(Tag::BodyForPoint);
}

/// Adds a row that returns all units of a source.
fn source<'a>(
    table: &'a mut Table,
    signature: &'static str,
    about: &'static str,
    source: Source,
) -> &'a mut Function {
    table.add(signature, about, move |_: Me| all(source)).list(ListRole::Source(source))
}

fn steer_toward(host: &Host<'_>, _: Me, velocity: Vec3) -> Vec3 {
    let me = host.context.unit();
    let change = velocity - host.units().velocity[me];
    lengths::shortened(change, greatest(host.group(me).body.steering_force(), 0.0))
}

/// The desired speed is `max_speed * distance / radius`, at most `max_speed`: C. Reynolds, "Steering
/// Behaviors For Autonomous Characters", GDC 1999. It is limited to [`stopping_speed`].
fn arrive_at(host: &Host<'_>, _: Me, point: Vec3, radius: f32, velocity: Vec3) -> Vec3 {
    let (unit, step) = (host.context.unit(), host.world().step);
    let (position, body) = (host.me().position, host.world().body_of(unit));
    let offset = point - position;
    // Within the rounding error of coordinates, a unit would turn around in every step.
    let rounding = f32::EPSILON * (position.abs() + point.abs()).element_sum();
    let distance = if offset.length() > rounding { offset.length() } else { 0.0 };
    let slower = if radius > 0.0 { (distance / radius).lesser(1.0) } else { 1.0 };
    // The push that changes the velocity by 1 in a step.
    let push = match body {
        Body::Mover(_) => 1.0,
        Body::Rigid(body) => body.mass / step,
    };
    let most = greatest(body.steering_force() / push, 0.0);
    let speed = (body.max_speed() * slower).lesser(stopping_speed(distance / step, most));
    let change =
        velocity + lengths::direction(offset).unwrap_or_default() * speed - host.units().velocity[unit];
    lengths::shortened(change, most) * push
}

/// Returns the greatest speed from which a unit that brakes by `change` in each step rests after `distance` times the step.
///
/// At first it moves by the speed v itself, then by v − change, and so on: in all by v (v + change) / (2 change). If the
/// speed is at most `change`, it moves by v and stops.
fn stopping_speed(distance: f32, change: f32) -> f32 {
    if distance <= change {
        return distance;
    }
    ((change * change + 8.0 * change * distance).sqrt() - change) * 0.5
}

const fn all(source: Source) -> Units {
    Units(List { source, within: f32::INFINITY })
}

fn see(host: &mut Host<'_>, _: Me, view: Text) -> Result<Units, String> {
    work::look_up(host.context, |world| world.views.len());
    let names = host.world().views.iter().map(|view| view.name.as_str());
    let view = names::find("view", host.text(view), names)?;
    Ok(all(Source::View(view)))
}

/// Uniform on the circle, or on the sphere by Archimedes' cylindrical projection.
fn random_direction(host: &mut Host<'_>, _: Me) -> Vec3 {
    let angle = host.context.random() * std::f32::consts::TAU;
    let round = Vec2::new(libm::cosf(angle), libm::sinf(angle));
    if host.world().arena.is_plane() {
        return round.extend(0.0);
    }
    let z = 2.0 * host.context.random() - 1.0;
    (round * (1.0 - z * z).greater(0.0).sqrt()).extend(z)
}

/// Fails if the mark is missing in the script's text.
fn mark(host: &mut Host<'_>, _: Me, name: Text) -> Result<(), String> {
    let name = host.text(name);
    let Some(bit) = host.world().marks.bit(name) else {
        return Err(format!("write the mark \"{name}\" out where it is set: mark(\"{name}\")"));
    };
    host.context.mark(bit);
    Ok(())
}

/// Fails if the signal is missing in the script's text, or the value is NaN.
fn set_signal(host: &mut Host<'_>, _: Me, name: Text, value: f32) -> Result<(), String> {
    let name = host.text(name);
    let Some(slot) = host.world().signals.index(name) else {
        return Err(format!("write the signal \"{name}\" out where it is set: signal(\"{name}\", value)"));
    };
    if !value.is_finite() {
        return Err(format!("the signal \"{name}\" cannot be {value}: it has to be finite"));
    }
    host.context.set_signal(slot, value);
    Ok(())
}

fn watch(host: &mut Host<'_>, name: Text, value: WatchValue) {
    if host.context.is_watching() {
        let name = host.text(name).to_owned();
        host.context.watch(&name, || value);
    }
}

fn draw_text(host: &mut Host<'_>, _: Me, point: Vec3, text: Any) {
    if !host.context.is_recording() {
        return;
    }
    let text = match text {
        Any::Text(text) => host.text(text).to_owned(),
        Any::Number(value) => Dynamic::from_float(value).to_string(),
        Any::Integer(value) => value.to_string(),
        Any::Bool(value) => value.to_string(),
        Any::Vector(value) => value.to_string(),
    };
    host.context.draw(|| Shape::Text(point, text));
}
