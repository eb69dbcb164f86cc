//! Conditions on the figures of a run, such as `starlings.polarization > 0.9 && time > 10`.

use std::sync::LazyLock;

use rhai::{AST, Dynamic, Engine, EvalAltResult, Map, Scope};
use steerbox_core::diagnostics::{Fault, suggestion};
use steerbox_core::sim::{MeasureNames, MeasureValue, Measured, Simulation};

use crate::budget;
use crate::interpret::{engine, explain};
use crate::messages::operands;
use crate::messages::words::Explanation;
use crate::syntax::errors;
use crate::syntax::text::Source;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let mut engine = engine::build(1);
    // Otherwise, a misspelled figure would silently never hold.
    engine.set_fail_on_invalid_map_property(true);
    engine
});

/// The figures that a condition can name.
#[derive(Clone, Debug, Default)]
pub struct ConditionFigures {
    /// The number of steps.
    pub step: u64,
    /// Simulated seconds.
    pub time: f32,
    /// Errors of behaviors so far.
    pub errors: u64,
    /// The name of each group, and its figures by name.
    pub groups: Vec<(String, Vec<(String, MeasureValue)>)>,
}

/// A parsed condition.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    ast: AST,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Condition {
    /// Parses an expression.
    ///
    /// # Errors
    /// With a message, if it is no expression.
    pub fn read(text: &str) -> Result<Self, String> {
        let ast = budget::parsed(|| ENGINE.compile_expression(text)).map_err(|error| {
            let Fault { message, help, .. } = errors::fault(Source { path: "", text }, &error);
            with_help((message, help))
        })?;
        Ok(Self { text: text.to_owned(), ast })
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Evaluates the condition in the current state of a simulation. A watched value without a value in the last step is
    /// NaN.
    ///
    /// # Errors
    /// As [`Condition::holds`].
    pub fn holds_in(&self, simulation: &Simulation) -> Result<bool, String> {
        let named = self.figures(simulation, |name| self.may_name(name));
        // A remedy names what else there is.
        let all = || self.figures(simulation, |_| true);
        self.evaluate(&named)
            .map_err(|error| with_help(all().explain(&error)))
            .and_then(|value| is_true(&value))
    }

    /// Returns true if it may name a value that exists only while [`Simulation::watching`] is true.
    pub fn needs_watching(&self, names: &MeasureNames) -> bool {
        names.all().iter().any(|measure| measure.is_watched() && self.may_name(measure.short_name()))
    }

    /// Returns true if the text contains a name, or an index that may be computed.
    pub fn may_name(&self, name: &str) -> bool {
        self.text.contains(name) || self.text.contains(['"', '`'])
    }

    /// Returns the groups and measures with an admitted name. Measures that the condition cannot name are NaN.
    fn figures(&self, simulation: &Simulation, admits: impl Fn(&str) -> bool) -> ConditionFigures {
        let (world, names, measured) =
            (simulation.world(), MeasureNames::of(simulation), Measured::new(simulation));
        let groups = names.groups.iter().filter(|group| admits(&group.name));
        let of_group = groups.map(|group| {
            let measures = names.of_group(group).into_iter();
            let measures = measures.filter(|measure| admits(measure.short_name())).map(|measure| {
                let name = measure.short_name().to_owned();
                let value = if self.may_name(&name) { measured.whole(&measure) } else { None };
                (name, value.unwrap_or(MeasureValue::Number(f32::NAN)))
            });
            (group.name.clone(), measures.collect())
        });
        ConditionFigures {
            step: world.steps,
            time: world.time(),
            errors: simulation.reports().iter().map(|report| report.count).sum(),
            groups: of_group.collect(),
        }
    }

    /// Evaluates the condition for these figures.
    ///
    /// # Errors
    /// With a message, if it names an unknown figure or is no bool.
    pub fn holds(&self, figures: &ConditionFigures) -> Result<bool, String> {
        self.evaluate(figures)
            .map_err(|error| with_help(figures.explain(&error)))
            .and_then(|value| is_true(&value))
    }

    fn evaluate(&self, figures: &ConditionFigures) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut scope = Scope::new();
        scope.push("step", figures.step as i64).push("time", figures.time);
        scope.push("errors", figures.errors as i64);
        let mut groups = Map::new();
        for (name, figures) in &figures.groups {
            let figures = figures.iter().map(|(name, value)| (name.into(), dynamic(value)));
            let figures: Map = figures.collect();
            scope.push(name.as_str(), figures.clone());
            groups.insert(name.into(), figures.into());
        }
        scope.push("groups", groups);
        ENGINE.eval_ast_with_scope(&mut scope, &self.ast)
    }
}

