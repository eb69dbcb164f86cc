//! Conditions on the measures of a run, such as `starlings.polarization > 0.9 && time > 10`.

use std::ops::Range;
use std::sync::LazyLock;

use rhai::{AST, Dynamic, Engine, Scope};
use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{Measure, MeasureNames, MeasureValue, Measured};

use crate::budget;
use crate::interpret::{engine, explain};
use crate::messages::operands;
use crate::messages::words::Explanation;
use crate::syntax::errors;
use crate::syntax::text::Source;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| engine::build(1));

/// The map of all groups: `groups["big ones"].speed` is the measure of a group whose name is not an identifier.
const GROUPS: &str = "groups";
/// Beginning of the variables that replace measures.
const VARIABLE: &str = "measure_";
/// Words that are not measures.
const WORDS: [&str; 8] = ["true", "false", "if", "else", "switch", "in", "PI", "TAU"];

/// A parsed condition. Its measures are resolved once.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    /// The text with a variable in place of each measure.
    ast: AST,
    measures: Vec<Measure>,
    /// True for each measure of which the text names a part or a function.
    has_part: Vec<bool>,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, &self.measures) == (&other.text, &other.measures)
    }
}

impl Condition {
    /// Parses an expression in which measures have the names of [`Measure`]; a part whose name is not an identifier is an
    /// index: `people["inside.north door"]`.
    ///
    /// # Errors
    /// With a message, if it is not an expression or names an unknown measure.
    pub fn parse(text: &str, names: &MeasureNames) -> Result<Self, String> {
        let (mut code, mut at) = (String::new(), 0);
        let (mut measures, mut has_part, mut unknown) = (Vec::new(), Vec::new(), None);
        for path in paths(text) {
            let (measure, end) = match path.resolve(names) {
                Ok((measure, end)) => (Some(measure), end),
                Err(error) => {
                    unknown.get_or_insert(error);
                    (None, path.end())
                }
            };
            code.extend([&text[at..path.start], VARIABLE, &measures.len().to_string()]);
            at = end;
            has_part.extend(measure.as_ref().map(|_| text[end..].starts_with(['.', '['])));
            measures.extend(measure);
        }
        code.push_str(&text[at..]);
        let parsed = |code: &str| {
            budget::parsed(|| ENGINE.compile_expression(code)).map_err(|error| {
                let Fault { message, help, .. } = errors::fault(Source { path: "", text: code }, &error);
                with_help((message, help))
            })
        };
        // The message for the text has its words.
        let ast = parsed(&code).or_else(|error| parsed(text).and(Err(error)))?;
        match unknown {
            Some(unknown) => Err(unknown),
            None => Ok(Self { text: text.to_owned(), ast, measures, has_part }),
        }
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The measures that it names.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// Evaluates the condition in a state. A measure without a value is NaN.
    ///
    /// # Errors
    /// With a message, if a measure does not exist any more or the result is not a bool.
    pub fn holds(&self, measured: &Measured<'_>) -> Result<bool, String> {
        let (mut scope, mut has_all) = (Scope::new(), true);
        for (at, measure) in self.measures.iter().enumerate() {
            if measured.is_gone(measure) {
                return Err(format!("the scene has no measure `{}` any more", measure.name()));
            }
            let value = measured.whole(measure);
            has_all &= value.is_some();
            let value = match value.unwrap_or(MeasureValue::Number(f32::NAN)) {
                // A vector counts by its length, unless the text names a part of it.
                vector @ MeasureValue::Vector(_) if !self.has_part[at] => {
                    MeasureValue::Number(vector.size().unwrap_or(f32::NAN))
                }
                MeasureValue::List(_) if !self.has_part[at] => {
                    let name = measure.name();
                    return Err(format!("`{name}` is a list: name an element, such as `{name}.0`"));
                }
                value => value,
            };
            let is_integer = measure.group().is_none() && measure.is_count();
            let value = if is_integer { whole(&value) } else { dynamic(&value) };
            scope.push_dynamic(format!("{VARIABLE}{at}"), value);
        }
        let value = match ENGINE.eval_ast_with_scope::<Dynamic>(&mut scope, &self.ast) {
            Ok(value) => value,
            // A missing vector or list has no parts.
            Err(_) if !has_all => return Ok(false),
            Err(error) => return Err(with_help(explain::why(&error))),
        };
        let kind = explain::kind_of(&value);
        value.as_bool().map_err(|_| {
            let help = operands::condition(&kind, None);
            with_help((format!("this is {kind}"), Some(help)))
        })
    }
}

/// Names that are joined by points or in brackets, such as `people.inside.room`.
struct Path<'a> {
    start: usize,
    /// Each name, and the offset of its end.
    names: Vec<(&'a str, usize)>,
    /// True if the last name is that of a function.
    is_call: bool,
}

impl Path<'_> {
    fn end(&self) -> usize {
        self.names.last().map_or(self.start, |(_, end)| *end)
    }

