//! Tests which scripts the compiler supports, and that it frees their memory.

use crate::{Execution, Program, Script, ScriptBehavior};

fn behavior(text: &str) -> ScriptBehavior {
    let script = Script::compile("test.rhai", text).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let program = Program::fold(&script, &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
    ScriptBehavior::new(program, Execution::Native)
}

/// Returns the reason why a body of `steer` is not supported.
fn refusal(body: &str) -> Option<String> {
    let behavior = behavior(&format!("fn steer(me, world) {{\n{body}\n}}"));
    behavior.unsupported().map(ToString::to_string)
}

#[test]
fn unsupported_constructs_are_named_with_their_position() {
    for (body, words) in [
        ("let a = [1, 2]; a[0]", "line 2, column 9: the compiler does not support an array"),
        ("let m = #{ a: 1 }; m.a", "line 2, column 9: the compiler does not support a map"),
        (
            "me.draw_text(me.position, `at ${me.id}`);",
            "line 2, column 27: the compiler does not support a string that is put together",
        ),
        (
            "let x = 0;\nx = 0.5;\nx",
            "line 3, column 3: the compiler does not support the variable `x`, which changes from an integer to a number; declare it as a number: `let x = 0.0;`, with a decimal point",
        ),
        (
            "let x = if me.speed > 1.0 { 1 } else { 0.5 };\nx",
            "line 2, column 21: the compiler does not support a value that is an integer or a number; write both as numbers, such as `1.0`",
        ),
        (
            "let speed = me.speed;\nif speed > 3.0 { speed = 0; }\nspeed",
            "line 3, column 24: the compiler does not support the variable `speed`, which changes from a number to an integer; write `speed = 0.0`",
        ),
        ("throw 1;", "line 2, column 1: the compiler does not support `throw`"),
    ] {
        assert_eq!(refusal(body).as_deref(), Some(words), "{body}");
    }
}

#[test]
fn optional_values_are_supported() {
    for body in [
        "let best = (); for other in me.others { best = other; } if best == () { return (); } best.velocity",
        "let hit = (); for it in world.obstacles { hit = it.ray(me.position, me.heading, 9); } hit ?? 0.0",
        "if me.speed > 1.0 { 1 } else if me.speed > 0.5 { 0.5 } else { () }",
        "world.player?.position",
        "let x = loop { if me.random() > 0.5 { break me.position; } }; x",
    ] {
        assert_eq!(refusal(body), None, "{body}");
    }
}

#[test]
fn reloaded_is_not_compiled() {
    let text = "const MEMORY = #{ a: 0.0 }; fn reloaded(old) { this.a = #{ b: old.a }.b; }
        fn steer(me, world) { this.a }";
    assert_eq!(behavior(text).unsupported(), None);
}

#[test]
fn recursion_is_supported() {
    let text = "fn sum(n) { if n <= 0 { return 0; } n + sum(n - 1) } fn steer(me, world) { sum(5) }";
    assert_eq!(behavior(text).unsupported(), None);
}
