//! Vectors have value semantics.

use super::Case;

pub(super) const CASES: &[Case] = &[
    ("vectors of numbers and integers", "vec(me.id, me.speed) + vec(1, 2.5, 3)", "push 1.0 4.5 3.0"),
    (
        "operators of vectors",
        "let v = vec(1, 2, 3); -(v * 2 - me.velocity / 2 + 0.5 * v + me.id * v)",
        "push -2.5 -4.0 -7.5",
    ),
    (
        "op-assigns of vectors",
        "let v = vec(1, 2, 3); v += me.velocity; v -= vec(1, 0); v *= 3; v *= 0.5; v /= 2; v /= 0.25; v",
        "push 0.0 12.0 9.0",
    ),
    ("a vector by zero", "vec(1, 2) / me.id", "fails: steer returned a number that is not finite"),
    (
        "a copy is a copy",
        "let a = vec(1, 2); let b = a; b.x = 9; b += vec(0, 1); a * 10 + b",
        "push 19.0 23.0 0.0",
    ),
    (
        "a copy back",
        "let a = me.velocity; let b = a; a.y = 7; a = b; a.x = 1; a + b * 10",
        "push 1.0 22.0 0.0",
    ),
    (
        "coordinates are set",
        "let v = vec(1, 2, 3); v.x = 4; v.y += 0.5; v.z *= me.speed; v",
        "push 4.0 2.5 6.0",
    ),
    ("a coordinate is set to a bool", "let v = vec(1, 2, 3); v.x = true; v", ""),
    ("coordinates of what cannot be set", "me.position.x = 3; me.position", ""),
    ("a coordinate that is not there", "let v = vec(1, 2); v.w", "fails: `w` is not a property of a vector"),
    ("a coordinate that is not there is set", "let v = vec(1, 2); v.w = 3; v", ""),
    (
        "vectors compare",
        "let v = vec(1, 2); (if v == vec(1, 2, 0) { 1 } else { 0 }) + (if v != me.velocity { 10 } else { 0 }) + (if vec(0, 0) == -vec(0, 0) { 100 } else { 0 })",
        "111.0",
    ),
    (
        "a vector with NaN equals nothing",
        "let x = 0.0 / (me.speed - 2.0); let v = vec(x, 1); (if v == v { 1 } else { 0 }) + (if v != v { 10 } else { 0 })",
        "",
    ),
    (
        "vectors have no order",
        "if vec(1, 2) < me.velocity { 1 } else { 0 }",
        "fails: `<` does not work between a vector and a vector",
    ),
    ("a vector against a number", "if me.velocity == 2 { 1 } else { 0 }", ""),
    ("a number plus a vector", "1 + me.velocity", "fails: `+` does not work between an integer and a vector"),
    ("a vector times a vector", "me.velocity * me.velocity", ""),
    ("a number by a vector", "1 / me.velocity", ""),
    (
        "lengths whose squares are subnormal numbers or infinite",
        "let t = 1e-23; let h = 1e20; let a = vec(3.0 * t, 4.0 * t); let b = vec(3.0 * h, 4.0 * h, 12.0 * h); vec(a.normalized.length + b.normalized.length, a.length * 1e23, b.length / 1e20 + b.limit(7).length)",
        "push 1.9999999 5.0 20.0",
    ),
    (
        "functions of vectors",
        "let v = vec(3, 4, 12); vec(v.length, v.dot(me.velocity), v.distance_to(me.position))",
        "push 13.0 8.0 15.132746",
    ),
    ("cross products", "vec(1, 2, 3).cross(vec(-2, me.speed, 5)) + cross(me.heading, me.up)", ""),
    (
        "angles between vectors",
        "vec(me.heading.angle_to(vec(1, 0)), vec(1, 0).angle_to(me.heading), vec(0, 0).angle_to(me.heading))",
        "push -1.5707964 1.5707964 0.0",
    ),
    (
        "nothing is turned",
        "vec(0, 0).normalized + vec(0, 0).limit(3) + vec(0, 0).rotated(1)",
        "push 0.0 0.0 0.0",
    ),
    (
        "limits of vectors",
        "me.velocity.limit(0.5) + me.velocity.limit(-1) * 10 + me.velocity.limit(9) * 100 + limit(me.velocity, 1)",
        "push 0.0 201.5 0.0",
    ),
    ("a limit that is NaN", "let x = 0.0 / (me.speed - 2.0); me.velocity.limit(x)", ""),
    ("rotated", "me.velocity.rotated(PI / 2) + me.velocity.rotated(me.id + 1)", ""),
    ("between vectors", "me.position.lerp(vec(0, 0), 0.25) + lerp(me.velocity, vec(1, 1), me.id + 2)", ""),
    ("normalized, huge and tiny", "vec(3.0e38, 3.0e38).normalized + vec(1.0e-40, 0).normalized * 10", ""),
    ("functions written as properties", "vec(3, 4).length()", ""),
    ("a vector of bools", "vec(true, 1)", ""),
    ("a turn of a number and an integer", "turn(me.speed, me.id - 1)", "turn 2.0 -1.0"),
    ("turns do not add", "turn(1, 1) + turn(1, 1)", ""),
];
