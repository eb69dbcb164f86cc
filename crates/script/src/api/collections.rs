//! Functions of strings, arrays and maps, for the interpreter only. None calls back into a script, because such
//! calls would bypass the count of operations.

use rhai::{Array, Dynamic, Engine, EvalAltResult, FuncRegistration, INT, ImmutableString, Map};

use crate::types::friendly;

#[rustfmt::skip]
pub(crate) fn register(engine: &mut Engine) {
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
    row("histogram", &["values: array", "least: float", "most: float", "bins: int", "array"], "the number of values in each of `bins` equal intervals from `least` to `most`; values outside are not counted").register_into_engine(engine, |values: Array, least: Dynamic, most: Dynamic, bins: INT| histogram(&values, (&least, &most), bins));
    row("contains", &["map: map", "name: string", "bool"], "true if a map has a name; same as `name in map`").register_into_engine(engine, |map: &mut Map, name: ImmutableString| map.contains_key(name.as_str()));
}

/// The maximum number of bins.
const MAX_BINS: INT = 256;

/// Counts values in equal intervals, of which the last one includes its upper end.
fn histogram(
    values: &Array,
    (least, most): (&Dynamic, &Dynamic),
    bins: INT,
) -> Result<Array, Box<EvalAltResult>> {
    let number = |value: &Dynamic| value.as_float().ok().or_else(|| value.as_int().ok().map(|it| it as f32));
    let (Some(least), Some(most)) = (number(least), number(most)) else {
        return Err(
            "`least` and `most` of a histogram are numbers\nwrite `histogram(values, 0.0, 10.0, 20)`".into(),
        );
    };
    if !(1..=MAX_BINS).contains(&bins) {
        return Err(format!("a histogram has 1 to {MAX_BINS} bins, not {bins}").into());
    }
    if !(least < most && (most - least).is_finite()) {
        return Err(format!("a histogram from {least} to {most} has no interval\nexchange the limits").into());
    }
    let mut counts = vec![0_i64; bins as usize];
    for value in values {
        let Some(value) = number(value) else {
            let kind = friendly(value.type_name());
            return Err(format!("a histogram counts numbers, not {kind}").into());
        };
        if (least..=most).contains(&value) {
            let at = ((value - least) / (most - least) * bins as f32) as usize;
            counts[at.min(bins as usize - 1)] += 1;
        }
    }
    Ok(counts.into_iter().map(Dynamic::from_int).collect())
}