/// Returns a value for the engine; a list is an array.
fn dynamic(value: &MeasureValue) -> Dynamic {
    match value {
        MeasureValue::Number(number) => Dynamic::from_float(*number),
        MeasureValue::Vector(vector) => Dynamic::from(*vector),
        MeasureValue::List(list) => {
            list.iter().map(|number| Dynamic::from_float(*number)).collect::<Vec<_>>().into()
        }
    }
}

/// # Errors
/// With a message, if a value is no bool.
fn is_true(value: &Dynamic) -> Result<bool, String> {
    let kind = explain::kind_of(value);
    value.as_bool().map_err(|_| {
        let help = operands::condition(&kind, None);
        with_help((format!("this is {kind}"), Some(help)))
    })
}

impl ConditionFigures {
    /// Explains a failure, with the known name closest to an unknown one.
    fn explain(&self, error: &EvalAltResult) -> Explanation {
        match error {
            EvalAltResult::ErrorVariableNotFound(name, _) => {
                let groups = self.groups.iter().map(|(name, _)| name.as_str());
                let known: Vec<_> = groups.chain(["step", "time", "errors"]).collect();
                let near = suggestion(name, known.iter().copied()).or_else(|| self.figure_near(name));
                (format!("there is no figure or group `{name}`"), near.or_else(|| near_or_all(name, &known)))
            }
            EvalAltResult::ErrorPropertyNotFound(name, _) => {
                let figures = self.groups.iter().flat_map(|(_, figures)| figures);
                let mut known: Vec<_> = figures.map(|(name, _)| name.as_str()).collect();
                known.sort_unstable();
                known.dedup();
                (format!("a group has no figure `{name}`"), near_or_all(name, &known))
            }
            error => explain::why(error),
        }
    }
}

impl ConditionFigures {
    /// Suggests the figure of the first group whose name is like an unknown one: a figure needs its group.
    fn figure_near(&self, name: &str) -> Option<String> {
        let (group, figures) = self.groups.first()?;
        let is_plain = group.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let names = figures.iter().map(|(figure, _)| figure.as_str()).filter(|_| is_plain);
        let near = |figure: &&str| *figure == name || suggestion(name, [*figure]).is_some();
        names.clone().find(near).map(|figure| format!("did you mean `{group}.{figure}`?"))
    }
}

/// Returns the known name closest to an unknown one, or all known names.
fn near_or_all(name: &str, known: &[&str]) -> Option<String> {
    let all = || (!known.is_empty()).then(|| format!("known: {}", known.join(", ")));
    suggestion(name, known.iter().copied()).or_else(all)
}

fn with_help((message, help): Explanation) -> String {
    match help {
        Some(help) => format!("{message}: {help}"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_true_false_or_an_error() {
        let group =
            |name: &str, speed| (name.to_owned(), vec![("speed".to_owned(), MeasureValue::Number(speed))]);
        let groups = vec![group("a", 3.0), group("big ones", 1.0)];
        let figures = ConditionFigures { step: 12, time: 0.5, errors: 1, groups };
        let holds = |text: &str| Condition::read(text).and_then(|condition| condition.holds(&figures));
        for (text, expected) in [
            ("a.speed > 2", true),
            ("a.speed > 2 && step < 12", false),
            ("errors > 0", true),
            ("time >= 0.5 || step == 1", true),
            ("groups[\"big ones\"].speed == 1.0", true),
        ] {
            assert_eq!(holds(text), Ok(expected), "{text}");
        }
        for text in ["a.sped > 2", "b.speed > 2", "a.speed", "a.speed >", "loop { }", "let x = 1"] {
            assert!(holds(text).is_err(), "{text}");
        }
        for (text, error) in [
            ("a.spead > 3", "a group has no figure `spead`: did you mean `speed`?"),
            ("a.heat > 3", "a group has no figure `heat`: known: speed"),
            ("tiem > 3", "there is no figure or group `tiem`: did you mean `time`?"),
            ("sped > 3", "there is no figure or group `sped`: did you mean `a.speed`?"),
            ("speed > 3", "there is no figure or group `speed`: did you mean `a.speed`?"),
            ("a.speed = 3", "`=` means nothing here: compare with `==`"),
            ("a.speed", "this is a number: a condition is true or false: compare, such as `x > 0`"),
        ] {
            assert_eq!(holds(text), Err(error.to_owned()), "{text}");
        }
    }
}
