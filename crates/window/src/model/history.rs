//! The figures of the inspected unit over the last seconds.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use steerbox_core::world::World;
use steerbox_project::session::Explained;
use steerbox_script::probe::{ProbedValue, Site};

use super::plots::{Computed, Key, Quantity, Series, Subject};

/// Simulated seconds that are stored, and between two samples.
const SECONDS: f32 = 10.0;
const EVERY: f32 = 1.0 / 60.0;

/// A plotted value of a script: the index of the behavior in its group, and the place of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plotted {
    pub(crate) rule: usize,
    pub(crate) file: usize,
    pub(crate) line: usize,
}

impl Plotted {
    /// True if it is the value at this site of the script of this rule.
    pub(crate) fn is(&self, rule: usize, site: &Site) -> bool {
        (self.rule, self.file, self.line) == (rule, site.file, site.span.start.0)
    }

    /// The value as a number, with a description of that number.
    ///
    /// # Errors
    /// If this step has no number: the reason, as a message for the user.
    pub(crate) fn figure(&self, explained: &Explained) -> Result<(f32, &'static str), &'static str> {
        const NONE: &str = "not reached in this step";
        let recording = explained.lines.get(self.rule).and_then(|lines| lines.as_ref().ok()).ok_or(NONE)?;
        let values = recording.values();
        let (_, log) = values.iter().find(|(site, _)| self.is(self.rule, site)).ok_or(NONE)?;
        figure(&log.entries().last().ok_or(NONE)?.value)
    }
}

/// A value as a number, with a description of that number; the error is the reason why it cannot be plotted.
fn figure(value: &ProbedValue) -> Result<(f32, &'static str), &'static str> {
    match value {
        ProbedValue::Number(number) => Ok((*number, "")),
        ProbedValue::Integer(number) => Ok((*number as f32, "")),
        ProbedValue::Switch(on) => Ok((f32::from(*on), ", 1 where true")),
        ProbedValue::Vector(vector) => Ok((vector.length(), ", length of the vector")),
        ProbedValue::Turn(starboard, _) => Ok((*starboard, ", turn to starboard")),
        ProbedValue::Units(count) => Ok((*count as f32, ", number of units")),
        ProbedValue::Obstacles(count) => Ok((*count as f32, ", number of obstacles")),
        ProbedValue::Nothing => Err("`()` in this step: no number"),
        ProbedValue::Unit(_) => Err("a unit is not a number: plot one of its properties"),
        ProbedValue::Obstacle(_) => Err("an obstacle is not a number: plot one of its properties"),
        ProbedValue::Text(_) => Err("a text is not a number"),
        ProbedValue::Hit(..) | ProbedValue::Other(_) => Err("this kind of value is not a number"),
    }
}

/// The figures of one unit over the last seconds: sampled as steps are made, and completed from the recorded past.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The unit's key: it stays the same where others are added or removed.
    key: Option<u64>,
    /// The names of its rules.
    names: Vec<String>,
    /// The number of times that recorded steps were replaced, and the last step.
    rewrites: u64,
    last: u64,
    series: Series,
    /// The value of a script that is plotted.
    pub(crate) plotted: Option<Plotted>,
}

impl Default for History {
    fn default() -> Self {
        let series = Series::new(SECONDS, EVERY, 0);
        Self { key: None, names: Vec::new(), rewrites: 0, last: 0, series, plotted: None }
    }
}

impl History {
    /// Updates the figures to the unit with a key, the last step, and the number of times that recorded steps were
    /// replaced.
    pub(crate) fn follow(&mut self, key: Option<u64>, (last, rewrites): (u64, u64)) {
        if (self.key, self.rewrites) != (key, rewrites) || last < self.last {
            let plotted = self.plotted.filter(|_| self.key == key);
            let series = Series::new(SECONDS, EVERY, last);
            *self = Self { key, rewrites, series, plotted, ..Self::default() };
        }
        self.last = last;
    }

