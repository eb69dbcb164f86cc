//! Searches about eight points at once: each finds and costs what a search by itself does.

use glam::Vec3;

use super::{NearObstacle, Obstacles, SearchCost, bound, is_too_far};
use crate::world::obstacle::Obstacle;

/// A number for each point.
type Lanes = [f32; 8];

/// Obstacles whose distances from all points are kept while the points are searched about.
const KEPT: usize = 8;

/// Points of which so many are asked about one by one.
const FEW: u32 = 2;

impl Obstacles {
    /// As [`Obstacles::within`] about each of eight points, a lane each by component, whose bit is set in `asking`.
    /// Leaves in `found` lanes and obstacles, in the order of the lanes.
    pub fn within_each(
        &self,
        points: &[Lanes; 3],
        reaches: &Lanes,
        asking: u8,
        found: &mut Vec<(usize, NearObstacle)>,
    ) -> [SearchCost; 8] {
        found.clear();
        let mut costs = [SearchCost::default(); 8];
        let (list, tree) = (&self.0.list, &self.0.tree);
        let mut ask = |number: usize, asked: u8| {
            let obstacle = &list[number];
            let pieces = obstacle.solid.pieces() as u64;
            let distances = (asked.count_ones() > FEW).then(|| obstacle.distances_to(points));
            for lane in lanes(asked) {
                costs[lane].pieces += pieces;
                let by_itself = || obstacle.distance_to(point(points, lane));
                let distance = distances.map_or_else(by_itself, |distances| distances[lane]);
                if distance <= reaches[lane] {
                    found.push((lane, NearObstacle { obstacle: number, distance }));
                }
            }
        };
        let far = lanes(asking).filter(|lane| is_too_far(point(points, *lane)));
        let far = far.fold(0, |far, lane| far | 1 << lane);
        if far != 0 {
            (0..list.len()).for_each(|number| ask(number, far));
        }
        let near = asking & !far;
        for number in &self.0.unbounded {
            ask(*number as usize, near);
        }
        let limits = reaches.map(|reach| reach.max(0.0) * reach.max(0.0));
        let boxes = tree.search_each(
            near,
            |boxes, asked| {
                let mut near = [0; 8];
                if asked.count_ones() > FEW {
                    for (number, near) in near.iter_mut().enumerate() {
                        let squares = boxes.squared_distances_from(number, points);
                        for lane in 0..8 {
                            *near |= u8::from(bound(squares[lane]) <= limits[lane]) << lane;
                        }
                    }
                } else {
                    for lane in lanes(asked) {
                        let squares = boxes.squared_distances_to(point(points, lane));
                        for (near, square) in near.iter_mut().zip(squares) {
                            *near |= u8::from(bound(square) <= limits[lane]) << lane;
                        }
                    }
                }
                near
            },
            |number, asked| ask(number as usize, asked),
        );
        for (cost, boxes) in costs.iter_mut().zip(boxes) {
            cost.boxes = boxes;
        }
        found.sort_unstable_by(|(a, one), (b, other)| a.cmp(b).then(one.order(other)));
        costs
    }

    /// As [`Obstacles::nearest`] to each of eight points, a lane each by component, whose bit is set in `asking`.
    pub fn nearest_to_each(&self, points: &[Lanes; 3], asking: u8) -> ([Option<usize>; 8], [SearchCost; 8]) {
        let (mut nearest, mut costs) = ([None; 8], [SearchCost::default(); 8]);
        // Points that are near each other ask the same obstacles.
        let (mut kept, mut count) = ([(0, [0.0; 8]); KEPT], 0);
        for lane in lanes(asking) {
            let point = point(points, lane);
            let mut distance = |number: usize, obstacle: &Obstacle| {
                if let Some((_, distances)) = kept[..count].iter().find(|(of, _)| *of == number) {
                    return distances[lane];
                }
                let Some(free) = kept.get_mut(count) else {
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

/// The lanes whose bits are set.
fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |lane| mask >> lane & 1 == 1)
}

fn point(points: &[Lanes; 3], lane: usize) -> Vec3 {
    Vec3::from(points.map(|of| of[lane]))
}
