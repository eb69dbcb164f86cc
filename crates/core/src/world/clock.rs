//! The time of a world: whole steps of each duration that `step` had.
//!
//! A world counts steps, not seconds, so that time does not accumulate rounding errors. A duration that changes while the
//! world runs applies to later steps; earlier ones retain theirs.
//!
//! A step of 0.1 s is the nearest 32-bit number, which exceeds 0.1. Forces and `time` of scripts are computed from that
//! number. Tables, and periods that steps divide, refer to the decimal number in the file: [`decimal`].

use std::sync::Arc;

use super::state::World;

/// Relative rounding error of 64-bit times that periods tolerate.
const ROUNDING: f64 = 1e-12;
/// Maximum number of digits after the point of a [`decimal`].
const DIGITS: u32 = 12;

/// The durations of the steps of a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    /// The steps before the last change of the duration.
    past: PastSteps,
    /// The duration of a step after them, in seconds.
    step: f32,
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
enum Scale {
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
    fn end(&self) -> u64 {
        self.0.last().map_or(0, |last| last.end)
    }

    /// Returns these steps and further ones of a duration, up to the number `end`.
    fn followed_by(&self, end: u64, step: f32) -> Self {
        let seconds = [Scale::Binary, Scale::Decimal].map(|scale| self.after(end, step, scale));
        Self(self.0.iter().copied().chain([Span { end, step, seconds }]).collect())
    }

    /// Returns the past steps of a world after `end` steps, when their duration changes from `step` to `next`.
    fn changed(&self, end: u64, step: f32, next: f32) -> Self {
        let mut past = if self.end() < end { self.followed_by(end, step) } else { self.clone() };
        if let Some((last, earlier)) = past.0.split_last()
            && last.step == next
        {
            past = Self(earlier.into());
        }
        past
    }

