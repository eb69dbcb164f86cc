//! Scripts as measures.

use steerbox_core::sim::{GroupMeasure, MeasureValue};

use super::*;
use crate::{Role, ScriptMeasure};

fn script(text: &str) -> Script {
    let script = Script::compile("measures/test.rhai", text).unwrap_or_else(|faults| panic!("{faults:#?}"));
    assert_eq!(script.role, Role::Measure);
    script
}

fn measured_in(world: World, text: &str) -> Result<Option<MeasureValue>, Failure> {
    let program = Program::fold(&script(text), &[]).unwrap();
    ScriptMeasure::new(program).value(&Arc::new(Frozen::new(world)), 0)
}

fn measured(body: &str) -> Result<Option<MeasureValue>, Failure> {
    measured_in(world(), &format!("fn measure(group, world) {{ {body} }}"))
}

#[test]
fn a_measure_is_a_number_a_vector_or_a_list() {
    let list = |numbers: &[f32]| MeasureValue::List(numbers.into());
    for (body, expected) in [
        ("group.count", MeasureValue::Number(3.0)),
        ("let sum = 0.0; for unit in group { sum += unit.speed } sum", MeasureValue::Number(6.0)),
        ("group.mean_position", MeasureValue::Vector(Vec3::new(11.0, 34.0 / 3.0, 0.0))),
        ("group.mean_velocity", MeasureValue::Vector(Vec3::Y * 2.0)),
        ("group[2].position - group[0].position", MeasureValue::Vector(Vec3::X * 3.0)),
        ("[1, 2.5, world.step]", list(&[1.0, 2.5, 0.5])),
        ("let all = []; for unit in group { all.push(unit.position.x) } all", list(&[10.0, 10.0, 13.0])),
        ("histogram([0.0, 1, 2, 2.5, 4, 4.1, -1], 0, 4, 4)", list(&[1.0, 1.0, 2.0, 1.0])),
        ("if group.name == \"flock\" && group[1].index == 1 { 1 } else { 0 }", MeasureValue::Number(1.0)),
    ] {
        assert_eq!(measured(body), Ok(Some(expected)), "{body}");
    }
    for body in ["()", "if group.count > 3 { 1 }", "for unit in group { if unit.speed > 3.0 { return 1; } }"]
    {
        assert_eq!(measured(body), Ok(None), "{body}");
    }
}

#[test]
fn positions_across_a_periodic_edge_are_next_to_the_center() {
    let mut world = world();
    world.arena.seamless = true;
    world.units.position[0] = Vec3::new(99.0, 40.0, 0.0);
    world.units.position[1] = Vec3::new(1.0, 40.0, 0.0);
    world.units.position[2] = Vec3::new(3.0, 40.0, 0.0);
    let text = "fn measure(group, world) { (group[1].position - group[0].position).x + \
                (group[2].position - group[1].position).x }";
    let Ok(Some(MeasureValue::Number(sum))) = measured_in(world, text) else { panic!("no number") };
    assert!((sum - 4.0).abs() < 1e-3, "{sum}");
}

#[test]
fn failures_have_a_place_and_a_cause() {
    for (body, line_and_column, message) in [
        ("\n  group[7].speed", (2, 8), "there is no [7] in a list of 3"),
        ("\n  1.0 / (group.count - 3.0)", (1, 4), "measure returned a number that is not finite"),
        ("[0.0 / (group.count - 3.0)]", (1, 4), "measure returned a list with a number that is not finite"),
        (
            "\"many\"",
            (1, 4),
            "measure returned a string instead of a number, a vector or an array of numbers",
        ),
        (
            "[1, true]",
            (1, 4),
            "measure returned an array with other values instead of a number, a vector or an array of numbers",
        ),
        ("\n loop { }", (2, 2), "one call took more than 1000000 operations"),
        ("histogram([1], 2, 1, 3)", (1, 28), "a histogram from 2 to 1 has no interval"),
        ("histogram([1], 0, 1, 0)", (1, 28), "a histogram has 1 to 256 bins, not 0"),
        ("histogram([group[0]], 0, 1, 2)", (1, 28), "a histogram counts numbers, not a unit"),
    ] {
        let failure = measured(body).expect_err(body);
        assert_eq!((&*failure.message, (failure.line, failure.column)), (message, line_and_column), "{body}");
        assert_eq!(failure.exhausted, body.contains("loop"), "{body}");
    }
}

#[test]
fn the_entry_point_and_the_folder_belong_together() {
    let fault = |path: &str, text: &str| {
        let faults = Script::compile(path, text).expect_err(text);
        format!("{} | {}", faults[0].message, faults[0].help.clone().unwrap_or_default())
    };
    for (path, text, expected) in [
        (
            "measures/a.rhai",
            "fn measur(group, world) { 1 }",
            "there is no `fn measure`, but a `fn measur` | did you mean `measure`?",
        ),
        (
            "measures/a.rhai",
            "fn measure(group) { 1 }",
            "`fn measure` takes 2 arguments, group and world, not 1 | a measure has a function `fn measure(group, world) { … }`",
        ),
        (
            "measures/a.rhai",
            "fn steer(me, world) { 1 }",
            "there is no `fn measure` | only measures are in `scripts/measures`",
        ),
        (
            "a.rhai",
            "fn measure(group, world) { 1 }",
            "there is no `fn steer` | a measure is a file in `scripts/measures`",
        ),
    ] {
        assert_eq!(fault(path, text), expected);
    }
}

#[test]
fn members_of_the_group_are_checked_before_a_run() {
    let review = |body: &str| {
        let text = format!("fn measure(group, world) {{ {body} }}");
        let reviewed = Script::reviewed("measures/a.rhai", &text, &crate::NoLibrary, false);
        let faults = reviewed.err().unwrap_or_default();
        faults.first().map(|fault| format!("{} | {}", fault.message, fault.help.clone().unwrap_or_default()))
    };
    assert_eq!(review("group.count"), None);
    let found = review("group.mean_positon").expect("a fault");
    assert!(found.contains("mean_positon") && found.contains("did you mean `mean_position`?"), "{found}");
    let found = review("for unit in group { unit.sped } 1").expect("a fault");
    assert!(found.contains("did you mean `speed`?"), "{found}");
}
