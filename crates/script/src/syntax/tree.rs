//! Walks through the engine's syntax tree in source order.
//!
//! The engine stores functions and the arms of `switch` in hash maps, whose order differs in every process. Results
//! of a walk must not depend on it, so all walks use these functions, which sort.

use rhai::{AST, ASTNode, Dynamic, Expr, FnCallExpr, RangeCase, ScriptFuncDef, Stmt, SwitchCasesCollection};

use super::text;

/// A function of a script.
#[derive(Debug)]
pub(crate) struct Body {
    /// The path of the imported file that declares it; `None` for the script itself.
    pub(crate) file: Option<String>,
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) statements: Vec<Stmt>,
    /// Line and column of its first brace.
    pub(crate) place: (usize, usize),
}

impl Body {
    /// Returns true for a function without a name.
    pub(crate) fn is_closure(&self) -> bool {
        self.name.starts_with("anon$")
    }
}

/// The functions of a script.
#[allow(clippy::disallowed_methods, reason = "sorted here, once for all callers")]
pub(crate) fn functions(ast: &AST) -> Vec<&ScriptFuncDef> {
    let mut functions: Vec<_> = ast.iter_fn_def().map(AsRef::as_ref).collect();
    functions.sort_by(|a, b| place(a).cmp(&place(b)));
    functions
}

/// A sort key: the position of a function, then name and parameters for functions without a position.
fn place(function: &ScriptFuncDef) -> (Option<usize>, Option<usize>, &str, usize) {
    let at = function.body.start_position();
    let name = function.name.as_str();
    (at.line(), at.position(), name, function.params.len())
}

/// Returns every function of a file with its statements.
pub(crate) fn bodies(ast: &AST, file: Option<&str>) -> Vec<Body> {
    let functions = functions(ast).into_iter().map(|function| {
        let mut statements = Vec::new();
        each_statement(ast, function, &mut |statement| {
            statements.push(statement.clone());
        });
        Body {
            file: file.map(str::to_owned),
            name: function.name.to_string(),
            parameters: function.params.iter().map(ToString::to_string).collect(),
            statements,
            place: text::place(function.body.start_position()).unwrap_or((0, 0)),
        }
    });
    functions.collect()
}

/// Visits all nodes of a script: its top level, then its functions. Each node comes with all nodes around it.
pub(crate) fn walk(ast: &AST, on_node: &mut dyn FnMut(&[ASTNode<'_>])) {
    walk_all(ast.statements(), on_node);
    for function in functions(ast) {
        each_statement(ast, function, &mut |statement| {
            walk_node(statement.into(), &mut Vec::new(), on_node);
        });
    }
}

/// Visits all nodes of some statements, each with all nodes around it.
pub(crate) fn walk_all(statements: &[Stmt], on_node: &mut dyn FnMut(&[ASTNode<'_>])) {
    for statement in statements {
        walk_node(statement.into(), &mut Vec::new(), on_node);
    }
}

/// Visits every node of some statements, in source order.
pub(crate) fn each_node<'a>(statements: &'a [Stmt], show: &mut dyn FnMut(ASTNode<'a>)) {
    for statement in statements {
        each_below(statement.into(), show);
    }
}

/// Visits a node and every node in it, in source order.
pub(crate) fn each_below<'a>(node: ASTNode<'a>, show: &mut dyn FnMut(ASTNode<'a>)) {
    show(node);
    for part in parts(node) {
        each_below(part, show);
    }
}

/// Visits the statements of one function.
///
/// The type of function bodies is private to the engine, but the engine walks through them: the nodes at depth one
/// of a walk through a module with one function are that function's statements.
#[allow(
    clippy::disallowed_methods,
    reason = "the module has one function, whose statements are visited in order"
)]
fn each_statement(ast: &AST, function: &ScriptFuncDef, show: &mut dyn FnMut(&Stmt)) {
    let mut one = ast.clone_functions_only();
    one.retain_functions(|_, _, name, arity| name == function.name && arity == function.params.len());
    one.walk(&mut |path: &[ASTNode<'_>]| {
        if let [ASTNode::Stmt(statement)] = path {
            show(statement);
        }
        true
    });
}

fn walk_node<'a>(node: ASTNode<'a>, path: &mut Vec<ASTNode<'a>>, on_node: &mut dyn FnMut(&[ASTNode<'_>])) {
    path.push(node);
    on_node(path);
    for part in parts(node) {
        walk_node(part, path, on_node);
    }
    path.pop();
}