    /// Returns the seconds of `steps` steps, where later ones last `step` seconds.
    fn after(&self, steps: u64, step: f32, scale: Scale) -> f64 {
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

impl World {
    /// Returns the durations of its steps.
    pub fn clock(&self) -> Clock {
        Clock { past: self.past.clone(), step: self.step }
    }

    /// Sets the duration of later steps, in seconds.
    pub fn set_step(&mut self, step: f32) {
        if self.step != step {
            self.past = self.past.changed(self.steps, self.step, step);
            self.step = step;
        }
    }

    /// Returns simulated seconds after a number of steps; steps that are not made yet have the present duration.
    pub fn seconds_after(&self, steps: u64) -> f64 {
        self.past.after(steps, self.step, Scale::Binary)
    }

    /// Simulated seconds since the start.
    pub fn time(&self) -> f32 {
        self.seconds_after(self.steps) as f32
    }

    /// Simulated seconds since the start as tables contain them: the sum of the durations as decimal numbers, rounded to
    /// 15 digits. 198 steps of 0.1 s are 19.8 s, while [`World::time`] is 19.800001.
    pub fn decimal_time(&self) -> f64 {
        let seconds = self.past.after(self.steps, self.step, Scale::Decimal);
        format!("{seconds:.14e}").parse().unwrap_or(seconds)
    }

    /// Simulated seconds since a unit was spawned.
    ///
    /// # Panics
    /// If `unit` is not below the number of units.
    pub fn age(&self, unit: usize) -> f32 {
        let born = self.units.born[unit].min(self.steps);
        let age = if born < self.past.end() {
            self.seconds_after(self.steps) - self.seconds_after(born)
        } else {
            (self.steps - born) as f64 * f64::from(self.step)
        };
        age as f32
    }

    /// Returns true if the present step is the first one at or after a multiple of a period in seconds; 0 is the first
    /// multiple. A period that does not exceed the step is always due. Durations and period are decimal numbers.
    pub fn is_due_every(&self, period: f32) -> bool {
        let before = self.steps.checked_sub(1).filter(|_| period > self.step);
        let Some(before) = before else { return true };
        let period = decimal(period);
        let count = |steps| {
            let seconds = self.past.after(steps, self.step, Scale::Decimal);
            (seconds / period * (1.0 + ROUNDING)).floor()
        };
        count(self.steps) > count(before)
    }
}

/// Returns the decimal number with the fewest digits after the point that rounds to a 32-bit number: 0.1 for the nearest
/// one to 0.1.
fn decimal(number: f32) -> f64 {
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

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// A world after `steps` steps of each duration, in order.
    fn after(spans: &[(u64, f32)]) -> World {
        let mut world = World::default();
        for (steps, step) in spans {
            world.set_step(*step);
            world.steps += steps;
        }
        world
    }

    #[test]
    fn without_a_change_time_is_steps_times_step() {
        for step in [0.1, 0.02, 1.0 / 60.0, 0.0166] {
            let world = World { steps: 123_457, step, ..World::default() };
            assert_eq!(world.time(), (123_457.0 * f64::from(step)) as f32);
            assert_eq!(world.seconds_after(9), 9.0 * f64::from(step));
        }
    }

    #[test]
    fn a_changed_step_preserves_past_times() {
        let mut world = after(&[(100, 0.25)]);
        for step in [0.5, 0.125, 0.0625] {
            let known: Vec<_> = (0..=world.steps).map(|steps| world.seconds_after(steps)).collect();
            world.set_step(step);
            world.steps += 10;
            let now: Vec<_> = (0..known.len() as u64).map(|steps| world.seconds_after(steps)).collect();
            assert_eq!(now, known);
            assert_eq!(world.seconds_after(world.steps), known.last().unwrap() + 10.0 * f64::from(step));
        }
        assert_eq!(world.time(), 25.0 + 5.0 + 1.25 + 0.625);
        assert_eq!(world.clock().seconds_after(131), 31.875 + 0.0625);
        let within = |seconds| world.clock().steps_within(seconds);
        assert_eq!([0.0, 0.3, 25.0, 29.9, 30.01, 31.25, 40.0].map(within), [0, 1, 100, 109, 110, 120, 260]);
    }

    #[test]
    fn a_change_and_its_reversal_leave_no_trace() {
        let mut world = after(&[(7, 0.25), (3, 0.5)]);
        let before = world.clone();
        world.set_step(0.125);
        world.set_step(1.0);
        world.set_step(0.5);
        assert_eq!(world, before);
        let mut unstarted = World::default();
        unstarted.set_step(0.5);
        assert_eq!(unstarted, World { step: 0.5, ..World::default() });
    }

    #[test]
    fn the_age_of_a_unit_is_the_sum_of_the_durations_since_its_birth() {
        let mut world = after(&[(10, 0.25), (10, 0.5), (10, 0.125)]);
        let steps = [0, 4, 10, 15, 20, 29, 30, 99];
        for (key, born) in steps.into_iter().enumerate() {
            world.units.push(Vec3::ZERO, Vec3::ZERO, (Vec3::X, Vec3::Z), 0, key as u64);
            world.units.born[key] = born;
        }
        let ages: Vec<_> = (0..steps.len()).map(|unit| world.age(unit)).collect();
        assert_eq!(ages, [8.75, 7.75, 6.25, 3.75, 1.25, 0.125, 0.0, 0.0]);
    }

    #[test]
    fn stored_spans_are_restored_and_impossible_ones_are_rejected() {
        let past = after(&[(7, 0.25), (3, 0.1), (5, 0.5)]).past;
        let spans: Vec<_> = past.spans().collect();
        assert_eq!(spans, [(7, 0.25), (10, 0.1)]);
        assert_eq!(PastSteps::new(&spans, 10), Some(past));
        assert_eq!(PastSteps::new(&spans, 9), None);
        for impossible in [(10, 0.5), (11, 0.0), (11, f32::NAN), (11, f32::INFINITY), (11, -1.0)] {
            assert_eq!(PastSteps::new(&[spans[0], spans[1], impossible], 99), None);
        }
    }

    #[test]
    fn a_period_is_due_once() {
        for step in [0.1, 0.05, 0.02, 1.0 / 60.0] {
            for (period, count) in [(1.0, 10_000), (0.5, 20_000), (2.5, 4_000)] {
                let steps = (10_000.0_f32 / step).round() as u64;
                let mut world = World { step, ..World::default() };
                let mut due = Vec::new();
                for now in 0..steps {
                    world.steps = now;
                    if world.is_due_every(period) {
                        due.push(now);
                    }
                }
                assert_eq!(due.len(), count, "{step} {period}");
                let expected = (0..count).map(|at| at as f64 * f64::from(period) / decimal(step));
                for (due, expected) in due.iter().zip(expected) {
                    let late = *due as f64 - expected;
                    assert!((-1e-6..1.0 - 1e-6).contains(&late), "{step} {period}: {due} for {expected}");
                }
            }
        }
    }

    #[test]
    fn a_period_below_the_step_is_due_in_every_step_and_a_changed_step_skips_none() {
        let mut world = World { step: 0.1, ..World::default() };
        for now in 0..1000 {
            world.steps = now;
            assert!(
                [0.1, 0.03, 1e-6, 0.0, -1.0, f32::NAN].iter().all(|period| world.is_due_every(*period)),
                "{now}"
            );
            assert!(!world.is_due_every(f32::INFINITY) || now == 0);
        }
        let mut world = World::default();
        let mut due = 0;
        for step in [0.1, 0.02, 0.25, 1.0 / 60.0, 0.05] {
            world.set_step(step);
            for _ in 0..(100.0 / step).round() as u64 {
                due += u32::from(world.is_due_every(1.0));
                world.steps += 1;
            }
        }
        assert_eq!((due, world.seconds_after(world.steps).round()), (500, 500.0));
    }

    #[test]
    fn tables_contain_decimal_times() {
        let time = |spans: &[(u64, f32)]| format!("{:?}", after(spans).decimal_time());
        assert_eq!(time(&[(198, 0.1)]), "19.8");
        assert_eq!(time(&[(3, 0.1)]), "0.3");
        assert_eq!(time(&[(0, 0.1)]), "0.0");
        assert_eq!(time(&[(7, 1.0 / 60.0)]), "0.116666676");
        assert_eq!(time(&[(1_000_003, 0.02)]), "20000.06");
        assert_eq!(time(&[(3, 0.1), (7, 0.02), (1, 0.0166)]), "0.4566");
    }
}
