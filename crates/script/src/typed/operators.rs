//! Lowers operators, as the script language defines them for every pair of kinds.

use rhai::FnCallExpr;

use super::build::{
    after, bool_constant, choose, folded, is_nothing, not, store_temporary, to_number, unwrapped,
};
use super::ir::{Builtin, Call, Compare, Expr, Op, Place};
use super::scope::Frame;
use super::{Inferred, Pass, refuse, refuse_as};
use crate::api;
use crate::types::{Kind, Type};

impl Pass<'_> {
    pub(super) fn operator(&mut self, frame: &mut Frame, call: &FnCallExpr, at: Place) -> Inferred {
        let values =
            (call.args.iter()).map(|argument| self.expr(frame, argument)).collect::<Inferred<Vec<_>>>()?;
        self.operate(frame, &call.name, values, at)
    }

    /// Applies an operator to lowered operands.
    pub(super) fn operate(
        &mut self,
        frame: &mut Frame,
        name: &str,
        values: Vec<Expr>,
        at: Place,
    ) -> Inferred {
        if values.iter().any(|value| value.of.kind == Kind::Never) {
            return Ok(Expr::sequence(values));
        }
        if comparison(name).is_some()
            && values.iter().any(|value| value.of.kind == Kind::Any)
            && self.is_tolerant()
        {
            return Ok(Expr::unknown(Kind::Bool));
        }
        if let Some(to) = comparison(name)
            && let [a, b] = &values[..]
            && (a.of.kind == Kind::Nothing || b.of.kind == Kind::Nothing || a.of.maybe || b.of.maybe)
        {
            return self.compare_maybe(frame, name, to, values, at);
        }
        let found = match &values[..] {
            [a] => unary(name, a.of.kind),
            [a, b] => binary(name, a.of.kind, b.of.kind),
            _ => None,
        };
        if found.is_none()
            && let [a, b] = &values[..]
            && let Some(to) = comparison(name)
            && differ(a.of.kind, b.of.kind)
        {
            // Values of different kinds are unequal, and neither less nor greater.
            let known = bool_constant(to == Compare::NotEqual);
            return Ok(after(values, known));
        }
        let Some((to, kind, of)) = found else {
            let kinds: Vec<_> = values.iter().map(|value| value.of.kind.describe()).collect();
            let kinds = kinds.join(" and ");
            return refuse_as(at_least(name, &values), format!("`{name}` with {kinds}"), at);
        };
        if matches!(to, Builtin::Compare(_)) {
            self.compared_zone(&values, at);
        }
        let shown = values.iter().map(|value| value.of.kind).collect();
        let arguments = values
            .into_iter()
            .map(|value| match (value.of.kind, kind) {
                (Kind::Integer, Operands::Numbers) => to_number(value),
                _ => value,
            })
            .collect();
        let call = Call { to, name: name.to_owned(), is_property: false, shown, arguments, place: at };
        Ok(folded(Expr::new(of, Op::Call(call))))
    }

    /// Lowers a comparison of operands that may be `()`, which equals only `()` and is neither less nor greater than
    /// any value.
    fn compare_maybe(
        &mut self,
        frame: &mut Frame,
        name: &str,
        to: Compare,
        values: Vec<Expr>,
        at: Place,
    ) -> Inferred {
        let mut before = Vec::new();
        let kept: Vec<_> =
            (values.into_iter()).map(|value| store_temporary(frame, &mut before, value)).collect();
        let [a, b] = &kept[..] else {
            return refuse("a comparison of this form", at);
        };
        let differ = bool_constant(to == Compare::NotEqual);
        // The results if the first, and if the second operand is `()`.
        let if_first = match to {
            Compare::Equal => is_nothing(b),
            Compare::NotEqual => not(is_nothing(b)),
            _ => bool_constant(false),
        };
        let (first, second) = (is_nothing(a), is_nothing(b));
        let comparable = a.of.kind != Kind::Nothing && b.of.kind != Kind::Nothing;
        let of_both = if comparable {
            let values = vec![unwrapped(a), unwrapped(b)];
            self.operate(frame, name, values, at)?
        } else {
            bool_constant(false)
        };
        let rest = choose(second, differ, of_both);
        Ok(after(before, choose(first, if_first, rest)))
    }
}

/// The conversion of an operator's operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Numbers,
    AsTheyAre,
}

type Operator = (Builtin, Operands, Type);

pub(super) fn comparison(name: &str) -> Option<Compare> {
    Some(match name {
        "==" => Compare::Equal,
        "!=" => Compare::NotEqual,
        "<" => Compare::Less,
        "<=" => Compare::LessOrEqual,
        ">" => Compare::Greater,
        ">=" => Compare::GreaterOrEqual,
        _ => return None,
    })
}

