//! Reviews values that are computed and dropped, as in `if near { away }` before the last statement.

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};
use steerbox_core::text::TextEdit;

use super::Reader;
use crate::budget::MAX_FAULTS;
use crate::interpret::catalog;
use crate::syntax::lexemes::{LexemeKind, lexemes, statement_end};
use crate::syntax::tree;

impl Reader<'_> {
    /// Warns about each value that is not returned and whose computation has no side effect.
    pub(super) fn dropped(&mut self) {
        let body = self.body;
        self.block(&body.statements, true);
    }

    /// Reviews a block; `is_used` is true if its value is.
    fn block(&mut self, statements: &[Stmt], is_used: bool) {
        for (index, statement) in statements.iter().enumerate() {
            self.statement(statement, is_used && index + 1 == statements.len());
        }
    }

    fn statement(&mut self, statement: &Stmt, is_used: bool) {
        match statement {
            Stmt::Block(block) => self.block(block.statements(), is_used),
            Stmt::If(control, _) | Stmt::TryCatch(control, _) => {
                self.block(control.body.statements(), is_used);
                self.block(control.branch.statements(), is_used);
            }
            Stmt::While(control, _) | Stmt::Do(control, ..) => self.block(control.body.statements(), false),
            Stmt::For(parts, _) => self.block(parts.2.body.statements(), false),
            Stmt::Switch(parts, _) => {
                for arm in tree::arms(&parts.1) {
                    self.value(&parts.1.expressions[arm].rhs, is_used);
                }
            }
            Stmt::Expr(expr) => self.value(expr, is_used),
            Stmt::FnCall(call, at) if !is_used && !self.has_effect(statement.into()) => {
                self.drops(start(call, *at));
            }
            _ => {}
        }
    }

    fn value(&mut self, expr: &Expr, is_used: bool) {
        match expr {
            Expr::Stmt(block) => self.block(block.statements(), is_used),
            expr if !is_used && self.kinds.kind(expr).is_some() && !self.has_effect(expr.into()) => {
                let at = match expr {
                    Expr::FnCall(call, at) => start(call, *at),
                    expr => expr.start_position(),
                };
                self.drops(at);
            }
            _ => {}
        }
    }

    fn drops(&mut self, at: Position) {
        if self.found.len() < MAX_FAULTS {
            let message = "this value is dropped: the function continues".to_owned();
            self.warn(at, message, "write `return …;` to end the function with it".to_owned());
            let start = self.offset(at);
            let mut edits = vec![TextEdit::insert(start, "return ")];
            let lexemes = lexemes(&self.known.source.text[start..]);
            match statement_end(&lexemes) {
                Some((_, last)) if last.kind == LexemeKind::End => {}
                Some((end, _)) => edits.push(TextEdit::insert(start + end, ";")),
                None => return,
            }
            self.fix("return it".to_owned(), edits);
        }
    }

    /// Returns true if a node calls a function that may have side effects.
    fn has_effect(&self, node: ASTNode<'_>) -> bool {
        let mut has_effect = false;
        tree::each_below(node, &mut |node| {
            has_effect |= tree::call(node).is_some_and(|call| !self.only_returns(call));
        });
        has_effect
    }

    fn only_returns(&self, call: &FnCallExpr) -> bool {
        let is_own = self.bodies.iter().any(|body| body.name == call.name);
        let returns = || catalog::functions(&call.name).any(|entry| entry.returns.is_some());
        call.namespace.is_empty() && !is_own && (call.op_token.is_some() || returns())
    }
}

/// Returns the position of the first token of a call.
fn start(call: &FnCallExpr, at: Position) -> Position {
    match (&call.op_token, &call.args[..]) {
        (Some(_), [left, _]) => left.start_position(),
        _ => at,
    }
}