/// Returns the direct children of a node.
fn parts(node: ASTNode<'_>) -> Vec<ASTNode<'_>> {
    match node {
        ASTNode::Stmt(statement) => of_statement(statement),
        ASTNode::Expr(expr) => of_expr(expr),
        _ => Vec::new(),
    }
}

/// Returns the direct children of a statement.
fn of_statement(statement: &Stmt) -> Vec<ASTNode<'_>> {
    match statement {
        Stmt::Var(parts, ..) => vec![(&parts.1).into()],
        Stmt::Assignment(parts) => vec![(&parts.1.lhs).into(), (&parts.1.rhs).into()],
        Stmt::FnCall(call, _) => all(&call.args),
        Stmt::Expr(expr) => vec![(&**expr).into()],
        Stmt::BreakLoop(Some(value), ..) | Stmt::Return(Some(value), ..) => {
            vec![(&**value).into()]
        }
        Stmt::Import(parts, _) => vec![(&parts.0).into()],
        Stmt::Block(block) => all(block.statements()),
        Stmt::TryCatch(control, _) => {
            let mut parts = all(control.body.statements());
            parts.extend(all(control.branch.statements()));
            parts
        }
        Stmt::Do(control, ..) => {
            let mut parts = all(control.body.statements());
            parts.push((&control.expr).into());
            parts
        }
        Stmt::If(control, _) | Stmt::While(control, _) => {
            let mut parts = vec![(&control.expr).into()];
            parts.extend(all(control.body.statements()));
            parts.extend(all(control.branch.statements()));
            parts
        }
        Stmt::For(parts, _) => {
            let mut nodes = vec![(&parts.2.expr).into()];
            nodes.extend(all(parts.2.body.statements()));
            nodes
        }
        Stmt::Switch(parts, _) => {
            let (value, cases) = &**parts;
            let mut nodes = vec![value.into()];
            for arm in arms(cases) {
                let arm = &cases.expressions[arm];
                nodes.push((&arm.lhs).into());
                nodes.push((&arm.rhs).into());
            }
            nodes
        }
        _ => Vec::new(),
    }
}

/// Returns the direct children of an expression.
pub(crate) fn of_expr(expr: &Expr) -> Vec<ASTNode<'_>> {
    match expr {
        Expr::Stmt(block) => all(block.statements()),
        Expr::InterpolatedString(parts, _) | Expr::Array(parts, _) => all(parts),
        Expr::Map(parts, _) => parts.0.iter().map(|(_, value)| value.into()).collect(),
        Expr::Index(sides, ..) | Expr::Dot(sides, ..) => {
            vec![(&sides.lhs).into(), (&sides.rhs).into()]
        }
        Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => all(parts),
        Expr::FnCall(call, _) | Expr::MethodCall(call, _) => all(&call.args),
        _ => Vec::new(),
    }
}

/// Visits the direct children of an expression that are expressions.
pub(crate) fn each_part(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    match expr {
        Expr::InterpolatedString(parts, _) | Expr::Array(parts, _) => parts.iter_mut().for_each(change),
        Expr::Map(parts, _) => parts.0.iter_mut().for_each(|(_, value)| change(value)),
        Expr::Index(sides, ..) | Expr::Dot(sides, ..) => {
            change(&mut sides.lhs);
            change(&mut sides.rhs);
        }
        Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
            parts.iter_mut().for_each(change);
        }
        Expr::FnCall(call, _) | Expr::MethodCall(call, _) => call.args.iter_mut().for_each(change),
        _ => {}
    }
}

