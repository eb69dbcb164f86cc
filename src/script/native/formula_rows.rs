//! Which rows of the API and which operators are formulas, for either kind of code.

use super::formulas::Formulas;
use crate::script::api::{Form, Function};
use crate::script::typed::form::Builtin;
use crate::script::types::Kind::{self, Number, Vector};

/// The parts of a value.
type Parts<F> = Vec<<F as Formulas>::Value>;

/// What a row of the API gives for some arguments, if it is a formula.
pub(super) fn of_row<F: Formulas>(emit: &mut F, row: &Function, on: &[Parts<F>]) -> Option<Parts<F>> {
    if !matches!(row.form, Form::Property | Form::Function) {
        return None;
    }
    Some(match (row.receiver(), row.name) {
        (Vector, "x") => vec![on[0][0]],
        (Vector, "y") => vec![on[0][1]],
        (Vector, "z") => vec![on[0][2]],
        (Vector, "length") => vec![emit.length(&on[0])],
        (Vector, "normalized") => emit.normalized(&on[0]),
        (Vector, "dot") => vec![emit.dot(&on[0], &on[1])],
        (Vector, "cross") => emit.cross(&on[0], &on[1]),
        (Vector, "limit") => emit.limit(&on[0], on[1][0]),
        (Vector, "distance_to") => vec![emit.distance(&on[0], &on[1])],
        (Vector | Number, "lerp") => emit.lerp(&on[0], &on[1], on[2][0]),
        (Number, "turn") => on.concat(),
        (Number, "vec") => {
            let mut parts = on.concat();
            if parts.len() == 2 {
                parts.push(emit.number(0.0));
            }
            parts
        }
        (Number, "sqrt") => vec![emit.square_root(on[0][0])],
        (Number, "min") => vec![emit.lesser_of(on[0][0], on[1][0])],
        (Number, "max") => vec![emit.greater_of(on[0][0], on[1][0])],
        (Number, "clamp") => {
            let most = emit.lesser_of(on[0][0], on[2][0]);
            vec![emit.greater_of(most, on[1][0])]
        }
        (Number, "abs") => vec![emit.size(on[0][0])],
        (Number, "sign") => vec![emit.sign(on[0][0])],
        (Number, "to_float") => on[0].clone(),
        _ => return None,
    })
}

/// What an operator of numbers and vectors gives, if it is a formula.
pub(super) fn of_operator<F: Formulas>(
    emit: &mut F,
    to: Builtin,
    kinds: [Kind; 2],
    a: &[F::Value],
    b: &[F::Value],
) -> Option<Parts<F>> {
    Some(match (to, kinds) {
        (Builtin::Add, [Vector, Vector]) => emit.add(a, b),
        (Builtin::Subtract, [Vector, Vector]) => emit.subtract(a, b),
        (Builtin::Multiply, [Vector, Number]) => emit.scale(a, b[0]),
        (Builtin::Multiply, [Number, Vector]) => emit.scale(b, a[0]),
        (Builtin::Divide, [Vector, Number]) => emit.shrink(a, b[0]),
        (Builtin::Add, [Number, Number]) => vec![emit.sum(a[0], b[0])],
        (Builtin::Subtract, [Number, Number]) => vec![emit.difference(a[0], b[0])],
        (Builtin::Multiply, [Number, Number]) => vec![emit.product(a[0], b[0])],
        (Builtin::Divide, [Number, Number]) => vec![emit.quotient(a[0], b[0])],
        _ => return None,
    })
}
