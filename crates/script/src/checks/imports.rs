//! Checks imports, and the names that scripts use from imported files.

use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, Stmt};
use steerbox_core::diagnostics::{Fault, Fix, closest, suggestion};

use super::none_of;
use crate::budget::MAX_FAULTS;
use crate::foreign::{self, On};
use crate::interpret::explain;
use crate::interpret::imported::{Import, Imported};
use crate::messages::words::Explanation;
use crate::syntax::site::Site;
use crate::syntax::text::{self, Source, place};
use crate::syntax::tree;

/// Returns the valid imports of a script, which are at the top of the file and name a script, and a fault for each
/// other one.
pub(crate) fn imports(source: Source<'_>, ast: &AST) -> (Vec<Import>, Vec<Fault>) {
    const FORM: &str = "write import \"helpers\" as h; for the script helpers.rhai";
    let (mut imports, mut faults) = (Vec::new(), Vec::new());
    let at_top: Vec<_> = ast.statements().iter().map(Stmt::position).collect();
    tree::walk(ast, &mut |nodes| {
        if let Some(ASTNode::Stmt(statement @ Stmt::Import(import, position))) = nodes.last() {
            let place = place(*position).unwrap_or((1, 1));
            let fault = |message: &str| source.fault(place, message).wide(6).help(FORM);
            match (&import.0, import.1.as_str()) {
                _ if !at_top.contains(&statement.position()) => {
                    faults.push(fault("`import` stands at the top of the file"));
                }
                (_, "") => faults.push(fault("what is imported needs a name")),
                (Expr::StringConstant(name, _), alias) => {
                    imports.push(Import { name: name.to_string(), alias: alias.to_owned(), place });
                }
                _ => faults.push(fault("`import` takes the name of a script in quotes")),
            }
        }
    });
    (imports, faults)
}

/// Checks that every name after `::` exists.
pub(crate) fn check_names(
    source: Source<'_>,
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
        let found = match imports.iter().rev().find(|import| import.alias == alias) {
            Some(import) => {
                let file = files.iter().find(|file| file.name == import.name);
                file.and_then(|file| missing(file, name, arguments))
            }
            None => Some(not_imported(alias, imports)),
        };
        if let Some((message, help)) = found.filter(|_| faults.len() < MAX_FAULTS) {
            let fault = source.fault(place(at).unwrap_or((1, 1)), message);
            let near =
                help.as_deref().and_then(|help| help.strip_prefix("did you mean `")?.strip_suffix("`?"));
            let is_at_name = fault.underlines(name);
            let is_known = imports.iter().any(|import| import.alias == alias);
            let mut others = imports.iter().filter(|_| !is_known);
            let of_import = others.find(|import| closest(alias, [import.name.as_str()]).is_some());
            let fix = match near.filter(|_| is_at_name) {
                Some(near) => Some(source.instead(&fault, near)),
                None if fault.underlines(alias) => {
                    of_import.map(|import| source.instead(&fault, &*import.alias))
                }
                None => complete(source, &fault),
            };
            faults.push(fault.maybe_help(help).fixed(fix));
        }
    });
    none_of(faults)
}

/// Returns the fix of a call that lacks the arguments `me` and `world`.
fn complete(source: Source<'_>, fault: &Fault) -> Option<Fix> {
    let site = Site::read(source.text, source.underlined(fault).start)?;
    let [one] = &site.arguments?[..] else {
        return None;
    };
    let is_short = fault.message.ends_with("takes 2 arguments, not 1") && source.text[one.clone()] == *"me";
    is_short.then(|| Fix::insert("add `world`", one.end, ", world"))
}

fn not_imported(alias: &str, imports: &[Import]) -> Explanation {
    let known = imports.iter().map(|import| import.alias.as_str());
    let help = foreign::help(On::Name, alias)
        .or_else(|| suggestion(alias, known))
        .unwrap_or_else(|| format!("write import \"{alias}\" as {alias}; at the top of the file"));
    (explain::unknown_import(alias), Some(help))
}

/// Explains a call of a missing function with this number of arguments, or the use of a missing constant.
fn missing(file: &Imported, name: &str, arguments: Option<usize>) -> Option<Explanation> {
    let path = &file.path;
    let Some(arguments) = arguments else {
        let mut known = file.constants.iter().map(|(name, _)| name.as_str());
        let message = format!("{path} has no constant `{name}`");
        return (!known.any(|known| known == name)).then(|| {
            let known = file.constants.iter().map(|(name, _)| name.as_str());
            (message, suggestion(name, known))
        });
    };
    let functions = tree::functions(&file.ast);
    let takes = (functions.iter()).filter(|function| function.name == name);
    let mut takes = takes.map(|function| function.params.len());
    if let Some(first) = takes.next() {
        if first == arguments || takes.any(|takes| takes == arguments) {
            return None;
        }
        let takes = text::arguments(first);
        return Some((format!("`{name}` takes {takes}, not {arguments}"), None));
    }
    let known = functions.iter().map(|function| function.name.as_str());
    let message = format!("{path} has no function `{name}`");
    Some((message, suggestion(name, known)))
}
