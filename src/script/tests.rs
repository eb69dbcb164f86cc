//! Scripts run through a whole simulation: what comes out is what the contract says.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::{Execution, Program, Script, ScriptBehavior};
use crate::scene::ParamValue;
use crate::sim::{Behavior, Contribution, Failure, Frozen, Shape, Simulation, Slot};
use crate::world::{
    Arena, Body, Domain, Edges, Flow, Group, Mover, NamedFlow, NamedPath, NamedView, Names,
    Obstacle, Path, Solid, Units, View, World, unit_key,
};

/// Three units in a plane: one at (10, 10) that heads along +y, one ahead, one abeam to starboard.
fn world() -> World {
    let mut kinds = Names::default();
    let craft = kinds.intern("craft").unwrap();
    let mut units = Units::default();
    for (index, position) in [(10.0, 10.0), (10.0, 14.0), (13.0, 10.0)]
        .into_iter()
        .enumerate()
    {
        let position = Vec3::new(position.0, position.1, 0.0);
        units.push(
            position,
            Vec3::new(0.0, 2.0, 0.0),
            (Vec3::Y, Vec3::Z),
            0,
            unit_key("flock", index),
        );
    }
    let group = Group {
        name: "flock".to_owned(),
        body: Body::Mover(Mover::default()),
        kinds: craft,
        friends: 0,
        enemies: 0,
        view: Some(0),
        sense: 50.0,
        units: 0..3,
        ..Group::default()
    };
    World {
        arena: Arena {
            domain: Domain::Plane {
                size: Vec2::new(100.0, 80.0),
            },
            edges: Edges::Wrap,
            seamless: false,
        },
        groups: vec![group],
        units,
        views: vec![NamedView {
            name: "around".to_owned(),
            view: View::Around { radius: 20.0 },
        }],
        obstacles: vec![Obstacle::from(Solid::Ball {
            center: Vec3::new(10.0, 30.0, 0.0),
            radius: 5.0,
        })],
        kinds,
        target: Some(Vec3::new(1.0, 2.0, 0.0)),
        step: 0.5,
        seed: 7,
        ..World::default()
    }
}

