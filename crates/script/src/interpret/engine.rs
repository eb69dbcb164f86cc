//! The sandboxed engine that parses and runs all scripts.

use std::sync::LazyLock;

use rhai::packages::{ArithmeticPackage, BasicIteratorPackage, LogicPackage, Package};
use rhai::{
    AST, Dynamic, Engine, EvalAltResult, LexError, Module, ModuleResolver, OptimizationLevel, ParseError,
    Position, Scope, Shared, StmtBlock, Token,
};
use steerbox_core::text::composed;

use super::call::{self, Fallible};
use super::loop_order::Reduction;
use super::{charges, functions, loop_order, memory};
use crate::api;
use crate::budget;
use crate::syntax::repair::UNKNOWN;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| build(1));

/// Returns the engine.
pub(crate) fn engine() -> &'static Engine {
    &ENGINE
}

/// Parses a script without folding constants or removing branches.
pub(crate) fn parse(text: &str) -> Result<AST, ParseError> {
    budget::parsed(|| ENGINE.compile(text))
}

/// Parses a script for the interpreter with its reductions marked; `None` if it has none.
pub(crate) fn parse_marked(text: &str, reductions: &[Reduction]) -> Result<Option<AST>, ParseError> {
    if reductions.is_empty() {
        return Ok(None);
    }
    let places = reductions.iter().map(|it| it.list).collect();
    loop_order::parsed(places, || parse(text)).map(Some)
}

/// Returns the interpreter's tree, whose functions charge for their work.
pub(crate) fn charged(ast: &AST) -> AST {
    charges::charged(ast, parse)
}

/// As [`charges::rewritten`].
pub(crate) fn rewritten(ast: &AST, rewrite: impl FnMut(&mut StmtBlock) -> u64) -> AST {
    charges::rewritten(ast, parse, rewrite)
}

/// Folds the constants of a scope into a script. Arrays and maps remain names, since each use would become a copy.
pub(crate) fn fold(ast: &AST, scope: &Scope<'_>) -> AST {
    let mut small = Scope::new();
    for (name, is_constant, value) in scope.iter_raw() {
        if is_constant && !budget::is_container(value) {
            small.push_constant_dynamic(name, value.clone());
        } else {
            small.push_dynamic(name, Dynamic::UNIT);
        }
    }
    ENGINE.optimize_ast(&small, ast.clone(), OptimizationLevel::Simple)
}

/// Returns the constants that every script has.
pub(crate) fn constants() -> Scope<'static> {
    let mut scope = Scope::new();
    scope.push_constant("PI", std::f32::consts::PI);
    scope.push_constant("TAU", std::f32::consts::TAU);
    scope
}

/// Returns a token with the text that names of scenes have: in composed form.
fn in_composed_form(token: Token) -> Token {
    match token {
        Token::StringConstant(text) if !text.is_ascii() => {
            Token::StringConstant(Box::new(composed(&text).into_owned().into()))
        }
        token => token,
    }
}

/// Builds an engine in which the limit of code without charges is `share` times that of a call.
#[allow(deprecated, reason = "hooks are deprecated as unstable only; the version is pinned")]
pub(crate) fn build(share: u64) -> Engine {
    let mut engine = Engine::new_raw();
    engine.register_global_module(ArithmeticPackage::new().as_shared_module());
    engine.register_global_module(LogicPackage::new().as_shared_module());
    engine.register_global_module(BasicIteratorPackage::new().as_shared_module());
    budget::limit(&mut engine);
    engine.on_progress(move |operations| {
        let work = || call::with(|call| call.context.work());
        budget::is_exhausted(operations, share, work).then_some(Dynamic::UNIT)
    });
    disable(&mut engine);
    engine.set_module_resolver(Imports);
    engine.set_optimization_level(OptimizationLevel::None);
    // A reserved word of the language may be a function of the API: `unit.is(kind)`.
    engine.on_parse_token(|token, position, _| match token {
        Token::Reserved(word) if api::named(&word).next().is_some() => Token::Identifier(word),
        Token::LexError(error) if matches!(&*error, LexError::UnexpectedInput(found) if found == UNKNOWN) => {
            Token::Identifier(Box::new(UNKNOWN.into()))
        }
        token => charges::token(loop_order::token(budget::token(in_composed_form(token)), position)),
    });
    // Resolves constants that the optimizer cannot fold, such as vectors.
    engine.on_var(|name, index, mut context| {
        if index > 0 {
            if call::may_hold_containers() {
                let operations = budget::weigh(name, &mut context)?;
                call::with(|call| call.charge_operations(operations));
            }
            return Ok(None);
        }
        if let Some(list) = loop_order::variable(name, &context) {
            return Ok(Some(list));
        }
        // A name that is not a variable is a constant of the file whose function runs.
        let file = (context.namespaces().last()).and_then(|functions| functions.id());
        Ok(call::with(|call| {
            let environment = call.environment.as_ref()?;
            match environment.drawn(file, name) {
                Some(drawn) => Some(memory::drawn(drawn.kind, *call.memory.get(drawn.offset)?)),
                None => environment.constant(file, name).cloned(),
            }
        }))
    });
    functions::register(&mut engine);
    charges::register(&mut engine);
    engine
}

/// Disables symbols that would bypass the limits, wait, or print.
fn disable(engine: &mut Engine) {
    for symbol in ["eval", "Fn", "curry", "call", "export", "is_def_fn", "is_def_var"] {
        engine.disable_symbol(symbol);
    }
}

/// Resolves only the imports of the call in progress, all of which were compiled before it began.
struct Imports;

impl ModuleResolver for Imports {
    fn resolve(
        &self,
        _: &Engine,
        _: Option<&str>,
        path: &str,
        position: Position,
    ) -> Fallible<Shared<Module>> {
        let found = call::with(|call| {
            let mut imports = call.environment.iter().flat_map(|environment| &environment.imports);
            Some(imports.find(|file| file.name == path)?.module.clone())
        });
        found.ok_or_else(|| EvalAltResult::ErrorModuleNotFound(path.to_owned(), position).into())
    }
}
