use steerbox_core::diagnostics::Severity;

use crate::Script;
use crate::tests::{Shelf, rows};

/// The scripts that tests may import.
const SHELF: Shelf<'_> =
    Shelf(&[("helpers", "const COUNT = 3; const N = 5; fn turned() { 1 } fn far(x) { #{ any: x } }")]);

/// Returns the messages for a body of `steer`, after `head`.
fn reported(head: &str, body: &str) -> Vec<String> {
    let text = format!("{head}\nfn steer(me, world) {{ {body} }}");
    match Script::reviewed("a.rhai", &text, &SHELF, false) {
        Ok(script) => {
            assert!((script.warnings.iter()).all(|it| it.severity == Severity::Warning));
            script.warnings.into_iter().map(|it| it.message).collect()
        }
        Err(faults) => faults.into_iter().map(|it| it.message).collect(),
    }
}

#[test]
fn code_that_may_be_valid_is_accepted() {
    for [head, body] in rows(
        r#"
        ¦ let x = (); if me.id == 1 { x = me; } x.speed
        ¦ let me = vec(1, 2); me.x
        ¦ let a = me.position; a = me.neighbors; a.len
        ¦ for me in me.neighbors { return me.speed; }
        ¦ let m = #{ left: 1, right: 2 }; m.left + m.right
        fn far(it) { it.len + it.speed } ¦ far(me)
        fn twice() { this * 2 } ¦ me.speed.twice()
        const UP = vec(0, 1); ¦ UP.y + UP.rotated(1).x
        const MEMORY = #{ n: 0 }; ¦ this.n = 3; this.n += 0.5; this.n
        const MEMORY = #{ n: 0.0 }; ¦ this.n += 0.1 * world.step; this.n += 1; this.n -= 2.0; this.n *= exp(-0.1 * world.step); this.n
        const MEMORY = #{ n: 0.0 }; ¦ this.n += me.random_walk(0.1) + me.random() * world.step; if me.id == 1 { this.n += 0.5; } this.n
        const MEMORY = #{ n: 0.0 }; ¦ let a = 0.1; this.n += a; this.n += (me.speed - this.n) * a; this.n += (me.speed - 1) * 0.1; this.n
        const MEMORY = #{ n: 0.0 }; fn touched(other) { this.n += 0.1; } ¦ this.n *= 2.5; this.n *= -0.5; this.n
        ¦ let x = me; if me.id == 1 { x = me.neighbors.nearest; } x.random_direction()
        ¦ let x = 1; try { me.mark("a"); } catch (x) { return x.length; } x + 1
        ¦ let x = 1; switch me.id { 0 => { x = me.position; }, _ => {} } x.length
        ¦ let x = if me.id == 1 { me } else { world }; x.speed
        ¦ world = me.position; for it in 0..3 { it = me; } world.length
        ¦ let m = [#{ a: me }]; m[0].a.speed + m[0].b.obstacles.len
        const M = #{ a: 1 }; ¦ M.a
        fn change() { this = vec(1, 2); } ¦ let x = 3; x.change(); x.length
        ¦ let a = type_of(me) == "Me"; me.random_direction().limit(2)
        ¦ world.obstacles[0].ray(me.position, me.heading, 9)
        ¦ let a = me.path?.length; me.neighbors[0].distance_to(me)
        ¦ let v = vec(1, 2); v.x = 3; v.y += 1.0; v *= 2; v.length
        ¦ if world.time % 9 < 3 || world.time % 2 < world.step * 5 || me.age % 1 < world.step { 1 } else { 0 }
        ¦ 4 / 2 + 3.0 / me.id + 5.0 / 2 + min(7.0, 2) / 2
        const N = param(4, 1, 9); ¦ let row = me.index / N; let column = me.index % N; vec(row * 2.0, column)
        ¦ let near = me.neighbors.nearest == (); loop { if near || me.is_steered { break; } } 1
        fn far(it) { it.distance_to(vec(0, 0)) > 3 } ¦ if far(me) { 1 } else { 0 }
        ¦ let s = 0.0; let l = me.others; for i in 0..l.len / 2 { s += l[i].speed; } s
        ¦ let l = me.others; let half = l.len / 2; l[half].speed + l[l.len / 2].speed
        ¦ let l = me.others; if l.len / 2 > 3 { 1 } else { 0 }
        ¦ let n = to_int(me.index / 3); n * 0.5 + floor(me.index / 2)
        ¦ switch me.index / 3 { 0 => 1.0, 1 => 2.0, _ => 0.0 }
        ¦ let half = me.index / 2; let twice = half * 2; if twice == me.index { 1 } else { 0 }
        ¦ let m = #{ a: 1 }; m.b = 2; m["c"] = 3; m.c
        ¦ let m = #{ a: 1 }; if me.id == 1 { m = #{ b: 2 }; } m.b
        ¦ let p = me.position; p.x += 3.0; let v = vec(1, 2); v.y = p.x; v
        const MEMORY = #{ goal: vec(0, 0) }; ¦ this.goal.x = 3; this.goal
        ¦ if me.group == "a" && world.target != () && me.speed != 0 { 1 } else { 0 }
        ¦ if "a" in #{ a: 1 } { -me.heading } else { +me.heading }
        ¦ switch me.id { 0 => 1, 1..5 => 2, _ => 3 }
        ¦ let a = (); for it in me.others { if a == () || it.speed > a.speed { a = it; } } if a == () { 1 } else { 0 }
        ¦ let a = (); if me.id == 1 { a = me.neighbors; } if a == () { 1 } else { a.len }
        fn far(it) { it == () } ¦ if far(me) || !far(me.neighbors) { 1 } else { 0 }
        ¦ let hit = world.obstacles.ray(me.position, me.heading, 9); if hit != () && world.target != () { 1 } else { 0 }
        const F = param("a", ["a", "b"]); ¦ let G = "z"; if F != "b" && G == "y" { 1 } else { 0 }
        ¦ if me.id == 1 { me.heading } else if me.id == 2 { 4 } else { 0 }
        ¦ if me.id == 1 { me.mark("a") } me.id == 2 && me.mark("b"); let m = [1]; m.pop(); m.push(2); 3
        fn far(it) { it.mark("a"); 3 } ¦ far(me); loop { if me.id == 1 { break 3; } } 1
        import "helpers" as h; ¦ h::turned(); let x = h::far(1); x.any / h::COUNT + h::N / 2 + h::turned()
        fn reloaded(old) { this.n = old.count; } const MEMORY = #{ n: 0 }; ¦ this.n
        "#,
    ) {
        assert_eq!(reported(&head, &body), [""; 0], "{head} {body}");
    }
}

#[test]
fn code_that_fails_whenever_reached_is_reported() {
    for [head, body, message] in rows(
        r#"
        ¦ if false { me.speeed } ¦ `speeed` is not a property of me
        ¦ let a = me.neighbors.nearest; a.len ¦ `len` is not a property of a unit
        ¦ let v = me.position; v += me.heading; v.w ¦ `w` is not a property of a vector
        ¦ world.obstacles[0].speed ¦ `speed` is not a property of an obstacle
        ¦ me.spawn("a", me.position, me.velocity, 1) ¦ `spawn` takes 1 argument or 3 arguments in parentheses, not 4
        ¦ for o in world.obstacles { o.normal() } ¦ `normal` takes 1 argument in parentheses, not 0
        fn far(it) { it.spede } ¦ far(me) ¦ nothing has a property `spede`
        const MEMORY = #{ n: 0 }; ¦ this.n = vec(1, 2); 1 ¦ `this.n` is a number, as MEMORY declares it: it cannot hold a vector
        ¦ let s = 0.0; for i in -7..=7 { s += i / 7 * 0.5; } s ¦ integers are divided without a fraction
        ¦ let n = me.neighbors.len / 10; let twice = n * 2; me.heading * twice ¦ integers are divided without a fraction
        const N = 4; ¦ let N = me.index; if me.speed > 3 { return N / 2; } 0 ¦ integers are divided without a fraction
        const MEMORY = #{ n: 0 }; ¦ this.n = me.index / 2; this.n ¦ integers are divided without a fraction
        ¦ let best = (); for it in me.others { best = it; } best.len ¦ `len` is not a property of a unit
        ¦ let x = 1; { let x = me.position; x.w } x ¦ `w` is not a property of a vector
        ¦ let x = if me.id == 1 { me.position } else { me.heading }; x.w ¦ `w` is not a property of a vector
        ¦ let x = switch me.id { 0 | 1 => 1, _ => 2 }; x.len ¦ `len` is not a property of an integer
        ¦ return 1; me.speeed ¦ `speeed` is not a property of me
        ¦ [me.speeed, 1].len ¦ `speeed` is not a property of me
        ¦ try { me.speeed } catch { 1 } ¦ `speeed` is not a property of me
        fn far(it) { it.distance_to(it).len } ¦ far(me) ¦ `len` is not a property of a number
        ¦ if me.speed > 3 && me.id == 1 == 2 { 1 } else { 0 } ¦ this is always false: a switch is compared with an integer
        ¦ let m = #{ a: 1 }; m.b ¦ `m` has no `b`
        ¦ me.heading.rotated(90) ¦ angles are in radians, and 90 is more than once around
        ¦ if world.time % 1.0 < world.step { 1 } else { 0 } ¦ rounding finds some periods in two successive steps, and others in none
        ¦ if world.step >= world.time % me.speed { 1 } else { 0 } ¦ rounding finds some periods in two successive steps, and others in none
        ¦ let way = me.heading * 2; ¦ steer ends with `let` and gives nothing
        ¦ me.position.x += 3; 1 ¦ this changes nothing: `position` gives a copy
        ¦ let a = me.neighbors.nearest; if a { 1 } else { 0 } ¦ expected a switch, not a unit
        ¦ if me.neighbors { 1 } else { 0 } ¦ expected a switch, not a list
        ¦ if me.speed > 3 && world.obstacles { 1 } else { 0 } ¦ expected a switch, not the obstacles
        ¦ let n = 3; while n { n -= 1; } n ¦ expected a switch, not an integer
        ¦ do { } while me.position; 1 ¦ expected a switch, not a vector
        ¦ if me.velocity > 3 { 1 } else { 0 } ¦ this is always false: a vector is compared with an integer
        ¦ if 1 < me.speed < 3 { 1 } else { 0 } ¦ this is always false: a switch is compared with an integer
        const N = param(3, 1, 9); ¦ 2 / N ¦ integers are divided without a fraction
        const N = 4; ¦ 7 / N ¦ integers are divided without a fraction: this is 1
        ¦ if me.neighbors == () { 1 } else { 0 } ¦ this is always false: `()` is compared with a list
        ¦ let l = me.others; if () != l.within(3) { 1 } else { 0 } ¦ this is always true: `()` is compared with a list
        ¦ if world.obstacles == () { 1 } else { 0 } ¦ this is always false: `()` is compared with the obstacles
        ¦ if me.position == () { 1 } else { 0 } ¦ this is always false: `()` is compared with a vector
        const F = param("a", ["a", "bee"]); ¦ if F == "be" { 1 } else { 0 } ¦ this is always false: F is never "be"
        const F = param("a", ["a", "bee"]); ¦ switch F { "a" => 1, "c" => 2, _ => 3 } ¦ this case is never reached: F is never "c"
        ¦ if me.id == 1 { me.heading * 2 } () ¦ this value is dropped: the function continues
        ¦ if me.id == 1 { vec(1, 2) } else { return 1; } () ¦ this value is dropped: the function continues
        ¦ me.heading.rotated(1); 3 ¦ this value is dropped: the function continues
        ¦ for it in me.neighbors { it.speed } 3 ¦ this value is dropped: the function continues
        ¦ switch me.id { 0 => me.heading, _ => me.mark("a") } 3 ¦ this value is dropped: the function continues
        ¦ if !me.neighbors { 1 } else { 0 } ¦ `!` does not work on a list
        const MEMORY = #{ n: 0.0 }; ¦ this.n += 0.1; this.n ¦ `this.n` changes by 0.1 in each step: in a second by 6 if the step is 1/60, by 3 if it is 1/30
        const R = param(0.5, 0.0, 1.0); const MEMORY = #{ n: 0.0 }; ¦ this.n = this.n - R / 5; this.n ¦ `this.n` changes by 0.1 in each step: in a second by 6 if the step is 1/60, by 3 if it is 1/30
        const MEMORY = #{ n: 1.0 }; ¦ this.n *= 0.9; this.n ¦ `this.n` is multiplied by 0.9 in each step: in a second by 0.0018 if the step is 1/60, by 0.0424 if it is 1/30
        const MEMORY = #{ n: 1.0 }; ¦ this.n += (me.speed - this.n) * 0.1; this.n ¦ `this.n` approaches by the share 0.1 in each step: in a second by 0.9982 if the step is 1/60, by 0.9576 if it is 1/30
        const N = 0.3; const MEMORY = #{ n: 0.0 }; ¦ this.n += N * (me.random() - 0.5); this.n ¦ `this.n` changes by a random number in each step: half the step doubles its mean change in a second, and its deviation becomes 1.41 times as large
        const MEMORY = #{ v: vec(0, 0) }; ¦ this.v += me.random_direction() * 0.5; this.v ¦ `this.v` changes by a random number in each step: half the step doubles its mean change in a second, and its deviation becomes 1.41 times as large
        "#,
    ) {
        assert_eq!(reported(&head, &body), [message], "{head} {body}");
    }
}

#[test]
fn variables_with_too_many_dependencies_are_not_reviewed() {
    let lines = |form: &dyn Fn(usize) -> String| (0..20).map(form).collect::<String>();
    let lets = lines(&|i| format!("let v{i} = 1;"));
    let moves = lines(&|i| format!("v{i} = v{};", i + 1));
    assert_eq!(reported("", &format!("{lets} let v20 = me; for i in 0..30 {{ {moves} }} v0.speed")), [""; 0]);
}

#[test]
fn the_number_of_faults_is_limited() {
    for (flood, least) in [
        ("me.nothing; nobody(1); ", 20),
        ("sin(nobody); ", 20),
        ("let a = ; ", 20),
        ("if a = 3 { ", 1),
        ("f(1; ", 1),
    ] {
        let count = reported("", &flood.repeat(400)).len();
        assert!((least..=20).contains(&count), "{flood}: {count}");
    }
}

#[test]
fn each_part_of_a_large_expression_is_visited_once() {
    fn sum(depth: usize) -> String {
        match depth {
            0 => "i / 7".to_owned(),
            _ => format!("({0} + {0})", sum(depth - 1)),
        }
    }
    // Visited again from each level, that would be some hundred million visits.
    let body = format!("let i = me.index; let s = {}; s * 0.5", sum(12));
    let text = format!("fn steer(me, world) {{ {body} }}");
    let mut engine = rhai::Engine::new_raw();
    engine.set_max_expr_depths(64, 64);
    let ast = engine.compile(text).unwrap();
    let bodies = crate::syntax::tree::bodies(&ast, None);
    let kinds = super::kinds(&bodies, &bodies[0], &super::Environment::default());
    let uses = super::Uses::new(&bodies[0], &kinds);
    assert!(uses.meets_variable("s") && uses.meets_variable("i"));
    assert!((1..60_000).contains(&kinds.typed_count), "{}", kinds.typed_count);
}