    /// Returns the measure with the most of the names, and the end of the last one.
    ///
    /// # Errors
    /// If there is none.
    fn resolve(&self, names: &MeasureNames) -> Result<(Measure, usize), String> {
        let first = usize::from(self.names.len() > 1 && self.names[0].0 == GROUPS);
        let text = |end: usize| {
            let names: Vec<_> = self.names[first..end].iter().map(|(name, _)| *name).collect();
            names.join(".")
        };
        let last = self.names.len() - usize::from(self.is_call);
        let mut found = (first + 1..=last).rev().filter_map(|end| {
            let measure = Measure::parse(&text(end), names).ok()?;
            Some((measure, self.names[end - 1].1))
        });
        found.next().ok_or_else(|| {
            let unknown = Measure::parse(&text(last), names).err();
            unknown.map_or_else(String::new, |unknown| unknown.to_string())
        })
    }
}

/// Returns the paths of an expression that may name measures, outside of texts and comments.
fn paths(text: &str) -> Vec<Path<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut paths, mut at) = (Vec::new(), 0);
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let blank = [("//", "\n"), ("/*", "*/"), ("\"", "\""), ("`", "`")];
        if let Some((_, close)) = blank.iter().find(|(open, _)| rest.starts_with(open)) {
            at += 1 + rest[1..].find(close).map_or(rest.len() - 1, |length| length + close.len());
        } else if next.is_numeric() {
            at += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        } else if is_part(next) {
            let path = path(text, at);
            at = path.end();
            let is_word = path.names.len() == 1 && (path.is_call || WORDS.contains(&path.names[0].0));
            paths.extend((!is_word).then_some(path));
        } else {
            at += next.len_utf8();
        }
    }
    paths
}

/// Returns the path that starts at `start` with a name.
fn path(text: &str, start: usize) -> Path<'_> {
    // Further uses of a script are `turn#2`.
    let name = |at: usize| {
        let length = text[at..].find(|c: char| !c.is_alphanumeric() && !"_#".contains(c));
        at..length.map_or(text.len(), |length| at + length)
    };
    let mut names = vec![name(start)];
    let mut end = names[0].end;
    let mut ends = vec![end];
    loop {
        let rest = &text[end..];
        let next: Range<usize> = if rest.starts_with('.') {
            name(end + 1)
        } else if let Some(length) = rest.strip_prefix("[\"").and_then(|rest| rest.find("\"]")) {
            end + 2..end + 2 + length
        } else {
            break;
        };
        if next.is_empty() {
            break;
        }
        end = if rest.starts_with('.') { next.end } else { next.end + 2 };
        names.push(next);
        ends.push(end);
    }
    let is_call = text[end..].trim_start().starts_with('(');
    Path { start, names: names.into_iter().map(|name| &text[name]).zip(ends).collect(), is_call }
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

/// Returns a count of the run as an integer.
fn whole(value: &MeasureValue) -> Dynamic {
    match value {
        MeasureValue::Number(number) => Dynamic::from_int(*number as i64),
        other => dynamic(other),
    }
}

