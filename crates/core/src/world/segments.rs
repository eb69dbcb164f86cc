//! Nearest points on a polyline, four segments or four points at a time.

use std::sync::Arc;

use glam::{BVec4A, Vec2, Vec3, Vec4};

use super::extrema::Extrema;

/// Number of lanes that the vectors of every supported processor have.
const LANES: usize = 4;

/// Segments in order. Clones share them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segments(Arc<[SegmentsX4]>);

/// Four segments, one vector per component. Unused lanes start at infinity, so they are never nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SegmentsX4 {
    from: [Vec4; 3],
    /// End minus start.
    delta: [Vec4; 3],
    /// Squared length.
    square: Vec4,
    /// The y coordinate of the end.
    end_y: Vec4,
}

/// Position of the nearest point on a polyline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NearestOnSegments {
    /// Index of the segment.
    pub(super) segment: usize,
    /// Fraction of the segment before the point, from 0 to 1.
    pub(super) share: f32,
}

impl FromIterator<(Vec3, Vec3)> for Segments {
    /// From pairs of start and end.
    fn from_iter<T: IntoIterator<Item = (Vec3, Vec3)>>(segments: T) -> Self {
        let from = [Vec4::INFINITY; 3];
        let empty = SegmentsX4 { from, delta: [Vec4::ZERO; 3], square: Vec4::ONE, end_y: from[1] };
        let mut blocks = Vec::new();
        for (number, (from, to)) in segments.into_iter().enumerate() {
            let lane = number % LANES;
            if lane == 0 {
                blocks.push(empty);
            }
            if let Some(block) = blocks.last_mut() {
                let delta = to - from;
                for axis in 0..3 {
                    (block.from[axis][lane], block.delta[axis][lane]) = (from[axis], delta[axis]);
                }
                block.end_y[lane] = to.y;
                block.square[lane] = delta.length_squared().greater(f32::MIN_POSITIVE);
            }
        }
        Self(blocks.into())
    }
}

impl Segments {
    /// Returns the nearest point; in a tie, that of the first segment. `None` without segments or for a NaN point.
    #[allow(clippy::disallowed_methods, reason = "squares and indices are neither NaN nor −0")]
    pub(super) fn nearest(&self, to: Vec3) -> Option<NearestOnSegments> {
        // Branch-free: the first nearest block of each lane, then the first of those segments. Indices are stored as
        // floats, which are exact up to 16 million.
        let points = to.to_array().map(Vec4::splat);
        let [mut least, mut shares, mut blocks] = [Vec4::INFINITY, Vec4::ZERO, Vec4::INFINITY];
        for (number, block) in self.0.iter().enumerate() {
            let (share, square) = block.measure(points);
            let is_nearer = square.cmplt(least);
            least = Vec4::select(is_nearer, square, least);
            shares = Vec4::select(is_nearer, share, shares);
            blocks = Vec4::select(is_nearer, Vec4::splat(number as f32), blocks);
        }
        let is_least = least.cmpeq(Vec4::splat(least.min_element()));
        let first = Vec4::select(is_least, blocks, Vec4::INFINITY).min_element();
        let nearest = (is_least & blocks.cmpeq(Vec4::splat(first))).bitmask().trailing_zeros() as usize;
        (first < f32::INFINITY).then(|| {
            let segment = first as usize * LANES + nearest;
            NearestOnSegments { segment, share: shares[nearest] }
        })
    }

    /// [`Segments::nearest`] for each of four points, one vector per component.
    pub(super) fn nearest_of_four(&self, points: [Vec4; 3]) -> [Option<NearestOnSegments>; 4] {
        let [mut least, mut shares, mut segments] = [Vec4::INFINITY, Vec4::ZERO, Vec4::INFINITY];
        for (number, block) in self.0.iter().enumerate() {
            for lane in block.used() {
                let (share, square) = block.of_lane(lane).measure(points);
                let is_nearer = square.cmplt(least);
                // With this order of operands, a NaN is ignored.
                least = square.lesser(least);
                shares = Vec4::select(is_nearer, share, shares);
                segments = Vec4::select(is_nearer, Vec4::splat((number * LANES + lane) as f32), segments);
            }
        }
        let (segments, shares) = (segments.to_array(), shares.to_array());
        std::array::from_fn(|point| {
            let (segment, share) = (segments[point], shares[point]);
            (segment < f32::INFINITY).then_some(NearestOnSegments { segment: segment as usize, share })
        })
    }

    /// Returns the squared distance of each of four points to the nearest segment, both in the plane, bit-identical to
    /// [`Segments::nearest`]; infinite without segments.
    pub(super) fn least_squares(&self, [x, y]: [Vec4; 2]) -> Vec4 {
        let mut least = Vec4::INFINITY;
        for block in self.0.iter() {
            for lane in block.used() {
                let ([from_x, from_y, _], [delta_x, delta_y, _]) = (block.from, block.delta);
                let (from_x, from_y, delta_x, delta_y) =
                    (from_x[lane], from_y[lane], delta_x[lane], delta_y[lane]);
                let along = (x - from_x) * delta_x + (y - from_y) * delta_y;
                let share = clamped(along / block.square[lane]);
                let (x, y) = (share * delta_x + from_x - x, share * delta_y + from_y - y);
                // With this order of operands, a NaN is ignored.
                least = (x * x + y * y).lesser(least);
            }
        }
        least
    }

