//! Functions and constants of imported files: compiled with the script that imports them.

use std::sync::Arc;

use steerbox_core::sim::Simulation;
use steerbox_project::reload::BuiltIn;
use steerbox_script::Library;

use super::{Case, both};
use crate::setting::Setting;
use crate::stage::on_threads;

/// The imported files of the cases, with the built-in ones as fallback.
pub(crate) struct Files;

impl Library for Files {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        let found = FILES.iter().find(|(known, _)| *known == name);
        found.map_or_else(|| BuiltIn.text(name), |(_, text)| Ok((*text).into()))
    }
}

const FILES: &[(&str, &str)] = &[
    (
        "helpers",
        "const BASE = 2.5; const COUNT = 3; const WAY = vec(0.0, 3.0); const WORD = \"hot\"; const ON = true;
         const RATE = param(0.5, 0.0, 1.0); const ALL = [1, 2, 3];
         import \"more\" as m;
         fn twice(x) { x + x }
         fn same(x) { inner(x) }
         fn inner(x) { x * BASE }
         fn deeper(x) { m::add(x, COUNT) + m::THREE }
         fn rate() { RATE }
         fn nothing() { }
         fn mark_it(me) { me.mark(WORD); me.has_mark(\"hot\") }
         fn sum(list) { let s = 0.0; for unit in list { s += unit.speed; } s }
         fn next_to(me) { me.neighbors.nearest }
         fn draw(me) { me.random() + me.random_between(1.0, 2.0) }
         fn divide(a, b) {
             a / b
         }
         fn down(n) { if n == 0 { 0 } else { 1 + down(n - 1) } }
         fn steer(me, world) { me.speed + RATE }
         fn any(n) { if n > 0 { 1.5 } else { () } }
         fn whole(n) { [n, n][0] }
         fn remembered() { this.n }
         fn item(list, i) { list[i] }",
    ),
    ("more", "const THREE = 3; fn add(a, b) { a + b } fn inner(x) { x * 100.0 } fn down(n) { down(n + 1) }"),
    ("stranger", "fn asks() { only_here() }"),
];

/// The body of `steer` after imports of both files.
macro_rules! importing {
    ($body:literal) => {
        concat!(
            "import \"helpers\" as h; import \"more\" as m; fn inner(x) { -x }\nfn steer(me, world) { ",
            $body,
            " }"
        )
    };
}

pub(super) const CASES: &[Case] = &[
    ("imported function of an integer", importing!("h::twice(4)"), "8.0"),
    ("imported function of a number", importing!("h::twice(1.5)"), "3.0"),
    ("imported function of a vector", importing!("h::twice(vec(1, 2))"), "push 2.0 4.0 0.0"),
    ("imported functions call their own", importing!("h::same(2.0) + inner(1.0)"), "4.0"),
    ("imported through an import", importing!("h::deeper(1)"), "7.0"),
    ("imported constants", importing!("h::WAY * h::BASE + vec(h::COUNT, m::THREE)"), "push 3.0 10.5 0.0"),
    ("imported strings and bools", importing!("if h::ON && h::WORD == \"hot\" { 1 } else { 2 }"), "1.0"),
    ("imported parameter", importing!("h::rate() + h::RATE"), "1.0"),
    ("imported function that is empty", importing!("h::nothing(); h::nothing()"), "nothing"),
    ("imported function as a statement", importing!("h::mark_it(me); 1"), "1.0"),
    ("imported function marks", importing!("if h::mark_it(me) { 1 } else { 2 }"), ""),
    ("imported function over a list", importing!("h::sum(me.others)"), ""),
    (
        "imported function gives a unit or nothing",
        importing!("let a = h::next_to(me); if a == () { 0.0 } else { a.speed }"),
        "",
    ),
    ("imported function draws numbers", importing!("h::draw(me) + me.random()"), ""),
    ("imported function fails", importing!("h::divide(1, me.id)"), "fails: Division by zero: 1 / 0"),
    ("imported function with arguments of the wrong type", importing!("h::divide(me, 1)"), ""),
    ("imported function fails at an index", importing!("h::item(me.others, 900).speed"), ""),
    ("imported recursion", importing!("h::down(5)"), "5.0"),
    (
        "imported recursion that is too deep",
        importing!("m::down(0)"),
        "fails: functions call each other more than 16 deep",
    ),
    ("imported recursion at the limit", importing!("h::down(14)"), "14.0"),
    ("imported recursion over the limit", importing!("h::down(15)"), ""),
    ("imported behavior", importing!("h::steer(me, world) * 2.0"), ""),
    ("imported function of two types", importing!("h::any(me.id) ?? 7.0"), "7.0"),
    ("imported array", importing!("h::ALL[1]"), "2.0"),
    ("imported function with an array", importing!("h::whole(3)"), "3.0"),
    ("imported function asks for memory", importing!("h::remembered()"), ""),
    (
        "imported function asks the importing script",
        "import \"stranger\" as s; fn only_here() { 4 } fn steer(me, world) { s::asks() }",
        "",
    ),
    (
        "imported twice under one name",
        "import \"helpers\" as h; import \"more\" as h; fn steer(me, world) { h::add(1, 2) }",
        "3.0",
    ),
    ("arguments of an imported function in order", importing!("let a = 1; m::add(a, { a = 5; a })"), ""),
    (
        "arguments of an imported function draw in order",
        importing!("m::add(me.random(), me.random() * 100.0)"),
        "",
    ),
    (
        "imported function in the loop of another",
        importing!("let s = 0.0; for i in 0..4 { s = h::twice(s) + m::add(i, 1); } s"),
        "26.0",
    ),
    ("imported constant in the first place", importing!("m::add(h::COUNT, { let b = 2; b })"), "5.0"),
];

/// Cases that are interpreted, as they would be in a script of one file.
const INTERPRETED: [&str; 5] = [
    "imported array",
    "imported function with an array",
    "imported function asks for memory",
    "imported function asks the importing script",
    "imported function with arguments of the wrong type",
];

#[test]
fn imports_are_compiled_and_fail_in_their_own_file() {
    for (name, text, _) in CASES {
        let found = both(text).unsupported.map(|it| (it.file, it.construct));
        let is_interpreted = INTERPRETED.contains(name);
        let native = !cfg!(feature = "native") || found.is_some() == is_interpreted;
        assert!(native, "{name}: {found:?}");
    }
    let array = both(importing!("h::whole(3)")).unsupported;
    let place = array.map(|it| (it.file, it.line));
    let here = Some((Some("helpers.rhai".to_owned()), 20));
    assert!(!cfg!(feature = "native") || place == here, "{place:?}");
    let pair = both(importing!("h::divide(1, me.id)")).in_world(Setting::plain().world());
    for slots in [&pair.native, &pair.interpreted] {
        let mut simulation = Simulation::new(pair.world.clone(), slots.clone());
        on_threads(|| simulation.step());
        let failure = &simulation.reports()[0].failure;
        let place = (failure.file.as_deref(), failure.line, failure.column);
        assert_eq!(place, (Some("helpers.rhai"), 15, 16), "{failure:?}");
    }
}
