//! Infinite loops and recursion are stopped in both modes.

use steerbox_core::sim::{Failure, Simulation};

use crate::setting::Setting;
use crate::stage::{Both, on_threads};
use crate::watch::{Deed, Log};

/// Returns the failures of the first unit, native and interpreted; an exhausted behavior must then be suspended.
fn failures(text: &str) -> [Failure; 2] {
    let both = Both::of(text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
    let pair = both.in_world(Setting::plain().world());
    [&pair.native, &pair.interpreted].map(|slots| {
        let log = Log::default();
        let mut simulation = Simulation::new(pair.world.clone(), log.watch(slots));
        on_threads(|| simulation.step());
        let failed = |deed: Deed| deed.result.expect_err(text);
        let failure = log.take().into_iter().next().map(failed).expect("a unit");
        on_threads(|| simulation.step());
        let rests = log.take().is_empty();
        assert!(rests || !failure.exhausted, "{text}: it does not rest");
        failure
    })
}

#[test]
fn an_infinite_loop_is_stopped_with_the_same_message() {
    for text in [
        "fn steer(me, world) { loop { } }",
        "fn steer(me, world) { let i = 0; while i >= 0 { i = (i + 1) % 7; } }",
        "fn steer(me, world) { let x = 0.5; do { x = x * 0.5; } until x < 0; x }",
        "fn steer(me, world) { let n = 0; for i in 0..9000000 { n += i; } n }",
        "fn spin(n) { loop { n += 0.5; } } fn steer(me, world) { spin(1) }",
    ] {
        let [native, interpreted] = failures(text);
        assert_eq!(native, interpreted, "{text}");
        assert!(native.exhausted, "{text}");
        assert_eq!(native.message, "one call took more than 100000 operations");
    }
}

#[test]
fn the_interpreter_has_the_same_limit_as_machine_code() {
    for text in [
        "fn steer(me, world) { let n = 0.0; for i in 0..60000 { n += 1.0; } vec(n, 1) }",
        "fn f(n) { n + 0.5 } fn steer(me, world) { let n = 0.0; while n < 20000.0 { n = f(n); } n }",
    ] {
        let both = Both::of(text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
        let run = both.in_world(Setting::plain().world()).run(2);
        let tally = run.unwrap_or_else(|difference| panic!("{difference}\n{text}"));
        assert_eq!((tally.failed, tally.exhausted), (0, 0), "{text}");
        assert!(tally.succeeded > 0, "{text}");
    }
}

#[test]
fn a_script_that_is_always_interpreted_has_a_hundredth_of_the_limit() {
    let text = |rounds: u32| {
        format!("fn steer(me, world) {{ let a = [0]; for i in 0..{rounds} {{ a[0] += 1; }} a[0] }}")
    };
    for (rounds, is_too_much) in [(5_000, false), (20_000, true)] {
        let both = Both::of(&text(rounds), &[]).unwrap_or_else(|faults| panic!("{faults:#?}"));
        assert!(both.unsupported.is_some() || !cfg!(feature = "native"));
        let run = both.in_world(Setting::plain().world()).run(1);
        let tally = run.unwrap_or_else(|difference| panic!("{difference}\n{rounds}"));
        assert_eq!(tally.exhausted > 0, is_too_much, "{rounds}: {tally:?}");
    }
}

/// Catching the error does not reset the limit.
#[test]
fn an_exhausted_limit_cannot_be_caught() {
    let both = Both::of("fn steer(me, world) { try { loop { } } catch { } 1 }", &[]);
    let run = both.unwrap_or_else(|faults| panic!("{faults:#?}")).in_world(Setting::plain().world()).run(1);
    let tally = run.unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!((tally.succeeded, tally.exhausted), (0, tally.failed));
    assert!(tally.exhausted > 0);
}

#[test]
fn an_infinite_recursion_is_stopped_at_the_same_position() {
    for text in [
        "fn deep(n) { deep(n + 1) } fn steer(me, world) { deep(0) }",
        "fn deep(n) {\n    let m = n * 2;\n    m + deep(n + 1)\n}\nfn steer(me, world) { deep(0) }",
        "fn odd(n) { even(n + 1) } fn even(n) { 1 + odd(n) } fn steer(me, world) { odd(0) }",
        "fn idle(a) { } fn deep(n) { idle(n); deep(n + 1) } fn steer(me, world) { deep(0) }",
    ] {
        let [native, interpreted] = failures(text);
        assert_eq!(native, interpreted, "{text}");
        assert!(native.exhausted, "{text}");
        assert_eq!(native.message, "functions call each other more than 16 deep");
    }
}

/// A function with `count` parameters, called with `value` for each.
fn parameters(count: usize, value: &str) -> String {
    let names: Vec<_> = (0..count).map(|at| format!("p{at}")).collect();
    let values = vec![value; count];
    let (names, values) = (names.join(", "), values.join(", "));
    format!(
        "fn f({names}) {{ let r = p0; if r == () {{ 1 }} else {{ 2 }} }}
        fn steer(me, world) {{ f({values}) }}"
    )
}

/// `count` variables in sequence.
fn variables(count: usize) -> String {
    let each = (0..count).map(|at| format!("let v{at} = me.id + {at}; "));
    each.collect()
}

/// Nested loops, each with a counter.
fn loops(count: usize, inside: &str) -> String {
    let each = (0..count).map(|at| format!("for (i{at}, n{at}) in 0..1 {{ "));
    let heads: String = each.collect();
    format!("{heads}{inside}{}", " }".repeat(count))
}

#[test]
fn the_limit_on_variables_is_the_same_in_both_modes() {
    let mut texts = Vec::new();
    for count in [1, 16, 17, 40, 62, 63, 64, 65, 66, 90] {
        for value in ["1", "me.position", "me.others.nearest", "world.player", "me"] {
            texts.push(parameters(count, value));
        }
    }
    let steer = |body: &str| format!("fn steer(me, world) {{ {body} }}");
    for count in 58..=66 {
        let all = variables(count);
        texts.push(steer(&format!("{all} v3")));
        texts.push(steer(&format!("{{ {all} }} {{ {all} }} 1")));
        texts.push(steer(&format!("{all} for i in 0..2 {{ v1 += i; }} v1")));
        texts.push(steer(&format!("{all} for (i, n) in 0..2 {{ v1 += n; }} v1")));
        texts.push(steer(&format!("{all} let v0 = 7; let v1 = v0; v1")));
        texts.push(steer(&format!("if me.id == 0 {{ {all} }} 1")));
        texts.push(steer(&format!("while true {{ {all} break; }} 1")));
        texts.push(format!("fn f(me, b, c) {{ {all} v0 + b }} fn steer(me, world) {{ f(me, 2, 3) }}"));
        texts.push(steer(&loops(7, &format!("{} me.mark(\"in\");", variables(count - 14)))));
    }
    for text in texts {
        let both = Both::of(&text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
        if let Err(difference) = both.in_world(Setting::plain().world()).run(2) {
            panic!("{difference}\n{text}");
        }
    }
    let [native, interpreted] = failures(&parameters(65, "1"));
    assert_eq!(native, interpreted);
    assert_eq!(native.message, "more than 64 variables at a time");
}

#[test]
fn a_function_that_never_returns_is_compiled() {
    for text in [
        "fn steer(me, world) { steer(me, world) }",
        "fn steer(me, world) { if me.id == 0 { steer(me, world) } }",
        "fn steer(me, world) { if me.id == 0 { return 1.0; } steer(me, world) }",
        "fn steer(me, world) { let x = steer(me, world); x }",
        "fn steer(me, world) { me.position + steer(me, world) }",
        "fn f(me, world) { steer(me, world) } fn steer(me, world) { f(me, world) }",
        "fn f(a) { f(f(a)) } fn steer(me, world) { vec(f(1), f(0.5)) }",
        "fn f() { loop { } } fn steer(me, world) { if me.id < 0 { f() } else { 1 } }",
        "fn f() { g() } fn g() { h() } fn h() { f() } fn steer(me, world) { for i in 0..3 { f(); } }",
        "fn f(me) { return f(me); me.position } fn steer(me, world) { f(me) }",
        "fn steer(me, world) { let v = 1; v += steer(me, world); v }",
        "fn steer(me, world) { steer(steer(me, world), world) }",
        "fn steer(me, world) { switch me.mark(\"x\") { 0 => 1, 2..5 => 3, \"a\" => 4, () => 5, _ => 2 } }",
        "fn f() { f() } fn steer(me, world) { switch f() { 0 => 1, 2..5 => 3, () => 5, _ => 2 } }",
    ] {
        let both = Both::of(text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
        let refusal = &both.unsupported;
        assert!(!cfg!(feature = "native") || refusal.is_none(), "{text}: {refusal:?}");
        if let Err(difference) = both.in_world(Setting::plain().world()).run(2) {
            panic!("{difference}\n{text}");
        }
    }
}
