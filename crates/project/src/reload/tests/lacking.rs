//! Warnings about needs of rules that a scene does not meet.

use steerbox_script::ParamRange;

use super::*;
use crate::reload::{Knob, embedded_scenes};

/// A scene with these fields, and a group with these.
fn scene(fields: &str, group: &str) -> String {
    format!(
        "(world: Plane(size: (100, 80)), bodies: {{\"m\": Mover()}}, {fields}
        groups: [(name: \"a\", body: \"m\", count: 3, {group}
            behaviors: [(script: \"one\"), (script: \"two\")])])"
    )
}

fn steer(body: &str) -> String {
    format!("fn steer(me, world) {{ {body} }}")
}

/// The warnings about a scene, with their remedies.
fn warned(fields: &str, group: &str, one: &str) -> Vec<String> {
    let case = Case::open(&scene(fields, group), &steer(one));
    let warning = |fault: &Fault| {
        assert_eq!(fault.severity, steerbox_core::diagnostics::Severity::Warning);
        assert!(fault.line > 0 && fault.column > 0, "{fault:?}");
        format!("{} | {}", fault.message, fault.help.as_deref().unwrap_or_default())
    };
    case.generation.warnings.iter().map(warning).collect()
}

#[test]
fn names_of_zones_in_comparisons_are_those_of_the_scene() {
    let entered = "1 } fn entered(zone, me) { if zone == \"dor\" { me.mark(\"in\"); }";
    let zones = |name: &str| format!("zones: {{\"{name}\": Circle(center: (9, 9), radius: 3)}},");
    for (fields, expected) in [
        (zones("door"), "the scene has no zone \"dor\" | did you mean \"door\"?"),
        (String::new(), "the scene has no zone \"dor\" | add it to `zones` of s.ron"),
        (zones("dor"), ""),
    ] {
        assert_eq!(warned(&fields, "", entered).join("\n"), expected, "{fields}");
    }
}

#[test]
fn unmet_needs_of_rules_cause_warnings() {
    const VIEWS: &str = "views: {\"near\": Around(radius: 9)},";
    const PATHS: &str = "paths: {\"track\": (points: [(1, 1), (9, 9)])},";
    const PLAYER: &str = "player: (body: \"m\", spawn: At([(position: (1, 1))])),";
    let chase = "let p = world.player; if p == () { return (); } p.position - me.position";
    let follow = "let p = me.path; if p == () { return (); } p.nearest_point(me.position) - me.position";
    let seek = "if world.target == () { return (); } world.target - me.position";
    for (fields, group, one, expected) in [
        (
            "",
            "",
            "me.neighbors.len",
            "group a has no view, so that `me.neighbors` of one is empty | add, for example, `views: {\"a\": Around(radius: 60)}` to the scene, and `view: \"a\"` to the group",
        ),
        (
            VIEWS,
            "",
            "me.others.len",
            "group a has no view, so that `me.others` of one is empty | add `view: \"near\"` to the group",
        ),
        (VIEWS, "view: \"near\",", "me.others.len", ""),
        ("views: {\"near\": Around(radius: 9)}, keys: {\"1\": View(\"near\")},", "", "me.others.len", ""),
        ("", "", "if me.has_view { me.others.len } else { 0 }", ""),
        (
            "",
            "",
            "me.enemies.len",
            "group a has no enemies, so that `me.enemies` of one is empty | add a group of another kind, and name it in `enemies`",
        ),
        (
            PLAYER,
            "",
            "me.enemies.len",
            "group a has no enemies, so that `me.enemies` of one is empty | add `enemies: [\"player\"]` to the group",
        ),
        (PLAYER, "enemies: [\"player\"],", "me.enemies.len", ""),
        (
            PLAYER,
            "enemies: [\"player\"], sense: 0,",
            "me.enemies.len",
            "group a has a `sense` of 0, so that `me.enemies` of one is empty | make `sense` larger, or leave it out",
        ),
        (
            "",
            "",
            "me.touching.len",
            "units have no contacts, so that `me.touching` of one is empty | add `contacts: (units: Separate)` to the scene",
        ),
        ("contacts: (units: Separate),", "", "me.touching.len", ""),
        (
            "",
            "",
            chase,
            "the scene has no player, so that `world.player` is `()` and one does nothing | add `player: (body: \"…\")` to the scene",
        ),
        (PLAYER, "", chase, ""),
        ("", "", "if world.player == () { 1 } else { 2 }", ""),
        (
            PATHS,
            "",
            follow,
            "group a has no path, so that `me.path` is `()` and one does nothing | add `path: \"track\"` to the group",
        ),
        (PATHS, "path: \"track\",", follow, ""),
        (
            "",
            "",
            "me.field?.at(me.position)",
            "group a has no flow field, so that `me.field` is `()` and one does nothing | add, for example, `fields: {\"a\": Grid(columns: 2, vectors: [(1, 0), (0, 1)])}` to the scene, and `field: \"a\"` to the group",
        ),
        (
            "",
            "",
            seek,
            "the scene has no target, so that `world.target` is `()` and one does nothing | add a target to the scene, for example `target: (50, 40)`, or a `hint` with the word target, if a right click sets it",
        ),
        ("hint: \"A right click sets the Target\",", "", seek, ""),
        (
            "hint: \"Click a unit\",",
            "",
            seek,
            "the scene has no target, so that `world.target` is `()` and one does nothing | add a target to the scene, for example `target: (50, 40)`, or a `hint` with the word target, if a right click sets it",
        ),
        ("target: (1, 1),", "", seek, ""),
        (
            VIEWS,
            "",
            "if me.speed < -1 { me.see(\"naer\").len } else { 0 }",
            "the scene has no view \"naer\" | did you mean \"near\"?",
        ),
        (
            "",
            "",
            "if me.speed < -1 { world.path(\"lap\").length } else { 0 }",
            "the scene has no path \"lap\" | add it to `paths` of s.ron",
        ),
        (PATHS, "", "if me.speed < -1 { world.path(\"track\").length } else { 0 }", ""),
    ] {
        assert_eq!(warned(fields, group, one).join("\n"), expected, "{fields} {group} {one}");
    }
}

#[test]
fn names_of_births_and_deposits_are_checked() {
    let warned =
        |group: &str, one: &str| warned("", group, &format!("if me.speed < -1 {{ {one} }} 1")).join("\n");
    assert_eq!(
        warned("", "me.spawn(\"a\");"),
        "no unit is born in the group \"a\", since it has no `most` | add, for example, `most: 1000` to the group \"a\" in s.ron"
    );
    assert_eq!(warned("most: 9,", "me.spawn(\"a\");"), "");
    assert_eq!(
        warned("most: 9,", "me.spawn(\"aa\", me.position, vec(0, 0));"),
        "the scene has no group \"aa\" | did you mean \"a\"?"
    );
    assert_eq!(
        warned("", "me.deposit(\"trail\", 1.0);"),
        "the scene has no grid \"trail\" | add it to `grids` of s.ron"
    );
}

#[test]
fn a_handler_of_contacts_needs_contacts() {
    let one = "1 } fn touched(other, me) { me.mark(\"hit\");";
    let message = "units have no contacts, so that `fn touched` of one is never called";
    let expected = format!("{message} | add `contacts: (units: Separate)` to the scene");
    assert_eq!(warned("", "", one), [expected]);
    assert_eq!(warned("contacts: (units: Separate),", "", one), [""; 0]);
}

#[test]
fn rules_of_a_group_share_a_warning_and_rules_that_are_off_cause_none() {
    let scene =
        scene("", "").replace("(script: \"two\")", "(script: \"two\"), (script: \"one\", enabled: false)");
    let mut case = Case::open(&scene, &steer("me.neighbors.len"));
    case.accepts("two", &steer("me.neighbors.len * 2"));
    let warnings = case.generation.warnings.clone();
    let messages: Vec<_> = warnings.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(messages, ["group a has no view, so that `me.neighbors` of one and two is empty"]);
    assert_eq!((warnings[0].line, warnings[0].column), (2, 25), "the name of the group");
    assert_eq!(case.generation.events[0].others, warnings, "which is news");
    case.accepts("two", &steer("me.neighbors.len * 3"));
    assert_eq!(case.generation.events[0].others, [], "which is none");
    assert_eq!(case.generation.warnings_of("s.ron").len(), 1);
    for slot in 0..2 {
        case.project.tune(
            case.generation.behaviors[0][slot].handle.clone(),
            KnobName::Enabled,
            ParamValue::Switch(false),
        );
    }
    case.swap();
    assert_eq!(case.generation.warnings, []);
}

#[test]
fn a_group_that_never_moves_causes_a_warning() {
    let still = "Mover(desired_speed: 0)";
    let idle = "me.watch(\"speed_now\", me.speed); ()";
    for (body, fields, rule, cause) in [
        (still, "", idle, "no rule returns a push or a turn"),
        ("Rigid(thrust: 0)", "", idle, "no rule returns a push or a turn"),
        (
            "Mover()",
            "spawn: Disc(center: (9, 9), radius: 2, speed: 0),",
            idle,
            "no rule returns a push or a turn",
        ),
        ("Mover()", "spawn: At([(position: (9, 9))]),", idle, "no rule returns a push or a turn"),
        ("Mover(desired_speed: 0, max_velocity_change: 0)", "", "1", "their `max_velocity_change` is 0"),
        ("Mover(desired_speed: 0, axes: (0, 0, 0))", "", "1", "their `axes` are 0"),
        (still, "", "1", ""),
        (still, "", "if me.age > 9 { 1 }", ""),
        (still, "spawn: At([(position: (9, 9), velocity: (1, 0))]),", idle, ""),
        ("Mover(max_velocity_change: 0)", "", "1", ""),
        ("Rigid()", "", idle, ""),
    ] {
        let scene = format!(
            "(world: Plane(size: (100, 80)), bodies: {{\"m\": {body}}}, groups: [(name: \"a\", body: \"m\", {fields}
            behaviors: [(script: \"one\")])])"
        );
        let case = Case::open(&scene, &steer(rule));
        let warned: Vec<_> = case.generation.warnings.iter().map(|fault| fault.message.as_str()).collect();
        let expected = format!("no unit of group a moves: all start at rest, and {cause}");
        assert_eq!(
            warned,
            Vec::from_iter((!cause.is_empty()).then_some(&*expected)),
            "{body} {fields} {rule}"
        );
    }
}

#[test]
fn shipped_scenes_cause_no_warnings() {
    for (name, _) in embedded_scenes() {
        let (_, generation) =
            Loader::load(Place::built_in(name), Vec::new()).unwrap_or_else(|it| panic!("{it}"));
        assert_eq!(generation.warnings, [], "{name}");
    }
}

#[test]
fn parameters_without_an_effect_change_nothing_in_shipped_scenes() {
    let mut gray = 0;
    for (name, _) in embedded_scenes().filter(|(name, _)| *name != "stress.ron") {
        let mut project = Project::new(Place::built_in(name));
        let generation = project.compose().unwrap();
        let run = |generation: &Generation| {
            let mut simulation = generation.start(None);
            (0..3).for_each(|_| simulation.step());
            simulation.hash()
        };
        let expected = run(&generation);
        for planned in generation.planned() {
            for Knob { name, range, value, .. } in planned.knobs.iter().filter(|knob| knob.idle.is_some()) {
                gray += 1;
                let other = match range {
                    ParamRange::Number(least, most) => {
                        ParamValue::Number(if *value == ParamValue::Number(*most) { *least } else { *most })
                    }
                    ParamRange::Integer(least, most) => {
                        ParamValue::Integer(if *value == ParamValue::Integer(*most) { *least } else { *most })
                    }
                    ParamRange::Switch => ParamValue::Switch(*value != ParamValue::Switch(true)),
                    ParamRange::Choice(words) => {
                        let mut others = words.iter().cloned().map(ParamValue::Choice);
                        others.find(|word| word != value).unwrap()
                    }
                };
                project.tune(planned.handle.clone(), name.clone(), other);
            }
        }
        assert_eq!(run(&project.compose().unwrap()), expected, "{name}");
    }
    assert!(gray > 20, "{gray}");
}

#[test]
fn idle_values_of_the_default_scene_name_the_choice_with_which_they_count() {
    let (_, generation) =
        Loader::load(Place::built_in("flock.ron"), Vec::new()).unwrap_or_else(|it| panic!("{it}"));
    let starlings = generation.planned().filter(|planned| planned.handle.group == "starlings");
    let gray = starlings.flat_map(|planned| {
        let script = &planned.handle.script;
        let idle = planned.knobs.iter().filter_map(|knob| Some((knob.name.as_str(), knob.idle.as_ref()?)));
        idle.map(move |(name, reason)| format!("{script}.{name} {reason}"))
    });
    let gray: Vec<_> = gray.collect();
    for expected in [
        "cohesion.RATE counts only with form: push",
        "alignment.RATE counts only with form: push",
        "avoid_obstacles.FEELER counts only with form: turn",
        "avoid_obstacles.BEHIND counts only with form: turn",
    ] {
        assert!(gray.iter().any(|line| line == expected), "{expected}: {gray:#?}");
    }
}
