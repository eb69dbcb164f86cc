//! Parameters of which each unit draws its own value.

use steerbox_core::world::{Distribution, ParamValue};
use steerbox_project::reload::{BuiltIn, embedded_scripts};
use steerbox_script::{Param, ParamRange, Role, Script};

use crate::common::dice::Dice;
use crate::scripts::Values;
use crate::setting::Setting;
use crate::stage::Both;

/// Returns a value from the text of a distribution.
fn of(text: &str) -> ParamValue {
    ParamValue::Distribution(text.parse().expect("a distribution"))
}

/// Returns distributions for some parameters of random programs, by the bits of a number.
pub(crate) fn values(bits: u64) -> Values {
    let all = [
        ("REACH", ["Normal(20, 15)", "Uniform(0, 100)"]),
        ("COUNT", ["Uniform(0, 10)", "Choice([0, 3, 10])"]),
        ("FIRM", ["Choice([true, false])", "Choice([true])"]),
    ];
    let drawn = all.iter().enumerate().filter(|(at, _)| bits & 1 == 0 && bits >> (1 + at) & 1 == 0);
    drawn
        .map(|(at, (name, texts))| ((*name).to_owned(), of(texts[(bits >> (8 + at) & 1) as usize])))
        .collect()
}

#[test]
fn drawn_parameters_agree_in_all_modes() {
    let cases = [
        ("a number", "A * me.speed + A"),
        ("an integer", "N / 2 + N % 3"),
        ("a switch", "if ON && !!ON { A } else if ON { N } else { -A }"),
        ("a loop", "let sum = 0.0; for i in 0..N { sum += A; } sum"),
        (
            "a limit of a list",
            "let sum = 0.0; for other in me.neighbors.within(A) { sum += other.speed; } sum",
        ),
        (
            "a test in a loop",
            "let sum = 0.0; for o in me.others { if me.distance_to(o) < A { sum += 1.0; } } sum",
        ),
        ("a number of neighbors", "me.neighbors.first(N).len"),
        ("a receiver of methods", "A.abs() + abs(N) + A.max(N)"),
        ("a hidden name", "let A = 3.0; { let N = A; N } + A"),
        ("memory beside it", "this.n += A; this.on = ON; this.n"),
        ("another function", "twice(A) + own()"),
        ("an array", "let all = [A, N]; all[0] + all[1]"),
        ("a text", "me.draw_text(me.position, `${A} ${N} ${ON}`); me.watch(\"a\", A); 1"),
        ("a failure", "if A > 20 { me.zork } else { 1 }"),
        ("a result that is not finite", "1.0 / (A - A)"),
    ];
    let mut dice = Dice::new(5);
    let mut settings = vec![Setting::plain()];
    settings.extend((0..8).map(|_| Setting::random(&mut dice)));
    let drawn = [("A", "Normal(20, 15)"), ("N", "Uniform(0, 9)"), ("ON", "Choice([true, false])")];
    let drawn = drawn.map(|(name, text)| (name.to_owned(), of(text)));
    for (name, body) in cases {
        let text = format!(
            "const A = param(20.0, 0.0, 40.0); const N = param(3, 0, 9); const ON = param(true);
            const MEMORY = #{{ n: 0.0, on: false }};
            fn twice(x) {{ x * 2 }} fn own() {{ if ON {{ A }} else {{ -A }} }}
            fn steer(me, world) {{ {body} }}"
        );
        let both = Both::of(&text, &drawn).unwrap_or_else(|faults| panic!("{name}: {faults:#?}"));
        let is_compiled = both.unsupported.is_none();
        assert_eq!(
            is_compiled,
            cfg!(feature = "native") && !matches!(name, "an array" | "a text" | "a failure"),
            "{name}"
        );
        for setting in &settings {
            if let Err(difference) = both.in_world(setting.world()).run(4) {
                panic!("{name}: {difference}\n{setting:#?}");
            }
        }
    }
}

/// A distribution over all values of a parameter, unless a constant is computed from it or it is a word.
fn spread(script: &Script, param: &Param) -> Option<(String, ParamValue)> {
    let distribution = match param.range {
        ParamRange::Number(least, most) => Distribution::Uniform { least, most },
        ParamRange::Integer(least, most) => Distribution::Uniform { least: least as f32, most: most as f32 },
        ParamRange::Switch => Distribution::Switches(vec![false, true]),
        ParamRange::Choice(_) => return None,
    };
    let is_free = script.derived_from(&param.name).is_none();
    is_free.then(|| (param.name.clone(), ParamValue::Distribution(distribution)))
}

#[test]
fn every_shipped_behavior_agrees_with_drawn_parameters() {
    let mut dice = Dice::new(9);
    let settings: Vec<_> = (0..4).map(|_| Setting::random(&mut dice)).collect();
    let (mut drawn, mut all) = (0, 0);
    for (file, text) in embedded_scripts() {
        let script = Script::compile_with(file, text, &BuiltIn, false);
        let script = script.unwrap_or_else(|faults| panic!("{faults:#?}"));
        if script.role != Role::Behavior {
            continue;
        }
        let values: Values = script.params.iter().filter_map(|param| spread(&script, param)).collect();
        (drawn, all) = (drawn + values.len(), all + script.params.len());
        let both = Both::of(text, &values).unwrap_or_else(|faults| panic!("{faults:#?}"));
        if cfg!(feature = "native") {
            assert_eq!(both.unsupported, None, "{file} is compiled");
        }
        for setting in &settings {
            if let Err(difference) = both.in_world(setting.world()).run(6) {
                panic!("{file}: {difference}\n{setting:#?}");
            }
        }
    }
    assert!(drawn * 2 > all, "{drawn} of {all} parameters are drawn");
}
