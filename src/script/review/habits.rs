//! Reviews code of which users of other tools expect another effect.

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::{Reader, is_entry};
use crate::script::api::{self, Tag};
use crate::script::syntax::tree;

/// The least number that is unlikely to be an angle in radians: slightly more than one turn.
const DEGREES: f32 = 7.0;

impl Reader<'_> {
    /// Reports an angle in degrees.
    pub(super) fn degrees(&mut self, call: &FnCallExpr, at: Position) {
        let value = match call.args.last() {
            Some(Expr::IntegerConstant(value, _)) => *value as f32,
            Some(Expr::FloatConstant(value, _)) => **value,
            _ => return,
        };
        if value.abs() >= DEGREES && api::is_tagged(&call.name, Tag::Angle) {
            let message = format!("angles are in radians, and {value} is more than once around");
            self.warn(at, message, format!("for degrees write `{value} * PI / 180.0`"));
        }
    }

    /// Reports a `steer` that computes something but returns nothing.
    pub(super) fn ending(&mut self) {
        let Some(Stmt::Var(declared, _, at)) = self.body.statements.last() else {
            return;
        };
        let mut gives = false;
        tree::walk_all(&self.body.statements, &mut |path| {
            gives |= matches!(path.last(), Some(ASTNode::Stmt(Stmt::Return(Some(_), ..))));
        });
        if is_entry(self.body) && !gives {
            let (entry, name) = (&self.body.name, &declared.0.name);
            let message = format!("{entry} ends with `let` and gives nothing");
            self.warn(*at, message, format!("end it with the value: `{name}`"));
        }
    }
}
