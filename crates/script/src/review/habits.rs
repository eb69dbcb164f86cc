//! Reviews code of which users of other tools expect another effect.

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};
use steerbox_core::sim::EventKind;
use steerbox_core::text::TextEdit;

use super::Reader;
use super::uses::written;
use crate::api::{self, Tag};
use crate::syntax::lexemes::{LexemeKind, lexemes, statement_end};
use crate::syntax::tree;
use crate::types::Kind;

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
            let start = call.args.last().map_or(0, |value| self.offset(value.start_position()));
            let rest = &self.known.source.text[start..];
            let is_digit = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
            let end = start + rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
            if end > start {
                let edit = TextEdit::insert(end, " * PI / 180.0");
                self.fix("convert from degrees".to_owned(), vec![edit]);
            }
        }
    }

    /// Reports a period that is tested by a remainder of the rounded time: it is found in two successive steps, or in none.
    pub(super) fn periodic(&mut self, call: &FnCallExpr) {
        let [left, right] = &call.args[..] else { return };
        let (remainder, step) = match call.name.as_str() {
            "<" | "<=" => (left, right),
            ">" | ">=" => (right, left),
            _ => return,
        };
        let Expr::FnCall(remainder, _) = remainder else { return };
        let ("%", [time, period]) = (remainder.name.as_str(), &remainder.args[..]) else { return };
        let (world, step_text) = (written(time), written(step));
        let Some(world) = world.strip_suffix(".time") else { return };
        if step_text.strip_suffix(".step") != Some(world) || self.kinds.kind(step) != Some(Kind::Number) {
            return;
        }
        let text = self.known.source.text;
        let start = self.offset(time.start_position());
        let end = self.offset(step.start_position()) + step_text.len();
        let whole = text.get(start..end).filter(|_| call.name.starts_with('<'));
        let source = whole.and_then(|whole| period_of(whole, world, &call.name));
        let every = format!("{world}.every({})", source.map_or_else(|| written(period), str::to_owned));
        let message = "rounding finds some periods in two successive steps, and others in none";
        self.warn(
            time.start_position(),
            message.to_owned(),
            format!("write `{every}`: true once in each period"),
        );
        if source.is_some() {
            self.fix(format!("write `{every}`"), vec![TextEdit::replace(start..end, every)]);
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
        let is_unused = EventKind::named(&self.body.name).is_some();
        if self.is_entry && !is_unused && !gives {
            let (entry, name) = (&self.body.name, &declared.0.name);
            let message = format!("{entry} ends with `let` and gives nothing");
            let (name, start) = (name.to_string(), self.offset(*at));
            self.warn(*at, message, format!("end it with the value: `{name}`"));
            let text = self.known.source.text;
            let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
            let indent = &text[line..start];
            let lexemes = lexemes(&text[start..]);
            let end = statement_end(&lexemes).filter(|(_, last)| last.kind == LexemeKind::End);
            if let Some((_, last)) = end.filter(|_| indent.trim().is_empty()) {
                let edit = TextEdit::insert(start + last.range.end, format!("\n{indent}{name}"));
                self.fix(format!("end with `{name}`"), vec![edit]);
            }
        }
    }
}

/// Returns the period in `world.time % PERIOD < world.step`.
fn period_of<'a>(whole: &'a str, world: &str, comparison: &str) -> Option<&'a str> {
    let period = whole.strip_prefix(world)?.strip_prefix(".time")?.trim_start().strip_prefix('%')?;
    let period = period.strip_suffix(".step")?.strip_suffix(world)?.trim_end().strip_suffix(comparison)?;
    let count = |wanted: char| period.chars().filter(|c| *c == wanted).count();
    (count('(') == count(')')).then(|| period.trim())
}
