//! Functions of strings, arrays and maps, for the interpreter only. None calls back into a script, because such
//! calls would bypass the count of operations.

use rhai::{Array, Dynamic, Engine, FuncRegistration, INT, ImmutableString, Map};

#[rustfmt::skip]
pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("+", |a: ImmutableString, b: f32| format!("{a}{b}"));
    engine.register_fn("+", |a: ImmutableString, b: INT| format!("{a}{b}"));
    engine.register_fn("+", |a: ImmutableString, b: bool| format!("{a}{b}"));
    engine.register_fn("+", |a: ImmutableString, b: glam::Vec3| format!("{a}{b}"));
    engine.register_get("len", |array: &mut Array| array.len() as INT);
    engine.register_get("is_empty", |array: &mut Array| array.is_empty());
    let row = |name: &str, signature: &[&str], about: &str| {
        FuncRegistration::new(name).with_params_info(signature).with_comments([format!("/// {about}")])
    };
    row("len", &["array: array", "int"], "the number of values").register_into_engine(engine, |array: &mut Array| array.len() as INT);
    row("is_empty", &["array: array", "bool"], "true if empty").register_into_engine(engine, |array: &mut Array| array.is_empty());
    row("push", &["array: array", "value", "()"], "appends a value").register_into_engine(engine, |array: &mut Array, value: Dynamic| array.push(value));
    row("pop", &["array: array", "?"], "removes and returns the last value; () if there is none").register_into_engine(engine, |array: &mut Array| array.pop().unwrap_or_default());
    row("contains", &["map: map", "name: string", "bool"], "true if a map has a name; same as `name in map`").register_into_engine(engine, |map: &mut Map, name: ImmutableString| map.contains_key(name.as_str()));
}
