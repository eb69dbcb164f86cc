//! Constructors of IR expressions.

use super::ir::{Builtin, Call, Compare, Expr, Op, Place};
use super::scope::Frame;
use super::{Inferred, Pass, refuse_help};
use crate::types::{Kind, Type};

/// The use of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    /// It is unused, so that branches may have different types.
    Dropped,
    /// It is part of an expression.
    Used,
    /// It is what the function returns.
    Returned,
}

impl Pass<'_> {
    /// Builds a conditional expression.
    pub(super) fn either(&self, test: Expr, body: Expr, branch: Expr, usage: Usage, at: Place) -> Inferred {
        let of = match (usage, self.join(body.of, branch.of)) {
            (_, Some(of)) => of,
            (Usage::Dropped, None) => Type::NOTHING,
            (_, None) => {
                let (one, other) = (body.of.describe(), branch.of.describe());
                let kinds = [body.of.kind, branch.of.kind];
                let is_numeric = kinds.contains(&Kind::Integer) && kinds.contains(&Kind::Number);
                let help = is_numeric.then(|| "write both as numbers, such as `1.0`".to_owned());
                return refuse_help(format!("a value that is {one} or {other}"), help, at);
            }
        };
        let of = match usage {
            // An unused value needs no common type.
            Usage::Dropped if of.kind != Kind::Never => Type::NOTHING,
            _ => of,
        };
        Ok(Expr::new(of, Op::If(Box::new([test, body, branch]))))
    }
}

/// Builds an assignment to a local; none if the value never returns.
pub(super) fn assigned(set: impl FnOnce(usize, Box<Expr>) -> Op, local: usize, value: Expr) -> Expr {
    let of = if value.of.kind == Kind::Never { Type::NEVER } else { Type::NOTHING };
    Expr::new(of, set(local, Box::new(value)))
}

pub(super) fn integer(value: i64) -> Expr {
    Expr::new(Kind::Integer, Op::Integer(value))
}

pub(super) fn number(value: f32) -> Expr {
    Expr::new(Kind::Number, Op::Number(value))
}

pub(super) fn bool_constant(value: bool) -> Expr {
    Expr::new(Kind::Bool, Op::Bool(value))
}

pub(super) fn call(to: Builtin, name: &str, arguments: Vec<Expr>, of: Kind) -> Expr {
    let call = Call {
        to,
        name: name.to_owned(),
        is_property: false,
        shown: arguments.iter().map(|value| value.of.kind).collect(),
        arguments,
        place: (0, 0),
    };
    Expr::new(of, Op::Call(call))
}

pub(super) fn compare(to: Compare, a: Expr, b: Expr) -> Expr {
    call(Builtin::Compare(to), "==", vec![a, b], Kind::Bool)
}

/// `a && b`.
pub(super) fn and(a: Expr, b: Expr) -> Expr {
    match (&a.op, &b.op) {
        (Op::Bool(true), _) => b,
        (Op::Bool(false), _) | (_, Op::Bool(true)) => a,
        _ => Expr::new(Kind::Bool, Op::If(Box::new([a, b, bool_constant(false)]))),
    }
}

/// A conditional expression of bools.
pub(super) fn choose(test: Expr, body: Expr, branch: Expr) -> Expr {
    match (&test.op, &body.op, &branch.op) {
        (Op::Bool(true), ..) => return body,
        (Op::Bool(false), ..) => return branch,
        (_, Op::Bool(true), Op::Bool(false)) => return test,
        _ => {}
    }
    Expr::new(Kind::Bool, Op::If(Box::new([test, body, branch])))
}

/// Stores a value in a temporary and returns a read of it.
pub(super) fn store_temporary(frame: &mut Frame, before: &mut Vec<Expr>, value: Expr) -> Expr {
    if value.is_constant() || value.of.kind == Kind::Never {
        if value.of.kind == Kind::Never {
            before.push(value.clone());
        }
        return value;
    }
    let of = value.of;
    let local = frame.temporary(of);
    before.push(assigned(Op::Set, local, value));
    Expr::new(of, Op::Local(local))
}

/// Builds a sequence that ends with `value`.
pub(super) fn after(mut before: Vec<Expr>, value: Expr) -> Expr {
    before.push(value);
    Expr::sequence(before)
}

/// Converts an integer to a number; one that may be `()` is unchanged.
pub(super) fn to_number(value: Expr) -> Expr {
    if let Op::Integer(value) = value.op {
        return Expr::new(Kind::Number, Op::Number(value as f32));
    }
    let maybe = value.of.maybe;
    let mut number = call(Builtin::ToNumber, "", vec![value], Kind::Number);
    number.of.maybe = maybe;
    number
}

/// Builds a test for `()`, folded if the type decides it.
pub(super) fn is_nothing(value: &Expr) -> Expr {
    match (value.of.kind, value.of.maybe) {
        (Kind::Nothing, _) => bool_constant(true),
        (_, false) => bool_constant(false),
        _ => Expr::new(Kind::Bool, Op::IsNothing(Box::new(value.clone()))),
    }
}

pub(super) fn unwrapped(value: &Expr) -> Expr {
    if value.of.maybe { Expr::new(value.of.kind, Op::Unwrap(Box::new(value.clone()))) } else { value.clone() }
}

pub(super) fn not(value: Expr) -> Expr {
    folded(call(Builtin::Not, "!", vec![value], Kind::Bool))
}

/// Folds comparisons of constant texts, and negations.
pub(super) fn folded(expr: Expr) -> Expr {
    let Op::Call(call) = &expr.op else {
        return expr;
    };
    let known = match (call.to, &call.arguments[..]) {
        (
            Builtin::Compare(to @ (Compare::Equal | Compare::NotEqual)),
            [Expr { op: Op::Text(a), .. }, Expr { op: Op::Text(b), .. }],
        ) => Some((a == b) == (to == Compare::Equal)),
        (Builtin::Not, [Expr { op: Op::Bool(value), .. }]) => Some(!value),
        _ => None,
    };
    known.map_or(expr, bool_constant)
}