    /// Samples the step that was made last.
    pub(crate) fn note(&mut self, world: &World, explained: Option<&Explained>) {
        let Some(explained) = explained.filter(|explained| {
            explained.facts.now.is_some_and(|unit| world.units.key.get(unit).copied() == self.key)
                && explained.facts.step == world.steps
        }) else {
            return;
        };
        let names = explained.facts.rules.iter().map(|rule| &rule.name);
        if !names.clone().eq(&self.names) {
            // The plotted line identifies its rule by index, which may refer to another rule now.
            self.plotted = self.plotted.filter(|_| self.names.is_empty());
            self.names = names.cloned().collect();
        }
        let line = if explained.has_values { Computed::LINE } else { Computed::default() };
        let computed = Computed::UNIT.and(line);
        if self.series.is_due(world, computed) {
            self.series.store((world.steps, world.time()), computed, sample(explained, self.plotted));
        }
    }

    /// The requested figures of every state.
    pub(crate) fn wanted(&self) -> Computed {
        if self.plotted.is_some() { Computed::UNIT.and(Computed::LINE) } else { Computed::UNIT }
    }

    /// The recorded steps without a complete sample; a step lasts `step` simulated seconds.
    pub(crate) fn missing(&self, recorded: &RangeInclusive<u64>, step: f32) -> BTreeSet<u64> {
        if self.key.is_none() {
            return BTreeSet::new();
        }
        self.series.missing(recorded, self.wanted(), step)
    }

    /// Returns the function that samples a recorded state.
    pub(crate) fn sampler(&self) -> impl Fn(Option<&Explained>) -> Vec<(Key, f32)> + use<> {
        let plotted = self.plotted;
        move |explained| explained.map_or_else(Vec::new, |explained| sample(explained, plotted))
    }

    /// All values over time, to be completed.
    pub(crate) fn series_mut(&mut self) -> &mut Series {
        &mut self.series
    }

    /// Plots another value, or none if it is plotted already.
    pub(crate) fn toggle(&mut self, plotted: Plotted) {
        self.plotted = (self.plotted != Some(plotted)).then_some(plotted);
        self.series.forget(Computed::LINE, |key| key.quantity == Quantity::Line);
    }

    /// The length of a behavior's contribution times its gain, over time.
    pub(crate) fn of_rule<'a>(
        &'a self,
        rule: usize,
        name: &str,
    ) -> impl Iterator<Item = (f32, f32)> + Clone + use<'a> {
        self.series.values(&Key::named(Quantity::Force, Subject::Unit, rule, name))
    }

    /// The plotted value over time.
    pub(crate) fn of_plotted(&self) -> impl Iterator<Item = (f32, f32)> + Clone {
        self.series.values(&Key::new(Quantity::Line, Subject::Unit))
    }
}

/// The length of each behavior's contribution times its gain, and the plotted value.
fn sample(explained: &Explained, plotted: Option<Plotted>) -> Vec<(Key, f32)> {
    let rules = explained.facts.rules.iter().enumerate();
    let forces = rules.map(|(at, rule)| {
        (Key::named(Quantity::Force, Subject::Unit, at, &rule.name), rule.weighted.length())
    });
    let line = plotted.and_then(|plotted| plotted.figure(explained).ok());
    let line = line.map(|(value, _)| (Key::new(Quantity::Line, Subject::Unit), value));
    forces.chain(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_plotted_by_their_length_and_other_values_have_a_reason() {
        assert_eq!(figure(&ProbedValue::Units(7)), Ok((7.0, ", number of units")));
        assert_eq!(figure(&ProbedValue::Obstacles(0)), Ok((0.0, ", number of obstacles")));
        assert_eq!(figure(&ProbedValue::Turn(-0.5, 0.25)), Ok((-0.5, ", turn to starboard")));
        assert_eq!(figure(&ProbedValue::Vector(glam::Vec3::X * 3.0)), Ok((3.0, ", length of the vector")));
        for value in [ProbedValue::Nothing, ProbedValue::Unit(1), ProbedValue::Text("far".to_owned())] {
            assert!(figure(&value).unwrap_err().contains("number"), "{value:?}");
        }
    }
}
