//! Messages for errors of the script engine.

use rhai::{Dynamic, EvalAltResult, Position};
use steerbox_core::diagnostics::{Fault, Fix, closest, did_you_mean, offset_of, suggestion};
use steerbox_core::sim::Failure;
use steerbox_core::sim::work::WorkSource;

use super::loop_order::plain;
use super::{call, catalog};
use crate::budget::{Exhausted, MAX_CALLS, MAX_VARIABLES};
use crate::foreign::{self, On};
use crate::messages::operands;
use crate::messages::words::{self, Explanation, explanation};
use crate::syntax::fixes;
use crate::syntax::text::{self, Source, place};
use crate::syntax::{absent, errors};

/// Builds the fault of a script whose top level fails; `entry` is the position for errors without one.
pub(crate) fn runtime_fault(source: Source<'_>, error: &EvalAltResult, entry: (usize, usize)) -> Fault {
    let failure = failure(error, entry);
    let place = (failure.line, failure.column);
    let fault = source.fault(place, failure.message);
    let fix = fixes::param(source, &fault);
    fault.maybe_help(failure.help).fixed(fix)
}

/// Converts an engine error to a failure.
pub(crate) fn failure(error: &EvalAltResult, entry: (usize, usize)) -> Failure {
    let mut innermost = error;
    let mut file = None;
    while let EvalAltResult::ErrorInFunctionCall(_, source, inner, _) = innermost {
        innermost = inner;
        file = Some(source).filter(|source| !source.is_empty()).cloned();
    }
    let (line, column) = place(innermost.position()).unwrap_or(entry);
    let exhausted = matches!(
        innermost,
        EvalAltResult::ErrorTooManyOperations(_)
            | EvalAltResult::ErrorStackOverflow(_)
            | EvalAltResult::ErrorDataTooLarge(..)
            | EvalAltResult::ErrorTerminated(..)
    ) || is_exhausted(innermost);
    let (message, help) = why(innermost);
    Failure { line, column, message, help, file, exhausted }
}

/// The message for a panic, which no script can prevent.
pub(crate) const INTERNAL_ERROR: &str = "this is a bug in steerbox, not in your script: please report it";

/// Builds a failure at a position in the script itself.
#[cold]
pub(crate) fn failure_at(
    (line, column): (usize, usize),
    message: impl Into<String>,
    help: Option<String>,
) -> Failure {
    Failure { line, column, message: message.into(), help, file: None, exhausted: false }
}

/// Builds the failure for a panic in a function of the API.
pub(crate) fn internal_error(place: (usize, usize)) -> Failure {
    failure_at(place, INTERNAL_ERROR, None)
}

/// Builds the failure for a result that is infinite or NaN, with the usual causes.
#[cold]
pub(crate) fn not_finite(place: (usize, usize), causes: &str) -> Failure {
    let message = "steer returned a number that is not finite";
    failure_at(place, message, Some(causes.to_owned()))
}

/// Explains the innermost error of a failed call.
pub(crate) fn why(error: &EvalAltResult) -> Explanation {
    match error {
        EvalAltResult::ErrorAssignmentToConstant(name, _) => errors::constant_assigned(name),
        EvalAltResult::ErrorVariableNotFound(name, _) => (format!("there is no variable `{name}`"), None),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function(&plain(signature)),
        EvalAltResult::ErrorDotExpr(message, _) => unknown_property(&plain(message)),
        EvalAltResult::ErrorIndexingType(types, _) => {
            // The message has the kinds of the index and of a value, if both are known.
            let kind = words::friendly(types.split(" [").next().unwrap_or(types));
            let help = operands::help_indexed(&kind).map(str::to_owned);
            (format!("{kind} cannot be indexed"), help)
        }
        EvalAltResult::ErrorUnboundThis(_) => words::no_memory(),
        EvalAltResult::ErrorTooManyOperations(_) | EvalAltResult::ErrorTerminated(..) => exhausted_work(),
        EvalAltResult::ErrorStackOverflow(_) => {
            let message = format!("functions call each other more than {MAX_CALLS} deep");
            explanation(message, "does a function call itself without end?")
        }
        EvalAltResult::ErrorTooManyVariables(_) => {
            let help = "move some of it into functions: parameters count, too";
            explanation(format!("more than {MAX_VARIABLES} variables at a time"), help)
        }
        EvalAltResult::ErrorDataTooLarge(what, _) => (format!("{what} grew past its limit"), None),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => {
            let (wanted, found) = (words::friendly(wanted), words::friendly(found));
            let help = (wanted == "a switch").then(|| operands::condition(&found, None));
            (format!("expected {wanted}, not {found}"), help)
        }
        EvalAltResult::ErrorArithmetic(message, _) => {
            let help = "check the divisor, or divide numbers: 1.0 / x";
            let help = message.contains("zero").then(|| help.to_owned());
            (message.clone(), help)
        }
        EvalAltResult::ErrorRuntime(..) if is_exhausted(error) => exhausted_work(),
        EvalAltResult::ErrorRuntime(value, _) => split_remedy(&value.to_string()),
        EvalAltResult::ErrorFor(_) => {
            let help = "write `for i in 0..n { … }` to count, `for unit in me.neighbors { … }` for units";
            explanation("`for` goes over a list or a range, and this is neither", help)
        }
        EvalAltResult::ErrorModuleNotFound(name, _) => (unknown_import(name), None),
        other => (without_place(other), None),
    }
}

