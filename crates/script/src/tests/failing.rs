//! Tests of failing scripts and their messages.

use steerbox_core::diagnostics::expecting_panics;

use super::*;
use crate::NoLibrary;

#[test]
fn a_failing_unit_contributes_nothing_and_others_continue() {
    let text = "fn steer(me, world) { if me.id == 1 { me.zork } else { 1 } }";
    let mut simulation = simulation(text);
    simulation.step();
    simulation.step();
    let [report] = simulation.reports() else { panic!("{:?}", simulation.reports()) };
    assert_eq!((report.unit, report.count, report.failure.line), (1, 2, 1));
    assert_eq!(report.failure.message, "`zork` is not a property of me");
    let turns: Vec<_> = (0..3).map(|unit| simulation.decisions(unit).next().unwrap().1).collect();
    assert_eq!(turns[1], Contribution::None);
    assert_eq!(turns[2], Contribution::Turn(Vec2::X));
}

#[test]
fn failures_have_cause_position_and_remedy() {
    let cases = r#"
        fn steer(me, world) {\n  me.neighbours\n} ¦ 2 ¦ `neighbours` is not a property of me ¦ neighbors
        fn steer(me, world) { me.neighbors.nearest.position - me.enemies.nearest.position } ¦ 1 ¦ nothing ¦ == ()
        fn steer(me, world) { "hello" } ¦ 1 ¦ steer returned a string ¦ draw_text
        fn steer(me, world) { 1.0 / 0.0 } ¦ 1 ¦ not finite ¦ division
        fn steer(me, world) { 5 / 0 } ¦ 1 ¦ ivision by zero ¦ divisor
        fn steer(me, world) { clampp(1, 2, 3) } ¦ 1 ¦ no function `clampp` ¦ clamp
        fn steer(me, world) { "a" - 1 } ¦ 1 ¦ between a string and an integer ¦
        fn steer(me, world) { this.x } ¦ 1 ¦ `this` needs a MEMORY ¦ MEMORY
        fn steer(me, world) { me.see("arond") } ¦ 1 ¦ did you mean "around" ¦
        fn steer(me, world) { me.neighbors[9] } ¦ 1 ¦ no [9] in a list of 2 ¦
    "#;
    for [text, line, message, help] in rows(cases) {
        let failure = failure(&text);
        let helped = failure.help.clone().unwrap_or_default();
        assert_eq!(failure.line.to_string(), line, "{failure:?}");
        assert!(failure.message.contains(&message) && helped.contains(&help), "{failure:?}");
    }
}

#[test]
fn endless_scripts_are_stopped_and_suspended() {
    for text in [
        "fn steer(me, world) { loop {} }",
        "fn f(n) { f(n + 1) } fn steer(me, world) { f(0) }",
        "fn steer(me, world) { let s = \"abcdefgh\"; loop { s += s; } }",
        "fn steer(me, world) { while true { try { loop {} } catch { } } }",
    ] {
        let mut simulation = simulation(text);
        simulation.step();
        let first = &simulation.reports()[0];
        assert!(first.failure.exhausted, "{text} {first:?}");
        simulation.step();
        assert_eq!(simulation.reports()[0].count, 3, "the behavior is suspended after the first step");
    }
}

#[test]
fn invalid_scripts_are_rejected_with_the_position() {
    let cases = r#"
        fn stear(me, world) { 1 } ¦ 1:4 ¦ no `fn steer`, but a `fn stear`
        fn steer(me) { 1 } ¦ 1:4 ¦ takes 2 arguments
        let x = 3 ¦ 0:0 ¦ no `fn steer`
         ¦ 0:0 ¦ no `fn steer`
        fn steer(me, world) {\n  let a = 3\n  let b = 4;\n} ¦ 3:3 ¦ `;` is missing
        fn steer(me, world) { zork + 1 } ¦ 1:23 ¦ no variable `zork`
        fn steer(me, world) { if 1 = 2 { 3 } } ¦ 1:0 ¦
        fn dot(a, b) { 1 } fn steer(me, world) { 1 } ¦ 1:4 ¦ would replace the built-in
        fn side(point) { 1 } fn steer(me, world) { 1 } ¦ 1:4 ¦ would replace the built-in
        fn steer(me, world) { eval("1") } ¦ 1:23 ¦ eval
        import "../secret" as s; fn steer(me, world) { 1 } ¦ 1:1 ¦ import
        const A = param(9.0, 0.0, 1.0);\nfn steer(me, world) { 1 } ¦ 1:11 ¦ not within
        const MEMORY = #{ a: "x" };\nfn steer(me, world) { 1 } ¦ 1:7 ¦ MEMORY.a must start as
        loop {} fn steer(me, world) { 1 } ¦ 1:0 ¦ operations
    "#;
    for [text, place, message] in rows(cases) {
        let faults = Script::compile("a.rhai", &text).map(|_| ()).expect_err(&text);
        let fault = &faults[0];
        let found = format!("{}:{}", fault.line, fault.column);
        assert!(found.starts_with(place.trim_end_matches('0')), "{fault:?} instead of {place}");
        assert!(fault.message.contains(&message), "{fault:?}");
    }
}

