//! Suspended behaviors: each resumes with the save that may have removed the cause, wherever that was.

use steerbox_core::sim::MAX_FAILING_STEPS;

use super::data::opened_with;
use super::*;

const PLAYER: &str = "player: (body: \"m\", spawn: At([(position: (1, 1))])), bodies";
/// Fails while there is no player.
const CHASE: &str = "fn steer(me, world) { world.player.position.x }";
/// Fails from the second step on.
const LATE: &str = "fn steer(me, world) { if me.age > 0.01 { me.enemies.nearest.speed } else { 0.0 } }";

/// Runs until the first behavior is suspended.
fn suspended(mut case: Case) -> Case {
    (0..=MAX_FAILING_STEPS).for_each(|_| case.simulation.step());
    assert!(case.simulation.slots(0)[0].suspended().is_some());
    case
}

fn is_suspended(case: &Case) -> bool {
    case.simulation.has_suspended()
}

#[test]
fn a_behavior_resumes_when_its_cause_is_removed_in_the_scene() {
    let mut case = suspended(Case::open(SCENE, CHASE));
    case.save_scene(&SCENE.replace("bodies", PLAYER));
    assert_eq!(case.first(), turn(1.0));
}

#[test]
fn a_behavior_resumes_when_its_cause_is_removed_in_a_table() {
    let dividing = "const K = param(1, 0, 9);\nfn steer(me, world) { 10 / K }";
    let (_folder, case) = opened_with(dividing, "x,y,K\n10,20,0\n30,40,0\n");
    let mut case = suspended(case);
    case.project.set_data("start.csv", text("x,y,K\n10,20,5\n30,40,5\n"));
    let swapped = case.swap();
    assert!(!is_suspended(&case), "{swapped:?} {:?}", case.generation.events);
    assert_eq!(case.first(), turn(2.0));
}

#[test]
fn a_behavior_resumes_when_its_cause_is_removed_in_an_import() {
    let mut case = Case::new();
    case.project.set_script("part", 0, text(&LATE.replace("fn steer(me, world)", "fn part(me, world)")));
    case.save("one", "import \"part\" as part;\nfn steer(me, world) { part::part(me, world) }");
    let mut case = suspended(case);
    case.save("part", "fn part(me, world) { 3.0 }");
    assert_eq!(case.first(), turn(3.0));
}

#[test]
fn a_behavior_resumes_when_fewer_units_leave_it_enough_work() {
    let costly =
        "fn steer(me, world) { let n = 0.0; if me.age > 0.01 { for i in 0..9000 { n += sin(i); } } n }";
    let mut case = Case::open(&SCENE.replace("count: 3", "count: 3000"), costly);
    (0..4).for_each(|_| case.simulation.step());
    assert!(is_suspended(&case));
    case.save_scene(SCENE);
    assert_ne!(case.first(), Contribution::None);
}

#[test]
fn every_save_that_runs_resumes_and_others_do_not() {
    let case = || suspended(Case::open(SCENE, LATE));
    let mut of_another = case();
    of_another.accepts("two", "fn steer(me, world) { 7 }");
    assert!(!is_suspended(&of_another), "a change of another script");
    let mut of_the_scene = case();
    of_the_scene.save_scene(&SCENE.replace("count: 3", "count: 4"));
    assert!(!is_suspended(&of_the_scene), "a change of the scene");
    let mut same = case();
    same.project.resume();
    same.swap();
    assert!(!is_suspended(&same), "a save of the same text");
    let mut faulty = case();
    faulty.rejects("two", "fn steer(");
    assert!(is_suspended(&faulty), "a rejected file");
    faulty.tune(KnobName::Gain, ParamValue::Number(3.0));
    faulty.swap();
    assert!(is_suspended(&faulty), "a tuned weight");
}
