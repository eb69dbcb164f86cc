//! Signed distances of four points at once.

use glam::{Vec3, Vec4};

use super::Obstacle;
use super::points_x4::PointsX4;
use crate::world::images;

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
        let point = |points: &PointsX4, lane: usize| Vec3::from(points.map(|of| of[lane]));
        let each = |distance: &dyn Fn(usize) -> f32| Vec4::from([0, 1, 2, 3].map(distance));
        let Some(period) = self.period else {
            let at_once = if is_usual { self.solid.distances_to(points) } else { None };
            return at_once.unwrap_or_else(|| each(&|lane| self.solid.distance_to(point(&points, lane))));
        };
        let center = self.position();
        let first = [0, 1, 2, 3].map(|lane| images::about(point(&points, lane), center, period));
        let by_axis = [0, 1, 2].map(|axis| Vec4::from(first.map(|point| point[axis])));
        let at_once = if is_usual { self.solid.distances_to(by_axis) } else { None };
        let measure = |point| (self.solid.distance_to(point), ());
        each(&|lane| {
            let known = at_once.map_or_else(|| measure(first[lane]), |distances| (distances[lane], ()));
            let (_, (distance, ())) =
                images::nearest((first[lane], known), (center, self.radius()), period, measure);
            distance
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use proptest::prelude::*;

    use super::*;
    use crate::world::{Solid, SolidKind, testing};

    /// Coordinates that often coincide, ordinary ones, and the ends of the range.
    fn coordinate() -> impl Strategy<Value = f32> {
        let ends = prop::sample::select(vec![1e-30, -1e-30, 3e5, 1e17, f32::INFINITY, f32::NAN, -0.0]);
        prop_oneof![20 => (-3..4_i8).prop_map(f32::from), 20 => -30.0_f32..30.0, 1 => ends]
    }

    fn place(flat: bool) -> impl Strategy<Value = Vec3> {
        let place = [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array);
        place.prop_map(move |place| if flat { place.with_z(0.0) } else { place })
    }

    /// Corners on a grid, which often share a line with a point; ends that often coincide.
    fn points(flat: bool) -> impl Strategy<Value = Vec<Vec3>> {
        let corner = [-9..9_i8, -9..9_i8].prop_map(|[x, y]| Vec3::new(x.into(), y.into(), 0.0));
        prop_oneof![
            2 => prop::collection::vec(corner, 3..9),
            1 => prop::collection::vec(place(flat), 1..4),
        ]
    }

    fn solid(flat: bool) -> impl Strategy<Value = Solid> {
        let size = || prop_oneof![Just(1.0_f32), 0.1_f32..6.0, Just(1e-7_f32), Just(200.0_f32)];
        let half = [size(), size(), size()].prop_map(Vec3::from_array);
        let kind = prop::sample::select(SolidKind::ALL.to_vec());
        let angle = prop_oneof![-7.0_f32..7.0, Just(0.0_f32)];
        (kind, points(flat), half, angle)
            .prop_map(move |(kind, points, half, angle)| testing::solid(kind, &points, half, angle, flat))
    }

    proptest! {
        // One shape each, of four kinds in a plane or in space, in or out; eight points each.
        #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn distances_are_those_of_each_point(
            (solid, points) in any::<bool>().prop_flat_map(|flat| (solid(flat), prop::collection::vec(place(flat), 8))),
            inside_out: bool,
            period in prop::option::of(1.0_f32..90.0),
        ) {
            let period = period.map(|size| Vec2::new(size, 40.0));
            let obstacle = Obstacle { inside_out, period, ..solid.into() };
            let by_component = [0, 1, 2].map(|axis| std::array::from_fn(|lane| points[lane][axis]));
            for (point, found) in points.iter().zip(obstacle.distances_to(&by_component)) {
                let expected = obstacle.distance_to(*point);
                prop_assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan());
            }
        }
    }
}
