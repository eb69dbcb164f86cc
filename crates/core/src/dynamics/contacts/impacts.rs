//! New velocities of units in contact: reflections, then the projection that no contact violates.
//!
//! Reflections follow B. Smith, D. Kaufman, E. Vouga, R. Tamstorf and E. Grinspun, "Reflections on simultaneous
//! impact", ACM Transactions on Graphics 31, 2012: all approaching contacts are projected at once, and the change is
//! multiplied by one plus the restitution. Symmetric impacts have symmetric results, and an impact travels along a row of
//! units, as a contact takes part only once its units approach each other.

use glam::Vec3;

use super::projection::{Constraint, Projection};
use crate::world::Extrema;

/// Maximum number of reflections; beyond it the rest of the impact is inelastic.
const MAX_REFLECTIONS: usize = 128;
/// Speed of approach that is accepted, relative to the greatest one.
const TOLERANCE: f32 = 1e-2;
/// The same in reflections.
const TOLERANCE_OF_REFLECTION: f32 = 1e-4;

/// A contact of two units, or of a unit and an obstacle; its values are velocities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    pub(super) constraint: Constraint,
    pub(super) restitution: f32,
}

/// Solves the impacts of an island. Buffers are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpactSolver {
    pub(super) impacts: Vec<Impact>,
    active: Projection,
    before: Vec<Vec3>,
}

impl ImpactSolver {
    /// Changes velocities until the units of no contact approach each other. The impulses of inelastic contacts are the first
    /// approximation. Weights are inverse masses; the first velocity and weight belong to [`super::projection::FIXED`].
    pub(super) fn solve(&mut self, velocity: &mut [Vec3], weight: &[f32]) {
        let approach =
            self.impacts.iter().map(|it| -it.constraint.distance(velocity)).fold(0.0, f32::greater);
        if approach <= 0.0 {
            return;
        }
        for _ in 0..MAX_REFLECTIONS {
            let mut any = false;
            // Contacts of one restitution at a time: together they could gain energy.
            let mut last = 0.0;
            while let Some(restitution) = self.next_restitution(last) {
                any |= self.reflect(velocity, weight, restitution, approach * TOLERANCE_OF_REFLECTION);
                last = restitution;
            }
            if !any {
                break;
            }
        }
        self.active.constraints.clear();
        self.active.constraints.extend(self.impacts.iter().map(|it| it.constraint));
        let is_inelastic = self.next_restitution(0.0).is_none();
        for it in &mut self.active.constraints {
            let impulse = std::mem::take(&mut it.impulse);
            if is_inelastic {
                it.tolerance = it.tolerance.greater(approach * TOLERANCE);
                it.push(velocity, impulse);
            } else {
                it.tolerance = approach * TOLERANCE;
            }
        }
        self.active.project(velocity);
    }

    /// Returns the least restitution above `last`.
    fn next_restitution(&self, last: f32) -> Option<f32> {
        let above = self.impacts.iter().map(|it| it.restitution).filter(|it| *it > last);
        above.min_by(f32::total_cmp)
    }

    /// Reflects the velocities at the approaching contacts of a restitution. Returns true if there are any.
    fn reflect(&mut self, velocity: &mut [Vec3], weight: &[f32], restitution: f32, tolerance: f32) -> bool {
        self.active.constraints.clear();
        let same = self.impacts.iter().filter(|it| it.restitution == restitution);
        let approaching = same.filter(|it| it.constraint.distance(velocity) < -tolerance);
        self.active.constraints.extend(approaching.map(|it| Constraint {
            tolerance,
            impulse: 0.0,
            ..it.constraint
        }));
        if self.active.constraints.is_empty() {
            return false;
        }
        self.before.clear();
        self.before.extend_from_slice(velocity);
        self.active.project(velocity);
        let excess = 1.0 + restitution;
        let factor =
            if self.active.constraints.len() == 1 || self.active.constraints.iter().any(|it| it.gap != 0.0) {
                excess
            } else {
                excess * self.exactness(velocity, weight)
            };
        for (velocity, before) in velocity.iter_mut().zip(&self.before) {
            if *velocity != *before {
                *velocity = *before + (*velocity - *before) * factor;
            }
        }
        true
    }

    /// Returns the factor on the change of velocities for which it removes exactly its own kinetic energy, as the exact
    /// projection does. It differs from 1 by the tolerance of the projection.
    fn exactness(&self, velocity: &[Vec3], weight: &[f32]) -> f32 {
        let (mut along, mut square) = (0.0, 0.0);
        for ((velocity, before), weight) in velocity.iter().zip(&self.before).zip(weight) {
            let (before, change) = (before.as_dvec3(), (*velocity - *before).as_dvec3());
            if *weight > 0.0 {
                along -= before.dot(change) / f64::from(*weight);
                square += change.length_squared() / f64::from(*weight);
            }
        }
        if square > 0.0 { (along / square).limited(0.5, 2.0) as f32 } else { 1.0 }
    }
}
