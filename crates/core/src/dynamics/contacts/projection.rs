//! Projection onto half-spaces: the state nearest to the given one, weighted by mass, that violates no constraint.
//!
//! Sequential impulses, that is the projected Gauss–Seidel method, with momentum between sweeps: Y. Nesterov, 1983, with
//! the restart of B. O'Donoghue and E. Candès, "Adaptive restart for accelerated gradient schemes", 2015. A chain of n
//! contacts is solved in about 2 n sweeps; without momentum the number grows with the square of n.

use glam::Vec3;

use crate::world::Extrema;

/// The index that stands for everything that contacts do not move. Its value is zero.
pub(super) const FIXED: u32 = 0;
/// Maximum number of sweeps if their visits exceed [`MAX_VISITS`].
const MAX_SWEEPS: usize = 128;
/// Maximum number of sweeps over few constraints.
const MAX_SWEEPS_OF_CHAINS: usize = 512;
/// Number of visits of constraints up to which there are more than [`MAX_SWEEPS`].
const MAX_VISITS: usize = 1 << 16;
/// Maximum number of sweeps over more constraints per unit than hulls that do not overlap can have.
const MAX_SWEEPS_OF_PILES: usize = 16;
/// The constraints per unit beyond which a pile is assumed: it cannot be separated within one step.
const PILE: usize = 8;

/// A half-space of the difference of two values: normal · (second − first) + gap ≥ 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint {
    /// Indices of the values. The second one is not [`FIXED`].
    pub(super) units: [u32; 2],
    pub(super) normal: Vec3,
    /// The parts of a correction by which the first value moves backward and the second one forward. Their sum is 1.
    pub(super) shares: [f32; 2],
    pub(super) gap: f32,
    /// Violation that is accepted.
    pub(super) tolerance: f32,
    /// The total correction along the normal, not negative.
    pub(super) impulse: f32,
    /// The same after the previous sweep.
    pub(super) previous: f32,
}

impl Constraint {
    pub(super) fn new(units: [u32; 2], normal: Vec3, weights: [f32; 2]) -> Self {
        let first = weights[0] / (weights[0] + weights[1]);
        let shares = [first, 1.0 - first];
        Self { units, normal, shares, gap: 0.0, tolerance: 0.0, impulse: 0.0, previous: 0.0 }
    }

    /// Returns the distance to the boundary; negative if the constraint is violated.
    pub(super) fn distance(&self, values: &[Vec3]) -> f32 {
        let [first, second] = self.units.map(|unit| values[unit as usize]);
        (second - first).dot(self.normal) + self.gap
    }

    /// Adds an impulse, and moves both values.
    pub(super) fn push(&mut self, values: &mut [Vec3], by: f32) {
        self.set_impulse(values, self.impulse, self.impulse + by);
    }

    /// Moves both values to the boundary. They already contain the impulse of the last sweep and the momentum. Returns the
    /// change of the impulse.
    fn visit(&mut self, values: &mut [Vec3], momentum: f32) -> f32 {
        let contained = self.impulse + momentum * (self.impulse - self.previous);
        self.previous = self.impulse;
        self.set_impulse(values, contained, contained - self.distance(values))
    }

    /// Replaces the impulse that both values contain by `next`, as far as it is not negative. Returns the change.
    fn set_impulse(&mut self, values: &mut [Vec3], contained: f32, next: f32) -> f32 {
        self.impulse = next.greater(0.0);
        let change = self.impulse - contained;
        let [first, second] = self.units.map(|unit| unit as usize);
        // Without this branch, an infinite change would make the fixed value NaN.
        if self.units[0] != FIXED {
            values[first] -= self.normal * (change * self.shares[0]);
        }
        values[second] += self.normal * (change * self.shares[1]);
        change
    }
}

/// Constraints and the buffer of their projection.
#[derive(Clone, Debug, Default)]
pub(super) struct Projection {
    pub(super) constraints: Vec<Constraint>,
    /// The values after the previous sweep.
    reached: Vec<Vec3>,
}

impl Projection {
    /// Moves values out of violated half-spaces, from the impulses that the constraints have. The order of constraints
    /// affects the result within the tolerances.
    pub(super) fn project(&mut self, values: &mut [Vec3]) {
        let Self { constraints, reached } = self;
        for it in &mut *constraints {
            it.previous = it.impulse;
        }
        reached.clear();
        reached.extend_from_slice(values);
        // The number of sweeps since the momentum was zero.
        let mut age = 0.0;
        for _ in 0..max_sweeps(constraints.len(), values.len()) {
            let momentum = age / (age + 2.0);
            for (value, reached) in values.iter_mut().zip(&mut *reached) {
                let before = std::mem::replace(reached, *value);
                *value += (*reached - before) * momentum;
            }
            let (mut settled, mut uphill) = (true, 0.0);
            for it in &mut *constraints {
                let change = it.visit(values, momentum);
                settled &= change.abs() <= it.tolerance;
                uphill -= change * (it.impulse - it.previous);
            }
            if settled || constraints.len() == 1 {
                return;
            }
            age = if uphill > 0.0 { 0.0 } else { age + 1.0 };
        }
    }
}

fn max_sweeps(constraints: usize, values: usize) -> usize {
    if constraints > PILE * values {
        return MAX_SWEEPS_OF_PILES;
    }
    (MAX_VISITS / constraints.max(1)).clamp(MAX_SWEEPS, MAX_SWEEPS_OF_CHAINS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of values, each of which must be at least 1 beyond the previous one, and the last one at most `end`.
    fn chain(values: usize, end: f32) -> (Projection, Vec<Vec3>) {
        let link = |units, weights, gap| Constraint {
            gap,
            tolerance: 1e-4,
            ..Constraint::new(units, Vec3::X, weights)
        };
        let mut constraints: Vec<_> =
            (1..values as u32).map(|unit| link([unit, unit + 1], [1.0, 1.0], -1.0)).collect();
        constraints.push(Constraint { normal: Vec3::NEG_X, ..link([FIXED, values as u32], [0.0, 1.0], end) });
        let start = (0..=values).map(|unit| Vec3::X * unit as f32);
        (Projection { constraints, ..Projection::default() }, start.collect())
    }

    #[test]
    fn a_chain_is_pushed_back_as_a_whole_within_the_sweeps() {
        for (length, back) in [(2, 0.5), (20, 0.1), (60, 0.1), (180, 0.1)] {
            let (mut projection, mut values) = chain(length, length as f32 - back);
            projection.project(&mut values);
            for (unit, value) in values.iter().enumerate().skip(1) {
                let error = value.x - (unit as f32 - back);
                assert!(error.abs() < 5e-3, "{unit} of {length}: {error}");
            }
            assert_eq!(values[0], Vec3::ZERO);
        }
    }

    #[test]
    fn a_projection_moves_masses_about_their_center_and_stops_at_the_boundary() {
        let constraint = Constraint { gap: -1.0, ..Constraint::new([1, 2], Vec3::X, [1.0, 0.25]) };
        let mut projection = Projection { constraints: vec![constraint], ..Projection::default() };
        let mut values = [Vec3::ZERO, Vec3::ZERO, Vec3::X * 0.5];
        projection.project(&mut values);
        assert_eq!(values.map(|it| it.x), [0.0, -0.4, 0.6]);
        // No impulse pulls.
        projection.project(&mut values.map(|it| it * 3.0));
        assert!(projection.constraints[0].impulse >= 0.0);
    }
}
