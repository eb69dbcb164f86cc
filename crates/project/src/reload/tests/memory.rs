//! Migration of memory to new versions of behaviors.

use super::*;

const MAPPED: &str = "const K = param(1.0, 0.0, 9.0);
const MEMORY = #{ thrice: 0.0, n: vec(0, 0) };
fn reloaded(old) { this.thrice = old.n * 3; this.n.x; }
fn steer(me, world) { this.thrice }";

#[test]
fn a_script_can_migrate_the_memory_of_its_last_version() {
    let mut case = Case::new();
    case.step();
    case.step();
    case.accepts("one", MAPPED);
    assert_eq!(case.first(), turn(6.0));
    // Another value, scene or script is not a new version of this one.
    case.tune(KnobName::Param("K".into()), ParamValue::Number(3.0));
    case.swap();
    case.save_scene(&SCENE.replace("count: 3", "count: 4"));
    case.save("two", "fn steer(me, world) { vec(0, 1) }");
    assert_eq!(case.first(), turn(6.0));
    // Mapped by name and kind, and again by the script.
    let thrice = MAPPED.replace("old.n * 3", "old.thrice + 1");
    case.accepts("one", &thrice);
    assert_eq!(case.first(), turn(7.0));
}

#[test]
fn a_map_of_memory_that_fails_is_rejected_and_memory_stays() {
    let mut case = Case::new();
    case.step();
    for broken in ["old.m * 3", "loop {}", "\"three\""] {
        let broken = MAPPED.replace("old.n * 3", broken);
        case.rejects("one", &broken);
        assert_eq!(case.error().line, 3, "{:?}", case.error());
    }
    case.accepts("one", &ONE.replace("1; K", "1; this.n"));
    assert_eq!(case.first(), turn(2.0));
}

#[test]
fn trial_runs_use_the_running_world() {
    let mut case = Case::new();
    for _ in 0..5 {
        case.step();
    }
    let at_the_start = ONE.replace("1; K", "1; if this.n > 3 { me.enemies.nearest.speed } else { K }");
    case.rejects("one", &at_the_start);
    let later = ONE.replace("1; K", "1; if this.n < 3 { me.enemies.nearest.speed } else { K }");
    case.accepts("one", &later);
    assert_eq!(case.first(), turn(2.0));
}

#[test]
fn a_map_that_fails_for_few_units_is_reported_and_leaves_their_memory() {
    let mut case = Case::new();
    let count = ONE.replace("this.n += 1", "this.n = me.id");
    case.save("one", &count);
    case.step();
    let picky = "const MEMORY = #{ n: 0 };
        fn reloaded(old) { this.n = 100; if old.n > 1 { old.zork.x; } }
        fn steer(me, world) { this.n }";
    let picky = &format!("const K = param(1.0, 0.0, 9.0);\n{picky}");
    case.accepts("one", picky);
    let reports = case.simulation.reports().to_vec();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert_eq!((reports[0].unit, reports[0].script.as_str()), (2, "one"));
    case.simulation.step();
    let turns: Vec<_> = (0..3).filter_map(|unit| Some(case.simulation.decisions(unit).next()?.1)).collect();
    assert_eq!(turns, [turn(100.0), turn(100.0), turn(2.0)]);
}

#[test]
fn memory_beyond_the_limit_rejects_the_new_file() {
    let fields: Vec<_> = (0..50).map(|n| format!("f{n}: vec(0, 0)")).collect();
    let large = ONE.replace("n: 0", &format!("n: 0, {}", fields.join(", ")));
    let many = SCENE.replace("count: 3", "count: 1000000");
    let mut case = Case::new();
    case.accepts("one", &large);
    assert_eq!(case.save_scene(&many).0, rejected("s.ron"));
    let words = "1000000 units would remember 151 numbers each for one: a scene has room for 67108864 in all";
    assert_eq!(case.error().message, words);
    let births = SCENE.replace("count: 3", "count: 3, most: 1000000");
    assert_eq!(case.save_scene(&births).0, rejected("s.ron"));
    assert_eq!(case.error().message, words);
}

#[test]
fn each_use_of_a_script_continues_its_memory() {
    let uses = |uses: &str| SCENE.replace("(script: \"two\")", uses);
    let (one, five) = ("(script: \"z\", params: {\"K\": 1})", "(script: \"z\", params: {\"K\": 5})");
    let mut case = Case::new();
    let z = "const K = param(2.0, 0.0, 9.0);\nconst MEMORY = #{ n: 0 };
        fn steer(me, world) { this.n += K; vec(this.n, 0) }";
    case.project.set_script("z", 0, text(z));
    case.save_scene(&uses(&format!("{one}, {five}")));
    let push = |x: f32| Contribution::Push(glam::Vec3::new(x, 0.0, 0.0));
    assert_eq!(case.step()[1..], [push(1.0), push(5.0)]);
    case.save_scene(&uses(&format!("{five}, {one}")));
    assert_eq!(case.step()[1..], [push(10.0), push(2.0)]);
    let (_, notes) = case.save_scene(&uses(one));
    assert_eq!(notes, ["behaviors of a changed (z removed)", "memory of z lost"]);
    assert_eq!(case.step()[1..], [push(3.0)]);
    // Another script with the same memory is the same under another name, in one save with the scene.
    case.project.set_script("y", 0, text(z));
    let (_, notes) = case.save_scene(&uses(&one.replace('z', "y")));
    assert_eq!(notes, ["behaviors of a changed (z is y)"]);
    assert_eq!(case.step()[1..], [push(4.0)]);
    case.project.set_script("x", 0, text(&z.replace("n: 0", "m: 0").replace("this.n", "this.m")));
    case.save_scene(&uses(&one.replace('z', "x")));
    assert_eq!(case.step()[1..], [push(1.0)]);
}

#[test]
fn renamed_lost_and_changed_fields_are_noted() {
    let mut case = Case::new();
    case.step();
    let memory = |memory: &str, n: &str| {
        format!(
            "const K = param(1.0, 0.0, 9.0);\nconst MEMORY = #{{ {memory} }};\nfn steer(me, world) {{ {n} }}"
        )
    };
    let mut notes = |content: &str| {
        case.project.set_script("one", 0, text(content));
        let (events, notes) = case.swap();
        assert_eq!(events, live("one.rhai"), "{content}");
        (case.first(), notes.join("; "))
    };
    let renamed = "n in the memory of one is total now".to_owned();
    assert_eq!(notes(&memory("total: 0", "this.total")), (turn(1.0), renamed));
    let initial = "the initial total of one holds for new units only".to_owned();
    assert_eq!(notes(&memory("total: 7", "this.total")), (turn(1.0), initial));
    assert_eq!(notes(&memory("total: 7, c: 9.0", "this.c")), (turn(9.0), String::new()));
    let lost = "memory of one lost: c, total".to_owned();
    assert_eq!(notes(&memory("a: vec(0, 0)", "this.a.x")), (turn(0.0), lost));
    let mapped =
        memory("b: 0", "this.b").replace("fn steer", "fn reloaded(old) { this.b = old.a.x; }\nfn steer");
    assert_eq!(notes(&mapped), (turn(0.0), String::new()));
}
