//! Arrows: a unit's velocity, the contribution of each of its behaviors, and their sum.

use glam::{Vec2, Vec3};
use steerbox_core::sim::{Contribution, Simulation};
use steerbox_core::world::{Body, World};
use steerbox_scene::Color;

use super::Picture;
use crate::render::camera::Lens;
use crate::render::canvas::Canvas;

/// Length of the arrow of a contribution of full steering force, and the greatest length, points.
const ARROW: f32 = 40.0;
const MAX_LENGTH: f32 = 120.0;
/// Length of the shortest arrow, and gap between a ring and the arrows around it, points.
const SHORTEST: f32 = 2.0;
const GAP: f32 = 3.0;
/// Seconds of motion that the arrow of a velocity represents.
const AHEAD: f32 = 0.35;

/// The style of an arrow.
#[derive(Clone, Copy)]
struct Pen {
    /// Points.
    width: f32,
    color: Color,
    /// Pixels from its point of application to its tail.
    clear: f32,
    /// True if it has a dark rim.
    outlined: bool,
}

impl<C: Lens> Picture<'_, C> {
    /// A unit's velocity, and the sum of all its forces.
    pub(super) fn draw_motion(&self, canvas: &mut Canvas, unit: usize) {
        let pen = |color| Pen { width: 1.0, color, clear: 0.0, outlined: false };
        let world = self.simulation.world();
        let from = self.position(unit);
        let Some(spot) = self.camera.project(from) else {
            return;
        };
        let velocity = world.units.velocity[unit] * AHEAD;
        self.arrow(canvas, from, velocity, pen(self.palette().note.with_alpha(0.5)));
        let sum: Vec3 = shares_of_force(self.simulation, unit).sum();
        let force = self.px(ARROW) / spot.scale;
        self.arrow(canvas, from, sum.clamp_length_max(1.0) * force, pen(self.palette().resultant));
    }

    /// The inspected unit's velocity and thrust, the contribution of each behavior, times gain, and their sum: around
    /// its ring.
    pub(super) fn draw_forces(&self, canvas: &mut Canvas, unit: usize) {
        let world = self.simulation.world();
        let from = self.position(unit);
        let Some(spot) = self.camera.project(from) else {
            return;
        };
        let (body, heading) = (world.body_of(unit), self.heading(unit));
        let clear = self.ring(unit, spot.scale) + self.px(GAP);
        let pen = |width, color| Pen { width, color, clear, outlined: true };
        let velocity = world.units.velocity[unit] * AHEAD;
        self.arrow(
            canvas,
            from,
            velocity,
            Pen { outlined: false, ..pen(1.4, self.palette().note.with_alpha(0.6)) },
        );
        let force = self.px(ARROW) / spot.scale;
        let most = MAX_LENGTH / ARROW;
        let thrust = heading * (body.thrust() / body.steering_force().max(1e-6));
        self.arrow(canvas, from, thrust.clamp_length_max(most) * force, pen(2.2, self.palette().thrust));
        let bow = from + heading * self.bow(unit);
        let mut sum = Vec3::ZERO;
        for (at, (slot, contribution)) in self.simulation.decisions(unit).enumerate() {
            let share = share_of_force(world, unit, contribution) * slot.gain;
            let arrow = share.clamp_length_max(most) * force;
            sum += share;
            // A rudder acts at the bow, everything else at the center of mass.
            let (point, clear) = match contribution {
                Contribution::Turn(_) => (bow, 0.0),
                _ => (from, clear),
            };
            self.arrow(canvas, point, arrow, Pen { clear, ..pen(2.2, self.colors.rule(at)) });
        }
        self.arrow(canvas, from, sum.clamp_length_max(most) * force, pen(3.0, self.palette().resultant));
    }

    /// Radius in pixels of the ring around a unit, at `scale` pixels per world unit.
    pub(super) fn ring(&self, unit: usize, scale: f32) -> f32 {
        (self.simulation.world().body_of(unit).radius() * scale * 1.5).max(self.px(10.0))
    }

    /// Distance from a unit's center to its rudder at the drawn size.
    fn bow(&self, unit: usize) -> f32 {
        let world = self.simulation.world();
        let group = world.units.group[unit] as usize;
        match world.body_of(unit) {
            Body::Rigid(body) => {
                let scale = self.scene.groups.get(group).map_or(1.0, |plan| plan.look.scale);
                body.length * 0.5 * scale
            }
            Body::Mover(_) => 0.0,
        }
    }

    fn arrow(&self, canvas: &mut Canvas, from: Vec3, arrow: Vec3, pen: Pen) {
        let Some((start, end)) = self.camera.segment(from, from + arrow) else {
            return;
        };
        let (start, end) = (start.pixel, end.pixel);
        let length = start.distance(end);
        if !(length > self.px(SHORTEST) && length < 1e4) {
            return;
        }
        let along = (end - start) / length;
        let (start, end) = (start + along * pen.clear, end + along * pen.clear);
        if pen.outlined {
            let rim = Pen { width: pen.width + 2.4, color: self.palette().rim, ..pen };
            let along = along * self.scale;
            draw_arrow(canvas, start - along, end + along * 1.8, rim, self.scale);
        }
        draw_arrow(canvas, start, end, pen, self.scale);
    }
}

/// A line with an arrow head, between two pixels, at `scale` pixels per point.
fn draw_arrow(canvas: &mut Canvas, start: Vec2, end: Vec2, pen: Pen, scale: f32) {
    let length = start.distance(end);
    let along = (end - start) / length;
    let head = ((3.0 + 2.0 * pen.width) * scale).min(length * 0.6);
    let (neck, across) = (end - along * head, along.perp() * (head * 0.5));
    canvas.stroke_line(start, end - along * head * 0.8, pen.width * scale, pen.color);
    canvas.fill_triangle(end, neck + across, neck - across, pen.color);
}

/// The contribution of each behavior of a unit times its gain, in world axes, relative to its steering force.
pub(crate) fn shares_of_force(simulation: &Simulation, unit: usize) -> impl Iterator<Item = Vec3> {
    let decisions = simulation.decisions(unit);
    decisions
        .map(move |(slot, contribution)| share_of_force(simulation.world(), unit, contribution) * slot.gain)
}

/// A contribution in world axes as a share of the unit's steering force.
fn share_of_force(world: &World, unit: usize, contribution: Contribution) -> Vec3 {
    match contribution {
        Contribution::None => Vec3::ZERO,
        Contribution::Turn(turn) => world.units.starboard(unit) * turn.x + world.units.up[unit] * turn.y,
        Contribution::Push(push) => push / world.group_of(unit).body.steering_force().max(1e-6),
    }
}
