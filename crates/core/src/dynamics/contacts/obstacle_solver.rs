//! Contacts of units with obstacles: stop, slide or bounce along the path from one position to the next.

use glam::Vec3;

use super::free_ball::FreeBall;
use super::march::{Move, Touch, normal, skin};
use crate::dynamics::motion::Motion;
use crate::world::{Arena, Around, Contact, Extrema, Obstacle, Obstacles};

/// Maximum number of deflections of a move in one step.
const MAX_DEFLECTIONS: usize = 4;
/// Maximum number of depenetration iterations in one step.
const MAX_PUSHES: usize = 4;

/// Obstacles and the contact response of a ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObstacleSolver<'a> {
    pub(super) obstacles: &'a Obstacles,
    pub(super) contact: Contact,
    /// Radius of the ball.
    pub(super) radius: f32,
    /// A ball known to be free of obstacles.
    pub(super) free: FreeBall,
    /// True if normals are restricted to the plane.
    pub(super) flat: bool,
}

/// A surface near a ball, as the half-space outside of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// The distance of the ball from the position in which it rests at the surface.
    pub(super) gap: f32,
    /// Outward normal of the obstacle, a unit vector.
    pub(super) normal: Vec3,
    /// Velocity of the obstacle.
    pub(super) velocity: Vec3,
    /// True if the ball touches it.
    pub(super) is_touched: bool,
    /// True if the half-space may contain other parts of the obstacle.
    pub(super) is_concave: bool,
}

impl<'a> ObstacleSolver<'a> {
    /// A solver for a point; see [`ObstacleSolver::for_ball`].
    pub(super) fn new(arena: &Arena, obstacles: &'a Obstacles, contact: Contact) -> Self {
        let flat = arena.is_plane();
        Self { obstacles, contact, radius: 0.0, free: FreeBall::default(), flat }
    }

    /// Returns true if there are obstacles with a contact response.
    pub(super) fn is_needed(&self) -> bool {
        self.contact != Contact::None && !self.obstacles.is_empty()
    }

    /// Returns the solver for a ball and the free ball around it.
    pub(super) fn for_ball(self, radius: f32, free: FreeBall) -> Self {
        Self { radius, free, ..self }
    }

    /// Returns the solver among the obstacles of a carrier, if it is one.
    #[inline]
    pub(super) fn for_carrier(self, seen: Option<&'a Obstacles>) -> Self {
        Self { obstacles: seen.unwrap_or(self.obstacles), ..self }
    }

    /// Moves a unit from `from` toward its position as far as possible. Returns the motion and the point of the last
    /// deflection, or `None` if the unit must return to its position before the step.
    #[inline]
    pub(super) fn travel(&self, from: Vec3, motion: Motion) -> Option<(Motion, Vec3)> {
        if self.is_free(from, motion.position) {
            Some((motion, from))
        } else {
            self.travel_among(from, motion)
        }
    }

    /// Returns true if the path is known to be free, including its end.
    #[inline]
    pub(super) fn is_free(&self, from: Vec3, to: Vec3) -> bool {
        self.contact == Contact::None || self.free.contains(from, from.distance(to) + self.radius)
    }

    /// [`ObstacleSolver::travel`] for a path that is not known to be free.
    #[inline(never)]
    pub(super) fn travel_among(&self, from: Vec3, mut motion: Motion) -> Option<(Motion, Vec3)> {
        let mut rest = motion.position - from;
        let mut at = from;
        if self.contact == Contact::Block {
            return (!self.blocks(from, rest)).then_some((motion, from));
        }
        let mut left = MAX_DEFLECTIONS;
        while let Some(touch) = self.first(at, rest) {
            let length = rest.length();
            at += rest * (touch.distance / length);
            rest *= 1.0 - touch.distance / length;
            at += self.free(at, touch.normal * touch.correction);
            rest = self.deflect(rest, touch.normal);
            motion.velocity = self.deflect_at(motion.velocity, touch.normal, touch.velocity);
            left -= 1;
            if left == 0 {
                rest = Vec3::ZERO;
            }
        }
        let corner = at;
        // Without a contact the end is exact: `from` + `rest` would round.
        if left == MAX_DEFLECTIONS {
            at = motion.position;
        } else {
            at += rest;
        }
        for _ in 0..MAX_PUSHES {
            let Some((depth, normal, velocity)) = self.deepest(at) else {
                break;
            };
            at += self.free(at, normal * depth);
            motion.velocity = self.deflect_at(motion.velocity, normal, velocity);
        }
        motion.position = at;
        Some((motion, corner))
    }

    /// Returns true if a move ends in an obstacle or passes through one. A unit inside may leave in one move.
    fn blocks(&self, from: Vec3, by: Vec3) -> bool {
        let inside = |at: Vec3| self.nearby(at).any(|it| it.distance_to(at) < self.radius);
        inside(from + by) || (self.first(from, by).is_some() && !inside(from))
    }

