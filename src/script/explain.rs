//! What the script engine says, in the user's words.

use rhai::{Dynamic, EvalAltResult, ParseError, ParseErrorType, Position};

use super::api;
use super::budget::{MAX_CALLS, MAX_OPERATIONS};
use crate::diagnostics::{Fault, closest};
use crate::sim::Failure;

/// A cause and, if one is known, a remedy.
type Cause = (String, Option<String>);

/// A fault of a script that does not compile.
pub(super) fn parse_error(path: &str, text: &str, error: &ParseError) -> Fault {
    let (message, help) = parse_cause(error.err_type());
    let place = place(error.position()).unwrap_or((0, 0));
    let fault = match place {
        (0, _) => Fault::of_file(path, message),
        place => Fault::at(path, text, place, message),
    };
    match help {
        Some(help) => fault.help(help),
        None => fault,
    }
}

/// A fault of a script whose top level fails; `entry` is where to point when nothing better is known.
pub(super) fn runtime_fault(
    path: &str,
    text: &str,
    error: &EvalAltResult,
    entry: (usize, usize),
) -> Fault {
    let failure = failure(error, entry);
    let fault = Fault::at(path, text, (failure.line, failure.column), failure.message);
    match failure.help {
        Some(help) => fault.help(help),
        None => fault,
    }
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
pub(super) fn not_finite((line, column): (usize, usize)) -> Failure {
    Failure {
        line,
        column,
        message: "steer returned a number that is not finite".to_owned(),
        help: Some("a division by zero is a usual cause".to_owned()),
        file: None,
        exhausted: false,
    }
}

fn place(position: Position) -> Option<(usize, usize)> {
    Some((position.line()?, position.position().unwrap_or(1)))
}

fn parse_cause(error: &ParseErrorType) -> Cause {
    match error {
        ParseErrorType::MissingToken(token, purpose) if token == ";" => {
            let help = "end the line before with `;`".to_owned();
            (format!("a `;` is missing {purpose}"), Some(help))
        }
        ParseErrorType::MissingToken(token, purpose) => {
            (format!("`{token}` is missing {purpose}"), None)
        }
        ParseErrorType::VariableUndefined(name) => unknown_variable(name),
        ParseErrorType::MismatchedType(wanted, found) => {
            let help =
                (wanted.contains("bool")).then(|| "compare with `==`; `=` assigns".to_owned());
            (format!("expected {wanted}, not {found}"), help)
        }
        ParseErrorType::AssignmentToInvalidLHS(_) | ParseErrorType::AssignmentToConstant(_) => {
            let help = "compare with `==`; to change a value, declare it with `let`".to_owned();
            (error.to_string(), Some(help))
        }
        ParseErrorType::ExprTooDeep => (
            "the expression is nested too deeply".to_owned(),
            Some("split it with `let`".to_owned()),
        ),
        ParseErrorType::PropertyExpected => (
            "what follows the dot is no name that a script may use".to_owned(),
            Some("`call`, `curry` and `eval` are not available to scripts".to_owned()),
        ),
        ParseErrorType::TooManyFunctions => ("there are more than 64 functions".to_owned(), None),
        ParseErrorType::Reserved(word) => (
            format!("`{word}` is reserved or not available to scripts"),
            None,
        ),
        other => (other.to_string(), None),
    }
}

fn cause(error: &EvalAltResult) -> Cause {
    match error {
        EvalAltResult::ErrorParsing(error, _) => parse_cause(error),
        EvalAltResult::ErrorVariableNotFound(name, _) => unknown_variable(name),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function(signature),
        EvalAltResult::ErrorDotExpr(message, _) => unknown_property(message),
        EvalAltResult::ErrorIndexingType(types, _) => {
            (format!("{} cannot be indexed", friendly(types)), None)
        }
        EvalAltResult::ErrorUnboundThis(_) => {
            let help = "declare what is remembered: `const MEMORY = #{ angle: 0.0 };`".to_owned();
            ("`this` needs a MEMORY".to_owned(), Some(help))
        }
        EvalAltResult::ErrorTooManyOperations(_) => {
            let help = "is there a loop that never ends?".to_owned();
            (
                format!("one call took more than {MAX_OPERATIONS} operations"),
                Some(help),
            )
        }
        EvalAltResult::ErrorStackOverflow(_) => {
            let help = "does a function call itself without end?".to_owned();
            (
                format!("functions call each other more than {MAX_CALLS} deep"),
                Some(help),
            )
        }
        EvalAltResult::ErrorTerminated(..) => (
            "the top of the file takes too long to run".to_owned(),
            Some("work out less there, or write the result".to_owned()),
        ),
        EvalAltResult::ErrorDataTooLarge(what, _) => (format!("{what} grew past its limit"), None),
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => (
            format!("expected {}, not {}", friendly(wanted), friendly(found)),
            None,
        ),
        EvalAltResult::ErrorArithmetic(message, _) => arithmetic(message),
        EvalAltResult::ErrorRuntime(value, _) => (value.to_string(), None),
        EvalAltResult::ErrorModuleNotFound(name, _) => (unknown_import(name), None),
        other => (without_place(other), None),
    }
}

/// The engine's own words, without the place that it appends.
fn without_place(error: &EvalAltResult) -> String {
    let text = error.to_string();
    text.split(" (line ").next().unwrap_or_default().to_owned()
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
    if [
        "neighbors",
        "others",
        "enemies",
        "position",
        "velocity",
        "heading",
    ]
    .contains(&name)
    {
        return fault.help(format!("did you mean `me.{name}`?"));
    }
    match closest(name, known.chain(["me", "world", "this"])) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help("declare it with `let`, or as a constant at the top of the file"),
    }
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
        .map(friendly)
        .collect();
    let known = api::NAMES.iter().any(|known| known == name);
    let is_operator = !name.is_empty() && name.chars().all(|c| !c.is_alphanumeric() && c != '_');
    if is_operator && types.len() == 2 {
        let nothing = types.iter().any(|kind| kind == "nothing");
        let help = nothing.then(|| "it may be nothing: check it with `== ()` first".to_owned());
        return (
            format!(
                "`{name}` does not work between {} and {}",
                types[0], types[1]
            ),
            help,
        );
    }
    if known {
        return (
            format!("`{name}` does not take ({})", types.join(", ")),
            None,
        );
    }
    let near = closest(name, api::NAMES.iter().map(String::as_str));
    (
        format!("there is no function `{name}`"),
        near.map(|near| format!("did you mean `{near}`?")),
    )
}

