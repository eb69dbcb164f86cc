//! Vectors: construction, arithmetic, properties, functions.

use glam::Vec3;
use rhai::{Engine, INT};

use super::register::{Number, def, numbers};
use crate::script::meaning;

pub(super) fn register(engine: &mut Engine) {
    numbers!(engine, "vec", "A vector in the plane (z = 0).", |x, y| {
        Vec3::new(x, y, 0.0)
    });
    numbers!(engine, "vec", "A vector.", |x, y, z| Vec3::new(x, y, z));
    arithmetic(engine);
    scaled::<f32>(engine);
    scaled::<INT>(engine);
    properties(engine);
    functions(engine);
}

fn arithmetic(engine: &mut Engine) {
    engine.register_fn("+", |a: Vec3, b: Vec3| a + b);
    engine.register_fn("-", |a: Vec3, b: Vec3| a - b);
    engine.register_fn("-", |a: Vec3| -a);
    engine.register_fn("+=", |a: &mut Vec3, b: Vec3| *a += b);
    engine.register_fn("-=", |a: &mut Vec3, b: Vec3| *a -= b);
    engine.register_fn("==", |a: Vec3, b: Vec3| a == b);
    engine.register_fn("!=", |a: Vec3, b: Vec3| a != b);
}

/// Everything that takes one number beside a vector.
fn scaled<N: Number + rhai::Variant + Clone>(engine: &mut Engine) {
    engine.register_fn("*", |a: Vec3, b: N| a * b.number());
    engine.register_fn("*", |a: N, b: Vec3| b * a.number());
    engine.register_fn("/", |a: Vec3, b: N| a / b.number());
    engine.register_fn("*=", |a: &mut Vec3, b: N| *a *= b.number());
    engine.register_fn("/=", |a: &mut Vec3, b: N| *a /= b.number());
    engine.register_set("x", |v: &mut Vec3, x: N| v.x = x.number());
    engine.register_set("y", |v: &mut Vec3, y: N| v.y = y.number());
    engine.register_set("z", |v: &mut Vec3, z: N| v.z = z.number());
    let signature = ["v: Vector", "max: float", "Vector"];
    def(
        engine,
        "limit",
        &signature,
        "The vector, no longer than `max`.",
        |v: Vec3, max: N| meaning::limit(v, max.number()),
    );
    let signature = ["v: Vector", "angle: float", "Vector"];
    let about = "Turned counter-clockwise about z by `angle` radians.";
    def(engine, "rotated", &signature, about, |v: Vec3, angle: N| {
        meaning::rotated(v, angle.number())
    });
    let signature = ["from: Vector", "to: Vector", "t: float", "Vector"];
    let about = "From one vector (t = 0) to another (t = 1).";
    def(
        engine,
        "lerp",
        &signature,
        about,
        |a: Vec3, b: Vec3, t: N| a + (b - a) * t.number(),
    );
}

fn properties(engine: &mut Engine) {
    engine.register_get("x", |v: &mut Vec3| v.x);
    engine.register_get("y", |v: &mut Vec3| v.y);
    engine.register_get("z", |v: &mut Vec3| v.z);
    engine.register_get("length", |v: &mut Vec3| v.length());
    engine.register_get("normalized", |v: &mut Vec3| v.normalize_or_zero());
}

fn functions(engine: &mut Engine) {
    let two = ["a: Vector", "b: Vector", "float"];
    def(
        engine,
        "dot",
        &two,
        "The dot product.",
        |a: Vec3, b: Vec3| a.dot(b),
    );
    def(
        engine,
        "cross",
        &["a: Vector", "b: Vector", "Vector"],
        "The cross product.",
        |a: Vec3, b: Vec3| a.cross(b),
    );
    let about = "The angle that turns one direction into the other, radians; negative if clockwise seen from +z.";
    def(engine, "angle_to", &two, about, meaning::angle_to);
    let about = "The distance between two points.";
    def(engine, "distance_to", &two, about, |a: Vec3, b: Vec3| {
        a.distance(b)
    });
}
