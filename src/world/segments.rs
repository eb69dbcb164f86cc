//! The point of a line of straight pieces that is nearest to another, four pieces at a time.

use std::sync::Arc;

use glam::{BVec4A, Vec2, Vec3, Vec4};

/// As many as the vectors of every processor take.
const LANES: usize = 4;

/// Straight pieces in their order. Clones share them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segments(Arc<[SegmentsX4]>);

/// Four pieces by component. Those that there are not are infinitely far, and nothing is their nearest point.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SegmentsX4 {
    from: [Vec4; 3],
    /// To the end.
    way: [Vec4; 3],
    /// The square of the length.
    square: Vec4,
    /// How far up it ends.
    end_y: Vec4,
}

/// Where on some pieces the point is that is nearest to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NearestOnSegments {
    /// The number of the piece.
    pub(super) piece: usize,
    /// The share of the piece that lies before the point.
    pub(super) share: f32,
}

impl FromIterator<(Vec3, Vec3)> for Segments {
    /// From where each piece begins and ends.
    fn from_iter<T: IntoIterator<Item = (Vec3, Vec3)>>(pieces: T) -> Self {
        let from = [Vec4::INFINITY; 3];
        let empty = SegmentsX4 { from, way: [Vec4::ZERO; 3], square: Vec4::ONE, end_y: from[1] };
        let mut blocks = Vec::new();
        for (number, (from, to)) in pieces.into_iter().enumerate() {
            let lane = number % LANES;
            if lane == 0 {
                blocks.push(empty);
            }
            if let Some(block) = blocks.last_mut() {
                let way = to - from;
                for axis in 0..3 {
                    (block.from[axis][lane], block.way[axis][lane]) = (from[axis], way[axis]);
                }
                block.end_y[lane] = to.y;
                block.square[lane] = way.length_squared().max(f32::MIN_POSITIVE);
            }
        }
        Self(blocks.into())
    }
}

impl Segments {
    /// The nearest point; of equally near ones that of the first piece. `None` if nothing is near, as of a point
    /// that is none.
    pub(super) fn nearest(&self, to: Vec3) -> Option<NearestOnSegments> {
        // In each lane the first of the nearest blocks, then the first of those pieces: without a branch. As floats,
        // numbers are exact up to 16 million.
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
            let piece = first as usize * LANES + nearest;
            NearestOnSegments { piece, share: shares[nearest] }
        })
    }

    /// As [`Segments::nearest`], for each of four points by component.
    pub(super) fn nearest_of_four(&self, points: [Vec4; 3]) -> [Option<NearestOnSegments>; 4] {
        let [mut least, mut shares, mut pieces] = [Vec4::INFINITY, Vec4::ZERO, Vec4::INFINITY];
        for (number, block) in self.0.iter().enumerate() {
            for lane in block.used() {
                let (share, square) = block.of_lane(lane).measure(points);
                let is_nearer = square.cmplt(least);
                // What is no number is not nearer.
                least = square.min(least);
                shares = Vec4::select(is_nearer, share, shares);
                pieces = Vec4::select(is_nearer, Vec4::splat((number * LANES + lane) as f32), pieces);
            }
        }
        let (pieces, shares) = (pieces.to_array(), shares.to_array());
        std::array::from_fn(|point| {
            let (piece, share) = (pieces[point], shares[point]);
            (piece < f32::INFINITY).then_some(NearestOnSegments { piece: piece as usize, share })
        })
    }

    /// The square of the distance of each of four points of the plane, by component, to the nearest of pieces in the
    /// plane, as [`Segments::nearest`] measures it; infinite if nothing is near.
    pub(super) fn least_squares(&self, [x, y]: [Vec4; 2]) -> Vec4 {
        let mut least = Vec4::INFINITY;
        for block in self.0.iter() {
            for lane in block.used() {
                let ([from_x, from_y, _], [way_x, way_y, _]) = (block.from, block.way);
                let (from_x, from_y, way_x, way_y) = (from_x[lane], from_y[lane], way_x[lane], way_y[lane]);
                let along = (x - from_x) * way_x + (y - from_y) * way_y;
                let share = clamped(along / block.square[lane]);
                let (x, y) = (share * way_x + from_x - x, share * way_y + from_y - y);
                // What is no number is not nearer.
                least = (x * x + y * y).min(least);
            }
        }
        least
    }

    /// From which of four points a ray to the right crosses an odd number of pieces; see [`Segments::crossings`].
    pub(super) fn are_crossed_oddly(&self, [x, y]: [Vec4; 2]) -> BVec4A {
        let mut odd = BVec4A::default();
        for block in self.0.iter() {
            for lane in block.used() {
                let (from_y, way_y) = (block.from[1][lane], block.way[1][lane]);
                let is_between = y.cmplt(Vec4::splat(from_y)) ^ y.cmplt(Vec4::splat(block.end_y[lane]));
                if is_between.any() {
                    let at = (y - from_y) * block.way[0][lane] / way_y + block.from[0][lane];
                    odd ^= is_between & x.cmplt(at);
                }
            }
        }
        odd
    }

    /// How many pieces a ray to the right crosses in the plane (W. R. Franklin's test).
    pub(super) fn crossings(&self, from: Vec2) -> u32 {
        self.0.iter().map(|block| block.crossings(from)).sum()
    }
}

