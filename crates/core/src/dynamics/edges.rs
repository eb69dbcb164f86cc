//! Edge behavior: wraps or reflects units that leave the arena.

use glam::{Vec2, Vec3};

use super::motion::{Motion, perpendicular};
use crate::world::{Arena, Domain, Edges, Extrema, in_first_period};

/// Returns a unit that has left the arena to it, by its edge behavior.
///
/// Wrap: in a plane to the opposite edge; in space to the antipodal point of the sphere. Bounce: reflects the position,
/// and velocity and heading if they point outward.
#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
pub fn confine(arena: &Arena, motion: &mut Motion) {
    match (arena.domain, arena.edges) {
        (_, Edges::Open) => {}
        (Domain::Plane { size }, Edges::Wrap) => wrap(motion, size),
        (Domain::Plane { size }, Edges::Bounce) => {
            // Fast path: most units are inside and unchanged.
            let Vec3 { x, y, z } = motion.position;
            if x > 0.0 && y > 0.0 && x < size.x && y < size.y && z.to_bits() == 0 {
                return;
            }
            bounce(motion, Vec3::NEG_X, Vec3::X * size.x);
            bounce(motion, Vec3::X, Vec3::ZERO);
            bounce(motion, Vec3::NEG_Y, Vec3::Y * size.y);
            bounce(motion, Vec3::Y, Vec3::ZERO);
            let inside = motion.position.truncate().clamp(Vec2::ZERO, size);
            motion.position = inside.extend(0.0);
        }
        (Domain::Space { center, radius }, edges) => {
            let out = motion.position - center;
            let distance = out.length();
            if distance <= radius {
                return;
            }
            let outward = out / distance;
            if edges == Edges::Wrap {
                motion.position = center - outward * (2.0 * radius - distance).greater(0.0);
            } else {
                bounce(motion, -outward, center + outward * radius);
                motion.position = center + (motion.position - center).clamp_length_max(radius);
            }
        }
    }
}

fn wrap(motion: &mut Motion, size: Vec2) {
    let position = motion.position.truncate();
    if position.cmpge(Vec2::ZERO).all() && position.cmplt(size).all() {
        return;
    }
    let wrapped = in_first_period(motion.position, size).truncate();
    // A tiny negative position rounds up to the size itself, which is equivalent to 0.
    motion.position = Vec2::select(wrapped.cmplt(size), wrapped, Vec2::ZERO).extend(0.0);
}

/// Reflects a unit that is behind the wall through `point` with normal `inward`.
fn bounce(motion: &mut Motion, inward: Vec3, point: Vec3) {
    let depth = (motion.position - point).dot(inward);
    if depth >= 0.0 {
        return;
    }
    let mirrored = |v: Vec3| {
        if v.dot(inward) < 0.0 { v.reflect(inward) } else { v }
    };
    motion.position -= inward * (2.0 * depth);
    motion.velocity = mirrored(motion.velocity);
    motion.heading = mirrored(motion.heading);
    motion.up =
        perpendicular(motion.up, motion.heading).unwrap_or_else(|| motion.heading.any_orthonormal_vector());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing::{plane, space};

    /// Returns a unit with velocity (3, −4) after the edges of an arena.
    fn confined(arena: &Arena, x: f32, y: f32) -> Motion {
        let mut motion = Motion {
            position: Vec3::new(x, y, 0.0),
            velocity: Vec3::new(3.0, -4.0, 0.0),
            heading: Vec3::new(0.6, -0.8, 0.0),
            up: Vec3::Z,
            angular_velocity: Vec3::ZERO,
        };
        confine(arena, &mut motion);
        motion
    }

    #[test]
    fn wrapping_leads_to_the_opposite_edge_and_stays_below_the_size() {
        let arena = plane(100.0, 50.0, Edges::Wrap);
        let position = |x, y| confined(&arena, x, y).position;
        assert_eq!(position(101.0, -1.0), Vec3::new(1.0, 49.0, 0.0));
        assert_eq!(position(-1e-9, 350.0), Vec3::ZERO);
        let narrow = plane(30.0, 7.0, Edges::Wrap);
        for far in [1e8_f32, -3e8, 1e12, 7e5] {
            let found = confined(&narrow, far, far).position;
            let expected = [30.0, 7.0].map(|size| f64::from(far).rem_euclid(size) as f32);
            assert_eq!(found.truncate().to_array(), expected, "{far}");
        }
    }

    #[test]
    fn bouncing_reflects_position_velocity_and_heading() {
        let arena = plane(100.0, 50.0, Edges::Bounce);
        let motion = confined(&arena, 102.0, -1.0);
        assert_eq!(motion.position, Vec3::new(98.0, 1.0, 0.0));
        assert_eq!(motion.velocity, Vec3::new(-3.0, 4.0, 0.0));
        assert!(motion.heading.abs_diff_eq(Vec3::new(-0.6, 0.8, 0.0), 1e-6));
        let far = confined(&arena, 9e9, -9e9).position;
        assert!((0.0..=100.0).contains(&far.x));
    }

    #[test]
    fn edges_bounce_independently_and_units_inside_are_unchanged() {
        let arena = plane(100.0, 50.0, Edges::Bounce);
        for (from, to) in [
            ([102.0, 10.0], [98.0, 10.0]),
            ([-2.0, 10.0], [2.0, 10.0]),
            ([10.0, 52.0], [10.0, 48.0]),
            ([10.0, -2.0], [10.0, 2.0]),
            ([99.0, 49.0], [99.0, 49.0]),
        ] {
            assert_eq!(confined(&arena, from[0], from[1]).position.truncate().to_array(), to);
        }
    }

    #[test]
    fn a_ball_of_space_confines_its_units() {
        for edges in [Edges::Wrap, Edges::Bounce] {
            let motion = confined(&space(10.0, edges), 14.0, 1.0);
            assert!(motion.position.length() <= 10.0 + 1e-4, "{edges:?}");
            assert_eq!(motion.velocity.x < 0.0, edges == Edges::Bounce);
        }
    }
}
