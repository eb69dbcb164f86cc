//! A script folded for one set of parameter values.

use std::sync::Arc;

use rhai::{AST, ASTNode, CallFnOptions, Dynamic, Engine, Expr, FuncArgs, Scope};

use super::api::values::Memory;
use super::call::Fallible;
use super::checks::functions::Role;
use super::compiled::Script;
use super::environment::Environment;
use super::imported::Imported;
use super::{budget, compile, constants, engine, imports, not_finite, tree};
use crate::diagnostics::Fault;
use crate::scene::ParamValue;

/// What runs: functions with every parameter's value folded in.
#[derive(Debug)]
pub struct Program {
    pub(super) ast: AST,
    /// The same for the interpreter, where there are reductions.
    marked: Option<AST>,
    pub(super) entry: Entry,
    /// Line and column of `fn reloaded`, if there is one.
    pub(super) reloaded: Option<(usize, usize)>,
    pub(super) environment: Arc<Environment>,
}

/// The function that is called, as far as failures need it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Line and column of its name.
    pub(super) place: (usize, usize),
    /// A remedy where it gives a number that is not finite.
    pub(super) not_finite: String,
}

impl Program {
    /// Folds `values` into a script; a parameter without a value keeps its default.
    ///
    /// # Errors
    /// When the top level fails under these values.
    pub fn fold(script: &Script, values: &[(String, ParamValue)]) -> Result<Arc<Self>, Vec<Fault>> {
        let fold = || Self::of(script, (&script.ast, script.marked.as_ref()), script.imports.clone(), values);
        compile::guarded(&script.path, fold).map(Arc::new)
    }

    /// The same for functions as they stand in `written`, and in `marked` for the interpreter if that is another
    /// tree, with other versions of the imported files.
    pub(super) fn of(
        script: &Script,
        (written, marked): (&AST, Option<&AST>),
        files: Vec<Arc<Imported>>,
        values: &[(String, ParamValue)],
    ) -> Result<Self, Vec<Fault>> {
        let scope = script.constants(values)?;
        let ast = engine::fold(written, &scope);
        let marked = marked.map(|marked| imports::functions_and_imports(&engine::fold(marked, &scope)));
        let constants = constants::by_name(&scope);
        let mut held = constants.iter().map(|(_, value)| value);
        let environment = Environment {
            may_hold_many: held.any(budget::is_many)
                || !files.is_empty()
                || script.reloaded.is_some()
                || makes_many(&ast),
            constants,
            memory: script.memory.clone(),
            direct: script.direct.clone(),
            imports: files,
            reductions: script.reductions.clone(),
        };
        let entry = Entry { place: script.entry(), not_finite: not_finite::causes(&ast) };
        Ok(Self {
            ast: imports::functions_and_imports(&ast),
            marked,
            entry,
            reloaded: script.reloaded,
            environment: environment.into(),
        })
    }

    /// Calls a function of the script in the interpreter, with the memory as `this` if it has one. A flow
    /// field belongs to no unit, so that it has none.
    pub(super) fn call(&self, name: &str, arguments: impl FuncArgs) -> Fallible<Dynamic> {
        self.call_by(engine::engine(), name, arguments)
    }

    /// The same in another interpreter.
    pub(super) fn call_by(&self, engine: &Engine, name: &str, arguments: impl FuncArgs) -> Fallible<Dynamic> {
        let mut memory = Dynamic::from(Memory);
        let mut options = CallFnOptions::new();
        if self.environment.memory.words() > 0 && name != Role::Flow.entry() {
            options = options.bind_this_ptr(&mut memory);
        }
        let ast = self.marked.as_ref().unwrap_or(&self.ast);
        engine.call_fn_with_options(options, &mut Scope::new(), ast, name, arguments)
    }
}

/// Whether a script writes an array or a map down; there is no other way to one.
fn makes_many(ast: &AST) -> bool {
    let mut found = false;
    tree::walk(ast, &mut |path| {
        found |= match path.last() {
            Some(ASTNode::Expr(Expr::Array(..) | Expr::Map(..))) => true,
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => budget::is_many(value),
            _ => false,
        };
    });
    found
}
