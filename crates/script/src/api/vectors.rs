//! Vectors.

use glam::{Quat, Vec3};
use steerbox_core::sim::BATCH as LANES;
use steerbox_core::world::lengths::{direction, length, shortened};
use steerbox_core::world::rotate;

use super::attributes::Tag;
use super::function::Table;
use super::host::Host;
use super::intrinsic::{UnitOp, ValueOp};
use super::lane_call::LaneCall;
use super::numbers::greatest;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("vec(x, y)", "a vector in the plane: z is 0", |x: f32, y: f32| Vec3::new(x, y, 0.0)).tag(Tag::Planar).tag(Tag::VectorForComponents).intrinsic(ValueOp::InPlane);
    table.add("vec(x, y, z)", "a vector", |x: f32, y: f32, z: f32| Vec3::new(x, y, z)).intrinsic(ValueOp::Concat);
    table.add("v.x", "a component, can be assigned", |v: Vec3| v.x).intrinsic(ValueOp::Parts(0, 1));
    table.add("v.y", "a component, can be assigned", |v: Vec3| v.y).intrinsic(ValueOp::Parts(1, 2));
    table.add("v.z", "a component, can be assigned", |v: Vec3| v.z).intrinsic(ValueOp::Parts(2, 3));
    table.add("v.x = x", "", |v: Vec3, x: f32| v.with_x(x));
    table.add("v.y = y", "", |v: Vec3, y: f32| v.with_y(y));
    table.add("v.z = z", "", |v: Vec3, z: f32| v.with_z(z));
    table.add("v.length", "length of the vector", length).work(5).intrinsic(ValueOp::Length);
    table.add("v.normalized", "the vector scaled to length 1; the zero vector stays zero", |v: Vec3| direction(v).unwrap_or_default()).work(5).intrinsic(ValueOp::Normalized);
    table.add("a.dot(b)", "the dot product", |a: Vec3, b: Vec3| a.dot(b)).tag(Tag::BodyForPoint).intrinsic(ValueOp::Dot);
    table.add("a.cross(b)", "the cross product", |a: Vec3, b: Vec3| a.cross(b)).tag(Tag::BodyForPoint).intrinsic(ValueOp::Cross);
    table.add("v.limit(max)", "the vector shortened to at most `max`; a negative `max` counts as zero", |v: Vec3, max: f32| shortened(v, greatest(max, 0.0))).intrinsic(ValueOp::Limit);
    table.add("v.rotated(angle)", "the vector rotated counter-clockwise about z by `angle` radians", |v: Vec3, angle: f32| rotate(v, Quat::from_rotation_z(angle))).work(15).batched(rotated).tag(Tag::Angle);
    table.add("a.angle_to(b)", "the angle between two vectors, 0 to π, **negative if the turn from `a` to `b` is clockwise** as seen from +z", angle_to).work(15).tag(Tag::BodyForPoint);
    table.add("a.distance_to(b)", "the distance between two points", |a: Vec3, b: Vec3| length(a - b)).work(5).intrinsic(UnitOp::Distance);
    table.add("a.lerp(b, t)", "interpolates from `a` (t = 0) to `b` (t = 1)", |a: Vec3, b: Vec3, t: f32| a + (b - a) * t).tag(Tag::BodyForPoint).intrinsic(ValueOp::Lerp);

    table.add("a + b", "", |a: Vec3, b: Vec3| a + b);
    table.add("a - b", "", |a: Vec3, b: Vec3| a - b);
    table.add("-a", "", |a: Vec3| -a);
    table.add("a * b", "", |a: Vec3, b: f32| a * b);
    table.add("a * b", "", |a: f32, b: Vec3| b * a);
    table.add("a / b", "", |a: Vec3, b: f32| a / b);
    table.add("a == b", "", |a: Vec3, b: Vec3| a == b);
    table.add("a != b", "", |a: Vec3, b: Vec3| a != b);
}

fn rotated(_: &mut Host<'_>, lanes: &mut LaneCall) -> bool {
    let numbers = |word: usize| lanes.words[word].map(f32::from_bits);
    let rotated = rotated_each([numbers(0), numbers(1), numbers(2)], numbers(3));
    for (word, part) in lanes.words.iter_mut().zip(rotated) {
        *word = part.map(f32::to_bits);
    }
    true
}

/// Rotates vectors by component, each about z by its angle. Evaluates the product with the full rotation matrix,
/// zeros included, since they affect the sign of zero results.
fn rotated_each(vectors: [[f32; LANES]; 3], angles: [f32; LANES]) -> [[f32; LANES]; 3] {
    let (mut sines, mut cosines, mut rotated) = (angles, angles, vectors);
    for lane in 0..LANES {
        let there = Quat::from_rotation_z(angles[lane]);
        (sines[lane], cosines[lane]) = (there.z, there.w);
    }
    for lane in 0..LANES {
        let [x, y, z] = [vectors[0][lane], vectors[1][lane], vectors[2][lane]];
        let (sine, twice) = (sines[lane], cosines[lane] * 2.0);
        let scale = cosines[lane] * cosines[lane] - sine * sine;
        let along = (x * 0.0 + y * 0.0 + z * sine) * 2.0;
        rotated[0][lane] = x * scale + 0.0 * along + (0.0 * z - y * sine) * twice;
        rotated[1][lane] = y * scale + 0.0 * along + (sine * x - z * 0.0) * twice;
        rotated[2][lane] = z * scale + sine * along + (0.0 * y - x * 0.0) * twice;
    }
    rotated
}

fn angle_to(a: Vec3, b: Vec3) -> f32 {
    let cross = a.cross(b);
    let angle = libm::atan2f(cross.length(), a.dot(b));
    if cross.z < 0.0 { -angle } else { angle }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = f32> {
        let ends = prop::sample::select(vec![0.0, -0.0, 1e-30, 1e25, f32::INFINITY, f32::NAN]);
        prop_oneof![3 => (-3..4_i8).prop_map(f32::from), 3 => -50.0_f32..50.0, 1 => ends]
    }

    proptest! {
        #[test]
        fn vectors_are_rotated_together_as_each_by_itself(
            vectors in prop::collection::vec([number(), number(), number()], LANES),
            angles in prop::collection::vec(number(), LANES),
        ) {
            let by_component = [0, 1, 2].map(|axis| std::array::from_fn(|lane| vectors[lane][axis]));
            let found = rotated_each(by_component, std::array::from_fn(|lane| angles[lane]));
            for lane in 0..LANES {
                let expected = rotate(Vec3::from_array(vectors[lane]), Quat::from_rotation_z(angles[lane]));
                for axis in 0..3 {
                    let (found, expected) = (found[axis][lane], expected[axis]);
                    prop_assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan());
                }
            }
        }
    }
}
