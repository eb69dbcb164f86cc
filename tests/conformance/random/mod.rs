//! Random states of the shipped scenes against the references.
//!
//! The references start from the crate's numbers, so that only the arithmetic differs. Contributions must agree to a
//! relative error of 1e-4 of themselves or of the scale of steering, whichever is greater. For states, the change in the
//! step must agree to that error plus the rounding of coordinates in single precision; the coordinates themselves would
//! hide errors. A unit within rounding of a discontinuity of the rules is skipped; counts ensure that few are skipped and
//! that every rule was active.

mod aidemo4;
mod fish;
mod heading;

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec3};

const TOLERANCE: f64 = 1e-4;
/// Rounding of a coordinate at the far end of a world, over the few operations of a step.
const DIGITS: f64 = 4.0 * f32::EPSILON as f64;

fn exact(v: Vec3) -> DVec2 {
    v.as_dvec3().truncate()
}

/// Compares with a relative error of 1e-4 of the expected value or of `scale`.
fn close(what: &str, found: f64, expected: f64, scale: f64) {
    let bound = TOLERANCE * expected.abs().max(scale);
    let error = (found - expected).abs();
    assert!(error <= bound, "{what}: {found} instead of {expected}");
}

fn close_vector(what: &str, found: DVec3, expected: DVec3, scale: f64) {
    let bound = TOLERANCE * expected.length().max(scale);
    let error = (found - expected).length();
    assert!(error <= bound, "{what}: {found} instead of {expected}");
}

/// Compares the change in a step; `scale` is a significant change.
fn changed(what: &str, before: DVec3, found: Vec3, expected: DVec3, scale: f64) {
    let bound = TOLERANCE * (expected - before).length().max(scale) + DIGITS * expected.length();
    let error = (found.as_dvec3() - expected).length();
    assert!(error <= bound, "{what}: {found} instead of {expected}, from {before}");
}

/// Number of times that each rule was active, and numbers of compared and skipped units.
#[derive(Debug, Default)]
struct Count {
    compared: usize,
    left_out: usize,
    at_work: BTreeMap<&'static str, usize>,
}

impl Count {
    fn note(&mut self, rule: &'static str, at_work: bool) {
        *self.at_work.entry(rule).or_default() += usize::from(at_work);
    }

    /// Asserts that every rule was active at least `least` times and few units were skipped.
    fn check(&self, least: usize) {
        assert!(self.left_out * 10 < self.compared, "too many left out: {self:?}");
        assert!(self.at_work.values().all(|times| *times >= least), "{self:?}");
    }
}
