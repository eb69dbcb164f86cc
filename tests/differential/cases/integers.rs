//! Integers at their edges.

use super::Case;

pub(super) const CASES: &[Case] = &[
    ("integers add", "me.id + 2", "2.0"),
    (
        "integers add past the greatest",
        "9223372036854775807 + (me.id + 1)",
        "fails: Addition overflow: 9223372036854775807 + 1",
    ),
    (
        "integers subtract past the least",
        "-9223372036854775807 - (me.id + 2)",
        "fails: Subtraction overflow: -9223372036854775807 - 2",
    ),
    (
        "integers multiply past the greatest",
        "4611686018427387904 * (me.id + 2)",
        "fails: Multiplication overflow: 4611686018427387904 * 2",
    ),
    (
        "the least integer",
        "let least = -9223372036854775807 - 1; if least < -9223372036854775807 { 1 } else { 0 }",
        "1.0",
    ),
    (
        "the least integer as written",
        "let least = -9223372036854775808; least / 4611686018427387904",
        "",
    ),
    (
        "the least integer negated",
        "let least = -9223372036854775807 - (me.id + 1); -least",
        "fails: integer overflow",
    ),
    (
        "the least integer without its sign",
        "let least = -9223372036854775807 - (me.id + 1); let l = abs(least); l == 9223372036854775807 && l > 0; if l == 9223372036854775807 { 1 } else { 0 }",
        "1.0",
    ),
    (
        "the least integer by minus one",
        "let least = -9223372036854775807 - (me.id + 1); least / -1",
        "fails: Division overflow: -9223372036854775808 / -1",
    ),
    (
        "the least integer modulo minus one",
        "let least = -9223372036854775807 - (me.id + 1); least % -1",
        "fails: Modulo division by zero or overflow: -9223372036854775808 % -1",
    ),
    (
        "integers divide toward zero",
        "(me.id + 7) / 2 * 10 + (me.id - 7) / 2",
        "27.0",
    ),
    (
        "remainders have the sign of what is divided",
        "(me.id - 7) % 3 * 10 + (me.id + 7) % -3",
        "-9.0",
    ),
    (
        "an integer by zero",
        "1 / me.id",
        "fails: Division by zero: 1 / 0",
    ),
    (
        "an integer modulo zero",
        "1 % me.id",
        "fails: Modulo division by zero or overflow: 1 % 0",
    ),
    ("zero by zero in integers", "me.id / me.id", ""),
    ("powers of integers", "(me.id + 3) ** 4", "81.0"),
    ("an integer to the power of zero", "me.id ** 0", "1.0"),
    (
        "an integer to a negative power",
        "(me.id + 2) ** (me.id - 1)",
        "fails: Integer raised to a negative power: 2 ** -1",
    ),
    (
        "an integer to a power too great",
        "(me.id + 3) ** 64",
        "fails: Exponential overflow: 3 ** 64",
    ),
    (
        "one to a power past 32 bits",
        "(me.id + 1) ** 4294967298",
        "",
    ),
    (
        "an integer to the power of a number",
        "(me.id + 2) ** 0.5",
        "",
    ),
    ("shift to the left", "(me.id + 3) << 4", "48.0"),
    (
        "shift to the right keeps the sign",
        "(me.id - 9) >> 1",
        "-5.0",
    ),
    (
        "shift to the left by a negative count",
        "(me.id + 64) << (me.id - 3)",
        "8.0",
    ),
    (
        "shift to the right by a negative count",
        "(me.id + 1) >> (me.id - 3)",
        "8.0",
    ),
    (
        "shift to the left by 63",
        "((me.id + 1) << 63) / 4611686018427387904",
        "-2.0",
    ),
    (
        "shift to the left by 64",
        "(me.id + 1) << (me.id + 64)",
        "0.0",
    ),
    (
        "shift to the left by more than 64",
        "(me.id + 1) << (me.id + 70)",
        "",
    ),
    (
        "shift to the right by 64",
        "(me.id + 100) >> (me.id + 64)",
        "0.0",
    ),
    (
        "shift to the right of a negative by 64",
        "(me.id - 100) >> (me.id + 64)",
        "-1.0",
    ),
    (
        "shift by the least integer",
        "(me.id + 1) << (-9223372036854775807 - (me.id + 1))",
        "",
    ),
    (
        "bits of integers",
        "((me.id + 12) & 10) * 100 + ((me.id + 12) | 3) + ((me.id + 12) ^ 5)",
        "824.0",
    ),
    (
        "an integer plus a number is a number",
        "(me.id + 1) / 2 + (me.id + 1) / 2.0",
        "0.5",
    ),
    (
        "an integer equals a number",
        "if me.id + 2 == 2.0 { 1 } else { 0 }",
        "1.0",
    ),
    (
        "a great integer against a number",
        "let n = 16777217 + me.id; (if n == 16777216.0 { 1 } else { 0 }) + (if n > 16777216.0 { 10 } else { 0 })",
        "1.0",
    ),
    (
        "an integer between two numbers",
        "let n = 3 + me.id; if n > 2.5 && n < 3.5 && n >= 3.0 && n <= 3.0 && !(n != 3.0) { 1 } else { 0 }",
        "1.0",
    ),
    (
        "op-assigns of integers",
        "let n = 5 + me.id; n += 3; n -= 1; n *= 6; n /= 4; n %= 6; n **= 3; n <<= 2; n >>= 1; n |= 1; n &= 127; n ^= 3; n",
        "2.0",
    ),
    (
        "an op-assign past the greatest",
        "let n = 9223372036854775806 + me.id; n += 1; n += 1; n",
        "",
    ),
    ("an op-assign by zero", "let n = 5; n /= me.id; n", ""),
    (
        "an integer becomes a number by an op-assign",
        "let n = me.id + 1; n += 0.5; n / 2",
        "0.75",
    ),
    (
        "an integer divided in place by a number",
        "let n = me.id + 3; n /= 2.0; n",
        "",
    ),
    (
        "functions of integers stay integers",
        "(min(me.id + 7, 9) + max(me.id + 1, 2) + clamp(me.id + 12, 0, 10) + abs(me.id - 3) + sign(me.id - 8)) / 2",
        "10.0",
    ),
    (
        "clamp of integers with crossed bounds",
        "clamp(me.id + 5, 8, 2)",
        "8.0",
    ),
    (
        "questions about integers",
        "(if me.id.is_even() { 1 } else { 0 }) + (if me.id.is_odd() { 10 } else { 0 }) + (if me.id.is_zero() { 100 } else { 0 })",
        "",
    ),
    ("plus in front", "+(me.id + 4)", ""),
    (
        "a number to an integer",
        "to_int(me.speed * 1.4) + to_int(-2.9)",
        "0.0",
    ),
    (
        "no number to an integer",
        "to_int(0.0 / (me.speed - 2.0))",
        "0.0",
    ),
    (
        "infinity to an integer",
        "let n = to_int(1.0 / (me.speed - 2.0)); if n == 9223372036854775807 { 1 } else { 0 }",
        "1.0",
    ),
    (
        "minus infinity to an integer",
        "let n = to_int(-1.0 / (me.speed - 2.0)); if n < -9223372036854775807 { 1 } else { 0 }",
        "1.0",
    ),
    (
        "a huge number to an integer",
        "let n = to_int(1.0e30 * me.speed); if n == 9223372036854775807 { 1 } else { 0 }",
        "",
    ),
    (
        "integers in hexadecimal and with underscores",
        "0xff + 1_000 + 0b101 + me.id",
        "1260.0",
    ),
    ("a great integer as a turn", "9007199254740993 + me.id", ""),
];
