//! The static cost of statements, counted on the syntax tree: one definition for machine code and the interpreter.
//!
//! A call of a function and an iteration of a loop are charged in full when they begin. Every node costs 1, some
//! operators and API functions more; of the branches of `if` and `switch`, the most expensive one counts. Iterations
//! of inner loops and called functions are not part of the sum: each is charged separately.
//!
//! Charges per branch would be more precise, but need a subtraction on each path of each lane. Scripts that are not
//! compiled cost a hundred times as much because they run a hundred times as long.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rhai::{Expr, FnCallExpr, Stmt};

use crate::api;
use crate::syntax::tree;

/// Cost of a call beside the function's body.
const CALL: i64 = 10;
/// Cost of an iteration beside the loop's body.
const ITERATION: i64 = 2;
/// Additional cost of the operators that are slower than other nodes.
pub(crate) const DIVISION: i64 = 5;
pub(crate) const POWER: i64 = 15;
pub(crate) const COMPARISON: i64 = 2;
const OPERATORS: [(&str, i64); 9] = [
    ("/", DIVISION),
    ("%", DIVISION),
    ("**", POWER),
    ("==", COMPARISON),
    ("!=", COMPARISON),
    ("<", COMPARISON),
    ("<=", COMPARISON),
    (">", COMPARISON),
    (">=", COMPARISON),
];

/// Cost by name and number of arguments, the receiver included: the maximum of all rows of the API.
static WORK: LazyLock<BTreeMap<(&str, usize), i64>> = LazyLock::new(|| {
    let mut work: BTreeMap<_, _> = OPERATORS.iter().map(|(name, work)| ((*name, 2), *work)).collect();
    for row in api::functions().iter().filter(|row| row.work > 0) {
        let most = work.entry((row.name, row.params.len())).or_default();
        *most = row.work.max(*most);
    }
    work
});

fn work(name: &str, arguments: usize) -> i64 {
    WORK.get(&(name, arguments)).copied().unwrap_or(0)
}

/// Returns the cost of a call of a function with this body, in units of [`steerbox_core::sim::work`]. It is 0 without
/// statements, since the engine does not enter such a function.
pub(crate) fn of_call(body: &[Stmt]) -> i64 {
    if body.is_empty() { 0 } else { CALL + of_all(body) }
}

/// Returns the cost of an iteration of a loop; 0 for other statements.
pub(crate) fn of_iteration(statement: &Stmt) -> i64 {
    let (test, body) = match statement {
        Stmt::While(control, _) | Stmt::Do(control, ..) => (of_expr(&control.expr), &control.body),
        Stmt::For(parts, _) => (0, &parts.2.body),
        _ => return 0,
    };
    ITERATION + test + of_all(body.statements())
}

fn of_all(statements: &[Stmt]) -> i64 {
    statements.iter().map(of_statement).sum()
}

fn of_statement(statement: &Stmt) -> i64 {
    match statement {
        Stmt::Noop(_) => 0,
        Stmt::Block(block) => of_all(block.statements()),
        Stmt::Expr(expr) => of_expr(expr),
        Stmt::FnCall(call, _) => of_called(call, 0),
        Stmt::If(control, _) => {
            let branches = [&control.body, &control.branch].map(|branch| of_all(branch.statements()));
            1 + of_expr(&control.expr) + branches[0].max(branches[1])
        }
        Stmt::Switch(parts, _) => {
            let (value, cases) = &**parts;
            let arms: Vec<_> = tree::arms(cases).into_iter().map(|arm| &cases.expressions[arm]).collect();
            let tests = arms.iter().map(|arm| of_expr(&arm.lhs)).sum::<i64>();
            let most = arms.iter().map(|arm| of_expr(&arm.rhs)).max();
            1 + of_expr(value) + tests + most.unwrap_or(0)
        }
        Stmt::While(control, _) | Stmt::Do(control, ..) => 1 + of_expr(&control.expr),
        Stmt::For(parts, _) => 1 + of_expr(&parts.2.expr),
        Stmt::TryCatch(control, _) => {
            1 + of_all(control.body.statements()) + of_all(control.branch.statements())
        }
        Stmt::Var(parts, ..) => 1 + of_expr(&parts.1),
        Stmt::Assignment(parts) => {
            let operator = parts.0.get_op_assignment_info().map_or(0, |info| work(info.5, 2));
            1 + operator + of_expr(&parts.1.lhs) + of_expr(&parts.1.rhs)
        }
        Stmt::Return(Some(value), ..) | Stmt::BreakLoop(Some(value), ..) => 1 + of_expr(value),
        _ => 1,
    }
}

fn of_expr(expr: &Expr) -> i64 {
    let all = |parts: &[Expr]| parts.iter().map(of_expr).sum::<i64>();
    match expr {
        Expr::Stmt(block) => of_all(block.statements()),
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => of_expr(&sides.lhs) + of_expr(&sides.rhs),
        Expr::Property(names, _) => 1 + work(&names.2, 1),
        Expr::FnCall(call, _) => of_called(call, 0),
        Expr::MethodCall(call, _) => of_called(call, 1),
        Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => 1 + all(parts),
        Expr::InterpolatedString(parts, _) | Expr::Array(parts, _) => 1 + all(parts),
        Expr::Map(parts, _) => 1 + parts.0.iter().map(|(_, value)| of_expr(value)).sum::<i64>(),
        _ => 1,
    }
}

fn of_called(call: &FnCallExpr, receivers: usize) -> i64 {
    let arguments = call.args.iter().map(of_expr).sum::<i64>();
    1 + work(&call.name, call.args.len() + receivers) + arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::engine;

    fn body(text: &str) -> Vec<Stmt> {
        let ast = engine::parse(&format!("fn f(a, me) {{ {text} }}")).unwrap();
        tree::bodies(&ast, None).remove(0).statements
    }

    #[test]
    fn a_call_costs_its_nodes_and_the_most_expensive_branch() {
        for (text, nodes) in [
            ("a", 1),
            ("a + 1", 3),
            ("a / 1", 3 + 5),
            ("a /= 1;", 3 + 5),
            ("{ { a } }", 1),
            ("if a { a } else { a + 1 }", 1 + 1 + 3),
            ("switch a { 1 => a, 2 => a + 1 }", 1 + 1 + 3 + 2),
            ("while a { a + 1 }", 1 + 1),
            ("me.mark(\"x\")", 1 + 1 + 100 + 1),
            ("me.touching.len", 1 + 1 + 16 + 1),
        ] {
            assert_eq!(of_call(&body(text)), CALL + nodes, "{text}");
        }
        assert_eq!(of_call(&[]), 0);
    }

    #[test]
    fn an_iteration_costs_its_body_and_its_test() {
        for (text, nodes) in [
            ("while a { a + 1 }", 1 + 3),
            ("for i in a { a + i }", 3),
            ("do { a } until a + 1", 1 + 3),
            ("for i in a { for j in a { j + 1 } }", 1 + 1),
        ] {
            assert_eq!(of_iteration(&body(text)[0]), ITERATION + nodes, "{text}");
        }
    }
}
