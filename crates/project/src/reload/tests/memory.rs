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
}
