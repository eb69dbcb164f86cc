//! Saves of scripts, and values tuned between them.

use super::*;

#[test]
fn a_good_save_runs_from_the_next_step_on_and_memory_stays() {
    let mut desk = Desk::new();
    assert_eq!(desk.first(), turn(2.0));
    desk.accepts("one", &ONE.replace("1; K", "1; K + 10 * this.n"));
    assert_eq!(desk.generation.number, 2);
    assert_eq!(desk.first(), turn(22.0));
}

#[test]
fn broken_saves_change_nothing_but_a_message() {
    let mut desk = Desk::new();
    desk.step();
    let twin = Desk::new().run(6);
    for broken in [
        "fn steer(me, world) { let a = 3 let b }",
        "fn steer(me, world) { loop {} }",
        "fn steer(me, world) { me.zork }",
        "fn stear(me, world) { 1 }",
        "",
    ] {
        desk.rejects("one", broken);
        assert_eq!(desk.generation.number, 1);
        desk.step();
    }
    assert_eq!(desk.simulation.hash(), twin, "the state is that of a run without the saves");
    desk.accepts("one", ONE);
}

#[test]
fn the_newest_content_counts_also_when_it_was_rejected_for_another_file() {
    let mut desk = Desk::new();
    // The script no longer allows what the scene sets: rejected until the scene follows.
    let narrowed = ONE.replace("1.0, 0.0, 9.0", "4.0, 3.0, 9.0");
    desk.rejects("one", &narrowed);
    let fault = desk.error();
    assert!(fault.message.contains("allows 3 to 9"), "{fault:?}");
    let (events, _) = desk.save_scene(&SCENE.replace("\"K\": 2", "\"K\": 4"));
    let scene = (EventKind::Reconciled, "s.ron".to_owned());
    assert_eq!(events, [vec![scene], live("one.rhai")].concat());
    assert_eq!(desk.first(), turn(4.0));
}

#[test]
fn a_value_that_its_script_no_longer_takes_is_told_and_the_save_runs() {
    let mut desk = Desk::new();
    assert_eq!(desk.generation.warnings, []);
    desk.accepts("one", &ONE.replace('K', "L"));
    assert_eq!(desk.first(), turn(1.0), "its default");
    let told = &desk.generation.events[0].others;
    let [warning] = &told[..] else {
        panic!("{told:?}");
    };
    let message = "one.rhai has no parameter \"K\": its value is ignored";
    assert_eq!(warning.message, message);
    let (path, place) = (warning.path.as_str(), (warning.line, warning.column));
    assert_eq!((path, place), ("s.ron", (2, 84)));
    assert_eq!(warning.severity, crate::diagnostics::Severity::Warning);
    assert_eq!(desk.generation.warnings, *told);
    desk.save("two", "fn steer(me, world) { 7 }");
    assert_eq!(desk.generation.events[0].others, [], "it is told once");
    assert_eq!(desk.generation.warnings.len(), 1, "but still known");
    desk.save_scene(&SCENE.replace("\"K\": 2", "\"L\": 4"));
    assert_eq!(desk.generation.warnings, []);
    assert_eq!(desk.first(), turn(4.0));
}

#[test]
fn a_file_that_goes_keeps_running_and_is_told_once() {
    let mut desk = Desk::new();
    desk.project.set_script("two", 0, None);
    assert_eq!(desk.swap().0, [(EventKind::Missing, "two.rhai".to_owned())]);
    assert_eq!(desk.swap().0, []);
    assert_eq!(desk.step()[1], Contribution::Push(glam::Vec3::X));
    desk.accepts("two", "fn steer(me, world) { 7 }");
    assert_eq!(desk.step()[1], turn(7.0));
}

#[test]
fn a_tuned_value_wins_until_the_file_changes_it() {
    let mut desk = Desk::new();
    desk.tune(KnobName::Param("K".into()), ParamValue::Number(5.0));
    desk.tune(KnobName::Gain, ParamValue::Number(3.0));
    desk.swap();
    assert_eq!(desk.first(), turn(5.0));
    assert_eq!(desk.simulation.slots(0)[0].gain, 3.0);
    desk.save_scene(&SCENE.replace("count: 3", "count: 4"));
    assert_eq!(desk.first(), turn(5.0), "the file's value is what it was");
    desk.save_scene(&SCENE.replace("\"K\": 2", "\"K\": 8"));
    assert_eq!(desk.first(), turn(8.0));
}

#[test]
fn a_tuned_value_that_does_not_work_changes_nothing() {
    let mut desk = Desk::new();
    desk.save("one", "const K = param(1, 0, 9);\nconst L = 10 / K;\nfn steer(me, world) { L }");
    assert_eq!(desk.first(), turn(5.0));
    desk.tune(KnobName::Param("K".into()), ParamValue::Integer(0));
    desk.swap();
    assert_eq!(desk.first(), turn(5.0));
}

#[test]
fn a_script_that_never_compiled_leaves_the_others_running() {
    let mut desk = Desk::open(SCENE, "fn steer(");
    assert_eq!(desk.step(), [Contribution::None, Contribution::Push(glam::Vec3::X)]);
    assert_eq!(desk.generation.files[1].generation, 0);
}

#[test]
fn what_is_told_again_is_no_news() {
    let mut desk = Desk::new();
    assert_eq!(desk.save("one", "fn steer("), rejected("one.rhai"));
    desk.save_scene("(");
    desk.project.set_script("one", 0, text("fn steer("));
    desk.project.set_script("two", 0, text(TWO));
    desk.project.set_scene(text("("));
    assert!(!desk.project.has_news());
    desk.project.set_script("one", 0, None);
    assert!(desk.project.has_news());
}
