//! Tests of state between steps: parameters, memory, marks, signals, random draws, drawings.

use super::*;

#[test]
fn parameters_are_folded_into_derived_constants() {
    let text = "const REACH = param(6.0, 0.0, 40.0);\nconst HALF = REACH / 2;\nconst UP = vec(0, REACH);\n\
                const ON = param(true);\nconst MODE = param(\"wide\", [\"wide\", \"narrow\"]);\n\
                fn steer(me, world) { if ON && MODE == \"narrow\" { HALF + UP.y + LENGTH } else { -1 } }\n\
                const LENGTH = param(3, 1, 9);";
    let script = compiled(text);
    let names: Vec<_> = script.params.iter().map(|param| param.name.as_str()).collect();
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
fn memory_is_per_unit_and_persists() {
    let text = "const MEMORY = #{ count: 0, angle: 0.5, on: false, goal: vec(1, 2) };\n\
                fn steer(me, world) { this.count += me.id + 1; this.angle *= 2; this.on = !this.on;\n\
                this.goal.x += 1; if this.on { this.count + this.angle } else { this.goal.x } }";
    let mut simulation = simulation(text);
    for _ in 0..3 {
        simulation.step();
    }
    assert_eq!(simulation.reports(), []);
    let turns: Vec<_> = (0..3).map(|unit| simulation.decisions(unit).next().unwrap().1).collect();
    let expected = [3.0, 6.0, 9.0].map(|count: f32| Contribution::Turn(Vec2::new(count + 4.0, 0.0)));
    assert_eq!(turns, expected);
}

#[test]
fn marks_are_visible_in_the_next_step_only() {
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
    let text =
        "fn steer(me, world) { vec(me.random(), me.random_between(2, 3), me.random_direction().length) }";
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
        let Contribution::Push(v) = draw else { panic!("{draw:?}") };
        assert!((0.0..1.0).contains(&v.x) && (2.0..3.0).contains(&v.y) && (v.z - 1.0).abs() < 1e-6);
        assert!(draws[..at].iter().all(|before| before != draw));
    }
}

#[test]
fn drawings_are_recorded_only_while_shown() {
    let text = "fn steer(me, world) { me.draw_circle(me.position, 2); me.draw_text(me.position, \"hi\"); }";
    let mut simulation = simulation(text);
    simulation.step();
    assert_eq!(simulation.drawings().count(), 0);
    simulation.drawing = true;
    simulation.step();
    assert_eq!(simulation.drawings().count(), 6);
    let words = simulation.drawings().filter(|d| matches!(&d.shape, Shape::Text(_, text) if text == "hi"));
    assert_eq!(words.count(), 3);
}

#[test]
fn signals_are_readable_from_the_next_step_on() {
    let text = "fn steer(me, world) { if me.id == 0 && world.time == 0 { me.signal(\"fear\", 0.75); }\n\
                let most = 0.0; for mate in me.neighbors { most = max(most, mate.signal(\"fear\")) } most }";
    let mut simulation = simulation(text);
    let mut seen = |_| {
        simulation.step();
        assert_eq!(simulation.reports(), []);
        simulation.decisions(1).next().unwrap().1
    };
    let turns = [0.0, 0.75, 0.75].map(|x| Contribution::Turn(Vec2::new(x, 0.0)));
    assert_eq!([0, 1, 2].map(&mut seen), turns);
}

#[test]
fn values_are_watched_only_while_shown() {
    let text = "fn steer(me, world) { me.watch(\"speed\", me.speed); me.watch(\"way\", me.heading); () }";
    let mut simulation = simulation(text);
    simulation.step();
    assert_eq!(simulation.watches().count(), 0);
    simulation.watching = true;
    simulation.step();
    let names: Vec<_> = simulation.watches().map(|watch| watch.name.as_str()).collect();
    assert_eq!(names, ["speed", "way"].repeat(3));
}
