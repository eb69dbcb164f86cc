//! Lowers chains of dots and indices, and assignments, which end with one.
//!
//! The script engine evaluates the arguments of all calls of a chain before the chain's first value. The lowering
//! stores them in temporaries to have the same order.

use rhai::{BinaryExpr, Expr as Syntax, FnCallExpr, OpAssignment};
use steerbox_core::sim::Field;

use super::api;
use super::build::{Usage, after, assigned, store_temporary, to_number};
use super::ir::{Expr, Op, Place};
use super::scope::Frame;
use super::{Inferred, Pass, place, refuse, refuse_as, refuse_help};
use crate::api::{self as rows, CallForm, Intrinsic, ValueOp};
use crate::syntax::chain::{Link, Step, unroll};
use crate::types::{Kind, Type};

impl Pass<'_> {
    pub(super) fn chain(&mut self, frame: &mut Frame, expr: &Syntax) -> Inferred {
        let (root, steps) = unroll(expr);
        let mut before = Vec::new();
        let mut arguments = Vec::with_capacity(steps.len());
        for step in &steps {
            arguments.push(self.arguments_of(frame, step, &mut before)?);
        }
        if let (Syntax::Variable(variable, ..), Some(Link::Method(call))) =
            (root, steps.first().map(|step| step.link))
            && self.is_tolerant()
            && self.is_own(call)
        {
            // The function may assign any value to `this`, which is the variable.
            let changed = self.assign_name(frame, &variable.1, None, Expr::unknown(Kind::Any), (0, 0));
            self.tolerate(changed)?;
        }
        let is_this = matches!(root, Syntax::ThisPtr(_));
        let value = if is_this { Expr::NOTHING } else { self.expr(frame, root)? };
        let mut links: Vec<_> = steps.iter().zip(arguments).collect();
        let value = if is_this {
            let (first, _) = links.remove(0);
            let value = self.memory_field(frame, first, place(root.position()));
            self.tolerate(value)?
        } else {
            value
        };
        let value = self.follow(frame, value, links)?;
        Ok(after(before, value))
    }

    /// Returns the arguments of a link, stored in temporaries.
    fn arguments_of(
        &mut self,
        frame: &mut Frame,
        step: &Step<'_>,
        before: &mut Vec<Expr>,
    ) -> Inferred<Vec<Expr>> {
        let syntax = match step.link {
            Link::Property(_) => &[][..],
            Link::Method(call) => &call.args[..],
            Link::Index(index) => std::slice::from_ref(index),
        };
        let mut values = Vec::with_capacity(syntax.len());
        for argument in syntax {
            let value = self.expr(frame, argument)?;
            values.push(store_temporary(frame, before, value));
        }
        Ok(values)
    }

    fn follow(&mut self, frame: &mut Frame, mut value: Expr, links: Vec<(&Step<'_>, Vec<Expr>)>) -> Inferred {
        let mut links = links.into_iter();
        while let Some((step, arguments)) = links.next() {
            self.note(step.of, value.of);
            if value.of.kind == Kind::Never {
                return Ok(value);
            }
            if step.is_optional && value.of.kind == Kind::Nothing {
                return Ok(value);
            }
            if step.is_optional && value.of.maybe {
                let (of, at) = (value.of, place(step.at));
                let kept = frame.temporary(of);
                let set = assigned(Op::Set, kept, value);
                let read = Expr::new(of, Op::Local(kept));
                let test = Expr::new(Kind::Bool, Op::IsNothing(Box::new(read.clone())));
                let certain = Expr::new(of.kind, Op::Unwrap(Box::new(read)));
                let first = self.link(step, certain, arguments);
                let first = self.tolerate(first)?;
                let rest = self.follow(frame, first, links.collect())?;
                let chosen = self.either(test, Expr::NOTHING, rest, Usage::Used, at)?;
                return Ok(Expr::sequence(vec![set, chosen]));
            }
            let next = self.link(step, value, arguments);
            value = self.tolerate(next)?;
        }
        Ok(value)
    }

    fn link(&mut self, step: &Step<'_>, value: Expr, arguments: Vec<Expr>) -> Inferred {
        self.grow(1, place(step.at))?;
        let at = place(step.at);
        match step.link {
            Link::Property(name) => {
                let what = value.of;
                let refused = || format!("`{name}` of {}", what.describe());
                self.row(CallForm::Property, name, vec![value], at, refused)
            }
            Link::Method(call) => {
                if self.is_own(call) {
                    self.mark_partial();
                    let name = &call.name;
                    return refuse(format!("`{name}`, which is the script's, as a method"), at);
                }
                let all = std::iter::once(value).chain(arguments).collect();
                self.apply(&call.name, all, at)
            }
            Link::Index(_) => index(value, arguments, at),
        }
    }

    /// Returns true if the script declares a function of this name.
    fn is_own(&self, call: &FnCallExpr) -> bool {
        self.bodies.iter().any(|body| body.name == call.name.as_str())
    }

    /// Lowers `this.name`.
    fn memory_field(&mut self, frame: &Frame, step: &Step<'_>, at: Place) -> Inferred {
        let field = self.field(frame, step, at)?;
        Ok(Expr::new(Kind::of_field(field.kind), Op::LoadField(field.offset)))
    }

    /// Returns the memory field of a link after `this`.
    fn field(&self, frame: &Frame, step: &Step<'_>, at: Place) -> Inferred<&Field> {
        if !frame.key.is_entry || self.environment.memory.field_words() == 0 {
            return refuse("`this` where there is none", at);
        }
        let name = match step.link {
            Link::Property(name) => name,
            Link::Index(Syntax::StringConstant(name, _)) => name.as_str(),
            _ => return refuse("`this` in this form", at),
        };
        match self.environment.memory.field(name) {
            Some(field) => Ok(field),
            None => refuse(format!("`this.{name}`, which MEMORY does not declare"), at),
        }
    }

    pub(super) fn assignment(
        &mut self,
        frame: &mut Frame,
        operator: &OpAssignment,
        sides: &BinaryExpr,
    ) -> Inferred {
        let at = place(operator.position());
        let name = operator.get_op_assignment_info().map(|info| info.5);
        let value = self.expr(frame, &sides.rhs)?;
        if self.is_tolerant() {
            self.expr(frame, &sides.lhs)?;
            if !matches!(sides.lhs, Syntax::Variable(..)) {
                // An assignment to a component does not change the type of the variable.
                return Ok(Expr::NOTHING);
            }
        }
        if value.of.kind == Kind::Never {
            return Ok(value);
        }
        match &sides.lhs {
            Syntax::Variable(variable, ..) if variable.2.is_empty() => {
                self.assign_name(frame, &variable.1, name, value, at)
            }
            Syntax::Dot(..) | Syntax::Index(..) => self.assign_link(frame, &sides.lhs, name, value, at),
            _ => refuse("an assignment of this form", at),
        }
    }

    /// Lowers `name = value`, or a compound assignment.
    fn assign_name(
        &mut self,
        frame: &mut Frame,
        name: &str,
        operator: Option<&str>,
        value: Expr,
        at: Place,
    ) -> Inferred {
        let Some((local, declared)) = frame.find(name) else {
            return refuse(format!("an assignment to `{name}`"), at);
        };
        let of = frame.locals[local];
        let before = Expr::new(of, Op::Local(local));
        let value = self.combined(frame, operator, before, value, at);
        let value = self.tolerate(value)?;
        let joined = match declared {
            Some(place) => self.widen(frame, place, value.of)?,
            None => of.join(value.of).filter(|joined| *joined == of),
        };
        if joined.is_none() {
            let (before, now) = (of.describe(), value.of.describe());
            let construct = format!("the variable `{name}`, which changes from {before} to {now}");
            return refuse_help(construct, one_kind(name, of, &value), at);
        }
        Ok(assigned(Op::Set, local, value))
    }

    /// Lowers `v.x = value`, `this.field = value`, `this.field.x = value`, or a compound assignment.
    fn assign_link(
        &mut self,
        frame: &mut Frame,
        target: &Syntax,
        operator: Option<&str>,
        value: Expr,
        at: Place,
    ) -> Inferred {
        let (root, steps) = unroll(target);
        let dot = place(target.position());
        if steps.iter().any(|step| step.is_optional) {
            return refuse("an assignment through `?.`", at);
        }
        match (root, &steps[..]) {
            (Syntax::ThisPtr(_), [field]) => {
                let field = self.field(frame, field, at)?.clone();
                let before = Expr::new(Kind::of_field(field.kind), Op::LoadField(field.offset));
                let value = self.combined(frame, operator, before, value, at)?;
                // The error of a value of the wrong kind has the position of the dot.
                store_field(&field, value, field.offset, Kind::of_field(field.kind), dot)
            }
            (Syntax::ThisPtr(_), [field, part]) => {
                let field = self.field(frame, field, at)?.clone();
                let Some(part) = component(part).filter(|_| Kind::of_field(field.kind) == Kind::Vector)
                else {
                    return refuse("an assignment of this form", at);
                };
                let offset = field.offset + part;
                let before = Expr::new(Kind::Number, Op::LoadField(offset));
                let value = self.combined(frame, operator, before, value, at)?;
                match numeric(value) {
                    Some(value) => store_field(&field, value, offset, Kind::Number, dot),
                    None => refuse("a component that is not a number", at),
                }
            }
            (Syntax::Variable(variable, ..), [part]) if variable.2.is_empty() => {
                let found = frame.find(&variable.1);
                let local = found.map(|(local, _)| local);
                let local = local.filter(|local| frame.locals[*local] == Kind::Vector.into());
                // In the interpreter, an assignment to a constant's component fails at run time.
                let local = local.filter(|local| !frame.constants.contains(local));
                let (Some(local), Some(part), Link::Property(name)) = (local, component(part), part.link)
                else {
                    return refuse("an assignment of this form", at);
                };
                let read = Expr::new(Kind::Vector, Op::Local(local));
                let refused = || "a component".to_owned();
                let before = api::call(CallForm::Property, name, vec![read], at, refused)?;
                let value = self.combined(frame, operator, before, value, at)?;
                match numeric(value) {
                    Some(value) => Ok(assigned(|local, value| Op::SetPart(local, part, value), local, value)),
                    None => refuse("a component that is not a number", at),
                }
            }
            _ => refuse("an assignment of this form", at),
        }
    }

    /// Returns the value to assign: itself, or the result of the operator on the previous value and it.
    fn combined(
        &mut self,
        frame: &mut Frame,
        operator: Option<&str>,
        before: Expr,
        value: Expr,
        at: Place,
    ) -> Inferred {
        let Some(operator) = operator else {
            return Ok(value);
        };
        // The script engine reads the previous value after it has evaluated the assigned one.
        let mut first = Vec::new();
        let value =
            if value.writes_part_of(&before) { store_temporary(frame, &mut first, value) } else { value };
        Ok(after(first, self.operate(frame, operator, vec![before, value], at)?))
    }
}

