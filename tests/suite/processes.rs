//! Equal results in every process: the script engine's hash maps are seeded per process, and no output may depend on
//! their order.

use std::fs;
use std::process::Output;

use steerbox_project::reload::read_dir_sorted;

use crate::common::file;
use crate::common::project::{ProjectDir, hash};

/// Number of processes that must agree.
const PROCESSES: usize = 6;

/// Marks in arms of a `switch`, in functions, and in the value of a loop.
const MARKS: &str = r#"
fn z(me) { me.mark("z"); }
fn steer(me, world) {
    switch me.index {
        0 => me.mark("hot"), 1 | 5 => me.mark("cold"), 2 => me.mark("x"), 3 => a(me), 4 => b(me),
        "never" => me.mark("never"), 6..9 if me.has_mark("y") => z(me), _ => c(me)
    }
    let far = loop { break me.has_mark("far"); };
    if far { 1.0 } else { me.random() }
}
fn c(me) { me.mark("c"); }
fn a(me) { me.mark("a"); }
fn b(me) { me.mark("b"); c(me); }
"#;

/// Unknown variables with several equally similar names, in functions and arms.
const NAMES: &str = r#"
const abc = 1; const abd = 2;
fn one(a, b) { abe } fn two(me) { abm + abn } fn zz(me) { abo } fn aa(me) { abp + bb }
fn steer(me, world) {
    switch me.index { 0 => abf, 1 => abg, 2 => abh, "x" => abi, true => abj, 5..9 => abk, _ => abl }
}
"#;

/// Unknown properties and functions, and ones with other arguments.
const CALLS: &str = r#"
fn one(me) { me.xy + me.y } fn zz(me) { me.zork() } fn aa(me) { me.mar("a") }
fn far() { 1 } fn far(a) { a } fn far(a, b, c) { a }
fn steer(me, world) {
    let t = this;
    t.a;
    switch me.index { 0 => me.abg, 1 => me.abh, "x" => me.abi, true => me.abj, 5..9 => me.abk, _ => me.abl }
    far(1, 2); mi(1); ma(1); fa(1); me.lenth; me.is(); me.distance_to(); me.position.normalised
}
"#;

/// A variable of unknown type, so that all names are candidates.
const UNSURE: &str = "fn steer(me, world) { let t = me; t = world; t.a; t.b(1); t.zz; t.pa }";

const CHAIN: &str = "import \"imported\" as m; fn steer(me, world) { m::other(me) }";
const TWICE: &str = "fn steer() { 1 } fn steer(a) { 1 } fn ster(a, b) { 1 }";
const TAKEN: &str = "fn sin(a) { 1 } fn cos(a) { 1 } fn tan(a) { 1 } fn steer(me, world) { 1 }";
const OLD: &str = "const MEMORY = #{ a: 1.0 }; fn reloaded() { } fn reloaded(a, b) { }
fn steer(me, world) { 1 }";

const SCENE: &str = r#"(world: Plane(size: (200, 100)), seed: 3, bodies: { "m": Mover(max_speed: 20) },
    groups: [(name: "a", body: "m", count: 9, behaviors: [(script: "marks"), (script: "more")])])"#;

/// Returns the output of a call, which must be equal in several processes.
fn agreed(what: &str, call: impl Fn() -> String) -> String {
    let first = call();
    for _ in 1..PROCESSES {
        assert_eq!(call(), first, "{what}");
    }
    first
}

fn printed(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    format!("{:?}\n{out}\n{err}", output.status)
}

#[test]
fn a_run_has_the_same_hash_and_trace() {
    let project = ProjectDir::with(&[
        ("scenes/s.ron", SCENE),
        ("scripts/marks.rhai", MARKS),
        ("scripts/more.rhai", &MARKS.replace("\"c", "\"d")),
    ]);
    let run = |more: &[&str]| {
        let given = ["run", "scenes/s.ron", "--steps", "5", "--trace", "t.jsonl"];
        let hash = hash(&project.call(&[&given[..], more].concat()));
        let trace = project.read("t.jsonl");
        assert!(trace.contains("cold"), "{trace}");
        format!("{hash}\n{trace}")
    };
    let native = agreed("native", || run(&["--threads", "1"]));
    let interpreted = agreed("interpreted", || run(&["--threads", "2", "--interpret"]));
    assert_eq!(native, interpreted);
}

#[test]
fn faults_have_the_same_messages_and_order() {
    let imports = "import \"marks\" as m; fn steer(me, world) { m::d(1); m::ab(me); m::z() }";
    let imported = CALLS.replace("fn steer(me, world)", "fn other(me)");
    let project = ProjectDir::with(&[
        ("marks.rhai", MARKS),
        ("names.rhai", NAMES),
        ("calls.rhai", CALLS),
        ("unsure.rhai", UNSURE),
        ("imports.rhai", imports),
        ("imported.rhai", &imported),
        ("chain.rhai", CHAIN),
        ("twice.rhai", TWICE),
        ("taken.rhai", TAKEN),
        ("old.rhai", OLD),
    ]);
    for format in ["text", "json"] {
        let said = agreed(format, || printed(&project.call(&["check", "--format", format, "."])));
        assert!(said.contains("did you mean"), "{said}");
    }
}

#[test]
fn typical_mistakes_have_the_same_messages_and_order() {
    let project = ProjectDir::with(&[]);
    // A third of them: `mistakes` tests all.
    for path in read_dir_sorted(&file("tests/mistakes/scripts")).unwrap().into_iter().step_by(3) {
        let name = path.file_name().unwrap().to_string_lossy();
        if name.ends_with(".rhai") {
            fs::copy(&path, project.path(&name)).unwrap();
        }
    }
    agreed("check", || printed(&project.call(&["check", "."])));
}
