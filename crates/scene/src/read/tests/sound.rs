//! Valid scenes: the contract, the smallest one, space, and positions of values.

use glam::{Vec2, Vec3};
use steerbox_core::world::{
    Blend, Body, Contact, Domain, Edges, Goal, Mover, ParamValue, Rigid, Solid, View,
};

use super::*;
use crate::{
    Area, Color, ColorBy, DataTexts, FlowSource, KeyAction, Scatter, SceneLook, Spawn, Start, UnitShape,
    build,
};

#[test]
fn the_scene_of_the_contract_is_read() {
    let scene = read("scenes/leaders.ron", CONTRACT).unwrap();
    assert_eq!(scene.title, "Leaders and interceptors");
    assert_eq!((scene.world.step, scene.speed, scene.world.seed), (0.0166, 4.0, 7));
    let size = Vec2::new(800.0, 600.0);
    assert_eq!(scene.world.arena.domain, Domain::Plane { size });
    assert_eq!(scene.world.arena.edges, Edges::Wrap);
    let views: Vec<_> = scene.world.views.iter().map(|view| view.name.as_str()).collect();
    assert_eq!(views, ["wide", "limited", "narrow", "cone", "around"]);
    let View::Cone { cosine, .. } = scene.world.views[3].view else {
        panic!("{:?}", scene.world.views[3]);
    };
    assert!((cosine + 0.866_025).abs() < 1e-5);
    let [regulars, player] = &scene.groups[..] else {
        panic!("{:?}", scene.groups);
    };
    assert_eq!(regulars.common.body, Body::Rigid(Rigid::default()));
    assert_eq!((regulars.count, regulars.common.sense), (10, 800.0));
    assert_eq!(regulars.common.view, Some(0));
    let center = Vec3::new(400.0, 300.0, 0.0);
    let area = Area::Disc { center, radius: 100.0 };
    assert_eq!(regulars.spawn, Spawn::In { area, speed: None, heading: None });
    assert_eq!(regulars.look.marks, [("leader".to_owned(), Color::rgb(255, 0, 0))]);
    assert_eq!(regulars.look.color, Some(Color::rgb(0, 0, 255)));
    assert!(player.is_player && player.common.name == "player" && player.count == 1);
    assert_eq!(scene.world.kinds.all(), ["craft", "player"]);
    assert_eq!((regulars.common.kinds, player.common.kinds), (1, 2));
    assert_eq!(
        player.spawn,
        Spawn::At(vec![Start { position: center, heading: Some(Vec3::Y), velocity: None }])
    );
    assert_eq!(scene.world.obstacles.len(), 3);
    let Solid::Box { half, angle, .. } = scene.world.obstacles[2].solid else {
        panic!("{:?}", scene.world.obstacles);
    };
    assert_eq!(half, Vec3::new(1.5, 2.0, f32::INFINITY));
    assert!((angle.radians() - 30_f32.to_radians()).abs() < 1e-5);
    let scatter = Scatter { count: 8, radius: 32.0, margin: 128.0 };
    assert_eq!(scene.scatter, [scatter]);
    assert_eq!(build(&scene, None).units.len(), 11);
}

#[test]
fn behaviors_have_their_values_and_positions() {
    let scene = read("scenes/leaders.ron", CONTRACT).unwrap();
    let [cohesion, separation, chase] = &scene.groups[0].behaviors[..] else {
        panic!("{:?}", scene.groups[0].behaviors);
    };
    assert_eq!((cohesion.gain, cohesion.enabled, chase.enabled), (1.0, true, false));
    assert_eq!(separation.params[0].value, ParamValue::Integer(20));
    let slice = |span: &crate::Span| &scene.source[span.range.clone()];
    assert_eq!(slice(&separation.span), "\"separation\"");
    assert_eq!(slice(&separation.entry), "(script: \"separation\", gain: 1, params: {\"DISTANCE\": 20})");
    assert_eq!(slice(&separation.params[0].span), "\"DISTANCE\"");
    assert_eq!(slice(&separation.params[0].value_span), "20");
    assert_eq!(slice(chase.enabled_span.as_ref().unwrap()), "false");
    assert!(chase.gain_span.is_none() && chase.params_span.is_none());
    let span = &separation.span;
    let fault = scene.fault(span, "no");
    assert_eq!((fault.line, fault.column, fault.width), (span.line, 26, 12));
    assert!(fault.source.contains("separation"));
    let unknown = scene.unknown_scripts(&["cohesion", "seperation", "chase"]);
    assert_eq!(unknown.len(), 1);
    assert_eq!(unknown[0].message, "there is no script `separation`");
    assert_eq!(unknown[0].help.as_deref(), Some("did you mean `seperation`?"));
    assert_eq!((unknown[0].line, unknown[0].column), (span.line, 26));
}

