//! Scaling of a scene to more units in a larger world.

use glam::Vec2;
use steerbox_core::world::{Domain, NamedPath, Obstacle, Path, Solid, World, random};
use steerbox_scene::{Area, Scene, Spawn};

/// Fraction of the plane covered by obstacles if their number is given, as in the default scene.
const COVERED: f32 = 0.04;

/// Returns `scene` with about `units` units at the same density; with `obstacles`, its obstacles are replaced by that
/// many circles with a constant total area.
pub(crate) fn scaled(scene: &Scene, units: usize, obstacles: Option<usize>) -> Scene {
    let mut scene = scene.clone();
    let factor = units as f64 / scene.unit_count() as f64;
    let flat = matches!(scene.world.arena.domain, Domain::Plane { .. });
    let by = if flat { factor.sqrt() } else { factor.cbrt() } as f32;
    for group in &mut scene.groups {
        if enlarge_spawn(&mut group.spawn, by) {
            group.count = ((group.count as f64 * factor).round() as usize).max(1);
        }
    }
    match &mut scene.world.arena.domain {
        Domain::Plane { size } => *size *= by,
        Domain::Space { radius, .. } => *radius *= by,
    }
    let mut standing = scene.world.obstacles.to_vec();
    for obstacle in &mut standing {
        *obstacle = enlarged(obstacle, by);
    }
    for entry in &mut scene.scatter {
        entry.radius *= by;
        entry.margin *= by;
    }
    if let Some(count) = obstacles {
        standing = circles(&scene.world, count);
        scene.scatter.clear();
    }
    scene.world.obstacles = standing.into();
    scene.world.paths = scene.world.paths.iter().map(|path| enlarged_path(path, by)).collect();
    scene
}

/// Enlarges a spawn; returns false if the group cannot have more units.
fn enlarge_spawn(spawn: &mut Spawn, by: f32) -> bool {
    let Spawn::In { area, .. } = spawn else { return false };
    match area {
        Area::Rect { center, size } => {
            *center *= by;
            *size *= by;
        }
        Area::Disc { center, radius } | Area::Ball { center, radius } => {
            *center *= by;
            *radius *= by;
        }
        Area::Ring { center, radius, inner } => {
            *center *= by;
            *radius *= by;
            *inner *= by;
        }
    }
    true
}

fn enlarged(obstacle: &Obstacle, by: f32) -> Obstacle {
    let mut solid = obstacle.solid.moved(|point| point * by).unwrap_or_else(|| obstacle.solid.clone());
    match &mut solid {
        Solid::Ball { radius, .. } | Solid::Capsule { radius, .. } => *radius *= by,
        Solid::Box { half, .. } => *half *= by,
        // Its corners are moved already.
        Solid::Polygon(_) => {}
    }
    Obstacle { solid, ..obstacle.clone() }
}

fn enlarged_path(path: &NamedPath, by: f32) -> NamedPath {
    let points = path.path.points().iter().map(|point| *point * by).collect();
    let enlarged = Path::new(points, path.path.is_closed(), path.path.radius());
    NamedPath { path: enlarged.unwrap_or_else(|| path.path.clone()), ..path.clone() }
}

/// Circles at random positions, one in each cell of a grid.
fn circles(world: &World, count: usize) -> Vec<Obstacle> {
    let size = world.arena.size().truncate();
    let radius = (size.x * size.y * COVERED / (count as f32 * std::f32::consts::PI)).sqrt();
    let columns = (count as f32 * size.x / size.y).sqrt().ceil();
    let cell = size / Vec2::new(columns, (count as f32 / columns).ceil());
    let circle = |number: usize| {
        let draw = |axis| random::draw(world.seed, number as u64, 0, 0, axis);
        let at = Vec2::new(number as f32 % columns, (number as f32 / columns).floor());
        let center = (at + Vec2::new(draw(0), draw(1))) * cell;
        Obstacle::from(Solid::ball(center.extend(0.0), radius))
    };
    (0..count).map(circle).collect()
}
