//! Lowers loops and their exits.

use rhai::{ASTFlags, Expr as Syntax, Ident, Stmt};

use super::build::{Usage, assigned, bool_constant, call, integer};
use super::ir::{Builtin, Expr, Local, Loop, Op, Order, Over, Place};
use super::scope::{Frame, LoopFrame};
use super::{Inferred, LOOP_SIZE, Pass, place, refuse};
use crate::api;
use crate::interpret::cost;
use crate::types::{Kind, Type};

impl Pass<'_> {
    pub(super) fn any_loop(&mut self, frame: &mut Frame, statement: &Stmt, is_dropped: bool) -> Inferred {
        let at = place(statement.position());
        self.grow(LOOP_SIZE, at)?;
        let depth = frame.depth();
        let (over, body, counter, ends) = match statement {
            Stmt::While(control, _) => {
                let control = &**control;
                let endless = matches!(control.expr, Syntax::Unit(_) | Syntax::BoolConstant(true, _));
                let test = if endless { bool_constant(true) } else { self.test(frame, &control.expr)? };
                (Over::While(test), control, None, !endless)
            }
            Stmt::Do(control, flags, _) => {
                let control = &**control;
                let test = self.test(frame, &control.expr)?;
                let test = if flags.contains(ASTFlags::NEGATED) {
                    call(Builtin::Not, "!", vec![test], Kind::Bool)
                } else {
                    test
                };
                (Over::DoWhile(test), control, None, true)
            }
            Stmt::For(parts, _) => {
                let (name, counter, control) = &**parts;
                let order = self.order(at);
                let over = self.over(frame, name, &control.expr, order)?;
                let counter = (counter.as_ref())
                    .map(|name| {
                        self.declare(frame, name.as_str(), Kind::Integer.into(), place(name.pos), false)
                    })
                    .transpose()?;
                (over, control, counter, true)
            }
            _ => return refuse("this statement", at),
        };
        let value = self.loop_value(frame, at, ends, is_dropped)?;
        frame.loops.push(LoopFrame {
            place: at,
            value: value.map(|(local, _)| local),
            is_dropped,
            has_exit: ends,
        });
        let body = self.block(frame, body.body.statements(), Usage::Dropped)?;
        let (over, body, group) = match over {
            Over::Units(local, list, _) if list.of.kind == Kind::Members => {
                let (over, body, group) = each_member(frame, (local, list), body)?;
                (over, body, Some(group))
            }
            over => (over, body, None),
        };
        let has_exit = frame.loops.pop().is_some_and(|looping| looping.has_exit);
        frame.leave(depth);
        let looping = Loop { over, body, counter, cost: cost::of_iteration(statement), place: at };
        let of = if has_exit { Type::NOTHING } else { Type::NEVER };
        let looping = Expr::new(of, Op::Loop(Box::new(looping)));
        let looping = Expr::sequence(group.into_iter().chain([looping]).collect());
        match value {
            None => Ok(looping),
            Some((local, of)) => {
                let read = Expr::new(of, Op::Local(local));
                let before = ends.then(|| assigned(Op::Set, local, Expr::NOTHING));
                let parts = before.into_iter().chain([looping, read]);
                Ok(Expr::sequence(parts.collect()))
            }
        }
    }

    /// Returns the local for the value of a loop, if it is used; a loop that ends without `break` is `()`.
    fn loop_value(
        &mut self,
        frame: &mut Frame,
        at: Place,
        ends: bool,
        is_dropped: bool,
    ) -> Inferred<Option<(Local, Type)>> {
        if is_dropped {
            return Ok(None);
        }
        let start = if ends { Type::NOTHING } else { Type::NEVER };
        let of = self.widen(frame, at, start)?.unwrap_or(start);
        if of.kind == Kind::Never || of == Type::NOTHING {
            // No `break` has a value so far.
            return Ok(None);
        }
        Ok(Some((frame.temporary(of), of)))
    }

    pub(super) fn exit_loop(
        &mut self,
        frame: &mut Frame,
        value: Option<&Syntax>,
        is_break: bool,
        at: Place,
    ) -> Inferred {
        let value = match value {
            Some(value) => self.expr(frame, value)?,
            None => Expr::NOTHING,
        };
        if value.of.kind == Kind::Never {
            return Ok(value);
        }
        let Some(looping) = frame.loops.last_mut() else {
            return refuse("`break` outside of a loop", at);
        };
        if !is_break {
            let next = Expr::new(Type::NEVER, Op::Continue);
            return Ok(Expr::sequence(vec![value, next]));
        }
        looping.has_exit = true;
        let (target, kept, is_dropped) = (looping.place, looping.value, looping.is_dropped);
        // The learned type makes the next pass allocate a local for the value.
        if !is_dropped && self.widen(frame, target, value.of)?.is_none() {
            return refuse("a loop with values of different types", at);
        }
        let value = match kept {
            Some(local) => assigned(Op::Set, local, value),
            None => value,
        };
        let out = Expr::new(Type::NEVER, Op::Break);
        Ok(Expr::sequence(vec![value, out]))
    }

    /// Returns the iteration order of the `for` at a position.
    fn order(&self, at: Place) -> Order {
        let is_reduction = self.environment.is_reduction(self.file.as_deref(), at);
        if is_reduction { Order::Slots } else { Order::Nearest }
    }

    /// Lowers the list of a `for`, and declares its variable.
    fn over(&mut self, frame: &mut Frame, name: &Ident, expr: &Syntax, order: Order) -> Inferred<Over> {
        let at = place(expr.start_position());
        if let Syntax::FnCall(call, _) = expr
            && call.name == api::RANGE
            && call.args.len() == 3
        {
            return self.steps(frame, name, &call.args, at);
        }
        let list = self.expr(frame, expr)?;
        let of = list.of;
        let is_taken = matches!(
            of.kind,
            Kind::List | Kind::Members | Kind::Range | Kind::RangeThrough | Kind::Obstacles
        );
        if !self.is_tolerant() && (of.maybe || !is_taken) {
            return refuse(format!("`for` over {}", of.describe()), at);
        }
        let element = of.kind.element().unwrap_or(Kind::Any);
        let local = self.declare(frame, name.as_str(), element.into(), place(name.pos), false)?;
        Ok(match of.kind {
            _ if self.is_tolerant() => Over::While(list),
            Kind::List | Kind::Members => Over::Units(local, list, order),
            Kind::Obstacles => Over::Obstacles(local, list),
            _ => Over::Range(local, list),
        })
    }

    /// Lowers `range(from, to, step)`.
    fn steps(&mut self, frame: &mut Frame, name: &Ident, parts: &[Syntax], at: Place) -> Inferred<Over> {
        let parts = (parts.iter()).map(|part| self.expr(frame, part)).collect::<Inferred<Vec<_>>>()?;
        let all = |kind: Kind| parts.iter().all(|part| part.of == kind.into());
        let element = [Kind::Integer, Kind::Number].into_iter().find(|kind| all(*kind));
        if element.is_none() && !self.is_tolerant() {
            return refuse("a range of this form", at);
        }
        let Ok(parts) = <[Expr; 3]>::try_from(parts) else {
            return refuse("a range of this form", at);
        };
        let element = element.unwrap_or(Kind::Any);
        let local = self.declare(frame, name.as_str(), element.into(), place(name.pos), false)?;
        let over = if element == Kind::Integer { Over::Steps } else { Over::NumberSteps };
        Ok(over(local, Box::new(parts)))
    }
}

