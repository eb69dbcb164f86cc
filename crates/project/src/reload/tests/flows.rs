//! Scripts that fill flow fields.

use super::*;

const STREAM: &str = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover() },
    fields: { \"stream\": Script(script: \"two\", cells: 4, params: {\"K\": 3}) },
    groups: [(name: \"a\", body: \"m\", field: \"stream\", behaviors: [(script: \"one\")])])";
const SWIM: &str = "fn steer(me, world) { me.field.at(me.position) }";
const FLOW: &str = "const K = param(1.0, 0.0, 9.0);\nfn flow(point, world) { vec(K, world.size.y) }";

#[test]
fn a_script_fills_a_flow_field_and_its_save_fills_it_anew() {
    let mut case = Case::new();
    case.project.set_script("one", 0, text(SWIM));
    case.project.set_script("two", 0, text(FLOW));
    case.save_scene(STREAM);
    let push = |x: f32, y: f32| Contribution::Push(glam::Vec3::new(x, y, 0.0));
    assert_eq!(case.step(), [push(3.0, 100.0)]);
    let turned = FLOW.replace("vec(K", "vec(-K");
    case.accepts("two", &turned);
    assert_eq!(case.step(), [push(-3.0, 100.0)]);
    case.rejects("two", "const K = param(1.0);\nfn flow(point, world) { 1 }");
    let fault = case.error();
    assert!(fault.message.contains("flow returned"), "{fault:?}");
    assert_eq!(case.step(), [push(-3.0, 100.0)]);
    // A behavior cannot fill a field.
    case.rejects("two", TWO);
    let misused =
        STREAM.replace("Script(script: \"two\", cells: 4, params: {\"K\": 3})", "Script(script: \"one\")");
    assert_eq!(case.save_scene(&misused).0[0].0, EventKind::Rejected);
    assert_eq!(case.step(), [push(-3.0, 100.0)]);
}

#[test]
fn a_field_whose_filling_never_ends_is_refused() {
    let mut case = Case::new();
    case.project.set_script("one", 0, text(SWIM));
    case.project.set_script("two", 0, text(FLOW));
    case.save_scene(STREAM);
    let endless = "const K = param(1.0);\nfn flow(point, world) { loop { } }";
    case.rejects("two", endless);
    let lost =
        "const K = param(1.0);\nfn flow(point, world) { world.target; world.obstacles.nearest; point }";
    case.save("two", lost);
    case.step();
}

#[test]
fn a_route_leads_around_the_obstacles_of_the_last_save() {
    let mut case = Case::new();
    case.project.set_script("one", 0, text(SWIM));
    let scene = |obstacles: &str| {
        format!(
            "(world: Plane(size: (100, 100)), bodies: {{ \"m\": Mover() }}, obstacles: [{obstacles}],
            fields: {{ \"way\": Toward(goal: Point((90, 50)), cell: 2) }},
            groups: [(name: \"new\", body: \"m\", field: \"way\", spawn: At([(position: (10, 50))]),
                behaviors: [(script: \"one\")])])"
        )
    };
    let way = |case: &mut Case| match case.step()[0] {
        Contribution::Push(way) => way,
        other => panic!("{other:?}"),
    };
    case.save_scene(&scene(""));
    let straight = way(&mut case);
    assert!(straight.distance(glam::Vec3::X) < 0.01, "{straight}");
    case.save_scene(&scene("Box(center: (50, 60), size: (4, 80))"));
    assert!(way(&mut case).y < -0.5);
}

#[test]
fn units_that_start_without_a_path_are_a_warning_with_the_reason() {
    let mut case = Case::new();
    case.project.set_script("one", 0, text(SWIM));
    let mut warnings = |goal: &str, obstacles: &str| -> Vec<String> {
        case.save_scene(&format!(
            "(world: Plane(size: (100, 100), edges: Bounce), bodies: {{ \"m\": Mover() }}, obstacles: [{obstacles}],
            fields: {{ \"way\": Toward(goal: Point({goal}), cell: 10) }},
            groups: [(name: \"new\", body: \"m\", field: \"way\",
                spawn: At([(position: (10, 50)), (position: (90, 10))]), behaviors: [(script: \"one\")])])"
        ));
        let warning =
            |fault: &Fault| format!("{} | {}", fault.message, fault.help.as_deref().unwrap_or_default());
        case.generation.warnings.iter().map(warning).collect()
    };
    assert_eq!(warnings("(90, 50)", ""), Vec::<String>::new());
    for (goal, obstacles, expected) in [
        (
            "(90, 50)",
            "Circle(center: (8, 50), radius: 5)",
            "1 unit starts in new without a path in the field \"way\": (10, 50) is inside an obstacle | move the start or the obstacle",
        ),
        (
            "(50, 50)",
            "Circle(center: (50, 50), radius: 5)",
            "all units start in new without a path in the field \"way\": its goal is inside an obstacle | move the goal or the obstacle",
        ),
        (
            "(90, 50)",
            "Box(center: (50, 24.8), size: (60, 51.6)), Box(center: (50, 77.1), size: (60, 50))",
            "1 unit starts in new without a path in the field \"way\": from (10, 50) the passage is narrower than its `cell` | write a smaller `cell`, for example cell: 5",
        ),
        (
            "(90, 50)",
            "Box(center: (50, 50), size: (10, 100))",
            "1 unit starts in new without a path in the field \"way\": obstacles enclose (10, 50) or the goal | leave a gap between the obstacles that is as wide as `cell`",
        ),
    ] {
        assert_eq!(warnings(goal, obstacles), [expected]);
    }
}