#[test]
fn a_small_scene_has_defaults() {
    let text = "\u{feff}(
    world: Plane(size: (200, 100)),
    bodies: {\"dart\": Mover()},
    groups: [(name: \"flock\", body: \"dart\", count: 50, behaviors: [(script: \"cohesion\")])],
) // the end";
    let scene = read("scenes/small.ron", text).unwrap();
    assert_eq!(scene.title, "small");
    assert_eq!((scene.world.step, scene.speed, scene.world.seed), (1.0 / 60.0, 1.0, 1));
    assert!(!scene.world.arena.seamless && scene.world.arena.edges == Edges::Wrap);
    let flock = &scene.groups[0];
    let mover = Mover { max_velocity_change: 6.0 * scene.world.step / 0.25, ..Mover::default() };
    assert_eq!(flock.common.body, Body::Mover(mover));
    assert_eq!((flock.common.kinds, flock.common.view, flock.common.sense), (1, None, 100.0));
    assert_eq!(scene.world.kinds.all(), ["flock"]);
    assert_eq!(flock.look.shape, UnitShape::Dart);
    assert_eq!((flock.look.scale, flock.look.trail), (1.0, 0.0));
    assert!(
        matches!(flock.spawn, Spawn::In { area: Area::Rect { size, .. }, .. } if size == Vec3::new(200.0, 100.0, 0.0))
    );
    assert_eq!(flock.behaviors[0].gain, 1.0);
}

#[test]
fn space_has_points_of_three_numbers_and_its_own_shapes() {
    let text = in_space(
        "obstacles: [Ball(center: (1, 2, 3), radius: 4), Box(center: (0, 0), size: (2, 4, 6))],
         player: (body: \"fish\", spawn: At([(position: (1, 2, 3), heading: (0, 0, 5))])),",
    );
    let scene = read("space.ron", &text).unwrap();
    assert_eq!(scene.world.arena.edges, Edges::Open);
    assert_eq!(scene.groups[0].look.shape, UnitShape::Fish);
    assert!(
        matches!(scene.groups[0].spawn, Spawn::In { area: Area::Ball { radius, .. }, .. } if radius == 48.0)
    );
    assert_eq!(scene.world.obstacles[0].position(), Vec3::new(1.0, 2.0, 3.0));
    assert!(
        matches!(scene.world.obstacles[1].solid, Solid::Box { half, .. } if half == Vec3::new(1.0, 2.0, 3.0))
    );
    assert!(matches!(&scene.groups[1].spawn, Spawn::At(starts) if starts[0].heading == Some(Vec3::Z)));
}

#[test]
fn notes_are_a_text_or_a_file() {
    let texts = |text: Result<&str, &str>| {
        let text = text.map(std::sync::Arc::from).map_err(str::to_owned);
        DataTexts::from([("a.md".to_owned(), text)])
    };
    let notes = |field: &str, file| {
        let read = read_with("a.ron", &with(&format!("notes: {field}")), &texts(file));
        read.map(|scene| scene.notes.as_deref().map(str::to_owned))
    };
    assert_eq!(notes("\"# One\n\nTwo\"", Ok("")).unwrap().as_deref(), Some("# One\n\nTwo"));
    assert_eq!(notes("File(\"a.md\")", Ok("- [ ] three")).unwrap().as_deref(), Some("- [ ] three"));
    assert_eq!(notes("\" \"", Ok("")).unwrap(), None);
    let missing = notes("File(\"a.md\")", Err("there is no such file")).unwrap_err();
    assert_eq!(missing.faults[0].message, "a.md: there is no such file");
    let long = "x".repeat(Scene::MAX_NOTES_LENGTH + 1);
    let long = notes("File(\"a.md\")", Ok(&long)).unwrap_err();
    assert_eq!(long.faults[0].message, "`notes` have 256 KiB, at most 256 are shown");
}

#[test]
fn a_grid_has_one_color_or_two() {
    let scene = read("a.ron", &with("grids: {\"a\": (cell: 9), \"b\": (cell: 9, color: \"red\"), \"c\": (cell: 9, color: (\"navy\", \"red\"))}")).unwrap();
    let (navy, red) = (Color::rgb(0, 0, 128), Color::rgb(255, 0, 0));
    assert_eq!(scene.grid_colors, [None, Some([red.with_alpha(0.0), red]), Some([navy, red])]);
}

#[test]
fn a_world_has_a_background_and_surroundings() {
    let look = |text: &str| read("a.ron", text).unwrap().look;
    let [navy, red] = [Color::rgb(0, 0, 128), Color::rgb(255, 0, 0)];
    let plane = look(&with("look: (background: \"navy\", frame: false, grid: true)"));
    let background = Some([navy; 2]);
    assert_eq!(plane, SceneLook { background, frame: false, grid: Some(true), ..SceneLook::default() });
    let space = look(&in_space(
        "look: (background: (\"#000080\", \"red\"), ball: false, floor: false, water: false)",
    ));
    assert_eq!(space.background, Some([navy, red]));
    assert_eq!([space.ball, space.floor, space.water], [false; 3]);
    assert_eq!(look(&with("")), SceneLook::default());
}

#[test]
fn paths_fields_keys_and_budgets_are_read() {
    let text = "(world: Plane(size: (40, 20)), bodies: {\"m\": Mover()}, contacts: (obstacles: Block, units: Bounce(restitution: 0.25), reach: 0.5), target: (3, 4), obstacle_color: \"red\",
    views: {\"near\": Around(radius: 5)},
    paths: {\"track\": (points: [(0, 0), (10, 0), (10, 10)], closed: true, radius: 2)},
    fields: {
        \"wind\": Grid(columns: 2, vectors: [(1, 0), (2, 0), (3, 0), (4, 0)]),
        \"swirl\": Script(script: \"swirl\", cells: 8, params: {\"K\": 2}),
        \"out\": Toward(goal: Zone(\"door\"), cell: 5, margin: 1),
        \"there\": Toward(goal: Point((3, 4)), speed: 2),
    },
    zones: {\"door\": Circle(center: (9, 9), radius: 1)},
    keys: {\"1\": View(\"near\"), \"0\": NoView, \"c\": Switch([\"lead\", \"chase\"]), \"L\": Switch(\"lead\"), \"Z\": Speed(1.25)},
    groups: [(name: \"a\", body: \"m\", path: \"track\", field: \"swirl\", blend: Priority(budget: 0.5),
        behaviors: [(script: \"lead\"), (script: \"chase\")])],
    obstacles: [
        Polygon(points: [(1, 1), (5, 1), (3, 4)]),
        Box(center: (20, 10), size: (40, 20), inside_out: true),
    ])";
    let scene = read("scenes/parts.ron", text).unwrap();
    assert_eq!(scene.world.target, Some(Vec3::new(3.0, 4.0, 0.0)));
    assert_eq!(scene.obstacle_color, Some(Color::rgb(255, 0, 0)));
    let path = &scene.world.paths[0].path;
    assert!(path.is_closed() && path.radius() == 2.0);
    let FlowSource::Grid(wind) = &scene.flows[0].source else {
        panic!("{:?}", scene.flows[0]);
    };
    assert_eq!(wind.at(Vec3::new(0.0, 20.0, 0.0)).x, 1.0, "the first row is the topmost");
    assert_eq!(wind.at(Vec3::new(40.0, 0.0, 0.0)).x, 4.0);
    let FlowSource::Script { used, nodes } = &scene.flows[1].source else {
        panic!("{:?}", scene.flows[1]);
    };
    assert_eq!((used.script.as_str(), nodes.to_array()), ("swirl", [9, 5, 1]));
    let routes = scene.flows[2..].iter().map(|plan| match &plan.source {
        FlowSource::Toward(plan) => (plan.goal.clone(), plan.nodes.to_array(), plan.margin, plan.speed),
        source => panic!("{source:?}"),
    });
    let door = Goal::Area(scene.world.zones[0].area.clone());
    let there = Goal::Point(Vec3::new(3.0, 4.0, 0.0));
    assert!(routes.eq([(door, [9, 5, 1], 1.0, 1.0), (there, [33, 17, 1], 0.0, 2.0)]));
    let keys: Vec<_> = scene.keys.iter().map(|plan| (plan.key, plan.action.clone())).collect();
    assert_eq!(
        keys,
        [
            ('1', KeyAction::View(Some(0))),
            ('0', KeyAction::View(None)),
            ('C', KeyAction::Switch(vec!["lead".to_owned(), "chase".to_owned()])),
            ('L', KeyAction::Switch(vec!["lead".to_owned()])),
            ('Z', KeyAction::Speed(1.25)),
        ]
    );
    let group = &scene.groups[0];
    assert_eq!((group.common.path, group.common.flow), (Some(0), Some(1)));
    assert_eq!(group.common.blend, Blend::Priority { budget: 0.5 });
    assert!(scene.world.obstacles[1].inside_out && !scene.world.obstacles[0].inside_out);
    assert_eq!(scene.world.obstacles[0].radius(), 2.5);
    assert_eq!(build(&scene, None).target, scene.world.target);
    let bounce = Contact::Bounce { restitution: 0.25 };
    let contacts = build(&scene, None).contacts;
    assert_eq!((contacts.obstacles, contacts.units, contacts.reach), (Contact::Block, bounce, 0.5));
}

#[test]
fn missing_fields_of_a_mover_follow_from_its_length_its_speed_and_the_step() {
    let body = |fields: &str, step: &str| {
        let text = format!(
            "(world: Plane(size: (200, 100)), {step} bodies: {{\"dart\": Mover({fields})}},
             groups: [(name: \"flock\", body: \"dart\")])"
        );
        match read("small.ron", &text).unwrap().groups[0].common.body {
            Body::Mover(mover) => mover,
            Body::Rigid(_) => panic!("a rigid body"),
        }
    };
    let long = body("length: 8", "");
    assert_eq!((long.width, long.max_speed, long.desired_speed), (4.0, 48.0, 24.0));
    let fast = body("length: 8, max_speed: 90", "step: 0.025,");
    assert_eq!((fast.max_speed, fast.desired_speed), (90.0, 45.0));
    assert!((fast.max_velocity_change - 9.0).abs() < 1e-5);
    let stated = body("length: 8, width: 1, max_speed: 2, desired_speed: 1.5, max_velocity_change: 3", "");
    let values = (stated.width, stated.desired_speed, stated.max_velocity_change);
    assert_eq!(values, (1.0, 1.5, 3.0));
}

#[test]
fn a_look_represents_values_by_colors() {
    let shown = |color_by: &str| {
        let text = group(&format!("look: (color_by: {color_by}, marks: {{\"a\": \"red\"}})"));
        read("look.ron", &text).unwrap().groups[0].look.color_by.clone()
    };
    let signal = |name: &str, from, to| Some(ColorBy::Signal { name: name.to_owned(), from, to });
    assert_eq!(shown("Speed"), Some(ColorBy::Speed));
    assert_eq!(shown("TurnRate"), Some(ColorBy::TurnRate));
    assert_eq!(shown("Neighbors"), Some(ColorBy::Neighbors));
    assert_eq!(shown("Signal(\"fear\", from: 2, to: -1)"), signal("fear", 2.0, -1.0));
    assert_eq!(shown("Signal(\"é,: \", // c\n to: 3)"), signal("é,: ", 0.0, 3.0));
    assert_eq!(shown("Signal(\"fear\")"), signal("fear", 0.0, 1.0));
}

#[test]
fn a_hint_is_one_short_line_or_none() {
    let hint = |field: &str| {
        let text = format!(
            "({field} world: Plane(size: (9, 9)), bodies: {{\"m\": Mover()}}, groups: [(name: \"a\", body: \"m\")])"
        );
        read("hint.ron", &text).map(|scene| scene.hint)
    };
    let reported = |text: &str| hint(&format!("hint: \"{text}\","));
    assert_eq!(hint("").unwrap(), None);
    assert_eq!(reported(" Arrows steer the dog ").unwrap().as_deref(), Some("Arrows steer the dog"));
    assert_eq!(reported(" ").unwrap(), None);
    assert!(reported(&"é".repeat(120)).is_ok());
    let message = |text: &str| reported(text).unwrap_err()[0].message.clone();
    assert_eq!(message(&"é".repeat(121)), "`hint` has 121 characters, at most 120 are shown");
    assert_eq!(message("one\\ntwo"), "`hint` is one line");
}

#[test]
fn no_contact_is_written_as_none() {
    let scene = read("a.ron", &with("contacts: (obstacles: None, units: Separate),")).unwrap();
    assert_eq!(
        (scene.world.contacts.obstacles, scene.world.contacts.units),
        (Contact::None, Contact::Separate)
    );
}
