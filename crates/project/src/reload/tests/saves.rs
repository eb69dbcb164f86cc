//! Saves of scripts, and values tuned between them.

use super::*;
use crate::reload::{News, news};

#[test]
fn a_valid_save_runs_from_the_next_step_on_with_its_memory() {
    let mut case = Case::new();
    assert_eq!(case.first(), turn(2.0));
    case.accepts("one", &ONE.replace("1; K", "1; K + 10 * this.n"));
    assert_eq!(case.generation.number, 2);
    assert_eq!(case.first(), turn(22.0));
}

#[test]
fn broken_saves_only_cause_a_message() {
    let mut case = Case::new();
    case.step();
    let twin = Case::new().run(6);
    for broken in [
        "fn steer(me, world) { let a = 3 let b }",
        "fn steer(me, world) { loop {} }",
        "fn steer(me, world) { me.zork }",
        "fn stear(me, world) { 1 }",
        "",
    ] {
        case.rejects("one", broken);
        assert_eq!(case.generation.number, 1);
        case.step();
    }
    assert_eq!(case.simulation.hash(), twin, "the state is that of a run without the saves");
    case.accepts("one", ONE);
}

#[test]
fn a_content_rejected_for_another_file_is_tried_again() {
    let mut case = Case::new();
    // The script rejects a value of the scene: it is rejected until the scene follows.
    let narrowed = ONE.replace("1.0, 0.0, 9.0", "4.0, 3.0, 9.0");
    case.rejects("one", &narrowed);
    let fault = case.error();
    assert!(fault.message.contains("allows 3 to 9"), "{fault:?}");
    let (events, _) = case.save_scene(&SCENE.replace("\"K\": 2", "\"K\": 4"));
    let scene = (EventKind::Reconciled, "s.ron".to_owned());
    assert_eq!(events, [vec![scene], live("one.rhai")].concat());
    assert_eq!(case.first(), turn(4.0));
}

#[test]
fn a_value_without_its_parameter_causes_a_warning() {
    let mut case = Case::new();
    assert_eq!(case.generation.warnings, []);
    case.accepts("one", &ONE.replace('K', "L"));
    assert_eq!(case.first(), turn(1.0), "its default");
    let reported = &case.generation.events[0].others;
    let [warning] = &reported[..] else {
        panic!("{reported:?}");
    };
    let message = "one.rhai has no parameter \"K\": its value is ignored";
    assert_eq!(warning.message, message);
    let (path, place) = (warning.path.as_str(), (warning.line, warning.column));
    assert_eq!((path, place), ("s.ron", (2, 84)));
    assert_eq!(warning.severity, steerbox_core::diagnostics::Severity::Warning);
    assert_eq!(case.generation.warnings, *reported);
    case.save("two", "fn steer(me, world) { 7 }");
    assert_eq!(case.generation.events[0].others, [], "the error is reported once");
    assert_eq!(case.generation.warnings.len(), 1, "but still known");
    case.save_scene(&SCENE.replace("\"K\": 2", "\"L\": 4"));
    assert_eq!(case.generation.warnings, []);
    assert_eq!(case.first(), turn(4.0));
}

#[test]
fn a_script_that_is_interpreted_is_named_with_the_remedy() {
    let mut case = Case::new();
    let steer = "fn steer(me, world) { let speed = me.speed; if speed > K { speed = 0; } speed }";
    case.accepts("one", &format!("const K = param(1.0, 0.0, 9.0);\n{steer}"));
    let news = news(&case.generation.events, &case.generation);
    let mut lines = news.iter().filter_map(|news| match news {
        News::Interpreted(line) => Some(line.as_str()),
        _ => None,
    });
    let line = lines.next().unwrap_or_default();
    assert!(line.starts_with("one.rhai is interpreted") && line.ends_with("; write `speed = 0.0`"), "{line}");
    assert_eq!(lines.next(), None);
}

#[test]
fn a_deleted_file_continues_to_run_and_is_reported_once() {
    let mut case = Case::new();
    case.project.set_script("two", 0, None);
    assert_eq!(case.swap().0, [(EventKind::Missing, "two.rhai".to_owned())]);
    assert_eq!(case.swap().0, []);
    assert_eq!(case.step()[1], Contribution::Push(glam::Vec3::X));
    case.accepts("two", "fn steer(me, world) { 7 }");
    assert_eq!(case.step()[1], turn(7.0));
}

#[test]
fn a_tuned_value_overrides_the_file_until_it_changes() {
    let mut case = Case::new();
    case.tune(KnobName::Param("K".into()), ParamValue::Number(5.0));
    case.tune(KnobName::Gain, ParamValue::Number(3.0));
    case.swap();
    assert_eq!(case.first(), turn(5.0));
    assert_eq!(case.simulation.slots(0)[0].gain, 3.0);
    case.save_scene(&SCENE.replace("count: 3", "count: 4"));
    assert_eq!(case.first(), turn(5.0), "the file's value is what it was");
    case.save_scene(&SCENE.replace("\"K\": 2", "\"K\": 8"));
    assert_eq!(case.first(), turn(8.0));
}

#[test]
fn a_tuned_value_that_does_not_work_changes_nothing() {
    let mut case = Case::new();
    case.save("one", "const K = param(1, 0, 9);\nconst L = 10 / K;\nfn steer(me, world) { L }");
    assert_eq!(case.first(), turn(5.0));
    case.tune(KnobName::Param("K".into()), ParamValue::Integer(0));
    case.swap();
    assert_eq!(case.first(), turn(5.0));
}

#[test]
fn a_script_that_never_compiled_leaves_the_others_running() {
    let mut case = Case::open(SCENE, "fn steer(");
    assert_eq!(case.step(), [Contribution::None, Contribution::Push(glam::Vec3::X)]);
    assert_eq!(case.generation.files[1].generation, 0);
}

#[test]
fn repeated_contents_are_not_reported() {
    let mut case = Case::new();
    assert_eq!(case.save("one", "fn steer("), rejected("one.rhai"));
    case.save_scene("(");
    case.project.set_script("one", 0, text("fn steer("));
    case.project.set_script("two", 0, text(TWO));
    case.project.set_scene(text("("));
    assert!(!case.project.has_news());
    case.project.set_script("one", 0, None);
    assert!(case.project.has_news());
}