/// The engine writes `Unknown property 'name' - a getter is not registered for type 'Type'`.
fn unknown_property(message: &str) -> Cause {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let (Some(name), Some(kind)) = (quoted.next(), quoted.next()) else {
        return (message.to_owned(), None);
    };
    let kind = friendly(kind);
    let help = if kind == "nothing" {
        Some("it may be nothing: check it with `== ()` first".to_owned())
    } else if message.contains("setter") {
        None
    } else {
        closest(name, api::NAMES.iter().map(String::as_str))
            .map(|near| format!("did you mean `{near}`?"))
    };
    let verb = if message.contains("setter") {
        "cannot be set on"
    } else {
        "is not a property of"
    };
    (format!("`{name}` {verb} {kind}"), help)
}

/// A value's kind in the user's words.
pub(super) fn kind_of(value: &Dynamic) -> String {
    if value.is_unit() {
        "nothing".to_owned()
    } else {
        friendly(value.type_name())
    }
}

/// A remedy for what `steer` must not return.
pub(super) fn returned_help(value: &Dynamic) -> Option<String> {
    if value.is_string() {
        Some("draw_text(point, text) shows words in the window".to_owned())
    } else if value.is_bool() {
        Some("write `if … { 1 } else { 0 }` for a turn".to_owned())
    } else {
        None
    }
}

fn friendly(kind: &str) -> String {
    let plain = match kind.rsplit("::").next().unwrap_or(kind) {
        "f32" | "float" => "a number",
        "i64" | "int" => "an integer",
        "bool" => "a switch",
        "string" | "&str" | "ImmutableString" | "&str | ImmutableString | String" => "a string",
        "()" => "nothing",
        "array" => "an array",
        "map" => "a map",
        "Vec3" | "Vector" => "a vector",
        "Me" => "me",
        "Unit" => "a unit",
        "Units" | "List" => "a list",
        "Universe" | "World" => "the world",
        "Obstructing" | "Obstacle" => "an obstacle",
        "Obstacles" | "ObstacleList" => "the obstacles",
        "Route" | "Path" => "a path",
        "Field" => "a field",
        "Turn" => "a turn",
        "Remembered" | "Memory" => "the memory",
        other => other,
    };
    plain.to_owned()
}
