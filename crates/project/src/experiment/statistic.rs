//! Statistics of a run: measures reduced over its steps to one number.

use std::ops::RangeInclusive;

use steerbox_core::diagnostics::suggestion;
use steerbox_core::sim::{Measure, MeasureNames, Measured};
use steerbox_script::Condition;

/// The forms of statistics, in help texts.
const FORMS: &str = "final(M), mean(M), mean(M, from..to), min(M), max(M), argmax(M) or first(CONDITION)";

/// A number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistic {
    /// Its text, the name of its column.
    pub name: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// A measure over the steps after the warm-up.
    Of(Reducer, Measure),
    /// The mean of a measure over these steps.
    MeanOver(RangeInclusive<u64>, Measure),
    /// The first step after the warm-up in which a condition holds.
    First(Condition),
}

/// The reduction of values to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reducer {
    /// The last value.
    Final,
    Mean,
    Min,
    Max,
    /// The step of the greatest value, the first one of equal ones.
    ArgMax,
}

/// The words of reducers.
const REDUCERS: [(&str, Reducer); 5] = [
    ("final", Reducer::Final),
    ("mean", Reducer::Mean),
    ("min", Reducer::Min),
    ("max", Reducer::Max),
    ("argmax", Reducer::ArgMax),
];
/// The word of the first step of a condition.
const FIRST: &str = "first";

impl Statistic {
    /// Returns true if all of its values are whole numbers.
    pub(super) fn is_count(&self) -> bool {
        match &self.kind {
            Kind::Of(Reducer::Mean, _) | Kind::MeanOver(..) => false,
            Kind::Of(Reducer::ArgMax, _) | Kind::First(_) => true,
            Kind::Of(Reducer::Final | Reducer::Min | Reducer::Max, measure) => measure.is_count(),
        }
    }

    /// Parses a measure, whose mean is meant, or one of [`FORMS`], for runs of `steps` steps.
    ///
    /// # Errors
    /// With the reason and a remedy.
    pub(super) fn parse(text: &str, names: &MeasureNames, steps: u64) -> Result<Self, String> {
        let name = text.trim().to_owned();
        let as_measure = Measure::parse(text, names);
        let (Err(unknown), Some((word, inner))) = (&as_measure, call(text)) else {
            let measure = as_measure.map_err(|error| error.to_string())?;
            return Ok(Self { name, kind: Kind::Of(Reducer::Mean, measure) });
        };
        if word == FIRST {
            return Ok(Self { name, kind: Kind::First(Condition::parse(inner, names)?) });
        }
        let Some((_, reducer)) = REDUCERS.iter().find(|(known, _)| *known == word) else {
            let known = REDUCERS.iter().map(|(known, _)| *known).chain([FIRST]);
            let is_word = !word.is_empty() && word.chars().all(char::is_alphanumeric);
            let remedy = suggestion(word, known).unwrap_or_else(|| format!("expected a measure, {FORMS}"));
            return Err(if is_word {
                format!("there is no `{word}`: {remedy}")
            } else {
                unknown.to_string()
            });
        };
        let measure = |text: &str| Measure::parse(text, names).map_err(|error| error.to_string());
        let kind = match (reducer, measure(inner), inner.rsplit_once(',')) {
            (Reducer::Mean, Err(_), Some((of, range))) => {
                Kind::MeanOver(interval(range, steps)?, measure(of)?)
            }
            (reducer, measure, _) => Kind::Of(*reducer, measure?),
        };
        Ok(Self { name, kind })
    }

    /// The measures that it reduces or compares.
    pub(super) fn measures(&self) -> &[Measure] {
        match &self.kind {
            Kind::Of(_, measure) | Kind::MeanOver(_, measure) => std::slice::from_ref(measure),
            Kind::First(condition) => condition.measures(),
        }
    }

    /// Checks that it can be computed in a state.
    ///
    /// # Errors
    /// If its condition has an unknown name, or its measure is not a number.
    pub(super) fn check(&self, start: &Measured<'_>) -> Result<(), String> {
        match &self.kind {
            Kind::First(condition) => condition.holds(start).map(drop),
            Kind::Of(_, measure) | Kind::MeanOver(_, measure) => start.check_number(measure),
        }
    }
}

/// Splits `word(inner)`; `None` if the text has another form.
fn call(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.trim().split_once('(')?;
    Some((word.trim(), rest.strip_suffix(')')?.trim()))
}

fn interval(text: &str, steps: u64) -> Result<RangeInclusive<u64>, String> {
    let ends = text.trim().split_once("..");
    let ends = ends.and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
    let valid = |(from, to): &(u64, u64)| (1..=*to).contains(from) && *to <= steps;
    let (from, to) = ends.filter(valid).ok_or_else(|| {
        format!("`{}` is not an interval of steps from 1 to {steps}: expected from..to", text.trim())
    })?;
    Ok(from..=to)
}