fn learn(text: &str) -> Script {
    Script::learn("test.rhai", text).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn behavior(text: &str, values: &[(String, ParamValue)]) -> Arc<dyn Behavior> {
    Arc::new(ScriptBehavior::new(
        Program::fold(&learn(text), values).unwrap(),
        Execution::Native,
    ))
}

fn simulation(text: &str) -> Simulation {
    let mut world = world();
    for mark in learn(text).marks {
        world.marks.intern(&mark).unwrap();
    }
    Simulation::new(
        world,
        vec![vec![Slot::new("test", 1, Some(behavior(text, &[])))]],
    )
}

/// What the script contributes to the first unit in the first step.
fn first(body: &str) -> Contribution {
    let mut simulation = simulation(&format!("fn steer(me, world) {{ {body} }}"));
    simulation.step();
    assert_eq!(simulation.reports(), [], "{body}");
    simulation.decisions(0).next().unwrap().1
}

fn number(body: &str) -> f32 {
    match first(body) {
        Contribution::Turn(turn) => turn.x,
        other => panic!("{body}: {other:?}"),
    }
}

fn failure(text: &str) -> Failure {
    let mut simulation = simulation(text);
    simulation.step();
    simulation
        .reports()
        .first()
        .unwrap_or_else(|| panic!("no failure: {text}"))
        .failure
        .clone()
}

#[test]
fn every_return_kind_becomes_its_contribution() {
    assert_eq!(first("()"), Contribution::None);
    assert_eq!(first(""), Contribution::None);
    assert_eq!(first("2"), Contribution::Turn(Vec2::new(2.0, 0.0)));
    assert_eq!(first("0.5"), Contribution::Turn(Vec2::new(0.5, 0.0)));
    assert_eq!(
        first("turn(1, -0.5)"),
        Contribution::Turn(Vec2::new(1.0, -0.5))
    );
    assert_eq!(
        first("vec(1, 2.5)"),
        Contribution::Push(Vec3::new(1.0, 2.5, 0.0))
    );
    assert_eq!(
        first("return vec(1, 2, 3);"),
        Contribution::Push(Vec3::new(1.0, 2.0, 3.0))
    );
}

#[test]
fn properties_of_units_and_world_read_the_frozen_state() {
    for (body, expected) in [
        ("me.position.x + me.position.y", 20.0),
        ("me.velocity.y + me.speed", 4.0),
        ("me.heading.y * 10 + me.starboard.x", 11.0),
        ("me.up.z + me.angular_velocity.length", 1.0),
        ("me.length + me.width + me.radius + me.mass", 3.0),
        ("me.max_speed + me.desired_speed + me.thrust", 9.0),
        ("me.steering_force", 0.4),
        ("me.id", 0.0),
        (
            "if me.group == \"flock\" && me.is(\"craft\") && !me.is(\"boat\") { 1 } else { 0 }",
            1.0,
        ),
        ("world.time + world.step", 0.5),
        (
            "world.center.x + world.size.y + world.radius",
            50.0 + 80.0 + 40.0,
        ),
        ("world.target.x + world.target.y", 3.0),
        ("if world.player == () { 1 } else { 0 }", 1.0),
        (
            "me.to_local(vec(3, 4)).x * 10 + me.to_local(vec(3, 4)).y",
            34.0,
        ),
        ("me.to_world(me.to_local(vec(3, 4))).y", 4.0),
        (
            "me.side(vec(11, 0)) * 2 + me.side(vec(9, 0)) + me.side(vec(10, 50))",
            1.0,
        ),
        (
            "me.distance_to(me.neighbors[0]) + me.distance_to(vec(10, 11)) + me.neighbors[0].distance_to(me)",
            7.0,
        ),
    ] {
        assert!(
            (number(body) - expected).abs() < 1e-5,
            "{body}: {}",
            number(body)
        );
    }
}

#[test]
fn lists_are_nearest_first_and_reach_as_far_as_asked() {
    for (body, expected) in [
        ("me.neighbors.len", 2.0),
        ("me.neighbors.len()", 2.0),
        ("me.neighbors.nearest.position.x", 13.0),
        ("me.neighbors[1].position.y", 14.0),
        (
            "let sum = 0; for mate in me.neighbors { sum = sum * 10 + mate.id } sum",
            21.0,
        ),
        ("me.others.within(3.5).len", 1.0),
        ("me.others.within(-1).within(100).len", 0.0),
        (
            "me.others.within(3).len + me.see(\"around\").within(4).len",
            3.0,
        ),
        ("me.neighbors.mean_position.x", 11.5),
        ("me.neighbors.mean_velocity.y", 2.0),
        (
            "if me.enemies.is_empty && me.enemies.nearest == () { 1 } else { 0 }",
            1.0,
        ),
        ("me.enemies.mean_position.x - me.position.x", 0.0),
        (
            "if me.neighbors[0] == me.neighbors.nearest && me.neighbors[0] != me && me == me { 1 } else { 0 }",
            1.0,
        ),
    ] {
        assert_eq!(number(body), expected, "{body}");
    }
}

#[test]
fn obstacles_answer_for_distance_point_normal_and_ray() {
    for (body, expected) in [
        ("world.obstacles.len", 1.0),
        ("world.obstacles[0].distance_to(me.position)", 15.0),
        ("world.obstacles[0].nearest_point(me.position).y", 25.0),
        ("world.obstacles[0].normal(me.position).y", -1.0),
        ("world.obstacles[0].ray(me.position, vec(0, 1), 100)", 15.0),
        (
            "if world.obstacles[0].ray(me.position, vec(1, 0), 100) == () { 1 } else { 0 }",
            1.0,
        ),
        (
            "let sum = 0.0; for o in world.obstacles { sum += o.radius + o.position.y; } sum",
            35.0,
        ),
    ] {
        assert!(
            (number(body) - expected).abs() < 1e-3,
            "{body}: {}",
            number(body)
        );
    }
}

#[test]
fn paths_and_fields_are_the_groups_own_or_asked_for_by_name() {
    let corners = [(0.0, 0.0), (40.0, 0.0), (40.0, 40.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let mut world = world();
    let path = Path::new(corners.to_vec(), false, 3.0).unwrap();
    let name = "track".to_owned();
    world.paths.push(NamedPath { name, path });
    let flow = Flow::new(&world.arena, glam::UVec3::ONE, vec![Vec3::X * 7.0]).unwrap();
    let name = "wind".to_owned();
    world.flows.push(NamedFlow { name, flow });
    let ask = |world: &World, body: &str| {
        let text = format!("fn steer(me, world) {{ {body} }}");
        let slots = vec![vec![Slot::new("test", 1, Some(behavior(&text, &[])))]];
        let mut simulation = Simulation::new(world.clone(), slots);
        simulation.step();
        let failure = simulation
            .reports()
            .first()
            .map(|report| report.failure.message.clone());
        let decided = simulation.decisions(0).next().unwrap().1;
        (decided, failure.unwrap_or_default())
    };
    assert_eq!(
        ask(&world, "if me.path == () && me.field == () { 1 }").0,
        Contribution::Turn(Vec2::X)
    );
    world.groups[0].path = Some(0);
    world.groups[0].flow = Some(0);
    for (body, expected) in [
        ("me.path.length", 80.0),
        ("me.path.radius", 3.0),
        ("if me.path.is_closed { 1 } else { 0 }", 0.0),
        ("me.path.distance_along(vec(50, 10))", 50.0),
        ("me.path.point_at(50).y", 10.0),
        ("me.path.direction_at(41.5).y", 1.0),
        ("world.path(\"track\").nearest_point(vec(20, -5)).x", 20.0),
        (
            "me.field.at(me.position).x + world.field(\"wind\").at(vec(0, 0)).x",
            14.0,
        ),
        ("if world.obstacles[0].inside_out { 1 } else { 0 }", 0.0),
        ("if me.has_view { 1 } else { 0 }", 1.0),
    ] {
        assert_eq!(
            ask(&world, body),
            (Contribution::Turn(Vec2::X * expected), String::new()),
            "{body}"
        );
    }
    let (_, failure) = ask(&world, "world.path(\"trak\").length");
    assert_eq!(
        failure,
        "the scene has no path \"trak\": did you mean \"track\"?"
    );
}

#[test]
fn vectors_and_numbers_mix_integers_and_floats() {
    for (body, expected) in [
        (
            "(vec(3, 4) * 2).length + (2 * vec(3, 4)).length + (vec(3, 4) / 2).length",
            22.5,
        ),
        (
            "(vec(1, 2) + vec(3.0, 4) - vec(1, 1)).dot(vec(1, 10))",
            53.0,
        ),
        ("(-vec(1, 2)).x + vec(0, 0).normalized.length", -1.0),
        (
            "vec(1, 0).cross(vec(0, 1)).z + vec(30, 40).limit(5).length",
            6.0,
        ),
        (
            "vec(1, 0).rotated(PI / 2).y + vec(1, 0).angle_to(vec(0, 1)) / PI",
            1.5,
        ),
        ("vec(1, 2, 3).distance_to(vec(1, 2, 5))", 2.0),
        (
            "clamp(5, 0, 3) + clamp(2.5, 0, 3) + clamp(-1, 0.0, 3) + min(1, 2.0) + max(1, 2)",
            8.5,
        ),
        (
            "sin(0) + cos(0) + sqrt(4) + abs(-2) + sign(-3) + atan2(0, 1) + acos(1)",
            4.0,
        ),
        ("lerp(0, 10, 0.5) + TAU / PI + floor(2.7)", 9.0),
        (
            "let v = vec(1, 2); v.x = 5; v += vec(1, 1); v *= 2; v.x + v.y",
            18.0,
        ),
        ("let k = 7 / 2; k + 0.5", 3.5),
        (
            "let a = [1, 2]; a.push(a.len); a.pop() + a.len() + if a.is_empty { 9 } else { 0 }",
            4.0,
        ),
        (
            "let m = #{ x: 1.5 }; if \"x\" in m && !m.contains(\"y\") { m.x } else { 0 }",
            1.5,
        ),
        ("if \"a\" + 1 + true == \"a1true\" { 1 } else { 0 }", 1.0),
    ] {
        assert!(
            (number(body) - expected).abs() < 1e-5,
            "{body}: {}",
            number(body)
        );
    }
}

#[test]
fn parameters_fold_also_into_constants_made_of_them() {
    let text = "const REACH = param(6.0, 0.0, 40.0);\nconst HALF = REACH / 2;\nconst UP = vec(0, REACH);\n\
                const ON = param(true);\nconst MODE = param(\"wide\", [\"wide\", \"narrow\"]);\n\
                fn steer(me, world) { if ON && MODE == \"narrow\" { HALF + UP.y + LENGTH } else { -1 } }\n\
                const LENGTH = param(3, 1, 9);";
    let script = learn(text);
    let names: Vec<_> = script
        .params
        .iter()
        .map(|param| param.name.as_str())
        .collect();
    assert_eq!(names, ["REACH", "ON", "MODE", "LENGTH"]);
    assert_eq!(script.params[3].line, 7);
    let values = [
        ("REACH".to_owned(), ParamValue::Number(10.0)),
        ("MODE".to_owned(), ParamValue::Choice("narrow".to_owned())),
    ];
    let slot = Slot::new("test", 1, Some(behavior(text, &values)));
    let mut simulation = Simulation::new(world(), vec![vec![slot]]);
    simulation.step();
    assert_eq!(simulation.reports(), []);
    let decided = simulation.decisions(0).next().unwrap().1;
    assert_eq!(decided, Contribution::Turn(Vec2::new(18.0, 0.0)));
}

#[test]
fn memory_is_each_units_own_and_lasts() {
    let text = "const MEMORY = #{ count: 0, angle: 0.5, on: false, goal: vec(1, 2) };\n\
                fn steer(me, world) { this.count += me.id + 1; this.angle *= 2; this.on = !this.on;\n\
                this.goal.x += 1; if this.on { this.count + this.angle } else { this.goal.x } }";
    let mut simulation = simulation(text);
    for _ in 0..3 {
        simulation.step();
    }
    assert_eq!(simulation.reports(), []);
    let turns: Vec<_> = (0..3)
        .map(|unit| simulation.decisions(unit).next().unwrap().1)
        .collect();
    let expected =
        [3.0, 6.0, 9.0].map(|count: f32| Contribution::Turn(Vec2::new(count + 4.0, 0.0)));
    assert_eq!(turns, expected);
}

#[test]
fn marks_are_seen_by_all_in_the_next_step_and_only_then() {
    let text = "fn steer(me, world) { if me.id == 0 && world.time == 0 { me.mark(\"leader\"); }\n\
                let n = 0; for mate in me.neighbors { if mate.has_mark(\"leader\") { n += 1 } } n }";
    let mut simulation = simulation(text);
    let mut seen = |_| {
        simulation.step();
        simulation.decisions(1).next().unwrap().1
    };
    let turns = [0.0, 1.0, 0.0].map(|x| Contribution::Turn(Vec2::new(x, 0.0)));
    assert_eq!([0, 1, 2].map(&mut seen), turns);
}

#[test]
fn random_draws_differ_by_unit_step_and_draw_and_repeat_with_the_seed() {
    let text = "fn steer(me, world) { vec(me.random(), me.random_between(2, 3), me.random_direction().length) }";
    let run = || {
        let mut simulation = simulation(text);
        let mut all = Vec::new();
        for _ in 0..3 {
            simulation.step();
            all.extend((0..3).map(|unit| simulation.decisions(unit).next().unwrap().1));
        }
        all
    };
    let draws = run();
    assert_eq!(draws, run());
    for (at, draw) in draws.iter().enumerate() {
        let Contribution::Push(v) = draw else {
            panic!("{draw:?}")
        };
        assert!((0.0..1.0).contains(&v.x) && (2.0..3.0).contains(&v.y) && (v.z - 1.0).abs() < 1e-6);
        assert!(draws[..at].iter().all(|before| before != draw));
    }
}

#[test]
fn drawings_are_recorded_when_somebody_looks() {
    let text = "fn steer(me, world) { me.draw_circle(me.position, 2); me.draw_text(me.position, \"hi\"); }";
    let mut simulation = simulation(text);
    simulation.step();
    assert_eq!(simulation.drawings().count(), 0);
    simulation.drawing = true;
    simulation.step();
    assert_eq!(simulation.drawings().count(), 6);
    let words = simulation
        .drawings()
        .filter(|d| matches!(&d.shape, Shape::Text(_, text) if text == "hi"));
    assert_eq!(words.count(), 3);
}

#[test]
fn a_failing_unit_contributes_nothing_and_the_others_go_on() {
    let text = "fn steer(me, world) { if me.id == 1 { me.zork } else { 1 } }";
    let mut simulation = simulation(text);
    simulation.step();
    simulation.step();
    let [report] = simulation.reports() else {
        panic!("{:?}", simulation.reports())
    };
    assert_eq!((report.unit, report.count, report.failure.line), (1, 2, 1));
    assert_eq!(report.failure.message, "`zork` is not a property of me");
    let turns: Vec<_> = (0..3)
        .map(|unit| simulation.decisions(unit).next().unwrap().1)
        .collect();
    assert_eq!(turns[1], Contribution::None);
    assert_eq!(turns[2], Contribution::Turn(Vec2::X));
}

#[test]
fn failures_say_cause_place_and_remedy() {
    let cases = [
        (
            "fn steer(me, world) {\n  me.neighbours\n}",
            2,
            "`neighbours` is not a property of me",
            "neighbors",
        ),
        (
            "fn steer(me, world) { me.neighbors.nearest.position - me.enemies.nearest.position }",
            1,
            "nothing",
            "== ()",
        ),
        (
            "fn steer(me, world) { \"hello\" }",
            1,
            "steer returned a string",
            "draw_text",
        ),
        (
            "fn steer(me, world) { 1.0 / 0.0 }",
            1,
            "not finite",
            "division",
        ),
        (
            "fn steer(me, world) { 5 / 0 }",
            1,
            "ivision by zero",
            "divisor",
        ),
        (
            "fn steer(me, world) { clampp(1, 2, 3) }",
            1,
            "no function `clampp`",
            "clamp",
        ),
        (
            "fn steer(me, world) { \"a\" - 1 }",
            1,
            "between a string and an integer",
            "",
        ),
        (
            "fn steer(me, world) { this.x }",
            1,
            "`this` needs a MEMORY",
            "MEMORY",
        ),
        (
            "fn steer(me, world) { me.see(\"arond\") }",
            1,
            "did you mean \"around\"",
            "",
        ),
        (
            "fn steer(me, world) { me.neighbors[9] }",
            1,
            "no [9] in a list of 2",
            "",
        ),
    ];
    for (text, line, message, help) in cases {
        let failure = failure(text);
        assert_eq!(failure.line, line, "{failure:?}");
        assert!(failure.message.contains(message), "{failure:?}");
        assert!(
            failure.help.clone().unwrap_or_default().contains(help),
            "{failure:?}"
        );
    }
}

#[test]
fn what_would_never_end_is_stopped_and_rests() {
    for text in [
        "fn steer(me, world) { loop {} }",
        "fn f(n) { f(n + 1) } fn steer(me, world) { f(0) }",
        "fn steer(me, world) { let s = \"abcdefgh\"; loop { s += s; } }",
        "fn steer(me, world) { while true { try { loop {} } catch { } } }",
    ] {
        let mut simulation = simulation(text);
        simulation.step();
        assert!(
            simulation.reports()[0].failure.exhausted,
            "{text} {:?}",
            simulation.reports()
        );
        simulation.step();
        assert_eq!(
            simulation.reports()[0].count,
            3,
            "it rests after the first step"
        );
    }
}

#[test]
fn scripts_that_cannot_work_are_refused_with_the_place() {
    let cases = [
        (
            "fn stear(me, world) { 1 }",
            (1, 4),
            "no `fn steer`, but a `fn stear`",
        ),
        ("fn steer(me) { 1 }", (1, 4), "takes 2 arguments"),
        ("let x = 3", (0, 0), "no `fn steer`"),
        ("", (0, 0), "no `fn steer`"),
        (
            "fn steer(me, world) {\n  let a = 3\n  let b = 4;\n}",
            (3, 3),
            "`;` is missing",
        ),
        (
            "fn steer(me, world) { zork + 1 }",
            (1, 23),
            "no variable `zork`",
        ),
        ("fn steer(me, world) { if 1 = 2 { 3 } }", (1, 0), ""),
        (
            "fn dot(a, b) { 1 } fn steer(me, world) { 1 }",
            (1, 4),
            "would replace the built-in",
        ),
        (
            "fn side(point) { 1 } fn steer(me, world) { 1 }",
            (1, 4),
            "would replace the built-in",
        ),
        ("fn steer(me, world) { eval(\"1\") }", (1, 23), "eval"),
        (
            "import \"../secret\" as s; fn steer(me, world) { 1 }",
            (1, 1),
            "import",
        ),
        (
            "const A = param(9.0, 0.0, 1.0);\nfn steer(me, world) { 1 }",
            (1, 11),
            "not within",
        ),
        (
            "const MEMORY = #{ a: \"x\" };\nfn steer(me, world) { 1 }",
            (1, 7),
            "MEMORY.a must start as",
        ),
        ("loop {} fn steer(me, world) { 1 }", (1, 0), "operations"),
    ];
    for (text, (line, column), message) in cases {
        let faults = Script::learn("a.rhai", text).map(|_| ()).expect_err(text);
        let fault = &faults[0];
        assert_eq!(fault.line, line, "{fault:?}");
        assert!(column == 0 || fault.column == column, "{fault:?}");
        assert!(fault.message.contains(message), "{fault:?}");
    }
}

#[test]
fn huge_sources_are_refused_in_time() {
    let many = "let a = 1; ".repeat(20_000);
    let faults = Script::learn("a.rhai", &many)
        .map(|_| ())
        .expect_err("too long");
    assert!(faults[0].message.contains("64 KiB"), "{faults:?}");
}

#[test]
fn a_panicking_senses_is_never_left_behind() {
    // A call lends the worker's senses to the thread; whatever happens they come back.
    let mut senses = crate::sim::Senses::new(Arc::new(Frozen::new(world())));
    senses.turn_to(2);
    let behavior = behavior("fn steer(me, world) { me.id }", &[]);
    let decided = behavior.decide(&mut senses, &mut []);
    assert_eq!(decided, Ok(Contribution::Turn(Vec2::new(2.0, 0.0))));
    assert_eq!(senses.unit(), 2);
}

/// Scripts that can be imported, by name.
struct Shelf<'a>(&'a [(&'a str, &'a str)]);

impl super::Library for Shelf<'_> {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or(Err(format!("no {name}")), |(_, text)| Ok((*text).into()))
    }
}

