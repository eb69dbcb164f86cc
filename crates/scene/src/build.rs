//! Builds the world that a checked scene describes.

use std::ops::Range;

use steerbox_core::world::{Group, Obstacles, ScalarGrid, Units, World, unit_key};

use super::{
    plan::{GroupPlan, Scene},
    scatter::Placer,
    spawn,
};

/// Builds the world of `scene` at step 0. `seed_override` replaces the scene's seed.
///
/// The start of a unit depends only on the seed, its group's plan, its index in the group and the obstacles, so
/// additional groups or units do not move the others.
pub fn build(scene: &Scene, seed_override: Option<u64>) -> World {
    let seed = seed_override.unwrap_or(scene.world.seed);
    let mut obstacles = scene.world.obstacles.to_vec();
    let existing = scene.world.obstacles.without_carried().to_vec();
    let mut placer = Placer::new(&scene.world.arena, seed, existing);
    for (number, entry) in scene.scatter.iter().enumerate() {
        obstacles.extend(placer.place(entry, number));
    }
    let obstacles = Obstacles::new(obstacles, scene.world.arena.period());
    let fixed = obstacles.without_carried();
    let mut units = Units::default();
    let mut groups = Vec::new();
    for (number, plan) in scene.groups.iter().enumerate() {
        let first = units.len();
        for index in 0..plan.count {
            let at = (number as u16, index, unit_key(&plan.common.name, index));
            spawn::push(&mut units, (&scene.world.arena, &fixed), seed, plan, at);
        }
        groups.push(group(plan, first..units.len()));
    }
    let player = player(scene, &groups);
    let grids = (0..scene.world.grids.len()).map(|at| grid(scene, at, seed)).collect();
    let mut world = World { groups, units, player, grids, seed, ..scene.world.clone() };
    world.set_obstacles(&obstacles);
    world
}

/// Returns grid `at` of `scene` with its initial values.
pub(super) fn grid(scene: &Scene, at: usize, seed: u64) -> ScalarGrid {
    let grid = scene.world.grids[at].clone();
    match scene.initial.get(at) {
        Some(Some(initial)) => grid.filled(initial, seed),
        _ => grid,
    }
}

/// Returns the group of `plan` with the given range of units.
pub(super) fn group(plan: &GroupPlan, units: Range<usize>) -> Group {
    Group { units, ..plan.common.clone() }
}

