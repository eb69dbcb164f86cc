//! Obstacles in a plane: filled outlines; for containers, everything outside of the outline is filled.

use glam::{Vec2, Vec3};
use steerbox_core::world::{Obstacle, Solid, Surface};
use steerbox_scene::Color;

use super::Picture;
use crate::render::camera::PlaneCamera;
use crate::render::canvas::Canvas;

/// Segments of the outline of a circle, or of both ends of a capsule.
const PIECES: usize = 96;

impl Picture<'_, PlaneCamera> {
    /// Draws an obstacle; an edited one has a rim in the color of edits.
    pub(super) fn draw_obstacle(&self, canvas: &mut Canvas, obstacle: &Obstacle, changed: bool) {
        let (fill, rim) = self.obstacle_colors();
        let rim = if changed { self.palette().moved } else { rim };
        self.draw_shape(canvas, obstacle, (fill, rim));
    }

    /// Draws the shape of an obstacle or of a zone and its images. Those of a container would fill each other.
    pub(super) fn draw_shape(&self, canvas: &mut Canvas, shape: &Obstacle, colors: (Color, Color)) {
        if shape.inside_out {
            self.draw_shape_at(canvas, shape, colors);
        } else {
            self.each_image(shape.solid.bounds(), |image| image.draw_shape_at(canvas, shape, colors));
        }
    }

    fn draw_shape_at(&self, canvas: &mut Canvas, shape: &Obstacle, (fill, rim): (Color, Color)) {
        let outline = self.outline(shape);
        if shape.inside_out {
            canvas.fill_polygon(&around(&outline, self.camera.view()), fill);
        } else {
            canvas.fill_polygon(&outline, fill);
        }
        self.draw_rim_of(canvas, &shape.solid, &outline, (1.5, rim));
    }

    /// The rim of the selected obstacle, and the corners that can be dragged.
    pub(super) fn draw_picked(&self, canvas: &mut Canvas) {
        let obstacles = &self.simulation.world().obstacles;
        let Some(obstacle) = self.picked.and_then(|at| obstacles.get(at)) else {
            return;
        };
        let color = self.palette().selection;
        let outline = self.outline(obstacle);
        self.draw_rim_of(canvas, &obstacle.solid, &outline, (6.0, color.with_alpha(0.22)));
        self.draw_rim_of(canvas, &obstacle.solid, &outline, (2.0, color));
        self.draw_corners(canvas, &obstacle.solid.corners(), color);
    }

    fn outline(&self, obstacle: &Obstacle) -> Vec<Vec2> {
        outline(&obstacle.solid).into_iter().map(|point| self.camera.to_screen(point)).collect()
    }

    /// Draws a rim with a width in points.
    fn draw_rim_of(
        &self,
        canvas: &mut Canvas,
        solid: &Solid,
        outline: &[Vec2],
        (width, color): (f32, Color),
    ) {
        let (width, ring) = (self.px(width), || outline.iter().chain(outline.first()));
        match solid.surface() {
            Surface::Round { from, to, radius } if from == to => {
                canvas.stroke_circle(self.camera.to_screen(from), radius * self.camera.scale(), width, color);
            }
            Surface::Round { .. } => {
                let path: Vec<_> = ring().map(|point| (*point, 1.0)).collect();
                canvas.trail(&path, (width, 0.0), color);
            }
            // Line joins are as round as the ends of lines.
            Surface::Faces(_) => {
                ring().zip(ring().skip(1)).for_each(|(a, b)| canvas.stroke_line(*a, *b, width, color));
            }
        }
    }

    /// Inside and rim of the scene's obstacles.
    fn obstacle_colors(&self) -> (Color, Color) {
        match self.scene.obstacle_color {
            Some(color) => (color.mix(self.palette().ground[1], 0.55), color),
            None => self.palette().obstacle.into(),
        }
    }
}

/// Points along the surface, in order around it.
fn outline(solid: &Solid) -> Vec<Vec3> {
    match solid.surface() {
        Surface::Round { from, to, radius } if from == to => arc(from, radius, 0.0, PIECES),
        Surface::Round { from, to, radius } => {
            let along = to - from;
            let ahead = libm::atan2f(along.y, along.x) - std::f32::consts::FRAC_PI_2;
            let mut points = arc(to, radius, ahead, PIECES / 2);
            points.extend(arc(from, radius, ahead + std::f32::consts::PI, PIECES / 2));
            points
        }
        Surface::Faces(faces) => faces.into_iter().next().unwrap_or_default(),
    }
}

/// `pieces` points of a circle from the angle `from` on: a half circle for a capsule's end, with
/// half of all segments.
fn arc(center: Vec3, radius: f32, from: f32, pieces: usize) -> Vec<Vec3> {
    let last = if pieces == PIECES { PIECES } else { pieces - 1 };
    let whole = if pieces == PIECES { 2.0 } else { 1.0 };
    let point = |piece: usize| {
        let angle = from + whole * std::f32::consts::PI * piece as f32 / last as f32;
        let (sin, cos) = libm::sincosf(angle);
        center + Vec3::new(cos, sin, 0.0) * radius
    };
    (0..pieces).map(point).collect()
}

/// The view without the inside of the outline, as one polygon: around the view, in to the outline, around it in
/// reverse, and back.
fn around(outline: &[Vec2], (min, max): (Vec2, Vec2)) -> Vec<Vec2> {
    let view = [min, Vec2::new(min.x, max.y), max, Vec2::new(max.x, min.y), min];
    let turns = |points: &[Vec2]| -> f32 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum()
    };
    let mut line = view.to_vec();
    let first = outline.iter().take(1);
    if turns(outline) * turns(&view) > 0.0 {
        line.extend(outline.iter().rev().chain(outline.iter().rev().take(1)));
    } else {
        line.extend(outline.iter().chain(first));
    }
    line.push(min);
    line
}
