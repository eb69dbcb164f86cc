//! Tests recorded values and their positions.

use steerbox_core::sim::Frozen;
use steerbox_core::world::{Edges, View, testing};

use super::*;
use crate::Script;
use glam::Vec3;

/// Returns the values of a script's call for the first of two units, as `line name kind [iterations] value`.
fn values(text: &str) -> Vec<String> {
    let recording = record(text);
    let mut lines = Vec::new();
    for (site, log) in recording.values() {
        for entry in log.entries() {
            let name = site.name.as_deref().unwrap_or("-");
            let iterations: Vec<_> = entry.iterations.iter().map(u32::to_string).collect();
            let (line, iterations) = (site.span.start.0, iterations.join(" "));
            lines.push(format!("{line} {name} {:?} [{iterations}] {}", site.kind, entry.value));
        }
    }
    lines
}

fn record(text: &str) -> Recording {
    let script = Script::compile("a.rhai", text).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let probed = Probed::compile(&script, &[]).unwrap_or_else(|reason| panic!("{reason}"));
    let mut world = testing::world(&[2], 1.0, |unit, _| (Vec3::X * unit as f32, Vec3::Y));
    world.arena = testing::plane(20.0, 20.0, Edges::Open);
    world = world.with_views([View::Around { radius: 0.5 }]);
    world.groups[0].view = Some(0);
    world.marks.intern_all(&script.marks);
    let mut frozen = Frozen::new(world);
    frozen.sort();
    let mut context = UnitContext::new(frozen.into());
    context.set_unit(0);
    context.set_behavior(0, 1);
    let mut memory = vec![0; script.memory.words()];
    script.memory.reset(&mut memory);
    probed.run(&mut context, &mut memory)
}

