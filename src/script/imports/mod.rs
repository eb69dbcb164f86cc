//! Files that scripts import: found, compiled once, and at hand while scripts run.
//!
//! `import "helpers" as h;` names another script of the project. What it reaches is decided by whoever
//! reads files, so that there is no way to anything else.

mod gather;
mod names;
mod resolve;

use std::fmt;
use std::sync::Arc;

use rhai::{AST, ASTNode, Dynamic, Expr, Module, Shared, Stmt};

use super::tree;
use crate::diagnostics::Fault;

pub(super) use gather::{MOST, gather};
pub(super) use names::check_names;
pub(super) use resolve::{Resolver, at_hand, constant, keep_at_hand};

/// Where the texts of imported files come from.
pub trait Library {
    /// The text of the script called `name`, without its extension.
    ///
    /// # Errors
    /// With the reason why there is none, in the user's words.
    fn text(&self, name: &str) -> Result<Arc<str>, String>;
}

/// Nothing to import.
#[derive(Clone, Copy, Debug)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        Err(format!("there is no script `{name}` to import here"))
    }
}

/// A file that a script imports, itself or through another one.
pub struct Imported {
    /// Its name in `import`, without an extension.
    pub name: String,
    /// The file as the user would name it.
    pub path: String,
    /// Its text.
    pub text: Arc<str>,
    /// The marks that it names.
    pub marks: Vec<String>,
    /// Whether it reads the target that the mouse sets.
    pub asks_target: bool,
    module: Shared<Module>,
    /// Its functions: name and number of arguments.
    functions: Vec<(String, usize)>,
    /// Its constants: the optimizer does not fold all of them.
    constants: Vec<(String, Dynamic)>,
}

impl fmt::Debug for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Imported")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// An `import` as it stands in a script.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) name: String,
    pub(super) alias: String,
    /// Line and column of the statement.
    pub(super) place: (usize, usize),
}

/// The imports of a script, which stand at the top of the file and name what they import.
///
/// # Errors
/// With a fault for each that does not.
pub(super) fn imports(path: &str, text: &str, ast: &AST) -> Result<Vec<Import>, Vec<Fault>> {
    let (mut imports, mut faults) = (Vec::new(), Vec::new());
    let at_top: Vec<_> = ast.statements().iter().map(Stmt::position).collect();
    tree::walk(ast, &mut |nodes| {
        if let Some(ASTNode::Stmt(statement @ Stmt::Import(import, position))) = nodes.last() {
            let place = (
                position.line().unwrap_or(1),
                position.position().unwrap_or(1),
            );
            let fault = |message: &str| Fault::at(path, text, place, message).wide(6).help(FORM);
            match (&import.0, import.1.as_str()) {
                _ if !at_top.contains(&statement.position()) => {
                    faults.push(fault("`import` stands at the top of the file"));
                }
                (_, "") => faults.push(fault("what is imported needs a name")),
                (Expr::StringConstant(name, _), alias) => imports.push(Import {
                    name: name.to_string(),
                    alias: alias.to_owned(),
                    place,
                }),
                _ => faults.push(fault("`import` takes the name of a script in quotes")),
            }
        }
    });
    if faults.is_empty() {
        Ok(imports)
    } else {
        Err(faults)
    }
}

const FORM: &str = "write import \"helpers\" as h; for the script helpers.rhai";

/// The names after `import` in a script that need not compile: some may stand in a comment.
pub fn imported_names(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("import").skip(1);
    after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
}

/// Leaves the imports alone of what a script does at its top.
pub(super) fn imports_only(ast: &AST) -> AST {
    let imports =
        (ast.statements().iter()).filter(|statement| matches!(statement, Stmt::Import(..)));
    let mut only = AST::new(imports.cloned(), ast.shared_lib().clone());
    if let Some(source) = ast.source() {
        only.set_source(source.to_owned());
    }
    only
}
