//! Reviews comparisons of incomparable kinds, which are always false, and conditions that are no bools.

use rhai::{Expr, FnCallExpr, Position};

use super::Reader;
use super::uses::written;
use crate::script::messages::{operands, words};
use crate::script::types::Kind;

impl Reader<'_> {
    /// Reports a condition that is no bool: it fails whenever it is reached.
    pub(super) fn condition(&mut self, expr: &Expr) {
        let Some(kind) = self.kinds.kind(expr).filter(|kind| *kind != Kind::Bool) else {
            return;
        };
        let found = words::friendly(kind.name());
        let written = written(expr);
        let help = operands::condition(&found, Some(&written));
        self.fault(expr.start_position(), format!("expected a switch, not {found}"), Some(help));
        let fault = self.found.last_mut();
        if let Some(fault) = fault.filter(|fault| fault.underlines(&written)) {
            fault.width = written.chars().count();
        }
    }

    /// Reports a comparison of a number with a value of another kind.
    pub(super) fn comparison(&mut self, call: &FnCallExpr, at: Position) {
        let operator = call.name.as_str();
        let result = match operator {
            "==" | "<" | "<=" | ">" | ">=" => false,
            "!=" => true,
            _ => return,
        };
        let [left, right] = &call.args[..] else {
            return;
        };
        let (Some(left), Some(right)) = (self.kinds.kind(left), self.kinds.kind(right)) else {
            return;
        };
        let numbers = [Kind::Integer, Kind::Number];
        let other = match (numbers.contains(&left), numbers.contains(&right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return,
        };
        let [a, b] = [left, right].map(|kind| words::friendly(kind.name()));
        let message = format!("this is always {result}: {a} is compared with {b}");
        let help = match words::friendly(other.name()).as_str() {
            "a switch" if operator.starts_with(['<', '>']) => "two comparisons are joined: `1 < x && x < 3`",
            "a switch" => "a switch is true or false: write `if x { … }` or `if !x { … }`",
            "a vector" => "compare its length: `v.length > 3.0`",
            "a list" | "the obstacles" => "compare how many there are: `list.len > 3`",
            "a unit" | "me" => "compare one of its properties: `unit.speed > 3.0`, `unit.id == 3`",
            _ => "compare values of one kind",
        };
        self.warn(at, message, help.to_owned());
    }
}