/// Returns the last unit, if the last group is the player's and has a unit. `groups` are those of the world.
pub(super) fn player(scene: &Scene, groups: &[Group]) -> Option<usize> {
    let (plan, group) = (scene.groups.last()?, groups.last()?);
    group.units.clone().next_back().filter(|_| plan.is_player)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::read;

    fn scene(parts: &str) -> Scene {
        let text = format!("(bodies: {{\"craft\": Rigid(), \"fish\": Mover(desired_speed: 2)}}, {parts})");
        read("test.ron", &text).unwrap()
    }

    const PLANE: &str = "world: Plane(size: (100, 50))";
    const SPACE: &str = "world: Space(center: (5, 5, 5), radius: 10)";

    #[test]
    fn equal_seeds_give_equal_worlds_and_others_differ() {
        let scene = scene(&format!(
            "{PLANE}, seed: 3, groups: [(name: \"a\", body: \"craft\", count: 20)],
             scatter: [(count: 3, radius: 2)], grids: {{\"g\": (cell: 10, initial: Uniform(0, 1))}}"
        ));
        assert_eq!(build(&scene, None), build(&scene, Some(3)));
        let other = build(&scene, Some(4));
        assert_eq!(other.seed, 4);
        assert_ne!(other.units.position, build(&scene, None).units.position);
        assert_ne!(other.obstacles, build(&scene, None).obstacles);
        assert_ne!(other.grids[0].values(), build(&scene, None).grids[0].values());
    }

    #[test]
    fn additional_groups_and_units_do_not_move_the_others() {
        let small = scene(&format!("{PLANE}, groups: [(name: \"a\", body: \"craft\", count: 5)]"));
        let large = scene(&format!(
            "{PLANE}, groups: [(name: \"new\", body: \"fish\", count: 3),
             (name: \"a\", body: \"craft\", count: 9)]"
        ));
        let (small, large) = (build(&small, None), build(&large, None));
        let same = large.groups[1].units.start;
        assert_eq!(small.units.position[..], large.units.position[same..same + 5]);
        assert_eq!(small.units.heading[..], large.units.heading[same..same + 5]);
        assert_eq!(small.units.key[..], large.units.key[same..same + 5]);
        assert_ne!(large.units.position[0], large.units.position[same]);
    }

    #[test]
    fn units_start_inside_their_spawn_and_are_upright() {
        let scene = scene(&format!(
            "{PLANE}, groups: [(name: \"a\", body: \"fish\", count: 200,
             spawn: Disc(center: (50, 25), radius: 5)),
             (name: \"b\", body: \"fish\", count: 200, spawn: Rect(center: (10, 10), size: (4, 2), speed: 9)),
             (name: \"c\", body: \"craft\", count: 50)]"
        ));
        let world = build(&scene, None);
        let units = &world.units;
        for unit in 0..units.len() {
            let (position, heading) = (units.position[unit], units.heading[unit]);
            assert_eq!((position.z, heading.z, units.up[unit]), (0.0, 0.0, Vec3::Z));
            assert!((heading.length() - 1.0).abs() < 1e-5);
            let speed = units.velocity[unit].length();
            match units.group[unit] {
                0 => {
                    assert!(position.distance(Vec3::new(50.0, 25.0, 0.0)) <= 5.0);
                    assert!((speed - 2.0).abs() < 1e-4);
                }
                1 => {
                    let offset = (position - Vec3::new(10.0, 10.0, 0.0)).abs();
                    assert!(offset.x <= 2.0 && offset.y <= 1.0);
                    assert!((speed - 9.0).abs() < 1e-4);
                }
                _ => {
                    assert!(position.cmpge(Vec3::ZERO).all());
                    assert!(position.x < 100.0 && position.y < 50.0);
                    assert_eq!(speed, 0.0);
                }
            }
        }
    }

    #[test]
    fn units_in_space_have_any_heading_and_are_upright() {
        let scene = scene(&format!("{SPACE}, groups: [(name: \"a\", body: \"fish\", count: 500)]"));
        let units = build(&scene, None).units;
        for unit in 0..units.len() {
            let (heading, up) = (units.heading[unit], units.up[unit]);
            assert!(units.position[unit].distance(Vec3::splat(5.0)) <= 8.001);
            assert!(heading.dot(up).abs() < 1e-5 && up.y >= -1e-6);
        }
        let mean: Vec3 = units.heading.iter().sum::<Vec3>() / 500.0;
        assert!(mean.length() < 0.15, "{mean}");
    }

    #[test]
    fn listed_starts_are_used_unchanged() {
        let scene = scene(&format!(
            "{PLANE}, groups: [(name: \"a\", body: \"craft\", spawn: At([
                (position: (1, 2), heading: 90, velocity: (3, 0)),
                (position: (4, 5), velocity: (0, -2)),
                (position: (6, 7)),
             ]))], player: (body: \"craft\", spawn: At([(position: (9, 9))]))"
        ));
        let world = build(&scene, None);
        assert_eq!(world.units.heading, [Vec3::Y, Vec3::NEG_Y, Vec3::X, Vec3::X]);
        assert_eq!(world.units.velocity[0], Vec3::new(3.0, 0.0, 0.0));
        assert_eq!(world.player, Some(3));
        assert_eq!(world.units.position[3], Vec3::new(9.0, 9.0, 0.0));
        assert_eq!(world.groups[1].name, "player");
    }

    #[test]
    fn scattered_obstacles_keep_distance_from_the_edge_and_each_other() {
        let scene = scene(&format!(
            "{PLANE}, groups: [(name: \"a\", body: \"craft\")],
             obstacles: [Circle(center: (50, 25), radius: 10)],
             scatter: [(count: 8, radius: 3), (count: 2, radius: 5, margin: 6)]"
        ));
        let world = build(&scene, None);
        assert_eq!(world.obstacles.len(), 11);
        for (at, obstacle) in world.obstacles.iter().enumerate() {
            let (center, radius) = (obstacle.position(), obstacle.radius());
            assert!(center.x >= radius && center.x <= 100.0 - radius);
            assert!(center.y >= radius && center.y <= 50.0 - radius);
            for other in &world.obstacles[..at] {
                assert!(other.distance_to(center) > radius, "{at}");
            }
        }
    }

    #[test]
    fn a_crowded_scatter_terminates() {
        for world in [PLANE, SPACE] {
            let scene = scene(&format!(
                "{world}, groups: [(name: \"a\", body: \"craft\")],
                 scatter: [(count: 9999, radius: 4)]"
            ));
            assert_eq!(build(&scene, None).obstacles.len(), 9999);
        }
    }
}