/// Shares of a piece from 0 to 1.
fn clamped(share: Vec4) -> Vec4 {
    Vec4::ONE.min(Vec4::ZERO.max(share))
}

impl SegmentsX4 {
    /// The lanes that hold a piece.
    fn used(&self) -> impl Iterator<Item = usize> + use<> {
        let starts = self.from[0];
        (0..LANES).take_while(move |lane| starts[*lane] < f32::INFINITY)
    }

    /// One of its pieces in all lanes.
    fn of_lane(&self, lane: usize) -> Self {
        let splat = |part: Vec4| Vec4::splat(part[lane]);
        let (from, way) = (self.from.map(splat), self.way.map(splat));
        Self { from, way, square: splat(self.square), end_y: splat(self.end_y) }
    }

    /// The share of each piece that lies before its point nearest to that of the same lane, and the squared distance
    /// to it.
    fn measure(&self, [x, y, z]: [Vec4; 3]) -> (Vec4, Vec4) {
        let ([from_x, from_y, from_z], [way_x, way_y, way_z]) = (self.from, self.way);
        let along = (x - from_x) * way_x + (y - from_y) * way_y + (z - from_z) * way_z;
        let share = clamped(along / self.square);
        let x = from_x + way_x * share - x;
        let y = from_y + way_y * share - y;
        let z = from_z + way_z * share - z;
        (share, x * x + y * y + z * z)
    }

    fn crossings(&self, from: Vec2) -> u32 {
        let [x, y] = from.to_array().map(Vec4::splat);
        let ([from_x, from_y, _], [way_x, way_y, _]) = (self.from, self.way);
        let is_between = from_y.cmpgt(y) ^ self.end_y.cmpgt(y);
        let at = way_x * (y - from_y) / way_y + from_x;
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
        fn the_nearest_point_is_that_of_looking_at_each_piece(
            points in prop::collection::vec(point(), 2..40), to in point(),
        ) {
            let pieces = || points.windows(2).map(|pair| (pair[0], pair[1]));
            let found = pieces().collect::<Segments>().nearest(to).unwrap();
            let (mut best, mut least) = ((0, 0.0), f32::INFINITY);
            for (number, (from, end)) in pieces().enumerate() {
                let way = end - from;
                let share = (to - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
                let share = share.clamp(0.0, 1.0);
                let on = from + way * share;
                if on.distance_squared(to) < least {
                    (best, least) = ((number, share), on.distance_squared(to));
                }
            }
            prop_assert_eq!((found.piece, found.share), best);
        }

        #[test]
        fn four_points_find_what_each_finds_by_itself(
            points in prop::collection::vec(point(), 2..40), mut to in prop::collection::vec(point(), 4),
            is_none in any::<bool>(),
        ) {
            if is_none {
                to[2].y = f32::NAN;
            }
            let pieces = points.windows(2).map(|pair| (pair[0], pair[1])).collect::<Segments>();
            let by_component = [0, 1, 2].map(|axis| Vec4::from_array([0, 1, 2, 3].map(|at| to[at][axis])));
            let bits = |found: Option<NearestOnSegments>| found.map(|it| (it.piece, it.share.to_bits()));
            let found = pieces.nearest_of_four(by_component).map(bits);
            prop_assert_eq!(found.to_vec(), to.iter().map(|to| bits(pieces.nearest(*to))).collect::<Vec<_>>());
        }

        #[test]
        fn a_ray_crosses_the_pieces_that_it_crosses_one_by_one(
            points in prop::collection::vec(point(), 2..40), at in point(),
        ) {
            let pieces = || points.windows(2).map(|pair| (pair[0], pair[1]));
            let is_crossed = |(from, to): &(Vec3, Vec3)| {
                (from.y > at.y) != (to.y > at.y)
                    && at.x < (to.x - from.x) * (at.y - from.y) / (to.y - from.y) + from.x
            };
            let crossed = pieces().filter(is_crossed).count();
            prop_assert_eq!(pieces().collect::<Segments>().crossings(at.truncate()) as usize, crossed);
        }
    }
}
