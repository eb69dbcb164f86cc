//! Calls of the API: the row that takes arguments of these types, and the arguments as it takes them.

use super::build::to_number;
use super::form::{Builtin, Call, Expr, Op, Place};
use super::{Inferred, refuse};
use crate::script::api::{self, Form};
use crate::script::types::Kind;

/// A call of the row for these arguments; `None` where there is none.
pub(super) fn call(form: Form, name: &str, arguments: Vec<Expr>, at: Place) -> Option<Inferred> {
    let kinds: Vec<_> = arguments.iter().map(|value| value.of.kind).collect();
    let (place, row) = api::find(form, name, &kinds)?;
    let any = row.takes.iter().zip(&arguments).find(|((_, kind), _)| *kind == Kind::Any);
    if any.is_some_and(|(_, value)| value.of.maybe) {
        return Some(refuse("a text that may be nothing", at));
    }
    let pairs = arguments.into_iter().zip(&row.takes);
    let arguments = pairs.map(|(value, (_, parameter))| match (value.of.kind, parameter) {
        (Kind::Integer, Kind::Number) => to_number(value),
        _ => value,
    });
    let call = Call {
        to: Builtin::Function(place),
        name: name.to_owned(),
        is_property: form == Form::Property,
        shown: kinds,
        arguments: arguments.collect(),
        place: at,
    };
    Some(Ok(Expr::new(row.gives, Op::Call(call))))
}
