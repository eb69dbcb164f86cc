//! The constants at the top of a script: parameters, memory, and others.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{AST, ASTFlags, ASTNode, Dynamic, EvalAltResult, Expr, Map, Scope, Stmt};
use steerbox_core::diagnostics::{Fault, Fix, offset_of};
use steerbox_core::sim::{FieldKind, MemoryLayout, work};
use steerbox_core::world::ParamValue;

use super::call::{self, Evaluation};
use super::imported::Imported;
use super::{engine, explain};
use crate::budget::{self, Exhausted, MAX_FAULTS};
use crate::param::{self, Param};
use crate::syntax::repair::UNKNOWN;
use crate::syntax::text::{Source, place};
use crate::syntax::{fixes, tree};

/// The variables at the top of a script, as far as they evaluate.
#[derive(Default)]
pub(crate) struct Constants {
    /// Values by name; `()` for failed ones.
    pub(crate) scope: Scope<'static>,
    pub(crate) params: Vec<Param>,
    /// The names of failed constants and of those that depend on them.
    pub(crate) failed: BTreeSet<String>,
    pub(crate) faults: Vec<Fault>,
}

/// Evaluates the constants of a script under the given parameter values; also returns its parameters.
pub(crate) fn evaluate(
    source: Source<'_>,
    ast: &AST,
    imports: &[Arc<Imported>],
    values: &[(String, ParamValue)],
) -> Constants {
    let evaluation =
        || Evaluation { named: named_params(ast), values: values.to_vec(), declared: Vec::new() };
    let mut scope = engine::constants();
    let run = || engine::engine().run_ast_with_scope(&mut scope, ast);
    let (result, params) = call::evaluate(evaluation(), imports, run);
    if result.is_ok() {
        return Constants { scope, params, ..Constants::default() };
    }
    let mut constants = Constants { scope: engine::constants(), ..Constants::default() };
    let run = || constants.evaluate_each(source, ast, imports);
    constants.params = call::evaluate(evaluation(), imports, run).1;
    constants
}

impl Constants {
    /// Evaluates each statement separately, so that one failure does not hide the statements after it.
    fn evaluate_each(&mut self, source: Source<'_>, ast: &AST, files: &[Arc<Imported>]) {
        let (mut imports, others): (Vec<_>, Vec<_>) =
            ast.statements().iter().cloned().partition(|statement| matches!(statement, Stmt::Import(..)));
        imports.retain(|statement| match statement {
            Stmt::Import(parts, _) => match &parts.0 {
                Expr::StringConstant(name, _) => files.iter().any(|file| file.name == name.as_str()),
                _ => false,
            },
            _ => false,
        });
        let mut work = 0;
        for statement in others {
            let is_left = work <= work::CALL && self.faults.len() < MAX_FAULTS;
            let depth = self.scope.len();
            let error = is_left.then(|| {
                let statements = imports.iter().chain([&statement]).cloned();
                let alone = AST::new(statements, ast.shared_lib().clone());
                let run = || engine::engine().run_ast_with_scope(&mut self.scope, &alone);
                let (result, took) = budget::counted(run);
                work += took;
                // All statements share the work limit of one call, as when they are evaluated together.
                let result = if work > work::CALL {
                    result.and(Exhausted::error(statement.position()))
                } else {
                    result
                };
                result.err()
            });
            if let Some(None) = error {
                continue;
            }
            if let Some(error) = error.flatten().filter(|error| !self.is_consequence(&statement, error)) {
                self.faults.push(explain::runtime_fault(source, &error, (1, 1)));
            }
            self.scope.rewind(depth);
            if let Stmt::Var(declared, ..) = &statement {
                self.scope.push_constant(declared.0.name.as_str(), ());
                self.failed.insert(declared.0.name.to_string());
            }
        }
    }

    /// Returns true if a statement fails because of an earlier failure or a part that did not parse.
    fn is_consequence(&self, statement: &Stmt, error: &EvalAltResult) -> bool {
        // A name of a file that is not imported is a separate fault.
        let mut found =
            matches!(error, EvalAltResult::ErrorModuleNotFound(..)) || error.to_string().contains(UNKNOWN);
        tree::each_node(std::slice::from_ref(statement), &mut |node| {
            if let ASTNode::Expr(Expr::Variable(variable, ..)) = node {
                found |= self.failed.contains(variable.1.as_str());
            }
        });
        found
    }
}

