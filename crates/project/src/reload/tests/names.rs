//! Marks and signals across saves: only names of the present files count.

use steerbox_core::world::MAX_SIGNALS;

use super::*;

/// Sets a signal and a mark, both in a branch that is not reached too.
fn sets(name: &str) -> String {
    let set = format!("me.signal(\"{name}\", 1.0); me.mark(\"{name}\");");
    format!("const K = param(1.0, 0.0, 9.0);\nfn steer(me, world) {{ {set} K }}")
}

fn push(x: f32) -> Contribution {
    Contribution::Push(glam::Vec3::new(x, 0.0, 0.0))
}

fn signals(case: &Case) -> &[String] {
    case.simulation.world().signals.all()
}

#[test]
fn names_of_earlier_versions_leave_room_and_no_trace() {
    let mut case = Case::new();
    for version in 0..70 {
        case.accepts("one", &sets(&format!("s{version}")));
        case.step();
    }
    assert_eq!(signals(&case), ["s69"]);
    let fresh = case.generation.start(None);
    assert_eq!(case.simulation.world().marks, fresh.world().marks);
    assert_eq!(case.simulation.world().units.signals.all(), [1.0; 3]);
}

#[test]
fn a_name_in_a_branch_that_is_not_reached_is_counted() {
    let mut case = Case::new();
    let names: Vec<_> = (0..MAX_SIGNALS).map(|at| format!("me.signal(\"s{at}\", {at}.0);")).collect();
    let full =
        ONE.replace("this.n += 1;", &format!("this.n += 1; if me.age > 0.02 {{ {} }}", names.concat()));
    case.accepts("one", &full);
    (0..4).for_each(|_| drop(case.step()));
    let last = case.simulation.world().units.signals.of(2).to_vec();
    assert_eq!(last, (0..MAX_SIGNALS).map(|at| at as f32).collect::<Vec<_>>());
    case.rejects("two", "fn steer(me, world) { if me.age > 60 { me.signal(\"more\", 5.0) } vec(1, 0) }");
    assert!(case.error().message.contains("name 17 signals"), "{:?}", case.error());
}

#[test]
fn variants_of_a_scene_do_not_share_the_room() {
    let variant = |prefix: &str| {
        let set = (0..10).map(|at| format!("me.signal(\"{prefix}{at}\", {at}.0);"));
        format!("fn steer(me, world) {{ {} vec(1, 0) }}", set.collect::<String>())
    };
    let mut case = Case::new();
    case.project.set_script("p", 0, text(&variant("x")));
    case.project.set_script("r", 0, text(&variant("y")));
    for script in ["p", "r", "p", "r"] {
        case.save_scene(&SCENE.replace("two", script));
        case.step();
        assert_eq!(case.simulation.world().units.signals.of(0)[9], 9.0);
    }
}

#[test]
fn marks_and_signals_follow_their_names_into_other_slots() {
    let mut case = Case::new();
    case.accepts("one", &sets("b"));
    case.step();
    let reads = "fn steer(me, world) { me.signal(\"a\", 3.0);
        vec(if me.has_mark(\"b\") { me.signal(\"b\") } else { -1 }, 0) }";
    case.accepts("two", reads);
    // A script before the other, so that its names come first.
    let turned = SCENE.replace(
        "(script: \"one\", params: {\"K\": 2}), (script: \"two\")",
        "(script: \"two\"), (script: \"one\", params: {\"K\": 2})",
    );
    assert_eq!(signals(&case), ["b", "a"]);
    case.save_scene(&turned);
    assert_eq!(signals(&case), ["a", "b"]);
    assert_eq!(case.first(), push(1.0));
    assert_eq!(case.simulation.world().units.signals.of(0), [3.0, 1.0]);
}

#[test]
fn a_signal_that_no_rule_sets_is_0_and_is_reported() {
    let mut case = Case::new();
    case.accepts("one", &sets("fear"));
    case.step();
    case.accepts("two", "fn steer(me, world) { vec(me.signal(\"fear\"), 0) }");
    assert_eq!((case.step()[1], case.generation.warnings.len()), (push(1.0), 0));
    case.accepts("one", &sets("fears"));
    assert_eq!((case.step()[1], signals(&case).len()), (push(0.0), 2));
    let warning = &case.generation.warnings[0];
    assert_eq!(warning.message, "no rule sets the signal \"fear\", so that it is 0");
    assert_eq!((warning.path.as_str(), warning.column), ("two.rhai", 37));
    assert_eq!(warning.help.as_deref(), Some("did you mean \"fears\"?"));
    // Of the past there is no value left.
    case.accepts(
        "one",
        &sets("fear").replace("me.signal", "if me.age > 9 { me.signal").replace("1.0);", "1.0) }"),
    );
    assert_eq!((case.step()[1], case.generation.warnings.len()), (push(0.0), 0));
    let look = |name: &str| {
        let look = format!("count: 3, look: (color_by: Signal(\"{name}\"), marks: {{\"{name}\": \"red\"}})");
        SCENE.replace("count: 3", &look)
    };
    case.save_scene(&look("pain"));
    let messages: Vec<_> = case.generation.warnings.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(messages, ["no rule sets the signal \"pain\", so that it is 0"]);
    case.save_scene(&look("fear"));
    assert_eq!(case.generation.warnings, []);
}