#[test]
fn independent_faults_are_reported_at_once() {
    let text = "const A = param(9.0, 0.0, 1.0);
const B = param(1.0, 5.0, 2.0);
fn steer(me, world) {
    let a = (me.speed + 3;
    if a = 3 { return me.hedding; }
    let b = me.spead
    let c = 2x;
    let d = c + b + nobdy;
    this.a + d
}
fn clamp(a, b, c) { a }
fn broken(a: Unit) { a.sped() }";
    let faults = Script::reviewed("a.rhai", text, &NoLibrary, false).unwrap_err();
    let found: Vec<_> = faults.iter().map(|fault| (fault.line, fault.column)).collect();
    let expected = [
        (1, 11),
        (2, 11),
        (4, 13),
        (5, 10),
        (5, 26),
        (6, 16),
        (7, 5),
        (7, 14),
        (8, 21),
        (9, 5),
        (11, 4),
        (12, 12),
        (12, 24),
    ];
    assert_eq!(found, expected, "{faults:#?}");
}

#[test]
fn a_name_that_may_be_declared_in_a_broken_statement_is_no_fault() {
    for text in [
        "fn steer(me, world) { let a = 3 + ; let b = a.x; b + a }",
        "fn steer(me, world) { for (let i = 0; i < 3; i++) { me.mark(\"a\"); i.x; } 0 }",
        "const MEMORY = { a: 0.0 }; fn steer(me, world) { this.a }",
        "const A = ; const B = A * 2; fn steer(me, world) { A + B.x }",
        "fn far(a: Unit) { a } fn steer(me, world) { far(me) }",
        "def steer(me, world):\n    return 3",
        "class A {\n    fn steer(me, world) { 1 }\n}",
        "fn steer(me, world) {\n    if me.speed > 3 {\n        let a = 3;\n    a\n}\n",
    ] {
        let faults = Script::reviewed("a.rhai", text, &NoLibrary, false).unwrap_err();
        assert_eq!(faults.len(), 1, "{text}: {faults:#?}");
    }
}

#[test]
fn damaged_texts_cause_faults_at_positions_of_the_file() {
    let text = "const A = param(1.0);
fn steer(me, world) {
    let a = #{ b: [1, 2] }; // c
    for (o, i) in me.others { if o.is(\"d\") { return (); } else { a.b[0] += i; } }
    switch me.id { 0 => A, _ => { -a.b.len } }
}";
    assert!(Script::compile("a.rhai", text).is_ok());
    for at in 0..text.len() {
        for junk in ["", "{", ")", "\"", ";", "=", "/*"] {
            let damaged = format!("{}{junk}{}", &text[..at], &text[at + 1..]);
            let reviewed = Script::reviewed("a.rhai", &damaged, &NoLibrary, false);
            assert!(!matches!(&reviewed, Err(faults) if faults.is_empty()), "{damaged}");
            for fault in reviewed.map_or_else(|it| it, |it| it.warnings) {
                let line = damaged.lines().nth(fault.line.saturating_sub(1)).unwrap_or_default();
                assert!(fault.column <= line.chars().count() + 1, "{damaged}: {fault:?}");
                assert!(!fault.message.contains(crate::syntax::repair::UNKNOWN), "{damaged}: {fault:?}");
            }
        }
    }
}

#[test]
fn all_constants_together_are_limited_as_one_call() {
    let constants: Vec<_> = (0..30).map(|at| format!("const A{at} = slow();")).collect();
    let slow = "fn slow() { let n = 0; for i in 0..5000 { n += 1; } n }";
    let text = format!("{}\n{slow} fn steer(me, world) {{ A29 }}", constants.join("\n"));
    let faults = Script::compile("a.rhai", &text).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:#?}");
    assert_eq!(faults[0].message, "one call took more than 100000 operations");
}

#[test]
fn functions_see_variables_at_the_top_of_their_file() {
    let text = "let TOP = 7; TOP += 1; const SUM = TOP + 1; fn steer(me, world) { TOP + SUM }";
    for execution in [Execution::Native, Execution::Interpreted] {
        let behavior = ScriptBehavior::new(Program::fold(&compiled(text), &[]).unwrap(), execution);
        let mut context = steerbox_core::sim::UnitContext::new(Arc::new(Frozen::new(world())));
        context.set_unit(0);
        let decided = behavior.decide(&mut context, &mut []);
        assert_eq!(decided, Ok(Contribution::Turn(Vec2::new(17.0, 0.0))));
    }
}

#[test]
fn huge_sources_are_rejected() {
    let many = "let a = 1; ".repeat(20_000);
    let faults = Script::compile("a.rhai", &many).map(|_| ()).unwrap_err();
    assert!(faults[0].message.contains("64 KiB"), "{faults:?}");
}

#[test]
fn a_context_is_returned_after_a_call() {
    let mut context = steerbox_core::sim::UnitContext::new(Arc::new(Frozen::new(world())));
    context.set_unit(2);
    let behavior = behavior("fn steer(me, world) { me.id }", &[]);
    let decided = behavior.decide(&mut context, &mut []);
    assert_eq!(decided, Ok(Contribution::Turn(Vec2::new(2.0, 0.0))));
    assert_eq!(context.unit(), 2);
}

#[test]
fn a_panic_is_reported_as_a_bug_and_the_next_call_works() {
    let text = "fn steer(me, world) { if me.id == 0 { bug() } 7 }";
    for execution in [Execution::Native, Execution::Interpreted] {
        let behavior = ScriptBehavior::new(Program::fold(&compiled(text), &[]).unwrap(), execution);
        let mut context = steerbox_core::sim::UnitContext::new(Arc::new(Frozen::new(world())));
        context.set_unit(0);
        let decided = expecting_panics(|| behavior.decide(&mut context, &mut []));
        let failure = decided.unwrap_err();
        let ours = "a bug in steerbox, not in your script";
        assert!(failure.message.contains(ours), "{failure:?}");
        context.set_unit(1);
        let decided = behavior.decide(&mut context, &mut []);
        assert_eq!(decided, Ok(Contribution::Turn(Vec2::new(7.0, 0.0))));
    }
    let text = "const X = bug(); fn steer(me, world) { 1 }";
    let faults = expecting_panics(|| Script::compile("a.rhai", text)).unwrap_err();
    assert!(faults[0].message.contains("a bug in steerbox"), "{faults:?}");
}

#[test]
fn native_and_interpreted_failures_have_the_same_message() {
    for (body, help) in [
        ("sqrt(-me.speed - 1)", "a root of a negative number"),
        ("let x = me.speed; x /= 0.0; x", "a division by zero"),
        ("me.position + 3", "vec(3, 3)"),
        ("me.position * me.velocity", "a.dot(b)"),
        ("abs(me.velocity)", "v.length"),
        ("world.player.position", "`()` here"),
        ("me.speed * (me.speed > 3)", "a switch is not a number"),
        ("!me.neighbors.nearest", "write `x == ()`"),
    ] {
        let text = format!("fn steer(me, world) {{ {body} }}");
        let program = Program::fold(&compiled(&text), &[]).unwrap();
        let [native, interpreted] = [Execution::Native, Execution::Interpreted].map(|execution| {
            let behavior = ScriptBehavior::new(Arc::clone(&program), execution);
            let slot = Slot::new("test", 1, Some(Arc::new(behavior)));
            let mut simulation = Simulation::new(world(), vec![vec![slot]]);
            simulation.step();
            simulation.reports().to_vec()
        });
        assert_eq!(native, interpreted, "{body}");
        let reported = native[0].failure.help.clone().unwrap_or_default();
        assert!(reported.contains(help), "{body}: {reported}");
    }
}
