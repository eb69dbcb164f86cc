//! The one sandboxed engine that compiles and runs all scripts.

use std::sync::LazyLock;
use std::time::Duration;

use rhai::packages::{ArithmeticPackage, BasicIteratorPackage, LogicPackage, Package};
use rhai::{Engine, OptimizationLevel, Scope, Token};

use super::{api, budget, call, imports};

/// How long reading one script may take; past that the rest of the file reads as its end.
const PARSE_TIME: Duration = Duration::from_millis(80);

/// How long parsing once more may take, for what is told of a script beside its faults.
const REVIEW_TIME: Duration = Duration::from_millis(80);

static ENGINE: LazyLock<Engine> = LazyLock::new(|| build(OptimizationLevel::Simple));
static PLAIN: LazyLock<Engine> = LazyLock::new(|| build(OptimizationLevel::None));

/// The engine.
pub(super) fn engine() -> &'static Engine {
    &ENGINE
}

/// Parses under the time limit; the flag tells whether the limit was reached.
pub(super) fn parse(scope: &Scope<'_>, text: &str) -> (Result<rhai::AST, rhai::ParseError>, bool) {
    // Building it does not count.
    let engine = &*ENGINE;
    budget::within(PARSE_TIME, || engine.compile_with_scope(scope, text))
}

/// Parses without folding anything, if that does not take long.
pub(super) fn parse_as_written(scope: &Scope<'_>, text: &str) -> Option<rhai::AST> {
    // Building it does not count.
    let engine = &*PLAIN;
    let (result, late) = budget::within(REVIEW_TIME, || engine.compile_with_scope(scope, text));
    result.ok().filter(|_| !late)
}

/// Constants that every script knows.
pub(super) fn constants() -> Scope<'static> {
    let mut scope = Scope::new();
    scope.push_constant("PI", std::f32::consts::PI);
    scope.push_constant("TAU", std::f32::consts::TAU);
    scope
}

fn build(level: OptimizationLevel) -> Engine {
    let mut engine = Engine::new_raw();
    engine.register_global_module(ArithmeticPackage::new().as_shared_module());
    engine.register_global_module(LogicPackage::new().as_shared_module());
    engine.register_global_module(BasicIteratorPackage::new().as_shared_module());
    budget::limit(&mut engine);
    disable(&mut engine);
    engine.set_module_resolver(imports::Resolver);
    engine.set_optimization_level(level);
    // `is` is reserved in the language but free in ours: it asks a unit for its kind.
    #[allow(
        deprecated,
        reason = "marked as volatile, not as going away; the version is pinned"
    )]
    engine.on_parse_token(|token, _, _| match token {
        _ if budget::is_late_by_and_by() => Token::EOF,
        Token::Reserved(word) if *word == "is" => Token::Identifier(word),
        token => token,
    });
    // Constants that the optimizer cannot fold, vectors among them, are found here.
    #[allow(
        deprecated,
        reason = "marked as volatile, not as going away; the version is pinned"
    )]
    engine.on_var(|name, index, mut context| {
        if index > 0 {
            if call::may_hold_many() {
                budget::weigh(name, &mut context)?;
            }
            return Ok(None);
        }
        // What is no variable is a constant of the file whose function runs.
        let file = context
            .namespaces()
            .last()
            .and_then(|functions| functions.id());
        if let Some(file) = file {
            return Ok(imports::constant(file, name));
        }
        Ok(call::with(|call| {
            let environment = call.environment.as_ref();
            environment.and_then(|environment| environment.constant(name))
        }))
    });
    api::register(&mut engine);
    engine
}

/// Takes out what would escape the limits, or wait, or print.
fn disable(engine: &mut Engine) {
    for symbol in [
        "eval",
        "Fn",
        "curry",
        "call",
        "export",
        "is_def_fn",
        "is_def_var",
    ] {
        engine.disable_symbol(symbol);
    }
}
