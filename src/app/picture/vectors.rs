//! Arrows: a unit's velocity, and what each of its behaviors adds.

use glam::Vec3;

use super::{Picture, behavior_color};
use crate::app::camera::Lens;
use crate::app::canvas::Canvas;
use crate::app::theme::world as palette;
use crate::scene::Color;
use crate::sim::Contribution;
use crate::world::{Body, World};

/// Pixels of the arrow of a contribution of full steering force.
const ARROW: f32 = 34.0;

impl<C: Lens> Picture<'_, C> {
    /// A unit's velocity, and what each behavior adds, times gain.
    pub(super) fn draw_vectors(&self, canvas: &mut Canvas, unit: usize, width: f32) {
        let world = self.simulation.world();
        let from = world.units.position[unit];
        let Some(spot) = self.camera.project(from) else {
            return;
        };
        let velocity = world.units.velocity[unit] * 0.35;
        let color = palette::NOTE.with_alpha(0.6);
        self.arrow(canvas, from, velocity, width, color);
        let force = ARROW / spot.scale;
        let body = &world.group_of(unit).body;
        let heading = world.units.heading[unit];
        let thrust = heading * (body.thrust() / body.steering_force().max(1e-6));
        self.arrow(canvas, from, thrust * force, width, palette::THRUST);
        let bow = from + heading * self.bow(unit);
        for (at, (slot, contribution)) in self.simulation.decisions(unit).enumerate() {
            let share = share_of_force(world, unit, contribution) * slot.gain;
            let arrow = share.clamp_length_max(3.0) * force;
            // A rudder acts at the bow, everything else at the center of mass.
            let point = match contribution {
                Contribution::Turn(_) => bow,
                _ => from,
            };
            self.arrow(canvas, point, arrow, width, behavior_color(at));
        }
    }

    /// How far ahead of its center a unit's rudder acts, as large as it is drawn.
    fn bow(&self, unit: usize) -> f32 {
        let world = self.simulation.world();
        let group = world.units.group[unit] as usize;
        match &world.groups[group].body {
            Body::Rigid(body) => {
                let scale = self.scene.groups.get(group).map_or(1.0, |plan| plan.look.scale);
                body.length * 0.5 * scale
            }
            Body::Mover(_) => 0.0,
        }
    }

    fn arrow(&self, canvas: &mut Canvas, from: Vec3, arrow: Vec3, width: f32, color: Color) {
        let Some((start, end)) = self.camera.segment(from, from + arrow) else {
            return;
        };
        let (start, end) = (start.pixel, end.pixel);
        let length = start.distance(end);
        if !(length > 2.0 && length < 1e4) {
            return;
        }
        let along = (end - start) / length;
        let head = (3.0 + 2.0 * width).min(length * 0.6);
        let (neck, across) = (end - along * head, along.perp() * (head * 0.5));
        canvas.stroke_line(start, end - along * head * 0.8, width, color);
        canvas.fill_triangle(end, neck + across, neck - across, color);
    }
}

/// A contribution in world axes as a share of the unit's steering force.
pub(super) fn share_of_force(world: &World, unit: usize, contribution: Contribution) -> Vec3 {
    match contribution {
        Contribution::None => Vec3::ZERO,
        Contribution::Turn(turn) => world.units.starboard(unit) * turn.x + world.units.up[unit] * turn.y,
        Contribution::Push(push) => push / world.group_of(unit).body.steering_force().max(1e-6),
    }
}
