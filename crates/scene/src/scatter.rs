//! Random placement of obstacles without overlap, as far as there is space.

use glam::{Vec2, Vec3};
use steerbox_core::world::{Arena, Domain, Extrema, Obstacle, Solid, random};

use super::{plan::Scatter, spawn::in_ball};

/// Key of these draws instead of a behavior's.
const SCATTER: u64 = u64::MAX - 1;
/// Number of attempts per obstacle; if all overlap, the one with the greatest gap is used.
const TRIES: u32 = 64;
/// Maximum number of distance computations for a world; beyond it the first attempt is used.
const MEASUREMENTS: usize = 20_000_000;

/// Places obstacles among existing ones.
pub(super) struct Placer<'a> {
    arena: &'a Arena,
    seed: u64,
    existing: Vec<Obstacle>,
    left: usize,
}

impl<'a> Placer<'a> {
    pub(super) fn new(arena: &'a Arena, seed: u64, existing: Vec<Obstacle>) -> Self {
        Self { arena, seed, existing, left: MEASUREMENTS }
    }

    /// Places the obstacles of `entry`, which has index `number` in its scene, and adds them to the existing ones.
    pub(super) fn place(&mut self, entry: &Scatter, number: usize) -> Vec<Obstacle> {
        let first = self.existing.len();
        for index in 0..entry.count {
            let center = self.center(entry, number as u64, index as u64);
            let radius = entry.radius;
            self.existing
                .push(Obstacle { period: self.arena.period(), ..Solid::Ball { center, radius }.into() });
        }
        self.existing[first..].to_vec()
    }

    fn center(&mut self, entry: &Scatter, number: u64, index: u64) -> Vec3 {
        let mut best = (f32::NEG_INFINITY, self.arena.center());
        for attempt in 0..TRIES {
            let draw = |n| random::draw(self.seed, number, index, SCATTER, attempt * 3 + n);
            let point = within(self.arena, entry.margin, draw);
            if self.left < self.existing.len() {
                return point;
            }
            self.left -= self.existing.len();
            let gap = self
                .existing
                .iter()
                .map(|obstacle| obstacle.distance_to(point) - entry.radius)
                .fold(f32::INFINITY, f32::lesser);
            if gap > 0.0 {
                return point;
            }
            if gap > best.0 {
                best = (gap, point);
            }
        }
        best.1
    }
}

/// Returns a uniform random point of the world at least `margin` from its edge.
fn within(arena: &Arena, margin: f32, draw: impl Fn(u32) -> f32) -> Vec3 {
    match arena.domain {
        Domain::Plane { size } => {
            let margin = Vec2::splat(margin).min(size * 0.5);
            let point = margin + (size - 2.0 * margin) * Vec2::new(draw(0), draw(1));
            point.extend(0.0)
        }
        Domain::Space { center, radius } => center + in_ball((radius - margin).greater(0.0), draw),
    }
}