fn all<'a, T>(parts: &'a [T]) -> Vec<ASTNode<'a>>
where
    &'a T: Into<ASTNode<'a>>,
{
    parts.iter().map(Into::into).collect()
}

/// Returns the call of a function or method that a node is.
pub(crate) fn call(node: ASTNode<'_>) -> Option<&FnCallExpr> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
        | ASTNode::Stmt(Stmt::FnCall(call, _)) => Some(call),
        _ => None,
    }
}

/// Returns true for the left side of an assignment; `before` are the nodes around it.
pub(crate) fn is_assigned(expr: &Expr, before: &[ASTNode<'_>]) -> bool {
    matches!(before.last(), Some(ASTNode::Stmt(Stmt::Assignment(assignment)))
        if std::ptr::eq(&raw const assignment.1.lhs, expr))
}

/// Returns the indices of the arms of a `switch`.
pub(crate) fn arms(cases: &SwitchCasesCollection) -> Vec<usize> {
    let mut arms = constant_arms(cases, |_| true);
    add_others(cases, &mut arms);
    arms
}

/// Returns the arms that are reachable by a value that may equal only the admitted constants.
pub(crate) fn arms_of(cases: &SwitchCasesCollection, admits: impl Fn(&Dynamic) -> bool) -> Vec<usize> {
    let mut arms = constant_arms(cases, admits);
    if !arms.iter().any(|arm| matches!(cases.expressions[*arm].lhs, Expr::BoolConstant(true, _))) {
        add_others(cases, &mut arms);
    }
    arms
}

/// Returns the constants of the cases of a `switch`, in no particular order.
#[allow(clippy::disallowed_methods, reason = "callers sort them")]
pub(crate) fn constants(cases: &SwitchCasesCollection) -> impl Iterator<Item = &Dynamic> {
    cases.cases.values().map(|case| &case.value)
}

#[allow(clippy::disallowed_methods, reason = "sorted here, once for all callers")]
fn constant_arms(cases: &SwitchCasesCollection, admits: impl Fn(&Dynamic) -> bool) -> Vec<usize> {
    let constants = cases.cases.values().filter(|case| admits(&case.value));
    let mut arms: Vec<usize> = constants.flat_map(|case| case.blocks.iter()).copied().collect();
    arms.sort_unstable();
    arms.dedup();
    arms
}

/// Adds the arms of ranges and of `_`.
fn add_others(cases: &SwitchCasesCollection, arms: &mut Vec<usize>) {
    arms.extend(cases.ranges.iter().map(RangeCase::index));
    arms.extend(cases.def_case);
    arms.sort_unstable();
    arms.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::engine;

    #[test]
    fn nodes_are_visited_in_source_order() {
        let text = r#"
            fn steer(me, world) {
                switch me.index {
                    0 => me.mark("a"), 1 | 7 => me.mark("b"), "x" => me.mark("c"), true => me.mark("d"),
                    2 if me.mark("e") => me.mark("f"), 3..5 => me.mark("g"), _ => me.mark("h")
                }
                loop { break me.mark("i"); }
                let m = [me.mark("j"), #{ z: me.mark("k"), a: `${me.mark("l")}` }];
                if me.mark("m") { me.mark("n") } else { me.mark("o") }
                for it in me.mark("p") { try { me.mark("q"); } catch { return me.mark("r"); } }
                me.mark("s") ?? me.mark("t") && me.mark("u");
                do { m[me.mark("v")] = me.mark("w"); } while me.mark("x")
            }
            fn b(me) { me.mark("y"); }
            fn a(me) { me.mark("z"); }"#;
        let ast = engine::parse(text);
        let mut found = String::new();
        walk(&ast.unwrap(), &mut |path| {
            if let Some(ASTNode::Expr(Expr::StringConstant(word, _))) = path.last()
                && word.len() == 1
                && matches!(path[..], [.., ASTNode::Expr(Expr::MethodCall(..)), _])
            {
                found.push_str(word);
            }
        });
        assert_eq!(found, "abcdefghijklmnopqrstuvwxyz");
    }
}
