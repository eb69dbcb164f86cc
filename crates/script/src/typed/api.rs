//! Resolves calls of the API: finds the row for the argument types, and converts the arguments.

use super::build::to_number;
use super::ir::{Builtin, Call, Expr, Op, Place};
use super::{Inferred, refuse, refuse_as};
use crate::api::{self, CallForm};
use crate::interpret::catalog;
use crate::types::Kind;

/// Builds a call of the row for these arguments. Without one, fails with the construct that `refused` describes.
pub(super) fn call(
    form: CallForm,
    name: &str,
    arguments: Vec<Expr>,
    at: Place,
    refused: impl FnOnce() -> String,
) -> Inferred {
    let kinds: Vec<_> = arguments.iter().map(|value| value.of.kind).collect();
    let Some((place, row)) = api::find(form, name, &kinds) else {
        return refuse_as(of_the_engine(form, name, &kinds), refused(), at);
    };
    let any = row.params.iter().zip(&arguments).find(|((_, kind), _)| *kind == Kind::Any);
    if any.is_some_and(|(_, value)| value.of.maybe) {
        return refuse("a text that may be nothing", at);
    }
    let pairs = arguments.into_iter().zip(&row.params);
    let arguments = pairs.map(|(value, (_, parameter))| match (value.of.kind, parameter) {
        (Kind::Integer, Kind::Number) => to_number(value),
        _ => value,
    });
    let call = Call {
        to: Builtin::Function(place),
        name: name.to_owned(),
        is_property: form == CallForm::Property,
        shown: kinds,
        arguments: arguments.collect(),
        place: at,
    };
    Ok(Expr::new(row.returns, Op::Call(call)))
}

/// Returns the kind of a call without a row: of a function of the script engine, or a kind that is certain although
/// the arguments are not.
fn of_the_engine(form: CallForm, name: &str, kinds: &[Kind]) -> Kind {
    let known = match (form, kinds) {
        // `()` has neither properties nor elements.
        (CallForm::Property | CallForm::Index, [Kind::Nothing, ..]) => Some(Kind::Never),
        (CallForm::Property, [kind]) => {
            catalog::property("get$", *kind, name).and_then(|entry| entry.returns)
        }
        (CallForm::Index, [list, ..]) => list.element(),
        _ => catalog::result_kind(name, kinds),
    };
    known.unwrap_or(Kind::Any)
}