fn with_help((message, help): Explanation) -> String {
    match help {
        Some(help) => format!("{message}: {help}"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use steerbox_core::sim::{Failure, Frozen, GroupMeasure, NamedMeasure, Simulation};
    use steerbox_core::world::{Distribution, GridRules, Group, ScalarGrid, Solid, World, Zone};

    use super::*;

    fn simulation() -> Simulation {
        let mut world = World { step: 0.5, steps: 12, ..World::default() };
        for (name, speed) in [("a", 3.0), ("big ones", 1.0)] {
            let group = Group { name: name.to_owned(), ..Group::default() };
            world = world.with_group(group, [Vec3::ZERO, Vec3::X]);
            let units = world.groups.last().expect("a group").units.clone();
            world.units.velocity[units].fill(Vec3::X * speed);
        }
        world.name_signals(&["fear".to_owned()]);
        world.zones.push(Zone { name: "north door".to_owned(), area: Solid::ball(Vec3::X, 0.5).into() });
        let rules = GridRules { cell: 0.5, diffusion: 0.0, evaporation: 0.0 };
        let grid = ScalarGrid::new("trail", rules, &world.arena);
        world.grids.push(grid.filled(&Distribution::Constant(1.5), 1));
        Simulation::new(world, Vec::new())
    }

    #[test]
    fn a_condition_is_true_false_or_an_error() {
        let simulation = simulation();
        let names = MeasureNames::of(&simulation);
        let holds = |text: &str| Condition::parse(text, &names)?.holds(&Measured::new(&simulation));
        for (text, expected) in [
            ("a.speed > 2", true),
            ("a.speed > 2 && step < 12", false),
            ("errors > 0", false),
            ("time >= 6.0 || step == 1", true),
            ("groups[\"big ones\"].speed == 1.0 // \"a.heat\"", true),
            ("a[\"inside.north door\"] + a.inside[\"north door\"] == 2", true),
            ("abs(a.speed - 4) == 1.0 && (-a.speed).abs() == a.speed.abs()", true),
            ("grid.trail.total == 6 && grid.trail.mean > 1", true),
            ("a.fear == 0 && a.count / 4 == 0.5 && step / 5 == 2", true),
        ] {
            assert_eq!(holds(text), Ok(expected), "{text}");
        }
        for text in
            ["a.sped > 2", "b.speed > 2", "a.speed", "a.speed >", "loop { }", "let x = 1", "a.speed.x > 1"]
        {
            assert!(holds(text).is_err(), "{text}");
        }
        for (text, error) in [
            ("a.spead > 3", "`a` has no measure `spead`: did you mean `a.speed`?"),
            ("tiem > 3", "there is no measure `tiem`: did you mean `time`?"),
            ("speed > 3", "`speed` is a measure of a group: did you mean `a.speed`?"),
            ("grid.tail.mean > 3", "there is no measure `grid.tail.mean`: did you mean `grid.trail.mean`?"),
            ("a.speed > 1 and a.count > 1", "`and` is written `&&` here: write `a && b`"),
            ("a.speed = 3", "`=` means nothing here: compare with `==`"),
            ("a.speed", "this is a number: a condition is true or false: compare, such as `x > 0`"),
        ] {
            assert_eq!(holds(text), Err(error.to_owned()), "{text}");
        }
    }

    /// A measure with a value.
    struct Known(MeasureValue);

    impl GroupMeasure for Known {
        fn value(&self, _: &Arc<Frozen>, _: usize) -> Result<Option<MeasureValue>, Failure> {
            Ok(Some(self.0.clone()))
        }
    }

    #[test]
    fn a_vector_counts_by_its_length_and_a_list_by_its_elements() {
        let measure = |name: &str, value| NamedMeasure {
            name: name.to_owned(),
            script: String::new(),
            measure: Ok(Arc::new(Known(value))),
        };
        let mut simulation = simulation();
        simulation.set_measures(vec![
            measure("extent", MeasureValue::Vector(Vec3::new(3.0, 4.0, 0.0))),
            measure("bins", MeasureValue::List([0.5, 2.0].into())),
        ]);
        let names = MeasureNames::of(&simulation);
        let holds = |text: &str| Condition::parse(text, &names)?.holds(&Measured::new(&simulation));
        for text in ["a.extent == 5.0", "a.extent.x == 3.0", "a.bins.1 > 1.0", "a.bins[0] < 1.0"] {
            assert_eq!(holds(text), Ok(true), "{text}");
        }
        assert_eq!(
            holds("a.bins > 1"),
            Err("`a.bins` is a list: name an element, such as `a.bins.0`".to_owned())
        );
    }

    #[test]
    fn a_condition_has_the_measures_that_it_names_and_no_others() {
        let simulation = simulation();
        let names = MeasureNames::of(&simulation);
        let condition = Condition::parse("a.speed > 1 && a.polarization > 0.5", &names).expect("a condition");
        let named: Vec<_> = condition.measures().iter().map(Measure::name).collect();
        assert_eq!(named, ["a.speed", "a.polarization"]);
        let other = Simulation::new(World::default(), Vec::new());
        let error = condition.holds(&Measured::new(&other)).expect_err("there is no group");
        assert_eq!(error, "the scene has no measure `a.speed` any more");
    }
}