/// Returns true for the error of a call that exceeded its work limit.
fn is_exhausted(error: &EvalAltResult) -> bool {
    matches!(error, EvalAltResult::ErrorRuntime(value, _) if value.is::<Exhausted>())
}

/// Explains a call that exceeded its work limit.
fn exhausted_work() -> Explanation {
    let message = format!("one call took more than {} operations", call::max_operations());
    explanation(message, "is there a loop that never ends?")
}

/// Adds the main source of work to a failure by exhausted work.
pub(crate) fn with_work_source(failure: Failure, source: Option<WorkSource>) -> Failure {
    let Some(source) = source.filter(|_| failure.message == exhausted_work().0) else {
        return failure;
    };
    let (what, less) = match source {
        WorkSource::Paths => ("search a path point by point", "give the path fewer points"),
        WorkSource::Obstacles => ("measure obstacles one by one", "ask for fewer"),
        WorkSource::Lists => ("look at units of lists", "make the view smaller"),
    };
    let help = format!("many of them {what}: ask once and keep the answer, or {less}");
    Failure { help: Some(help), ..failure }
}

/// Splits a message of this crate into the cause and, on its second line, the remedy.
fn split_remedy(words: &str) -> Explanation {
    match words.split_once('\n') {
        Some((message, help)) => explanation(message, help),
        None if words.starts_with("there is no [") => {
            let help = "indices begin at 0: look at `list.len` first, or ask for `list.nearest`";
            explanation(words, help)
        }
        None => (words.to_owned(), None),
    }
}

/// Returns the engine's message without its position.
fn without_place(error: &EvalAltResult) -> String {
    let text = error.to_string();
    text::plain(text.split(" (line ").next().unwrap_or_default())
}

/// Builds the fault of an undeclared name; `known` are the script's constants.
pub(crate) fn unknown_name<'a>(
    source: Source<'_>,
    name: &str,
    position: Position,
    known: impl Iterator<Item = &'a str>,
) -> Fault {
    let place = place(position).unwrap_or((1, 1));
    let fault = source.fault(place, format!("there is no variable `{name}`"));
    let fault = fault.wide(name.chars().count());
    let rest = source.text.get(offset_of(source.text, place) + name.len()..).unwrap_or_default();
    if rest.trim_start().strip_prefix('=').is_some_and(|rest| !rest.starts_with('=')) {
        let fix = Fix::insert(format!("declare `{name}`"), offset_of(source.text, place), "let ");
        return fault.help(format!("declare it first: `let {name} = …;`")).fixed([fix]);
    }
    let of = ["me", "world"].into_iter().zip(catalog::arguments("steer"));
    let mut of = of.filter(|(_, kind)| catalog::property("get$", *kind, name).is_some());
    if let Some((of, _)) = of.next() {
        let fix = source.instead(&fault, format!("{of}.{name}"));
        return fault.help(format!("did you mean `{of}.{name}`?")).fixed([fix]);
    }
    if foreign::is_nothing(name) {
        let (message, help) = absent::nothing(name, source.text, offset_of(source.text, place));
        let fault = source.fault(place, message).wide(name.chars().count()).maybe_help(help);
        let fix = source.instead(&fault, "()");
        return fault.fixed([fix]);
    }
    let known: Vec<&str> = known.chain(["me", "world", "this"]).collect();
    if known.contains(&name) {
        return fault.help("it is declared elsewhere: a function sees its own variables and constants");
    }
    let foreign = foreign::help(On::Name, name);
    let near = closest(name, known).filter(|_| foreign.is_none());
    let fix = match near {
        Some(near) => Some(source.instead(&fault, near)),
        None if foreign
            .as_deref()
            .is_some_and(|help| help.starts_with("functions of numbers stand alone")) =>
        {
            let range = source.underlined(&fault);
            let dot = source.text[range.end..].starts_with('.');
            dot.then(|| Fix::replace(format!("leave out `{name}.`"), range.start..range.end + 1, ""))
        }
        None if foreign.as_deref() == Some("the unit that decides is `me`") => {
            Some(source.instead(&fault, "me"))
        }
        None => source.rewritten(&fault, foreign.as_deref()),
    };
    let help = foreign.or_else(|| near.map(did_you_mean));
    let fault = fault.fixed(fix);
    fault.help(
        help.unwrap_or_else(|| "declare it with `let`, or as a constant at the top of the file".to_owned()),
    )
}

