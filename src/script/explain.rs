//! What the script engine says, in the user's words.

use rhai::{Dynamic, EvalAltResult, Position};

use super::budget::{MAX_CALLS, MAX_OPERATIONS, MAX_VARIABLES};
use super::foreign::{self, On};
use super::program::Entry;
use super::{catalog, operands, syntax, words};
use crate::diagnostics::Fault;
use crate::sim::Failure;
use crate::sim::work::Toll;

/// A cause and, if one is known, a remedy.
type Cause = (String, Option<String>);

/// A fault of a script whose top level fails; `entry` is where to point when nothing better is known.
pub(super) fn runtime_fault(
    path: &str,
    text: &str,
    error: &EvalAltResult,
    entry: (usize, usize),
) -> Fault {
    let failure = failure(error, entry);
    let place = (failure.line, failure.column);
    Fault::at(path, text, place, failure.message).maybe_help(failure.help)
}

/// Why a call failed.
pub(super) fn failure(error: &EvalAltResult, entry: (usize, usize)) -> Failure {
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
    );
    let (message, help) = cause(innermost);
    Failure {
        line,
        column,
        message,
        help,
        file,
        exhausted,
    }
}

/// What is said of a panic, which no script can help.
pub(super) const OUR_FAULT: &str =
    "this is a bug in steerbox, not in your script: please report it";

/// A panic in a function of the API.
pub(super) fn our_fault((line, column): (usize, usize)) -> Failure {
    Failure {
        line,
        column,
        message: OUR_FAULT.to_owned(),
        help: None,
        file: None,
        exhausted: false,
    }
}

/// A contribution that is infinite or no number.
#[cold]
pub(super) fn not_finite(entry: &Entry) -> Failure {
    let (line, column) = entry.place;
    Failure {
        line,
        column,
        message: "steer returned a number that is not finite".to_owned(),
        help: Some(entry.not_finite.clone()),
        file: None,
        exhausted: false,
    }
}

fn place(position: Position) -> Option<(usize, usize)> {
    Some((position.line()?, position.position().unwrap_or(1)))
}

fn cause(error: &EvalAltResult) -> Cause {
    match error {
        EvalAltResult::ErrorAssignmentToConstant(name, _) => syntax::constant_assigned(name),
        EvalAltResult::ErrorVariableNotFound(name, _) => unknown_variable(name),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function(signature),
        EvalAltResult::ErrorDotExpr(message, _) => unknown_property(message),
        EvalAltResult::ErrorIndexingType(types, _) => {
            // With the kind of the index and of a value, where both are known.
            let kind = words::friendly(types.split(" [").next().unwrap_or(types));
            let help = operands::help_indexed(&kind).map(str::to_owned);
            (format!("{kind} cannot be indexed"), help)
        }
        EvalAltResult::ErrorUnboundThis(_) => words::no_memory(),
        EvalAltResult::ErrorTooManyOperations(_) | EvalAltResult::ErrorTerminated(..) => too_much(),
        EvalAltResult::ErrorStackOverflow(_) => {
            let help = "does a function call itself without end?".to_owned();
            (
                format!("functions call each other more than {MAX_CALLS} deep"),
                Some(help),
            )
        }
        EvalAltResult::ErrorTooManyVariables(_) => {
            let help = "move some of it into functions: parameters count, too".to_owned();
            (
                format!("more than {MAX_VARIABLES} variables at a time"),
                Some(help),
            )
        }
        EvalAltResult::ErrorDataTooLarge(what, _) => (format!("{what} grew past its limit"), None),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => {
            let help = (words::friendly(wanted) == "a switch")
                .then(|| operands::condition(&words::friendly(found)).to_owned());
            let (wanted, found) = (words::friendly(wanted), words::friendly(found));
            (format!("expected {wanted}, not {found}"), help)
        }
        EvalAltResult::ErrorArithmetic(message, _) => arithmetic(message),
        EvalAltResult::ErrorRuntime(value, _) => own_words(&value.to_string()),
        EvalAltResult::ErrorFor(_) => {
            let help =
                "write `for i in 0..n { … }` to count, `for unit in me.neighbors { … }` for units";
            let message = "`for` goes over a list or a range, and this is neither";
            (message.to_owned(), Some(help.to_owned()))
        }
        EvalAltResult::ErrorModuleNotFound(name, _) => (unknown_import(name), None),
        other => (without_place(other), None),
    }
}

/// A call that took more than it may.
fn too_much() -> Cause {
    let help = "is there a loop that never ends?".to_owned();
    let message = format!("one call took more than {MAX_OPERATIONS} operations");
    (message, Some(help))
}

/// Says what a call took most of its operations for, if it failed because they were too many.
pub(super) fn with_toll(failure: Failure, toll: Option<Toll>) -> Failure {
    let Some(toll) = toll.filter(|_| failure.message == too_much().0) else {
        return failure;
    };
    let help = match toll {
        Toll::Paths => {
            "many of them search a path point by point: ask once and keep the answer, or give the path fewer points"
        }
        Toll::Obstacles => {
            "many of them measure obstacles one by one: ask once and keep the answer, or ask for fewer"
        }
        Toll::Lists => {
            "many of them look at units of lists: ask once and keep the answer, or make the view smaller"
        }
    };
    Failure {
        help: Some(help.to_owned()),
        ..failure
    }
}

