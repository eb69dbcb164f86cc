//! Random states of the shipped scenes against the references.
//!
//! The references start from the very numbers that the crate holds, so that only its arithmetic
//! differs from theirs. Contributions must agree to one part in ten thousand of themselves or of
//! the scale of steering, whichever is more. Of a state it is the change in the step that must
//! agree so well, beside the last digits that single precision has for a coordinate: the
//! coordinates themselves would hide it. A unit within rounding of a jump of the rules is left out,
//! and counts make sure that few are and that every rule was at work.

mod aidemo4;
mod fish;
mod heading;

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec3};

const TOLERANCE: f64 = 1e-4;
/// Rounding of a coordinate near the far end of a world, in the few operations of a step.
const DIGITS: f64 = 4.0 * f32::EPSILON as f64;

fn exact(v: Vec3) -> DVec2 {
    v.as_dvec3().truncate()
}

/// Compares to one part in ten thousand, of the expected value or of `scale`.
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

/// Compares what a step changed, `scale` being a change that counts.
fn changed(what: &str, before: DVec3, found: Vec3, expected: DVec3, scale: f64) {
    let bound = TOLERANCE * (expected - before).length().max(scale) + DIGITS * expected.length();
    let error = (found.as_dvec3() - expected).length();
    assert!(error <= bound, "{what}: {found} instead of {expected}, from {before}");
}

/// How often each rule asked for something, and how many units were compared or left out.
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

    /// Fails unless every rule was at work `least` times and few units were left out.
    fn check(&self, least: usize) {
        assert!(self.left_out * 10 < self.compared, "too many left out: {self:?}");
        assert!(self.at_work.values().all(|times| *times >= least), "{self:?}");
    }
}
