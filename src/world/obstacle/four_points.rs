//! Signed distances of four points at once.

use glam::{Vec3, Vec4};

use super::{Obstacle, Solid};

/// Four points, one vector per component.
type PointsX4 = [Vec4; 3];

/// Limit of coordinates; products of greater ones may overflow.
const FAR: f32 = 1e15;

impl Obstacle {
    /// [`Obstacle::distance_to`] for eight points, a lane each by component, bit-identical.
    pub fn distances_to(&self, points: &[[f32; 8]; 3]) -> [f32; 8] {
        let mut distances = [0.0; 8];
        for (half, distances) in distances.chunks_exact_mut(4).enumerate() {
            let points = points.map(|of| Vec4::from_slice(&of[4 * half..]));
            (self.distances_to_four(points) * self.sign()).write_to_slice(distances);
        }
        distances
    }

    fn distances_to_four(&self, points: PointsX4) -> Vec4 {
        let is_near = |of: Vec4| of.abs().cmplt(Vec4::splat(FAR)).all();
        let is_usual = points.into_iter().all(is_near) && is_near(self.position().extend(0.0));
        let at_once = if is_usual { self.solid.distances_to(points) } else { None };
        at_once.unwrap_or_else(|| {
            let point = |lane: usize| Vec3::from(points.map(|of| of[lane]));
            Vec4::from([0, 1, 2, 3].map(|lane| self.solid.distance_to(point(lane))))
        })
    }
}

impl Solid {
    /// [`Solid::distance_to`] for four points with coordinates below 1e15, bit-identical; `None` if the lanes must be
    /// computed separately.
    fn distances_to(&self, points: PointsX4) -> Option<Vec4> {
        Some(match *self {
            Self::Ball { center, radius } => length(difference(points, center)) - radius,
            Self::Capsule { from, to, radius } => {
                let along = to - from;
                let square = along.length_squared();
                if square == 0.0 {
                    return Some(length(difference(points, from)) - radius);
                }
                let [x, y, z] = difference(points, from);
                let share = (x * along.x + y * along.y + z * along.z) / square;
                let share = Vec4::ONE.min(Vec4::ZERO.max(share));
                let gap = |axis: usize| share * along[axis] + from[axis] - points[axis];
                length([gap(0), gap(1), gap(2)]) - radius
            }
            Self::Box { center, half, angle } => {
                let rotate = angle.rotate_back_four(difference(points, center));
                let past = [0, 1, 2].map(|axis| rotate[axis].abs() - half[axis]);
                let [x, y, z] = past;
                length(past.map(|of| of.max(Vec4::ZERO))) + x.max(y.max(z)).min(Vec4::ZERO)
            }
            Self::Polygon(ref polygon) => polygon.distances_to(points)?,
        })
    }
}

fn difference(points: PointsX4, from: Vec3) -> PointsX4 {
    [0, 1, 2].map(|axis| points[axis] - from[axis])
}

fn length([x, y, z]: [Vec4; 3]) -> Vec4 {
    let square = x * x + y * y + z * z;
    Vec4::from(square.to_array().map(f32::sqrt))
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use proptest::prelude::*;

    use super::super::Polygon;
    use super::*;

    /// Coordinates that often coincide, ordinary ones, and the ends of the range.
    fn coordinate() -> impl Strategy<Value = f32> {
        let ends = prop::sample::select(vec![1e-30, -1e-30, 3e5, 1e17, f32::INFINITY, f32::NAN, -0.0]);
        prop_oneof![20 => (-3..4_i8).prop_map(f32::from), 20 => -30.0_f32..30.0, 1 => ends]
    }

    fn place(flat: bool) -> impl Strategy<Value = Vec3> {
        let place = [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array);
        place.prop_map(move |place| if flat { place.with_z(0.0) } else { place })
    }

    fn solid(flat: bool) -> impl Strategy<Value = Solid> {
        let size = || prop_oneof![Just(1.0_f32), 0.1_f32..6.0, Just(1e-7_f32), Just(200.0_f32)];
        let ball = (place(flat), size()).prop_map(|(center, radius)| Solid::ball(center, radius));
        let ends = prop_oneof![4 => place(flat).prop_map(Some), 1 => Just(None)];
        let capsule = (place(flat), ends, size()).prop_map(|(from, to, radius)| Solid::Capsule {
            from,
            to: to.unwrap_or(from),
            radius,
        });
        let angle = prop_oneof![-7.0_f32..7.0, Just(0.0_f32)];
        let cuboid = (place(flat), [size(), size(), size()], angle).prop_map(move |(center, half, angle)| {
            let half = Vec3::from_array(half);
            let half = if flat { half.with_z(f32::INFINITY) } else { half };
            Solid::Box { center, half, angle: angle.into() }
        });
        let polygon = prop::collection::vec([-9..9_i8, -9..9_i8], 3..9).prop_map(|corners| {
            let corners = corners.iter().map(|[x, y]| Vec2::new(f32::from(*x), f32::from(*y)));
            let polygon = Polygon::new(corners.collect());
            polygon.map_or(Solid::ball(Vec3::ZERO, 1.0), Solid::Polygon)
        });
        prop_oneof![1 => ball, 2 => capsule, 2 => cuboid, 2 => polygon]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn distances_are_those_of_each_point(
            (solid, points) in any::<bool>().prop_flat_map(|flat| (solid(flat), prop::collection::vec(place(flat), 8))),
            inside_out: bool,
        ) {
            let obstacle = Obstacle { solid, inside_out };
            let by_component = [0, 1, 2].map(|axis| std::array::from_fn(|lane| points[lane][axis]));
            for (point, found) in points.iter().zip(obstacle.distances_to(&by_component)) {
                let expected = obstacle.distance_to(*point);
                prop_assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan());
            }
        }
    }
}
