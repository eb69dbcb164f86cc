//! Loops over units in any order, and similar loops that are not reductions.

use super::Case;

pub(super) const CASES: &[Case] = &[
    ("a sum of numbers", "let s = 0.0; for o in me.others { s += o.speed * 0.1; } s", ""),
    ("a count", "let n = 0; for o in me.others { n += 1; } n", "3.0"),
    ("a count of some", "let n = 0; for o in me.others.within(3.5) { n += 1; } n", "1.0"),
    ("a count of none", "let n = 0; for o in me.others.within(-1) { n += 1; } n", "0.0"),
    (
        "a sum of vectors and of components",
        "let s = vec(0, 0); for o in me.others { s += o.position; s.x -= o.speed; } s",
        "",
    ),
    ("the least", "let d = 99.0; for o in me.others { d = min(d, me.distance_to(o)); } d", "3.0"),
    ("the most", "let d = 0.0; for o in me.neighbors { d = max(d, me.distance_to(o)); } d", "4.0"),
    ("the most of integers", "let d = 0; for o in me.neighbors { d = max(d, o.id); } d", "2.0"),
    (
        "a flag",
        "let is = false; for o in me.others { if o.position.x > 15.0 { is = true; } } if is { 1 } else { 2 }",
        "1.0",
    ),
    (
        "a flag taken back",
        "let is = true; for o in me.others { if o.speed > 1.0 { is = false; } } if is { 1 } else { 2 }",
        "2.0",
    ),
    (
        "bits from bools",
        "let a = false; let b = true; for o in me.others { a |= o.speed < 1; b &= o.speed > 1; } if !a && b { 1 } else { 2 }",
        "1.0",
    ),
    ("bits that units set", "let a = 0; for o in me.others { a |= 1 << o.id; } a", "14.0"),
    (
        "rounds that are skipped",
        "let n = 0; for o in me.others { if o.id == 2 { continue; } n += o.id; } n",
        "4.0",
    ),
    (
        "a list in a variable, once in any order and once not",
        "let near = me.others; let n = 0; let s = 0; for o in near { n += o.id; } for o in near { s = s * 10 + o.id; } n * 1000 + s",
        "6213.0",
    ),
    (
        "one loop in any order inside of one that is not",
        "let s = 0.0; for o in me.others { let n = 0; for p in me.others.within(me.distance_to(o)) { n += 1; } s = s * 10 + n; } s",
        "123.0",
    ),
    (
        "a function of the script",
        "fn far(me, o) { let d = me.distance_to(o); return d * d; } fn steer(me, world) { let s = 0.0; for o in me.others { s += far(me, o); } s }",
        "125.0",
    ),
    (
        "a function with a loop",
        "fn count(me, r) { let n = 0; for o in me.others.within(r) { n += 1; } n } fn steer(me, world) { count(me, 3.5) * 10 + count(me, 100) }",
        "13.0",
    ),
    ("a sum that fails", "let s = 0; for o in me.others { s += 9223372036854775807; } s", ""),
    (
        "a sum that is NaN",
        "let s = 0.0; for o in me.others { s += o.speed / 0.0; } s",
        "fails: steer returned a number that is not finite",
    ),
    ("a list that fails", "let n = 0; for o in me.others.within(\"far\") { n += 1; } n", ""),
    (
        "a list of a view that is not there",
        "let n = 0; for o in me.see(\"narow\").within(3) { n += 1; } n",
        "",
    ),
    (
        "the nearest kept by hand",
        "let best = 99.0; let who = (); for o in me.others { let d = me.distance_to(o); if d < best { best = d; who = o; } } who.id",
        "2.0",
    ),
    (
        "an array as it is filled",
        "let all = []; for o in me.others { all.push(o.id); } all[0] * 100 + all[1] * 10 + all[2]",
        "213.0",
    ),
    (
        "an array added to",
        "let all = []; for o in me.others { all += o.id; } all[0] * 100 + all[1] * 10 + all[2]",
        "213.0",
    ),
    (
        "what only looks like a list",
        "let m = #{ others: [5, 6] }; let n = 0; for o in m.others { n += o; } n",
        "11.0",
    ),
];
