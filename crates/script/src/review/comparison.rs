//! Reviews comparisons of incomparable kinds, which are always false, and conditions that are not bools.

use rhai::{Expr, FnCallExpr, Position, SwitchCasesCollection};
use steerbox_core::text::TextEdit;

use super::Reader;
use super::uses::written;
use crate::foreign;
use crate::messages::{operands, words};
use crate::syntax::{failing, tree};
use crate::types::Kind;

impl Reader<'_> {
    /// Reports a condition that is not a bool: it fails whenever it is reached.
    pub(super) fn condition(&mut self, expr: &Expr) {
        let Some(kind) = self.kinds.kind(expr).filter(|kind| *kind != Kind::Bool) else {
            return;
        };
        let found = words::friendly(kind.name());
        let written = written(expr);
        let help = operands::condition(&found, Some(&written));
        self.fault(expr.start_position(), format!("expected a switch, not {found}"), Some(help));
        let fault = self.found.last_mut();
        let source = self.known.source;
        if let Some(fault) = fault.filter(|fault| fault.underlines(&written)) {
            fault.width = written.chars().count();
            fault.fixes.push(source.instead(fault, operands::test(&found, Some(&written), false)));
        }
    }

    /// Reports a negation of a value that is not a bool.
    pub(super) fn negation(&mut self, call: &FnCallExpr, at: Position) {
        let ("!", [of]) = (call.name.as_str(), &call.args[..]) else {
            return;
        };
        if let Some(kind) = self.kinds.kind(of).filter(|kind| *kind != Kind::Bool) {
            let found = words::friendly(kind.name());
            let help = operands::help_alone("!", &found, Some(&written(of)));
            let whole = format!("!{}", written(of));
            let new = operands::test(&found, Some(&written(of)), true);
            self.fault(at, format!("`!` does not work on {found}"), help);
            let start = self.offset(at);
            if self.known.source.text[start..].starts_with(&whole) {
                let edit = TextEdit::replace(start..start + whole.len(), new.clone());
                self.fix(format!("write `{new}`"), vec![edit]);
            }
        }
    }

    /// Reports a `switch` over a number with integer cases, which are compared exactly and match no number.
    pub(super) fn switched_number(&mut self, subject: &Expr, cases: &SwitchCasesCollection) {
        if self.kinds.kind(subject) != Some(Kind::Number) {
            return;
        }
        let mut integers: Vec<_> = tree::constants(cases).filter_map(|value| value.as_int().ok()).collect();
        integers.sort_unstable();
        let Some(first) = integers.first() else { return };
        let message = format!("the case {first} never matches: {} is a number", written(subject));
        self.warn(
            subject.start_position(),
            message,
            format!("write `{first}.0 =>`, or switch over `to_int(…)`"),
        );
        let (text, start) = (self.known.source.text, self.offset(subject.start_position()));
        let edits = integers.iter().filter_map(|integer| {
            let case = integer.to_string();
            let is_case = |at: &usize| {
                let next = text[at + case.len()..].trim_start();
                let is_whole =
                    !text[..*at].ends_with(|before: char| before.is_alphanumeric() || before == '.');
                is_whole && ["=>", "|", "if "].iter().any(|end| next.starts_with(end))
            };
            let at = text[start..].match_indices(&case).map(|(at, _)| start + at).find(is_case)?;
            Some(TextEdit::replace(at..at + case.len(), format!("{case}.0")))
        });
        let edits: Vec<_> = edits.collect();
        if edits.len() == integers.len() {
            self.fix("compare with numbers".to_owned(), edits);
        }
    }

    /// Reports a comparison of a number with a value of another kind, and of `()` with a value that is never `()`.
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
        let nothing =
            [(left, right), (right, left)].into_iter().find(|(nothing, _)| self.is_nothing(nothing));
        if let Some((nothing, of)) = nothing.filter(|_| ["==", "!="].contains(&operator)) {
            let Some(kind) = self.kinds.kind_of_some(of) else {
                return;
            };
            let kind = words::friendly(kind.name());
            let help = operands::never_nothing(&kind, &written(of), !result);
            let message = format!("this is always {result}: `()` is compared with {kind}");
            return self.warn(nothing.start_position(), message, help);
        }
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
            "a vector" => "compare its length, for example `v.length > 3.0`",
            "a list" | "the obstacles" => "compare how many there are, for example `list.len > 3`",
            "a unit" | "me" => "compare one of its properties, for example `unit.speed > 3.0`",
            _ => "compare values of one kind",
        };
        let kind = words::friendly(other.name());
        self.warn(at, message, help.to_owned());
        let (text, operator) = (self.known.source.text, self.offset(at));
        self.add(match kind.as_str() {
            "a switch" => failing::joined(text, operator),
            "a vector" => failing::length(text, operator, left == other),
            _ => None,
        });
    }

    /// `()`, or an undeclared word that means it in other languages.
    fn is_nothing(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Unit(_) => true,
            Expr::Variable(variable, ..) => {
                foreign::is_nothing(&variable.1) && !self.is_declared(&variable.1)
            }
            _ => false,
        }
    }
}
