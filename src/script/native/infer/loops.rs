//! Loops, and ways out of them.

use rhai::{ASTFlags, Expr as Syntax, Stmt, Token};

use super::super::form::{Builtin, Expr, Loop, Op, Over, Place};
use super::super::kind::{Kind, Type};
use super::scope::{Frame, Looping};
use super::statements::{Taken, assigned, call, switch};
use super::{Inferred, Pass, place, refuse};

impl Pass<'_> {
    pub(super) fn any_loop(
        &mut self,
        frame: &mut Frame,
        statement: &Stmt,
        is_dropped: bool,
    ) -> Inferred {
        let at = place(statement.position());
        let depth = frame.depth();
        let (over, body, counter, ends) = match statement {
            Stmt::While(control, _) => {
                let control = &**control;
                let endless = matches!(
                    control.expr,
                    Syntax::Unit(_) | Syntax::BoolConstant(true, _)
                );
                let test = if endless {
                    switch(true)
                } else {
                    self.test(frame, &control.expr)?
                };
                (Over::While(test), control, None, !endless)
            }
            Stmt::Do(control, flags, _) => {
                let control = &**control;
                let test = self.test(frame, &control.expr)?;
                let test = if flags.contains(ASTFlags::NEGATED) {
                    call(Builtin::Not, "!", vec![test], Kind::Switch)
                } else {
                    test
                };
                (Over::DoWhile(test), control, None, true)
            }
            Stmt::For(parts, _) => {
                let (name, counter, control) = &**parts;
                let over = self.over(frame, name.as_str(), &control.expr)?;
                let counter = (counter.as_ref())
                    .map(|name| frame.declare(name.as_str(), Kind::Integer.into()));
                (over, control, counter, true)
            }
            _ => return refuse("this statement", at),
        };
        let value = self.loop_value(frame, at, ends, is_dropped)?;
        frame.loops.push(Looping {
            place: at,
            value: value.map(|(local, _)| local),
            is_dropped,
            is_left: ends,
        });
        let body = self.block(frame, body.body.statements(), Taken::Dropped)?;
        let is_left = frame.loops.pop().is_some_and(|looping| looping.is_left);
        frame.leave(depth);
        let looping = Loop {
            over,
            body,
            counter,
            place: at,
        };
        let of = if is_left { Type::NOTHING } else { Type::NEVER };
        let looping = Expr::new(of, Op::Loop(Box::new(looping)));
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

    /// Where the value of a loop goes that somebody asks for; a loop that ends by itself is `()`.
    fn loop_value(
        &mut self,
        frame: &mut Frame,
        at: Place,
        ends: bool,
        is_dropped: bool,
    ) -> Inferred<Option<(usize, Type)>> {
        if is_dropped {
            return Ok(None);
        }
        let start = if ends { Type::NOTHING } else { Type::NEVER };
        let of = self.widen(frame, at, start)?.unwrap_or(start);
        if of.kind == Kind::Never || of == Type::NOTHING {
            // Nobody breaks out with a value, as far as is known.
            return Ok(None);
        }
        Ok(Some((frame.temporary(of), of)))
    }

    pub(super) fn leave_loop(
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
            let next = Expr::new(Type::NEVER, Op::Continue(0));
            return Ok(Expr::sequence(vec![value, next]));
        }
        looping.is_left = true;
        let (target, kept, is_dropped) = (looping.place, looping.value, looping.is_dropped);
        // What is learned here makes a place for the value in the next pass.
        if !is_dropped && self.widen(frame, target, value.of)?.is_none() {
            return refuse("a loop with values of different types", at);
        }
        let value = match kept {
            Some(local) => assigned(Op::Set, local, value),
            None => value,
        };
        let out = Expr::new(Type::NEVER, Op::Break(0));
        Ok(Expr::sequence(vec![value, out]))
    }

    /// What a `for` goes through; declares its variable.
    fn over(&mut self, frame: &mut Frame, name: &str, expr: &Syntax) -> Inferred<Over> {
        let at = place(expr.start_position());
        if let Some((ends, included)) = range(expr) {
            let from = self.bound(frame, &ends[0])?;
            let to = self.bound(frame, &ends[1])?;
            let local = frame.declare(name, Kind::Integer.into());
            return Ok(Over::Range(local, Box::new([from, to]), included));
        }
        if let Syntax::FnCall(call, _) = expr
            && call.name == "range"
        {
            let parts = (call.args.iter())
                .map(|part| self.bound(frame, part))
                .collect::<Inferred<Vec<_>>>()?;
            let local = frame.declare(name, Kind::Integer.into());
            return match <[Expr; 2]>::try_from(parts) {
                Ok(ends) => Ok(Over::Range(local, Box::new(ends), false)),
                Err(parts) => match <[Expr; 3]>::try_from(parts) {
                    Ok(parts) => Ok(Over::Steps(local, Box::new(parts))),
                    Err(_) => refuse("a range of this form", at),
                },
            };
        }
        let list = self.expr(frame, expr)?;
        match list.of {
            of if of == Kind::List.into() => {
                let local = frame.declare(name, Kind::Unit.into());
                Ok(Over::Units(local, list))
            }
            of if of == Kind::Obstacles.into() => {
                Ok(Over::Obstacles(frame.declare(name, Kind::Obstacle.into())))
            }
            of => refuse(format!("`for` over {}", of.describe()), at),
        }
    }

    fn bound(&mut self, frame: &mut Frame, expr: &Syntax) -> Inferred {
        let bound = self.expr(frame, expr)?;
        if bound.of == Kind::Integer.into() {
            return Ok(bound);
        }
        let what = bound.of.describe();
        refuse(
            format!("a range that goes to or from {what}"),
            place(expr.position()),
        )
    }
}

/// Both ends of `a..b` or `a..=b`, and whether the second is included.
fn range(expr: &Syntax) -> Option<([Syntax; 2], bool)> {
    let whole = |from, to, at| [from, to].map(|end| Syntax::IntegerConstant(end, at));
    match expr {
        Syntax::FnCall(call, _) => {
            let [from, to] = &*call.args else { return None };
            let ends = [from.clone(), to.clone()];
            match call.op_token {
                Some(Token::ExclusiveRange) => Some((ends, false)),
                Some(Token::InclusiveRange) => Some((ends, true)),
                _ => None,
            }
        }
        Syntax::DynamicConstant(value, at) => {
            if let Some(range) = value.read_lock::<std::ops::Range<i64>>() {
                return Some((whole(range.start, range.end, *at), false));
            }
            let range = value.read_lock::<std::ops::RangeInclusive<i64>>()?;
            Some((whole(*range.start(), *range.end(), *at), true))
        }
        _ => None,
    }
}
