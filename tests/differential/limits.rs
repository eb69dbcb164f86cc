//! What never ends is stopped both ways.

use steerbox::sim::{Failure, Simulation};

use crate::setting::Setting;
use crate::stage::{Both, on_threads};
use crate::watch::{Deed, Log};

/// Why a script fails for the first unit, native and interpreted; it must rest from then on.
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
        assert!(log.take().is_empty(), "{text}: it does not rest");
        failure
    })
}

#[test]
fn a_loop_without_end_is_stopped_with_the_same_words() {
    for text in [
        "fn steer(me, world) { loop { } }",
        "fn steer(me, world) { let i = 0; while i >= 0 { i = (i + 1) % 7; } }",
        "fn steer(me, world) { let x = 0.5; do { x = x * 0.5; } until x < 0; x }",
        "fn steer(me, world) { let n = 0; for i in 0..9000000 { n += i; } n }",
        "fn spin(n) { loop { n += 0.5; } } fn steer(me, world) { spin(1) }",
    ] {
        let [native, interpreted] = failures(text);
        // Where the count runs out is the one thing in which the two ways may differ.
        assert!(native.exhausted && interpreted.exhausted, "{text}");
        assert_eq!(native.message, interpreted.message, "{text}");
        assert_eq!(native.help, interpreted.help, "{text}");
        assert_eq!(native.message, "one call took more than 100000 operations");
    }
}

#[test]
fn a_recursion_without_end_is_stopped_at_the_same_place() {
    for text in [
        "fn deep(n) { deep(n + 1) } fn steer(me, world) { deep(0) }",
        "fn deep(n) {\n    let m = n * 2;\n    m + deep(n + 1)\n}\nfn steer(me, world) { deep(0) }",
        "fn odd(n) { even(n + 1) } fn even(n) { 1 + odd(n) } fn steer(me, world) { odd(0) }",
    ] {
        let [native, interpreted] = failures(text);
        assert_eq!(native, interpreted, "{text}");
        assert!(native.exhausted, "{text}");
        assert_eq!(
            native.message,
            "functions call each other more than 16 deep"
        );
    }
}