/// Rewrites a loop over the units of a group as a loop over their indices. Returns the range, the body, and the
/// assignment of the group to a local before the loop.
fn each_member(frame: &mut Frame, (local, list): (Local, Expr), body: Expr) -> Inferred<(Over, Expr, Expr)> {
    let (group, index) = (frame.temporary(list.of), frame.temporary(Kind::Integer.into()));
    let row = |form, name: &str, arguments: Vec<Expr>, of| {
        let kinds: Vec<_> = arguments.iter().map(|argument| argument.of.kind).collect();
        match api::find(form, name, &kinds) {
            Some((row, _)) => Ok(call(Builtin::Function(row), name, arguments, of)),
            None => refuse("a loop over a group", (0, 0)),
        }
    };
    let read = |local, of: Type| Expr::new(of, Op::Local(local));
    let count = row(api::CallForm::Property, "count", vec![read(group, list.of)], Kind::Integer)?;
    let range = call(Builtin::MakeRange, "..", vec![integer(0), count], Kind::Range);
    let arguments = vec![read(group, list.of), read(index, Kind::Integer.into())];
    let unit = row(api::CallForm::Index, "[]", arguments, Kind::Unit)?;
    let body = Expr::sequence(vec![assigned(Op::Set, local, unit), body]);
    Ok((Over::Range(index, range), body, assigned(Op::Set, group, list)))
}
