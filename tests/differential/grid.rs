//! Operators of integers, and loops over ranges, with every pair of operands at a limit.

use std::fmt::Write as _;

use crate::setting::Setting;
use crate::stage::Both;

/// Operands at which overflow, wrapping or invalid shifts start.
const EDGES: [i64; 17] = [
    0,
    1,
    -1,
    2,
    -3,
    7,
    63,
    64,
    65,
    -64,
    1 << 32,
    (1 << 32) + 2,
    3_037_000_500,
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
    i64::MIN + 1,
];
/// Number of second operands per program: one per unit.
const UNITS: usize = 5;

/// Evaluates `result` for all pairs of integers `a` and `b` in both modes.
fn all_pairs(result: &str) {
    for a in EDGES {
        for others in EDGES.chunks(UNITS) {
            let mut arms = String::new();
            for (unit, b) in others.iter().enumerate() {
                let _ = write!(arms, "{unit} => {}, ", written(*b));
            }
            let text = format!(
                "fn a(me) {{ if me.id < 0 {{ 5 }} else {{ {} }} }}
                fn b(me) {{ switch me.id {{ {arms} _ => 5 }} }}
                fn exact(r) {{ vec(r & 0xFFFFFF, (r >> 24) & 0xFFFFFF, r >> 48) }}
                fn steer(me, world) {{ let a = a(me); let b = b(me); {result} }}",
                written(a)
            );
            let both = Both::of(&text, &[]).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
            let refusal = &both.unsupported;
            assert!(!cfg!(feature = "native") || refusal.is_none(), "{refusal:?}");
            let pair = both.in_world(Setting::plain().world());
            if let Err(difference) = pair.run(1) {
                panic!("{difference}\n{text}");
            }
        }
    }
}

/// Formats an integer for a script: the least one has no literal.
fn written(value: i64) -> String {
    match value {
        i64::MIN => format!("({} - 1)", i64::MIN + 1),
        value => format!("({value})"),
    }
}

#[test]
fn operators_of_integers_agree_at_every_edge() {
    for operator in ["+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^"] {
        all_pairs(&format!("exact(a {operator} b)"));
    }
}

#[test]
fn functions_of_integers_agree_at_every_edge() {
    for result in [
        "exact(min(a, b) ^ max(b, a))",
        "exact(clamp(a, b, -b))",
        "exact(abs(a) - sign(b) + to_int(to_float(b)))",
        "if a < b { vec(a, b) } else { vec(-a, if a.is_odd { 1 } else { 0 }) }",
        "if (a..b).is_empty || (a..=b).contains(b) { 1 } else { me.others[b].speed }",
    ] {
        all_pairs(result);
    }
}

#[test]
fn loops_over_ranges_agree_at_every_edge() {
    for over in ["a..b", "a..=b", "range(a, b)", "range(a, b, 2)", "range(a, b, -3)", "range(0, a, b)"] {
        all_pairs(&format!(
            "let last = 7; for (i, n) in {over} {{ last = i; if n == 2 {{ break; }} }} exact(last)"
        ));
    }
}
