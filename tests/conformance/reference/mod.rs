//! The rules in double precision, written from their formulas and not from the scripts.

pub(crate) mod aidemo4;
pub(crate) mod craft;
pub(crate) mod fish;
pub(crate) mod heading;

use std::cell::Cell;

use glam::DVec3;

/// Relative distance from a discontinuity within which rounding may decide.
const NEAR: f64 = 1e-4;

/// Records whether a result depends on rounding.
///
/// The rules are discontinuous: a sign changes, a unit enters a view, a radius is crossed. The crate computes in single
/// precision, so close to a discontinuity both sides of it are correct, and the unit is skipped.
#[derive(Default)]
pub(crate) struct Doubt(Cell<bool>);

impl Doubt {
    pub(crate) fn any(&self) -> bool {
        self.0.get()
    }

    pub(crate) fn note(&self, doubtful: bool) {
        self.0.set(self.0.get() || doubtful);
    }

    /// Returns true if `a` is less than `b`.
    pub(crate) fn less(&self, a: f64, b: f64) -> bool {
        self.note((a - b).abs() < NEAR * a.abs().max(b.abs()));
        a < b
    }

    /// −1, 0 or +1, for a component of a vector of length `scale`.
    pub(crate) fn sign(&self, part: f64, scale: f64) -> f64 {
        self.note(part.abs() < NEAR * scale);
        if part == 0.0 { 0.0 } else { part.signum() }
    }

    /// Normalizes; doubtful below the length `least`, where rounding changes the direction. Zero remains zero.
    pub(crate) fn direction(&self, v: DVec3, least: f64) -> DVec3 {
        self.note(v != DVec3::ZERO && v.length() < least);
        v.normalize_or_zero()
    }

    /// Returns the nearest by distance; doubtful if another one is equally near.
    pub(crate) fn nearest<T: Copy>(&self, all: impl Iterator<Item = (f64, T)>) -> Option<(f64, T)> {
        let mut all: Vec<_> = all.collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let [first, second, ..] = all.as_slice() {
            self.less(first.0, second.0);
        }
        all.first().copied()
    }
}
