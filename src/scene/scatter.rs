//! Obstacles placed at random where they overlap nothing, as far as there is room.

use glam::{Vec2, Vec3};

use super::{plan::Scatter, spawn::in_ball};
use crate::world::{Arena, Domain, Obstacle, Solid, random};

/// What these draws are made under, in place of a behavior.
const SCATTER: u64 = u64::MAX - 1;
/// Places tried for one obstacle; the roomiest is taken if all overlap something.
const TRIES: u32 = 64;
/// Distances measured for all obstacles of a world; past them the first place tried is taken.
const MEASUREMENTS: usize = 20_000_000;

/// Places obstacles among those that stand.
pub(super) struct Placer<'a> {
    arena: &'a Arena,
    seed: u64,
    standing: Vec<Obstacle>,
    left: usize,
}

impl<'a> Placer<'a> {
    pub(super) fn new(arena: &'a Arena, seed: u64, standing: Vec<Obstacle>) -> Self {
        Self { arena, seed, standing, left: MEASUREMENTS }
    }

    /// The obstacles of `entry`, the `number`th of its scene. From here on they stand, too.
    pub(super) fn place(&mut self, entry: &Scatter, number: usize) -> Vec<Obstacle> {
        let first = self.standing.len();
        for index in 0..entry.count {
            let center = self.center(entry, number as u64, index as u64);
            let radius = entry.radius;
            self.standing.push(Solid::Ball { center, radius }.into());
        }
        self.standing[first..].to_vec()
    }

    fn center(&mut self, entry: &Scatter, number: u64, index: u64) -> Vec3 {
        let mut best = (f32::NEG_INFINITY, self.arena.center());
        for attempt in 0..TRIES {
            let draw = |n| random::draw(self.seed, number, index, SCATTER, attempt * 3 + n);
            let point = within(self.arena, entry.margin, draw);
            if self.left < self.standing.len() {
                return point;
            }
            self.left -= self.standing.len();
            let gap = self
                .standing
                .iter()
                .map(|obstacle| obstacle.distance_to(point) - entry.radius)
                .fold(f32::INFINITY, f32::min);
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

/// A point of the world at least `margin` from its edge, evenly.
fn within(arena: &Arena, margin: f32, draw: impl Fn(u32) -> f32) -> Vec3 {
    match arena.domain {
        Domain::Plane { size } => {
            let margin = Vec2::splat(margin).min(size * 0.5);
            let point = margin + (size - 2.0 * margin) * Vec2::new(draw(0), draw(1));
            point.extend(0.0)
        }
        Domain::Space { center, radius } => center + in_ball((radius - margin).max(0.0), draw),
    }
}