    /// Returns a mask of the points from which a ray to the right crosses an odd number of segments; see
    /// [`Segments::crossings`].
    pub(super) fn are_crossed_oddly(&self, [x, y]: [Vec4; 2]) -> BVec4A {
        let mut odd = BVec4A::default();
        for block in self.0.iter() {
            for lane in block.used() {
                let (from_y, delta_y) = (block.from[1][lane], block.delta[1][lane]);
                let is_between = y.cmplt(Vec4::splat(from_y)) ^ y.cmplt(Vec4::splat(block.end_y[lane]));
                if is_between.any() {
                    let at = (y - from_y) * block.delta[0][lane] / delta_y + block.from[0][lane];
                    odd ^= is_between & x.cmplt(at);
                }
            }
        }
        odd
    }

    /// Returns the number of segments that a ray to the right crosses in the plane (W. R. Franklin's test).
    pub(super) fn crossings(&self, from: Vec2) -> u32 {
        self.0.iter().map(|block| block.crossings(from)).sum()
    }
}

/// Clamps to the range from 0 to 1.
fn clamped(share: Vec4) -> Vec4 {
    Vec4::ONE.lesser(Vec4::ZERO.greater(share))
}

impl SegmentsX4 {
    /// The lanes that hold a segment.
    fn used(&self) -> impl Iterator<Item = usize> + use<> {
        let starts = self.from[0];
        (0..LANES).take_while(move |lane| starts[*lane] < f32::INFINITY)
    }

    /// Returns one segment, repeated in all lanes.
    fn of_lane(&self, lane: usize) -> Self {
        let splat = |part: Vec4| Vec4::splat(part[lane]);
        let (from, delta) = (self.from.map(splat), self.delta.map(splat));
        Self { from, delta, square: splat(self.square), end_y: splat(self.end_y) }
    }

    /// Returns, for each lane, the fraction of the segment before its point nearest to the given point, and the squared
    /// distance to it.
    fn measure(&self, [x, y, z]: [Vec4; 3]) -> (Vec4, Vec4) {
        let ([from_x, from_y, from_z], [delta_x, delta_y, delta_z]) = (self.from, self.delta);
        let along = (x - from_x) * delta_x + (y - from_y) * delta_y + (z - from_z) * delta_z;
        let share = clamped(along / self.square);
        let x = from_x + delta_x * share - x;
        let y = from_y + delta_y * share - y;
        let z = from_z + delta_z * share - z;
        (share, x * x + y * y + z * z)
    }

    fn crossings(&self, from: Vec2) -> u32 {
        let [x, y] = from.to_array().map(Vec4::splat);
        let ([from_x, from_y, _], [delta_x, delta_y, _]) = (self.from, self.delta);
        let is_between = from_y.cmpgt(y) ^ self.end_y.cmpgt(y);
        let at = delta_x * (y - from_y) / delta_y + from_x;
        (is_between & x.cmplt(at)).bitmask().count_ones()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point() -> impl Strategy<Value = Vec3> {
        let number = || prop_oneof![(-3..4_i8).prop_map(f32::from), -50.0_f32..50.0];
        [number(), number(), number()].prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn the_nearest_point_is_that_of_a_loop_over_the_segments(
            points in prop::collection::vec(point(), 2..40), to in point(),
        ) {
            let segments = || points.windows(2).map(|pair| (pair[0], pair[1]));
            let found = segments().collect::<Segments>().nearest(to).unwrap();
            let (mut best, mut least) = ((0, 0.0), f32::INFINITY);
            for (number, (from, end)) in segments().enumerate() {
                let delta = end - from;
                let share = (to - from).dot(delta) / delta.length_squared().greater(f32::MIN_POSITIVE);
                let share = share.limited(0.0, 1.0);
                let on = from + delta * share;
                if on.distance_squared(to) < least {
                    (best, least) = ((number, share), on.distance_squared(to));
                }
            }
            prop_assert_eq!((found.segment, found.share), best);
        }

        #[test]
        fn results_of_four_points_equal_single_queries(
            points in prop::collection::vec(point(), 2..40), mut to in prop::collection::vec(point(), 4),
            is_none in any::<bool>(),
        ) {
            if is_none {
                to[2].y = f32::NAN;
            }
            let segments = points.windows(2).map(|pair| (pair[0], pair[1])).collect::<Segments>();
            let by_component = [0, 1, 2].map(|axis| Vec4::from_array([0, 1, 2, 3].map(|at| to[at][axis])));
            let bits = |found: Option<NearestOnSegments>| found.map(|it| (it.segment, it.share.to_bits()));
            let found = segments.nearest_of_four(by_component).map(bits);
            prop_assert_eq!(found.to_vec(), to.iter().map(|to| bits(segments.nearest(*to))).collect::<Vec<_>>());
        }

        #[test]
        fn the_number_of_crossings_is_that_of_a_loop_over_the_segments(
            points in prop::collection::vec(point(), 2..40), at in point(),
        ) {
            let segments = || points.windows(2).map(|pair| (pair[0], pair[1]));
            let is_crossed = |(from, to): &(Vec3, Vec3)| {
                (from.y > at.y) != (to.y > at.y)
                    && at.x < (to.x - from.x) * (at.y - from.y) / (to.y - from.y) + from.x
            };
            let crossed = segments().filter(is_crossed).count();
            prop_assert_eq!(segments().collect::<Segments>().crossings(at.truncate()) as usize, crossed);
        }
    }
}
