//! What a script does at its top: parameters and other constants, and what it remembers.

use rhai::{AST, ASTFlags, Dynamic, Expr, Map, Position, Scope, Stmt};

use crate::diagnostics::Fault;
use crate::scene::ParamValue;
use crate::script::call::{self, Lesson};
use crate::script::param::{self, Param};
use crate::script::{engine, explain};
use crate::sim::{FieldKind, MemoryLayout};

impl Lesson {
    /// A lesson for the parameters of a script under values.
    pub(in crate::script) fn of(ast: &AST, values: &[(String, ParamValue)]) -> Self {
        Self {
            named: named_params(ast),
            values: values.to_vec(),
            ..Self::default()
        }
    }
}

/// The constants that the top level of a script declares, and what is learned from it.
pub(in crate::script) fn run_top_level(
    path: &str,
    text: &str,
    ast: &AST,
    lesson: Lesson,
) -> Result<(Scope<'static>, Lesson), Vec<Fault>> {
    let mut scope = engine::constants();
    let run = || engine::engine().run_ast_with_scope(&mut scope, ast);
    let (result, lesson) = call::learn(lesson, run);
    result.map_err(|error| vec![explain::runtime_fault(path, text, &error, (1, 1))])?;
    Ok((scope, lesson))
}

/// Constants by name.
pub(in crate::script) fn constants(scope: &Scope<'_>) -> Vec<(String, Dynamic)> {
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

/// Line and column.
pub(super) fn place(position: Position) -> Option<(usize, usize)> {
    Some((position.line()?, position.position().unwrap_or(1)))
}

/// The parameters that were declared.
pub(super) fn params(lesson: &Lesson) -> Vec<Param> {
    let params = lesson
        .declared
        .iter()
        .map(|(name, line, default, range)| Param {
            name: name.clone(),
            default: default.clone(),
            range: range.clone(),
            line: *line,
        });
    params.collect()
}

/// Where the top-level constant `name` is declared.
fn place_of_constant(ast: &AST, name: &str) -> (usize, usize) {
    let found = ast
        .statements()
        .iter()
        .find_map(|statement| match statement {
            Stmt::Var(declared, ..) if declared.0.name == name => place(declared.0.pos),
            _ => None,
        });
    found.unwrap_or((1, 1))
}

/// What the constant MEMORY declares.
pub(super) fn memory(
    path: &str,
    text: &str,
    ast: &AST,
    scope: &Scope<'_>,
) -> Result<MemoryLayout, Vec<Fault>> {
    let mut layout = MemoryLayout::default();
    let Some(declared) = scope.get_value::<Dynamic>("MEMORY") else {
        return Ok(layout);
    };
    let fault = |message: String| {
        let fault = Fault::at(path, text, place_of_constant(ast, "MEMORY"), message).wide(6);
        vec![fault.help("write `const MEMORY = #{ angle: 0.0, armed: false, goal: vec(0, 0) };`")]
    };
    let Some(fields) = declared.try_cast::<Map>() else {
        return Err(fault(
            "MEMORY must be a map of names and initial values".to_owned(),
        ));
    };
    for (name, value) in fields {
        let Some((kind, initial)) = initial(&value) else {
            return Err(fault(format!(
                "MEMORY.{name} must start as a number, a switch or a vector"
            )));
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