impl Expr {
    /// Returns true if this expression writes a local, or any memory field, that `other` reads.
    fn writes_part_of(&self, other: &Self) -> bool {
        let reads = |local| other.any(&|part| matches!(part.op, Op::Local(read) if read == local));
        self.any(&|part| match part.op {
            Op::Set(local, _) | Op::SetPart(local, ..) => reads(local),
            Op::StoreField { .. } => matches!(other.op, Op::LoadField(_)),
            _ => false,
        })
    }
}

/// Returns a remedy for a variable of one type that is assigned a value of another.
fn one_kind(name: &str, of: Type, value: &Expr) -> Option<String> {
    match (of.kind, value.of.kind, &value.op) {
        (Kind::Number, Kind::Integer, Op::Integer(number)) => Some(format!("write `{name} = {number}.0`")),
        (Kind::Number, Kind::Integer, _) => Some(format!("write `{name} = to_float(…)`")),
        (Kind::Integer, Kind::Number, _) => {
            Some(format!("declare it as a number: `let {name} = 0.0;`, with a decimal point"))
        }
        _ => None,
    }
}

/// Lowers `list[i]`.
fn index(value: Expr, mut arguments: Vec<Expr>, at: Place) -> Inferred {
    let of = value.of;
    let is_list = matches!(of.kind, Kind::List | Kind::Obstacles | Kind::Members) && !of.maybe;
    let element = of.kind.element().unwrap_or(Kind::Any);
    let Some(index) = arguments.pop().filter(|_| is_list) else {
        return refuse_as(element, format!("an index into {}", of.describe()), at);
    };
    let of = index.of;
    let refused = || format!("{} as an index", of.describe());
    if of.maybe {
        return refuse_as(element, refused(), at);
    }
    api::call(CallForm::Index, "[]", vec![value, index], at, refused)
}

