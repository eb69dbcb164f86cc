//! The one sandboxed engine that compiles and runs all scripts.

use std::cell::Cell;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rhai::packages::{ArithmeticPackage, BasicIteratorPackage, LogicPackage, Package};
use rhai::{Engine, OptimizationLevel, Scope, Token};

use super::{api, call};

/// Operations one call may take; about 5 ms.
pub(super) const MAX_OPERATIONS: u64 = 100_000;
/// How deep functions may call each other.
pub(super) const MAX_CALLS: usize = 16;
/// Most characters of a script, in bytes.
pub(super) const MAX_SOURCE: usize = 64 * 1024;
/// How long parsing may take; past that the rest of the file reads as its end.
const PARSE_TIME: Duration = Duration::from_millis(200);

/// How long parsing once more may take, for what is told of a script beside its faults.
const REVIEW_TIME: Duration = Duration::from_millis(80);

static ENGINE: LazyLock<Engine> = LazyLock::new(|| build(OptimizationLevel::Simple));
static PLAIN: LazyLock<Engine> = LazyLock::new(|| build(OptimizationLevel::None));

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// The engine.
pub(super) fn engine() -> &'static Engine {
    &ENGINE
}

/// Parses under the time limit; the flag tells whether the limit was reached.
pub(super) fn parse(scope: &Scope<'_>, text: &str) -> (Result<rhai::AST, rhai::ParseError>, bool) {
    let engine = &*ENGINE;
    let deadline = Instant::now() + PARSE_TIME;
    DEADLINE.set(Some(deadline));
    let result = engine.compile_with_scope(scope, text);
    DEADLINE.set(None);
    (result, Instant::now() >= deadline)
}

/// Parses without folding anything, if that does not take long.
pub(super) fn parse_as_written(scope: &Scope<'_>, text: &str) -> Option<rhai::AST> {
    // Building it does not count.
    let engine = &*PLAIN;
    let deadline = Instant::now() + REVIEW_TIME;
    DEADLINE.set(Some(deadline));
    let result = engine.compile_with_scope(scope, text);
    DEADLINE.set(None);
    result.ok().filter(|_| Instant::now() < deadline)
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
    limit(&mut engine);
    engine.set_optimization_level(level);
    // `is` is reserved in the language but free in ours: it asks a unit for its kind.
    #[allow(
        deprecated,
        reason = "marked as volatile, not as going away; the version is pinned"
    )]
    engine.on_parse_token(|token, _, _| match token {
        _ if DEADLINE
            .get()
            .is_some_and(|deadline| Instant::now() >= deadline) =>
        {
            Token::EOF
        }
        Token::Reserved(word) if *word == "is" => Token::Identifier(word),
        token => token,
    });
    // Constants that the optimizer cannot fold, vectors among them, are found here.
    #[allow(
        deprecated,
        reason = "marked as volatile, not as going away; the version is pinned"
    )]
    engine.on_var(|name, index, _| {
        if index > 0 {
            return Ok(None);
        }
        Ok(call::with(|call| {
            call.program
                .as_ref()
                .and_then(|program| program.constant(name))
        }))
    });
    api::register(&mut engine);
    engine
}

/// Every limit, said outright: the defaults of debug builds differ.
fn limit(engine: &mut Engine) {
    engine.set_max_operations(MAX_OPERATIONS);
    engine.set_max_call_levels(MAX_CALLS);
    engine.set_max_expr_depths(64, 48);
    engine.set_max_string_size(4096);
    engine.set_max_array_size(1024);
    engine.set_max_map_size(256);
    engine.set_max_functions(64);
    engine.set_max_variables(64);
    engine.set_max_modules(0);
    // Interning takes a lock that threads would share.
    engine.set_max_strings_interned(0);
    for symbol in [
        "eval",
        "Fn",
        "curry",
        "call",
        "import",
        "export",
        "is_def_fn",
        "is_def_var",
    ] {
        engine.disable_symbol(symbol);
    }
}