/// Words of ours: the cause and, in a line below it, the remedy.
fn own_words(words: &str) -> Cause {
    let (message, help) = match words.split_once('\n') {
        Some((message, help)) => (message, Some(help)),
        None if words.starts_with("there is no [") => {
            let help = "indices begin at 0: look at `list.len` first, or ask for `list.nearest`";
            (words, Some(help))
        }
        None => (words, None),
    };
    (message.to_owned(), help.map(str::to_owned))
}

/// The engine's own words, without the place that it appends.
fn without_place(error: &EvalAltResult) -> String {
    let text = error.to_string();
    syntax::plain(text.split(" (line ").next().unwrap_or_default())
}

fn arithmetic(message: &str) -> Cause {
    let help = message
        .contains("zero")
        .then(|| "check the divisor, or divide numbers: 1.0 / x".to_owned());
    (message.to_owned(), help)
}

/// A fault of a name that nothing declares; `known` are the script's constants.
pub(super) fn unknown_name<'a>(
    path: &str,
    text: &str,
    name: &str,
    position: Position,
    known: impl Iterator<Item = &'a str>,
) -> Fault {
    let place = place(position).unwrap_or((1, 1));
    let fault = Fault::at(path, text, place, format!("there is no variable `{name}`"));
    let fault = fault.wide(name.chars().count());
    let of = ["me", "world"].into_iter().zip(catalog::arguments("steer"));
    let mut of = of.filter(|(_, kind)| catalog::property("get$", *kind, name).is_some());
    if let Some((of, _)) = of.next() {
        return fault.help(format!("did you mean `{of}.{name}`?"));
    }
    let known: Vec<&str> = known.chain(["me", "world", "this"]).collect();
    if known.contains(&name) {
        return fault
            .help("it is declared elsewhere: a function sees its own variables and constants");
    }
    let near = || words::did_you_mean(name, known);
    let help = foreign::help(On::Name, name).or_else(near);
    fault.help(help.unwrap_or_else(|| {
        "declare it with `let`, or as a constant at the top of the file".to_owned()
    }))
}

/// What to say of `name::` when nothing is imported under that name.
pub(super) fn unknown_import(name: &str) -> String {
    format!("nothing is imported as `{name}`")
}

fn unknown_variable(name: &str) -> Cause {
    (format!("there is no variable `{name}`"), None)
}

/// The engine writes `name (Type, Type)`.
fn unknown_function(signature: &str) -> Cause {
    let (name, types) = signature.split_once(" (").unwrap_or((signature, ""));
    let types = types.strip_suffix(')').unwrap_or(types);
    let types: Vec<_> = types
        .split(", ")
        .filter(|name| !name.is_empty())
        .map(words::friendly)
        .collect();
    let known = catalog::NAMES.iter().any(|known| known == name);
    let is_operator = !name.is_empty() && name.chars().all(|c| !c.is_alphanumeric() && c != '_');
    if is_operator && let [left, right] = &types[..] {
        let message = format!("`{name}` does not work between {left} and {right}");
        return (message, operands::help(name, left, right));
    }
    if is_operator && let [kind] = &types[..] {
        let message = format!("`{name}` does not work on {kind}");
        return (message, operands::help_alone(name, kind));
    }
    if known {
        let message = format!("`{name}` does not take ({})", types.join(", "));
        return (message, operands::help_called(name, &types));
    }
    let of_first = |kind: &String| foreign::help(On::Kind(kind), name);
    let help = (types.first().and_then(of_first))
        .or_else(|| foreign::help(On::Call, name))
        .or_else(|| words::did_you_mean(name, catalog::NAMES.iter().map(String::as_str)));
    (format!("there is no function `{name}`"), help)
}

/// The engine writes `Unknown property 'name' - a getter is not registered for type 'Type'`.
fn unknown_property(message: &str) -> Cause {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let (Some(name), Some(kind)) = (quoted.next(), quoted.next()) else {
        return (syntax::plain(message), None);
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
        words::did_you_mean(name, others.map(String::as_str))
    })
}

/// A value's kind in the user's words.
pub(super) fn kind_of(value: &Dynamic) -> String {
    if value.is_unit() {
        "nothing".to_owned()
    } else {
        words::friendly(value.type_name())
    }
}

/// A remedy for what `steer` must not return.
pub(super) fn returned_help(value: &Dynamic) -> Option<String> {
    if value.is_string() {
        Some("draw_text(point, text) shows words in the window".to_owned())
    } else if value.is_bool() {
        Some("write `if … { 1 } else { 0 }` for a turn".to_owned())
    } else {
        let help = match words::friendly(value.type_name()).as_str() {
            "a list" => "steer by one of it or by its mean: `list.mean_position - me.position`",
            "a unit" | "an obstacle" | "me" => {
                "steer by where it is: `unit.position - me.position`"
            }
            "an array" | "a map" => "a vector is written `vec(1.0, 2.0)`",
            _ => return None,
        };
        Some(help.to_owned())
    }
}