/// Returns the vector component that a property denotes.
fn component(step: &Step<'_>) -> Option<usize> {
    let Link::Property(name) = step.link else {
        return None;
    };
    match rows::find(CallForm::Property, name, &[Kind::Vector])?.1.intrinsic {
        Some(Intrinsic::Value(ValueOp::Parts(part, _))) => Some(part),
        _ => None,
    }
}

/// Converts a value to a number, if it is numeric.
fn numeric(value: Expr) -> Option<Expr> {
    match value.of.kind {
        _ if value.of.maybe => None,
        Kind::Number | Kind::Never => Some(value),
        Kind::Integer => Some(to_number(value)),
        _ => None,
    }
}

/// Builds a write to words of the memory from an offset on.
fn store_field(field: &Field, value: Expr, offset: usize, kind: Kind, at: Place) -> Inferred {
    let value = match (kind, value.of.kind) {
        (_, Kind::Never) => return Ok(value),
        (Kind::Number, Kind::Integer) => to_number(value),
        (kind, now) if kind == now => value,
        (kind, _) => {
            let (kind, now) = (kind.describe(), value.of.describe());
            return refuse(format!("{now} in `this.{}`, which is {kind}", field.name), at);
        }
    };
    let op = Op::StoreField { offset, name: field.name.clone(), value: Box::new(value), place: at };
    Ok(Expr::new(Type::NOTHING, op))
}
