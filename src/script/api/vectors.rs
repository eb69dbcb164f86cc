//! Vectors.

use glam::{Quat, Vec3};

use super::function::Table;
use super::numbers::greatest;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("vec(x, y)", "a vector in the plane: z is 0", |x: f32, y: f32| Vec3::new(x, y, 0.0));
    table.add("vec(x, y, z)", "a vector", |x: f32, y: f32, z: f32| Vec3::new(x, y, z));
    table.add("v.x", "may be set", |v: Vec3| v.x);
    table.add("v.y", "may be set", |v: Vec3| v.y);
    table.add("v.z", "may be set", |v: Vec3| v.z);
    table.add("v.x = x", "", |v: Vec3, x: f32| v.with_x(x));
    table.add("v.y = y", "", |v: Vec3, y: f32| v.with_y(y));
    table.add("v.z = z", "", |v: Vec3, z: f32| v.with_z(z));
    table.add("v.length", "its length", |v: Vec3| v.length()).work(5);
    table.add("v.normalized", "of length 1; the zero vector stays zero", |v: Vec3| v.normalize_or_zero()).work(5);
    table.add("a.dot(b)", "the dot product", |a: Vec3, b: Vec3| a.dot(b));
    table.add("a.cross(b)", "the cross product", |a: Vec3, b: Vec3| a.cross(b));
    table.add("v.limit(max)", "no longer than `max`; a negative one counts as zero", |v: Vec3, max: f32| v.clamp_length_max(greatest(max, 0.0)));
    table.add("v.rotated(angle)", "turned counter-clockwise about z by `angle` radians", |v: Vec3, angle: f32| Quat::from_rotation_z(angle) * v).work(15);
    table.add("a.angle_to(b)", "the angle between them, 0 to π, **negative where the turn from `a` to `b` is clockwise** as seen from +z", angle_to).work(15);
    table.add("a.distance_to(b)", "the distance between two points", |a: Vec3, b: Vec3| a.distance(b)).work(5);
    table.add("a.lerp(b, t)", "`a` at t = 0, `b` at t = 1", |a: Vec3, b: Vec3, t: f32| a + (b - a) * t);

    table.add("a + b", "", |a: Vec3, b: Vec3| a + b);
    table.add("a - b", "", |a: Vec3, b: Vec3| a - b);
    table.add("-a", "", |a: Vec3| -a);
    table.add("a * b", "", |a: Vec3, b: f32| a * b);
    table.add("a * b", "", |a: f32, b: Vec3| b * a);
    table.add("a / b", "", |a: Vec3, b: f32| a / b);
    table.add("a == b", "", |a: Vec3, b: Vec3| a == b);
    table.add("a != b", "", |a: Vec3, b: Vec3| a != b);
}

fn angle_to(a: Vec3, b: Vec3) -> f32 {
    let cross = a.cross(b);
    let angle = libm::atan2f(cross.length(), a.dot(b));
    if cross.z < 0.0 { -angle } else { angle }
}