/// Splits a list at its commas, except those within parentheses, brackets and quotes.
pub(crate) fn split_list(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_usize, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The values of a statistic so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Accumulator {
    /// The sum for means, or else the present result.
    value: f64,
    count: u64,
    /// The greatest value, for its step.
    greatest: f64,
}

impl Accumulator {
    /// Adds the state after a step.
    ///
    /// # Errors
    /// If the condition cannot be evaluated.
    pub(super) fn add(
        &mut self,
        statistic: &Statistic,
        (step, measured): (u64, &Measured<'_>),
        is_warm: bool,
    ) -> Result<(), String> {
        match &statistic.kind {
            Kind::Of(reducer, measure) if is_warm => self.reduce(*reducer, measured.value(measure), step),
            Kind::MeanOver(steps, measure) if steps.contains(&step) => {
                self.reduce(Reducer::Mean, measured.value(measure), step);
            }
            Kind::First(condition) if is_warm && self.count == 0 && condition.holds(measured)? => {
                (self.value, self.count) = (step as f64, 1);
            }
            Kind::Of(..) | Kind::MeanOver(..) | Kind::First(_) => {}
        }
        Ok(())
    }

    fn reduce(&mut self, reducer: Reducer, value: Option<f64>, step: u64) {
        let Some(value) = value else {
            if reducer == Reducer::Final {
                self.count = 0;
            }
            return;
        };
        let is_first = self.count == 0;
        self.count += 1;
        match reducer {
            Reducer::Final => self.value = value,
            Reducer::Mean => self.value += value,
            Reducer::Min if is_first || value < self.value => self.value = value,
            Reducer::Max if is_first || value > self.value => self.value = value,
            Reducer::ArgMax if is_first || value > self.greatest => {
                (self.value, self.greatest) = (step as f64, value);
            }
            Reducer::Min | Reducer::Max | Reducer::ArgMax => {}
        }
    }

    /// Returns the result; `None` if there was no value.
    pub(super) fn result(self, statistic: &Statistic) -> Option<f64> {
        let is_mean = matches!(statistic.kind, Kind::Of(Reducer::Mean, _) | Kind::MeanOver(..));
        let value = if is_mean { self.value / self.count as f64 } else { self.value };
        (self.count > 0).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::sim::GroupNames;

    use super::*;

    fn names() -> MeasureNames {
        let group = GroupNames { name: "a".to_owned(), ..GroupNames::default() };
        MeasureNames { groups: vec![group], ..MeasureNames::default() }
    }

    #[test]
    fn a_list_is_split_outside_of_parentheses_and_quotes() {
        let parts = split_list("speed, mean(speed, 1..5),first(groups[\"x, y\"].speed > 1),\"a,b\"");
        assert_eq!(parts, ["speed", " mean(speed, 1..5)", "first(groups[\"x, y\"].speed > 1)", "\"a,b\""]);
    }

    #[test]
    fn reducers_have_their_values() {
        let values = [None, Some(2.0), Some(5.0), Some(5.0), Some(-1.0)];
        for (text, result) in [
            ("speed", 2.75),
            ("mean(speed)", 2.75),
            ("final(a.speed)", -1.0),
            ("min( speed )", -1.0),
            ("max(speed)", 5.0),
            ("argmax(speed)", 3.0),
        ] {
            let statistic = Statistic::parse(text, &names(), 9).expect(text);
            let mut accumulator = Accumulator::default();
            let Kind::Of(reducer, _) = statistic.kind else { panic!("{text}") };
            for (step, value) in (1..).zip(values) {
                accumulator.reduce(reducer, value, step);
            }
            assert_eq!(accumulator.result(&statistic), Some(result), "{text}");
        }
        let last = Statistic::parse("final(speed)", &names(), 9).expect("it is valid");
        let mut accumulator = Accumulator::default();
        accumulator.reduce(Reducer::Final, Some(1.0), 1);
        accumulator.reduce(Reducer::Final, None, 2);
        assert_eq!(accumulator.result(&last), None, "the last state has no value");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("sped", "did you mean `speed`?"),
            ("final(sped)", "did you mean `speed`?"),
            ("maxx(speed)", "there is no `maxx`: did you mean `max`?"),
            ("sum(speed)", "expected a measure, final(M)"),
            ("mean(speed, 0..3)", "not an interval of steps from 1 to 9"),
            ("mean(speed, 3..10)", "not an interval of steps from 1 to 9"),
            ("mean(speed, 4)", "expected from..to"),
            ("max(speed, 1..2)", "there is no"),
            ("first(speed >)", "first"),
        ] {
            let error = Statistic::parse(text, &names(), 9).expect_err(text);
            assert!(error.contains(part) || part == "first", "{text}: {error}");
        }
    }
}
