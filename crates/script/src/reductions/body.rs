//! Analyzes a loop's body: does its effect depend on the order of iterations?

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, OpAssignment, Stmt};

use super::names::{File, Names};
use crate::api::{self, Intrinsic, ValueOp};
use crate::syntax::chain::{Link, unroll};
use crate::syntax::text::place;
use crate::syntax::tree::{self, Body};

/// The maximum depth of function calls from a loop.
const MAX_DEPTH: usize = 8;

/// `Ok`, or the reason why the order matters.
type Checked = Result<(), String>;

/// A kind of change to a variable from outside the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Sum,
    Least,
    Greatest,
    Flag(bool),
    Or,
    And,
    /// An assignment of which the last iteration's value remains.
    Overwritten,
}

/// The analysis of the body of a loop, with the functions that it calls.
pub(super) struct Check<'a> {
    file: &'a File<'a>,
    /// Variables of the body that are in scope.
    locals: Vec<&'a str>,
    /// Changes to variables from outside.
    changes: BTreeMap<&'a str, Vec<Change>>,
    /// Reads of variables from outside, each with a description.
    reads: Vec<(&'a str, String)>,
    is_condition: bool,
    /// The stack of functions being analyzed.
    calls: Vec<&'a str>,
    /// Functions already found pure, with their number of arguments.
    pure: BTreeSet<(&'a str, usize)>,
}

impl<'a> Check<'a> {
    pub(super) fn of_loop(file: &'a File<'a>, variable: &'a str) -> Self {
        Self {
            file,
            locals: vec![variable],
            changes: BTreeMap::new(),
            reads: Vec::new(),
            is_condition: false,
            calls: Vec::new(),
            pure: BTreeSet::new(),
        }
    }

    /// Checks that all assignments to outer variables are order-independent; `list` is the list that the loop
    /// iterates over.
    pub(super) fn finish(mut self, list: &'a Expr, names: &Names<'_>) -> Checked {
        tree::each_below(list.into(), &mut |node| {
            if let ASTNode::Expr(Expr::Variable(variable, ..)) = node {
                self.reads.push((variable.1.as_str(), "read by its list".to_owned()));
            }
        });
        for (name, how) in &self.reads {
            if self.changes.contains_key(name) {
                return Err(format!("`{name}` is {how}"));
            }
        }
        for (name, changes) in &self.changes {
            if changes.contains(&Change::Overwritten) {
                return Err(format!("`{name}` is set, and the last iteration counts"));
            }
            if changes.iter().any(|change| *change != changes[0]) {
                return Err(format!("`{name}` changes in several ways"));
            }
            if !names.is_numeric(name) {
                return Err(format!("`{name}` may be something else than a number, a switch or a vector"));
            }
        }
        Ok(())
    }

    pub(super) fn block(&mut self, statements: &'a [Stmt]) -> Checked {
        let depth = self.locals.len();
        for statement in statements {
            self.statement(statement)?;
        }
        self.locals.truncate(depth);
        Ok(())
    }

    fn statement(&mut self, statement: &'a Stmt) -> Checked {
        match statement {
            Stmt::Noop(_) => Ok(()),
            Stmt::Expr(expr) => self.expr(expr),
            Stmt::FnCall(call, _) => self.call(call, 0),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::Var(parts, ..) => {
                self.expr(&parts.1)?;
                self.locals.push(parts.0.name.as_str());
                Ok(())
            }
            Stmt::Assignment(parts) => self.assignment(&parts.0, &parts.1.lhs, &parts.1.rhs),
            Stmt::If(control, _) => {
                self.condition(&control.expr)?;
                self.block(control.body.statements())?;
                self.block(control.branch.statements())
            }
            Stmt::Switch(parts, _) => {
                let (value, cases) = &**parts;
                self.condition(value)?;
                tree::arms(cases).into_iter().try_for_each(|arm| {
                    self.condition(&cases.expressions[arm].lhs)?;
                    self.expr(&cases.expressions[arm].rhs)
                })
            }
            Stmt::BreakLoop(value, flags, _) if !flags.contains(ASTFlags::BREAK) => {
                value.as_ref().map_or(Ok(()), |value| self.expr(value))
            }
            Stmt::Return(value, flags, _) if !flags.contains(ASTFlags::BREAK) && !self.calls.is_empty() => {
                value.as_ref().map_or(Ok(()), |value| self.expr(value))
            }
            Stmt::BreakLoop(..) => Err("`break` ends it".to_owned()),
            Stmt::Return(_, flags, _) if flags.contains(ASTFlags::BREAK) => Err("`throw` ends it".to_owned()),
            Stmt::Return(..) => Err("`return` ends it".to_owned()),
            Stmt::While(..) | Stmt::Do(..) | Stmt::For(..) => Err("a loop is in it".to_owned()),
            _ => Err("`try` or the like is in it".to_owned()),
        }
    }

    fn condition(&mut self, expr: &'a Expr) -> Checked {
        let around = std::mem::replace(&mut self.is_condition, true);
        self.expr(expr)?;
        self.is_condition = around;
        Ok(())
    }

    fn expr(&mut self, expr: &'a Expr) -> Checked {
        match expr {
            Expr::ThisPtr(_) => Err("it reads or writes the memory".to_owned()),
            Expr::InterpolatedString(..) => Err("a text is put together in it".to_owned()),
            Expr::Array(..) => Err("an array is made in it".to_owned()),
            Expr::Map(..) => Err("a map is made in it".to_owned()),
            Expr::Custom(..) => Err("it has something that is not known".to_owned()),
            Expr::Stmt(block) => self.block(block.statements()),
            Expr::FnCall(call, _) => self.call(call, 0),
            Expr::MethodCall(call, _) => self.call(call, 1),
            Expr::Variable(variable, _, position) => {
                let name = variable.1.as_str();
                if variable.2.is_empty() && !self.locals.contains(&name) {
                    let line = place(*position).map_or(0, |(line, _)| line);
                    let is_condition = self.is_condition;
                    let how = if is_condition {
                        "read by a condition".to_owned()
                    } else {
                        format!("read in line {line}")
                    };
                    self.reads.push((name, how));
                }
                Ok(())
            }
            _ => tree::of_expr(expr).into_iter().try_for_each(|part| match part {
                ASTNode::Expr(part) => self.expr(part),
                ASTNode::Stmt(part) => self.statement(part),
                _ => Ok(()),
            }),
        }
    }

    /// Checks a call; for a method, `before` is 1 for its receiver.
    fn call(&mut self, call: &'a FnCallExpr, before: usize) -> Checked {
        call.args.iter().try_for_each(|argument| self.expr(argument))?;
        let name = call.name.as_str();
        if !call.namespace.is_empty() {
            return Err(format!("it calls `{name}`, which stands in another file"));
        }
        if call.op_token.is_some() {
            return Ok(());
        }
        if let Some(function) = self.file.function(name, call.args.len()) {
            return self.function(function);
        }
        if is_pure(name, before + call.args.len()) { Ok(()) } else { Err(format!("it calls `{name}`")) }
    }

    /// Checks a function of the same file, once.
    fn function(&mut self, function: &'a Body) -> Checked {
        let name = function.name.as_str();
        let key = (name, function.parameters.len());
        if self.pure.contains(&key) {
            return Ok(());
        }
        if self.calls.contains(&name) {
            return Err(format!("it calls `{name}`, which calls itself"));
        }
        if self.calls.len() == MAX_DEPTH {
            return Err(format!("it calls `{name}` by way of too many others"));
        }
        let mut inner = Check::of_loop(self.file, name);
        inner.locals = function.parameters.iter().map(String::as_str).collect();
        inner.calls = [&self.calls[..], &[name]].concat();
        inner.pure = std::mem::take(&mut self.pure);
        inner.block(&function.statements).map_err(|why| format!("it calls `{name}`, and {why}"))?;
        self.pure = inner.pure;
        self.pure.insert(key);
        Ok(())
    }

    fn assignment(&mut self, operator: &'a OpAssignment, target: &'a Expr, value: &'a Expr) -> Checked {
        let (root, steps) = unroll(target);
        let Expr::Variable(variable, ..) = root else {
            return self.expr(root).and_then(|()| self.expr(value));
        };
        let name = variable.1.as_str();
        if self.locals.contains(&name) {
            for step in steps {
                if let Link::Index(index) = step.link {
                    self.expr(index)?;
                }
            }
            return self.expr(value);
        }
        let operator = operator.get_op_assignment_info().map(|info| info.5);
        let is_component = matches!(steps[..], [step] if matches!(step.link, Link::Property(_)));
        let change = match operator {
            Some("+" | "-") if steps.is_empty() || is_component => Change::Sum,
            Some("|") if steps.is_empty() => Change::Or,
            Some("&") if steps.is_empty() => Change::And,
            None if steps.is_empty() => set(name, value),
            _ => Change::Overwritten,
        };
        self.changes.entry(name).or_default().push(change);
        match (change, value) {
            // The first argument is the variable itself.
            (Change::Least | Change::Greatest, Expr::FnCall(call, _)) => self.expr(&call.args[1]),
            _ => self.expr(value),
        }
    }
}

/// Classifies the change by `name = value`.
fn set(name: &str, value: &Expr) -> Change {
    let is_name = |expr: &Expr| matches!(expr, Expr::Variable(it, ..) if it.2.is_empty() && it.1 == name);
    match value {
        Expr::BoolConstant(flag, _) => Change::Flag(*flag),
        Expr::FnCall(call, _)
            if call.namespace.is_empty() && call.args.len() == 2 && is_name(&call.args[0]) =>
        {
            match api::named(&call.name).find_map(|row| row.intrinsic) {
                Some(Intrinsic::Value(ValueOp::Min)) => Change::Least,
                Some(Intrinsic::Value(ValueOp::Max)) => Change::Greatest,
                _ => Change::Overwritten,
            }
        }
        _ => Change::Overwritten,
    }
}

/// Returns true if a function of the API with this number of arguments only returns a value, the same in any
/// iteration.
fn is_pure(name: &str, takes: usize) -> bool {
    let mut rows = api::named(name).filter(|row| row.params.len() == takes).peekable();
    rows.peek().is_some() && rows.all(api::Function::is_pure)
}
