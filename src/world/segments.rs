//! The point of a line of straight pieces that is nearest to another, four pieces at a time.

use std::sync::Arc;

use glam::Vec3;

/// As many as the vectors of every processor take.
const LANES: usize = 4;

/// Straight pieces in their order. Clones share them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segments(Arc<[SegmentsX4]>);

/// Four pieces by field. Those that there are not are infinitely far, and nothing is their nearest point.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SegmentsX4 {
    from: [[f32; LANES]; 3],
    /// To the end.
    way: [[f32; LANES]; 3],
    /// The square of the length.
    square: [f32; LANES],
}

/// A point of some pieces that is nearest to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestOnSegments {
    /// The number of the piece.
    pub(super) piece: usize,
    /// The share of the piece that lies before the point.
    pub(super) share: f32,
    pub(super) point: Vec3,
}

impl FromIterator<(Vec3, Vec3)> for Segments {
    /// From where each piece begins and ends.
    fn from_iter<T: IntoIterator<Item = (Vec3, Vec3)>>(pieces: T) -> Self {
        let from = [[f32::INFINITY; LANES]; 3];
        let empty = SegmentsX4 { from, way: [[0.0; LANES]; 3], square: [1.0; LANES] };
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
        let (mut nearest, mut least) = (None, f32::INFINITY);
        for (number, block) in self.0.iter().enumerate() {
            let (shares, squares) = block.measure(to);
            for lane in 0..LANES {
                if squares[lane] < least {
                    (nearest, least) = (Some((number, lane, shares[lane])), squares[lane]);
                }
            }
        }
        let (number, lane, share) = nearest?;
        let point = self.0[number].at(lane, share);
        Some(NearestOnSegments { piece: number * LANES + lane, share, point })
    }
}

impl SegmentsX4 {
    /// The share of each piece that lies before its point nearest to another, and the squared distance to it.
    /// It is compiled for vectors, as it has no branch; inlined, its lanes would be taken apart again.
    #[inline(never)]
    fn measure(&self, to: Vec3) -> ([f32; LANES], [f32; LANES]) {
        let ([from_x, from_y, from_z], [way_x, way_y, way_z]) = (&self.from, &self.way);
        let (mut shares, mut squares) = ([0.0; LANES], [0.0; LANES]);
        // By component: vectors of three would be put together one by one.
        for lane in 0..LANES {
            let along = (to.x - from_x[lane]) * way_x[lane]
                + (to.y - from_y[lane]) * way_y[lane]
                + (to.z - from_z[lane]) * way_z[lane];
            let share = (along / self.square[lane]).clamp(0.0, 1.0);
            let x = from_x[lane] + way_x[lane] * share - to.x;
            let y = from_y[lane] + way_y[lane] * share - to.y;
            let z = from_z[lane] + way_z[lane] * share - to.z;
            (shares[lane], squares[lane]) = (share, x * x + y * y + z * z);
        }
        (shares, squares)
    }

    fn at(&self, lane: usize, share: f32) -> Vec3 {
        let [from, way]: [Vec3; 2] = [&self.from, &self.way].map(|of| of.map(|part| part[lane]).into());
        from + way * share
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
            let (mut best, mut least) = ((0, Vec3::ZERO, 0.0), f32::INFINITY);
            for (number, (from, end)) in pieces().enumerate() {
                let way = end - from;
                let share = (to - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
                let share = share.clamp(0.0, 1.0);
                let on = from + way * share;
                if on.distance_squared(to) < least {
                    (best, least) = ((number, on, share), on.distance_squared(to));
                }
            }
            prop_assert_eq!((found.piece, found.point, found.share), best);
        }
    }
}
