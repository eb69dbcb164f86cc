//! Units against obstacles: conservative advancement along the way of a step, then slide or bounce.
//!
//! The signed distance to everything solid says how far a ball can move in any direction without a touch;
//! B. Mirtich, "Timewarp rigid body simulation", SIGGRAPH 2000, calls marching by it conservative
//! advancement.

use glam::Vec3;

use super::{Way, reflected, restitution};
use crate::world::{Contact, Obstacle};

/// Touches in one step, after which the rest of the way is dropped.
const TOUCHES: usize = 5;
/// Advances along one leg of the way, after which it ends where it has got to.
const ADVANCES: usize = 96;

/// Corrects the way of one unit.
pub(super) fn solve(contact: Contact, obstacles: &[Obstacle], way: &mut Way) {
    let reach = way.radius + way.along.length();
    let from = way.from;
    // A bounce may lead back by as much as was left.
    let near = (obstacles.iter()).filter(|obstacle| obstacle.distance_to(from) <= 2.0 * reach);
    if near.clone().next().is_none() {
        return;
    }
    if contact == Contact::Block {
        if blocked(&near, way) {
            way.along = Vec3::ZERO;
        }
        return;
    }
    let (mut at, mut left, mut velocity) = (way.from, way.along, way.velocity);
    for _ in 0..TOUCHES {
        let (free, touched) = advance(&near, at, left, way.radius);
        at += left * free;
        let Some(normal) = touched else {
            break;
        };
        left *= 1.0 - free;
        left -= normal * (left.dot(normal).min(0.0) * (1.0 + restitution(contact)));
        velocity = reflected(contact, velocity, normal);
    }
    at = pushed_out(&near, at, way.radius);
    way.velocity = velocity;
    way.along = at - from;
}

/// Whether a way leads into an obstacle or through one. Who is inside already may leave in one go.
fn blocked<'a>(near: &(impl Iterator<Item = &'a Obstacle> + Clone), way: &Way) -> bool {
    let inside = |at: Vec3| {
        near.clone()
            .any(|obstacle| obstacle.distance_to(at) < way.radius)
    };
    if inside(way.from) || inside(way.from + way.along) {
        return inside(way.from + way.along);
    }
    advance(near, way.from, way.along, way.radius).1.is_some()
}

/// The share of a leg that is free, and the normal of what ends it.
fn advance<'a>(
    near: &(impl Iterator<Item = &'a Obstacle> + Clone),
    from: Vec3,
    leg: Vec3,
    radius: f32,
) -> (f32, Option<Vec3>) {
    let length = leg.length();
    if length == 0.0 {
        return (1.0, None);
    }
    let direction = leg / length;
    // Rounding of a position is some parts in ten million of it.
    let touch = 1e-4 * (1.0 + radius) + from.abs().max_element() * 1e-6;
    let mut done = 0.0;
    for _ in 0..ADVANCES {
        let at = from + direction * done;
        let gaps = near
            .clone()
            .map(|obstacle| (obstacle.distance_to(at) - radius, obstacle));
        let Some((gap, obstacle)) = gaps.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            return (1.0, None);
        };
        if gap <= touch {
            let normal = obstacle.normal(at);
            if direction.dot(normal) < -1e-6 {
                return (done / length, Some(normal));
            }
        }
        // Along a surface that is touched already there is no gap to go by.
        done += gap
            .max(touch * 2.0)
            .max(if gap <= touch { length / 64.0 } else { 0.0 });
        if done >= length {
            return (1.0, None);
        }
    }
    (done / length, None)
}

/// The nearest free place for a ball that overlaps something.
fn pushed_out<'a>(
    near: &(impl Iterator<Item = &'a Obstacle> + Clone),
    mut at: Vec3,
    radius: f32,
) -> Vec3 {
    for _ in 0..4 {
        let depths = near
            .clone()
            .map(|obstacle| (radius - obstacle.distance_to(at), obstacle));
        match depths.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((depth, obstacle)) if depth > 0.0 => at += obstacle.normal(at) * depth,
            _ => break,
        }
    }
    at
}