    /// The obstacles that a unit at `at` may touch or overlap.
    fn nearby(&self, at: Vec3) -> Around<'a> {
        self.obstacles.around(at, self.radius)
    }

    /// The nearest surface of each obstacle that is within `gap` of the ball at `at`.
    pub(super) fn walls(&self, at: Vec3, gap: f32) -> impl Iterator<Item = Wall> {
        let near = self.obstacles.around(at, self.radius + gap);
        near.map(move |obstacle| (obstacle.distance_to(at) - self.radius, obstacle))
            .filter(move |(distance, _)| *distance < gap)
            .map(move |(distance, obstacle)| {
                let skin = skin(obstacle, at.abs(), self.radius);
                Wall {
                    gap: distance - skin,
                    normal: normal(obstacle, at, self.flat),
                    velocity: obstacle.velocity,
                    is_touched: distance <= skin * 1.5,
                    is_concave: obstacle.inside_out || obstacle.solid.concave_outline().is_some(),
                }
            })
    }

    /// Returns the first contact of a move.
    fn first(&self, from: Vec3, by: Vec3) -> Option<Touch> {
        let length = by.length();
        if length == 0.0 {
            return None;
        }
        let way = Move { from, along: by / length, length, radius: self.radius, flat: self.flat };
        way.first(self.obstacles)
    }

    /// Returns the part of a move before its first contact.
    fn free(&self, from: Vec3, by: Vec3) -> Vec3 {
        match self.first(from, by) {
            Some(touch) => by * (touch.distance / by.length()),
            None => by,
        }
    }

    /// Removes the inward component of `v`, or reflects it with the restitution.
    fn deflect(&self, v: Vec3, normal: Vec3) -> Vec3 {
        let inward = v.dot(normal).lesser(0.0);
        v - normal * (inward * (1.0 + self.contact.restitution()))
    }

    /// [`ObstacleSolver::deflect`] of a velocity, relative to an obstacle with the velocity `of`.
    fn deflect_at(&self, v: Vec3, normal: Vec3, of: Vec3) -> Vec3 {
        // The sum would change the sign of a zero.
        if of == Vec3::ZERO { self.deflect(v, normal) } else { self.deflect(v - of, normal) + of }
    }

    /// Returns depth, outward normal and velocity for the obstacle with the deepest overlap.
    fn deepest(&self, at: Vec3) -> Option<(f32, Vec3, Vec3)> {
        let mut deepest: Option<(f32, &Obstacle)> = None;
        for obstacle in self.nearby(at) {
            let gap = obstacle.distance_to(at) - self.radius;
            if gap < deepest.map_or(0.0, |(gap, _)| gap) {
                deepest = Some((gap, obstacle));
            }
        }
        let (gap, obstacle) = deepest?;
        let skin = skin(obstacle, at.abs(), self.radius);
        Some((skin * 0.5 - gap, normal(obstacle, at, self.flat), obstacle.velocity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, Solid, SolidKind, testing};

    fn floor() -> Obstacle {
        Solid::Box { center: Vec3::ZERO, half: Vec3::new(100.0, 1.0, f32::INFINITY), angle: 0.0.into() }
            .into()
    }

    /// The motion of a unit that has moved by `by`.
    fn motion(from: Vec3, by: Vec3) -> Motion {
        let (heading, up) = (Vec3::X, Vec3::Z);
        Motion { position: from + by, velocity: by, heading, up, angular_velocity: Vec3::ZERO }
    }

    fn moved(contact: Contact, from: Vec3, by: Vec3) -> Option<Motion> {
        let floor = Obstacles::from_iter([floor()]);
        let solver = ObstacleSolver::new(&Arena::default(), &floor, contact);
        solver.for_ball(0.5, FreeBall::default()).travel(from, motion(from, by)).map(|(motion, _)| motion)
    }

    #[test]
    fn it_stops_slides_or_bounces() {
        let (from, by) = (Vec3::new(0.0, 2.0, 0.0), Vec3::new(4.0, -3.0, 0.0));
        assert_eq!(moved(Contact::Block, from, by), None);
        let slid = moved(Contact::Separate, from, by).unwrap();
        assert!(slid.position.abs_diff_eq(Vec3::new(4.0, 1.5, 0.0), 2e-3));
        assert!(slid.velocity.abs_diff_eq(Vec3::X * 4.0, 1e-5));
        let bounce = Contact::Bounce { restitution: 0.5 };
        let bounced = moved(bounce, from, by).unwrap();
        assert!(bounced.velocity.abs_diff_eq(Vec3::new(4.0, 1.5, 0.0), 1e-5));
        let end = Vec3::new(4.0, 2.75, 0.0);
        assert!(bounced.position.abs_diff_eq(end, 2e-3));
    }

    #[test]
    fn a_bounce_gives_the_same_zeros_on_every_processor() {
        let floor = Obstacles::from_iter([floor()]);
        let bounce = Contact::Bounce { restitution: 1.0 };
        let solver = ObstacleSolver::new(&Arena::default(), &floor, bounce);
        let solver = solver.for_ball(0.5, FreeBall::default());
        // The product with the normal is −0 first, then 0: neither is an inward velocity.
        for velocity in [Vec3::new(-1.0, -0.0, -0.0), Vec3::new(1.0, -0.0, -0.0)] {
            let bits = solver.deflect(velocity, Vec3::Y).to_array().map(f32::to_bits);
            assert_eq!(bits, velocity.to_array().map(f32::to_bits), "{velocity}");
        }
    }

    #[test]
    fn overlaps_are_pushed_out_and_free_moves_are_exact() {
        let out = moved(Contact::Separate, Vec3::Y * 1.2, Vec3::ZERO).unwrap();
        assert!((out.position.y - 1.5).abs() < 2e-3);
        let (from, by) = (Vec3::new(0.1, 7.3, 0.0), Vec3::new(0.7, 0.1, 0.0));
        let free = moved(Contact::Separate, from, by).unwrap();
        assert_eq!(free.position, from + by);
    }

    #[test]
    fn a_free_ball_changes_no_result() {
        let obstacles = Obstacles::from_iter([
            floor(),
            Obstacle { inside_out: true, ..Solid::ball(Vec3::Y * 30.0, 33.0).into() },
            Solid::ball(Vec3::new(3.0, 9.0, 0.0), 2.0).into(),
        ]);
        let mut free = FreeBall::default();
        let mut was_free = [0, 0];
        for number in 0..4000 {
            let draw = |draw| crate::world::random::draw(7, number, 0, 0, draw);
            let at = |first| Vec3::new(draw(first) * 40.0 - 20.0, draw(first + 1) * 30.0, 0.0);
            let (from, by, radius) = (at(0), at(2) * draw(4).powi(4), draw(5) * 2.0);
            let motion = motion(from, by);
            free.renew(&obstacles, from, by.length() + radius);
            was_free[usize::from(free.contains(from, by.length() + radius))] += 1;
            for contact in [Contact::Block, Contact::Separate, Contact::Bounce { restitution: 1.0 }] {
                let solver = ObstacleSolver::new(&Arena::default(), &obstacles, contact);
                let known = solver.for_ball(radius, free).travel(from, motion);
                assert_eq!(known, solver.for_ball(radius, FreeBall::default()).travel(from, motion));
            }
        }
        assert!(was_free.iter().all(|count| *count > 500), "{was_free:?}");
    }

    /// The normals of a ray are exact. A point stops before the surface, which changes the normal of a circle.
    #[test]
    fn a_point_is_reflected_by_the_surface_that_it_meets() {
        let mut bounces = 0;
        for case in 0..2000 {
            let draw = |at| crate::world::random::draw(3, case, 0, 0, at);
            let turned = |at: f32| glam::Vec2::from_angle(at).extend(0.0);
            let center = Vec3::new(900.0 * draw(0), 700.0 * draw(1), 0.0);
            let corner = |at: f32| center + turned(draw(2) * 9.0 + at) * 30.0;
            let corners = [0.0, 1.1, 2.9, 4.5].map(corner);
            let half = Vec3::new(20.0, 9.0, f32::INFINITY);
            let kind = SolidKind::ALL[case as usize % SolidKind::ALL.len()];
            let solid = testing::solid(kind, &corners, half, draw(3) * 9.0, true);
            let tolerance = if kind == SolidKind::Polygon || kind == SolidKind::Box { 1e-5 } else { 2e-3 };
            let obstacle = Obstacle::from(solid);
            let (from, by) = (center + turned(draw(4) * 9.0) * 60.0, turned(draw(5) * 9.0) * 80.0);
            let Some(hit) = obstacle.ray(from, by, 80.0) else { continue };
            let obstacles = Obstacles::from_iter([obstacle]);
            let bounce = Contact::Bounce { restitution: 1.0 };
            let arena = testing::plane(900.0, 700.0, Edges::Open);
            let solver = ObstacleSolver::new(&arena, &obstacles, bounce);
            let (moved, _) = solver.travel(from, motion(from, by)).unwrap();
            let expected = by - hit.normal * (2.0 * by.dot(hit.normal));
            if by.dot(hit.normal) < -8.0 {
                bounces += 1;
                assert!(
                    moved.velocity.abs_diff_eq(expected, tolerance * 80.0),
                    "{kind:?}: {} not {expected}",
                    moved.velocity
                );
            }
        }
        assert!(bounces > 200, "{bounces}");
    }
}
