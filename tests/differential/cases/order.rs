//! Order of evaluation, and short-circuit evaluation.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "assigned to while it is added to",
        "let n = 0.5; n += loop { if n > 3.0 { break 1.0; } n += 2.0; }; n",
        "5.5",
    ),
    ("a part assigned to while it is added to", "let v = vec(1, 2); v.x += { v.x = 5.0; 1.0 }; v.x", "6.0"),
    (
        "another part assigned to while one is added to",
        "let v = vec(1, 2); v.x += { v = vec(3, v.x); v.y }; v.x",
        "",
    ),
    (
        "memory assigned to while it is added to",
        "const MEMORY = #{ a: 1.0 }; fn steer(me, world) { this.a += { this.a = 4.0; 0.5 }; this.a }",
        "",
    ),
    ("assigned to on the other side", "let n = 1.0; let m = n + { n = 3.0; 0.5 }; m * 10 + n", ""),
    (
        "operands from left to right",
        "vec(me.random() - me.random(), me.random() * 2 - me.random() / 3)",
        "push 0.2819 0.26359516 0.0",
    ),
    ("arguments from left to right", "vec(me.random(), me.random(), me.random())", ""),
    (
        "arguments of functions from left to right",
        "fn f(a, b, c) { vec(c, b, a) } fn steer(me, world) { f(me.random(), me.random(), me.random()) }",
        "",
    ),
    (
        "arguments of methods after the receiver",
        "vec(me.random(), 0).lerp(vec(0, me.random()), me.random())",
        "",
    ),
    ("the receiver of an index first", "me.neighbors[to_int(me.random() * 3)].position * me.random()", ""),
    ("and asks no more than it must", "if me.random() > 2 && me.random() > 0 { 1 } else { me.random() }", ""),
    ("and asks on", "if me.random() < 2 && me.random() > 2 { 1 } else { me.random() }", ""),
    ("or asks no more than it must", "if me.random() < 2 || me.random() > 0 { me.random() } else { 1 }", ""),
    ("or asks on", "if me.random() > 2 || me.random() > 2 { 1 } else { me.random() }", ""),
    ("and without a failure", "let u = world.player; if me.id == 99 && me.zork { 1 } else { 2 }", "2.0"),
    ("or without a failure", "if me.id == 0 || me.zork { 1 } else { 2 }", "1.0"),
    ("bits ask both", "if (me.random() < 2) | (me.random() > 2) { me.random() } else { 1 }", ""),
    (
        "the value of an op-assign first",
        "let x = me.random(); x += me.random() * 10; x *= me.random(); x",
        "",
    ),
    (
        "a draw in a condition of a loop",
        "let n = 0; while me.random() < 0.8 && n < 20 { n += 1; } n + me.random()",
        "",
    ),
    ("a draw in a range", "let n = 0; for i in 0..to_int(me.random() * 5) { n += me.random(); } n", ""),
    (
        "a draw in a condition of a switch",
        "switch me.id { 0 if me.random() > 2 => 1, 0 if me.random() < 2 => me.random(), _ => 3 }",
        "",
    ),
    (
        "draws before a failure count",
        "let a = me.random(); let b = me.random(); me.zork",
        "fails: `zork` is not a property of me",
    ),
    (
        "marks before a failure stay",
        "me.mark(\"seen\"); me.draw_line(me.position, world.center); me.zork",
        "fails: `zork` is not a property of me",
    ),
    ("a left operand that fails", "(me.zork + me.random()) + me.random()", ""),
    ("a right operand that fails", "me.random() + me.neighbors[9].speed", ""),
    (
        "both operands fail",
        "me.neighbors[8].speed + me.neighbors[9].speed",
        "fails: there is no [8] in a list of 2",
    ),
    (
        "draws between bounds",
        "vec(me.random_between(-1, 1), me.random_between(2.0, 3), me.random_between(1, 1))",
        "",
    ),
    ("draws between crossed bounds", "me.random_between(5, -5) + me.random_between(me.speed / 0.0, 1)", ""),
    (
        "normal draws",
        "vec(me.random_normal(0, 1), me.random_normal(-3, 2), me.random_normal(me.speed, 0.0)) + me.random()",
        "",
    ),
    ("a normal draw with a negative deviation", "me.random_normal(1, -2) + me.random_normal(0, -0.0)", ""),
    (
        "increments of random walks",
        "vec(me.random_walk(1), me.random_walk(-0.5), me.random_walk(me.speed)) + me.random()",
        "",
    ),
    ("a normal draw without a deviation", "me.random_normal(1, 0.0 / 0.0 * me.speed)", ""),
    ("directions by chance", "me.random_direction() + me.random_direction()", ""),
    ("draws of two functions", "fn f(me) { me.random() } fn steer(me, world) { f(me) - f(me) * 10 }", ""),
];