#[test]
fn values_of_every_kind_are_recorded_with_their_position() {
    let text = "const MEMORY = #{ angle: 0.5 };
fn steer(me, world) {
    let a = 2.0; // two
    a += 1.0; this.angle = a
        * 2.0;
    this.angle -= 1.0;
    let b = if a > 2.0 { \"big\" } else { `${a}` };
    switch b { \"big\" if a < 9.0 => a *= 2.0, _ => me.mark(\"x\") }
    if a == 0.0 { return; } else if me.index == 0 { a -= 0.5 }
    half(a)
}
fn half(x) { return x / 2.0; }";
    let expected = [
        "3 a Let [] 2",
        "4 a Assignment [] 3",
        "4 this.angle Assignment [] 6",
        "6 this.angle Assignment [] 5",
        "7 b Let [] \"big\"",
        "7 - Condition [] true",
        "7 - Value [] \"big\"",
        "8 - Condition [] \"big\"",
        "8 - Condition [] true",
        "8 a Assignment [] 6",
        "9 - Condition [] false",
        "9 - Condition [] true",
        "9 a Assignment [] 5.5",
        "10 - Value [] 2.75",
        "12 - Return [] 2.75",
    ];
    assert_eq!(values(text), expected);
}

#[test]
fn iterations_of_nested_loops_and_calls_are_distinguished() {
    let text = "fn steer(me, world) {
    let sum = 0;
    for (x, i) in 5..7 {
        let y = 0;
        while y < x - 5 { y += 1; }
        sum += add(x) + add(i);
    }
    loop { if sum > 0 { break; } }
    do { sum -= 1; } while sum > 20;
    sum + 0.0
}
fn add(n) { for k in 0..n { if k == 1 { return k; } } n }";
    let of = |line: &str| {
        let all = values(text).into_iter();
        let of_line = all.filter_map(|value| value.strip_prefix(line).map(str::to_owned));
        of_line.collect::<Vec<_>>()
    };
    assert_eq!(of("3 "), ["x Let [0] 5", "x Let [1] 6", "i Let [0] 0", "i Let [1] 1", "- Value [] 5..7"]);
    let whiles = ["[0 0] false", "[1 0] true", "[1 1] false"].map(|it| format!("- Condition {it}"));
    assert_eq!(of("5 "), [&whiles[..], &["y Assignment [1 0] 1".to_owned()]].concat());
    assert_eq!(of("8 "), ["- Condition [0] true"]);
    assert_eq!(of("2 "), ["sum Let [] 0"]);
    let recording = record(text);
    let calls: Vec<_> = (recording.values().into_iter())
        .filter(|(site, _)| site.name.as_deref() == Some("k"))
        .flat_map(|(_, log)| log.entries().map(|entry| (entry.call, entry.iterations[0])))
        .collect();
    assert_eq!(calls, [(0, 0), (0, 1), (2, 0), (2, 1), (3, 0)], "the second call has no iteration");
}

#[test]
fn the_first_iterations_and_the_last_are_stored() {
    let recording = record("fn steer(me, world) { let n = 0; while n < 1000 { n += 1; } n + 0.0 }");
    let values = recording.values();
    let (_, log) = values.iter().find(|(site, _)| site.kind == SiteKind::Assignment).unwrap();
    assert_eq!((log.count, log.first.len()), (1000, MAX_ENTRIES));
    let last = log.last.as_ref().unwrap();
    assert_eq!((&last.iterations[..], &last.value), (&[999][..], &ProbedValue::Integer(1000)));
}

#[test]
fn unreached_code_is_located_by_column() {
    let text = "fn steer(me, world) {
    if me.index == 1 { me.mark(\"a\"); } else { me.mark(\"b\"); }
    for other in me.others { me.mark(\"c\"); }
    if me.index == 0 { return 1; }
    let a = 2;
    a
}
fn unused(x) { x }";
    let found = record(text).unreached(0);
    let spans: Vec<_> = found.iter().map(|span| (span.start, span.end)).collect();
    let expected =
        [((2, 22), (2, 39)), ((3, 28), (3, 45)), ((5, 5), (5, 14)), ((6, 5), (6, 6)), ((8, 1), (8, 19))];
    assert_eq!(spans, expected);
}

#[test]
fn a_failure_preserves_the_values_before_it() {
    let recording = record("fn steer(me, world) {\n let a = 1;\n let b = a / (a - 1);\n b\n}");
    assert!(recording.result.as_ref().is_err_and(|failure| failure.line == 3));
    assert_eq!(recording.values().len(), 1);
    assert_eq!(recording.unreached(0).iter().map(|span| span.start).collect::<Vec<_>>(), [(4, 2)]);
}

#[test]
fn values_have_the_ranges_of_their_expressions() {
    let text = "fn steer(me, world) {
    let a = `é ${ #{ b: `{${1}` }.b } }`; /* { */ let b = \"// }\"; // }
    me.draw_text(vec(0, 0), `${a}`);
    let c = [1, if true { 2 } else { 3 }, #{ d: 4 }.d]; let e = c[0 + 1];
    let f = -e; let g = !(f < 0) ?? { let h = 1; h };
    return (
        f + 0.0
    );
}";
    let found = values(text);
    assert!(found.contains(&"2 a Let [] \"é {1 }\"".to_owned()), "{found:?}");
    assert!(found.contains(&"6 - Return [] -2".to_owned()), "{found:?}");
    let recording = record(text);
    let site = recording.code.sites.iter().find(|site| site.name.as_deref() == Some("b")).unwrap();
    assert_eq!((site.span.start, site.span.end), ((2, 59), (2, 65)));
}

#[test]
fn scripts_at_the_nesting_limit_are_probed() {
    let probe = || {
        let scripts = (1..99).map_while(|depth| {
            let (open, close) = ("if (true) { ".repeat(depth), " }".repeat(depth));
            let text = format!("fn steer(me, world) {{ let a = 0; {open} a = 1; {close} a + 0.0 }}");
            Script::compile("a.rhai", &text).ok()
        });
        let probed = scripts.map(|script| Probed::compile(&script, &[]).unwrap());
        probed.count()
    };
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    assert!(thread.spawn(probe).unwrap().join().unwrap() > 9);
}

#[test]
fn a_loop_becomes_a_table_of_iterations() {
    let recording = record(
        "fn steer(me, world) {
    let sum = 0.0;
    for at in 0..300 {
        if at % 2 == 0 { continue; }
        sum += at;
        for by in [1, 2] { sum -= by; }
    }
    sum
}",
    );
    let tables = loop_tables(&recording, 0);
    let shown: Vec<_> = tables
        .iter()
        .map(|table| (table.line, table.columns.join(", "), table.rows.len(), table.count))
        .collect();
    assert_eq!(shown[0], (3, "3 at, 4 if, 5 sum, 6 →".to_owned(), 257, 300));
    assert_eq!((shown[1].0, &*shown[1].1, shown[1].3), (6, "6 by, 6 sum", 300));
    let row = |at: usize| {
        let Iteration { number, values } = &tables[0].rows[at];
        let values = values.iter().map(|value| value.map_or("-".to_owned(), ToString::to_string));
        format!("{number}: {}", values.collect::<Vec<_>>().join(" "))
    };
    assert_eq!([row(0), row(1), row(3)], ["1: 0 true - -", "2: 1 false 1 2 values", "4: 3 false 1 2 values"]);
    assert_eq!(row(256), "300: 299 false 22053 2 values");
    assert_eq!(tables[1].rows[1].number, "2.2");
}
