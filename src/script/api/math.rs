//! Numbers. Transcendental functions come from libm, so that every platform gives the same bits.

use glam::Vec2;
use rhai::{Engine, INT};

use super::handles::Turn;
use super::register::{def, numbers};
use crate::script::meaning;

pub(super) fn register(engine: &mut Engine) {
    numbers!(
        engine,
        "turn",
        "A turn in space: fractions of the steering force.",
        |starboard, up| turn(starboard, up)
    );
    numbers!(engine, "sin", "Sine of an angle in radians.", |x| {
        libm::sinf(x)
    });
    numbers!(engine, "cos", "Cosine of an angle in radians.", |x| {
        libm::cosf(x)
    });
    numbers!(engine, "tan", "Tangent of an angle in radians.", |x| {
        libm::tanf(x)
    });
    numbers!(engine, "asin", "Angle whose sine is `x`, radians.", |x| {
        libm::asinf(x)
    });
    numbers!(engine, "acos", "Angle whose cosine is `x`, radians.", |x| {
        libm::acosf(x)
    });
    numbers!(
        engine,
        "atan",
        "Angle whose tangent is `x`, radians.",
        |x| libm::atanf(x)
    );
    numbers!(
        engine,
        "atan2",
        "Angle of the direction (x, y), radians.",
        |y, x| libm::atan2f(y, x)
    );
    numbers!(engine, "sqrt", "Square root.", |x| x.sqrt());
    numbers!(engine, "exp", "e to the power of `x`.", |x| libm::expf(x));
    numbers!(engine, "ln", "Natural logarithm.", |x| libm::logf(x));
    numbers!(
        engine,
        "pow",
        "`x` to the power of `y`.",
        |x, y| libm::powf(x, y)
    );
    numbers!(engine, "floor", "The integer below, as a number.", |x| x
        .floor());
    numbers!(engine, "ceil", "The integer above, as a number.", |x| x
        .ceil());
    numbers!(
        engine,
        "round",
        "The nearest integer, as a number; halves away from zero.",
        |x| x.round()
    );
    numbers!(
        engine,
        "lerp",
        "From `a` (t = 0) to `b` (t = 1).",
        |a, b, t| a + (b - a) * t
    );
    ordered(engine);
}

fn turn(starboard: f32, up: f32) -> Turn {
    Turn(Vec2::new(starboard, up))
}

/// Functions that keep integers as integers when all arguments are.
fn ordered(engine: &mut Engine) {
    numbers!(
        engine,
        "clamp",
        "`x`, but no less than `least` and no more than `most`.",
        |x, least, most| meaning::clamp(x, least, most)
    );
    let signature = ["x: int", "least: int", "most: int", "int"];
    def(
        engine,
        "clamp",
        &signature,
        "`x` within bounds.",
        |x: INT, least: INT, most: INT| x.min(most).max(least),
    );
    numbers!(engine, "min", "The lesser of two numbers.", |a, b| {
        meaning::least(a, b)
    });
    numbers!(engine, "max", "The greater of two numbers.", |a, b| {
        meaning::greatest(a, b)
    });
    def(
        engine,
        "min",
        &["a: int", "b: int", "int"],
        "The lesser of two.",
        |a: INT, b: INT| a.min(b),
    );
    def(
        engine,
        "max",
        &["a: int", "b: int", "int"],
        "The greater of two.",
        |a: INT, b: INT| a.max(b),
    );
    def(
        engine,
        "abs",
        &["x: float", "float"],
        "Without its sign.",
        |x: f32| x.abs(),
    );
    def(
        engine,
        "abs",
        &["x: int", "int"],
        "Without its sign.",
        |x: INT| x.saturating_abs(),
    );
    def(
        engine,
        "sign",
        &["x: float", "float"],
        "−1, 0 or +1.",
        |x: f32| {
            if x > 0.0 {
                1.0_f32
            } else if x < 0.0 {
                -1.0
            } else {
                0.0
            }
        },
    );
    def(
        engine,
        "sign",
        &["x: int", "int"],
        "−1, 0 or +1.",
        |x: INT| x.signum(),
    );
    def(
        engine,
        "to_int",
        &["x: float", "int"],
        "The number without its fraction.",
        |x: f32| x as INT,
    );
    def(
        engine,
        "to_int",
        &["x: int", "int"],
        "The integer itself.",
        |x: INT| x,
    );
    def(
        engine,
        "to_float",
        &["x: int", "float"],
        "The integer as a number.",
        |x: INT| x as f32,
    );
    def(
        engine,
        "to_float",
        &["x: float", "float"],
        "The number itself.",
        |x: f32| x,
    );
}
