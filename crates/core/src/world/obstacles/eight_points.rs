//! Obstacle queries for eight points at once, with the results and costs of separate queries.

use glam::Vec3;

use super::{Indexed, NearObstacle, Obstacles, SearchCost, bound, is_too_far};
use crate::world::box_tree::Boxes;
use crate::world::extrema::Extrema;
use crate::world::obstacle::Obstacle;

/// A number for each point.
type Lanes = [f32; 8];

/// Maximum number of obstacles whose distances from all points are cached during a search.
const MAX_CACHED: usize = 8;

/// Up to this many active points, distances are computed point by point.
const MAX_SCALAR: u32 = 2;

impl Obstacles {
    /// [`Obstacles::within`] for each of eight points, a lane each by component, whose bit in `active` is set.
    /// Stores pairs of lane and obstacle in `found`, sorted by lane.
    pub fn within_each(
        &self,
        points: &[Lanes; 3],
        reaches: &Lanes,
        active: u8,
        found: &mut Vec<(usize, NearObstacle)>,
    ) -> [SearchCost; 8] {
        found.clear();
        let (mut costs, mut counted) = ([SearchCost::default(); 8], [0; 8]);
        let Indexed { list, resting, moving, .. } = &*self.all;
        let mut test = |number: usize, active: u8| {
            if self.is_hidden(number) {
                return;
            }
            let obstacle = &list[number];
            let pieces = obstacle.solid.pieces() as u64;
            let distances = (active.count_ones() > MAX_SCALAR).then(|| obstacle.distances_to(points));
            for lane in lanes(active) {
                costs[lane].pieces += pieces;
                let scalar = || obstacle.distance_to(point(points, lane));
                let distance = distances.map_or_else(scalar, |distances| distances[lane]);
                if distance <= reaches[lane] {
                    found.push((lane, NearObstacle { obstacle: number, distance }));
                }
            }
        };
        let too_far = lanes(active).filter(|lane| is_too_far(point(points, *lane)));
        let too_far = too_far.fold(0, |too_far, lane| too_far | 1 << lane);
        if too_far != 0 {
            (0..list.len()).for_each(|number| test(number, too_far));
        }
        let near = active & !too_far;
        let limits = reaches.map(|reach| reach.greater(0.0) * reach.greater(0.0));
        let (indexed, period) = self.indexed_points(points);
        let near_boxes = |boxes: &Boxes, active| near_boxes(boxes, (&indexed, &limits), period, active);
        for index in [&**resting, moving] {
            index.unbounded.iter().for_each(|number| test(*number as usize, near));
            let boxes =
                index.tree.search_each(near, near_boxes, |number, active| test(number as usize, active));
            counted.iter_mut().zip(boxes).for_each(|(counted, boxes)| *counted += boxes);
        }
        for (cost, boxes) in costs.iter_mut().zip(counted) {
            cost.boxes = boxes;
        }
        found.sort_unstable_by(|(a, one), (b, other)| a.cmp(b).then(one.order(other)));
        costs
    }

    /// [`Obstacles::indexed_point`] for each of eight points.
    fn indexed_points(&self, points: &[Lanes; 3]) -> ([Lanes; 3], Vec3) {
        let (_, period) = self.indexed_point(Vec3::ZERO);
        if self.all.period.is_none() {
            return (*points, period);
        }
        let indexed: [Vec3; 8] = std::array::from_fn(|lane| self.indexed_point(point(points, lane)).0);
        ([0, 1, 2].map(|axis| indexed.map(|point| point[axis])), period)
    }

    /// [`Obstacles::nearest`] for each of eight points, a lane each by component, whose bit in `active` is set.
    pub fn nearest_to_each(&self, points: &[Lanes; 3], active: u8) -> ([Option<usize>; 8], [SearchCost; 8]) {
        let (mut nearest, mut costs) = ([None; 8], [SearchCost::default(); 8]);
        // Points that are close together test the same obstacles.
        let (mut cached, mut count) = ([(0, [0.0; 8]); MAX_CACHED], 0);
        for lane in lanes(active) {
            let point = point(points, lane);
            let mut distance = |number: usize, obstacle: &Obstacle| {
                if let Some((_, distances)) = cached[..count].iter().find(|(of, _)| *of == number) {
                    return distances[lane];
                }
                let Some(free) = cached.get_mut(count) else {
                    return obstacle.distance_to(point);
                };
                *free = (number, obstacle.distances_to(points));
                count += 1;
                free.1[lane]
            };
            let found = self.find_nearest(point, &mut costs[lane], &mut distance);
            nearest[lane] = found.map(|found| found.obstacle);
        }
        (nearest, costs)
    }
}

/// Returns, for each box of a node, the mask of the active points that are within their limits of it, squared distances.
fn near_boxes(boxes: &Boxes, (points, limits): (&[Lanes; 3], &Lanes), period: Vec3, active: u8) -> [u8; 8] {
    let mut near = [0; 8];
    if active.count_ones() > MAX_SCALAR {
        for (number, near) in near.iter_mut().enumerate() {
            let squares = boxes.squared_distances_from(number, points, period);
            for lane in 0..8 {
                *near |= u8::from(bound(squares[lane]) <= limits[lane]) << lane;
            }
        }
    } else {
        for lane in lanes(active) {
            let squares = boxes.squared_distances_to(point(points, lane), period);
            for (near, square) in near.iter_mut().zip(squares) {
                *near |= u8::from(bound(square) <= limits[lane]) << lane;
            }
        }
    }
    near
}

/// The indices of the set bits.
fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |lane| mask >> lane & 1 == 1)
}

fn point(points: &[Lanes; 3], lane: usize) -> Vec3 {
    Vec3::from(points.map(|of| of[lane]))
}
