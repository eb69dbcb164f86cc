//! Expectations of a scene about its runs.

use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

use steerbox_core::world::{Clock, Extrema};

use super::span::Span;

/// An expectation: within a time, a measure is within limits in at least one step, or in each step.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The measure: of the group, if there is one.
    pub measure: String,
    /// The group; `None` for measures of the run, and of the only group.
    pub group: Option<String>,
    /// The exclusive lower limit.
    pub above: Option<f32>,
    /// The exclusive upper limit.
    pub below: Option<f32>,
    /// The begin of the time, simulated seconds.
    pub from: f32,
    /// The end of the time, simulated seconds, above zero.
    pub by: f32,
    /// True if the measure must be within the limits in each step of the time.
    pub always: bool,
    /// The name of the measure in the file, with its quotes.
    pub span: Span,
}

impl Expectation {
    /// Returns the full name of the measure.
    pub fn full_name(&self) -> String {
        match &self.group {
            Some(group) => format!("{group}.{}", self.measure),
            None => self.measure.clone(),
        }
    }

    /// Returns the number of the last step of the time.
    pub fn last_step(&self, clock: &Clock) -> u64 {
        *self.steps(clock).end()
    }

    /// Returns the numbers of the first and the last step of the time.
    pub fn steps(&self, clock: &Clock) -> RangeInclusive<u64> {
        clock.steps_within(f64::from(self.from))..=clock.steps_within(f64::from(self.by))
    }

    /// Returns true if a value is within the limits.
    pub fn admits(&self, value: f64) -> bool {
        self.above.is_none_or(|above| value > f64::from(above))
            && self.below.is_none_or(|below| value < f64::from(below))
    }

    /// Returns the distance of a value from the limits; 0 within them.
    pub fn distance(&self, value: f64) -> f64 {
        let under = self.above.map_or(0.0, |above| f64::from(above) - value);
        let over = self.below.map_or(0.0, |below| value - f64::from(below));
        under.greater(over).greater(0.0)
    }

    /// Returns true if both have the same content, regardless of their positions in the files.
    pub fn same_as(&self, other: &Self) -> bool {
        self.measure == other.measure
            && self.group == other.group
            && (self.above, self.below) == (other.above, other.below)
            && (self.from, self.by, self.always) == (other.from, other.by, other.always)
    }
}

impl Display for Expectation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_name())?;
        f.write_str(if self.always { " always" } else { "" })?;
        for (word, limit) in [("above", self.above), ("below", self.below)] {
            if let Some(limit) = limit {
                write!(f, " {word} {limit}")?;
            }
        }
        match (self.from, self.by) {
            (from, by) if from == by => write!(f, " at {by} s"),
            (0.0, by) if !self.always => write!(f, " by {by} s"),
            (from, by) => write!(f, " from {from} to {by} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::World;

    use super::*;

    #[test]
    fn limits_are_exclusive_and_named_in_the_text() {
        let expectation = Expectation {
            measure: "speed".to_owned(),
            group: Some("a".to_owned()),
            above: Some(1.0),
            below: Some(2.0),
            from: 0.0,
            by: 20.0,
            always: false,
            span: Span::default(),
        };
        assert_eq!([1.0, 1.5, 2.0].map(|value| expectation.admits(value)), [false, true, false]);
        assert!(!expectation.admits(f64::NAN));
        assert_eq!([0.5, 1.5, 4.0].map(|value| expectation.distance(value)), [0.5, 0.0, 2.0]);
        let last = |step: f32| expectation.last_step(&World { step, ..World::default() }.clock());
        assert_eq!([1.0 / 60.0, 0.1, 3.0, 50.0].map(last), [1200, 200, 6, 0]);
        for (from, always, expected) in [
            (0.0, false, "a.speed above 1 below 2 by 20 s"),
            (5.0, false, "a.speed above 1 below 2 from 5 to 20 s"),
            (0.0, true, "a.speed always above 1 below 2 from 0 to 20 s"),
            (20.0, false, "a.speed above 1 below 2 at 20 s"),
        ] {
            assert_eq!(Expectation { from, always, ..expectation.clone() }.to_string(), expected);
        }
    }
}
