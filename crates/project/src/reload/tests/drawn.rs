//! Parameters of which each unit draws its own value.

use super::*;

const HEAD: &str = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover() },
    groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"one\", params: {";

fn scene(params: &str) -> String {
    format!("{HEAD}{params}}}), (script: \"two\")])])")
}

/// Returns the turns of all units in the next step.
pub(super) fn turns(case: &mut Case) -> Vec<f32> {
    case.simulation.step();
    assert_eq!(case.simulation.reports(), []);
    let turn = |unit| match case.simulation.decisions(unit).next() {
        Some((_, Contribution::Turn(turn))) => turn.x,
        other => panic!("{other:?}"),
    };
    (0..case.simulation.world().units.len()).map(turn).collect()
}

#[test]
fn units_draw_their_own_values_and_a_tuned_number_moves_the_mean() {
    let mut case = Case::open(&scene("\"K\": Normal(4, 0.5)"), ONE);
    let before = turns(&mut case);
    assert!(before[0] != before[1] && before[1] != before[2], "{before:?}");
    assert_eq!(turns(&mut case), before);
    case.tune(KnobName::Param("K".to_owned()), ParamValue::Number(5.0));
    case.swap();
    let knob = case.generation.behaviors[0][0].knobs[2].clone();
    assert_eq!(
        (knob.value.to_string(), knob.file.to_string()),
        ("Normal(5, 0.5)".into(), "Normal(4, 0.5)".into())
    );
    assert!(knob.tuned);
    let after = turns(&mut case);
    assert!(before.iter().zip(&after).all(|(a, b)| (b - a - 1.0).abs() < 1e-5), "{before:?} {after:?}");
    // The new distribution of the file replaces the tuned value; memory stays.
    case.save_scene(&scene("\"K\": Normal(4, 0)"));
    assert_eq!(turns(&mut case), [4.0; 3]);
    let remembered = case.simulation.memory(0).next().map(|(_, _, words)| f32::from_bits(words[0]));
    assert_eq!(remembered, Some(4.0));
    case.save_scene(&scene("\"K\": Normal(4, 0.5)"));
    assert_eq!(turns(&mut case), before);
}

#[test]
fn values_depend_on_unit_script_and_name_only() {
    let own = turns(&mut Case::open(&scene("\"K\": Uniform(0, 9)"), ONE));
    let more = scene("\"K\": Uniform(0, 9)").replace("count: 3", "count: 5");
    assert_eq!(turns(&mut Case::open(&more, ONE))[..3], own);
    let first = "groups: [(name: \"z\", body: \"m\", count: 2, behaviors: [(script: \"two\")]), (";
    let mut case = Case::open(&more.replace("groups: [(", first), ONE);
    case.simulation.step();
    let turn = |unit| case.simulation.decisions(unit).next().map(|(_, contribution)| contribution);
    assert_eq!([2, 3, 4].map(turn), [0, 1, 2].map(|at| Some(super::turn(own[at]))));
    let other = ONE.replace("const K", "const J = param(2.0, 0.0, 9.0); const K").replace("; K }", "; J }");
    let other = turns(&mut Case::open(&scene("\"J\": Uniform(0, 9)"), &other));
    assert!(other.iter().zip(&own).all(|(a, b)| a != b), "{other:?} {own:?}");
    let seed = scene("\"K\": Uniform(0, 9)").replace("(world", "(seed: 5, world");
    assert!(turns(&mut Case::open(&seed, ONE)).iter().zip(&own).all(|(a, b)| a != b));
}

#[test]
fn draws_are_within_the_range_that_the_script_declares() {
    let mut case = Case::open(&scene("\"K\": Normal(9, 5)").replace("count: 3", "count: 300"), ONE);
    let all = turns(&mut case);
    let at_end = all.iter().filter(|turn| **turn == 9.0).count();
    assert!((100..200).contains(&at_end) && all.iter().all(|turn| (0.0..=9.0).contains(turn)), "{at_end}");
}

#[test]
fn faulty_distributions_are_reported_at_their_place() {
    let switch =
        ONE.replace("const K", "const ON = param(true); const MODE = param(\"a\", [\"a\", \"b\"]); const K");
    let derived = ONE.replace("const MEMORY", "const TWICE = 2 * K;\nconst MEMORY");
    for (params, one, expected) in [
        ("\"K\": Normal(10, 1)", &switch, "K is 10, but the script allows 0 to 9"),
        ("\"K\": Uniform(-1, 3)", &switch, "K is -1, but the script allows 0 to 9"),
        ("\"K\": Choice([1, 20])", &switch, "K is 20, but the script allows 0 to 9"),
        ("\"K\": Choice([true])", &switch, "K is a number: write, for example, Choice([0, 1])"),
        ("\"ON\": Normal(0, 1)", &switch, "ON is true or false: write Choice([true, false])"),
        ("\"MODE\": Choice([1])", &switch, "MODE is a word, which is the same for all units"),
        (
            "\"K\": Normal(1, 1)",
            &derived,
            "K cannot differ by unit: the constant TWICE in line 2 of one.rhai is computed from it",
        ),
    ] {
        let mut case = Case::open(SCENE, one);
        case.save_scene(&scene(params));
        let error = case.error();
        assert_eq!(error.message, expected, "{params}");
        assert_eq!((error.line, error.column > 60), (2, true), "{params}");
    }
    // A script that computes a constant from a drawn parameter is rejected instead of the scene.
    let mut case = Case::open(&scene("\"K\": Normal(1, 1)"), ONE);
    case.rejects("one", &derived);
    assert_eq!(case.error().message, "the constant TWICE is computed from K, which differs by unit");
}

#[test]
fn bodies_differ_by_unit_and_scripts_read_their_numbers() {
    let script = "const K = 0; fn steer(me, world) { me.length + 10.0 * me.max_speed }";
    let scene = scene("").replace("Mover()", "Mover(length: Normal(2, 0.5), max_speed: Choice([3, 5]))");
    let mut case = Case::open(&scene, script);
    let all = turns(&mut case);
    let world = case.simulation.world();
    let expected = |unit: usize| world.body_of(unit).length() + 10.0 * world.body_of(unit).max_speed();
    assert_eq!(all, [0, 1, 2].map(expected));
    assert!(all[0] != all[1] && all[1] != all[2]);
    // Without distributions, the group has one body again, and machine code for it.
    case.save_scene(&scene.replace("Normal(2, 0.5)", "2").replace("Choice([3, 5])", "4"));
    assert_eq!(turns(&mut case), [42.0; 3]);
    assert!(case.simulation.world().bodies.is_empty());
}