/// What a script contributes to the first unit, with what it imports.
fn imported(text: &str, shelf: &[(&str, &str)]) -> Result<Contribution, Failure> {
    let script = Script::learn_with("test.rhai", text, &Shelf(shelf), false);
    let script = script.unwrap_or_else(|faults| panic!("{faults:#?}"));
    let program = Program::fold(&script, &[]).unwrap();
    let behavior = ScriptBehavior::new(program, Execution::Native);
    let place = behavior
        .refusal()
        .map(|refusal| (refusal.line, refusal.column));
    assert_eq!(place, script.first_import, "imports are interpreted");
    let mut senses = crate::sim::Senses::new(Arc::new(Frozen::new(world())));
    let mut memory = vec![0; behavior.memory().words()];
    behavior.memory().reset(&mut memory);
    behavior.decide(&mut senses, &mut memory)
}

#[test]
fn an_imported_file_gives_functions_and_constants() {
    let helpers = "const BASE = 2.0;\nconst WAY = vec(0.0, 3.0);\nimport \"more\" as m;
        fn twice(x) { x * BASE }\nfn way() { inner() + WAY * m::THREE }\nfn inner() { WAY }";
    let shelf = [
        ("helpers", helpers),
        ("more", "const THREE = 3;\nfn four() { 4 }"),
    ];
    let script = "import \"helpers\" as h;\nimport \"more\" as m;\nconst WAY = vec(100.0, 0.0);
        const FAR = h::twice(4);\nfn steer(me, world) { h::way() + WAY + vec(FAR, h::BASE + m::four() + own()) }
        fn own() { m::THREE }";
    // (0, 3) + 3 (0, 3) + (100, 0) + (8, 2 + 4 + 3)
    let expected = Contribution::Push(Vec3::new(108.0, 21.0, 0.0));
    assert_eq!(imported(script, &shelf), Ok(expected));
}

