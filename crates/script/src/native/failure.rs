//! Failure sites of compiled code, and their messages, which equal those of the interpreter.

use rhai::{EvalAltResult, Position};
use steerbox_core::sim::Failure;

use crate::interpret::explain;
use crate::messages::words;
use crate::typed::ir::Place;
use crate::types::Kind;

/// A position at which compiled code can fail.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The path of the imported file with the site; `None` for the script itself.
    pub(super) file: Option<String>,
    pub(super) place: Place,
    pub(super) cause: Cause,
}

/// The cause of a failure. The context stores two integers with it.
#[derive(Clone, Debug)]
pub(super) enum Cause {
    /// An operator of integers whose result overflows or is undefined; the integers are its operands.
    Integers(Arithmetic),
    /// A call with arguments of these kinds; the bits of the first integer mark those that are `()`.
    Mismatch(String, Vec<Kind>),
    /// `()` instead of a bool.
    NotBool,
    /// A property of `()`.
    Property(String),
    /// `()` assigned to a memory field.
    CannotHold(String, Kind),
    /// A `range` with a step of zero.
    NoStep,
    /// An error of the host, which stored the message.
    Host,
    /// The work limit is exceeded.
    Exhausted,
    /// The depth of calls is exceeded.
    TooDeep,
}

/// Operators of integers that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Negate,
}

impl Site {
    /// Builds the failure; `words` is the message of the host, `entry` the position for errors without one.
    pub(super) fn failure(&self, [a, b]: [i64; 2], words: Option<String>, entry: (usize, usize)) -> Failure {
        let at = Position::NONE;
        let error = match &self.cause {
            Cause::Integers(operator) => EvalAltResult::ErrorArithmetic(operator.words(a, b), at),
            Cause::Mismatch(name, kinds) => {
                EvalAltResult::ErrorFunctionNotFound(signature(name, kinds, a), at)
            }
            Cause::NotBool => EvalAltResult::ErrorMismatchDataType("bool".to_owned(), "()".to_owned(), at),
            Cause::Property(name) => {
                let words = format!("Unknown property '{name}' - a getter is not registered for type '()'");
                EvalAltResult::ErrorDotExpr(words, at)
            }
            Cause::CannotHold(name, kind) => {
                let words = words::cannot_hold(name, *kind, "()");
                EvalAltResult::ErrorRuntime(words.into(), at)
            }
            Cause::NoStep => EvalAltResult::ErrorArithmetic("step value cannot be zero".to_owned(), at),
            Cause::Host => EvalAltResult::ErrorRuntime(words.unwrap_or_default().into(), at),
            Cause::Exhausted => EvalAltResult::ErrorTooManyOperations(at),
            Cause::TooDeep => EvalAltResult::ErrorStackOverflow(at),
        };
        if self.place.0 == 0 {
            return explain::failure(&error, entry);
        }
        let file = self.file.clone();
        Failure { file, ..explain::failure(&error, self.place) }
    }
}

impl Arithmetic {
    fn words(self, a: i64, b: i64) -> String {
        match self {
            Self::Add => format!("Addition overflow: {a} + {b}"),
            Self::Subtract => format!("Subtraction overflow: {a} - {b}"),
            Self::Multiply => format!("Multiplication overflow: {a} * {b}"),
            Self::Divide if b == 0 => format!("Division by zero: {a} / {b}"),
            Self::Divide => format!("Division overflow: {a} / {b}"),
            Self::Remainder => format!("Modulo division by zero or overflow: {a} % {b}"),
            Self::Power if b >= 0 => format!("Exponential overflow: {a} ** {b}"),
            Self::Power => format!("Integer raised to a negative power: {a} ** {b}"),
            Self::Negate => "integer overflow".to_owned(),
        }
    }
}

/// Formats a call as the script engine does: `name (type, type)`.
fn signature(name: &str, kinds: &[Kind], nothing: i64) -> String {
    let kinds: Vec<_> = (kinds.iter().enumerate())
        .map(|(index, kind)| if nothing >> index & 1 == 1 { "()" } else { kind.engine_name() })
        .collect();
    format!("{name} ({})", kinds.join(", "))
}
