//! Divisions of integers that lose their fraction: a script works with them, but hardly as meant.

use rhai::{Expr, FnCallExpr, INT, Position};

use super::Reader;

/// An integer that is known before a script runs.
struct Integer {
    written: String,
    /// Its value, if it cannot be tuned.
    value: Option<INT>,
}

impl Reader<'_> {
    pub(super) fn division(&mut self, call: &FnCallExpr, at: Position) {
        let ("/", [above, below]) = (call.name.as_str(), &call.args[..]) else {
            return;
        };
        let (Some(above), Some(below)) = (self.integer(above), self.integer(below)) else {
            return;
        };
        let result = match (above.value, below.value) {
            (Some(above), Some(below)) => {
                if above.checked_rem(below).is_none_or(|rest| rest == 0) {
                    return;
                }
                format!(": this is {}", above / below)
            }
            _ => String::new(),
        };
        let message = format!("integers are divided without a fraction{result}");
        let divisor = match below.value {
            Some(_) if !below.written.contains(char::is_alphabetic) => {
                format!("{}.0", below.written)
            }
            _ => format!("({} * 1.0)", below.written),
        };
        let help = format!("for the fraction write `{} / {divisor}`", above.written);
        self.warn(at, message, help);
    }

    /// A literal, or a constant of the script that is an integer.
    fn integer(&self, expr: &Expr) -> Option<Integer> {
        match expr {
            Expr::IntegerConstant(value, _) => Some(Integer {
                written: value.to_string(),
                value: Some(*value),
            }),
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let name = variable.1.as_str();
                if self.kinds.is_local(name) {
                    return None;
                }
                let value = self.known.scope.get(name)?.as_int().ok()?;
                let is_tuned = self.known.params.iter().any(|param| param.name == name);
                Some(Integer {
                    written: name.to_owned(),
                    value: (!is_tuned).then_some(value),
                })
            }
            _ => None,
        }
    }
}
