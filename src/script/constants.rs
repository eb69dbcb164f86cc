//! The constants at the top of a script: parameters, what it remembers, and others.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{AST, ASTFlags, ASTNode, Dynamic, EvalAltResult, Expr, Map, Scope, Stmt};

use super::budget::{self, Exhausted, MAX_FAULTS};
use super::call::{self, Evaluation};
use super::imported::Imported;
use super::param::{self, Param};
use super::repair::UNKNOWN;
use super::text::{Source, place};
use super::{engine, explain, tree};
use crate::diagnostics::Fault;
use crate::scene::ParamValue;
use crate::sim::{FieldKind, MemoryLayout, work};

/// The variables at the top of a script, as far as they can be evaluated.
#[derive(Default)]
pub(super) struct Constants {
    /// By name; one that fails is `()`.
    pub(super) scope: Scope<'static>,
    pub(super) params: Vec<Param>,
    /// The names of those that fail, or that depend on one of those.
    pub(super) failed: BTreeSet<String>,
    pub(super) faults: Vec<Fault>,
}

/// The constants of a script under the given values of its parameters, and the parameters.
pub(super) fn evaluate(
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
    let run = || constants.one_by_one(source, ast, imports);
    constants.params = call::evaluate(evaluation(), imports, run).1;
    constants
}

impl Constants {
    /// Evaluates each statement by itself, so that the statements after a failed one are evaluated, too.
    fn one_by_one(&mut self, source: Source<'_>, ast: &AST, files: &[Arc<Imported>]) {
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
                // Together, the statements may take the work of one call, as where they are evaluated at once.
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
            if let Some(error) = error.flatten().filter(|error| !self.is_sequel(&statement, error)) {
                self.faults.push(explain::runtime_fault(source, &error, (1, 1)));
            }
            self.scope.rewind(depth);
            if let Stmt::Var(declared, ..) = &statement {
                self.scope.push_constant(declared.0.name.as_str(), ());
                self.failed.insert(declared.0.name.to_string());
            }
        }
    }

    /// Returns true if a statement fails because of one that failed before, or that could not be parsed.
    fn is_sequel(&self, statement: &Stmt, error: &EvalAltResult) -> bool {
        // A name of a file that is not imported is a fault of its own.
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

/// Constants by name.
pub(super) fn by_name(scope: &Scope<'_>) -> Vec<(String, Dynamic)> {
    let constants = scope.iter().filter(|(name, ..)| *name != "MEMORY");
    let constants = constants.map(|(name, _, value)| (name.to_owned(), value));
    constants.collect()
}

/// Where constants call `param`: line, column, name of the constant.
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

/// Where the top-level constant `name` is declared.
fn place_of_constant(ast: &AST, name: &str) -> (usize, usize) {
    let mut statements = ast.statements().iter();
    let found = statements.find_map(|statement| match statement {
        Stmt::Var(declared, ..) if declared.0.name == name => place(declared.0.pos),
        _ => None,
    });
    found.unwrap_or((1, 1))
}

/// What the constant MEMORY declares.
pub(super) fn memory(source: Source<'_>, ast: &AST, scope: &Scope<'_>) -> Result<MemoryLayout, Vec<Fault>> {
    let mut layout = MemoryLayout::default();
    let Some(declared) = scope.get_value::<Dynamic>("MEMORY") else {
        return Ok(layout);
    };
    let fault = |message: String| {
        let fault = source.fault(place_of_constant(ast, "MEMORY"), message).wide(6);
        vec![fault.help("for example `const MEMORY = #{ angle: 0.0, armed: false, goal: vec(0, 0) };`")]
    };
    let Some(fields) = declared.try_cast::<Map>() else {
        return Err(fault("MEMORY must be a map of names and initial values".to_owned()));
    };
    for (name, value) in fields {
        let Some((kind, initial)) = initial(&value) else {
            return Err(fault(format!("MEMORY.{name} must start as a number, a switch or a vector")));
        };
        layout.push(name.as_str(), kind, initial);
    }
    Ok(layout)
}

fn initial(value: &Dynamic) -> Option<(FieldKind, [u32; 3])> {
    if let Ok(switch) = value.as_bool() {
        return Some((FieldKind::Switch, [u32::from(switch), 0, 0]));
    }
    if let Some(vector) = value.clone().try_cast::<glam::Vec3>() {
        return Some((FieldKind::Vector, crate::sim::vector_words(vector)));
    }
    param::number(value).map(|number| (FieldKind::Number, crate::sim::number_words(number)))
}
