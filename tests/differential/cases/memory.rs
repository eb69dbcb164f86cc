//! Memory of units.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "memory is read and written",
        "const MEMORY = #{ n: 0.0, on: false, goal: vec(1, 2) };\nfn steer(me, world) { this.n += 1; this.on = !this.on; this.goal.x = 5; this.goal += me.velocity; if this.on { this.goal * this.n } else { this.n } }",
        "push 5.0 4.0 0.0",
    ),
    (
        "an integer in memory reads as a number",
        "const MEMORY = #{ n: 3 };\nfn steer(me, world) { this.n = 7; this.n / 2 }",
        "3.5",
    ),
    (
        "op-assigns of memory",
        "const MEMORY = #{ n: 3, v: vec(1, 2) };\nfn steer(me, world) { this.n += 7; this.n -= 1; this.n *= 3; this.n /= 2; this.n %= 8; this.n **= 2; this.v *= 2; this.v -= vec(0, 1); this.v /= 4; this.v * this.n }",
        "push 15.125 22.6875 0.0",
    ),
    (
        "a coordinate in memory",
        "const MEMORY = #{ v: vec(1, 2) };\nfn steer(me, world) { this.v.y *= 3; this.v.z = this.v.x + me.id; this.v }",
        "push 1.0 6.0 1.0",
    ),
    (
        "memory is copied out",
        "const MEMORY = #{ v: vec(1, 2) };\nfn steer(me, world) { let v = this.v; v.x = 9; this.v * 10 + v }",
        "push 19.0 22.0 0.0",
    ),
    (
        "a number in a bool field of memory",
        "const MEMORY = #{ on: false };\nfn steer(me, world) { this.on = 1; 1 }",
        "fails: `this.on` is a switch, as MEMORY declares it: it cannot hold an integer",
    ),
    (
        "nothing where a vector is remembered",
        "const MEMORY = #{ v: vec(0, 0) };\nfn steer(me, world) { this.v = world.player; this.v }",
        "",
    ),
    (
        "what memory does not declare",
        "const MEMORY = #{ angle: 0.0 };\nfn steer(me, world) { this.angel }",
        "fails: MEMORY declares no `angel`: did you mean `this.angle`?",
    ),
    (
        "what memory does not declare is set",
        "const MEMORY = #{ angle: 0.0 };\nfn steer(me, world) { this.angel = 1; 1 }",
        "",
    ),
    ("memory without a declaration", "this.x", "fails: `this` needs a MEMORY"),
    ("memory without a declaration is set", "this.x = 1; 1", ""),
    (
        "memory inside another function",
        "const MEMORY = #{ n: 0 };\nfn count() { this.n += 1; this.n } fn steer(me, world) { count() }",
        "fails: `this` needs a MEMORY",
    ),
    (
        "memory keeps what was written before a failure",
        "const MEMORY = #{ n: 0 };\nfn steer(me, world) { this.n += 1; if this.n == 2 { me.zork } this.n }",
        "1.0",
    ),
    (
        "memory may hold what is not finite",
        "const MEMORY = #{ n: 0 };\nfn steer(me, world) { this.n = me.speed / 0.0; if this.n > 1 { 1 } else { 0 } }",
        "",
    ),
    (
        "memory may contain NaN",
        "const MEMORY = #{ n: 0, v: vec(0, 0) };\nfn steer(me, world) { this.n = 0.0 / (me.speed - me.speed); this.v.x = this.n; if this.n == this.n { 1 } else { 2 } }",
        "2.0",
    ),
    (
        "memory in a loop",
        "const MEMORY = #{ n: 0 };\nfn steer(me, world) { for i in 0..4 { this.n += i; } while this.n > 5 { this.n -= 2; } this.n }",
        "",
    ),
    (
        "memory as an index",
        "const MEMORY = #{ n: 1.9 };\nfn steer(me, world) { me.neighbors[this.n].id }",
        "1.0",
    ),
    (
        "methods of what is remembered",
        "const MEMORY = #{ v: vec(3, 4), n: -2.5 };\nfn steer(me, world) { this.v.limit(1).length + this.v.length + this.n.abs() + abs(this.n) }",
        "11.0",
    ),
    (
        "memory compared with nothing",
        "const MEMORY = #{ v: vec(3, 4) };\nfn steer(me, world) { if this.v == () { 1 } else { 2 } }",
        "",
    ),
    (
        "memory hands itself over",
        "const MEMORY = #{ v: vec(3, 4) };\nfn bend(v) { v.x = 9; v.x } fn steer(me, world) { bend(this.v) * 10 + this.v.x }",
        "93.0",
    ),
];
