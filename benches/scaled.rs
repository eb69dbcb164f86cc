//! A scene with more units in a world that is larger by as much.

use std::sync::Arc;

use glam::Vec3;
use steerbox::reload::Generation;
use steerbox::scene::{Scene, Spawn};
use steerbox::world::{Domain, Obstacle, Solid};

/// The same scene with about `units` units in a world, and among obstacles, larger by as much.
pub(crate) fn scaled(generation: &Generation, units: usize) -> Generation {
    let mut scene = Scene::clone(&generation.scene);
    let factor = units as f64 / scene.unit_count() as f64;
    let length = factor.sqrt() as f32;
    let last = scene.groups.len() - 1;
    let mut left = units;
    for (at, group) in scene.groups.iter_mut().enumerate() {
        let share = (group.count as f64 * factor).round() as usize;
        group.count = if at == last { left } else { share.min(left) };
        left -= group.count;
        enlarge_spawn(&mut group.spawn, length);
    }
    if let Domain::Plane { size } = &mut scene.world.arena.domain {
        *size *= length;
    }
    let mut obstacles = scene.world.obstacles.to_vec();
    for obstacle in &mut obstacles {
        enlarge(obstacle, length);
    }
    scene.world.obstacles = obstacles.into();
    Generation { scene: Arc::new(scene), ..generation.clone() }
}

fn enlarge_spawn(spawn: &mut Spawn, by: f32) {
    match spawn {
        Spawn::Rect { center, size, .. } => {
            *center *= by;
            *size *= by;
        }
        Spawn::Disc { center, radius, .. } | Spawn::Ball { center, radius, .. } => {
            *center *= by;
            *radius *= by;
        }
        Spawn::Ring { center, radius, inner, .. } => {
            *center *= by;
            *radius *= by;
            *inner *= by;
        }
        Spawn::At(_) => {}
    }
}

fn enlarge(obstacle: &mut Obstacle, by: f32) {
    match &mut obstacle.solid {
        Solid::Ball { center, radius } => {
            *center *= by;
            *radius *= by;
        }
        Solid::Capsule { from, to, radius } => {
            *from *= by;
            *to *= by;
            *radius *= by;
        }
        Solid::Box { center, half, .. } => {
            *center *= by;
            *half = Vec3::new(half.x * by, half.y * by, half.z);
        }
        Solid::Polygon(_) => unreachable!("the default scene has no others"),
    }
}
