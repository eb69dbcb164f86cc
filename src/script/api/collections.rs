//! The little that rules need of strings, arrays and maps. Nothing here calls back into a script:
//! such calls would escape the count of operations.

use rhai::{Array, Dynamic, Engine, INT, ImmutableString, Map};

use super::register::{def, property};

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("+", |a: ImmutableString, b: f32| format!("{a}{b}"));
    engine.register_fn("+", |a: ImmutableString, b: INT| format!("{a}{b}"));
    engine.register_fn("+", |a: ImmutableString, b: bool| format!("{a}{b}"));
    engine.register_fn("+", |a: ImmutableString, b: glam::Vec3| format!("{a}{b}"));
    property(engine, "len", |array: &mut Array| array.len() as INT);
    property(engine, "is_empty", |array: &mut Array| array.is_empty());
    let array = ["array: array", "int"];
    def(
        engine,
        "len",
        &array,
        "How many values there are.",
        |array: &mut Array| array.len() as INT,
    );
    let array = ["array: array", "bool"];
    def(
        engine,
        "is_empty",
        &array,
        "Whether there is no value.",
        |array: &mut Array| array.is_empty(),
    );
    let about = "Adds a value at the end.";
    def(
        engine,
        "push",
        &["array: array", "value"],
        about,
        |array: &mut Array, value: Dynamic| array.push(value),
    );
    let about = "Takes the last value away; () if there is none.";
    def(
        engine,
        "pop",
        &["array: array"],
        about,
        |array: &mut Array| array.pop().unwrap_or_default(),
    );
    let about = "Whether a map has a name; `name in map` asks the same.";
    def(
        engine,
        "contains",
        &["map: map", "name: string", "bool"],
        about,
        |map: &mut Map, name: ImmutableString| map.contains_key(name.as_str()),
    );
}
