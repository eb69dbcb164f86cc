//! The time of a world, and the ages of its units.

use super::clock::{Clock, ROUNDING, Scale, decimal};
use super::state::World;

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

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::clock::PastSteps;
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
