//! The durations of the steps of a world: whole steps of each duration that `step` had.
//!
//! A world counts steps, not seconds, so that time does not accumulate rounding errors. A duration that changes while the
//! world runs applies to later steps; earlier ones retain theirs.
//!
//! A step of 0.1 s is the nearest 32-bit number, which exceeds 0.1. Forces and `time` of scripts are computed from that
//! number. Tables, and periods that steps divide, refer to the decimal number in the file: [`decimal`].

use std::sync::Arc;

/// Relative rounding error of 64-bit times that periods tolerate.
pub(super) const ROUNDING: f64 = 1e-12;
/// Maximum number of digits after the point of a [`decimal`].
const DIGITS: u32 = 12;

/// The durations of the steps of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    /// The steps before the last change of the duration.
    pub(super) past: PastSteps,
    /// The duration of a step after them, in seconds.
    pub(super) step: f32,
}

/// The steps of a world before the last change of their duration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PastSteps(Arc<[Span]>);

/// Successive steps of equal duration.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    /// The number of steps of the world up to its end.
    end: u64,
    /// The duration of a step in seconds.
    step: f32,
    /// Seconds up to its end, by each [`Scale`].
    seconds: [f64; 2],
}

/// The number that the duration of a step is taken for.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    /// The 32-bit number.
    Binary,
    /// The decimal number.
    Decimal,
}

impl Scale {
    fn of(self, step: f32) -> f64 {
        match self {
            Self::Binary => f64::from(step),
            Self::Decimal => decimal(step),
        }
    }
}

impl PastSteps {
    /// Creates past steps from the durations and the number of steps up to the end of each. `None` if the numbers do not
    /// increase or exceed `steps`, or a duration is not above zero.
    pub fn new(spans: &[(u64, f32)], steps: u64) -> Option<Self> {
        let mut past = Self::default();
        for (end, step) in spans.iter().copied() {
            let is_later = past.end() < end && end <= steps;
            if !is_later || !step.is_finite() || step <= 0.0 {
                return None;
            }
            past = past.followed_by(end, step);
        }
        Some(past)
    }

    /// Returns the durations, and the number of steps up to the end of each, in order.
    pub fn spans(&self) -> impl Iterator<Item = (u64, f32)> {
        self.0.iter().map(|span| (span.end, span.step))
    }

    /// The number of steps.
    pub(super) fn end(&self) -> u64 {
        self.0.last().map_or(0, |last| last.end)
    }

    /// Returns these steps and further ones of a duration, up to the number `end`.
    fn followed_by(&self, end: u64, step: f32) -> Self {
        let seconds = [Scale::Binary, Scale::Decimal].map(|scale| self.after(end, step, scale));
        Self(self.0.iter().copied().chain([Span { end, step, seconds }]).collect())
    }

    /// Returns the past steps of a world after `end` steps, when their duration changes from `step` to `next`.
    pub(super) fn changed(&self, end: u64, step: f32, next: f32) -> Self {
        let mut past = if self.end() < end { self.followed_by(end, step) } else { self.clone() };
        if let Some((last, earlier)) = past.0.split_last()
            && last.step == next
        {
            past = Self(earlier.into());
        }
        past
    }

    /// Returns the seconds of `steps` steps, where later ones last `step` seconds.
    pub(super) fn after(&self, steps: u64, step: f32, scale: Scale) -> f64 {
        let next = self.0.partition_point(|span| span.end < steps);
        let step = scale.of(self.0.get(next).map_or(step, |span| span.step));
        match next.checked_sub(1).and_then(|last| self.0.get(last)) {
            None => steps as f64 * step,
            Some(last) => last.seconds[scale as usize] + (steps - last.end) as f64 * step,
        }
    }
}

impl Clock {
    /// Returns simulated seconds after a number of steps; steps that are not made yet have the present duration.
    pub fn seconds_after(&self, steps: u64) -> f64 {
        self.past.after(steps, self.step, Scale::Binary)
    }

    /// Returns the number of steps within a time in seconds.
    pub fn steps_within(&self, seconds: f64) -> u64 {
        let spans = &self.past.0;
        let binary = |span: &Span| span.seconds[Scale::Binary as usize];
        let next = spans.partition_point(|span| binary(span) < seconds);
        let step = spans.get(next).map_or(self.step, |span| span.step);
        let last = next.checked_sub(1).and_then(|last| spans.get(last));
        let (end, begin) = last.map_or((0, 0.0), |last| (last.end, binary(last)));
        // The sum of steps that are not exact in binary, such as 1/60, may exceed the time slightly.
        end + ((seconds - begin) / f64::from(step) + 1e-3).floor() as u64
    }
}

/// Returns the decimal number with the fewest digits after the point that rounds to a 32-bit number: 0.1 for the nearest
/// one to 0.1.
pub fn decimal(number: f32) -> f64 {
    let exact = f64::from(number);
    let mut scale = 1.0;
    for _ in 0..=DIGITS {
        let decimal = (exact * scale).round() / scale;
        if decimal as f32 == number {
            return decimal;
        }
        scale *= 10.0;
    }
    exact
}
