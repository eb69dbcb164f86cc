//! The constants at the top of a script: parameters, what it remembers, and others.

use std::sync::Arc;

use rhai::{AST, ASTFlags, Dynamic, Expr, Map, Scope, Stmt};

use super::call::{self, Evaluation};
use super::imported::Imported;
use super::param::{self, Param};
use super::text::{Source, place};
use super::{engine, explain};
use crate::diagnostics::Fault;
use crate::scene::ParamValue;
use crate::sim::{FieldKind, MemoryLayout};

/// The constants of a script under the given values of its parameters, and the parameters.
///
/// # Errors
/// When its top level fails.
pub(super) fn evaluate(
    source: Source<'_>,
    ast: &AST,
    imports: &[Arc<Imported>],
    values: &[(String, ParamValue)],
) -> Result<(Scope<'static>, Vec<Param>), Vec<Fault>> {
    let mut scope = engine::constants();
    let evaluation = Evaluation { named: named_params(ast), values: values.to_vec(), declared: Vec::new() };
    let run = || engine::engine().run_ast_with_scope(&mut scope, ast);
    let (result, declared) = call::evaluate(evaluation, imports, run);
    result.map_err(|error| vec![explain::runtime_fault(source, &error, (1, 1))])?;
    Ok((scope, declared))
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
        vec![fault.help("write `const MEMORY = #{ angle: 0.0, armed: false, goal: vec(0, 0) };`")]
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
