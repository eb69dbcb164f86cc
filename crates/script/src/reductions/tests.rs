use super::of_file;
use crate::interpret::engine;
use crate::syntax::tree;

/// Returns the reason why each `for` of a text is not a reduction; `None` for reductions.
fn verdicts(text: &str) -> Vec<Option<String>> {
    let ast = engine::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut found = Vec::new();
    super::each_loop(&ast, &tree::bodies(&ast, None), |_, looping| found.push(looping.verdict.err()));
    found
}

/// Returns the verdict on the first loop in a body of `steer`, after `head`.
fn verdict(head: &str, body: &str) -> Option<String> {
    let text = format!("{head}\nfn steer(me, world) {{ {body} }}");
    verdicts(&text).swap_remove(0)
}

#[test]
fn accumulating_loops_are_reductions() {
    for body in [
        "let a = 0; for o in me.neighbors { a += 1; } a",
        "let a = vec(0, 0); for o in me.others.within(4.0) { a -= o.velocity; } a",
        "let a = me.position; for o in me.enemies { a.x += 1.0; a.y -= o.speed; a += o.velocity; } a",
        "let a = HORIZON; for o in me.see(\"wide\") { a = min(a, me.distance_to(o)); } a",
        "let a = 0.0; for o in me.see(\"wide\").within(9).within(3) { a = max(a, o.speed); } a",
        "let a = false; for o in me.others { if o.has_mark(\"seen\") { a = true; } } if a { 1 } else { 0 }",
        "let a = true; for o in me.others { if o.speed > 1.0 { continue; } a = false; } if a { 1 } else { 0 }",
        "let a = false; let b = true; for o in me.others { a |= o.speed > 1.0; b &= o.is(\"craft\"); } 0.0",
        "let a = 0; for o in me.others.within(this.reach + me.random()) { a += 1; } a",
        "let near = me.others.within(3.0); let a = 0; for o in near { a += near.len; } a",
        "let near = me.others; let a = 0; for o in near.within(me.speed) { a += 1; } a",
        "let a = 0.0; let n = 0; for o in me.others { let d = me.distance_to(o); d *= 2; a += d; n += 1; } a / n",
        "let a = 0.0; for o in me.others { let b = a_of(o); switch o.index { 0 => a += b, _ => a += 2.0 * b } } a",
        "let a = 0.0; for o in me.others { a += o.signal(\"heat\") + if o.speed > 1.0 { 1.0 } else { 2.0 }; } a",
        "let a = 0; { for o in me.others { let a = 5; a = o; } } a",
        "let a = 0.0; let b = a * 2 - TAU; for o in me.others { b += me.others.within(1).len; } b",
    ] {
        let head = "const HORIZON = param(1.5, 0.0, 3.0); fn a_of(o) { let a = o.speed; return a * 2; }";
        assert_eq!(verdict(head, body), None, "{body}");
    }
}

