//! Expectations of a scene about its runs.

use std::fmt::{self, Display, Formatter};
use steerbox_core::world::Extrema;

use steerbox_core::world::Clock;

use super::span::Span;

/// An expectation: within a time, a measure is within limits in at least one step.
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
    /// Simulated seconds, above zero.
    pub by: f32,
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

    /// Returns the number of the last step within the time.
    pub fn last_step(&self, clock: &Clock) -> u64 {
        clock.steps_within(f64::from(self.by))
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
            && (self.above, self.below, self.by) == (other.above, other.below, other.by)
    }
}

impl Display for Expectation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_name())?;
        for (word, limit) in [("above", self.above), ("below", self.below)] {
            if let Some(limit) = limit {
                write!(f, " {word} {limit}")?;
            }
        }
        write!(f, " by {} s", self.by)
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
            by: 20.0,
            span: Span::default(),
        };
        assert_eq!([1.0, 1.5, 2.0].map(|value| expectation.admits(value)), [false, true, false]);
        assert!(!expectation.admits(f64::NAN));
        assert_eq!([0.5, 1.5, 4.0].map(|value| expectation.distance(value)), [0.5, 0.0, 2.0]);
        let last = |step: f32| expectation.last_step(&World { step, ..World::default() }.clock());
        assert_eq!([1.0 / 60.0, 0.1, 3.0, 50.0].map(last), [1200, 200, 6, 0]);
        assert_eq!(expectation.to_string(), "a.speed above 1 below 2 by 20 s");
    }
}
