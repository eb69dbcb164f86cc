//! Obstacles of a space: round ones and ones with faces, lit from above.

use glam::{Vec2, Vec3};
use steerbox_core::world::Surface;
use steerbox_scene::Color;

use super::super::Picture;
use super::solid::{Brush, draw_ball, lit};
use super::water::Water;
use crate::render::camera::{Eye, Lens, Spot};
use crate::render::canvas::Canvas;
use crate::render::theme::WorldColors;

/// Maximum radius, pixels.
const WIDEST: f32 = 4000.0;

impl Picture<'_, Eye> {
    /// The rim of the selected obstacle, and the ends that can be dragged.
    pub(super) fn draw_picked(&self, canvas: &mut Canvas) {
        let obstacles = &self.simulation.world().obstacles;
        let Some(obstacle) = self.picked.and_then(|at| obstacles.get(at)) else {
            return;
        };
        let color = self.palette().selection;
        for (width, color) in [(6.0, color.with_alpha(0.22)), (2.0, color)] {
            self.draw_rim_of(canvas, &obstacle.solid.surface(), width, color);
        }
        self.draw_corners(canvas, &obstacle.solid.corners(), color);
    }

    /// The rims of zones.
    pub(super) fn draw_zones(&self, canvas: &mut Canvas) {
        let [_, rim] = self.palette().zone;
        for zone in &self.simulation.world().zones {
            self.draw_rim_of(canvas, &zone.area.solid.surface(), 1.5, rim);
        }
    }

    fn draw_rim_of(&self, canvas: &mut Canvas, surface: &Surface, width: f32, color: Color) {
        match surface {
            Surface::Round { from, to, radius } => {
                let ends = [from, to].map(|end| self.camera.project(*end));
                for spot in ends.into_iter().flatten().take(if from == to { 1 } else { 2 }) {
                    let rim = radius * spot.scale;
                    canvas.stroke_circle(spot.pixel, rim.min(WIDEST), self.px(width), color);
                }
                if let [Some(a), Some(b)] = ends {
                    let across = (b.pixel - a.pixel).perp().normalize_or_zero() * *radius;
                    for side in [across, -across] {
                        let (from, to) = (a.pixel + side * a.scale, b.pixel + side * b.scale);
                        canvas.stroke_line(from, to, self.px(width), color);
                    }
                }
            }
            Surface::Faces(faces) => {
                for face in faces {
                    let ends = face.iter().zip(face.iter().cycle().skip(1));
                    ends.for_each(|(a, b)| self.line(canvas, *a, *b, width, color));
                }
            }
        }
    }

    pub(super) fn draw_obstacle(&self, canvas: &mut Canvas, water: &Water<'_>, index: usize) {
        let Some(obstacle) = self.simulation.world().obstacles.get(index) else {
            return;
        };
        // From inside, no part of a container covers the view.
        if obstacle.inside_out {
            return;
        }
        let eye = self.camera;
        match obstacle.solid.surface() {
            Surface::Round { from, to, radius } if from == to => {
                draw_round(canvas, eye, water, from, radius);
            }
            Surface::Round { from, to, radius } => {
                draw_capsule(canvas, eye, water, (from, to), radius);
            }
            Surface::Faces(faces) => {
                draw_faces(canvas, eye, water, obstacle.position(), &faces);
            }
        }
    }
}

fn draw_round(canvas: &mut Canvas, eye: &Eye, water: &Water<'_>, center: Vec3, radius: f32) {
    let colors = water.colors;
    let inside = eye.at.distance_squared(center) < radius * radius;
    if let Some(spot) = eye.project(center).filter(|_| !inside) {
        let color = water.tint(colors.rock, spot);
        draw_ball(canvas, eye, spot, radius, (color, colors.shade));
    }
}

/// Nested strokes, lighter towards the light.
fn draw_capsule(canvas: &mut Canvas, eye: &Eye, water: &Water<'_>, ends: (Vec3, Vec3), radius: f32) {
    const STROKES: usize = 16;
    let Some((a, b)) = eye.segment(ends.0, ends.1) else {
        return;
    };
    let WorldColors { rock, shade, .. } = *water.colors;
    let color = water.tint(rock, if a.depth > b.depth { b } else { a });
    // The direction across the capsule on the screen, upwards; an upright capsule is lit evenly from both sides.
    let across = (b.pixel - a.pixel).perp().normalize_or(Vec2::NEG_Y);
    let across = -across * across.y;
    for stroke in 0..STROKES {
        let share = stroke as f32 / STROKES as f32;
        let end = |spot: Spot| {
            let radius = (radius * spot.scale).min(WIDEST);
            let center = spot.pixel + across * (radius * share * 0.45);
            (center, radius * (1.0 - share))
        };
        tapered(
            canvas,
            end(a),
            end(b),
            lit(color, shade, 0.45 + 0.72 * (1.0 - (1.0 - share) * (1.0 - share))),
        );
    }
}

/// A stroke between two discs.
fn tapered(canvas: &mut Canvas, (a, from): (Vec2, f32), (b, to): (Vec2, f32), color: Color) {
    canvas.fill_disc(a, from, color);
    canvas.fill_disc(b, to, color);
    let across = (b - a).perp().normalize_or_zero();
    let corners = [a + across * from, b + across * to, b - across * to, a - across * from];
    canvas.fill_polygon(&corners, color);
}

fn draw_faces(canvas: &mut Canvas, eye: &Eye, water: &Water<'_>, center: Vec3, faces: &[Vec<Vec3>]) {
    let Some(spot) = eye.project(center) else {
        return;
    };
    let mut brush = Brush::new(canvas, eye, water, (spot, 1.0));
    for face in faces {
        brush.front(face, water.colors.rock);
    }
}