#[test]
fn order_dependent_loops_have_a_reason() {
    let unseen = "it does not go through `neighbors`, `others`, `enemies`, `see(…)` or `within(…)` of these";
    let of_mixed = "`a` may be something else than a number, a switch or a vector";
    for (body, why) in [
        // Lists.
        ("for o in me.touching { a += 1; }", unseen),
        ("for o in me.others.first(3) { a += 1; }", unseen),
        ("for o in me.others.marked(\"seen\").within(3) { a += 1; }", unseen),
        ("for o in me?.others { a += 1; }", unseen),
        ("for o in [me.others][0] { a += 1; }", unseen),
        ("for o in listed(me) { a += 1; }", unseen),
        ("for o in world.obstacles { a += 1; }", unseen),
        ("for o in 0..3 { a += 1; }", unseen),
        ("let l = me.others; l = me.touching; for o in l { a += 1; }", unseen),
        ("let l = me.others; { let l = me.touching; } for o in l { a += 1; }", unseen),
        ("let l = me.others; l.spoil(); for o in l { a += 1; }", unseen),
        ("me = 3; for o in me.others { a += 1; }", unseen),
        ("for me in me.others { a += 1; }", unseen),
        ("for (o, i) in me.others { a += i; }", "it counts its iterations"),
        ("for o in me.others.within(a) { a += 1; }", "`a` is read by its list"),
        // Exits, inner loops and side effects.
        ("for o in me.others { a += 1; break; }", "`break` ends it"),
        ("for o in me.others { if a > 3 { return a; } }", "`return` ends it"),
        ("for o in me.others { throw 1; }", "`throw` ends it"),
        ("for o in me.others { for p in me.others { a += 1; } }", "a loop is in it"),
        ("for o in me.others { while a < 3 { a += 1; } }", "a loop is in it"),
        ("for o in me.others { try { a += 1; } catch { } }", "`try` or the like is in it"),
        ("for o in me.others { a += this.n; }", "it reads or writes the memory"),
        ("for o in me.others { this.n += 1; }", "it reads or writes the memory"),
        ("for o in me.others { a += me.random(); }", "it calls `random`"),
        ("for o in me.others { a += me.random_between(1, 2); }", "it calls `random_between`"),
        ("for o in me.others { me.mark(\"seen\"); }", "it calls `mark`"),
        ("for o in me.others { me.signal(\"heat\", 1); }", "it calls `signal`"),
        ("for o in me.others { me.watch(\"speed\", o.speed); }", "it calls `watch`"),
        ("for o in me.others { me.draw_line(me.position, o.position); }", "it calls `draw_line`"),
        ("for o in me.others { a += me.others.first(2).len; }", "it calls `first`"),
        ("for o in me.others { b.push(o); }", "it calls `push`"),
        ("for o in me.others { print(o); }", "it calls `print`"),
        ("for o in me.others { a += drawn(me); }", "it calls `drawn`, and it calls `random`"),
        ("for o in me.others { a += looped(3); }", "it calls `looped`, and a loop is in it"),
        ("for o in me.others { a += down(3); }", "it calls `down`, and it calls `down`, which calls itself"),
        ("for o in me.others { a += h::far(o); }", "it calls `far`, which stands in another file"),
        ("for o in me.others { let t = `${o.id}`; }", "a text is put together in it"),
        ("for o in me.others { b += [o]; }", "an array is made in it"),
        ("for o in me.others { let m = #{ x: 1 }; }", "a map is made in it"),
        // Outer variables.
        ("for o in me.others { if o.speed < a { a = o.speed; b = o; } }", "`a` is read by a condition"),
        ("for o in me.others { a += 1; if o.speed > 1.0 { a += a; } }", "`a` is read in line 4"),
        ("for o in me.others { a = a + 1; }", "`a` is read in line 4"),
        ("for o in me.others { a = min(a, a + 1); }", "`a` is read in line 4"),
        ("for o in me.others { b = o; }", "`b` is set, and the last iteration counts"),
        ("for o in me.others { a = min(o.speed, 1.0); }", "`a` is set, and the last iteration counts"),
        ("for o in me.others { a *= o.speed; }", "`a` is set, and the last iteration counts"),
        ("for o in me.others { a[0] += o.speed; }", "`a` is set, and the last iteration counts"),
        ("for o in me.others { a += 1; a = max(a, o.speed); }", "`a` changes in several ways"),
        (
            "for o in me.others { if o.speed > 1.0 { s = true; } else { s = false; } }",
            "`s` changes in several ways",
        ),
        ("for o in me.others { b += o; }", "`b` may be something else than a number, a switch or a vector"),
        ("let a = \"\"; for o in me.others { a += o.group; }", of_mixed),
        ("a = listed(me); for o in me.others { a += 1; }", of_mixed),
        (
            "let TOP = [1]; let c = TOP; for o in me.others { c += 1; }",
            "`c` may be something else than a number, a switch or a vector",
        ),
        (
            "let c = b; c += 1; for o in me.others { c += 1; }",
            "`c` may be something else than a number, a switch or a vector",
        ),
        (
            "for o in me.others { world += 1; }",
            "`world` may be something else than a number, a switch or a vector",
        ),
    ] {
        let head = "const TOP = 3; fn listed(me) { me.others } fn spoil() { this = 1; } fn drawn(me) { me.random() } \
            fn looped(n) { let s = 0; while s < n { s += 1; } s } fn down(n) { down(n - 1) }\n";
        let body = format!("let a = 0; let b = []; let s = false;\n{body}");
        assert_eq!(verdict(head, &body).as_deref(), Some(why), "{body}");
    }
}

#[test]
fn mutually_recursive_functions_are_analyzed_once() {
    let functions: Vec<_> =
        (0..40).map(|at| format!("fn f{at}(x) {{ f{0}(x) + f{0}(x) }}", at + 1)).collect();
    let body = "let a = 0; for o in me.others { a += f0(1); } a";
    let why = verdict(&(functions.join("\n") + "\nfn f40(x) { x }"), body).unwrap();
    assert!(why.ends_with("it calls `f8` by way of too many others"), "{why}");
    let body = "let a = 0; for o in me.others { a += f33(1); } a";
    assert_eq!(verdict(&(functions.join("\n") + "\nfn f40(x) { x }"), body), None);
}

#[test]
fn the_deciding_unit_is_found_by_its_parameter_name() {
    let of = |parameter: &str| {
        let text = format!("fn f({parameter}) {{ let n = 0; for o in {parameter}.others {{ n += 1; }} n }}");
        verdicts(&text)[0].is_none()
    };
    assert!(of("me") && !of("unit"));
    let text = "fn steer(it, world) { let n = 0; for o in it.others { n += 1; } n }";
    assert_eq!(verdicts(text), [None]);
}

#[test]
fn a_reduction_is_identified_by_its_for_and_the_last_name_of_its_list() {
    let text = "fn steer(me, world) {\n  let near = me.others\n    .within(3.0);\n  let n = 0;\n  \
        for o in near { n += 1; }\n  for o in me.see(\"v\")\n      .within(2) { n += 1; }\n  n }";
    let ast = engine::parse(text).unwrap();
    let found: Vec<_> = of_file(&ast).iter().map(|it| (it.place, it.list)).collect();
    assert_eq!(found, [((5, 3), (5, 12)), ((6, 3), (7, 8))]);
}
