//! A script folded for one set of parameter values.

use std::sync::{Arc, OnceLock};

use rhai::{AST, ASTNode, CallFnOptions, Dynamic, Engine, Expr, FuncArgs, Position, Scope};
use steerbox_core::diagnostics::{Fault, caught};
use steerbox_core::world::ParamValue;

use super::script::Script;
use super::{imports, not_finite, parse};
use crate::api::values::Memory;
use crate::budget::{self, Exhausted};
use crate::checks::functions::Role;
use crate::checks::handlers::Handler;
use crate::interpret::call::{Call, Fallible};
use crate::interpret::environment::Environment;
use crate::interpret::imported::Imported;
use crate::interpret::{call, constants, engine};
use crate::syntax::tree;
use crate::typed;
use crate::typed::ir::Ir;
use crate::typed::unsupported::Unsupported;
use crate::types::Kind;

/// A compiled script with the values of all parameters folded in.
#[derive(Debug)]
pub struct Program {
    pub(crate) ast: AST,
    /// The tree for the interpreter.
    interpreted: AST,
    /// The tree with charges, built at the first call; `None` if calls are not charged.
    charged: Option<OnceLock<AST>>,
    pub(crate) entry: Entry,
    /// Line and column of `fn reloaded`, if there is one.
    pub(crate) reloaded: Option<(usize, usize)>,
    /// Its handlers of events.
    pub(crate) handlers: Vec<Handler>,
    pub(crate) environment: Arc<Environment>,
}

/// The position and remedy of `steer` or `flow`, for failures.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Line and column of its name.
    pub(crate) place: (usize, usize),
    /// The remedy for a result that is not finite.
    pub(crate) not_finite: String,
}

impl Program {
    /// Folds `values` into a script; a parameter without a value keeps its default.
    ///
    /// # Errors
    /// If the top level fails under these values.
    pub fn fold(script: &Script, values: &[(String, ParamValue)]) -> Result<Arc<Self>, Vec<Fault>> {
        let trees = (&script.ast, script.marked.as_ref());
        let fold = || Self::with_trees(script, trees, (script.imports.clone(), true), values);
        parse::catch_panics(&script.path, fold).map(Arc::new)
    }

    /// As [`Program::fold`], with the functions of `written`, and of `marked` for the interpreter if that is another
    /// tree, and with other versions of the imported files. If `is_charged` is true, calls are charged for their
    /// work.
    pub(crate) fn with_trees(
        script: &Script,
        (written, marked): (&AST, Option<&AST>),
        (files, is_charged): (Vec<Arc<Imported>>, bool),
        values: &[(String, ParamValue)],
    ) -> Result<Self, Vec<Fault>> {
        let (scope, memory) = script.constants_and_memory(values)?;
        let ast = engine::fold(written, &scope);
        let marked = marked.map(|marked| engine::fold(marked, &scope));
        let interpreted = imports::functions_and_imports(marked.as_ref().unwrap_or(&ast));
        let mut constants = constants::by_name(&scope);
        constants.retain(|(name, _)| memory.drawn().iter().all(|drawn| drawn.name != *name));
        let mut held = constants.iter().map(|(_, value)| value);
        let environment = Environment {
            may_hold_containers: held.any(budget::is_container)
                || !files.is_empty()
                || script.reloaded.is_some()
                || creates_containers(&ast),
            constants,
            memory,
            direct: script.direct.clone(),
            imports: files,
            reductions: script.reductions.clone(),
        };
        let entry = Entry { place: script.entry(), not_finite: not_finite::causes(&ast) };
        Ok(Self {
            ast: imports::functions_and_imports(&ast),
            interpreted,
            charged: is_charged.then(OnceLock::new),
            entry,
            reloaded: script.reloaded,
            handlers: script.handlers.clone(),
            environment: environment.into(),
        })
    }

    /// Calls a function of the script in the interpreter. `this` is the memory, if the script has one; flow fields
    /// and measures have none because they belong to no unit.
    pub(crate) fn call(&self, name: &str, arguments: impl FuncArgs) -> Fallible<Dynamic> {
        self.call_by(engine::engine(), name, arguments)
    }

    /// As [`Program::call`], in another interpreter.
    pub(crate) fn call_by(&self, engine: &Engine, name: &str, arguments: impl FuncArgs) -> Fallible<Dynamic> {
        let mut memory = Dynamic::from(Memory);
        let mut options = CallFnOptions::new();
        if self.environment.memory.field_words() > 0 && !Role::WITHOUT_UNIT.contains(&name) {
            options = options.bind_this_ptr(&mut memory);
        }
        let charged = || engine::charged(&self.interpreted);
        let ast = self.charged.as_ref().map_or(&self.interpreted, |tree| tree.get_or_init(charged));
        let result = engine.call_fn_with_options(options, &mut Scope::new(), ast, name, arguments);
        let caught = result.is_ok() && call::with(Call::is_exhausted);
        if caught { Exhausted::error(Position::NONE) } else { result }
    }

    /// Infers the types of `steer`, or of a handler of events, and of the functions that it calls.
    ///
    /// # Errors
    /// With the first construct that the compiler does not support.
    pub(crate) fn ir(&self, handler: Option<&Handler>) -> Result<Ir, Unsupported> {
        let bodies = self.environment.bodies(&self.ast);
        let steer = || ("steer", vec![Kind::Me.into(), Kind::World.into()]);
        let (entry, arguments) = handler.map_or_else(steer, |it| (it.kind.name(), it.arguments()));
        typed::infer(&bodies, entry, &arguments, &self.environment)
    }

    /// Returns the cost of a node of `steer` or of a handler in the interpreter: that of machine code if the compiler
    /// supports the function.
    pub(crate) fn rate(&self, handler: Option<&Handler>) -> u64 {
        let is_supported = caught(|| self.ir(handler).is_ok()).unwrap_or(false);
        if is_supported { 1 } else { budget::INTERPRETED }
    }
}

/// Returns true if a script contains an array or map literal, without which it can hold neither.
fn creates_containers(ast: &AST) -> bool {
    let mut found = false;
    tree::walk(ast, &mut |path| {
        found |= match path.last() {
            Some(ASTNode::Expr(Expr::Array(..) | Expr::Map(..))) => true,
            Some(ASTNode::Expr(Expr::DynamicConstant(value, _))) => budget::is_container(value),
            _ => false,
        };
    });
    found
}