/// Explains `name::` without an import of that name.
pub(crate) fn unknown_import(name: &str) -> String {
    format!("nothing is imported as `{name}`")
}

/// Explains an unknown function; the engine formats it as `name (Type, Type)`.
fn unknown_function(signature: &str) -> Explanation {
    let (name, types) = signature.split_once(" (").unwrap_or((signature, ""));
    let types = types.strip_suffix(')').unwrap_or(types);
    let types = types.split(", ").filter(|name| !name.is_empty());
    let types: Vec<_> = types.map(words::friendly).collect();
    let known = catalog::NAMES.iter().any(|known| known == name);
    let is_operator = !name.is_empty() && !name.contains(text::is_part_of_name);
    if is_operator && let [left, right] = &types[..] {
        let message = format!("`{name}` does not work between {left} and {right}");
        return (message, operands::help(name, left, right));
    }
    if is_operator && let [kind] = &types[..] {
        let message = format!("`{name}` does not work on {kind}");
        return (message, operands::help_alone(name, kind, None));
    }
    if known {
        let message = format!("`{name}` does not take ({})", types.join(", "));
        return (message, operands::help_called(name, &types));
    }
    let of_first = |kind: &String| foreign::help(On::Kind(kind), name);
    let help = (types.first().and_then(of_first))
        .or_else(|| foreign::help(On::Call, name))
        .or_else(|| suggestion(name, catalog::NAMES.iter().map(String::as_str)));
    (format!("there is no function `{name}`"), help)
}

/// Explains an unknown property; the engine's message is `Unknown property 'name' - a getter is not registered for
/// type 'Type'`.
fn unknown_property(message: &str) -> Explanation {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let (Some(name), Some(kind)) = (quoted.next(), quoted.next()) else {
        return (text::plain(message), None);
    };
    if message.contains("setter") && kind != "()" {
        return if catalog::is_property(name) {
            words::cannot_set(name, kind)
        } else {
            words::cannot_add(name, kind)
        };
    }
    words::no_property(name, kind, || {
        let others = catalog::NAMES.iter().filter(|known| *known != name);
        suggestion(name, others.map(String::as_str))
    })
}

/// Returns a value's kind, as shown to the user.
pub(crate) fn kind_of(value: &Dynamic) -> String {
    if value.is_unit() { "nothing".to_owned() } else { words::friendly(value.type_name()) }
}

/// Returns a remedy for a result that `steer` must not return.
pub(crate) fn result_remedy(value: &Dynamic) -> Option<String> {
    let help = match words::friendly(value.type_name()).as_str() {
        _ if value.is_string() => "draw_text(point, text) shows words in the window",
        _ if value.is_bool() => "write `if … { 1 } else { 0 }` for a turn",
        "a list" => "steer by one of it or by its mean: `list.mean_position - me.position`",
        "a unit" | "an obstacle" | "me" => "steer by where it is: `unit.position - me.position`",
        "an array" | "a map" => "a vector is written `vec(1.0, 2.0)`",
        _ => return None,
    };
    Some(help.to_owned())
}
