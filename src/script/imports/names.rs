//! What scripts name in the files that they import: whether it is there.

use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use super::{Import, Imported};
use crate::diagnostics::Fault;
use crate::script::compile::MOST_FAULTS;
use crate::script::foreign::{self, On};
use crate::script::{explain, syntax, tree, words};

/// All that stands behind `::` must be there.
pub(in crate::script) fn check_names(
    path: &str,
    text: &str,
    ast: &AST,
    imports: &[Import],
    files: &[Arc<Imported>],
) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    tree::walk(ast, &mut |nodes| {
        let (alias, name, arguments, at) = match nodes.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)))
                if !call.namespace.is_empty() =>
            {
                let name = call.name.as_str();
                (call.namespace.root(), name, Some(call.args.len()), *at)
            }
            Some(ASTNode::Expr(Expr::Variable(variable, _, at))) if !variable.2.is_empty() => {
                (variable.2.root(), variable.1.as_str(), None, *at)
            }
            _ => return,
        };
        let found = match imports.iter().find(|import| import.alias == alias) {
            Some(import) => {
                let file = files.iter().find(|file| file.name == import.name);
                file.and_then(|file| missing(file, name, arguments))
            }
            None => Some(not_imported(alias, imports)),
        };
        if let Some((message, help)) = found.filter(|_| faults.len() < MOST_FAULTS) {
            faults.push(fault(path, text, at, message).maybe_help(help));
        }
    });
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

fn fault(path: &str, text: &str, at: Position, message: String) -> Fault {
    let place = (at.line().unwrap_or(1), at.position().unwrap_or(1));
    Fault::at(path, text, place, message)
}

type Cause = (String, Option<String>);

fn not_imported(alias: &str, imports: &[Import]) -> Cause {
    let known = imports.iter().map(|import| import.alias.as_str());
    let help = foreign::help(On::Name, alias)
        .or_else(|| words::did_you_mean(alias, known))
        .unwrap_or_else(|| format!("write import \"{alias}\" as {alias}; at the top of the file"));
    (explain::unknown_import(alias), Some(help))
}

/// What is wrong with asking a file for a function with so many arguments, or for a constant.
fn missing(file: &Imported, name: &str, arguments: Option<usize>) -> Option<Cause> {
    let path = &file.path;
    let Some(arguments) = arguments else {
        let mut known = file.constants.iter().map(|(name, _)| name.as_str());
        let message = format!("{path} has no constant `{name}`");
        return (!known.any(|known| known == name)).then(|| {
            let known = file.constants.iter().map(|(name, _)| name.as_str());
            (message, words::did_you_mean(name, known))
        });
    };
    let of_name = || file.functions.iter().filter(|(known, _)| known == name);
    if of_name().any(|(_, takes)| *takes == arguments) {
        return None;
    }
    if let Some((_, takes)) = of_name().next() {
        let takes = syntax::arguments(*takes);
        return Some((format!("`{name}` takes {takes}, not {arguments}"), None));
    }
    let known = file.functions.iter().map(|(name, _)| name.as_str());
    let message = format!("{path} has no function `{name}`");
    Some((message, words::did_you_mean(name, known)))
}
