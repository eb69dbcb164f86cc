//! Choices and loops.

use super::Case;

pub(super) const CASES: &[Case] = &[
    (
        "if without else gives nothing",
        "if me.id == 0 { }",
        "nothing",
    ),
    (
        "if as a value",
        "let x = if me.id == 0 { 3 } else { 4.5 }; x",
        "3.0",
    ),
    (
        "if without else as a value",
        "let x = if me.id == 7 { 3 }; if x == () { 1 } else { 2 }",
        "1.0",
    ),
    (
        "else if",
        "if me.id == 5 { 1 } else if me.id == 0 { 2 } else { 3 }",
        "",
    ),
    (
        "if of no switch",
        "if me.id { 1 } else { 2 }",
        "fails: expected a switch, not an integer",
    ),
    ("if of nothing", "if world.target { 1 } else { 2 }", ""),
    ("while of no switch", "while me.id { } 1", ""),
    ("not of no switch", "!me.id", ""),
    ("and of no switch", "if me.id && true { 1 } else { 2 }", ""),
    (
        "or of no switch on the right",
        "if me.id == 1 || me.id { 1 } else { 2 }",
        "",
    ),
    (
        "switch over integers",
        "switch me.id { 0 => 5, 1 => 6, _ => 7 }",
        "5.0",
    ),
    (
        "switch over several",
        "switch me.id { 1 | 2 => 5, 3 | 0 => 6, _ => 7 }",
        "6.0",
    ),
    (
        "switch over ranges",
        "switch me.id + 3 { 0 => 1, 1..3 => 2, 3..=3 => 4, 1..9 => 5, _ => 7 }",
        "4.0",
    ),
    (
        "switch without a match",
        "switch me.id + 3 { 0 => 1, 1 => 2 }",
        "nothing",
    ),
    (
        "switch with conditions",
        "switch me.id { 0 if me.speed > 5 => 1, 0 if me.speed > 1 => 2, 0 => 3, _ => 4 }",
        "2.0",
    ),
    (
        "switch over ranges with conditions",
        "switch me.id + 1 { 0..5 if me.speed > 5 => 1, 0..=1 if world.target == () => 2, 1..2 => 3, _ => 4 }",
        "",
    ),
    (
        "switch over words",
        "switch me.group { \"hunters\" => 1, \"flock\" | \"player\" => 2, _ => 3 }",
        "2.0",
    ),
    (
        "switch over switches",
        "switch me.has_view { true => 1, false => 2 }",
        "",
    ),
    (
        "switch over a number",
        "switch me.speed { 2 => 1, 2.0 => 2, _ => 3 }",
        "",
    ),
    (
        "switch over a number in a range",
        "switch me.speed { 1..5 => 1, _ => 3 }",
        "",
    ),
    (
        "switch over nothing",
        "switch world.target { () => 1, _ => 2 }",
        "",
    ),
    (
        "switch over a vector",
        "switch me.velocity { 1 => 1, _ => 2 }",
        "",
    ),
    (
        "switch with a condition that is no switch",
        "switch me.id { 0 if me.id => 1, _ => 2 }",
        "",
    ),
    (
        "switch asks once",
        "let n = 0; switch me.random() < 2 { true => { n += 1 } } me.random() + n",
        "",
    ),
    (
        "while",
        "let n = 0; while n < 5 { n += 1; if n == 3 { continue; } if n == 4 { break; } } n",
        "4.0",
    ),
    (
        "loop with a value",
        "let n = 0; let x = loop { n += 1; if n > 3 { break n * 2.5; } }; x",
        "10.0",
    ),
    (
        "loop with a bare break",
        "let x = loop { break; }; if x == () { 1 } else { 2 }",
        "",
    ),
    (
        "while with a value",
        "let n = 0; let x = while n < 5 { n += 1; if n == 3 { break n; } }; if x == () { 1 } else { x }",
        "",
    ),
    (
        "for with a value",
        "let x = for i in 0..5 { if i == 3 { break i; } }; if x == () { 1 } else { x }",
        "",
    ),
    (
        "do while",
        "let n = 0; do { n += 1; if n == 2 { continue; } } while n < 3; n",
        "3.0",
    ),
    (
        "do until",
        "let n = 9; do { n += 1; } until n > 3; n",
        "10.0",
    ),
    (
        "do and break",
        "let n = 0; do { n += 1; if n == 2 { break; } } while true; n",
        "",
    ),
    (
        "for over a range",
        "let n = 0; for i in 1..4 { n = n * 10 + i; } n",
        "123.0",
    ),
    (
        "for over a range with its end",
        "let n = 0; for i in -1..=2 { n = n * 10 + i; } n",
        "-988.0",
    ),
    (
        "for over an empty range",
        "let n = 5; for i in 3..1 { n = 0; } for i in 3..3 { n = 0; } n",
        "5.0",
    ),
    (
        "for over a range that counts down",
        "let n = 0; for i in 2..=1 { n = 1; } n",
        "",
    ),
    (
        "for in steps",
        "let n = 0; for i in range(0, 7, 3) { n = n * 10 + i; } n",
        "36.0",
    ),
    (
        "for in steps down",
        "let n = 0; for i in range(7, 0, -3) { n = n * 10 + i; } n",
        "741.0",
    ),
    (
        "for in steps the wrong way",
        "let n = 5; for i in range(7, 0, 3) { n = 0; } n",
        "",
    ),
    (
        "for in steps of zero",
        "let n = 5; for i in range(0, 7, me.id) { n = 0; } n",
        "fails: step value cannot be zero",
    ),
    (
        "for in steps of numbers",
        "let n = 0; for x in range(0.0, 1.0, 0.25) { n = n * 10 + x; } n",
        "30.75",
    ),
    (
        "for over a mixed range",
        "let n = 0; for x in range(0, 1.0, 0.25) { n += x; } n",
        "",
    ),
    ("for over numbers", "for x in 0.0..3.0 { } 1", ""),
    (
        "for over a range of a variable",
        "let r = 0..3; let n = 0; for i in r { n += i; } n",
        "",
    ),
    (
        "for over a number",
        "for i in me.id { } 1",
        "fails: `for` goes over a list or a range, and this is neither",
    ),
    ("for over nothing", "for i in world.target { } 1", ""),
    (
        "for with a counter",
        "let n = 0; for (i, at) in 5..8 { n = n * 100 + i * 10 + at; } n",
        "506172.0",
    ),
    (
        "for over units",
        "let n = 1; for other in me.neighbors { n = n * 10 + other.id; } n",
        "121.0",
    ),
    (
        "for over units with a counter",
        "let n = 1; for (other, at) in me.neighbors { n = n * 100 + other.id * 10 + at; } n",
        "",
    ),
    (
        "for over obstacles",
        "let n = 0; for wall in world.obstacles { n += wall.radius; } n",
        "5.0",
    ),
    (
        "the variable of a loop is a copy",
        "let n = 0; for i in 0..3 { i += 10; n += i; } n",
        "33.0",
    ),
    (
        "the variable of a loop hides another",
        "let i = 7; let n = 0; for i in 0..3 { n += i; } n * 10 + i",
        "37.0",
    ),
    (
        "the end of a range is asked once",
        "let n = 3; let c = 0; for i in 0..n { n = 9; c += 1; } c",
        "3.0",
    ),
    (
        "loops inside loops",
        "let n = 0; for i in 0..4 { for j in 0..4 { if j == 2 { continue; } if i == j { break; } n += i * 10 + j; } } n",
        "",
    ),
    (
        "return from inside loops",
        "for i in 0..9 { let n = 0; while true { n += 1; if n * i == 6 { return n * 10 + i; } if n > 6 { break; } } } 0",
        "61.0",
    ),
    ("return without a value", "return; 5", "nothing"),
    (
        "return in a value",
        "let x = if me.id == 0 { return 3; } else { 4 }; x",
        "",
    ),
    (
        "hiding in a block",
        "let x = 1; { let x = 2; x += 1; } { x += 10; } x",
        "11.0",
    ),
    (
        "hiding in the same block",
        "let x = 1; let y = x + 1; let x = vec(y, 5); x",
        "",
    ),
    (
        "hiding by another sort",
        "let x = 1; if me.id == 0 { let x = me.velocity; x.y += 1; } x",
        "",
    ),
    (
        "a block has a value",
        "let x = { let y = 2; y * 3 }; x + { 1 }",
        "",
    ),
    (
        "the value of an assignment",
        "let x = 1; let y = { x = 5; }; if y == () { x } else { 0 }",
        "",
    ),
    ("a statement's value is nothing", "let x = 1; x;", ""),
    ("the last value counts", "let x = 1; x", ""),
    (
        "a constant inside",
        "const K = 5; let n = 0; for i in 0..K { n += i; } n",
        "",
    ),
    (
        "a variable that may be of two sorts",
        "let x = 1; if me.id == 0 { x = vec(1, 2); } x",
        "",
    ),
    (
        "a variable that becomes a number",
        "let x = 0; for i in 0..3 { x += 0.5; } x",
        "1.5",
    ),
    (
        "in a range",
        "(if me.id in 0..3 { 1 } else { 0 }) + (if me.id !in 0..=2 { 10 } else { 0 }) + (if (1..3).contains(me.id) { 100 } else { 0 })",
        "",
    ),
];