#[test]
fn parameters_and_memory_are_those_of_the_importing_script() {
    let shelf = [(
        "turns",
        "const RATE = param(0.5, 0.0, 1.0);\nfn steer(me, world) { RATE * me.id }\nfn rate() { RATE }",
    )];
    let script = "import \"turns\" as t;\nconst MEMORY = #{ n: 3.0 };\nconst OWN = param(2.0);
        fn steer(me, world) { this.n += OWN; t::rate() + this.n }";
    assert_eq!(
        imported(script, &shelf),
        Ok(Contribution::Turn(Vec2::new(5.5, 0.0)))
    );
    let learned = Script::learn_with("test.rhai", script, &Shelf(&shelf), false).unwrap();
    let names: Vec<_> = learned
        .params
        .iter()
        .map(|param| param.name.as_str())
        .collect();
    assert_eq!(names, ["OWN"]);
}

#[test]
fn a_failure_in_an_imported_file_is_told_at_its_place() {
    let shelf = [(
        "helpers",
        "fn fine() { 1 }\nfn bad(n) {\n    inner(n)\n}\nfn inner(n) {\n    1 / n\n}",
    )];
    let script = "import \"helpers\" as h;\nfn steer(me, world) { h::bad(0) }";
    let failure = imported(script, &shelf).unwrap_err();
    assert_eq!(
        (failure.file.as_deref(), failure.line),
        (Some("helpers.rhai"), 6),
        "{failure:?}"
    );
    let learned = Script::learn_with("test.rhai", script, &Shelf(&shelf), false).unwrap();
    let fault = learned.fault(&failure);
    assert_eq!(
        (&*fault.path, &*fault.source),
        ("helpers.rhai", "    1 / n")
    );
}

