//! What steer must not do, and what the failure says.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "steer returns a switch",
        "me.id == 0",
        "fails: steer returned a switch instead of a number, turn(…), a vector or ()",
    ),
    (
        "steer returns a word",
        "\"hello\"",
        "fails: steer returned a string instead of a number, turn(…), a vector or ()",
    ),
    (
        "steer returns a unit",
        "me.neighbors.nearest",
        "fails: steer returned a unit instead of a number, turn(…), a vector or ()",
    ),
    (
        "steer returns a list",
        "me.neighbors",
        "fails: steer returned a list instead of a number, turn(…), a vector or ()",
    ),
    ("steer returns me", "me", ""),
    ("steer returns the world", "world", ""),
    ("steer returns an obstacle", "world.obstacles[0]", ""),
    ("steer returns an array", "[1, 2]", ""),
    ("steer returns a map", "#{ x: 1 }", ""),
    ("steer returns a path", "me.path", ""),
    (
        "nothing plus a number",
        "let x = (); if me.id == 1 { x = 3; } x + 1",
        "fails: `+` does not work between nothing and an integer",
    ),
    (
        "a number plus nothing",
        "let x = (); if me.id == 1 { x = 3; } 1 + x",
        "",
    ),
    (
        "a vector minus nothing",
        "let x = (); if me.id == 1 { x = me.velocity; } me.position - x",
        "",
    ),
    (
        "nothing in place of a number",
        "let x = (); if me.id == 1 { x = 3; } sin(x)",
        "",
    ),
    (
        "nothing in place of a vector",
        "let x = (); if me.id == 1 { x = me.velocity; } x.length",
        "fails: `length` is not a property of nothing",
    ),
    (
        "nothing as a receiver",
        "let x = (); if me.id == 1 { x = me.velocity; } x.limit(3)",
        "fails: `limit` does not take (nothing, an integer)",
    ),
    (
        "nothing below a number",
        "let x = (); if me.id == 1 { x = 3; } if x < 5 { 1 } else { 2 }",
        "",
    ),
    (
        "nothing equals nothing alone",
        "let x = (); if me.id == 1 { x = 3; } (if x == () { 1 } else { 2 }) + (if x == 3 { 10 } else { 20 }) + (if x != 3 { 100 } else { 200 })",
        "121.0",
    ),
    (
        "nothing negated",
        "let x = (); if me.id == 1 { x = 3; } -x",
        "",
    ),
    (
        "nothing in a coordinate",
        "let v = vec(1, 2); v.x = world.player; v",
        "",
    ),
    ("nothing in place of an index", "me.neighbors[()]", ""),
    ("a switch plus a number", "(me.id == 0) + 1", ""),
    (
        "switches compare",
        "if (me.id == 0) == true && (me.id == 0) != false { 1 } else { 2 }",
        "",
    ),
    (
        "switches in order",
        "if (me.id == 0) > false { 1 } else { 2 }",
        "",
    ),
    (
        "words compare",
        "(if me.group == \"flock\" { 1 } else { 0 }) + (if me.group < \"zoo\" { 10 } else { 0 }) + (if me.group != \"hunters\" { 100 } else { 0 }) + (if me.group == 1 { 1000 } else { 0 })",
        "",
    ),
    (
        "a word minus a number",
        "\"a\" - 1",
        "fails: `-` does not work between a string and an integer",
    ),
    (
        "a function of a wrong sort",
        "sqrt(me.velocity)",
        "fails: `sqrt` does not take (a vector)",
    ),
    (
        "a method of a wrong sort",
        "me.velocity.dot(1)",
        "fails: `dot` does not take (a vector, an integer)",
    ),
    ("too many arguments", "sin(1, 2)", ""),
    (
        "the place is that of the failure",
        "let a = 1;\nlet b = 2;\n  a + b + me.zork",
        "fails: `zork` is not a property of me",
    ),
    (
        "the place of an operator",
        "let a = 9223372036854775807;\n    a + (me.id + 1)",
        "",
    ),
    (
        "the place of an op-assign",
        "let a = 9223372036854775807;\n    a += me.id + 1; a",
        "",
    ),
    (
        "the place of an index",
        "let a = me.neighbors;\n  let b = a[7];\n b.speed",
        "",
    ),
    (
        "the place inside a loop",
        "let n = 0;\nfor i in 0..3 {\n    n += 6 / (2 - i);\n}\nn",
        "fails: Division by zero: 6 / 0",
    ),
    (
        "a failure for some units alone",
        "if me.id == 1 { me.zork } else { me.id }",
        "0.0",
    ),
    (
        "a failure in one step alone",
        "if world.time > 0.3 { me.zork } 1",
        "1.0",
    ),
    ("thrown", "throw \"away\"", "fails: away"),
    (
        "thrown and caught",
        "let x = 1; try { x = 2; me.zork; x = 3; } catch { x += 10; } x",
        "12.0",
    ),
    (
        "arrays",
        "let a = [1, 2.5, me.id]; a.push(7); let n = 0; for x in a { n += x; } n + a[1] + a.len",
        "",
    ),
    ("an array past its end", "let a = [1, 2]; a[5]", ""),
    (
        "maps",
        "let m = #{ x: 1.5, y: me.id }; m.x += 1; if \"x\" in m { m.x + m.y } else { 0 }",
        "",
    ),
    (
        "words put together",
        "let s = \"a\" + 1 + true; if s == \"a1true\" { 1 } else { 2 }",
        "",
    ),
    (
        "a parameter as a receiver",
        "const K = param(3, 0, 10);\nfn steer(me, world) { K.abs() }",
        "",
    ),
    (
        "a constant as a receiver",
        "const V = vec(3, 4);\nfn steer(me, world) { V.length + V.limit(1).x }",
        "5.6",
    ),
    (
        "a constant of a wrong sort",
        "const V = vec(3, 4);\nfn steer(me, world) { V + 1 }",
        "",
    ),
];
