//! Data flow of integers in a function: do they end as integers, or combine with a number?

use std::collections::{BTreeMap, BTreeSet};
use std::ptr;

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Stmt};

use crate::api::{self, Function, Tag};
use crate::syntax::chain::{Link, unroll};
use crate::syntax::tree::{self, Body};
use crate::typed::Kinds;
use crate::types::Kind;

/// The destination of a value.
enum Destination {
    /// It is used as an integer, or not used.
    Integer,
    /// It is combined with a number, or returned.
    Number,
    /// It is assigned to this variable.
    Variable(String),
    /// It becomes part of the expression around it.
    Parent,
}

/// The data flow of a function's variables.
#[derive(Debug)]
pub(super) struct Uses {
    /// Variables that are combined with a number.
    meet: BTreeSet<String>,
    /// Divisors by which a remainder is taken, as source text.
    remainders: BTreeSet<String>,
    /// The index of the last statement, whose value the function returns.
    last: usize,
}

impl Uses {
    pub(super) fn new(body: &Body, kinds: &Kinds) -> Self {
        let last = body.statements.last().map_or(0, |last| ptr::from_ref(last).addr());
        let mut uses = Self { meet: BTreeSet::new(), remainders: BTreeSet::new(), last };
        let mut flows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        tree::walk_all(&body.statements, &mut |path| match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _))) if call.name == "%" => {
                uses.remainders.extend(call.args.get(1).map(written));
            }
            Some(ASTNode::Expr(Expr::Variable(variable, ..))) => {
                let name = variable.1.as_str();
                match uses.end(kinds, path) {
                    Destination::Number => {
                        uses.meet.insert(name.to_owned());
                    }
                    Destination::Variable(other) => {
                        flows.entry(other).or_default().insert(name.to_owned());
                    }
                    Destination::Integer | Destination::Parent => {}
                }
            }
            _ => {}
        });
        let mut fresh: Vec<String> = uses.meet.iter().cloned().collect();
        while let Some(name) = fresh.pop() {
            for from in flows.remove(&name).into_iter().flatten() {
                if uses.meet.insert(from.clone()) {
                    fresh.push(from);
                }
            }
        }
        uses
    }

    /// Returns true if a variable is combined with a number.
    #[cfg(test)]
    pub(super) fn meets_variable(&self, name: &str) -> bool {
        self.meet.contains(name)
    }

    /// Returns true if the function takes a remainder by the same divisor.
    pub(super) fn takes_remainder(&self, divisor: &Expr) -> bool {
        self.remainders.contains(&written(divisor))
    }

    /// Returns true if the value at the end of a path is combined with a number, directly or through variables.
    pub(super) fn meets_number(&self, kinds: &Kinds, path: &[ASTNode<'_>]) -> bool {
        match self.end(kinds, path) {
            Destination::Number => true,
            Destination::Variable(name) => self.meet.contains(&name),
            Destination::Integer | Destination::Parent => false,
        }
    }

    /// Returns the final destination of the value at the end of a path.
    fn end(&self, kinds: &Kinds, path: &[ASTNode<'_>]) -> Destination {
        for above in (1..path.len()).rev() {
            match goes(kinds, &path[..above], &path[above]) {
                Destination::Parent => {}
                end => return end,
            }
        }
        // The value of the last statement is returned.
        match path.first() {
            Some(ASTNode::Stmt(first)) if ptr::from_ref(*first).addr() == self.last => Destination::Number,
            _ => Destination::Integer,
        }
    }
}

/// Returns the destination of the value of `node` in its parent, the last of `above`.
fn goes(kinds: &Kinds, above: &[ASTNode<'_>], node: &ASTNode<'_>) -> Destination {
    let Some((parent, before)) = above.split_last() else {
        return Destination::Parent;
    };
    let ASTNode::Expr(node) = node else {
        return Destination::Parent;
    };
    match parent {
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            argument_destination(kinds, call)
        }
        ASTNode::Expr(Expr::MethodCall(call, _)) if call.name == api::IN => Destination::Integer,
        ASTNode::Expr(Expr::MethodCall(..) | Expr::Array(..) | Expr::Map(..))
        | ASTNode::Stmt(Stmt::Return(..)) => Destination::Number,
        ASTNode::Expr(Expr::Dot(parts, ..)) => match before.last() {
            // `list[i / 2].speed`: the chain holds the index and the link after it.
            Some(ASTNode::Expr(Expr::Index(outer, flags, _)))
                if !flags.contains(ASTFlags::BREAK) && holds(&outer.rhs, parent) =>
            {
                Destination::Integer
            }
            _ => receiver_destination(&parts.rhs),
        },
        ASTNode::Stmt(Stmt::Var(declared, ..)) => Destination::Variable(declared.0.name.to_string()),
        ASTNode::Stmt(Stmt::Assignment(assignment)) => {
            let sides = &assignment.1;
            match &sides.lhs {
                lhs if ptr::eq(lhs, *node) => Destination::Integer,
                lhs @ Expr::Variable(variable, ..) if is_integer(kinds, lhs) => {
                    Destination::Variable(variable.1.to_string())
                }
                _ => Destination::Number,
            }
        }
        ASTNode::Stmt(Stmt::Switch(parts, _)) if !ptr::eq(&raw const parts.0, *node) => Destination::Parent,
        // Indices, texts, conditions, cases and ranges.
        ASTNode::Expr(Expr::Index(..) | Expr::InterpolatedString(..))
        | ASTNode::Stmt(Stmt::Switch(..) | Stmt::If(..) | Stmt::While(..) | Stmt::Do(..) | Stmt::For(..)) => {
            Destination::Integer
        }
        _ => Destination::Parent,
    }
}

/// Returns true if a value is certainly an integer.
fn is_integer(kinds: &Kinds, expr: &Expr) -> bool {
    kinds.kind(expr) == Some(Kind::Integer)
}

/// Returns true if an expression is the one of a node.
fn holds(expr: &Expr, node: &ASTNode<'_>) -> bool {
    matches!(node, ASTNode::Expr(other) if ptr::eq(*other, expr))
}

/// Returns the destination of the arguments of a call.
fn argument_destination(kinds: &Kinds, call: &FnCallExpr) -> Destination {
    let are_integers = call.args.iter().all(|argument| is_integer(kinds, argument));
    match call.name.as_str() {
        "%" | ".." | "..=" => Destination::Integer,
        name if api::is_tagged(name, Tag::Whole) => Destination::Integer,
        "==" | "!=" | "<" | "<=" | ">" | ">=" if are_integers => Destination::Integer,
        "+" | "-" | "*" | "/" | "**" if are_integers => Destination::Parent,
        name if are_integers && api::named(name).any(Function::is_of_integers) => Destination::Parent,
        _ => Destination::Number,
    }
}

/// Returns the destination of a value before a dot; `member` is the expression after the dot.
fn receiver_destination(member: &Expr) -> Destination {
    match member {
        Expr::MethodCall(call, _) if api::is_tagged(&call.name, Tag::Whole) => Destination::Integer,
        _ => Destination::Number,
    }
}

/// Formats an expression approximately as source text.
pub(super) fn written(expr: &Expr) -> String {
    match expr {
        Expr::IntegerConstant(value, _) => value.to_string(),
        Expr::FloatConstant(value, _) => value.to_string(),
        Expr::Variable(variable, ..) => variable.1.to_string(),
        Expr::ThisPtr(_) => "this".to_owned(),
        Expr::Dot(..) | Expr::Index(..) => {
            let (root, links) = unroll(expr);
            let links = links.iter().map(|step| match step.link {
                Link::Property(name) => format!(".{name}"),
                Link::Method(call) => format!(".{}(…)", call.name),
                Link::Index(_) => "[…]".to_owned(),
            });
            links.fold(written(root), |chain, link| chain + link.as_str())
        }
        Expr::FnCall(call, _) => match (&call.op_token, &call.args[..]) {
            (Some(_), [left, right]) => {
                format!("({} {} {})", written(left), call.name, written(right))
            }
            (Some(_), [one]) => format!("{}{}", call.name, written(one)),
            (_, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(written).collect();
                format!("{}({})", call.name, arguments.join(", "))
            }
        },
        _ => "…".to_owned(),
    }
}
