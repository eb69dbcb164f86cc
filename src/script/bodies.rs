//! The functions of a script, out of the engine's syntax tree.

use rhai::{AST, ASTNode, Stmt};

/// A function of a script.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) statements: Vec<Stmt>,
}

/// Every function of a script.
///
/// The engine keeps the type of bodies to itself but walks through them: what it shows at the top of
/// a walk through one function are that function's statements.
pub(super) fn bodies(ast: &AST) -> Vec<Body> {
    let functions = ast.iter_functions().map(|function| {
        let (name, count) = (function.name, function.params.len());
        let mut one = ast.clone_functions_only();
        one.retain_functions(|_, _, known, arity| known == name && arity == count);
        Body {
            name: name.to_owned(),
            parameters: function
                .params
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            statements: statements(&one),
        }
    });
    functions.collect()
}

fn statements(ast: &AST) -> Vec<Stmt> {
    let mut statements = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}