#[test]
fn imports_that_cannot_work_are_refused_with_the_place() {
    let shelf = [
        ("a", "import \"b\" as b;"),
        ("b", "fn f() { 1 }\nimport \"a\" as a;"),
        ("broken", "fn f() {\n    1 +\n}"),
        ("own", "import \"test\" as t;"),
        ("taken", "fn vec(x, y) { 1 }"),
        ("endless", "loop { }"),
    ];
    let cases = [
        (
            "import \"../secret\" as s;",
            0,
            "test.rhai:1:1",
            "not \"../secret\"",
        ),
        (
            "import \"/etc/passwd\" as s;",
            0,
            "test.rhai:1:1",
            "without folders",
        ),
        (
            "import \"c:\\\\x\" as s;",
            0,
            "test.rhai:1:1",
            "without folders",
        ),
        ("import \"a.rhai\" as s;", 0, "test.rhai:1:1", "extension"),
        ("import \"none\" as s;", 0, "test.rhai:1:1", "no none"),
        (
            "fn g() { h::f(1) }",
            0,
            "test.rhai:1:13",
            "nothing is imported as `h`",
        ),
        ("import \"a\";", 0, "test.rhai:1:1", "needs a name"),
        ("import \"a\" + 1 as s;", 0, "test.rhai:1:1", "in quotes"),
        (
            "fn g() { import \"a\" as s; }",
            0,
            "test.rhai:1:10",
            "at the top",
        ),
        (
            "import \"a\" as a;",
            2,
            "b.rhai:2:1",
            "import each other: a.rhai → b.rhai → a.rhai",
        ),
        (
            "import \"own\" as a;",
            1,
            "own.rhai:1:1",
            "test.rhai → own.rhai → test.rhai",
        ),
        ("import \"broken\" as a;", 1, "broken.rhai:3:1", ""),
        ("import \"taken\" as a;", 1, "taken.rhai:1:4", "built-in"),
        (
            "import \"endless\" as a;",
            1,
            "endless.rhai:1:6",
            "operations",
        ),
    ];
    for (import, nth, place, words) in cases {
        let text = format!("{import} fn steer(me, world) {{ 1 }}");
        let learned = Script::learn_with("test.rhai", &text, &Shelf(&shelf), false);
        let faults = learned.map(|_| ()).expect_err(import);
        let told: Vec<_> = faults
            .iter()
            .map(crate::diagnostics::Fault::summary)
            .collect();
        let fault = told.get(nth).unwrap_or_else(|| panic!("{told:#?}"));
        assert!(fault.contains(words), "{import}: {told:#?}");
        assert!(fault.starts_with(place), "{import}: {told:#?}");
    }
}

#[test]
fn a_bug_of_ours_is_told_as_one_and_the_next_call_works() {
    let text = "fn steer(me, world) { if me.id == 0 { bug() } 7 }";
    for execution in [Execution::Native, Execution::Interpreted] {
        let behavior = ScriptBehavior::new(Program::fold(&learn(text), &[]).unwrap(), execution);
        let mut senses = crate::sim::Senses::new(Arc::new(Frozen::new(world())));
        senses.turn_to(0);
        let failure = behavior.decide(&mut senses, &mut []).unwrap_err();
        assert!(
            failure
                .message
                .contains("a bug in steerbox, not in your script"),
            "{failure:?}"
        );
        senses.turn_to(1);
        let decided = behavior.decide(&mut senses, &mut []);
        assert_eq!(decided, Ok(Contribution::Turn(Vec2::new(7.0, 0.0))));
    }
    let faults = Script::learn("a.rhai", "const X = bug(); fn steer(me, world) { 1 }").unwrap_err();
    assert!(
        faults[0].message.contains("a bug in steerbox"),
        "{faults:?}"
    );
}