/// Returns true if two kinds have different types in the script engine and are not both numeric.
fn differ(a: Kind, b: Kind) -> bool {
    let numeric = |kind| matches!(kind, Kind::Number | Kind::Integer);
    let read = |kind| match kind {
        Kind::Text | Kind::Zone => Kind::Group,
        kind => kind,
    };
    let ranges = |kind| matches!(kind, Kind::Range | Kind::RangeThrough);
    read(a) != read(b) && !(numeric(a) && numeric(b)) && !(ranges(a) && ranges(b))
}

/// Returns the result kind of an operator that the compiler does not support; `Never` if it always fails.
fn at_least(name: &str, values: &[Expr]) -> Kind {
    let is = |kinds: &[Kind]| values.iter().any(|value| kinds.contains(&value.of.kind));
    match (name, values) {
        ("!" | api::IN, _) => Kind::Bool,
        _ if comparison(name).is_some() => Kind::Bool,
        ("-" | "+", [value]) => value.of.kind,
        // A text can be joined with a value of any kind.
        _ if is(&[Kind::Text, Kind::Group, Kind::Zone]) => Kind::Any,
        ("+" | "-" | "*" | "/", _) if is(&[Kind::Vector]) => Kind::Vector,
        _ if is(&[Kind::Nothing]) && !is(&[Kind::Any]) => Kind::Never,
        _ => Kind::Any,
    }
}

fn unary(name: &str, kind: Kind) -> Option<Operator> {
    let to = match (name, kind) {
        ("-", Kind::Integer | Kind::Number | Kind::Vector) => Builtin::Negate,
        ("+", Kind::Integer | Kind::Number) => Builtin::Expect,
        ("!", Kind::Bool) => Builtin::Not,
        _ => return None,
    };
    Some((to, Operands::AsTheyAre, kind.into()))
}

fn binary(name: &str, a: Kind, b: Kind) -> Option<Operator> {
    let numeric = |kind| matches!(kind, Kind::Number | Kind::Integer);
    if let Some(to) = comparison(name) {
        let is_equality = matches!(to, Compare::Equal | Compare::NotEqual);
        let operands = match (a, b) {
            (Kind::Integer, Kind::Integer) | (Kind::Bool, Kind::Bool) => Operands::AsTheyAre,
            (a, b) if numeric(a) && numeric(b) => Operands::Numbers,
            (Kind::Vector, Kind::Vector)
            | (Kind::Unit | Kind::Me, Kind::Unit | Kind::Me)
            | (Kind::Obstacle, Kind::Obstacle)
            | (Kind::Text | Kind::Group, Kind::Text | Kind::Group)
            | (Kind::Zone, Kind::Text | Kind::Zone)
            | (Kind::Text, Kind::Zone)
                if is_equality =>
            {
                Operands::AsTheyAre
            }
            _ => return None,
        };
        return Some((Builtin::Compare(to), operands, Kind::Bool.into()));
    }
    if let ("..", Kind::Integer, Kind::Integer) = (name, a, b) {
        return Some((Builtin::MakeRange, Operands::AsTheyAre, Kind::Range.into()));
    }
    if let ("..=", Kind::Integer, Kind::Integer) = (name, a, b) {
        let of = Kind::RangeThrough.into();
        return Some((Builtin::MakeRange, Operands::AsTheyAre, of));
    }
    let arithmetic = match name {
        "+" => Builtin::Add,
        "-" => Builtin::Subtract,
        "*" => Builtin::Multiply,
        "/" => Builtin::Divide,
        "%" => Builtin::Remainder,
        "**" => Builtin::Power,
        "&" => Builtin::And,
        "|" => Builtin::Or,
        "^" => Builtin::Xor,
        "<<" => Builtin::ShiftLeft,
        ">>" => Builtin::ShiftRight,
        _ => return None,
    };
    let is_bitwise = matches!(arithmetic, Builtin::And | Builtin::Or | Builtin::Xor);
    let is_shift = matches!(arithmetic, Builtin::ShiftLeft | Builtin::ShiftRight);
    let (operands, of) = match (a, b, arithmetic) {
        (Kind::Integer, Kind::Integer, _) => (Operands::AsTheyAre, Kind::Integer),
        (Kind::Bool, Kind::Bool, _) if is_bitwise => (Operands::AsTheyAre, Kind::Bool),
        (a, b, _) if numeric(a) && numeric(b) && !is_bitwise && !is_shift => {
            (Operands::Numbers, Kind::Number)
        }
        (Kind::Vector, Kind::Vector, Builtin::Add | Builtin::Subtract) => (Operands::AsTheyAre, Kind::Vector),
        (Kind::Vector, b, Builtin::Multiply | Builtin::Divide) if numeric(b) => {
            (Operands::Numbers, Kind::Vector)
        }
        (a, Kind::Vector, Builtin::Multiply) if numeric(a) => (Operands::Numbers, Kind::Vector),
        _ => return None,
    };
    Some((arithmetic, operands, of.into()))
}
