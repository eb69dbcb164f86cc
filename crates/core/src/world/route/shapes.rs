//! Obstacles that are larger by a margin.

use glam::Vec3;

use crate::world::extrema::Extrema;
use crate::world::obstacle::{Obstacle, Solid};

/// Returns shapes that cover the points within `margin` of an obstacle.
pub(super) fn inflated(obstacle: &Obstacle, margin: f32) -> Vec<Obstacle> {
    let (mut larger, by) = (obstacle.clone(), if obstacle.inside_out { -margin } else { margin });
    let mut edges = Vec::new();
    match &mut larger.solid {
        Solid::Ball { radius, .. } | Solid::Capsule { radius, .. } => {
            *radius = (*radius + by).greater(f32::MIN_POSITIVE);
        }
        Solid::Box { half, .. } if half.z.is_finite() => {
            *half = (*half + by).max(Vec3::splat(f32::MIN_POSITIVE));
        }
        Solid::Box { .. } | Solid::Polygon(_) if margin > 0.0 => {
            let corners = obstacle.solid.corners();
            let ends = corners.iter().zip(corners.iter().cycle().skip(1));
            let edge = |(from, to): (&Vec3, &Vec3)| Solid::Capsule { from: *from, to: *to, radius: margin };
            edges.extend(ends.map(edge).map(Obstacle::from));
        }
        Solid::Box { .. } | Solid::Polygon(_) => {}
    }
    edges.push(larger);
    edges
}
