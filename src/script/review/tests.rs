use std::sync::Arc;

use crate::diagnostics::Severity;
use crate::script::{Library, Script};

/// What scripts here may import.
struct Helpers;

impl Library for Helpers {
    fn text(&self, _: &str) -> Result<Arc<str>, String> {
        Ok("const COUNT = 3; const N = 5; fn turned() { 1 } fn far(x) { #{ any: x } }".into())
    }
}

/// What is said of the body of `steer`, after `head`.
fn said(head: &str, body: &str) -> Vec<String> {
    let text = format!("{head}\nfn steer(me, world) {{ {body} }}");
    match Script::reviewed("a.rhai", &text, &Helpers, false) {
        Ok(script) => {
            assert!((script.warnings.iter()).all(|it| it.severity == Severity::Warning));
            script.warnings.into_iter().map(|it| it.message).collect()
        }
        Err(faults) => faults.into_iter().map(|it| it.message).collect(),
    }
}

#[test]
fn what_may_be_right_is_let_pass() {
    for (head, body) in [
        ("", "let x = (); if me.id == 1 { x = me; } x.speed"),
        ("", "let me = vec(1, 2); me.x"),
        ("", "let a = me.position; a = me.neighbors; a.len"),
        ("", "for me in me.neighbors { return me.speed; }"),
        ("", "let m = #{ left: 1 }; m.left + m.right"),
        ("fn far(it) { it.len + it.speed }", "far(me)"),
        ("fn twice() { this * 2 }", "me.speed.twice()"),
        ("const UP = vec(0, 1);", "UP.y + UP.rotated(1).x"),
        (
            "const MEMORY = #{ n: 0 };",
            "this.n = 3; this.n += 0.5; this.n",
        ),
        ("", "type_of(me) == \"Me\"; me.random_direction().limit(2)"),
        ("", "world.obstacles[0].ray(me.position, me.heading, 9)"),
        ("", "me.path?.length; me.neighbors[0].distance_to(me)"),
        (
            "",
            "let v = vec(1, 2); v.x = 3; v.y += 1.0; v *= 2; v.length",
        ),
        ("", "4 / 2 + 3 / me.id + 5.0 / 2 + min(7, 2) / 2"),
        ("const N = 4;", "let N = 3; N / 2"),
        (
            "",
            "if \"a\" in #{ a: 1 } { -me.heading } else { +me.heading }",
        ),
        ("", "switch me.id { 0 => 1, 1..5 => 2, _ => 3 }"),
        (
            "import \"helpers\" as h;",
            "let x = h::far(1); x.any / h::COUNT + h::N / 2 + h::turned()",
        ),
        (
            "fn reloaded(old) { this.n = old.count; }\nconst MEMORY = #{ n: 0 };",
            "this.n",
        ),
    ] {
        assert_eq!(said(head, body), [""; 0], "{head} {body}");
    }
}

#[test]
fn what_fails_wherever_it_is_reached_is_told() {
    for (head, body, message) in [
        (
            "",
            "if false { me.speeed }",
            "`speeed` is not a property of me",
        ),
        (
            "",
            "let a = me.neighbors.nearest; a.len",
            "`len` is not a property of a unit",
        ),
        (
            "",
            "let v = me.position; v += me.heading; v.w",
            "`w` is not a property of a vector",
        ),
        (
            "",
            "world.obstacles[0].speed",
            "`speed` is not a property of an obstacle",
        ),
        (
            "",
            "for o in world.obstacles { o.normal() }",
            "`normal` takes 1 argument in parentheses, not 0",
        ),
        (
            "fn far(it) { it.spede }",
            "far(me)",
            "nothing has a property `spede`",
        ),
        (
            "const MEMORY = #{ n: 0 };",
            "this.n = vec(1, 2); 1",
            "`this.n` is a number, as MEMORY declares it: it cannot hold a vector",
        ),
        (
            "const N = param(3, 1, 9);",
            "2 / N",
            "integers are divided without a fraction",
        ),
        (
            "const N = 4;",
            "7 / N",
            "integers are divided without a fraction: this is 1",
        ),
    ] {
        assert_eq!(said(head, body), [message], "{head} {body}");
    }
}

#[test]
fn a_flood_of_mistakes_ends() {
    for flood in ["me.nothing; nobody(1); ", "sin(nobody); "] {
        assert_eq!(said("", &flood.repeat(400)).len(), 20, "{flood}");
    }
}
