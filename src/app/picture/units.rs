//! What moves: units with their trails, marks and vectors.

use glam::{Vec2, Vec3};

use super::shapes::{self, Pose};
use super::{Picture, behavior_color};
use crate::app::canvas::Canvas;
use crate::app::theme::world as palette;
use crate::app::trails::Trails;
use crate::scene::{Color, Look};
use crate::sim::Contribution;
use crate::world::{Domain, World};

/// Pixels a unit is long at the least, as far out as the camera may be.
const LEAST_LENGTH: f32 = 3.0;
/// Share of its length that a unit shows at the least, from whichever side it is seen.
const LEAST_HEADING: f32 = 0.4;
/// Pixels of the arrow of a contribution of full steering force.
const ARROW: f32 = 34.0;

impl Picture<'_> {
    fn look(&self, group: usize) -> Option<&Look> {
        self.scene.groups.get(group).map(|group| &group.look)
    }

    /// A unit's color: of the first of its marks that has one, else its group's.
    fn color(world: &World, unit: usize, look: &Look) -> Color {
        let marks = world.units.marks[unit];
        let marked = look
            .marks
            .iter()
            .find(|(name, _)| world.marks.bit(name).is_some_and(|bit| marks & bit != 0));
        marked.map_or(look.color, |(_, color)| *color)
    }

    pub(super) fn draw_units(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        for (index, group) in world.groups.iter().enumerate() {
            let Some(look) = self.look(index) else {
                continue;
            };
            let length = (group.body.length() * look.scale * self.camera.scale()).max(LEAST_LENGTH);
            let width =
                (group.body.width() * look.scale * self.camera.scale()).max(LEAST_LENGTH * 0.6);
            for unit in group.units.clone() {
                let position = world.units.position[unit];
                let heading = world.units.heading[unit];
                let pose = Pose {
                    center: self.camera.to_screen(position),
                    heading: foreshortened(Vec2::new(heading.x, -heading.y)),
                    length,
                    width,
                };
                let color = faded(world, position, Self::color(world, unit, look));
                shapes::draw(canvas, look.shape, &pose, color);
                if self.vectors {
                    self.draw_vectors(canvas, unit, 1.0);
                }
            }
        }
    }

    pub(super) fn draw_trails(&self, canvas: &mut Canvas, trails: &Trails) {
        let world = self.simulation.world();
        let time = world.time();
        let jump = world.arena.size().max_element() * 0.4;
        let mut points = Vec::new();
        for (index, group) in world.groups.iter().enumerate() {
            let Some(look) = self.look(index).filter(|look| look.trail > 0.0) else {
                continue;
            };
            let width =
                (group.body.width() * look.scale * self.camera.scale() * 0.28).clamp(1.0, 4.0);
            for unit in group.units.clone() {
                let position = world.units.position[unit];
                points.clear();
                points.push((self.camera.to_screen(position), 1.0));
                let path = trails.path(unit, time, look.trail, jump, position);
                points.extend(
                    path.map(|(point, age)| {
                        (self.camera.to_screen(point), (1.0 - age) * (1.0 - age))
                    }),
                );
                let color = faded(world, position, Self::color(world, unit, look));
                canvas.trail(&points, width, color.with_alpha(0.38));
            }
        }
    }

    /// A unit's velocity, and what each behavior adds, times gain.
    pub(super) fn draw_vectors(&self, canvas: &mut Canvas, unit: usize, width: f32) {
        let world = self.simulation.world();
        let from = world.units.position[unit];
        let velocity = world.units.velocity[unit] * 0.35;
        self.arrow(
            canvas,
            from,
            self.camera.to_screen(from + velocity) - self.camera.to_screen(from),
            width,
            palette::NOTE.with_alpha(0.6),
        );
        for (at, (slot, contribution)) in self.simulation.decisions(unit).enumerate() {
            let share = share_of_force(world, unit, contribution) * slot.gain;
            let arrow = Vec2::new(share.x, -share.y) * ARROW;
            self.arrow(
                canvas,
                from,
                arrow.clamp_length_max(3.0 * ARROW),
                width,
                behavior_color(at),
            );
        }
    }

    fn arrow(&self, canvas: &mut Canvas, from: Vec3, arrow: Vec2, width: f32, color: Color) {
        let length = arrow.length();
        if !(length > 2.0 && length < 1e4) {
            return;
        }
        let (start, along) = (self.camera.to_screen(from), arrow / length);
        let head = (3.0 + 2.0 * width).min(length * 0.6);
        let (end, across) = (start + arrow, Vec2::new(-along.y, along.x) * (head * 0.5));
        canvas.stroke_line(start, end - along * head * 0.8, width, color);
        canvas.fill_triangle(
            end,
            end - along * head + across,
            end - along * head - across,
            color,
        );
    }
}

/// A heading on the screen, not so short that the unit vanishes when it points out of it.
fn foreshortened(heading: Vec2) -> Vec2 {
    let along = heading.try_normalize().unwrap_or(Vec2::NEG_Y);
    along * heading.length().max(LEAST_HEADING)
}

/// A contribution in world axes as a share of the unit's steering force.
pub(super) fn share_of_force(world: &World, unit: usize, contribution: Contribution) -> Vec3 {
    match contribution {
        Contribution::None => Vec3::ZERO,
        Contribution::Turn(turn) => {
            world.units.starboard(unit) * turn.x + world.units.up[unit] * turn.y
        }
        Contribution::Push(push) => push / world.group_of(unit).body.steering_force().max(1e-6),
    }
}

/// Farther units of a space are dimmer.
fn faded(world: &World, position: Vec3, color: Color) -> Color {
    match world.arena.domain {
        Domain::Plane { .. } => color,
        Domain::Space { center, radius } => {
            let depth = ((center.z - position.z) / radius * 0.5 + 0.5).clamp(0.0, 1.0);
            color.mix(palette::BOTTOM, depth * 0.65)
        }
    }
}
