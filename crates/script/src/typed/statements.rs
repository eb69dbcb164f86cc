//! Lowers statements. As in the script language, each is an expression whose value may be unused.

use rhai::{ASTFlags, Dynamic, FlowControl, RangeCase, Stmt, SwitchCasesCollection};

use super::build::{Usage, and, assigned, call, compare, integer, is_nothing, not, number, unwrapped};
use super::ir::{Builtin, Compare, Expr, Op, Place};
use super::scope::Frame;
use super::{Inferred, Pass, is_contribution, place, refuse};
use crate::types::{Kind, Type};

impl Pass<'_> {
    /// Lowers the body of a function: its last value is its result.
    pub(super) fn tail(&mut self, frame: &mut Frame, statements: &[Stmt]) -> Inferred {
        self.block(frame, statements, Usage::Returned)
    }

    /// Lowers a block, which has its own scope.
    pub(super) fn block(&mut self, frame: &mut Frame, statements: &[Stmt], usage: Usage) -> Inferred {
        let depth = frame.depth();
        let mut parts = Vec::with_capacity(statements.len());
        let count = statements.len();
        for (index, statement) in statements.iter().enumerate() {
            let is_last = index + 1 == count;
            let usage = if is_last { usage } else { Usage::Dropped };
            let part = self.statement(frame, statement, usage)?;
            let leaves = part.of.kind == Kind::Never;
            parts.push(part);
            if leaves && self.prunes() {
                break;
            }
        }
        frame.leave(depth);
        if count == 0 && usage == Usage::Returned {
            return self.returned(frame, Expr::NOTHING, (0, 0));
        }
        Ok(Expr::sequence(parts))
    }

    fn statement(&mut self, frame: &mut Frame, statement: &Stmt, usage: Usage) -> Inferred {
        let value = self.any_statement(frame, statement, usage);
        self.tolerate(value)
    }

    fn any_statement(&mut self, frame: &mut Frame, statement: &Stmt, usage: Usage) -> Inferred {
        let at = place(statement.position());
        self.grow(1, at)?;
        let value = match statement {
            Stmt::Noop(_) => Expr::NOTHING,
            Stmt::If(control, _) => return self.choice(frame, control, usage),
            Stmt::Switch(parts, _) => {
                return self.switch(frame, &parts.0, &parts.1, usage, at);
            }
            Stmt::Block(block) => return self.block(frame, block.statements(), usage),
            Stmt::Expr(expr) => match &**expr {
                rhai::Expr::Stmt(block) => return self.block(frame, block.statements(), usage),
                expr => self.expr(frame, expr)?,
            },
            Stmt::FnCall(call, position) => self.call(frame, call, place(*position))?,
            Stmt::Var(parts, flags, _) => {
                let (name, initial, _) = &**parts;
                if flags.contains(ASTFlags::EXPORTED) {
                    return refuse("`export`", at);
                }
                let is_constant = flags.contains(ASTFlags::CONSTANT);
                self.variable(frame, name.as_str(), (initial, is_constant), place(name.pos))?
            }
            Stmt::Assignment(parts) => self.assignment(frame, &parts.0, &parts.1)?,
            Stmt::While(..) | Stmt::Do(..) | Stmt::For(..) => {
                self.any_loop(frame, statement, usage == Usage::Dropped)?
            }
            Stmt::BreakLoop(value, flags, _) => {
                let is_break = flags.contains(ASTFlags::BREAK);
                return self.exit_loop(frame, value.as_deref(), is_break, at);
            }
            // `throw` also exits the function.
            Stmt::Return(value, flags, _) if self.is_tolerant() || !flags.contains(ASTFlags::BREAK) => {
                let value = match value {
                    Some(value) => self.expr(frame, value)?,
                    None => Expr::NOTHING,
                };
                return self.returned(frame, value, at);
            }
            Stmt::Return(..) => return refuse("`throw`", at),
            Stmt::TryCatch(control, _) if self.is_tolerant() => return self.attempt(frame, control),
            Stmt::TryCatch(..) => return refuse("`try`", at),
            _ => return refuse("this statement", at),
        };
        if usage == Usage::Returned {
            return self.returned(frame, value, at);
        }
        Ok(value)
    }

    fn variable(
        &mut self,
        frame: &mut Frame,
        name: &str,
        (initial, is_constant): (&rhai::Expr, bool),
        at: Place,
    ) -> Inferred {
        let value = self.expr(frame, initial)?;
        let local = self.declare(frame, name, value.of, at, true)?;
        if is_constant {
            frame.constants.push(local);
        }
        Ok(assigned(Op::Set, local, value))
    }

    fn choice(&mut self, frame: &mut Frame, control: &FlowControl, usage: Usage) -> Inferred {
        let test = self.test(frame, &control.expr)?;
        if let Some(known) = self.known(&test) {
            let branch = if known { &control.body } else { &control.branch };
            return self.block(frame, branch.statements(), usage);
        }
        let at = place(control.expr.position());
        let body = self.block(frame, control.body.statements(), usage)?;
        let branch = self.block(frame, control.branch.statements(), usage)?;
        self.either(test, body, branch, usage, at)
    }

    /// Types both parts of a `try` in a tolerant pass: either may be its value.
    fn attempt(&mut self, frame: &mut Frame, control: &FlowControl) -> Inferred {
        self.block(frame, control.body.statements(), Usage::Dropped)?;
        let depth = frame.depth();
        if let rhai::Expr::Variable(caught, _, position) = &control.expr {
            self.declare(frame, &caught.1, Type::ANY, place(*position), false)?;
        }
        self.block(frame, control.branch.statements(), Usage::Dropped)?;
        frame.leave(depth);
        Ok(Expr::unknown(Kind::Any))
    }

    /// Lowers a condition, which must be a bool.
    pub(super) fn test(&mut self, frame: &mut Frame, expr: &rhai::Expr) -> Inferred {
        let test = self.expr(frame, expr)?;
        let at = place(expr.position());
        match test.of.kind {
            _ if self.is_tolerant() => Ok(test),
            Kind::Bool if test.of.maybe => {
                let mut test = call(Builtin::Expect, "", vec![test], Kind::Bool);
                if let Op::Call(call) = &mut test.op {
                    call.place = at;
                }
                Ok(test)
            }
            Kind::Bool | Kind::Never => Ok(test),
            _ => refuse(format!("{} as a condition", test.of.describe()), at),
        }
    }

    fn switch(
        &mut self,
        frame: &mut Frame,
        value: &rhai::Expr,
        cases: &SwitchCasesCollection,
        usage: Usage,
        at: Place,
    ) -> Inferred {
        let value = self.expr(frame, value)?;
        if self.is_tolerant() {
            self.switched_zone(&value, cases, at);
            return self.any_arm(frame, (&value, cases), usage);
        }
        if value.of.kind == Kind::Never {
            return Ok(value);
        }
        let subject = frame.temporary(value.of);
        let read = Expr::new(value.of, Op::Local(subject));
        let first = assigned(Op::Set, subject, value);
        let arms = self.arms(frame, cases, &read)?;
        let depth = frame.depth();
        // Each arm becomes the else branch of the one before it.
        let mut rest = match cases.def_case {
            Some(index) => self.arm(frame, &cases.expressions[index].rhs, usage)?,
            None if usage == Usage::Returned => self.returned(frame, Expr::NOTHING, at)?,
            None => Expr::NOTHING,
        };
        for (test, index) in arms.into_iter().rev() {
            let body = self.arm(frame, &cases.expressions[index].rhs, usage)?;
            rest = self.either(test, body, rest, usage, at)?;
        }
        frame.leave(depth);
        Ok(Expr::sequence(vec![first, rest]))
    }

    /// Lowers an arm of a `switch` once, for all cases that lead to it.
    fn any_arm(
        &mut self,
        frame: &mut Frame,
        (subject, cases): (&Expr, &SwitchCasesCollection),
        usage: Usage,
    ) -> Inferred {
        let mut of = if cases.def_case.is_some() { Type::NEVER } else { Type::NOTHING };
        for arm in self.reached_arms(subject, cases) {
            let arm = &cases.expressions[arm];
            self.test(frame, &arm.lhs)?;
            of = of.join_any(self.arm(frame, &arm.rhs, usage)?.of);
        }
        Ok(Expr::unknown(of))
    }

    /// Returns the tests of a `switch` in the order of evaluation, each with its arm.
    fn arms(
        &mut self,
        frame: &mut Frame,
        cases: &SwitchCasesCollection,
        subject: &Expr,
    ) -> Inferred<Vec<(Expr, usize)>> {
        let mut arms = Vec::new();
        #[allow(clippy::disallowed_methods, reason = "sorted immediately: by arm, then by value")]
        let mut constants: Vec<_> = cases.cases.values().collect();
        constants.sort_by_cached_key(|case| (case.blocks.to_vec(), format!("{:?}", case.value)));
        for case in constants {
            let Some(test) = self.is_case(subject, &case.value) else {
                continue;
            };
            for &index in &case.blocks {
                let test = self.under(frame, test.clone(), &cases.expressions[index].lhs)?;
                arms.push((test, index));
            }
        }
        for range in &cases.ranges {
            let Some(test) = in_range(subject, range) else {
                continue;
            };
            let index = range.index();
            let test = self.under(frame, test, &cases.expressions[index].lhs)?;
            arms.push((test, index));
        }
        Ok(arms)
    }

    /// Builds a test of the subject for a constant; `None` if it never holds.
    fn is_case(&mut self, subject: &Expr, value: &Dynamic) -> Option<Expr> {
        if subject.of.maybe || subject.of.kind == Kind::Nothing {
            let test = is_nothing(subject);
            if value.is_unit() {
                return Some(test);
            }
            if !subject.of.maybe {
                return None;
            }
            let case = self.is_case(&unwrapped(subject), value)?;
            return Some(and(not(test), case));
        }
        let case = match subject.of.kind {
            Kind::Integer => integer(value.as_int().ok()?),
            Kind::Number => {
                let case = number(value.as_float().ok()?);
                let both = vec![subject.clone(), case];
                return Some(call(Builtin::SameBits, "==", both, Kind::Bool));
            }
            Kind::Bool => {
                let subject = subject.clone();
                let wanted = value.as_bool().ok()?;
                return Some(if wanted { subject } else { not(subject) });
            }
            Kind::Text | Kind::Group | Kind::Zone => {
                let text = value.clone().into_immutable_string().ok()?;
                Expr::new(Kind::Text, Op::Text(self.text(&text)))
            }
            _ => return None,
        };
        Some(compare(Compare::Equal, subject.clone(), case))
    }

    /// Combines the test of a case with its condition.
    fn under(&mut self, frame: &mut Frame, test: Expr, condition: &rhai::Expr) -> Inferred {
        let condition = self.test(frame, condition)?;
        Ok(and(test, condition))
    }

    fn arm(&mut self, frame: &mut Frame, expr: &rhai::Expr, usage: Usage) -> Inferred {
        match expr {
            rhai::Expr::Stmt(block) => self.block(frame, block.statements(), usage),
            expr => {
                let value = self.expr(frame, expr)?;
                match usage {
                    Usage::Returned => self.returned(frame, value, place(expr.position())),
                    _ => Ok(value),
                }
            }
        }
    }

    /// Lowers a return with a value.
    fn returned(&mut self, frame: &mut Frame, value: Expr, at: Place) -> Inferred {
        if value.of.kind == Kind::Never {
            return Ok(value);
        }
        if self.is_tolerant() {
            self.reached_return(frame, value.of);
        } else if frame.key.is_handler() {
            // The result of a handler is unused.
            let nothing = Expr::sequence(vec![value, Expr::NOTHING]);
            return Ok(Expr::new(Type::NEVER, Op::Return(Box::new(nothing))));
        } else if frame.key.is_entry {
            if !is_contribution(value.of.kind) {
                let what = value.of.describe();
                return refuse(format!("a behavior that returns {what}"), at);
            }
        } else {
            let Some(joined) = frame.result.join(value.of) else {
                let (before, now) = (frame.result.describe(), value.of.describe());
                return refuse(format!("a function that returns {before} here and {now} there"), at);
            };
            frame.result = joined;
        }
        Ok(Expr::new(Type::NEVER, Op::Return(Box::new(value))))
    }
}

/// Builds a test of the subject for a range of integers; `None` if it never holds.
fn in_range(subject: &Expr, range: &RangeCase) -> Option<Expr> {
    if subject.of.maybe {
        let case = in_range(&unwrapped(subject), range)?;
        return Some(and(not(is_nothing(subject)), case));
    }
    let (low, high, last) = match range {
        RangeCase::ExclusiveInt(range, _) => (range.start, range.end, Compare::Less),
        RangeCase::InclusiveInt(range, _) => (*range.start(), *range.end(), Compare::LessOrEqual),
    };
    let bound = |to, end: i64| match subject.of.kind {
        Kind::Integer => Some(compare(to, subject.clone(), integer(end))),
        Kind::Number => {
            let both = vec![subject.clone(), number(end as f32)];
            Some(call(Builtin::Exactly(to), "==", both, Kind::Bool))
        }
        _ => None,
    };
    Some(and(bound(Compare::GreaterOrEqual, low)?, bound(last, high)?))
}
