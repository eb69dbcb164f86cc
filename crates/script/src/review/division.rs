//! Reviews integer divisions that lose their fraction: they work, but probably not as intended.
//!
//! Some are intended, such as positions in a row or halves of a list. The use of the result decides: an index, a
//! range or a remainder needs an integer, a vector or a sum with numbers does not. If a function also takes the
//! remainder by the same divisor, it computes rows and columns.

use rhai::{ASTNode, Expr, FnCallExpr, INT, Position};
use steerbox_core::text::TextEdit;

use super::Reader;
use super::uses::{Uses, written};
use crate::types::Kind;

impl Reader<'_> {
    pub(super) fn division(&mut self, call: &FnCallExpr, at: Position, path: &[ASTNode<'_>]) {
        let ("/", [above, below]) = (call.name.as_str(), &call.args[..]) else {
            return;
        };
        let integer = Some(Kind::Integer);
        if self.kinds.kind(above) != integer || self.kinds.kind(below) != integer {
            return;
        }
        let result = match (self.constant(above), self.constant(below)) {
            (Some(above), Some(below)) => {
                if above.checked_rem(below).is_none_or(|rest| rest == 0) {
                    return;
                }
                format!(": this is {}", above / below)
            }
            _ if self.is_intended(below, path) => return,
            _ => String::new(),
        };
        let message = format!("integers are divided without a fraction{result}");
        let text = self.known.source.text;
        let start = self.offset(below.start_position());
        let number = text[start..].find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(0);
        let edits = match below {
            Expr::IntegerConstant(..) if number > 0 => vec![TextEdit::insert(start + number, ".0")],
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let end = start + variable.1.len();
                vec![TextEdit::insert(start, "to_float("), TextEdit::insert(end, ")")]
            }
            _ => Vec::new(),
        };
        let divisor = match below {
            Expr::IntegerConstant(value, _) => format!("{value}.0"),
            other => format!("to_float({})", written(other)),
        };
        let (above, below) = (written(above), written(below));
        let help = if result.is_empty() {
            format!("for the fraction write `{above} / {divisor}`; without it, `to_int({above} / {below})`")
        } else {
            format!("for the fraction write `{above} / {divisor}`")
        };
        self.warn(at, message, help);
        if !edits.is_empty() {
            self.fix(format!("divide by `{divisor}`"), edits);
        }
    }

    /// Returns true if the result is used as an integer.
    fn is_intended(&mut self, below: &Expr, path: &[ASTNode<'_>]) -> bool {
        if self.uses.is_none() {
            self.uses = Some(Uses::new(self.body, &self.kinds));
        }
        let uses = self.uses.as_ref();
        uses.is_some_and(|uses| uses.takes_remainder(below) || !uses.meets_number(&self.kinds, path))
    }

    /// Returns the value of an integer constant that is not a parameter.
    fn constant(&self, expr: &Expr) -> Option<INT> {
        match expr {
            Expr::IntegerConstant(value, _) => Some(*value),
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let name = variable.1.as_str();
                let is_tuned = self.known.params.iter().any(|param| param.name == name);
                if is_tuned || self.kinds.locals.contains(name) {
                    return None;
                }
                self.known.scope.get(name)?.as_int().ok()
            }
            _ => None,
        }
    }
}
