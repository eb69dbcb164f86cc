//! Re-entry points of units that cross the edge.

use glam::Vec3;

use crate::world::{Arena, Domain, Edges, Extrema};

/// Returns the point where the segment from `from` to `to` re-enters, if edges map `to` to `confined`: the point on the
/// edge, or the one on the opposite side.
///
/// In space with wrapping edges the segment is not continued; the result is `confined`.
pub(super) fn entry(arena: &Arena, from: Vec3, to: Vec3, confined: Vec3) -> Vec3 {
    match arena.domain {
        Domain::Plane { size } => {
            let inside = fraction(from.x, to.x, size.x).lesser(fraction(from.y, to.y, size.y));
            let exit = from + (to - from) * inside;
            match arena.edges {
                Edges::Wrap => exit + (confined - to),
                _ => exit,
            }
        }
        Domain::Space { center, radius } if arena.edges == Edges::Bounce => {
            // Half of the distance by which the reflection moved it.
            let past = (to - confined).length() * 0.5;
            let length = (to - from).length().greater(f32::MIN_POSITIVE);
            let exit = to + (from - to) * (past / length).lesser(1.0);
            center + (exit - center).clamp_length_max(radius)
        }
        Domain::Space { .. } => confined,
    }
}

/// Returns the fraction of a segment, along one axis, that is within 0 and `size`.
fn fraction(from: f32, to: f32, size: f32) -> f32 {
    if to < 0.0 {
        (from / (from - to)).limited(0.0, 1.0)
    } else if to > size {
        ((size - from) / (to - from)).limited(0.0, 1.0)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing::plane;

    #[test]
    fn a_segment_re_enters_at_the_edge() {
        let (from, to) = (Vec3::new(90.0, 10.0, 0.0), Vec3::new(110.0, 20.0, 0.0));
        for (edges, confined, expected) in [(Edges::Wrap, 10.0, 0.0), (Edges::Bounce, 90.0, 100.0)] {
            let (arena, confined) = (plane(100.0, 50.0, edges), Vec3::new(confined, 20.0, 0.0));
            let entry = entry(&arena, from, to, confined);
            assert_eq!(entry, Vec3::new(expected, 15.0, 0.0));
        }
    }
}
