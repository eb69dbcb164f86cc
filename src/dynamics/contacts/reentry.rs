//! Where a unit that crossed the edge comes in again.

use glam::Vec3;

use crate::world::{Arena, Domain, Edges};

/// The point at which the way from `from` to `to` comes in again, if edges turn `to` into
/// `confined`: the point of the edge itself, or the one on the opposite side.
///
/// In space, where a wrapped way is none, it is the end.
pub(super) fn entry(arena: &Arena, from: Vec3, to: Vec3, confined: Vec3) -> Vec3 {
    match arena.domain {
        Domain::Plane { size } => {
            let inside = fraction(from.x, to.x, size.x).min(fraction(from.y, to.y, size.y));
            let exit = from + (to - from) * inside;
            match arena.edges {
                Edges::Wrap => exit + (confined - to),
                _ => exit,
            }
        }
        Domain::Space { center, radius } if arena.edges == Edges::Bounce => {
            // Past the edge by as much as it came in again.
            let past = (to - confined).length() * 0.5;
            let length = (to - from).length().max(f32::MIN_POSITIVE);
            let exit = to + (from - to) * (past / length).min(1.0);
            center + (exit - center).clamp_length_max(radius)
        }
        Domain::Space { .. } => confined,
    }
}

/// The part of a way along one axis that is within 0 and `size`.
fn fraction(from: f32, to: f32, size: f32) -> f32 {
    if to < 0.0 {
        (from / (from - to)).clamp(0.0, 1.0)
    } else if to > size {
        ((size - from) / (to - from)).clamp(0.0, 1.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing::plane;

    #[test]
    fn a_way_comes_in_where_the_edge_is() {
        let (from, to) = (Vec3::new(90.0, 10.0, 0.0), Vec3::new(110.0, 20.0, 0.0));
        for (edges, confined, expected) in [(Edges::Wrap, 10.0, 0.0), (Edges::Bounce, 90.0, 100.0)] {
            let (arena, confined) = (plane(100.0, 50.0, edges), Vec3::new(confined, 20.0, 0.0));
            let entry = entry(&arena, from, to, confined);
            assert_eq!(entry, Vec3::new(expected, 15.0, 0.0));
        }
    }
}
