//! Time and moving obstacles after a reconciliation.

use glam::Vec3;
use steerbox_core::world::World;

use super::plan::Scene;
use super::{build, read, reconcile};

fn scene(rest: &str) -> Scene {
    let text = format!(
        "(world: Plane(size: (100, 50)), bodies: {{\"dart\": Mover()}},
         groups: [(name: \"flock\", body: \"dart\", count: 4)], {rest})"
    );
    read("test.ron", &text).unwrap()
}

const MOVING: &str = "Circle(center: (10, 10), radius: 1, path: \"p\", speed: 4)";

#[test]
fn time_and_obstacles_go_on_when_step_speed_or_path_change() {
    const PLACES: &str = "path: \"p\", speed: 4), Circle(center: (9, 9), radius: 1)";
    let with = |step: &str, obstacles: &str, points: &str| {
        let rest = format!(
            "step: {step}, paths: {{\"p\": (points: [{points}])}},
             obstacles: [Circle(center: (10, 10), radius: 1, {obstacles}]"
        );
        scene(&rest)
    };
    let line = "(10, 10), (90, 10)";
    let old = with("0.05", PLACES, line);
    let mut world = build(&old, None);
    let steps = |world: &mut World, count: u64| {
        (0..count).for_each(|_| {
            world.advance_obstacles();
            world.steps += 1;
        });
    };
    steps(&mut world, 100);
    let place = |world: &World| world.obstacles[0].position();
    assert_eq!((world.time(), place(&world)), (5.0, Vec3::new(30.0, 10.0, 0.0)));
    let live = |world: &World, old: &Scene, new: &Scene| reconcile(old, new, world, None).world;

    let slower = with("0.01", PLACES, line);
    let mut changed = live(&world, &old, &slower);
    assert_eq!((changed.time(), changed.age(0), place(&changed)), (5.0, 5.0, place(&world)));
    assert_eq!(changed.seconds_after(50), 50.0 * f64::from(0.05_f32));
    steps(&mut changed, 100);
    assert_eq!((changed.time(), place(&changed)), (6.0, Vec3::new(34.0, 10.0, 0.0)));

    let faster = with("0.01", &PLACES.replace("speed: 4", "speed: 8"), line);
    let mut changed = live(&changed, &slower, &faster);
    assert_eq!(place(&changed), Vec3::new(34.0, 10.0, 0.0));
    steps(&mut changed, 100);
    assert_eq!(place(&changed), Vec3::new(42.0, 10.0, 0.0));
    let bent = with("0.01", &PLACES.replace("speed: 4", "speed: 8"), "(10, 10), (50, 10), (50, 40)");
    let mut bent_world = live(&changed, &faster, &bent);
    assert_eq!(place(&bent_world), Vec3::new(42.0, 10.0, 0.0));
    steps(&mut bent_world, 200);
    assert_eq!(place(&bent_world), Vec3::new(50.0, 18.0, 0.0));
    let back = live(&live(&world, &old, &faster), &faster, &old);
    assert_eq!((&back, back.leads().count()), (&world, 0));
}

#[test]
fn an_obstacle_on_its_way_back_stays_on_it_and_one_that_gets_a_path_starts_there() {
    let with = |obstacles: &str, end: u32| {
        let rest = format!(
            "step: 0.5, paths: {{\"p\": (points: [(10, 10), ({end}, 10)])}}, obstacles: [{obstacles}]"
        );
        scene(&rest)
    };
    let resting = MOVING.replace(", path: \"p\", speed: 4", "");
    let at = |world: &World, index: usize| {
        let obstacle = &world.obstacles[index];
        (obstacle.position().x, obstacle.velocity.x)
    };
    let old = with(MOVING, 30);
    let world = World { steps: 12, ..build(&old, None) };
    // 24 units of the way of 20 and back.
    let back = reconcile(&old, &with(MOVING, 40), &world, None).world;
    assert_eq!(at(&back, 0), (26.0, -4.0));
    let second = format!("{resting}, {MOVING}");
    let moved = reconcile(&with(MOVING, 40), &with(&second, 40), &back, None).world;
    assert_eq!((at(&moved, 0), at(&moved, 1)), ((10.0, 0.0), (26.0, -4.0)));
    let rests = with(&resting, 30);
    let world = World { steps: 12, ..build(&rests, None) };
    let starts = reconcile(&rests, &old, &world, None).world;
    assert_eq!(at(&starts, 0), (10.0, 4.0));
    let new = reconcile(&scene("step: 0.5"), &old, &world, None).world;
    assert_eq!(at(&new, 0), (10.0, 4.0), "the live obstacle rested there");
    let absent = World { steps: 12, ..build(&scene("step: 0.5"), None) };
    assert_eq!(at(&reconcile(&rests, &old, &absent, None).world, 0), (26.0, -4.0));
}

#[test]
fn births_and_deaths_remain_with_a_renamed_group_and_end_with_a_removed_one() {
    let named = |name: &str| {
        let text = format!(
            "(world: Plane(size: (100, 50)), bodies: {{\"dart\": Mover()}},
             groups: [(name: \"a\", body: \"dart\", count: 4), (name: \"{name}\", body: \"dart\", count: 3)])"
        );
        read("test.ron", &text).unwrap()
    };
    let old = named("b");
    let mut world = build(&old, None);
    world.population = [("a".to_owned(), [1, 2]), ("b".to_owned(), [3, 4])].into();
    let counts =
        |new: &Scene| reconcile(&old, new, &world, None).world.population.into_iter().collect::<Vec<_>>();
    assert_eq!(counts(&named("c")), [("a".to_owned(), [1, 2]), ("c".to_owned(), [3, 4])]);
    assert_eq!(counts(&scene("")), []);
}
