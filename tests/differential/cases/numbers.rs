//! Numbers at their edges.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "a number by zero",
        "me.speed / 0.0",
        "fails: steer returned a number that is not finite",
    ),
    (
        "a number by zero that nobody returns",
        "let x = me.speed / 0.0; if x > 1.0e38 { 1 } else { 0 }",
        "0.0",
    ),
    (
        "zero by zero",
        "let x = 0.0 / (me.speed - 2.0); if x == x { 1 } else { 2 }",
        "2.0",
    ),
    (
        "a number by the integer zero",
        "let x = me.speed / me.id; if x > 1.0e38 { 1 } else { 0 }",
        "0.0",
    ),
    (
        "a number modulo zero",
        "let x = me.speed % 0.0; if x == x { 1 } else { 2 }",
        "2.0",
    ),
    (
        "remainders of numbers",
        "(me.speed - 7.5) % 2.0 + (me.speed + 5.5) % -2.0",
        "0.0",
    ),
    ("powers of numbers", "(me.speed + 0.25) ** 2.5", "7.59375"),
    (
        "a negative number to a fraction",
        "let x = (me.speed - 4.0) ** 0.5; if x == x { 1 } else { 2 }",
        "2.0",
    ),
    ("a number to a negative integer", "me.speed ** -2", "0.25"),
    (
        "a number to the power of an integer and of a number",
        "let x = me.speed + 1.1; if x ** 3 == x ** 3.0 { 1 } else { 0 }",
        "",
    ),
    (
        "zero to the power of zero",
        "(me.speed - 2.0) ** 0 + (me.speed - 2.0) ** 0.0",
        "2.0",
    ),
    (
        "pow against the operator",
        "let x = me.speed + 0.3; if pow(x, 1.7) == x ** 1.7 { 1 } else { 0 }",
        "",
    ),
    (
        "an operator's power of a number",
        "(me.speed + 0.1) ** 1.3",
        "",
    ),
    ("minus zero", "-(me.speed - 2.0)", "-0.0"),
    (
        "minus zero equals zero",
        "let z = -(me.speed - 2.0); (if z == 0.0 { 1 } else { 0 }) + (if 1.0 / z < 0.0 { 10 } else { 0 })",
        "1.0",
    ),
    (
        "nothing is less than no number",
        "let x = 0.0 / (me.speed - 2.0); (if x < 1.0 { 1 } else { 0 }) + (if x > 1.0 { 2 } else { 0 }) + (if x <= 1.0 { 4 } else { 0 }) + (if x >= 1.0 { 8 } else { 0 }) + (if x != x { 16 } else { 0 }) + (if x != 1 { 32 } else { 0 })",
        "0.0",
    ),
    (
        "no number against integers",
        "let x = 0.0 / (me.speed - 2.0); (if x < 1 { 1 } else { 0 }) + (if 1 > x { 2 } else { 0 }) + (if 1 == x { 4 } else { 0 })",
        "",
    ),
    (
        "min and max without a number",
        "let x = 0.0 / (me.speed - 2.0); min(x, 3.0) + max(x, 4.0) + min(5, x) + max(x, 6)",
        "18.0",
    ),
    (
        "clamp without a number",
        "let x = 0.0 / (me.speed - 2.0); clamp(x, 1.0, 2.0)",
        "2.0",
    ),
    (
        "clamp between no numbers",
        "let x = 0.0 / (me.speed - 2.0); clamp(me.speed, x, x) + clamp(me.speed, 3, x)",
        "",
    ),
    (
        "clamp with crossed bounds",
        "clamp(me.speed, 8.0, 1.0)",
        "8.0",
    ),
    (
        "clamp in any mix",
        "clamp(me.speed, 0, 1) + clamp(5, 0.0, me.speed) + clamp(me.id - 1, 0, 0.5)",
        "",
    ),
    (
        "min and max of zeros",
        "let z = me.speed - 2.0; 1.0 / (min(z, -z) - 1.0) + 1.0 / (max(-z, z) - 1.0)",
        "",
    ),
    (
        "sign of everything",
        "let x = 0.0 / (me.speed - 2.0); sign(me.speed) + sign(-me.speed) * 10 + sign(x) * 100 + sign(me.speed - 2.0)",
        "",
    ),
    (
        "round, floor and ceil",
        "round(me.speed + 0.5) + round(-me.speed - 0.5) * 10 + floor(-0.5 * me.speed - 0.1) * 100 + ceil(me.speed + 0.1) * 1000",
        "2773.0",
    ),
    (
        "square root of a negative number",
        "let x = sqrt(me.speed - 3.0); if x == x { 1 } else { 2 }",
        "",
    ),
    (
        "logarithm of zero",
        "let x = ln(me.speed - 2.0); if x < -1.0e38 { 1 } else { 0 }",
        "",
    ),
    (
        "arc sine past one",
        "let x = asin(me.speed); let y = acos(-me.speed); if x == x || y == y { 1 } else { 2 }",
        "",
    ),
    (
        "angles from axes",
        "atan2(me.speed - 2.0, -1) + atan2(-(me.speed - 2.0), -1.0)",
        "",
    ),
    (
        "functions of angles",
        "let a = me.speed * 0.7; vec(sin(a), cos(a), tan(a))",
        "push 0.98544973 0.16996716 5.797883",
    ),
    (
        "other functions of angles",
        "let a = me.speed * 0.3; vec(asin(a), acos(a), atan(a))",
        "push 0.64350116 0.9272952 0.5404195",
    ),
    (
        "exponential and logarithm",
        "vec(exp(me.speed * 0.4), ln(me.speed * 5.1), exp(10))",
        "push 2.2255409 2.3223877 22026.465",
    ),
    (
        "functions as methods",
        "me.speed.sin() + (me.speed - 5.0).abs() + me.speed.max(3) + me.speed.lerp(4, 0.5) + (1.5).floor()",
        "",
    ),
    (
        "functions of integers",
        "sin(1) + cos(me.id) + sqrt(me.id + 9) + exp(me.id) + floor(me.id + 7) + atan2(1, me.id + 1) + pow(2, me.id + 3)",
        "",
    ),
    (
        "lerp in any mix",
        "lerp(me.id, 10, 0.25) + lerp(1.0, me.id, 1) + lerp(0, 4.0, me.speed)",
        "",
    ),
    ("a tenth is no tenth", "me.speed - 2.0 + 0.1 + 0.2", "0.3"),
    ("sums in order", "(1.0e8 + me.speed) - 1.0e8 + 0.5", "0.5"),
    (
        "overflow to infinity",
        "let x = 3.0e38 * me.speed; if x > 3.0e38 { 1 } else { 0 }",
        "",
    ),
    (
        "numbers too small for most",
        "let x = 1.0e-30; let y = x * 1.0e-10 * me.speed; y * 1.0e30 * 1.0e10",
        "1.9999892",
    ),
    (
        "an integer too great for a number",
        "(me.id + 16777217) + 0.0",
        "16777216.0",
    ),
    (
        "op-assigns of numbers",
        "let x = me.speed + 5.5; x += 3; x -= 0.5; x *= 6; x /= 4; x %= 7; x **= 2; x",
        "1.0",
    ),
    (
        "questions about numbers",
        "let z = me.speed - 2.0; (if z.is_zero() { 1 } else { 0 }) + (if is_zero(-z) { 10 } else { 0 })",
        "",
    ),
    (
        "constants of the language",
        "PI + TAU * me.speed",
        "15.707964",
    ),
    (
        "not finite is not returned",
        "turn(me.speed / 0.0, 1)",
        "fails: steer returned a number that is not finite",
    ),
    (
        "not finite in a vector",
        "vec(1, me.speed / 0.0)",
        "fails: steer returned a number that is not finite",
    ),
    (
        "to a float",
        "(to_float(me.id + 7) / 2) + me.speed.to_float() + to_int(7) / 2",
        "",
    ),
    (
        "nearly equal numbers are equal",
        "let x = me.speed / 2.0 + 0.00000012; (if x == 1.0 { 1 } else { 0 }) + (if x > 1.0 { 10 } else { 0 }) + (if x <= 1.0 { 100 } else { 0 })",
        "101.0",
    ),
    (
        "numbers further apart are not equal",
        "let x = me.speed / 2.0 + 0.0000005; (if x == 1.0 { 1 } else { 0 }) + (if x > 1.0 { 10 } else { 0 }) + (if x <= 1.0 { 100 } else { 0 })",
        "10.0",
    ),
    (
        "a tiny number is not above zero",
        "let x = me.speed * 0.5e-7; (if x > 0.0 { 1 } else { 0 }) + (if x == 0 { 10 } else { 0 }) + (if -x >= 0.0 { 100 } else { 0 })",
        "110.0",
    ),
    (
        "tiny numbers are equal",
        "let x = me.speed * 1.0e-30; if x == 3.0e-30 { 1 } else { 0 }",
        "1.0",
    ),
    (
        "tiny numbers against an integer",
        "let x = me.speed * 0.5e-7; if x != 0 { 1 } else { 0 }",
        "",
    ),
    (
        "infinity against anything",
        "let x = me.speed / 0.0; (if x > 1 { 1 } else { 0 }) + (if x == x { 2 } else { 0 }) + (if x != x { 4 } else { 0 }) + (if x >= x { 8 } else { 0 }) + (if -x < x { 16 } else { 0 }) + (if 0.0 < x { 32 } else { 0 })",
        "0.0",
    ),
    (
        "no number is not unequal",
        "let x = 0.0 / (me.speed - 2.0); (if x != x { 1 } else { 0 }) + (if x == 1.0 { 2 } else { 0 }) + (if !(x == x) { 4 } else { 0 })",
        "4.0",
    ),
    (
        "coordinates compare exactly",
        "let v = vec(me.speed / 2.0 + 0.00000012, 0); (if v == vec(1, 0) { 1 } else { 0 }) + (if v.x == 1.0 { 10 } else { 0 })",
        "10.0",
    ),
    (
        "a great number against a near integer",
        "let x = me.speed * 8388608.0; (if x == 16777217 { 1 } else { 0 }) + (if x < 16777219 { 10 } else { 0 })",
        "",
    ),
    (
        "numbers in a switch",
        "switch me.speed + 0.0000001 { 2.0 => 1, 1.5 => 2, _ => 3 }",
        "",
    ),
    ("exponents in literals", "1.5e2 + 2.5e-1 * me.speed", ""),
];
