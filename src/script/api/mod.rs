//! Everything that scripts can name: handles, properties, functions.
//!
//! Handles are small copies that stand for something in the call in progress. Every function takes
//! integers wherever it takes numbers.

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

pub(super) use handles::{
    Field, Me, Obstacles, Obstructing, Remembered, Route, Turn, Unit, Units, Universe,
};

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
    let signature = ["default: ?", "least: ?", "most: ?", "?"];
    let about =
        "A parameter: a slider, a switch or a choice. It stands at the top, after `const NAME =`.";
    let name = "param";
    let one = [signature[0], "?"];
    register::def(
        engine,
        name,
        &one,
        about,
        |context: NativeCallContext<'_>, a: Dynamic| at(&context, &[a]),
    );
    let two = [signature[0], signature[1], "?"];
    register::def(
        engine,
        name,
        &two,
        about,
        |context: NativeCallContext<'_>, a: Dynamic, b: Dynamic| at(&context, &[a, b]),
    );
    register::def(
        engine,
        name,
        &signature,
        about,
        |context: NativeCallContext<'_>, a: Dynamic, b: Dynamic, c: Dynamic| {
            at(&context, &[a, b, c])
        },
    );
}
