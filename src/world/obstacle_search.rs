//! Questions about all obstacles of a world.

use glam::Vec3;

use super::obstacle::Hit;
use super::state::World;

/// Where a ray first meets any obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Distance, point and normal.
    pub hit: Hit,
}

/// An obstacle near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearObstacle {
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Distance to its surface: negative where it is solid.
    pub distance: f32,
}

impl World {
    /// Where a ray from `from` along `direction` (any length) first meets an obstacle within `length`; of
    /// equally near ones the first. A ray that starts where one is solid meets it at once.
    pub fn first_hit(&self, from: Vec3, direction: Vec3, length: f32) -> Option<RayHit> {
        let (mut first, mut left) = (None, length);
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            if !obstacle.may_be_within(left + obstacle.tolerance(), from) {
                continue;
            }
            let hit = obstacle.ray(from, direction, left);
            if let Some(hit) = hit.filter(|hit| first.is_none() || hit.distance < left) {
                left = hit.distance;
                let obstacle = index;
                first = Some(RayHit { obstacle, hit });
            }
        }
        first
    }

    /// Leaves in `near` the obstacles whose surface is within `reach` of a point, or in which it is,
    /// nearest first, equally near ones in the order of their index.
    pub fn obstacles_within(&self, point: Vec3, reach: f32, near: &mut Vec<NearObstacle>) {
        near.clear();
        for (obstacle, it) in self.obstacles.iter().enumerate() {
            if it.may_be_within(reach, point) {
                let distance = it.distance_to(point);
                if distance <= reach {
                    near.push(NearObstacle { obstacle, distance });
                }
            }
        }
        // By index as well: a stable sort would allocate.
        near.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.obstacle.cmp(&b.obstacle)));
    }

    /// Whether nothing solid is between two points, nor at the first of them.
    pub fn is_free(&self, from: Vec3, to: Vec3) -> bool {
        if from == to {
            return self.obstacles.iter().all(|obstacle| obstacle.distance_to(from) > 0.0);
        }
        self.first_hit(from, to - from, from.distance(to)).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Obstacle, Solid};

    fn ball(x: f32, radius: f32) -> Obstacle {
        Solid::ball(Vec3::X * x, radius).into()
    }

    fn world(obstacles: &[Obstacle]) -> World {
        World { obstacles: obstacles.to_vec(), ..World::default() }
    }

    #[test]
    fn a_ray_meets_the_first_of_all_obstacles() {
        let world = world(&[ball(9.0, 1.0), ball(5.0, 1.0), ball(5.0, 1.0), ball(-3.0, 1.0)]);
        let first = world.first_hit(Vec3::ZERO, Vec3::X * 7.0, 20.0).unwrap();
        assert_eq!((first.obstacle, first.hit.normal), (1, Vec3::NEG_X));
        assert!((first.hit.distance - 4.0).abs() < 1e-3);
        let alone = world.obstacles[1].ray(Vec3::ZERO, Vec3::X, 20.0);
        assert_eq!(Some(first.hit), alone, "the same bits as of the obstacle alone");
        assert_eq!(world.first_hit(Vec3::ZERO, Vec3::X, 3.9), None);
        assert_eq!(world.first_hit(Vec3::ZERO, Vec3::Y, 99.0), None);
        assert_eq!(world.first_hit(Vec3::ZERO, Vec3::ZERO, 99.0), None);
        let inside = world.first_hit(Vec3::X * 9.5, Vec3::X, 20.0).unwrap();
        assert_eq!((inside.obstacle, inside.hit.distance), (0, 0.0));
    }

    #[test]
    fn obstacles_near_a_point_are_sorted_by_the_distance_to_their_surface() {
        let mut hollow = ball(0.0, 6.0);
        hollow.inside_out = true;
        let world = world(&[ball(3.0, 1.0), ball(-9.0, 1.0), ball(-3.0, 1.0), hollow, ball(2.0, 2.5)]);
        let mut near = Vec::new();
        for (reach, expected) in [(2.0, &[4, 0, 2][..]), (6.0, &[4, 0, 2, 3]), (-1.0, &[])] {
            world.obstacles_within(Vec3::ZERO, reach, &mut near);
            let found: Vec<_> = near.iter().map(|it| it.obstacle).collect();
            assert_eq!(found, expected, "within {reach}");
        }
        world.obstacles_within(Vec3::ZERO, 2.0, &mut near);
        assert_eq!([near[0].distance, near[1].distance], [-0.5, 2.0]);
    }

    #[test]
    fn a_segment_is_free_unless_something_solid_is_between() {
        let world = world(&[ball(3.0, 1.0)]);
        for (from, to, free) in [
            (Vec3::ZERO, Vec3::X * 9.0, false),
            (Vec3::ZERO, Vec3::X * 1.9, true),
            (Vec3::X * 9.0, Vec3::X * 4.1, true),
            (Vec3::Y * 2.0, Vec3::new(9.0, 2.0, 0.0), true),
            (Vec3::ZERO, Vec3::ZERO, true),
            (Vec3::X * 3.0, Vec3::X * 3.0, false),
            (Vec3::X * 3.0, Vec3::X * 9.0, false),
        ] {
            assert_eq!(world.is_free(from, to), free, "{from} to {to}");
        }
    }
}