/// Returns the constants by name.
pub(crate) fn by_name(scope: &Scope<'_>) -> Vec<(String, Dynamic)> {
    let constants = scope.iter().filter(|(name, ..)| *name != "MEMORY");
    let constants = constants.map(|(name, _, value)| (name.to_owned(), value));
    constants.collect()
}

/// Returns line, column and constant of each call of `param`.
fn named_params(ast: &AST) -> Vec<(usize, usize, String)> {
    let named = ast.statements().iter().filter_map(|statement| {
        let Stmt::Var(declared, flags, _) = statement else {
            return None;
        };
        let Expr::FnCall(function, position) = &declared.1 else {
            return None;
        };
        let constant = flags.contains(ASTFlags::CONSTANT) && function.name == "param";
        let (line, column) = place(*position)?;
        constant.then(|| (line, column, declared.0.name.to_string()))
    });
    named.collect()
}

/// Returns the first top-level constant whose value mentions a name for which `is_drawn` is true: the names of the constant
/// and of the mention, and the place of the mention.
pub(crate) fn derived(
    ast: &AST,
    is_drawn: &dyn Fn(&str) -> bool,
) -> Option<(String, String, (usize, usize))> {
    ast.statements().iter().find_map(|statement| {
        let Stmt::Var(declared, ..) = statement else {
            return None;
        };
        let mut found = None;
        tree::each_below((&declared.1).into(), &mut |node| {
            if let ASTNode::Expr(Expr::Variable(variable, _, position)) = node
                && variable.2.is_empty()
                && is_drawn(&variable.1)
            {
                let at = place(*position).unwrap_or((1, 1));
                found.get_or_insert((declared.0.name.to_string(), variable.1.to_string(), at));
            }
        });
        found
    })
}

/// Returns the position of the top-level constant `name`.
fn place_of_constant(ast: &AST, name: &str) -> (usize, usize) {
    let mut statements = ast.statements().iter();
    let found = statements.find_map(|statement| match statement {
        Stmt::Var(declared, ..) if declared.0.name == name => place(declared.0.pos),
        _ => None,
    });
    found.unwrap_or((1, 1))
}

/// Reads the fields that the constant MEMORY declares.
pub(crate) fn memory(source: Source<'_>, ast: &AST, scope: &Scope<'_>) -> Result<MemoryLayout, Vec<Fault>> {
    let mut layout = MemoryLayout::default();
    let Some(declared) = scope.get_value::<Dynamic>("MEMORY") else {
        return Ok(layout);
    };
    let place = place_of_constant(ast, "MEMORY");
    let fault = |message: String, fix: Option<Fix>| {
        let fault = source.fault(place, message).wide(6).fixed(fix);
        vec![fault.help("for example `const MEMORY = #{ angle: 0.0, armed: false, goal: vec(0, 0) };`")]
    };
    let start = offset_of(source.text, place);
    let Some(fields) = declared.try_cast::<Map>() else {
        let fix = fixes::memory(source.text, start, None);
        return Err(fault("MEMORY must be a map of names and initial values".to_owned(), fix));
    };
    for (name, value) in fields {
        let Some((kind, initial)) = initial(&value) else {
            let fix = fixes::memory(source.text, start, Some(name.as_str()));
            return Err(fault(format!("MEMORY.{name} must start as a number, a switch or a vector"), fix));
        };
        layout.push(name.as_str(), kind, initial);
    }
    Ok(layout)
}

fn initial(value: &Dynamic) -> Option<(FieldKind, [u32; 3])> {
    if let Ok(switch) = value.as_bool() {
        return Some((FieldKind::Bool, [u32::from(switch), 0, 0]));
    }
    if let Some(vector) = value.clone().try_cast::<glam::Vec3>() {
        return Some((FieldKind::Vector, steerbox_core::sim::vector_words(vector)));
    }
    param::number(value).map(|number| (FieldKind::Number, steerbox_core::sim::number_words(number)))
}
