//! Runs whose `step` changes while they run.

use std::sync::Arc;

use steerbox_core::sim::Simulation;

use super::reproduced::{generation_as, generation_of, stepped};
use super::*;

const SCENE: &str = "(world: Plane(size: (100, 60), edges: Wrap), step: 0.05,
    bodies: {\"m\": Mover(length: 2, max_speed: 6, max_velocity_change: 0.4)},
    paths: {\"way\": (points: [(20, 10), (80, 10)])},
    groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"own\")])],
    obstacles: [Circle(center: (20, 10), radius: 6, path: \"way\", speed: 8)],
    expect: [(measure: \"time\", above: 9, by: 20)])";

const OWN: &str = "const MEMORY = #{ last: 0.0, age: 0.0, turned: 0 };
fn steer(me, world) {
    if world.time < this.last || me.age < this.age { this.turned += 1; }
    this.last = world.time;
    this.age = me.age;
    if me.age > 4 { me.die(); }
    vec(0.1, 0, 0) * world.obstacles.nearest.position.x
}";

/// A run of 30 steps of 0.05 s and 25 of 0.02 s; the speed of the obstacle changes with the step.
fn changed() -> (Simulation, Generation) {
    let before = generation_of(SCENE, OWN);
    let mut simulation = before.start(None);
    stepped(&mut simulation, 30);
    let after = SCENE.replace("step: 0.05", "step: 0.02").replace("speed: 8", "speed: 4");
    let after = generation_of(&after, OWN);
    let notes = after.swap_into(&mut simulation, &before.scene, None);
    assert!(notes.iter().any(|note| note == "step is 0.02 s now"), "{notes:?}");
    stepped(&mut simulation, 25);
    (simulation, after)
}

#[test]
fn time_goes_on_when_the_step_changes() {
    let (simulation, _) = changed();
    let world = simulation.world();
    assert_eq!((world.time(), world.age(0), world.decimal_time()), (2.0, 2.0, 2.0));
    assert_eq!(world.obstacles[0].position().x, 20.0 + 1.5 * 8.0 + 0.5 * 4.0);
    let (_, layout, words) = simulation.memory(0).next().expect("a memory");
    let turned = layout.fields().iter().position(|field| field.name == "turned").expect("a field");
    assert_eq!(f32::from_bits(words[turned]), 0.0, "time and ages never decrease");
}

#[test]
fn a_state_and_a_replay_contain_the_durations() {
    let (mut simulation, generation) = changed();
    let moment = Moment::of(&generation, &simulation, None).unwrap();
    let read = Moment::from_bytes(&moment.to_bytes().unwrap()).unwrap();
    assert_eq!(read, moment);
    let mut other = read.start(&generation).unwrap();
    assert_eq!(other.world().past, simulation.world().past);
    let replay = ReplayFile::new((&generation, &simulation, None), &[], &simulation, Digests::default());
    let replay = ReplayFile::from_bytes(&replay.unwrap().to_bytes().unwrap()).unwrap();
    let mut repeated = replay.load(Execution::Native).unwrap().simulation;
    let hash = stepped(&mut simulation, 60);
    assert_eq!((stepped(&mut other, 60), stepped(&mut repeated, 60)), (hash, hash));
    assert_eq!(other.world().time(), simulation.world().time());
    assert_eq!(other.world().obstacles, simulation.world().obstacles);
}

#[test]
fn the_deadline_of_an_expectation_is_a_time() {
    let scene = SCENE.replace("by: 20", "by: 1.7");
    let generation = |scene: &str| generation_of(scene, OWN);
    let before = generation(&scene);
    let mut simulation = before.start(None);
    let mut verdicts = Verdicts::new(&before.scene, &simulation);
    stepped(&mut simulation, 30);
    verdicts.observe(&simulation);
    let after = generation(&scene.replace("0.05", "0.02"));
    after.swap_into(&mut simulation, &before.scene, None);
    verdicts.follow(&after.scene, &simulation);
    let mut failed = None;
    for _ in 0..30 {
        stepped(&mut simulation, 1);
        verdicts.observe(&simulation);
        let (_, verdict) = verdicts.all().next().expect("an expectation");
        if let (None, Verdict::Failed { step, reason }) = (&failed, verdict) {
            failed = Some((step, simulation.world().steps, reason));
        }
    }
    let reason = "the nearest value was 1.7 at 1.7 s".to_owned();
    assert_eq!(failed, Some((40, 40, reason)));
    assert!(Arc::ptr_eq(verdicts.scene(), &after.scene));
}

#[test]
fn a_period_is_due_once_in_compiled_and_interpreted_rules() {
    const COUNTS: &str = "const MEMORY = #{ half: 0, n: 0, steps: 0 };
    fn steer(me, world) {
        if world.every(1.0) { this.n += 1; }
        if world.every(0.5) { this.half += 1; }
        if world.every(0.001) && this.steps == world.steps { this.steps += 1; }
        ()
    }";
    for (step, steps) in [("0.1", 2_000), ("0.05", 4_000), ("0.02", 10_000), ("0.016666667", 12_000)] {
        let scene = format!(
            "(world: Plane(size: (9, 9)), step: {step}, bodies: {{\"m\": Mover()}},
            groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"own\")])])"
        );
        for execution in [Execution::Native, Execution::Interpreted] {
            let mut simulation = generation_as(&scene, COUNTS, execution).start(None);
            stepped(&mut simulation, steps);
            let (_, _, words) = simulation.memory(0).next().expect("a memory");
            let counts: Vec<_> = words.iter().map(|word| f32::from_bits(*word)).collect();
            assert_eq!(counts[..3], [400.0, 200.0, steps as f32], "{step} {execution:?}");
        }
    }
}
