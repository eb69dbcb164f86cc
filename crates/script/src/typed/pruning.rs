//! Finds the reached code: a pass records calls and constants, and skips branches that are never usage.

use std::cell::RefCell;

use rhai::{ImmutableString, SwitchCasesCollection};

use super::build::bool_constant;
use super::ir::{Builtin, Expr, Op, Place};
use super::pass::Aim;
use super::reach::{Call, ComparedZone};
use super::scope::Frame;
use super::{Inferred, Pass, api};
use crate::api::{CallForm, Effect, Function, Tag, functions};
use crate::syntax::tree;
use crate::types::{Kind, Type};

impl Pass<'_> {
    /// Lowers a call of the row for these arguments; see [`api::call`].
    pub(super) fn row(
        &mut self,
        form: CallForm,
        name: &str,
        arguments: Vec<Expr>,
        at: Place,
        refused: impl FnOnce() -> String,
    ) -> Inferred {
        let value = api::call(form, name, arguments, at, refused)?;
        Ok(self.reached(value))
    }

    /// Records a call of the API, and returns its value in the scene.
    fn reached(&mut self, value: Expr) -> Expr {
        let (Aim::Reach(reach), Op::Call(call)) = (&mut self.aim, &value.op) else {
            return value;
        };
        let Builtin::Function(index) = call.to else {
            return value;
        };
        let row: &Function = &functions()[index];
        reach.acts |= row.effect == Effect::Set;
        reach.is_ordered |= row.has(Tag::Ordered);
        let Some(need) = row.need else {
            return value;
        };
        // A bool row tests for the part, so it does not need it.
        if row.returns.kind != Kind::Bool {
            let name = call.arguments.iter().find_map(|argument| match argument.op {
                Op::Text(text) => self.texts.get(text).cloned(),
                _ => None,
            });
            reach.calls.insert(Call { file: self.file.clone(), place: call.place, row: index, name });
        }
        match row.returns {
            _ if !reach.absent.contains(&need) => value,
            Type { maybe: true, .. } => Expr::NOTHING,
            Type { kind: Kind::Bool, .. } => bool_constant(false),
            _ => value,
        }
    }

    /// Records the constant name with which an operator compares a zone.
    pub(super) fn compared_zone(&mut self, values: &[Expr], at: Place) {
        let name = match values {
            [zone, Expr { op: Op::Text(name), .. }] | [Expr { op: Op::Text(name), .. }, zone]
                if zone.of.kind == Kind::Zone =>
            {
                self.texts.get(*name).cloned()
            }
            _ => None,
        };
        self.named_zone(name, at);
    }

    /// Records the names of the cases of a `switch` over a zone.
    pub(super) fn switched_zone(&mut self, subject: &Expr, cases: &SwitchCasesCollection, at: Place) {
        if subject.of.kind == Kind::Zone && self.is_reach() {
            let names = RefCell::new(Vec::new());
            tree::arms_of(cases, |case| {
                names.borrow_mut().extend(case.clone().into_immutable_string());
                false
            });
            names.into_inner().into_iter().for_each(|name| self.named_zone(Some(name.into()), at));
        }
    }

    fn named_zone(&mut self, name: Option<String>, place: Place) {
        if let (Aim::Reach(reach), Some(name)) = (&mut self.aim, name) {
            reach.zones.insert(ComparedZone { file: self.file.clone(), place, name });
        }
    }

    pub(super) fn is_reach(&self) -> bool {
        matches!(self.aim, Aim::Reach(_))
    }

    /// Returns the value of a test, if it is known and the pass skips branches. Only code needs the test's side
    /// effects.
    pub(super) fn known(&self, test: &Expr) -> Option<bool> {
        match &test.op {
            Op::Bool(known) if self.prunes() => Some(*known),
            Op::Sequence(parts) if self.is_reach() => self.known(parts.last()?),
            _ => None,
        }
    }

    /// Returns the reached arms of a `switch`.
    pub(super) fn reached_arms(&self, subject: &Expr, cases: &SwitchCasesCollection) -> Vec<usize> {
        match &subject.op {
            Op::Text(text) if self.is_reach() => {
                let word = self.texts.get(*text).map(String::as_str);
                tree::arms_of(cases, |case| {
                    case.read_lock::<ImmutableString>().as_ref().map(|it| it.as_str()) == word
                })
            }
            Op::Bool(known) if self.is_reach() => tree::arms_of(cases, |case| case.as_bool() == Ok(*known)),
            _ => tree::arms(cases),
        }
    }

    /// Records a read of a constant of the script itself.
    pub(super) fn reached_constant(&mut self, name: &str) {
        if let (Aim::Reach(reach), None) = (&mut self.aim, &self.file) {
            reach.constants.insert(name.to_owned());
        }
    }

    /// Records the type of a returned value.
    pub(super) fn reached_return(&mut self, frame: &mut Frame, of: Type) {
        match &mut self.aim {
            Aim::Reach(_) if frame.key.is_handler() => {}
            Aim::Reach(reach) if frame.key.is_entry => reach.acts |= of != Type::NOTHING,
            Aim::Reach(_) => frame.result = frame.result.join_any(of),
            // Calls return a value of any kind.
            Aim::Code | Aim::Kinds(_) => {}
        }
    }

    /// Records that some reached code is not followed.
    pub(super) fn mark_partial(&mut self) {
        if let Aim::Reach(reach) = &mut self.aim {
            (reach.is_partial, reach.acts, reach.is_ordered) = (true, true, true);
        }
    }
}
