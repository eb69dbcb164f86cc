//! Functions of scripts.

use super::Case;

pub(super) const CASES: &[Case] = &[
    ("a function", "fn twice(x) { x * 2 } fn steer(me, world) { twice(3) + twice(1.5) }", "9.0"),
    (
        "a function without a value",
        "fn idle(x) { x * 2; } fn steer(me, world) { if idle(3) == () { 1 } else { 2 } }",
        "2.0",
    ),
    (
        "a function of different sorts",
        "fn twice(x) { x + x } fn steer(me, world) { twice(me.velocity) * twice(1) + vec(twice(0.5), 0) }",
        "push 1.0 8.0 0.0",
    ),
    (
        "an argument is a copy",
        "fn bend(v) { v.x = 9; v *= 2; v } fn steer(me, world) { let v = vec(1, 2); bend(v) * 100 + v }",
        "push 1801.0 402.0 0.0",
    ),
    (
        "a number as an argument is a copy",
        "fn raise(n) { n += 5; n } fn steer(me, world) { let n = 1; raise(n) * 10 + n }",
        "61.0",
    ),
    (
        "functions see constants",
        "const K = 5; const V = vec(1, 2);\nfn k() { V * K } fn steer(me, world) { k() }",
        "push 5.0 10.0 0.0",
    ),
    (
        "functions see parameters",
        "const K = param(5, 0, 9); const ON = param(true); const W = param(\"a\", [\"a\", \"b\"]);\nfn k() { if ON && W == \"a\" { K / 2 } else { 0 } } fn steer(me, world) { k() }",
        "2.0",
    ),
    (
        "a unit or nothing",
        "fn near(me) { for o in me.neighbors { if o.id == 2 { return o; } } () } fn steer(me, world) { let o = near(me); if o == () { return 7; } o.position.x }",
        "13.0",
    ),
    (
        "nothing from a function",
        "fn near(me) { for o in me.neighbors { if o.id == 99 { return o; } } } fn steer(me, world) { near(me).position }",
        "fails: `position` is not a property of nothing",
    ),
    (
        "return inside loops of functions",
        "fn find(n) { for i in 0..9 { for j in 0..9 { if i * j == n { return i * 10 + j; } } } -1 } fn steer(me, world) { find(12) + find(11) * 100 }",
        "-74.0",
    ),
    (
        "a function calls itself",
        "fn sum(n) { if n <= 0 { 0 } else { n + sum(n - 1) } } fn steer(me, world) { sum(10) }",
        "55.0",
    ),
    (
        "a function calls itself twice",
        "fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } } fn steer(me, world) { fib(9) }",
        "34.0",
    ),
    (
        "just as deep as may be",
        "fn sum(n) { if n <= 0 { 0 } else { n + sum(n - 1) } } fn steer(me, world) { sum(13) + if me.id == 1 { sum(14) } else { 0 } }",
        "",
    ),
    ("depth 14", "fn sum(n) { if n <= 0 { 0 } else { n + sum(n - 1) } } fn steer(me, world) { sum(14) }", ""),
    ("depth 15", "fn sum(n) { if n <= 0 { 0 } else { n + sum(n - 1) } } fn steer(me, world) { sum(15) }", ""),
    ("depth 16", "fn sum(n) { if n <= 0 { 0 } else { n + sum(n - 1) } } fn steer(me, world) { sum(16) }", ""),
    (
        "too deep",
        "fn sum(n) { if n <= 0 { 0 } else { n + sum(n - 1) } } fn steer(me, world) { sum(17) }",
        "fails: functions call each other more than 16 deep",
    ),
    (
        "a function without a body is not a level of calls",
        "fn idle(a) { } fn sum(n) { idle(n); if n <= 0 { 0 } else { n + sum(n - 1) } } fn steer(me, world) { sum(14) }",
        "105.0",
    ),
    (
        "functions call each other",
        "fn even(n) { if n == 0 { true } else { odd(n - 1) } } fn odd(n) { if n == 0 { false } else { even(n - 1) } } fn steer(me, world) { if even(10) && !even(7) { 1 } else { 2 } }",
        "1.0",
    ),
    (
        "functions of one name",
        "fn f(a) { a } fn f(a, b) { a + b * 10 } fn steer(me, world) { f(1) + f(2, 3) }",
        "33.0",
    ),
    ("a function as a method", "fn past(x) { this + x } fn steer(me, world) { let n = 5; n.past(3) }", ""),
    ("a function that is not there", "fn steer(me, world) { zork(1) }", "fails: there is no function `zork`"),
    ("a function with too few arguments", "fn f(a, b) { a } fn steer(me, world) { f(1) }", ""),
    (
        "a failure inside a function",
        "fn f(me) {\n    me.zork\n}\nfn steer(me, world) { f(me) }",
        "fails: `zork` is not a property of me",
    ),
    (
        "arguments by name hide",
        "fn f(x) { let y = x; { let x = y * 2; y = x; } x * 10 + y } fn steer(me, world) { let x = 1; f(3) + x * 1000 }",
        "",
    ),
    (
        "lists as arguments",
        "fn mean(list) { list.mean_position } fn steer(me, world) { mean(me.neighbors) - mean(me.enemies) }",
        "push -8.5 2.0 0.0",
    ),
    (
        "the world as an argument",
        "fn way(me, world) { world.target - me.position } fn steer(me, world) { way(me, world) }",
        "push -9.0 -8.0 0.0",
    ),
    (
        "nothing as an argument",
        "fn f(x) { if x == () { 5 } else { x } } fn steer(me, world) { f(()) + f(2) }",
        "",
    ),
    ("steer calls steer", "fn steer(me, world) { if me.id == 0 { 1 } else { steer(me, world) } }", ""),
    (
        "a name of the API with other arguments",
        "fn turn(a, b, c) { a + b + c } fn steer(me, world) { 1 }",
        "",
    ),
    ("hiding me", "let me = me.position; me", ""),
    (
        "me under another name",
        "let unit = me; let near = me.neighbors; unit.position + near.mean_velocity",
        "",
    ),
];
