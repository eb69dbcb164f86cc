//! Everything that scripts can name: handles, properties, functions.
//!
//! Handles are small copies that stand for something in the call in progress. Every function takes
//! integers wherever it takes numbers.

pub(super) mod catalog;
mod collections;
mod handles;
mod lists;
mod math;
mod memory;
mod obstacles;
mod register;
mod routes;
mod units;
mod universe;
mod vectors;

pub(super) use handles::{Me, Remembered, Turn, Universe};

use std::sync::LazyLock;

use rhai::{Engine, NativeCallContext};

use super::call;

/// Registers the whole API.
pub(super) fn register(engine: &mut Engine) {
    handles::name_types(engine);
    vectors::register(engine);
    math::register(engine);
    units::register(engine);
    lists::register(engine);
    obstacles::register(engine);
    routes::register(engine);
    universe::register(engine);
    memory::register(engine);
    collections::register(engine);
    declare_params(engine);
    #[cfg(test)]
    engine.register_fn("bug", || -> rhai::INT { panic!("a bug on purpose") });
}

/// `param(…)` in its three forms; it only works while a script is learned.
fn declare_params(engine: &mut Engine) {
    use rhai::Dynamic;
    fn at(context: &NativeCallContext<'_>, arguments: &[Dynamic]) -> call::Fallible<Dynamic> {
        let position = context.call_position();
        call::declare(
            position.line().unwrap_or(0),
            position.position().unwrap_or(0),
            arguments,
        )
    }
    engine.register_fn("param", |context: NativeCallContext<'_>, a: Dynamic| {
        at(&context, &[a])
    });
    engine.register_fn(
        "param",
        |context: NativeCallContext<'_>, a: Dynamic, b: Dynamic| at(&context, &[a, b]),
    );
    engine.register_fn(
        "param",
        |context: NativeCallContext<'_>, a: Dynamic, b: Dynamic, c: Dynamic| {
            at(&context, &[a, b, c])
        },
    );
}

/// Name and number of arguments, receiver included, of every function that scripts can call.
static FUNCTIONS: LazyLock<Vec<(String, usize)>> = LazyLock::new(|| {
    let engine = super::engine::engine();
    let mut functions = engine.collect_fn_metadata(
        None,
        |info| Some((info.metadata.name.to_string(), info.metadata.num_params)),
        true,
    );
    functions.sort();
    functions.dedup();
    functions
});

/// Every name in the API, for did-you-mean: functions, and properties without a prefix.
pub static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = FUNCTIONS
        .iter()
        .map(|(name, _)| name.strip_prefix("get$").unwrap_or(name));
    let mut names: Vec<_> = names
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
});

/// Whether a script's function would hijack one of the API, called plainly or as a method.
pub(super) fn is_taken(name: &str, arity: usize) -> bool {
    FUNCTIONS
        .iter()
        .any(|(known, count)| known == name && (*count == arity || *count == arity + 1))
}
